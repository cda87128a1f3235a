//! Small signs of what a question asks for (a time, a number, the present state) and of what a memory offers. Phrases come
//! from the packs in `languages`; a question in another language has no cues.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::languages::{PACKS, Pack};
use crate::embed::tokenizer::normalise;
use crate::text::writing::Writing;

/// What of a memory's text the cues need, one byte; may be stored with it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Marks(u8);

impl Marks {
    const TIME: u8 = 1;
    const NUMBER: u8 = 2;
    const ASKS: u8 = 4;
    const ENDS_ASKING: u8 = 8;
    const FEELS: u8 = 16;
    /// The three bits above hold the writing.
    const WRITING_SHIFT: u8 = 5;

    /// Reads a text.
    pub fn of(text: &str) -> Marks {
        let form = form(text);
        let mut marks = Writing::of(text).number() << Marks::WRITING_SHIFT;
        if has_year(text) || TIMES.matches(&form) {
            marks |= Marks::TIME;
        }
        if form.contains('#') || NUMBERS.matches(&form) {
            marks |= Marks::NUMBER;
        }
        if FEELINGS.matches(&form) {
            marks |= Marks::FEELS;
        }
        if text.contains(QUESTION_MARKS) {
            marks |= Marks::ASKS;
        }
        if ends_asking(text) {
            marks |= Marks::ENDS_ASKING;
        }
        Marks(marks)
    }

    /// The byte to store.
    pub const fn to_byte(self) -> u8 {
        self.0
    }

    /// From a stored byte; any byte will do.
    pub const fn from_byte(byte: u8) -> Marks {
        Marks(byte)
    }

    /// In which writing it is.
    pub fn writing(self) -> Writing {
        Writing::from_number(self.0 >> Marks::WRITING_SHIFT)
    }

    /// Whether it tells a time: "yesterday", "in May", "2023", "three weeks ago".
    pub const fn tells_time(self) -> bool {
        self.0 & Marks::TIME != 0
    }

    /// Whether it has a number, in digits or words.
    pub const fn has_number(self) -> bool {
        self.0 & Marks::NUMBER != 0
    }

    /// Whether it tells feelings.
    pub const fn tells_feelings(self) -> bool {
        self.0 & Marks::FEELS != 0
    }

    /// Whether a question mark is in it.
    pub const fn asks(self) -> bool {
        self.0 & Marks::ASKS != 0
    }

    /// Whether it ends in a question.
    pub const fn ends_asking(self) -> bool {
        self.0 & Marks::ENDS_ASKING != 0
    }
}

/// What a question asks for.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Cues {
    /// A time.
    pub when: bool,
    /// A number.
    pub amount: bool,
    /// Somebody or something that has a name.
    pub name: bool,
    /// Feelings.
    pub feeling: bool,
    /// 1 for the present state, -1 for an earlier one, 0 if it does not say or says both.
    pub now: f32,
}

impl Cues {
    pub(super) fn of(question: &str) -> Cues {
        let form = form(question);
        let (now, formerly) = (NOW.matches(&form), FORMERLY.matches(&form));
        Cues {
            when: WHEN.matches(&form),
            amount: AMOUNT.matches(&form),
            name: NAME.matches(&form),
            feeling: FEELING.matches(&form),
            now: f32::from(i8::from(now) - i8::from(formerly)),
        }
    }
}

/// Whether a word alone says which time a question means.
pub(super) fn tells_a_state(word: &str) -> bool {
    let form = form(word);
    NOW.matches(&form) || FORMERLY.matches(&form)
}

const QUESTION_MARKS: [char; 3] = ['?', '？', '؟'];
/// What may close a question after its mark.
const CLOSERS: [char; 9] = ['"', '\'', '”', '’', ')', ']', '」', '』', '»'];

/// A question mark at the end, before closing quotes or a note in brackets ("[shares a photo]").
fn ends_asking(text: &str) -> bool {
    let ends = |text: &str| {
        text.trim_end()
            .trim_end_matches(CLOSERS)
            .ends_with(QUESTION_MARKS)
    };
    let note = text.trim_end().strip_suffix(']');
    let before_note = note.and_then(|text| text.rsplit_once('['));
    ends(text) || before_note.is_some_and(|(before, _)| ends(before))
}

/// A number of four digits from 1900 to 2099.
fn has_year(text: &str) -> bool {
    text.split(|character: char| !character.is_ascii_digit())
        .any(|digits| digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20")))
}

/// Small letters, runs of digits as `#`, and one blank for anything that is neither, also around the whole.
fn form(text: &str) -> String {
    let normal = normalise(text);
    let mut form = String::with_capacity(normal.len() + 2);
    form.push(' ');
    for character in normal.chars() {
        if character.is_ascii_digit() {
            if !form.ends_with('#') {
                form.push('#');
            }
        } else if character.is_alphanumeric() {
            // "3 月" is "3月".
            if character >= FIRST_UNSPACED && form.ends_with("# ") {
                form.pop();
            }
            form.push(character);
        } else if !form.ends_with(' ') {
            form.push(' ');
        }
    }
    if !form.ends_with(' ') {
        form.push(' ');
    }
    form
}

/// From here on (CJK radicals) counters follow their number without a blank, or with one that means nothing.
const FIRST_UNSPACED: char = '\u{2e80}';

/// A phrase to look for.
struct Phrase {
    text: String,
    only_first: bool,
    only_last: bool,
}

/// Phrases by their first character: those that begin a word, and those that may stand anywhere.
#[derive(Default)]
struct Phrases {
    at_words: HashMap<char, Vec<Phrase>>,
    anywhere: HashMap<char, Vec<Phrase>>,
}

static WHEN: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(|pack| pack.when.to_vec()));
static AMOUNT: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(|pack| pack.amount.to_vec()));
static NOW: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(|pack| pack.now.to_vec()));
static FORMERLY: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(|pack| pack.formerly.to_vec()));
static NAME: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(|pack| pack.name.to_vec()));
static FEELING: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(|pack| pack.feeling.to_vec()));
static FEELINGS: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(|pack| pack.feelings.to_vec()));
static NUMBERS: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(|pack| pack.numbers.to_vec()));
static TIMES: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(|pack| {
        let months = pack.months.into_iter().flat_map(str::split_whitespace);
        pack.times.iter().copied().chain(months).collect()
    })
});

impl Phrases {
    fn new(choose: impl Fn(&Pack) -> Vec<&'static str>) -> Phrases {
        let mut phrases = Phrases::default();
        for pack in PACKS {
            for entry in choose(pack) {
                let plain = entry.trim_start_matches('^').trim_end_matches('$');
                let text = match plain.strip_suffix('*') {
                    Some(beginning) => beginning.to_owned(),
                    None if pack.blanks => format!("{plain} "),
                    None => plain.to_owned(),
                };
                let table = if pack.blanks {
                    &mut phrases.at_words
                } else {
                    &mut phrases.anywhere
                };
                if let Some(first) = text.chars().next() {
                    table.entry(first).or_default().push(Phrase {
                        text,
                        only_first: entry.starts_with('^'),
                        only_last: entry.ends_with('$'),
                    });
                }
            }
        }
        phrases
    }

    /// Whether any phrase is in a text from [`form`].
    fn matches(&self, form: &str) -> bool {
        let mut before = None;
        form.char_indices().any(|(place, character)| {
            let begins_word = before == Some(' ');
            before = Some(character);
            let rest = form.get(place..).unwrap_or_default();
            let fits = |table: &HashMap<char, Vec<Phrase>>| {
                table.get(&character).is_some_and(|phrases| {
                    phrases.iter().any(|phrase| {
                        (!phrase.only_first || place == 1)
                            && (!phrase.only_last || rest == phrase.text)
                            && rest.starts_with(&phrase.text)
                    })
                })
            };
            (begins_word && fits(&self.at_words))
                || (!character.is_ascii_lowercase() && fits(&self.anywhere))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_that_ask_for_a_time_are_known_in_several_languages() {
        for question in [
            "When did Maria move?",
            "What year was it?",
            "Wann ist der Termin?",
            "¿Cuándo se mudó?",
            "Quand est-elle partie ?",
            "他什么时候搬家？",
            "いつ引っ越しましたか？",
            "언제 이사했어요?",
            "Когда она переехала?",
        ] {
            assert!(Cues::of(question).when, "{question}");
        }
        for question in [
            "What did she do when it rained?",
            "Whenever is fine",
            "Wo wohnt sie?",
            "它在哪里？",
        ] {
            assert!(!Cues::of(question).when, "{question}");
        }
    }

    #[test]
    fn questions_that_ask_for_a_number_are_known() {
        for question in [
            "How many cats?",
            "Wie viele Katzen?",
            "¿Cuántos gatos?",
            "有多少只猫？",
            "猫は何匹、何人？",
            "고양이가 몇 마리?",
            "Сколько кошек?",
        ] {
            assert!(Cues::of(question).amount, "{question}");
        }
        assert!(!Cues::of("How did it go?").amount);
    }

    #[test]
    fn questions_that_ask_for_names_or_feelings_are_known() {
        for question in [
            "Who came?",
            "What is her dog called?",
            "¿Dónde vive?",
            "Qui est venu ?",
            "Кто пришёл?",
        ] {
            assert!(Cues::of(question).name, "{question}");
        }
        for question in ["Why did she leave?", "Wer kam?", "谁来了？"] {
            assert!(!Cues::of(question).name, "{question}");
        }
        for (question, text) in [
            ("How did she feel?", "I was so proud"),
            ("Wie reagierte er?", "Er war stolz"),
            ("她感觉怎么样？", "我很高兴"),
        ] {
            assert!(
                Cues::of(question).feeling && Marks::of(text).tells_feelings(),
                "{question}"
            );
            assert!(
                !Cues::of(text).feeling && !Marks::of("The tree fell").tells_feelings(),
                "{text}"
            );
        }
    }

    #[test]
    fn present_and_former_states_cancel_out() {
        assert_eq!(Cues::of("Where does she live now?").now, 1.0);
        assert_eq!(Cues::of("Where did she originally live?").now, -1.0);
        assert_eq!(
            Cues::of("Where did she live before, and currently? She used to move").now,
            0.0
        );
        assert_eq!(Cues::of("I know snow").now, 0.0);
    }

    #[test]
    fn texts_show_times_and_numbers() {
        for text in [
            "I went yesterday",
            "in 2023",
            "3 weeks ago",
            "on the 5th",
            "last Monday",
            "vor 3 Tagen",
            "昨天去了",
            "3 月",
            "지난주에",
            "в мае",
        ] {
            assert!(Marks::of(text).tells_time(), "{text}");
        }
        for text in ["I like tea", "room 12345", "the mayor", "justice"] {
            assert!(!Marks::of(text).tells_time(), "{text}");
        }
        for text in ["two cats", "3 cats", "两只猫", "drei Katzen"] {
            assert!(Marks::of(text).has_number(), "{text}");
        }
        assert!(!Marks::of("someone's stone").has_number());
    }

    #[test]
    fn a_text_ends_asking_before_quotes_and_notes() {
        for text in [
            "Why?",
            "“Why?”  ",
            "Why? [shares a photo: a cat]",
            "为什么？",
        ] {
            assert!(Marks::of(text).ends_asking(), "{text}");
        }
        for text in ["Why? Because.", "[why?] so", "No"] {
            assert!(!Marks::of(text).ends_asking(), "{text}");
        }
        assert!(Marks::of("Why? Because.").asks() && !Marks::of("No").asks());
    }

    #[test]
    fn marks_come_back_from_their_byte() {
        let marks = Marks::of("Two cats yesterday?");
        assert_eq!(Marks::from_byte(marks.to_byte()), marks);
        assert_eq!(marks.to_byte(), 15 + (1 << 5));
        assert_eq!(marks.writing(), Writing::Latin);
    }
}
