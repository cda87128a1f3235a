//! Signing in on one's own machine. `DEV_OWNER_EMAIL` makes whoever reaches a loopback host the owner, which is right
//! for `./scripts/dev` and for nothing else; so the door closes at the least sign of a proxy or a real deployment.

use crate::access::config::Config;
use crate::access::host::{self, Site};
use crate::model::actor::Actor;

/// The owner, if this request may be signed in by `DEV_OWNER_EMAIL`. `header_names` are all names of the request's
/// headers, in any case.
pub fn dev_owner<'a>(
    config: &Config,
    site: &Site,
    header_names: impl IntoIterator<Item = &'a str>,
) -> Option<Actor> {
    let email = config.dev_owner_email.clone()?;
    let public = config.public_url.as_deref().is_some_and(|url| {
        url.split_once("://")
            .is_none_or(|(_, host)| !host::is_loopback(host))
    });
    let proxied = header_names.into_iter().any(is_proxy_header);
    (site.loopback && !public && !config.any_access_setting && !proxied)
        .then_some(Actor::Owner { email })
}

fn is_proxy_header(name: &str) -> bool {
    let name = name.to_ascii_lowercase().replace('_', "-");
    ["forwarded", "via", "x-real-ip", "x-client-ip"].contains(&name.as_str())
        || name.starts_with("x-forwarded-")
        || name.starts_with("cf-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> Config {
        Config {
            dev_owner_email: Some("ada@localhost".into()),
            ..Config::default()
        }
    }

    fn site() -> Site {
        Site {
            origin: "http://localhost:8420".into(),
            loopback: true,
        }
    }

    #[test]
    fn on_this_machine_the_developer_is_the_owner() {
        let owner = dev_owner(&config(), &site(), ["accept", "user-agent"]);
        assert_eq!(
            owner,
            Some(Actor::Owner {
                email: "ada@localhost".into()
            })
        );
    }

    #[test]
    fn a_proxy_in_between_closes_the_door() {
        for header in [
            "Forwarded",
            "X-Forwarded-For",
            "x-forwarded-host",
            "CF-Connecting-IP",
            "cf-ray",
            "Via",
            "X-Real-IP",
            "X_Forwarded_For",
        ] {
            assert_eq!(dev_owner(&config(), &site(), [header]), None, "{header}");
        }
    }

    #[test]
    fn a_real_deployment_closes_the_door() {
        let public = Config {
            public_url: Some("https://vault.example.org".into()),
            ..config()
        };
        let access = Config {
            any_access_setting: true,
            ..config()
        };
        let unset = Config::default();
        for config in [public, access, unset] {
            assert_eq!(dev_owner(&config, &site(), []), None, "{config:?}");
        }
        let elsewhere = Site {
            origin: "https://vault.example.org".into(),
            loopback: false,
        };
        assert_eq!(dev_owner(&config(), &elsewhere, []), None);
    }

    #[test]
    fn a_public_url_on_this_machine_keeps_it_open() {
        let config = Config {
            public_url: Some("http://localhost:8420".into()),
            ..config()
        };
        assert!(dev_owner(&config, &site(), []).is_some());
    }
}
