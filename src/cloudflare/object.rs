//! The Durable Object: the one vault. Opens the database, answers forwarded requests, and rings its own alarm.

#![allow(
    missing_docs,
    reason = "the attribute durable_object writes methods without any"
)]

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use worker::{
    DurableObject, Env, Headers, Request, Response, ResponseBuilder, State, durable_object,
};

use crate::access::config::Config;
use crate::access::readiness::{self, SettingState};
use crate::api;
use crate::api::call::Request as ApiRequest;
use crate::api::response::{self, Response as ApiResponse};
use crate::api::routes::{self, Found};
use crate::api::streamed::{Sink, Streamed};
use crate::cloudflare::ai::PlatformEmbedder;
use crate::cloudflare::clock::PlatformClock;
use crate::cloudflare::held::{self, Held};
use crate::cloudflare::internet::PlatformInternet;
use crate::cloudflare::random::PlatformRandom;
use crate::cloudflare::sql::PlatformSql;
#[cfg(feature = "test-hooks")]
use crate::cloudflare::test_hooks;
use crate::cloudflare::vectorize::PlatformVectorIndex;
use crate::cloudflare::{forward, log, streams};
use crate::embed::large::{self, LargeModel};
use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::model::time::Timestamp;
use crate::ports::{Clock as _, Embedder, VectorIndex};
use crate::store;
use crate::vault::indexing::{self, Services};
use crate::vault::{Vault, agenda};

/// The vault's Durable Object.
#[durable_object]
pub struct MemoryVault {
    state: State,
    sql: PlatformSql,
    /// Set once the schema is up to date.
    opened: OnceCell<()>,
    clock: PlatformClock,
    /// When the alarm is known to ring.
    alarm_at: Cell<Option<i64>>,
    /// What keeps the owner from signing in.
    sign_in_faults: Vec<SettingState>,
    /// Where the owner signs out.
    sign_out: Option<String>,
    /// What is kept in memory.
    held: Rc<Held>,
    /// Workers AI, if it is bound.
    ai: Option<PlatformEmbedder>,
    /// Vectorize, if it is bound.
    vectors: Option<PlatformVectorIndex>,
    /// The model Workers AI is asked for, or what is wrong with the setting.
    model: std::result::Result<&'static LargeModel, &'static str>,
    /// The vault's name.
    vault_name: String,
    /// Bytes the index may take in a test.
    #[cfg(feature = "test-hooks")]
    index_bytes: Cell<usize>,
}

impl DurableObject for MemoryVault {
    fn new(state: State, env: Env) -> Self {
        console_error_panic_hook::set_once();
        let sql = PlatformSql::new(&state.storage());
        let variable = |name: &str| env.var(name).ok().map(|value| value.to_string());
        let config = Config::read(variable);
        MemoryVault {
            ai: PlatformEmbedder::of(&env),
            vectors: PlatformVectorIndex::of(&env),
            model: large::chosen(variable("EMBEDDING_MODEL").as_deref()),
            vault_name: variable("VAULT_NAME").unwrap_or_default(),
            #[cfg(feature = "test-hooks")]
            index_bytes: Cell::new(crate::limits::INDEX_BYTES),
            held: held::begin(state.id().to_string()),
            state,
            sql,
            opened: OnceCell::new(),
            clock: PlatformClock::default(),
            alarm_at: Cell::new(None),
            sign_in_faults: readiness::faults(&config),
            sign_out: config.sign_out_url(),
        }
    }

    async fn fetch(&self, request: Request) -> worker::Result<Response> {
        #[cfg(feature = "test-hooks")]
        let request =
            match test_hooks::answer(&self.vault(), &self.clock, &self.index_bytes, request).await?
            {
                test_hooks::Hook::Answered(response) => {
                    // The clock may have moved.
                    self.sql.note_written();
                    return Ok(response);
                }
                test_hooks::Hook::NotMine(request) => request,
            };
        let passed = forward::passed(request.headers())?;
        let request_id = passed.request_id.clone();
        let path = request.path();
        let place = format!("{} {}", request.method(), route_pattern(&request));
        let mut answer = match self.open() {
            Ok(()) => {
                let body_bytes = passed.body_bytes;
                let head = self.head(&request, passed)?;
                if let Some(streamed) = api::stream(&self.vault(), &head) {
                    match streamed {
                        Ok(streamed) => return self.send(streamed, head).await,
                        Err(error) => api::refusal(error),
                    }
                } else if let Some(sink) = api::sink(&self.vault(), &head) {
                    match sink {
                        Ok(sink) => self.receive(request, sink).await,
                        Err(error) => api::refusal(error),
                    }
                } else {
                    match self.read(request, head, body_bytes).await? {
                        Ok(request) => api::dispatch(&self.vault(), &request).await,
                        Err(error) => response::from_error(error),
                    }
                }
            }
            Err(error) => closed(error),
        };
        if let Some(error) = &answer.failure {
            log::failure(&request_id, &place, error);
        }
        self.keep_alarm().await?;
        response::complete(&mut answer.headers, &path, &request_id);
        to_platform(answer)
    }

    async fn alarm(&self) -> worker::Result<Response> {
        self.alarm_at.set(None);
        let failures = self.open().and_then(|()| agenda::run_due(&self.vault()));
        match failures {
            Ok(failures) => {
                for (kind, error) in failures {
                    log::failure("alarm", &kind, &error);
                }
                match indexing::work(&self.vault()).await {
                    Ok(failures) => failures
                        .iter()
                        .for_each(|(service, error)| log::failure("alarm", service, error)),
                    Err(error) => log::failure("alarm", "index", &error),
                }
                self.set_alarm().await?;
                Response::empty()
            }
            Err(error) => {
                log::failure("alarm", "agenda", &error);
                // Failing the alarm makes the platform ring again, with its own backoff.
                Err(worker::Error::RustError(
                    "the agenda could not be read".into(),
                ))
            }
        }
    }
}

impl MemoryVault {
    fn vault(&self) -> Vault<'_> {
        let vault = Vault::new(
            &self.sql,
            &self.clock,
            &PlatformRandom,
            &PlatformInternet,
            &self.held.sense,
        );
        #[cfg(feature = "test-hooks")]
        let vault = vault.with_index_bytes(self.index_bytes.get());
        vault.with_services(Services {
            ai: self
                .ai
                .as_ref()
                .zip(self.model.as_ref().ok().copied())
                .map(|(ai, model)| (ai as &dyn Embedder, model)),
            vectorize: self.vectors.as_ref().map(|index| index as &dyn VectorIndex),
            vault_name: &self.vault_name,
            fault: self.model.as_ref().err().copied(),
            held: Some(&self.held.meaning),
        })
    }

    /// Sends an answer while it is made.
    async fn send(&self, mut streamed: Streamed, request: ApiRequest) -> worker::Result<Response> {
        self.keep_alarm().await?;
        response::complete(&mut streamed.headers, &request.path, &request.request_id);
        let sql = self.sql.again(&self.state.storage());
        if request.method == "HEAD" {
            let Streamed {
                headers,
                mut chunks,
            } = streamed;
            chunks.end(&sql);
            return to_platform(ApiResponse {
                headers,
                ..response::empty(200)
            });
        }
        streams::answer(streamed, sql, self.clock.clone(), request.request_id)
    }

    /// Brings the schema up to date, once. A failure is tried again with the next request.
    fn open(&self) -> Result<()> {
        if self.opened.get().is_none() {
            let now = self.clock.now_millis();
            store::backup::snapshot::end_all(&self.sql)?;
            store::migrations::migrate(&self.sql, now)?;
            store::guide::insert_default(&self.sql, Timestamp::from_millis(now))?;
            agenda::ensure_standing(&self.vault())?;
            indexing::begin(&self.vault())?;
            let _ = self.opened.set(());
        }
        Ok(())
    }

    /// Sees to the alarm after a request; one that only read has changed nothing in it.
    async fn keep_alarm(&self) -> worker::Result<()> {
        if !self.sql.take_written() {
            return Ok(());
        }
        let kept = self.set_alarm().await;
        if kept.is_err() {
            self.sql.note_written();
        }
        kept
    }

    /// Sets the alarm to the earliest job, if it is not set so already.
    async fn set_alarm(&self) -> worker::Result<()> {
        if self.opened.get().is_none() {
            return Ok(());
        }
        let due = agenda::next_due(&self.vault())
            .map_err(|error| worker::Error::RustError(error.to_string()))?;
        let Some(due) = due.map(|due| due.millis() - self.clock.shift_millis()) else {
            return Ok(());
        };
        if self.alarm_at.get().is_none_or(|at| due < at) {
            let wait = (due - PlatformClock::default().now_millis()).max(0);
            self.state.storage().set_alarm(wait).await?;
            self.alarm_at.set(Some(due));
        }
        Ok(())
    }

    /// Takes a body piece by piece.
    async fn receive(&self, mut request: Request, mut sink: Box<dyn Sink>) -> ApiResponse {
        let limit = body_limit(&request);
        match streams::receive(&mut request, limit, |bytes| sink.take(&self.vault(), bytes)).await {
            Ok(()) => match sink.finish(&self.vault()) {
                Ok(answer) => answer,
                Err(error) => api::refusal(error),
            },
            Err(error) => {
                sink.abandon(&self.vault());
                api::refusal(error)
            }
        }
    }

    /// The request with its body. One of a length that the edge knew, and found small enough, is taken at once, with
    /// fewer calls into the platform; any other is counted while it is read.
    async fn read(
        &self,
        mut request: Request,
        head: ApiRequest,
        body_bytes: Option<usize>,
    ) -> worker::Result<Result<ApiRequest>> {
        let limit = body_limit(&request);
        if body_bytes.is_some_and(|bytes| bytes <= limit) {
            let body = request.bytes().await;
            return Ok(body.map_or_else(
                |_| Err(streams::broke_off()),
                |body| Ok(ApiRequest { body, ..head }),
            ));
        }
        let mut body = Vec::new();
        let read = streams::receive(&mut request, limit, |bytes| {
            body.extend_from_slice(bytes);
            Ok(())
        });
        Ok(read.await.map(|()| ApiRequest { body, ..head }))
    }

    /// The request free of platform types, without its body.
    fn head(&self, request: &Request, passed: forward::Passed) -> worker::Result<ApiRequest> {
        // Most requests have no query, and taking an address apart is not cheap.
        let query = if request.inner().url().contains('?') {
            request.url()?.query_pairs().into_owned().collect()
        } else {
            Vec::new()
        };
        Ok(ApiRequest {
            method: request.method().to_string(),
            path: request.path(),
            query,
            headers: passed.headers,
            body: Vec::new(),
            actor: passed.actor,
            request_id: passed.request_id,
            base_url: passed.base_url,
            address: passed.address,
            browser: passed.browser,
            sign_in_faults: self.sign_in_faults.clone(),
            sign_out: self.sign_out.clone(),
        })
    }
}

/// The largest body that the route takes.
fn body_limit(request: &Request) -> usize {
    match routes::find(request.method().as_ref(), &request.path()) {
        Found::Route(route, _) => route.body_limit,
        _ => 0,
    }
}

/// The route's pattern, for the log: ids and queries stay out of it.
fn route_pattern(request: &Request) -> &'static str {
    match routes::find(request.method().as_ref(), &request.path()) {
        Found::Route(route, _) => route.path,
        _ => "no route",
    }
}

/// The vault cannot open its data: 503 for the caller, the reason for the log.
fn closed(error: Error) -> ApiResponse {
    let shown = match error.kind {
        Kind::Unavailable => error.clone(),
        _ => Error::new(
            Kind::Unavailable,
            "the vault could not open its data; its log says why",
        ),
    };
    let mut response = response::from_error(shown);
    response
        .headers
        .push(("Retry-After", (limits::JOB_BACKOFF_SECONDS).to_string()));
    ApiResponse {
        failure: Some(error),
        ..response
    }
}

/// To the platform's answer.
pub fn to_platform(answer: ApiResponse) -> worker::Result<Response> {
    let headers = Headers::new();
    for (name, value) in &answer.headers {
        headers.set(name, value)?;
    }
    let response = ResponseBuilder::new()
        .with_status(answer.status)
        .with_headers(headers);
    Ok(if answer.body.is_empty() {
        response.empty()
    } else {
        response.fixed(answer.body)
    })
}
