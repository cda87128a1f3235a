//! A long text in parts, for models that look at so much at once: cut between paragraphs, lines, sentences or words, wherever
//! the coarsest of them is possible.

/// Letters of a word in a script with blanks that make one token, about. Models count in pieces of words: of English about
/// four letters, of other languages fewer, so this errs on the side of more tokens.
const LETTERS_A_TOKEN: usize = 3;

/// Tokens a text has, about and rather too many.
pub fn tokens(text: &str) -> usize {
    let (mut tokens, mut letters) = (0, 0);
    for character in text.chars() {
        if character.is_alphabetic() && (character as u32) < FIRST_DENSE {
            letters += 1;
            continue;
        }
        tokens += letters_as_tokens(letters);
        letters = 0;
        if !character.is_whitespace() {
            tokens += 1;
        }
    }
    tokens + letters_as_tokens(letters)
}

/// From here on a character says about as much as a word does elsewhere: Indic scripts, Thai, Chinese, Japanese, Korean.
const FIRST_DENSE: u32 = 0x0900;

const fn letters_as_tokens(letters: usize) -> usize {
    letters.div_ceil(LETTERS_A_TOKEN)
}

/// Where a text may be cut, coarse before fine.
const CUTS: [&[&str]; 4] = [
    &["\n\n"],
    &["\n"],
    &[". ", "! ", "? ", "。", "！", "？", "; "],
    &[" "],
];

/// The parts of a text, each of at most `most` tokens, in order; together they are the text. One part for a short text,
/// none for an empty one.
pub fn parts(text: &str, most: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    cut(text, most.max(1), &CUTS, &mut parts);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

fn cut<'a>(text: &'a str, most: usize, cuts: &[&[&str]], parts: &mut Vec<&'a str>) {
    if tokens(text) <= most {
        parts.push(text);
        return;
    }
    let Some((marks, finer)) = cuts.split_first() else {
        return cut_anywhere(text, most, parts);
    };
    let (mut start, mut end, mut held) = (0, 0, 0);
    for piece in pieces(text, marks) {
        let size = tokens(piece);
        if end > start && held + size > most {
            parts.extend(text.get(start..end));
            (start, held) = (end, 0);
        }
        end += piece.len();
        if size > most {
            cut(piece, most, finer, parts);
            (start, held) = (end, 0);
        } else {
            held += size;
        }
    }
    parts.extend(text.get(start..end).filter(|rest| !rest.is_empty()));
}

/// The pieces of a text that end with any of the marks.
fn pieces<'a>(text: &'a str, marks: &[&str]) -> Vec<&'a str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let next = marks
            .iter()
            .filter_map(|mark| rest.find(mark).map(|at| at + mark.len()))
            .min();
        let (piece, after) = rest.split_at(next.unwrap_or(rest.len()));
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// Cuts a run without any mark, between characters.
fn cut_anywhere<'a>(text: &'a str, most: usize, parts: &mut Vec<&'a str>) {
    let mut rest = text;
    while !rest.is_empty() {
        // A character is at most one token.
        let end = rest
            .char_indices()
            .nth(most)
            .map_or(rest.len(), |(at, _)| at);
        let (part, after) = rest.split_at(end);
        parts.push(part);
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_short_text_is_one_part_and_an_empty_one_none() {
        assert_eq!(parts("My cat sleeps.", 400), ["My cat sleeps."]);
        assert!(parts("", 400).is_empty() && parts(" \n ", 400).is_empty());
    }

    #[test]
    fn it_is_cut_where_the_text_itself_is_cut() {
        let text = "One two. Three four.\n\nFive six. Seven eight.";
        assert_eq!(
            parts(text, 9),
            ["One two. Three four.\n\n", "Five six. Seven eight."]
        );
        assert_eq!(
            parts("One two. Three four. Five six.", 5),
            ["One two. ", "Three four. ", "Five six."]
        );
        assert_eq!(parts("貓在睡覺。狗在叫。", 5), ["貓在睡覺。", "狗在叫。"]);
    }

    #[test]
    fn six_thousand_letters_are_some_parts() {
        let text = "The harbour is quiet in winter. ".repeat(190);
        let cut = parts(&text, 400);
        assert!((4..12).contains(&cut.len()), "{}", cut.len());
    }

    proptest! {
        #[test]
        fn parts_are_small_enough_and_together_the_text(text in "[a-z \\n.。字]{0,300}|\\PC{0,200}", most in 1usize..40) {
            let mut all = Vec::new();
            cut(&text, most, &CUTS, &mut all);
            prop_assert_eq!(all.concat(), text.clone());
            for part in parts(&text, most) {
                prop_assert!(tokens(part) <= most, "{part:?}");
            }
        }
    }
}
