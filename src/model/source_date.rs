//! When a source said something: a day or an instant, kept as it was said.

use std::fmt;

use time::{Date, Month};

use crate::model::time::{Parts, Timestamp, ZoneOffset, local_midnight};

/// Years a source may speak of. An old letter may be centuries old; 0001-01-01 and 9999-12-31 are what other systems
/// write for "unknown".
pub const SOURCE_DATE_YEARS: std::ops::RangeInclusive<i32> = 1000..=2200;

/// When the source said so: a day, or an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceDate {
    /// A calendar day.
    Day {
        /// Within [`SOURCE_DATE_YEARS`].
        year: i32,
        /// 1 to 12.
        month: u8,
        /// 1 to 31.
        day: u8,
    },
    /// A moment.
    Instant(Timestamp),
}

/// A source date that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DateError;

impl fmt::Display for DateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = (SOURCE_DATE_YEARS.start(), SOURCE_DATE_YEARS.end());
        write!(
            f,
            "must be a real date from {first} to {last}, such as 2026-03-10 or 2026-03-10T09:00:00+09:00"
        )
    }
}

impl std::error::Error for DateError {}

impl SourceDate {
    /// A day stays a day; a time without an offset is read as UTC.
    pub fn parse(text: &str) -> Result<Self, DateError> {
        let parts = Parts::parse(text.trim()).ok_or(DateError)?;
        if !SOURCE_DATE_YEARS.contains(&parts.date.year()) {
            return Err(DateError);
        }
        match parts.time {
            None => Ok(SourceDate::Day {
                year: parts.date.year(),
                month: parts.date.month().into(),
                day: parts.date.day(),
            }),
            Some(_) => parts.instant(0).map(SourceDate::Instant).ok_or(DateError),
        }
    }

    /// As it is stored and shown: `2026-03-10`, or RFC 3339 in UTC.
    pub fn to_text(&self) -> String {
        match self {
            SourceDate::Day { year, month, day } => format!("{year:04}-{month:02}-{day:02}"),
            SourceDate::Instant(at) => at.rfc3339(),
        }
    }

    /// The moment it begins: a day begins at its midnight in the owner's zone.
    pub fn instant(&self, zone: &dyn ZoneOffset) -> Timestamp {
        match *self {
            SourceDate::Instant(at) => at,
            SourceDate::Day { year, month, day } => {
                let date = Month::try_from(month)
                    .ok()
                    .and_then(|month| Date::from_calendar_date(year, month, day).ok());
                date.map_or(Timestamp::from_millis(0), |date| local_midnight(date, zone))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::time::{BERLIN, SANTIAGO, TOKYO, Utc};
    use proptest::prelude::*;

    #[test]
    fn source_dates_are_kept_as_said() {
        let text = |text: &str| SourceDate::parse(text).unwrap().to_text();
        assert_eq!(
            text("2026-03-10T09:00:00+09:00"),
            "2026-03-10T00:00:00.000Z"
        );
        assert_eq!(text("2026-03-10"), "2026-03-10");
        assert_eq!(text("2026-03-10 09:00:00"), "2026-03-10T09:00:00.000Z");
    }

    #[test]
    fn impossible_and_placeholder_dates_are_refused() {
        for text in [
            "2026-02-30",
            "0001-01-01",
            "9999-12-31",
            "0999-12-31",
            "2201-01-01",
            "soon",
            "2026-13-01",
            "",
        ] {
            assert!(SourceDate::parse(text).is_err(), "{text}");
        }
        assert!(SourceDate::parse("1000-01-01").is_ok() && SourceDate::parse("2200-12-31").is_ok());
    }

    #[test]
    fn a_day_begins_at_midnight_where_the_owner_lives() {
        let begins = |text: &str, zone: &dyn ZoneOffset| {
            SourceDate::parse(text).unwrap().instant(zone).rfc3339()
        };
        assert_eq!(begins("2026-03-10", &Utc), "2026-03-10T00:00:00.000Z");
        assert_eq!(begins("2026-03-10", &TOKYO), "2026-03-09T15:00:00.000Z");
        assert_eq!(begins("2026-03-29", &BERLIN), "2026-03-28T23:00:00.000Z");
        assert_eq!(begins("2026-03-30", &BERLIN), "2026-03-29T22:00:00.000Z");
        assert_eq!(begins("2026-10-25", &BERLIN), "2026-10-24T22:00:00.000Z");
        assert_eq!(begins("2026-09-06", &SANTIAGO), "2026-09-06T04:00:00.000Z");
    }

    proptest! {
        #[test]
        fn no_text_makes_parsing_fail_badly(text in "\\PC{0,40}") {
            let _ = SourceDate::parse(&text);
        }
    }
}
