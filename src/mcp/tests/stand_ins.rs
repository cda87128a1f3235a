//! Ports that a test can see through.

use serde_json::json;

use super::ID;
use crate::error::Error;
use crate::limits;
use crate::ports::{
    Clock, Fetch, FetchFailure, FetchRequest, Fetched, Later, Random, Row, Sql, SqlValue,
};

/// A database that answers every question about memories with as many copies of one memory, and the guide with its text.
pub(super) struct Canned {
    pub(super) content: String,
    label: String,
    tags: Vec<String>,
    copies: i64,
    pub(super) guide: String,
}

impl Canned {
    pub(super) fn of(content: &str, copies: i64) -> Self {
        Canned {
            content: content.into(),
            label: "notes".into(),
            tags: Vec::new(),
            copies,
            guide: "Follow me.".into(),
        }
    }

    /// The largest memory there can be, of one character throughout.
    pub(super) fn filled(character: char, copies: i64) -> Self {
        let text = |bytes: usize| character.to_string().repeat(bytes / character.len_utf8());
        Canned {
            content: text(limits::MEMORY_BYTES),
            label: character.to_string().repeat(limits::LABEL_CHARS),
            tags: vec![character.to_string().repeat(limits::TAG_CHARS); limits::TAGS],
            copies,
            guide: text(limits::GUIDE_BYTES),
        }
    }

    fn memory(&self, seq: i64) -> Row {
        let text = |text: &str| SqlValue::from(text);
        let at = || SqlValue::Integer(1_773_129_600_000);
        Row(vec![
            seq.into(),
            text(ID),
            text("superseded"),
            text("replaced"),
            text(&self.content),
            text("hash"),
            text("preference"),
            text("short"),
            0.123_456_789_012_345_6.into(),
            json!(self.tags).to_string().into(),
            text(&self.label),
            text(&self.label),
            text(&self.label),
            text("2026-03-10T09:00:00.000Z"),
            at(),
            text(ID),
            text(ID),
            at(),
            at(),
            text(ID),
            text(ID),
            text("mcp:Claude"),
            at(),
            at(),
            at(),
            SqlValue::Null,
            SqlValue::Null,
            0.123.into(),
            text("instructions,hidden_text"),
            [ID; 10].join(",").into(),
        ])
    }
}

impl Sql for Canned {
    fn query(&self, statement: &str, _: &[SqlValue]) -> Result<Vec<Row>, Error> {
        let rows = 1..=self.copies;
        Ok(
            if statement.contains("memory_sense") || statement.contains("memory_changes") {
                Vec::new()
            } else if statement.starts_with("INSERT INTO rates") {
                vec![Row(vec![1.into()])]
            } else if statement.contains("FROM guide_versions") {
                let row: Vec<SqlValue> =
                    vec![1.into(), (&self.guide).into(), 0.into(), "vault".into()];
                vec![Row(row)]
            } else if statement.contains("group_concat(rowid)") {
                let keys: Vec<String> = rows.map(|seq: i64| seq.to_string()).collect();
                vec![Row(vec![keys.join(",").into()])]
            } else if statement.contains("bm25") {
                let total = SqlValue::from(self.copies);
                rows.map(|seq| Row(vec![seq.into(), 6.0.into(), total.clone()]))
                    .collect()
            } else if statement.contains("count(") || statement.contains("max(") {
                vec![Row(vec![self.copies.into()])]
            } else if statement.starts_with("SELECT id FROM memories") {
                rows.map(|_| Row(vec![ID.into()])).collect()
            } else if statement.ends_with("WHERE m.id = ?")
                || statement.ends_with("WHERE m.seq = ?")
            {
                rows.take(1).map(|seq| self.memory(seq)).collect()
            } else if statement.starts_with("SELECT m.seq") {
                rows.map(|seq| self.memory(seq)).collect()
            } else {
                Vec::new()
            },
        )
    }

    fn transaction(&self, body: &mut dyn FnMut() -> Result<(), Error>) -> Result<(), Error> {
        body()
    }

    fn size(&self) -> u64 {
        0
    }
}

/// A database that is gone.
pub(super) struct Broken;

impl Sql for Broken {
    fn query(&self, _: &str, _: &[SqlValue]) -> Result<Vec<Row>, Error> {
        Err(Error::internal("disk I/O error near table memories"))
    }

    fn transaction(&self, body: &mut dyn FnMut() -> Result<(), Error>) -> Result<(), Error> {
        body()
    }

    fn size(&self) -> u64 {
        0
    }
}

pub(super) struct Still;

impl Clock for Still {
    fn now_millis(&self) -> i64 {
        1_773_129_600_000
    }

    fn offset_minutes(&self, _: &str, _: i64) -> Option<i32> {
        Some(0)
    }
}

impl Random for Still {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), Error> {
        bytes.fill(7);
        Ok(())
    }
}

impl Fetch for Still {
    fn get<'a>(&'a self, _: FetchRequest<'a>) -> Later<'a, Result<Fetched, FetchFailure>> {
        Box::pin(async { Err(FetchFailure::Unreachable) })
    }
}
