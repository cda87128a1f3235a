//! The table `memory_conflicts`: pairs of memories that seem to contradict each other, each pair in both directions.

use crate::error::Result;
use crate::ports::Sql;

/// Makes `others` the memories that `seq` seems to contradict, in place of whatever was noted before.
pub fn set(sql: &dyn Sql, seq: i64, others: &[i64]) -> Result<()> {
    sql.run(
        "DELETE FROM memory_conflicts WHERE memory_seq = ?1 OR other_seq = ?1",
        &[seq.into()],
    )?;
    for other in others {
        for (one, two) in [(seq, *other), (*other, seq)] {
            sql.run(
                "INSERT INTO memory_conflicts (memory_seq, other_seq) VALUES (?, ?)",
                &[one.into(), two.into()],
            )?;
        }
    }
    Ok(())
}
