//! What was noticed in a text that the owner should look at before anybody else reads it.

use crate::model::memory::words;

words! {
    /// One thing noticed.
    Flag("flag") {
        /// It speaks to agents: tells them what to do, or imitates their own messages.
        Instructions = "instructions",
        /// It held characters that a reader cannot see, or letters that only look like others. They are taken out.
        HiddenText = "hidden_text",
    }
}

/// As the table keeps them: the words, separated by commas.
pub fn to_text(flags: &[Flag]) -> String {
    let words: Vec<&str> = flags.iter().map(|flag| flag.as_str()).collect();
    words.join(",")
}

/// Reads what [`to_text`] wrote. A word nobody knows (of a newer program) counts as instructions: better looked at once
/// too often.
pub fn from_text(text: &str) -> Vec<Flag> {
    text.split(',')
        .filter(|word| !word.is_empty())
        .map(|word| Flag::parse(word).unwrap_or(Flag::Instructions))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_come_back_as_they_were_kept() {
        for flags in [
            vec![],
            vec![Flag::HiddenText],
            vec![Flag::Instructions, Flag::HiddenText],
        ] {
            assert_eq!(from_text(&to_text(&flags)), flags);
        }
        assert_eq!(from_text("from_the_future"), [Flag::Instructions]);
    }
}
