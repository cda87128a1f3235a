//! The route table: the whole HTTP door on one page. The edge reads from it who may call and how large a body may be,
//! the vault whom to call, and the OpenAPI document what it is.

use crate::api::call::Call;
use crate::api::response::Response;
use crate::api::streamed::{Begun, Sink};
use crate::api::{
    apps, authorize, backup, dashboard, guide, health, imports, mcp_door, me, memories, oauth_door,
    openapi, owner, pages, recall, restore, retention, review,
};
use crate::error::Result;
use crate::limits::{
    BODY_BYTES, BULK_BODY_BYTES, MCP_BODY_BYTES, OAUTH_BODY_BYTES, RESTORE_PART_BYTES,
};
use crate::ports;
use crate::vault::Vault;

/// Who may call a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// Anybody; nothing of the vault is in the answer.
    Anyone,
    /// The signed-in owner, or a service token as far as its role goes.
    Owner,
    /// The owner in person.
    Person,
    /// An app with an access token.
    Agent,
}

/// What an operation's answer is, for the OpenAPI document.
#[derive(Debug, Clone, Copy)]
pub struct Doc {
    /// One line.
    pub summary: &'static str,
    /// Query parameters, described in [`crate::api::openapi`].
    pub query: &'static [&'static str],
    /// Name of the body's schema, if there is a body.
    pub body: Option<&'static str>,
    /// Success status.
    pub status: u16,
    /// Name of the answer's schema; `None` for answers that are no JSON.
    pub answer: Option<&'static str>,
}

/// What answers a route.
#[derive(Clone, Copy)]
pub enum Handler {
    /// The edge itself, from the request alone; the vault is not asked.
    Edge(fn(&EdgeCall<'_>) -> Response),
    /// The vault.
    Now(fn(&Vault<'_>, &Call<'_>) -> Result<Response>),
    /// The vault, which has to ask somebody else first.
    Later(for<'a> fn(&'a Vault<'a>, &'a Call<'a>) -> ports::Later<'a, Result<Response>>),
    /// The vault, while the answer is sent.
    Stream(fn(&Vault<'_>, &Call<'_>) -> Begun),
    /// The vault, while the body comes in; the request's own body is empty.
    Upload(fn(&Vault<'_>, &Call<'_>) -> Result<Box<dyn Sink>>),
}

/// A request as far as the edge's own handlers look at it.
#[derive(Debug, Clone)]
pub struct EdgeCall<'a> {
    /// Our own origin.
    pub origin: &'a str,
    /// Percent-encoded path.
    pub path: &'a str,
    /// Whether the caller takes gzip.
    pub accepts_gzip: bool,
    /// `If-None-Match`.
    pub if_none_match: Option<String>,
    /// `Accept`.
    pub accept: Option<String>,
}

use Handler::{Edge, Later, Now, Stream, Upload};

/// One row.
pub struct Route {
    /// Upper-case.
    pub method: &'static str,
    /// Segments; `:name` stands for any one of them.
    pub path: &'static str,
    /// Who may call.
    pub who: Who,
    /// Largest body in bytes.
    pub body_limit: usize,
    /// Whether pages of any site may call it (CORS): only routes that take no ambient credential, no cookie.
    pub any_origin: bool,
    /// What answers.
    pub handler: Handler,
    /// What it is.
    pub doc: Doc,
}

const fn route(
    method: &'static str,
    path: &'static str,
    who: Who,
    handler: Handler,
    doc: Doc,
) -> Route {
    Route {
        method,
        path,
        who,
        body_limit: BODY_BYTES,
        any_origin: false,
        handler,
        doc,
    }
}

const fn with_body_limit(mut route: Route, body_limit: usize) -> Route {
    route.body_limit = body_limit;
    route
}

const fn any_origin(mut route: Route) -> Route {
    route.any_origin = true;
    route
}

const fn doc(
    summary: &'static str,
    query: &'static [&'static str],
    body: Option<&'static str>,
    status: u16,
    answer: Option<&'static str>,
) -> Doc {
    Doc {
        summary,
        query,
        body,
        status,
        answer,
    }
}

const RESTORE: &[&str] = &["replace", "keep_forgotten"];
const PAGE: &[&str] = &["limit", "cursor"];
const LIST: &[&str] = &[
    "limit",
    "cursor",
    "status",
    "type",
    "tier",
    "tag",
    "source",
    "session",
    "batch",
    "after",
    "before",
    "forget_requested",
    "created_by",
    "flag",
    "ids",
];
const RECALL: &[&str] = &[
    "q",
    "limit",
    "cursor",
    "include_superseded",
    "as_of",
    "explain",
    "status",
    "type",
    "tier",
    "tag",
    "source",
    "session",
    "batch",
    "after",
    "before",
    "created_by",
    "flag",
    "ids",
];

/// Every route, one a line where it fits.
#[rustfmt::skip]
pub static ROUTES: &[Route] = &[
    // Anyone
    route("GET", "/health", Who::Anyone, Now(health::health), doc("Whether the vault answers", &[], None, 200, Some("Health"))),
    route("GET", "/connect", Who::Anyone, Edge(pages::connect), doc("How an agent connects: in Markdown, or as a page for who asks for text/html", &[], None, 200, None)),
    // Anyone: signing in (RFC 9728, RFC 8414, RFC 7591, RFC 6749, RFC 7009)
    any_origin(route("GET", "/.well-known/oauth-protected-resource", Who::Anyone, Edge(oauth_door::protected_resource), doc("What is protected, and by whom (RFC 9728)", &[], None, 200, Some("Anything")))),
    any_origin(route("GET", "/.well-known/oauth-protected-resource/mcp", Who::Anyone, Edge(oauth_door::protected_resource), doc("The same, at the address of the MCP endpoint", &[], None, 200, Some("Anything")))),
    any_origin(route("GET", "/.well-known/oauth-authorization-server", Who::Anyone, Edge(oauth_door::authorization_server), doc("The authorization server (RFC 8414)", &[], None, 200, Some("Anything")))),
    any_origin(route("GET", "/.well-known/oauth-authorization-server/mcp", Who::Anyone, Edge(oauth_door::authorization_server), doc("The same, at the address of the MCP endpoint", &[], None, 200, Some("Anything")))),
    any_origin(route("GET", "/.well-known/openid-configuration", Who::Anyone, Edge(oauth_door::no_openid), doc("There is none: 404", &[], None, 404, Some("Error")))),
    any_origin(route("GET", "/.well-known/jwks.json", Who::Anyone, Now(oauth_door::key_set), doc("The public keys that access tokens are signed with (RFC 7517)", &[], None, 200, Some("Anything")))),
    any_origin(with_body_limit(
        route("POST", "/register", Who::Anyone, Now(oauth_door::register), doc("An app introduces itself (RFC 7591)", &[], Some("Anything"), 201, Some("Anything"))),
        OAUTH_BODY_BYTES,
    )),
    any_origin(with_body_limit(
        route("POST", "/token", Who::Anyone, Now(oauth_door::token), doc("A code or a refresh token becomes an access token (RFC 6749); a form, not JSON", &[], None, 200, Some("Anything"))),
        OAUTH_BODY_BYTES,
    )),
    any_origin(with_body_limit(
        route("POST", "/revoke", Who::Anyone, Now(oauth_door::revoke), doc("An app gives a token back (RFC 7009); a form, not JSON", &[], None, 200, None)),
        OAUTH_BODY_BYTES,
    )),
    // Agents
    any_origin(with_body_limit(
        route("POST", "/mcp", Who::Agent, Later(mcp_door::mcp), doc("Model Context Protocol, stateless", &[], Some("JsonRpc"), 200, Some("JsonRpc"))),
        MCP_BODY_BYTES,
    )),
    // The owner in person: letting apps in
    route("GET", "/authorize", Who::Person, Later(authorize::ask), doc("The page on which the owner lets an app in (RFC 6749)", &[], None, 200, None)),
    with_body_limit(
        route("POST", "/authorize", Who::Person, Now(authorize::decide), doc("The owner's answer; a form, not JSON", &[], None, 303, None)),
        OAUTH_BODY_BYTES,
    ),
    // The owner: pages
    route("GET", "/", Who::Owner, Edge(dashboard::page), doc("The dashboard", &[], None, 200, None)),
    route("GET", "/ui/:file", Who::Owner, Edge(dashboard::asset), doc("A file of the dashboard", &[], None, 200, None)),
    route("GET", "/ui/:folder/:file", Who::Owner, Edge(dashboard::asset), doc("A file of the dashboard", &[], None, 200, None)),
    route("GET", "/api/openapi.json", Who::Owner, Now(openapi::openapi), doc("This document", &[], None, 200, Some("Anything"))),
    // The owner: memories
    route("GET", "/api/memories", Who::Owner, Now(memories::list), doc("Memories, newest first", LIST, None, 200, Some("MemoryPage"))),
    route("POST", "/api/memories", Who::Owner, Now(memories::remember), doc("Remember a text; 200 with the existing memory when it is known", &[], Some("Draft"), 201, Some("Remembered"))),
    route("GET", "/api/memories/:id", Who::Owner, Now(memories::get), doc("One memory", &[], None, 200, Some("Memory"))),
    route("PATCH", "/api/memories/:id", Who::Owner, Now(memories::edit), doc("Change a memory; its earlier text is kept", &[], Some("Patch"), 200, Some("Memory"))),
    route("DELETE", "/api/memories/:id", Who::Owner, Now(memories::forget), doc("Forget a memory; the same as POST …/forget", &[], None, 200, Some("Forgotten"))),
    route("GET", "/api/memories/:id/history", Who::Owner, Now(memories::history), doc("Earlier texts, newest first", &[], None, 200, Some("History"))),
    route("POST", "/api/memories/:id/approve", Who::Owner, Now(memories::approve), doc("Let a proposal in, edited if a body is given", &["supersede_similar"], Some("Patch"), 200, Some("Memory"))),
    route("POST", "/api/memories/:id/reject", Who::Owner, Now(memories::reject), doc("Turn a proposal down", &[], None, 200, Some("Memory"))),
    route("POST", "/api/memories/:id/undecide", Who::Owner, Now(review::undecide), doc("Take the last decision back; what an approval replaced holds again", &[], None, 200, Some("Memory"))),
    route("POST", "/api/review", Who::Owner, Now(review::review), doc("Decide about many, or take many decisions back; each by itself", &[], Some("Review"), 200, Some("Reviewed"))),
    route("POST", "/api/memories/:id/forget", Who::Owner, Now(memories::forget), doc("Destroy the text at once; a hash stays so that it is not imported again", &[], None, 200, Some("Forgotten"))),
    route("POST", "/api/memories/dedupe", Who::Owner, Now(memories::merge_duplicates), doc("Merge memories with the very same text into the oldest of them; call again until nothing was merged", &[], None, 200, Some("Deduped"))),
    route("POST", "/api/memories/:id/keep", Who::Owner, Now(memories::keep), doc("Keep what an agent asked to forget", &[], None, 200, Some("Memory"))),
    route("GET", "/api/recall", Who::Owner, Later(recall::recall), doc("Memories that answer a question, best first", RECALL, None, 200, Some("Recalled"))),
    with_body_limit(
        route("POST", "/api/bulk", Who::Owner, Now(imports::bulk), doc("Import items, a text, or a file as it is (text, CSV, JSON lines, or another program's JSON)", imports::BULK_PARAMETERS, Some("Bulk"), 200, Some("BulkReport"))),
        BULK_BODY_BYTES,
    ),
    route("GET", "/api/batches", Who::Owner, Now(imports::batches), doc("Imports, newest first", PAGE, None, 200, Some("BatchPage"))),
    route("GET", "/api/batches/:id", Who::Owner, Now(imports::batch), doc("One import, and what became of its items", &["limit", "cursor", "outcome"], None, 200, Some("BatchReport"))),
    route("POST", "/api/batches/:id/approve", Who::Owner, Now(imports::approve_batch), doc("Let a queued import in", &[], None, 200, Some("ApprovedBatch"))),
    route("POST", "/api/batches/:id/reject", Who::Owner, Now(imports::reject_batch), doc("Turn a queued import down", &[], None, 200, Some("RejectedBatch"))),
    route("POST", "/api/batches/:id/undo", Who::Owner, Now(imports::undo_batch), doc("Take an import back: what it stored goes, what it replaced holds again, what was edited since stays", &[], None, 200, Some("UndoneBatch"))),
    // The owner: guide, settings, records
    route("GET", "/api/guide", Who::Owner, Now(guide::get), doc("The Operating Guide", &[], None, 200, Some("Guide"))),
    route("PUT", "/api/guide", Who::Owner, Now(guide::put), doc("Write a new version of the guide", &[], Some("GuideText"), 200, Some("Guide"))),
    route("GET", "/api/guide/versions", Who::Owner, Now(guide::versions), doc("Versions of the guide, newest first", PAGE, None, 200, Some("GuidePage"))),
    route("GET", "/api/guide/versions/:version", Who::Owner, Now(guide::version), doc("One version of the guide", &[], None, 200, Some("Guide"))),
    route("GET", "/api/guide/diff", Who::Owner, Now(guide::diff), doc("What changed between two versions of the guide, line by line", &["from", "to"], None, 200, Some("GuideDiff"))),
    route("POST", "/api/guide/restore", Who::Owner, Now(guide::restore), doc("Make an earlier version's text the newest version", &[], Some("GuideRestore"), 200, Some("Guide"))),
    route("GET", "/api/settings", Who::Owner, Now(owner::settings), doc("Settings", &[], None, 200, Some("Settings"))),
    route("PUT", "/api/settings", Who::Owner, Now(owner::put_settings), doc("Change some settings", &[], Some("SettingsPatch"), 200, Some("Settings"))),
    route("GET", "/api/exclusions", Who::Owner, Now(owner::exclusions), doc("Hashes of texts that must not come back", PAGE, None, 200, Some("ExclusionPage"))),
    route("DELETE", "/api/exclusions/:hash", Who::Owner, Now(owner::lift_exclusion), doc("Let a text be stored again", &[], None, 204, None)),
    route("GET", "/api/audit", Who::Owner, Now(owner::audit), doc("Who did what, newest first", &["limit", "cursor", "actor", "action", "subject", "after", "before"], None, 200, Some("AuditPage"))),
    route("GET", "/api/retention", Who::Owner, Now(retention::preview), doc("What the next clean-up would remove, without removing it", &[], None, 200, Some("RetentionPreview"))),
    route("POST", "/api/retention/run", Who::Owner, Now(retention::run), doc("Clean up now", &[], None, 200, Some("RetentionRan"))),
    route("POST", "/api/erase", Who::Person, Now(retention::erase), doc("Erase the whole vault after some days of grace", &[], Some("Erase"), 202, Some("Erasure"))),
    route("DELETE", "/api/erase", Who::Person, Now(retention::keep), doc("Do not erase the vault after all", &[], None, 204, None)),
    route("GET", "/api/me", Who::Owner, Now(me::me), doc("Who is signed in, and where they sign out", &[], None, 200, Some("Me"))),
    route("GET", "/api/oauth/grants", Who::Person, Now(apps::grants), doc("Connected apps, last used first", &[], None, 200, Some("ConnectedApps"))),
    route("GET", "/api/oauth/grants/:id", Who::Person, Now(apps::grant), doc("One connected app", &[], None, 200, Some("ConnectedApp"))),
    route("DELETE", "/api/oauth/grants/:id", Who::Person, Now(apps::revoke_grant), doc("Disconnect an app; its next call is refused", &[], None, 204, None)),
    route("GET", "/api/oauth/clients", Who::Person, Now(apps::clients), doc("Known clients, last used first", &[], None, 200, Some("Clients"))),
    route("GET", "/api/oauth/clients/:id", Who::Person, Now(apps::client), doc("One client", &[], None, 200, Some("Client"))),
    route("DELETE", "/api/oauth/clients/:id", Who::Person, Now(apps::remove_client), doc("Remove a client and end every grant it holds", &[], None, 204, None)),
    route("GET", "/api/backup", Who::Owner, Stream(backup::backup), doc("Everything, as JSON lines: one file that a restore takes", &["embeddings"], None, 200, None)),
    route("GET", "/api/export", Who::Owner, Stream(backup::export), doc("Memories to read or to process; not a backup", &["format", "status"], None, 200, None)),
    route("GET", "/api/map", Who::Owner, Now(owner::map), doc("Memories in force as points on a sheet, what means the same close together", &[], None, 200, Some("Map"))),
    with_body_limit(
        route("POST", "/api/restore", Who::Owner, Upload(restore::open), doc("Open a restore; a small backup may come whole in the body and is then committed at once", RESTORE, None, 201, Some("Restore"))),
        RESTORE_PART_BYTES,
    ),
    route("GET", "/api/restore", Who::Owner, Now(restore::current), doc("The restore that is open, or null", &[], None, 200, Some("OpenRestore"))),
    route("GET", "/api/restore/:id", Who::Owner, Now(restore::get), doc("What the uploaded backup holds, and what a commit would do", &[], None, 200, Some("Restore"))),
    route("DELETE", "/api/restore/:id", Who::Owner, Now(restore::remove), doc("Give a restore up", &[], None, 204, None)),
    with_body_limit(
        route("PUT", "/api/restore/:id/parts/:n", Who::Owner, Upload(restore::put_part), doc("A part of the backup, numbered from 1; sent again, it counts anew", &[], None, 200, Some("Restore"))),
        RESTORE_PART_BYTES,
    ),
    route("POST", "/api/restore/:id/commit", Who::Owner, Now(restore::commit), doc("Put the backup in the vault's place; 202 while it goes on by itself", RESTORE, None, 200, Some("Restore"))),
    route("POST", "/api/reindex", Who::Owner, Now(owner::reindex), doc("Make what recall searches anew, in the background", &["reembed"], None, 202, Some("Anything"))),
    route("GET", "/api/status/connection", Who::Person, Later(apps::check_connection), doc("Whether apps outside can reach this vault, tried through its public address", &[], None, 200, Some("Connection"))),
    route("GET", "/api/status", Who::Owner, Now(owner::status), doc("How the vault is", &[], None, 200, Some("Status"))),
    route("GET", "/api/capabilities", Who::Owner, Now(owner::capabilities), doc("Limits in force", &[], None, 200, Some("Capabilities"))),
];

/// What a path leads to.
pub enum Found {
    /// A route and the values of its `:names`.
    Route(&'static Route, Vec<(&'static str, String)>),
    /// The path exists with these methods, for these callers.
    WrongMethod(String, Who),
    /// No such path.
    Nothing,
}

/// Looks a request up. HEAD is GET; one slash at the end does not matter.
pub fn find(method: &str, path: &str) -> Found {
    let method = if method == "HEAD" { "GET" } else { method };
    let path = without_last_slash(path);
    let mut allowed: Vec<&str> = Vec::new();
    let mut who = Who::Anyone;
    for route in ROUTES {
        if let Some(parameters) = matches(route.path, path) {
            if route.method == method {
                return Found::Route(route, parameters);
            }
            allowed.push(route.method);
            who = route.who;
        }
    }
    if allowed.is_empty() {
        Found::Nothing
    } else {
        Found::WrongMethod(allowed.join(", "), who)
    }
}

/// A path without the one slash that may stand at its end.
pub fn without_last_slash(path: &str) -> &str {
    path.strip_suffix('/')
        .filter(|path| !path.is_empty())
        .unwrap_or(path)
}

fn matches(pattern: &'static str, path: &str) -> Option<Vec<(&'static str, String)>> {
    let mut parameters = Vec::new();
    let (mut wanted, mut given) = (pattern.split('/'), path.split('/'));
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return Some(parameters),
            (Some(wanted), Some(given)) => match wanted.strip_prefix(':') {
                Some(name) if !given.is_empty() => parameters.push((name, decode(given))),
                _ if wanted == given => {}
                _ => return None,
            },
            _ => return None,
        }
    }
}

/// Percent-decoding of one segment; what is not valid UTF-8 is replaced, and then matches no id.
fn decode(segment: &str) -> String {
    let bytes = segment.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut place = 0;
    while let Some(byte) = bytes.get(place) {
        let hex = segment.get(place + 1..place + 3).filter(|_| *byte == b'%');
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(value) => {
                decoded.push(value);
                place += 3;
            }
            None => {
                decoded.push(*byte);
                place += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests;
