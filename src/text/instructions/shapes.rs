//! Markup in which agents get their own messages: chat templates, role tags, tool calls; and images whose address carries
//! away what an agent knows. Read on the plain text, in small letters.

/// What only a chat template or a tool call has in it.
const MARKS: &[&str] = &[
    "<|im_start|>",
    "<|im_end|>",
    "<|system|>",
    "<|user|>",
    "<|assistant|>",
    "<|developer|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|begin_of_text|>",
    "<|eot_id|>",
    "<|start_header_id|>",
    "<|channel|>",
    "<|tool",
    "[inst]",
    "[/inst]",
    "<<sys>>",
    "<</sys>>",
    "<start_of_turn>",
    "<end_of_turn>",
    "<tool_call>",
    "</tool_call>",
    "<tool_response>",
    "<tool_result>",
    "<tool_use>",
    "<function_calls>",
    "</function_calls>",
    "<function_results>",
    "<function_call>",
    "<invokename=",
    "<function=",
    "<system>",
    "</system>",
    "<system-reminder>",
    "</system-reminder>",
    "<system_prompt>",
    "<assistant>",
    "</assistant>",
    "[system]",
    "[/system]",
    "[systemmessage]",
    "[systemoverride]",
    "systemoverride:",
    "adminoverride:",
    "beginsystemprompt",
    "endofsystemprompt",
    "\"tool_calls\":",
    "\"function_call\":",
    "\"type\":\"tool_use\"",
    "\"type\":\"tool_result\"",
    "\"type\":\"function_call\"",
    "\"method\":\"tools/call\"",
    "\"role\":\"system\"",
    "\"role\":\"developer\"",
    "```tool_code",
    "```tool_call",
];

/// Who a line may claim to come from.
const ROLES: &[&str] = &["system", "developer"];
/// What a line from there goes on with when it is no heading of a note ("System: Debian 12").
const ORDERS: &[&str] = &[
    "you are",
    "you must",
    "you will",
    "you should",
    "your ",
    "ignore",
    "disregard",
    "forget",
    "from now",
    "new instruction",
    "do not",
    "never",
    "always",
    "call ",
    "reveal",
    "the user",
    "the assistant",
    "the previous",
    "override",
    "du bist",
    "eres",
    "tu es",
    "你",
    "あなた",
];

/// Whether any of it is in the text.
pub(super) fn are_in(plain: &str) -> bool {
    let squeezed: String = plain
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .collect();
    // Most texts do not even have the signs of a mark, which is found out in a fraction of the time.
    let signs = signs(&squeezed);
    MARKS
        .iter()
        .filter(|mark| signs & self::signs(mark) == self::signs(mark))
        .any(|mark| squeezed.contains(mark))
        || plain.lines().any(is_order_from_above)
        || is_headed_prompt(plain)
        || is_tool_trace(plain)
        || images(plain).any(carries_away)
}

/// Which ASCII signs a text has, a bit each.
fn signs(text: &str) -> u128 {
    let ascii = text.bytes().filter(u8::is_ascii);
    ascii.fold(0, |signs, sign| signs | 1 << sign)
}

/// "System: you are …", with whatever marks a heading before it.
fn is_order_from_above(line: &str) -> bool {
    let line = line.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let Some((role, rest)) = line.split_once(':') else {
        return false;
    };
    let role = role.trim_end_matches(|letter: char| !letter.is_alphanumeric());
    let role = role
        .trim_end_matches(" message")
        .trim_end_matches(" prompt")
        .trim_end_matches(" note");
    let rest = rest.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    ROLES.contains(&role) && ORDERS.iter().any(|order| rest.starts_with(order))
}

/// "### Instruction … ### Response", as models are trained with.
fn is_headed_prompt(plain: &str) -> bool {
    let headed = |word: &str| {
        plain.lines().any(|line| {
            line.trim_start()
                .strip_prefix("###")
                .is_some_and(|rest| rest.trim().trim_end_matches(':') == word)
        })
    };
    (headed("instruction") || headed("system"))
        && (headed("response") || headed("assistant") || headed("input"))
}

/// "Action: … Action Input: …", as agents reason aloud.
fn is_tool_trace(plain: &str) -> bool {
    let begins = |what: &str| {
        plain
            .lines()
            .any(|line| line.trim_start().starts_with(what))
    };
    begins("action:") && begins("action input:")
}

/// Addresses of Markdown and HTML images.
fn images(plain: &str) -> impl Iterator<Item = &str> {
    let markdown = plain.split("![").skip(1).filter_map(|rest| {
        let address = rest.split_once("](")?.1;
        address.split(')').next()
    });
    let html = plain
        .split("<img")
        .skip(1)
        .filter_map(|rest| rest.split('>').next());
    markdown.chain(html)
}

/// What stands in an image's address where an agent is to fill in what it knows.
const BLANKS: &[&str] = &[
    "={",
    "=<",
    "=[",
    "=$",
    "=%7b",
    "=your",
    "=secret",
    "=memor",
    "=conversation",
    "=history",
    "=vault",
    "=password",
    "=data",
    "=prompt",
    "/{",
    "/<",
    "/[",
];

fn carries_away(address: &str) -> bool {
    address.contains("://") && BLANKS.iter().any(|blank| address.contains(blank))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_is_found_wherever_it_stands_and_however_it_is_spaced() {
        for mark in MARKS {
            let spaced: String = mark.chars().flat_map(|sign| [sign, ' ']).collect();
            for text in [
                format!("{mark} x"),
                format!("x {mark}"),
                format!("a\n{spaced}b"),
            ] {
                assert!(are_in(&text), "{text}");
            }
            let backwards: String = mark.chars().rev().collect();
            assert!(!are_in(&backwards), "{backwards}");
        }
    }
}
