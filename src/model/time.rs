//! Instants: RFC 3339 in UTC on the way out, what people and programs write on the way in; and where a day begins in
//! the owner's zone. Asks neither a clock nor the system for a zone; both come in as parameters.
//!
//! Out goes one spelling, `2026-03-10T02:00:00.000Z`.

mod read;
mod zone;

#[cfg(test)]
pub(crate) mod zones;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use time::{Duration, UtcDateTime};

pub(crate) use read::{Parts, Unreadable};
pub use zone::{Utc, ZoneOffset};
pub(crate) use zone::{local_date, local_midnight};
#[cfg(test)]
pub(crate) use zones::{BERLIN, SANTIAGO, TOKYO};

/// 0001-01-01T00:00:00Z. RFC 3339 has years of four digits, and nobody's calendar has a year 0.
const FIRST: i64 = -62_135_596_800_000;
/// 9999-12-31T23:59:59.999Z.
const LAST: i64 = 253_402_300_799_999;
/// Milliseconds of a minute.
pub const MINUTE_MILLIS: i64 = 60_000;
/// Milliseconds of an hour.
pub const HOUR_MILLIS: i64 = 3_600_000;
/// Milliseconds of a day of 24 hours.
pub const DAY_MILLIS: i64 = 86_400_000;

/// An instant: milliseconds since 1970-01-01T00:00:00Z, within the years 0001 to 9999. Serialized as
/// [`Timestamp::rfc3339`], deserialized by [`Timestamp::parse_rfc3339`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The instant so many milliseconds after 1970-01-01T00:00:00Z; one beyond the range becomes the range's end.
    pub const fn from_millis(millis: i64) -> Self {
        if millis < FIRST {
            Timestamp(FIRST)
        } else if millis > LAST {
            Timestamp(LAST)
        } else {
            Timestamp(millis)
        }
    }

    /// The same, or `None` beyond the range.
    pub(crate) fn in_range(millis: i64) -> Option<Self> {
        (FIRST..=LAST)
            .contains(&millis)
            .then_some(Timestamp(millis))
    }

    /// Milliseconds since 1970-01-01T00:00:00Z, negative before.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// So many milliseconds later (earlier if negative), at most the range's end.
    #[must_use]
    pub const fn plus_millis(self, millis: i64) -> Self {
        Timestamp::from_millis(self.0.saturating_add(millis))
    }

    /// So many times 24 hours later (earlier if negative), at most the range's end. Calendar days of a zone are
    /// sometimes shorter or longer.
    #[must_use]
    pub const fn plus_days(self, days: i64) -> Self {
        self.plus_millis(days.saturating_mul(DAY_MILLIS))
    }

    /// `2026-03-10T02:00:00.000Z`: RFC 3339, always UTC, always three decimals, so that texts sort as instants do.
    pub fn rfc3339(self) -> String {
        let at = self.utc();
        let (year, month, day) = (at.year(), u8::from(at.month()), at.day());
        let (hour, minute, second, millisecond) = at.as_hms_milli();
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millisecond:03}Z")
    }

    /// Reads a `date-time` of RFC 3339 section 5.6: the offset is required, `t` and `z` may be lower-case, a blank may
    /// stand for `T`. Decimals beyond milliseconds are cut off. Second 60 is read as 59.999, and only where a leap
    /// second can be: in the last minute of a month in UTC. `None` for anything else and outside of the range.
    pub fn parse_rfc3339(text: &str) -> Option<Self> {
        Parts::strict(text).ok()?.own_instant()
    }

    fn utc(self) -> UtcDateTime {
        UtcDateTime::UNIX_EPOCH.saturating_add(Duration::milliseconds(self.0))
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.rfc3339())
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Timestamp::parse_rfc3339(&text).ok_or_else(|| {
            serde::de::Error::custom("must be a time with its offset, such as 2026-03-10T02:00:00Z")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse_rfc3339(text).unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn instants_are_written_in_utc_with_three_decimals() {
        for (millis, expected) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (1_773_108_000_007, "2026-03-10T02:00:00.007Z"),
            (i64::MIN, "0001-01-01T00:00:00.000Z"),
            (i64::MAX, "9999-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(Timestamp::from_millis(millis).rfc3339(), expected);
        }
    }

    #[test]
    fn what_is_stored_at_two_in_utc_is_shown_as_two_in_utc() {
        // U-80
        let created_at = serde_json::to_value(at("2026-03-10T02:00:00Z")).unwrap();
        assert_eq!(created_at, "2026-03-10T02:00:00.000Z");
        let read = serde_json::from_value::<Timestamp>(created_at).unwrap();
        assert_eq!(read.millis(), 1_773_108_000_000);
    }

    #[test]
    fn instants_stop_at_the_ends_of_the_range() {
        let (first, last) = (Timestamp::from_millis(FIRST), Timestamp::from_millis(LAST));
        assert_eq!(Timestamp::from_millis(FIRST - 1), first);
        assert_eq!(Timestamp::from_millis(LAST + 1), last);
        assert_eq!((first.plus_millis(-1), last.plus_millis(1)), (first, last));
        assert_eq!(first.plus_days(i64::MIN), first);
        assert_eq!(last.plus_days(i64::MAX), last);
        assert_eq!(first.plus_millis(1).millis(), FIRST + 1);
        assert_eq!(last.plus_millis(-1).millis(), LAST - 1);
        let ten_days_back = at("2026-03-10T02:00:00Z").plus_days(-10);
        assert_eq!(ten_days_back, at("2026-02-28T02:00:00Z"));
    }

    #[test]
    fn rfc_3339_is_read() {
        for (text, expected) in [
            ("2026-03-10T02:00:00Z", "2026-03-10T02:00:00.000Z"),
            ("2026-03-10t02:00:00z", "2026-03-10T02:00:00.000Z"),
            ("2026-03-10 02:00:00Z", "2026-03-10T02:00:00.000Z"),
            ("2026-03-10T09:00:00+09:00", "2026-03-10T00:00:00.000Z"),
            ("2026-03-09T20:30:00-03:30", "2026-03-10T00:00:00.000Z"),
            ("2026-03-10T00:00:00-00:00", "2026-03-10T00:00:00.000Z"),
            ("2026-03-10T23:59:00+23:59", "2026-03-10T00:00:00.000Z"),
            ("2026-03-10T02:00:00.5Z", "2026-03-10T02:00:00.500Z"),
            ("2026-03-10T02:00:00.0009999Z", "2026-03-10T02:00:00.000Z"),
            (
                "2026-03-10T02:00:00.12345678901Z",
                "2026-03-10T02:00:00.123Z",
            ),
            ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"),
            ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
            ("9999-12-31T23:59:59.9999Z", "9999-12-31T23:59:59.999Z"),
            // The examples of section 5.8.
            ("1985-04-12T23:20:50.52Z", "1985-04-12T23:20:50.520Z"),
            ("1996-12-19T16:39:57-08:00", "1996-12-20T00:39:57.000Z"),
            ("1990-12-31T23:59:60Z", "1990-12-31T23:59:59.999Z"),
            ("1990-12-31T15:59:60-08:00", "1990-12-31T23:59:59.999Z"),
            ("1937-01-01T12:00:27.87+00:20", "1937-01-01T11:40:27.870Z"),
        ] {
            assert_eq!(at(text).rfc3339(), expected, "{text}");
        }
    }

    #[test]
    fn a_leap_second_is_read_only_where_one_can_be() {
        assert_eq!(
            at("2016-12-31T23:59:60.7Z").rfc3339(),
            "2016-12-31T23:59:59.999Z"
        );
        for text in [
            "1998-12-31T23:58:60Z",
            "1998-12-31T22:59:60Z",
            "1998-12-30T23:59:60Z",
            "1999-01-01T12:00:60Z",
            "1998-12-31T23:59:60+01:00",
            "1998-12-31T23:59:61Z",
        ] {
            assert_eq!(Timestamp::parse_rfc3339(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_not_rfc_3339_is_not_read_as_an_instant() {
        for text in [
            "",
            "Z",
            "2026-03-10",
            "2026-03-10T",
            "2026-03-10T02:00:00",
            "2026-03-10T02:00Z",
            "2026-03-10T02:00:00+0900",
            "2026-03-10T02:00:00+09",
            "2026-03-10T02:00:00+09:0",
            "2026-03-10T02:00:00+24:00",
            "2026-03-10T02:00:00+09:60",
            "2026-03-10T02:00:00ZZ",
            "2026-03-10T02:00:00Z ",
            " 2026-03-10T02:00:00Z",
            "2026-03-10T02:00:00 Z",
            "2026-03-10T02:00:00.Z",
            "2026-03-10T02:00:00,5Z",
            "2026-03-10T24:00:00Z",
            "2026-03-10T02:60:00Z",
            "2026-02-30T02:00:00Z",
            "2026-13-01T02:00:00Z",
            "2026-00-01T02:00:00Z",
            "2026-03-00T02:00:00Z",
            "2025-02-29T00:00:00Z",
            "0000-01-01T00:00:00Z",
            "+2026-03-10T02:00:00Z",
            "-2026-03-10T02:00:00Z",
            "12026-03-10T02:00:00Z",
            "26-03-10T02:00:00Z",
            "2026-3-10T02:00:00Z",
            "20260310T020000Z",
            "2026-W11-2T02:00:00Z",
            "0001-01-01T00:00:00+00:01",
            "9999-12-31T23:59:59-00:01",
            "２０２６-03-10T02:00:00Z",
            "2026\u{2010}03-10T02:00:00Z",
            "2026-03-10T02:00:00\u{2212}09:00",
            "1773108000",
            "2026-03-10T02:00:00Z\0",
        ] {
            assert_eq!(Timestamp::parse_rfc3339(text), None, "{text:?}");
        }
    }

    #[test]
    fn an_instant_in_json_is_a_text_with_an_offset() {
        for wrong in [
            "1773108000000",
            "\"2026-03-10\"",
            "\"2026-03-10T02:00:00\"",
            "null",
        ] {
            assert!(serde_json::from_str::<Timestamp>(wrong).is_err(), "{wrong}");
        }
        let error = serde_json::from_str::<Timestamp>("\"soon\"").unwrap_err();
        assert!(
            error.to_string().contains("2026-03-10T02:00:00Z"),
            "{error}"
        );
    }

    proptest! {
        #[test]
        fn no_text_makes_reading_fail_badly(text in "\\PC{0,40}") {
            let _ = Timestamp::parse_rfc3339(&text);
        }

        #[test]
        fn every_instant_survives_its_text(millis in FIRST..=LAST) {
            let instant = Timestamp::from_millis(millis);
            prop_assert_eq!(Timestamp::parse_rfc3339(&instant.rfc3339()), Some(instant));
        }

        #[test]
        fn texts_sort_as_instants_do(one in FIRST..=LAST, other in FIRST..=LAST) {
            let (one, other) = (Timestamp::from_millis(one), Timestamp::from_millis(other));
            prop_assert_eq!(one.cmp(&other), one.rfc3339().cmp(&other.rfc3339()));
        }
    }
}
