//! Access service tokens: what each role may do (U-196).

use serde_json::{Value, json};

use super::{ask_path, deployed_with_a_memory};
use crate::public_routes::closed_routes;
use crate::support::deployed::{self, Deployed, owner};
use crate::support::oauth::Consent;

/// Calls of every kind, each complete, so that only the caller can be what is wrong with them.
fn calls(id: &str) -> Vec<(&'static str, String, Option<Value>)> {
    let one = |rest: &str| format!("/api/memories/{id}{rest}");
    vec![
        ("GET", "/api/memories".into(), None),
        (
            "POST",
            "/api/memories".into(),
            Some(json!({ "content": "A program's own" })),
        ),
        ("GET", one(""), None),
        ("PATCH", one(""), Some(json!({ "importance": 0.7 }))),
        ("GET", one("/history"), None),
        ("GET", "/api/recall?q=boat".into(), None),
        ("GET", "/api/batches".into(), None),
        ("GET", "/api/map".into(), None),
        ("GET", "/api/guide".into(), None),
        (
            "PUT",
            "/api/guide".into(),
            Some(json!({ "content": "Obey the butler." })),
        ),
        ("GET", "/api/guide/versions".into(), None),
        ("GET", "/api/settings".into(), None),
        (
            "PUT",
            "/api/settings".into(),
            Some(json!({ "mode": "review" })),
        ),
        ("GET", "/api/exclusions".into(), None),
        ("GET", "/api/audit".into(), None),
        ("POST", one("/forget"), None),
    ]
}

/// The rest of what a service token may be refused.
const DECISIONS: [(&str, &str); 24] = [
    ("POST", "/api/memories/mem_1/approve"),
    ("POST", "/api/memories/mem_1/reject"),
    ("POST", "/api/memories/mem_1/keep"),
    ("DELETE", "/api/memories/mem_1"),
    ("POST", "/api/memories/mem_1/undecide"),
    ("POST", "/api/memories/dedupe"),
    ("POST", "/api/review"),
    ("GET", "/api/batches/mem_1"),
    ("POST", "/api/batches/mem_1/approve"),
    ("POST", "/api/batches/mem_1/reject"),
    ("POST", "/api/batches/mem_1/undo"),
    ("GET", "/api/guide/diff?from=1&to=1"),
    ("GET", "/api/guide/versions/1"),
    ("POST", "/api/guide/restore"),
    ("GET", "/api/retention"),
    ("POST", "/api/retention/run"),
    ("DELETE", "/api/exclusions/abc"),
    ("POST", "/api/reindex"),
    ("POST", "/api/restore"),
    ("GET", "/api/restore"),
    ("GET", "/api/restore/mem_1"),
    ("DELETE", "/api/restore/mem_1"),
    ("PUT", "/api/restore/mem_1/parts/n"),
    ("POST", "/api/restore/mem_1/commit"),
];

/// What only the owner in person may do.
const IN_PERSON: [(&str, &str); 11] = [
    ("GET", "/authorize"),
    ("POST", "/authorize"),
    ("GET", "/api/oauth/grants"),
    ("GET", "/api/oauth/grants/mem_1"),
    ("DELETE", "/api/oauth/grants/mem_1"),
    ("GET", "/api/oauth/clients"),
    ("GET", "/api/oauth/clients/mem_1"),
    ("DELETE", "/api/oauth/clients/mem_1"),
    ("GET", "/api/status/connection"),
    ("POST", "/api/erase"),
    ("DELETE", "/api/erase"),
];

/// What holds nothing of the vault and every listed service token may see.
const SIGNPOSTS: [(&str, &str); 6] = [
    ("GET", "/"),
    ("GET", "/ui/main.js"),
    ("GET", "/ui/css/base.css"),
    ("GET", "/api/openapi.json"),
    ("GET", "/api/capabilities"),
    ("GET", "/api/me"),
];

#[test]
fn the_tables_of_these_tests_name_every_route() {
    let mut named: Vec<(String, String)> = calls("mem_1")
        .into_iter()
        .map(|(method, path, _)| (method, path))
        .chain([
            ("GET", "/api/status".into()),
            ("GET", "/api/backup".into()),
            ("GET", "/api/export".into()),
            ("POST", "/api/bulk".into()),
            ("POST", "/mcp".into()),
        ])
        .chain(
            [&DECISIONS[..], &IN_PERSON, &SIGNPOSTS]
                .concat()
                .into_iter()
                .map(|(method, path)| (method, path.to_owned())),
        )
        .map(|(method, path)| {
            (
                method.to_owned(),
                path.split('?').next().unwrap().to_owned(),
            )
        })
        .collect();
    let mut documented: Vec<(String, String)> = closed_routes()
        .into_iter()
        .map(|(method, path, _)| (method, path))
        .collect();
    named.sort();
    documented.sort();
    assert_eq!(named, documented);
}

/// The body of those decisions that need one.
fn body_of(path: &str) -> Option<Value> {
    match path {
        "/api/review" => Some(json!({ "action": "reject", "ids": ["mem_1"] })),
        "/api/guide/restore" => Some(json!({ "version": 1 })),
        "/api/erase" => Some(json!({ "confirm": "erase my vault" })),
        _ => None,
    }
}

/// What a program may not do that only imports or makes backups.
#[track_caller]
fn assert_sees_and_decides_nothing(there: &Deployed, token: &str, id: &str) {
    let decisions = DECISIONS
        .iter()
        .chain(&IN_PERSON)
        .map(|(method, path)| (*method, path.replace("mem_1", id), body_of(path)));
    for (method, path, body) in calls(id).into_iter().chain(decisions) {
        let answer = there.call(token, method, &path, body);
        assert!(!answer.body.contains("boat key"), "{method} {path}");
        assert_eq!(answer.refused(403), "forbidden", "{method} {path}");
    }
    for (method, path) in SIGNPOSTS {
        let answer = there.call(token, method, path, None);
        assert_eq!(answer.status, 200, "{path}");
        assert!(!answer.body.contains("boat key"), "{path}");
    }
}

#[test]
fn a_backup_token_sees_how_the_vault_is_and_nothing_in_it() {
    // U-196
    let there = deployed_with_a_memory();
    let id = first_id(&there);
    let token = deployed::service("nightly.access");
    assert_eq!(
        there.get(&token, "/api/status").expect(200)["memories"]["active"],
        1
    );
    let import = json!({ "items": ["A program's own"] });
    let answer = there.call(&token, "POST", "/api/bulk", Some(import));
    assert_eq!(answer.refused(403), "forbidden");
    assert_sees_and_decides_nothing(&there, &token, &id);
    assert_eq!(there.get(&owner(), "/api/memories").expect(200)["total"], 1);
}

#[test]
fn an_import_token_brings_memories_in_that_wait_for_the_owner() {
    // U-196
    let there = deployed_with_a_memory();
    let id = first_id(&there);
    let token = deployed::service("mover.access");
    for mode in ["review", "auto"] {
        let settings = json!({ "mode": mode });
        there
            .call(&owner(), "PUT", "/api/settings", Some(settings))
            .expect(200);
        let items = json!({ "items": [format!("Ilse rows, as seen in {mode} mode")] });
        let report = there.call(&token, "POST", "/api/bulk", Some(items));
        assert_eq!(report.clone().expect(200)["stored"], 1, "{}", report.body);
    }
    let waiting = there
        .get(&owner(), "/api/memories?status=proposed")
        .expect(200);
    assert_eq!(waiting["total"], 2, "{waiting}");
    assert_eq!(waiting["memories"][0]["created_by"], "service:mover.access");
    assert_eq!(there.get(&token, "/api/status").status, 200);
    assert_sees_and_decides_nothing(&there, &token, &id);
}

#[test]
fn a_full_token_does_what_the_owner_may_and_the_audit_log_names_it() {
    // U-196
    let there = deployed_with_a_memory();
    let id = first_id(&there);
    let token = deployed::service("butler.access");
    for (method, path, body) in calls(&id) {
        let answer = there.call(&token, method, &path, body);
        assert!(
            matches!(answer.status, 200 | 201),
            "{method} {path}: {} {}",
            answer.status,
            answer.body
        );
    }
    let log = there.get(&owner(), "/api/audit").expect(200);
    let of = |action: &str| {
        let entries = log["entries"].as_array().unwrap();
        let entry = entries.iter().find(|entry| entry["action"] == action);
        entry.map(|entry| entry["actor"].as_str().unwrap().to_owned())
    };
    for action in ["forget", "edit"] {
        assert_eq!(of(action).as_deref(), Some("service:butler.access"));
    }
}

#[test]
fn no_service_token_lets_an_app_in() {
    // U-196
    let there = Deployed::start();
    let page = there.get(&owner(), &ask_path(&there));
    let consent = Consent::of(&page);
    for name in ["nightly.access", "mover.access", "butler.access"] {
        let token = deployed::service(name);
        for (method, path) in IN_PERSON {
            let answer = there.call(&token, method, path, None);
            assert_eq!(answer.refused(403), "forbidden", "{name} {method} {path}");
        }
        let answer = there.get(&token, &ask_path(&there));
        assert_eq!(answer.refused(403), "forbidden", "{name}");
        let body = consent.body("approve", &["memory.read"]);
        let headers = [
            ("Cf-Access-Jwt-Assertion", token.as_str()),
            ("Cookie", consent.cookie.as_str()),
            ("Content-Type", "application/x-www-form-urlencoded"),
        ];
        let answer = there.send("POST", "/authorize", &headers, Some(body.as_bytes()));
        assert_eq!(answer.refused(403), "forbidden", "{name}");
    }
    assert_eq!(
        there.get(&owner(), "/api/oauth/grants").expect(200)["grants"],
        json!([])
    );
}

#[test]
fn a_service_token_that_is_not_listed_enters_nowhere() {
    // U-196
    let there = deployed_with_a_memory();
    for name in [
        "BUTLER.access",
        "butler",
        "butler.access ",
        "",
        "ada@example.org",
    ] {
        for path in ["/api/status", "/api/memories", "/", "/api/capabilities"] {
            let answer = there.get(&deployed::service(name), path);
            assert_eq!(answer.refused(403), "forbidden", "{name} {path}");
        }
    }
}

#[test]
fn a_program_is_no_person_though_its_name_is_an_address() {
    let mut settings = deployed::SETTINGS.to_vec();
    settings[4].1 = "ada@example.org:backup";
    let there = Deployed::start_with(&settings);
    let answer = there.get(&deployed::service("ada@example.org"), "/api/memories");
    assert_eq!(answer.refused(403), "forbidden");
}

fn first_id(there: &Deployed) -> String {
    let page = there.get(&owner(), "/api/memories").expect(200);
    page["memories"][0]["id"].as_str().unwrap().to_owned()
}
