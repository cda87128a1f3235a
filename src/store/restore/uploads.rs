//! The tables `restore_parts` and `restore_pieces`: the uploaded file.

use crate::error::{Error, Result};
use crate::model::restore::Part;
use crate::ports::Sql;

/// Makes room for a part, in place of what was there under its number. Returns the upload's own number.
pub fn begin(sql: &dyn Sql, part: i64) -> Result<i64> {
    sql.run("DELETE FROM restore_pieces WHERE part = ?", &[part.into()])?;
    let row = sql.first(
        "INSERT INTO restore_parts (part, upload, bytes) VALUES (?, 1, 0) ON CONFLICT (part) DO UPDATE SET \
         upload = upload + 1, bytes = 0, sha256 = NULL RETURNING upload",
        &[part.into()],
    )?;
    row.ok_or_else(|| Error::internal("an upsert returned no row"))?
        .integer(0)
}

/// Whether an upload is still the one its part takes.
pub fn is_current(sql: &dyn Sql, part: i64, upload: i64) -> Result<bool> {
    Ok(sql.count(
        "SELECT count(*) FROM restore_parts WHERE part = ? AND upload = ?",
        &[part.into(), upload.into()],
    )? == 1)
}

/// Adds a piece.
pub fn add(sql: &dyn Sql, part: i64, piece: i64, bytes: &[u8]) -> Result<()> {
    sql.run(
        "INSERT INTO restore_pieces (part, piece, bytes) VALUES (?, ?, ?)",
        &[part.into(), piece.into(), bytes.to_vec().into()],
    )
}

/// Notes that all of a part is there.
pub fn finish(sql: &dyn Sql, part: i64, bytes: i64, sha256: &str) -> Result<()> {
    sql.run(
        "UPDATE restore_parts SET bytes = ?, sha256 = ? WHERE part = ?",
        &[bytes.into(), sha256.into(), part.into()],
    )
}

/// Removes a part.
pub fn remove(sql: &dyn Sql, part: i64) -> Result<()> {
    sql.run("DELETE FROM restore_pieces WHERE part = ?", &[part.into()])?;
    sql.run("DELETE FROM restore_parts WHERE part = ?", &[part.into()])
}

/// Removes all parts.
pub fn remove_all(sql: &dyn Sql) -> Result<()> {
    sql.run("DELETE FROM restore_pieces", &[])?;
    sql.run("DELETE FROM restore_parts", &[])
}

/// All parts, by number.
pub fn parts(sql: &dyn Sql) -> Result<Vec<Part>> {
    sql.query(
        "SELECT part, bytes, sha256 FROM restore_parts ORDER BY part",
        &[],
    )?
    .iter()
    .map(|row| {
        Ok(Part {
            part: row.integer(0)?,
            bytes: row.integer(1)?,
            sha256: row.text_or_null(2)?,
        })
    })
    .collect()
}

/// The first piece at or after this place: `(part, piece, bytes)`.
pub fn piece(sql: &dyn Sql, part: i64, piece: i64) -> Result<Option<(i64, i64, Vec<u8>)>> {
    sql.first(
        "SELECT part, piece, bytes FROM restore_pieces WHERE (part, piece) >= (?, ?) ORDER BY part, piece LIMIT 1",
        &[part.into(), piece.into()],
    )?
    .map(|row| Ok((row.integer(0)?, row.integer(1)?, row.blob(2)?)))
    .transpose()
}

/// The last pieces of the file, in order, with `bytes` in them if there are so many.
pub fn tail(sql: &dyn Sql, bytes: usize) -> Result<Vec<u8>> {
    let mut tail = Vec::new();
    let mut before = (i64::MAX >> 11, 0);
    while tail.len() < bytes {
        let row = sql.first(
            "SELECT part, piece, bytes FROM restore_pieces WHERE (part, piece) < (?, ?) ORDER BY part DESC, piece DESC LIMIT 1",
            &[before.0.into(), before.1.into()],
        )?;
        let Some(row) = row else { break };
        before = (row.integer(0)?, row.integer(1)?);
        let mut piece = row.blob(2)?;
        piece.extend_from_slice(&tail);
        tail = piece;
    }
    Ok(tail)
}
