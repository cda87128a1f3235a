//! Recall: pages, dates as filters, and questions that are none.

use serde_json::json;

use crate::support::{Vault, encode};

#[test]
fn more_matches_are_counted_and_paged_without_doubles() {
    // U-71
    let vault = Vault::start();
    for number in 0..60 {
        vault.remember(&format!("A note about the lantern, number {number}"));
    }
    let first = vault.ask("lantern");
    assert_eq!(
        (
            first["results"].as_array().unwrap().len(),
            first["total"].as_i64(),
            first["more"].as_i64()
        ),
        (10, Some(60), Some(50))
    );
    let (mut seen, mut page) = (Vec::new(), first);
    loop {
        seen.extend(
            page["results"]
                .as_array()
                .unwrap()
                .iter()
                .map(|hit| hit["id"].as_str().unwrap().to_owned()),
        );
        vault.remember(&format!("Another lantern lantern lantern {}", seen.len()));
        let Some(cursor) = page["next_cursor"].as_str() else {
            break;
        };
        page = vault
            .get(&format!("/api/recall?q=lantern&cursor={cursor}"))
            .expect(200);
    }
    assert_eq!(seen.len(), 60);
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 60);
}

#[test]
fn relative_dates_filter_in_the_owners_zone() {
    // U-81, U-82
    let vault = Vault::start();
    vault
        .put("/api/settings", json!({ "time_zone": "Asia/Tokyo" }))
        .expect(200);
    let day = |days: i64| {
        let now = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap()
            .as_millis() as i64;
        memory_vault::model::time::Timestamp::from_millis(now - days * 86_400_000).rfc3339()
    };
    vault.store(json!({ "content": "Lantern bought just now" }));
    vault.store(json!({ "content": "Lantern lit two days ago", "source_date": day(2) }));
    vault.store(json!({ "content": "Lantern lost long ago", "source_date": day(400) }));
    let count = |filter: &str| {
        vault
            .get(&format!("/api/recall?q=lantern&{filter}"))
            .expect(200)["total"]
            .as_i64()
            .unwrap()
    };
    for (filter, expected) in [
        ("after=last+3+days", 2),
        ("after=3+days+ago", 2),
        ("after=today", 1),
        ("after=yesterday", 1),
        ("before=last+3+days", 1),
        ("after=2020-01-01", 3),
        ("after=2+years+ago", 3),
        ("before=2020-01-01", 0),
    ] {
        assert_eq!(count(filter), expected, "{filter}");
    }
    for nonsense in ["soon", "3 moons ago", "2026-02-30", "99999999999 days ago"] {
        let answer = vault.get(&format!("/api/recall?q=lantern&after={}", encode(nonsense)));
        assert!(
            answer.body.contains("yesterday"),
            "{nonsense}: {}",
            answer.body
        );
        assert_eq!(answer.refused(400), "invalid_argument");
    }
}

#[test]
fn questions_have_a_limit_and_none_is_asked_without_words() {
    let vault = Vault::start();
    vault.remember("Something");
    assert_eq!(vault.get("/api/recall").refused(400), "invalid_argument");
    assert_eq!(
        vault.get("/api/recall?q=").expect(200)["results"],
        json!([])
    );
    assert_eq!(
        vault
            .get(&format!("/api/recall?q={}", "a".repeat(2_000)))
            .status,
        200
    );
    assert_eq!(
        vault
            .get(&format!("/api/recall?q={}", "a".repeat(2_001)))
            .refused(413),
        "too_large"
    );
}
