//! What a finding is called. None of these names carries any part of the value that was found.

/// What a piece of text looks like. A guess from its shape or from the words around it, never a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SecretKind {
    /// A token, key or webhook address of the named service.
    ApiToken(&'static str),
    /// A private key: a PEM, OpenSSH, PGP or PuTTY block, or an age identity.
    PrivateKey,
    /// A JSON Web Token (RFC 7519).
    Jwt,
    /// The password inside an address such as `postgres://user:…@host`.
    ConnectionString,
    /// The credentials of an HTTP `Authorization` header or of `curl -u`.
    Authorization,
    /// A value that the text calls a password, in any of several languages.
    Password,
    /// A PIN, PUK or card verification code.
    Pin,
    /// Recovery or backup codes, and recovery keys.
    RecoveryCode,
    /// The words of a wallet's recovery phrase, or a passphrase of words.
    SeedPhrase,
    /// A value that the text calls a key, token or secret.
    NamedSecret,
    /// A random-looking string close to words such as "key" or "token".
    HighEntropy,
}

impl SecretKind {
    /// One lower-case word for masks, counters and audit rows: `api_token`, `private_key`, `jwt`, `connection_string`,
    /// `authorization`, `password`, `pin`, `recovery_code`, `seed_phrase`, `secret`, `high_entropy`.
    pub fn word(self) -> &'static str {
        match self {
            SecretKind::ApiToken(_) => "api_token",
            SecretKind::PrivateKey => "private_key",
            SecretKind::Jwt => "jwt",
            SecretKind::ConnectionString => "connection_string",
            SecretKind::Authorization => "authorization",
            SecretKind::Password => "password",
            SecretKind::Pin => "pin",
            SecretKind::RecoveryCode => "recovery_code",
            SecretKind::SeedPhrase => "seed_phrase",
            SecretKind::NamedSecret => "secret",
            SecretKind::HighEntropy => "high_entropy",
        }
    }

    /// The end of a sentence about a text ("This text contains what …"), without a full stop and without the value:
    /// "looks like an API token of GitHub".
    pub fn sentence(self) -> String {
        match self {
            SecretKind::ApiToken(service) => format!("looks like an API token of {service}"),
            SecretKind::PrivateKey => "looks like a private key".to_owned(),
            SecretKind::Jwt => "looks like a signed login token (JWT)".to_owned(),
            SecretKind::ConnectionString => {
                "looks like an address with a password in it".to_owned()
            }
            SecretKind::Authorization => "looks like the credentials of a request".to_owned(),
            SecretKind::Password => "looks like a password".to_owned(),
            SecretKind::Pin => "looks like a PIN".to_owned(),
            SecretKind::RecoveryCode => "looks like recovery codes".to_owned(),
            SecretKind::SeedPhrase => {
                "looks like a recovery phrase or another passphrase of words".to_owned()
            }
            SecretKind::NamedSecret => "looks like a secret key or token".to_owned(),
            SecretKind::HighEntropy => {
                "looks like a random key close to words about keys".to_owned()
            }
        }
    }
}
