//! Which protocol a request speaks. Chosen per request: by the body first and the header second, so that a proxy that
//! strips a header makes a request fail instead of moving it to the other era.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::mcp::budget;
use crate::mcp::jsonrpc::{Fault, Request, code};

/// The modern revision.
pub(crate) const MODERN_VERSION: &str = "2026-07-28";
/// The legacy revisions, oldest first.
pub(crate) const LEGACY_VERSIONS: [&str; 3] = ["2025-03-26", "2025-06-18", "2025-11-25"];
/// Offered to a client that asks for a version we do not know.
pub(crate) const NEWEST_LEGACY: &str = "2025-11-25";
/// The one revision with batches.
pub(crate) const BATCHING_VERSION: &str = "2025-03-26";

const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// The two protocols.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Era {
    Legacy,
    Modern,
}

impl Era {
    /// HTTP status of an error of a method. A modern client learns of an unknown method by 404; all else is 200.
    pub(crate) fn status_of(self, fault: &Fault) -> u16 {
        if fault.missing_scope.is_some() {
            403
        } else if self == Era::Modern && fault.code == code::METHOD_NOT_FOUND {
            404
        } else {
            200
        }
    }
}

/// The headers that matter to the choice.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Headers<'a> {
    pub(crate) protocol_version: Option<&'a str>,
    pub(crate) method: Option<&'a str>,
    pub(crate) name: Option<&'a str>,
}

/// A request that is refused before its method is looked at.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) fault: Fault,
}

fn refuse<T>(code: i64, message: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal {
        status: 400,
        fault: Fault::new(code, message),
    })
}

/// The era of a request, once its envelope holds.
pub(crate) fn era(request: &Request, headers: &Headers<'_>) -> Result<Era, Refusal> {
    let meta = request.params.get("_meta");
    let field = |name: &str| meta.and_then(|meta| meta.get(name));
    let header = headers.protocol_version.map(str::trim);
    let in_body = field(META_VERSION);
    if in_body.is_none() && header != Some(MODERN_VERSION) {
        return match header {
            Some(version)
                if !LEGACY_VERSIONS.contains(&version) && request.method != "initialize" =>
            {
                let known = LEGACY_VERSIONS.join(", ");
                refuse(
                    code::INVALID_REQUEST,
                    format!(
                        "MCP-Protocol-Version is not served here; use {MODERN_VERSION}, or one of {known}"
                    ),
                )
            }
            _ => Ok(Era::Legacy),
        };
    }
    let Some(version) = in_body.and_then(Value::as_str) else {
        let code = if request.method == "initialize" {
            code::HEADER_MISMATCH
        } else {
            code::INVALID_PARAMS
        };
        return refuse(
            code,
            format!("params._meta[\"{META_VERSION}\"] must be a string"),
        );
    };
    if header != Some(version) {
        return refuse(
            code::HEADER_MISMATCH,
            "the header MCP-Protocol-Version must equal the version in params._meta",
        );
    }
    if headers.method.map(str::trim) != Some(request.method.as_str()) {
        return refuse(
            code::HEADER_MISMATCH,
            "the header Mcp-Method must equal the method",
        );
    }
    check_name(request, headers)?;
    if !field(META_CAPABILITIES).is_some_and(Value::is_object) {
        return refuse(
            code::INVALID_PARAMS,
            format!("params._meta[\"{META_CAPABILITIES}\"] must be an object"),
        );
    }
    if version != MODERN_VERSION {
        let data = json!({ "supported": [MODERN_VERSION], "requested": budget::echo(version) });
        let fault = Fault::new(
            code::UNSUPPORTED_VERSION,
            format!("this protocol version is not served; use {MODERN_VERSION}"),
        )
        .with_data(data);
        return Err(Refusal { status: 400, fault });
    }
    Ok(Era::Modern)
}

/// `Mcp-Name` repeats what a call names.
fn check_name(request: &Request, headers: &Headers<'_>) -> Result<(), Refusal> {
    let key = match request.method.as_str() {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        _ => return Ok(()),
    };
    let named = request.params.get(key).and_then(Value::as_str);
    let header = headers.name.map(|header| decode(header.trim()));
    if named.is_some() && header.as_deref() == named {
        Ok(())
    } else {
        refuse(
            code::HEADER_MISMATCH,
            format!("the header Mcp-Name must equal params.{key}"),
        )
    }
}

/// `=?base64?…?=` carries names that a header cannot.
fn decode(header: &str) -> String {
    let encoded = header
        .strip_prefix("=?base64?")
        .and_then(|rest| rest.strip_suffix("?="));
    let decoded = encoded
        .and_then(|encoded| STANDARD.decode(encoded).ok())
        .and_then(|bytes| String::from_utf8(bytes).ok());
    decoded.unwrap_or_else(|| header.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(method: &str, params: Value) -> Request {
        Request {
            id: json!(1),
            method: method.into(),
            params: params.as_object().cloned().unwrap_or_default(),
        }
    }

    fn modern(method: &str, mut params: Value) -> Request {
        params["_meta"] = json!({ META_VERSION: MODERN_VERSION, META_CAPABILITIES: {} });
        request(method, params)
    }

    const HEADERS: Headers<'_> = Headers {
        protocol_version: Some(MODERN_VERSION),
        method: Some("tools/call"),
        name: Some("recall"),
    };

    #[test]
    fn without_an_envelope_a_request_is_legacy() {
        for version in [None, Some("2025-03-26"), Some("2025-11-25")] {
            let headers = Headers {
                protocol_version: version,
                method: Some("initialize"),
                ..Headers::default()
            };
            assert_eq!(
                era(&request("tools/list", json!({})), &headers),
                Ok(Era::Legacy)
            );
        }
    }

    #[test]
    fn a_complete_envelope_is_modern() {
        assert_eq!(
            era(&modern("tools/call", json!({ "name": "recall" })), &HEADERS),
            Ok(Era::Modern)
        );
        let encoded = Headers {
            name: Some("=?base64?cmVjYWxs?="),
            ..HEADERS
        };
        assert_eq!(
            era(&modern("tools/call", json!({ "name": "recall" })), &encoded),
            Ok(Era::Modern)
        );
    }

    #[test]
    fn headers_must_agree_with_the_body() {
        for headers in [
            Headers {
                protocol_version: None,
                ..HEADERS
            },
            Headers {
                protocol_version: Some("2025-11-25"),
                ..HEADERS
            },
            Headers {
                method: None,
                ..HEADERS
            },
            Headers {
                method: Some("Tools/Call"),
                ..HEADERS
            },
            Headers {
                name: None,
                ..HEADERS
            },
            Headers {
                name: Some("forget"),
                ..HEADERS
            },
        ] {
            let refusal =
                era(&modern("tools/call", json!({ "name": "recall" })), &headers).unwrap_err();
            assert_eq!(
                (refusal.status, refusal.fault.code),
                (400, code::HEADER_MISMATCH),
                "{headers:?}"
            );
        }
    }

    #[test]
    fn a_modern_header_alone_does_not_make_a_request_legacy() {
        assert_eq!(
            era(
                &request("tools/call", json!({ "name": "recall" })),
                &HEADERS
            )
            .unwrap_err()
            .fault
            .code,
            code::INVALID_PARAMS
        );
        let initialize = Headers {
            method: Some("initialize"),
            ..HEADERS
        };
        assert_eq!(
            era(&request("initialize", json!({})), &initialize)
                .unwrap_err()
                .fault
                .code,
            code::HEADER_MISMATCH
        );
    }
}
