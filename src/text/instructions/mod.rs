//! Whether a text speaks to agents instead of about something.

/// Whether the text speaks to agents.
pub fn are_in(_text: &str) -> bool {
    false
}
