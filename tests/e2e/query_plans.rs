//! What SQLite does for the statements that every call needs, asked of the SQLite inside workerd: its planner decides.

use memory_vault::store::memory_rows::COLUMNS;

use crate::support::Vault;

#[test]
fn reading_a_memory_walks_no_table() {
    // A walk costs little in a test's vault, and with 6,000 memories six milliseconds for each one that is read.
    let vault = Vault::start();
    vault.remember("The first call makes the tables");
    for source in ["memories m WHERE m.seq = 5", "memories m WHERE m.id = 'x'"] {
        let plan = vault.sql(&format!(
            "EXPLAIN QUERY PLAN SELECT {COLUMNS} FROM {source}"
        ));
        let steps: Vec<&str> = plan.iter().filter_map(|row| row[3].as_str()).collect();
        assert!(steps.len() >= 3, "{steps:?}");
        let walks = |step: &&&str| step.starts_with("SCAN") && !step.starts_with("SCAN (");
        assert_eq!(steps.iter().find(walks), None, "{steps:?}");
        // Not by what all memories in force have in common either.
        assert!(
            !steps.iter().any(|step| step.contains("status=")),
            "{steps:?}"
        );
    }
}
