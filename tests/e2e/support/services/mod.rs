//! Workers AI and Vectorize as a test wants them to be. `services.mjs` plays both; here a test says how they behave, and reads
//! what they were asked. Words that mean the same to the stand-in are listed there.

use serde_json::{Value, json};

/// The stand-ins, as one vault sees them.
pub struct Services {
    agent: ureq::Agent,
    control: String,
}

impl Services {
    /// The stand-ins whose control listens on this port.
    pub fn at(port: u16) -> Self {
        Services {
            agent: ureq::Agent::config_builder().build().new_agent(),
            control: format!("http://127.0.0.1:{port}/"),
        }
    }

    fn tell(&self, told: Value) {
        self.agent.post(&self.control).send_json(told).unwrap();
    }

    /// From now on Workers AI behaves so: `fail` (an error's message), `times` (how often), `refuse` (a text that it will not
    /// take), `hang`, `short` (a vector that lacks a number). What is not named is as usual.
    pub fn ai(&self, behaviour: Value) {
        self.tell(json!({ "ai": behaviour }));
    }

    /// The same for Vectorize: `fail`, `times`, `hang`, `dimensions`, `visible` (whether what is written is seen at once).
    pub fn vectorize(&self, behaviour: Value) {
        self.tell(json!({ "vectorize": behaviour }));
    }

    /// The minutes pass after which Vectorize shows what it was told.
    pub fn settle(&self) {
        self.tell(json!({ "settle": true }));
    }

    /// Vectorize has a vector that it should not have.
    pub fn ghost(&self, id: &str, namespace: &str, text: &str) {
        self.tell(json!({ "ghost": { "id": id, "namespace": namespace, "text": text } }));
    }

    /// What they were asked and have: `texts`, `calls`, `largest_batch` of Workers AI; `upserts`, `deletes`, `queries`, `ids`,
    /// `namespaces` of Vectorize.
    pub fn seen(&self) -> Value {
        let mut answer = self.agent.get(&self.control).call().unwrap();
        answer.body_mut().read_json().unwrap()
    }

    /// The ids that Vectorize shows.
    pub fn ids(&self) -> Vec<String> {
        serde_json::from_value(self.seen()["ids"].clone()).unwrap()
    }

    /// How often a text was sent to Workers AI.
    pub fn times_sent(&self, text: &str) -> usize {
        let seen = self.seen();
        let texts = seen["texts"].as_array().unwrap();
        texts.iter().filter(|sent| **sent == json!(text)).count()
    }
}
