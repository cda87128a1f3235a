//! Reading a value that may be broken up: wrapped at a line end, cut by a blank, a hyphen or a backslash, put together
//! from quoted pieces. What follows a gap is only taken as part of the value when it looks like one, so that the prose
//! after a prefix is not.

/// Bytes a gap may have: a line end, an indent, a quotation mark and the like.
pub(super) const GAP: usize = 24;
/// Gaps in one value. Even a key written letter by letter has no more.
const GAPS: usize = 128;
/// Bytes from which a piece after a blank may go on a value that is already long enough.
const LONG_PIECE: usize = 8;

/// How two pieces of a value are parted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    /// Markup or a backslash in front of a sign: always the same value.
    Escape,
    /// A line end, or quoted pieces side by side.
    Line,
    /// A blank or a hyphen.
    Blank,
}

/// The byte at a place, 0 outside the text (which has no NUL: folding leaves it out).
pub(super) fn byte(text: &[u8], at: usize) -> u8 {
    text.get(at).copied().unwrap_or(0)
}

/// The gap that begins at a place, and where it ends: at a wanted byte behind a line end or a quotation mark, or before
/// the first byte that no gap has.
pub(super) fn gap(text: &[u8], from: usize, wanted: impl Fn(u8) -> bool) -> Option<(usize, Gap)> {
    let (mut line, mut blank, mut quotes, mut other) = (false, false, 0, false);
    let mut at = from;
    loop {
        let parted = line || quotes > 1 || (at > from && byte(text, at - 1) == b'\\');
        match byte(text, at) {
            next if parted && wanted(next) => break,
            b'\n' | b'\r' => line = true,
            b' ' | b'\t' => blank = true,
            b'-' => blank = true,
            b'\\' if matches!(byte(text, at + 1), b'n' | b'r') => {
                line = true;
                at += 1;
            }
            b'\\' | b'*' => {}
            b'"' | b'\'' | b'`' => quotes += 1,
            b'+' | b',' | b'.' | b'&' if quotes > 0 => other = true,
            b'>' | b'|' | b'#' => other = true,
            _ => break,
        }
        at += 1;
        if at - from > GAP {
            return None;
        }
    }
    let kind = match () {
        () if at == from => return None,
        () if line || quotes > 1 => Gap::Line,
        () if other => return None,
        () if blank => Gap::Blank,
        () => Gap::Escape,
    };
    Some((at, kind))
}

/// A value read by [`walk`].
pub(super) struct Walk {
    /// The value without its gaps.
    pub(super) value: Vec<u8>,
    /// Where it ends in the text.
    pub(super) end: usize,
    /// Gaps at line ends.
    pub(super) lines: usize,
    /// Gaps of blanks or hyphens.
    pub(super) blanks: usize,
}

/// Reads a value of accepted bytes. Up to `enough` bytes, what follows a line end is always part of it; beyond, and after
/// blanks, it has to look random. Stops at `most` bytes.
pub(super) fn walk(
    text: &[u8],
    from: usize,
    accepts: fn(u8) -> bool,
    enough: usize,
    most: usize,
) -> Walk {
    let mut walk = Walk {
        value: Vec::new(),
        end: from,
        lines: 0,
        blanks: 0,
    };
    let mut at = from;
    loop {
        while accepts(byte(text, at)) && walk.value.len() < most {
            walk.value.push(byte(text, at));
            at += 1;
            walk.end = at;
        }
        if walk.value.len() >= most || walk.lines + walk.blanks >= GAPS {
            return walk;
        }
        let Some((next, kind)) = gap(text, at, accepts) else {
            return walk;
        };
        let mut end = next;
        while accepts(byte(text, end)) && end - next < most {
            end += 1;
        }
        let piece = text.get(next..end).unwrap_or_default();
        let short = walk.value.len() < enough;
        let belongs = !piece.is_empty()
            && match kind {
                Gap::Escape => true,
                Gap::Line => short || looks_random(piece),
                Gap::Blank if short => looks_random(piece) || piece.len() <= 2,
                Gap::Blank => piece.len() >= LONG_PIECE && looks_random(piece),
            };
        if !belongs {
            return walk;
        }
        match kind {
            Gap::Escape => {}
            Gap::Line => walk.lines += 1,
            Gap::Blank => walk.blanks += 1,
        }
        at = next;
    }
}

/// Whether a piece is no word: letters with digits, or a capital after a small letter.
fn looks_random(piece: &[u8]) -> bool {
    let digit = piece.iter().any(u8::is_ascii_digit);
    let letter = piece.iter().any(u8::is_ascii_alphabetic);
    let inner_capital = piece
        .windows(2)
        .any(|pair| matches!(pair, [small, capital] if small.is_ascii_lowercase() && capital.is_ascii_uppercase()));
    (digit && (letter || piece.len() > 1)) || inner_capital
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let walk = walk(
            text.as_bytes(),
            0,
            |byte| byte.is_ascii_alphanumeric(),
            12,
            40,
        );
        String::from_utf8(walk.value).unwrap()
    }

    #[test]
    fn pieces_of_a_value_are_joined() {
        for text in [
            "abc1def2ghi3",
            "abc1\ndef2\n   ghi3",
            "abc1\\\n  def2-\nghi3",
            "abc1 def2 ghi3",
            "abc1-def2-ghi3",
            "a b c 1 d e f 2 g h i 3",
            "abc1\" + \"def2\", 'ghi3",
            "abc1**def2\\\\ghi3",
            "abc1\n> def2\\nghi3",
        ] {
            assert_eq!(read(text), "abc1def2ghi3", "{text:?}");
        }
    }

    #[test]
    fn prose_after_a_value_stays_outside() {
        assert_eq!(read("abc1def2ghi3\nand then"), "abc1def2ghi3");
        assert_eq!(read("abc1def2ghi3 Rev2"), "abc1def2ghi3");
        assert_eq!(read("means a token"), "meansa");
        assert_eq!(read("abc1, def2"), "abc1");
    }

    #[test]
    fn a_gap_has_at_most_twenty_four_bytes() {
        let at = |blanks: usize| read(&format!("abc1\n{}def2", " ".repeat(blanks)));
        assert_eq!(at(GAP - 1), "abc1def2");
        assert_eq!(at(GAP), "abc1");
    }
}
