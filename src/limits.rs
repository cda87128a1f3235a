//! Every limit of the vault, once. It is enforced from here and published from here ([`published`]).
//!
//! Sizes are bytes of UTF-8 unless the name says otherwise; times name their unit.

/// One memory's text. Long enough for a page of notes, far under the 2 MB an SQLite value may have in a Durable Object.
pub const MEMORY_BYTES: usize = 64 * 1024;
/// The Operating Guide's text: agents read it whole, so it has to stay short.
pub const GUIDE_BYTES: usize = 24 * 1024;
/// Tags of one memory.
pub const TAGS: usize = 20;
/// One tag, in characters.
pub const TAG_CHARS: usize = 64;
/// `source`, `session`, `author`: characters each.
pub const LABEL_CHARS: usize = 200;
/// An idempotency key, in characters.
pub const IDEMPOTENCY_KEY_CHARS: usize = 128;
/// How long an idempotency key is remembered.
pub const IDEMPOTENCY_DAYS: i64 = 7;
/// A recall query, in characters; what is longer is refused rather than cut without a word.
pub const QUERY_CHARS: usize = 2_000;
/// Recall results when the caller names no number.
pub const RECALL_DEFAULT: usize = 10;
/// Recall results a caller may ask for at once.
pub const RECALL_MAX: usize = 200;
/// Up to so many memories recall ranks them all; among more it ranks candidates.
pub const RECALL_ALL: usize = 1_000;
/// Candidates that the search by words hands to the ranking.
pub const RECALL_CANDIDATES: usize = 100;
/// Candidates that the search by vectors hands to the ranking.
pub const RECALL_NEAREST: usize = 50;
/// A word of more memories than this is looked for in the index in memory only: the full text takes a third of a millisecond for
/// each thousand it finds, and what it adds, pieces of names and paths, is no help where whole words are so many.
pub const RECALL_COMMON: u64 = 500;
/// Bytes the index in memory may take: some 150,000 memories of a sentence or two. The isolate has 128 MB in all.
pub const INDEX_BYTES: usize = 72 * 1024 * 1024;
/// Memories on the map, the newest: what a page can draw at every move of a finger, in an answer under a megabyte.
pub const MAP_POINTS: usize = 10_000;
/// Bytes the large vectors of all memories may take in memory; beyond it only those of candidates are read. Some 16,000
/// memories of a sentence or two.
pub const LARGE_VECTORS_BYTES: usize = 16 * 1024 * 1024;
/// Memories from which on the setting `engine: auto` uses Vectorize: what the index in memory holds at a push.
pub const VECTORIZE_FROM: i64 = 100_000;
/// Nearest vectors asked of Vectorize (its own limit, without values and metadata).
pub const VECTORIZE_NEAREST: usize = 100;
/// Vectors written to Vectorize in one call. It takes 1,000; a hundred of 1,024 numbers are half a megabyte.
pub const VECTORIZE_UPSERT: usize = 100;
/// Ids deleted in one call. More are refused with error 40007.
pub const VECTORIZE_DELETE: usize = 100;
/// Bytes of an id or a namespace in Vectorize.
pub const VECTORIZE_ID_BYTES: usize = 64;
/// Minutes for which what Vectorize was told may not be visible there; it takes seconds to some minutes.
pub const VECTORIZE_LAG_MINUTES: i64 = 30;
/// Memories that Vectorize may not show yet and that are looked at beside its answer, newest first.
pub const VECTORIZE_OVERLAY: usize = 2_000;
/// How long a call of Vectorize may take while somebody waits for an answer.
pub const VECTORIZE_QUERY_MILLISECONDS: u32 = 1_000;
/// The same for a call of the alarm's.
pub const VECTORIZE_WRITE_MILLISECONDS: u32 = 15_000;
/// Texts given to Workers AI in one call (its own limit).
pub const AI_TEXTS: usize = 100;
/// Calls of Workers AI in one alarm. The next alarm goes on.
pub const AI_CALLS_PER_TURN: usize = 24;
/// How long Workers AI may take to embed a question while somebody waits for the answer; usually it takes a tenth of this.
pub const AI_QUESTION_MILLISECONDS: u32 = 1_500;
/// The same for a batch of texts.
pub const AI_BATCH_MILLISECONDS: u32 = 20_000;
/// After a question found a service failing, further questions do without it for so long, so that only one of them waits.
pub const SERVICE_REST_SECONDS: i64 = 30;
/// Questions whose vectors are kept.
pub const QUESTIONS_KEPT: usize = 64;
/// Rows of a list when the caller names no number.
pub const PAGE_DEFAULT: usize = 50;
/// Rows of a list a caller may ask for at once.
pub const PAGE_MAX: usize = 200;
/// Items in one bulk write. One transaction takes them all, so the number bounds how long the object is busy.
pub const BULK_ITEMS: usize = 1_000;
/// Items of one import over all its calls. Its undo is one transaction, so the number bounds how long that takes.
pub const BATCH_ITEMS: usize = 20_000;
/// Texts that one clean-up of duplicates merges; it is called again while there are more.
pub const MERGED_TEXTS: usize = 500;
/// Files of one import whose names are listed; more are counted. A folder of notes has a few hundred, and the names of one
/// import are read with every page of the list of imports.
pub const BATCH_SOURCES: usize = 100;
/// Characters of an item's text that a dry run shows: enough to see how a text was cut, a thousand times in one answer.
pub const PREVIEW_CHARS: usize = 300;
/// Memories one `forget` call may name (U-77: wiping a vault must take many visible calls).
pub const FORGET_IDS: usize = 1;
/// A request body on any route but the ones below.
pub const BODY_BYTES: usize = 256 * 1024;
/// A bulk body: a thousand items of a few kilobytes.
pub const BULK_BODY_BYTES: usize = 8 * 1024 * 1024;
/// An MCP request body: `bulk_remember` has to fit.
pub const MCP_BODY_BYTES: usize = 4 * 1024 * 1024;
/// What one answer to an agent may measure, JSON and its text copy together.
pub const AGENT_ANSWER_BYTES: usize = 48 * 1024;
/// One memory's share of an agent's list; longer text is cut there and `fetch` pages through the whole.
pub const AGENT_EXCERPT_BYTES: usize = 4 * 1024;
/// One page of `fetch`.
pub const FETCH_PAGE_BYTES: usize = 16 * 1024;
/// JSON-RPC requests in one batch (2025-03-26 only).
pub const MCP_BATCH: usize = 20;
/// Values of one completion (MCP allows 100).
pub const COMPLETIONS: usize = 100;
/// How long the edge waits for the vault before it answers 503. Enforced in `cloudflare/entry.mjs`.
pub const FORWARD_MILLISECONDS: u64 = 30_000;
/// Jobs one alarm handles before it lets requests in and sets the next alarm.
pub const JOBS_PER_TURN: usize = 50;
/// Rows one job handles in one go.
pub const ROWS_PER_JOB: usize = 500;
/// Attempts after which a failing job is dead and waits for the owner.
pub const JOB_ATTEMPTS: i64 = 20;
/// First wait after a failed job; it doubles up to [`JOB_BACKOFF_MAX_SECONDS`].
pub const JOB_BACKOFF_SECONDS: i64 = 60;
/// Longest wait between attempts.
pub const JOB_BACKOFF_MAX_SECONDS: i64 = 3_600;
/// Access tokens whose checked signature an isolate remembers. A person has a handful of apps, each with one token an hour.
pub const CHECKED_TOKENS: usize = 64;
/// Registrations from one address in an hour. An app registers once, or at each login; fifty leaves room for a person
/// who tries every app on one machine, and a flood comes to nothing.
pub const REGISTRATIONS_PER_HOUR: i64 = 50;
/// Registered clients kept that the owner never let in; older ones make room.
pub const UNUSED_CLIENTS: usize = 500;
/// Days after which a client without a grant is removed.
pub const UNUSED_CLIENT_DAYS: i64 = 7;
/// Calls of the token and revocation endpoints from one address in a minute. An app calls once an hour.
pub const TOKEN_CALLS_PER_MINUTE: i64 = 120;
/// Client metadata documents fetched for one address in an hour.
pub const DOCUMENT_FETCHES_PER_HOUR: i64 = 30;
/// How long fetching a client metadata document may take, its body included.
pub const DOCUMENT_MILLISECONDS: u32 = 5_000;
/// Tool calls of one grant that write, in [`WRITE_WINDOW_MINUTES`]. Many facts at once come in one `bulk_remember`.
pub const WRITES_PER_WINDOW: i64 = 600;
/// The window of [`WRITES_PER_WINDOW`].
pub const WRITE_WINDOW_MINUTES: i64 = 10;
/// Minutes an app's question waits for the owner.
pub const ASK_MINUTES: i64 = 10;
/// Questions that wait at once; older ones make room.
pub const ASKS: usize = 100;
/// Bytes of a client's `state` (RFC 6749 section 4.1.1); it travels in an address, which browsers and proxies bound.
pub const STATE_BYTES: usize = 4 * 1024;
/// Seconds an authorization code holds (RFC 6749 section 4.1.2 allows ten minutes; apps redeem it at once).
pub const CODE_SECONDS: i64 = 300;
/// Days a refresh token holds unused.
pub const REFRESH_IDLE_DAYS: i64 = 90;
/// Days after which the owner has to let an app in anew, whatever it did.
pub const GRANT_DAYS: i64 = 365;
/// Days a signing key signs.
pub const SIGNING_KEY_DAYS: i64 = 90;
/// Hours a new signing key is published before it signs: longer than the edge keeps a key set, so that no isolate meets
/// a token whose key it does not know.
pub const SIGNING_KEY_LEAD_HOURS: i64 = 2;
/// Hours after which the key it replaced is removed: the lead, and more than the life of an access token.
pub const SIGNING_KEY_OVERLAP_HOURS: i64 = 4;
/// Hours between two sweeps of what has expired in the authorization server's tables.
pub const APPS_SWEEP_HOURS: i64 = 6;
/// Expired token pairs that one sweep removes: more than an app can make between two.
pub const APPS_SWEEP_ROWS: usize = 50_000;
/// Apps, or clients, shown at once. There are as many as the owner let in.
pub const APPS_SHOWN: usize = 500;
/// A body of the registration, token and revocation endpoints.
pub const OAUTH_BODY_BYTES: usize = 32 * 1024;
/// Backups read at once. Each keeps what changes while it is read, so their number bounds what a write costs.
pub const BACKUPS_AT_ONCE: i64 = 2;
/// Minutes after which a backup that nobody reads on is ended.
pub const BACKUP_IDLE_MINUTES: i64 = 10;
/// A piece of a streamed answer. Large enough that a piece's cost does not count, small enough that many are held at once.
pub const CHUNK_BYTES: usize = 128 * 1024;
/// Memories an export reads at once.
pub const EXPORT_ROWS: usize = 64;
/// One part of an uploaded backup. A zone takes requests of up to 100 MB.
pub const RESTORE_PART_BYTES: usize = 50 * 1024 * 1024;
/// Parts of an uploaded backup: together more than an object stores.
pub const RESTORE_PARTS: i64 = 1_000;
/// What an upload is stored in: a value in SQLite takes at most 2 MB.
pub const PIECE_BYTES: usize = 1024 * 1024;
/// A line of a backup: the largest row there can be, as JSON.
pub const BACKUP_LINE_BYTES: usize = 8 * 1024 * 1024;
/// The last line of a backup, which tells whether the file is whole.
pub const TRAILER_BYTES: usize = 16 * 1024;
/// Bytes of a backup that one step of a restore checks: some hundred milliseconds of work.
pub const RESTORE_STEP_BYTES: usize = 2 * 1024 * 1024;
/// Rows of a backup that are staged together: a statement takes a hundred parameters, and reading rows back takes one a row.
pub const RESTORE_GROUP_ROWS: usize = 48;
/// Bytes of their lines after which no more wait: they are in memory until they are staged.
pub const RESTORE_GROUP_BYTES: usize = 256 * 1024;
/// Steps that a commit takes before it answers; what is left goes on by itself. A small vault is done in one call.
pub const RESTORE_STEPS: usize = 4;
/// Hours after which a restore that nobody touches is given up.
pub const RESTORE_HOURS: i64 = 24;
/// Ids shown of memories that a restore would bring back.
pub const FORGOTTEN_SHOWN: usize = 200;
/// The slowest upload that the edge waits for, in bytes a millisecond (about 256 kbit/s). Enforced in `cloudflare/entry.mjs`.
pub const SLOWEST_UPLOAD: u64 = 32;
/// Days a short-tier memory lives unless the owner sets another number.
pub const SHORT_TIER_DAYS: i64 = 30;
/// Days between an agent's `forget` and the destruction in auto mode, unless the owner sets another number.
pub const FORGET_GRACE_DAYS: i64 = 7;
/// Days a replaced or expired memory is kept as history, unless the owner sets another number.
pub const SUPERSEDED_DAYS: i64 = 365;
/// Days a rejected memory is kept, unless the owner sets another number; its hash stays.
pub const REJECTED_DAYS: i64 = 30;
/// Days a row of the audit log is kept, unless the owner sets another number.
pub const AUDIT_DAYS: i64 = 365;
/// Days a job that failed for good is shown.
pub const DEAD_JOB_DAYS: i64 = 90;
/// Days between the owner's wish to erase the vault and the erasure. The owner may set more and never less: whoever sits
/// at an open dashboard for a moment must not be able to destroy everything before it is noticed.
pub const ERASE_GRACE_DAYS: i64 = 7;
/// Most days of grace before the vault is erased.
pub const ERASE_GRACE_DAYS_MAX: i64 = 365;
/// Weeks of the shelf on the status page: half a year.
pub const STATUS_WEEKS: usize = 26;
/// Longest day count a setting takes (ten years).
pub const SETTING_DAYS_MAX: i64 = 3_650;

/// The limits a client may want to know, by name, as `get_capabilities` and the OpenAPI document give them.
pub const fn published() -> [(&'static str, u64); 20] {
    [
        ("memory_bytes", MEMORY_BYTES as u64),
        ("guide_bytes", GUIDE_BYTES as u64),
        ("tags", TAGS as u64),
        ("tag_chars", TAG_CHARS as u64),
        ("label_chars", LABEL_CHARS as u64),
        ("idempotency_key_chars", IDEMPOTENCY_KEY_CHARS as u64),
        ("idempotency_days", IDEMPOTENCY_DAYS as u64),
        ("query_chars", QUERY_CHARS as u64),
        ("recall_default", RECALL_DEFAULT as u64),
        ("recall_max", RECALL_MAX as u64),
        ("page_default", PAGE_DEFAULT as u64),
        ("page_max", PAGE_MAX as u64),
        ("bulk_items", BULK_ITEMS as u64),
        ("batch_items", BATCH_ITEMS as u64),
        ("forget_ids", FORGET_IDS as u64),
        ("body_bytes", BODY_BYTES as u64),
        ("bulk_body_bytes", BULK_BODY_BYTES as u64),
        ("mcp_body_bytes", MCP_BODY_BYTES as u64),
        ("agent_answer_bytes", AGENT_ANSWER_BYTES as u64),
        ("fetch_page_bytes", FETCH_PAGE_BYTES as u64),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_outside_of_webassembly_waits_as_long_as_the_limit_says() {
        let entry = include_str!("cloudflare/entry.mjs").replace('_', "");
        for line in [
            format!("const FORWARDMILLISECONDS = {FORWARD_MILLISECONDS};"),
            format!("const SLOWESTUPLOAD = {SLOWEST_UPLOAD};"),
            format!("const LONGESTUPLOAD = {RESTORE_PART_BYTES};"),
        ] {
            assert!(entry.contains(&line), "{line}");
        }
    }

    #[test]
    fn a_full_bulk_of_small_items_fits_its_body() {
        const { assert!(BULK_ITEMS * 4 * 1024 <= BULK_BODY_BYTES && MEMORY_BYTES * 2 < BODY_BYTES) };
    }
}
