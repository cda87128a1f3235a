//! Other ways to spell a word of a question, for when no memory has it as it is asked: umlauts written out ("Wuesthof",
//! "Wüsthof"), and names in Latin letters for Cyrillic ones and the other way round ("Andrey", "Андрей"). Only spellings that
//! people use side by side; what a word sounds like in other languages is not tried.

/// Shorter words are left alone: what they could be spelled like is usually another word.
const SHORTEST: usize = 4;
/// Longer runs are no words.
const LONGEST: usize = 32;

/// The other spellings of a word in small letters.
pub fn respellings(word: &str) -> Vec<String> {
    if !(SHORTEST..=LONGEST).contains(&word.chars().count()) {
        return Vec::new();
    }
    let mut spellings = if word.chars().all(is_cyrillic) {
        ["y", "i", "j"]
            .into_iter()
            .flat_map(|glide| [to_latin(word, glide, false), to_latin(word, glide, true)])
            .collect()
    } else if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        let mut spellings = vec![without_e(word)];
        spellings.extend(to_cyrillic(word));
        spellings
    } else {
        vec![with_e(word)]
    };
    spellings.retain(|spelling| spelling != word && !spelling.is_empty());
    spellings.sort_unstable();
    spellings.dedup();
    spellings
}

fn is_cyrillic(character: char) -> bool {
    matches!(character, 'а'..='я' | 'ё')
}

/// `müller` as `mueller`.
fn with_e(word: &str) -> String {
    word.replace('ä', "ae")
        .replace('ö', "oe")
        .replace('ü', "ue")
}

/// `mueller` as `muller`, which is `müller` without its dots.
fn without_e(word: &str) -> String {
    word.replace("ae", "a")
        .replace("oe", "o")
        .replace("ue", "u")
}

/// `glide` stands for й and in я and ю; `short` writes the ending -ий, -ый with one letter.
fn to_latin(word: &str, glide: &str, short: bool) -> String {
    let stem = word.strip_suffix("ий").or_else(|| word.strip_suffix("ый"));
    let (word, ending) = match stem {
        Some(stem) if short => (stem, glide),
        _ => (word, ""),
    };
    let mut latin = String::new();
    for character in word.chars() {
        match character {
            'й' => latin.push_str(glide),
            'я' | 'ю' => {
                latin.push_str(glide);
                latin.push(if character == 'я' { 'a' } else { 'u' });
            }
            _ => latin.push_str(plain_latin(character)),
        }
    }
    latin + ending
}

fn plain_latin(character: char) -> &'static str {
    const LETTERS: [&str; 32] = [
        "a", "b", "v", "g", "d", "e", "zh", "z", "i", "y", "k", "l", "m", "n", "o", "p", "r", "s",
        "t", "u", "f", "kh", "ts", "ch", "sh", "shch", "", "y", "", "e", "yu", "ya",
    ];
    let place = u32::from(character).checked_sub(u32::from('а'));
    let letter = place.and_then(|place| LETTERS.get(place as usize));
    letter.copied().unwrap_or("e")
}

/// The longest first.
const LATIN: [(&str, char); 38] = [
    ("shch", 'щ'),
    ("sch", 'ш'),
    ("sh", 'ш'),
    ("ch", 'ч'),
    ("zh", 'ж'),
    ("kh", 'х'),
    ("ts", 'ц'),
    ("ya", 'я'),
    ("ia", 'я'),
    ("ja", 'я'),
    ("yu", 'ю'),
    ("ju", 'ю'),
    ("yo", 'е'),
    ("ye", 'е'),
    ("a", 'а'),
    ("b", 'б'),
    ("c", 'к'),
    ("d", 'д'),
    ("e", 'е'),
    ("f", 'ф'),
    ("g", 'г'),
    ("h", 'х'),
    ("i", 'и'),
    ("j", 'й'),
    ("k", 'к'),
    ("l", 'л'),
    ("m", 'м'),
    ("n", 'н'),
    ("o", 'о'),
    ("p", 'п'),
    ("q", 'к'),
    ("r", 'р'),
    ("s", 'с'),
    ("t", 'т'),
    ("u", 'у'),
    ("v", 'в'),
    ("w", 'в'),
    ("z", 'з'),
];
const VOWELS: [char; 9] = ['а', 'е', 'и', 'о', 'у', 'ы', 'э', 'ю', 'я'];

/// As it is, and with the masculine ending that Latin letters shorten: `dmitry` as `дмитрий`.
fn to_cyrillic(word: &str) -> Vec<String> {
    let mut cyrillic = String::new();
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        let after_vowel = cyrillic.ends_with(VOWELS);
        let ends = rest.len() == 1;
        let known = LATIN.iter().find(|(latin, _)| rest.starts_with(latin));
        let (latin, letter) = match (first, known) {
            ('y' | 'i', _) if after_vowel && ends => (1, 'й'),
            (_, Some((latin, letter))) => (latin.len(), *letter),
            ('y', None) if after_vowel => (1, 'й'),
            ('y', None) if ends => (1, 'и'),
            ('y', None) => (1, 'ы'),
            // No letter of its own.
            _ => return Vec::new(),
        };
        cyrillic.push(letter);
        rest = rest.get(latin..).unwrap_or_default();
    }
    let mut spellings = Vec::new();
    if let Some(stem) = cyrillic.strip_suffix('и') {
        spellings.push(format!("{stem}ий"));
    }
    spellings.push(cyrillic);
    spellings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn umlauts_are_written_out_and_taken_back() {
        assert_eq!(respellings("wüsthof"), ["wuesthof"]);
        assert!(respellings("wuesthof").contains(&"wusthof".to_owned()));
        assert!(respellings("goethe").contains(&"gothe".to_owned()));
    }

    #[test]
    fn names_change_between_cyrillic_and_latin_letters() {
        for (cyrillic, latin) in [
            ("андрей", "andrey"),
            ("андрей", "andrei"),
            ("сергей", "sergei"),
            ("дмитрий", "dmitry"),
            ("дмитрий", "dmitri"),
            ("наташа", "natasha"),
            ("юлия", "yuliya"),
            ("михаил", "mikhail"),
        ] {
            assert!(
                respellings(cyrillic).contains(&latin.to_owned()),
                "{cyrillic} {:?}",
                respellings(cyrillic)
            );
            assert!(
                respellings(latin).contains(&cyrillic.to_owned()),
                "{latin} {:?}",
                respellings(latin)
            );
        }
    }

    #[test]
    fn short_words_numbers_and_other_scripts_stay_as_they_are() {
        for word in ["", "due", "5kg7", "笔记本电脑", "ключ1", "서울역에"] {
            assert_eq!(respellings(word), [""; 0], "{word}");
        }
    }
}
