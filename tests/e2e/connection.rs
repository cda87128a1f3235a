//! The owner's check whether apps outside can reach the vault.

use serde_json::{Value, json};

use crate::support::Vault;
use crate::support::deployed::{self, Deployed, owner};

const RESOURCE: &str = "https://vault.example.test/.well-known/oauth-protected-resource/mcp";
const SERVER: &str = "https://vault.example.test/.well-known/oauth-authorization-server";
const MCP: &str = "https://vault.example.test/mcp";

/// A vault whose public address answers as the vault itself does.
fn reachable() -> Deployed {
    let there = Deployed::start();
    for address in [RESOURCE, SERVER, MCP] {
        let path = address.strip_prefix("https://vault.example.test").unwrap();
        let own = there.get_as_nobody(path);
        let headers: serde_json::Map<String, Value> = own
            .headers
            .iter()
            .filter(|(name, _)| !["content-length", "transfer-encoding"].contains(&name.as_str()))
            .map(|(name, value)| (name.clone(), json!(value)))
            .collect();
        let answer = json!({ "status": own.status, "headers": headers, "body": own.body });
        there.internet.plays(address, answer);
    }
    there
}

fn check(there: &Deployed) -> Vec<Value> {
    let report = there.get(&owner(), "/api/status/connection").expect(200);
    assert_eq!(report["note"], Value::Null);
    report["checks"].as_array().unwrap().clone()
}

/// The check of the MCP endpoint, after a look at the others, which must have passed.
#[track_caller]
fn mcp_check(there: &Deployed) -> Value {
    let checks = check(there);
    assert_eq!(checks.len(), 3);
    assert_eq!(
        (&checks[0]["passed"], &checks[1]["passed"]),
        (&json!(true), &json!(true)),
        "{checks:?}"
    );
    checks[2].clone()
}

#[track_caller]
fn assert_names(check: &Value, setting: &str, detail: &str) {
    assert_eq!(check["passed"], false, "{check}");
    assert!(
        check["setting"].as_str().unwrap().contains(setting),
        "{check}"
    );
    assert!(
        check["detail"].as_str().unwrap().contains(detail),
        "{check}"
    );
}

#[test]
fn a_reachable_vault_passes_every_check() {
    // U-194
    let there = reachable();
    let checks = check(&there);
    let passed: Vec<(&str, bool)> = checks
        .iter()
        .map(|check| (check["name"].as_str().unwrap(), check["passed"] == true))
        .collect();
    assert_eq!(
        passed,
        [
            ("Discovery: protected resource", true),
            ("Discovery: authorization server", true),
            ("MCP endpoint, called as Claude-User", true),
        ]
    );
    assert!(checks.iter().all(|check| check.get("setting").is_none()));
    let asked = there.internet.asked();
    let asked: Vec<_> = asked
        .iter()
        .filter(|asked| asked.url != deployed::CERTS)
        .collect();
    let addresses: Vec<&str> = asked.iter().map(|asked| asked.url.as_str()).collect();
    assert_eq!(addresses, [RESOURCE, SERVER, MCP]);
    for asked in asked {
        assert_eq!(asked.headers["user-agent"], "Claude-User");
        for secret in ["cookie", "authorization", "cf-access-jwt-assertion"] {
            assert_eq!(asked.headers[secret], Value::Null, "{secret}");
        }
    }
}

#[test]
fn a_zone_that_blocks_claude_is_told_which_rules_to_change() {
    // U-194
    let there = reachable();
    for status in [403, 429, 503] {
        let blocked = json!({ "status": status, "body": "Sorry, you have been blocked" });
        let rest = json!({ "status": 401, "for_user_agent": { "Claude-User": blocked } });
        there.internet.plays(MCP, rest);
        let check = mcp_check(&there);
        assert_names(&check, "Bot Fight Mode", &format!("status {status}"));
        assert_names(&check, "Block AI bots", "refused the call");
        assert!(!check.to_string().contains("Sorry"));
    }
}

#[test]
fn a_challenge_in_front_is_recognised_whatever_its_status() {
    // U-194
    let there = reachable();
    for status in [200, 401, 403] {
        let headers = json!({ "cf-mitigated": "challenge" });
        there.internet.plays(
            MCP,
            json!({ "status": status, "headers": headers, "body": "Just a moment..." }),
        );
        assert_names(&mcp_check(&there), "Bot Fight Mode", "challenge");
    }
}

#[test]
fn an_access_login_in_front_is_told_where_the_bypass_belongs() {
    // U-194
    let there = reachable();
    for location in [
        "https://team.cloudflareaccess.com/cdn-cgi/access/login/vault.example.test?kid=4714",
        "/cdn-cgi/access/login",
    ] {
        there.internet.plays(
            MCP,
            json!({ "status": 302, "headers": { "Location": location } }),
        );
        assert_names(
            &mcp_check(&there),
            "Bypass policy for /mcp",
            "Cloudflare Access",
        );
        let followed = there.internet.addresses();
        assert!(!followed.iter().any(|address| address.contains("login")));
    }
}

#[test]
fn an_address_that_answers_nothing_or_something_else_is_told_to_check_it() {
    // U-194
    let there = reachable();
    for (answer, detail) in [
        (Value::Null, "no answer came"),
        (json!({ "status": 404 }), "status 404"),
        (json!({ "status": 530 }), "status 530"),
        (json!({ "status": 401 }), "status 401"),
        (
            json!({ "status": 301, "headers": { "Location": "https://elsewhere.example.test/" } }),
            "status 301",
        ),
        (json!({ "parts": [], "endless": true }), "far too large"),
    ] {
        there.internet.plays(MCP, answer);
        assert_names(&mcp_check(&there), "PUBLIC_URL", detail);
    }
    for (address, member) in [(RESOURCE, "resource"), (SERVER, "issuer")] {
        let there = reachable();
        there
            .internet
            .serves(address, &json!({ member: "https://other.example.test" }));
        let failed: Vec<Value> = check(&there)
            .into_iter()
            .filter(|check| check["passed"] == false)
            .collect();
        assert_eq!(failed.len(), 1);
        assert_names(&failed[0], "PUBLIC_URL", "status 200");
    }
}

#[test]
fn an_address_that_answers_too_late_is_not_waited_for() {
    // U-194. What comes in the end would pass.
    let there = reachable();
    let right = there.get_as_nobody("/mcp");
    let headers = json!({ "WWW-Authenticate": right.header("WWW-Authenticate") });
    let late = json!({ "late_ms": 12_000, "status": 401, "headers": headers });
    there.internet.plays(MCP, late);
    assert_names(&mcp_check(&there), "PUBLIC_URL", "in time");
}

#[test]
fn on_ones_own_machine_there_is_a_note_and_nothing_is_tried() {
    // U-194
    let (vault, internet) = Vault::start_on_internet(&[("DEV_OWNER_EMAIL", "ada@localhost")]);
    let report = vault.get("/api/status/connection").expect(200);
    assert_eq!(report["checks"], json!([]));
    assert!(
        report["note"]
            .as_str()
            .unwrap()
            .contains("this machine only")
    );
    assert_eq!(internet.addresses(), [""; 0]);
}
