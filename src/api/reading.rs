//! Our own Markdown as a page for people. It reads what our documents use, and no more: headings, paragraphs, lists, tables,
//! quotes, code, bold, italic and code in lines. Everything is escaped; there are no links and no HTML.

use crate::api::consent::{escape, fill};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

const PAGE: &str = include_str!("doors/reading.html");
const STYLE: &str = include_str!("doors/reading.css");

/// The page of a document, whose first heading is its title. `note` stands below it.
pub fn page(markdown: &str, note: &str) -> String {
    let (title, body) = blocks(markdown);
    fill(
        PAGE,
        &[
            ("title", &escape(&title)),
            ("style", STYLE),
            ("note", note),
            ("body", &body),
        ],
    )
}

/// The value of `Content-Security-Policy` for such a page: nothing but its own style.
pub fn content_security_policy() -> String {
    let hash = STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{hash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    )
}

/// The title, and everything below it.
fn blocks(markdown: &str) -> (String, String) {
    let lines: Vec<&str> = markdown.lines().collect();
    let mut rest = lines.as_slice();
    let mut title = String::new();
    let mut out = String::new();
    while let Some((line, after)) = rest.split_first() {
        if line.trim().is_empty() {
            rest = after;
        } else if let Some(text) = line.strip_prefix("# ") {
            title = text.to_owned();
            rest = after;
        } else if let Some(text) = line.strip_prefix("## ") {
            out.push_str(&format!("<h2>{}</h2>\n", inline(text)));
            rest = after;
        } else if line.starts_with("```") {
            let (code, next) = run(after, |line| !line.starts_with("```"));
            let code = escape(&code.join("\n"));
            // It scrolls sideways, so it has to be reached by keys.
            out.push_str(&format!("<pre tabindex=\"0\"><code>{code}</code></pre>\n"));
            rest = next.get(1..).unwrap_or_default();
        } else if line.starts_with('|') {
            let (rows, next) = run(rest, |line| line.starts_with('|'));
            out.push_str(&table(rows));
            rest = next;
        } else if line.starts_with("> ") {
            let (quote, next) = run(rest, |line| line.starts_with('>'));
            let words: Vec<&str> = (quote.iter())
                .map(|line| line.trim_start_matches('>').trim())
                .collect();
            out.push_str(&format!(
                "<blockquote>{}</blockquote>\n",
                inline(&words.join(" "))
            ));
            rest = next;
        } else if let Some(kind) = item(line) {
            let (list, next) = run(rest, |line| {
                item(line) == Some(kind) || line.starts_with("  ")
            });
            out.push_str(&list_of(list, kind));
            rest = next;
        } else {
            let (words, next) = run(rest, |line| {
                let is_text = !line.trim().is_empty() && item(line).is_none();
                is_text && !line.starts_with(['|', '#', '>', '`'])
            });
            // A line that begins with code in it is text as well.
            let (words, next) = if words.is_empty() {
                rest.split_at(1)
            } else {
                (words, next)
            };
            let text = inline(&words.join(" "));
            out.push_str(&format!("<p>{text}</p>\n"));
            rest = next;
        }
    }
    (title, out)
}

/// The lines that fit from the first on, and the lines after them.
fn run<'l, 'a>(
    lines: &'l [&'a str],
    fits: impl Fn(&str) -> bool,
) -> (&'l [&'a str], &'l [&'a str]) {
    let count = lines.iter().take_while(|line| fits(line)).count();
    lines.split_at_checked(count).unwrap_or((lines, &[]))
}

#[derive(Clone, Copy, PartialEq)]
enum List {
    Numbers,
    Bullets,
}

fn item(line: &str) -> Option<List> {
    if line.starts_with("- ") {
        return Some(List::Bullets);
    }
    let (number, rest) = line.split_once('.')?;
    let is_number = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
    (is_number && rest.starts_with(' ')).then_some(List::Numbers)
}

fn list_of(lines: &[&str], kind: List) -> String {
    let mut items: Vec<String> = Vec::new();
    for line in lines {
        match (item(line), items.last_mut()) {
            (None, Some(last)) => {
                last.push(' ');
                last.push_str(line.trim());
            }
            _ => {
                let (_, text) = line.split_once(' ').unwrap_or(("", line));
                items.push(text.to_owned());
            }
        }
    }
    let items: String = items
        .iter()
        .map(|item| format!("<li>{}</li>\n", inline(item)))
        .collect();
    let name = match kind {
        List::Numbers => "ol",
        List::Bullets => "ul",
    };
    format!("<{name}>\n{items}</{name}>\n")
}

fn table(rows: &[&str]) -> String {
    let cells = |row: &str, name: &str| -> String {
        let row = row.trim().trim_matches('|');
        let cells = row
            .split(" | ")
            .map(|cell| format!("<{name}>{}</{name}>", inline(cell.trim())));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let (head, body) = rows
        .split_first()
        .map_or(("", &[][..]), |(head, body)| (*head, body));
    let body: String = (body.iter().skip(1)).map(|row| cells(row, "td")).collect();
    format!(
        "<table><thead>{}</thead><tbody>{body}</tbody></table>\n",
        cells(head, "th scope=\"col\"").replace("</th scope=\"col\">", "</th>")
    )
}

/// A line's text with its code, bold and italic.
fn inline(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(place) = rest.find(['`', '*']) {
        let (before, from) = rest.split_at_checked(place).unwrap_or((rest, ""));
        out.push_str(&escape(before));
        let (mark, name) = [("`", "code"), ("**", "b"), ("*", "i")]
            .into_iter()
            .find(|(mark, _)| from.starts_with(mark))
            .unwrap_or(("`", "code"));
        let inside = from
            .strip_prefix(mark)
            .and_then(|from| from.split_once(mark));
        match inside {
            Some((inside, after)) if !inside.is_empty() => {
                let inside = if name == "code" {
                    escape(inside)
                } else {
                    inline(inside)
                };
                out.push_str(&format!("<{name}>{inside}</{name}>"));
                rest = after;
            }
            _ => {
                out.push_str(mark);
                rest = from.strip_prefix(mark).unwrap_or_default();
            }
        }
    }
    out.push_str(&escape(rest));
    out
}

/// Whether somebody who sends this `Accept` would rather have a page than Markdown: browsers name `text/html` first, while
/// agents name Markdown or plain text before it, or take anything.
pub fn prefers_page(accept: Option<&str>) -> bool {
    let weight = |wanted: &str| -> f32 {
        let ranges = accept.unwrap_or_default().split(',');
        let weights = ranges.filter_map(|range| {
            let mut parts = range.split(';').map(str::trim);
            let is_it = parts.next()?.eq_ignore_ascii_case(wanted);
            let given = parts.find_map(|part| part.strip_prefix("q=")?.parse().ok());
            is_it.then_some(given.unwrap_or(1.0))
        });
        weights.fold(0.0, f32::max)
    };
    let others = weight("text/markdown").max(weight("text/plain"));
    weight("text/html") > others
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_block_becomes_its_element_and_text_is_escaped() {
        let (title, body) = blocks(
            "# A & b\n\nOne `<x>`\ntwo **bold *in* it**.\n\n- a\n  goes on\n- b\n\n1. c\n2. d\n\n> say\n> this\n\n```sh\nls <a>\n\n# no\n```\n\n| x | y |\n| --- | --- |\n| 1 | `p` | \n## End",
        );
        assert_eq!(title, "A & b");
        assert_eq!(
            body,
            "<p>One <code>&lt;x&gt;</code> two <b>bold <i>in</i> it</b>.</p>\n<ul>\n<li>a goes on</li>\n<li>b</li>\n</ul>\n\
             <ol>\n<li>c</li>\n<li>d</li>\n</ol>\n<blockquote>say this</blockquote>\n\
             <pre tabindex=\"0\"><code>ls &lt;a&gt;\n\n# no</code></pre>\n\
             <table><thead><tr><th scope=\"col\">x</th><th scope=\"col\">y</th></tr>\n</thead><tbody><tr><td>1</td><td><code>p</code></td></tr>\n</tbody></table>\n\
             <h2>End</h2>\n"
        );
    }

    #[test]
    fn no_word_of_the_connect_page_is_lost() {
        let markdown = include_str!("connect.md");
        let page = page(markdown, "");
        let words = |text: &str| -> Vec<String> {
            let text = text.replace(['`', '*', '|', '#', '>'], " ");
            text.split_whitespace().map(escape).collect()
        };
        for word in words(markdown)
            .iter()
            .filter(|word| word.len() > 3 && !word.starts_with("---"))
        {
            assert!(page.contains(word.as_str()), "{word}");
        }
    }

    #[test]
    fn a_browser_gets_a_page_and_an_agent_the_text() {
        for (accept, is_page) in [
            (
                Some("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"),
                true,
            ),
            (Some("text/html"), true),
            (Some("*/*"), false),
            (None, false),
            (Some("text/markdown, text/html;q=0.9, */*;q=0.1"), false),
            (Some("text/markdown, text/html, */*"), false),
            (Some("text/html;q=0.5, text/plain;q=0.4"), true),
            (Some("application/json"), false),
        ] {
            assert_eq!(prefers_page(accept), is_page, "{accept:?}");
        }
    }
}
