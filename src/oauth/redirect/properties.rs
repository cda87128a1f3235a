//! Redirect addresses of any spelling: what may never be usable, never match, never be lost.

use super::RedirectKind::Loopback;
use super::*;
use proptest::prelude::*;

/// Few hosts, ports and paths, so that pairs often match.
fn loopback_like() -> impl Strategy<Value = String> {
    "(http|https)://(localhost|127\\.0\\.0\\.[12]|127\\.1|\\[::1\\]|a\\.test)(:[0-9]{0,6})?(/a?|/\\./)?(\\?b?)?"
}

fn any_uri() -> impl Strategy<Value = String> {
    prop_oneof![
        "(http|https|HTTP)://(localhost|127\\.0\\.0\\.[12]|127\\.1|\\[::1\\]|a\\.test)(:[0-9]{0,6})?(/[a-c./%]{0,5})?(\\?[ab=]{0,3})?",
        "[a-z]{1,10}:/{0,2}[ -~]{0,12}",
        any::<String>(),
    ]
}

proptest! {
    #[test]
    fn two_addresses_that_match_differ_in_nothing_but_a_loopback_port(one in loopback_like(), other in loopback_like()) {
        if matches(&one, &other) && one != other {
            let same = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
            let hosts = ["http://localhost", "http://127.0.0.1", "http://127.0.0.2", "http://[::1]"];
            prop_assert!(hosts.iter().any(|host| one.starts_with(host) && same >= host.len()), "{one} {other}");
            let rest = |uri: &str| {
                let after: String = uri.chars().skip(same).collect();
                after.trim_start_matches(|c: char| c == ':' || c.is_ascii_digit()).to_owned()
            };
            prop_assert_eq!(rest(&one), rest(&other));
        }
    }

    #[test]
    fn a_loopback_address_matches_itself_under_every_port(
        host in "localhost|127\\.0\\.0\\.1|\\[::1\\]", path in "(/[a-z/._~-]{0,12})?(\\?[xyz=]{0,5})?",
        ports in (any::<u16>(), any::<u16>()),
    ) {
        let (one, other) = (format!("http://{host}:{}{path}", ports.0), format!("http://{host}:{}{path}", ports.1));
        prop_assert!(matches(&one, &other));
        let without = format!("http://{host}{path}");
        prop_assert!(matches(&without, &other));
        let elsewhere = format!("http://{}/b{path}", "localhost:1");
        prop_assert!(!matches(&one, &elsewhere));
    }

    #[test]
    fn no_spelling_of_a_dangerous_scheme_is_ever_usable(
        scheme in proptest::sample::select(DANGEROUS_SCHEMES.as_slice()),
        upper in proptest::collection::vec(any::<bool>(), 16),
        noise in "[ \\t\\n\\r\\x00\\x0b\\u{a0}\\u{200b}\\u{feff}]{0,2}",
        at in 0usize..16, colon in "[ \\t]?:", rest in "[ -~]{0,20}",
    ) {
        let mut spelt: String = scheme.chars().zip(upper.iter().chain(std::iter::repeat(&false)))
            .map(|(c, up)| if *up { c.to_ascii_uppercase() } else { c }).collect();
        spelt.insert_str(at.min(spelt.len()), &noise);
        let uri = format!("{spelt}{colon}{rest}");
        prop_assert!(!classify(&uri).is_usable(), "{uri:?}");
        prop_assert_eq!(view(&uri).host, "unknown address");
    }

    #[test]
    fn what_is_usable_is_read_by_a_browser_as_it_is_spelt(uri in any_uri()) {
        let kind = classify(&uri);
        if kind.is_usable() {
            let url = Url::parse(&uri).unwrap();
            prop_assert!(uri.is_ascii() && url.fragment().is_none() && url.username().is_empty());
            let start = format!("{}:", url.scheme());
            prop_assert!(uri.to_ascii_lowercase().starts_with(&start));
            prop_assert!(url.scheme() != "http" || kind == Loopback);
        }
    }

    #[test]
    fn parameters_come_back_exactly_as_given(
        uri in proptest::sample::select(["https://a.test/cb", "https://a.test/cb?x=1", "http://localhost:1/?", "app://a/cb", "app:/cb?y"].as_slice()),
        parameters in proptest::collection::vec((any::<String>(), any::<String>()), 1..5),
    ) {
        let borrowed: Vec<(&str, &str)> = parameters.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let whole = with_parameters(uri, &borrowed);
        prop_assert!(whole.starts_with(uri));
        let own = Url::parse(uri).unwrap().query_pairs().count();
        let back: Vec<(String, String)> = Url::parse(&whole).unwrap().query_pairs().skip(own)
            .map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
        prop_assert_eq!(back, parameters);
    }
}
