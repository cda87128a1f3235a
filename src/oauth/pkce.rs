//! Proof Key for Code Exchange (RFC 7636), with S256 only: `plain` protects nothing.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

/// The one method.
pub const METHOD: &str = "S256";
/// Characters of a challenge: 32 bytes in base64url.
const CHALLENGE_CHARS: usize = 43;
/// Characters a verifier may have (RFC 7636 section 4.1).
const VERIFIER_CHARS: std::ops::RangeInclusive<usize> = 43..=128;

/// Whether it has the form of an S256 challenge.
pub fn is_challenge(challenge: &str) -> bool {
    challenge.len() == CHALLENGE_CHARS
        && challenge
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// Whether the verifier is the one the challenge was made from.
pub fn proves(verifier: &str, challenge: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    VERIFIER_CHARS.contains(&verifier.len())
        && verifier.bytes().all(allowed)
        && URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes())) == challenge
}

#[cfg(test)]
mod tests {
    use super::*;

    // RFC 7636 appendix B.
    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    #[test]
    fn the_example_of_the_rfc_holds() {
        assert!(is_challenge(CHALLENGE) && proves(VERIFIER, CHALLENGE));
    }

    #[test]
    fn anything_else_proves_nothing() {
        assert!(!proves(CHALLENGE, CHALLENGE), "plain");
        assert!(!proves(&VERIFIER.to_lowercase(), CHALLENGE));
        assert!(!proves("", CHALLENGE));
        for length in [42, 129] {
            let verifier = "a".repeat(length);
            let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
            assert!(!proves(&verifier, &challenge), "{length}");
        }
        for length in [43, 128] {
            let verifier = "a".repeat(length);
            let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
            assert!(proves(&verifier, &challenge), "{length}");
        }
    }

    #[test]
    fn what_is_no_challenge_is_seen() {
        let padded = format!("{}=", CHALLENGE.trim_end_matches('M'));
        for text in [
            "",
            "abc",
            &padded,
            &format!("{CHALLENGE}A"),
            VERIFIER.trim_end_matches('k'),
        ] {
            assert!(!is_challenge(text), "{text}");
        }
    }
}
