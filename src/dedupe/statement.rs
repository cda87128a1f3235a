//! Whether a text states something that another one can contradict. Program text, markup, headings, logs and lists of paths state
//! nothing: two of them differ in a value or a "not" as a matter of course, and nobody has to choose between them.

/// Lines from which a "not" in one of them denies nothing of the whole.
const LIST_LINES: usize = 3;

/// Whether a text states something.
pub(super) fn is_one(text: &str) -> bool {
    let text = text.trim();
    let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
    let is_heading =
        lines == 1 && text.starts_with('#') && text.trim_start_matches('#').starts_with(' ');
    let is_code = lines == 1
        && text.len() > 1
        && text.starts_with('`')
        && text.ends_with('`')
        && text.matches('`').count() == 2;
    !(text.contains("```")
        || is_heading
        || is_code
        || has_markup(text)
        || is_stamp(text)
        || is_of_names(text))
}

/// Whether a "not" somewhere in a text may be about all of it.
pub(super) fn is_one_thing(text: &str) -> bool {
    text.lines().filter(|line| !line.trim().is_empty()).count() < LIST_LINES
}

/// A tag that ends, or one with attributes.
fn has_markup(text: &str) -> bool {
    let begins = |rest: &str| rest.starts_with(|first: char| first.is_ascii_alphabetic());
    text.match_indices('<').any(|(place, _)| {
        let rest = text.get(place + 1..).unwrap_or_default();
        let tag = rest.split_once('>').map(|(tag, _)| tag);
        rest.strip_prefix('/').is_some_and(begins)
            || begins(rest) && tag.is_some_and(|tag| tag.contains('='))
    })
}

/// Who wrote when, as transcripts have it before each message: "User (2026-01-16 16:48:38Z)".
fn is_stamp(text: &str) -> bool {
    let inner = text.trim_matches(['*', '_', ' ']);
    let stamp = inner
        .strip_suffix(')')
        .and_then(|inner| inner.rsplit_once('('));
    stamp.is_some_and(|(_, stamp)| {
        let last = stamp
            .rsplit(' ')
            .next()
            .unwrap_or_default()
            .trim_end_matches('Z');
        last.split(':').count() == 3
            && last
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b':')
    })
}

/// Whether most of a text is names of files and of things in programs.
fn is_of_names(text: &str) -> bool {
    let is_name = |piece: &str| {
        let piece = piece.trim_matches(|sign: char| !sign.is_alphanumeric());
        let inner = |sign: char| piece.contains(sign);
        piece.contains(char::is_alphabetic)
            && (inner('/') || inner('\\') || inner('_') || inner('=') || piece.contains("::"))
    };
    let (mut names, mut words) = (0, 0);
    for piece in text.split_whitespace() {
        if is_name(piece) {
            names += 1;
        } else if piece.contains(char::is_alphanumeric) {
            words += 1;
        }
    }
    names > words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_text_markup_headings_stamps_and_paths_state_nothing() {
        for text in [
            "```text\nNo files found\n```",
            "</details></tool-use>",
            "<img src=\"a.png\"> is the logo",
            "## What I will NOT do",
            "`go test -v ./pkg/cloud`",
            "_**User (2026-01-16 16:48:38Z)**_",
            "pkg/cloud/auth_test.go and pkg/cloud/sync_test.go",
        ] {
            assert!(!is_one(text), "{text}");
        }
    }

    #[test]
    fn what_a_person_or_an_agent_notes_states_something() {
        for text in [
            "The lease ends on 15 October",
            "**The lease ends on 15 October**",
            "Deploys go out with `make ship`, never by hand",
            "#garden the pond has no fish",
            "The config has a <name> placeholder, port 8080",
            "The relay listens on port 22 (since 2026-01-16)",
            "Call at 9:30 (not before 9:00)",
            "Use tabs and/or spaces in docs/README.md",
            "米洛不吃贝类",
        ] {
            assert!(is_one(text), "{text}");
        }
    }

    #[test]
    fn a_denial_in_one_of_three_lines_is_not_about_all() {
        assert!(is_one_thing("Milo does not eat fish\nnor meat"));
        assert!(!is_one_thing("Some don't follow this:\n- a\n- b"));
    }
}
