//! The lines of a backup file: a header, one line a row, a trailer. Each is a JSON object; each ends with a line feed.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::model::time::Timestamp;
use crate::ports::SqlValue;

/// What the header says a file is.
pub const FORMAT: &str = "memory-vault-backup";
/// The version of the lines' form. A file of a later one is refused.
pub const FORMAT_VERSION: i64 = 1;

/// The ending of a file's name: JSON lines.
pub const EXTENSION: &str = "jsonl";

/// The first line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// [`FORMAT`].
    pub format: String,
    /// [`FORMAT_VERSION`].
    pub version: i64,
    /// The schema's version.
    pub schema: i64,
    /// The program's version.
    pub program: String,
    /// The moment that all of the file shows.
    pub made_at: Timestamp,
    /// Whether the embeddings are in it; without them a restore makes them anew.
    pub embeddings: bool,
    /// Its tables, in order.
    pub tables: Vec<TableHeader>,
}

/// A table as the header announces it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableHeader {
    /// The table's name.
    pub name: String,
    /// Its columns. A row leaves out those that are NULL.
    pub columns: Vec<String>,
    /// Its rows.
    pub rows: i64,
}

/// The last line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trailer {
    /// True; what tells it from other lines.
    pub end: bool,
    /// Rows of each table.
    pub counts: std::collections::BTreeMap<String, i64>,
    /// Rows of all.
    pub rows: i64,
    /// SHA-256 of every byte before this line, in lower-case hexadecimal.
    pub sha256: String,
}

/// What the last line begins with, and no other.
pub const TRAILER_START: &[u8] = b"{\"end\":true,";

/// Appends a row's line: `{"table":"memories","row":{…}}`. Bytes are base64; NULL is left out.
pub fn push_row(line: &mut Vec<u8>, table: &str, columns: &[String], values: &[SqlValue]) {
    line.extend_from_slice(b"{\"table\":\"");
    line.extend_from_slice(table.as_bytes());
    line.extend_from_slice(b"\",\"row\":{");
    let mut first = true;
    for (column, value) in columns.iter().zip(values) {
        if *value == SqlValue::Null {
            continue;
        }
        if !first {
            line.push(b',');
        }
        first = false;
        line.push(b'"');
        line.extend_from_slice(column.as_bytes());
        line.extend_from_slice(b"\":");
        let value: serde_json::Value = match value {
            SqlValue::Null => continue,
            SqlValue::Integer(number) => (*number).into(),
            SqlValue::Real(number) => (*number).into(),
            SqlValue::Text(text) => text.as_str().into(),
            SqlValue::Blob(bytes) => STANDARD.encode(bytes).into(),
        };
        line.extend_from_slice(value.to_string().as_bytes());
    }
    line.extend_from_slice(b"}}\n");
}

/// Bytes in lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_one_line_whatever_is_in_it() {
        let columns = ["seq", "content", "vector", "author", "importance"].map(str::to_owned);
        let values = [
            SqlValue::Integer(7),
            SqlValue::Text("two\nlines \"quoted\" \u{2028}".into()),
            SqlValue::Blob(vec![0, 255]),
            SqlValue::Null,
            SqlValue::Real(0.5),
        ];
        let mut line = Vec::new();
        push_row(&mut line, "memories", &columns, &values);
        let expected = "{\"table\":\"memories\",\"row\":{\"seq\":7,\"content\":\"two\\nlines \\\"quoted\\\" \u{2028}\",\"vector\":\"AP8=\",\"importance\":0.5}}\n";
        assert_eq!(String::from_utf8(line).unwrap(), expected);
    }

    #[test]
    fn a_trailer_is_told_by_its_beginning() {
        let trailer = Trailer {
            end: true,
            counts: [("memories".to_owned(), 2)].into(),
            rows: 2,
            sha256: hex(&[0xab, 0x01]),
        };
        let line = serde_json::to_string(&trailer).unwrap();
        assert_eq!(
            line,
            r#"{"end":true,"counts":{"memories":2},"rows":2,"sha256":"ab01"}"#
        );
        assert!(line.as_bytes().starts_with(TRAILER_START));
    }
}
