//! In which writing a text is, by its letters: two texts in different ones have hardly a word in common, whatever they say.

use crate::text::scripts::{Class, class};

/// A family of scripts whose languages share words among each other and not with the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writing {
    /// No letters to tell.
    Unknown,
    /// Latin letters.
    Latin,
    /// Cyrillic letters.
    Cyrillic,
    /// Chinese characters and kana.
    East,
    /// Hangul.
    Hangul,
    /// Any other.
    Other,
}

/// How many letters a character stands for that writes a syllable or a word: a Korean note full of English terms is Korean.
const SYLLABLE: usize = 3;

impl Writing {
    /// All but [`Writing::Unknown`], by their number less one.
    const ALL: [Writing; 5] = [
        Writing::Latin,
        Writing::Cyrillic,
        Writing::East,
        Writing::Hangul,
        Writing::Other,
    ];

    /// The writing of most of a text's letters; of two with as many, the first of the list.
    pub fn of(text: &str) -> Writing {
        let mut letters = [0usize; Writing::ALL.len()];
        for character in text.chars() {
            let writing = match class(character) {
                Class::Letter => alphabet(character),
                Class::East(_) => Writing::East,
                Class::Hangul => Writing::Hangul,
                Class::SouthEast => Writing::Other,
                _ => continue,
            };
            let counts = match writing {
                Writing::East | Writing::Hangul => SYLLABLE,
                _ => 1,
            };
            if let Some(letters) = letters.get_mut(usize::from(writing.number()) - 1) {
                *letters += counts;
            }
        }
        let mut most = (0, Writing::Unknown);
        for (letters, writing) in letters.into_iter().zip(Writing::ALL) {
            if letters > most.0 {
                most = (letters, writing);
            }
        }
        most.1
    }

    /// Below 8, for three bits of a byte.
    pub const fn number(self) -> u8 {
        match self {
            Writing::Unknown => 0,
            Writing::Latin => 1,
            Writing::Cyrillic => 2,
            Writing::East => 3,
            Writing::Hangul => 4,
            Writing::Other => 5,
        }
    }

    /// From [`Writing::number`]; another number is unknown.
    pub fn from_number(number: u8) -> Writing {
        let place = usize::from(number).checked_sub(1);
        let known = place.and_then(|place| Writing::ALL.get(place));
        known.copied().unwrap_or(Writing::Unknown)
    }

    /// Whether both are known and differ.
    pub fn differs_from(self, other: Writing) -> bool {
        self != other && self != Writing::Unknown && other != Writing::Unknown
    }
}

fn alphabet(character: char) -> Writing {
    match u32::from(character) {
        0..=0x24f | 0x1e00..=0x1eff | 0xff21..=0xff5a => Writing::Latin,
        0x400..=0x52f => Writing::Cyrillic,
        _ => Writing::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_in_the_writing_of_most_of_its_letters() {
        for (text, writing) in [
            ("Maria is allergic to peanuts", Writing::Latin),
            ("Ärger mit bệnh viện", Writing::Latin),
            ("Книга на столе", Writing::Cyrillic),
            ("我对花生过敏", Writing::East),
            ("プリンターは三階", Writing::East),
            ("새 인덱스에 B-tree를 선택했다", Writing::Hangul),
            ("Topic Clustering 파이프라인을 바꿨다", Writing::Hangul),
            ("Karis wants 김밥 for lunch", Writing::Latin),
            ("موعد الطبيب", Writing::Other),
            ("42, 17:30!", Writing::Unknown),
            ("", Writing::Unknown),
        ] {
            assert_eq!(Writing::of(text), writing, "{text}");
            assert_eq!(Writing::from_number(writing.number()), writing);
        }
        assert_eq!(Writing::from_number(7), Writing::Unknown);
    }

    #[test]
    fn what_cannot_be_told_does_not_differ() {
        assert!(Writing::Latin.differs_from(Writing::Hangul));
        assert!(!Writing::Latin.differs_from(Writing::Latin));
        assert!(!Writing::Unknown.differs_from(Writing::Latin));
        assert!(!Writing::Latin.differs_from(Writing::Unknown));
    }
}
