//! The OpenAPI document against real answers.

use serde_json::{Value, json};

use crate::support::Vault;

/// Checks a value against the parts of JSON Schema that our documents use. `schemas` resolves references.
pub fn conforms(value: &Value, schema: &Value, schemas: &Value) -> Result<(), String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap();
        return conforms(value, &schemas[name], schemas)
            .map_err(|error| format!("{name}: {error}"));
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_i64() || number.is_u64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let allowed: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind.as_str()],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => vec![],
    };
    let fits = allowed.is_empty()
        || allowed.contains(&kind)
        || (kind == "integer" && allowed.contains(&"number"));
    if !fits {
        return Err(format!("{value} is {kind}, not {allowed:?}"));
    }
    if schema["enum"]
        .as_array()
        .is_some_and(|words| !words.contains(value))
    {
        return Err(format!("{value} is none of {}", schema["enum"]));
    }
    if schema["const"] != Value::Null && &schema["const"] != value {
        return Err(format!("{value} is not {}", schema["const"]));
    }
    for name in schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
    {
        if value.get(name).is_none() {
            return Err(format!("{name} is missing"));
        }
    }
    if let (Some(fields), Some(properties)) = (value.as_object(), schema["properties"].as_object())
    {
        for (name, field) in fields {
            match properties.get(name) {
                Some(property) => conforms(field, property, schemas)
                    .map_err(|error| format!("{name}: {error}"))?,
                None => return Err(format!("{name} is not described")),
            }
        }
    }
    for item in value.as_array().into_iter().flatten() {
        conforms(item, &schema["items"], schemas)?;
    }
    Ok(())
}

#[test]
fn answers_are_as_the_document_says() {
    let vault = Vault::start();
    let document = vault.get("/api/openapi.json").expect(200);
    let schemas = &document["components"]["schemas"];
    let id = vault.store(json!({ "content": "The lease ends on 15 October", "tags": ["home"], "source": "mail", "tier": "short" }));
    vault
        .patch(
            &format!("/api/memories/{id}"),
            json!({ "content": "The lease ends on 16 October" }),
        )
        .expect(200);
    let report = vault
        .mcp()
        .tool("bulk_remember", json!({ "items": ["One fact", "Another"] }));
    let batch = report["batch_id"].as_str().unwrap().to_owned();
    let forgotten = vault.remember("Something to forget");
    let calls = [
        ("GET", "/health", "/health".to_owned(), Value::Null),
        (
            "GET",
            "/api/memories",
            "/api/memories?status=all".to_owned(),
            Value::Null,
        ),
        (
            "POST",
            "/api/memories",
            "/api/memories".to_owned(),
            json!({ "content": "A new one" }),
        ),
        (
            "GET",
            "/api/memories/{id}",
            format!("/api/memories/{id}"),
            Value::Null,
        ),
        (
            "PATCH",
            "/api/memories/{id}",
            format!("/api/memories/{id}"),
            json!({ "importance": 0.7 }),
        ),
        (
            "GET",
            "/api/memories/{id}/history",
            format!("/api/memories/{id}/history"),
            Value::Null,
        ),
        (
            "POST",
            "/api/memories/{id}/forget",
            format!("/api/memories/{forgotten}/forget"),
            Value::Null,
        ),
        (
            "GET",
            "/api/recall",
            "/api/recall?q=lease".to_owned(),
            Value::Null,
        ),
        (
            "POST",
            "/api/bulk",
            "/api/bulk".to_owned(),
            json!({ "items": ["x", "x", 5] }),
        ),
        (
            "GET",
            "/api/batches",
            "/api/batches".to_owned(),
            Value::Null,
        ),
        (
            "POST",
            "/api/batches/{id}/approve",
            format!("/api/batches/{batch}/approve"),
            Value::Null,
        ),
        ("GET", "/api/guide", "/api/guide".to_owned(), Value::Null),
        (
            "PUT",
            "/api/guide",
            "/api/guide".to_owned(),
            json!({ "content": "Short." }),
        ),
        (
            "GET",
            "/api/guide/versions",
            "/api/guide/versions".to_owned(),
            Value::Null,
        ),
        (
            "GET",
            "/api/settings",
            "/api/settings".to_owned(),
            Value::Null,
        ),
        (
            "PUT",
            "/api/settings",
            "/api/settings".to_owned(),
            json!({ "mode": "auto" }),
        ),
        (
            "GET",
            "/api/exclusions",
            "/api/exclusions".to_owned(),
            Value::Null,
        ),
        ("GET", "/api/audit", "/api/audit".to_owned(), Value::Null),
        ("GET", "/api/status", "/api/status".to_owned(), Value::Null),
        ("GET", "/api/map", "/api/map".to_owned(), Value::Null),
        (
            "GET",
            "/api/capabilities",
            "/api/capabilities".to_owned(),
            Value::Null,
        ),
    ];
    for (method, path, url, body) in calls {
        let operation = &document["paths"][path][method.to_lowercase()];
        let body = (!body.is_null()).then(|| body.to_string());
        let answer = vault.send(
            method,
            &url,
            &[("Content-Type", "application/json")],
            body.as_deref().map(str::as_bytes),
        );
        let documented = &operation["responses"][answer.status.to_string()]["content"]["application/json"]
            ["schema"];
        assert!(
            documented.is_object(),
            "{method} {path} answers {} without saying so",
            answer.status
        );
        conforms(&answer.json(), documented, schemas)
            .unwrap_or_else(|error| panic!("{method} {path}: {error}"));
    }
}
