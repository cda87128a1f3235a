//! JSON bodies: read, shaped, and refused without quoting what was in them.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::api::call::Call;
use crate::error::{Error, Kind, Result};
use crate::text::{secrets, surrogates};

impl Call<'_> {
    /// The body as JSON of the route's shape.
    ///
    /// # Errors
    /// `unsupported_media_type` unless it says it is JSON; `invalid_argument` when it is not, or not of that shape.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T> {
        self.check_is_json()?;
        // serde also reads a list as an object, field by field; nobody means that.
        let first = self
            .request
            .body
            .iter()
            .find(|byte| !byte.is_ascii_whitespace());
        if first.is_some_and(|byte| *byte != b'{') {
            return Err(Error::invalid("body", "must be a JSON object"));
        }
        self.any_json()
    }

    /// The same for a body that need not be an object.
    ///
    /// # Errors
    /// As [`Call::json`].
    pub fn any_json<T: DeserializeOwned>(&self) -> Result<T> {
        self.check_is_json()?;
        serde_json::from_slice(&surrogates::mend(&self.request.body)).map_err(|error| {
            let what = if error.is_data() {
                "has the wrong shape"
            } else {
                "is not JSON"
            };
            Error::invalid("body", format!("{what}: {}", without_values(&error)))
        })
    }

    /// The body's media type, in lower case, without parameters.
    pub fn media_type(&self) -> String {
        let value = self.header("content-type").unwrap_or_default();
        let name = value.split(';').next().unwrap_or_default();
        name.trim().to_ascii_lowercase()
    }

    fn check_is_json(&self) -> Result<()> {
        if self.media_type() == "application/json" {
            return Ok(());
        }
        Err(Error::new(
            Kind::UnsupportedMediaType,
            "send the body as JSON, with Content-Type: application/json",
        ))
    }

    /// The same for a body that may be absent.
    pub fn json_or_default<T: DeserializeOwned + Default>(&self) -> Result<T> {
        if self.request.body.is_empty() {
            Ok(T::default())
        } else {
            self.json()
        }
    }
}

/// Fields of an object as the shape `T`.
///
/// # Errors
/// `invalid_argument`, naming what is unknown or of the wrong type.
pub fn shaped<T: DeserializeOwned>(fields: Map<String, Value>) -> Result<T> {
    serde_json::from_value(Value::Object(fields)).map_err(|error| {
        Error::invalid(
            "body",
            format!("has the wrong shape: {}", without_values(&error)),
        )
    })
}

/// What serde says, without the value it quotes: memory text does not belong in errors.
pub(crate) fn without_values(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let known = ["missing field", "unknown field", "duplicate field"];
    if known.iter().any(|phrase| message.starts_with(phrase)) {
        return secrets::masked(&message);
    }
    match message.split_once(", expected ") {
        Some((_, expected)) if expected.starts_with("struct ") => "expected an object".to_owned(),
        Some((_, expected)) => format!("expected {expected}"),
        None => format!("stopped at line {} column {}", error.line(), error.column()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::call::Request;

    #[derive(Debug, serde::Deserialize)]
    struct Shape {
        #[allow(dead_code)]
        content: String,
    }

    fn read(media_type: &str, body: &str) -> Error {
        let headers = vec![("content-type".to_owned(), media_type.to_owned())];
        let request = Request {
            headers,
            body: body.as_bytes().to_vec(),
            ..Request::default()
        };
        Call {
            request: &request,
            parameters: Vec::new(),
        }
        .json::<Shape>()
        .unwrap_err()
    }

    #[test]
    fn only_json_is_read() {
        assert_eq!(
            read("text/plain", r#"{"content":"x"}"#).kind,
            Kind::UnsupportedMediaType
        );
        assert_eq!(
            read("", r#"{"content":"x"}"#).kind,
            Kind::UnsupportedMediaType
        );
    }

    #[test]
    fn an_error_names_the_field_but_never_quotes_the_text() {
        assert!(
            read("application/json", r#"{"text":"x"}"#)
                .message
                .contains("content")
        );
        let error = read(
            "application/json; charset=utf-8",
            r#"{"content":{"secret":"hunter2"}}"#,
        );
        assert!(!error.message.contains("hunter2"), "{error}");
        let error = read("application/json", r#"{"content": "my password is hunter2"#);
        assert!(!error.message.contains("hunter2"), "{error}");
    }
}
