//! One JSON line for each failure: when it may be retried, which request and route, what kind, why. Never a text.

use serde_json::json;

use crate::error::Error;

/// Logs a failure of ours.
pub fn failure(request_id: &str, place: &str, error: &Error) {
    let line = json!({
        "level": "error",
        "request_id": request_id,
        "place": place,
        "code": error.kind.row().code,
        "cause": error.cause.as_deref().unwrap_or(&error.message),
    });
    worker::console_error!("{line}");
}
