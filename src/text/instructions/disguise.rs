//! What makes the same words look different to a program: undone before anything is compared.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use crate::text::fold;
use crate::text::instructions::words::Token;

/// The text in small plain letters: compatibility forms, case and accents folded, what is invisible left out, letters of
/// other alphabets inside Latin words read as what they look like, digits inside words as the letters they stand for.
pub(super) fn plain(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut word: Vec<char> = Vec::new();
    for character in fold::compatible(text) {
        if character.is_alphanumeric() {
            let mut letters = String::new();
            fold::fold_into(character, &mut letters);
            word.extend(letters.chars());
        } else if !is_mark(character) {
            finish(&mut word, &mut folded);
            folded.push(character);
        }
    }
    finish(&mut word, &mut folded);
    folded
}

/// Accents that stand alone after NFKC are no letters and part no words.
fn is_mark(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}')
}

fn finish(word: &mut Vec<char>, folded: &mut String) {
    let latin = word
        .iter()
        .filter(|letter| letter.is_ascii_lowercase())
        .count();
    for letter in word.drain(..) {
        folded.push(if latin == 0 {
            letter
        } else {
            look_alike(letter).unwrap_or(if latin >= 2 { digit(letter) } else { letter })
        });
    }
}

/// The Latin letter that a letter of another alphabet looks like.
pub(in crate::text) fn look_alike(letter: char) -> Option<char> {
    Some(match letter {
        'а' | 'α' | 'ɑ' => 'a',
        'ь' | 'в' => 'b',
        'с' | 'ϲ' | 'ᴄ' => 'c',
        'ԁ' => 'd',
        'е' | 'ε' | 'є' => 'e',
        'ɡ' | 'ց' => 'g',
        'һ' | 'հ' => 'h',
        'і' | 'ι' | 'ɩ' | 'ї' => 'i',
        'ј' | 'ϳ' => 'j',
        'к' | 'κ' => 'k',
        'ӏ' | 'ⅼ' => 'l',
        'м' => 'm',
        'п' | 'η' | 'ո' => 'n',
        'о' | 'ο' | 'օ' | 'ᴏ' => 'o',
        'р' | 'ρ' => 'p',
        'ԛ' => 'q',
        'г' | 'ɾ' => 'r',
        'ѕ' | 'ꜱ' => 's',
        'т' | 'τ' => 't',
        'υ' | 'ս' | 'ц' => 'u',
        'ν' | 'ѵ' | 'ᴠ' => 'v',
        'ω' | 'ԝ' | 'ѡ' | 'ᴡ' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' | 'ү' => 'y',
        'ᴢ' => 'z',
        _ => return None,
    })
}

/// The letter that a digit inside a word stands for.
fn digit(letter: char) -> char {
    match letter {
        '0' => 'o',
        '1' => 'i',
        '3' => 'e',
        '4' => 'a',
        '5' => 's',
        '7' => 't',
        other => other,
    }
}

/// Shortest run of base64 that is unpacked: "ignore all rules" takes 22 letters, a word of an identifier fewer.
const PACKED_CHARS: usize = 22;
/// Most runs that are unpacked; a text with more is data.
const PACKED_RUNS: usize = 32;

/// The texts that are packed in a text as base64.
pub(super) fn unpacked(text: &str) -> Vec<String> {
    let runs = text
        .split(|character: char| {
            !(character.is_ascii_alphanumeric() || matches!(character, '+' | '/' | '-' | '_'))
        })
        .filter(|run| run.len() >= PACKED_CHARS);
    runs.take(PACKED_RUNS)
        .filter_map(|run| {
            let bytes = STANDARD_NO_PAD
                .decode(run)
                .or_else(|_| URL_SAFE_NO_PAD.decode(run))
                .ok()?;
            let text = String::from_utf8(bytes).ok()?;
            let readable = text.contains(' ') && !text.chars().any(char::is_control);
            readable.then_some(text)
        })
        .collect()
}

/// Words that nobody writes letter by letter for a good reason.
const SPACED: &[&str] = &[
    "ignoreprevious",
    "ignoreallprevious",
    "ignoretheprevious",
    "ignoreabove",
    "ignoreallinstructions",
    "ignoreyourinstructions",
    "disregardprevious",
    "disregardallprevious",
    "forgetallprevious",
    "donottelltheuser",
    "donttelltheuser",
    "revealyoursystemprompt",
];

/// Fewest single letters in a row that count as a word written letter by letter.
const SPACED_LETTERS: usize = 12;

/// Whether one of those phrases is written letter by letter, or without blanks.
pub(super) fn spaced_out(tokens: &[Token]) -> bool {
    let mut run = String::new();
    let mut letters = 0;
    for token in tokens.iter().chain([&Token::Stop]) {
        match token {
            Token::Word(word) if word.chars().count() == 1 => {
                run.push_str(word);
                letters += 1;
            }
            Token::Word(word) if word.len() > SPACED_LETTERS && is_spaced_phrase(word) => {
                return true;
            }
            _ => {
                if letters >= SPACED_LETTERS && is_spaced_phrase(&run) {
                    return true;
                }
                run.clear();
                letters = 0;
            }
        }
    }
    false
}

fn is_spaced_phrase(word: &str) -> bool {
    SPACED.iter().any(|phrase| word.contains(phrase))
}
