//! What holds for every text, every instant and every zone.

use super::*;
use crate::model::time::zones::ZONES;
use proptest::prelude::*;

/// Forms that are always understood, whatever day it is.
const FORMS: &str = "2026-03-01T09:00:00+01:00 | 2026-03-01 09:00 | 2026-03-01 | 2026-03 | 2026 | now \
    | today | yesterday | tomorrow | 20 minutes ago | 5 hours ago | an hour ago \
    | 3 days ago | one day ago | a week ago | 2 weeks ago | 3 months ago \
    | twelve years ago | last 30 minutes | last 3 hours | last 3 days | last 2 weeks \
    | last 3 months | last 2 years | past 3 days | last minute | last hour | last day \
    | past week | past month | past year | this week | last week | this month \
    | last month | this year | last year | monday | sunday | last monday | last sunday";

/// A zone that is always so many minutes ahead of UTC.
struct Ahead(i32);

impl ZoneOffset for Ahead {
    fn offset_minutes(&self, _at: Timestamp) -> i32 {
        self.0
    }
}

/// 2010 to 2030, which holds every change of their clocks.
fn instants() -> impl Strategy<Value = Timestamp> {
    (1_262_304_000_000i64..1_893_456_000_000).prop_map(Timestamp::from_millis)
}

proptest! {
    #[test]
    fn no_text_makes_it_fail_badly(text in "\\PC{0,60}", now in any::<i64>(), zone in 0..ZONES.len()) {
        let zone = ZONES[zone];
        for edge in [Edge::After, Edge::Before] {
            if let Err(error) = parse_edge(&text, edge, Timestamp::from_millis(now), zone) {
                prop_assert!(error.to_string().contains("last 3 days"));
            }
        }
    }

    #[test]
    fn no_text_that_resembles_a_date_does_either(
        text in "(since )?(last |past |this )?(-?[0-9]{1,22}|an?|ten) (minute|hour|day|week|month|year)s?( ago)?|[0-9]{4}(-[0-9]{2}){0,2}([ t][0-9]{2}:[0-9]{2})?z?",
        now in any::<i64>(), minutes in any::<i32>(),
    ) {
        let _ = parse_edge(&text, Edge::After, Timestamp::from_millis(now), &Ahead(minutes));
    }

    #[test]
    fn the_same_words_on_a_later_day_never_name_an_earlier_instant(now in instants(), later in 0i64..100_000_000) {
        for zone in ZONES {
            for form in FORMS.split(" | ") {
                let first = parse_edge(form, Edge::After, now, zone).unwrap();
                let second = parse_edge(form, Edge::After, now.plus_millis(later), zone).unwrap();
                prop_assert!(first <= second, "{} {} {}", form, first.rfc3339(), second.rfc3339());
            }
        }
    }

    #[test]
    fn a_larger_number_reaches_further_back(now in instants(), count in 0i64..700, more in 1i64..50) {
        for zone in ZONES {
            for form in ["# minutes ago", "# hours ago", "# days ago", "# weeks ago", "# months ago", "# years ago", "last # days", "last # months"] {
                let read = |count: i64| parse_edge(&form.replace('#', &count.to_string()), Edge::After, now, zone).unwrap();
                prop_assert!(read(count + more) <= read(count) && read(count) <= now, "{}", form);
            }
        }
    }

    #[test]
    fn a_later_date_is_a_later_instant(day in 0i64..7_000, hour in 0u8..24, zone in 0..ZONES.len()) {
        let zone = ZONES[zone];
        let date = |day: i64| at("2010-01-01T00:00:00Z").plus_days(day).rfc3339().replace("T00:00:00.000Z", "");
        let read = |text: &str| parse_edge(text, Edge::After, at(NOW), zone).unwrap();
        let (start, end) = (read(&date(day)), read(&date(day + 1)));
        let within = read(&format!("{} {hour:02}:30", date(day)));
        prop_assert!(start <= within && within <= end);
    }

    #[test]
    fn today_began_less_than_26_hours_ago_and_tomorrow_is_not_yet(now in instants()) {
        for zone in ZONES {
            let day = |text| parse_edge(text, Edge::After, now, zone).unwrap();
            prop_assert!(day("today") <= now && now < day("tomorrow"));
            prop_assert!(now.millis() - day("today").millis() < 26 * HOUR_MILLIS);
            prop_assert!(day("yesterday") <= day("today"));
        }
    }
}
