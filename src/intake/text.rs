//! A pasted text, cut into memories: at `---` lines if there are any, else at blank lines, and a paragraph that is a list
//! at its bullets. Fenced code and tables stay whole, nested bullets stay with their parent, headings go with what
//! follows them.

/// Cuts a text into items, in order, without empty ones.
pub fn split(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut ruled = blocks(&lines, is_rule);
    if ruled.len() > 1 {
        return ruled
            .into_iter()
            .map(|block| block.join("\n").trim().to_owned())
            .collect();
    }
    let paragraphs = blocks(&ruled.pop().unwrap_or_default(), |line| {
        line.trim().is_empty()
    });
    with_headings(paragraphs)
        .into_iter()
        .flat_map(|block| bullets(&block))
        .collect()
}

/// Runs of lines between separators; separators inside a fence do not count.
fn blocks<'a>(lines: &[&'a str], is_separator: impl Fn(&str) -> bool) -> Vec<Vec<&'a str>> {
    let mut blocks = Vec::new();
    let mut block: Vec<&str> = Vec::new();
    let mut fence: Option<&str> = None;
    for line in lines {
        match (fence, fence_mark(line)) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if mark == open => fence = None,
            _ => {}
        }
        if fence.is_none() && is_separator(line) {
            blocks.push(std::mem::take(&mut block));
        } else {
            block.push(line);
        }
    }
    blocks.push(block);
    blocks.retain(|block| block.iter().any(|line| !line.trim().is_empty()));
    blocks
}

fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3 && line.bytes().all(|byte| byte == b'-')
}

fn fence_mark(line: &str) -> Option<&'static str> {
    let line = line.trim_start();
    ["```", "~~~"]
        .into_iter()
        .find(|mark| line.starts_with(mark))
}

fn is_heading(line: &str) -> bool {
    let hashes = line
        .chars()
        .take_while(|character| *character == '#')
        .count();
    (1..=6).contains(&hashes) && line.chars().nth(hashes) == Some(' ')
}

/// A block that is nothing but headings is joined to the block after it.
fn with_headings(blocks: Vec<Vec<&str>>) -> Vec<Vec<&str>> {
    let mut joined: Vec<Vec<&str>> = Vec::new();
    let mut headings: Vec<&str> = Vec::new();
    for block in blocks {
        if block.iter().all(|line| is_heading(line)) {
            headings.extend(block);
        } else {
            let mut whole = std::mem::take(&mut headings);
            whole.extend(block);
            joined.push(whole);
        }
    }
    if !headings.is_empty() {
        joined.push(headings);
    }
    joined
}

/// The text of a bullet at the line's own depth, if the line is one.
fn bullet(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start();
    let depth = line.len() - text.len();
    let rest = text.strip_prefix(['-', '*', '+', '•']).or_else(|| {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        text.get(digits..)
            .filter(|_| (1..=3).contains(&digits))
            .and_then(|rest| rest.strip_prefix(['.', ')']))
    })?;
    rest.strip_prefix(' ')
        .map(|rest| (depth, rest.trim_start()))
}

/// A block that begins as a list (after headings or one lead-in line), one item a top-level bullet; other blocks whole.
fn bullets(block: &[&str]) -> Vec<String> {
    let whole = || vec![block.join("\n").trim().to_owned()];
    let Some(first) = block.iter().position(|line| bullet(line).is_some()) else {
        return whole();
    };
    let (lead, list) = block.split_at(first);
    let lead_in = lead.iter().all(|line| is_heading(line))
        || (lead.len() == 1 && lead.iter().all(|line| line.trim_end().ends_with(':')));
    let Some((top, _)) = list.first().and_then(|line| bullet(line)) else {
        return whole();
    };
    if !lead_in {
        return whole();
    }
    let mut items: Vec<String> = Vec::new();
    for line in list {
        match (bullet(line), items.last_mut()) {
            (Some((depth, text)), _) if depth <= top => items.push(text.trim_end().to_owned()),
            (_, Some(item)) => {
                item.push('\n');
                item.push_str(line.trim_end());
            }
            (_, None) => items.push(line.trim().to_owned()),
        }
    }
    items.retain(|item| !item.trim().is_empty());
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_cut_before_anything_else() {
        assert_eq!(
            split("one\n\nstill one\n---\ntwo\n- a\n- b"),
            ["one\n\nstill one", "two\n- a\n- b"]
        );
    }

    #[test]
    fn blank_lines_cut_paragraphs() {
        assert_eq!(
            split("\n\nFirst fact,\non two lines.\n\n\nSecond.\n"),
            ["First fact,\non two lines.", "Second."]
        );
    }

    #[test]
    fn bullets_are_items_and_nested_ones_stay_with_their_parent() {
        let text = "- likes tea\n  - green in the morning\n- lives in Ghent\n* has a boat\n1. first\n2) second";
        assert_eq!(
            split(text),
            [
                "likes tea\n  - green in the morning",
                "lives in Ghent",
                "has a boat",
                "first",
                "second"
            ]
        );
    }

    #[test]
    fn a_lead_in_line_is_not_an_item() {
        assert_eq!(split("About me:\n- one\n- two"), ["one", "two"]);
        assert_eq!(split("# Facts\n- one"), ["one"]);
    }

    #[test]
    fn prose_with_a_dash_stays_whole() {
        assert_eq!(
            split("We tried two ways\n- and neither worked."),
            ["We tried two ways\n- and neither worked."]
        );
        assert_eq!(split("-5 degrees outside"), ["-5 degrees outside"]);
    }

    #[test]
    fn fences_and_tables_stay_whole() {
        let code = "Run this:\n```\na\n\n---\n\nb\n```";
        assert_eq!(split(&format!("{code}\n\nNext.")), [code, "Next."]);
        let table = "| a | b |\n| --- | --- |\n| 1 | 2 |";
        assert_eq!(split(table), [table]);
    }

    #[test]
    fn a_heading_goes_with_what_follows_it() {
        assert_eq!(
            split("# Boat\n\nThe valve sticks.\n\n# End"),
            ["# Boat\nThe valve sticks.", "# End"]
        );
    }

    #[test]
    fn nothing_gives_nothing() {
        assert_eq!(split(" \n\n---\n"), Vec::<String>::new());
    }
}
