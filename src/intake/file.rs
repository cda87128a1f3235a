//! A file's bytes as text.

use std::borrow::Cow;

use crate::error::{Error, Result};

/// What a ZIP archive begins with.
const ZIP: &str = "PK\u{3}\u{4}";

/// The text of a file in UTF-8, or in UTF-16 where its first two bytes say so, as spreadsheets write it.
///
/// # Errors
/// `invalid_argument` on field `body` for anything else, with what to do about it.
pub fn decode(bytes: &[u8]) -> Result<Cow<'_, str>> {
    let wide = match bytes {
        [0xff, 0xfe, rest @ ..] => Some((rest, u16::from_le_bytes as fn([u8; 2]) -> u16)),
        [0xfe, 0xff, rest @ ..] => Some((rest, u16::from_be_bytes as fn([u8; 2]) -> u16)),
        _ => None,
    };
    if let Some((rest, unit)) = wide {
        let (pairs, odd) = rest.as_chunks::<2>();
        let units = pairs.iter().map(|pair| unit(*pair));
        let text: std::result::Result<String, _> = char::decode_utf16(units).collect();
        return match text {
            Ok(text) if odd.is_empty() => Ok(Cow::Owned(text)),
            _ => Err(Error::invalid(
                "body",
                "begins like UTF-16 and is none; save the file as UTF-8",
            )),
        };
    }
    let text = std::str::from_utf8(bytes).map_err(|_| {
        Error::invalid(
            "body",
            if is_zip(bytes) {
                ARCHIVE
            } else {
                "is not UTF-8; save the file as UTF-8"
            },
        )
    })?;
    Ok(Cow::Borrowed(text))
}

fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(ZIP.as_bytes())
}

const ARCHIVE: &str = "is a ZIP archive; unpack it and bring in the file with the memories in it";

/// Fails for what is no text, whatever form it is said to have.
///
/// # Errors
/// `invalid_argument` on field `text` for an archive and for bytes that no text has.
pub fn refuse_binary(text: &str) -> Result<()> {
    if text.starts_with(ZIP) {
        return Err(Error::invalid("text", ARCHIVE));
    }
    if text.contains('\0') {
        let message = "has NUL characters in it, which no text has; save the file as text in UTF-8";
        return Err(Error::invalid("text", message));
    }
    Ok(())
}

/// The text with line feeds, where it has none but the carriage returns of old programs.
pub fn with_lines(text: &str) -> Cow<'_, str> {
    if text.contains('\r') && !text.contains('\n') {
        Cow::Owned(text.replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf_16_is_read_where_it_says_so_and_anything_else_is_named() {
        let wide = |text: &str, unit: fn(u16) -> [u8; 2]| -> Vec<u8> {
            std::iter::once(0xfeff)
                .chain(text.encode_utf16())
                .flat_map(unit)
                .collect()
        };
        assert_eq!(decode(&wide("Tee 🍵", u16::to_le_bytes)).unwrap(), "Tee 🍵");
        assert_eq!(decode(&wide("Tee 🍵", u16::to_be_bytes)).unwrap(), "Tee 🍵");
        assert_eq!(decode("\u{feff}Tee".as_bytes()).unwrap(), "\u{feff}Tee");
        for (bytes, word) in [
            (&b"\xff\xfea"[..], "UTF-16"),
            (b"\xff\xfe\x00\xd8", "UTF-16"),
            (b"\x80abc", "UTF-8"),
            (b"PK\x03\x04\xff", "ZIP"),
        ] {
            let error = decode(bytes).unwrap_err();
            assert!(error.message.contains(word), "{error}");
        }
    }

    #[test]
    fn archives_and_bytes_are_no_text() {
        assert!(
            refuse_binary("PK\u{3}\u{4}abc")
                .unwrap_err()
                .message
                .contains("unpack")
        );
        assert!(
            refuse_binary("T\0e\0e\0")
                .unwrap_err()
                .message
                .contains("NUL")
        );
        assert!(refuse_binary("PK is a shop").is_ok());
    }

    #[test]
    fn carriage_returns_alone_end_lines() {
        assert_eq!(with_lines("one\rtwo"), "one\ntwo");
        assert_eq!(with_lines("one\r\ntwo\r"), "one\r\ntwo\r");
    }
}
