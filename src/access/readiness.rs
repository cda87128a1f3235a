//! Whether the owner can sign in, and if not, which setting keeps the door closed. Values are never shown.

use crate::access::config::{Config, Fault, SignIn};
use crate::access::host;

/// A setting, and `missing` or `malformed`.
pub type SettingState = (&'static str, &'static str);

/// The settings that a deployment needs for signing in, beside `PUBLIC_URL`.
const NEEDED: [&str; 3] = ["ACCESS_TEAM_DOMAIN", "ACCESS_AUD", "ACCESS_ALLOWED_EMAILS"];

/// What keeps the owner out: nothing when Access is set up, or when this is a developer's own machine.
pub fn faults(config: &Config) -> Vec<SettingState> {
    let word = |fault| match fault {
        Fault::Missing => "missing",
        Fault::Malformed => "malformed",
    };
    match config.sign_in() {
        SignIn::Access(_) => Vec::new(),
        SignIn::Incomplete(faults) => faults
            .into_iter()
            .map(|fault| (fault.setting, word(fault.fault)))
            .collect(),
        SignIn::Off if is_development(config) => Vec::new(),
        SignIn::Off => {
            let no_address = config.public_url.is_none().then_some("PUBLIC_URL");
            let settings = NEEDED.into_iter().chain(no_address);
            settings.map(|setting| (setting, "missing")).collect()
        }
    }
}

/// Whether `DEV_OWNER_EMAIL` signs people in.
fn is_development(config: &Config) -> bool {
    let here = config.public_url.as_deref().is_none_or(|url| {
        url.split_once("://")
            .is_some_and(|(_, host)| host::is_loopback(host))
    });
    config.dev_owner_email.is_some() && here
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults_of(variables: &[(&str, &str)]) -> Vec<SettingState> {
        let variable = |name: &str| {
            variables
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| (*value).to_owned())
        };
        faults(&Config::read(variable))
    }

    #[test]
    fn a_developers_machine_is_ready() {
        assert_eq!(faults_of(&[("DEV_OWNER_EMAIL", "ada@localhost")]), []);
    }

    #[test]
    fn a_bare_deployment_says_what_to_set() {
        let all = faults_of(&[]);
        let names: Vec<&str> = all.iter().map(|(setting, _)| *setting).collect();
        assert_eq!(
            names,
            [
                "ACCESS_TEAM_DOMAIN",
                "ACCESS_AUD",
                "ACCESS_ALLOWED_EMAILS",
                "PUBLIC_URL"
            ]
        );
        let public = [
            ("PUBLIC_URL", "https://vault.example.org"),
            ("DEV_OWNER_EMAIL", "ada@localhost"),
        ];
        assert_eq!(faults_of(&public).len(), 3);
    }

    #[test]
    fn half_a_sign_in_names_the_other_half() {
        let half = [
            ("PUBLIC_URL", "https://vault.example.org"),
            ("ACCESS_TEAM_DOMAIN", "not a host"),
        ];
        let faults = faults_of(&half);
        assert!(
            faults.contains(&("ACCESS_TEAM_DOMAIN", "malformed")),
            "{faults:?}"
        );
        assert!(faults.contains(&("ACCESS_AUD", "missing")), "{faults:?}");
    }
}
