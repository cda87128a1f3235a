//! Where days, weeks and months begin, in several zones and around changes of clocks.

use super::*;
use crate::model::time::zones::{BERLIN, NEW_YORK, SANTIAGO};

#[test]
fn what_was_late_yesterday_in_utc_is_today_in_tokyo() {
    // U-81
    let (stored, before_midnight) = (at("2026-03-09T15:30:00Z"), at("2026-03-09T14:59:59Z"));
    let today = parse_edge("today", Edge::After, at(NOW), &TOKYO).unwrap();
    assert!(stored >= today && before_midnight < today);
    assert!(stored < parse_edge("today", Edge::After, at(NOW), &Utc).unwrap());
    assert_eq!(stored.rfc3339(), "2026-03-09T15:30:00.000Z");
}

#[test]
fn relative_filters_of_agents_work_in_the_owners_zone() {
    // U-82
    for (text, utc, in_tokyo, in_berlin, in_new_york) in [
        (
            "yesterday",
            "2026-03-09T00:00Z",
            "2026-03-08T15:00Z",
            "2026-03-08T23:00Z",
            "2026-03-09T04:00Z",
        ),
        (
            "last 3 days",
            "2026-03-07T08:00Z",
            "2026-03-07T08:00Z",
            "2026-03-07T08:00Z",
            "2026-03-07T08:00Z",
        ),
        (
            "3 days ago",
            "2026-03-07T00:00Z",
            "2026-03-06T15:00Z",
            "2026-03-06T23:00Z",
            "2026-03-07T05:00Z",
        ),
        (
            "last week",
            "2026-03-02T00:00Z",
            "2026-03-01T15:00Z",
            "2026-03-01T23:00Z",
            "2026-03-02T05:00Z",
        ),
        (
            "2026-03-01",
            "2026-03-01T00:00Z",
            "2026-02-28T15:00Z",
            "2026-02-28T23:00Z",
            "2026-03-01T05:00Z",
        ),
    ] {
        assert_eq!(read(text, &Utc), utc, "{text}");
        assert_eq!(read(text, &TOKYO), in_tokyo, "{text}");
        assert_eq!(read(text, &BERLIN), in_berlin, "{text}");
        assert_eq!(read(text, &NEW_YORK), in_new_york, "{text}");
    }
}

#[test]
fn a_time_without_an_offset_is_the_owners() {
    assert_eq!(read("2026-03-10T09:00:00", &TOKYO), "2026-03-10T00:00Z");
    assert_eq!(read("2026-03-10 09:00", &NEW_YORK), "2026-03-10T13:00Z");
    assert_eq!(read("2026-03-08 01:59", &NEW_YORK), "2026-03-08T06:59Z");
    assert_eq!(read("2026-03-08 03:00", &NEW_YORK), "2026-03-08T07:00Z");
    // Clocks skip this one, and show that one twice.
    assert_eq!(read("2026-03-29T02:30:00", &BERLIN), "2026-03-29T01:00Z");
    assert_eq!(read("2026-10-25T02:30:00", &BERLIN), "2026-10-25T00:30Z");
    // A leap second comes at the end of a month in UTC, which in Tokyo is nine in the morning.
    assert_eq!(
        read("2017-01-01T08:59:60", &TOKYO),
        "2016-12-31T23:59:59.999Z"
    );
    assert!(parse_edge("2016-12-31T23:59:60", Edge::After, at(NOW), &TOKYO).is_err());
}

#[test]
fn days_around_a_change_of_clocks_begin_at_midnight() {
    for (now, text, zone, expected) in [
        (
            "2026-03-30T08:00:00Z",
            "today",
            &BERLIN,
            "2026-03-29T22:00Z",
        ),
        (
            "2026-03-30T08:00:00Z",
            "yesterday",
            &BERLIN,
            "2026-03-28T23:00Z",
        ),
        (
            "2026-03-30T08:00:00Z",
            "2 days ago",
            &BERLIN,
            "2026-03-27T23:00Z",
        ),
        (
            "2026-03-30T08:00:00Z",
            "last 24 hours",
            &BERLIN,
            "2026-03-29T08:00Z",
        ),
        (
            "2026-03-30T08:00:00Z",
            "last week",
            &BERLIN,
            "2026-03-22T23:00Z",
        ),
        (
            "2026-03-30T08:00:00Z",
            "this week",
            &BERLIN,
            "2026-03-29T22:00Z",
        ),
        (
            "2026-03-30T08:00:00Z",
            "this month",
            &BERLIN,
            "2026-02-28T23:00Z",
        ),
        (
            "2026-03-29T22:30:00Z",
            "today",
            &BERLIN,
            "2026-03-29T22:00Z",
        ),
        (
            "2026-03-29T21:30:00Z",
            "today",
            &BERLIN,
            "2026-03-28T23:00Z",
        ),
        (
            "2026-10-26T08:00:00Z",
            "yesterday",
            &BERLIN,
            "2026-10-24T22:00Z",
        ),
        (
            "2026-10-26T08:00:00Z",
            "today",
            &BERLIN,
            "2026-10-25T23:00Z",
        ),
        (
            "2026-03-09T12:00:00Z",
            "yesterday",
            &NEW_YORK,
            "2026-03-08T05:00Z",
        ),
        (
            "2026-03-09T12:00:00Z",
            "today",
            &NEW_YORK,
            "2026-03-09T04:00Z",
        ),
        (
            "2026-03-09T03:59:00Z",
            "today",
            &NEW_YORK,
            "2026-03-08T05:00Z",
        ),
        (
            "2026-03-09T12:00:00Z",
            "last sunday",
            &NEW_YORK,
            "2026-03-08T05:00Z",
        ),
        (
            "2026-03-09T12:00:00Z",
            "a month ago",
            &NEW_YORK,
            "2026-02-09T05:00Z",
        ),
    ] {
        assert_eq!(read_at(now, text, zone), expected, "{text} at {now}");
    }
    assert_eq!(
        read_at("2026-09-06T12:00:00Z", "today", &SANTIAGO),
        "2026-09-06T04:00Z"
    );
}

#[test]
fn months_end_early_rather_than_spill_over() {
    for (now, text, expected) in [
        ("2026-03-31T08:00:00Z", "1 month ago", "2026-02-28T00:00Z"),
        ("2024-03-31T08:00:00Z", "1 month ago", "2024-02-29T00:00Z"),
        ("2026-03-31T08:00:00Z", "4 months ago", "2025-11-30T00:00Z"),
        ("2024-02-29T08:00:00Z", "a year ago", "2023-02-28T00:00Z"),
        (
            "2024-02-29T08:00:00Z",
            "four years ago",
            "2020-02-29T00:00Z",
        ),
        ("2026-03-31T08:00:00Z", "last month", "2026-02-01T00:00Z"),
        ("2026-01-15T08:00:00Z", "last month", "2025-12-01T00:00Z"),
        ("2026-01-15T08:00:00Z", "13 months ago", "2024-12-15T00:00Z"),
    ] {
        assert_eq!(read_at(now, text, &Utc), expected, "{text} at {now}");
    }
}

#[test]
fn weeks_begin_on_monday_also_across_a_year() {
    assert_eq!(
        read_at("2026-03-15T23:00:00Z", "this week", &Utc),
        "2026-03-09T00:00Z"
    );
    assert_eq!(
        read_at("2026-03-16T00:00:00Z", "this week", &Utc),
        "2026-03-16T00:00Z"
    );
    assert_eq!(
        read_at("2026-01-01T12:00:00Z", "this week", &Utc),
        "2025-12-29T00:00Z"
    );
    assert_eq!(
        read_at("2026-01-01T12:00:00Z", "last week", &Utc),
        "2025-12-22T00:00Z"
    );
    assert_eq!(
        read_at("2026-03-16T12:00:00Z", "last monday", &Utc),
        "2026-03-09T00:00Z"
    );
    assert_eq!(
        read_at("2026-03-16T12:00:00Z", "monday", &Utc),
        "2026-03-16T00:00Z"
    );
}

#[test]
fn after_takes_the_named_day_in_and_before_leaves_it_out() {
    let (last_of_february, first_of_march) =
        (at("2026-02-28T22:59:59.999Z"), at("2026-02-28T23:00:00Z"));
    let after = parse_edge("2026-03-01", Edge::After, at(NOW), &BERLIN).unwrap();
    assert!(first_of_march >= after && last_of_february < after);
    let before = parse_edge("2026-03-01", Edge::Before, at(NOW), &BERLIN).unwrap();
    assert!(last_of_february < before && first_of_march >= before);
}
