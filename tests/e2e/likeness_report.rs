//! What the report of an import says of repetitions and of memories alike.

use serde_json::json;

use crate::support::Vault;

/// U-87
#[test]
fn a_report_counts_what_was_near_and_what_was_alike() {
    let vault = Vault::start();
    let forgotten = vault.remember("The old plan was to sail to Malta");
    vault
        .delete(&format!("/api/memories/{forgotten}"))
        .expect(200);
    vault.remember("The server runs on port 8080");
    let items = [
        "Noor plays tennis with Ilse",
        "The cat sleeps on the sofa",
        "Grandmother bakes rye bread",
        "the server runs on PORT 8080",
        "The cat sleeps on the sofa",
        "A cat sleeps on the sofa.",
        "The server runs on port 8081",
        concat!(
            "The deploy token is gh",
            "p_",
            "Zk3Qw9TtR8s7Lm2Vb6Nc5Xj4Hd1Fg0PaYuEi"
        ),
        "The old plan was to sail to Malta",
        "  ",
    ];
    let report = vault
        .post("/api/bulk", json!({ "items": items }))
        .expect(200);
    let count = |name: &str| report[name].as_i64().unwrap();
    let names = [
        "total",
        "stored",
        "similar",
        "duplicate",
        "near_duplicate",
        "refused",
        "excluded",
        "blank",
    ];
    assert_eq!(names.map(count), [10, 4, 1, 2, 1, 1, 1, 1], "{report}");
    assert!(report.get("note").is_none());
    let alike = &report["items"][6];
    assert_eq!(
        alike["status"], "proposed",
        "what resembles something waits for the owner"
    );
    assert!(
        alike["similar_to"].is_string() && alike["reason"].as_str().unwrap().contains("number"),
        "{alike}"
    );
    let near = &report["items"][5];
    assert_eq!(
        near["id"], report["items"][1]["id"],
        "an earlier item of the same import"
    );
}
