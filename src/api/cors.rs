//! Cross-origin answers (the Fetch standard's CORS protocol) for routes that take no ambient credential: a page of any
//! site may call them, since it has to bring a token of its own. Cookies never count there, so no credentials flag.

use crate::api::response::{self, Response};
use crate::api::routes::{self, ROUTES, Route};

/// Headers of every answer of such a route, errors included.
pub const HEADERS: [(&str, &str); 3] = [
    ("Access-Control-Allow-Origin", "*"),
    (
        "Access-Control-Expose-Headers",
        "WWW-Authenticate, Mcp-Session-Id, Retry-After, X-Request-Id",
    ),
    ("Cross-Origin-Resource-Policy", "cross-origin"),
];

/// Request headers that clients send.
const ALLOWED: &str = "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID";
/// How long a browser may keep the answer, in seconds; two hours is Chromium's own bound.
const MAX_AGE_SECONDS: u32 = 7_200;

/// Whether any site's pages may call the path.
pub fn is_open(path: &str) -> bool {
    open_routes(path).next().is_some()
}

/// The routes at a path that other sites' pages may call. As everywhere, one slash at the end does not matter.
fn open_routes(path: &str) -> impl Iterator<Item = &'static Route> {
    let path = routes::without_last_slash(path).to_owned();
    ROUTES
        .iter()
        .filter(move |route| route.any_origin && route.path == path)
}

/// The answer to a preflight request; `None` for a path that other sites' pages may not call.
pub fn preflight(path: &str) -> Option<Response> {
    let methods: Vec<&str> = open_routes(path).map(|route| route.method).collect();
    if methods.is_empty() {
        return None;
    }
    let mut response = response::empty(204);
    response.headers.extend([
        ("Access-Control-Allow-Methods", methods.join(", ")),
        ("Access-Control-Allow-Headers", ALLOWED.to_owned()),
        ("Access-Control-Max-Age", MAX_AGE_SECONDS.to_string()),
    ]);
    Some(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_owners_doors_stay_closed_to_other_sites() {
        for path in [
            "/",
            "/api/memories",
            "/authorize",
            "/api/oauth/grants",
            "/connect",
            "/nothing",
        ] {
            assert!(preflight(path).is_none() && !is_open(path), "{path}");
        }
        for path in [
            "/mcp",
            "/token",
            "/register",
            "/revoke",
            "/.well-known/oauth-protected-resource/mcp",
        ] {
            assert!(preflight(path).is_some() && is_open(path), "{path}");
        }
    }
}
