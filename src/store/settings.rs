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
    let unreadable = |_| Error::internal("the stored settings are not readable");
    let stored: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(&row.text(0)?).map_err(unreadable)?;
    let mut all = serde_json::to_value(Settings::default()).map_err(unreadable)?;
    if let Some(all) = all.as_object_mut() {
        all.extend(stored);
    }
    serde_json::from_value(all).map_err(unreadable)
}

/// Writes all settings.
pub fn save(sql: &dyn Sql, settings: &Settings) -> Result<()> {
    let json = serde_json::to_string(settings)
        .map_err(|_| Error::internal("settings do not serialise"))?;
    sql.run("INSERT INTO settings (only, json) VALUES (1, ?) ON CONFLICT (only) DO UPDATE SET json = excluded.json", &[json.into()])
}
