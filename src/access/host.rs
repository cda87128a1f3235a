//! Which site a request is for. A vault answers to one host only: `PUBLIC_URL`'s, or while that is unset a loopback
//! name. Everything else is 421, so that no foreign name pointed at us (DNS rebinding) reaches the vault.

use crate::access::config::Config;
use crate::error::{Error, Kind, Result};

/// The names of this machine itself.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Where a verified request was sent to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// Scheme, host and port, without a slash: our own origin.
    pub origin: String,
    /// Whether the host is this machine itself.
    pub loopback: bool,
}

/// Whether `host` (a Host header: name and optional port) names this machine itself, exactly.
pub fn is_loopback(host: &str) -> bool {
    split_port(host).is_some_and(|(name, _)| LOOPBACK.contains(&name.to_ascii_lowercase().as_str()))
}

/// Name and port of a Host header; `None` when it is not one.
fn split_port(host: &str) -> Option<(&str, Option<&str>)> {
    let name_end = if host.starts_with('[') {
        host.find(']')? + 1
    } else {
        host.find(':').unwrap_or(host.len())
    };
    let (name, rest) = host.split_at_checked(name_end)?;
    if name.is_empty() {
        return None;
    }
    match rest.strip_prefix(':') {
        None if rest.is_empty() => Some((name, None)),
        Some(port)
            if !port.is_empty()
                && port.len() <= 5
                && port.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            Some((name, Some(port)))
        }
        _ => None,
    }
}

/// Scheme and host of an absolute http(s) address without path, query, fragment or user.
fn split_url(url: &str) -> Option<(&str, &str)> {
    let (scheme, host) = url.split_once("://")?;
    let plain =
        (scheme == "https" || scheme == "http") && !host.contains(['/', '?', '#', '@', '\\', ' ']);
    (plain && split_port(host).is_some()).then_some((scheme, host))
}

/// Checks the Host header against the settings.
///
/// # Errors
/// `misdirected` for any other host; `unavailable` when `PUBLIC_URL` itself is not an address.
pub fn site(host: Option<&str>, config: &Config) -> Result<Site> {
    let misdirected = || {
        Error::new(
            Kind::Misdirected,
            "this vault does not answer to that host name",
        )
    };
    let host = host.ok_or_else(misdirected)?;
    let Some(url) = &config.public_url else {
        return if is_loopback(host) {
            Ok(Site {
                origin: format!("http://{}", host.to_ascii_lowercase()),
                loopback: true,
            })
        } else {
            Err(Error::new(
                Kind::Misdirected,
                "this vault answers to localhost only: set PUBLIC_URL to the address people type",
            ))
        };
    };
    let (_, own_host) = split_url(url).ok_or_else(|| {
        Error::new(
            Kind::Unavailable,
            "PUBLIC_URL is not an address such as https://vault.example.org (no path)",
        )
    })?;
    if host.eq_ignore_ascii_case(own_host) {
        Ok(Site {
            origin: url.to_ascii_lowercase(),
            loopback: is_loopback(own_host),
        })
    } else {
        Err(misdirected())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_url(url: &str) -> Config {
        Config {
            public_url: Some(url.into()),
            ..Config::default()
        }
    }

    #[test]
    fn without_a_public_url_only_this_machine_itself_is_served() {
        for host in [
            "localhost",
            "localhost:8420",
            "LOCALHOST:8420",
            "127.0.0.1:8420",
            "[::1]:8420",
            "[::1]",
        ] {
            assert!(site(Some(host), &Config::default()).is_ok(), "{host}");
        }
    }

    #[test]
    fn names_that_merely_look_like_this_machine_are_refused() {
        let strangers = [
            "localhost.evil.example",
            "evil-localhost",
            "evil.localhost",
            "127.0.0.1.evil.example",
            "127.0.0.1@evil.example",
            "127.0.0.11",
            "localhost.",
            "localhost:",
            "localhost:80a",
            "localhost:8420:1",
            "localhost:123456",
            "[::1].evil.example",
            "[::1",
            "::1",
            "0.0.0.0:8420",
            "",
            "evil.example.com",
        ];
        for host in strangers {
            assert_eq!(
                site(Some(host), &Config::default()).unwrap_err().kind,
                Kind::Misdirected,
                "{host}"
            );
        }
        assert_eq!(
            site(None, &Config::default()).unwrap_err().kind,
            Kind::Misdirected
        );
    }

    #[test]
    fn a_public_vault_answers_to_its_own_name_only() {
        let config = with_url("https://vault.example.org");
        let site_of = |host| site(Some(host), &config);
        assert_eq!(
            site_of("Vault.Example.org").unwrap().origin,
            "https://vault.example.org"
        );
        for host in [
            "localhost:8420",
            "vault.example.org:8443",
            "vault.example.org.evil.example",
            "memory-vault.workers.dev",
        ] {
            assert!(site_of(host).is_err(), "{host}");
        }
    }

    #[test]
    fn a_public_url_that_is_no_address_closes_the_vault() {
        for url in [
            "vault.example.org",
            "https://",
            "ftp://vault.example.org",
            "https://a@b",
            "https://vault.example.org/path",
        ] {
            assert_eq!(
                site(Some("vault.example.org"), &with_url(url))
                    .unwrap_err()
                    .kind,
                Kind::Unavailable,
                "{url}"
            );
        }
    }
}
