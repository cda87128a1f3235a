//! A pasted text, cut into memories: at `---` lines if there are any, else at blank lines, and a list at its bullets.
//! Where sections with headings stand between the `---` lines, these are borders of sections and not of items.
//!
//! Blocks of code, tables and quotes stay whole, nested bullets stay with their parent, and each item says under which
//! heading it stood, since "9 m long" is nothing without "Boat". A line that begins with a date in brackets, as assistants
//! write when they are asked for their memories, is an item of that date; so is what stands under a heading that is a date,
//! or in a note that has one in the fields at its top. A transcript is cut into its turns, each with who speaks and when.
//! What is longer than a memory is cut into parts. Comments, which no reader sees, are counted and left out.

mod context;
mod cutter;
mod fence;
mod front;
mod line;
mod parts;
mod whole;

use crate::limits;
use crate::model::draft::Draft;
use cutter::Cutter;
use fence::Fence;
use line::Line;

/// What a text holds.
#[derive(Debug, Default)]
pub struct Cut {
    /// Its items, in order, without empty ones.
    pub drafts: Vec<Draft>,
    /// How many comments were left out.
    pub comments: usize,
    /// Whether it is a transcript.
    pub is_transcript: bool,
}

/// Cuts a text into drafts.
pub fn cut(text: &str) -> Cut {
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().collect();
    let (front, lines) = front::fields(&lines);
    let (lines, comments) = front::without_comments(lines);
    let mut drafts: Vec<Draft> = memory_parts(&lines)
        .iter()
        .flat_map(|part| split_part(part, front.title))
        .collect();
    if !front.rest.is_empty() {
        let fields = Draft::of(front.rest.join("\n"));
        drafts.splice(0..0, long_in_parts(fields, &front.title_line()));
    }
    if drafts.is_empty() {
        drafts.extend(front.title.map(Draft::of));
    }
    for draft in &mut drafts {
        draft.source_date = draft.source_date.take().or(front.date.map(str::to_owned));
        if !front.tags.is_empty() {
            draft.tags = Some(front.tags.clone());
        }
    }
    Cut {
        drafts,
        comments,
        is_transcript: whole::is_transcript(&lines),
    }
}

/// The drafts of a text; as [`cut`], for whoever needs no count.
pub fn split(text: &str) -> Vec<Draft> {
    cut(text).drafts
}

impl front::Front<'_> {
    fn title_line(&self) -> String {
        (self.title.map(|title| format!("{title}\n"))).unwrap_or_default()
    }
}

fn split_part(lines: &[&str], title: Option<&str>) -> Vec<Draft> {
    if let Some(drafts) = whole::turns(lines, title) {
        return drafts;
    }
    let blocks = at_rules(lines);
    if blocks.len() > 1 && !are_sections(&blocks) {
        return whole::ruled(&blocks, title);
    }
    let mut cutter = Cutter::below(title);
    for (place, line) in lines.iter().enumerate() {
        cutter.take(line, lines.get(place + 1..).unwrap_or_default());
    }
    cutter.finish()
}

/// Whether most of what stands between borders begins with a heading: then they only set sections apart.
fn are_sections(blocks: &[Vec<&str>]) -> bool {
    let begins = |block: &Vec<&str>| {
        let first = block.iter().find(|line| !line.trim().is_empty());
        first.is_some_and(|line| line.starts_with('#') && is_heading(line))
    };
    let later = blocks.get(1..).unwrap_or_default();
    later.iter().filter(|block| begins(block)).count() * 2 > later.len()
}

fn is_heading(line: &str) -> bool {
    matches!(line::read(line), Line::Heading(_))
}

/// An item, with the date it begins with, if it does.
fn draft(text: &str) -> Draft {
    let (date, rest) = line::dated(text).unwrap_or((None, text));
    Draft {
        source_date: date.map(str::to_owned),
        ..Draft::of(rest)
    }
}

/// A draft with what stands before its text; in parts, where it is longer than one memory.
fn long_in_parts(draft: Draft, before: &str) -> Vec<Draft> {
    let text = draft.content.as_deref().unwrap_or_default();
    if before.len() + text.len() <= limits::MEMORY_BYTES {
        let content = Some(format!("{before}{text}"));
        return vec![Draft { content, ..draft }];
    }
    let parts = parts::cut(text);
    let count = parts.len();
    let part = |(place, part): (usize, String)| Draft {
        content: Some(format!("{before}{part}")),
        warnings: vec![format!(
            "part {} of {count} of a text that is longer than the {} KB one memory takes",
            place + 1,
            limits::MEMORY_BYTES / 1024
        )],
        ..draft.clone()
    };
    parts.into_iter().enumerate().map(part).collect()
}

/// Runs of lines between `---`; rules inside a fence do not count.
fn at_rules<'a>(lines: &[&'a str]) -> Vec<Vec<&'a str>> {
    let mut blocks = vec![Vec::new()];
    let mut fence = Fence::default();
    for (place, line) in lines.iter().enumerate() {
        let is_code = fence.pass(line);
        let before = place.checked_sub(1).and_then(|place| lines.get(place));
        let is_underline = before.is_some_and(|before| line::underlined(before, line).is_some());
        if !is_code && line::is_rule(line) && !is_underline {
            blocks.push(Vec::new());
        } else if let Some(block) = blocks.last_mut() {
            block.push(*line);
        }
    }
    blocks.retain(|block| block.iter().any(|line| !line.trim().is_empty()));
    blocks
}

/// The text as one part, or, where a code block holds a list of dated entries, as what stands before it, the list, and
/// what stands after it: assistants put the memories they are asked for into a code block, which is then no code.
fn memory_parts<'a>(lines: &[&'a str]) -> Vec<Vec<&'a str>> {
    let mut parts: Vec<Vec<&str>> = vec![Vec::new()];
    let mut rest = lines;
    while let Some((line, after)) = rest.split_first() {
        rest = after;
        let closed = fence::opens(line).then(|| {
            let mut fence = Fence::default();
            fence.pass(line);
            let length = after.iter().position(|line| {
                fence.pass(line);
                !fence.is_open()
            })?;
            Some((
                after.get(..length)?,
                after.get(length..=length)?,
                after.get(length + 1..)?,
            ))
        });
        let Some(part) = parts.last_mut() else { break };
        match closed.flatten() {
            // A fence that is never closed takes all that follows; so does any other below it.
            None if fence::opens(line) => {
                part.push(line);
                part.extend(after);
                break;
            }
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

#[cfg(test)]
mod tests;
