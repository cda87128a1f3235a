//! Numbers agree wherever they are shown, and days begin where the owner lives.

use serde_json::{Value, json};

use crate::support::Vault;
use crate::support::id_of;

/// U-211: counts on the status page, lengths of lists and totals of an agent's answers are equal.
#[test]
fn numbers_agree_wherever_they_are_shown() {
    let vault = Vault::start();
    let mcp = vault.mcp();
    for number in 0..7 {
        vault.store(json!({ "content": format!("Fact {number} of the harbour"), "type": "fact" }));
    }
    let old = vault.remember("The boat is blue");
    vault.store(json!({ "content": "The boat is green", "supersedes": old }));
    for number in 0..5 {
        let id = id_of(&mcp.tool(
            "remember",
            json!({ "content": format!("Guess {number} of the harbour") }),
        ));
        match number {
            0 => drop(
                vault
                    .post_empty(&format!("/api/memories/{id}/reject"))
                    .expect(200),
            ),
            1 => drop(
                vault
                    .post_empty(&format!("/api/memories/{id}/approve"))
                    .expect(200),
            ),
            2 => drop(mcp.tool("forget", json!({ "id": id }))),
            _ => {}
        }
    }
    vault
        .post(
            "/api/bulk",
            json!({ "items": ["One import", "Two imports"] }),
        )
        .expect(200);

    let status = vault.get("/api/status").expect(200);
    let counts = &status["memories"];
    let total = |path: &str| {
        let page = vault.get(path).expect(200);
        let rows = page
            .as_object()
            .unwrap()
            .values()
            .find_map(Value::as_array)
            .unwrap();
        assert_eq!(page["total"], json!(rows.len()), "{path}");
        page["total"].clone()
    };
    for name in ["proposed", "active", "superseded", "rejected"] {
        assert_eq!(
            counts[name],
            total(&format!("/api/memories?limit=200&status={name}")),
            "{name}"
        );
    }
    assert_eq!(
        counts["forget_requested"],
        total("/api/memories?limit=200&forget_requested=1")
    );
    assert_eq!(status["exclusions"], total("/api/exclusions?limit=200"));
    assert_eq!(status["batches"], total("/api/batches?limit=200"));
    let both = counts["proposed"].as_i64().unwrap() + counts["active"].as_i64().unwrap();
    assert_eq!(json!(both), total("/api/memories?limit=200"));
    let seen = mcp.tool("list_memories", json!({ "limit": 200 }));
    assert_eq!(
        (
            &seen["total"],
            seen["memories"].as_array().unwrap().len() as i64
        ),
        (&json!(both), both)
    );
    let weeks = status["weeks"].as_array().unwrap();
    assert_eq!(weeks.len(), 26);
    let kept: i64 = weeks
        .iter()
        .map(|week| week["total"].as_i64().unwrap())
        .sum();
    assert_eq!(json!(kept), counts["active"]);
    assert_eq!(weeks[25]["by_type"]["fact"], 7);
    let audit = total("/api/audit?limit=200");
    assert!(audit.as_i64().unwrap() > 10);
}

#[test]
fn a_week_begins_on_monday_where_the_owner_lives() {
    let vault = Vault::start();
    vault
        .put("/api/settings", json!({ "time_zone": "Asia/Tokyo" }))
        .expect(200);
    let id = vault.remember("On the edge");
    let place = |created_at: &str| {
        vault.sql(&format!(
            "UPDATE memories SET created_at = unixepoch('{created_at}') * 1000 WHERE id = '{id}'"
        ));
        let weeks = vault.get("/api/status").expect(200)["weeks"].clone();
        let weeks = weeks.as_array().unwrap().clone();
        let found = weeks.iter().find(|week| week["total"] == 1);
        found.map(|week| week["start"].as_str().unwrap().to_owned())
    };
    // Last week's Monday in Tokyo began on Sunday at 15:00 in UTC.
    let start = vault.get("/api/status").expect(200)["weeks"][24]["start"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(
        place(&format!("{start} 00:00:00")).as_deref(),
        Some(start.as_str())
    );
    let sunday = vault.sql(&format!("SELECT date('{start}', '-1 day')"))[0][0]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(
        place(&format!("{sunday} 15:00:00")).as_deref(),
        Some(start.as_str())
    );
    assert_ne!(
        place(&format!("{sunday} 14:59:59")).as_deref(),
        Some(start.as_str())
    );
    assert_eq!(place("2020-01-01 00:00:00"), None);
}

/// U-81: what happened on 9 March at 15:30 in UTC is of 10 March in Tokyo, and is the same instant everywhere.
#[test]
fn a_day_begins_in_the_owners_zone() {
    let vault = Vault::start();
    vault
        .put("/api/settings", json!({ "time_zone": "Asia/Tokyo" }))
        .expect(200);
    let id = vault
        .store(json!({ "content": "The ferry sailed", "source_date": "2026-03-09T15:30:00Z" }));
    vault.store(json!({ "content": "The ferry stayed", "source_date": "2026-03-09T14:30:00Z" }));
    let on = |day: &str, next: &str| {
        let page = vault
            .get(&format!("/api/memories?after={day}&before={next}"))
            .expect(200);
        crate::support::texts(&page["memories"])
    };
    assert_eq!(on("2026-03-10", "2026-03-11"), ["The ferry sailed"]);
    assert_eq!(on("2026-03-09", "2026-03-10"), ["The ferry stayed"]);
    let memory = vault.get(&format!("/api/memories/{id}")).expect(200);
    assert_eq!(memory["source_date"], "2026-03-09T15:30:00.000Z");
}

#[test]
fn the_log_is_read_by_time() {
    let vault = Vault::start();
    vault.remember("First");
    vault.shift_clock_days(10);
    vault.remember("Second");
    let total = |filter: &str| {
        vault.get(&format!("/api/audit?{filter}")).expect(200)["total"]
            .as_i64()
            .unwrap()
    };
    assert_eq!(total(""), 2);
    assert_eq!(total("after=5+days+ago"), 1);
    assert_eq!(total("before=5+days+ago"), 1);
    assert_eq!(total("after=5+days+ago&action=remember"), 1);
    assert_eq!(
        vault.get("/api/audit?after=someday").refused(400),
        "invalid_argument"
    );
}

#[test]
fn the_developer_is_told_that_nobody_signed_in() {
    let vault = Vault::start();
    assert_eq!(
        vault.get("/api/me").expect(200),
        json!({ "email": "ada@localhost", "role": "owner", "sign_out": null, "dev": true })
    );
}
