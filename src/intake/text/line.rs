//! What one line is.

use crate::model::source_date::SourceDate;

/// A line outside fences.
pub(super) enum Line<'a> {
    /// A heading.
    Heading(Heading<'a>),
    /// An item of a list.
    Bullet(Bullet<'a>),
    /// Anything else.
    Text,
}

/// A line under which others stand.
#[derive(Clone)]
pub(super) struct Heading<'a> {
    /// Lower is further out.
    pub level: usize,
    /// Its words.
    pub title: &'a str,
    /// The line as it is.
    pub line: &'a str,
    /// The day or time that it is, where it is nothing else.
    pub date: Option<&'a str>,
    /// Who speaks below it and when, in a transcript.
    pub turn: Option<Turn<'a>>,
}

/// Whose turn it is in a transcript.
#[derive(Clone)]
pub(super) struct Turn<'a> {
    /// Who speaks, with the model if it says so.
    pub speaker: String,
    /// When.
    pub date: Option<&'a str>,
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
/// What one `#` is worth, so that there is room between the levels.
const LEVEL: usize = 10;
/// A turn stands below a transcript's title and above what the speaker writes as headings.
const TURN_LEVEL: usize = LEVEL + LEVEL / 2;
/// A line in bold alone is a heading below all others.
const BOLD_LEVEL: usize = 7 * LEVEL;
/// Longest title that a line in bold may be.
const BOLD_TITLE_CHARS: usize = 60;
/// Longest title of a heading: what is longer is a text that begins with `#`, and too long to be repeated before others.
const TITLE_BYTES: usize = 400;
/// The first words of those who speak in transcripts.
const SPEAKERS: [&str; 9] = [
    "user",
    "human",
    "you",
    "agent",
    "assistant",
    "ai",
    "claude",
    "chatgpt",
    "gemini",
];

pub(super) fn read(line: &str) -> Line<'_> {
    let text = line.trim_start();
    let depth = line.len() - text.len();
    if depth == 0 {
        if let Some(heading) = heading(line) {
            return Line::Heading(heading);
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
    // "* * *" is a rule.
    if is_any_rule(line) {
        return Line::Text;
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

fn heading(line: &str) -> Option<Heading<'_>> {
    let line = line.trim_end();
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    if (1..=6).contains(&level) && title.starts_with([' ', '\t']) && title.len() <= TITLE_BYTES {
        let title = title.trim().trim_end_matches('#').trim_end();
        return Some(titled(level * LEVEL, title, line));
    }
    if let Some(turn) = turn(line) {
        return Some(Heading {
            level: TURN_LEVEL,
            title: line.trim_matches(['*', '_', ' ']),
            line,
            date: None,
            turn: Some(turn),
        });
    }
    let bold = line.strip_prefix("**")?.strip_suffix("**")?;
    let title = bold.trim().trim_end_matches(':');
    let is_title = !title.is_empty()
        && !title.contains("**")
        && title.chars().count() <= BOLD_TITLE_CHARS
        && !title.ends_with(['.', '!', '?', '。']);
    is_title.then(|| titled(BOLD_LEVEL, title, line))
}

fn titled<'a>(level: usize, title: &'a str, line: &'a str) -> Heading<'a> {
    Heading {
        level,
        title,
        line,
        date: Some(title).filter(|title| SourceDate::parse(title).is_ok()),
        turn: None,
    }
}

/// A title that is underlined with `=`, or with as many `-` as it has characters: three of them alone are a border.
pub(super) fn underlined<'a>(line: &'a str, next: &str) -> Option<Heading<'a>> {
    let (title, next) = (line.trim(), next.trim_end());
    let count = next.chars().count();
    let is_line_of = |mark: char| count >= 3 && next.chars().all(|character| character == mark);
    let level = if is_line_of('=') {
        LEVEL
    } else if is_line_of('-') && count > 3 && count == title.chars().count() {
        2 * LEVEL
    } else {
        return None;
    };
    let is_title = !title.is_empty()
        && line.len() <= TITLE_BYTES
        && !line.starts_with([' ', '\t', '>', '|'])
        && matches!(read(line), Line::Text);
    is_title.then(|| titled(level, title, title))
}

/// `_**User (2026-05-10 09:00:00Z)**_`, as programs that write transcripts mark who speaks.
fn turn(line: &str) -> Option<Turn<'_>> {
    let marks = [("_**", "**_"), ("**_", "_**"), ("***", "***"), ("**", "**")];
    let (place, inner) = marks
        .iter()
        .enumerate()
        .find_map(|(place, (open, close))| {
            Some((place, line.strip_prefix(open)?.strip_suffix(close)?))
        })?;
    let inner = inner.trim().trim_end_matches(':');
    let (name, inside) = match inner.split_once('(') {
        Some((name, rest)) => (name.trim(), rest.strip_suffix(')')?.trim()),
        None => (inner, ""),
    };
    if !SPEAKERS.iter().any(|word| name.eq_ignore_ascii_case(word)) {
        return None;
    }
    let is_date = |text: &&str| SourceDate::parse(text).is_ok();
    let after = inside.split_once(' ').map(|(_, rest)| rest.trim());
    let date = Some(inside).filter(is_date).or(after.filter(is_date));
    // "**User**" alone may be a heading about the person.
    if date.is_none() && place == marks.len() - 1 {
        return None;
    }
    let model = inside
        .strip_suffix(date.unwrap_or_default())
        .unwrap_or(inside)
        .trim();
    let speaker = if model.is_empty() {
        name.to_owned()
    } else {
        format!("{name} ({model})")
    };
    Some(Turn { speaker, date })
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

/// A border between items.
pub(super) fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3 && line.bytes().all(|byte| byte == b'-')
}

/// A line across the page, of any marks: it says nothing.
pub(super) fn is_any_rule(line: &str) -> bool {
    let marks: Vec<char> = line.chars().filter(|mark| !mark.is_whitespace()).collect();
    let is_one_of = |first: &char| matches!(first, '-' | '*' | '_');
    marks.len() >= 3
        && marks.first().is_some_and(is_one_of)
        && marks.iter().all(|mark| Some(mark) == marks.first())
}

pub(super) fn is_table(line: &str) -> bool {
    line.trim_start().starts_with('|')
}

pub(super) fn is_quote(line: &str) -> bool {
    line.trim_start().starts_with('>')
}

pub(super) fn depth(line: &str) -> usize {
    line.len() - line.trim_start().len()
}
