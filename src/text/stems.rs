//! A little grammar for scripts the full-text table's English stemmer does not know: endings and prefixes that hide the
//! word someone asks for. Crude on purpose. A stem is one more term beside the word itself, so a wrong cut costs a little
//! precision and never a match; nothing here decides what a text means. Words are folded (see `fold`).

/// Endings of Russian, Ukrainian and Bulgarian nouns, adjectives and common verb forms, long before short.
const CYRILLIC: [&str; 62] = [
    "иями", "ями", "ами", "ией", "иям", "ием", "иях", "ого", "его", "ому", "ему", "ыми", "ими",
    "ала", "али", "ало", "ать", "ила", "или", "ило", "ить", "ела", "ели", "еть", "яла", "яли",
    "ять", "ая", "яя", "ое", "ее", "ые", "ие", "ый", "ий", "ой", "ей", "ую", "юю", "ом", "ем",
    "ам", "ям", "ах", "ях", "ов", "ев", "ью", "ия", "ию", "ии", "ал", "ил", "ет", "ит", "ут", "ют",
    "ат", "ят", "ів", "ою", "ею",
];
/// Single letters that end a Cyrillic word without belonging to its stem.
const CYRILLIC_LETTERS: [char; 11] = ['а', 'я', 'о', 'е', 'ы', 'и', 'у', 'ю', 'ь', 'й', 'і'];
/// Endings of Greek nouns and adjectives, long before short.
const GREEK: [&str; 18] = [
    "ουσ", "εισ", "εων", "οσ", "ον", "ου", "οι", "ων", "ασ", "ησ", "εσ", "ισ", "α", "η", "ο", "ι",
    "ε", "υ",
];
/// The Arabic article, alone or after "and", "with", "like", "so", "to".
const ARABIC_PREFIXES: [&str; 6] = ["وال", "بال", "كال", "فال", "لل", "ال"];
/// Arabic plural, dual and feminine endings.
const ARABIC_SUFFIXES: [&str; 6] = ["ات", "ون", "ين", "ان", "ها", "ه"];
/// One-letter Hebrew words written onto the next: and, that, the, in, to, from, like.
const HEBREW_PREFIXES: [char; 7] = ['ו', 'ש', 'ה', 'ב', 'ל', 'מ', 'כ'];
/// Hebrew plural endings.
const HEBREW_SUFFIXES: [&str; 2] = ["ים", "ות"];
/// Korean particles, long before short.
const KOREAN: [&str; 31] = [
    "에서는",
    "에게서",
    "으로는",
    "이라는",
    "에서",
    "에게",
    "으로",
    "까지",
    "부터",
    "한테",
    "처럼",
    "보다",
    "이나",
    "이랑",
    "라고",
    "하고",
    "은",
    "는",
    "이",
    "가",
    "을",
    "를",
    "에",
    "의",
    "도",
    "로",
    "와",
    "과",
    "만",
    "랑",
    "께",
];
/// Letters a stem needs in alphabets, so that short words are not cut down to what many words share.
const STEM_LETTERS: usize = 3;
/// Characters a Devanagari stem needs: two consonants, or one with a vowel sign.
const DEVANAGARI_STEM: usize = 2;

/// The stem of a word, if its script is known here and the stem is not the word itself.
pub fn stem(word: &str) -> Option<String> {
    let stem = match word.chars().next().map(u32::from)? {
        0x0370..=0x03ff => without_ending(word, &GREEK),
        0x0400..=0x052f => cyrillic(word),
        0x05d0..=0x05ea => hebrew(word),
        0x0620..=0x06ff => arabic(word),
        0x0900..=0x097f => devanagari(word),
        _ => word,
    };
    (stem.len() < word.len()).then(|| stem.to_owned())
}

/// A Korean word without its particle, if it has one. One syllable may remain.
pub fn korean(word: &str) -> Option<&str> {
    KOREAN
        .iter()
        .find_map(|particle| word.strip_suffix(particle))
        .filter(|stem| !stem.is_empty())
}

fn long_enough(stem: &str) -> bool {
    stem.chars().nth(STEM_LETTERS - 1).is_some()
}

fn without_ending<'word>(word: &'word str, endings: &[&str]) -> &'word str {
    endings
        .iter()
        .find_map(|ending| word.strip_suffix(ending).filter(|stem| long_enough(stem)))
        .unwrap_or(word)
}

fn cyrillic(word: &str) -> &str {
    let reflexive = word.strip_suffix("ся").or_else(|| word.strip_suffix("сь"));
    let word = reflexive.filter(|stem| long_enough(stem)).unwrap_or(word);
    let stem = without_ending(word, &CYRILLIC);
    if stem.len() < word.len() {
        return stem;
    }
    word.strip_suffix(CYRILLIC_LETTERS)
        .filter(|stem| long_enough(stem))
        .unwrap_or(word)
}

fn arabic(word: &str) -> &str {
    let bare = ARABIC_PREFIXES
        .iter()
        .find_map(|prefix| word.strip_prefix(prefix).filter(|stem| long_enough(stem)));
    without_ending(bare.unwrap_or(word), &ARABIC_SUFFIXES)
}

fn hebrew(word: &str) -> &str {
    let bare = word
        .strip_prefix(HEBREW_PREFIXES)
        .filter(|stem| long_enough(stem));
    without_ending(bare.unwrap_or(word), &HEBREW_SUFFIXES)
}

/// Without the vowel signs of number, gender and case at the end.
fn devanagari(word: &str) -> &str {
    let stem = word.trim_end_matches(|character| {
        matches!(character, '\u{902}' | '\u{903}' | '\u{93e}'..='\u{94c}')
    });
    if stem.chars().count() >= DEVANAGARI_STEM {
        stem
    } else {
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meet(words: &[&str], expected: &str) {
        for word in words {
            let found = stem(word);
            assert_eq!(found.as_deref().unwrap_or(word), expected, "{word}");
        }
    }

    #[test]
    fn cases_of_a_word_share_a_stem() {
        meet(&["аллергия", "аллергию", "аллергии", "аллергией"], "аллерг");
        meet(&["врач", "врача", "врачу", "врачом", "врачи"], "врач");
        meet(
            &["переехал", "переехала", "переехать"],
            "перееха".strip_suffix("а").unwrap(),
        );
        meet(&["γιατροσ", "γιατρου", "γιατρο", "γιατροι"], "γιατρ");
    }

    #[test]
    fn articles_and_prefixes_do_not_hide_the_noun() {
        meet(&["طبيب", "الطبيب", "والطبيب", "للطبيب", "الطبيبه"], "طبيب");
        meet(&["רופא", "הרופא", "לרופא", "הרופאים"], "רופא");
        meet(&["किताब", "किताबें", "किताबों"], "किताब");
    }

    #[test]
    fn short_words_are_left_alone() {
        for word in ["оно", "дом", "дома", "את", "من", "ο", "cafe", "नल"] {
            assert!(
                stem(word).is_none_or(|stem| stem.chars().count() >= DEVANAGARI_STEM),
                "{word}"
            );
        }
        assert_eq!(stem("оно"), None);
        assert_eq!(stem("дома").as_deref(), Some("дом"));
        assert_eq!(stem("cafe"), None);
    }

    #[test]
    fn korean_words_lose_their_particle() {
        assert_eq!(korean("집에서"), Some("집"));
        assert_eq!(korean("서울역에서"), Some("서울역"));
        assert_eq!(korean("서울"), None);
        assert_eq!(korean("은"), None);
    }
}
