//! The internet as a test wants it to be. `internet.mjs` answers every request the Worker sends out; here a test says
//! what, and reads what was asked. An address that no test spoke of does not answer.

use serde_json::{Value, json};

/// The stand-in, as one vault sees it.
pub struct Internet {
    agent: ureq::Agent,
    control: String,
}

/// One request that left the vault.
#[derive(Debug, Clone)]
pub struct Asked {
    pub method: String,
    pub url: String,
    pub headers: Value,
}

impl Internet {
    /// The stand-in whose control listens on this port.
    pub fn at(port: u16) -> Self {
        let config = ureq::Agent::config_builder().build();
        Internet {
            agent: config.new_agent(),
            control: format!("http://127.0.0.1:{port}/"),
        }
    }

    /// From now on the address answers with `answer`: `status` (200), `headers`, `body`; or `parts` instead of a body,
    /// sent without a length, `endless` after them, `stall_ms` before the last; `late_ms` before anything;
    /// `for_user_agent` with other answers by name.
    pub fn plays(&self, url: &str, answer: Value) {
        let told = json!({ "url": url, "answer": answer });
        self.agent.post(&self.control).send_json(told).unwrap();
    }

    /// From now on the address answers with this document.
    pub fn serves(&self, url: &str, document: &Value) {
        let headers = json!({ "Content-Type": "application/json" });
        self.plays(
            url,
            json!({ "headers": headers, "body": document.to_string() }),
        );
    }

    /// From now on nobody answers there.
    pub fn silences(&self, url: &str) {
        self.plays(url, Value::Null);
    }

    /// Every request that left the vault, in order.
    pub fn asked(&self) -> Vec<Asked> {
        let mut answer = self.agent.get(&self.control).call().unwrap();
        let requests: Vec<Value> = answer.body_mut().read_json().unwrap();
        requests
            .into_iter()
            .map(|request| Asked {
                method: request["method"].as_str().unwrap().to_owned(),
                url: request["url"].as_str().unwrap().to_owned(),
                headers: request["headers"].clone(),
            })
            .collect()
    }

    /// The addresses of those requests.
    pub fn addresses(&self) -> Vec<String> {
        self.asked().into_iter().map(|asked| asked.url).collect()
    }
}
