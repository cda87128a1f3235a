//! Starts, kills and restarts one workerd on a folder of its own.
//!
//! `./scripts/test` sets what this needs: `VAULT_WORKERD` (the binary), `VAULT_BUILD` (a build with the feature
//! `test-hooks`), `VAULT_NODE` and `VAULT_SCRIPTS` (who writes the configuration).

use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tempfile::TempDir;

/// One process on one data folder; killed and removed at the end.
pub struct Workerd {
    folder: TempDir,
    process: Mutex<Child>,
    port: u16,
    /// The name of the socket on which a test talks to a stand-in, if there is one, and its port.
    control: Option<(&'static str, u16)>,
    /// What it wrote to stderr, shown when a test fails.
    log: Arc<Mutex<String>>,
}

/// What answers for the internet, and the name of the socket on which a test talks to it.
const INTERNET_MODULE: &str = "tests/e2e/support/internet/internet.mjs";
const INTERNET_SOCKET: &str = "internet";
/// The same for Workers AI and Vectorize.
const SERVICES_MODULE: &str = "tests/e2e/support/services/services.mjs";
const SERVICES_SOCKET: &str = "services";

fn setting(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| {
        panic!("{name} is not set: run the end-to-end tests through ./scripts/test")
    })
}

impl Workerd {
    /// Starts an empty vault with these text bindings.
    pub fn start(variables: &[(&str, &str)]) -> Self {
        Self::configured(variables, &[], None)
    }

    /// The same, with stand-ins bound under these names, of `AI` and `VECTORIZE`.
    pub fn start_with_services(variables: &[(&str, &str)], bindings: &[&str]) -> Self {
        Self::configured(variables, &services(bindings), Some(SERVICES_SOCKET))
    }

    /// The same, with `internet/internet.mjs` for the internet; also the port of its control, until the first restart.
    pub fn start_on_internet(variables: &[(&str, &str)]) -> (Self, u16) {
        let module = Path::new(env!("CARGO_MANIFEST_DIR")).join(INTERNET_MODULE);
        let module = module.display();
        let internet = [
            "--outbound".to_owned(),
            module.to_string(),
            "--stand-in-socket".to_owned(),
            format!("{INTERNET_SOCKET}={module}#Control"),
        ];
        let workerd = Self::configured(variables, &internet, Some(INTERNET_SOCKET));
        let port = workerd.control_port();
        (workerd, port)
    }

    fn configured(
        variables: &[(&str, &str)],
        more: &[String],
        control: Option<&'static str>,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("data")).unwrap();
        configure(&folder, variables, more);
        let log = Arc::default();
        let (process, port, control) = spawn(&folder, &log, control);
        Workerd {
            folder,
            process: Mutex::new(process),
            port,
            control,
            log,
        }
    }

    /// Where the control of its stand-ins listens.
    pub fn control_port(&self) -> u16 {
        self.control.unwrap().1
    }

    /// Ends the process and starts another one on the same data, with other variables and stand-ins, whose own data is gone.
    pub fn restart_with_services(&mut self, variables: &[(&str, &str)], bindings: &[&str]) {
        self.kill();
        configure(&self.folder, variables, &services(bindings));
        let (process, port, control) = spawn(&self.folder, &self.log, Some(SERVICES_SOCKET));
        *self.process.lock().unwrap() = process;
        (self.port, self.control) = (port, control);
    }

    /// Where it listens, on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// What it wrote to stderr so far.
    pub fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// Names of the files in the data folder, its sub-folders included, less workerd's own `metadata.sqlite`, which is
    /// there from the start.
    pub fn stored_files(&self) -> Vec<String> {
        let mut folders = vec![self.folder.path().join("data")];
        let mut files = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let entry = entry.unwrap();
                if entry.file_type().unwrap().is_dir() {
                    folders.push(entry.path());
                } else if let name = entry.file_name().to_string_lossy().into_owned()
                    && !name.starts_with("metadata.sqlite")
                {
                    files.push(name);
                }
            }
        }
        files
    }

    /// Memory the process has in use, in MiB; `None` where the system does not say.
    pub fn resident_mebibytes(&self) -> Option<u64> {
        let id = self.process.lock().unwrap().id();
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kibibytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
        Some(kibibytes / 1024)
    }

    /// kill -9.
    pub fn kill(&self) {
        let mut process = self.process.lock().unwrap();
        let _ = process.kill();
        let _ = process.wait();
    }

    /// kill -9, then a new process on the same data.
    pub fn kill_and_restart(&mut self) {
        self.kill();
        let name = self.control.map(|(name, _)| name);
        let (process, port, control) = spawn(&self.folder, &self.log, name);
        *self.process.lock().unwrap() = process;
        (self.port, self.control) = (port, control);
    }
}

impl Drop for Workerd {
    fn drop(&mut self) {
        self.kill();
        if std::thread::panicking() {
            eprintln!(
                "workerd said:\n{}",
                self.log.lock().map(|log| log.clone()).unwrap_or_default()
            );
        }
    }
}

/// The arguments that bind the stand-ins of `services.mjs` and open their control.
fn services(bindings: &[&str]) -> Vec<String> {
    let module = Path::new(env!("CARGO_MANIFEST_DIR")).join(SERVICES_MODULE);
    let module = module.display();
    let mut more = vec![
        "--stand-in-socket".to_owned(),
        format!("{SERVICES_SOCKET}={module}#Control"),
    ];
    for binding in bindings {
        let class = match *binding {
            "AI" => "Ai",
            _ => "Vectorize",
        };
        more.push("--stand-in".to_owned());
        more.push(format!("{binding}={module}#{class}"));
    }
    more
}

/// Writes the configuration.
fn configure(folder: &TempDir, variables: &[(&str, &str)], more: &[String]) {
    let mut config = Command::new(setting("VAULT_NODE"));
    config
        .arg(PathBuf::from(setting("VAULT_SCRIPTS")).join("workerd.mjs"))
        .arg("config");
    config
        .arg("--build")
        .arg(setting("VAULT_BUILD"))
        .arg("--out")
        .arg(folder.path().join("workerd.capnp"));
    config.arg("--data").arg(folder.path().join("data"));
    for (name, value) in variables {
        config.arg("--var").arg(format!("{name}={value}"));
    }
    config.args(more);
    let written = config.output().unwrap();
    assert!(
        written.status.success(),
        "{}",
        String::from_utf8_lossy(&written.stderr)
    );
}

/// The process, its port, and the port of a stand-in's control.
fn spawn(
    folder: &TempDir,
    log: &Arc<Mutex<String>>,
    control: Option<&'static str>,
) -> (Child, u16, Option<(&'static str, u16)>) {
    let mut process = Command::new(setting("VAULT_WORKERD"))
        .arg("serve")
        .arg(folder.path().join("workerd.capnp"))
        .arg("--control-fd=1")
        .arg("--directory-path")
        .arg(format!("data={}", folder.path().join("data").display()))
        .arg("--socket-addr")
        .arg("http=127.0.0.1:0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(process.stdout.take().unwrap());
    drain(process.stderr.take().unwrap(), Some(log.clone()));
    let (mut http, mut controlled) = (None, None);
    while http.is_none() || (control.is_some() && controlled.is_none()) {
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let event: Value = serde_json::from_str(&line).unwrap_or_else(|_| {
            std::thread::sleep(std::time::Duration::from_millis(200));
            panic!("workerd did not start: {line} {}", log.lock().unwrap())
        });
        let port = event["port"]
            .as_u64()
            .and_then(|port| u16::try_from(port).ok());
        match event["socket"].as_str() {
            Some("http") => http = port,
            name if name.is_some() && name == control => controlled = port,
            _ => {}
        }
    }
    drain(output, None);
    (process, http.unwrap(), control.zip(controlled))
}

/// Reads a stream to its end, so that the process never waits for us.
fn drain(mut stream: impl Read + Send + 'static, into: Option<Arc<Mutex<String>>>) {
    std::thread::spawn(move || {
        let mut chunk = [0; 4096];
        while let Ok(count) = stream.read(&mut chunk) {
            if count == 0 {
                break;
            }
            if let Some(log) = &into {
                log.lock()
                    .unwrap()
                    .push_str(&String::from_utf8_lossy(&chunk[..count]));
            }
        }
    });
}
