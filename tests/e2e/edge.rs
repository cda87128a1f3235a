//! The edge: host, route, size, caller, origin.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use memory_vault::api::response::SECURITY_HEADERS;
use memory_vault::limits::BODY_BYTES;
use serde_json::json;

use crate::support::Vault;

#[test]
fn health_and_connect_are_open_and_say_nothing_of_the_vault() {
    // U-200
    let vault = Vault::start();
    vault.remember("Ilse has the boat key");
    assert_eq!(vault.get("/health").expect(200)["status"], "ok");
    let page = vault.get("/connect");
    assert_eq!(page.status, 200);
    assert!(
        page.body.contains(&format!("{}/mcp", vault.url()))
            && !page.body.contains("Ilse")
            && !page.body.contains("ada@")
    );
    let browser = [("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")];
    let read = vault.send("GET", "/connect", &browser, None);
    assert_eq!(read.header("Content-Type"), "text/html; charset=utf-8");
    assert_eq!(read.header("Vary"), "Accept");
    let policy = read.header("Content-Security-Policy");
    assert!(
        policy.contains("style-src 'sha256-") && policy.contains("form-action 'none'"),
        "{policy}"
    );
    assert!(
        read.body
            .contains(&format!("<code>{}/mcp</code>", vault.url()))
            && !read.body.contains("Ilse")
    );
}

/// Whoever makes the answer: the edge, the vault at once, or the vault piece by piece.
#[test]
fn every_answer_carries_a_request_id_and_the_security_headers() {
    let vault = Vault::start();
    let paths = [
        "/health",
        "/api/memories",
        "/api/nothing",
        "/api/openapi.json",
        "/api/backup",
        "/api/export?format=markdown",
        "/",
        "/connect",
    ];
    for path in paths {
        let answer = vault.get(path);
        assert!(answer.header("X-Request-Id").starts_with("req_"), "{path}");
        for (name, value) in SECURITY_HEADERS {
            let own = matches!(name, "Content-Security-Policy" | "Cache-Control");
            assert!(
                answer.header(name) == value || own && !answer.header(name).is_empty(),
                "{path} {name}: {}",
                answer.header(name)
            );
        }
        assert!(
            answer
                .header("Content-Security-Policy")
                .contains("frame-ancestors 'none'"),
            "{path}"
        );
        assert_eq!(answer.header("Access-Control-Allow-Origin"), "", "{path}");
    }
}

/// What comes of a request written byte by byte, after whose end nothing more is sent.
fn written(vault: &Vault, headers: &str, body: &str) -> String {
    use std::io::{Read as _, Write as _};
    let address = vault.url().replace("http://", "");
    let mut stream = std::net::TcpStream::connect(&address).unwrap();
    let head = format!(
        "POST /api/memories HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nConnection: close"
    );
    write!(stream, "{head}\r\n{headers}\r\n\r\n{body}").unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_body_is_taken_whole_or_not_at_all_whether_its_length_is_known_or_not() {
    let vault = Vault::start();
    let body = r#"{"content":"The boat is red"}"#;
    let in_chunks = |body: &str| format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    let cut = written(&vault, "Content-Length: 100", body);
    assert!(
        cut.starts_with("HTTP/1.1 400") && cut.contains("broke off before its end"),
        "{cut}"
    );
    let cut = written(&vault, "Transfer-Encoding: chunked", &in_chunks(body)[..20]);
    assert!(
        cut.starts_with("HTTP/1.1 400") && cut.contains("broke off before its end"),
        "{cut}"
    );
    let long = format!(r#"{{"content":"{}"}}"#, "x".repeat(BODY_BYTES));
    for headers in [
        "Transfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 5",
    ] {
        let answer = written(&vault, headers, &in_chunks(&long));
        assert!(answer.starts_with("HTTP/1.1 413"), "{headers}: {answer}");
    }
    assert_eq!(vault.recall("boat"), [""; 0]);
    let whole = written(&vault, &format!("Content-Length: {}", body.len()), body);
    assert!(whole.starts_with("HTTP/1.1 201"), "{whole}");
    let again = written(&vault, "Transfer-Encoding: chunked", &in_chunks(body));
    assert!(
        again.starts_with("HTTP/1.1 200") && again.contains("duplicate"),
        "{again}"
    );
}

/// Some clients send one with every request; the platform refuses to hand it on.
#[test]
fn a_body_where_none_belongs_is_left_aside() {
    use std::io::{Read as _, Write as _};
    let vault = Vault::start();
    vault.remember("Ilse has the boat key");
    let address = vault.url().replace("http://", "");
    for method in ["GET", "HEAD"] {
        let mut stream = std::net::TcpStream::connect(&address).unwrap();
        write!(
            stream,
            "{method} /api/recall?q=boat HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{{}}"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{method}: {answer}");
        assert_eq!(
            answer.contains("Ilse has the boat key"),
            method == "GET",
            "{answer}"
        );
    }
}

#[test]
fn errors_have_one_form() {
    let vault = Vault::start();
    assert_eq!(vault.get("/api/nothing").refused(404), "not_found");
    let answer = vault.delete("/api/guide");
    assert_eq!(answer.header("Allow"), "GET, PUT");
    assert_eq!(answer.refused(405), "method_not_allowed");
    assert_eq!(
        vault
            .post("/api/memories", json!({ "content": "x".repeat(300_000) }))
            .refused(413),
        "too_large"
    );
    let text = vault.send(
        "POST",
        "/api/memories",
        &[("Content-Type", "text/plain")],
        Some(b"hello"),
    );
    assert_eq!(text.refused(415), "unsupported_media_type");
    let packed = [
        ("Content-Type", "application/json"),
        ("Content-Encoding", "gzip"),
    ];
    assert_eq!(
        vault
            .send("POST", "/api/memories", &packed, Some(b"{}"))
            .refused(415),
        "unsupported_media_type"
    );
    let broken = vault.send(
        "POST",
        "/api/memories",
        &[("Content-Type", "application/json")],
        Some(b"{\"content\": \"my secret"),
    );
    assert!(!broken.body.contains("secret"));
    assert_eq!(broken.refused(400), "invalid_argument");
}

#[test]
fn a_foreign_host_is_misdirected() {
    let vault = Vault::start();
    let strangers = [
        "evil.example.com",
        "localhost.evil.example",
        "evil-localhost",
        "127.0.0.1.evil.example",
    ];
    for host in strangers {
        for path in ["/health", "/api/memories", "/mcp", "/connect"] {
            assert_eq!(
                vault.send("GET", path, &[("Host", host)], None).status,
                421,
                "{host} {path}"
            );
        }
    }
    assert_eq!(
        vault
            .send("GET", "/api/memories", &[("Host", "localhost:8420")], None)
            .status,
        200
    );
}

#[test]
fn a_page_of_another_site_cannot_write() {
    // U-159
    let vault = Vault::start();
    let id = vault.remember("Keep me");
    let host = vault.url();
    let forget = |headers: &[(&str, &str)]| {
        vault.send("POST", &format!("/api/memories/{id}/forget"), headers, None)
    };
    for headers in [
        &[("Origin", "https://evil.example")][..],
        &[("Origin", "null")],
        &[("Sec-Fetch-Site", "cross-site")],
    ] {
        assert_eq!(forget(headers).refused(403), "forbidden", "{headers:?}");
    }
    assert_eq!(
        forget(&[("Origin", &host), ("Sec-Fetch-Site", "same-origin")]).status,
        200
    );
}

#[test]
fn a_proxy_in_front_closes_the_developers_door() {
    let vault = Vault::start();
    for header in [
        "Forwarded",
        "X-Forwarded-For",
        "X-Forwarded-Host",
        "CF-Connecting-IP",
        "CF-Ray",
    ] {
        assert_eq!(
            vault
                .send("GET", "/api/memories", &[(header, "x")], None)
                .refused(401),
            "unauthenticated",
            "{header}"
        );
        assert_eq!(
            vault.send("GET", "/health", &[(header, "x")], None).status,
            200
        );
    }
}

#[test]
fn without_a_sign_in_only_the_public_part_is_served() {
    for variables in [
        &[][..],
        &[("DEV_OWNER_EMAIL", "ada@localhost"), ("ACCESS_AUD", "x")],
    ] {
        let vault = Vault::start_with(variables);
        for path in ["/", "/api/memories", "/api/openapi.json"] {
            assert_eq!(vault.get(path).status, 401, "{path}");
        }
        assert_eq!(
            vault
                .stranger()
                .raw(&[], r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
                .status,
            401
        );
        assert_eq!(vault.get("/health").status, 200);
    }
}

#[test]
fn a_public_url_is_the_only_host_served() {
    let vault = Vault::start_with(&[
        ("DEV_OWNER_EMAIL", "ada@localhost"),
        ("PUBLIC_URL", "https://vault.example.org"),
    ]);
    assert_eq!(vault.get("/health").status, 421);
    let there = |path: &str| vault.send("GET", path, &[("Host", "vault.example.org")], None);
    assert_eq!(there("/health").status, 200);
    assert_eq!(there("/api/memories").status, 401);
}

#[test]
fn a_jurisdiction_that_there_is_not_is_no_vault_and_the_log_names_those_there_are() {
    for (place, status) in [("eu", 200), ("fedramp", 200), (" ", 200), ("mars", 503)] {
        let vault = Vault::start_with(&[("VAULT_JURISDICTION", place)]);
        for _ in 0..2 {
            assert_eq!(vault.get("/health").status, status, "{place}");
        }
        let told = vault
            .log()
            .contains("VAULT_JURISDICTION must be eu or fedramp");
        assert_eq!(told, status == 503, "{place}");
    }
}

#[test]
fn identity_headers_from_outside_mean_nothing() {
    let vault = Vault::start_with(&[]);
    let passed = json!({
        "actor": { "kind": "owner", "email": "eve@example.test" }, "request_id": "req_forged",
        "base_url": "", "address": "", "browser": null, "body_bytes": null, "headers": [],
    });
    let passed = URL_SAFE_NO_PAD.encode(passed.to_string());
    let forged = [("x-vault-passed", passed.as_str())];
    assert_eq!(
        vault.send("GET", "/api/memories", &forged, None).status,
        401
    );
    let vault = Vault::start();
    let body = json!({ "content": "Who am I" }).to_string();
    let headers = [("Content-Type", "application/json"), forged[0]];
    let memory = vault
        .send("POST", "/api/memories", &headers, Some(body.as_bytes()))
        .expect(201);
    assert_eq!(memory["created_by"], "owner:ada@localhost");
}

#[test]
fn get_and_delete_on_mcp_are_405_at_once() {
    // U-186
    let vault = Vault::start();
    for method in ["GET", "DELETE"] {
        let answer = vault
            .mcp()
            .send(method, &[("Accept", "text/event-stream")], None);
        assert_eq!((answer.status, answer.header("Allow")), (405, "POST"));
    }
}

#[test]
fn head_answers_like_get_without_a_body() {
    let vault = Vault::start();
    let answer = vault.send("HEAD", "/health", &[], None);
    assert_eq!((answer.status, answer.body.as_str()), (200, ""));
}
