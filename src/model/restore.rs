//! A backup on its way back into a vault: where it stands, what is known of it, and what the owner wants done.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::backup::Header;
use crate::model::memory::words;
use crate::model::time::Timestamp;

words! {
    /// Where a restore stands.
    RestoreState("state") {
        /// Parts of the file are still to come.
        Receiving = "receiving",
        /// The file is whole and being checked.
        Checking = "checking",
        /// It was checked and can take the vault's place.
        Ready = "ready",
        /// It cannot be restored; the fault says why.
        Broken = "broken",
        /// It has taken the vault's place.
        Restored = "restored",
    }
}

/// What is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The line at fault, counted from 1.
    pub line: i64,
    /// What is wrong with it; no text of memories.
    pub message: String,
}

/// What the owner asked for with the commit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wish {
    /// Whether what the vault holds may go.
    pub replace: bool,
    /// Whether texts forgotten since the backup stay forgotten.
    pub keep_forgotten: bool,
    /// Who asked, as the audit log names them.
    pub actor: String,
}

/// How far the check has come, and what it found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Progress {
    /// The part, the piece and the byte in it at which the next line begins.
    pub part: i64,
    /// See `part`.
    pub piece: i64,
    /// See `part`.
    pub offset: usize,
    /// Lines read.
    pub line: i64,
    /// Bytes read.
    pub bytes: i64,
    /// The hash over them, under way.
    pub hash: String,
    /// The first line.
    pub header: Option<Header>,
    /// Rows read of each table.
    pub counts: BTreeMap<String, i64>,
    /// Embeddings that match their text and the model of this vault.
    pub embeddings_kept: i64,
    /// Memories whose hash was not that of their text and was made anew.
    pub hashes_corrected: i64,
    /// Whether the trailer was read and agreed.
    pub finished: bool,
    /// What is wrong with the file.
    pub fault: Option<Fault>,
}

/// What came of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// When the vault was replaced.
    pub at: Option<Timestamp>,
    /// Rows of each table now in the vault that came from the file.
    pub counts: BTreeMap<String, i64>,
    /// Memories of the file that were left out, since they were forgotten after it was made.
    pub left_out: i64,
    /// Memories whose embedding is being made anew.
    pub to_embed: i64,
}

/// A restore as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Restore {
    /// `res_…`.
    pub id: String,
    /// Where it stands.
    pub state: RestoreState,
    /// When it was opened.
    pub created_at: Timestamp,
    /// By whom.
    pub created_by: String,
    /// When it last got a part or a commit.
    pub changed_at: Timestamp,
    /// How far the check has come.
    pub progress: Progress,
    /// What was asked for.
    pub wish: Option<Wish>,
    /// What came of it.
    pub outcome: Option<Outcome>,
}

/// A part of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    /// Its number, from 1.
    pub part: i64,
    /// Its length.
    pub bytes: i64,
    /// Its SHA-256; absent until all of it is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// What a file's texts would bring back.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ForgottenSince {
    /// Memories in the file whose text was forgotten after it was made.
    pub memories: i64,
    /// Their ids, the first of them.
    pub ids: Vec<String>,
}

/// What is shown of a restore.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RestoreView {
    /// `res_…`.
    pub id: String,
    /// Where it stands.
    pub state: RestoreState,
    /// When it was opened.
    pub created_at: Timestamp,
    /// By whom.
    pub created_by: String,
    /// The parts received.
    pub parts: Vec<Part>,
    /// Bytes of all of them.
    pub bytes: i64,
    /// Bytes checked.
    pub checked_bytes: i64,
    /// The file's header, once read: when it was made, by which version, how many rows of each table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backup: Option<Header>,
    /// What is wrong with the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// Memories whose hash was not that of their text.
    pub hashes_corrected: i64,
    /// Embeddings that can be kept; the others are made anew.
    pub embeddings_kept: i64,
    /// Whether the vault holds nothing that a restore would replace.
    pub vault_is_empty: bool,
    /// What would come back although it was forgotten; left out unless asked for. Once the file was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forgotten_since: Option<ForgottenSince>,
    /// Whether the commit was asked for and goes on by itself.
    pub committing: bool,
    /// What came of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
}
