//! The audit log's words: who did what to which thing, when. Never a text.

use serde::Serialize;

use crate::model::memory::words;
use crate::model::time::Timestamp;

words! {
    /// What was done.
    Action("action") {
        /// A memory was stored as active.
        Remember = "remember",
        /// A memory was put in the queue.
        Propose = "propose",
        /// A memory took the place of another.
        Supersede = "supersede",
        /// A text or a field was changed.
        Edit = "edit",
        /// The owner let a proposal in.
        Approve = "approve",
        /// The owner turned a proposal down.
        Reject = "reject",
        /// The owner took a decision back.
        Undecide = "undecide",
        /// An agent asked to forget.
        RequestForget = "request_forget",
        /// The owner declined an agent's wish to forget.
        Keep = "keep",
        /// Memories with the same text became one.
        Merge = "merge",
        /// A memory was destroyed.
        Forget = "forget",
        /// A short-tier memory ran out.
        Expire = "expire",
        /// A batch of items was imported.
        Import = "import",
        /// The owner took an import back.
        UndoImport = "undo_import",
        /// A replaced memory stands again where it stood, since what replaced it is gone.
        Restore = "restore",
        /// A forgotten text may be stored again.
        LiftExclusion = "lift_exclusion",
        /// The guide got a new version.
        ChangeGuide = "change_guide",
        /// Settings were changed.
        ChangeSettings = "change_settings",
        /// A backup was downloaded.
        Backup = "backup",
        /// A backup took the place of what the vault held.
        RestoreVault = "restore_vault",
        /// A readable export was downloaded.
        Export = "export",
        /// The index was made anew.
        Reindex = "reindex",
        /// The owner let an app in.
        ConnectApp = "connect_app",
        /// The owner turned an app away.
        DenyApp = "deny_app",
        /// An app's grant ended: the owner or the app itself revoked it.
        DisconnectApp = "disconnect_app",
        /// The owner removed a client, and with it its grants.
        RemoveClient = "remove_client",
        /// A refresh token came again long after it was replaced: the grant was ended.
        RefreshReuse = "refresh_reuse",
        /// An authorization code came a second time: the grant was ended.
        CodeReuse = "code_reuse",
        /// The vault made itself a new signing key.
        RotateKey = "rotate_key",
        /// Something was noticed in a memory that was stored before this version could.
        Flag = "flag",
        /// What ended long ago was destroyed.
        Retention = "retention",
        /// The owner asked for the whole vault to be erased.
        RequestErase = "request_erase",
        /// The owner took that back.
        CancelErase = "cancel_erase",
        /// The whole vault was erased.
        Erase = "erase",
    }
}

/// One row of the log.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AuditEntry {
    /// When.
    pub at: Timestamp,
    /// Who, as [`crate::model::actor::Actor::label`] says.
    pub actor: String,
    /// What.
    pub action: Action,
    /// The id it was done to, if one.
    pub subject: Option<String>,
    /// Ids, counts and setting names; no text.
    pub details: Option<serde_json::Value>,
    /// Key in the table.
    #[serde(skip)]
    pub seq: i64,
}

/// Which rows to list; everything is combined with "and".
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AuditFilter {
    /// Only this actor (exact label).
    pub actor: Option<String>,
    /// Only this action.
    pub action: Option<Action>,
    /// Only about this id.
    pub subject: Option<String>,
    /// Only then or later.
    pub after: Option<Timestamp>,
    /// Only earlier than that.
    pub before: Option<Timestamp>,
}
