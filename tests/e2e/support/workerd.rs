//! Starts, kills and restarts one workerd on a folder of its own.
//!
//! `./scripts/test` sets what this needs: `VAULT_WORKERD` (the binary), `VAULT_BUILD` (a build with the feature
//! `test-hooks`), `VAULT_NODE` and `VAULT_SCRIPTS` (who writes the configuration).

use std::io::{BufRead as _, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tempfile::TempDir;

/// One process on one data folder; killed and removed at the end.
pub struct Workerd {
    folder: TempDir,
    process: Mutex<Child>,
    port: u16,
    /// What it wrote to stderr, shown when a test fails.
    log: Arc<Mutex<String>>,
}

fn setting(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| {
        panic!("{name} is not set: run the end-to-end tests through ./scripts/test")
    })
}

impl Workerd {
    /// Starts an empty vault with these text bindings.
    pub fn start(variables: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("data")).unwrap();
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
        let written = config.output().unwrap();
        assert!(
            written.status.success(),
            "{}",
            String::from_utf8_lossy(&written.stderr)
        );
        let log = Arc::default();
        let (process, port) = spawn(&folder, &log);
        Workerd {
            folder,
            process: Mutex::new(process),
            port,
            log,
        }
    }

    /// Where it listens, on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.port
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
        let (process, port) = spawn(&self.folder, &self.log);
        *self.process.lock().unwrap() = process;
        self.port = port;
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

fn spawn(folder: &TempDir, log: &Arc<Mutex<String>>) -> (Child, u16) {
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
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    let event: Value = serde_json::from_str(&line).unwrap_or_else(|_| {
        std::thread::sleep(std::time::Duration::from_millis(200));
        panic!("workerd did not start: {line} {}", log.lock().unwrap())
    });
    drain(output, None);
    (
        process,
        u16::try_from(event["port"].as_u64().unwrap()).unwrap(),
    )
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
