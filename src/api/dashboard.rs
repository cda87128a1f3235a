//! The dashboard: the files under `ui/`, compiled in, so that page and API never disagree. They hold nothing of the vault,
//! yet are served to the signed-in owner only.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

use crate::api::response::{self, Response};
use crate::api::routes::EdgeCall;
use crate::error::Error;

/// What the pages may do: run our own scripts and talk to our own API, nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
    font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_bytes!(concat!("../../ui/", $name)).as_slice())),+]
    };
}

/// Every file but the page itself, by its path under `/ui/`.
static FILES: &[(&str, &[u8])] = files![
    "css/base.css",
    "css/parts.css",
    "css/tokens.css",
    "css/views.css",
    "lib/api.js",
    "lib/decisions.js",
    "lib/dialogs.js",
    "lib/diff.js",
    "lib/ground.js",
    "lib/health.js",
    "lib/held.js",
    "lib/keys.js",
    "lib/markdown.js",
    "lib/notices.js",
    "lib/parts.js",
    "lib/save-backup.js",
    "lib/shell.js",
    "lib/state.js",
    "lib/time.js",
    "lib/titles.js",
    "lib/words.js",
    "main.js",
    "mark.svg",
    "texts.js",
    "theme.js",
    "vendor/lit-html.LICENSE",
    "vendor/lit-html.js",
    "views/apps.js",
    "views/ask.js",
    "views/audit.js",
    "views/backup.js",
    "views/connect.js",
    "views/conversations.js",
    "views/erase.js",
    "views/guide.js",
    "views/history.js",
    "views/home.js",
    "views/import-batch.js",
    "views/import-reading.js",
    "views/imports.js",
    "views/kept-out.js",
    "views/map-sheet.js",
    "views/map.js",
    "views/memories.js",
    "views/memory-detail.js",
    "views/memory-form.js",
    "views/restore.js",
    "views/review-case.js",
    "views/review.js",
    "views/settings.js",
    "views/shelf.js",
    "views/status.js",
];

static PAGE: &[u8] = include_bytes!("../../ui/index.html");

/// `GET /`
pub fn page(call: &EdgeCall<'_>) -> Response {
    file("index.html", PAGE, call)
}

/// `GET /ui/…`
pub fn asset(call: &EdgeCall<'_>) -> Response {
    let name = call.path.strip_prefix("/ui/").unwrap_or_default();
    match FILES.iter().find(|(known, _)| *known == name) {
        Some((name, content)) => file(name, content, call),
        None => response::from_error(Error::not_found("such file")),
    }
}

/// A file with its tag, so that a browser asks again and gets 304 until a new version changes it.
fn file(name: &str, content: &[u8], call: &EdgeCall<'_>) -> Response {
    let digest = Sha256::digest(content);
    let tag = URL_SAFE_NO_PAD.encode(digest.get(..12).unwrap_or_default());
    let tag = format!("\"{tag}\"");
    let unchanged = call.if_none_match.as_deref().is_some_and(|given| {
        given
            .split(',')
            .any(|one| one.trim().trim_start_matches("W/") == tag)
    });
    let mut response = response::empty(if unchanged { 304 } else { 200 });
    response.headers.extend([
        ("Content-Type", media_type(name).to_owned()),
        ("Content-Security-Policy", POLICY.to_owned()),
        ("Cache-Control", "private, no-cache".to_owned()),
        ("ETag", tag),
        ("Vary", "Accept-Encoding".to_owned()),
    ]);
    if !unchanged {
        response.body = content.to_vec();
        if call.accepts_gzip {
            // The runtime compresses what says that it is.
            response
                .headers
                .push(("Content-Encoding", "gzip".to_owned()));
        }
    }
    response
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn call(path: &str) -> EdgeCall<'_> {
        EdgeCall {
            origin: "http://localhost",
            path,
            accepts_gzip: false,
            if_none_match: None,
            accept: None,
        }
    }

    fn files(folder: &Path, under: &str, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("{under}{}", path.file_name().unwrap().to_str().unwrap());
            if path.is_dir() {
                files(&path, &format!("{name}/"), found);
            } else if !name.ends_with(".jpg") {
                found.push(name);
            }
        }
    }

    #[test]
    fn every_file_of_the_dashboard_is_compiled_in() {
        let mut there = Vec::new();
        files(
            Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/ui")),
            "",
            &mut there,
        );
        there.retain(|name| name != "index.html");
        there.sort();
        let listed: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        assert_eq!(listed, there);
    }

    #[test]
    fn what_the_page_and_its_modules_load_is_there() {
        let texts = FILES
            .iter()
            .copied()
            .chain([("index.html", PAGE)])
            .filter(|(name, _)| !name.contains("LICENSE"));
        for (name, content) in texts {
            let text = std::str::from_utf8(content).unwrap();
            for part in text.split("\"/ui/").skip(1) {
                let path = format!("/ui/{}", part.split('"').next().unwrap());
                assert_eq!(asset(&call(&path)).status, 200, "{name} loads {path}");
            }
        }
    }

    #[test]
    fn a_file_that_is_known_is_not_sent_again() {
        let first = page(&call("/"));
        let tag = first
            .headers
            .iter()
            .find(|(name, _)| *name == "ETag")
            .unwrap()
            .1
            .clone();
        let again = page(&EdgeCall {
            if_none_match: Some(format!("\"x\", W/{tag}")),
            ..call("/")
        });
        assert_eq!(
            (first.status, again.status, again.body.len()),
            (200, 304, 0)
        );
    }

    #[test]
    fn nothing_beside_the_files_is_served() {
        for path in ["/ui/", "/ui/nothing.js", "/ui/../Cargo.toml", "/ui/css"] {
            assert_eq!(asset(&call(path)).status, 404, "{path}");
        }
    }
}
