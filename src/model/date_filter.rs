//! Reads what people and agents write into `after` and `before`. A text that is not understood is an error that lists
//! what is, never a filter that lets everything through.
//!
//! Both edges mean the **beginning** of what the text names. `after` takes what is dated then or later, `before` what is
//! dated earlier. So `after: 2026-03-01` starts with 1 March 00:00 of the owner's zone, and `before: 2026-03-01` ends
//! just short of it. Days, weeks, months and years are those of the owner's zone.
//!
//! | text | begins |
//! | --- | --- |
//! | `2026-03-01T09:00:00+01:00` | at that instant; also `Z`, `+0100`, a blank for `T`, no seconds, decimals |
//! | `2026-03-01T09:00:00`, `2026-03-01 09:00` | at that time in the owner's zone |
//! | `2026-03-01`, `2026-03`, `2026` | with that day, month, year |
//! | `now` | at this instant |
//! | `today`, `yesterday`, `tomorrow` | with that day |
//! | `20 minutes ago`, `5 hours ago` | exactly so long before now |
//! | `3 days ago`, `2 weeks ago` | with the day that was 3, or 14, days before today |
//! | `3 months ago`, `2 years ago` | with the day of that month that has today's number, or the month's last |
//! | `last 3 hours`, `last 3 days`, `last 2 weeks` | exactly so many times 1, 24 or 168 hours before now; also minutes |
//! | `last 3 months`, `last 2 years` | like `3 months ago`: these have no length to count back exactly |
//! | `last minute`, `last hour`, `last day` | like `last 1 minute`, … |
//! | `this week`, `last week` | with this Monday, the Monday before (ISO 8601) |
//! | `this month`, `last month` | with the first of this month, of the one before |
//! | `this year`, `last year` | with 1 January of this year, of the one before |
//! | `monday` … `sunday` | with the latest such day, today included |
//! | `last monday` … `last sunday` | with the latest such day before today |
//!
//! `past` is `last` where a number can follow; without one it counts 1 (`past week`: 168 hours). Numbers are digits, `a`,
//! `an`, or `one` to `twelve`. `since` may stand before any of it in `after`. Case and repeated blanks do not matter.

use std::fmt;

use time::{Date, Month, Weekday};

use crate::model::time::{
    DAY_MILLIS, HOUR_MILLIS, MINUTE_MILLIS, Parts, Timestamp, Unreadable, ZoneOffset, local_date,
    local_midnight,
};

/// Which side of the instant is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// Dated at the instant or later.
    After,
    /// Dated before the instant.
    Before,
}

/// Why a text is no edge. Shown, it lists what is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateFilterError {
    /// None of the accepted forms.
    Unreadable,
    /// Looks like a date or time, but the calendar or the clock has no such thing.
    NoSuchDate,
    /// Before the year 1, or after 9999.
    OutOfRange,
    /// `since` says where something begins, so it cannot be where it ends.
    SinceInBefore,
}

impl fmt::Display for DateFilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DateFilterError::Unreadable => "is not a date that is understood here",
            DateFilterError::NoSuchDate => "is not in the calendar",
            DateFilterError::OutOfRange => "is too far away",
            DateFilterError::SinceInBefore => {
                "cannot begin with \"since\" (that is what after is for)"
            }
        })?;
        f.write_str(
            "; write a date (2026-03-01, 2026-03, 2026), a time (2026-03-01T09:00:00+01:00, or without the offset in your own \
             time zone), now, today, yesterday, tomorrow, \"3 days ago\", \"last 3 days\" (minutes, hours, days, weeks, months or \
             years), \"this week\", \"last week\" (week, month or year), \"monday\" or \"last monday\"",
        )
    }
}

impl std::error::Error for DateFilterError {}

/// The instant that an edge names, by the table above: with [`Edge::After`] the first that is let in, with
/// [`Edge::Before`] the first that no longer is. `now` and `zone` are the owner's. Never fails for a text in the table
/// unless it leads out of the years 0001 to 9999, and never panics.
pub fn parse_edge(
    text: &str,
    edge: Edge,
    now: Timestamp,
    zone: &dyn ZoneOffset,
) -> Result<Timestamp, DateFilterError> {
    let lower = text.to_ascii_lowercase();
    let mut words: Vec<&str> = lower.split_whitespace().collect();
    if let ["since", rest @ ..] = words.as_slice() {
        if edge == Edge::Before {
            return Err(DateFilterError::SinceInBefore);
        }
        words = rest.to_vec();
    }
    match written(&words.join(" "), zone) {
        Err(DateFilterError::Unreadable) => {}
        read => return read,
    }
    let phrase = Phrase::parse(&words).ok_or(DateFilterError::Unreadable)?;
    phrase.instant(now, zone).ok_or(DateFilterError::OutOfRange)
}

/// The instant up to which something counts as known or so (`as_of`): a day counts to its end, so that what changed on it
/// has changed. Anything else is its beginning, as in [`Edge::Before`].
pub fn moment(
    text: &str,
    now: Timestamp,
    zone: &dyn ZoneOffset,
) -> Result<Timestamp, DateFilterError> {
    let begins = parse_edge(text, Edge::Before, now, zone)?;
    let text = text.trim();
    let is_day = matches!(text, "today" | "yesterday" | "tomorrow")
        || (text.len() == DAY_FORM.len() && text.matches('-').count() == 2);
    let next = local_date(begins, zone).next_day().filter(|_| is_day);
    Ok(next.map_or(begins, |next| {
        Timestamp::from_millis(local_midnight(next, zone).millis() - 1)
    }))
}

/// How a day is written out.
const DAY_FORM: &str = "2026-03-01";

/// Dates and times written out.
fn written(text: &str, zone: &dyn ZoneOffset) -> Result<Timestamp, DateFilterError> {
    // A month or a year is its first day.
    let read = match text.len() {
        4 => Parts::read(&format!("{text}-01-01")),
        7 => Parts::read(&format!("{text}-01")),
        _ => Parts::read(text),
    };
    match read {
        Ok(parts) => parts.instant_in(zone).ok_or(DateFilterError::NoSuchDate),
        Err(Unreadable::Form) => Err(DateFilterError::Unreadable),
        Err(Unreadable::NoSuchDate) => Err(DateFilterError::NoSuchDate),
    }
}

/// A date in words, as a way back from now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phrase {
    /// So many times a length in milliseconds, to the millisecond.
    Span(i64, i64),
    /// To the day so many times so many days back.
    Days(i64, i64),
    /// To the day so many times so many months back.
    Months(i64, i64),
    /// To the Monday of the week so many weeks back.
    Week(i64),
    /// To the first of the month so many months back.
    Month(i64),
    /// To 1 January of the year so many years back.
    Year(i32),
    /// To the latest such day, today included or not.
    Latest {
        weekday: Weekday,
        today_counts: bool,
    },
}

impl Phrase {
    fn parse(words: &[&str]) -> Option<Phrase> {
        match words {
            ["now"] => Some(Phrase::Span(0, 0)),
            ["today"] => Some(Phrase::Days(0, 1)),
            ["yesterday"] => Some(Phrase::Days(1, 1)),
            ["tomorrow"] => Some(Phrase::Days(-1, 1)),
            ["this", "week"] => Some(Phrase::Week(0)),
            ["last", "week"] => Some(Phrase::Week(1)),
            ["this", "month"] => Some(Phrase::Month(0)),
            ["last", "month"] => Some(Phrase::Month(1)),
            ["this", "year"] => Some(Phrase::Year(0)),
            ["last", "year"] => Some(Phrase::Year(1)),
            ["last", "minute" | "hour" | "day"]
            | [
                "past",
                "minute" | "hour" | "day" | "week" | "month" | "year",
            ] => Phrase::last(1, words.last()?),
            ["last" | "past", count, unit] => Phrase::last(number(count)?, unit),
            [count, unit, "ago"] => Phrase::ago(number(count)?, unit),
            ["last", day] => Some(Phrase::Latest {
                weekday: weekday(day)?,
                today_counts: false,
            }),
            [day] => Some(Phrase::Latest {
                weekday: weekday(day)?,
                today_counts: true,
            }),
            _ => None,
        }
    }

    fn ago(count: i64, unit: &str) -> Option<Phrase> {
        match unit {
            "minute" | "minutes" => Some(Phrase::Span(count, MINUTE_MILLIS)),
            "hour" | "hours" => Some(Phrase::Span(count, HOUR_MILLIS)),
            "day" | "days" => Some(Phrase::Days(count, 1)),
            "week" | "weeks" => Some(Phrase::Days(count, 7)),
            "month" | "months" => Some(Phrase::Months(count, 1)),
            "year" | "years" => Some(Phrase::Months(count, 12)),
            _ => None,
        }
    }

    fn last(count: i64, unit: &str) -> Option<Phrase> {
        match unit {
            "day" | "days" => Some(Phrase::Span(count, DAY_MILLIS)),
            "week" | "weeks" => Some(Phrase::Span(count, 7 * DAY_MILLIS)),
            _ => Phrase::ago(count, unit),
        }
    }

    /// `None` outside of the years 0001 to 9999.
    fn instant(self, now: Timestamp, zone: &dyn ZoneOffset) -> Option<Timestamp> {
        let today = local_date(now, zone);
        let date = match self {
            Phrase::Span(count, length) => {
                return Timestamp::in_range(now.millis().checked_sub(count.checked_mul(length)?)?);
            }
            Phrase::Days(count, days) => days_earlier(today, count.checked_mul(days)?)?,
            Phrase::Months(count, months) => months_earlier(today, count.checked_mul(months)?)?,
            Phrase::Week(weeks) => days_earlier(
                today,
                i64::from(today.weekday().number_days_from_monday()) + 7 * weeks,
            )?,
            Phrase::Month(months) => months_earlier(today.replace_day(1).ok()?, months)?,
            Phrase::Year(years) => {
                in_range(Date::from_calendar_date(today.year() - years, Month::January, 1).ok()?)?
            }
            Phrase::Latest {
                weekday,
                today_counts,
            } => {
                let latest = days_earlier(today, i64::from(!today_counts))?;
                let back = latest.weekday().number_days_from_monday() + 7
                    - weekday.number_days_from_monday();
                days_earlier(latest, i64::from(back % 7))?
            }
        };
        Some(local_midnight(date, zone))
    }
}

fn number(word: &str) -> Option<i64> {
    const WORDS: [&str; 12] = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    if matches!(word, "a" | "an") {
        return Some(1);
    }
    if let Some(place) = (1..)
        .zip(WORDS)
        .find_map(|(number, known)| (known == word).then_some(number))
    {
        return Some(place);
    }
    // More digits than fit are still a number, only too large: the caller reads "too far away".
    word.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| word.parse().unwrap_or(i64::MAX))
}

fn weekday(word: &str) -> Option<Weekday> {
    Some(match word {
        "monday" => Weekday::Monday,
        "tuesday" => Weekday::Tuesday,
        "wednesday" => Weekday::Wednesday,
        "thursday" => Weekday::Thursday,
        "friday" => Weekday::Friday,
        "saturday" => Weekday::Saturday,
        "sunday" => Weekday::Sunday,
        _ => return None,
    })
}

fn in_range(date: Date) -> Option<Date> {
    (1..=9999).contains(&date.year()).then_some(date)
}

/// `None` outside of the years 0001 to 9999.
fn days_earlier(date: Date, days: i64) -> Option<Date> {
    let day = i64::from(date.to_julian_day()).checked_sub(days)?;
    in_range(Date::from_julian_day(i32::try_from(day).ok()?).ok()?)
}

/// The day with the same number so many months earlier, or that month's last. `None` outside of the years 0001 to 9999.
fn months_earlier(date: Date, months: i64) -> Option<Date> {
    let from_january = i64::from(u8::from(date.month())) - 1;
    let month = (i64::from(date.year()) * 12 + from_january).checked_sub(months)?;
    let year = i32::try_from(month.div_euclid(12)).ok()?;
    let month = Month::try_from(u8::try_from(month.rem_euclid(12) + 1).ok()?).ok()?;
    in_range(Date::from_calendar_date(year, month, date.day().min(month.length(year))).ok()?)
}

#[cfg(test)]
mod tests;
