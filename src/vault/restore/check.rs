//! Checks a file, some of it in each step: hash, counts and every row, which goes into its staged table. A step is one
//! transaction, so what was killed in the middle is done again from where it began.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::digest::common::hazmat::{SerializableState as _, SerializedState};
use sha2::{Digest as _, Sha256};

use crate::error::{Error, Result};
use crate::limits;
use crate::model::backup::{FORMAT, FORMAT_VERSION, Header, TRAILER_START, Trailer, hex};
use crate::model::restore::{Fault, Progress, Restore, RestoreState};
use crate::store;
use crate::store::migrations;
use crate::store::restore::{staging, uploads};
use crate::vault::Vault;
use crate::vault::restore::row::{Refusal, Tables, Taken};

/// Goes one step on. Part of the caller's transaction.
pub(super) fn step(vault: &Vault<'_>, mut restore: Restore) -> Result<()> {
    let mut progress = std::mem::take(&mut restore.progress);
    let mut taken = go_on(vault, &mut progress)?;
    if taken.is_ok() && progress.finished {
        taken = links(vault)?;
    }
    if let Err(fault) = taken {
        progress.fault = Some(fault);
        // The rest of the file is of no use, and neither is what was staged of it.
        staging::drop_all(vault.sql)?;
        restore.state = RestoreState::Broken;
        restore.wish = None;
    } else if progress.finished {
        restore.state = RestoreState::Ready;
    }
    restore.progress = progress;
    store::restore::update(vault.sql, &restore)
}

fn go_on(vault: &Vault<'_>, progress: &mut Progress) -> Taken {
    if progress.line == 0 {
        staging::create(vault.sql)?;
    }
    let mut tables = None;
    if progress.header.is_some() {
        match Tables::of(vault, progress)? {
            Ok(known) => tables = Some(known),
            Err(refusal) => return Ok(Err(at_fault(progress, refusal))),
        }
    }
    let taken = take_lines(vault, progress, &mut tables)?;
    // What was taken before a line at fault may be at fault as well, and then it is named.
    let staged = match &mut tables {
        Some(tables) => tables.stage(vault, progress)?,
        None => Ok(()),
    };
    Ok(staged.and(taken))
}

/// Checks what the rows say of one another; the line at fault is looked up in the file.
fn links(vault: &Vault<'_>) -> Taken {
    let Some(broken) = store::restore::links::broken(vault.sql)? else {
        return Ok(Ok(()));
    };
    let start = format!("{{\"table\":\"{}\"", broken.table);
    let (column, value) = &broken.known_by;
    let mut lines = Lines::at(&Progress::default());
    let mut fault = Fault {
        line: 0,
        message: format!(
            "is a row of {} that cannot be: {}",
            broken.table, broken.why
        ),
    };
    while let Some(line) = lines.next(vault)? {
        fault.line += 1;
        let Ok(line) = line else { continue };
        let read = || serde_json::from_slice::<serde_json::Value>(&line).unwrap_or_default();
        if line.starts_with(start.as_bytes())
            && read()
                .pointer(&format!("/row/{column}"))
                .and_then(serde_json::Value::as_str)
                == Some(value)
        {
            break;
        }
    }
    Ok(Err(fault))
}

fn at_fault(progress: &Progress, message: Refusal) -> Fault {
    Fault {
        line: progress.line,
        message,
    }
}

fn take_lines(vault: &Vault<'_>, progress: &mut Progress, tables: &mut Option<Tables>) -> Taken {
    let mut lines = Lines::at(progress);
    let mut hash = unpacked(&progress.hash)?;
    let mut read = 0;
    while read < limits::RESTORE_STEP_BYTES {
        let Some(line) = lines.next(vault)? else {
            if !progress.finished {
                let cut = "the file ends here, without the line that says how much there must be";
                return Ok(Err(at_fault(progress, cut.to_owned())));
            }
            break;
        };
        progress.line += 1;
        let line = match line {
            Ok(line) => line,
            Err(refusal) => return Ok(Err(at_fault(progress, refusal))),
        };
        if progress.finished {
            let message = "follows the line that ends the file".to_owned();
            return Ok(Err(at_fault(progress, message)));
        }
        read += line.len();
        progress.bytes += line.len() as i64;
        let taken = if line.starts_with(TRAILER_START) {
            trailer(progress, &line, &hash)
        } else {
            hash.update(&line);
            if let Some(tables) = tables {
                if let Err(fault) = tables.take(vault, progress, &line)? {
                    return Ok(Err(fault));
                }
                continue;
            }
            match header(progress, &line) {
                Ok(()) => Tables::of(vault, progress)?.map(|known| *tables = Some(known)),
                Err(refusal) => Err(refusal),
            }
        };
        if let Err(refusal) = taken {
            return Ok(Err(at_fault(progress, refusal)));
        }
    }
    progress.hash = STANDARD.encode(hash.serialize());
    (progress.part, progress.piece, progress.offset) = lines.place();
    Ok(Ok(()))
}

fn unpacked(state: &str) -> Result<Sha256> {
    if state.is_empty() {
        return Ok(Sha256::new());
    }
    let unreadable = || Error::internal("the hash of a restore is not readable");
    let bytes = STANDARD.decode(state).map_err(|_| unreadable())?;
    let state = SerializedState::<Sha256>::try_from(bytes.as_slice()).map_err(|_| unreadable())?;
    Sha256::deserialize(&state).map_err(|_| unreadable())
}

fn header(progress: &mut Progress, line: &[u8]) -> std::result::Result<(), Refusal> {
    let fields: serde_json::Value = serde_json::from_slice(line).unwrap_or_default();
    if fields.get("format").and_then(serde_json::Value::as_str) != Some(FORMAT) {
        return Err("this is no backup of a Memory Vault".into());
    }
    let number = |name: &str| fields.get(name).and_then(serde_json::Value::as_i64);
    let (version, schema) = (
        number("version").unwrap_or_default(),
        number("schema").unwrap_or_default(),
    );
    if version < 1 || schema < 1 {
        return Err("the header of the backup names no version of its form".to_owned());
    }
    if version > FORMAT_VERSION || schema > migrations::newest() {
        return Err(format!(
            "this backup was made by a newer version (format {version}, schema {schema}; this one knows {FORMAT_VERSION} and {}): \
             update the vault first",
            migrations::newest()
        ));
    }
    let header: Header = serde_json::from_slice(line)
        .map_err(|_| "the header of the backup is not readable".to_owned())?;
    for table in &header.tables {
        progress.counts.insert(table.name.clone(), 0);
    }
    progress.header = Some(header);
    Ok(())
}

fn trailer(
    progress: &mut Progress,
    line: &[u8],
    hash: &Sha256,
) -> std::result::Result<(), Refusal> {
    let trailer: Trailer = serde_json::from_slice(line)
        .map_err(|_| "the last line of the backup is not readable".to_owned())?;
    let Some(header) = &progress.header else {
        return Err("the file has no header".into());
    };
    let announced = header
        .tables
        .iter()
        .map(|table| (table.name.clone(), table.rows));
    if trailer.counts != progress.counts
        || announced.collect::<std::collections::BTreeMap<_, _>>() != progress.counts
    {
        return Err(
            "the file does not hold as many rows as it says; something is missing or was added"
                .into(),
        );
    }
    if trailer.sha256 != hex(&hash.clone().finalize()) {
        return Err(
            "the file's hash is another: it was changed or damaged after it was made".into(),
        );
    }
    progress.finished = true;
    Ok(())
}

/// The lines of the uploaded file, from a place on.
struct Lines {
    part: i64,
    piece: i64,
    offset: usize,
    bytes: Option<Vec<u8>>,
}

impl Lines {
    fn at(progress: &Progress) -> Self {
        Lines {
            part: progress.part,
            piece: progress.piece,
            offset: progress.offset,
            bytes: None,
        }
    }

    fn place(&self) -> (i64, i64, usize) {
        (self.part, self.piece, self.offset)
    }

    /// The next line with its line feed; `None` at the end of the file.
    fn next(&mut self, vault: &Vault<'_>) -> Result<Option<std::result::Result<Vec<u8>, Refusal>>> {
        let mut line = Vec::new();
        loop {
            if self.bytes.is_none() {
                let Some((part, piece, bytes)) = uploads::piece(vault.sql, self.part, self.piece)?
                else {
                    return Ok((!line.is_empty()).then_some(Ok(line)));
                };
                if (part, piece) != (self.part, self.piece) {
                    (self.part, self.piece, self.offset) = (part, piece, 0);
                }
                self.bytes = Some(bytes);
            }
            let rest = self
                .bytes
                .as_deref()
                .and_then(|bytes| bytes.get(self.offset..));
            let rest = rest.unwrap_or_default();
            let end = rest.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(rest.len(), |end| end + 1);
            line.extend_from_slice(rest.get(..taken).unwrap_or_default());
            self.offset += taken;
            if line.len() > limits::BACKUP_LINE_BYTES {
                return Ok(Some(Err(format!(
                    "is longer than the {} bytes a line may have",
                    limits::BACKUP_LINE_BYTES
                ))));
            }
            if end.is_some() {
                return Ok(Some(Ok(line)));
            }
            // On to the piece after this one.
            self.bytes = None;
            self.piece += 1;
            self.offset = 0;
        }
    }
}
