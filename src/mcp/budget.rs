//! Keeping answers within what an agent takes. A tool's answer holds its JSON twice, once as structured content and once
//! as text inside a JSON string, so every quotation mark costs more than one byte; what counts is the size on the wire.

use serde_json::Value;

use crate::limits;

/// Set aside for the envelope around an answer: ids, `_meta`, and the fields beside the list.
const ENVELOPE_BYTES: usize = 3 * 1024;

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
        let text = item.to_string();
        let cost = text.len() + escaped_len(&text) + 2;
        let fits = cost <= self.left;
        if fits {
            self.left -= cost;
        }
        fits
    }
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

/// The longest beginning of a text whose two copies fit into an answer of their own.
pub(crate) fn fitting_prefix(text: &str) -> &str {
    let mut left = limits::AGENT_ANSWER_BYTES - ENVELOPE_BYTES;
    let mut end = 0;
    for (start, character) in text.char_indices() {
        let (once, twice) = char_cost(character);
        if once + twice > left {
            break;
        }
        left -= once + twice;
        end = start + character.len_utf8();
    }
    text.get(..end).unwrap_or_default()
}

/// A text from a byte offset on, and where to go on. An offset inside a character counts as the character's beginning.
pub(crate) fn page(text: &str, offset: usize, most: usize) -> (&str, Option<usize>) {
    let start = text.floor_char_boundary(offset.min(text.len()));
    let rest = text.get(start..).unwrap_or_default();
    let bounded = rest
        .get(..rest.floor_char_boundary(most))
        .unwrap_or_default();
    let page = fitting_prefix(bounded);
    let next = start + page.len();
    (page, (next < text.len()).then_some(next))
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
        assert_eq!(page("äbc", 1, 100), ("äbc", None));
        assert_eq!(page("äbc", 2, 1), ("b", Some(3)));
        assert_eq!(page("äbc", 0, 1), ("", Some(0)));
        assert_eq!(page("abc", 99, 10), ("", None));
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
                let (part, next) = page(&text, start, most);
                whole.push_str(part);
                offset = next;
            }
            prop_assert_eq!(whole, text);
        }
    }
}
