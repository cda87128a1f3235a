//! From the calendar on the owner's wall to instants and back, given only what a zone's offset is at an instant. Nothing
//! here knows the names or the rules of zones.
//!
//! Days have 23 or 25 hours when clocks change, and now and then a midnight is skipped or comes twice. The rule for all
//! of it: **a time on the wall means the first instant at which the wall shows that or later.** So no day begins before
//! the one ahead of it, and a skipped midnight is the moment after the gap.

use time::{Date, Time};

use super::{HOUR_MILLIS, MINUTE_MILLIS, Timestamp};

/// No zone has been further from UTC than this (Manila was 15:56 behind until 1844). A time is looked for so far to both
/// sides; no zone has changed its clocks twice within those 32 hours.
const FURTHEST_OFFSET_MILLIS: i64 = 16 * HOUR_MILLIS;

/// A zone: how far its clocks are ahead of UTC. Given from outside, since the platform knows the zones.
pub trait ZoneOffset {
    /// Minutes the zone's clocks are ahead of UTC at this instant, negative west of Greenwich.
    fn offset_minutes(&self, at: Timestamp) -> i32;
}

/// The zone without an offset.
#[derive(Debug, Clone, Copy)]
pub struct Utc;

impl ZoneOffset for Utc {
    fn offset_minutes(&self, _at: Timestamp) -> i32 {
        0
    }
}

/// The day that calendars of the zone show at an instant.
pub(crate) fn local_date(at: Timestamp, zone: &dyn ZoneOffset) -> Date {
    Timestamp::from_millis(wall_at(at, zone)).utc().date()
}

/// The first instant of a day in the zone; where clocks skip midnight it is the instant after the gap. At the ends of
/// the range it stays in the range.
pub(crate) fn local_midnight(date: Date, zone: &dyn ZoneOffset) -> Timestamp {
    first_instant(wall_midnight(date), zone)
}

/// A day's midnight in milliseconds since 1970, if the wall were in UTC.
pub(super) fn wall_midnight(date: Date) -> i64 {
    date.with_time(Time::MIDNIGHT).assume_utc().unix_timestamp() * 1_000
}

fn wall_at(at: Timestamp, zone: &dyn ZoneOffset) -> i64 {
    at.millis() + offset_millis(at, zone)
}

fn offset_millis(at: Timestamp, zone: &dyn ZoneOffset) -> i64 {
    i64::from(zone.offset_minutes(at)) * MINUTE_MILLIS
}

/// The first instant at which the wall shows `wall` (milliseconds, as if in UTC) or later.
///
/// Asks for two offsets on an ordinary day and at most five around a change. Only a skipped time takes a search (some
/// twenty questions), because where exactly the gap lies is not known here.
pub(super) fn first_instant(wall: i64, zone: &dyn ZoneOffset) -> Timestamp {
    let as_utc = Timestamp::from_millis(wall);
    let before = offset_millis(as_utc.plus_millis(-FURTHEST_OFFSET_MILLIS), zone);
    let after = offset_millis(as_utc.plus_millis(FURTHEST_OFFSET_MILLIS), zone);
    let earlier = Timestamp::from_millis(wall - before.max(after));
    let later = Timestamp::from_millis(wall - before.min(after));
    if earlier == later || wall_at(earlier, zone) >= wall {
        return earlier;
    }
    if offset_millis(earlier, zone) == offset_millis(later, zone) {
        return later;
    }
    let (mut too_early, mut reached) = (earlier, later);
    while reached.millis() - too_early.millis() > 1 {
        let middle = Timestamp::from_millis(too_early.millis().midpoint(reached.millis()));
        if wall_at(middle, zone) >= wall {
            reached = middle;
        } else {
            too_early = middle;
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::time::zones::{
        APIA, BERLIN, HAVANA, NEW_YORK, SANTIAGO, ST_JOHNS, TOKYO, ZONES,
    };
    use proptest::prelude::*;

    fn date(text: &str) -> Date {
        crate::model::time::Parts::parse(text).unwrap().date
    }

    fn starts(day: &str, zone: &dyn ZoneOffset) -> String {
        local_midnight(date(day), zone).rfc3339()
    }

    fn hours_of(day: &str, zone: &dyn ZoneOffset) -> i64 {
        let (day, next) = (date(day), date(day).next_day().unwrap());
        (local_midnight(next, zone).millis() - local_midnight(day, zone).millis()) / HOUR_MILLIS
    }

    #[test]
    fn a_day_begins_at_the_owners_midnight() {
        assert_eq!(starts("2026-03-10", &Utc), "2026-03-10T00:00:00.000Z");
        assert_eq!(starts("2026-03-10", &TOKYO), "2026-03-09T15:00:00.000Z");
        assert_eq!(starts("2026-03-10", &BERLIN), "2026-03-09T23:00:00.000Z");
        assert_eq!(starts("2026-03-10", &NEW_YORK), "2026-03-10T04:00:00.000Z");
    }

    #[test]
    fn days_on_which_clocks_change_are_an_hour_shorter_or_longer() {
        assert_eq!(starts("2026-03-29", &BERLIN), "2026-03-28T23:00:00.000Z");
        assert_eq!(starts("2026-03-30", &BERLIN), "2026-03-29T22:00:00.000Z");
        assert_eq!(starts("2026-03-08", &NEW_YORK), "2026-03-08T05:00:00.000Z");
        assert_eq!(starts("2026-03-09", &NEW_YORK), "2026-03-09T04:00:00.000Z");
        for (day, zone, hours) in [
            ("2026-03-28", &BERLIN, 24),
            ("2026-03-29", &BERLIN, 23),
            ("2026-10-25", &BERLIN, 25),
            ("2026-03-08", &NEW_YORK, 23),
            ("2026-11-01", &NEW_YORK, 25),
        ] {
            assert_eq!(hours_of(day, zone), hours, "{day}");
        }
    }

    #[test]
    fn a_skipped_midnight_is_the_moment_after_the_gap() {
        assert_eq!(starts("2026-09-06", &SANTIAGO), "2026-09-06T04:00:00.000Z");
        assert_eq!(hours_of("2026-09-06", &SANTIAGO), 23);
    }

    #[test]
    fn a_skipped_day_is_over_when_it_begins() {
        assert_eq!(starts("2011-12-30", &APIA), "2011-12-30T10:00:00.000Z");
        assert_eq!(starts("2011-12-31", &APIA), "2011-12-30T10:00:00.000Z");
        assert_eq!(starts("2012-01-01", &APIA), "2011-12-31T10:00:00.000Z");
    }

    #[test]
    fn a_midnight_that_comes_twice_counts_from_the_first() {
        assert_eq!(starts("2026-11-01", &HAVANA), "2026-11-01T04:00:00.000Z");
        assert_eq!(hours_of("2026-11-01", &HAVANA), 25);
        assert_eq!(starts("2010-11-07", &ST_JOHNS), "2010-11-07T02:30:00.000Z");
    }

    #[test]
    fn the_calendar_turns_when_the_day_begins() {
        for zone in [&TOKYO, &BERLIN, &NEW_YORK, &SANTIAGO, &HAVANA] {
            let mut day = date("2026-01-01");
            for _ in 0..400 {
                let start = local_midnight(day, zone);
                assert_eq!(local_date(start, zone), day);
                assert_eq!(
                    Some(local_date(start.plus_millis(-1), zone)),
                    day.previous_day()
                );
                day = day.next_day().unwrap();
            }
        }
    }

    #[test]
    fn an_ordinary_day_costs_two_questions_and_a_change_at_most_five() {
        struct Counting<'a>(std::cell::Cell<usize>, &'a dyn ZoneOffset);
        impl ZoneOffset for Counting<'_> {
            fn offset_minutes(&self, at: Timestamp) -> i32 {
                self.0.set(self.0.get() + 1);
                self.1.offset_minutes(at)
            }
        }
        let count = |day: &str, zone: &dyn ZoneOffset| {
            let zone = Counting(0.into(), zone);
            starts(day, &zone);
            zone.0.get()
        };
        assert_eq!(count("2026-03-10", &BERLIN), 2);
        for day in [
            "2026-03-28",
            "2026-03-29",
            "2026-03-30",
            "2026-10-25",
            "2026-10-26",
        ] {
            assert!(count(day, &BERLIN) <= 5, "{day}");
        }
        assert!(count("2026-09-06", &SANTIAGO) < 40);
    }

    /// One change of clocks, in minutes.
    struct Change {
        at: Timestamp,
        before: i32,
        after: i32,
    }

    impl ZoneOffset for Change {
        fn offset_minutes(&self, at: Timestamp) -> i32 {
            if at < self.at {
                self.before
            } else {
                self.after
            }
        }
    }

    #[test]
    fn offsets_that_no_zone_has_do_no_harm() {
        for (before, after) in [(i32::MIN, i32::MAX), (i32::MAX, i32::MIN), (0, i32::MAX)] {
            let zone = Change {
                at: Timestamp::from_millis(0),
                before,
                after,
            };
            for day in ["0001-01-01", "1969-12-31", "1970-01-01", "9999-12-31"] {
                local_date(local_midnight(date(day), &zone), &zone);
            }
        }
    }

    proptest! {
        #[test]
        fn a_day_began_less_than_26_hours_before_each_of_its_instants(
            millis in 1_262_304_000_000i64..1_893_456_000_000,
        ) {
            let at = Timestamp::from_millis(millis);
            for zone in ZONES {
                let start = local_midnight(local_date(at, zone), zone);
                prop_assert!(start <= at && at.millis() - start.millis() < 26 * HOUR_MILLIS);
            }
        }

        #[test]
        fn a_time_on_the_wall_is_the_first_instant_that_shows_it_or_later(
            change in -50i64..50, wall in -100i64..100, before in -960i32..=960, after in -960i32..=960,
        ) {
            // A change of clocks and a wall time near it, in quarters of an hour around the start of 1970.
            let quarter = 15 * MINUTE_MILLIS;
            let zone = Change { at: Timestamp::from_millis(change * quarter), before, after };
            let found = first_instant(wall * quarter, &zone);
            prop_assert!(wall_at(found, &zone) >= wall * quarter, "not reached yet");
            prop_assert!(wall_at(found.plus_millis(-1), &zone) < wall * quarter, "reached before");
            prop_assert!(found <= first_instant(wall * quarter + 1, &zone), "not in order");
        }
    }
}
