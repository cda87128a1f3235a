//! The queue as a whole: many decisions at once, filters, and a flood.

use std::time::Instant;

use serde_json::{Value, json};

use crate::support::Vault;
use crate::support::encode;
use crate::support::oauth::App;

#[track_caller]
fn review(vault: &Vault, action: &str, ids: &[String]) -> Value {
    vault
        .post("/api/review", json!({ "action": action, "ids": ids }))
        .expect(200)
}

fn done(answer: &Value) -> usize {
    answer["done"].as_array().unwrap().len()
}

/// Ids of a filtered list, read page by page.
#[track_caller]
fn all_ids(vault: &Vault, filter: &str, limit: usize) -> Vec<String> {
    let mut ids = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = vault
            .get(&format!("/api/memories?limit={limit}&{filter}{cursor}"))
            .expect(200);
        for memory in page["memories"].as_array().unwrap() {
            ids.push(memory["id"].as_str().unwrap().to_owned());
        }
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => {
                assert_eq!(page["total"], json!(ids.len()));
                return ids;
            }
        }
    }
}

#[test]
fn one_bad_id_leaves_the_others_decided() {
    let vault = Vault::start();
    let mcp = vault.mcp();
    let ids: Vec<String> = ["One", "Two", "Three"]
        .iter()
        .map(|text| {
            let proposed = mcp.tool("remember", json!({ "content": text }));
            proposed["id"].as_str().unwrap().to_owned()
        })
        .collect();
    vault
        .post_empty(&format!("/api/memories/{}/reject", ids[1]))
        .expect(200);
    let unknown = "mem_00000000000000000000000000".to_owned();
    let asked = [
        ids[0].clone(),
        ids[1].clone(),
        unknown.clone(),
        ids[0].clone(),
        ids[2].clone(),
    ];
    let answer = review(&vault, "approve", &asked);
    assert_eq!(answer["done"], json!([ids[0], ids[2]]));
    let left: Vec<&str> = answer["left"]
        .as_array()
        .unwrap()
        .iter()
        .map(|left| left["id"].as_str().unwrap())
        .collect();
    assert_eq!(left, [&ids[1], &unknown]);
    assert!(
        answer["left"][0]["reason"]
            .as_str()
            .unwrap()
            .contains("turned down by")
    );
    for (body, status) in [
        (json!({ "action": "forget", "ids": ids }), 400),
        (json!({ "action": "approve", "ids": [] }), 400),
        (json!({ "action": "approve" }), 400),
        (json!({ "action": "approve", "ids": vec!["x"; 201] }), 413),
    ] {
        assert_eq!(vault.post("/api/review", body).status, status);
    }
}

#[test]
fn many_decisions_are_taken_back_in_whatever_order_they_come() {
    let vault = Vault::start();
    let mcp = vault.mcp();
    let mut ids: Vec<String> = Vec::new();
    for number in 0..4 {
        let mut draft = json!({ "content": format!("The boat has coat number {number}") });
        if let Some(last) = ids.last() {
            draft["supersedes"] = json!(last);
        }
        let proposed = mcp.tool("remember", draft);
        ids.push(proposed["id"].as_str().unwrap().to_owned());
        vault
            .post_empty(&format!("/api/memories/{}/approve", ids[number]))
            .expect(200);
    }
    assert_eq!(all_ids(&vault, "status=superseded", 50).len(), 3);
    let answer = review(&vault, "undecide", &ids);
    assert_eq!((done(&answer), &answer["left"]), (4, &json!([])));
    let mut waiting = all_ids(&vault, "status=proposed", 50);
    waiting.reverse();
    assert_eq!(waiting, ids);
}

/// U-209: 600 proposals are paged, filtered by client, decided in bulk with undo, and do not get in recall's way.
#[test]
fn a_flood_of_proposals_can_be_handled() {
    let vault = Vault::start();
    vault.remember("Ada keeps the spare key at Odile's");
    let quiet = App::register(&vault, "quiet").sign_in().access;
    vault
        .mcp_with(&quiet)
        .tool("remember", json!({ "content": "The harbour opens at six" }));
    let before = Instant::now();
    for _ in 0..20 {
        assert_eq!(
            vault.recall("spare key")[0],
            "Ada keeps the spare key at Odile's"
        );
    }
    let alone = before.elapsed();

    let loud = App::register(&vault, "loud").sign_in().access;
    for batch in 0..6 {
        let items: Vec<String> = (0..100)
            .map(|number| {
                format!(
                    "Loud claim {batch}-{number} about crate {}",
                    batch * 100 + number
                )
            })
            .collect();
        vault
            .mcp_with(&loud)
            .tool("bulk_remember", json!({ "items": items }));
    }
    // Recall answers the same, and not a multiple slower (a generous bound: machines differ, orders of magnitude do not).
    let flooded = Instant::now();
    for _ in 0..20 {
        assert_eq!(
            vault.recall("spare key")[0],
            "Ada keeps the spare key at Odile's"
        );
    }
    assert!(
        flooded.elapsed() < alone * 10 + std::time::Duration::from_secs(2),
        "{:?} alone, {:?} flooded",
        alone,
        flooded.elapsed()
    );

    let filter = format!("status=proposed&created_by={}", encode("mcp:loud"));
    let ids = all_ids(&vault, &filter, 200);
    assert_eq!(ids.len(), 600);
    let of_quiet = format!("status=proposed&created_by={}", encode("mcp:quiet"));
    assert_eq!(all_ids(&vault, &of_quiet, 200).len(), 1);
    for chunk in ids.chunks(200) {
        assert_eq!(done(&review(&vault, "reject", chunk)), 200);
    }
    assert_eq!(
        vault.get("/api/status").expect(200)["memories"]["proposed"],
        1
    );
    assert_eq!(done(&review(&vault, "undecide", &ids[..200])), 200);
    assert_eq!(done(&review(&vault, "approve", &ids[..100])), 100);
    let memories = vault.get("/api/status").expect(200)["memories"].clone();
    assert_eq!(
        (
            &memories["proposed"],
            &memories["active"],
            &memories["rejected"]
        ),
        (&json!(101), &json!(101), &json!(400))
    );
}

#[test]
fn memories_are_looked_up_by_id_wherever_they_stand() {
    let vault = Vault::start();
    let old = vault.remember("The boat is blue");
    let new = vault.store(json!({ "content": "The boat is green", "supersedes": old }));
    vault.remember("Something else");
    let found = all_ids(&vault, &format!("ids={old},{new},mem_x"), 50);
    assert_eq!(found, [new.clone(), old.clone()]);
    assert_eq!(
        all_ids(&vault, &format!("ids={old},{new}&status=active"), 50),
        [new]
    );
    let many = vec!["mem_x"; 201].join(",");
    assert_eq!(
        vault.get(&format!("/api/memories?ids={many}")).refused(413),
        "too_large"
    );
    assert_eq!(
        vault.get("/api/memories?flag=odd").refused(400),
        "invalid_argument"
    );
}

/// U-213: every match of a filter can be reached by paging.
#[test]
fn a_filter_sees_all_of_its_matches() {
    let vault = Vault::start();
    let items: Vec<Value> = (0..150)
        .map(|number| {
            let tag = if number % 2 == 0 { "even" } else { "odd" };
            json!({ "content": format!("Crate {number} is labelled"), "tags": [tag] })
        })
        .collect();
    vault
        .post("/api/bulk", json!({ "items": items }))
        .expect(200);
    for limit in [1, 7, 50, 200] {
        let mut ids = all_ids(&vault, "tag=odd", limit);
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), 75, "{limit}");
    }
}
