//! The port `Embedder` on Workers AI. The binding is called as it is, so that a stand-in needs no more than a method `run`.

use js_sys::{Array, Object, Reflect};
use wasm_bindgen::prelude::*;
use worker::Env;

use crate::cloudflare::service;
use crate::ports::{Embedder, Later, ServiceFailure};

#[wasm_bindgen]
extern "C" {
    /// The binding `AI`.
    type Ai;

    #[wasm_bindgen(structural, method, catch)]
    fn run(this: &Ai, model: &str, input: &JsValue) -> std::result::Result<JsValue, JsValue>;
}

/// Workers AI.
pub struct PlatformEmbedder(Ai);

impl PlatformEmbedder {
    /// The binding, if the deployment has one.
    pub fn of(env: &Env) -> Option<Self> {
        service::binding(env, "AI").map(|binding| PlatformEmbedder(binding.unchecked_into()))
    }
}

impl Embedder for PlatformEmbedder {
    fn embed<'a>(
        &'a self,
        model: &'a str,
        texts: &'a [String],
        milliseconds: u32,
    ) -> Later<'a, Result<Vec<Vec<f32>>, ServiceFailure>> {
        Box::pin(async move {
            let list: Array = texts.iter().map(|text| JsValue::from_str(text)).collect();
            let input = Object::new();
            service::set(&input, "text", &list);
            let answer =
                service::within(milliseconds, || self.0.run(model, input.as_ref())).await?;
            vectors(&answer)
        })
    }
}

/// The vectors of `{"shape": [n, dims], "data": [[…], …]}`.
fn vectors(answer: &JsValue) -> Result<Vec<Vec<f32>>, ServiceFailure> {
    let unreadable = || ServiceFailure::Refused("the answer holds no vectors".to_owned());
    let data = Reflect::get(answer, &"data".into()).map_err(|_| unreadable())?;
    let rows: Array = data.dyn_into().map_err(|_| unreadable())?;
    Ok(rows
        .iter()
        .map(|row| match row.dyn_into::<Array>() {
            Ok(numbers) => numbers
                .iter()
                .map(|number| number.as_f64().unwrap_or(f64::NAN) as f32)
                .collect(),
            // A row that is no list has no numbers; who asked looks at how many there are.
            Err(_) => Vec::new(),
        })
        .collect())
}
