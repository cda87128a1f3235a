//! The owner's settings.

use crate::error::Result;
use crate::model::actor::{Actor, Permission};
use crate::model::audit::Action;
use crate::model::settings::{Mode, Settings, SettingsPatch};
use crate::store;
use crate::vault::agenda::{self, JobKind};
use crate::vault::{Vault, indexing};

/// The settings in force.
pub fn get_settings(vault: &Vault<'_>, actor: &Actor) -> Result<Settings> {
    actor.require(Permission::Own)?;
    vault.settings().cloned()
}

/// The settings after a change, if they can be.
pub(crate) fn changed(
    vault: &Vault<'_>,
    before: &Settings,
    patch: SettingsPatch,
) -> Result<Settings> {
    let now = vault.clock.now_millis();
    before.changed(patch, |zone| {
        vault.clock.offset_minutes(zone, now).is_some()
    })
}

/// Changes some settings and returns all.
///
/// # Errors
/// `invalid_argument` naming the setting; nothing is changed then.
pub fn put_settings(vault: &Vault<'_>, actor: &Actor, patch: SettingsPatch) -> Result<Settings> {
    actor.require(Permission::Own)?;
    vault.sql.in_transaction(|| {
        let before = vault.settings()?;
        let after = changed(vault, before, patch)?;
        if after == *before {
            return Ok(after);
        }
        store::settings::save(vault.sql, &after)?;
        indexing::begin(vault)?;
        let names = changed_names(before, &after);
        vault.audit(
            actor,
            Action::ChangeSettings,
            None,
            Some(serde_json::json!({ "settings": names })),
        )?;
        // Wishes to forget that waited for the owner get their whole grace period from now on: switching the mode must
        // not destroy what was asked for long ago.
        if after.mode == Mode::Auto && before.mode != Mode::Auto {
            store::memories::restart_forget_requests(vault.sql, vault.now())?;
        }
        if after.mode == Mode::Auto
            && let Some(oldest) = store::memories::oldest_forget_request(vault.sql)?
        {
            agenda::schedule(
                vault,
                JobKind::DestroyForgotten,
                oldest.plus_days(after.forget_grace_days),
            )?;
        }
        Ok(after)
    })
}

fn changed_names(before: &Settings, after: &Settings) -> Vec<String> {
    let fields = |settings| {
        serde_json::to_value(settings)
            .ok()
            .and_then(|value| value.as_object().cloned())
            .unwrap_or_default()
    };
    let (before, after) = (fields(before), fields(after));
    after
        .into_iter()
        .filter(|(name, value)| before.get(name) != Some(value))
        .map(|(name, _)| name)
        .collect()
}
