//! Takes a part of a backup file as it comes in, a piece at a time: the part is never in memory as a whole. A part may be sent
//! again; the last one counts.

use sha2::{Digest as _, Sha256};

use crate::error::{Error, Result};
use crate::limits;
use crate::model::actor::{Actor, Permission};
use crate::model::backup::{TRAILER_START, hex};
use crate::model::restore::{Part, Progress, RestoreState};
use crate::store;
use crate::store::restore::{staging, uploads};
use crate::vault::Vault;
use crate::vault::restore;

/// A part under way.
#[derive(Debug)]
pub struct Upload {
    restore: String,
    part: i64,
    upload: i64,
    /// Bytes that make no whole piece yet.
    rest: Vec<u8>,
    pieces: i64,
    bytes: i64,
    hash: Sha256,
}

/// Begins to take a part.
///
/// # Errors
/// `not_found`; `invalid_argument` for a number that is none; `conflict` once the restore is being committed.
pub fn begin(vault: &Vault<'_>, actor: &Actor, id: &str, part: &str) -> Result<Upload> {
    actor.require(Permission::Own)?;
    let part = part
        .parse()
        .ok()
        .filter(|part| (1..=limits::RESTORE_PARTS).contains(part));
    let part = part.ok_or_else(|| {
        let message = format!("must be a number from 1 to {}", limits::RESTORE_PARTS);
        Error::invalid("part", message)
    })?;
    vault.sql.in_transaction(|| {
        let mut restore = restore::find(vault, id)?;
        if restore.wish.is_some() || restore.state == RestoreState::Restored {
            return Err(Error::conflict(
                "this restore is committed already; open another one",
            ));
        }
        // What was checked so far was another file.
        staging::drop_all(vault.sql)?;
        restore.state = RestoreState::Receiving;
        restore.progress = Progress::default();
        restore.changed_at = vault.now();
        store::restore::update(vault.sql, &restore)?;
        Ok(Upload {
            restore: restore.id,
            part,
            upload: uploads::begin(vault.sql, part)?,
            rest: Vec::new(),
            pieces: 0,
            bytes: 0,
            hash: Sha256::new(),
        })
    })
}

impl Upload {
    /// Bytes taken so far.
    pub fn bytes(&self) -> i64 {
        self.bytes
    }

    /// The restore it belongs to.
    pub fn restore(&self) -> &str {
        &self.restore
    }

    /// Takes some bytes.
    ///
    /// # Errors
    /// `conflict` when the part is being sent by somebody else meanwhile.
    pub fn take(&mut self, vault: &Vault<'_>, mut bytes: &[u8]) -> Result<()> {
        self.hash.update(bytes);
        self.bytes += bytes.len() as i64;
        while !bytes.is_empty() {
            let room = limits::PIECE_BYTES.saturating_sub(self.rest.len());
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            self.rest.extend_from_slice(now);
            bytes = later;
            if self.rest.len() >= limits::PIECE_BYTES {
                self.put(vault)?;
            }
        }
        Ok(())
    }

    fn put(&mut self, vault: &Vault<'_>) -> Result<()> {
        vault.sql.in_transaction(|| {
            self.require_current(vault)?;
            uploads::add(vault.sql, self.part, self.pieces, &self.rest)
        })?;
        self.pieces += 1;
        self.rest.clear();
        Ok(())
    }

    fn require_current(&self, vault: &Vault<'_>) -> Result<()> {
        restore::find(vault, &self.restore)?;
        if uploads::is_current(vault.sql, self.part, self.upload)? {
            return Ok(());
        }
        Err(Error::conflict(
            "this part is being sent anew by another request",
        ))
    }

    /// All of the part is there. Once the file is whole, it is checked in the background.
    pub fn finish(mut self, vault: &Vault<'_>) -> Result<Part> {
        if !self.rest.is_empty() {
            self.put(vault)?;
        }
        let sha256 = hex(&self.hash.finalize_reset());
        vault.sql.in_transaction(|| {
            self.require_current(vault)?;
            uploads::finish(vault.sql, self.part, self.bytes, &sha256)?;
            let mut restore = restore::find(vault, &self.restore)?;
            if is_whole(vault)? {
                restore.state = RestoreState::Checking;
            }
            restore.changed_at = vault.now();
            store::restore::update(vault.sql, &restore)?;
            restore::schedule(vault)
        })?;
        Ok(Part {
            part: self.part,
            bytes: self.bytes,
            sha256: Some(sha256),
        })
    }

    /// The part did not come to its end, and counts as not sent.
    pub fn abandon(&self, vault: &Vault<'_>) {
        // What fails here leaves a part without its hash, which counts as missing.
        let _ = vault.sql.in_transaction(|| {
            if uploads::is_current(vault.sql, self.part, self.upload)? {
                uploads::remove(vault.sql, self.part)?;
            }
            Ok(())
        });
    }
}

/// Whether the parts are there without a gap and the last line is a trailer.
fn is_whole(vault: &Vault<'_>) -> Result<bool> {
    let parts = uploads::parts(vault.sql)?;
    let without_gap = parts
        .iter()
        .zip(1..)
        .all(|(part, number)| part.part == number && part.sha256.is_some());
    if parts.is_empty() || !without_gap {
        return Ok(false);
    }
    let tail = uploads::tail(vault.sql, limits::TRAILER_BYTES)?;
    let end = tail.strip_suffix(b"\n").unwrap_or(&tail);
    let last = end.rsplit(|byte| *byte == b'\n').next().unwrap_or(end);
    Ok(last.starts_with(TRAILER_START) && last.ends_with(b"}"))
}
