//! The readable export: memories as Markdown, JSON or CSV, for a person or another program. It is not a backup: it leaves out
//! history, exclusions, the guide, settings and the audit log, and it says so.

use crate::error::{Error, Result};
use crate::limits;
use crate::model::actor::{Actor, Permission};
use crate::model::audit::Action;
use crate::model::memory::{Filter, Memory, Status, words};
use crate::model::time::Timestamp;
use crate::ports::Sql;
use crate::store;
use crate::text::readable;
use crate::vault::Vault;
use crate::vault::chunks::Chunks;

words! {
    /// The form of an export.
    ExportFormat("format") {
        /// To read.
        Markdown = "md",
        /// To process.
        Json = "json",
        /// For a spreadsheet.
        Csv = "csv",
    }
}

/// What every export says of itself where its form has a place for it.
pub const NOTE: &str = "This is a readable export, not a backup: history, exclusions, guide, settings and audit log are not in it. \
    A backup is GET /api/backup.";

/// An export that is being read. Oldest memories first; what is stored after it began is not in it.
#[derive(Debug)]
pub struct Export {
    format: ExportFormat,
    filter: Filter,
    after: i64,
    until: i64,
    stage: Stage,
    began_at: Timestamp,
}

#[derive(Debug, PartialEq)]
enum Stage {
    Head,
    Rows { first: bool },
    Done,
}

/// Begins an export of memories of these statuses; without any, of the active ones. What an agent asked to forget is left out.
pub fn begin(
    vault: &Vault<'_>,
    actor: &Actor,
    format: ExportFormat,
    statuses: Vec<Status>,
) -> Result<Export> {
    actor.require(Permission::Backup)?;
    let statuses = if statuses.is_empty() {
        vec![Status::Active]
    } else {
        statuses
    };
    vault.sql.in_transaction(|| {
        let details = serde_json::json!({ "format": format });
        vault.audit(actor, Action::Export, None, Some(details))
    })?;
    Ok(Export {
        format,
        filter: Filter {
            statuses,
            ..Filter::default()
        },
        after: 0,
        until: store::memories::newest_seq(vault.sql)?,
        stage: Stage::Head,
        began_at: vault.now(),
    })
}

impl Export {
    /// What the file is called.
    pub fn file_name(&self) -> String {
        let day: String = self
            .began_at
            .rfc3339()
            .chars()
            .take("2026-03-10".len())
            .collect();
        format!(
            "memories-{day}-export-not-a-backup.{}",
            self.format.as_str()
        )
    }

    fn head(&self, sql: &dyn Sql) -> Result<String> {
        let count = store::memories::count(sql, &self.filter)?;
        let statuses: Vec<&str> = self
            .filter
            .statuses
            .iter()
            .map(|status| status.as_str())
            .collect();
        let at = self.began_at.rfc3339();
        Ok(match self.format {
            ExportFormat::Markdown => format!(
                "# Memories\n\n> {NOTE}\n\nExported {at}; {count} memories, {}.\n",
                statuses.join(", ")
            ),
            ExportFormat::Json => format!(
                "{{\"format\":\"memory-vault-export\",\"note\":{},\"exported_at\":\"{at}\",\"statuses\":{},\"memories\":[",
                serde_json::Value::from(NOTE),
                serde_json::Value::from(statuses)
            ),
            ExportFormat::Csv => {
                let names = COLUMNS.map(|(name, _)| name);
                format!("{}\r\n", names.join(","))
            }
        })
    }

    fn tail(&self) -> &'static str {
        match self.format {
            ExportFormat::Json => "\n]}\n",
            ExportFormat::Markdown | ExportFormat::Csv => "",
        }
    }

    fn write(&self, memory: &Memory, first: bool, text: &mut String) -> Result<()> {
        match self.format {
            ExportFormat::Markdown => markdown(memory, text),
            ExportFormat::Csv => {
                let cells = COLUMNS.map(|(_, cell)| readable::csv_cell(&cell(memory)));
                text.push_str(&cells.join(","));
                text.push_str("\r\n");
            }
            ExportFormat::Json => {
                text.push_str(if first { "\n" } else { ",\n" });
                let json = serde_json::to_string(memory)
                    .map_err(|_| Error::internal("a memory does not serialise"))?;
                text.push_str(&json);
            }
        }
        Ok(())
    }
}

/// A column's name and what stands in it.
type Column = (&'static str, fn(&Memory) -> String);

fn or_empty(text: &Option<String>) -> String {
    text.clone().unwrap_or_default()
}

const COLUMNS: [Column; 16] = [
    ("id", |memory| memory.id.clone()),
    ("status", |memory| memory.status.as_str().to_owned()),
    ("content", |memory| memory.content.clone()),
    ("type", |memory| memory.memory_type.as_str().to_owned()),
    ("tier", |memory| memory.tier.as_str().to_owned()),
    ("importance", |memory| memory.importance.to_string()),
    ("tags", |memory| memory.tags.join(" ")),
    ("author", |memory| or_empty(&memory.author)),
    ("session", |memory| or_empty(&memory.session)),
    ("source", |memory| or_empty(&memory.source)),
    ("source_date", |memory| or_empty(&memory.source_date)),
    ("supersedes", |memory| or_empty(&memory.supersedes)),
    ("valid_from", |memory| memory.valid_from.rfc3339()),
    ("created_by", |memory| memory.created_by.clone()),
    ("created_at", |memory| memory.created_at.rfc3339()),
    ("updated_at", |memory| memory.updated_at.rfc3339()),
];

fn markdown(memory: &Memory, text: &mut String) {
    let mut labels = vec![
        format!("`{}`", memory.id),
        memory.memory_type.as_str().to_owned(),
        memory.status.as_str().to_owned(),
        format!("stored {}", memory.created_at.rfc3339()),
    ];
    let mut also = |name: &str, label: &Option<String>| {
        if let Some(label) = label {
            labels.push(format!("{name} {}", readable::markdown(label)));
        }
    };
    also("dated", &memory.source_date);
    also("said by", &memory.author);
    also("from", &memory.source);
    also("replaces", &memory.supersedes);
    also("replaced by", &memory.superseded_by);
    if !memory.tags.is_empty() {
        labels.push(format!(
            "tags {}",
            readable::markdown(&memory.tags.join(", "))
        ));
    }
    text.push_str("\n---\n\n");
    text.push_str(&readable::markdown(&memory.content));
    text.push_str("\n\n*");
    text.push_str(&labels.join(" · "));
    text.push_str("*\n");
}

impl Chunks for Export {
    fn next(&mut self, sql: &dyn Sql, _now: Timestamp) -> Result<Option<Vec<u8>>> {
        let Stage::Rows { mut first } = self.stage else {
            if self.stage == Stage::Done {
                return Ok(None);
            }
            self.stage = Stage::Rows { first: true };
            return Ok(Some(self.head(sql)?.into_bytes()));
        };
        let mut text = String::new();
        while text.len() < limits::CHUNK_BYTES {
            let page = store::memories::list_up(
                sql,
                &self.filter,
                self.after,
                self.until,
                limits::EXPORT_ROWS,
            )?;
            for memory in &page {
                self.write(memory, first, &mut text)?;
                first = false;
            }
            match page.last().filter(|_| page.len() == limits::EXPORT_ROWS) {
                Some(last) => self.after = last.seq,
                None => {
                    text.push_str(self.tail());
                    self.stage = Stage::Done;
                    return Ok(Some(text.into_bytes()));
                }
            }
        }
        self.stage = Stage::Rows { first };
        Ok(Some(text.into_bytes()))
    }

    fn end(&mut self, _sql: &dyn Sql) {}
}
