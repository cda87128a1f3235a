//! The owner's settings: few, typed, each with a default and a range.

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

/// All settings with their values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// What happens to an agent's write.
    pub mode: Mode,
    /// IANA name; days begin and end there.
    pub time_zone: String,
    /// Days a short-tier memory lives, 1 to [`limits::SETTING_DAYS_MAX`].
    pub short_tier_days: i64,
    /// Days between an agent's `forget` and the destruction in auto mode, 0 to [`limits::SETTING_DAYS_MAX`].
    pub forget_grace_days: i64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            mode: Mode::Review,
            time_zone: "UTC".to_owned(),
            short_tier_days: limits::SHORT_TIER_DAYS,
            forget_grace_days: limits::FORGET_GRACE_DAYS,
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
        if let Some(days) = patch.short_tier_days {
            settings.short_tier_days = days_within("short_tier_days", days, 1)?;
        }
        if let Some(days) = patch.forget_grace_days {
            settings.forget_grace_days = days_within("forget_grace_days", days, 0)?;
        }
        Ok(settings)
    }
}

fn days_within(field: &str, days: i64, least: i64) -> Result<i64> {
    if (least..=limits::SETTING_DAYS_MAX).contains(&days) {
        Ok(days)
    } else {
        Err(Error::invalid(
            field,
            format!(
                "must be a whole number of days from {least} to {}",
                limits::SETTING_DAYS_MAX
            ),
        ))
    }
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
        ];
        let refused = [
            r#"{"short_tier_days":0}"#,
            r#"{"short_tier_days":3651}"#,
            r#"{"forget_grace_days":-1}"#,
            r#"{"mode":"yolo"}"#,
            r#"{"time_zone":"Mars/Olympus"}"#,
            r#"{"tme_zone":"Asia/Tokyo"}"#,
        ];
        assert!(allowed.iter().all(|json| change(json).is_ok()));
        for json in refused {
            assert!(change(json).is_err(), "{json}");
        }
    }
}
