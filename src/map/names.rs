//! What a hill is called: the words that many of its texts have and few others do. Words of all scripts; those written without
//! blanks are taken as runs of two to four characters, the longest that says as much.

use std::collections::{HashMap, HashSet};

use crate::text::fold::{compatible, folded_word};
use crate::text::scripts::{Class, East, class};
use crate::text::stems;
use crate::text::stopwords::{is_function_character, is_stop_word};

/// Words of a name.
const WORDS: usize = 2;
/// Characters of a text that are looked at.
pub const TEXT_CHARS: usize = 240;
/// The longest word of a name; longer ones are addresses, hashes and the like.
const WORD_CHARS: usize = 24;
/// A word takes part if so large a share of the hill's texts have it.
const LEAST_SHARE: f32 = 0.06;
/// A run of characters makes room for a longer one that so large a share of its texts have.
const SAME_SHARE: f32 = 0.7;

/// Folded words that name nothing on a map, though a question may mean something by them.
const NAMELESS: [&str; 34] = [
    "again", "den", "die", "even", "first", "fur", "great", "last", "like", "likes", "many",
    "more", "most", "much", "need", "needs", "new", "now", "old", "one", "over", "para", "pour",
    "sin", "still", "sur", "thank", "thanks", "two", "under", "uses", "want", "wants", "without",
];

/// A word and how often each way of writing it occurs.
#[derive(Debug, Default)]
struct Word {
    texts: usize,
    /// Hills and in how many texts of each.
    hills: HashMap<usize, usize>,
    written: HashMap<String, usize>,
}

/// Names for hills: `texts` gives each text's beginning and the hill it lies on. The answer is one name a hill, empty where no
/// word sets it apart. Words come as they are mostly written.
pub fn name<'text>(
    texts: impl Iterator<Item = (&'text str, Option<usize>)>,
    hills: usize,
) -> Vec<String> {
    let mut words: HashMap<String, Word> = HashMap::new();
    let mut all = 0;
    let mut sizes = vec![0usize; hills];
    for (text, hill) in texts {
        all += 1;
        if let Some(size) = hill.and_then(|hill| sizes.get_mut(hill)) {
            *size += 1;
        }
        let mut seen = HashSet::new();
        for (key, written) in words_of(text) {
            let word = words.entry(key.clone()).or_default();
            *word.written.entry(written).or_default() += 1;
            if seen.insert(key) {
                word.texts += 1;
                if let Some(hill) = hill {
                    *word.hills.entry(hill).or_default() += 1;
                }
            }
        }
    }
    let mut best: Vec<Vec<(f32, usize, &str, &Word)>> = vec![Vec::new(); hills];
    for (key, word) in &words {
        for (hill, count) in &word.hills {
            let (Some(best), Some(size)) = (best.get_mut(*hill), sizes.get(*hill)) else {
                continue;
            };
            if let Some(score) = score(*count, *size, word.texts, all) {
                best.push((score, *count, key, word));
            }
        }
    }
    best.into_iter().map(chosen).collect()
}

/// How well a word names a hill; `None` where it does not.
fn score(count: usize, size: usize, texts: usize, all: usize) -> Option<f32> {
    let share = count as f32 / size.max(1) as f32;
    let elsewhere = (texts - count) as f32 + 0.5;
    let lift = share / (elsewhere / ((all - size) as f32 + 1.0));
    (count >= 2 && share >= LEAST_SHARE && lift > 1.5).then(|| share * lift.ln())
}

fn chosen(mut found: Vec<(f32, usize, &str, &Word)>) -> String {
    found.sort_by(|first, second| second.0.total_cmp(&first.0).then(first.2.cmp(second.2)));
    let mut name: Vec<&str> = Vec::new();
    for (_, count, key, word) in &found {
        if name.len() == WORDS {
            break;
        }
        // A longer run that nearly always stands where this one does says more.
        let longest = found
            .iter()
            .filter(|(_, other, longer, _)| {
                longer.len() > key.len()
                    && !key.is_ascii()
                    && longer.contains(key)
                    && *other as f32 >= SAME_SHARE * *count as f32
            })
            .max_by_key(|(_, _, longer, _)| longer.chars().count());
        let word = longest.map_or(*word, |(_, _, _, longer)| longer);
        let written = word
            .written
            .iter()
            .max_by(|first, second| first.1.cmp(second.1).then(second.0.cmp(first.0)))
            .map_or("", |(written, _)| written.as_str());
        let overlaps = |known: &&str| {
            let (known, written) = (known.to_lowercase(), written.to_lowercase());
            known.contains(&written) || written.contains(&known)
        };
        if !written.is_empty() && !name.iter().any(overlaps) {
            name.push(written);
        }
    }
    name.join(", ")
}

/// The words of a text: the form they are counted in, and as written.
fn words_of(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut run: Vec<char> = Vec::new();
    let mut kind = Kind::None;
    let beginning: String = text.chars().take(TEXT_CHARS).collect();
    for character in compatible(&beginning).into_iter().chain([' ']) {
        let next = kind_of(character, kind);
        if next != kind {
            take(&run, kind, &mut found);
            run.clear();
            kind = next;
        }
        if kind != Kind::None {
            run.push(character);
        }
    }
    found
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    None,
    /// A word between blanks.
    Word,
    /// Hangul between blanks.
    Hangul,
    /// Katakana: a word of its own.
    Katakana,
    /// Characters without blanks between words.
    Joined,
}

fn kind_of(character: char, before: Kind) -> Kind {
    match class(character) {
        Class::Letter => Kind::Word,
        Class::Digit | Class::Mark => before,
        Class::Hangul => Kind::Hangul,
        Class::East(East::Katakana) => Kind::Katakana,
        Class::East(East::Han) => Kind::Joined,
        Class::Joiner if before == Kind::Word && matches!(character, '-' | '\'') => before,
        _ => Kind::None,
    }
}

fn take(run: &[char], kind: Kind, found: &mut Vec<(String, String)>) {
    let written: String = run.iter().collect();
    match kind {
        Kind::None => {}
        Kind::Word => {
            let written = written.trim_matches(['-', '\'']);
            let plain = written.strip_suffix("'s").unwrap_or(written);
            let key = folded_word(plain);
            let letters = key.chars().count();
            let name = letters > 1 && plain.chars().all(char::is_uppercase);
            if (letters > 2 || name)
                && letters <= WORD_CHARS
                && !is_stop_word(&key)
                && !NAMELESS.contains(&key.as_str())
            {
                // "Boats" and "boat" are one word here; the commoner way of writing it is shown.
                let stem = stems::stem(&key).unwrap_or_else(|| singular(&key).to_owned());
                found.push((stem, plain.to_owned()));
            }
        }
        Kind::Hangul => {
            let stem = stems::korean(&written).unwrap_or(&written).to_owned();
            if stem.chars().count() > 1 && !is_stop_word(&stem) {
                found.push((stem.clone(), stem));
            }
        }
        Kind::Katakana => {
            if (2..=WORD_CHARS).contains(&run.len()) {
                found.push((written.clone(), written));
            }
        }
        Kind::Joined => {
            for length in 2..=4 {
                for part in run.windows(length) {
                    if !part
                        .iter()
                        .any(|character| is_function_character(*character))
                    {
                        let part: String = part.iter().collect();
                        found.push((part.clone(), part));
                    }
                }
            }
        }
    }
}

fn singular(word: &str) -> &str {
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 3 && !stem.ends_with('s') => stem,
        _ => word,
    }
}
