//! What a memory says, and its reading.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::dedupe::Text;
use crate::model::memory::Memory;
use crate::vault::Vault;
use crate::vault::likeness::Texts;

/// What a memory says, read for comparison when it is first compared: most new texts are like no other.
pub(super) struct Said {
    content: String,
    author: Option<String>,
    source_date: Option<String>,
    text: OnceCell<Rc<Text>>,
}

impl Said {
    pub(super) fn new(
        content: String,
        author: Option<String>,
        source_date: Option<String>,
    ) -> Said {
        Said {
            content,
            author,
            source_date,
            text: OnceCell::new(),
        }
    }

    pub(super) fn by(memory: &Memory) -> Said {
        let (author, date) = (memory.author.clone(), memory.source_date.clone());
        Said::new(memory.content.clone(), author, date)
    }

    pub(super) fn text(&self) -> &Rc<Text> {
        self.text.get_or_init(|| {
            let (author, date) = (self.author.as_deref(), self.source_date.as_deref());
            Rc::new(Text::new(&self.content, author, date))
        })
    }

    /// The same of a stored memory, whose reading is kept for writes to come.
    pub(super) fn text_of(&self, vault: &Vault<'_>, seq: i64) -> &Rc<Text> {
        let (author, date) = (self.author.as_deref(), self.source_date.as_deref());
        let read = |texts: &mut Texts| texts.read(seq, &self.content, author, date);
        self.text
            .get_or_init(|| read(&mut vault.held.texts.borrow_mut()))
    }

    /// Keeps the reading, if there is one, of the memory that is being stored under this key.
    pub(super) fn keep_stored(&self, vault: &Vault<'_>, seq: i64) {
        if let Some(text) = self.text.get() {
            let mut texts = vault.held.texts.borrow_mut();
            texts.keep_stored(seq, self.content.len(), text);
        }
    }
}
