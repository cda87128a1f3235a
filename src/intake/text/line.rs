//! What one line is.

use crate::model::source_date::SourceDate;

/// A line outside fences.
pub(super) enum Line<'a> {
    /// Level and title.
    Heading(usize, &'a str),
    /// An item of a list.
    Bullet(Bullet<'a>),
    /// Anything else.
    Text,
}

/// An item of a list.
pub(super) struct Bullet<'a> {
    /// How far it is indented, in bytes.
    pub depth: usize,
    /// Its text, without the mark.
    pub text: &'a str,
    /// Its number, in a numbered list.
    pub number: Option<u32>,
    /// Whether it is an entry that begins with a date in brackets.
    pub is_entry: bool,
}

/// Marks of bullets, each followed by a blank.
const MARKS: [char; 10] = ['-', '*', '+', '•', '–', '◦', '·', '‣', '▪', '●'];
/// A line in bold alone is a heading below all others.
const BOLD_LEVEL: usize = 7;
/// Longest title that a line in bold may be.
const BOLD_TITLE_CHARS: usize = 60;

pub(super) fn read(line: &str) -> Line<'_> {
    let text = line.trim_start();
    let depth = line.len() - text.len();
    if depth == 0 {
        if let Some((level, title)) = heading(line) {
            return Line::Heading(level, title);
        }
        if dated(text).is_some() {
            let (number, is_entry) = (None, true);
            return Line::Bullet(Bullet {
                depth,
                text,
                number,
                is_entry,
            });
        }
    }
    let marked = text
        .strip_prefix(MARKS)
        .map(|rest| (None, rest))
        .or_else(|| numbered(text));
    let found = marked.and_then(|(number, rest)| {
        let text = rest.strip_prefix([' ', '\t'])?.trim();
        Some(Bullet {
            depth,
            text,
            number,
            is_entry: dated(text).is_some(),
        })
    });
    found.map_or(Line::Text, Line::Bullet)
}

fn numbered(text: &str) -> Option<(Option<u32>, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at_checked(digits)?;
    let number = number.parse().ok().filter(|_| digits <= 3)?;
    Some((Some(number), rest.strip_prefix(['.', ')'])?))
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    if (1..=6).contains(&level) && title.starts_with(' ') {
        return Some((level, title.trim().trim_end_matches('#').trim_end()));
    }
    let bold = line.trim().strip_prefix("**")?.strip_suffix("**")?;
    let title = bold.trim().trim_end_matches(':');
    let is_title = !title.is_empty()
        && !title.contains("**")
        && title.chars().count() <= BOLD_TITLE_CHARS
        && !title.ends_with(['.', '!', '?', '。']);
    is_title.then_some((BOLD_LEVEL, title))
}

/// Words in brackets that stand for a date nobody knows.
const UNDATED: [&str; 9] = [
    "unknown",
    "date unknown",
    "unknown date",
    "no date",
    "undated",
    "n/a",
    "not available",
    "date not available",
    "no date available",
];

/// The date in brackets at the beginning of a text, if it is known, and the text after it.
pub(super) fn dated(text: &str) -> Option<(Option<&str>, &str)> {
    let (inside, rest) = text.strip_prefix('[')?.split_once(']')?;
    let inside = inside.trim();
    let rest = rest.trim_start();
    let after = rest.strip_prefix(['-', '–', '—', ':']).map(str::trim_start);
    if SourceDate::parse(inside).is_ok() {
        return Some((Some(inside), after.unwrap_or(rest)));
    }
    let is_undated = UNDATED.iter().any(|word| inside.eq_ignore_ascii_case(word));
    after.filter(|_| is_undated).map(|text| (None, text))
}

pub(super) fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3 && line.bytes().all(|byte| byte == b'-')
}

pub(super) fn is_table(line: &str) -> bool {
    line.trim_start().starts_with('|')
}

pub(super) fn fence_mark(line: &str) -> Option<&'static str> {
    let line = line.trim_start();
    ["```", "~~~"]
        .into_iter()
        .find(|mark| line.starts_with(mark))
}

pub(super) fn depth(line: &str) -> usize {
    line.len() - line.trim_start().len()
}
