//! Items that are whole stretches of a text: what stands between borders, and the turns of a transcript.

use super::context;
use super::fence::Fence;
use super::line::{self, Heading, Line};
use super::{draft, long_in_parts};
use crate::model::draft::Draft;

/// Marks of turns from which a text is a transcript.
const TURNS_LEAST: usize = 2;

/// Whether a text is a transcript.
pub(super) fn is_transcript(lines: &[&str]) -> bool {
    places(lines).len() >= TURNS_LEAST
}

/// Where turns begin. Inside a fence only one with its time does, and it ends the fence: programs that write transcripts
/// put any text into fences, and one with a fence of its own would swallow all that was said after it.
fn places(lines: &[&str]) -> Vec<usize> {
    let mut fence = Fence::default();
    let mut places = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        let is_code = fence.pass(line);
        let turn = heading(line).and_then(|heading| heading.turn);
        if turn.is_some_and(|turn| !is_code || turn.date.is_some()) {
            places.push(place);
            fence = Fence::default();
        }
    }
    places
}

fn heading<'a>(line: &'a str) -> Option<Heading<'a>> {
    match line::read(line) {
        Line::Heading(heading) => Some(heading),
        _ => None,
    }
}

/// The turns of a transcript, each an item; what stands before the first is cut like any text, or is their title.
pub(super) fn turns(lines: &[&str], title: Option<&str>) -> Option<Vec<Draft>> {
    let places = places(lines);
    let first = *places.first().filter(|_| places.len() >= TURNS_LEAST)?;
    let (head, turns) = lines.split_at_checked(first)?;
    let (above, rest) = titles(head, title);
    let mut drafts = super::split_part(rest, title);
    let ends = places.iter().skip(1).copied().chain([lines.len()]);
    for (begin, end) in places.iter().zip(ends) {
        let turn = turns.get(begin - first..end - first).unwrap_or_default();
        drafts.extend(item(turn, &above));
    }
    Some(drafts)
}

/// Each block as an item, under the titles that the first begins with.
pub(super) fn ruled(blocks: &[Vec<&str>], title: Option<&str>) -> Vec<Draft> {
    let mut above = Above::default();
    let mut drafts = Vec::new();
    for (place, block) in blocks.iter().enumerate() {
        let mut block = block.as_slice();
        if place == 0 {
            (above, block) = titles(block, title);
        }
        drafts.extend(item(block, &above));
    }
    if drafts.is_empty() && !above.text.trim().is_empty() {
        drafts.push(Draft::of(above.text.trim()));
    }
    drafts
}

/// What stands above all items.
#[derive(Default)]
struct Above {
    text: String,
    date: Option<String>,
}

/// The headings that lines begin with, and the lines after them.
fn titles<'a, 'l>(lines: &'l [&'a str], title: Option<&str>) -> (Above, &'l [&'a str]) {
    let is_title =
        |line: &&&str| line.trim().is_empty() || (line.starts_with('#') && heading(line).is_some());
    let count = lines.iter().take_while(is_title).count();
    let (titles, rest) = lines.split_at_checked(count).unwrap_or((&[], lines));
    let mut above = Above::default();
    if let Some(title) = title {
        above.text = format!("{title}\n");
    }
    for heading in titles.iter().filter_map(|line| heading(line)) {
        if let Some(date) = heading.date {
            above.date = Some(date.to_owned());
        } else if context::says_something(heading.title) {
            above.text.push_str(heading.line);
            above.text.push('\n');
        }
    }
    (above, rest)
}

/// A stretch as an item, if there is anything in it.
fn item(lines: &[&str], above: &Above) -> Vec<Draft> {
    let is_nothing = |line: &&str| line.trim().is_empty() || line::is_rule(line);
    let begin = lines
        .iter()
        .take_while(|line| line.trim().is_empty())
        .count();
    let mut lines = lines.get(begin..).unwrap_or_default();
    let turn = lines.first().and_then(|line| heading(line)?.turn);
    if turn.is_some() {
        lines = lines.get(1..).unwrap_or_default();
        let end = lines
            .iter()
            .rposition(|line| !is_nothing(line))
            .map_or(0, |last| last + 1);
        lines = lines.get(..end).unwrap_or_default();
    }
    let text = lines.join("\n");
    if text.trim().is_empty() {
        return Vec::new();
    }
    let mut draft = draft(text.trim());
    let date = draft.source_date.take();
    draft.source_date = date
        .or_else(|| turn.as_ref()?.date.map(str::to_owned))
        .or_else(|| above.date.clone());
    draft.author = turn.map(|turn| turn.speaker);
    long_in_parts(draft, &above.text)
}
