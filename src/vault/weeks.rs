//! The shelf: how many of today's memories came in each of the last weeks, by type.

use std::collections::BTreeMap;

use serde::Serialize;
use time::Duration;

use crate::error::Result;
use crate::limits;
use crate::model::time::{local_date, local_midnight};
use crate::store;
use crate::vault::Vault;

/// One week, Monday to Sunday in the owner's zone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Week {
    /// Its Monday, `2026-03-09`.
    pub start: String,
    /// Active memories that were stored in it.
    pub total: i64,
    /// The same by type; types without any are left out.
    pub by_type: BTreeMap<String, i64>,
}

/// The last [`limits::STATUS_WEEKS`] weeks, oldest first, the present one included.
pub(crate) fn weeks(vault: &Vault<'_>) -> Result<Vec<Week>> {
    let zone = vault.zone()?;
    let today = local_date(vault.now(), &zone);
    let monday = today - Duration::days(i64::from(today.weekday().number_days_from_monday()));
    let oldest = monday - Duration::weeks(limits::STATUS_WEEKS as i64 - 1);
    let starts: Vec<time::Date> = (0..=limits::STATUS_WEEKS as i64)
        .map(|number| oldest + Duration::weeks(number))
        .collect();
    let bounds: Vec<_> = starts
        .iter()
        .map(|date| local_midnight(*date, &zone))
        .collect();
    let mut weeks: Vec<Week> = starts
        .iter()
        .take(limits::STATUS_WEEKS)
        .map(|date| Week {
            start: format!(
                "{:04}-{:02}-{:02}",
                date.year(),
                u8::from(date.month()),
                date.day()
            ),
            total: 0,
            by_type: BTreeMap::new(),
        })
        .collect();
    for (number, memory_type, count) in store::weeks::count(vault.sql, &bounds)? {
        if let Some(week) = weeks.get_mut(number) {
            week.total += count;
            week.by_type.insert(memory_type, count);
        }
    }
    Ok(weeks)
}
