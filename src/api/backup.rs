//! Handlers of `/api/backup` and `/api/export`: files that are made while they are sent.

use crate::api::call::Call;
use crate::api::query;
use crate::api::streamed::{self, Begun};
use crate::vault::export::ExportFormat;
use crate::vault::{self, Vault};

/// `GET /api/backup`
pub fn backup(vault: &Vault<'_>, call: &Call<'_>) -> Begun {
    let embeddings = call.query("embeddings").is_none() || call.flag("embeddings")?;
    let backup = vault::backup::begin(vault, call.actor()?, embeddings)?;
    let name = vault::backup::file_name(backup.made_at());
    Ok(streamed::download("application/x-ndjson", &name, backup))
}

/// `GET /api/export`
pub fn export(vault: &Vault<'_>, call: &Call<'_>) -> Begun {
    let format = call
        .query("format")
        .map_or(Ok(ExportFormat::Markdown), ExportFormat::parse)?;
    let statuses = query::statuses(call.query("status"))?;
    let export = vault::export::begin(vault, call.actor()?, format, statuses)?;
    let media_type = match format {
        ExportFormat::Markdown => "text/markdown; charset=utf-8",
        ExportFormat::Json => "application/json",
        ExportFormat::Csv => "text/csv; charset=utf-8",
    };
    let name = export.file_name();
    Ok(streamed::download(media_type, &name, export))
}
