//! Secrets we give out: refresh tokens, codes, client secrets, one-use form tokens. Each is 256 bits of chance, so its
//! SHA-256 can be neither guessed nor reversed and needs no salt; only that hash is kept. Looking a hash up takes the same
//! time whatever the secret was, so comparisons leak nothing.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

use crate::error::Result;

/// Bytes of chance in a secret.
const BYTES: usize = 32;

/// What a secret is for; its prefix lets scanners of leaked secrets recognise it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecretKind {
    /// A refresh token.
    Refresh,
    /// An authorization code.
    Code,
    /// A registered client's secret.
    Client,
    /// A form's one-use token, and the cookie that binds it to a browser.
    Form,
}

impl SecretKind {
    const fn prefix(self) -> &'static str {
        match self {
            SecretKind::Refresh => "mvr_",
            SecretKind::Code => "mvc_",
            SecretKind::Client => "mvs_",
            SecretKind::Form => "mvf_",
        }
    }
}

/// A new secret from a source of chance.
pub fn new_secret(kind: SecretKind, fill: impl FnOnce(&mut [u8]) -> Result<()>) -> Result<String> {
    let mut bytes = [0u8; BYTES];
    fill(&mut bytes)?;
    Ok(format!(
        "{}{}",
        kind.prefix(),
        URL_SAFE_NO_PAD.encode(bytes)
    ))
}

/// What is kept of a secret: SHA-256 in hexadecimal.
pub fn hash(secret: &str) -> String {
    Sha256::digest(secret.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_says_what_it_is_and_only_its_hash_is_kept() {
        let secret = new_secret(SecretKind::Refresh, |bytes| {
            bytes.fill(0xff);
            Ok(())
        })
        .unwrap();
        assert_eq!(secret, "mvr___________________________________________8");
        assert_eq!(
            hash("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
