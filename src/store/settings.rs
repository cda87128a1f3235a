//! The table `settings`: one JSON row over the defaults, so a new setting needs no migration.

use crate::error::{Error, Result};
use crate::model::settings::Settings;
use crate::ports::Sql;

/// The settings in force.
pub fn load(sql: &dyn Sql) -> Result<Settings> {
    load_from(sql, "settings")
}

/// The settings of another table of this form.
pub fn load_from(sql: &dyn Sql, table: &str) -> Result<Settings> {
    let statement = format!("SELECT json FROM {table} WHERE only = 1");
    let Some(row) = sql.first(&statement, &[])? else {
        return Ok(Settings::default());
    };
    serde_json::from_str(&row.text(0)?)
        .map_err(|_| Error::internal("the stored settings are not readable"))
}

/// Writes all settings.
pub fn save(sql: &dyn Sql, settings: &Settings) -> Result<()> {
    let json = serde_json::to_string(settings)
        .map_err(|_| Error::internal("settings do not serialise"))?;
    sql.run("INSERT INTO settings (only, json) VALUES (1, ?) ON CONFLICT (only) DO UPDATE SET json = excluded.json", &[json.into()])
}
