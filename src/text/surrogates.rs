//! Lone surrogates in JSON. A program that cuts a text in the middle of an emoji writes half of it as `\ud83d`; that is no
//! character, and a strict reader refuses the whole message for it. Here the half becomes U+FFFD, so that the rest is read.

use std::borrow::Cow;

/// What stands in for half a character.
const REPLACEMENT: &[u8] = b"\\ufffd";
/// Length of `\uXXXX`.
const ESCAPE: usize = 6;

/// The JSON with every lone surrogate escape replaced; borrowed when there is none.
pub fn mend(json: &[u8]) -> Cow<'_, [u8]> {
    let mut mended: Vec<u8> = Vec::new();
    let (mut kept, mut place) = (0, 0);
    while let Some(byte) = json.get(place) {
        if *byte != b'\\' {
            place += 1;
            continue;
        }
        match (unit(json, place), unit(json, place + ESCAPE)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => place += 2 * ESCAPE,
            (Some(0xd800..=0xdfff), _) => {
                mended.extend_from_slice(json.get(kept..place).unwrap_or_default());
                mended.extend_from_slice(REPLACEMENT);
                place += ESCAPE;
                kept = place;
            }
            (Some(_), _) => place += ESCAPE,
            // Any other escape is two bytes; skipping both keeps `\\u` from being taken for the start of one.
            (None, _) => place += 2,
        }
    }
    if kept == 0 {
        return Cow::Borrowed(json);
    }
    mended.extend_from_slice(json.get(kept..).unwrap_or_default());
    Cow::Owned(mended)
}

/// The code unit that an escape at this place stands for.
fn unit(json: &[u8], place: usize) -> Option<u16> {
    let digits = json.get(place..place + ESCAPE)?.strip_prefix(b"\\u")?;
    let digits = std::str::from_utf8(digits)
        .ok()
        .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(json: &str) -> String {
        let mended = mend(json.as_bytes()).into_owned();
        serde_json::from_slice(&mended).unwrap()
    }

    #[test]
    fn half_a_character_is_replaced_and_a_whole_one_stays() {
        assert_eq!(read(r#""launch \ud83d now""#), "launch \u{fffd} now");
        assert_eq!(read(r#""\udc00\ud800""#), "\u{fffd}\u{fffd}");
        assert_eq!(read(r#""\ud83d\ude80 \u00e9""#), "🚀 é");
        assert_eq!(read(r#""\\ud83d""#), "\\ud83d");
        assert_eq!(read(r#""\ud83d\ud83d\ude80""#), "\u{fffd}🚀");
    }

    proptest! {
        #[test]
        fn json_without_lone_surrogates_is_left_alone(text in "\\PC*|(\\\\|u|d|8|0|\"|🚀){0,20}") {
            let json = serde_json::to_vec(&text).unwrap();
            prop_assert_eq!(mend(&json).into_owned(), json);
        }

        #[test]
        fn no_bytes_make_it_fail_badly(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = mend(&bytes);
        }
    }
}
