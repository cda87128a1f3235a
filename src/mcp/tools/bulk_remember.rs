//! The tool `bulk_remember`: many facts in one call, with a report that fits.

use serde_json::{Value, json};

use crate::error::{Error, Result};
use crate::intake::{self, Format};
use crate::limits;
use crate::mcp::Session;
use crate::mcp::arguments::Arguments;
use crate::mcp::budget::Budget;
use crate::mcp::schema::{self, described, flag, integer, number, object, one_of, text};
use crate::mcp::tools::{ADDS, Scope, Tool, remember};
use crate::model::batch::{BatchState, ItemOutcome};
use crate::model::memory::Status;
use crate::vault;
use crate::vault::bulk_remember::{BulkReport, Import};

pub(crate) const TOOL: Tool = Tool {
    name: "bulk_remember",
    title: "Remember many things",
    description: "Stores many facts in one call, for example when bringing over what your own app remembers of the person. Show the \
person the list first. Give items (texts, or objects with content and the fields of remember) or one text that is cut at --- lines, \
blank lines and bullets. What is known, forgotten or blank is skipped; the answer says so item by item, and its numbers add up. \
While remaining is above 0, call again with the same arguments, except after a dry_run.",
    scope: Scope::MemoryWrite,
    hints: ADDS,
    input,
    output,
    run,
};

fn input() -> Value {
    let mut item = object(remember::draft_properties(), &["content"]);
    if let Some(kind) = item.get_mut("type") {
        *kind = json!(["string", "object"]);
    }
    let items = json!({ "type": "array", "items": item, "maxItems": limits::BULK_ITEMS });
    object(
        vec![
            (
                "items",
                described(items, "One fact an item: a text, or an object with content"),
            ),
            (
                "text",
                text(
                    "Instead of items: a text to be cut into facts, a CSV table, or an app's memory export as JSON",
                ),
            ),
            (
                "format",
                one_of(Format::WORDS, "How to read text; auto if left out"),
            ),
            (
                "source",
                schema::label("Where all of them come from, for example your app's name"),
            ),
            (
                "batch_id",
                text("To add to an import begun before: the batch_id of its first answer"),
            ),
            (
                "more",
                flag("True when further calls of the same import follow"),
            ),
            (
                "dry_run",
                flag("True to learn what would happen; nothing is stored"),
            ),
            ("idempotency_key", schema::idempotency_key()),
        ],
        &[],
    )
}

fn output() -> Value {
    let report = object(
        vec![
            ("index", integer("The item's place, from 0")),
            ("outcome", one_of(ItemOutcome::WORDS, "What became of it")),
            ("id", text("The memory stored, or the one that was there")),
            (
                "reason",
                text("Why it was not stored, or what it resembles"),
            ),
            ("text", text("How its text begins; in a dry run only")),
            (
                "warning",
                text(
                    "What was not taken as it was given: the field, what was found, what was taken",
                ),
            ),
            (
                "status",
                one_of(Status::WORDS, "Where it stands, if not where the others do"),
            ),
            ("similar_to", text("A memory that the stored one resembles")),
            ("similarity", number("How alike they are, 0 to 1")),
        ],
        &["index", "outcome"],
    );
    object(
        vec![
            (
                "batch_id",
                text("The import's id, when something was stored"),
            ),
            (
                "state",
                one_of(BatchState::WORDS, "Where the import stands"),
            ),
            ("dry_run", flag("True when nothing was written")),
            ("read_as", text("How the input was understood")),
            ("note", text("What could not be done")),
            (
                "remaining",
                integer("Items this call did not come to: call again with the same arguments"),
            ),
            (
                "status",
                one_of(Status::WORDS, "Where the stored items stand"),
            ),
            ("total", integer("All items")),
            ("stored", integer("Stored")),
            ("duplicate", integer("Known already")),
            ("near_duplicate", integer("Known already in other words")),
            (
                "excluded",
                integer("Forgotten or rejected by the person before"),
            ),
            ("blank", integer("Nothing to read in them")),
            ("refused", integer("Something was wrong with them")),
            (
                "similar",
                integer("How many of the stored resemble another memory"),
            ),
            ("warned", integer("How many have a warning")),
            (
                "items",
                schema::list(
                    report,
                    "Item by item: first those that were not stored, then those with a warning, then the other stored ones",
                ),
            ),
            (
                "items_omitted",
                integer("Reports left out because they would not fit"),
            ),
        ],
        &[
            "state",
            "read_as",
            "remaining",
            "status",
            "total",
            "stored",
            "duplicate",
            "near_duplicate",
            "excluded",
            "blank",
            "refused",
            "items",
            "items_omitted",
        ],
    )
}

fn run(session: &Session<'_>, arguments: &Arguments) -> Result<Value> {
    let text = arguments.text("text")?;
    let format = arguments.text("format")?;
    let format = format.as_deref().map(Format::parse).transpose()?;
    let intake = intake::read(
        arguments.list("items", intake::items::FORM)?,
        text.as_deref(),
        format.unwrap_or(Format::Auto),
    )?;
    if text.is_some() && intake.items.is_empty() {
        return Err(Error::invalid("text", "has nothing in it to remember"));
    }
    let key = arguments.text("idempotency_key")?;
    let import = Import {
        intake,
        source: arguments.text("source")?,
        file: None,
        batch_id: arguments.text("batch_id")?,
        more: arguments.flag("more")?,
        dry_run: arguments.flag("dry_run")?,
    };
    let report =
        vault::bulk_remember::bulk_remember(session.vault, session.actor, import, key.as_deref());
    // The operation knows only items; a caller who gave a text looks for what was wrong with the text.
    let report = report.map_err(|error| match error.field.as_deref() {
        Some("items") if text.is_some() => error.in_field("text"),
        _ => error,
    })?;
    Ok(view(&report))
}

/// The report within an answer's size. The write is done by now, so whatever does not fit is counted, never an error.
fn view(report: &BulkReport) -> Value {
    let mut in_order: Vec<_> = report.items.iter().collect();
    in_order.sort_by_key(|item| (item.outcome == ItemOutcome::Stored, item.warning.is_none()));
    let mut budget = Budget::new();
    let shown: Vec<Value> = (in_order.into_iter())
        .map(|item| json!(item))
        .take_while(|item| budget.take(item))
        .collect();
    let omitted = report.items.len() - shown.len();
    let mut answer = json!(report.counts);
    if let Some(answer) = answer.as_object_mut() {
        if let Some(batch_id) = &report.batch_id {
            answer.insert("batch_id".to_owned(), json!(batch_id));
        }
        if report.dry_run {
            answer.insert("dry_run".to_owned(), json!(true));
        }
        if let Some(note) = &report.note {
            answer.insert("note".to_owned(), json!(note));
        }
        answer.insert("state".to_owned(), json!(report.state));
        answer.insert("read_as".to_owned(), json!(report.read_as));
        answer.insert("remaining".to_owned(), json!(report.remaining));
        answer.insert("status".to_owned(), json!(report.status));
        answer.insert("items".to_owned(), json!(shown));
        answer.insert("items_omitted".to_owned(), json!(omitted));
    }
    answer
}
