//! The map of the vault: every memory in force as a point, what means the same close together.
//!
//! It is drawn once and kept; what is new is put beside what it resembles, and when much has changed the map is drawn anew,
//! from where everything lay, so that it stays recognisable. A small one is drawn at once, a large one in the background.
//! Refuses nothing: a vault without memories has an empty map.

use std::collections::HashMap;

use serde::Serialize;

use crate::embed::MODEL_ID;
use crate::embed::vector::{Vector, Vectors};
use crate::error::Result;
use crate::limits;
use crate::map::{Point, hills, names, sheet};
use crate::model::actor::{Actor, Permission};
use crate::model::time::{Timestamp, local_date};
use crate::store;
use crate::store::map::{Drawn, Hill, Mapped, Place};
use crate::vault::Vault;
use crate::vault::agenda::{self, JobKind, Next};

/// Places are kept in these parts of the sheet's width and height.
const PARTS: f32 = 10_000.0;
/// Changes after which the map is drawn anew: at least so many, and one in so many of its points.
const CHANGES: i64 = 12;
const CHANGED_SHARE: i64 = 10;
/// A map of fewer points is drawn anew whenever anything changed: the second memory would lie aside of the first one, and the
/// twelfth still.
const SMALL_MAP: usize = 40;
/// A map of so many points is drawn while one waits (a tenth of a second); a larger one in the background.
const DRAWN_AT_ONCE: usize = 600;
/// New memories put on the map that stands in one call; each is compared with all that are there.
const PUT_AT_ONCE: usize = 60;
/// Points a new one is put between.
const BETWEEN: usize = 3;
/// Less alike than this, and a new memory is put aside instead of beside something.
const ALIKE: f32 = 0.12;
/// Clocks differ from UTC by whole quarters of an hour, so all of a quarter is on one day. The platform is asked once for each:
/// for every memory on its own, the answers would take longer than the map.
const OFFSET_MILLIS: i64 = 15 * 60 * 1000;
/// 1970-01-01 as a Julian day.
const EPOCH_JULIAN_DAY: i32 = 2_440_588;

/// The map. Points are columns of equal length: the n-th of each describes one memory.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Map {
    /// Memories in force.
    pub total: i64,
    /// Those still to be put on the map; they follow in a moment.
    pub pending: usize,
    /// When it was drawn.
    pub drawn_at: Option<Timestamp>,
    /// Whether it is being drawn anew.
    pub redrawing: bool,
    /// Places run from 0 to this, from the left and from the top.
    pub parts: i64,
    /// Types, as `points.type` counts them.
    pub types: Vec<String>,
    /// Who wrote them, as `points.by` counts them.
    pub authors: Vec<String>,
    /// The memories, newest first.
    pub points: Points,
    /// Where they lie densely, the largest first.
    pub hills: Vec<NamedHill>,
}

/// Columns.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Points {
    /// Ids.
    pub id: Vec<String>,
    /// From the left.
    pub x: Vec<i64>,
    /// From the top.
    pub y: Vec<i64>,
    /// Which of the types.
    #[serde(rename = "type")]
    pub kind: Vec<usize>,
    /// Which of the authors.
    pub by: Vec<usize>,
    /// The day it came, in the owner's zone: days since 1970-01-01.
    pub day: Vec<i32>,
    /// Which of the hills; -1 for none.
    pub hill: Vec<i64>,
}

/// A hill.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NamedHill {
    /// Its top, from the left.
    pub x: i64,
    /// And from above.
    pub y: i64,
    /// One or two words of its own; empty where none sets it apart.
    pub name: String,
    /// Memories on it.
    pub count: usize,
    /// What most of them are.
    pub mostly: String,
}

/// Gives the map, drawing it where there is none.
pub fn map(vault: &Vault<'_>, actor: &Actor) -> Result<Map> {
    actor.require(Permission::Read)?;
    let mut memories = store::map::memories(vault.sql, limits::MAP_POINTS)?;
    let mut redrawing = false;
    match store::map::drawn(vault.sql)? {
        Some(drawn) if drawn.model == MODEL_ID => {
            if much_changed(&drawn, &memories) {
                if memories.len() <= DRAWN_AT_ONCE {
                    draw(vault)?;
                    memories = store::map::memories(vault.sql, limits::MAP_POINTS)?;
                } else {
                    agenda::schedule(vault, JobKind::DrawMap, vault.now())?;
                    redrawing = true;
                }
            }
            put_new(vault, &mut memories)?;
        }
        _ if memories.is_empty() => {}
        _ if memories.len() <= DRAWN_AT_ONCE => {
            draw(vault)?;
            memories = store::map::memories(vault.sql, limits::MAP_POINTS)?;
        }
        _ => {
            agenda::schedule(vault, JobKind::DrawMap, vault.now())?;
            redrawing = true;
        }
    }
    let mut hills = store::map::hills(vault.sql)?;
    if hills.iter().any(|hill| hill.name.is_none()) {
        hills = name(vault, hills)?;
    }
    let drawn_at = store::map::drawn(vault.sql)?.map(|drawn| drawn.at);
    answer(vault, &memories, &hills, drawn_at, redrawing)
}

fn much_changed(drawn: &Drawn, memories: &[Mapped]) -> bool {
    let placed = memories
        .iter()
        .filter(|memory| memory.place.is_some())
        .count() as i64;
    let new = memories.len() as i64 - placed + drawn.late;
    let gone = (drawn.points + drawn.late - placed).max(0);
    let few = memories.len() < SMALL_MAP;
    new + gone
        > if few {
            0
        } else {
            CHANGES.max(drawn.points / CHANGED_SHARE)
        }
}

/// Draws the map anew in the background; the job's handler.
pub(crate) fn redraw(vault: &Vault<'_>) -> Result<Next> {
    draw(vault)?;
    Ok(Next::Done)
}

fn draw(vault: &Vault<'_>) -> Result<()> {
    let before: HashMap<i64, Point> = store::map::memories(vault.sql, limits::MAP_POINTS)?
        .into_iter()
        .filter_map(|memory| Some((memory.seq, point(memory.place?))))
        .collect();
    let (seqs, vectors): (Vec<i64>, Vec<Vector>) =
        store::map::vectors(vault.sql, MODEL_ID, limits::MAP_POINTS)?
            .into_iter()
            .map(|(seq, bytes)| (seq, vector(bytes)))
            .unzip();
    let known: Vec<Option<Point>> = seqs.iter().map(|seq| before.get(seq).copied()).collect();
    let points = sheet::lay_out(&vectors, &known);
    let found = hills::find(&points);
    let mut hill_of = vec![None; points.len()];
    for (number, hill) in found.iter().enumerate() {
        for member in &hill.members {
            if let Some(slot) = hill_of.get_mut(*member) {
                *slot = Some(number as i64);
            }
        }
    }
    let placed = |((seq, at), hill): ((&i64, &Point), &Option<i64>)| (*seq, place(*at, *hill));
    let placed: Vec<(i64, Place)> = seqs.iter().zip(&points).zip(&hill_of).map(placed).collect();
    let hills = |(number, hill): (usize, &hills::Hill)| {
        let top = place(hill.top, None);
        Hill {
            hill: number as i64,
            x: top.x,
            y: top.y,
            name: None,
        }
    };
    let hills: Vec<Hill> = found.iter().enumerate().map(hills).collect();
    vault
        .sql
        .in_transaction(|| store::map::replace(vault.sql, MODEL_ID, vault.now(), &placed, &hills))
}

fn vector(bytes: Option<Vec<u8>>) -> Vector {
    bytes
        .and_then(|bytes| Vector::from_bytes(&bytes))
        .unwrap_or(Vector::ZERO)
}

fn place(point: Point, hill: Option<i64>) -> Place {
    Place {
        x: (point.x * PARTS) as i64,
        y: (point.y * PARTS) as i64,
        hill,
    }
}

fn point(place: Place) -> Point {
    Point {
        x: place.x as f32 / PARTS,
        y: place.y as f32 / PARTS,
    }
}

/// Puts memories without a place beside those they resemble.
fn put_new(vault: &Vault<'_>, memories: &mut [Mapped]) -> Result<()> {
    if memories.iter().all(|memory| memory.place.is_some()) {
        return Ok(());
    }
    let vectors: HashMap<i64, Vector> =
        store::map::vectors(vault.sql, MODEL_ID, limits::MAP_POINTS)?
            .into_iter()
            .map(|(seq, bytes)| (seq, vector(bytes)))
            .collect();
    let mut standing = Vectors::default();
    let mut places: Vec<Place> = Vec::new();
    for memory in memories.iter() {
        if let (Some(place), Some(vector)) = (memory.place, vectors.get(&memory.seq)) {
            standing.put(places.len(), vector);
            places.push(place);
        }
    }
    vault.sql.in_transaction(|| {
        let new = memories.iter_mut().filter(|memory| memory.place.is_none());
        for memory in new.take(PUT_AT_ONCE) {
            let near = vectors
                .get(&memory.seq)
                .map(|vector| standing.nearest(vector, BETWEEN, ALIKE, |_| true))
                .unwrap_or_default();
            let near: Vec<Place> = near
                .iter()
                .filter_map(|near| places.get(near.key as usize).copied())
                .collect();
            let at: Vec<Point> = near.iter().map(|place| point(*place)).collect();
            let number = memory.seq as usize;
            let at = sheet::beside(&at, number).unwrap_or_else(|| sheet::aside(number));
            let place = place(at, near.first().and_then(|place| place.hill));
            store::map::put_late(vault.sql, memory.seq, place)?;
            memory.place = Some(place);
        }
        Ok(())
    })
}

/// Finds names for the hills from the texts that lie on them now.
fn name(vault: &Vault<'_>, mut hills: Vec<Hill>) -> Result<Vec<Hill>> {
    let texts = store::map::texts(vault.sql, names::TEXT_CHARS, limits::MAP_POINTS)?;
    let texts = texts.iter().map(|(text, hill)| {
        (
            text.as_str(),
            hill.and_then(|hill| usize::try_from(hill).ok()),
        )
    });
    let names = names::name(texts, hills.len());
    vault.sql.in_transaction(|| {
        for (hill, name) in hills.iter_mut().zip(names) {
            store::map::put_name(vault.sql, hill.hill, &name)?;
            hill.name = Some(name);
        }
        Ok(())
    })?;
    Ok(hills)
}

/// Names in the order they were first met, and their numbers.
#[derive(Default)]
struct Numbered(Vec<String>, HashMap<String, usize>);

impl Numbered {
    fn number(&mut self, name: &str) -> usize {
        if let Some(number) = self.1.get(name) {
            return *number;
        }
        self.0.push(name.to_owned());
        self.1.insert(name.to_owned(), self.0.len() - 1);
        self.0.len() - 1
    }
}

fn answer(
    vault: &Vault<'_>,
    memories: &[Mapped],
    hills: &[Hill],
    drawn_at: Option<Timestamp>,
    redrawing: bool,
) -> Result<Map> {
    let zone = vault.zone()?;
    let (mut types, mut authors) = (Numbered::default(), Numbered::default());
    let mut points = Points::default();
    let mut days: HashMap<i64, i32> = HashMap::new();
    let mut kinds: Vec<HashMap<&str, usize>> = vec![HashMap::new(); hills.len()];
    for memory in memories {
        let Some(place) = memory.place else {
            continue;
        };
        let day = *days
            .entry(memory.created_at.millis().div_euclid(OFFSET_MILLIS))
            .or_insert_with(|| {
                local_date(memory.created_at, &zone).to_julian_day() - EPOCH_JULIAN_DAY
            });
        points.id.push(memory.id.clone());
        points.x.push(place.x);
        points.y.push(place.y);
        points.kind.push(types.number(&memory.kind));
        points.by.push(authors.number(&memory.created_by));
        points.day.push(day);
        points.hill.push(place.hill.unwrap_or(-1));
        let kinds = place
            .hill
            .and_then(|hill| kinds.get_mut(usize::try_from(hill).ok()?));
        if let Some(kinds) = kinds {
            *kinds.entry(memory.kind.as_str()).or_default() += 1;
        }
    }
    let named = |(hill, kinds): (&Hill, &HashMap<&str, usize>)| NamedHill {
        x: hill.x,
        y: hill.y,
        name: hill.name.clone().unwrap_or_default(),
        count: kinds.values().sum(),
        mostly: kinds
            .iter()
            .max_by(|first, second| first.1.cmp(second.1).then(second.0.cmp(first.0)))
            .map_or_else(String::new, |(kind, _)| (*kind).to_owned()),
    };
    Ok(Map {
        total: store::map::count(vault.sql)?,
        pending: memories.len() - points.id.len(),
        drawn_at,
        redrawing,
        parts: PARTS as i64,
        types: types.0,
        authors: authors.0,
        hills: hills.iter().zip(&kinds).map(named).collect(),
        points,
    })
}
