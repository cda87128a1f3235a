//! Which documents stand beside each other in their sessions.

use super::Document;

/// The documents of sessions in the order of their places. A list and not a map: a ranking asks some thousand times, and hashing
/// took longer than all else it does with the answers.
pub(super) struct Beside {
    /// Session and place in it, ascending, with the document's place in the list.
    order: Vec<((i64, i64), usize)>,
    /// Where each document stands in `order`.
    stands: Vec<Option<usize>>,
}

impl Beside {
    pub(super) fn new(documents: &[Document<'_>]) -> Beside {
        let mut order: Vec<((i64, i64), usize)> = (documents.iter().enumerate())
            .filter_map(|(at, document)| Some(((document.session?, document.place), at)))
            .collect();
        order.sort_unstable();
        let mut stands = vec![None; documents.len()];
        for (stand, (_, at)) in order.iter().enumerate() {
            if let Some(known) = stands.get_mut(*at) {
                *known = Some(stand);
            }
        }
        Beside { order, stands }
    }

    /// The place in the list of the document that many steps further in its session.
    pub(super) fn neighbour(&self, at: usize, step: i64) -> Option<usize> {
        let stand = (*self.stands.get(at)?)?;
        let ((session, place), _) = *self.order.get(stand)?;
        let wanted = (session, place.checked_add(step)?);
        // Places differ by one at least, so it is no further away than its steps.
        (1..=usize::try_from(step.unsigned_abs()).ok()?)
            .map_while(|distance| {
                let near = match step {
                    ..0 => stand.checked_sub(distance)?,
                    _ => stand.checked_add(distance)?,
                };
                self.order.get(near)
            })
            .find(|(position, _)| *position == wanted)
            .map(|(_, at)| *at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::vector::Vector;
    use crate::recall::rank::Marks;

    fn document(session: Option<i64>, place: i64) -> Document<'static> {
        Document {
            key: place,
            words: &[],
            vector: &Vector::ZERO,
            likeness: None,
            marks: Marks::of(""),
            author: None,
            session,
            place,
            is_loose: false,
            day: None,
            age_rank: 0.5,
            replaced_by: None,
            is_candidate: true,
        }
    }

    #[test]
    fn neighbours_are_those_at_the_place_asked_for_in_whatever_order_they_come() {
        let documents = [
            document(Some(2), 7),
            document(Some(1), 3),
            document(None, 0),
            document(Some(1), 1),
            document(Some(1), 2),
            document(Some(2), 4),
        ];
        let beside = Beside::new(&documents);
        let near = |at| [-3, -2, -1, 1, 2, 3].map(|step| beside.neighbour(at, step));
        assert_eq!(near(0), [Some(5), None, None, None, None, None]);
        assert_eq!(near(1), [None, Some(3), Some(4), None, None, None]);
        assert_eq!(near(2), [None; 6], "it is of no session");
        assert_eq!(near(3), [None, None, None, Some(4), Some(1), None]);
        assert_eq!(near(5), [None, None, None, None, None, Some(0)]);
        assert_eq!(near(77), [None; 6], "there is none");
    }
}
