//! Foreign text inside Markdown and CSV: it must look as it was written, and must do nothing.

/// Text as Markdown that shows just that text: no emphasis, links, images, HTML, tables, headings, lists or code come of it.
/// Lines and paragraphs stay where they are.
pub fn markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + text.len() / 8);
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        markdown_line(line, &mut escaped);
        match lines.peek() {
            None => {}
            // A single line feed is a blank in Markdown; a backslash before it makes it count.
            Some(next) if !line.trim().is_empty() && !next.trim().is_empty() => {
                escaped.push_str("\\\n");
            }
            Some(_) => escaped.push('\n'),
        }
    }
    escaped
}

/// A space that Markdown keeps at the beginning of a line, where four plain ones would make it code.
const KEPT_SPACE: &str = "&nbsp;";
const TAB_WIDTH: usize = 4;

fn markdown_line(line: &str, escaped: &mut String) {
    let text = line.trim_start();
    if text.is_empty() {
        return;
    }
    for blank in line.chars().take_while(|letter| letter.is_whitespace()) {
        let width = if blank == '\t' { TAB_WIDTH } else { 1 };
        escaped.push_str(&KEPT_SPACE.repeat(width));
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    for (place, letter) in text.char_indices() {
        let always = matches!(
            letter,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '&' | '!' | '$'
        );
        let at_start = place == 0 && matches!(letter, '#' | '+' | '-' | '=');
        let after_number = place == digits && digits > 0 && matches!(letter, '.' | ')');
        if always || at_start || after_number {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
}

/// Text as one CSV cell (RFC 4180). What a spreadsheet would take for a formula gets an apostrophe before it, which shows it
/// as text.
pub fn csv_cell(text: &str) -> String {
    let mut cell = String::with_capacity(text.len() + 2);
    let first = text.trim_start_matches([' ', '\u{a0}']).chars().next();
    if first.is_some_and(begins_formula) {
        cell.push('\'');
    }
    cell.push_str(text);
    if cell.contains(['"', ',', ';', '\n', '\r', '\t']) || cell.starts_with(' ') {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell
    }
}

/// With their full-width forms, which some spreadsheets read alike.
fn begins_formula(letter: char) -> bool {
    matches!(
        letter,
        '=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '＝' | '＋' | '－' | '＠'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_shows_text_and_does_nothing() {
        // U-149, U-158
        for (text, expected) in [
            ("plain text, 3.5 mm (about)", "plain text, 3.5 mm (about)"),
            ("a | b `c` *d* _e_", "a \\| b \\`c\\` \\*d\\* \\_e\\_"),
            ("# no heading", "\\# no heading"),
            ("- no list", "\\- no list"),
            ("1. no list\n12) nor this", "1\\. no list\\\n12\\) nor this"),
            ("===\n---", "\\===\\\n\\---"),
            (
                "![x](http://e) <b>&lt;",
                "\\!\\[x\\](http://e) \\<b\\>\\&lt;",
            ),
            ("```\ncode\n```", "\\`\\`\\`\\\ncode\\\n\\`\\`\\`"),
            (
                "    indented\n\tso",
                "&nbsp;&nbsp;&nbsp;&nbsp;indented\\\n&nbsp;&nbsp;&nbsp;&nbsp;so",
            ),
            ("one\n\ntwo", "one\n\ntwo"),
            ("C:\\new", "C:\\\\new"),
        ] {
            assert_eq!(markdown(text), expected);
        }
    }

    #[test]
    fn a_cell_is_never_a_formula() {
        // U-158
        for (text, expected) in [
            ("plain", "plain"),
            (
                "=HYPERLINK(\"http://e\")",
                "\"'=HYPERLINK(\"\"http://e\"\")\"",
            ),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "\"'\t=1\""),
            ("\r=1", "\"'\r=1\""),
            (" =1", "' =1"),
            ("＝1", "'＝1"),
            ("a=b", "a=b"),
            ("two\nlines", "\"two\nlines\""),
            ("a,b", "\"a,b\""),
        ] {
            assert_eq!(csv_cell(text), expected);
        }
    }
}
