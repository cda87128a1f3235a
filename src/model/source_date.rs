//! When a source said something: a day or an instant, kept as it was said.

use std::fmt;
use std::ops::RangeInclusive;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use time::{Date, Month};

use crate::model::time::{Parts, Timestamp, Utc, ZoneOffset, local_date, local_midnight};

/// Years a source may date itself to. A diary or an old letter may be centuries old; 0001-01-01 and 9999-12-31 are what
/// other systems write when they do not know.
pub const SOURCE_DATE_YEARS: RangeInclusive<i32> = 1000..=2200;

/// When a source says something is from: a day, or an instant. Serialized as [`SourceDate::to_text`], deserialized by
/// [`SourceDate::parse`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SourceDate {
    /// A day of the calendar, wherever the source was.
    Day {
        /// Within [`SOURCE_DATE_YEARS`].
        year: i32,
        /// 1 to 12.
        month: u8,
        /// 1 to the month's length.
        day: u8,
    },
    /// An instant whose year in UTC is within [`SOURCE_DATE_YEARS`].
    Instant(Timestamp),
}

/// A text that is no [`SourceDate`]. Shown, it says what is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DateError;

impl fmt::Display for DateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = (SOURCE_DATE_YEARS.start(), SOURCE_DATE_YEARS.end());
        write!(
            f,
            "must be a real day (2026-03-10) or time (2026-03-10T09:00:00+09:00, or without the offset in UTC) \
             in the years {first} to {last}"
        )
    }
}

impl std::error::Error for DateError {}

impl SourceDate {
    /// Reads what a source gives as its date:
    ///
    /// | text | becomes |
    /// | --- | --- |
    /// | `2026-03-10` | that day |
    /// | `2026-03-10T09:00:00+09:00` | that instant; the offset may also be `Z` or `+0900` |
    /// | `2026-03-10T09:00:00` | that time **in UTC**: nobody knows the zone of the program that wrote it |
    ///
    /// `T` may be a blank, seconds may be missing or have decimals, blanks around the text do not matter. Numbers of
    /// seconds since 1970 are not read: whoever has one knows its unit and makes a [`Timestamp`] of it.
    pub fn parse(text: &str) -> Result<Self, DateError> {
        let parts = Parts::parse(text.trim()).ok_or(DateError)?;
        // The year counts in UTC, in which the instant is kept, so that the stored text can be read again.
        let (date, year) = match parts.time {
            None => {
                let (year, month) = (parts.date.year(), parts.date.month().into());
                let day = parts.date.day();
                (SourceDate::Day { year, month, day }, year)
            }
            Some(_) => {
                let at = parts.instant(0).ok_or(DateError)?;
                (SourceDate::Instant(at), local_date(at, &Utc).year())
            }
        };
        if SOURCE_DATE_YEARS.contains(&year) {
            Ok(date)
        } else {
            Err(DateError)
        }
    }

    /// As it is stored and shown: `2026-03-10`, or RFC 3339 in UTC. [`SourceDate::parse`] reads the same date from it.
    pub fn to_text(&self) -> String {
        match self {
            SourceDate::Day { year, month, day } => format!("{year:04}-{month:02}-{day:02}"),
            SourceDate::Instant(at) => at.rfc3339(),
        }
    }

    /// The instant to sort and filter by: a day counts from its beginning in the owner's zone. A day made by hand that
    /// no calendar has counts as the nearest one.
    pub fn instant(&self, zone: &dyn ZoneOffset) -> Timestamp {
        match *self {
            SourceDate::Instant(at) => at,
            SourceDate::Day { year, month, day } => {
                let year = year.clamp(1, 9999);
                let month = Month::try_from(month.clamp(1, 12)).unwrap_or(Month::January);
                let date = Date::from_calendar_date(year, month, day.clamp(1, month.length(year)));
                local_midnight(date.unwrap_or(Date::MIN), zone)
            }
        }
    }
}

impl Serialize for SourceDate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_text())
    }
}

impl<'de> Deserialize<'de> for SourceDate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        SourceDate::parse(&text).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::time::{BERLIN, SANTIAGO, TOKYO};
    use proptest::prelude::*;

    fn kept(text: &str) -> String {
        let date = SourceDate::parse(text);
        date.unwrap_or_else(|error| panic!("{text} {error}"))
            .to_text()
    }

    #[test]
    fn offsets_and_missing_offsets_of_a_source_are_read_as_documented() {
        // U-83
        let day = SourceDate::Day {
            year: 2026,
            month: 3,
            day: 10,
        };
        assert_eq!(SourceDate::parse("2026-03-10"), Ok(day));
        assert_eq!(kept("2026-03-10"), "2026-03-10");
        for (text, expected) in [
            ("2026-03-10T09:00:00+09:00", "2026-03-10T00:00:00.000Z"),
            ("2026-03-10T09:00:00+0900", "2026-03-10T00:00:00.000Z"),
            ("2026-03-10T09:00:00", "2026-03-10T09:00:00.000Z"),
            (" 2026-03-10 09:00:00.5\n", "2026-03-10T09:00:00.500Z"),
            ("2026-03-10T09:00", "2026-03-10T09:00:00.000Z"),
            ("2016-12-31T23:59:60", "2016-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(kept(text), expected, "{text}");
        }
    }

    #[test]
    fn impossible_dates_placeholders_and_other_texts_are_refused() {
        // U-85
        let texts = "2026-02-30 | 0001-01-01 | 9999-12-31 | soon | 2026-13-01 | 2026-03-10T24:00:00 \
            | 2026 | 2026-03 | 03/10/2026 | March 10, 2026 | 20260310 | 1773108000 | 1773108000000 \
            | yesterday | 2026-03-10T | 2026-03-10T09 | 2026-03-10 09:00:00 PM | null";
        for text in texts.split(" | ").chain(["", " "]) {
            assert_eq!(SourceDate::parse(text), Err(DateError), "{text:?}");
        }
        assert_eq!(
            DateError.to_string(),
            "must be a real day (2026-03-10) or time (2026-03-10T09:00:00+09:00, or without the offset in UTC) \
             in the years 1000 to 2200"
        );
    }

    #[test]
    fn a_source_is_from_the_years_of_the_range_in_utc() {
        for (text, allowed) in [
            ("0999-12-31", false),
            ("1000-01-01", true),
            ("2200-12-31", true),
            ("2201-01-01", false),
            ("1000-01-01T00:00:00+01:00", false),
            ("0999-12-31T23:00:00-01:00", true),
            ("2200-12-31T23:59:59-01:00", false),
            ("2201-01-01T00:00:00+01:00", true),
        ] {
            assert_eq!(SourceDate::parse(text).is_ok(), allowed, "{text}");
        }
    }

    #[test]
    fn a_day_begins_at_midnight_where_the_owner_lives_and_an_instant_does_not_move() {
        let begins = |text: &str, zone: &dyn ZoneOffset| {
            SourceDate::parse(text).unwrap().instant(zone).rfc3339()
        };
        assert_eq!(begins("2026-03-10", &Utc), "2026-03-10T00:00:00.000Z");
        assert_eq!(begins("2026-03-10", &TOKYO), "2026-03-09T15:00:00.000Z");
        assert_eq!(begins("2026-03-29", &BERLIN), "2026-03-28T23:00:00.000Z");
        assert_eq!(begins("2026-03-30", &BERLIN), "2026-03-29T22:00:00.000Z");
        assert_eq!(begins("2026-09-06", &SANTIAGO), "2026-09-06T04:00:00.000Z");
        let instant = begins("2026-03-10T09:00:00", &TOKYO);
        assert_eq!(instant, "2026-03-10T09:00:00.000Z");
    }

    #[test]
    fn a_day_made_by_hand_counts_as_the_nearest_there_is() {
        for (year, month, day, expected) in [
            (2026, 2, 30, "2026-02-28T00:00:00.000Z"),
            (2026, 0, 0, "2026-01-01T00:00:00.000Z"),
            (2026, 99, 99, "2026-12-31T00:00:00.000Z"),
            (i32::MIN, 1, 1, "0001-01-01T00:00:00.000Z"),
            (i32::MAX, 1, 1, "9999-01-01T00:00:00.000Z"),
        ] {
            let date = SourceDate::Day { year, month, day };
            assert_eq!(date.instant(&Utc).rfc3339(), expected);
        }
    }

    proptest! {
        #[test]
        fn whatever_is_read_is_read_again_from_what_is_stored(
            text in "\\PC{0,40}|(0999|1000|2026|2200|2201)-(01-01|02-29|12-31)([T ]([01][0-9]|2[0-4]):[0-6][0-9](:00)?([Zz]|[+-]0[0-9]:?00)?)?",
        ) {
            if let Ok(date) = SourceDate::parse(&text) {
                prop_assert_eq!(SourceDate::parse(&date.to_text()), Ok(date));
                let json = serde_json::to_string(&date).unwrap();
                prop_assert_eq!(serde_json::from_str::<SourceDate>(&json).unwrap(), date);
            }
        }
    }
}
