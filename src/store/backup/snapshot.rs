//! Tables as they were at one moment, read while the vault goes on working.
//!
//! A run has, for each of its tables, a table `before_<run>_<table>` into which three triggers put what a row was before its
//! first change since the run began (or that it was not there). A page of the table is then: its unchanged rows, and the old
//! ones of the rest. Primary keys are never updated in this vault, and `INSERT OR REPLACE` is not used on these tables (it
//! would delete without a trigger).

use crate::error::{Error, Result};
use crate::model::time::Timestamp;
use crate::ports::{Row, Sql, SqlValue};
use crate::store::backup::tables::Table;

/// A table's columns, as its schema has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns {
    /// Names, in order.
    pub names: Vec<String>,
    /// Places of the columns of the primary key, in the key's order.
    pub key: Vec<usize>,
    /// For each column, whether it holds bytes.
    pub bytes: Vec<bool>,
}

impl Columns {
    fn key_names(&self) -> Vec<&str> {
        let name = |place: &usize| self.names.get(*place).map(String::as_str);
        self.key.iter().filter_map(name).collect()
    }

    /// A row's key.
    pub fn key_of(&self, row: &Row) -> Vec<SqlValue> {
        let value = |place: &usize| row.0.get(*place).cloned();
        self.key.iter().filter_map(value).collect()
    }
}

/// Reads a table's columns.
pub fn columns(sql: &dyn Sql, table: &str) -> Result<Columns> {
    let rows = sql.query(&format!("PRAGMA table_info({table})"), &[])?;
    let mut columns = Columns {
        names: Vec::new(),
        key: Vec::new(),
        bytes: Vec::new(),
    };
    let mut key = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        columns.names.push(row.text(1)?);
        columns.bytes.push(row.text(2)? == "BLOB");
        let rank = row.integer(5)?;
        if rank > 0 {
            key.push((rank, place));
        }
    }
    if key.is_empty() {
        return Err(Error::internal(format!("{table} has no primary key")));
    }
    key.sort_unstable();
    columns.key = key.into_iter().map(|(_, place)| place).collect();
    Ok(columns)
}

/// How many rows a table has.
pub fn rows(sql: &dyn Sql, table: &str) -> Result<i64> {
    sql.count(&format!("SELECT count(*) FROM {table}"), &[])
}

fn before(run: i64, table: &str) -> String {
    format!("before_{run}_{table}")
}

/// Begins a run over these tables: from now on [`page`] shows them as they are at this moment. Part of the caller's
/// transaction.
pub fn begin(sql: &dyn Sql, tables: &[(Table, Columns)], now: Timestamp) -> Result<i64> {
    let row = sql.first(
        "INSERT INTO backup_runs (began_at, read_at) VALUES (?, ?) RETURNING id",
        &[now.millis().into(), now.millis().into()],
    )?;
    let run = row
        .ok_or_else(|| Error::internal("an insert returned no key"))?
        .integer(0)?;
    for (table, columns) in tables {
        let (table, before) = (table.name, before(run, table.name));
        let (all, keys) = (columns.names.join(", "), columns.key_names());
        let key = keys.join(", ");
        let of = |row: &str, names: &[&str], and: &str| {
            let named = names.iter().map(|name| match and {
                "" => format!("{row}.{name}"),
                _ => format!("{name} = {row}.{name}"),
            });
            named
                .collect::<Vec<_>>()
                .join(if and.is_empty() { ", " } else { and })
        };
        let names: Vec<&str> = columns.names.iter().map(String::as_str).collect();
        let unless_known = |row: &str| {
            format!(
                "WHERE NOT EXISTS (SELECT 1 FROM {before} WHERE {})",
                of(row, &keys, " AND ")
            )
        };
        let remember_old = format!(
            "INSERT INTO {before} (existed, {all}) SELECT 1, {} {}",
            of("old", &names, ""),
            unless_known("old")
        );
        let remember_new = format!(
            "INSERT INTO {before} (existed, {key}) SELECT 0, {} {}",
            of("new", &keys, ""),
            unless_known("new")
        );
        for statement in [
            format!("CREATE TABLE {before} (existed INTEGER NOT NULL, {all}, PRIMARY KEY ({key}))"),
            format!(
                "CREATE TRIGGER {before}_insert AFTER INSERT ON {table} BEGIN {remember_new}; END"
            ),
            format!(
                "CREATE TRIGGER {before}_update BEFORE UPDATE ON {table} BEGIN {remember_old}; END"
            ),
            format!(
                "CREATE TRIGGER {before}_delete BEFORE DELETE ON {table} BEGIN {remember_old}; END"
            ),
        ] {
            sql.run(&statement, &[])?;
        }
    }
    Ok(run)
}

/// The next rows after a key, by key.
pub fn page(
    sql: &dyn Sql,
    run: i64,
    table: &Table,
    columns: &Columns,
    after: Option<&[SqlValue]>,
) -> Result<Vec<Row>> {
    let (name, before) = (table.name, before(run, table.name));
    let (all, keys) = (columns.names.join(", "), columns.key_names());
    let key = keys.join(", ");
    let same: Vec<String> = keys
        .iter()
        .map(|key| format!("b.{key} = t.{key}"))
        .collect();
    let places = vec!["?"; keys.len()].join(", ");
    let later = match after {
        Some(_) => format!("({key}) > ({places})"),
        None => "1".to_owned(),
    };
    let statement = format!(
        "SELECT {all} FROM {name} t WHERE {later} AND NOT EXISTS (SELECT 1 FROM {before} b WHERE {}) \
         UNION ALL SELECT {all} FROM {before} WHERE existed = 1 AND {later} ORDER BY {key} LIMIT ?",
        same.join(" AND ")
    );
    let mut parameters: Vec<SqlValue> = Vec::new();
    for _ in 0..2 {
        parameters.extend(after.unwrap_or_default().iter().cloned());
    }
    parameters.push((table.rows as i64).into());
    sql.query(&statement, &parameters)
}

/// Whether a run still goes on; notes that it was read.
pub fn is_running(sql: &dyn Sql, run: i64, now: Timestamp) -> Result<bool> {
    let Some(row) = sql.first(
        "SELECT read_at FROM backup_runs WHERE id = ?",
        &[run.into()],
    )?
    else {
        return Ok(false);
    };
    // Not with every page: a run reads many a second.
    if now.millis() - row.integer(0)? >= NOTE_MILLIS {
        sql.run(
            "UPDATE backup_runs SET read_at = ? WHERE id = ?",
            &[now.millis().into(), run.into()],
        )?;
    }
    Ok(true)
}

/// How exactly `read_at` is kept.
const NOTE_MILLIS: i64 = 30_000;

/// How many runs go on.
pub fn count(sql: &dyn Sql) -> Result<i64> {
    sql.count("SELECT count(*) FROM backup_runs", &[])
}

/// Runs that nobody has read since `until`.
pub fn idle(sql: &dyn Sql, until: Timestamp) -> Result<Vec<i64>> {
    sql.query(
        "SELECT id FROM backup_runs WHERE read_at <= ?",
        &[until.millis().into()],
    )?
    .iter()
    .map(|row| row.integer(0))
    .collect()
}

/// Ends a run and drops what it kept; one that has ended already stays so. Part of the caller's transaction.
pub fn end(sql: &dyn Sql, run: i64) -> Result<()> {
    let ours = format!("before\\_{run}\\_%");
    for (kind, drop) in [("trigger", "DROP TRIGGER"), ("table", "DROP TABLE")] {
        let names = sql.query(
            "SELECT name FROM sqlite_master WHERE type = ? AND name LIKE ? ESCAPE '\\'",
            &[kind.into(), (&ours).into()],
        )?;
        for name in names {
            sql.run(&format!("{drop} {}", name.text(0)?), &[])?;
        }
    }
    sql.run("DELETE FROM backup_runs WHERE id = ?", &[run.into()])
}

/// Ends all runs, for a program that has just started and so reads none. Works on a schema of any version.
pub fn end_all(sql: &dyn Sql) -> Result<()> {
    let known = sql.count(
        "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'backup_runs'",
        &[],
    )?;
    if known == 0 || count(sql)? == 0 {
        return Ok(());
    }
    sql.in_transaction(|| {
        for run in sql.query("SELECT id FROM backup_runs", &[])? {
            end(sql, run.integer(0)?)?;
        }
        Ok(())
    })
}
