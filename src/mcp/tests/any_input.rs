//! Whatever a client sends, it gets a sound answer: JSON-RPC, or none with 202.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::stand_ins::{Broken, Canned};
use super::{MODERN, json_of, legacy, post};
use crate::mcp::era::Headers;
use crate::mcp::{Reply, tools};

/// JSON of a depth and width that a test can afford.
fn any_json() -> impl Strategy<Value = Value> {
    let words = prop_oneof![
        Just("2.0"),
        Just("tools/call"),
        Just("resources/read"),
        Just("completion/complete"),
        Just("prompts/get"),
        Just("initialize"),
        Just("recall"),
        Just("bulk_remember"),
        Just("forget"),
        Just(MODERN),
        Just("memory://x"),
    ]
    .prop_map(Value::from);
    let leaf = prop_oneof![
        words,
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        let keys = prop_oneof![
            Just("jsonrpc"),
            Just("id"),
            Just("method"),
            Just("params"),
            Just("name"),
            Just("arguments"),
            Just("uri"),
            Just("_meta"),
            Just("io.modelcontextprotocol/protocolVersion"),
            Just("query"),
            Just("items"),
            Just("result"),
        ]
        .prop_map(str::to_owned);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((keys, inner), 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// What must hold for any body: one of the statuses there are, and JSON-RPC or nothing.
fn is_sound(reply: &Reply) -> bool {
    let one = |answer: &Value| {
        answer["jsonrpc"] == "2.0" && (answer["result"].is_object() != answer["error"].is_object())
    };
    match (reply.status, &reply.body) {
        (202, None) => true,
        (200 | 400 | 404, Some(_)) => match json_of(reply) {
            Value::Array(answers) => !answers.is_empty() && answers.iter().all(one),
            answer => one(&answer),
        },
        _ => false,
    }
}

proptest! {
    #[test]
    fn any_bytes_get_a_sound_answer(body in prop::collection::vec(any::<u8>(), 0..200), modern: bool) {
        let headers = Headers { protocol_version: modern.then_some(MODERN), ..Headers::default() };
        prop_assert!(is_sound(&post(&Canned::of("x", 2), headers, &body)));
        prop_assert!(is_sound(&post(&Broken, headers, &body)));
    }

    #[test]
    fn any_json_gets_a_sound_answer(body in any_json(), modern: bool) {
        let headers = Headers { protocol_version: modern.then_some(MODERN), method: Some("tools/call"), name: Some("recall") };
        let reply = post(&Canned::of("x", 2), headers, body.to_string().as_bytes());
        prop_assert!(is_sound(&reply), "{:?}", reply);
    }

    #[test]
    fn any_parameters_of_any_method_get_a_sound_answer(
        method in prop::sample::select(vec!["tools/call", "resources/read", "prompts/get", "completion/complete", "tools/list", "initialize"]),
        tool in prop::sample::select(tools::TOOLS.iter().map(|tool| tool.name).collect::<Vec<_>>()),
        arguments in any_json(),
    ) {
        let params = json!({ "name": tool, "uri": arguments, "arguments": arguments, "ref": arguments, "argument": arguments, "cursor": arguments });
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let reply = legacy(body);
        prop_assert!(is_sound(&reply) && reply.status == 200, "{:?}", reply);
    }
}
