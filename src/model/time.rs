//! Instants: RFC 3339 in UTC on the way out, what people write on the way in; and where a day begins in a zone.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use time::{Date, Month, OffsetDateTime, PrimitiveDateTime, Time, UtcOffset};

/// An instant: milliseconds since 1970-01-01T00:00:00Z, within the years 1 to 9999.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Timestamp(i64);

/// 0001-01-01T00:00:00Z.
const FIRST: i64 = -62_135_596_800_000;
/// 9999-12-31T23:59:59.999Z.
const LAST: i64 = 253_402_300_799_999;
/// Milliseconds of a day.
pub const DAY_MILLIS: i64 = 86_400_000;

impl Timestamp {
    /// The instant, moved into the years 1 to 9999 if it lies outside.
    pub const fn from_millis(millis: i64) -> Self {
        if millis < FIRST {
            Timestamp(FIRST)
        } else if millis > LAST {
            Timestamp(LAST)
        } else {
            Timestamp(millis)
        }
    }

    /// Milliseconds since 1970.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Later, or earlier with a negative number; never outside the years 1 to 9999.
    pub const fn plus_millis(self, millis: i64) -> Self {
        Timestamp::from_millis(self.0.saturating_add(millis))
    }

    /// The same with days of 24 hours.
    pub const fn plus_days(self, days: i64) -> Self {
        self.plus_millis(days.saturating_mul(DAY_MILLIS))
    }

    /// `2026-03-10T02:00:00.000Z`: always UTC, always milliseconds, so that text sorts like time.
    pub fn rfc3339(self) -> String {
        let time = self.utc();
        format!(
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
            time.year(),
            u8::from(time.month()),
            time.day(),
            time.hour(),
            time.minute(),
            time.second(),
            time.millisecond()
        )
    }

    /// Reads RFC 3339, section 5.6: an offset is required, `t` and `z` may be small, a leap second counts as the
    /// millisecond before the next minute.
    pub fn parse_rfc3339(text: &str) -> Option<Self> {
        let parsed = Parts::parse(text)?;
        let (time, offset) = (parsed.time?, parsed.offset_minutes?);
        instant(parsed.date, time, offset)
    }

    fn utc(self) -> OffsetDateTime {
        // The range of this type lies within the range of that one.
        OffsetDateTime::from_unix_timestamp_nanos(i128::from(self.0) * 1_000_000)
            .unwrap_or(OffsetDateTime::UNIX_EPOCH)
    }

    /// Year, month and day on the wall calendar of a zone that is ahead by so many minutes.
    pub(crate) fn local_date(self, offset_minutes: i32) -> Date {
        self.plus_millis(i64::from(offset_minutes) * 60_000)
            .utc()
            .date()
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
        Timestamp::parse_rfc3339(&text)
            .ok_or_else(|| serde::de::Error::custom("expected an RFC 3339 instant"))
    }
}

/// Milliseconds into a day.
type DayMillis = i64;

fn instant(date: Date, time: DayMillis, offset_minutes: i32) -> Option<Timestamp> {
    let midnight = PrimitiveDateTime::new(date, Time::MIDNIGHT)
        .assume_utc()
        .unix_timestamp();
    let millis = midnight * 1_000 + time - i64::from(offset_minutes) * 60_000;
    (FIRST..=LAST)
        .contains(&millis)
        .then_some(Timestamp(millis))
}

/// A date with an optional time and offset, as people and programs write it.
pub(crate) struct Parts {
    pub(crate) date: Date,
    pub(crate) time: Option<DayMillis>,
    pub(crate) offset_minutes: Option<i32>,
}

impl Parts {
    /// `YYYY-MM-DD`, then optionally `T` or a blank, `HH:MM[:SS[.fraction]]`, and optionally `Z` or `±HH:MM`.
    pub(crate) fn parse(text: &str) -> Option<Parts> {
        let (date, rest) = text.split_at_checked(10)?;
        let date = parse_date(date)?;
        if rest.is_empty() {
            return Some(Parts {
                date,
                time: None,
                offset_minutes: None,
            });
        }
        let rest = rest.strip_prefix(['T', 't', ' '])?;
        let offset_start = rest.find(['Z', 'z', '+', '-']).unwrap_or(rest.len());
        let (time, offset) = rest.split_at_checked(offset_start)?;
        let offset_minutes = if offset.is_empty() {
            None
        } else {
            Some(parse_offset(offset)?)
        };
        Some(Parts {
            date,
            time: Some(parse_time(time)?),
            offset_minutes,
        })
    }

    /// The instant; without an offset the time is read in a zone ahead by so many minutes.
    pub(crate) fn instant(&self, naive_offset_minutes: i32) -> Option<Timestamp> {
        instant(
            self.date,
            self.time.unwrap_or(0),
            self.offset_minutes.unwrap_or(naive_offset_minutes),
        )
    }
}

fn digits(text: &str, length: usize) -> Option<u32> {
    (text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| text.parse().ok())?
}

fn parse_date(text: &str) -> Option<Date> {
    let mut parts = text.split('-');
    let (year, month, day) = (
        digits(parts.next()?, 4)?,
        digits(parts.next()?, 2)?,
        digits(parts.next()?, 2)?,
    );
    let month = Month::try_from(u8::try_from(month).ok()?).ok()?;
    Date::from_calendar_date(i32::try_from(year).ok()?, month, u8::try_from(day).ok()?).ok()
}

fn parse_time(text: &str) -> Option<DayMillis> {
    let (whole, fraction) = text
        .split_once('.')
        .map_or((text, None), |(whole, fraction)| (whole, Some(fraction)));
    let mut parts = whole.split(':');
    let (hour, minute) = (digits(parts.next()?, 2)?, digits(parts.next()?, 2)?);
    let second = parts.next().map_or(Some(0), |text| digits(text, 2))?;
    if parts.next().is_some() || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let millis = match fraction {
        None => 0,
        Some(fraction)
            if (1..=9).contains(&fraction.len())
                && fraction.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            format!("{fraction:0<3}").get(..3)?.parse().ok()?
        }
        Some(_) => return None,
    };
    let (second, millis) = if second == 60 {
        (59, 999)
    } else {
        (second, millis)
    };
    Some(i64::from((hour * 60 + minute) * 60 + second) * 1_000 + millis)
}

fn parse_offset(text: &str) -> Option<i32> {
    if text.eq_ignore_ascii_case("z") {
        return Some(0);
    }
    let (sign, rest) = text.split_at_checked(1)?;
    let (hours, minutes) = rest.split_once(':')?;
    let (hours, minutes) = (digits(hours, 2)?, digits(minutes, 2)?);
    let offset =
        UtcOffset::from_hms(i8::try_from(hours).ok()?, i8::try_from(minutes).ok()?, 0).ok()?;
    let minutes = offset.whole_seconds() / 60;
    Some(if sign == "-" { -minutes } else { minutes })
}

/// A zone: its offset from UTC in minutes at an instant.
pub trait ZoneOffset {
    /// Minutes ahead of UTC.
    fn offset_minutes(&self, at: Timestamp) -> i32;
}

/// The zone UTC.
#[derive(Debug, Clone, Copy)]
pub struct Utc;

impl ZoneOffset for Utc {
    fn offset_minutes(&self, _at: Timestamp) -> i32 {
        0
    }
}

/// The first instant of a calendar day in a zone. Where clocks skip midnight it is the instant after the gap.
pub(crate) fn local_midnight(date: Date, zone: &dyn ZoneOffset) -> Timestamp {
    let as_utc = instant(date, 0, 0).unwrap_or(Timestamp(FIRST));
    // The day before and the day after bound every offset that can be in force around this midnight.
    let (before, after) = (
        zone.offset_minutes(as_utc.plus_days(-1)),
        zone.offset_minutes(as_utc.plus_days(1)),
    );
    let candidates = [before.max(after), before.min(after)]
        .map(|offset| as_utc.plus_millis(-i64::from(offset) * 60_000));
    candidates
        .into_iter()
        .find(|at| at.local_date(zone.offset_minutes(*at)) == date)
        .unwrap_or(as_utc)
}

/// A zone by a table of `(from, minutes)`, for tests.
#[cfg(test)]
pub(crate) struct FixedTable(pub(crate) &'static [(&'static str, i32)]);

#[cfg(test)]
impl ZoneOffset for FixedTable {
    fn offset_minutes(&self, at: Timestamp) -> i32 {
        let from = |text: &str| Timestamp::parse_rfc3339(text).unwrap();
        self.0
            .iter()
            .rev()
            .find(|(start, _)| from(start) <= at)
            .map_or(self.0[0].1, |(_, minutes)| *minutes)
    }
}

#[cfg(test)]
pub(crate) const BERLIN: FixedTable = FixedTable(&[
    ("2025-10-26T01:00:00Z", 60),
    ("2026-03-29T01:00:00Z", 120),
    ("2026-10-25T01:00:00Z", 60),
]);
#[cfg(test)]
pub(crate) const TOKYO: FixedTable = FixedTable(&[("1970-01-01T00:00:00Z", 540)]);
/// Clocks go from 23:59:59 to 01:00:00 on 6 September.
#[cfg(test)]
pub(crate) const SANTIAGO: FixedTable = FixedTable(&[
    ("2026-04-05T03:00:00Z", -240),
    ("2026-09-06T04:00:00Z", -180),
]);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse_rfc3339(text).unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn instants_are_written_in_utc_with_milliseconds() {
        assert_eq!(
            Timestamp::from_millis(0).rfc3339(),
            "1970-01-01T00:00:00.000Z"
        );
        assert_eq!(
            at("2026-03-10T09:00:00.5+09:00").rfc3339(),
            "2026-03-10T00:00:00.500Z"
        );
        assert_eq!(
            at("2026-03-10t09:00:00z").rfc3339(),
            "2026-03-10T09:00:00.000Z"
        );
        assert_eq!(
            at("2016-12-31T23:59:60Z").rfc3339(),
            "2016-12-31T23:59:59.999Z"
        );
    }

    #[test]
    fn what_is_no_instant_is_not_read() {
        for text in [
            "",
            "2026-03-10",
            "2026-03-10T09:00:00",
            "2026-02-30T00:00:00Z",
            "2026-03-10T24:00:00Z",
            "2026-03-10T09:00:00+9:00",
            "2026-03-10T09:00:00.Z",
            "２026-03-10T09:00:00Z",
        ] {
            assert_eq!(Timestamp::parse_rfc3339(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_parsing_fail_badly(text in "\\PC{0,40}") {
            let _ = Timestamp::parse_rfc3339(&text);
        }

        #[test]
        fn every_instant_survives_its_text(millis in FIRST..=LAST) {
            let instant = Timestamp::from_millis(millis);
            prop_assert_eq!(Timestamp::parse_rfc3339(&instant.rfc3339()), Some(instant));
        }
    }
}
