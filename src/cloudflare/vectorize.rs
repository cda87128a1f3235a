//! The port `VectorIndex` on Vectorize, which the worker crate does not wrap. Asks for ids only: values and metadata would
//! bring the number of answers down from 100 to 20, and everything else is in the database.

use js_sys::{Array, Float32Array, Object, Reflect};
use wasm_bindgen::prelude::*;
use worker::Env;

use crate::cloudflare::service::{self, set};
use crate::ports::{IndexShape, IndexVector, Later, ServiceFailure, VectorIndex};

#[wasm_bindgen]
extern "C" {
    /// The binding `VECTORIZE`.
    type Vectorize;

    #[wasm_bindgen(structural, method, catch)]
    fn upsert(this: &Vectorize, vectors: &Array) -> std::result::Result<JsValue, JsValue>;

    #[wasm_bindgen(structural, method, catch, js_name = deleteByIds)]
    fn delete_by_ids(this: &Vectorize, ids: &Array) -> std::result::Result<JsValue, JsValue>;

    #[wasm_bindgen(structural, method, catch)]
    fn query(
        this: &Vectorize,
        vector: &Float32Array,
        options: &Object,
    ) -> std::result::Result<JsValue, JsValue>;

    #[wasm_bindgen(structural, method, catch)]
    fn describe(this: &Vectorize) -> std::result::Result<JsValue, JsValue>;
}

/// Vectorize.
pub struct PlatformVectorIndex(Vectorize);

impl PlatformVectorIndex {
    /// The binding, if the deployment has one.
    pub fn of(env: &Env) -> Option<Self> {
        service::binding(env, "VECTORIZE")
            .map(|binding| PlatformVectorIndex(binding.unchecked_into()))
    }
}

impl VectorIndex for PlatformVectorIndex {
    fn upsert<'a>(
        &'a self,
        namespace: &'a str,
        vectors: &'a [IndexVector],
        milliseconds: u32,
    ) -> Later<'a, Result<(), ServiceFailure>> {
        Box::pin(async move {
            let list: Array = vectors
                .iter()
                .map(|vector| {
                    let object = Object::new();
                    set(&object, "id", &JsValue::from_str(&vector.id));
                    set(&object, "namespace", &JsValue::from_str(namespace));
                    set(
                        &object,
                        "values",
                        &Float32Array::from(vector.values.as_slice()),
                    );
                    object
                })
                .collect();
            service::within(milliseconds, || self.0.upsert(&list)).await?;
            Ok(())
        })
    }

    fn delete<'a>(
        &'a self,
        ids: &'a [String],
        milliseconds: u32,
    ) -> Later<'a, Result<(), ServiceFailure>> {
        Box::pin(async move {
            let list: Array = ids.iter().map(|id| JsValue::from_str(id)).collect();
            service::within(milliseconds, || self.0.delete_by_ids(&list)).await?;
            Ok(())
        })
    }

    fn query<'a>(
        &'a self,
        namespace: &'a str,
        values: &'a [f32],
        count: usize,
        milliseconds: u32,
    ) -> Later<'a, Result<Vec<String>, ServiceFailure>> {
        Box::pin(async move {
            let options = Object::new();
            set(&options, "topK", &JsValue::from_f64(count as f64));
            set(&options, "namespace", &JsValue::from_str(namespace));
            set(&options, "returnValues", &JsValue::FALSE);
            set(&options, "returnMetadata", &JsValue::from_str("none"));
            let vector = Float32Array::from(values);
            let answer = service::within(milliseconds, || self.0.query(&vector, &options)).await?;
            let matches = Reflect::get(&answer, &"matches".into())
                .ok()
                .and_then(|matches| matches.dyn_into::<Array>().ok())
                .ok_or_else(|| ServiceFailure::Refused("the answer holds no matches".to_owned()))?;
            Ok(matches
                .iter()
                .filter_map(|found| Reflect::get(&found, &"id".into()).ok()?.as_string())
                .collect())
        })
    }

    fn describe(&self, milliseconds: u32) -> Later<'_, Result<IndexShape, ServiceFailure>> {
        Box::pin(async move {
            let answer = service::within(milliseconds, || self.0.describe()).await?;
            let number = |of: &JsValue, name: &str| {
                let number = Reflect::get(of, &name.into()).ok()?.as_f64()?;
                Some(number as u64)
            };
            // Older indexes say it under `config`.
            let config = Reflect::get(&answer, &"config".into()).unwrap_or(JsValue::UNDEFINED);
            Ok(IndexShape {
                dimensions: number(&answer, "dimensions").or_else(|| number(&config, "dimensions")),
                vectors: number(&answer, "vectorCount").or_else(|| number(&answer, "vectorsCount")),
            })
        })
    }
}
