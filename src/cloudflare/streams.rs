//! Bodies that are sent while they are made.

use futures_util::stream;
use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::JsFuture;
use worker::Response;

use crate::api::streamed::Streamed;
use crate::cloudflare::clock::PlatformClock;
use crate::cloudflare::log;
use crate::cloudflare::sql::PlatformSql;
use crate::model::time::Timestamp;
use crate::ports::Clock as _;
use crate::vault::chunks::Chunks;

/// What a stream needs to go on by itself once the request's own future has ended.
struct Running {
    chunks: Box<dyn Chunks>,
    sql: PlatformSql,
    clock: PlatformClock,
    request_id: String,
    failed: bool,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.chunks.end(&self.sql);
    }
}

/// Waits until what else the object has to do had its turn. (The worker crate's own delay expects a number from `setTimeout`,
/// which answers an object under Node compatibility.)
async fn a_turn() {
    let promise = Promise::new(&mut |resolve, _| {
        let timer = Reflect::get(&js_sys::global(), &"setTimeout".into());
        if let Some(timer) = timer
            .ok()
            .and_then(|timer| timer.dyn_into::<Function>().ok())
        {
            let _ = timer.call2(&js_sys::global(), &resolve, &0.into());
        }
    });
    let _ = JsFuture::from(promise).await;
}

/// The platform's answer for a stream. Between two pieces other requests get their turn.
pub fn answer(
    streamed: Streamed,
    sql: PlatformSql,
    clock: PlatformClock,
    request_id: String,
) -> worker::Result<Response> {
    let running = Running {
        chunks: streamed.chunks,
        sql,
        clock,
        request_id,
        failed: false,
    };
    let pieces = stream::unfold(running, |mut running| async {
        if running.failed {
            return None;
        }
        a_turn().await;
        let now = Timestamp::from_millis(running.clock.now_millis());
        match running.chunks.next(&running.sql, now) {
            Ok(Some(piece)) => Some((Ok(piece), running)),
            Ok(None) => None,
            Err(error) => {
                log::failure(&running.request_id, "stream", &error);
                running.failed = true;
                // An error breaks the connection off, so that nobody takes what came for the whole.
                let broken = worker::Error::RustError("the answer cannot be finished".into());
                Some((Err(broken), running))
            }
        }
    });
    let mut response = Response::from_stream(pieces)?;
    let headers = response.headers_mut();
    for (name, value) in &streamed.headers {
        headers.set(name, value)?;
    }
    Ok(response)
}
