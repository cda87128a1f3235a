//! The backup: one file that holds everything the vault knows, as it is at the moment the file begins. What is written while
//! it is read is not in it; what is destroyed meanwhile still is, and is gone with the end of the reading.

use sha2::{Digest as _, Sha256};

use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::model::actor::{Actor, Permission};
use crate::model::audit::Action;
use crate::model::backup::{
    self, FORMAT, FORMAT_VERSION, Header, TableHeader, Trailer, hex, push_row,
};
use crate::model::time::{MINUTE_MILLIS, Timestamp};
use crate::ports::{Sql, SqlValue};
use crate::store::backup::snapshot::{self, Columns};
use crate::store::backup::tables::{TABLES, Table};
use crate::store::migrations;
use crate::vault::Vault;
use crate::vault::agenda::{self, JobKind, Next};
use crate::vault::chunks::Chunks;

/// A backup that is being read.
#[derive(Debug)]
pub struct Backup {
    run: i64,
    tables: Vec<(Table, Columns)>,
    header: Header,
    stage: Stage,
    hash: Sha256,
}

#[derive(Debug)]
enum Stage {
    Header,
    Rows {
        table: usize,
        after: Option<Vec<SqlValue>>,
        rows: Vec<i64>,
    },
    Done,
}

/// Begins a backup.
///
/// # Errors
/// `conflict` while [`limits::BACKUPS_AT_ONCE`] others are being read.
pub fn begin(vault: &Vault<'_>, actor: &Actor, embeddings: bool) -> Result<Backup> {
    actor.require(Permission::Backup)?;
    vault.sql.in_transaction(|| {
        let now = vault.now();
        end_idle_runs(vault)?;
        if snapshot::count(vault.sql)? >= limits::BACKUPS_AT_ONCE {
            let message = format!(
                "{} backups are being read already; wait until one has ended, or {} minutes after it broke off",
                limits::BACKUPS_AT_ONCE,
                limits::BACKUP_IDLE_MINUTES
            );
            return Err(Error::new(Kind::Conflict, message));
        }
        let details = serde_json::json!({ "embeddings": embeddings });
        vault.audit(actor, Action::Backup, None, Some(details))?;
        let mut tables = Vec::new();
        for table in TABLES {
            if embeddings || !table.vectors {
                tables.push((*table, snapshot::columns(vault.sql, table.name)?));
            }
        }
        let mut announced = Vec::new();
        for (table, columns) in &tables {
            announced.push(TableHeader {
                name: table.name.to_owned(),
                columns: columns.names.clone(),
                rows: snapshot::rows(vault.sql, table.name)?,
            });
        }
        let run = snapshot::begin(vault.sql, &tables, now)?;
        agenda::schedule(
            vault,
            JobKind::EndIdleBackups,
            now.plus_millis(limits::BACKUP_IDLE_MINUTES * MINUTE_MILLIS),
        )?;
        Ok(Backup {
            run,
            tables,
            header: Header {
                format: FORMAT.to_owned(),
                version: FORMAT_VERSION,
                schema: migrations::newest(),
                program: env!("CARGO_PKG_VERSION").to_owned(),
                made_at: now,
                embeddings,
                tables: announced,
            },
            stage: Stage::Header,
            hash: Sha256::new(),
        })
    })
}

impl Backup {
    /// When it was begun.
    pub fn made_at(&self) -> Timestamp {
        self.header.made_at
    }

    fn trailer(&self, rows: &[i64]) -> Result<Vec<u8>> {
        for (table, counted) in self.header.tables.iter().zip(rows) {
            if table.rows != *counted {
                return Err(Error::internal(format!(
                    "{} has {} rows in the backup's header and {counted} in the backup",
                    table.name, table.rows
                )));
            }
        }
        let names = self.header.tables.iter().map(|table| table.name.clone());
        line(&Trailer {
            end: true,
            counts: names.zip(rows.iter().copied()).collect(),
            rows: rows.iter().sum(),
            sha256: hex(&self.hash.clone().finalize()),
        })
    }
}

fn line<T: serde::Serialize>(value: &T) -> Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)
        .map_err(|_| Error::internal("a line of the backup does not serialise"))?;
    line.push(b'\n');
    Ok(line)
}

impl Chunks for Backup {
    fn next(&mut self, sql: &dyn Sql, now: Timestamp) -> Result<Option<Vec<u8>>> {
        let Stage::Rows { table, after, rows } = &mut self.stage else {
            if matches!(self.stage, Stage::Done) {
                return Ok(None);
            }
            let header = line(&self.header)?;
            self.hash.update(&header);
            self.stage = Stage::Rows {
                table: 0,
                after: None,
                rows: vec![0],
            };
            return Ok(Some(header));
        };
        if !snapshot::is_running(sql, self.run, now)? {
            return Err(Error::new(
                Kind::Unavailable,
                "the backup was ended: nobody read on for too long, or a restore took place",
            ));
        }
        let mut chunk = Vec::new();
        while chunk.len() < limits::CHUNK_BYTES {
            let Some((described, columns)) = self.tables.get(*table) else {
                break;
            };
            let page = snapshot::page(sql, self.run, described, columns, after.as_deref())?;
            for row in &page {
                push_row(&mut chunk, described.name, &columns.names, &row.0);
            }
            if let Some(count) = rows.get_mut(*table) {
                *count += page.len() as i64;
            }
            match page.last().filter(|_| page.len() == described.rows) {
                Some(last) => *after = Some(columns.key_of(last)),
                None => {
                    *table += 1;
                    *after = None;
                    rows.push(0);
                }
            }
        }
        self.hash.update(&chunk);
        if *table >= self.tables.len() {
            let rows = std::mem::take(rows);
            chunk.extend(self.trailer(&rows)?);
            self.stage = Stage::Done;
            self.end(sql);
        }
        Ok(Some(chunk))
    }

    fn end(&mut self, sql: &dyn Sql) {
        // What fails here is done by the job that ends idle runs.
        let _ = sql.in_transaction(|| snapshot::end(sql, self.run));
    }
}

/// Ends backups that nobody reads on (the alarm's job): a caller that breaks off is not always noticed.
pub(crate) fn end_idle(vault: &Vault<'_>) -> Result<Next> {
    end_idle_runs(vault)?;
    Ok(if snapshot::count(vault.sql)? == 0 {
        Next::Done
    } else {
        Next::Again(
            vault
                .now()
                .plus_millis(limits::BACKUP_IDLE_MINUTES * MINUTE_MILLIS),
        )
    })
}

fn end_idle_runs(vault: &Vault<'_>) -> Result<()> {
    let until = vault
        .now()
        .plus_millis(-limits::BACKUP_IDLE_MINUTES * MINUTE_MILLIS);
    for run in snapshot::idle(vault.sql, until)? {
        snapshot::end(vault.sql, run)?;
    }
    Ok(())
}

/// What a backup file is called.
pub fn file_name(made_at: Timestamp) -> String {
    // No colons: some file systems refuse them.
    let stamp: String = made_at
        .rfc3339()
        .chars()
        .take("2026-03-10T02:00:00".len())
        .filter(|letter| *letter != ':')
        .collect();
    format!("memory-vault-{stamp}Z.{}", backup::EXTENSION)
}
