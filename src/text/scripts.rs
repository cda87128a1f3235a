//! Which script a character belongs to, as far as searching cares.

/// How a character takes part in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// A letter of a script that writes blanks between words.
    Letter,
    /// A digit.
    Digit,
    /// Han, kana, Thai, Lao, Khmer, Burmese: written without blanks.
    Unspaced,
    /// Hangul: written with blanks, but nouns carry particles.
    Hangul,
    /// A mark that belongs to the letter before it.
    Mark,
    /// An emoji or another pictograph: a word of its own.
    Pictograph,
    /// Anything else.
    Other,
}

/// Classifies a character.
pub fn class(character: char) -> Class {
    use unicode_properties::{GeneralCategory as Category, UnicodeGeneralCategory as _};
    match character {
        'a'..='z' | 'A'..='Z' => return Class::Letter,
        '0'..='9' => return Class::Digit,
        '\0'..='\u{7f}' => return Class::Other,
        // Kana with its length and iteration marks, Han with its extensions, bopomofo.
        '\u{3005}'..='\u{3007}'
        | '\u{3041}'..='\u{309f}'
        | '\u{30a1}'..='\u{30fa}'
        | '\u{30fc}'..='\u{312f}' => return Class::Unspaced,
        '\u{31a0}'..='\u{31bf}'
        | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{323af}' => return Class::Unspaced,
        // Thai, Lao, Burmese, Khmer: letters, vowels and tones alike, their digits aside.
        '\u{0e01}'..='\u{0e3a}'
        | '\u{0e40}'..='\u{0e4e}'
        | '\u{0e81}'..='\u{0ece}'
        | '\u{0edc}'..='\u{0edf}'
        | '\u{1000}'..='\u{103f}'
        | '\u{1050}'..='\u{109f}'
        | '\u{1780}'..='\u{17d3}' => return Class::Unspaced,
        '\u{1100}'..='\u{11ff}'
        | '\u{3130}'..='\u{318f}'
        | '\u{a960}'..='\u{a97c}'
        | '\u{ac00}'..='\u{d7ff}' => return Class::Hangul,
        _ => {}
    }
    match character.general_category() {
        Category::UppercaseLetter
        | Category::LowercaseLetter
        | Category::TitlecaseLetter
        | Category::ModifierLetter
        | Category::OtherLetter => Class::Letter,
        Category::NonspacingMark | Category::SpacingMark | Category::EnclosingMark => Class::Mark,
        Category::DecimalNumber | Category::LetterNumber | Category::OtherNumber => Class::Digit,
        Category::OtherSymbol | Category::ModifierSymbol if character > '\u{2190}' => {
            Class::Pictograph
        }
        _ => Class::Other,
    }
}

/// Whether a combining mark only decorates the letter before it, so that a question may leave it out: accents of Latin,
/// Greek and Cyrillic, Arabic vowel signs, Hebrew points. Marks that are letters (Indic vowels, kana's voicing) stay.
pub fn is_accent(mark: char) -> bool {
    matches!(mark, '\u{0300}'..='\u{036f}' | '\u{0483}'..='\u{0487}' | '\u{0591}'..='\u{05c7}' | '\u{0610}'..='\u{061a}' | '\u{0640}' | '\u{064b}'..='\u{065f}' | '\u{0670}' | '\u{06d6}'..='\u{06ed}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe0f}')
}

/// Whether a character is invisible and only steers rendering or hides text: direction controls, zero-width characters,
/// tags, soft hyphens. Joiners are judged apart, since some scripts need them.
pub fn is_hidden(character: char) -> bool {
    matches!(character, '\u{00ad}' | '\u{034f}' | '\u{061c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}
