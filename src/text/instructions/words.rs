//! Texts that write blanks between words, as tokens; and patterns over them, written as a line of words.
//!
//! `ignore|disregard ~3 previous|prior ~2 instruction*` is: one of two words, then within three words in between one of
//! two, then within two words one that begins with "instruction". A blank alone is "at once". `@` is a mail or web
//! address. No pattern reaches beyond the end of a sentence.

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A word in plain letters.
    Word(String),
    /// A mail or web address.
    Address,
    /// The end of a sentence or paragraph.
    Stop,
}

/// Cuts a plain text.
pub(super) fn tokens(plain: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    for line in plain.split('\n') {
        for chunk in line.split_whitespace() {
            if is_address(chunk) {
                tokens.push(Token::Address);
            } else {
                words(chunk, &mut tokens);
            }
            if ends_sentence(chunk) {
                tokens.push(Token::Stop);
            }
        }
        if line.trim().is_empty() {
            tokens.push(Token::Stop);
        }
    }
    tokens
}

fn ends_sentence(chunk: &str) -> bool {
    chunk
        .trim_end_matches(['"', '\'', ')', ']', '*', '_', '”', '»'])
        .ends_with(['.', '!', '?', '。', '…'])
}

fn is_address(chunk: &str) -> bool {
    let has_host = |rest: &str| {
        rest.split_once('.').is_some_and(|(before, after)| {
            before.ends_with(|last: char| last.is_alphanumeric())
                && after.starts_with(|first: char| first.is_alphanumeric())
        })
    };
    chunk.contains("://")
        || chunk.contains("www.")
        || chunk
            .split_once('@')
            .is_some_and(|(name, host)| !name.is_empty() && has_host(host))
}

fn words(chunk: &str, tokens: &mut Vec<Token>) {
    let mut word = String::new();
    let finish = |word: &mut String, tokens: &mut Vec<Token>| {
        if !word.is_empty() {
            tokens.push(Token::Word(std::mem::take(word)));
        }
    };
    for character in chunk.chars() {
        match character {
            // "don't" is one word, "l'utilisateur" are two.
            '\'' if matches!(
                word.as_str(),
                "l" | "d" | "n" | "j" | "m" | "t" | "s" | "c" | "qu"
            ) =>
            {
                finish(&mut word, tokens);
            }
            '\'' => {}
            _ if character.is_alphanumeric() => word.push(character),
            _ => finish(&mut word, tokens),
        }
    }
    finish(&mut word, tokens);
}

/// A pattern.
#[derive(Debug)]
pub(super) struct Pattern {
    slots: Vec<Slot>,
}

/// One place of a pattern.
#[derive(Debug)]
struct Slot {
    /// Most words before it.
    gap: usize,
    words: Vec<&'static str>,
}

impl Slot {
    fn takes(&self, token: &Token) -> bool {
        match token {
            Token::Stop => false,
            Token::Address => self.words.contains(&"@"),
            Token::Word(word) => self
                .words
                .iter()
                .any(|wanted| match wanted.strip_suffix('*') {
                    Some(beginning) => word.starts_with(beginning),
                    None => word == wanted,
                }),
        }
    }
}

impl Pattern {
    /// Reads a pattern's line.
    pub(super) fn read(line: &'static str) -> Self {
        let mut gap = 0;
        let mut slots = Vec::new();
        for part in line.split_whitespace() {
            match part.strip_prefix('~') {
                Some(number) => gap = number.parse().unwrap_or(0),
                None => {
                    let words = part.split('|').collect();
                    slots.push(Slot { gap, words });
                    gap = 0;
                }
            }
        }
        Pattern { slots }
    }

    /// Words that a text must have where the pattern begins.
    pub(super) fn first_words(&self) -> impl Iterator<Item = &'static str> {
        self.slots
            .first()
            .into_iter()
            .flat_map(|slot| slot.words.iter().copied())
    }

    /// Whether the tokens begin with the pattern.
    pub(super) fn begins(&self, tokens: &[Token]) -> bool {
        matches(&self.slots, tokens)
    }
}

fn matches(slots: &[Slot], tokens: &[Token]) -> bool {
    let Some((slot, more)) = slots.split_first() else {
        return true;
    };
    let mut rest = tokens;
    for _ in 0..=slot.gap {
        let Some((token, after)) = rest.split_first() else {
            return false;
        };
        if *token == Token::Stop {
            return false;
        }
        if slot.takes(token) && matches(more, after) {
            return true;
        }
        rest = after;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        tokens(text)
            .iter()
            .map(|token| match token {
                Token::Word(word) => word.as_str(),
                Token::Address => "@",
                Token::Stop => "/",
            })
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn texts_are_cut_into_words_addresses_and_sentences() {
        assert_eq!(
            shown("don't mail l'utilisateur at (eve@example.test). see https://x.test/a"),
            "dont mail l utilisateur at @ / see @"
        );
        assert_eq!(shown("a-b_c\n\nd @home 3.5"), "a b c / d home 3 5");
    }

    #[test]
    fn a_pattern_reaches_over_few_words_and_never_over_a_sentence() {
        let pattern = Pattern::read("send|mail ~2 vault ~1 to @");
        let begins = |text: &str| pattern.begins(&tokens(text));
        assert!(begins("mail the whole vault to a@b.test"));
        assert!(begins("send vault over to a@b.test"));
        assert!(!begins("mail the whole old vault to a@b.test"));
        assert!(!begins("mail it. vault to a@b.test"));
        assert!(!begins("please mail vault to a@b.test"));
        assert!(!begins("mail vault to bob"));
        assert!(Pattern::read("instruction*").begins(&tokens("instructions")));
    }
}
