//! The pages around `/authorize`: the one on which the owner decides what an app may do, and the short ones that say why
//! there is nothing to decide. Only drawing: what is asked, by whom, and whether it may be, is decided elsewhere and
//! arrives here as plain values.
//!
//! Whatever an app says of itself is foreign text. It is escaped, kept from turning the text around it (`<bdi>`), cut
//! where it would push the decision off the screen, and characters nobody can see are shown by their code. The pages
//! run no script, load nothing and have one style sheet, which [`content_security_policy`] names by its hash. They keep
//! the request's secrets out of the page: the form carries a handle and a token, never redirect address, state or scopes
//! that were not on offer.
//!
//! Enter pressed in a tick box never approves: browsers then press a form's first submit button ("implicit submission" in
//! the HTML standard), and that is Deny. A disabled button before it would not help, as Chromium steps over those.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use crate::text::scripts::is_invisible;

const STYLE: &str = include_str!("doors/door.css");
const PAGE: &str = include_str!("doors/page.html");
const CONSENT: &str = include_str!("doors/consent.html");
const MESSAGE: &str = include_str!("doors/message.html");

/// Characters of a name that are shown; real names of apps stay under 40.
const NAME_CHARS: usize = 120;
/// A name longer than this is set in smaller letters.
const NAME_LARGE_CHARS: usize = 48;
/// Characters of a client id that are shown, its middle left out. The addresses of the clients in use have 30 to 60.
const ID_CHARS: usize = 96;
/// Characters of a redirect address that are shown, its middle left out. Those in use have 30 to 90.
const ADDRESS_CHARS: usize = 240;
/// A host longer than this is set in smaller letters. It is never cut: who owns a host stands at its end.
const HOST_LARGE_CHARS: usize = 30;

/// One thing the app may be allowed to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeBox {
    /// The scope as the form sends it, like `memory.read`.
    pub scope: &'static str,
    /// What it allows, in a few words: "Read your memories".
    pub title: String,
    /// What the tools behind it really do, in a sentence or two.
    pub explanation: String,
    /// Whether the box is ticked when the page opens.
    pub ticked: bool,
    /// Whether the app asked for it; if not, the page says so.
    pub asked: bool,
}

/// What the owner is asked. Every text may come from the app and may hold anything.
#[derive(Debug, Clone, Copy)]
pub struct ConsentView<'a> {
    /// The name the app gives itself.
    pub client_name: &'a str,
    /// Its client id: an address, or what registration made.
    pub client_id: &'a str,
    /// The host that serves the client's metadata document; none if the app registered itself, "not verified".
    pub verified_host: Option<&'a str>,
    /// Where the browser goes with the code, in full.
    pub redirect_uri: &'a str,
    /// Its host, which is the largest thing on the page.
    pub redirect_host: &'a str,
    /// Whether that host is the person's own computer; the page then warns that any program there could be listening.
    pub loopback: bool,
    /// The scheme, without its colon, of a redirect address that opens an app on the device (`cursor`). The page then
    /// shows the scheme in large letters in place of the host, which is not a place on the internet there.
    pub opens_app: Option<&'a str>,
    /// The address the owner is signed in with.
    pub signed_in_as: &'a str,
    /// What may be ticked, in this order.
    pub scopes: &'a [ScopeBox],
    /// The handle of the waiting request; sent back as `request`.
    pub request: &'a str,
    /// The one-use token of this page; sent back as `token`.
    pub token: &'a str,
    /// How long the request still waits; below one minute is shown as one.
    pub minutes: i64,
    /// What was wrong with the last try, shown above the form.
    pub problem: Option<&'a str>,
}

/// The page that asks. Its form posts to `/authorize`: `request`, `token`, `scope` once for each ticked box, and
/// `decision`, which is `approve` or `deny`. Deny can be pressed with nothing ticked.
pub fn consent_page(view: &ConsentView<'_>) -> String {
    let (id, id_title) = shortened(view.client_id, ID_CHARS);
    let (address, address_title) = shortened(view.redirect_uri, ADDRESS_CHARS);
    let minutes = match view.minutes.max(1) {
        1 => "1 minute".to_owned(),
        more => format!("{more} minutes"),
    };
    let body = fill(
        CONSENT,
        &[
            ("name", &name(view.client_name)),
            (
                "name_size",
                size(view.client_name.trim(), NAME_LARGE_CHARS, " class=\"long\""),
            ),
            ("signed_in_as", &seen(view.signed_in_as)),
            ("problem", &problem(view.problem)),
            ("described", described(view.problem)),
            ("request", &escape(view.request)),
            ("token", &escape(view.token)),
            ("destination", &destination(view)),
            ("address", &address),
            ("address_title", &address_title),
            ("advice", &advice(view)),
            ("standing", &standing(view)),
            ("id", &id),
            ("id_title", &id_title),
            ("scopes", &scopes(view.scopes)),
            ("minutes", &minutes),
        ],
    );
    page("Approve an app", &body)
}

/// A page that only says something: a refusal, "already answered", a sign-in that is missing. Links to other places than
/// `/…`, `https://…` and `http://…` are shown as their text alone.
pub fn message_page(title: &str, paragraphs: &[&str], links: &[(&str, &str)]) -> String {
    let paragraphs: Vec<String> = paragraphs
        .iter()
        .map(|paragraph| format!("<p class=\"said\" dir=\"auto\">{}</p>", seen(paragraph)))
        .collect();
    let links: String = links.iter().map(|(href, text)| link(href, text)).collect();
    let links = match links.is_empty() {
        true => links,
        false => format!("<p class=\"links\">{links}</p>"),
    };
    let body = fill(
        MESSAGE,
        &[
            ("title", &seen(title)),
            ("paragraphs", &paragraphs.join("\n")),
            ("links", &links),
        ],
    );
    page(title, &body)
}

/// The value of `Content-Security-Policy` for both pages: nothing but their own style. `form-action` is left out on
/// purpose, as browsers apply it to the redirect that takes the answer to the app.
pub fn content_security_policy() -> String {
    let hash = STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{hash}'; frame-ancestors 'none'; base-uri 'none'"
    )
}

fn page(title: &str, body: &str) -> String {
    let title = without_invisible(title);
    fill(
        PAGE,
        &[("title", &escape(&title)), ("style", STYLE), ("body", body)],
    )
}

fn name(given: &str) -> String {
    let given = given.trim();
    if given.is_empty() {
        return "An app without a name".to_owned();
    }
    let start: String = given.chars().take(NAME_CHARS).collect();
    let (cut, title) = match start.len() < given.len() {
        true => ("…", title(given)),
        false => ("", String::new()),
    };
    format!("“<bdi dir=\"auto\"{title}>{}{cut}</bdi>”", seen(&start))
}

fn destination(view: &ConsentView<'_>) -> String {
    let host = seen(view.redirect_host);
    if let Some(scheme) = view.opens_app {
        let class = size(scheme, HOST_LARGE_CHARS, " long");
        return format!(
            "<p class=\"host{class}\"><bdi dir=\"ltr\">{}:</bdi> <small>an app on this device</small></p>",
            seen(scheme)
        );
    }
    let class = size(view.redirect_host, HOST_LARGE_CHARS, " long");
    match view.loopback {
        true => {
            format!("<p class=\"host{class}\">this computer, <bdi dir=\"ltr\">{host}</bdi></p>")
        }
        false => format!("<p class=\"host{class}\"><bdi dir=\"ltr\">{host}</bdi></p>"),
    }
}

/// What to look at before approving. Where neither name nor address proves anything, it says that instead.
fn advice(view: &ConsentView<'_>) -> String {
    if let Some(scheme) = view.opens_app {
        return format!(
            "<p class=\"notice\"><b>An app on this device gets the key.</b> Addresses with <bdi dir=\"ltr\">{}:</bdi> in front \
             open whichever app has claimed them, and any app can. Approve only if you started this yourself a moment ago.</p>",
            seen(scheme)
        );
    }
    match view.loopback {
        true => "<p class=\"notice\"><b>A program on this computer gets the key.</b> Any program here can use this address \
                 and this name. Approve only if you have just started to sign in from the app, on this computer.</p>",
        false => "<p class=\"help\">Apps choose their own name, so trust the address, not the name. Approve only if you \
                  started this yourself a moment ago.</p>",
    }
    .to_owned()
}

fn problem(problem: Option<&str>) -> String {
    problem.map_or_else(String::new, |problem| {
        format!(
            "<p class=\"notice\" id=\"problem\" role=\"alert\">{}</p>",
            seen(problem)
        )
    })
}

fn described(problem: Option<&str>) -> &'static str {
    match problem {
        Some(_) => " aria-describedby=\"problem\"",
        None => "",
    }
}

/// Who vouches for the name. Even a verified name proves little where any program of the device may receive the key.
fn standing(view: &ConsentView<'_>) -> String {
    let Some(host) = view.verified_host else {
        return "<span class=\"chip\">not verified</span> <span>It registered itself; nobody vouches for the name.</span>"
            .to_owned();
    };
    let meaning = match view.loopback || view.opens_app.is_some() {
        true => "This host published the name, but any program on this device can use it.",
        false => "This host vouches for the name.",
    };
    format!(
        "<span class=\"chip ok\">verified: <bdi dir=\"ltr\">{}</bdi></span> <span>{meaning}</span>",
        seen(host)
    )
}

fn scopes(boxes: &[ScopeBox]) -> String {
    let rows: Vec<String> = boxes
        .iter()
        .enumerate()
        .map(|(row, offered)| {
            let ticked = if offered.ticked { " checked" } else { "" };
            let unasked = if offered.asked { "" } else { " It did not ask for this." };
            format!(
                "<label class=\"scope\"><input type=\"checkbox\" name=\"scope\" value=\"{scope}\"{ticked} aria-labelledby=\"may{row}\" \
                 aria-describedby=\"means{row}\"><b id=\"may{row}\">{title}</b><span class=\"mono\">{scope}</span>\
                 <span class=\"more\" id=\"means{row}\">{explanation}{unasked}</span></label>",
                scope = escape(offered.scope),
                title = seen(&offered.title),
                explanation = seen(&offered.explanation),
            )
        })
        .collect();
    rows.join("\n")
}

fn link(href: &str, text: &str) -> String {
    let inside = href.starts_with('/') && !href.starts_with("//");
    let outside = href.starts_with("https://") || href.starts_with("http://");
    match inside || outside {
        true => format!("<a href=\"{}\">{}</a>", escape(href), seen(text)),
        false => format!("<span>{}</span>", seen(text)),
    }
}

/// `class` for a text above `limit` characters, else nothing.
fn size(text: &str, limit: usize, class: &'static str) -> &'static str {
    match text.chars().nth(limit) {
        Some(_) => class,
        None => "",
    }
}

/// A text with its middle left out if it is longer than `limit` characters, and then the attribute that holds all of it.
/// Two thirds are kept of the start, one of the end: a path's end tells apart what its start does not.
fn shortened(text: &str, limit: usize) -> (String, String) {
    let length = text.chars().count();
    if length <= limit {
        return (seen(text), String::new());
    }
    let tail = limit / 3;
    let head: String = text.chars().take(limit - tail).collect();
    let end: String = text.chars().skip(length - tail).collect();
    (format!("{} … {}", seen(&head), seen(&end)), title(text))
}

fn title(text: &str) -> String {
    format!(" title=\"{}\"", escape(&without_invisible(text)))
}

/// Text as element content: escaped, and what cannot be seen shown by its code.
fn seen(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\t' | '\n' | '\r' => out.push(' '),
            _ if unseen(character) => out.push_str(&format!(
                "<span class=\"odd\">U+{:04X}</span>",
                u32::from(character)
            )),
            _ => push_escaped(&mut out, character),
        }
    }
    out
}

/// Where no markup can stand, what cannot be seen becomes the replacement character.
fn without_invisible(text: &str) -> String {
    text.chars()
        .map(|character| match unseen(character) {
            true => char::REPLACEMENT_CHARACTER,
            false => character,
        })
        .collect()
}

fn unseen(character: char) -> bool {
    is_invisible(character)
        || character.is_control()
        || matches!(character, '\u{2028}' | '\u{2029}')
}

pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        push_escaped(&mut out, character);
    }
    out
}

fn push_escaped(out: &mut String, character: char) {
    match character {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        '\'' => out.push_str("&#39;"),
        _ => out.push(character),
    }
}

/// Puts values where `{{key}}` stands. The template is read once, from start to end, so a value that looks like a place
/// stays text. A key without a value leaves nothing.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len() * 2);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((key, after)) = after.split_once("}}") else {
            break;
        };
        out.push_str(before);
        let value = values.iter().find(|(name, _)| *name == key);
        out.push_str(value.map_or("", |(_, value)| value));
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
#[path = "doors/tests/mod.rs"]
mod tests;
