//! Tests of reading dates.

use super::*;
use crate::model::time::zones::{BERLIN, TOKYO};
use proptest::prelude::*;

fn in_utc(text: &str) -> String {
    let parts = Parts::parse(text).unwrap_or_else(|| panic!("{text}"));
    parts.instant(0).unwrap().rfc3339()
}

#[test]
fn the_usual_spellings_are_read() {
    for (text, expected) in [
        ("2026-03-10", "2026-03-10T00:00:00.000Z"),
        ("2026-03-10T09:00:00", "2026-03-10T09:00:00.000Z"),
        ("2026-03-10 09:00:00", "2026-03-10T09:00:00.000Z"),
        ("2026-03-10t09:00", "2026-03-10T09:00:00.000Z"),
        ("2026-03-10 09:00:00.123456", "2026-03-10T09:00:00.123Z"),
        ("2026-03-10 09:00:00.12+00:00", "2026-03-10T09:00:00.120Z"),
        ("2026-03-10T09:00:00+0900", "2026-03-10T00:00:00.000Z"),
        ("2026-03-10T09:00-0330", "2026-03-10T12:30:00.000Z"),
        ("2026-03-10t09:00z", "2026-03-10T09:00:00.000Z"),
    ] {
        assert_eq!(in_utc(text), expected, "{text}");
    }
}

#[test]
fn a_day_is_told_apart_from_its_midnight() {
    assert_eq!(Parts::parse("2026-03-10").unwrap().time, None);
    assert!(Parts::parse("2026-03-10T00:00").unwrap().time.is_some());
    assert_eq!(Parts::parse("2026-03-10").unwrap().own_instant(), None);
}

#[test]
fn a_given_offset_wins_over_the_callers() {
    let hours = |text: &str| {
        Parts::parse(text)
            .unwrap()
            .instant(60)
            .unwrap()
            .utc()
            .hour()
    };
    assert_eq!(hours("2026-03-10T09:00:00"), 8);
    assert_eq!(hours("2026-03-10T09:00:00Z"), 9);
    let in_tokyo = |text: &str| {
        Parts::parse(text)
            .unwrap()
            .instant_in(&TOKYO)
            .unwrap()
            .rfc3339()
    };
    assert_eq!(in_tokyo("2026-03-10T09:00:00"), "2026-03-10T00:00:00.000Z");
    assert_eq!(in_tokyo("2026-03-10T09:00:00Z"), "2026-03-10T09:00:00.000Z");
    assert_eq!(in_tokyo("2026-03-10"), "2026-03-09T15:00:00.000Z");
}

#[test]
fn times_that_clocks_skip_or_show_twice_have_one_instant() {
    let in_berlin = |text: &str| {
        Parts::parse(text)
            .unwrap()
            .instant_in(&BERLIN)
            .unwrap()
            .rfc3339()
    };
    assert_eq!(in_berlin("2026-03-29T01:59"), "2026-03-29T00:59:00.000Z");
    assert_eq!(in_berlin("2026-03-29T02:30"), "2026-03-29T01:00:00.000Z");
    assert_eq!(in_berlin("2026-03-29T03:00"), "2026-03-29T01:00:00.000Z");
    assert_eq!(in_berlin("2026-10-25T02:30"), "2026-10-25T00:30:00.000Z");
    assert_eq!(in_berlin("2026-10-25T03:00"), "2026-10-25T02:00:00.000Z");
}

#[test]
fn a_leap_second_comes_at_the_end_of_a_month_in_utc() {
    let in_tokyo = |text: &str| Parts::parse(text).unwrap().instant_in(&TOKYO);
    let leap = in_tokyo("2017-01-01T08:59:60").map(Timestamp::rfc3339);
    assert_eq!(leap.as_deref(), Some("2016-12-31T23:59:59.999Z"));
    assert_eq!(in_tokyo("2016-12-31T23:59:60"), None);
    assert!(
        Parts::parse("2016-12-31T23:59:60")
            .unwrap()
            .instant(0)
            .is_some()
    );
    assert!(
        Parts::parse("2016-12-31T23:58:60")
            .unwrap()
            .instant(0)
            .is_none()
    );
}

#[test]
fn what_looks_like_no_date_is_told_apart_from_what_is_none() {
    for text in [
        "",
        " ",
        "soon",
        "2026",
        "2026-03",
        "03/10/2026",
        "10.03.2026",
        "20260310",
        "1773108000",
        "2026-03-10T",
        "2026-03-10T9:00",
        "2026-03-10T09",
        "2026-03-10 09:00:00 PM",
        " 2026-03-10",
        "2026-03-10  09:00",
        "2026-03-10T09:00:00+9",
        "2026-03-10T09:00:00+09",
        "2026-03-10T09:00.5",
        "2026-03-10/2026-03-11",
        "２０２６-03-10",
    ] {
        assert_eq!(Parts::read(text), Err(Unreadable::Form), "{text:?}");
    }
    for text in [
        "2026-02-30",
        "2026-00-10",
        "2026-13-10",
        "2026-03-00",
        "2026-03-32",
        "1900-02-29",
        "0000-01-01",
        "2026-03-10T24:00:00",
        "2026-03-10T09:60:00",
        "2026-03-10T09:00:61",
        "2026-03-10T09:00:00+24:00",
        "2026-03-10T09:00:00+09:60",
    ] {
        assert_eq!(Parts::read(text), Err(Unreadable::NoSuchDate), "{text:?}");
    }
}

#[test]
fn an_offset_that_leads_out_of_the_years_is_no_instant() {
    for text in ["0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01"] {
        assert_eq!(Parts::parse(text).unwrap().instant(0), None, "{text}");
    }
}

proptest! {
    #[test]
    fn no_text_makes_reading_fail_badly(
        text in "\\PC{0,40}|[0-9]{3,5}-[0-9]{1,2}-[0-9]{1,2}[Tt ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{0,12})?)?([Zz]|[+-][0-9]{2}:?[0-9]{2})?",
        minutes in any::<i32>(),
    ) {
        if let Ok(parts) = Parts::read(&text) {
            let _ = (parts.instant(minutes), parts.instant_in(&BERLIN));
        }
    }
}
