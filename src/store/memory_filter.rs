//! A filter as SQL, over `memories m`.

use crate::model::memory::Filter;
use crate::ports::SqlValue;

/// [`crate::model::memory::Memory::is_withheld`] is not so.
const SEEN: &str = "NOT (m.status = 'proposed' AND m.flags <> '')";

/// The condition a filter stands for, over `memories m`, and its parameters.
pub fn condition(filter: &Filter) -> (String, Vec<SqlValue>) {
    let mut conditions: Vec<String> = Vec::new();
    let mut parameters: Vec<SqlValue> = Vec::new();
    let mut also = |condition: &str, parameter: SqlValue| {
        conditions.push(condition.to_owned());
        parameters.push(parameter);
    };
    if let Some(memory_type) = filter.memory_type {
        also("m.type = ?", memory_type.as_str().into());
    }
    if let Some(tier) = filter.tier {
        also("m.tier = ?", tier.as_str().into());
    }
    if let Some(tag) = &filter.tag {
        also(
            "EXISTS (SELECT 1 FROM memory_tags t WHERE t.tag = ? AND t.memory_seq = m.seq)",
            tag.into(),
        );
    }
    if let Some(source) = &filter.source {
        // "diary" also finds "diary (via Claude)".
        also(
            "? IN (m.source, substr(m.source, 1, instr(m.source, ' (via ') - 1))",
            source.into(),
        );
    }
    if let Some(session) = &filter.session {
        also("m.session = ?", session.into());
    }
    if let Some(batch_id) = &filter.batch_id {
        also("m.batch_id = ?", batch_id.into());
    }
    if let Some(created_by) = &filter.created_by {
        also("m.created_by = ?", created_by.into());
    }
    if let Some(flag) = filter.flag {
        also(
            "m.flags <> '' AND instr(',' || m.flags || ',', ',' || ? || ',') > 0",
            flag.as_str().into(),
        );
    }
    if let Some(ids) = &filter.ids {
        // One parameter for all: the platform binds a hundred at most.
        let ids = serde_json::json!(ids).to_string();
        also("m.id IN (SELECT value FROM json_each(?))", ids.into());
    }
    if let Some(after) = filter.after {
        also("m.dated_at >= ?", after.millis().into());
    }
    if let Some(before) = filter.before {
        also("m.dated_at < ?", before.millis().into());
    }
    if let Some(instant) = filter.as_of {
        also("m.valid_from <= ?", instant.millis().into());
        also(
            "coalesce(m.valid_until, 9007199254740991) > ?",
            instant.millis().into(),
        );
    }
    if !filter.statuses.is_empty() {
        let places = vec!["?"; filter.statuses.len()].join(", ");
        conditions.push(format!("m.status IN ({places})"));
        parameters.extend(
            filter
                .statuses
                .iter()
                .map(|status| SqlValue::from(status.as_str())),
        );
    }
    if filter.without_withheld {
        conditions.push(SEEN.to_owned());
    }
    conditions.push(hidden(filter.forget_requested).to_owned());
    (conditions.join(" AND "), parameters)
}

/// Few are asked to be forgotten, so their keys are looked up first: told only that they are in the order of keys, SQLite reads
/// every memory to find them.
const fn hidden(requested: bool) -> &'static str {
    if requested {
        "m.seq IN (SELECT seq FROM memories WHERE forget_requested_at > 0)"
    } else {
        "m.forget_requested_at IS NULL"
    }
}
