//! A text without borders, line by line: which line goes on with an item, and which begins one.

use super::context::Context;
use super::fence::{self, Fence};
use super::line::{self, Heading, Line};
use super::{draft, long_in_parts};
use crate::model::draft::Draft;

/// The item being gathered.
struct Piece<'a> {
    lines: Vec<&'a str>,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Paragraph,
    /// A table or a quote that stands for itself: what is neither ends it.
    Block,
    /// A bullet of a list whose own bullets stand at this depth, and its number, if it has one.
    Bullet(usize, Option<u32>),
}

/// Gathers items.
#[derive(Default)]
pub(super) struct Cutter<'a> {
    drafts: Vec<Draft>,
    context: Context<'a>,
    piece: Option<Piece<'a>>,
    /// Whether blank lines came since the piece's last line.
    gap: bool,
    fence: Fence,
    /// Whether the line at hand belongs to the one before it.
    skip: bool,
}

impl<'a> Cutter<'a> {
    /// One whose text stands under a title.
    pub(super) fn below(title: Option<&'a str>) -> Self {
        let mut cutter = Cutter::default();
        if let Some(title) = title {
            cutter.context.enter(Heading {
                level: 0,
                title,
                line: title,
                date: None,
                turn: None,
            });
        }
        cutter
    }

    /// Takes the next line; `after` are those that follow it.
    pub(super) fn take(&mut self, line: &'a str, after: &[&'a str]) {
        if std::mem::take(&mut self.skip) {
            return;
        }
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
        if line::is_any_rule(line) {
            self.close();
            self.context.lead_in = None;
            return;
        }
        let underlined = (self.piece.is_none() || self.gap)
            .then(|| line::underlined(line, after.first()?))
            .flatten();
        self.skip = underlined.is_some();
        match underlined.map_or_else(|| line::read(line), Line::Heading) {
            Line::Heading(heading) => {
                self.close();
                let lone = self.context.enter(heading);
                self.drafts.extend(lone.into_iter().map(Draft::of));
            }
            // It says nothing, and what stands before it has to go on waiting for something that does.
            Line::Bullet(bullet) if bullet.text.trim().is_empty() => {}
            Line::Bullet(bullet) if self.begins_item(&bullet, after) => {
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
                let is_block = line::is_table(line) || line::is_quote(line);
                self.begin(
                    if is_block {
                        Kind::Block
                    } else {
                        Kind::Paragraph
                    },
                    line,
                );
            }
        }
        self.gap = false;
    }

    /// Whether a bullet is an item of its own, and not part of the piece before it.
    fn begins_item(&self, bullet: &line::Bullet<'_>, after: &[&str]) -> bool {
        let fits = |last: Option<u32>| match (bullet.number, last) {
            (None, _) => true,
            (Some(number), Some(last)) => number == last + 1 || number <= 1,
            (Some(number), None) => number <= 1,
        };
        match &self.piece {
            None => fits(None),
            Some(piece) => match piece.kind {
                Kind::Bullet(top, last) => bullet.depth <= top && fits(last),
                Kind::Block => fits(None),
                Kind::Paragraph => {
                    let after_code = piece.lines.last().is_some_and(|line| fence::opens(line));
                    let is_list = self.gap || is_lead_in(piece) || bullet.is_entry || after_code;
                    (is_list || (is_title(piece) && goes_on_as_list(bullet, after))) && fits(None)
                }
            },
        }
    }

    /// A line such as "3. May" after a bullet: a number that no list counts to belongs to the text.
    fn is_loose_number(&self, bullet: &line::Bullet<'_>) -> bool {
        match self.piece.as_ref().map(|piece| piece.kind) {
            None | Some(Kind::Block) => true,
            Some(Kind::Bullet(top, _)) => bullet.depth <= top,
            Some(Kind::Paragraph) => self.gap,
        }
    }

    fn goes_on(&self, line: &str) -> bool {
        let Some(piece) = &self.piece else {
            return false;
        };
        let is_block = line::is_table(line) || line::is_quote(line);
        let announces = |line: &&str| line.trim_end().ends_with([':', '：']);
        match piece.kind {
            // What is not indented is no part of a bullet that does not announce it.
            Kind::Bullet(top, _) if is_block && line::depth(line) < top + 2 => {
                let last = piece.lines.last();
                let is_inside =
                    last.is_some_and(|last| line::is_table(last) || line::is_quote(last));
                !self.gap && (is_inside || last.is_some_and(announces))
            }
            Kind::Block => {
                let last = piece.lines.last().copied().unwrap_or_default();
                // A quote goes on in lines without its mark; a table does not.
                !self.gap
                    && (line::is_table(last) == line::is_table(line))
                    && (line::is_quote(last) || !line::is_quote(line))
            }
            _ if !self.gap => true,
            Kind::Bullet(top, _) => line::depth(line) >= top + 2,
            Kind::Paragraph => is_lead_in(piece) && is_block,
        }
    }

    fn goes_on_with_block(&self, line: &str) -> bool {
        match &self.piece {
            Some(piece) if matches!(piece.kind, Kind::Bullet(..)) => {
                let is_inside =
                    matches!(piece.kind, Kind::Bullet(top, _) if line::depth(line) >= top + 2);
                let last = piece.lines.last().copied().unwrap_or_default();
                is_inside || (!self.gap && last.trim_end().ends_with([':', '：']))
            }
            Some(piece) if piece.kind == Kind::Block => false,
            _ => self.goes_on(line) || self.piece.as_ref().is_some_and(is_lead_in),
        }
    }

    /// A single line before a list is the list's heading and no item, when it ends with a colon or reads like a title.
    fn keep_lead_in(&mut self) {
        let kind = self.piece.as_ref().map(|piece| piece.kind);
        let is_heading = (self.piece.as_ref())
            .is_some_and(|piece| is_lead_in(piece) || (is_title(piece) && !self.gap));
        if is_heading {
            let piece = self.piece.take();
            self.context.lead_in = piece.and_then(|piece| piece.lines.first().copied());
        } else if matches!(kind, Some(Kind::Paragraph | Kind::Block)) {
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
        let date = draft.source_date.take();
        draft.source_date = date.or_else(|| self.context.date().map(str::to_owned));
        let before = match piece.kind {
            Kind::Bullet(..) => self.context.before_bullet(),
            Kind::Paragraph | Kind::Block => self.context.before_paragraph(),
        };
        self.drafts.extend(long_in_parts(draft, &before));
    }

    /// The items.
    pub(super) fn finish(mut self) -> Vec<Draft> {
        self.close();
        let lone = self.context.leave(1);
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

/// Longest line that reads like the title of the list below it.
const TITLE_CHARS: usize = 60;

/// Whether a piece is one short line that ends like no sentence.
fn is_title(piece: &Piece<'_>) -> bool {
    let short = |line: &str| {
        let line = line.trim_end();
        line.chars().count() <= TITLE_CHARS && !line.ends_with(['.', '!', '?', ',', ';', '…', '。'])
    };
    piece.kind == Kind::Paragraph
        && matches!(piece.lines.as_slice(), [line] if short(line) && !fence::opens(line))
}

/// Whether another bullet of the same list follows. "Two ways\n- and neither worked" has none.
fn goes_on_as_list(bullet: &line::Bullet<'_>, after: &[&str]) -> bool {
    let mut lines = after.iter().filter(|line| !line.trim().is_empty());
    lines
        .find(|line| line::depth(line) <= bullet.depth)
        .is_some_and(
            |line| matches!(line::read(line), Line::Bullet(next) if next.depth == bullet.depth),
        )
}
