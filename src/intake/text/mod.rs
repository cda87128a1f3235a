//! A pasted text, cut into memories: at `---` lines if there are any, else at blank lines, and a list at its bullets.
//! Fenced code and tables stay whole, nested bullets stay with their parent, and each item says under which heading it
//! stood, since "9 m long" is nothing without "Boat". A line that begins with a date in brackets, as assistants write
//! when they are asked for their memories, is an item of that date.

mod context;
mod line;

use crate::model::draft::Draft;
use context::Context;
use line::Line;

/// Cuts a text into drafts, in order, without empty ones.
pub fn split(text: &str) -> Vec<Draft> {
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().collect();
    parts(&lines)
        .iter()
        .flat_map(|part| split_part(part))
        .collect()
}

fn split_part(lines: &[&str]) -> Vec<Draft> {
    let mut ruled = at_rules(lines);
    if ruled.len() > 1 {
        return ruled
            .into_iter()
            .map(|block| draft(block.join("\n").trim()))
            .collect();
    }
    let mut cutter = Cutter::default();
    for line in ruled.pop().unwrap_or_default() {
        cutter.take(line);
    }
    cutter.finish()
}

/// An item, with the date it begins with, if it does.
fn draft(text: &str) -> Draft {
    let (date, rest) = line::dated(text).unwrap_or((None, text));
    Draft {
        source_date: date.map(str::to_owned),
        ..Draft::of(rest)
    }
}

/// Runs of lines between `---`; rules inside a fence do not count.
fn at_rules<'a>(lines: &[&'a str]) -> Vec<Vec<&'a str>> {
    let mut blocks = vec![Vec::new()];
    let mut fence = Fence::default();
    for line in lines {
        fence.pass(line);
        if !fence.is_open() && line::is_rule(line) {
            blocks.push(Vec::new());
        } else if let Some(block) = blocks.last_mut() {
            block.push(*line);
        }
    }
    blocks.retain(|block| block.iter().any(|line| !line.trim().is_empty()));
    blocks
}

/// Which fence is open, if one.
#[derive(Default)]
struct Fence(Option<&'static str>);

impl Fence {
    /// Passes a line; gives whether it is a fence or inside one.
    fn pass(&mut self, line: &str) -> bool {
        match (self.0, line::fence_mark(line)) {
            (None, Some(mark)) => self.0 = Some(mark),
            (Some(open), Some(mark)) if mark == open => {
                self.0 = None;
                return true;
            }
            _ => {}
        }
        self.is_open()
    }

    fn is_open(&self) -> bool {
        self.0.is_some()
    }
}

/// The text as one part, or, where a code block holds a list of dated entries, as what stands before it, the list, and
/// what stands after it: assistants put the memories they are asked for into a code block, which is then no code.
fn parts<'a>(lines: &[&'a str]) -> Vec<Vec<&'a str>> {
    let mut parts: Vec<Vec<&str>> = vec![Vec::new()];
    let mut rest = lines;
    while let Some((line, after)) = rest.split_first() {
        rest = after;
        let closed = line::fence_mark(line).and_then(|mark| {
            let length = after
                .iter()
                .position(|line| line::fence_mark(line) == Some(mark))?;
            Some((
                after.get(..length)?,
                after.get(length..=length)?,
                after.get(length + 1..)?,
            ))
        });
        let Some(part) = parts.last_mut() else { break };
        match closed {
            None => part.push(line),
            Some((inside, _, after)) if is_list_of_memories(inside) => {
                // "Here they are:" is no memory.
                let last = part.iter().rposition(|line| !line.trim().is_empty());
                if last.is_some_and(|last| {
                    part.get(last)
                        .is_some_and(|line| line.trim_end().ends_with(':'))
                }) {
                    part.truncate(last.unwrap_or_default());
                }
                parts.push(inside.to_vec());
                parts.push(Vec::new());
                rest = after;
            }
            Some((inside, close, after)) => {
                part.push(line);
                part.extend(inside);
                part.extend(close);
                rest = after;
            }
        }
    }
    parts
}

/// Whether lines are dated entries and nothing that looks like code.
fn is_list_of_memories(lines: &[&str]) -> bool {
    let mut entries = 0;
    for line in lines.iter().filter(|line| !line.trim().is_empty()) {
        match line::read(line) {
            Line::Bullet(bullet) if bullet.is_entry => entries += 1,
            Line::Heading(..) | Line::Bullet(_) => {}
            Line::Text if line::is_rule(line) || line.starts_with(' ') => {}
            Line::Text => return false,
        }
    }
    entries > 0
}

/// The item being gathered.
struct Piece<'a> {
    lines: Vec<&'a str>,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Paragraph,
    /// A bullet of a list whose own bullets stand at this depth, and its number, if it has one.
    Bullet(usize, Option<u32>),
}

#[derive(Default)]
struct Cutter<'a> {
    drafts: Vec<Draft>,
    context: Context<'a>,
    piece: Option<Piece<'a>>,
    /// Whether blank lines came since the piece's last line.
    gap: bool,
    fence: Fence,
}

impl<'a> Cutter<'a> {
    fn take(&mut self, line: &'a str) {
        let was_open = self.fence.is_open();
        if self.fence.pass(line) {
            if was_open || self.goes_on_with_block(line) {
                self.go_on(line);
            } else {
                self.begin(Kind::Paragraph, line);
            }
            return;
        }
        if line.trim().is_empty() {
            self.gap = true;
            return;
        }
        match line::read(line) {
            Line::Heading(level, title) => {
                self.close();
                let lone = self.context.enter(level, title, line);
                self.drafts.extend(lone.into_iter().map(Draft::of));
            }
            // It says nothing, and what stands before it has to go on waiting for something that does.
            Line::Bullet(bullet) if bullet.text.trim().is_empty() => {}
            Line::Bullet(bullet) if self.begins_item(&bullet) => {
                self.keep_lead_in();
                self.begin(Kind::Bullet(bullet.depth, bullet.number), bullet.text);
            }
            Line::Bullet(bullet) if self.is_loose_number(&bullet) => {
                self.begin(Kind::Paragraph, line);
            }
            Line::Bullet(_) => self.go_on(line),
            Line::Text if self.goes_on(line) => self.go_on(line),
            Line::Text => {
                self.close();
                self.context.lead_in = None;
                self.begin(Kind::Paragraph, line);
            }
        }
        self.gap = false;
    }

    /// Whether a bullet is an item of its own, and not part of the piece before it.
    fn begins_item(&self, bullet: &line::Bullet<'_>) -> bool {
        let fits = |last: Option<u32>| match (bullet.number, last) {
            (None, _) => true,
            (Some(number), Some(last)) => number == last + 1 || number <= 1,
            (Some(number), None) => number <= 1,
        };
        match &self.piece {
            None => fits(None),
            Some(piece) => match piece.kind {
                Kind::Bullet(top, last) => bullet.depth <= top && fits(last),
                Kind::Paragraph => (self.gap || is_lead_in(piece) || bullet.is_entry) && fits(None),
            },
        }
    }

    /// A line such as "3. May" after a bullet: a number that no list counts to belongs to the text.
    fn is_loose_number(&self, bullet: &line::Bullet<'_>) -> bool {
        match self.piece.as_ref().map(|piece| piece.kind) {
            None => true,
            Some(Kind::Bullet(top, _)) => bullet.depth <= top,
            Some(Kind::Paragraph) => self.gap,
        }
    }

    fn goes_on(&self, line: &str) -> bool {
        let Some(piece) = &self.piece else {
            return false;
        };
        match piece.kind {
            _ if !self.gap => true,
            Kind::Bullet(top, _) => line::depth(line) >= top + 2,
            Kind::Paragraph => is_lead_in(piece) && line::is_table(line),
        }
    }

    fn goes_on_with_block(&self, line: &str) -> bool {
        self.goes_on(line) || self.piece.as_ref().is_some_and(is_lead_in)
    }

    /// A single line that ends with a colon, before a list, is the list's heading and no item.
    fn keep_lead_in(&mut self) {
        if self.piece.as_ref().is_some_and(is_lead_in) {
            let piece = self.piece.take();
            self.context.lead_in = piece.and_then(|piece| piece.lines.first().copied());
        } else if self
            .piece
            .as_ref()
            .is_some_and(|piece| piece.kind == Kind::Paragraph)
        {
            self.context.lead_in = None;
        }
    }

    fn begin(&mut self, kind: Kind, line: &'a str) {
        self.close();
        self.piece = Some(Piece {
            lines: vec![line],
            kind,
        });
        self.gap = false;
    }

    fn go_on(&mut self, line: &'a str) {
        match &mut self.piece {
            Some(piece) => {
                if self.gap {
                    piece.lines.push("");
                }
                piece.lines.push(line.trim_end());
            }
            None => self.begin(Kind::Paragraph, line),
        }
        self.gap = false;
    }

    fn close(&mut self) {
        let Some(piece) = self.piece.take() else {
            return;
        };
        let text = piece.lines.join("\n");
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let mut draft = draft(text);
        let content = draft.content.take().unwrap_or_default();
        draft.content = Some(match piece.kind {
            Kind::Bullet(..) => self.context.before_bullet(&content),
            Kind::Paragraph => self.context.before_paragraph(&content),
        });
        self.drafts.push(draft);
    }

    fn finish(mut self) -> Vec<Draft> {
        self.close();
        let lone = self.context.leave(0);
        self.drafts.extend(lone.into_iter().map(Draft::of));
        self.drafts.retain(|draft| {
            draft
                .content
                .as_deref()
                .is_some_and(|text| !text.trim().is_empty())
        });
        self.drafts
    }
}

fn is_lead_in(piece: &Piece<'_>) -> bool {
    piece.kind == Kind::Paragraph
        && matches!(piece.lines.as_slice(), [line] if line.trim_end().ends_with([':', '：']))
}

#[cfg(test)]
mod tests;
