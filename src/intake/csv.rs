//! Tables as text (RFC 4180): a header with names, or a single column; commas, semicolons or tabs; quotes.

use serde_json::{Map, Value};

use crate::error::{Error, Result};
use crate::intake::foreign::LeftOut;
use crate::intake::{Intake, foreign};
use crate::model::draft::Draft;
use crate::text::secrets;

/// A row, and the line it begins on.
struct Row {
    line: usize,
    fields: Vec<String>,
}

/// Reads a table.
///
/// # Errors
/// `invalid_argument` on field `text` for a quote that is never closed, several columns of which none is known to hold the
/// text, or two of one name. A row with too many fields is an error in its place.
pub fn read(text: &str) -> Result<Intake> {
    let text = text.trim_start_matches('\u{feff}');
    let mut rows = rows(text, delimiter(text))?;
    // A line without anything is no row.
    rows.retain(|row| row.fields.iter().any(|field| !field.trim().is_empty()));
    let Some(first) = rows.first() else {
        return Ok(intake(Vec::new(), None));
    };
    let names: Vec<String> = first.fields.iter().map(|name| foreign::key(name)).collect();
    if !names
        .iter()
        .any(|name| foreign::CONTENT.contains(&name.as_str()))
    {
        if rows.iter().all(|row| row.fields.len() == 1) {
            let texts = rows.into_iter().flat_map(|row| row.fields);
            let items = texts.map(|text| Ok(Draft::of(text))).collect();
            return Ok(intake(items, None));
        }
        let message = format!(
            "is a table whose first line names no column for the text; name one of them: {}",
            foreign::CONTENT.join(", ")
        );
        return Err(Error::invalid("text", message));
    }
    let mut seen = std::collections::HashSet::new();
    if let Some(twice) = names
        .iter()
        .find(|name| !name.is_empty() && !seen.insert(name.as_str()))
    {
        let message = format!(
            "is a table with two columns named {twice}; give each a name of its own, or leave one out"
        );
        return Err(Error::invalid("text", secrets::masked(&message)));
    }
    let mut left_out = LeftOut::default();
    let rows = rows.into_iter().skip(1);
    let items = rows
        .enumerate()
        .map(|(index, row)| draft(index, &names, row, &mut left_out))
        .collect();
    Ok(intake(items, left_out.note("Columns")))
}

fn intake(items: Vec<Result<Draft>>, note: Option<String>) -> Intake {
    Intake {
        items,
        read_as: "csv",
        source: None,
        note,
        in_steps: true,
    }
}

/// Whether a text is a table with a header that names a column for the text beside others.
pub fn is_table(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}');
    let first = text.lines().next().unwrap_or_default();
    let Ok(rows) = rows(first, delimiter(text)) else {
        return false;
    };
    let names: Vec<String> = rows
        .first()
        .map(|row| row.fields.iter().map(|name| foreign::key(name)).collect())
        .unwrap_or_default();
    let is_name = |name: &String| !name.is_empty() && !name.contains(' ') && name.len() <= 40;
    names.len() > 1
        && names.iter().all(is_name)
        && names
            .iter()
            .any(|name| foreign::CONTENT.contains(&name.as_str()))
}

fn draft(index: usize, names: &[String], row: Row, left_out: &mut LeftOut) -> Result<Draft> {
    if row
        .fields
        .iter()
        .skip(names.len())
        .any(|field| !field.trim().is_empty())
    {
        let message = format!(
            "has more fields than the header in line {}; put quotes around a text with separators in it",
            row.line
        );
        return Err(Error::invalid(&format!("items[{index}]"), message));
    }
    let fields: Map<String, Value> = names
        .iter()
        .zip(row.fields)
        .filter(|(_, field)| !field.trim().is_empty())
        .map(|(name, field)| (name.clone(), Value::String(field)))
        .collect();
    left_out.look_at(&fields);
    foreign::draft(index, &fields)
}

/// The separator that the first line has most of.
fn delimiter(text: &str) -> char {
    let first = text.lines().next().unwrap_or_default();
    let mut counts = [(',', 0), (';', 0), ('\t', 0)];
    let mut is_quoted = false;
    for character in first.chars() {
        is_quoted ^= character == '"';
        for (delimiter, count) in &mut counts {
            *count += usize::from(character == *delimiter && !is_quoted);
        }
    }
    let [mut best, rest @ ..] = counts;
    for other in rest {
        if other.1 > best.1 {
            best = other;
        }
    }
    best.0
}

fn rows(text: &str, delimiter: char) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    let mut characters = text.chars().peekable();
    let mut line = 1;
    while characters.peek().is_some() {
        let mut row = Row {
            line,
            fields: Vec::new(),
        };
        let mut field = String::new();
        loop {
            match characters.next() {
                // A quote opens a field only at its beginning; elsewhere it is a character like any other.
                Some('"') if field.is_empty() => {
                    let opened = line;
                    loop {
                        match characters.next() {
                            Some('"') if characters.peek() == Some(&'"') => {
                                characters.next();
                                field.push('"');
                            }
                            Some('"') => break,
                            Some(character) => {
                                line += usize::from(character == '\n');
                                field.push(character);
                            }
                            None => {
                                let message =
                                    format!("opens a quote in line {opened} that is never closed");
                                return Err(Error::invalid("text", message));
                            }
                        }
                    }
                }
                Some('\r') if characters.peek() == Some(&'\n') => {}
                Some('\n') => {
                    line += 1;
                    break;
                }
                Some(character) if character == delimiter => {
                    row.fields.push(std::mem::take(&mut field))
                }
                Some(character) => field.push(character),
                None => break,
            }
        }
        row.fields.push(field);
        rows.push(row);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(text: &str) -> Vec<String> {
        let drafts = read(text).unwrap().items;
        drafts
            .into_iter()
            .map(|draft| draft.unwrap().content.unwrap_or_default())
            .collect()
    }

    #[test]
    fn a_header_names_the_columns_in_any_order_and_case() {
        let table = "\u{feff}Date,Category,Memory Text,id\r\n2025-03-01,\"home, garden\",\"Says \"\"hi\"\",\nthen goes\",7\r\n,,Second,8\r\n";
        let drafts = read(table).unwrap().items;
        let first = drafts[0].clone().unwrap();
        assert_eq!(first.content.as_deref(), Some("Says \"hi\",\nthen goes"));
        assert_eq!(first.source_date.as_deref(), Some("2025-03-01"));
        assert_eq!(first.tags.unwrap(), ["home", "garden"]);
        assert_eq!(drafts[1].clone().unwrap(), Draft::of("Second"));
        assert!(is_table(table));
    }

    #[test]
    fn semicolons_and_tabs_separate_too() {
        assert_eq!(texts("type;content\nfact;Tea, green"), ["Tea, green"]);
        assert_eq!(
            texts("content\ttype\nTea; green, hot\tfact"),
            ["Tea; green, hot"]
        );
    }

    #[test]
    fn a_single_column_needs_no_header() {
        assert_eq!(
            texts("Likes tea\n\nLives in Ghent"),
            ["Likes tea", "Lives in Ghent"]
        );
        assert_eq!(texts("memory\nLikes tea"), ["Likes tea"]);
        assert_eq!(texts("\"one, quoted\"\n\"two\""), ["one, quoted", "two"]);
        assert_eq!(texts(" \n"), Vec::<String>::new());
    }

    #[test]
    fn columns_without_a_name_for_the_text_are_refused_with_the_names_there_are() {
        let error = read("a,b\n1,2").unwrap_err();
        assert_eq!(error.field.as_deref(), Some("text"));
        assert!(error.message.contains("content"), "{error}");
        assert!(!is_table(
            "Dear Ada, yesterday the content, as you know, was lost"
        ));
        assert!(!is_table("content\nnot enough"));
    }

    #[test]
    fn two_columns_of_one_name_are_refused_and_none_is_dropped() {
        let error = read("content,Content\nTea,Water").unwrap_err();
        assert!(
            error.message.contains("two columns named content"),
            "{error}"
        );
        assert_eq!(texts("content,,\nTea,,"), ["Tea"]);
    }

    #[test]
    fn a_row_with_too_many_fields_and_an_open_quote_name_their_line() {
        let drafts = read("content,type\nTea, green, hot\nWater,fact")
            .unwrap()
            .items;
        let error = drafts[0].clone().unwrap_err();
        assert!(error.message.contains("line 2"), "{error}");
        assert!(drafts[1].is_ok());
        let error = read("content,type\nTea,fact\n\"Water,fact\n\nmore").unwrap_err();
        assert!(error.message.contains("line 3"), "{error}");
    }

    #[test]
    fn columns_nobody_knows_are_named_and_fields_that_are_wrong_are_warned_of() {
        let read =
            read("content;type;importance;mood\nTea;hobby;7;happy\nWater;fact;0.5;").unwrap();
        assert_eq!(read.note.as_deref(), Some("Columns left out: “mood”."));
        let [tea, water] = [0, 1].map(|row| read.items[row].clone().unwrap());
        assert_eq!(tea.warnings.len(), 2, "{:?}", tea.warnings);
        assert_eq!((tea.importance, tea.memory_type), (None, None));
        assert_eq!((water.importance, water.warnings.len()), (Some(0.5), 0));
    }

    proptest! {
        #[test]
        fn what_is_written_with_quotes_is_read_as_it_was(texts in proptest::collection::vec("[a-z\"',;\t\n ]{0,8}[a-z]", 1..6)) {
            let table: String = texts
                .iter()
                .map(|text| format!("fact,\"{}\"\r\n", text.replace('"', "\"\"")))
                .collect();
            let read = super::tests::texts(&format!("type,content\r\n{table}"));
            prop_assert_eq!(read, texts);
        }

        #[test]
        fn no_text_is_too_strange(text in "[\",;\t\r\n a]{0,40}") {
            let _ = read(&text);
        }
    }
}
