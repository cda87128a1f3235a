//! The shapes of other programs' exports.

use super::*;
use serde_json::json;

fn texts(intake: &Intake) -> Vec<String> {
    intake
        .items
        .iter()
        .map(|item| match item {
            Ok(draft) => draft.content.clone().unwrap_or_default(),
            Err(error) => format!("! {error}"),
        })
        .collect()
}

#[test]
fn a_mem0_export_keeps_dates_tags_and_relations() {
    let intake = read(&json!({
        "results": [
            { "id": "1", "memory": "Likes tea", "user_id": "ada", "categories": ["food"], "created_at": "2024-03-15T10:30:00Z" },
            { "id": "2", "memory": "Lives in Ghent", "created_at": null, "metadata": null },
        ],
        "relations": [{ "source": "ada", "relationship": "lives_in", "target": "ghent" }],
    }))
    .unwrap();
    assert_eq!((intake.read_as, intake.source), ("mem0", Some("mem0")));
    assert_eq!(
        texts(&intake),
        ["Likes tea", "Lives in Ghent", "ada lives in ghent"]
    );
    let first = intake.items[0].clone().unwrap();
    assert_eq!(first.source_date.as_deref(), Some("2024-03-15T10:30:00Z"));
    assert_eq!(first.tags.unwrap(), ["food"]);
    let list = read(&json!([{ "id": "1", "memory": "Likes tea" }])).unwrap();
    assert_eq!(
        (list.read_as, texts(&list)),
        ("mem0", vec!["Likes tea".to_owned()])
    );
}

#[test]
fn a_chatgpt_export_keeps_its_dates() {
    let intake = read(&json!({
        "memories": [{ "id": "a", "content": "Has two cats.", "created_timestamp": 1742000000.0, "updated_at": "2025-04-01T00:00:00Z" }],
        "memory_max_tokens": 10000, "memory_num_tokens": 12,
    }))
    .unwrap();
    assert_eq!(
        (intake.read_as, intake.source),
        ("chatgpt", Some("ChatGPT"))
    );
    let first = intake.items[0].clone().unwrap();
    assert_eq!(
        first.source_date.as_deref(),
        Some("2025-03-15T00:53:20.000Z")
    );
}

#[test]
fn claudes_memory_is_cut_like_a_text() {
    let intake = read(&json!([{
        "conversations_memory": "**Work context**\n\nAda builds clocks.\n\nShe prefers brass.\n\n**Personal context**\n\nTwo cats.",
        "project_memories": { "0190": "- The fair is in May\n- Stand 12" }, "account_uuid": "u",
    }]))
    .unwrap();
    assert_eq!((intake.read_as, intake.source), ("claude", Some("Claude")));
    assert_eq!(
        texts(&intake),
        [
            "**Work context**\nAda builds clocks.",
            "**Work context**\nShe prefers brass.",
            "Two cats.",
            "The fair is in May",
            "Stand 12"
        ]
    );
    let one = read(
        &json!({ "conversations_memory": "", "project_memories": {}, "memory_files": [{ "path": "a.md", "content": "- Has a boat" }] }),
    );
    assert_eq!(texts(&one.unwrap()), ["Has a boat"]);
}

#[test]
fn the_reference_servers_lines_become_sentences() {
    let lines = concat!(
        "{\"type\":\"entity\",\"name\":\"John_Smith\",\"entityType\":\"person\",\"observations\":[\"Speaks Spanish\",\"Born in 1990\"]}\n",
        "{\"type\":\"entity\",\"name\":\"Anthropic\",\"entityType\":\"organization\",\"observations\":[\"Makes Claude\"]}\n",
        "\n{\"type\":\"relation\",\"from\":\"John_Smith\",\"to\":\"Anthropic\",\"relationType\":\"works_at\"}\nnot json\n",
    );
    let intake = read_lines(lines).unwrap();
    assert_eq!(
        (intake.read_as, intake.source),
        ("mcp_memory", Some("MCP memory server"))
    );
    assert_eq!(
        texts(&intake),
        [
            "John_Smith: Speaks Spanish",
            "John_Smith: Born in 1990",
            "Anthropic: Makes Claude",
            "John_Smith works at Anthropic",
            "! items[4]: is not JSON (line 5)"
        ]
    );
    let drafts: Vec<Draft> = intake.items.into_iter().flatten().collect();
    assert_eq!(drafts[0].memory_type.as_deref(), Some("person"));
    assert_eq!(
        drafts[2].tags.as_deref(),
        Some(&["organization".to_owned()][..])
    );
    let graph = read(&json!({
        "entities": [{ "name": "Tea", "entityType": "drink", "observations": [{ "content": "Is hot", "timestamp": "2025-01-02" }] }],
        "relations": [{ "from": "Ada", "to": "Tea", "relationType": "likes" }],
    }))
    .unwrap();
    assert_eq!(texts(&graph), ["Tea: Is hot", "Ada likes Tea"]);
    assert_eq!(
        graph.items[0].clone().unwrap().source_date.as_deref(),
        Some("2025-01-02")
    );
}

#[test]
fn lists_of_texts_and_of_our_own_items_are_read() {
    let intake = read(&json!(["one", { "content": "two", "supersedes": "mem_1" }, 3])).unwrap();
    assert_eq!(intake.read_as, "json");
    assert_eq!(
        texts(&intake),
        ["one", "two", "! items[2]: is neither a text nor an object"]
    );
    let wrong =
        read(&json!([{ "content": "x", "type": "hobby", "importance": "much", "mood": "good" }]))
            .unwrap();
    assert_eq!(wrong.note.as_deref(), Some("Fields left out: “mood”."));
    assert_eq!(wrong.items[0].clone().unwrap().warnings.len(), 2);
    let lines = read_lines("\"one\"\n{\"text\":\"two\",\"id\":\"mem_1\"}").unwrap();
    assert_eq!(
        (lines.read_as, texts(&lines)),
        ("jsonl", vec!["one".to_owned(), "two".to_owned()])
    );
}

#[test]
fn other_shapes_are_refused_with_the_accepted_ones() {
    // U-93
    for (value, word) in [
        (json!({ "a": { "b": 1 } }), "shape"),
        (json!(7), "neither"),
        (json!([{ "title": "x", "mapping": {} }]), "conversations"),
    ] {
        let error = read(&value).unwrap_err();
        assert_eq!(error.field.as_deref(), Some("text"));
        for word in [word, "mem0", "CSV"] {
            assert!(error.message.contains(word), "{error}");
        }
    }
}
