//! The rule as a whole, on single pairs; many more are in the fixture.

use super::*;
use crate::embed::{MODEL_ID, embedder, thresholds};

fn judge(old: &str, new: &str) -> Judgement {
    let vector = |text: &str| embedder().embed(core(text));
    let marks = thresholds::of(MODEL_ID).unwrap();
    compare(
        &Text::new(new, None, None),
        &Text::new(old, None, None),
        vector(old).cosine(&vector(new)),
        marks,
    )
}

#[test]
fn a_reworded_text_is_a_near_duplicate() {
    let old = "Use the grep tool, not shell grep";
    let new = "For searching files use the grep tool instead of shell grep";
    assert_eq!(judge(old, new).verdict, Verdict::NearDuplicate);
    assert_ne!(
        judge(new, old).verdict,
        Verdict::NearDuplicate,
        "what advice is for is news"
    );
}

#[test]
fn another_author_or_day_is_no_repetition() {
    let marks = thresholds::of(MODEL_ID).unwrap();
    let text = |content: &str, author, day| Text::new(content, author, day);
    let verdict = |one: &Text, two: &Text| compare(one, two, 1.0, marks).verdict;
    let said = "I love the sea.";
    assert_eq!(
        verdict(
            &text(said, Some("Ada"), None),
            &text("I love the sea!", Some("ada "), None)
        ),
        Verdict::NearDuplicate
    );
    assert_eq!(
        verdict(
            &text(said, Some("Ada"), None),
            &text("I love the sea!", Some("Ben"), None)
        ),
        Verdict::Similar
    );
    let met = "Met Ben yesterday.";
    assert_eq!(
        verdict(
            &text(met, None, Some("2026-03-01")),
            &text("Met Ben yesterday", None, Some("2026-03-02"))
        ),
        Verdict::Similar
    );
    let lasting = "Ben lives in Rome.";
    assert_eq!(
        verdict(
            &text(lasting, None, Some("2026-03-01")),
            &text("Ben lives in Rome", None, Some("2026-03-02"))
        ),
        Verdict::NearDuplicate
    );
}
