//! How `openapi.json` is made: from the route table and the schemas. Only the tests do it. In the Worker the document is
//! text, since the code that writes it took 20 KiB more of the gzipped Worker.

use serde_json::{Map, Value, json};

use super::schemas;
use crate::api::routes::{Handler, ROUTES, Route, Who};
use crate::error::Kind;

/// Set, to any value, in the environment of the tests, it has them write the file instead of holding it to the routes.
const WRITE: &str = "WRITE_OPENAPI";
/// The file, from the crate's root.
const FILE: &str = "src/api/openapi/openapi.json";

fn document() -> Value {
    let mut paths: Map<String, Value> = Map::new();
    for route in ROUTES {
        let path = written(route.path);
        let operations = paths.entry(path).or_insert_with(|| json!({}));
        if let Some(operations) = operations.as_object_mut() {
            operations.insert(route.method.to_lowercase(), operation(route));
        }
    }
    let error = json!({ "description": format!("An error: {}", error_codes()), "content": content("Error") });
    json!({
        "openapi": "3.1.0",
        "info": { "title": "Memory Vault", "version": env!("CARGO_PKG_VERSION"), "license": { "name": "MIT", "identifier": "MIT" } },
        "servers": [{ "url": super::ANY_ORIGIN }],
        "paths": paths,
        "components": { "responses": { "Error": error }, "schemas": schemas::all() },
    })
}

/// `/api/memories/:id` as OpenAPI writes it: `/api/memories/{id}`.
fn written(path: &str) -> String {
    let segments = path
        .split('/')
        .map(|segment| match segment.strip_prefix(':') {
            Some(name) => format!("{{{name}}}"),
            None => segment.to_owned(),
        });
    segments.collect::<Vec<_>>().join("/")
}

fn operation(route: &Route) -> Value {
    let who = match route.who {
        Who::Anyone => "Open to anyone.",
        Who::Owner => "For the owner, and for service tokens as far as their role goes.",
        Who::Person => "For the owner in person.",
        Who::Agent => "For apps with an access token.",
    };
    let in_path = route.path.split('/').filter_map(|segment| segment.strip_prefix(':')).map(|name| {
        json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } })
    });
    let in_query = route
        .doc
        .query
        .iter()
        .map(|name| schemas::query_parameter(name));
    let mut answer = json!({ "description": "Success" });
    if let (Some(schema), Some(answer)) = (route.doc.answer, answer.as_object_mut()) {
        answer.insert("content".into(), content(schema));
    }
    let mut responses = Map::from_iter([(route.doc.status.to_string(), answer)]);
    responses.insert(
        "default".into(),
        json!({ "$ref": "#/components/responses/Error" }),
    );
    let mut operation = json!({
        "operationId": operation_id(route),
        "summary": route.doc.summary,
        "description": format!("{who} Bodies up to {} bytes.", route.body_limit),
        "parameters": in_path.chain(in_query).collect::<Vec<_>>(),
        "responses": responses,
    });
    if let (Some(schema), Some(operation)) = (route.doc.body, operation.as_object_mut()) {
        let required = !route.path.ends_with("/approve");
        operation.insert(
            "requestBody".into(),
            json!({ "required": required, "content": content(schema) }),
        );
    }
    if let (Handler::Upload(_), Some(operation)) = (route.handler, operation.as_object_mut()) {
        let file = json!({ "application/octet-stream": { "schema": { "type": "string", "format": "binary" } } });
        operation.insert("requestBody".into(), json!({ "content": file }));
    }
    operation
}

fn content(schema: &str) -> Value {
    json!({ "application/json": { "schema": { "$ref": format!("#/components/schemas/{schema}") } } })
}

fn error_codes() -> String {
    let rows = Kind::ALL.map(|kind| format!("{} {}", kind.row().status, kind.row().code));
    rows.join(", ")
}

/// `get_api_memories_id_history`: method and path, as one word.
fn operation_id(route: &Route) -> String {
    let words = route
        .path
        .split(['/', '.'])
        .filter(|word| !word.is_empty())
        .map(|word| word.trim_start_matches(':'));
    [route.method.to_lowercase()]
        .into_iter()
        .chain(words.map(str::to_owned))
        .collect::<Vec<_>>()
        .join("_")
}

/// The document as it stands in the file: a line for each operation and each schema, so that a change shows where it is.
fn written_out(document: &Value) -> String {
    let members = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let block = |lines: Vec<String>| format!("{{\n{}\n}}", lines.join(",\n"));
    let paths = members(&document["paths"])
        .into_iter()
        .map(|(path, operations)| {
            let operations = members(&operations)
                .into_iter()
                .map(|(method, operation)| format!("\"{method}\": {operation}"));
            format!("\"{path}\": {}", block(operations.collect()))
        });
    let schemas = members(&document["components"]["schemas"])
        .into_iter()
        .map(|(name, schema)| format!("\"{name}\": {schema}"));
    let rest = ["openapi", "info", "servers"].map(|name| format!("\"{name}\": {}", document[name]));
    let mut lines = Vec::from(rest);
    lines.push(format!("\"paths\": {}", block(paths.collect())));
    lines.push(format!(
        "\"components\": {{\n\"responses\": {},\n\"schemas\": {}\n}}",
        document["components"]["responses"],
        block(schemas.collect())
    ));
    block(lines) + "\n"
}

#[test]
fn the_file_says_what_the_routes_and_schemas_say() {
    let document = document();
    let made = written_out(&document);
    assert_eq!(serde_json::from_str::<Value>(&made).unwrap(), document);
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(FILE, made).unwrap();
        return;
    }
    assert!(
        made == super::DOCUMENT,
        "{FILE} is not what the routes say: run {WRITE}=1 cargo test --lib openapi"
    );
}

#[test]
fn every_route_is_in_the_document() {
    let document = document();
    for route in ROUTES {
        let path = written(route.path);
        assert!(
            document["paths"][&path][route.method.to_lowercase()]["summary"].is_string(),
            "{} {path}",
            route.method
        );
    }
}

#[test]
fn every_schema_that_is_named_is_there() {
    let text = document().to_string();
    let schemas = schemas::all();
    for reference in text.split("#/components/schemas/").skip(1) {
        let name: String = reference
            .chars()
            .take_while(|letter| letter.is_ascii_alphanumeric())
            .collect();
        assert!(schemas.get(&name).is_some(), "{name}");
    }
}

#[test]
fn operation_ids_are_unique() {
    let mut ids: Vec<String> = ROUTES.iter().map(operation_id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), ROUTES.len());
}
