//! A memory and the small words around it: type, tier, status, and why it changed status.

use serde::Serialize;

use crate::model::flag::Flag;
use crate::model::time::Timestamp;

/// A closed set of words that appears in SQL, JSON and tool schemas under the same spelling.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident($field:literal) { $($(#[$variant_meta:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, ::serde::Serialize, ::serde::Deserialize)]
        pub enum $name { $($(#[$variant_meta])* #[serde(rename = $text)] $variant),+ }

        impl $name {
            /// Every word of the set, in order of declaration.
            pub const WORDS: &'static [&'static str] = &[$($text),+];

            /// The word itself.
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text),+ }
            }

            /// Reads a word; the error lists the accepted ones.
            pub fn parse(text: &str) -> $crate::error::Result<Self> {
                match text.trim().to_ascii_lowercase().as_str() {
                    $($text => Ok($name::$variant),)+
                    _ => Err($crate::error::Error::invalid($field, format!("must be one of: {}", Self::WORDS.join(", ")))),
                }
            }
        }
    };
}
pub(crate) use words;

words! {
    /// What a memory is about.
    MemoryType("type") {
        /// Something that is so.
        Fact = "fact",
        /// How the owner likes things.
        Preference = "preference",
        /// About somebody.
        Person = "person",
        /// About something under way.
        Project = "project",
        /// Something that happened or will.
        Event = "event",
        /// Anything else (the default).
        Note = "note",
    }
}

words! {
    /// Where a memory stands.
    Status("status") {
        /// Waits for the owner.
        Proposed = "proposed",
        /// Holds.
        Active = "active",
        /// Held once; kept as history.
        Superseded = "superseded",
        /// The owner said no.
        Rejected = "rejected",
    }
}

words! {
    /// How long a memory is meant to live.
    Tier("tier") {
        /// Until something replaces it (the default).
        Long = "long",
        /// Expires after the days of the setting `short_tier_days`.
        Short = "short",
    }
}

words! {
    /// Why a memory is no longer active.
    StatusReason("status_reason") {
        /// Another memory took its place.
        Replaced = "replaced",
        /// Its short tier ran out.
        Expired = "expired",
    }
}

/// One memory as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Memory {
    /// `mem_…`, for ever.
    pub id: String,
    /// Where it stands.
    pub status: Status,
    /// Why it left `active`, for superseded ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status_reason: Option<StatusReason>,
    /// The text, cleaned (see `text::clean`), at most [`crate::limits::MEMORY_BYTES`].
    pub content: String,
    /// SHA-256 of the duplicate key, lower-case hex.
    #[serde(skip)]
    pub content_hash: String,
    /// What it is about.
    #[serde(rename = "type")]
    pub memory_type: MemoryType,
    /// How long it is meant to live.
    pub tier: Tier,
    /// 0 to 1.
    pub importance: f64,
    /// Lower-case, in the order given.
    pub tags: Vec<String>,
    /// The conversation or sitting it came from.
    pub session: Option<String>,
    /// Who said it.
    pub author: Option<String>,
    /// Which program or document it came from.
    pub source: Option<String>,
    /// A day (`2026-03-10`) or an instant, when the source said so.
    pub source_date: Option<String>,
    /// The memory it replaces, or would replace once approved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<String>,
    /// The memory that took its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<String>,
    /// Since when it holds.
    pub valid_from: Timestamp,
    /// Until when it held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<Timestamp>,
    /// A memory it resembles, for the owner to compare.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similar_to: Option<String>,
    /// How alike the two are, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
    /// Active memories that this one seems to contradict; derived, and empty for what no longer holds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub may_conflict_with: Vec<String>,
    /// What was noticed in it, for the owner to look at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<Flag>,
    /// Why a proposal can no longer be decided as it was made: what it would replace changed since. Worked out when the
    /// owner looks, not stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stale: Option<String>,
    /// The import it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_id: Option<String>,
    /// The actor that stored it.
    pub created_by: String,
    /// When it was stored.
    pub created_at: Timestamp,
    /// When anything about it last changed.
    pub updated_at: Timestamp,
    /// When its short tier runs out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// When an agent asked to forget it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forget_requested_at: Option<Timestamp>,
    /// Which agent asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forget_requested_by: Option<String>,
    /// Key in the table; grows with every insert and orders lists.
    #[serde(skip)]
    pub seq: i64,
    /// The instant date filters look at: the source's date, else the day it was stored.
    #[serde(skip)]
    pub dated_at: Timestamp,
}

impl Memory {
    /// Whether it waits for the owner because of what was noticed in it. Until the owner approves it, nobody else gets to
    /// see it, and nobody finds it by asking.
    pub fn is_withheld(&self) -> bool {
        self.status == Status::Proposed && !self.flags.is_empty()
    }

    /// Whether an app may know of it at all.
    pub fn is_seen_by_apps(&self) -> bool {
        self.forget_requested_at.is_none() && self.status != Status::Rejected && !self.is_withheld()
    }
}

/// An earlier text of a memory.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Revision {
    /// The text before the change.
    pub content: String,
    /// When it was changed.
    pub replaced_at: Timestamp,
    /// Who changed it.
    pub replaced_by: String,
}

/// Which memories a list or a recall looks at. Everything is combined with "and".
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filter {
    /// Any of these; empty = the door's default.
    pub statuses: Vec<Status>,
    /// Only this type.
    pub memory_type: Option<MemoryType>,
    /// Only this tier.
    pub tier: Option<Tier>,
    /// Only with this tag.
    pub tag: Option<String>,
    /// Only from this source (exact).
    pub source: Option<String>,
    /// Only of this session (exact).
    pub session: Option<String>,
    /// Only of this import.
    pub batch_id: Option<String>,
    /// Dated at or after this instant.
    pub after: Option<Timestamp>,
    /// Dated before this instant.
    pub before: Option<Timestamp>,
    /// Only what held at this instant: held already, and not yet replaced or expired.
    pub as_of: Option<Timestamp>,
    /// Only those an agent asked to forget (the owner's list); otherwise those are hidden.
    pub forget_requested: bool,
    /// Only those this actor stored (exact label).
    pub created_by: Option<String>,
    /// Only those with this flag.
    pub flag: Option<Flag>,
    /// Only these.
    pub ids: Option<Vec<String>>,
    /// Without proposals that carry a flag; see [`Memory::is_withheld`].
    pub without_withheld: bool,
}

impl Filter {
    /// Whether nothing but statuses is asked for, and nothing hidden.
    pub fn is_only_by_status(&self) -> bool {
        *self
            == Filter {
                statuses: self.statuses.clone(),
                without_withheld: self.without_withheld,
                ..Filter::default()
            }
    }

    /// A stable spelling, to bind a cursor to.
    pub fn fingerprint(&self) -> String {
        format!("{self:?}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_in_any_case_and_an_unknown_one_lists_the_known() {
        assert_eq!(
            MemoryType::parse(" Preference ").unwrap(),
            MemoryType::Preference
        );
        let error = Status::parse("deleted").unwrap_err();
        assert_eq!(
            error.to_string(),
            "status: must be one of: proposed, active, superseded, rejected"
        );
    }
}
