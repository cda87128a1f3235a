//! Dates a question names: years, months, days beside a month.

use super::languages::{ENGLISH_MONTHS, PACKS};
use crate::embed::tokenizer::normalise;

/// A calendar day, as a memory is dated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Day {
    /// As in 2024.
    pub year: i32,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
}

impl Day {
    /// As in "8 may 2023"; small letters, so that the month is not taken for a name. `None` for a month there is not.
    pub(super) fn in_words(self) -> Option<String> {
        let month = ENGLISH_MONTHS.get(usize::from(self.month).checked_sub(1)?)?;
        Some(format!("{} {month} {}", self.day, self.year))
    }
}

/// The dates a text names; sets of months and days are bits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Dates {
    years: Vec<i32>,
    months: u16,
    days: u32,
}

/// How far a day agrees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Agreement {
    None,
    Month,
    Day,
}

/// English words before "may" that make it a month.
const BEFORE_MAY: [&str; 11] = [
    "in", "on", "of", "early", "late", "mid", "during", "since", "until", "by", "last",
];

impl Dates {
    /// Reads a text.
    pub(super) fn named_in(text: &str) -> Dates {
        let normal = normalise(text);
        let mut dates = Dates::default();
        dates.numbered(&normal);
        dates.by_name(&normal);
        if dates.months == 0 {
            dates.days = 0;
        }
        dates
    }

    /// How far a memory's day agrees with what was named; not at all if nothing was.
    pub(super) fn agreement(&self, day: Option<Day>) -> Agreement {
        let Some(day) = day.filter(|_| self.months != 0 || !self.years.is_empty()) else {
            return Agreement::None;
        };
        let in_month = self.months == 0 || self.months & bit16(day.month) != 0;
        let in_year = self.years.is_empty() || self.years.contains(&day.year);
        match (in_month && in_year, self.days & bit32(day.day) != 0) {
            (false, _) => Agreement::None,
            (true, false) => Agreement::Month,
            (true, true) => Agreement::Day,
        }
    }

    /// Years, `2023-05-08`, `5月8日`, and numbers that may be days.
    fn numbered(&mut self, text: &str) {
        let mut rest = text;
        let mut before = ' ';
        while let Some(start) = rest.find(|character: char| character.is_ascii_digit()) {
            before = rest
                .get(..start)
                .and_then(|skipped| skipped.chars().next_back())
                .unwrap_or(before);
            let from = rest.get(start..).unwrap_or_default();
            let length = from.bytes().take_while(u8::is_ascii_digit).count();
            let (digits, after) = from.split_at_checked(length).unwrap_or((from, ""));
            rest = after;
            let number: u32 = digits.parse().unwrap_or_default();
            if digits.len() == 4 && (1900..2100).contains(&number) {
                self.years.push(number as i32);
                if let Some((month, day, after)) = rest_of_iso_date(after) {
                    self.months |= bit16(month);
                    self.days |= bit32(day);
                    rest = after;
                }
            } else if digits.len() <= 2 {
                let next = after.trim_start().chars().next();
                if let Some('月' | '월') = next {
                    self.months |= bit16(number as u8);
                } else if before != ':' && !after.starts_with(':') {
                    self.days |= bit32(number as u8);
                }
            }
            before = '0';
        }
    }

    fn by_name(&mut self, text: &str) {
        let words: Vec<&str> = text
            .split(|character: char| !character.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect();
        for (place, word) in words.iter().enumerate() {
            let begins_with_digit =
                |word: &&str| word.starts_with(|first: char| first.is_ascii_digit());
            let neighbour =
                |place: Option<usize>| place.and_then(|place| words.get(place)).copied();
            let before = neighbour(place.checked_sub(1));
            let is_month = *word != "may"
                || before.is_some_and(|before| {
                    BEFORE_MAY.contains(&before) || begins_with_digit(&before)
                })
                || neighbour(Some(place + 1)).is_some_and(|next| begins_with_digit(&next));
            for (month, names) in PACKS.iter().flat_map(|pack| (1u8..).zip(pack.months)) {
                if is_month && names.split(' ').any(|name| name == *word) {
                    self.months |= bit16(month);
                }
            }
        }
    }
}

/// `-05-08` after a year, also with dots or slashes: month, day and what follows.
fn rest_of_iso_date(after: &str) -> Option<(u8, u8, &str)> {
    let (month, rest) = small_number(after)?;
    let (day, rest) = small_number(rest)?;
    (matches!(month, 1..=12) && matches!(day, 1..=31)).then_some((month, day, rest))
}

fn small_number(text: &str) -> Option<(u8, &str)> {
    let digits = text.strip_prefix(['-', '/', '.'])?;
    let length = digits.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = digits.split_at_checked(length)?;
    (length <= 2).then(|| number.parse().ok().map(|number| (number, rest)))?
}

fn bit16(month: u8) -> u16 {
    if month <= 12 { 1 << month } else { 0 }
}

fn bit32(day: u8) -> u32 {
    if day <= 31 { 1 << day } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EIGHTH_OF_MAY: Option<Day> = Some(Day {
        year: 2023,
        month: 5,
        day: 8,
    });

    fn agreement(question: &str) -> Agreement {
        Dates::named_in(question).agreement(EIGHTH_OF_MAY)
    }

    #[test]
    fn named_days_agree() {
        for question in [
            "What happened on 8 May 2023?",
            "on May 8th",
            "on 2023-05-08",
            "at 10:30 on May 8",
            "2023年5月8日发生了什么",
            "5월 8일에",
            "am 8. Mai",
            "el 8 de mayo",
            "8 мая",
        ] {
            assert_eq!(agreement(question), Agreement::Day, "{question}");
        }
    }

    #[test]
    fn a_month_or_a_year_agrees_by_half() {
        for question in [
            "in May",
            "in 2023",
            "in May 2023",
            "on 9 May",
            "at 8:00 in May",
            "en mai 2023",
            "5月",
        ] {
            assert_eq!(agreement(question), Agreement::Month, "{question}");
        }
    }

    #[test]
    fn other_dates_and_no_dates_do_not_agree() {
        for question in [
            "",
            "8 cats",
            "You may go",
            "in June",
            "May 2022",
            "on 2023-06-08",
            "the 8th",
        ] {
            assert_eq!(agreement(question), Agreement::None, "{question}");
        }
        assert_eq!(Dates::named_in("May 2023").agreement(None), Agreement::None);
    }
}
