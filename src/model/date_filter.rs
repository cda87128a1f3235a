//! What people write into `after` and `before`: dates, and words such as "yesterday" or "3 days ago".
//!
//! Both edges name the beginning of a period in the owner's zone: `after` lets in what is dated then or later, `before`
//! what is dated earlier.
//!
//! | form | begins |
//! | --- | --- |
//! | an instant, or a date and time (read in the owner's zone without an offset) | then |
//! | `2026-03-10`, `2026-03`, `2026` | the day, month or year |
//! | `now`, `today`, `yesterday`, `tomorrow` | now; that day |
//! | `3 days ago`, `a week ago` (also weeks, months, years) | the day that many back |
//! | `2 hours ago`, `last 3 days`, `past 2 weeks`, `last 5 hours` | exactly that span before now |
//! | `this week`, `last week` (also month, year) | the Monday, the first of the month, of the year |
//! | `monday`, `last monday`, `since monday` | the most recent such day before today |

use std::fmt;

use time::{Date, Duration, Month, Weekday};

use crate::model::time::{DAY_MILLIS, Parts, Timestamp, ZoneOffset, local_midnight};

/// Which of the two edges is read; for callers that want to say so in an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// Dated then or later.
    After,
    /// Dated earlier.
    Before,
}

/// An edge that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DateFilterError(Edge);

impl fmt::Display for DateFilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let meaning = match self.0 {
            Edge::After => "that day or later",
            Edge::Before => "earlier than that day",
        };
        write!(
            f,
            "is not a date this filter reads ({meaning}); write 2026-03-10, 2026-03, 2026, 2026-03-10T09:00:00Z, today, yesterday, \
             3 days ago, last 3 days, this week, last week, last month, or last monday"
        )
    }
}

impl std::error::Error for DateFilterError {}

/// Largest number in "N days ago": beyond it lies nothing a person remembers, and arithmetic stays safe.
const COUNT_MAX: i64 = 100_000;

/// Reads an edge.
pub fn parse_edge(
    text: &str,
    edge: Edge,
    now: Timestamp,
    zone: &dyn ZoneOffset,
) -> Result<Timestamp, DateFilterError> {
    let today = now.local_date(zone.offset_minutes(now));
    let words = text.trim().to_lowercase();
    let words: Vec<&str> = words.split_whitespace().collect();
    absolute(text.trim(), zone)
        .or_else(|| relative(&words, now, today, zone))
        .ok_or(DateFilterError(edge))
}

fn absolute(text: &str, zone: &dyn ZoneOffset) -> Option<Timestamp> {
    if let Some(parts) = Parts::parse(text) {
        if parts.time.is_none() {
            return Some(local_midnight(parts.date, zone));
        }
        let as_utc = parts.instant(0)?;
        return parts.instant(zone.offset_minutes(as_utc));
    }
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (year, month) = text.split_once('-').unwrap_or((text, "01"));
    if year.len() != 4 || month.len() != 2 || !all_digits(year) || !all_digits(month) {
        return None;
    }
    let month = Month::try_from(month.parse::<u8>().ok()?).ok()?;
    Date::from_calendar_date(year.parse().ok()?, month, 1)
        .ok()
        .map(|date| local_midnight(date, zone))
}

fn relative(
    words: &[&str],
    now: Timestamp,
    today: Date,
    zone: &dyn ZoneOffset,
) -> Option<Timestamp> {
    let day = |date: Option<Date>| date.map(|date| local_midnight(date, zone));
    match words {
        ["now"] => Some(now),
        ["today"] => day(Some(today)),
        ["yesterday"] => day(today.checked_sub(Duration::days(1))),
        ["tomorrow"] => day(today.checked_add(Duration::days(1))),
        ["this", unit] => day(beginning(today, unit, 0)),
        ["last" | "past" | "previous", unit] => match span_millis(unit) {
            // "last hour" and "last minute" are spans, longer units are calendar periods.
            Some(span) if span < DAY_MILLIS => Some(now.plus_millis(-span)),
            Some(DAY_MILLIS) => day(today.checked_sub(Duration::days(1))),
            _ => day(beginning(today, unit, 1)).or_else(|| day(last_weekday(today, unit))),
        },
        ["since", name] | [name] => day(last_weekday(today, name)),
        ["last" | "past", count, unit] => back(now, today, zone, number(count)?, unit, true),
        [count, unit, "ago"] => back(now, today, zone, number(count)?, unit, false),
        _ => None,
    }
}

/// So many units before now; `exact` counts from this moment, otherwise whole days begin at their midnight.
fn back(
    now: Timestamp,
    today: Date,
    zone: &dyn ZoneOffset,
    count: i64,
    unit: &str,
    exact: bool,
) -> Option<Timestamp> {
    if let Some(span) = span_millis(unit) {
        if exact || span < DAY_MILLIS {
            return Some(now.plus_millis(-span.checked_mul(count)?));
        }
        let date = today.checked_sub(Duration::days((span / DAY_MILLIS).checked_mul(count)?))?;
        return Some(local_midnight(date, zone));
    }
    let months = match unit.trim_end_matches('s') {
        "month" => count,
        "year" => count.checked_mul(12)?,
        _ => return None,
    };
    let begins = local_midnight(months_before(today, months)?, zone);
    if exact {
        Some(begins.plus_millis(now.millis() - local_midnight(today, zone).millis()))
    } else {
        Some(begins)
    }
}

/// Milliseconds of a unit of fixed length, in either number.
fn span_millis(unit: &str) -> Option<i64> {
    match unit.trim_end_matches('s') {
        "minute" | "min" => Some(60_000),
        "hour" => Some(3_600_000),
        "day" => Some(DAY_MILLIS),
        "week" => Some(7 * DAY_MILLIS),
        _ => None,
    }
}

/// The first day of this week, month or year, or of the one before.
fn beginning(today: Date, unit: &str, before: i64) -> Option<Date> {
    match unit {
        "day" => Some(today),
        "week" => today.checked_sub(Duration::days(
            i64::from(today.weekday().number_days_from_monday()) + 7 * before,
        )),
        "month" => months_before(today.replace_day(1).ok()?, before),
        "year" => Date::from_calendar_date(
            today.year().checked_sub(i32::try_from(before).ok()?)?,
            Month::January,
            1,
        )
        .ok(),
        _ => None,
    }
}

/// The most recent such weekday before today.
fn last_weekday(today: Date, name: &str) -> Option<Date> {
    let weekday = [
        ("monday", Weekday::Monday),
        ("tuesday", Weekday::Tuesday),
        ("wednesday", Weekday::Wednesday),
        ("thursday", Weekday::Thursday),
        ("friday", Weekday::Friday),
        ("saturday", Weekday::Saturday),
        ("sunday", Weekday::Sunday),
    ]
    .into_iter()
    .find(|(known, _)| *known == name)?
    .1;
    (1..=7)
        .filter_map(|days| today.checked_sub(Duration::days(days)))
        .find(|date| date.weekday() == weekday)
}

/// The same day so many months earlier, or the last day of a shorter month.
fn months_before(date: Date, months: i64) -> Option<Date> {
    let index = i64::from(date.year()) * 12 + i64::from(u8::from(date.month())) - 1 - months;
    let (year, month) = (index.div_euclid(12), index.rem_euclid(12) + 1);
    let month = Month::try_from(u8::try_from(month).ok()?).ok()?;
    let year = i32::try_from(year).ok().filter(|year| *year >= 1)?;
    Date::from_calendar_date(year, month, date.day().min(month.length(year))).ok()
}

fn number(word: &str) -> Option<i64> {
    const WORDS: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    if matches!(word, "a" | "an") {
        return Some(1);
    }
    let spelled = WORDS
        .iter()
        .position(|known| *known == word)
        .and_then(|place| i64::try_from(place).ok());
    spelled
        .or_else(|| word.parse().ok())
        .filter(|count| (0..=COUNT_MAX).contains(count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::time::{BERLIN, TOKYO, Utc};
    use proptest::prelude::*;

    /// A Tuesday.
    const NOW: &str = "2026-03-10T08:00:00Z";

    fn read(text: &str, zone: &dyn ZoneOffset) -> String {
        let now = Timestamp::parse_rfc3339(NOW).unwrap();
        parse_edge(text, Edge::After, now, zone)
            .unwrap_or_else(|error| panic!("{text} {error}"))
            .rfc3339()
            .replace(".000Z", "Z")
    }

    #[test]
    fn each_form_begins_where_the_table_says() {
        let table = [
            ("2026-03-01", "2026-03-01T00:00:00Z"),
            ("2026-02", "2026-02-01T00:00:00Z"),
            ("2025", "2025-01-01T00:00:00Z"),
            ("2026-03-10T09:00:00+09:00", "2026-03-10T00:00:00Z"),
            ("now", "2026-03-10T08:00:00Z"),
            ("Today", "2026-03-10T00:00:00Z"),
            ("yesterday", "2026-03-09T00:00:00Z"),
            ("tomorrow", "2026-03-11T00:00:00Z"),
            ("3 days ago", "2026-03-07T00:00:00Z"),
            ("a week ago", "2026-03-03T00:00:00Z"),
            ("two months ago", "2026-01-10T00:00:00Z"),
            ("1 year ago", "2025-03-10T00:00:00Z"),
            ("5 hours ago", "2026-03-10T03:00:00Z"),
            ("an hour ago", "2026-03-10T07:00:00Z"),
            ("last  3 days", "2026-03-07T08:00:00Z"),
            ("past 2 weeks", "2026-02-24T08:00:00Z"),
            ("last 2 months", "2026-01-10T08:00:00Z"),
            ("last hour", "2026-03-10T07:00:00Z"),
            ("this week", "2026-03-09T00:00:00Z"),
            ("last week", "2026-03-02T00:00:00Z"),
            ("last month", "2026-02-01T00:00:00Z"),
            ("this year", "2026-01-01T00:00:00Z"),
            ("last year", "2025-01-01T00:00:00Z"),
            ("last monday", "2026-03-09T00:00:00Z"),
            ("since tuesday", "2026-03-03T00:00:00Z"),
        ];
        for (text, expected) in table {
            assert_eq!(read(text, &Utc), expected, "{text}");
        }
    }

    #[test]
    fn days_begin_where_the_owner_lives() {
        assert_eq!(read("today", &TOKYO), "2026-03-09T15:00:00Z");
        assert_eq!(read("2026-03-30", &BERLIN), "2026-03-29T22:00:00Z");
        assert_eq!(read("2026-03-10T09:00:00", &BERLIN), "2026-03-10T08:00:00Z");
    }

    #[test]
    fn short_months_end_early() {
        let date = |year, month, day| {
            Date::from_calendar_date(year, Month::try_from(month).unwrap(), day).unwrap()
        };
        assert_eq!(months_before(date(2026, 3, 31), 1), Some(date(2026, 2, 28)));
        assert_eq!(
            months_before(date(2026, 1, 15), 13),
            Some(date(2024, 12, 15))
        );
    }

    #[test]
    fn anything_else_is_an_error_that_lists_the_forms() {
        let now = Timestamp::parse_rfc3339(NOW).unwrap();
        for text in [
            "",
            "soon",
            "2026-02-30",
            "999999999999 days ago",
            "100001 days ago",
            "-3 days ago",
            "3 moons ago",
            "last",
            "20260301",
            "2026-3-1",
        ] {
            let error = parse_edge(text, Edge::After, now, &Utc).unwrap_err();
            assert!(error.to_string().contains("yesterday"), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_fail_badly(text in "\\PC{0,30}|(last|past|this|since)? ?[0-9]{0,12} ?(day|week|month|year|hour)s?( ago)?") {
            let _ = parse_edge(&text, Edge::Before, Timestamp::parse_rfc3339(NOW).unwrap(), &BERLIN);
        }

        #[test]
        fn today_began_less_than_26_hours_ago(millis in 1_750_000_000_000i64..1_800_000_000_000) {
            let now = Timestamp::from_millis(millis);
            for zone in [&BERLIN as &dyn ZoneOffset, &TOKYO, &crate::model::time::SANTIAGO] {
                let began = parse_edge("today", Edge::After, now, zone).unwrap();
                prop_assert!(began <= now && now.millis() - began.millis() < 26 * 3_600_000);
            }
        }
    }
}
