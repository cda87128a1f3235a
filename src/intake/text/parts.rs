//! A text that is longer than one memory, cut into parts: between its sections and paragraphs, in a paragraph between its
//! lines, in a line after a sentence or a word. Each part says under which headings of the text it stands, a part of a
//! table has the table's head, a part of a block of code is one.

use super::fence::{self, Fence};
use super::line::{self, Heading, Line};
use crate::limits;

/// What a part is cut to. Half of what a memory takes: there is room for headings, and for what cleaning may lengthen.
pub(super) const PART_BYTES: usize = limits::MEMORY_BYTES / 2;

/// A stretch of the text that stays whole where it can.
struct Block<'a> {
    lines: Vec<&'a str>,
    /// The headings over it.
    path: String,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Text,
    Heading,
    Table,
    Code,
}

/// The parts of a text, each of at most [`PART_BYTES`].
pub(super) fn cut(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    // Headings wait for what stands under them.
    let mut waiting = String::new();
    let mut path_there = String::new();
    for block in blocks(text) {
        if block.kind == Kind::Heading {
            if waiting.is_empty() {
                path_there = block.path;
            }
            for line in block.lines {
                waiting.push_str(line);
                waiting.push('\n');
            }
            continue;
        }
        let path = if waiting.is_empty() {
            block.path.clone()
        } else {
            path_there.clone()
        };
        let room = PART_BYTES.saturating_sub(path.len() + waiting.len() + 2);
        for piece in pieces(&block, room) {
            let piece = format!("{}{piece}", std::mem::take(&mut waiting));
            if !part.is_empty() && part.len() + 2 + piece.len() > PART_BYTES {
                parts.push(std::mem::take(&mut part));
            }
            if part.is_empty() {
                // The first piece of a block brings its own headings; the others stand under them.
                part.push_str(if piece.starts_with(&path) || parts.is_empty() {
                    ""
                } else {
                    &path
                });
            } else {
                part.push_str("\n\n");
            }
            part.push_str(&piece);
        }
    }
    if !waiting.is_empty() {
        if !part.is_empty() && part.len() + 2 + waiting.len() > PART_BYTES {
            parts.push(std::mem::take(&mut part));
        }
        part.push_str(if part.is_empty() { "" } else { "\n\n" });
        part.push_str(waiting.trim_end());
    }
    if !part.is_empty() {
        parts.push(part);
    }
    parts
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut headings: Vec<Heading<'_>> = Vec::new();
    let mut fence = Fence::default();
    // Whether the next line begins a block.
    let mut ended = true;
    for line in text.lines() {
        let was_open = fence.is_open();
        let is_code = fence.pass(line);
        if !is_code && line.trim().is_empty() {
            ended = true;
            continue;
        }
        let kind = match line::read(line) {
            _ if is_code => Kind::Code,
            Line::Heading(_) => Kind::Heading,
            _ if line::is_table(line) => Kind::Table,
            _ => Kind::Text,
        };
        let last = blocks.last_mut().filter(|last| !ended && last.kind == kind);
        let goes_on = last.is_some() && kind != Kind::Heading && (kind != Kind::Code || was_open);
        match last {
            Some(last) if goes_on => last.lines.push(line),
            _ => blocks.push(Block {
                lines: vec![line],
                path: path(&headings, line),
                kind,
            }),
        }
        if let (Kind::Heading, Line::Heading(heading)) = (kind, line::read(line)) {
            headings.retain(|other| other.level < heading.level);
            headings.push(heading);
        }
        ended = false;
    }
    blocks
}

/// The lines of the headings over a line, which may be one itself.
fn path(headings: &[Heading<'_>], line: &str) -> String {
    let level = match line::read(line) {
        Line::Heading(heading) => heading.level,
        _ => usize::MAX,
    };
    let over = headings.iter().filter(|heading| heading.level < level);
    over.map(|heading| format!("{}\n", heading.line)).collect()
}

/// A block in pieces of at most `room` bytes.
fn pieces(block: &Block<'_>, room: usize) -> Vec<String> {
    let whole = block.lines.join("\n");
    if whole.len() <= room {
        return vec![whole];
    }
    let is_delimiter = |line: &str| line.bytes().all(|byte| b"|-: \t".contains(&byte));
    let (head, lines, foot) = match (block.kind, block.lines.as_slice()) {
        (Kind::Code, [open, inside @ .., close]) if fence::opens(open) && fence::opens(close) => {
            (format!("{open}\n"), inside, format!("\n{close}"))
        }
        (Kind::Code, [open, inside @ ..]) if fence::opens(open) => {
            (format!("{open}\n"), inside, String::new())
        }
        (Kind::Table, [names, second, rows @ ..]) if is_delimiter(second) => {
            (format!("{names}\n{second}\n"), rows, String::new())
        }
        (_, lines) => (String::new(), lines, String::new()),
    };
    // A head that leaves no room for anything is a line like any other.
    let (head, lines, foot) = if (head.len() + foot.len()) * 2 > room {
        (String::new(), block.lines.as_slice(), String::new())
    } else {
        (head, lines, foot)
    };
    let room = (room - head.len() - foot.len()).max(ROOM_LEAST);
    let mut pieces = Vec::new();
    let mut piece = String::new();
    for line in lines.iter().flat_map(|line| stretches(line, room)) {
        if !piece.is_empty() && piece.len() + 1 + line.len() > room {
            pieces.push(std::mem::take(&mut piece));
        }
        if !piece.is_empty() {
            piece.push('\n');
        }
        piece.push_str(line);
    }
    pieces.push(piece);
    let whole = |piece: String| format!("{head}{piece}{foot}");
    pieces.into_iter().map(whole).collect()
}

/// Room there always is: headings are short, but nobody can rely on it.
const ROOM_LEAST: usize = 1_024;

/// A line in stretches of at most `room` bytes: after a sentence, else after a word, else anywhere.
fn stretches(line: &str, room: usize) -> Vec<&str> {
    let mut stretches = Vec::new();
    let mut rest = line;
    while rest.len() > room {
        let mut end = room;
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        let (window, _) = rest.split_at_checked(end).unwrap_or((rest, ""));
        let sentence = [". ", "! ", "? ", "。", "！", "？"]
            .iter()
            .filter_map(|end| Some(window.rfind(end)? + end.len()))
            .max()
            // A cut near the beginning would leave scraps.
            .filter(|place| *place > window.len() / 2);
        let word = || window.rfind(char::is_whitespace).map(|place| place + 1);
        let place = sentence
            .or_else(word)
            .filter(|place| *place > 0 && rest.is_char_boundary(*place))
            .unwrap_or(end);
        let Some((stretch, after)) = rest.split_at_checked(place) else {
            break;
        };
        stretches.push(stretch.trim_end());
        rest = after;
    }
    stretches.push(rest);
    stretches
}
