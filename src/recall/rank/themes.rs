//! What a session is about as a whole, by its vectors: a question about something that was spoken of at length has more than one
//! memory near it, and the one that answers may use other words.

use std::collections::HashMap;

use super::sessions::named_session;
use super::{Document, weights};

/// How near each session is to a question.
pub(super) struct Themes {
    sessions: HashMap<i64, f32>,
    most: f32,
}

impl Themes {
    /// From the likeness of each document to the question, in their order.
    pub(super) fn new(documents: &[Document<'_>], likenesses: &[f32]) -> Themes {
        let mut members: HashMap<i64, Vec<f32>> = HashMap::new();
        let mut most = 0f32;
        for (document, likeness) in documents.iter().zip(likenesses) {
            match named_session(document) {
                Some(session) => members.entry(session).or_default().push(*likeness),
                None => most = most.max(*likeness),
            }
        }
        let sessions: HashMap<i64, f32> = members
            .into_iter()
            .map(|(session, likenesses)| (session, mean_of_best(likenesses)))
            .collect();
        let most = sessions.values().copied().fold(most, f32::max);
        Themes { sessions, most }
    }

    /// That of a document's session relative to the nearest; one without a session is its own.
    pub(super) fn relative(&self, document: &Document<'_>, likeness: f32) -> f32 {
        let theme =
            named_session(document).and_then(|session| self.sessions.get(&session).copied());
        if self.most > 0.0 {
            theme.unwrap_or(likeness) / self.most
        } else {
            0.0
        }
    }
}

fn mean_of_best(mut likenesses: Vec<f32>) -> f32 {
    likenesses.sort_by(|first, second| second.total_cmp(first));
    likenesses.truncate(weights::THEME_OF);
    likenesses.iter().sum::<f32>() / likenesses.len().max(1) as f32
}
