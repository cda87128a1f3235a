//! Requests about memories that are refused or clamped.

use memory_vault::api::routes::Handler;
use serde_json::json;

use crate::support::Vault;

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
    // A list is an import's items: here four that are none.
    let report = vault.post("/api/bulk", json!([["a fact"], null, null, null]));
    assert_eq!(report.clone().expect(200)["refused"], 4, "{}", report.body);
}

#[test]
fn a_page_larger_than_any_is_clamped() {
    let vault = Vault::start();
    vault.remember("Something");
    for limit in ["201", "99999999999999999999"] {
        assert_eq!(
            vault
                .get(&format!("/api/memories?limit={limit}"))
                .expect(200)["total"],
            1,
            "{limit}"
        );
    }
    assert_eq!(
        vault.get("/api/memories?limit=-1").refused(400),
        "invalid_argument"
    );
}

/// One letter too many must not change what happens in silence.
#[test]
fn every_route_of_the_api_refuses_a_query_parameter_that_it_does_not_know() {
    let vault = Vault::start();
    let id = vault.remember("The harbour opens at six");
    let mut tried = 0;
    for route in memory_vault::api::routes::ROUTES {
        if !route.path.starts_with("/api/") {
            continue;
        }
        let path = route.path.replace(":id", &id).replace(":n", "1");
        for query in ["keep_bothh=1", "dry-run=1", "x="] {
            let headers = [("Content-Length", "0")];
            let answer = vault.send(route.method, &format!("{path}?{query}"), &headers, None);
            let name = query.split('=').next().unwrap();
            assert!(
                answer.body.contains(name),
                "{} {path}: {}",
                route.method,
                answer.body
            );
            assert!(answer.body.contains("known are"), "{}", answer.body);
            assert_eq!(
                answer.refused(400),
                "invalid_argument",
                "{} {path}",
                route.method
            );
            tried += 1;
        }
        if let Some(known) = route.doc.query.first() {
            let answer = vault.send(
                route.method,
                &format!("{path}?{known}=1&{known}=2"),
                &[("Content-Length", "0")],
                None,
            );
            assert!(
                answer.body.contains("given twice"),
                "{} {path}: {}",
                route.method,
                answer.body
            );
        }
    }
    assert!(tried > 100, "{tried}");
    assert_eq!(vault.recall("harbour"), ["The harbour opens at six"]);
}

/// A wish in a body that a route does not take must not be overheard while the rest is done.
#[test]
fn every_route_of_the_api_that_takes_no_body_refuses_one_and_does_nothing() {
    let vault = Vault::start();
    let id = vault.remember("The harbour opens at six");
    let mut tried = 0;
    for route in memory_vault::api::routes::ROUTES {
        let takes_one = route.doc.body.is_some() || matches!(route.handler, Handler::Upload(_));
        if !route.path.starts_with("/api/") || takes_one || route.method == "GET" {
            continue;
        }
        let path = route.path.replace(":id", &id).replace(":hash", "0");
        let headers = [("Content-Type", "application/json")];
        let answer = vault.send(route.method, &path, &headers, Some(br#"{"dry_run": true}"#));
        let named = format!("{} {path}: {}", route.method, answer.body);
        assert!(answer.body.contains("nothing was done"), "{named}");
        assert_eq!(answer.refused(400), "invalid_argument", "{named}");
        tried += 1;
    }
    assert!(tried > 15, "{tried}");
    assert_eq!(vault.recall("harbour"), ["The harbour opens at six"]);
    for nothing in ["{}", " ", "null"] {
        let headers = [("Content-Type", "application/json")];
        vault
            .send(
                "POST",
                "/api/retention/run",
                &headers,
                Some(nothing.as_bytes()),
            )
            .expect(200);
    }
}
