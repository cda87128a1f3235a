//! `scripts/backup.sh` against a vault as it is deployed, with Cloudflare Access in front of it played by a small proxy.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

use tempfile::TempDir;

use crate::backup::File;
use crate::support::deployed::{Deployed, HOST, service};

/// What the proxy does to an answer's bytes.
#[derive(Clone, Copy)]
enum Damage {
    Nothing,
    /// Hangs up after so many bytes.
    CutAt(usize),
    /// Puts another text of the same length in.
    Replace(&'static str, &'static str),
    /// Sends the answer without its last line, properly ended.
    WithoutTrailer,
}

/// Cloudflare Access: knows one service token, turns it into an assertion, and sends everybody else to its login.
struct Front {
    port: u16,
    damage: Arc<Mutex<Damage>>,
}

const ID: &str = "88bf3b6d86161464f6509f7219099e57.access";
const SECRET: &str = "bdd31cbc4dec990953e39163fbbb194c93313ca9f0a6e420346af9d326b1d2a5";

impl Front {
    fn of(deployed: &Deployed, common_name: &str) -> Front {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (vault, assertion) = (deployed.vault.host(), service(common_name));
        let damage = Arc::new(Mutex::new(Damage::Nothing));
        let shared = damage.clone();
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let damage = *shared.lock().unwrap();
                pass(client.unwrap(), &vault, &assertion, damage);
            }
        });
        Front { port, damage }
    }

    fn damages(&self, damage: Damage) {
        *self.damage.lock().unwrap() = damage;
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }
}

fn pass(mut client: TcpStream, vault: &str, assertion: &str, damage: Damage) {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && client.read_exact(&mut byte).is_ok() {
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap();
    let has = |name: &str, value: &str| {
        head.lines()
            .any(|line| line.eq_ignore_ascii_case(&format!("{name}: {value}")))
    };
    if !has("CF-Access-Client-Id", ID) || !has("CF-Access-Client-Secret", SECRET) {
        let login = "HTTP/1.1 302 Found\r\nLocation: https://team.cloudflareaccess.com/login\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        let _ = client.write_all(login.as_bytes());
        return;
    }
    let path = head.split(' ').nth(1).unwrap();
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {HOST}\r\nCf-Access-Jwt-Assertion: {assertion}\r\nConnection: close\r\n\r\n"
    );
    let mut inner = TcpStream::connect(vault).unwrap();
    inner.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    inner.read_to_end(&mut answer).unwrap();
    let answer = match damage {
        Damage::Nothing => answer,
        Damage::CutAt(bytes) => answer[..bytes].to_vec(),
        Damage::Replace(from, to) => {
            let text = String::from_utf8(answer).unwrap();
            assert!(text.contains(from) && from.len() == to.len());
            text.replace(from, to).into_bytes()
        }
        Damage::WithoutTrailer => {
            let text = String::from_utf8(answer).unwrap();
            let body: String = text
                .split("\r\n\r\n")
                .nth(1)
                .unwrap()
                .lines()
                .filter(|line| line.starts_with("{\"") && !line.starts_with("{\"end\""))
                .map(|line| format!("{line}\n"))
                .collect();
            format!(
                "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            )
            .into_bytes()
        }
    };
    let _ = client.write_all(&answer);
    let _ = client.shutdown(Shutdown::Both);
}

fn command(front: &Front, arguments: &[&str]) -> Command {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/backup.sh");
    let mut command = Command::new("bash");
    command.arg(script).args(arguments);
    command.env("VAULT_URL", front.url());
    command.env("CF_ACCESS_CLIENT_ID", ID);
    command.env("CF_ACCESS_CLIENT_SECRET", SECRET);
    command
}

#[track_caller]
fn ends(mut command: Command, code: i32, said: &str) -> Output {
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    assert!(stderr.contains(said), "{stderr}");
    assert!(!stderr.contains(SECRET), "{stderr}");
    output
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn vault_and_folder() -> (Deployed, Front, TempDir) {
    let deployed = Deployed::start();
    let owner = crate::support::deployed::owner();
    for content in ["The harbour closes at nine", "Zwei Stück Käse"] {
        let body = serde_json::json!({ "content": content });
        deployed
            .call(&owner, "POST", "/api/memories", Some(body))
            .expect(201);
    }
    let front = Front::of(&deployed, "nightly.access");
    (deployed, front, tempfile::tempdir().unwrap())
}

#[test]
fn the_script_downloads_checks_and_keeps_the_newest() {
    // U-148
    let (_deployed, front, folder) = vault_and_folder();
    let folder = folder.path().join("backups");
    let there = folder.to_str().unwrap();
    let output = ends(command(&front, &[there]), 0, "");
    let written = String::from_utf8(output.stdout).unwrap();
    let written = Path::new(written.trim());
    let file = File::read(&std::fs::read_to_string(written).unwrap());
    assert_eq!(
        file.contents(),
        ["The harbour closes at nine", "Zwei Stück Käse"]
    );
    assert!(!file.table("memory_sense").is_empty());
    // Older ones go, others' files stay.
    for old in [
        "2020-01-01T000000Z",
        "2021-01-01T000000Z",
        "2022-01-01T000000Z",
    ] {
        std::fs::write(folder.join(format!("memory-vault-{old}.jsonl")), "old").unwrap();
    }
    std::fs::write(folder.join("notes.txt"), "mine").unwrap();
    ends(
        command(&front, &["--keep", "3", "--no-embeddings", there]),
        0,
        "",
    );
    let left = files(&folder);
    assert_eq!(left.len(), 4, "{left:?}");
    assert_eq!(left[0], "memory-vault-2022-01-01T000000Z.jsonl");
    assert_eq!(left[3], "notes.txt");
    let first = written.file_name().unwrap().to_str().unwrap();
    let newest = left[1..3].iter().find(|name| *name != first).unwrap();
    let newest = std::fs::read_to_string(folder.join(newest)).unwrap();
    assert!(File::read(&newest).table("memory_sense").is_empty());
}

#[test]
fn a_download_that_is_cut_off_or_changed_never_becomes_a_backup() {
    let (_deployed, front, folder) = vault_and_folder();
    let there = folder.path().to_str().unwrap();
    for (damage, said) in [
        (Damage::CutAt(900), "broke off"),
        (Damage::WithoutTrailer, "last line is missing"),
        (Damage::Replace("harbour", "harvest"), "SHA-256"),
        (Damage::Replace("\"rows\":2}", "\"rows\":3}"), "SHA-256"),
    ] {
        front.damages(damage);
        ends(command(&front, &[there]), 4, said);
        assert!(
            files(folder.path()).is_empty(),
            "{:?}",
            files(folder.path())
        );
    }
}

#[test]
fn a_token_that_access_or_the_vault_refuses_is_told_apart() {
    let (deployed, front, folder) = vault_and_folder();
    let there = folder.path().to_str().unwrap();
    let mut wrong = command(&front, &[there]);
    wrong.env("CF_ACCESS_CLIENT_SECRET", "another");
    ends(wrong, 3, "Cloudflare Access did not accept");
    let unlisted = Front::of(&deployed, "stranger.access");
    ends(command(&unlisted, &[there]), 3, "the vault refused (403)");
    let mut nowhere = command(&front, &[there]);
    nowhere.env("VAULT_URL", "http://127.0.0.1:9");
    ends(nowhere, 3, "could not be reached");
    assert!(files(folder.path()).is_empty());
}

#[test]
fn a_folder_that_cannot_be_written_and_a_full_disk_are_told() {
    let (_deployed, front, folder) = vault_and_folder();
    let file = folder.path().join("file");
    std::fs::write(&file, "no folder").unwrap();
    let inside = file.join("backups");
    ends(
        command(&front, &[inside.to_str().unwrap()]),
        5,
        "cannot make the folder",
    );
    ends(command(&front, &[file.to_str().unwrap()]), 5, "cannot");
    // A file may grow to a kilobyte and no further.
    let mut full = Command::new("bash");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/backup.sh");
    full.args([
        "-c",
        "trap '' XFSZ; ulimit -f 1; exec bash \"$0\" \"$1\"",
        script,
    ]);
    full.arg(folder.path());
    full.env("VAULT_URL", front.url());
    full.env("CF_ACCESS_CLIENT_ID", ID);
    full.env("CF_ACCESS_CLIENT_SECRET", SECRET);
    ends(full, 5, "disk full");
    assert_eq!(files(folder.path()), ["file"]);
}

#[test]
fn what_is_missing_or_careless_is_refused_before_anything_is_sent() {
    let (_deployed, front, folder) = vault_and_folder();
    let there = folder.path().to_str().unwrap();
    ends(command(&front, &[]), 2, "usage");
    ends(
        command(&front, &["--keep", "some", there]),
        2,
        "needs a number",
    );
    ends(command(&front, &[there, "another"]), 2, "one folder");
    for (name, value, said) in [
        ("VAULT_URL", "", "not set"),
        ("VAULT_URL", "http://vault.example.test", "in the clear"),
        ("CF_ACCESS_CLIENT_SECRET", "", "belong together"),
        (
            "CF_ACCESS_CLIENT_ID",
            "x\"\nurl = \"http://evil.test",
            "quote",
        ),
    ] {
        let mut careless = command(&front, &[there]);
        careless.env(name, value);
        ends(careless, 2, said);
    }
    // Nobody reads the token off the command line: the script never puts it there.
    let script = include_str!("../../scripts/backup.sh");
    assert!(!script.contains("curl -H") && !script.contains("--header"));
}
