//! The owner's settings: few, typed, each with a default and a range.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::limits;
use crate::model::memory::words;

words! {
    /// What happens to an agent's write.
    Mode("mode") {
        /// It waits for the owner (the default).
        Review = "review",
        /// It holds at once.
        Auto = "auto",
    }
}

words! {
    /// Who finds the memories most alike to a question.
    Engine("engine") {
        /// The vault, and Vectorize once there are very many (the default).
        Auto = "auto",
        /// The vault.
        Vault = "vault",
        /// Vectorize.
        Vectorize = "vectorize",
    }
}

/// All settings with their values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// What happens to an agent's write.
    pub mode: Mode,
    /// IANA name; days begin and end there.
    pub time_zone: String,
    /// Days a short-tier memory lives, 1 to [`limits::SETTING_DAYS_MAX`].
    pub short_tier_days: i64,
    /// Days between an agent's `forget` and the destruction in auto mode, 0 to [`limits::SETTING_DAYS_MAX`].
    pub forget_grace_days: i64,
    /// Days a replaced or expired memory is kept; 0 for ever.
    pub superseded_days: i64,
    /// Days a rejected memory is kept; 0 for ever.
    pub rejected_days: i64,
    /// Days a row of the audit log is kept; 0 for ever.
    pub audit_days: i64,
    /// Days between the wish to erase the vault and the erasure, [`limits::ERASE_GRACE_DAYS`] to
    /// [`limits::ERASE_GRACE_DAYS_MAX`].
    pub erase_grace_days: i64,
    /// Who finds the memories most alike to a question.
    pub engine: Engine,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            mode: Mode::Review,
            time_zone: "UTC".to_owned(),
            short_tier_days: limits::SHORT_TIER_DAYS,
            forget_grace_days: limits::FORGET_GRACE_DAYS,
            superseded_days: limits::SUPERSEDED_DAYS,
            rejected_days: limits::REJECTED_DAYS,
            audit_days: limits::AUDIT_DAYS,
            erase_grace_days: limits::ERASE_GRACE_DAYS,
            engine: Engine::Auto,
        }
    }
}

/// A change of some settings; absent ones stay. Unknown names are refused, since a misspelt setting that is silently
/// ignored looks like one that was taken.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingsPatch {
    /// One of [`Mode::WORDS`].
    pub mode: Option<String>,
    /// IANA name.
    pub time_zone: Option<String>,
    /// Days.
    pub short_tier_days: Option<i64>,
    /// Days.
    pub forget_grace_days: Option<i64>,
    /// Days, 0 for ever.
    pub superseded_days: Option<i64>,
    /// Days, 0 for ever.
    pub rejected_days: Option<i64>,
    /// Days, 0 for ever.
    pub audit_days: Option<i64>,
    /// Days.
    pub erase_grace_days: Option<i64>,
    /// One of [`Engine::WORDS`].
    pub engine: Option<String>,
}

impl Settings {
    /// The settings after the change.
    ///
    /// # Errors
    /// `invalid_argument` naming the setting; `zone_is_known` decides about time zones.
    pub fn changed(
        &self,
        patch: SettingsPatch,
        zone_is_known: impl Fn(&str) -> bool,
    ) -> Result<Settings> {
        let mut settings = self.clone();
        if let Some(mode) = patch.mode {
            settings.mode = Mode::parse(&mode)?;
        }
        if let Some(zone) = patch.time_zone {
            if zone.len() > limits::LABEL_CHARS || !zone_is_known(&zone) {
                return Err(Error::invalid(
                    "time_zone",
                    "must be an IANA name such as Europe/Berlin",
                ));
            }
            settings.time_zone = zone;
        }
        let most = limits::SETTING_DAYS_MAX;
        for (name, days, setting, range) in [
            (
                "short_tier_days",
                patch.short_tier_days,
                &mut settings.short_tier_days,
                1..=most,
            ),
            (
                "forget_grace_days",
                patch.forget_grace_days,
                &mut settings.forget_grace_days,
                0..=most,
            ),
            (
                "superseded_days",
                patch.superseded_days,
                &mut settings.superseded_days,
                0..=most,
            ),
            (
                "rejected_days",
                patch.rejected_days,
                &mut settings.rejected_days,
                0..=most,
            ),
            (
                "audit_days",
                patch.audit_days,
                &mut settings.audit_days,
                0..=most,
            ),
            (
                "erase_grace_days",
                patch.erase_grace_days,
                &mut settings.erase_grace_days,
                limits::ERASE_GRACE_DAYS..=limits::ERASE_GRACE_DAYS_MAX,
            ),
        ] {
            if let Some(days) = days {
                *setting = days_within(name, days, range)?;
            }
        }
        if let Some(engine) = patch.engine {
            settings.engine = Engine::parse(&engine)?;
        }
        Ok(settings)
    }
}

fn days_within(field: &str, days: i64, range: RangeInclusive<i64>) -> Result<i64> {
    if range.contains(&days) {
        return Ok(days);
    }
    let message = format!(
        "must be a whole number of days from {} to {}",
        range.start(),
        range.end()
    );
    Err(Error::invalid(field, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(json: &str) -> Result<Settings> {
        let patch = serde_json::from_str(json)
            .map_err(|error| Error::invalid("body", error.to_string()))?;
        Settings::default().changed(patch, |zone| zone == "Asia/Tokyo")
    }

    #[test]
    fn a_change_leaves_the_rest_as_it_was() {
        let settings = change(r#"{"time_zone":"Asia/Tokyo"}"#).unwrap();
        assert_eq!(
            settings,
            Settings {
                time_zone: "Asia/Tokyo".into(),
                ..Settings::default()
            }
        );
    }

    #[test]
    fn each_setting_holds_its_range() {
        let allowed = [
            r#"{"short_tier_days":1}"#,
            r#"{"short_tier_days":3650}"#,
            r#"{"forget_grace_days":0}"#,
            r#"{"mode":"auto"}"#,
            r#"{"superseded_days":0,"rejected_days":0,"audit_days":0}"#,
            r#"{"superseded_days":3650,"rejected_days":3650,"audit_days":3650}"#,
            r#"{"erase_grace_days":7}"#,
            r#"{"erase_grace_days":365}"#,
            r#"{"engine":"vectorize"}"#,
        ];
        let refused = [
            r#"{"short_tier_days":0}"#,
            r#"{"short_tier_days":3651}"#,
            r#"{"forget_grace_days":-1}"#,
            r#"{"superseded_days":-1}"#,
            r#"{"superseded_days":3651}"#,
            r#"{"rejected_days":-1}"#,
            r#"{"audit_days":3651}"#,
            r#"{"erase_grace_days":6}"#,
            r#"{"erase_grace_days":366}"#,
            r#"{"mode":"yolo"}"#,
            r#"{"engine":"warp"}"#,
            r#"{"time_zone":"Mars/Olympus"}"#,
            r#"{"tme_zone":"Asia/Tokyo"}"#,
        ];
        assert!(allowed.iter().all(|json| change(json).is_ok()));
        for json in refused {
            assert!(change(json).is_err(), "{json}");
        }
    }
}
