//! Keeping answers within what an agent takes. A tool's answer holds its JSON twice, once as structured content and once
//! as text inside a JSON string, so every quotation mark costs more than one byte; what counts is the size on the wire.

use serde_json::Value;

use crate::limits;
use crate::text::secrets;

/// Set aside for the envelope around an answer: ids, `_meta`, and the fields beside the list.
const ENVELOPE_BYTES: usize = 3 * 1024;

/// As much of a client's own words as an error repeats: enough to recognise a name or an address by, and far from the
/// bound even where every byte has to be escaped.
const ECHO_BYTES: usize = 1024;

/// Bytes still to give away.
#[derive(Debug)]
pub(crate) struct Budget {
    left: usize,
}

impl Budget {
    /// The whole answer.
    pub(crate) fn new() -> Self {
        Budget {
            left: limits::AGENT_ANSWER_BYTES - ENVELOPE_BYTES,
        }
    }

    /// Takes an item's share, if there is room for it.
    pub(crate) fn take(&mut self, item: &Value) -> bool {
        let cost = cost(item);
        let fits = cost <= self.left;
        if fits {
            self.left -= cost;
        }
        fits
    }

    /// Takes the share of what an answer holds in any case.
    pub(crate) fn spend(&mut self, fields: &Value) {
        self.left = self.left.saturating_sub(cost(fields));
    }

    /// A text from a byte offset on, as much of it as still fits and at most `most` bytes, and where to go on. An offset
    /// inside a character counts as the character's beginning.
    pub(crate) fn page<'a>(
        &self,
        text: &'a str,
        offset: usize,
        most: usize,
    ) -> (&'a str, Option<usize>) {
        let start = text.floor_char_boundary(offset.min(text.len()));
        let rest = text.get(start..).unwrap_or_default();
        let bounded = rest
            .get(..rest.floor_char_boundary(most))
            .unwrap_or_default();
        let page = prefix(bounded, self.left, |(once, twice)| once + twice);
        let next = start + page.len();
        (page, (next < text.len()).then_some(next))
    }
}

/// What a value takes in both copies, with a comma in each.
fn cost(value: &Value) -> usize {
    let text = value.to_string();
    text.len() + escaped_len(&text) + 2
}

/// Bytes of a text inside a JSON string.
fn escaped_len(text: &str) -> usize {
    text.chars().map(|character| char_cost(character).0).sum()
}

/// What a character costs inside a JSON string, and inside a JSON string inside a JSON string.
fn char_cost(character: char) -> (usize, usize) {
    match character {
        '"' | '\\' => (2, 4),
        '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => (2, 3),
        '\0'..='\u{1f}' => (6, 7),
        other => (other.len_utf8(), other.len_utf8()),
    }
}

/// The longest beginning of a text that fits an answer which holds it once, as the content of a resource.
pub(crate) fn single_prefix(text: &str) -> &str {
    prefix(
        text,
        limits::AGENT_ANSWER_BYTES - ENVELOPE_BYTES,
        |(once, _)| once,
    )
}

fn prefix(text: &str, mut left: usize, price: impl Fn((usize, usize)) -> usize) -> &str {
    let mut end = 0;
    for (start, character) in text.char_indices() {
        let price = price(char_cost(character));
        if price > left {
            break;
        }
        left -= price;
        end = start + character.len_utf8();
    }
    text.get(..end).unwrap_or_default()
}

/// A client's own words, short enough to be repeated to it, without secrets.
pub(crate) fn echo(text: &str) -> String {
    let masked = secrets::masked(text);
    let text = masked.as_str();
    let shown = text
        .get(..text.floor_char_boundary(ECHO_BYTES))
        .unwrap_or_default();
    if shown.len() == text.len() {
        shown.to_owned()
    } else {
        format!("{shown}…")
    }
}

/// The beginning of a text for a list, and whether it was cut.
pub(crate) fn excerpt(text: &str) -> (&str, bool) {
    if text.len() <= limits::AGENT_EXCERPT_BYTES {
        return (text, false);
    }
    (
        text.get(..text.floor_char_boundary(limits::AGENT_EXCERPT_BYTES))
            .unwrap_or_default(),
        true,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn a_text_is_cut_between_characters() {
        let budget = Budget::new();
        assert_eq!(budget.page("äbc", 1, 100), ("äbc", None));
        assert_eq!(budget.page("äbc", 2, 1), ("b", Some(3)));
        assert_eq!(budget.page("äbc", 0, 1), ("", Some(0)));
        assert_eq!(budget.page("abc", 99, 10), ("", None));
    }

    #[test]
    fn a_page_is_shorter_by_what_stands_beside_it() {
        let mut budget = Budget { left: 40 };
        assert_eq!(
            budget.page("abcdefghijklmnopqrstuvwxyz", 0, 100).1,
            Some(20)
        );
        budget.spend(&json!("1234"));
        assert_eq!(
            budget.page("abcdefghijklmnopqrstuvwxyz", 0, 100).1,
            Some(12)
        );
        budget.spend(&json!("1234567890"));
        assert_eq!(budget.left, 0);
    }

    #[test]
    fn an_echo_is_whole_up_to_its_limit_and_cut_beyond() {
        assert_eq!(echo(&"k".repeat(1024)), "k".repeat(1024));
        assert_eq!(echo(&"k".repeat(1025)), "k".repeat(1024) + "…");
        assert_eq!(echo(&"é".repeat(513)), "é".repeat(512) + "…");
    }

    #[test]
    fn an_excerpt_of_the_worst_kind_still_fits_an_answer() {
        let text = "\"".repeat(limits::AGENT_EXCERPT_BYTES + 1);
        let (excerpt, cut) = excerpt(&text);
        assert!(cut && Budget::new().take(&json!({ "content": excerpt })));
    }

    proptest! {
        #[test]
        fn the_cost_of_a_text_is_what_it_takes_on_the_wire(text in "(.|\n|\"|\\\\|\u{1}){0,60}") {
            let once = Value::from(text.clone()).to_string();
            let twice = Value::from(once.clone()).to_string();
            let cost = text.chars().map(char_cost).fold((2, 6), |sum, cost| (sum.0 + cost.0, sum.1 + cost.1));
            prop_assert_eq!(cost, (once.len(), twice.len()));
        }

        #[test]
        fn pages_add_up_to_the_text(text in "(.|\n|\"){0,300}", most in 4usize..50) {
            let (mut whole, mut offset) = (String::new(), Some(0));
            while let Some(start) = offset {
                let (part, next) = Budget::new().page(&text, start, most);
                whole.push_str(part);
                offset = next;
            }
            prop_assert_eq!(whole, text);
        }
    }
}
