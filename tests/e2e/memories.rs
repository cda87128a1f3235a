//! Memories and their states, through the owner's door and an agent's.

use serde_json::{Value, json};

use crate::support::Vault;

fn statuses(vault: &Vault, filter: &str) -> Vec<(String, String)> {
    let page = vault.get(&format!("/api/memories?{filter}")).expect(200);
    let rows = page["memories"].as_array().unwrap().clone();
    rows.iter()
        .map(|row| {
            (
                row["content"].as_str().unwrap().into(),
                row["status"].as_str().unwrap().into(),
            )
        })
        .collect()
}

#[test]
fn the_owner_stores_a_memory_with_all_its_fields() {
    let vault = Vault::start();
    let draft = json!({
        "content": "Milo is allergic to shellfish", "type": "person", "tier": "long", "importance": 0.9, "tags": ["Health", "milo"],
        "session": "kitchen", "author": "Ada", "source": "diary", "source_date": "2026-03-10T09:00:00+09:00",
    });
    let stored = vault.post("/api/memories", draft).expect(201);
    let memory = vault
        .get(&format!("/api/memories/{}", stored["id"].as_str().unwrap()))
        .expect(200);
    let expected = json!({
        "content": "Milo is allergic to shellfish", "type": "person", "tier": "long", "importance": 0.9, "tags": ["health", "milo"],
        "session": "kitchen", "author": "Ada", "source": "diary", "source_date": "2026-03-10T00:00:00.000Z", "status": "active",
        "created_by": "owner:ada@localhost",
    });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&memory[name], value, "{name}");
    }
}

#[test]
fn the_same_text_twice_is_one_memory() {
    // U-46
    let vault = Vault::start();
    let first = vault.remember("Rent is due on the 3rd");
    let second = vault
        .post(
            "/api/memories",
            json!({ "content": "rent  is due on the 3rd" }),
        )
        .expect(200);
    assert_eq!(
        (&second["id"], &second["outcome"]),
        (&json!(first), &json!("duplicate"))
    );
    assert_eq!(statuses(&vault, "").len(), 1);
    let third = vault
        .mcp()
        .tool("remember", json!({ "content": "Rent is due on the 3rd" }));
    assert_eq!(
        (&third["id"], &third["outcome"]),
        (&json!(first), &json!("duplicate"))
    );
}

#[test]
fn one_changed_digit_is_another_memory() {
    let vault = Vault::start();
    for text in [
        "The lease ends on 15 October",
        "The lease ends on 16 October",
        "It takes 10² people",
        "It takes 102 people",
        "5 mW",
        "5 MW",
    ] {
        vault.remember(text);
    }
    assert_eq!(vault.get("/api/memories").expect(200)["total"], 6);
}

#[test]
fn an_agents_write_waits_in_review_mode_and_holds_in_auto_mode() {
    let vault = Vault::start();
    let waiting = vault
        .mcp()
        .tool("remember", json!({ "content": "Ada prefers trains" }));
    assert_eq!(waiting["status"], "proposed");
    vault
        .put("/api/settings", json!({ "mode": "auto" }))
        .expect(200);
    assert_eq!(
        vault
            .mcp()
            .tool("remember", json!({ "content": "Ada prefers window seats" }))["status"],
        "active"
    );
    assert_eq!(
        vault
            .mcp()
            .tool("propose_memory", json!({ "content": "Ada may like boats" }))["status"],
        "proposed"
    );
}

#[test]
fn approval_makes_a_proposal_active_and_rejection_keeps_it_out() {
    let vault = Vault::start();
    let good = vault.mcp().tool(
        "remember",
        json!({ "content": "The spare key is at Odile's" }),
    );
    let bad = vault
        .mcp()
        .tool("remember", json!({ "content": "Ada hates tea" }));
    let path = |memory: &Value, verb: &str| {
        format!("/api/memories/{}/{verb}", memory["id"].as_str().unwrap())
    };
    assert_eq!(
        vault.post_empty(&path(&good, "approve")).expect(200)["status"],
        "active"
    );
    assert_eq!(
        vault.post_empty(&path(&bad, "reject")).expect(200)["status"],
        "rejected"
    );
    assert_eq!(vault.recall("tea"), Vec::<String>::new());
    assert!(
        vault
            .mcp()
            .refusal("remember", json!({ "content": "Ada hates tea" }))
            .contains("rejected")
    );
    assert_eq!(
        vault.post_empty(&path(&bad, "approve")).refused(409),
        "conflict"
    );
}

#[test]
fn every_memory_is_listed_exactly_once_while_more_are_added() {
    let vault = Vault::start();
    for number in 0..25 {
        vault.remember(&format!("Fact number {number}"));
    }
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = vault
            .get(&format!("/api/memories?limit=10{cursor}"))
            .expect(200);
        seen.extend(
            page["memories"]
                .as_array()
                .unwrap()
                .iter()
                .map(|row| row["content"].as_str().unwrap().to_owned()),
        );
        vault.remember(&format!("Added while reading {}", seen.len()));
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    let expected: Vec<String> = (0..25)
        .rev()
        .map(|number| format!("Fact number {number}"))
        .collect();
    assert_eq!(seen, expected);
}

#[test]
fn a_cursor_belongs_to_its_list() {
    let vault = Vault::start();
    for number in 0..3 {
        vault.remember(&format!("Fact number {number}"));
    }
    let cursor = vault.get("/api/memories?limit=1").expect(200)["next_cursor"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(
        vault
            .get(&format!(
                "/api/memories?limit=1&status=proposed&cursor={cursor}"
            ))
            .refused(400),
        "invalid_argument"
    );
    assert_eq!(
        vault.get("/api/memories?cursor=nonsense").refused(400),
        "invalid_argument"
    );
}

#[test]
fn a_misspelt_filter_is_refused_instead_of_ignored() {
    let vault = Vault::start();
    for path in [
        "/api/memories?stauts=active",
        "/api/memories?type=fcat",
        "/api/recall?q=x&taag=y",
        "/api/memories?after=soonish",
        "/api/memories?limit=0",
        "/api/memories?type=fact&type=note",
    ] {
        assert_eq!(vault.get(path).refused(400), "invalid_argument", "{path}");
    }
}

#[test]
fn a_retry_with_its_key_is_the_same_write_and_another_write_is_a_conflict() {
    // U-75
    let vault = Vault::start();
    let write = |content: &str| {
        vault.post(
            "/api/memories",
            json!({ "content": content, "idempotency_key": "k-1" }),
        )
    };
    let first = write("The safe is behind the clock").expect(201);
    let again = write("The safe is behind the clock").expect(201);
    assert_eq!(first["id"], again["id"]);
    assert_eq!(
        write("The safe is under the stairs").refused(409),
        "conflict"
    );
    assert_eq!(vault.get("/api/memories").expect(200)["total"], 1);
    vault.shift_clock_days(8);
    write("The safe is under the stairs").expect(201);
}

#[test]
fn blank_and_oversized_texts_are_refused_and_nothing_is_stored() {
    // U-72, U-73
    let vault = Vault::start();
    for text in ["", "   ", "\n\u{200b}"] {
        assert_eq!(
            vault
                .post("/api/memories", json!({ "content": text }))
                .refused(400),
            "invalid_argument"
        );
    }
    assert_eq!(
        vault
            .post("/api/memories", json!({ "content": "x".repeat(3_000_000) }))
            .refused(413),
        "too_large"
    );
    let refusal = vault
        .mcp()
        .refusal("remember", json!({ "content": "word ".repeat(600_000) }));
    assert!(refusal.contains("65536"), "{refusal}");
    assert_eq!(
        vault.get("/api/memories?status=all").expect(200)["total"],
        0
    );
    let long = format!(
        "{}The last sentence names the heron.",
        "Filler sentence. ".repeat(3_800)
    );
    vault.remember(&long);
    assert_eq!(vault.recall("heron").len(), 1);
}

#[test]
fn times_are_utc_instants() {
    // U-80
    let vault = Vault::start();
    let before = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap()
        .as_millis() as i64;
    let memory = vault
        .post("/api/memories", json!({ "content": "Now" }))
        .expect(201);
    let text = memory["created_at"].as_str().unwrap();
    let created = memory_vault::model::time::Timestamp::parse_rfc3339(text)
        .unwrap()
        .millis();
    assert!(
        text.ends_with('Z') && (before - 1_000..before + 60_000).contains(&created),
        "{text}"
    );
}

#[test]
fn impossible_dates_are_refused_alone_and_dropped_in_an_import() {
    // U-83, U-85
    let vault = Vault::start();
    for date in ["2026-02-30", "0001-01-01", "9999-12-31", "soon"] {
        assert_eq!(
            vault
                .post(
                    "/api/memories",
                    json!({ "content": "x", "source_date": date })
                )
                .refused(400),
            "invalid_argument",
            "{date}"
        );
        let report = vault
            .post(
                "/api/bulk",
                json!({ "items": [{ "content": format!("About {date}"), "source_date": date }] }),
            )
            .expect(200);
        assert_eq!(report["items"][0]["outcome"], "stored");
        assert!(
            report["items"][0]["warning"]
                .as_str()
                .unwrap()
                .contains("date")
        );
    }
    let stored = |date: &str| {
        vault
            .post(
                "/api/memories",
                json!({ "content": format!("Said {date}"), "source_date": date }),
            )
            .expect(201)["source_date"]
            .clone()
    };
    assert_eq!(
        stored("2026-03-10T09:00:00+09:00"),
        "2026-03-10T00:00:00.000Z"
    );
    assert_eq!(stored("2026-03-10"), "2026-03-10");
    assert_eq!(stored("2026-03-10T09:00:00"), "2026-03-10T09:00:00.000Z");
}

#[test]
fn the_owner_storing_a_waiting_text_lets_it_in() {
    let vault = Vault::start();
    let id = vault
        .mcp()
        .tool("remember", json!({ "content": "Ada prefers trains" }))["id"]
        .clone();
    let answer = vault
        .post("/api/memories", json!({ "content": "ada prefers trains" }))
        .expect(200);
    assert_eq!((&answer["id"], &answer["status"]), (&id, &json!("active")));
    assert_eq!(
        vault.get("/api/audit?action=approve").expect(200)["total"],
        1
    );
}
