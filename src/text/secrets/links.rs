//! Passwords in addresses: `postgres://user:password@host`, `https://user:password@host`.

use std::ops::Range;

use super::blocks::{behind, bounded};

/// Bytes of an address that are searched for the `@`.
const AUTHORITY: usize = 320;

/// Bytes of the longest scheme.
const SCHEME: usize = 24;

/// Databases and queues, whose addresses carry passwords with any sign in them, and are wrapped in configuration files.
#[rustfmt::skip]
const SERVERS: &[&str] = &[
    "postgres", "postgresql", "mysql", "mariadb", "mssql", "sqlserver", "mongodb", "srv", "redis", "rediss", "valkey",
    "amqp", "amqps", "clickhouse", "cockroachdb", "oracle", "ldap", "ldaps", "nats", "kafka", "mqtt", "mqtts", "smtp", "smtps",
    "imap", "imaps", "ftp", "ftps", "sftp", "neo4j", "bolt", "asyncpg", "psycopg2", "psycopg", "pymysql", "libsql",
];

/// The password of the address whose `://` begins at a place.
pub(super) fn password(text: &str, colon: usize) -> Option<Range<usize>> {
    let before = behind(text, colon, SCHEME);
    let scheme = before
        .rsplit(|character: char| !character.is_ascii_alphanumeric())
        .next()?
        .to_ascii_lowercase();
    let server = SERVERS.contains(&scheme.as_str());
    if scheme.is_empty() {
        return None;
    }
    let start = colon + "://".len();
    let rest = bounded(text.get(start..)?, AUTHORITY);
    let stops = |character: char| {
        character.is_whitespace() || matches!(character, '"' | '\'' | '`' | '<' | '>' | '|')
    };
    let mut run_end = rest.find(stops).unwrap_or(rest.len());
    let wrapped = rest.get(run_end..).unwrap_or_default();
    let unfinished = rest
        .get(..run_end)
        .is_some_and(|run| run.contains(':') && !run.contains('@'));
    // `<password>` is a placeholder, and a line end may be a wrap.
    if server && unfinished && wrapped.starts_with(['\n', '\r']) {
        let indent = wrapped.len() - wrapped.trim_start().len();
        let next = wrapped.get(indent..).unwrap_or_default();
        run_end += indent + next.find(stops).unwrap_or(next.len());
    }
    let run = rest.get(..run_end)?;
    let authority = run.get(..run.find(['/', '?', '#']).unwrap_or(run.len()))?;
    let at = match authority.rfind('@') {
        Some(at) => at,
        None if server => run.rfind('@')?,
        None => return None,
    };
    let user = run.get(..at)?;
    let (_, password) = user.split_once(':')?;
    let offset = start + at - password.len();
    let placeholder = password.is_empty()
        || password.starts_with(['$', '{', '[', '<', '%'])
        || password
            .bytes()
            .all(|byte| matches!(byte, b'*' | b'x' | b'X' | b'.' | b'_' | b'-'));
    (!placeholder).then_some(offset..start + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<&str> {
        let range = password(text, text.find("://")?)?;
        text.get(range)
    }

    #[test]
    fn only_the_password_of_an_address_is_found() {
        for (address, secret) in [
            ("postgres://u:p@h/db", Some("p")),
            (
                "mongodb+srv://ada:s3cret@cluster.example.net/x",
                Some("s3cret"),
            ),
            ("redis://:abc@localhost:6379/0", Some("abc")),
            ("postgres://u:a/b#c@h/db", Some("a/b#c")),
            ("postgres://u:abc\n  def@h/db", Some("abc\n  def")),
            ("https://ada:pw@example.com/x", Some("pw")),
            ("https://example.com:8080/@ada", None),
            ("https://example.com:8080\nada@example.com", None),
            ("https://example.com/a:b@c", None),
            ("ssh://git@example.com:22/x", None),
            ("postgres://user:${PASS}@h/db", None),
            ("postgres://user:***@h/db", None),
            ("postgres://localhost:5432/db", None),
            ("://a:b@c", None),
        ] {
            assert_eq!(found(address), secret, "{address}");
        }
    }
}
