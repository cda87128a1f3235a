//! A client's headers, taken over from the platform in one go: what is decided by them then needs no platform and cannot fail.

use js_sys::{Array, JSON};
use wasm_bindgen::JsValue;
use worker::{Error, Result, web_sys};

/// Names in lower case with their values, several of one name joined by a comma as the platform does.
#[derive(Debug, Default)]
pub struct ClientHeaders(Vec<(String, String)>);

impl ClientHeaders {
    /// Reads all of them.
    pub fn read(headers: &web_sys::Headers) -> Result<ClientHeaders> {
        let headers: &JsValue = headers.as_ref();
        let written = JSON::stringify(&Array::from(headers))?;
        ClientHeaders::of(&String::from(written))
    }

    /// Reads a JSON list of pairs.
    fn of(written: &str) -> Result<ClientHeaders> {
        let unreadable = |_| Error::RustError("the request's headers are not readable".into());
        Ok(ClientHeaders(
            serde_json::from_str(written).map_err(unreadable)?,
        ))
    }

    /// The value of a header.
    pub fn get(&self, name: &str) -> Option<&str> {
        let mut all = self.0.iter();
        let found = all.find(|(given, _)| given.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_found_by_its_name() {
        let headers = r#"[["host","vault.example.org"],["accept","text/html, application/json"],["x-empty",""]]"#;
        let headers = ClientHeaders::of(headers).unwrap();
        assert_eq!(headers.get("Host"), Some("vault.example.org"));
        assert_eq!(headers.get("accept"), Some("text/html, application/json"));
        assert_eq!(headers.get("x-empty"), Some(""));
        assert_eq!(headers.get("cookie"), None);
        let names: Vec<&str> = headers.names().collect();
        assert_eq!(names, ["host", "accept", "x-empty"]);
    }
}
