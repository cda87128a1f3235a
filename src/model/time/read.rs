//! Reads RFC 3339 and what programs write in its stead. Only shapes that can mean one thing: no `03/10/2026`, no numbers
//! of seconds, no names of months. What lacks an offset is handed over as what a clock on the wall shows, and the caller
//! says whose wall it was.

use time::{Date, Month, Time};

use super::zone::{first_instant, wall_midnight};
use super::{MINUTE_MILLIS, Timestamp, ZoneOffset};

/// A date, perhaps with a time, perhaps with an offset, all of them possible ones. The year is 0001 to 9999.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Parts {
    /// The day on the calendar.
    pub(crate) date: Date,
    /// The time on the clock.
    pub(crate) time: Option<ClockTime>,
    /// How far the clock is ahead of UTC. There is none without a time.
    pub(crate) offset_minutes: Option<i32>,
}

/// A time that a clock shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ClockTime {
    /// Since midnight.
    millis: i64,
    /// The clock shows second 60; `millis` is then the last millisecond before it.
    leap: bool,
}

/// Why a text has no [`Parts`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unreadable {
    /// It does not look like a date.
    Form,
    /// It looks like one, but there is no such day, time or offset.
    NoSuchDate,
}

impl Parts {
    /// `YYYY-MM-DD`, then perhaps `T`, `t` or a blank and `HH:MM[:SS[.fraction]]`, then perhaps `Z`, `z`, `±HH:MM` or
    /// `±HHMM`. Decimals beyond milliseconds are dropped.
    pub(crate) fn read(text: &str) -> Result<Parts, Unreadable> {
        Fields::take(text, true).ok_or(Unreadable::Form)?.checked()
    }

    /// [`Parts::read`] for callers that need no reason.
    pub(crate) fn parse(text: &str) -> Option<Parts> {
        Parts::read(text).ok()
    }

    /// The same without what RFC 3339 does not have: times need seconds, offsets a colon.
    pub(super) fn strict(text: &str) -> Result<Parts, Unreadable> {
        Fields::take(text, false).ok_or(Unreadable::Form)?.checked()
    }

    /// The instant, if a time and its offset are given.
    pub(super) fn own_instant(&self) -> Option<Timestamp> {
        self.instant(self.offset_minutes?)
    }

    /// The instant. Without an offset the clock counts as so many minutes ahead of UTC, without a time it is midnight.
    /// `None` outside of the years 0001 to 9999 in UTC, and for a leap second where none can be.
    pub(crate) fn instant(&self, clock_offset_minutes: i32) -> Option<Timestamp> {
        let offset = i64::from(self.offset_minutes.unwrap_or(clock_offset_minutes));
        self.if_possible(Timestamp::in_range(self.wall() - offset * MINUTE_MILLIS)?)
    }

    /// The instant. Without an offset it is the first at which clocks of this zone show the time (when they skip it, the
    /// first after), without a time the first of the day. `None` as with [`Parts::instant`].
    pub(crate) fn instant_in(&self, zone: &dyn ZoneOffset) -> Option<Timestamp> {
        match self.offset_minutes {
            Some(offset) => self.instant(offset),
            None => self.if_possible(first_instant(self.wall(), zone)),
        }
    }

    /// Milliseconds since 1970, if the clock were in UTC.
    fn wall(&self) -> i64 {
        wall_midnight(self.date) + self.time.map_or(0, |time| time.millis)
    }

    /// RFC 3339 section 5.7: leap seconds are at the end of a month, in UTC.
    fn if_possible(&self, at: Timestamp) -> Option<Timestamp> {
        let leap = self.time.is_some_and(|time| time.leap);
        let next = at.plus_millis(1).utc();
        (!leap || (next.day() == 1 && next.time() == Time::MIDNIGHT)).then_some(at)
    }
}

/// The numbers of a text in the right shape, not yet checked.
struct Fields {
    year: u16,
    month: u16,
    day: u16,
    clock: Option<Clock>,
}

struct Clock {
    hour: u16,
    minute: u16,
    second: u16,
    millisecond: u16,
    offset: Option<Offset>,
}

struct Offset {
    behind: bool,
    hours: u16,
    minutes: u16,
}

impl Fields {
    fn take(text: &str, lenient: bool) -> Option<Fields> {
        let mut rest = Rest(text.as_bytes());
        let year = rest.number(4)?;
        rest.one_of(b"-")?;
        let month = rest.number(2)?;
        rest.one_of(b"-")?;
        let day = rest.number(2)?;
        let clock = match rest.0 {
            [] => None,
            _ => Some(Clock::take(&mut rest, lenient)?),
        };
        rest.0.is_empty().then_some(Fields {
            year,
            month,
            day,
            clock,
        })
    }

    fn checked(&self) -> Result<Parts, Unreadable> {
        let date = self.date().ok_or(Unreadable::NoSuchDate)?;
        let Some(clock) = &self.clock else {
            return Ok(Parts {
                date,
                time: None,
                offset_minutes: None,
            });
        };
        let time = clock.time().ok_or(Unreadable::NoSuchDate)?;
        let offset = clock
            .offset
            .as_ref()
            .map(|offset| offset.in_minutes().ok_or(Unreadable::NoSuchDate));
        Ok(Parts {
            date,
            time: Some(time),
            offset_minutes: offset.transpose()?,
        })
    }

    fn date(&self) -> Option<Date> {
        let month = Month::try_from(u8::try_from(self.month).ok()?).ok()?;
        let date = Date::from_calendar_date(self.year.into(), month, u8::try_from(self.day).ok()?);
        date.ok().filter(|date| date.year() > 0)
    }
}

impl Clock {
    fn take(rest: &mut Rest<'_>, lenient: bool) -> Option<Clock> {
        rest.one_of(b"Tt ")?;
        let hour = rest.number(2)?;
        rest.one_of(b":")?;
        let minute = rest.number(2)?;
        let (mut second, mut millisecond) = (0, 0);
        if rest.one_of(b":").is_some() {
            second = rest.number(2)?;
            if rest.one_of(b".").is_some() {
                millisecond = rest.millisecond()?;
            }
        } else if !lenient {
            return None;
        }
        let offset = match rest.0 {
            [] => None,
            _ => Some(Offset::take(rest, lenient)?),
        };
        Some(Clock {
            hour,
            minute,
            second,
            millisecond,
            offset,
        })
    }

    fn time(&self) -> Option<ClockTime> {
        if self.hour > 23 || self.minute > 59 || self.second > 60 {
            return None;
        }
        let leap = self.second == 60;
        let (second, millisecond) = if leap {
            (59, 999)
        } else {
            (self.second, self.millisecond)
        };
        let minutes = i64::from(self.hour) * 60 + i64::from(self.minute);
        let millis = minutes * MINUTE_MILLIS + i64::from(second) * 1_000 + i64::from(millisecond);
        Some(ClockTime { millis, leap })
    }
}

impl Offset {
    fn take(rest: &mut Rest<'_>, lenient: bool) -> Option<Offset> {
        let sign = rest.one_of(b"Zz+-")?;
        if matches!(sign, b'Z' | b'z') {
            return Some(Offset {
                behind: false,
                hours: 0,
                minutes: 0,
            });
        }
        let hours = rest.number(2)?;
        if rest.one_of(b":").is_none() && !lenient {
            return None;
        }
        let minutes = rest.number(2)?;
        Some(Offset {
            behind: sign == b'-',
            hours,
            minutes,
        })
    }

    fn in_minutes(&self) -> Option<i32> {
        if self.hours > 23 || self.minutes > 59 {
            return None;
        }
        let minutes = i32::from(self.hours) * 60 + i32::from(self.minutes);
        Some(if self.behind { -minutes } else { minutes })
    }
}

/// What is still to be read.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    /// A number of exactly so many digits (at most four).
    fn number(&mut self, digits: usize) -> Option<u16> {
        let (number, rest) = self.0.split_at_checked(digits)?;
        if !number.iter().all(u8::is_ascii_digit) {
            return None;
        }
        self.0 = rest;
        Some(decimal(number.iter()))
    }

    /// One of these characters.
    fn one_of(&mut self, allowed: &[u8]) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        if !allowed.contains(first) {
            return None;
        }
        self.0 = rest;
        Some(*first)
    }

    /// All digits there are, at least one; those after the third are dropped.
    fn millisecond(&mut self) -> Option<u16> {
        let count = self
            .0
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let (digits, rest) = self.0.split_at_checked(count)?;
        if digits.is_empty() {
            return None;
        }
        self.0 = rest;
        Some(decimal(digits.iter().chain(b"000").take(3)))
    }
}

fn decimal<'a>(digits: impl Iterator<Item = &'a u8>) -> u16 {
    digits.fold(0, |all, digit| all * 10 + u16::from(digit - b'0'))
}

#[cfg(test)]
mod tests;
