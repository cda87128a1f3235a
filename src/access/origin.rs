//! Which pages may write. A browser sends the owner's sign-in along with any page's request, so every write must come
//! from our own pages or from no page at all.

use crate::access::host::Site;
use crate::error::{Error, Kind, Result};

/// What a request says about the page it comes from.
#[derive(Debug, Clone, Copy, Default)]
pub struct Provenance<'a> {
    /// The `Origin` header.
    pub origin: Option<&'a str>,
    /// The `Sec-Fetch-Site` header.
    pub sec_fetch_site: Option<&'a str>,
}

/// Lets a write pass if its origin is ours, or if it has neither header, as from curl and scripts.
///
/// # Errors
/// `forbidden`.
pub fn check_write(provenance: Provenance<'_>, site: &Site) -> Result<()> {
    let own = match (provenance.origin, provenance.sec_fetch_site) {
        (Some(origin), _) => origin.eq_ignore_ascii_case(&site.origin),
        (None, site) => site.is_none(),
    };
    if own {
        Ok(())
    } else {
        Err(Error::new(
            Kind::Forbidden,
            "this request comes from another site's page",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passes(origin: Option<&str>, sec_fetch_site: Option<&str>) -> bool {
        let site = Site {
            origin: "http://localhost:8420".into(),
            loopback: true,
        };
        check_write(
            Provenance {
                origin,
                sec_fetch_site,
            },
            &site,
        )
        .is_ok()
    }

    #[test]
    fn our_own_pages_and_scripts_may_write() {
        assert!(passes(Some("http://localhost:8420"), Some("same-origin")));
        assert!(passes(None, None));
    }

    #[test]
    fn other_pages_may_not() {
        for origin in [
            "https://evil.example",
            "null",
            "",
            "http://localhost:8421",
            "http://localhost",
            "https://localhost:8420",
            "http://127.0.0.1:8420",
        ] {
            assert!(!passes(Some(origin), None), "{origin}");
        }
        for site in ["cross-site", "same-site", "none", "same-origin"] {
            assert!(!passes(None, Some(site)), "{site}");
        }
    }
}
