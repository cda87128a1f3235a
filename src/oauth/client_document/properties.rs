//! Client ids of any spelling: IP addresses are never fetched, and no bytes of a document break anything.

use super::*;
use proptest::prelude::*;

const ID: &str = "https://app.example/oauth/client.json";

/// One IPv4 address in the spellings that resolvers and URL parsers understand.
fn spellings(whole: u32) -> Vec<String> {
    let [a, b, c, d] = whole.to_be_bytes();
    let address = format!("{a}.{b}.{c}.{d}");
    let tail = u32::from(c) << 8 | u32::from(d);
    let long_tail = whole & 0x00ff_ffff;
    vec![
        address.clone(),
        format!("{address}."),
        format!("{whole}"),
        format!("0x{whole:x}"),
        format!("0X{whole:X}"),
        format!("0{whole:o}"),
        format!("0x{a:x}.0x{b:x}.0x{c:x}.0x{d:x}"),
        format!("0{a:o}.0{b:o}.0{c:o}.0{d:o}"),
        format!("{a}.{long_tail}"),
        format!("{a}.{b}.{tail}"),
        format!("0x{a:x}.{b}.0{tail:o}"),
        format!("%3{}.{b}.{c}.{d}", a % 10),
        format!("{a}%2e{b}%2E{c}.{d}"),
        format!("[::ffff:{address}]"),
        format!("[::{address}]"),
    ]
}

proptest! {
    #[test]
    fn an_ip_address_is_refused_in_every_spelling(four in any::<u32>(), six in any::<[u16; 8]>(), port in "(:[0-9]{1,4})?") {
        let mut hosts = spellings(four);
        hosts.push(format!("[{}]", six.map(|group| format!("{group:x}")).join(":")));
        for host in hosts {
            let id = format!("https://{host}{port}/client.json");
            prop_assert!(check_url(&id, None).is_err(), "{id}");
        }
    }

    #[test]
    fn what_is_accepted_is_fetched_from_the_name_it_says(
        id in "https://[a-zA-Z0-9.%@:\\[\\]-]{1,14}(:[0-9]{1,5})?/[a-z.%2e/]{0,8}(\\?[a-z/.]{0,4})?",
    ) {
        if let Ok(url) = check_url(&id, None) {
            let host = url.domain().unwrap();
            prop_assert!(host.contains('.') && !host.ends_with('.'));
            let start = format!("https://{host}");
            prop_assert!(id.to_ascii_lowercase().starts_with(&start));
            prop_assert!(id.ends_with(url.path()) || url.query().is_some());
            prop_assert!(url.username().is_empty() && url.password().is_none() && url.fragment().is_none());
        }
    }

    #[test]
    fn random_bytes_are_refused(body in proptest::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(read(ID, &body).is_err());
    }
}
