//! Which settings make a sign-in, and which keep it closed.

use super::*;
use crate::model::actor::ServiceRole;

const AUD: &str = "32eafc7626e974616deaf0dc3ce63d7bcbed58a2731e84d06bc3cdf1b53c4228";
const OTHER_AUD: &str = "97e2aae120121f902df8bc99fc345913ab186d174f3079ea729236766b2e7c4a";

const COMPLETE: [(&str, &str); 4] = [
    ("PUBLIC_URL", "https://vault.example.org"),
    ("ACCESS_TEAM_DOMAIN", "team.cloudflareaccess.com"),
    ("ACCESS_AUD", AUD),
    ("ACCESS_ALLOWED_EMAILS", "ada@example.org"),
];

/// The complete settings with one of them replaced, added or (blank) taken away.
fn with(setting: &str, value: &str) -> Config {
    Config::read(|name| {
        let complete = COMPLETE.iter().find(|(own, _)| *own == name);
        if name == setting {
            Some(value.to_owned())
        } else {
            complete.map(|(_, value)| (*value).to_owned())
        }
    })
}

fn settings(config: &Config) -> AccessSettings {
    match config.sign_in() {
        SignIn::Access(settings) => settings,
        other => panic!("{other:?}"),
    }
}

fn assert_fault(setting: &'static str, value: &str, fault: Fault) {
    assert_eq!(
        with(setting, value).sign_in(),
        SignIn::Incomplete(vec![SettingFault { setting, fault }]),
        "{setting}={value}"
    );
}

#[test]
fn an_empty_variable_counts_as_absent() {
    let config = Config::read(|name| match name {
        "PUBLIC_URL" => Some("https://vault.example.org/".into()),
        "ACCESS_AUD" => Some("  ".into()),
        _ => None,
    });
    let expected = Config {
        public_url: Some("https://vault.example.org".into()),
        ..Config::default()
    };
    assert_eq!(config, expected);
    assert_eq!(config.sign_in(), SignIn::Off);
}

#[test]
fn complete_settings_make_a_sign_in() {
    let settings = settings(&with("", ""));
    let expected = AccessSettings {
        issuer: "https://team.cloudflareaccess.com".into(),
        audience: vec![AUD.into()],
        allowed_emails: vec!["ada@example.org".into()],
        service_tokens: vec![],
    };
    assert_eq!(settings, expected);
    assert_eq!(
        settings.certs_url(),
        "https://team.cloudflareaccess.com/cdn-cgi/access/certs"
    );
}

#[test]
fn each_setting_alone_and_each_one_missing_keeps_the_door_closed() {
    for setting in [
        "PUBLIC_URL",
        "ACCESS_TEAM_DOMAIN",
        "ACCESS_AUD",
        "ACCESS_ALLOWED_EMAILS",
    ] {
        assert_fault(setting, "", Fault::Missing);
        assert_fault(setting, " \n", Fault::Missing);
    }
    let only_tokens = Config::read(|name| {
        (name == "ACCESS_SERVICE_TOKENS").then(|| "0a1b2c.access:full".to_owned())
    });
    let missing = |setting| SettingFault {
        setting,
        fault: Fault::Missing,
    };
    let expected = [
        "ACCESS_TEAM_DOMAIN",
        "ACCESS_AUD",
        "ACCESS_ALLOWED_EMAILS",
        "PUBLIC_URL",
    ];
    assert_eq!(
        only_tokens.sign_in(),
        SignIn::Incomplete(expected.map(missing).to_vec())
    );
    for setting in ["ACCESS_TEAM_DOMAIN", "ACCESS_AUD", "ACCESS_ALLOWED_EMAILS"] {
        let alone = Config::read(|name| (name == setting).then(|| "team.example".to_owned()));
        assert!(
            matches!(alone.sign_in(), SignIn::Incomplete(_)),
            "{setting} alone"
        );
    }
}

#[test]
fn the_team_domain_may_be_written_as_an_address() {
    for written in [
        "team.cloudflareaccess.com",
        "https://team.cloudflareaccess.com",
        "https://team.cloudflareaccess.com/",
        "team.cloudflareaccess.com/",
        " HTTPS://Team.CloudflareAccess.com ",
    ] {
        assert_eq!(
            settings(&with("ACCESS_TEAM_DOMAIN", written)).issuer,
            "https://team.cloudflareaccess.com",
            "{written}"
        );
    }
}

#[test]
fn a_team_domain_that_is_no_host_name_is_malformed() {
    for written in [
        "team",
        "http://team.cloudflareaccess.com",
        "https://team.cloudflareaccess.com//",
        "https://team.cloudflareaccess.com/path",
        "https://https://team.cloudflareaccess.com",
        "team.cloudflareaccess.com:443",
        "user@team.cloudflareaccess.com",
        "team.cloudflareaccess.com?a=b",
        "team.cloudflareaccess.com#a",
        "team.cloudflareaccess.com.",
        ".cloudflareaccess.com",
        "team..com",
        "-team.cloudflareaccess.com",
        "team-.cloudflareaccess.com",
        "my team.cloudflareaccess.com",
        "team_a.cloudflareaccess.com",
        "tëam.cloudflareaccess.com",
        "192.0.2.1",
        "[::1]",
        "https://",
        "*.cloudflareaccess.com",
    ] {
        assert_fault("ACCESS_TEAM_DOMAIN", written, Fault::Malformed);
    }
    let label = |length: usize| format!("{}.cloudflareaccess.com", "a".repeat(length));
    assert!(matches!(
        with("ACCESS_TEAM_DOMAIN", &label(63)).sign_in(),
        SignIn::Access(_)
    ));
    assert_fault("ACCESS_TEAM_DOMAIN", &label(64), Fault::Malformed);
    let long = |length: usize| {
        format!("{}aa", "a.".repeat(length / 2 - 1)).replacen("a.", "aaa.", length % 2)
    };
    assert_eq!((long(252).len(), long(254).len()), (252, 254));
    assert!(matches!(
        with("ACCESS_TEAM_DOMAIN", &long(252)).sign_in(),
        SignIn::Access(_)
    ));
    assert_fault("ACCESS_TEAM_DOMAIN", &long(254), Fault::Malformed);
}

#[test]
fn several_audience_tags_may_be_listed() {
    let listed = format!("{}, {OTHER_AUD},", AUD.to_uppercase());
    assert_eq!(
        settings(&with("ACCESS_AUD", &listed)).audience,
        [AUD, OTHER_AUD]
    );
}

#[test]
fn an_audience_that_is_not_64_hex_digits_is_malformed() {
    let (short, long) = (AUD.trim_start_matches('3'), format!("{AUD}0"));
    let (letter, one_bad) = (AUD.replacen('e', "g", 1), format!("{AUD},abc"));
    for written in [short, &long, &letter, &one_bad, ",", "vault"] {
        assert_fault("ACCESS_AUD", written, Fault::Malformed);
    }
}

#[test]
fn allowed_addresses_are_kept_in_lower_case() {
    let written = "Ada@Example.org, grace@example.org\n  lin@example.org";
    assert_eq!(
        settings(&with("ACCESS_ALLOWED_EMAILS", written)).allowed_emails,
        ["ada@example.org", "grace@example.org", "lin@example.org"]
    );
}

#[test]
fn an_address_that_is_none_is_malformed() {
    for written in [
        "ada",
        "ada@example.org,grace",
        "@example.org",
        "ada@",
        "ada@b@example.org",
        "ada\u{0}@example.org",
        ",",
    ] {
        assert_fault("ACCESS_ALLOWED_EMAILS", written, Fault::Malformed);
    }
}

#[test]
fn service_tokens_have_a_role_and_backup_is_the_default() {
    let written = "0a1b.access, 2c3d.access:import\n4e5f.access:FULL 6a7b.access:backup";
    let tokens = settings(&with("ACCESS_SERVICE_TOKENS", written)).service_tokens;
    let pairs: Vec<(&str, ServiceRole)> = tokens
        .iter()
        .map(|token| (token.common_name.as_str(), token.role))
        .collect();
    let expected = [
        ("0a1b.access", ServiceRole::Backup),
        ("2c3d.access", ServiceRole::Import),
        ("4e5f.access", ServiceRole::Full),
        ("6a7b.access", ServiceRole::Backup),
    ];
    assert_eq!(pairs, expected);
}

#[test]
fn a_service_token_with_an_unknown_role_closes_the_door() {
    for written in [
        "0a1b.access:admin",
        "0a1b.access:",
        "0a1b.access:full:full",
        ":full",
        "0a1b.access, 2c3d.access:owner",
        "0a1b.access:backup 0a1b.access:full",
        "0a1b\u{7f}.access",
        ",",
    ] {
        assert_fault("ACCESS_SERVICE_TOKENS", written, Fault::Malformed);
    }
}

#[test]
fn the_public_url_must_be_a_web_origin() {
    for written in [
        "https://vault.example.org",
        "https://Vault.example.org/",
        "https://vault.example.org:8443",
        "http://localhost:8420",
    ] {
        assert!(
            matches!(with("PUBLIC_URL", written).sign_in(), SignIn::Access(_)),
            "{written}"
        );
    }
    for written in [
        "vault.example.org",
        "https://vault.example.org/path",
        "https://vault.example.org?a",
        "https://user@vault.example.org",
        "https://vault.example.org:443",
        "ftp://vault.example.org",
        "https://",
        "https://va ult.example.org",
        "javascript:alert(1)",
    ] {
        assert_fault("PUBLIC_URL", written, Fault::Malformed);
    }
}

#[test]
fn every_fault_is_named_at_once_and_none_shows_a_value() {
    let config = Config::read(|name| match name {
        "ACCESS_SERVICE_TOKENS" => Some("hunter2:root".into()),
        "ACCESS_AUD" => Some("hunter2".into()),
        "ACCESS_ALLOWED_EMAILS" => Some("hunter2".into()),
        "ACCESS_TEAM_DOMAIN" => Some("hunter2".into()),
        _ => None,
    });
    let SignIn::Incomplete(faults) = config.sign_in() else {
        panic!("must stay closed");
    };
    let sentences: Vec<String> = faults.iter().map(ToString::to_string).collect();
    let expected = [
        "ACCESS_TEAM_DOMAIN is malformed: set it to the team's host name, such as team.cloudflareaccess.com",
        "ACCESS_AUD is malformed: set it to the Access application's audience tag, 64 hex digits",
        "ACCESS_ALLOWED_EMAILS is malformed: set it to the e-mail addresses that may sign in, separated by commas",
        "ACCESS_SERVICE_TOKENS is malformed: set it to entries such as <client id>:backup, each client id once; roles are backup, import, full",
        "PUBLIC_URL is missing: set it to the vault's address, such as https://vault.example.org (no path)",
    ];
    assert_eq!(sentences, expected);
    assert!(!format!("{faults:?}").contains("hunter2"));
}
