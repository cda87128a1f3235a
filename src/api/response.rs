//! Answers: JSON, text, pages, and the one form of an error.

use serde::Serialize;
use serde_json::json;

use crate::api::cors;
use crate::error::{Error, Kind};

/// An HTTP answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    /// Status code.
    pub status: u16,
    /// Headers beside the security headers, which the edge adds to every answer.
    pub headers: Vec<(&'static str, String)>,
    /// The body; may be empty.
    pub body: Vec<u8>,
    /// What went wrong inside, for the log.
    pub failure: Option<Error>,
}

/// Headers of every answer: nothing is sniffed, framed, cached or sent on, unless the route says otherwise.
pub const SECURITY_HEADERS: [(&str, &str); 6] = [
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    (
        "Content-Security-Policy",
        "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    ),
    ("Cache-Control", "no-store"),
];

/// Adds what every answer carries to its headers: which pages may read it, the security headers that the route did not set
/// itself, and the request's id.
pub fn complete(headers: &mut Vec<(&'static str, String)>, path: &str, request_id: &str) {
    let open = cors::is_open(path).then_some(cors::HEADERS);
    let missing = |headers: &[(&str, String)], name: &str| {
        headers
            .iter()
            .all(|(given, _)| !given.eq_ignore_ascii_case(name))
    };
    for (name, value) in open.into_iter().flatten() {
        headers.retain(|(given, _)| !given.eq_ignore_ascii_case(name));
        headers.push((name, value.to_owned()));
    }
    for (name, value) in SECURITY_HEADERS {
        if missing(headers, name) {
            headers.push((name, value.to_owned()));
        }
    }
    headers.push(("X-Request-Id", request_id.to_owned()));
}

/// A JSON answer.
pub fn json<T: Serialize>(status: u16, value: &T) -> Response {
    match serde_json::to_vec(value) {
        Ok(body) => Response {
            status,
            headers: vec![("Content-Type", "application/json".into())],
            body,
            failure: None,
        },
        Err(error) => from_error(Error::internal(format!(
            "an answer does not serialise: {error}"
        ))),
    }
}

/// A text answer of the given media type.
pub fn text(status: u16, media_type: &str, body: impl Into<String>) -> Response {
    let headers = vec![("Content-Type", format!("{media_type}; charset=utf-8"))];
    Response {
        status,
        headers,
        body: body.into().into_bytes(),
        failure: None,
    }
}

/// An answer without a body.
pub fn empty(status: u16) -> Response {
    Response {
        status,
        headers: Vec::new(),
        body: Vec::new(),
        failure: None,
    }
}

/// The one form of an error: `{"error": {"code", "message", "field"?}}`.
pub fn from_error(error: Error) -> Response {
    let row = error.kind.row();
    let mut body = json!({ "code": row.code, "message": error.message });
    if let (Some(field), Some(body)) = (error.field, body.as_object_mut()) {
        body.insert("field".into(), field.into());
    }
    json(row.status, &json!({ "error": body }))
}

/// 405 with the methods that exist.
pub fn method_not_allowed(allowed: &str) -> Response {
    let mut response = from_error(Error::new(
        Kind::MethodNotAllowed,
        format!("use {allowed} here"),
    ));
    response.headers.push(("Allow", allowed.to_owned()));
    response
}

/// 413, naming the limit.
pub fn body_too_large(limit: usize) -> Error {
    Error::new(
        Kind::TooLarge,
        format!("the request body is larger than the {limit} bytes this route takes"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_has_code_message_and_field() {
        let response = from_error(Error::invalid("content", "must not be blank"));
        assert_eq!(response.status, 400);
        let body = String::from_utf8(response.body).unwrap();
        assert_eq!(
            body,
            r#"{"error":{"code":"invalid_argument","field":"content","message":"must not be blank"}}"#
        );
    }

    #[test]
    fn every_answer_is_completed_and_keeps_what_its_route_says() {
        let mut headers = vec![("cache-control", "max-age=60".to_owned())];
        complete(&mut headers, "/api/memories", "req_1");
        let value = |wanted: &str| {
            let all = headers
                .iter()
                .filter(|(name, _)| name.eq_ignore_ascii_case(wanted));
            all.map(|(_, value)| value.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(value("Cache-Control"), ["max-age=60"]);
        assert_eq!(value("X-Content-Type-Options"), ["nosniff"]);
        assert_eq!(value("Cross-Origin-Resource-Policy"), ["same-origin"]);
        assert_eq!(value("Access-Control-Allow-Origin"), [""; 0]);
        assert_eq!(value("X-Request-Id"), ["req_1"]);
    }

    #[test]
    fn what_pages_of_any_site_may_call_they_may_read() {
        let mut headers = Vec::new();
        complete(&mut headers, "/mcp", "req_1");
        assert!(headers.contains(&("Access-Control-Allow-Origin", "*".to_owned())));
        let policies = headers
            .iter()
            .filter(|(name, _)| *name == "Cross-Origin-Resource-Policy");
        assert_eq!(
            policies
                .map(|(_, value)| value.as_str())
                .collect::<Vec<_>>(),
            ["cross-origin"]
        );
    }
}
