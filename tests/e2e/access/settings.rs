//! The settings of the sign-in: whole, half, and beside the developer's (U-197).

use serde_json::json;

use crate::support::deployed::{self, AUDIENCE, Deployed, owner};

#[test]
fn a_developers_address_opens_nothing_beside_access() {
    for public in ["https://vault.example.test", "http://localhost:8420"] {
        let mut settings = deployed::SETTINGS.to_vec();
        settings[0].1 = public;
        settings.push(("DEV_OWNER_EMAIL", "ada@localhost"));
        let there = Deployed::start_with(&settings);
        let host = public.split_once("://").unwrap().1;
        let get = |headers: &[(&str, &str)]| {
            let mut all = vec![("Host", host)];
            all.extend_from_slice(headers);
            there.vault.send("GET", "/api/settings", &all, None)
        };
        assert_eq!(get(&[]).refused(403), "forbidden", "{public}");
        assert_eq!(
            get(&[("Cf-Access-Jwt-Assertion", &owner())]).status,
            200,
            "{public}"
        );
    }
}

#[test]
fn half_a_sign_in_is_closed_and_health_says_which_half_without_its_value() {
    // U-197
    let cases = [
        ("ACCESS_TEAM_DOMAIN", None, "missing"),
        ("ACCESS_AUD", None, "missing"),
        ("ACCESS_ALLOWED_EMAILS", None, "missing"),
        ("PUBLIC_URL", None, "missing"),
        (
            "ACCESS_TEAM_DOMAIN",
            Some("wrongly typed team"),
            "malformed",
        ),
        ("ACCESS_AUD", Some("wrongly-typed"), "malformed"),
        ("ACCESS_ALLOWED_EMAILS", Some("wrongly-typed"), "malformed"),
        (
            "ACCESS_SERVICE_TOKENS",
            Some("wrongly-typed:emperor"),
            "malformed",
        ),
    ];
    for (name, value, fault) in cases {
        let mut settings = deployed::SETTINGS.to_vec();
        settings.retain(|(known, _)| *known != name);
        settings.extend(value.map(|value| (name, value)));
        settings.push(("DEV_OWNER_EMAIL", "ada@localhost"));
        let there = Deployed::start_with(&settings);
        let local = there.vault.host();
        let host = if name == "PUBLIC_URL" {
            local.as_str()
        } else {
            deployed::HOST
        };
        let send = |path: &str, accept: &str| {
            let headers = [
                ("Host", host),
                ("Accept", accept),
                ("Cf-Access-Jwt-Assertion", &owner()),
            ];
            there.vault.send("GET", path, &headers, None)
        };
        let all = [
            "/",
            "/api/memories",
            "/api/status",
            "/api/oauth/grants",
            "/authorize",
        ];
        for path in all {
            let answer = send(path, "application/json");
            assert!(answer.body.contains(name), "{name}: {}", answer.body);
            assert!(!answer.body.contains("wrongly"), "{name}: {}", answer.body);
            assert_eq!(answer.refused(401), "unauthenticated", "{name} {path}");
        }
        let health = send("/health", "application/json").expect(200);
        assert_eq!(
            health["sign_in"],
            json!({ "ready": false, "faults": [{ "setting": name, "fault": fault }] })
        );
        let page = send("/", "text/html,application/xhtml+xml");
        assert_eq!(page.status, 401, "{name}");
        assert!(page.header("Content-Type").starts_with("text/html"));
        assert!(page.body.contains(name) && page.body.contains("/health"));
        for kept_back in ["wrongly", AUDIENCE, "ada@", "nightly"] {
            assert!(!page.body.contains(kept_back), "{name}: {kept_back}");
            assert!(!health.to_string().contains(kept_back), "{name}");
        }
        assert_eq!(there.key_fetches(), 0, "{name}");
    }
}

#[test]
fn a_public_url_with_a_path_is_named_and_closes_the_vault() {
    // U-197
    let mut settings = deployed::SETTINGS.to_vec();
    settings[0].1 = "https://vault.example.test/wrongly-typed";
    let there = Deployed::start_with(&settings);
    for path in ["/health", "/api/memories", "/"] {
        let answer = there.get(&owner(), path);
        assert!(answer.body.contains("PUBLIC_URL") && !answer.body.contains("wrongly"));
        assert_eq!(answer.refused(503), "unavailable", "{path}");
    }
}

#[test]
fn a_whole_sign_in_is_ready() {
    let there = Deployed::start();
    let health = there.get_as_nobody("/health").expect(200);
    assert_eq!(health["sign_in"], json!({ "ready": true, "faults": [] }));
    let page = there.send("GET", "/", &[("Accept", "text/html")], None);
    assert_eq!(page.status, 403);
    assert!(page.body.contains("<h1"), "{}", page.body);
}
