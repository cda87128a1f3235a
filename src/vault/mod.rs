//! The operations: one file per operation, one public function each, called alike by HTTP, MCP and the alarm.
//!
//! An operation checks the actor's permission first, then the input, then gathers, and then writes data, full text,
//! jobs and the audit row together in one transaction. What it returns holds everything a door needs to answer.

pub mod agenda;
pub mod approve;
pub mod backup;
pub mod batches;
pub(crate) mod bulk_preview;
pub mod bulk_remember;
pub(crate) mod bulk_resume;
pub mod check_connection;
pub mod chunks;
pub mod decide_batch;
pub mod edit;
pub mod encounter;
pub mod erase;
pub mod exclusions;
pub mod expire;
pub mod export;
pub mod forget;
pub mod get;
pub mod guide;
pub mod guide_versions;
pub mod history;
pub mod idempotency;
pub mod indexing;
pub mod keep;
pub(crate) mod likeness;
pub mod list;
mod look_again;
pub mod map;
pub mod meaning;
pub mod merge_duplicates;
pub(crate) mod new_memory;
pub mod oauth;
pub(crate) mod queue;
pub mod rates;
pub mod read_audit;
pub mod recall;
pub mod reindex;
pub mod reject;
pub mod remember;
pub mod restore;
pub mod retention;
pub mod review;
pub(crate) mod search;
pub mod sense;
pub mod settings;
pub(crate) mod stale;
pub mod status;
pub mod supersede;
pub(crate) mod twins;
pub mod undecide;
pub mod undo_batch;
pub mod weeks;

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::error::Result;
use crate::limits;
use crate::model::actor::Actor;
use crate::model::audit::{Action, AuditEntry};
use crate::model::ids::{self, IdKind};
use crate::model::settings::Settings;
use crate::model::time::{Timestamp, ZoneOffset};
use crate::ports::{Clock, Fetch, Random, Sql};
use crate::store;

/// The vault for the length of one request or alarm: its ports and its settings.
pub struct Vault<'a> {
    /// The database.
    pub sql: &'a dyn Sql,
    /// The time.
    pub clock: &'a dyn Clock,
    /// Chance.
    pub random: &'a dyn Random,
    /// The open internet.
    pub internet: &'a dyn Fetch,
    /// What is kept in memory and outlives the request.
    pub held: &'a sense::Held,
    /// Bytes that index may take: [`limits::INDEX_BYTES`], unless a test wants it full.
    pub(crate) index_bytes: usize,
    /// The services of the platform.
    pub services: indexing::Services<'a>,
    /// What those services said about this request's questions.
    pub(crate) asked: meaning::Answers,
    settings: OnceCell<Settings>,
}

impl<'a> Vault<'a> {
    /// A vault over these ports, whose schema is up to date.
    pub fn new(
        sql: &'a dyn Sql,
        clock: &'a dyn Clock,
        random: &'a dyn Random,
        internet: &'a dyn Fetch,
        held: &'a sense::Held,
    ) -> Self {
        Vault {
            sql,
            clock,
            random,
            internet,
            held,
            index_bytes: limits::INDEX_BYTES,
            services: indexing::Services::default(),
            asked: meaning::Answers::default(),
            settings: OnceCell::new(),
        }
    }

    /// The same vault with services of the platform.
    #[must_use]
    pub fn with_services(mut self, services: indexing::Services<'a>) -> Self {
        self.services = services;
        self
    }

    /// The same vault with less room for the index in memory.
    #[cfg(feature = "test-hooks")]
    #[must_use]
    pub fn with_index_bytes(mut self, bytes: usize) -> Self {
        self.index_bytes = bytes;
        self
    }

    /// Now.
    pub fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.clock.now_millis())
    }

    /// The settings as they were when first asked for in this request.
    pub fn settings(&self) -> Result<&Settings> {
        if let Some(settings) = self.settings.get() {
            return Ok(settings);
        }
        let loaded = store::settings::load(self.sql)?;
        Ok(self.settings.get_or_init(|| loaded))
    }

    /// The owner's zone.
    pub fn zone(&self) -> Result<Zone<'_>> {
        Ok(Zone {
            clock: self.clock,
            name: Cow::Borrowed(&self.settings()?.time_zone),
        })
    }

    /// A zone by its name.
    pub fn zone_named(&self, name: String) -> Zone<'_> {
        Zone {
            clock: self.clock,
            name: Cow::Owned(name),
        }
    }

    /// A new id.
    pub fn new_id(&self, kind: IdKind) -> Result<String> {
        ids::new_id(kind, self.clock.now_millis(), self.random)
    }

    /// Writes an audit row about `subject`. `details` hold ids, counts and names, never text.
    pub fn audit(
        &self,
        actor: &Actor,
        action: Action,
        subject: Option<&str>,
        details: Option<serde_json::Value>,
    ) -> Result<()> {
        // Two apps may call themselves alike; their grants tell them apart.
        let details = match actor {
            Actor::Agent { grant, .. } => {
                let mut details = details.unwrap_or_else(|| serde_json::json!({}));
                if let Some(fields) = details.as_object_mut() {
                    fields.insert("grant".to_owned(), grant.as_str().into());
                }
                Some(details)
            }
            _ => details,
        };
        let entry = AuditEntry {
            at: self.now(),
            actor: actor.label(),
            action,
            subject: subject.map(str::to_owned),
            details,
            seq: 0,
        };
        store::audit::insert(self.sql, &entry)
    }
}

/// The owner's zone on the platform's clock. A zone the platform no longer knows counts as UTC.
pub struct Zone<'a> {
    clock: &'a dyn Clock,
    name: Cow<'a, str>,
}

impl ZoneOffset for Zone<'_> {
    fn offset_minutes(&self, at: Timestamp) -> i32 {
        self.clock
            .offset_minutes(&self.name, at.millis())
            .unwrap_or(0)
    }
}
