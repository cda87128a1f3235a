//! Which fence of code is open.

/// A run of backticks or tildes that begins a block of code.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Mark {
    character: char,
    length: usize,
}

/// The fence that is open, if one is. A fence is closed by as many of its marks or more, alone on their line: a block
/// about Markdown shows shorter fences inside, and they are its text.
#[derive(Default, Clone, Copy)]
pub(super) struct Fence(Option<Mark>);

impl Fence {
    /// Passes a line; gives whether it is a fence or inside one.
    pub(super) fn pass(&mut self, line: &str) -> bool {
        let found = mark(line);
        match (self.0, found) {
            (None, Some((mark, _))) => self.0 = Some(mark),
            (Some(open), Some((mark, rest)))
                if mark.character == open.character
                    && mark.length >= open.length
                    && rest.trim().is_empty() =>
            {
                self.0 = None;
                return true;
            }
            _ => {}
        }
        self.is_open()
    }

    /// Whether the next line stands inside a fence.
    pub(super) fn is_open(&self) -> bool {
        self.0.is_some()
    }
}

/// Whether a line begins a block of code, where none is open.
pub(super) fn opens(line: &str) -> bool {
    mark(line).is_some()
}

fn mark(line: &str) -> Option<(Mark, &str)> {
    let line = line.trim_start();
    let character = line
        .chars()
        .next()
        .filter(|first| matches!(first, '`' | '~'))?;
    let rest = line.trim_start_matches(character);
    let length = line.len() - rest.len();
    // "```ls``` lists files" is a line with code in it.
    let is_fence = length >= 3 && !(character == '`' && rest.contains('`'));
    is_fence.then_some((Mark { character, length }, rest))
}
