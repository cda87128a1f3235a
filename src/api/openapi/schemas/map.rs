//! Schemas of the map.

use serde_json::{Value, json};

use super::object;

/// By name.
pub fn schemas() -> [(&'static str, Value); 1] {
    let column = |kind: &str| json!({ "type": "array", "items": { "type": kind } });
    let points = object(
        &["id", "x", "y", "type", "by", "day", "hill"],
        json!({
            "id": column("string"), "x": column("integer"), "y": column("integer"), "type": column("integer"),
            "by": column("integer"), "day": column("integer"), "hill": column("integer"),
        }),
    );
    let hill = object(
        &["x", "y", "name", "count", "mostly"],
        json!({
            "x": { "type": "integer" }, "y": { "type": "integer" }, "count": { "type": "integer" },
            "name": { "type": "string", "description": "Words of its own; empty where none sets it apart" },
            "mostly": { "type": "string", "description": "The type that most of its memories have" },
        }),
    );
    let map = object(
        &[
            "total",
            "pending",
            "redrawing",
            "parts",
            "types",
            "authors",
            "points",
            "hills",
        ],
        json!({
            "total": { "type": "integer", "description": "Memories in force" },
            "pending": { "type": "integer", "description": "Those that are still to be put on the map" },
            "drawn_at": { "type": ["string", "null"], "format": "date-time" }, "redrawing": { "type": "boolean" },
            "parts": { "type": "integer", "description": "Places run from 0 to this, from the left and from the top" },
            "types": column("string"), "authors": column("string"),
            "points": points, "hills": { "type": "array", "items": hill },
        }),
    );
    [("Map", map)]
}
