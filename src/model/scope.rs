//! What an app may do: the words of a grant (RFC 6749 section 3.3).

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::model::memory::words;

words! {
    /// One scope.
    Scope("scope") {
        /// Search and list memories, read the guide.
        MemoryRead = "memory.read",
        /// Store, propose and ask to forget memories. Implies reading.
        MemoryWrite = "memory.write",
        /// Search and open kept conversations.
        ArchiveRead = "archive.read",
        /// Add, change and remove kept conversations. Implies reading.
        ArchiveWrite = "archive.write",
    }
}

impl Scope {
    /// Every scope.
    pub const ALL: [Scope; 4] = [
        Scope::MemoryRead,
        Scope::MemoryWrite,
        Scope::ArchiveRead,
        Scope::ArchiveWrite,
    ];

    /// The wider scope that includes this one.
    const fn implied_by(self) -> Option<Scope> {
        match self {
            Scope::MemoryRead => Some(Scope::MemoryWrite),
            Scope::ArchiveRead => Some(Scope::ArchiveWrite),
            Scope::MemoryWrite | Scope::ArchiveWrite => None,
        }
    }
}

/// What the first challenge asks for: what an app needs to be of use.
pub const DEFAULT_SCOPES: &str = "memory.read memory.write";

/// The scope that clients ask for when they want a refresh token. Every grant has one, so the word is taken and dropped.
pub const OFFLINE_ACCESS: &str = "offline_access";

/// A scope parameter without the words that ask for no scope of ours.
pub fn meant(parameter: &str) -> String {
    let words = parameter.split_ascii_whitespace();
    words
        .filter(|word| *word != OFFLINE_ACCESS)
        .collect::<Vec<_>>()
        .join(" ")
}

/// A set of scopes. As text: the words in a fixed order, separated by spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Scopes(u8);

impl Scopes {
    /// No scope at all.
    pub const NONE: Scopes = Scopes(0);

    /// The known words of a space-separated list; others are dropped.
    pub fn parse(text: &str) -> Self {
        text.split_ascii_whitespace()
            .filter_map(|word| Scope::ALL.into_iter().find(|scope| scope.as_str() == word))
            .fold(Scopes::NONE, Scopes::with)
    }

    /// This and one more.
    #[must_use]
    pub const fn with(self, scope: Scope) -> Self {
        Scopes(self.0 | 1 << scope as u8)
    }

    /// Whether the scope itself is in the set.
    pub const fn contains(self, scope: Scope) -> bool {
        self.0 & (1 << scope as u8) != 0
    }

    /// Whether the set allows what the scope stands for: itself, or the wider scope that implies it.
    pub fn allow(self, scope: Scope) -> bool {
        self.contains(scope) || scope.implied_by().is_some_and(|wider| self.contains(wider))
    }

    /// The scopes of `self` that `limit` allows too.
    #[must_use]
    pub fn within(self, limit: Scopes) -> Self {
        self.iter()
            .filter(|scope| limit.allow(*scope))
            .fold(Scopes::NONE, Scopes::with)
    }

    /// Whether nothing is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The scopes in their fixed order.
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL
            .into_iter()
            .filter(move |scope| self.contains(*scope))
    }

    /// The words, separated by spaces.
    pub fn to_text(self) -> String {
        self.iter().map(Scope::as_str).collect::<Vec<_>>().join(" ")
    }

    /// The words.
    pub fn words(self) -> Vec<&'static str> {
        self.iter().map(Scope::as_str).collect()
    }
}

impl Serialize for Scopes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.words().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Scopes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Scopes::parse(
            &Vec::<String>::deserialize(deserializer)?.join(" "),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_words_are_dropped_and_the_order_is_fixed() {
        let scopes = Scopes::parse("memory.write offline_access  openid memory.read");
        assert_eq!(scopes.to_text(), "memory.read memory.write");
        assert!(Scopes::parse("openid Memory.Read").is_empty());
    }

    #[test]
    fn writing_implies_reading_of_the_same_kind_only() {
        let scopes = Scopes::parse("memory.write");
        assert!(scopes.allow(Scope::MemoryRead) && scopes.allow(Scope::MemoryWrite));
        assert!(!scopes.allow(Scope::ArchiveRead));
        assert!(!Scopes::parse("memory.read").allow(Scope::MemoryWrite));
    }

    #[test]
    fn what_is_asked_is_cut_to_what_is_granted() {
        let asked = Scopes::parse("memory.read archive.read");
        let within = |granted| asked.within(Scopes::parse(granted)).to_text();
        assert_eq!(within("memory.write"), "memory.read");
        assert_eq!(
            within("memory.read archive.write"),
            "memory.read archive.read"
        );
        assert_eq!(within("archive.read"), "archive.read");
    }
}
