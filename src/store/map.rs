//! The tables `map_points`, `map_hills` and `map_drawn`: the map as it was last drawn.

use crate::error::Result;
use crate::model::time::Timestamp;
use crate::ports::{Row, Sql};

/// A place on the sheet in ten-thousandths, and the hill it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// From the left.
    pub x: i64,
    /// From the top.
    pub y: i64,
    /// Its hill.
    pub hill: Option<i64>,
}

/// A memory as the map shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapped {
    /// Its key.
    pub seq: i64,
    /// Its id.
    pub id: String,
    /// Its type.
    pub kind: String,
    /// Who wrote it.
    pub created_by: String,
    /// When it came.
    pub created_at: Timestamp,
    /// Its place, if it has one yet.
    pub place: Option<Place>,
}

/// A hill as it was last drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hill {
    /// Its number.
    pub hill: i64,
    /// Its top, from the left.
    pub x: i64,
    /// And from above.
    pub y: i64,
    /// Its name; `None` where it has to be found anew.
    pub name: Option<String>,
}

/// What the map was drawn from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawn {
    /// The model whose vectors lay under it.
    pub model: String,
    /// Points it had.
    pub points: i64,
    /// When.
    pub at: Timestamp,
    /// Points put in since.
    pub late: i64,
}

/// Memories on the map: those in force that no agent asked to forget.
const SHOWN: &str = "m.status = 'active' AND m.forget_requested_at IS NULL";

/// The newest memories in force, with their places.
pub fn memories(sql: &dyn Sql, limit: usize) -> Result<Vec<Mapped>> {
    let statement = format!(
        "SELECT m.seq, m.id, m.type, m.created_by, m.created_at, p.x, p.y, p.hill FROM memories m \
         LEFT JOIN map_points p ON p.memory_seq = m.seq WHERE {SHOWN} ORDER BY m.seq DESC LIMIT ?"
    );
    let mapped = |row: &Row| {
        let place = match (row.integer_or_null(5)?, row.integer_or_null(6)?) {
            (Some(x), Some(y)) => Some(Place {
                x,
                y,
                hill: row.integer_or_null(7)?,
            }),
            _ => None,
        };
        Ok(Mapped {
            seq: row.integer(0)?,
            id: row.text(1)?,
            kind: row.text(2)?,
            created_by: row.text(3)?,
            created_at: Timestamp::from_millis(row.integer(4)?),
            place,
        })
    };
    sql.query(&statement, &[(limit as i64).into()])?
        .iter()
        .map(mapped)
        .collect()
}

/// How many there are in all.
pub fn count(sql: &dyn Sql) -> Result<i64> {
    sql.count(
        &format!("SELECT count(*) FROM memories m WHERE {SHOWN}"),
        &[],
    )
}

/// Keys and vectors of the newest memories in force, newest first.
pub fn vectors(sql: &dyn Sql, model: &str, limit: usize) -> Result<Vec<(i64, Option<Vec<u8>>)>> {
    let statement = format!(
        "SELECT m.seq, s.vector FROM memories m LEFT JOIN memory_sense s ON s.memory_seq = m.seq AND s.model = ? \
         WHERE {SHOWN} ORDER BY m.seq DESC LIMIT ?"
    );
    sql.query(&statement, &[model.into(), (limit as i64).into()])?
        .iter()
        .map(|row| Ok((row.integer(0)?, row.blob(1).ok())))
        .collect()
}

/// The beginnings of the texts on the map and their hills.
pub fn texts(sql: &dyn Sql, chars: usize, limit: usize) -> Result<Vec<(String, Option<i64>)>> {
    let statement = format!(
        "SELECT substr(m.content, 1, ?), p.hill FROM memories m JOIN map_points p ON p.memory_seq = m.seq \
         WHERE {SHOWN} ORDER BY m.seq DESC LIMIT ?"
    );
    sql.query(&statement, &[(chars as i64).into(), (limit as i64).into()])?
        .iter()
        .map(|row| Ok((row.text(0)?, row.integer_or_null(1)?)))
        .collect()
}

/// The hills.
pub fn hills(sql: &dyn Sql) -> Result<Vec<Hill>> {
    sql.query("SELECT hill, x, y, name FROM map_hills ORDER BY hill", &[])?
        .iter()
        .map(|row| {
            Ok(Hill {
                hill: row.integer(0)?,
                x: row.integer(1)?,
                y: row.integer(2)?,
                name: row.text_or_null(3)?,
            })
        })
        .collect()
}

/// Gives a hill its name.
pub fn put_name(sql: &dyn Sql, hill: i64, name: &str) -> Result<()> {
    sql.run(
        "UPDATE map_hills SET name = ? WHERE hill = ?",
        &[name.into(), hill.into()],
    )
}

/// What the map was drawn from; `None` before the first time.
pub fn drawn(sql: &dyn Sql) -> Result<Option<Drawn>> {
    let late = sql.count("SELECT count(*) FROM map_points WHERE late = 1", &[])?;
    sql.first("SELECT model, points, drawn_at FROM map_drawn", &[])?
        .map(|row| {
            Ok(Drawn {
                model: row.text(0)?,
                points: row.integer(1)?,
                at: Timestamp::from_millis(row.integer(2)?),
                late,
            })
        })
        .transpose()
}

/// Puts a memory on the map that stands.
pub fn put_late(sql: &dyn Sql, seq: i64, place: Place) -> Result<()> {
    put(sql, seq, place, true)
}

fn put(sql: &dyn Sql, seq: i64, place: Place, late: bool) -> Result<()> {
    sql.run(
        "INSERT INTO map_points (memory_seq, x, y, hill, late) VALUES (?, ?, ?, ?, ?) ON CONFLICT (memory_seq) \
         DO UPDATE SET x = excluded.x, y = excluded.y, hill = excluded.hill, late = excluded.late",
        &[seq.into(), place.x.into(), place.y.into(), place.hill.into(), late.into()],
    )
}

/// Replaces the map. Part of the caller's transaction.
pub fn replace(
    sql: &dyn Sql,
    model: &str,
    at: Timestamp,
    points: &[(i64, Place)],
    hills: &[Hill],
) -> Result<()> {
    sql.run("DELETE FROM map_points", &[])?;
    sql.run("DELETE FROM map_hills", &[])?;
    for (seq, place) in points {
        put(sql, *seq, *place, false)?;
    }
    for hill in hills {
        sql.run(
            "INSERT INTO map_hills (hill, x, y, name) VALUES (?, ?, ?, ?)",
            &[
                hill.hill.into(),
                hill.x.into(),
                hill.y.into(),
                hill.name.clone().into(),
            ],
        )?;
    }
    sql.run(
        "INSERT INTO map_drawn (only_row, model, points, drawn_at) VALUES (1, ?, ?, ?) ON CONFLICT (only_row) \
         DO UPDATE SET model = excluded.model, points = excluded.points, drawn_at = excluded.drawn_at",
        &[model.into(), (points.len() as i64).into(), at.millis().into()],
    )
}
