//! Both sides of every span of the key cache.

use super::*;
use crate::access::test_keys::{TEST_EC_ID, TEST_RSA_ID, ec_jwk, jwks, rsa_jwk};
use serde_json::{Value, json};

const START: i64 = 1_700_000_000_000;
const SECOND: i64 = 1000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;

fn set(keys: &[Value]) -> KeySet {
    KeySet::parse(&json!({"keys": keys}).to_string()).unwrap()
}

fn filled() -> KeyCache {
    let mut cache = KeyCache::default();
    cache.fetched(KeySet::parse(&jwks()).unwrap(), START);
    cache
}

#[test]
fn an_empty_cache_fetches_first() {
    let cache = KeyCache::default();
    assert_eq!(cache.plan(TEST_RSA_ID, START), Plan::FetchFirst);
    assert!(cache.get(TEST_RSA_ID).is_none() && !cache.has_keys());
}

#[test]
fn a_set_is_fresh_for_an_hour() {
    let cache = filled();
    assert_eq!(cache.plan(TEST_RSA_ID, START), Plan::Use);
    assert_eq!(cache.plan(TEST_RSA_ID, START + HOUR - 1), Plan::Use);
    assert_eq!(cache.plan(TEST_RSA_ID, START + HOUR), Plan::FetchFirst);
    assert!(cache.get(TEST_RSA_ID).is_some() && cache.has_keys());
}

#[test]
fn a_rotated_set_replaces_the_old_one() {
    let mut cache = KeyCache::default();
    cache.fetched(set(&[rsa_jwk()]), START);
    assert!(cache.get(TEST_EC_ID).is_none());
    assert_eq!(cache.plan(TEST_EC_ID, START + MINUTE), Plan::FetchFirst);
    cache.fetched(set(&[ec_jwk()]), START + MINUTE);
    assert!(cache.get(TEST_EC_ID).is_some() && cache.get(TEST_RSA_ID).is_none());
}

#[test]
fn while_fetching_fails_for_ten_minutes_the_old_keys_are_used() {
    let mut cache = filled();
    let mut fetches = 0;
    for second in 0..600 {
        let now = START + HOUR + second * SECOND;
        if cache.plan(TEST_RSA_ID, now) == Plan::FetchFirst {
            cache.fetch_failed(now);
            fetches += 1;
        }
        assert!(cache.get(TEST_RSA_ID).is_some(), "{second}");
    }
    assert_eq!(fetches, 20);
    let now = START + HOUR + 600 * SECOND;
    assert_eq!(cache.plan(TEST_RSA_ID, now), Plan::FetchFirst);
    cache.fetched(KeySet::parse(&jwks()).unwrap(), now);
    assert_eq!(cache.plan(TEST_RSA_ID, now + HOUR - 1), Plan::Use);
}

#[test]
fn old_keys_are_not_used_for_more_than_a_day() {
    let failed_at = |now| {
        let mut cache = filled();
        cache.fetch_failed(now);
        cache
    };
    let last = START + 24 * HOUR - 30 * SECOND;
    assert!(failed_at(last - 1).has_keys());
    assert!(!failed_at(last).has_keys());
    assert!(!failed_at(START + 48 * HOUR).has_keys());

    // Step by step: no request is ever answered from a set of a day's age.
    let mut cache = filled();
    let mut now = START;
    while now < START + 25 * HOUR {
        if cache.plan(TEST_RSA_ID, now) == Plan::FetchFirst {
            cache.fetch_failed(now);
        }
        let usable = now < START + 24 * HOUR;
        assert!(usable || cache.get(TEST_RSA_ID).is_none(), "{now}");
        now += 7 * SECOND;
    }
}

#[test]
fn a_failure_backs_off_for_thirty_seconds() {
    let mut cache = KeyCache::default();
    cache.fetch_failed(START);
    assert_eq!(cache.plan(TEST_RSA_ID, START + 30 * SECOND - 1), Plan::Use);
    assert!(cache.get(TEST_RSA_ID).is_none());
    assert_eq!(
        cache.plan(TEST_RSA_ID, START + 30 * SECOND),
        Plan::FetchFirst
    );

    let mut cache = filled();
    let stale = START + HOUR;
    cache.fetch_failed(stale);
    assert_eq!(cache.plan(TEST_RSA_ID, stale + 30 * SECOND - 1), Plan::Use);
    assert_eq!(
        cache.plan(TEST_RSA_ID, stale + 30 * SECOND),
        Plan::FetchFirst
    );
}

#[test]
fn an_unknown_key_id_waits_a_minute_after_any_fetch() {
    let cache = filled();
    assert_eq!(cache.plan("other", START + MINUTE - 1), Plan::Use);
    assert_eq!(cache.plan("other", START + MINUTE), Plan::FetchFirst);
}

#[test]
fn a_flood_of_unknown_key_ids_costs_one_fetch_a_minute() {
    for works in [true, false] {
        let mut cache = filled();
        let mut fetches = 0;
        for step in 0..6_000 {
            let now = START + MINUTE + step * 100;
            if cache.plan(&format!("made-up-{step}"), now) == Plan::FetchFirst {
                fetches += 1;
                if works {
                    cache.fetched(KeySet::parse(&jwks()).unwrap(), now);
                } else {
                    cache.fetch_failed(now);
                }
            }
            assert_eq!(cache.plan(TEST_RSA_ID, now), Plan::Use);
        }
        assert_eq!(fetches, 10, "fetching works: {works}");
    }
}

#[test]
fn while_a_fetch_is_under_way_others_use_the_old_set() {
    let mut cache = filled();
    let stale = START + HOUR;
    cache.fetch_started(stale);
    assert_eq!(cache.plan(TEST_RSA_ID, stale + SECOND), Plan::Use);
    assert_eq!(cache.plan("other", stale + SECOND), Plan::Use);
    // A fetch that never reports does not stop the next for long.
    assert_eq!(
        cache.plan(TEST_RSA_ID, stale + 30 * SECOND),
        Plan::FetchFirst
    );

    let mut empty = KeyCache::default();
    empty.fetch_started(START);
    assert_eq!(empty.plan(TEST_RSA_ID, START + 1), Plan::FetchFirst);
}

#[test]
fn a_clock_set_back_fetches_again() {
    let mut cache = filled();
    assert_eq!(cache.plan(TEST_RSA_ID, START - 1), Plan::FetchFirst);
    assert_eq!(cache.plan(TEST_RSA_ID, i64::MIN), Plan::FetchFirst);
    cache.fetch_failed(START - 1);
    assert!(!cache.has_keys());
}
