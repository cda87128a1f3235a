//! What the route table promises.

use super::*;

fn path_of(method: &str, path: &str) -> Option<(&'static str, Vec<(&'static str, String)>)> {
    match find(method, path) {
        Found::Route(route, parameters) => Some((route.path, parameters)),
        _ => None,
    }
}

#[test]
fn a_named_segment_takes_one_decoded_segment() {
    assert_eq!(
        path_of("GET", "/api/memories/mem%5F1"),
        Some(("/api/memories/:id", vec![("id", "mem_1".into())]))
    );
    assert_eq!(path_of("GET", "/api/memories/a/b"), None);
    assert_eq!(
        path_of("GET", "/api/memories/"),
        Some(("/api/memories", vec![]))
    );
    assert_eq!(
        path_of("GET", "/api/memories/%F0%zz").unwrap().1[0].1,
        "\u{fffd}%zz"
    );
}

#[test]
fn a_known_path_with_another_method_says_which_exist() {
    assert!(matches!(find("DELETE", "/mcp"), Found::WrongMethod(allowed, _) if allowed == "POST"));
    assert!(
        matches!(find("POST", "/api/guide"), Found::WrongMethod(allowed, _) if allowed == "GET, PUT")
    );
    assert!(matches!(find("GET", "/api/nothing"), Found::Nothing));
    assert!(matches!(find("GET", "//api/memories"), Found::Nothing));
}

#[test]
fn head_is_answered_like_get() {
    assert_eq!(path_of("HEAD", "/health"), Some(("/health", vec![])));
}

#[test]
fn only_the_listed_routes_are_open_to_anyone() {
    let open: Vec<&str> = ROUTES
        .iter()
        .filter(|route| route.who == Who::Anyone)
        .map(|route| route.path)
        .collect();
    assert_eq!(
        open,
        [
            "/health",
            "/connect",
            "/.well-known/oauth-protected-resource",
            "/.well-known/oauth-protected-resource/mcp",
            "/.well-known/oauth-authorization-server",
            "/.well-known/oauth-authorization-server/mcp",
            "/.well-known/openid-configuration",
            "/.well-known/jwks.json",
            "/register",
            "/token",
            "/revoke",
        ]
    );
}

#[test]
fn other_sites_pages_may_call_only_what_takes_no_cookie() {
    for route in ROUTES.iter().filter(|route| route.any_origin) {
        assert!(
            matches!(route.who, Who::Anyone | Who::Agent),
            "{}",
            route.path
        );
    }
}

#[test]
fn every_route_is_written_once() {
    let mut rows: Vec<(&str, &str)> = ROUTES
        .iter()
        .map(|route| (route.path, route.method))
        .collect();
    rows.sort_unstable();
    rows.dedup();
    assert_eq!(rows.len(), ROUTES.len());
}
