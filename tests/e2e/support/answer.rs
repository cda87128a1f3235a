//! An HTTP answer, and what tests ask of it.

use serde_json::Value;

/// Status, headers and body.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Answer {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body)
            .unwrap_or_else(|error| panic!("{error} in {} {}", self.status, self.body))
    }

    /// The body as JSON, after a look at the status.
    #[track_caller]
    pub fn expect(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.body);
        if self.body.is_empty() {
            Value::Null
        } else {
            self.json()
        }
    }

    /// An error's code, after a look at the status.
    #[track_caller]
    pub fn refused(self, status: u16) -> String {
        let json = self.expect(status);
        json["error"]["code"]
            .as_str()
            .unwrap_or_else(|| panic!("no error code in {json}"))
            .to_owned()
    }

    /// Where a redirect leads.
    #[track_caller]
    pub fn location(&self) -> String {
        assert!(
            matches!(self.status, 302 | 303),
            "{} {}",
            self.status,
            self.body
        );
        self.header("Location").to_owned()
    }

    /// An OAuth refusal's word, after a look at the status.
    #[track_caller]
    pub fn oauth_error(self, status: u16) -> String {
        let json = self.expect(status);
        assert!(json["error_description"].is_string(), "{json}");
        json["error"].as_str().unwrap().to_owned()
    }

    /// A header's value; empty when absent.
    pub fn header(&self, name: &str) -> &str {
        self.headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map_or("", |(_, value)| value)
    }
}
