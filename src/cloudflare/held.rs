//! What an object keeps in memory beside its data, and letting go of it when the object is put away.
//!
//! The platform puts an idle object away without telling it and may make it anew in the same process soon after. Its memory is then
//! given back whenever JavaScript's garbage collector comes by, which has no reason to hurry: it does not see what lies in
//! WebAssembly's memory. So the new one empties what the old one left.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::{Rc, Weak};

use crate::vault::{meaning, sense};

/// What is kept in memory between requests.
#[derive(Default)]
pub struct Held {
    /// What recall searches by meaning, and more of the memories.
    pub sense: sense::Held,
    /// What is kept of questions and large vectors.
    pub meaning: meaning::Held,
}

thread_local! {
    static HELD: RefCell<HashMap<String, Vec<Weak<Held>>>> = RefCell::default();
}

/// What the object with this id keeps from now on. What it kept in an earlier life in this process is let go of: it cannot be used,
/// since the object may have lived elsewhere in between.
pub fn begin(id: String) -> Rc<Held> {
    HELD.with_borrow_mut(|all| {
        let lives = all.entry(id).or_default();
        lives.retain(|life| match life.upgrade() {
            Some(held) => {
                held.sense.forget();
                held.meaning.forget();
                true
            }
            None => false,
        });
        let held = Rc::new(Held::default());
        lives.push(Rc::downgrade(&held));
        held
    })
}

/// Bytes that the indexes of all objects in this process take, of those put away as well.
#[cfg(feature = "test-hooks")]
pub fn index_bytes() -> usize {
    HELD.with_borrow(|all| {
        let lives = all.values().flatten().filter_map(Weak::upgrade);
        lives.map(|held| held.sense.index_bytes()).sum()
    })
}
