//! A running vault and its owner's client.

use std::sync::Mutex;

use serde_json::{Value, json};

use super::answer::Answer;
use super::internet::Internet;
use super::mcp::Mcp;
use super::oauth::App;
use super::services::Services;
use super::workerd::Workerd;

/// A vault of its own, in a folder of its own, stopped and removed at the end of the test.
pub struct Vault {
    workerd: Workerd,
    agent: ureq::Agent,
    /// The access token of the app that [`Vault::mcp`] speaks for.
    token: Mutex<Option<String>>,
}

impl Vault {
    /// An empty vault in review mode, with the developer signed in as owner.
    pub fn start() -> Self {
        Self::start_with(&[("DEV_OWNER_EMAIL", "ada@localhost")])
    }

    /// An empty vault whose agents' writes hold at once.
    pub fn start_in_auto_mode() -> Self {
        let vault = Self::start();
        vault
            .put("/api/settings", json!({ "mode": "auto" }))
            .expect(200);
        vault
    }

    /// An empty vault with these variables and no others.
    pub fn start_with(variables: &[(&str, &str)]) -> Self {
        Self::on(Workerd::start(variables))
    }

    /// The same, with every request that leaves the vault answered by a stand-in.
    pub fn start_on_internet(variables: &[(&str, &str)]) -> (Self, Internet) {
        let (workerd, port) = Workerd::start_on_internet(variables);
        (Self::on(workerd), Internet::at(port))
    }

    /// An empty vault with the developer signed in as owner, and stand-ins for the services of these bindings.
    pub fn start_with_services(bindings: &[&str], variables: &[(&str, &str)]) -> (Self, Services) {
        let mut all = vec![("DEV_OWNER_EMAIL", "ada@localhost")];
        all.extend_from_slice(variables);
        let vault = Self::on(Workerd::start_with_services(&all, bindings));
        let services = Services::at(vault.workerd.control_port());
        (vault, services)
    }

    /// The same vault after another deployment.
    pub fn restart_with_services(
        &mut self,
        bindings: &[&str],
        variables: &[(&str, &str)],
    ) -> Services {
        let mut all = vec![("DEV_OWNER_EMAIL", "ada@localhost")];
        all.extend_from_slice(variables);
        self.workerd.restart_with_services(&all, bindings);
        Services::at(self.workerd.control_port())
    }

    /// The stand-ins after the process was killed and started again.
    pub fn services(&self) -> Services {
        Services::at(self.workerd.control_port())
    }

    fn on(workerd: Workerd) -> Self {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .build();
        Vault {
            workerd,
            agent: config.new_agent(),
            token: Mutex::default(),
        }
    }

    /// Kills the process without warning and starts it again on the same data.
    pub fn kill_and_restart(&mut self) {
        self.workerd.kill_and_restart();
    }

    /// Memory the process has in use, in MiB; `None` where the system does not say.
    pub fn resident_mebibytes(&self) -> Option<u64> {
        self.workerd.resident_mebibytes()
    }

    /// Kills the process without warning.
    pub fn kill(&self) {
        self.workerd.kill();
    }

    /// `http://127.0.0.1:port`
    pub fn url(&self) -> String {
        format!("http://{}", self.host())
    }

    /// `127.0.0.1:port`
    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.workerd.port())
    }

    /// What it wrote to its log so far.
    pub fn log(&self) -> String {
        self.workerd.log()
    }

    /// Names of the files the Durable Object has written. None until the first request reaches it.
    pub fn stored_files(&self) -> Vec<String> {
        self.workerd.stored_files()
    }

    /// Sends a request with these headers and a body as it is.
    pub fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&[u8]>,
    ) -> Answer {
        self.try_send(method, path, headers, body)
            .unwrap_or_else(|error| panic!("{method} {path}: {error}"))
    }

    /// The same for a request that may get no answer.
    pub fn try_send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&[u8]>,
    ) -> Result<Answer, ureq::Error> {
        let mut request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.url()));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut response = match body {
            Some(body) => self.agent.run(request.body(body.to_vec())?)?,
            None => self.agent.run(request.body(())?)?,
        };
        Ok(Answer {
            status: response.status().as_u16(),
            headers: response
                .headers()
                .iter()
                .map(|(name, value)| {
                    (
                        name.to_string(),
                        String::from_utf8_lossy(value.as_bytes()).into_owned(),
                    )
                })
                .collect(),
            body: response
                .body_mut()
                .with_config()
                .limit(64 * 1024 * 1024)
                .read_to_string()?,
        })
    }

    /// A GET whose body is read as it comes.
    #[track_caller]
    pub fn open(&self, path: &str) -> impl std::io::Read + use<> {
        let request = ureq::http::Request::get(format!("{}{path}", self.url()));
        let response = self.agent.run(request.body(()).unwrap()).unwrap();
        assert_eq!(response.status(), 200);
        response.into_body().into_reader()
    }

    fn send_json(&self, method: &str, path: &str, body: &Value) -> Answer {
        self.send(
            method,
            path,
            &[("Content-Type", "application/json")],
            Some(body.to_string().as_bytes()),
        )
    }

    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], None)
    }

    pub fn post(&self, path: &str, body: Value) -> Answer {
        self.send_json("POST", path, &body)
    }

    /// A POST without a body.
    pub fn post_empty(&self, path: &str) -> Answer {
        self.send("POST", path, &[("Content-Length", "0")], None)
    }

    pub fn put(&self, path: &str, body: Value) -> Answer {
        self.send_json("PUT", path, &body)
    }

    pub fn patch(&self, path: &str, body: Value) -> Answer {
        self.send_json("PATCH", path, &body)
    }

    pub fn delete(&self, path: &str) -> Answer {
        self.send("DELETE", path, &[], None)
    }

    /// The owner stores a text; its id.
    #[track_caller]
    pub fn remember(&self, content: &str) -> String {
        self.store(json!({ "content": content }))
    }

    /// The owner stores a memory with more than a text; its id.
    #[track_caller]
    pub fn store(&self, draft: Value) -> String {
        id_of(&self.post("/api/memories", draft).expect(201))
    }

    /// The owner asks; the whole answer.
    #[track_caller]
    pub fn ask(&self, query: &str) -> Value {
        self.get(&format!("/api/recall?q={}", encode(query)))
            .expect(200)
    }

    /// The texts that answer, best first.
    #[track_caller]
    pub fn recall(&self, query: &str) -> Vec<String> {
        texts(&self.ask(query)["results"])
    }

    /// The client of an app named "e2e" that the owner let in with every memory scope.
    #[track_caller]
    pub fn mcp(&self) -> Mcp<'_> {
        let mut token = self.token.lock().unwrap();
        let token = token.get_or_insert_with(|| App::register(self, "e2e").sign_in().access);
        Mcp::new(self, Some(token))
    }

    /// A client that has not signed in.
    pub fn stranger(&self) -> Mcp<'_> {
        Mcp::new(self, None)
    }

    /// A client with this access token.
    pub fn mcp_with(&self, token: &str) -> Mcp<'_> {
        Mcp::new(self, Some(token))
    }

    /// Rows of a statement, straight from the object's database (test hook).
    #[track_caller]
    pub fn sql(&self, statement: &str) -> Vec<Vec<Value>> {
        let answer = self
            .post("/test/sql", json!({ "statement": statement }))
            .expect(200);
        serde_json::from_value(answer["rows"].clone()).unwrap()
    }

    /// Moves the vault's clock to `days` from now (test hook).
    pub fn shift_clock_days(&self, days: i64) {
        self.shift_clock_seconds(days * 86_400);
    }

    /// Moves the vault's clock to so many seconds from now (test hook). Access tokens given out before may have expired.
    pub fn shift_clock_seconds(&self, seconds: i64) {
        self.post("/test/clock", json!({ "shift_millis": seconds * 1_000 }))
            .expect(200);
        *self.token.lock().unwrap() = None;
    }

    /// Stops the vault's clock at so many milliseconds since 1970 (test hook), for tests on both sides of an instant.
    pub fn stop_clock_at(&self, millis: i64) {
        self.post("/test/clock", json!({ "fixed_millis": millis }))
            .expect(200);
    }

    /// The index, as the status page shows it.
    #[track_caller]
    pub fn index(&self) -> Value {
        self.get("/api/status").expect(200)["index"].clone()
    }

    /// Waits until nothing waits to be embedded or told to Vectorize; the index then.
    #[track_caller]
    pub fn indexed(&self) -> Value {
        self.index_when("nothing waits", |index| {
            index["pending"] == 0 && index["vectorize"]["pending"].as_i64().unwrap_or(0) == 0
        })
    }

    /// Waits until the index is so; the index then. The alarm works by itself, this only looks.
    #[track_caller]
    pub fn index_when(&self, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..400 {
            let index = self.index();
            if is_so(&index) {
                return index;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        panic!("{what}: {}", self.index());
    }

    /// Does what is due by the vault's clock, as the alarm would (test hook); how many jobs failed.
    pub fn run_agenda(&self) -> i64 {
        self.post_empty("/test/alarm").expect(200)["failures"]
            .as_i64()
            .unwrap()
    }
}

/// The `id` of an answer.
#[track_caller]
pub fn id_of(answer: &Value) -> String {
    answer["id"]
        .as_str()
        .unwrap_or_else(|| panic!("no id in {answer}"))
        .to_owned()
}

/// The `content` of each row.
pub fn texts(rows: &Value) -> Vec<String> {
    rows.as_array()
        .unwrap()
        .iter()
        .map(|row| row["content"].as_str().unwrap().to_owned())
        .collect()
}

/// Percent-encodes a query value.
pub fn encode(text: &str) -> String {
    text.bytes()
        .map(|byte| {
            if byte.is_ascii_alphanumeric() {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}
