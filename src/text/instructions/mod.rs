//! Whether a text speaks to agents: tells them to drop their instructions, to keep something from the person, to send the
//! vault somewhere, to act as somebody else; or imitates the markup in which agents get their own messages. Such a text is
//! no reason to refuse it (a person may collect prompts), but one to look at it before any agent reads it.
//!
//! What a person wants of their agents ("answer in German", "use tabs") is what a vault is for and passes; so does prose
//! about prompts. The tables in [`phrases`] and [`east`] say which words must come together; [`shapes`] knows the markup.
//! It reads through disguises: width, accents, letters that look alike, digits for letters, spaced letters, base64.

mod abroad;
mod disguise;
mod east;
mod phrases;
mod shapes;
mod words;

pub(in crate::text) use disguise::look_alike;

/// Whether the text speaks to agents.
pub fn are_in(text: &str) -> bool {
    reads_as_instructions(text)
        || disguise::unpacked(text)
            .iter()
            .any(|text| reads_as_instructions(text))
}

fn reads_as_instructions(text: &str) -> bool {
    let plain = disguise::plain(text);
    let tokens = words::tokens(&plain);
    shapes::are_in(&plain)
        || phrases::are_in(&tokens)
        || disguise::spaced_out(&tokens)
        || east::are_in(&plain)
}

#[cfg(test)]
mod tests;
