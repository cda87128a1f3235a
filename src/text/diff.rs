//! Which lines of a text changed.

use serde::Serialize;

/// One line of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Where it stands.
    pub op: Op,
    /// The line without its end.
    pub text: String,
}

/// Where a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Op {
    /// In both texts.
    Same,
    /// Only in the new one.
    Added,
    /// Only in the old one.
    Removed,
}

/// Most pairs of lines that are compared one with another: some 4 MB for a moment. Beyond it (two guides of two thousand
/// lines with nothing in common at either end) the middle counts as wholly replaced, which is true as well.
const PAIRS: usize = 2_000_000;

/// A shortest way from the old text's lines to the new one's; where lines were exchanged, the removed ones come first.
pub fn lines(old: &str, new: &str) -> Vec<Line> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let head = common(old.iter(), new.iter());
    let (old_rest, new_rest) = (
        old.get(head..).unwrap_or_default(),
        new.get(head..).unwrap_or_default(),
    );
    let tail = common(old_rest.iter().rev(), new_rest.iter().rev());
    let old_middle = old_rest.get(..old_rest.len() - tail).unwrap_or_default();
    let new_middle = new_rest.get(..new_rest.len() - tail).unwrap_or_default();
    let mut all: Vec<Line> = old
        .iter()
        .take(head)
        .map(|text| line(Op::Same, text))
        .collect();
    middle(old_middle, new_middle, &mut all);
    let tail = old.iter().skip(old.len() - tail);
    all.extend(tail.map(|text| line(Op::Same, text)));
    all
}

fn line(op: Op, text: &str) -> Line {
    Line {
        op,
        text: text.to_owned(),
    }
}

fn common<'a>(
    first: impl Iterator<Item = &'a &'a str>,
    second: impl Iterator<Item = &'a &'a str>,
) -> usize {
    first
        .zip(second)
        .take_while(|(first, second)| first == second)
        .count()
}

/// Compares by the longest common subsequence.
fn middle(old: &[&str], new: &[&str], all: &mut Vec<Line>) {
    let width = new.len() + 1;
    if (old.len() + 1).saturating_mul(width) > PAIRS {
        all.extend(old.iter().map(|text| line(Op::Removed, text)));
        all.extend(new.iter().map(|text| line(Op::Added, text)));
        return;
    }
    // common[row * width + column]: the longest common part of old[row..] and new[column..].
    let mut common = vec![0_u16; (old.len() + 1) * width];
    let at = |common: &[u16], row: usize, column: usize| {
        common
            .get(row * width + column)
            .copied()
            .unwrap_or_default()
    };
    for (row, old_line) in old.iter().enumerate().rev() {
        for (column, new_line) in new.iter().enumerate().rev() {
            let longest = if old_line == new_line {
                at(&common, row + 1, column + 1) + 1
            } else {
                at(&common, row + 1, column).max(at(&common, row, column + 1))
            };
            if let Some(place) = common.get_mut(row * width + column) {
                *place = longest;
            }
        }
    }
    let (mut row, mut column) = (0, 0);
    loop {
        match (old.get(row), new.get(column)) {
            (Some(old_line), Some(new_line)) if old_line == new_line => {
                all.push(line(Op::Same, old_line));
                row += 1;
                column += 1;
            }
            (Some(old_line), Some(_))
                if at(&common, row + 1, column) >= at(&common, row, column + 1) =>
            {
                all.push(line(Op::Removed, old_line));
                row += 1;
            }
            (_, Some(new_line)) => {
                all.push(line(Op::Added, new_line));
                column += 1;
            }
            (Some(old_line), None) => {
                all.push(line(Op::Removed, old_line));
                row += 1;
            }
            (None, None) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(old: &str, new: &str) -> String {
        let sign = |op| match op {
            Op::Same => ' ',
            Op::Added => '+',
            Op::Removed => '-',
        };
        lines(old, new)
            .iter()
            .map(|line| format!("{}{}|", sign(line.op), line.text))
            .collect()
    }

    #[test]
    fn an_exchanged_line_is_removed_and_added() {
        assert_eq!(shown("a\nb\nc", "a\nx\nc"), " a|-b|+x| c|");
        assert_eq!(shown("", "a\nb"), "+a|+b|");
        assert_eq!(shown("a\nb", "b"), "-a| b|");
        assert_eq!(shown("a\nb\nc\nd", "b\nd\ne"), "-a| b|-c| d|+e|");
        assert_eq!(shown("same", "same"), " same|");
    }

    #[test]
    fn texts_too_long_to_compare_line_by_line_count_as_exchanged() {
        let many = |word: &str| {
            (0..2_000)
                .map(|number| format!("{word}{number}"))
                .collect::<Vec<_>>()
                .join("\n")
        };
        let lines = lines(
            &format!("top\n{}", many("a")),
            &format!("top\n{}", many("b")),
        );
        assert_eq!(lines.len(), 4_001);
        assert_eq!(lines.iter().filter(|line| line.op == Op::Same).count(), 1);
    }

    proptest! {
        #[test]
        fn both_texts_can_be_read_from_a_comparison(old in "([ab]\n){0,8}", new in "([ab]\n){0,8}") {
            let all = lines(&old, &new);
            let side = |other: Op| {
                let kept = all.iter().filter(|line| line.op != other);
                kept.map(|line| format!("{}\n", line.text)).collect::<String>()
            };
            prop_assert_eq!(side(Op::Added), old);
            prop_assert_eq!(side(Op::Removed), new);
        }
    }
}
