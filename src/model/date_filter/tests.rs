//! Tests of date filters. Unless a test says otherwise it is 10 March 2026, 08:00 in UTC.

use super::*;
use crate::model::time::Utc;
use crate::model::time::zones::TOKYO;

mod days;
mod properties;

fn at(text: &str) -> Timestamp {
    Timestamp::parse_rfc3339(text).unwrap_or_else(|| panic!("{text}"))
}

/// A Tuesday.
const NOW: &str = "2026-03-10T08:00:00Z";

fn read_at(now: &str, text: &str, zone: &dyn ZoneOffset) -> String {
    let read = |edge| parse_edge(text, edge, at(now), zone);
    let after = read(Edge::After).unwrap_or_else(|error| panic!("{text} {error}"));
    if !text.trim_start().to_lowercase().starts_with("since") {
        assert_eq!(
            read(Edge::Before),
            Ok(after),
            "{text} means the same instant for both edges"
        );
    }
    after.rfc3339().replace(":00.000Z", "Z")
}

fn read(text: &str, zone: &dyn ZoneOffset) -> String {
    read_at(NOW, text, zone)
}

fn refused(text: &str) -> DateFilterError {
    parse_edge(text, Edge::After, at(NOW), &Utc).expect_err(text)
}

#[test]
fn each_form_begins_where_the_table_says() {
    for (text, expected) in [
        ("2026-03-01T09:00:00+01:00", "2026-03-01T08:00Z"),
        ("2026-03-01T09:00:00+0100", "2026-03-01T08:00Z"),
        ("2026-03-01t09:00:00z", "2026-03-01T09:00Z"),
        ("2026-03-01T09:00:00", "2026-03-01T09:00Z"),
        ("2026-03-01 09:00", "2026-03-01T09:00Z"),
        ("2026-03-01", "2026-03-01T00:00Z"),
        ("2026-02", "2026-02-01T00:00Z"),
        ("2025", "2025-01-01T00:00Z"),
        ("now", "2026-03-10T08:00Z"),
        ("today", "2026-03-10T00:00Z"),
        ("yesterday", "2026-03-09T00:00Z"),
        ("tomorrow", "2026-03-11T00:00Z"),
        ("20 minutes ago", "2026-03-10T07:40Z"),
        ("5 hours ago", "2026-03-10T03:00Z"),
        ("an hour ago", "2026-03-10T07:00Z"),
        ("0 days ago", "2026-03-10T00:00Z"),
        ("3 days ago", "2026-03-07T00:00Z"),
        ("one day ago", "2026-03-09T00:00Z"),
        ("a week ago", "2026-03-03T00:00Z"),
        ("two weeks ago", "2026-02-24T00:00Z"),
        ("3 months ago", "2025-12-10T00:00Z"),
        ("a year ago", "2025-03-10T00:00Z"),
        ("twelve years ago", "2014-03-10T00:00Z"),
        ("last 30 minutes", "2026-03-10T07:30Z"),
        ("last 24 hours", "2026-03-09T08:00Z"),
        ("last 3 days", "2026-03-07T08:00Z"),
        ("past 3 days", "2026-03-07T08:00Z"),
        ("last two weeks", "2026-02-24T08:00Z"),
        ("last 3 months", "2025-12-10T00:00Z"),
        ("past 2 years", "2024-03-10T00:00Z"),
        ("last minute", "2026-03-10T07:59Z"),
        ("last hour", "2026-03-10T07:00Z"),
        ("past minute", "2026-03-10T07:59Z"),
        ("past hour", "2026-03-10T07:00Z"),
        ("past day", "2026-03-09T08:00Z"),
        ("last day", "2026-03-09T08:00Z"),
        ("past week", "2026-03-03T08:00Z"),
        ("past month", "2026-02-10T00:00Z"),
        ("past year", "2025-03-10T00:00Z"),
        ("this week", "2026-03-09T00:00Z"),
        ("last week", "2026-03-02T00:00Z"),
        ("this month", "2026-03-01T00:00Z"),
        ("last month", "2026-02-01T00:00Z"),
        ("this year", "2026-01-01T00:00Z"),
        ("last year", "2025-01-01T00:00Z"),
        ("monday", "2026-03-09T00:00Z"),
        ("tuesday", "2026-03-10T00:00Z"),
        ("wednesday", "2026-03-04T00:00Z"),
        ("sunday", "2026-03-08T00:00Z"),
        ("last monday", "2026-03-09T00:00Z"),
        ("last tuesday", "2026-03-03T00:00Z"),
        ("last wednesday", "2026-03-04T00:00Z"),
        ("since monday", "2026-03-09T00:00Z"),
        ("since tuesday", "2026-03-10T00:00Z"),
        ("since last tuesday", "2026-03-03T00:00Z"),
        ("since 2026-03-01", "2026-03-01T00:00Z"),
    ] {
        assert_eq!(read(text, &Utc), expected, "{text}");
    }
}

#[test]
fn case_and_blanks_do_not_matter() {
    assert_eq!(read("  Last\t 3   DAYS ", &Utc), "2026-03-07T08:00Z");
    assert_eq!(read("2026-03-01   09:00", &Utc), "2026-03-01T09:00Z");
    assert_eq!(read("Since Last  WEEK", &Utc), "2026-03-02T00:00Z");
}

#[test]
fn what_is_not_understood_is_an_error_that_lists_the_forms() {
    // U-82
    let texts = "soon | since | since soon | since since monday | ago | days ago | 3 days | 3 ago \
        | 3 moons ago | -3 days ago | +3 days ago | 1.5 hours ago | 3,5 days ago \
        | thirteen days ago | few days ago | a few days ago | ３ days ago | in 3 days \
        | next week | this monday | this day | past monday | last | past | this \
        | last last week | last 3 | last 3 mondays | last week ago | the last 3 days \
        | yesterday morning | 1773108000 | 1773108000000 | 20260301 | 2026-3-1 | 03/01/2026 \
        | 1 March 2026 | March | 2026-W11 | 2026-03-01 09 | 2026-03-01T09:00:00 01:00 \
        | 2026-03-01..2026-03-05 | * | null | today; drop table memories | ' | \0";
    for text in texts.split(" | ").chain(["", " "]) {
        let error = refused(text);
        assert_eq!(error, DateFilterError::Unreadable, "{text:?}");
        for form in [
            "2026-03-01",
            "2026-03-01T09:00:00+01:00",
            "yesterday",
            "3 days ago",
            "last 3 days",
            "last week",
            "last monday",
        ] {
            assert!(error.to_string().contains(form), "{form}");
        }
    }
}

#[test]
fn dates_that_no_calendar_has_are_refused() {
    // U-85
    for text in [
        "2026-02-30",
        "2026-02-29T09:00:00Z",
        "2026-13",
        "2026-00",
        "0000",
        "2026-03-10T24:00:00",
        "2026-03-10T09:00:00+24:00",
        "0001-01-01T00:00:00+00:01",
        "2026-03-10T09:00:60",
    ] {
        assert_eq!(refused(text), DateFilterError::NoSuchDate, "{text}");
        assert!(
            refused(text)
                .to_string()
                .starts_with("is not in the calendar; write a date (2026-03-01"),
            "{text}"
        );
    }
    // Placeholders of other systems mean what they say here: everything after, nothing after.
    assert_eq!(read("0001-01-01", &Utc), "0001-01-01T00:00Z");
    assert_eq!(read("9999-12-31", &Utc), "9999-12-31T00:00Z");
    assert_eq!(read("0001-01-01", &TOKYO), "0001-01-01T00:00Z");
}

#[test]
fn absurd_numbers_are_refused() {
    for number in [
        "999999999999",
        "9223372036854775807",
        "9223372036854775808",
        "99999999999999999999999999",
    ] {
        for unit in ["minutes", "hours", "days", "weeks", "months", "years"] {
            for text in [
                format!("{number} {unit} ago"),
                format!("last {number} {unit}"),
            ] {
                assert_eq!(refused(&text), DateFilterError::OutOfRange, "{text}");
            }
        }
    }
}

#[test]
fn words_reach_back_to_the_year_one_and_no_further() {
    assert_eq!(read("2025 years ago", &Utc), "0001-03-10T00:00Z");
    assert_eq!(read("24302 months ago", &Utc), "0001-01-10T00:00Z");
    assert_eq!(read("739684 days ago", &Utc), "0001-01-01T00:00Z");
    assert_eq!(read("last 739684 days", &Utc), "0001-01-01T08:00Z");
    for text in [
        "2026 years ago",
        "24303 months ago",
        "739685 days ago",
        "last 739685 days",
    ] {
        assert_eq!(refused(text), DateFilterError::OutOfRange, "{text}");
    }
    for (now, text) in [
        ("0001-01-01T00:00:00Z", "yesterday"),
        ("0001-01-01T00:00:00Z", "last year"),
        ("9999-12-31T23:00:00Z", "tomorrow"),
    ] {
        assert_eq!(
            parse_edge(text, Edge::After, at(now), &Utc),
            Err(DateFilterError::OutOfRange),
            "{text}"
        );
    }
}

#[test]
fn since_says_where_something_begins() {
    assert_eq!(read("since yesterday", &Utc), "2026-03-09T00:00Z");
    let error = parse_edge("since yesterday", Edge::Before, at(NOW), &Utc).unwrap_err();
    assert_eq!(error, DateFilterError::SinceInBefore);
    assert!(
        error.to_string().starts_with("cannot begin with \"since\""),
        "{error}"
    );
}

#[test]
fn a_moment_that_is_a_day_is_its_end() {
    let moment = |text: &str, zone: &dyn ZoneOffset| {
        moment(text, at(NOW), zone).map(|moment| moment.rfc3339())
    };
    for (text, zone, expected) in [
        (
            "2026-03-01",
            &Utc as &dyn ZoneOffset,
            "2026-03-01T23:59:59.999Z",
        ),
        ("2026-03-01", &TOKYO, "2026-03-01T14:59:59.999Z"),
        ("yesterday", &Utc, "2026-03-09T23:59:59.999Z"),
        ("2026-03-01T09:00:00Z", &Utc, "2026-03-01T09:00:00.000Z"),
        ("2026-03", &Utc, "2026-03-01T00:00:00.000Z"),
        ("now", &Utc, "2026-03-10T08:00:00.000Z"),
    ] {
        assert_eq!(moment(text, zone).as_deref(), Ok(expected), "{text}");
    }
    assert!(moment("soon", &Utc).is_err() && moment("2026-02-30", &Utc).is_err());
}
