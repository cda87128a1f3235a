//! The tool `get_operating_guide`: the owner's rules, in pages if they are long.

use serde_json::{Value, json};

use crate::error::{Error, Result};
use crate::limits;
use crate::mcp::Session;
use crate::mcp::arguments::Arguments;
use crate::mcp::budget::Budget;
use crate::mcp::schema::{described, integer, object, or_null, text};
use crate::mcp::tools::{READS, Scope, Tool};
use crate::vault;

pub(crate) const TOOL: Tool = Tool {
    name: "get_operating_guide",
    title: "Read the Operating Guide",
    description: "Reads the person's own rules for this vault: when to recall, what to save and what never, how to settle conflicts. Call \
it once at the start of a conversation and follow it. A long guide comes in pages: give next_offset as offset until it is null.",
    scope: Scope::MemoryRead,
    hints: READS,
    input,
    output,
    run,
};

fn input() -> Value {
    let offset = described(
        json!({ "type": "integer", "minimum": 0 }),
        "Where to begin, in bytes, for a guide that comes in pages; 0 if left out",
    );
    object(vec![("offset", offset)], &[])
}

fn output() -> Value {
    object(
        vec![
            ("version", integer("Grows with every change")),
            ("content", text("The guide in Markdown, or a page of it")),
            (
                "updated_at",
                text("When this version was written, RFC 3339"),
            ),
            (
                "next_offset",
                or_null(integer("Where the next page begins; null at the end")),
            ),
        ],
        &["version", "content", "updated_at", "next_offset"],
    )
}

fn run(session: &Session<'_>, arguments: &Arguments) -> Result<Value> {
    let offset = arguments.integer("offset")?.unwrap_or(0);
    if offset < 0 {
        return Err(Error::invalid("offset", "must not be negative"));
    }
    let offset = usize::try_from(offset).unwrap_or(usize::MAX);
    let guide = vault::guide::get_guide(session.vault, session.actor)?;
    let (page, next_offset) = Budget::new().page(&guide.content, offset, limits::GUIDE_BYTES);
    Ok(
        json!({ "version": guide.version, "content": page, "updated_at": guide.created_at, "next_offset": next_offset }),
    )
}
