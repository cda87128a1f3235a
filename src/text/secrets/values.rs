//! What a value is: a placeholder, a word, program text, or something only a generator or a careful person would write.

/// Bytes of a value in which words such as "your" are looked for.
const FILLER: usize = 64;
/// Length from which one unbroken run of letters and digits is no name.
const RUN: usize = 32;
/// Length from which a run that mixes letters and digits, or capitals and small letters, is no name.
const MIXED_RUN: usize = 10;
/// Shortest password judged by its characters alone; below it, version numbers and abbreviations abound.
pub(super) const PASSWORD: usize = 5;
/// Longest number with a unit behind it ("2048bit").
const UNIT_DIGITS: usize = 4;
/// Length from which a string without cue may be random: shorter ones are ids of videos, pages and orders.
pub(super) const RANDOM: usize = 20;
/// Share of neighbours of different class (small, capital, digit) from which a string is random. Base62 has 0.62 on
/// average, names written in camel case about 0.33.
const RANDOM_TURNS: f32 = 0.42;

/// Whether a value only fills the place of one: `xxxx…`, `0000…`, `your-token-here`.
pub(super) fn is_filler(value: &[u8]) -> bool {
    let mut solid = value
        .iter()
        .filter(|byte| !matches!(byte, b'-' | b'_' | b'.'))
        .map(u8::to_ascii_lowercase);
    let first = solid.next().unwrap_or(b'x');
    if matches!(first, b'x' | b'*' | b'0' | b'#') && solid.all(|byte| byte == first) {
        return true;
    }
    let lower = value.get(..FILLER).unwrap_or(value).to_ascii_lowercase();
    [
        &b"your"[..],
        b"xxxx",
        b"placeholder",
        b"redacted",
        b"_here",
        b"-here",
        b"token_goes",
        b"insert",
        b"changeme",
        b"example_",
        b"example-",
        b"<",
        b"...",
    ]
    .iter()
    .any(|mark| lower.windows(mark.len()).any(|window| window == *mark))
}

/// Whether a value looks made by a generator: an unbroken run that mixes digits and letters or alternates between capitals
/// and small letters, or is too long for a name.
pub(super) fn is_token_like(value: &[u8]) -> bool {
    value
        .split(|byte| !byte.is_ascii_alphanumeric())
        .any(|run| {
            let digits = run.iter().filter(|byte| byte.is_ascii_digit()).count();
            let mixed = digits > 0 && digits < run.len();
            run.len() >= RUN || (run.len() >= MIXED_RUN && (mixed || rises(run) >= 2))
        })
}

/// How often a capital follows a small letter.
fn rises(value: &[u8]) -> usize {
    value
        .windows(2)
        .filter(|pair| matches!(pair, [small, capital] if small.is_ascii_lowercase() && capital.is_ascii_uppercase()))
        .count()
}

/// Whether a string of at least [`RANDOM`] bytes mixes its characters as only a generator does.
pub(super) fn is_random(value: &[u8]) -> bool {
    let class = |byte: u8| match byte {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    };
    let has = |wanted: u8, least: usize| {
        value.iter().filter(|byte| class(**byte) == wanted).count() >= least
    };
    if value.len() < RANDOM || !has(0, 2) || !has(1, 2) || !has(2, 2) {
        return false;
    }
    let turns = value
        .windows(2)
        .filter(|pair| matches!(pair, [first, second] if class(*first) < 3 && class(*second) < 3 && class(*first) != class(*second)))
        .count();
    turns as f32 >= RANDOM_TURNS * value.len() as f32
}

/// Whether a value is a digest, a commit id or a UUID: public names of things as often as secrets.
pub(super) fn is_digest_or_uuid(value: &str) -> bool {
    let hex = |piece: &str| !piece.is_empty() && piece.bytes().all(|byte| byte.is_ascii_hexdigit());
    let lengths: Vec<usize> = value.split('-').map(str::len).collect();
    value.split('-').all(hex)
        && (lengths == [8, 4, 4, 4, 12] || (lengths.len() == 1 && value.len() >= RANDOM))
}

/// Whether a value is program text or a reference to a value elsewhere, or a sign that there is none.
pub(super) fn is_reference(value: &str) -> bool {
    let bare = value.trim_end_matches(['!', '?']);
    if bare.is_empty() || !bare.chars().any(char::is_alphanumeric) {
        return true;
    }
    if bare.starts_with(['<', '{', '[', '(', '&', '/', '~', '|', '\\'])
        && !bare.contains(char::is_numeric)
        || bare.starts_with(['<', '['])
        || bare.starts_with("{{")
        || bare.starts_with("//")
        || bare.starts_with("${")
        || bare.starts_with("$(")
        || bare.contains("::")
        || bare.contains("://")
        || (bare.starts_with('%') && bare.ends_with('%'))
    {
        return true;
    }
    if let Some(name) = bare.strip_prefix(['$', '@'])
        && name
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte == b'_' || byte.is_ascii_digit())
    {
        return true;
    }
    let name_end = bare
        .find(|character: char| !(character.is_alphanumeric() || matches!(character, '_' | '.')))
        .unwrap_or(bare.len());
    let (name, rest) = bare.split_at_checked(name_end).unwrap_or((bare, ""));
    let is_call = name.starts_with(|first: char| first.is_alphabetic())
        && (rest.starts_with("[\"")
            || rest.starts_with("['")
            || rest.starts_with("()")
            || rest.starts_with("(\"")
            || rest.starts_with("('")
            || (rest.starts_with(['(', '[', '<']) && !name.contains(char::is_numeric)));
    let is_path = rest.is_empty()
        && name.contains('.')
        && name.split('.').all(|part| {
            !part.is_empty()
                && part
                    .bytes()
                    .all(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        });
    let is_snake = rest.is_empty()
        && name.contains('_')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let is_constant = rest.is_empty()
        && name.contains('_')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    is_call || is_path || is_snake || is_constant || is_filler(bare.as_bytes())
}

/// Whether a value is a date, a version, a number with a unit, a file, an e-mail address, or the name of a technique.
pub(super) fn is_fact(value: &str) -> bool {
    let lower = value.to_lowercase();
    let lower = lower.trim_end_matches(['!', '?', '\'']);
    if TECHNIQUES.contains(&lower)
        || FILES.iter().any(|ending| lower.ends_with(ending))
        || is_unit(lower)
    {
        return true;
    }
    let dotted_number = lower.trim_start_matches('v');
    let is_version = dotted_number.contains('.')
        && dotted_number.starts_with(|first: char| first.is_ascii_digit())
        && dotted_number
            .split('.')
            .all(|part| part.len() <= 4 && part.bytes().all(|byte| byte.is_ascii_digit()));
    let is_number = lower.contains(['-', '/', ':', '.', ','])
        && lower.bytes().all(|byte| {
            byte.is_ascii_digit()
                || matches!(
                    byte,
                    b'-' | b'/' | b':' | b'.' | b',' | b't' | b'z' | b'+' | b'%'
                )
        });
    let is_mail = lower.split_once('@').is_some_and(|(name, host)| {
        !name.is_empty()
            && host.rsplit_once('.').is_some_and(|(_, top)| {
                top.len() >= 2 && top.bytes().all(|byte| byte.is_ascii_lowercase())
            })
            && host
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'))
    });
    is_version || is_number || is_mail
}

/// A number of up to four digits and a unit or a word behind a hyphen: "12-character", "256bit", "90days".
fn is_unit(lower: &str) -> bool {
    let digits = lower.bytes().take_while(u8::is_ascii_digit).count();
    let unit = lower.get(digits..).unwrap_or_default();
    let word = unit.strip_prefix('-');
    (1..=UNIT_DIGITS).contains(&digits)
        && (UNITS.contains(&unit)
            || word.is_some_and(|word| {
                !word.is_empty()
                    && word
                        .bytes()
                        .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
            }))
}

#[rustfmt::skip]
const UNITS: &[&str] = &[
    "character", "characters", "chars", "char", "zeichen", "days", "day", "bit", "bits", "bytes", "byte", "months", "words",
    "digits", "times", "min", "mins", "hours", "hour", "weeks", "years", "factor", "letters", "users", "chars+", "th", "x",
];

const FILES: &[&str] = &[
    ".txt", ".md", ".pdf", ".json", ".yaml", ".yml", ".toml", ".env", ".kdbx", ".png", ".jpg",
    ".docx", ".xlsx", ".csv", ".html", ".pem", ".key", ".asc", ".gpg", ".zip", ".py", ".rs", ".js",
    ".ts",
];

#[rustfmt::skip]
const TECHNIQUES: &[&str] = &[
    "sha1", "sha-1", "sha256", "sha-256", "sha512", "sha-512", "hmac-sha256", "hs256", "rs256", "es256", "aes128", "aes256",
    "aes-128", "aes-256", "aes-gcm-256", "aes-256-gcm", "utf-8", "utf8", "base64", "base32", "base58", "argon2", "argon2id",
    "bcrypt2", "pbkdf2", "rsa2048", "rsa-2048", "rsa-4096", "ed25519", "x25519", "p-256", "oauth2", "oauth2.0", "wpa2", "wpa3",
    "wpa2-psk", "wpa2/wpa3", "windows10", "windows11", "office365", "365-day", "1password", "1password7", "1password8",
    "keepass2", "keepassxc", "c++17", "c++20", "http2", "http/2", "http/1.1", "ipv4", "ipv6", "x509", "x.509", "fido2",
    "bip39", "bip-39", "bip32", "slip39", "totp/hotp", "yubikey5", "chacha20", "scrypt2", "tls1.3", "tls1.2", "2fa/mfa", "level-3", "covid-19", "iso27001", "pkcs8", "pkcs12", "md5sum", "log4j2", "k8s-managed",
];

/// Whether a value is a password by its characters alone: letters with digits or signs among them, or words joined by
/// hyphens as generators make them.
pub(super) fn is_password(value: &str) -> bool {
    let bare = value.trim_end_matches(['!', '?']);
    if bare.chars().count() < PASSWORD || is_reference(value) || is_fact(bare) {
        return false;
    }
    let letter = bare.chars().any(char::is_alphabetic);
    let digit = bare.chars().any(|character| character.is_ascii_digit());
    let sign = bare.chars().any(|character| {
        matches!(
            character,
            '!' | '@' | '#' | '$' | '%' | '^' | '&' | '*' | '+' | '=' | '~' | '?' | '§' | '€'
        )
    });
    (letter && (digit || sign))
        || (digit && sign)
        || is_joined_words(bare)
        || rises(bare.as_bytes()) >= 3
}

/// Four words or more, each of three small letters or more, joined by one kind of sign.
fn is_joined_words(value: &str) -> bool {
    ['-', '.', '_'].iter().any(|sign| {
        let mut words = 0;
        value.split(*sign).all(|word| {
            words += 1;
            word.len() >= 3 && word.bytes().all(|byte| byte.is_ascii_lowercase())
        }) && words >= 4
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_told_from_words_facts_and_program_text() {
        for value in [
            "hunter2",
            "Blue-42-Fish",
            "p@ssword",
            "P@$$w0rd(1)",
            "abc12",
            "correct-horse-battery-staple",
            "xKcdQwErTy",
            "12#45",
            "Sommer2024!",
            "Солнце2024",
            "1234abcd",
            "$ecret99",
        ] {
            assert!(is_password(value), "{value}");
        }
        for value in [
            "hunter",
            "great!",
            "ab12",
            "required",
            "case-sensitive",
            "state-of-the-art",
            "12-character",
            "256bit",
            "AES-256",
            "2024-05-01",
            "v2.10.3",
            "12:30",
            "ada1@example.com",
            "os.environ[\"A1\"]",
            "process.env.PASSWORD",
            "${PASS1}",
            "$DB_PASS1",
            "<your1>",
            "get_password()",
            "String::new2()",
            "********",
            "xxxxxx1xxxx",
            "notes2024.txt",
            "db_password",
            "LastPass",
            "std::env1",
        ] {
            assert!(!is_password(value), "{value}");
        }
    }

    #[test]
    fn random_strings_begin_at_twenty_characters() {
        assert!(is_random(b"a7Kq9ZpL2mX8vT4cB6nR"));
        assert!(!is_random(b"a7Kq9ZpL2mX8vT4cB6n"));
        assert!(!is_random(b"d2i_PKCS8_PRIV_KEY_INFO"));
        assert!(!is_random(b"getUserAccessTokenFromHeader22"));
        assert!(!is_random(b"da39a3ee5e6b4b0d3255bfef95601890afd80709"));
    }
}
