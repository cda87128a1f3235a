//! The form under which a question's word and a memory's word are the same: accents folded, endings off. English endings
//! go by Porter's rules (M. F. Porter, "An algorithm for suffix stripping", 1980), which the full-text table uses too;
//! other scripts by `text::stems`. Only equality of stems means anything.

use crate::text::{fold, stems};

/// The stem of one word.
pub fn stem(word: &str) -> String {
    let folded = fold::folded_word(word);
    if folded.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return porter(&folded);
    }
    if let Some(stem) = stems::korean(&folded).filter(|_| has_hangul(&folded)) {
        return stem.to_owned();
    }
    stems::stem(&folded).unwrap_or(folded)
}

/// Whether a word is written in Hangul, at least in part.
pub fn has_hangul(word: &str) -> bool {
    word.chars()
        .any(|character| matches!(character, '\u{ac00}'..='\u{d7a3}'))
}

/// Words of one or two letters are left as they are.
const SHORTEST: usize = 3;

/// Step 2: long endings to shorter ones, where a syllable is left before them.
const STEP_2: [(&str, &str); 20] = [
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("abli", "able"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
];
/// Step 3, likewise.
const STEP_3: [(&str, &str); 7] = [
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
];
/// Step 4: endings that go where two syllables are left; "ion" is apart.
const STEP_4: [&str; 18] = [
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous",
    "ive", "ize", "al", "er", "ic", "ou",
];

/// Porter's stem of a word of ASCII letters.
fn porter(word: &str) -> String {
    let mut word = word.to_owned();
    if word.len() < SHORTEST {
        return word;
    }
    plural(&mut word);
    past_and_progressive(&mut word);
    if let Some(base) = word.strip_suffix('y').filter(|base| has_vowel(base)) {
        word = format!("{base}i");
    }
    replace(&mut word, &STEP_2);
    replace(&mut word, &STEP_3);
    adjectival(&mut word);
    final_letters(&mut word);
    word
}

fn plural(word: &mut String) {
    let cut = if word.ends_with("sses") || word.ends_with("ies") {
        2
    } else if word.ends_with('s') && !word.ends_with("ss") {
        1
    } else {
        0
    };
    word.truncate(word.len() - cut);
}

fn past_and_progressive(word: &mut String) {
    if let Some(base) = word.strip_suffix("eed") {
        if syllables(base) > 0 {
            word.pop();
        }
        return;
    }
    let base = word.strip_suffix("ed").or_else(|| word.strip_suffix("ing"));
    let Some(length) = base.filter(|base| has_vowel(base)).map(str::len) else {
        return;
    };
    word.truncate(length);
    if ["at", "bl", "iz"]
        .iter()
        .any(|ending| word.ends_with(ending))
    {
        word.push('e');
    } else if ends_double(word) && !word.ends_with(['l', 's', 'z']) {
        word.pop();
    } else if syllables(word) == 1 && ends_short(word) {
        word.push('e');
    }
}

/// Replaces the longest ending of the list, if a syllable is left before it.
fn replace(word: &mut String, endings: &[(&str, &str)]) {
    let found = endings
        .iter()
        .filter(|(ending, _)| word.ends_with(ending))
        .max_by_key(|(ending, _)| ending.len());
    if let Some((ending, other)) = found
        && let Some(base) = word.strip_suffix(ending).filter(|base| syllables(base) > 0)
    {
        *word = format!("{base}{other}");
    }
}

fn adjectival(word: &mut String) {
    if let Some(ending) = STEP_4.iter().find(|ending| word.ends_with(*ending)) {
        if let Some(base) = word.strip_suffix(ending).filter(|base| syllables(base) > 1) {
            *word = base.to_owned();
        }
    } else if let Some(base) = word.strip_suffix("ion")
        && base.ends_with(['s', 't'])
        && syllables(base) > 1
    {
        *word = base.to_owned();
    }
}

fn final_letters(word: &mut String) {
    if let Some(base) = word.strip_suffix('e') {
        let count = syllables(base);
        if count > 1 || (count == 1 && !ends_short(base)) {
            word.pop();
        }
    }
    if word.ends_with("ll") && syllables(word) > 1 {
        word.pop();
    }
}

/// For each letter whether it is a vowel; "y" is one after a consonant.
fn vowels(word: &str) -> impl Iterator<Item = bool> + '_ {
    let mut before = true;
    word.bytes().map(move |letter| {
        let vowel =
            matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u') || (letter == b'y' && !before);
        before = vowel;
        vowel
    })
}

fn has_vowel(word: &str) -> bool {
    vowels(word).any(|vowel| vowel)
}

/// Porter's m: how often a vowel is followed by a consonant.
fn syllables(word: &str) -> usize {
    let mut before = false;
    vowels(word)
        .filter(|vowel| {
            let closes = before && !vowel;
            before = *vowel;
            closes
        })
        .count()
}

fn ends_double(word: &str) -> bool {
    let mut letters = word.bytes().rev();
    let pair = letters.next().zip(letters.next());
    pair.is_some_and(|(last, before)| last == before) && vowels(word).last() == Some(false)
}

/// Consonant, vowel, consonant other than w, x, y.
fn ends_short(word: &str) -> bool {
    let shape: Vec<bool> = vowels(word).collect();
    shape.ends_with(&[false, true, false]) && !word.ends_with(['w', 'x', 'y'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_endings_go_by_porters_examples() {
        let pairs = "caresses caress, ponies poni, ties ti, cats cat, feed feed, agreed agre, plastered plaster, bled bled, \
            motoring motor, sing sing, conflated conflat, troubled troubl, sized size, hopping hop, falling fall, \
            hissing hiss, fizzed fizz, failing fail, filing file, happy happi, sky sky, relational relat, \
            conditional condit, rational ration, digitizer digit, operator oper, feudalism feudal, decisiveness decis, \
            hopefulness hope, formaliti formal, triplicate triplic, formative form, formalize formal, electrical electr, \
            goodness good, revival reviv, allowance allow, inference infer, airliner airlin, adjustable adjust, \
            replacement replac, adoption adopt, communism commun, activate activ, bowdlerize bowdler, probate probat, \
            rate rate, cease ceas, controll control, roll roll, is is, a a";
        for pair in pairs.split(", ") {
            let (word, expected) = pair.trim().split_once(' ').unwrap();
            assert_eq!(stem(word), expected, "{word}");
        }
    }

    #[test]
    fn forms_of_one_word_meet_in_other_scripts() {
        for (first, second) in [
            ("книга", "книгу"),
            ("서울역에서", "서울역"),
            ("café", "cafe"),
            ("Hiking", "hike"),
        ] {
            assert_eq!(stem(first), stem(second), "{first} {second}");
        }
    }

    #[test]
    fn numbers_and_names_with_digits_stay_whole() {
        for word in ["2024", "b12s", "v4"] {
            assert_eq!(stem(word), word);
        }
    }
}
