//! The words that say "what follows is a secret", in the languages people keep notes in. Words are compared in lower case
//! without accents.

use std::sync::LazyLock;

/// What a cue announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cue {
    /// A password.
    Password,
    /// A password, if a sign such as `:` follows directly ("pass: …"); the word has other meanings.
    ShortPassword,
    /// A key, token or secret.
    Token,
    /// A PIN, PUK or card verification code: digits.
    Pin,
    /// Recovery codes or a recovery key.
    Recovery,
    /// A recovery phrase of words.
    Phrase,
    /// A user and a password: "login: ada / …".
    Login,
}

/// What a word announces, given what stands directly before it (in lower case, at most [`BEFORE`] bytes; asked
/// for only when it matters).
pub(super) fn cue(word: &str, before: impl Fn() -> String) -> Option<Cue> {
    if word.len() < 2 {
        return None;
    }
    let after = |words: &[&str]| {
        let before = before();
        let before = before.trim_end_matches([' ', '_', '-', '.', '\'', '"', '*', '’']);
        words.iter().any(|word| {
            before
                .strip_suffix(word)
                .is_some_and(|rest| !rest.ends_with(|last: char| last.is_alphanumeric()))
        })
    };
    Some(match word {
        "pass" if after(&["the", "a", "mountain", "boarding", "ski", "bus"]) => return None,
        "pass" | "pw" | "psw" | "mdp" | "pwort" | "pword" | "pswd" => Cue::ShortPassword,
        "clave" | "parola" | "credentials" => Cue::ShortPassword,
        "login" | "logins" | "zugangsdaten" | "identifiants" | "credenciales" => Cue::Login,
        "passe" if after(&["mot de", "mots de", "palavra", "palavra de"]) => Cue::Password,
        "sandi" if after(&["kata"]) => Cue::Password,
        "khau" if after(&["mat"]) => Cue::Password,
        "by" if after(&["identified"]) => Cue::Password,
        "pin" | "pincode" | "puk" | "puk1" | "puk2" | "pin1" | "pin2" | "cvv" | "cvc" | "cvv2"
        | "cvc2" | "пин" | "pinkod" | "geheimzahl" | "pinnummer" => Cue::Pin,
        "codes" | "code" | "codigo" | "codigos" | "codice" | "codici" | "код" | "коды"
            if after(RECOVERY) =>
        {
            Cue::Recovery
        }
        "key" | "keys" if after(&["recovery", "bitlocker", "backup"]) => Cue::Recovery,
        "recuperation" if after(&["codes de", "code de"]) => Cue::Recovery,
        "recuperation" if after(&["phrase de"]) => Cue::Phrase,
        "recuperacion" | "recuperacao" if after(&["codigos de", "codigo de"]) => Cue::Recovery,
        "recuperacion" | "recuperacao" if after(&["frase de"]) => Cue::Phrase,
        "recupero" | "ripristino" if after(&["codici di", "codice di"]) => Cue::Recovery,
        "восстановления" if after(&["коды", "код", "кодов"]) => {
            Cue::Recovery
        }
        "восстановления" if after(&["фраза"]) => Cue::Phrase,
        "phrase" | "words" | "phrases"
            if after(&[
                "seed",
                "recovery",
                "backup",
                "mnemonic",
                "secret recovery",
                "wallet",
            ]) =>
        {
            Cue::Phrase
        }
        "words" if after(&["12", "24", "twelve", "twenty-four"]) => Cue::Phrase,
        "phrase" if after(&["pass"]) => Cue::Password,
        "session" | "sid" if after(&["cookie:"]) => Cue::Token,
        "mnemonic" | "seedphrase" | "semilla" | "мнемоника" => Cue::Phrase,
        "seed" if after(&["wallet", "bip39", "bip-39", "the", "my"]) => Cue::Phrase,
        "фраза" if after(&["сид", "seed"]) => Cue::Phrase,
        "wiederherstellungsphrase" | "wiederherstellungsworter" => Cue::Phrase,
        "wiederherstellungscodes"
        | "wiederherstellungscode"
        | "wiederherstellungsschlussel"
        | "backupcodes"
        | "ersatzcodes"
        | "herstelcodes" => Cue::Recovery,
        "key" | "keys" if after(KEYS) => Cue::Token,
        "schlussel" | "ключ" | "cle" | "chave" | "chiave" | "sleutel" | "nyckel" | "klucz"
            if after(&["api", "wlan", "wifi", "wi-fi", "secret", "access"]) =>
        {
            Cue::Token
        }
        "api"
            if after(&[
                "cle d", "cle", "clave", "clave de", "chave", "chave de", "chiave", "ключ",
            ]) =>
        {
            Cue::Token
        }
        "secrete" | "secreta" | "segreta" if after(&["cle", "clave", "chave", "chiave"]) => {
            Cue::Token
        }
        "kunci" | "anahtari" if after(&["api"]) => Cue::Token,
        "cookie" if after(&["session", "auth"]) => Cue::Token,
        "sessionid" | "phpsessid" | "jsessionid" => Cue::Token,
        _ if !may_end(word) => return None,
        _ if ends(word, PASSWORDS) => Cue::Password,
        _ if ends(word, TOKENS) => Cue::Token,
        _ => return None,
    })
}

/// Bytes before a word that [`cue`] needs.
pub(super) const BEFORE: usize = 24;

/// Whether a word may end in one of [`PASSWORDS`] or [`TOKENS`], by its last two bytes.
fn may_end(word: &str) -> bool {
    static TAILS: LazyLock<Vec<bool>> = LazyLock::new(|| {
        let mut tails = vec![false; 1 << 16];
        for tail in PASSWORDS.iter().chain(TOKENS).filter_map(|stem| tail(stem)) {
            if let Some(slot) = tails.get_mut(tail) {
                *slot = true;
            }
        }
        tails
    });
    fn tail(word: &str) -> Option<usize> {
        let [.., first, second] = word.as_bytes() else {
            return None;
        };
        Some(usize::from(*first) << 8 | usize::from(*second))
    }
    tail(word)
        .and_then(|tail| TAILS.get(tail))
        .is_some_and(|may| *may)
}

fn ends(word: &str, stems: &[&str]) -> bool {
    stems.iter().any(|stem| word.ends_with(stem))
}

const RECOVERY: &[&str] = &[
    "recovery",
    "backup",
    "back-up",
    "rescue",
    "emergency",
    "scratch",
    "резервные",
    "резервный",
    "2fa backup",
];

const KEYS: &[&str] = &[
    "api",
    "secret",
    "access",
    "private",
    "auth",
    "signing",
    "encryption",
    "account",
    "wifi",
    "wi-fi",
    "wlan",
    "wpa",
    "wpa2",
    "wpa3",
    "network",
    "webhook",
    "master",
    "deploy",
    "service",
    "storage",
    "application",
    "consumer",
    "shared",
    "subscription",
    "setup",
    "router",
];

/// Endings, because names are put together: "dbpassword", "Benutzerpasswort".
#[rustfmt::skip]
const PASSWORDS: &[&str] = &[
    "password", "passwd", "passwrd", "passphrase", "passcode", "passkey_value", "pwd", "dbpass", "userpass", "adminpass",
    "passwort", "kennwort", "losungswort", "contrasena", "senha", "wachtwoord", "losenord", "adgangskode", "passord", "salasana",
    "haslo", "hasło", "heslo", "jelszo", "jelszava", "parolata", "sifre", "sifresi", "sifrem", "şifre", "пароль", "паролем",
    "парол", "κωδικος", "κωδικός", "zaporka", "lozinka", "geslo", "slaptazodis", "parool", "katasandi",
];

#[rustfmt::skip]
const TOKENS: &[&str] = &[
    "token", "secret", "apikey", "secretkey", "accesskey", "privatekey", "authkey", "signingkey", "encryptionkey",
    "accountkey", "sharedkey", "masterkey", "wlanschlussel", "netzwerkschlussel", "zugangsschlussel", "geheimschlussel", "токен",
];

/// Cues of scripts that are not cut into words here, with what they announce. Longer ones first.
#[rustfmt::skip]
const UNSPACED: &[(&str, Cue)] = &[
    ("密码", Cue::Password), ("密碼", Cue::Password), ("口令", Cue::Password), ("暗証番号", Cue::Pin), ("パスワード", Cue::Password),
    ("パスコード", Cue::Password), ("合言葉", Cue::Password), ("合い言葉", Cue::Password), ("비밀번호", Cue::Password),
    ("패스워드", Cue::Password), ("암호", Cue::Password), ("รหัสผ่าน", Cue::Password), ("पासवर्ड", Cue::Password),
    ("كلمة المرور", Cue::Password), ("كلمة السر", Cue::Password), ("كلمة مرور", Cue::Password), ("رمز عبور", Cue::Password),
    ("סיסמה", Cue::Password), ("סיסמא", Cue::Password), ("পাসওয়ার্ড", Cue::Password),
    ("密钥", Cue::Token), ("密鑰", Cue::Token), ("令牌", Cue::Token), ("トークン", Cue::Token), ("APIキー", Cue::Token),
    ("秘密鍵", Cue::Token), ("シークレット", Cue::Token), ("토큰", Cue::Token), ("API 키", Cue::Token), ("API키", Cue::Token),
    ("助记词", Cue::Phrase), ("助記詞", Cue::Phrase), ("シードフレーズ", Cue::Phrase), ("リカバリーフレーズ", Cue::Phrase),
    ("니모닉", Cue::Phrase), ("恢复代码", Cue::Recovery), ("恢复码", Cue::Recovery), ("备用码", Cue::Recovery),
    ("リカバリーコード", Cue::Recovery), ("バックアップコード", Cue::Recovery), ("복구 코드", Cue::Recovery), ("คำกู้คืน", Cue::Phrase),
];

/// The entry of [`UNSPACED`] that a text begins with.
pub(super) fn unspaced(text: &str) -> Option<(&'static str, Cue)> {
    // Few characters begin a cue, so one look at a table spares the comparisons.
    static FIRST: LazyLock<[bool; 256]> = LazyLock::new(|| {
        let mut first = [false; 256];
        for (word, _) in UNSPACED {
            if let Some(slot) = word
                .chars()
                .next()
                .and_then(|letter| first.get_mut(slot(letter)))
            {
                *slot = true;
            }
        }
        first
    });
    fn slot(letter: char) -> usize {
        (u32::from(letter) % 256) as usize
    }
    let letter = text.chars().next()?;
    if !FIRST.get(slot(letter)).is_some_and(|first| *first) {
        return None;
    }
    UNSPACED
        .iter()
        .find(|(word, _)| text.starts_with(word))
        .copied()
}

/// Words after a cue that make something else of it: a password manager, a token limit.
#[rustfmt::skip]
pub(super) const OTHER_THING: &[&str] = &[
    "manager", "managers", "management", "policy", "policies", "reset", "resets", "generator", "hash", "hashes", "hashing",
    "length", "rules", "rule", "protection", "protected", "strength", "field", "fields", "prompt", "hint", "hints", "expiry",
    "expires", "expiration", "rotation", "requirements", "requirement", "vault", "store", "file", "database", "changed", "updated",
    "last", "rotated", "limit", "limits", "count", "counts", "budget", "usage", "price", "prices", "pricing", "cost", "costs",
    "size", "window", "id", "ids", "name", "names", "type", "types", "endpoint", "url", "uri", "prefix", "format", "santa", "service",
    "recipe", "sauce", "garden", "validation", "less", "based", "authentication", "auth", "version", "reuse", "attempts", "min",
    "minimum", "max", "maximum", "manageur", "ring", "bucket", "classification", "economy", "sale", "holder", "supply", "per", "header",
    "headers", "number", "scope", "scopes", "created", "issued", "lifetime", "ttl", "algorithm", "location", "ref", "arn", "path",
    "vergessen", "geandert", "andern", "oublie", "olvidada", "cracker", "complexity", "audit", "sharing", "login", "screen", "page",
];

/// Words that carry the value after them: "is", in several languages; and "to" after "changed".
#[rustfmt::skip]
pub(super) const COPULAS: &[&str] = &[
    "is", "was", "are", "=", "==", "===", "=>", "->", ":=", "→", "⇒", "|", "ist", "lautet", "lauten", "war", "heisst", "heißt", "es", "era",
    "est", "etait", "sont", "e", "sao", "sono", "ar", "jest", "je", "adalah", "это", "-", "--", "–", "—", "είναι", "ειναι", "है", "هي", "هو", "היא",
    "הוא", "คือ", "equals", "be", "c'est", "c’est", "reads", "becomes", "devient", "wird", "bleibt", "remains", "to:",
];

/// Words after which a "to" carries the value: "changed to", "geändert auf", "cambiada a".
#[rustfmt::skip]
pub(super) const CHANGED: &[&str] = &[
    "changed", "set", "reset", "switched", "updated", "equal", "back", "geandert", "gesetzt", "change", "cambiada", "cambiado", "alterada", "changee",
    "изменен", "сменил", "rotated", "renamed",
];

/// The "to" after [`CHANGED`].
pub(super) const TO: &[&str] = &["to", "auf", "zu", "en", "a", "para", "на", "pour", "into"];

/// What may stand between a copula and its value.
#[rustfmt::skip]
pub(super) const ADVERBS: &[&str] = &[
    "still", "now", "currently", "just", "simply", "always", "again", "to", "called", "as", "jetzt", "nun", "noch", "immer", "einfach", "auf", "zu",
    "toujours", "maintenant", "simplement", "ahora", "siempre", "todavia", "agora", "ancora", "adesso", "the", "word", "das", "теперь", "is", "ist",
];

/// Words that end the search for a copula: another clause begins.
#[rustfmt::skip]
pub(super) const CLAUSES: &[&str] = &[
    "and", "but", "because", "when", "if", "that", "who", "which", "while", "so", "und", "aber", "weil", "wenn", "dass", "et", "mais", "parce",
    "y", "pero", "porque", "и", "но", "than", "or", "oder", "ou", "not", "nicht", "never", "requires", "must", "should", "has", "have", "needs",
];
