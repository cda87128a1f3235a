//! How often real notes are taken for instructions. The data lies beside the project, or where `VAULT_DATA` says; without it
//! the test says so and counts nothing.

use std::path::{Path, PathBuf};

use memory_vault::text::instructions::are_in;

/// Real notes of which more may not be flagged: one in a hundred.
const MOST: f64 = 0.01;

fn folder() -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    std::env::var_os("VAULT_DATA").map_or(beside, PathBuf::from)
}

fn files(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut texts: Vec<String> = paths
        .iter()
        .filter_map(|path| std::fs::read_to_string(path).ok())
        .collect();
    texts.dedup();
    texts
}

/// The strings of a JSON value under keys that `wanted` takes.
fn strings(value: &serde_json::Value, wanted: bool, found: &mut Vec<String>) {
    match value {
        serde_json::Value::String(text) if wanted => found.push(text.clone()),
        serde_json::Value::Array(items) => {
            items.iter().for_each(|item| strings(item, wanted, found))
        }
        serde_json::Value::Object(fields) => {
            for (key, value) in fields {
                let of_notes = key.ends_with("_observation") || key == "text";
                strings(value, wanted || of_notes, found);
            }
        }
        _ => {}
    }
}

#[test]
fn hardly_a_real_note_is_taken_for_instructions() {
    let folder = folder();
    let notes: Vec<String> = files(&folder.join("multilang"))
        .iter()
        .flat_map(|file| file.lines())
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter_map(|note| note["text"].as_str().map(str::to_owned))
        .collect();
    let mut said = Vec::new();
    if let Ok(file) = std::fs::read_to_string(folder.join("locomo-tune.json")) {
        strings(&serde_json::from_str(&file).unwrap(), false, &mut said);
    }
    let paragraphs: Vec<String> = files(&folder.join("markdown"))
        .iter()
        .flat_map(|file| file.split("\n\n"))
        .filter(|text| !text.trim().is_empty())
        .map(str::to_owned)
        .collect();
    for (what, texts) in [
        ("notes in four languages", notes),
        ("LoCoMo", said),
        ("paragraphs of coding sessions", paragraphs),
    ] {
        if texts.is_empty() {
            eprintln!("SKIPPED: no {what} in {}", folder.display());
            continue;
        }
        let flagged: Vec<&String> = texts.iter().filter(|text| are_in(text)).collect();
        let share = flagged.len() as f64 / texts.len() as f64;
        eprintln!("{what}: {} of {} flagged", flagged.len(), texts.len());
        for text in flagged.iter().take(40) {
            eprintln!(
                "  {}",
                text.chars()
                    .take(300)
                    .collect::<String>()
                    .replace('\n', " ")
            );
        }
        assert!(share <= MOST, "{what}: {share:.4}");
    }
}
