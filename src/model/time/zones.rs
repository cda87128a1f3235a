//! Zones written out as tables, for tests, where the platform is not there to ask.

use super::{Timestamp, ZoneOffset};

/// A zone by rows of `(from, minutes ahead of UTC)` in order of time; the first row also holds before its instant.
pub(crate) struct FixedTable(pub(crate) &'static [(&'static str, i32)]);

impl ZoneOffset for FixedTable {
    fn offset_minutes(&self, at: Timestamp) -> i32 {
        let from = |text: &str| Timestamp::parse_rfc3339(text).unwrap();
        let past = self.0.iter().rev().find(|(start, _)| from(start) <= at);
        past.unwrap_or(&self.0[0]).1
    }
}

/// Asia/Tokyo, always nine hours ahead.
pub(crate) const TOKYO: FixedTable = FixedTable(&[("1970-01-01T00:00:00Z", 540)]);

/// Europe/Berlin in 2026.
pub(crate) const BERLIN: FixedTable = FixedTable(&[
    ("2025-10-26T01:00:00Z", 60),
    ("2026-03-29T01:00:00Z", 120),
    ("2026-10-25T01:00:00Z", 60),
]);

/// America/New_York in 2026.
pub(crate) const NEW_YORK: FixedTable = FixedTable(&[
    ("2025-11-02T06:00:00Z", -300),
    ("2026-03-08T07:00:00Z", -240),
    ("2026-11-01T06:00:00Z", -300),
]);

/// America/Santiago in 2026: on 6 September clocks go from 23:59:59 to 01:00.
pub(crate) const SANTIAGO: FixedTable = FixedTable(&[
    ("2026-04-05T03:00:00Z", -240),
    ("2026-09-06T04:00:00Z", -180),
]);

/// America/Havana in 2026: on 1 November clocks go from 00:59:59 back to midnight.
pub(crate) const HAVANA: FixedTable = FixedTable(&[
    ("2026-03-08T05:00:00Z", -240),
    ("2026-11-01T05:00:00Z", -300),
]);

/// Pacific/Apia, where 30 December 2011 was left out.
pub(crate) const APIA: FixedTable = FixedTable(&[
    ("2011-09-24T14:00:00Z", -600),
    ("2011-12-30T10:00:00Z", 840),
]);

/// America/St_Johns in 2010: on 7 November, one minute after midnight, clocks went back into 6 November.
pub(crate) const ST_JOHNS: FixedTable = FixedTable(&[
    ("2010-03-14T03:31:00Z", -150),
    ("2010-11-07T02:31:00Z", -210),
]);

/// Zones whose days all begin once, for properties that must hold in each.
pub(crate) const ZONES: [&FixedTable; 6] = [&TOKYO, &BERLIN, &NEW_YORK, &SANTIAGO, &HAVANA, &APIA];
