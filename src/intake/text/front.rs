//! What stands before or between the lines of a note and is no text of it: the fields at its top, and comments.

use super::fence::Fence;
use crate::model::source_date::SourceDate;

/// The fields between `---` lines at the top of a note.
#[derive(Default, Debug, PartialEq)]
pub(super) struct Front<'a> {
    /// The note's title.
    pub title: Option<&'a str>,
    /// Its date.
    pub date: Option<&'a str>,
    /// Its tags.
    pub tags: Vec<String>,
    /// The lines of all other fields.
    pub rest: Vec<&'a str>,
}

/// Lines of fields a note may begin with; longer is a text between borders.
const FRONT_LINES: usize = 100;
const DATES: [&str; 5] = ["date", "created", "created_at", "updated", "modified"];

/// The fields at the top and the lines after them; no fields where the note begins otherwise.
pub(super) fn fields<'a, 'l>(lines: &'l [&'a str]) -> (Front<'a>, &'l [&'a str]) {
    let none = (Front::default(), lines);
    let Some((first, after)) = lines.split_first() else {
        return none;
    };
    if first.trim_end() != "---" {
        return none;
    }
    let end = after
        .iter()
        .take(FRONT_LINES)
        .position(|line| matches!(line.trim_end(), "---" | "..."));
    let Some((inside, rest)) = end.and_then(|end| after.split_at_checked(end)) else {
        return none;
    };
    let is_field = |line: &&str| {
        let goes_on = line.starts_with([' ', '\t', '-', '#']) || line.trim().is_empty();
        goes_on || name_of(line).is_some()
    };
    let begins = inside.first().is_some_and(|line| name_of(line).is_some());
    if !begins || !inside.iter().all(is_field) {
        return none;
    }
    (read(inside), rest.get(1..).unwrap_or_default())
}

fn name_of(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(':')?;
    let is_name = !name.is_empty()
        && name
            .chars()
            .all(|character| character.is_alphanumeric() || matches!(character, '_' | '-' | ' '))
        && !name.starts_with([' ', '-'])
        && name.split(' ').count() <= 2
        && (value.is_empty() || value.starts_with([' ', '\t']));
    is_name.then(|| (name, value.trim()))
}

fn read<'a>(lines: &[&'a str]) -> Front<'a> {
    let mut front = Front::default();
    let mut rest = lines;
    while let Some((line, after)) = rest.split_first() {
        let more = after
            .iter()
            .take_while(|line| name_of(line).is_none())
            .count();
        let (below, next) = after.split_at_checked(more).unwrap_or((after, &[]));
        rest = next;
        let (name, value) = name_of(line).unwrap_or((line, ""));
        let (name, bare) = (name.trim().to_lowercase(), unquoted(value));
        let is_date = || SourceDate::parse(bare).is_ok();
        if name == "title" && front.title.is_none() && below.is_empty() && !bare.is_empty() {
            front.title = Some(bare);
        } else if DATES.contains(&name.as_str()) && front.date.is_none() && is_date() {
            front.date = Some(bare);
        } else if matches!(name.as_str(), "tags" | "tag") {
            let listed = below.iter().filter_map(|line| {
                let tag = line.trim().strip_prefix('-')?;
                Some(unquoted(tag.trim()).to_owned())
            });
            let inline = value.trim_start_matches('[').trim_end_matches(']');
            let inline = inline.split(',').map(|tag| unquoted(tag.trim()).to_owned());
            let tags = inline.chain(listed).filter(|tag| !tag.is_empty());
            front.tags.extend(tags);
        } else if !value.is_empty() || below.iter().any(|line| !line.trim().is_empty()) {
            front.rest.push(line);
            front.rest.extend(below);
        }
    }
    front
}

fn unquoted(value: &str) -> &str {
    value.trim().trim_matches(['"', '\''])
}

/// The lines without the comments that stand on lines of their own, which no reader of the note sees, and how many they
/// were. One that is never closed is text.
pub(super) fn without_comments<'a>(lines: &[&'a str]) -> (Vec<&'a str>, usize) {
    let mut kept = Vec::new();
    let mut comments = 0;
    let mut are_closed = true;
    let mut fence = Fence::default();
    let mut rest = lines;
    while let Some((line, after)) = rest.split_first() {
        rest = after;
        if !fence.pass(line) && are_closed && line.trim_start().starts_with("<!--") {
            let whole = std::iter::once(line).chain(after);
            let end = whole.clone().position(|line| line.contains("-->"));
            are_closed = end.is_some();
            let closing = end.and_then(|end| whole.clone().nth(end));
            if closing.is_some_and(|line| line.trim_end().ends_with("-->")) {
                comments += 1;
                rest = after.get(end.unwrap_or_default()..).unwrap_or_default();
                continue;
            }
        }
        kept.push(*line);
    }
    (kept, comments)
}
