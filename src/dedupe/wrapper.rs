//! What agents put around a text they read here before they store it again: "The user told me: …". Without it the text is
//! the one that was recalled.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory as _};

/// What may stand before a text without adding to it, in small letters; longer ones first where one begins another.
const BEFORE: [&str; 62] = [
    "the user has told me that",
    "the user told me that",
    "the user told me",
    "the user has said that",
    "the user said that",
    "the user said",
    "the user says that",
    "the user says",
    "the user mentioned that",
    "the user mentioned",
    "the user stated that",
    "the user noted that",
    "the user confirmed that",
    "the user confirmed",
    "according to the user",
    "according to my memory",
    "according to the vault",
    "user told me that",
    "user told me",
    "user said that",
    "user said",
    "user says",
    "user mentioned that",
    "you told me that",
    "you told me",
    "you said that",
    "you said",
    "you mentioned that",
    "you mentioned",
    "as you told me",
    "i remember that",
    "i recall that",
    "i know that",
    "remember that",
    "remember",
    "please remember that",
    "please remember",
    "recalled from memory",
    "recalled",
    "from memory",
    "memory",
    "note to self",
    "note that",
    "note",
    "reminder",
    "fyi",
    "der nutzer sagte, dass",
    "der nutzer sagte",
    "der nutzer hat gesagt, dass",
    "laut nutzer",
    "der benutzer sagte",
    "el usuario me dijo que",
    "el usuario dijo que",
    "el usuario dijo",
    "según el usuario",
    "l'utilisateur m'a dit que",
    "l'utilisateur a dit que",
    "l'utilisateur dit que",
    "用户告诉我",
    "用户说",
    "ユーザーによると",
    "根据用户",
];
/// What has to follow such a phrase: a colon or a comma, unless it ends in "that" itself.
const SIGNS: [char; 6] = [':', ',', '：', '，', '、', '-'];
/// Layers taken off: "Note: the user said that …".
const LAYERS: usize = 3;

/// The text without what was put around it.
pub(super) fn core(text: &str) -> &str {
    let mut text = text.trim();
    for _ in 0..LAYERS {
        let Some(inner) = without_phrase(text) else {
            break;
        };
        text = inner;
    }
    text
}

/// Signs that begin an item of a list, where a blank follows.
const BULLETS: [&str; 12] = [
    "- [ ] ", "- [x] ", "- ", "* ", "• ", "– ", "— ", "+ ", "> ", "# ", "## ", "### ",
];
/// Signs that mean something at the end of a text, or at its beginning.
const MEANT: [char; 13] = [
    '?', '？', '¿', '؟', '%', '‰', '#', '@', '&', '/', '\\', '!', '.',
];
/// Signs that end a sentence without asking anything, of those in [`MEANT`].
const ENDS: [char; 2] = ['.', '!'];
/// Signs that stand around a text in pairs, or mean something: brackets, and the marks of Markdown.
const PAIRS: [(char, char); 14] = [
    ('(', ')'),
    ('[', ']'),
    ('{', '}'),
    ('（', '）'),
    ('【', '】'),
    ('〔', '〕'),
    ('*', '*'),
    ('_', '_'),
    ('`', '`'),
    ('~', '~'),
    ('<', '>'),
    ('《', '》'),
    ('〈', '〉'),
    ('‹', '›'),
];

/// The core without quotes, bullets and brackets around it and signs that end it.
pub(super) fn bare(text: &str) -> &str {
    let mut inner = core(text);
    loop {
        let item = BULLETS.iter().find_map(|sign| inner.strip_prefix(sign));
        let next = unpaired(without_ends(core(item.unwrap_or(inner)))).trim();
        if next.is_empty() {
            return inner;
        }
        if next.len() == inner.len() {
            return inner;
        }
        inner = next;
    }
}

/// Whether a sign is punctuation that a text has or has not, and says the same.
fn is_loose(sign: char) -> bool {
    sign == '´'
        || (sign.general_category_group() == GeneralCategoryGroup::Punctuation
            && !MEANT.contains(&sign)
            && !PAIRS
                .iter()
                .any(|(open, close)| sign == *open || sign == *close))
}

/// Without loose signs at both ends. At the beginning a sign right before a word may belong to it (`-f`, `.env`), and stays unless
/// it opens a quotation or ends a text.
fn without_ends(text: &str) -> &str {
    let text = text.trim_end_matches(|sign: char| {
        is_loose(sign) || ENDS.contains(&sign) || sign.is_whitespace()
    });
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let after = rest.get(sign.len_utf8()..).unwrap_or_default();
        let dots = rest.starts_with("..");
        let dash = sign.general_category() == GeneralCategory::DashPunctuation;
        let bound = after.starts_with(|next: char| next.is_alphanumeric() || next == sign);
        let loose = sign == '¡' || is_loose(sign) && !(dash && bound && sign != '—');
        if !(loose || dots || sign.is_whitespace()) {
            break;
        }
        rest = if dots {
            rest.trim_start_matches('.')
        } else {
            after
        };
    }
    rest
}

/// Without a pair of signs around the whole.
fn unpaired(text: &str) -> &str {
    let inner = |(open, close): (char, char)| {
        let inner = text.strip_prefix(open)?.strip_suffix(close)?;
        // "(a) or (b)" has no pair around it.
        let whole = open == close || !inner.contains(open) || inner.find(open) < inner.find(close);
        whole.then_some(inner)
    };
    PAIRS.into_iter().find_map(inner).unwrap_or(text)
}

fn without_phrase(text: &str) -> Option<&str> {
    let phrase = BEFORE.into_iter().find(|phrase| begins(text, phrase))?;
    let rest = text.get(phrase.len()..)?;
    let after = rest.trim_start();
    let signed = after.strip_prefix(SIGNS);
    let bound = ["that", "dass", "que", "告诉我", "说"]
        .iter()
        .any(|end| phrase.ends_with(end));
    let inner = match signed {
        Some(inner) => inner,
        None if bound && (rest.starts_with(char::is_whitespace) || !phrase.is_ascii()) => after,
        None => return None,
    };
    let inner = unquoted(inner.trim());
    (!inner.is_empty()).then_some(inner)
}

/// Whether a text begins with a phrase, in capitals or not.
fn begins(text: &str, phrase: &str) -> bool {
    let mut letters = text.chars().flat_map(char::to_lowercase);
    phrase.chars().all(|letter| letters.next() == Some(letter))
}

fn unquoted(text: &str) -> &str {
    const QUOTES: [(char, char); 6] = [
        ('"', '"'),
        ('“', '”'),
        ('„', '“'),
        ('«', '»'),
        ('「', '」'),
        ('\'', '\''),
    ];
    let quoted = |(open, close)| text.strip_prefix(open)?.strip_suffix(close);
    QUOTES.into_iter().find_map(quoted).map_or(text, str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_agents_put_around_a_text_is_taken_off() {
        for (text, expected) in [
            ("The user told me: Milo eats fish", "Milo eats fish"),
            ("the user said that Milo eats fish", "Milo eats fish"),
            ("Note: the user said: \"Milo eats fish\"", "Milo eats fish"),
            ("用户告诉我：米洛吃鱼", "米洛吃鱼"),
            ("El usuario me dijo que come pescado", "come pescado"),
        ] {
            assert_eq!(core(text), expected, "{text}");
        }
    }

    #[test]
    fn signs_around_a_text_are_taken_off_but_no_question_and_no_minus() {
        for (text, expected) in [
            ("- Milo eats fish.", "Milo eats fish"),
            ("“Milo eats fish!”", "Milo eats fish"),
            ("\"Milo eats fish\".", "Milo eats fish"),
            ("米洛吃鱼。", "米洛吃鱼"),
            ("«Milo eats fish»", "Milo eats fish"),
            ("»Milo eats fish«", "Milo eats fish"),
            ("„Milo eats fish“", "Milo eats fish"),
            ("‘Milo eats fish’;", "Milo eats fish"),
            ("『Milo eats fish』", "Milo eats fish"),
            ("*Milo eats fish*", "Milo eats fish"),
            ("**Milo eats fish**.", "Milo eats fish"),
            ("_Milo eats fish_", "Milo eats fish"),
            ("`Milo eats fish`", "Milo eats fish"),
            ("~~Milo eats fish~~", "Milo eats fish"),
            ("(Milo eats fish)", "Milo eats fish"),
            ("[Milo eats fish.]", "Milo eats fish"),
            ("【Milo eats fish】", "Milo eats fish"),
            ("Milo eats fish…", "Milo eats fish"),
            ("… Milo eats fish ...", "Milo eats fish"),
            ("...Milo eats fish", "Milo eats fish"),
            ("Milo eats fish!!!", "Milo eats fish"),
            ("¡Milo eats fish!", "Milo eats fish"),
            ("Milo eats fish —", "Milo eats fish"),
            ("—Milo eats fish", "Milo eats fish"),
            ("Milo eats fish,", "Milo eats fish"),
            ("Milo eats fish :", "Milo eats fish"),
            ("米洛吃鱼、", "米洛吃鱼"),
            ("> Milo eats fish", "Milo eats fish"),
            ("- [ ] Milo eats fish", "Milo eats fish"),
            ("## Milo eats fish", "Milo eats fish"),
            ("• „Note: Milo eats fish.“", "Milo eats fish"),
            (
                "Milo eats (raw) fish (twice)",
                "Milo eats (raw) fish (twice)",
            ),
            ("(a) or (b)", "(a) or (b)"),
            ("Does Milo eat fish?", "Does Milo eat fish?"),
            ("-5 degrees", "-5 degrees"),
            ("-f is the flag", "-f is the flag"),
            ("--force is the flag", "--force is the flag"),
            (".env is secret", ".env is secret"),
            ("/srv/app", "/srv/app"),
            ("@ada is away", "@ada is away"),
            ("#release is a tag", "#release is a tag"),
            ("grew by 5%", "grew by 5%"),
            ("writes C#", "writes C#"),
            ("*.pem stays out", "*.pem stays out"),
            ("...", "..."),
        ] {
            assert_eq!(bare(text), expected, "{text}");
        }
    }

    #[test]
    fn what_belongs_to_the_text_stays() {
        for text in [
            "Ada told me: Milo eats fish",
            "The user said goodbye",
            "Memory of the trip to Rome",
            "Note the address",
            "The user told me:",
            "",
        ] {
            assert_eq!(core(text), text, "{text}");
        }
    }
}
