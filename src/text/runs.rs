//! Runs of scripts where blanks do not tell words apart: overlapping pairs find any part of two characters and more.

use crate::text::fold::fold_into;
use crate::text::scripts::{Class, East, class};
use crate::text::stems;
use crate::text::stopwords::{is_function_character, is_function_pair};
use crate::text::tokens::{Purpose, Terms};

/// Shortest stretch of one script that is a term as a whole; two characters are a pair already.
const WHOLE_FROM: usize = 3;
/// Longest such stretch: names and foreign words are shorter, sentences longer.
const WHOLE_TO: usize = 8;

/// A character with its marks.
struct Cluster {
    class: Class,
    base: char,
    text: String,
}

fn clusters(run: &[char]) -> Vec<Cluster> {
    let mut clusters: Vec<Cluster> = Vec::with_capacity(run.len());
    for character in run {
        let class = class(*character);
        match clusters.last_mut() {
            Some(cluster) if class == Class::Mark => fold_into(*character, &mut cluster.text),
            _ => {
                let mut text = String::with_capacity(4);
                fold_into(*character, &mut text);
                clusters.push(Cluster {
                    class,
                    base: *character,
                    text,
                });
            }
        }
    }
    clusters
}

/// Gives the terms of a run of East or Southeast Asian characters. `touching`: a number or letter right before it.
pub(super) fn unspaced(run: &[char], touching: &[char], out: &mut Terms<'_>) {
    let clusters = clusters(run);
    touched(touching, &clusters, out);
    stretches(&clusters, out);
    let asked = out.purpose == Purpose::Question;
    if let [single] = clusters.as_slice() {
        if !asked {
            out.pair(&single.text);
        } else if touching.is_empty() && !is_function_character(single.base) {
            out.beginning(&single.text);
        }
        return;
    }
    let mut text = String::new();
    for pair in clusters.windows(2) {
        let [first, second] = pair else { continue };
        if !(asked && is_function_pair(first.base, second.base)) {
            text.clear();
            text.push_str(&first.text);
            text.push_str(&second.text);
            out.pair(&text);
        }
    }
    // A question of one character finds the pairs that begin with it; the last character begins none.
    if let Some(last) = clusters.last()
        && !asked
        && matches!(last.class, Class::East(East::Han) | Class::SouthEast)
    {
        out.pair(&last.text);
    }
}

/// Stretches of one script as whole terms: Japanese names and foreign words, short Chinese and Thai phrases.
fn stretches(clusters: &[Cluster], out: &mut Terms<'_>) {
    for stretch in clusters.chunk_by(|first, second| first.class == second.class) {
        let is_hiragana = stretch
            .first()
            .is_some_and(|cluster| cluster.class == Class::East(East::Hiragana));
        let says_nothing = out.purpose == Purpose::Question
            && stretch
                .iter()
                .all(|cluster| is_function_character(cluster.base));
        if (WHOLE_FROM..=WHOLE_TO).contains(&stretch.len()) && !is_hiragana && !says_nothing {
            out.whole(
                &stretch
                    .iter()
                    .map(|cluster| cluster.text.as_str())
                    .collect::<String>(),
            );
        }
    }
}

/// A number or letter with the character it counts or qualifies: `3月`, `5個`, `T恤`.
fn touched(touching: &[char], clusters: &[Cluster], out: &mut Terms<'_>) {
    if let (false, Some(first)) = (touching.is_empty(), clusters.first()) {
        let mut text = String::new();
        touching
            .iter()
            .for_each(|character| fold_into(*character, &mut text));
        text.push_str(&first.text);
        out.pair(&text);
    }
}

/// Gives the terms of a Korean word: itself, its pairs, and itself without a particle.
pub(super) fn hangul(run: &[char], touching: &[char], out: &mut Terms<'_>) {
    let clusters = clusters(run);
    touched(touching, &clusters, out);
    let word: String = clusters
        .iter()
        .map(|cluster| cluster.text.as_str())
        .collect();
    out.whole(&word);
    if clusters.len() > 2 {
        let mut text = String::new();
        for pair in clusters.windows(2) {
            let [first, second] = pair else { continue };
            if !(out.purpose == Purpose::Question && is_function_pair(first.base, second.base)) {
                text.clear();
                text.push_str(&first.text);
                text.push_str(&second.text);
                out.pair(&text);
            }
        }
    }
    // A stem of two syllables is a pair already.
    if let Some(stem) = stems::korean(&word).filter(|stem| stem.chars().count() != 2) {
        out.part(stem);
    }
}
