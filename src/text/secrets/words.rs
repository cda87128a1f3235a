//! Words that are no passwords though they stand where one could, and words that generators of recovery phrases do not use.

/// What people write after "password:" or "the password is" when they do not give it away.
#[rustfmt::skip]
pub(super) const NO_PASSWORD: &[&str] = &[
    "required", "optional", "string", "text", "none", "null", "nil", "undefined", "true", "false", "hidden", "unknown", "unchanged", "same",
    "empty", "blank", "ask", "see", "tbd", "todo", "n/a", "na", "yes", "no", "weak", "strong", "wrong", "correct", "incorrect", "invalid",
    "valid", "missing", "secret", "secrets", "password", "passwort", "passwords", "pass", "token", "policy", "manager", "managers", "reset",
    "forgot", "forgotten", "bitwarden", "keepass", "keepassxc", "1password", "lastpass", "dashlane", "keychain", "vault", "tresor", "safe", "locker",
    "important", "mandatory", "needed", "redacted", "removed", "masked", "censored", "private", "confidential", "sensitive", "varchar", "char",
    "bool", "boolean", "number", "integer", "option", "some", "any", "value", "input", "field", "label", "type", "here", "there", "later", "soon",
    "different", "another", "other", "random", "long", "short", "complex", "simple", "unique", "secure", "insecure", "hash", "hashed", "bcrypt",
    "argon2", "scrypt", "plaintext", "encrypted", "plain", "optional.", "nothing", "default", "placeholder", "example", "your", "mine", "ours", "this",
    "that", "these", "those", "what", "where", "when", "which", "who", "why", "how", "it", "not", "also", "only", "with", "without", "from",
    "siehe", "vergessen", "geheim", "unbekannt", "leer", "keins", "keines", "erforderlich", "notwendig", "falsch", "richtig", "unverandert",
    "requis", "obligatoire", "oublie", "inconnu", "aucun", "secreta", "requerida", "obligatoria", "olvidada", "ninguna", "desconocida",
    "нет", "забыл", "неизвестен", "обязателен", "sicher", "unsicher", "stark", "schwach", "fort", "faible", "securise", "segura", "debil",
    "security", "login", "username", "user", "email", "account", "settings", "change", "update", "length", "rules", "good", "bad", "great", "stars",
    "minimum", "maximum", "weekly", "monthly", "yearly", "daily", "never", "always", "once", "twice", "rotation", "manual", "automatic",
    "credentials", "credential", "paper", "notebook", "drawer", "memory", "biometric", "biometrics", "passkey", "passkeys", "fingerprint",
];

/// Endings of words that describe a password: "expired", "missing".
pub(super) const ENDINGS: &[&str] = &[
    "ed", "ing", "ly", "able", "tion", "ment", "ness", "less", "ung", "iert",
];

/// Words of ordinary prose that the BIP-39 list does not have, from three to eight letters.
#[rustfmt::skip]
pub(super) const PROSE: &[&str] = &[
    "the", "and", "for", "are", "was", "were", "with", "from", "his", "her", "hers", "has", "had", "but", "not", "its", "our", "ours", "their",
    "your", "you", "must", "should", "could", "would", "have", "been", "them", "these", "those", "which", "who", "whom", "how", "why", "may", "might", "does",
    "did", "than", "being", "two", "three", "four", "six", "seven", "eight", "nine", "ten", "she", "him", "too", "here", "where",
    "because", "every", "each", "both", "some", "such", "more", "much", "many", "also", "even", "never", "please", "written", "stored", "keep", "kept",
    "der", "die", "das", "und", "ist", "nicht", "ein", "eine", "mit", "auf", "von", "les", "des", "est", "une", "dans", "pour", "que", "los", "las", "con",
    "por", "del", "una", "phrase", "password", "words",
];
