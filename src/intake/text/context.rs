//! Under which headings a line stands.

use super::line;

/// The headings in force, outermost first, and the line before the list.
#[derive(Default)]
pub(super) struct Context<'a> {
    headings: Vec<Heading<'a>>,
    /// The line with a colon that the list at hand began with.
    pub lead_in: Option<&'a str>,
}

struct Heading<'a> {
    is: line::Heading<'a>,
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
    pub fn enter(&mut self, heading: line::Heading<'a>) -> Vec<&'a str> {
        let lone = self.leave(heading.level);
        if let Some(parent) = self.headings.last_mut() {
            parent.is_used = true;
        }
        self.headings.push(Heading {
            is: heading,
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
            .position(|heading| heading.is.level >= level)
            .unwrap_or(self.headings.len());
        let ended = self.headings.split_off(from);
        ended
            .into_iter()
            // Whose turn it was, or when, is nothing to remember where nothing was said.
            .filter(|heading| {
                !heading.is_used && heading.is.turn.is_none() && heading.is.date.is_none()
            })
            .map(|heading| heading.is.line)
            .collect()
    }

    /// What stands before a bullet's text: the titles it stands under.
    pub fn before_bullet(&mut self) -> String {
        self.use_all();
        let lead_in = self
            .lead_in
            .map(|line| line.trim().trim_end_matches([':', '：']));
        let titles: Vec<&str> = (self.written().map(|heading| heading.title))
            .chain(lead_in)
            .filter(|title| says_something(title))
            .collect();
        if titles.is_empty() {
            String::new()
        } else {
            format!("{}: ", titles.join(" / "))
        }
    }

    /// What stands before a paragraph: the lines of the headings it stands under.
    pub fn before_paragraph(&mut self) -> String {
        self.use_all();
        self.written()
            .filter(|heading| says_something(heading.title))
            .map(|heading| format!("{}\n", heading.line))
            .collect()
    }

    /// The date that stands over the text at hand.
    pub fn date(&self) -> Option<&'a str> {
        let mut headings = self.headings.iter().rev();
        headings.find_map(|heading| heading.is.date)
    }

    /// The headings that stand before a text; those that only say when are kept as its date, and a note's title that is its
    /// first heading too is said once.
    fn written(&self) -> impl Iterator<Item = &line::Heading<'a>> {
        let headings = self.headings.iter().map(|heading| &heading.is);
        let is_twice = |heading: &line::Heading<'_>| {
            let mut below = self.headings.iter().filter(|other| other.is.level > 0);
            heading.level == 0 && below.any(|other| other.is.title == heading.title)
        };
        headings.filter(move |heading| {
            heading.turn.is_none() && heading.date.is_none() && !is_twice(heading)
        })
    }

    fn use_all(&mut self) {
        for heading in &mut self.headings {
            heading.is_used = true;
        }
    }
}

/// Whether a title says something about what stands under it.
pub(super) fn says_something(title: &str) -> bool {
    title
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .any(|word| !EMPTY_WORDS.contains(&word.to_lowercase().as_str()))
}

#[cfg(test)]
pub(super) fn tests_is_empty_word(word: &str) -> bool {
    !says_something(word)
}
