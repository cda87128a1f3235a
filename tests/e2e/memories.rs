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
fn a_correction_replaces_what_it_corrects() {
    // U-57
    let vault = Vault::start_in_auto_mode();
    let old = vault.mcp().tool(
        "remember",
        json!({ "content": "Device A is a Synology unit" }),
    );
    let new = vault.mcp().tool(
        "remember",
        json!({ "content": "Device A is a FnOS unit", "supersedes": old["id"] }),
    );
    assert_eq!(vault.recall("Device A"), ["Device A is a FnOS unit"]);
    let old = vault
        .get(&format!("/api/memories/{}", old["id"].as_str().unwrap()))
        .expect(200);
    assert_eq!(
        (&old["status"], &old["superseded_by"]),
        (&json!("superseded"), &new["id"])
    );
    assert!(old["valid_until"].is_string());
    let both = vault
        .get("/api/recall?q=Device+A&include_superseded=1")
        .expect(200);
    assert_eq!(both["results"].as_array().unwrap().len(), 2);
}

#[test]
fn a_correction_by_an_agent_waits_for_the_owner_in_review_mode() {
    let vault = Vault::start();
    let old = vault.remember("The relay listens on port 22");
    let new = vault.mcp().tool(
        "remember",
        json!({ "content": "The relay listens on port 49222", "supersedes": old }),
    );
    let status = |id: &str| vault.get(&format!("/api/memories/{id}")).expect(200)["status"].clone();
    assert_eq!(status(&old), "active");
    vault
        .post_empty(&format!(
            "/api/memories/{}/approve",
            new["id"].as_str().unwrap()
        ))
        .expect(200);
    assert_eq!(status(&old), "superseded");
}

#[test]
fn superseding_what_cannot_be_superseded_writes_nothing() {
    // U-60
    let vault = Vault::start();
    let old = vault.remember("The boat is blue");
    let new = vault.store(json!({ "content": "The boat is green", "supersedes": old }));
    let refused = |content: &str, supersedes: &str, status: u16| {
        let answer = vault.post(
            "/api/memories",
            json!({ "content": content, "supersedes": supersedes }),
        );
        assert_eq!(
            answer.clone().expect(status)["error"]["field"],
            "supersedes",
            "{}",
            answer.body
        );
    };
    refused("The boat is red", "mem_00000000000000000000000000", 404);
    refused("The boat is red", &old, 409);
    refused("The boat is green", &new, 400);
    assert_eq!(
        vault.get("/api/memories?status=all").expect(200)["total"],
        2
    );
    let waiting = vault
        .mcp()
        .tool("remember", json!({ "content": "The boat is gone" }));
    let itself = vault.patch(
        &format!("/api/memories/{}", waiting["id"].as_str().unwrap()),
        json!({ "supersedes": waiting["id"] }),
    );
    assert_eq!(itself.refused(400), "invalid_argument");
}

#[test]
fn an_edit_keeps_the_old_text_as_history_and_is_found_by_the_new() {
    let vault = Vault::start();
    let id = vault.remember("Ships on 1 July");
    let other = vault.remember("The crane is hired");
    let path = format!("/api/memories/{id}");
    assert_eq!(
        vault
            .patch(
                &path,
                json!({ "content": "Sails on 9 July", "tags": ["boat"] })
            )
            .expect(200)["content"],
        "Sails on 9 July"
    );
    assert_eq!(
        vault.get(&format!("{path}/history")).expect(200)["revisions"][0]["content"],
        "Ships on 1 July"
    );
    assert_eq!(vault.recall("ships"), Vec::<String>::new());
    assert_eq!(vault.recall("sails boat"), ["Sails on 9 July"]);
    assert_eq!(
        vault
            .patch(&path, json!({ "content": "the crane is hired" }))
            .refused(409),
        "duplicate"
    );
    assert_eq!(
        vault
            .patch(&path, json!({ "status": "rejected" }))
            .refused(400),
        "invalid_argument"
    );
    assert_eq!(
        vault.get(&format!("/api/memories/{other}")).expect(200)["content"],
        "The crane is hired"
    );
}

#[test]
fn a_proposal_can_be_reworded_while_it_is_approved() {
    let vault = Vault::start();
    let id = vault
        .mcp()
        .tool("remember", json!({ "content": "Ada perfers tea" }))["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let approved = vault
        .post(
            &format!("/api/memories/{id}/approve"),
            json!({ "content": "Ada prefers tea" }),
        )
        .expect(200);
    assert_eq!(
        (&approved["content"], &approved["status"]),
        (&json!("Ada prefers tea"), &json!("active"))
    );
    assert_eq!(
        vault
            .get(&format!("/api/memories/{id}/history"))
            .expect(200)["revisions"][0]["content"],
        "Ada perfers tea"
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
            report["items"][0]["reason"]
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
fn the_guide_keeps_every_version_and_refuses_a_lost_update() {
    let vault = Vault::start();
    let first = vault.get("/api/guide").expect(200);
    assert_eq!(first["version"], 1);
    let second = vault
        .put(
            "/api/guide",
            json!({ "content": "Recall first.", "expected_version": 1 }),
        )
        .expect(200);
    assert_eq!(second["version"], 2);
    assert_eq!(
        vault
            .put(
                "/api/guide",
                json!({ "content": "Other.", "expected_version": 1 })
            )
            .refused(409),
        "conflict"
    );
    assert_eq!(
        vault
            .put("/api/guide", json!({ "content": "Recall first." }))
            .expect(200)["version"],
        2
    );
    let versions = vault.get("/api/guide/versions").expect(200);
    assert_eq!(versions["versions"][1]["content"], first["content"]);
    assert!(
        vault.mcp().tool("get_operating_guide", json!({}))["content"]
            .as_str()
            .unwrap()
            .contains("Recall first.")
    );
}

#[test]
fn settings_change_one_by_one_and_bad_ones_change_nothing() {
    let vault = Vault::start();
    assert_eq!(
        vault
            .put("/api/settings", json!({ "time_zone": "Asia/Tokyo" }))
            .expect(200)["mode"],
        "review"
    );
    for bad in [
        json!({ "time_zone": "Mars/Olympus" }),
        json!({ "mode": "yolo" }),
        json!({ "modus": "auto" }),
        json!({ "short_tier_days": 0 }),
    ] {
        assert_eq!(
            vault.put("/api/settings", bad).refused(400),
            "invalid_argument"
        );
    }
    assert_eq!(
        vault.get("/api/settings").expect(200)["time_zone"],
        "Asia/Tokyo"
    );
}

#[test]
fn the_audit_log_says_who_did_what_and_never_a_text() {
    let vault = Vault::start();
    let id = vault.remember("Locker 12 belongs to Ilse");
    vault
        .patch(
            &format!("/api/memories/{id}"),
            json!({ "content": "Locker 12 belongs to Odile" }),
        )
        .expect(200);
    vault
        .mcp()
        .tool("remember", json!({ "content": "The harbour opens at six" }));
    let log = vault.get("/api/audit").expect(200);
    let rows: Vec<(&str, &str)> = log["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            (
                row["actor"].as_str().unwrap(),
                row["action"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        rows,
        [
            ("mcp:local", "propose"),
            ("owner:ada@localhost", "edit"),
            ("owner:ada@localhost", "remember")
        ]
    );
    assert!(!log.to_string().contains("Locker") && !log.to_string().contains("harbour"));
    assert_eq!(vault.get("/api/audit?action=edit").expect(200)["total"], 1);
}

#[test]
fn a_known_text_that_replaces_another_does_so_or_says_why_not() {
    let vault = Vault::start();
    let known = vault.remember("The relay listens on port 49222");
    let old = vault.remember("The relay listens on port 22");
    let again = json!({ "content": "The relay listens on port 49222", "supersedes": old });
    let answer = vault.post("/api/memories", again.clone()).expect(200);
    assert_eq!(
        (&answer["id"], &answer["supersedes"]),
        (&json!(known), &json!(old))
    );
    assert_eq!(
        vault.get(&format!("/api/memories/{old}")).expect(200)["superseded_by"],
        json!(known)
    );
    let third = vault.remember("The relay listens on port 80");
    let refusal = vault.mcp().refusal(
        "remember",
        json!({ "content": "The relay listens on port 49222", "supersedes": third }),
    );
    assert!(
        refusal.contains("supersedes") && refusal.contains(&known),
        "{refusal}"
    );
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

#[test]
fn replacements_cannot_run_in_a_circle() {
    let vault = Vault::start();
    let first = vault
        .mcp()
        .tool("remember", json!({ "content": "The boat is blue" }))["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let second = vault.mcp().tool(
        "remember",
        json!({ "content": "The boat is green", "supersedes": first }),
    )["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let circle = vault.patch(
        &format!("/api/memories/{first}"),
        json!({ "supersedes": second }),
    );
    assert_eq!(circle.clone().refused(400), "invalid_argument");
    assert!(circle.body.contains("itself replaces"), "{}", circle.body);
}

#[test]
fn a_target_that_waits_to_be_forgotten_is_named_as_such_to_the_owner() {
    let vault = Vault::start();
    let old = vault.remember("The boat is blue");
    let new = vault.mcp().tool(
        "remember",
        json!({ "content": "The boat is green", "supersedes": old }),
    )["id"]
        .as_str()
        .unwrap()
        .to_owned();
    vault.mcp().tool("forget", json!({ "id": old }));
    let answer = vault.post_empty(&format!("/api/memories/{new}/approve"));
    assert_eq!(answer.clone().refused(409), "conflict");
    assert!(
        answer.body.contains("waits to be forgotten"),
        "{}",
        answer.body
    );
    vault
        .patch(
            &format!("/api/memories/{new}"),
            json!({ "supersedes": null }),
        )
        .expect(200);
    assert_eq!(
        vault
            .post_empty(&format!("/api/memories/{new}/approve"))
            .expect(200)["status"],
        "active"
    );
}

#[test]
fn unknown_fields_and_lists_in_place_of_objects_are_refused() {
    let vault = Vault::start();
    let id = vault.remember("Something");
    let typo = vault.post("/api/memories", json!({ "content": "x", "supercedes": id }));
    assert!(typo.body.contains("supercedes"), "{}", typo.body);
    assert_eq!(typo.refused(400), "invalid_argument");
    let lists = [
        (
            "PUT",
            "/api/settings".to_owned(),
            json!(["auto", "UTC", 30, 7]),
        ),
        ("PUT", "/api/guide".to_owned(), json!(["# Guide", null])),
        (
            "PATCH",
            format!("/api/memories/{id}"),
            json!(["text", null, null, null, null, null, null, null, null, null]),
        ),
        (
            "POST",
            "/api/bulk".to_owned(),
            json!([["a fact"], null, null, null]),
        ),
        ("POST", "/api/memories".to_owned(), json!(["a fact"])),
    ];
    for (method, path, body) in lists {
        let answer = vault.send(
            method,
            &path,
            &[("Content-Type", "application/json")],
            Some(body.to_string().as_bytes()),
        );
        assert_eq!(answer.refused(400), "invalid_argument", "{method} {path}");
    }
    assert_eq!(vault.get("/api/settings").expect(200)["mode"], "review");
}
