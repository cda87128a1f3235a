//! Under which headings a line stands.

/// The headings in force, outermost first, and the line before the list.
#[derive(Default)]
pub(super) struct Context<'a> {
    headings: Vec<Heading<'a>>,
    /// The line with a colon that the list at hand began with.
    pub lead_in: Option<&'a str>,
}

struct Heading<'a> {
    level: usize,
    title: &'a str,
    line: &'a str,
    /// Whether anything stood under it.
    is_used: bool,
}

/// Words that say nothing about what stands under them. A heading of such words alone is left out, so that the same fact
/// from two lists is the same text.
const EMPTY_WORDS: &[&str] = &[
    "a",
    "about",
    "all",
    "and",
    "bio",
    "career",
    "chatgpt",
    "claude",
    "codex",
    "context",
    "cursor",
    "data",
    "details",
    "export",
    "exported",
    "fact",
    "facts",
    "for",
    "from",
    "gemini",
    "general",
    "gpt",
    "i",
    "identity",
    "info",
    "information",
    "instructions",
    "is",
    "know",
    "list",
    "me",
    "memories",
    "memory",
    "misc",
    "miscellaneous",
    "model",
    "my",
    "note",
    "notes",
    "of",
    "other",
    "personal",
    "preferences",
    "profile",
    "projects",
    "remember",
    "saved",
    "set",
    "some",
    "stored",
    "the",
    "things",
    "to",
    "user",
    "what",
    "you",
    "your",
];

impl<'a> Context<'a> {
    /// A heading begins. Gives the lines of headings that end here with nothing under them: they are items of their own.
    pub fn enter(&mut self, level: usize, title: &'a str, line: &'a str) -> Vec<&'a str> {
        let lone = self.leave(level);
        if let Some(parent) = self.headings.last_mut() {
            parent.is_used = true;
        }
        self.headings.push(Heading {
            level,
            title,
            line: line.trim_end(),
            is_used: false,
        });
        lone
    }

    /// Ends every heading of this level and below it.
    pub fn leave(&mut self, level: usize) -> Vec<&'a str> {
        self.lead_in = None;
        let from = self
            .headings
            .iter()
            .position(|heading| heading.level >= level)
            .unwrap_or(self.headings.len());
        let ended = self.headings.split_off(from);
        ended
            .into_iter()
            .filter(|heading| !heading.is_used)
            .map(|heading| heading.line)
            .collect()
    }

    /// The text of a bullet, after the titles it stands under.
    pub fn before_bullet(&mut self, text: &str) -> String {
        self.use_all();
        let lead_in = self
            .lead_in
            .map(|line| line.trim().trim_end_matches([':', '：']));
        let titles: Vec<&str> = (self.headings.iter().map(|heading| heading.title))
            .chain(lead_in)
            .filter(|title| says_something(title))
            .collect();
        if titles.is_empty() {
            text.to_owned()
        } else {
            format!("{}: {text}", titles.join(" / "))
        }
    }

    /// A paragraph, after the lines of the headings it stands under.
    pub fn before_paragraph(&mut self, text: &str) -> String {
        self.use_all();
        let lines = self
            .headings
            .iter()
            .filter(|heading| says_something(heading.title));
        lines
            .map(|heading| heading.line)
            .chain([text])
            .collect::<Vec<_>>()
            .join("\n")
    }

    fn use_all(&mut self) {
        for heading in &mut self.headings {
            heading.is_used = true;
        }
    }
}

fn says_something(title: &str) -> bool {
    title
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .any(|word| !EMPTY_WORDS.contains(&word.to_lowercase().as_str()))
}

#[cfg(test)]
pub(super) fn tests_is_empty_word(word: &str) -> bool {
    !says_something(word)
}
