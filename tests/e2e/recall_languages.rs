//! Questions in another language than most of the vault, and words that are codes.

use serde_json::json;

use crate::support::Vault;

const ABOUT_ME: [&str; 3] = [
    "The car is due for inspection in June; the garage is Autohaus Brandt.",
    "My shoe size is 43 and I wear shirts in L.",
    "I prefer tea over coffee in the morning.",
];

/// Those in a vault of six hundred other memories, all in English.
fn large_vault() -> Vault {
    let vault = Vault::start();
    let people = ["Ada", "Milo", "Ilse", "Odile", "Ruth"];
    let did = [
        "bought",
        "repaired",
        "sold",
        "painted",
        "moved",
        "described",
        "borrowed",
    ];
    let things: Vec<&str> =
        "boat valve crane harbour ladder invoice fence printer router antenna kettle"
            .split(' ')
            .collect();
    let places: Vec<&str> =
        "Ghent Lisbon Bergen Turin Porto Gdansk Malmo Leiden Basel Cork Vilnius Graz Delft"
            .split(' ')
            .collect();
    let others = (0..600).map(|day| {
        let (thing, of) = (things[day % 11], things[(day / 11 + 3) % 11]);
        format!(
            "{} {} the {thing} of the {of} in {} on day {day}",
            people[day % 5],
            did[day % 7],
            places[day % 13]
        )
    });
    let items: Vec<String> = ABOUT_ME
        .map(str::to_owned)
        .into_iter()
        .chain(others)
        .collect();
    for items in items.chunks(300) {
        vault
            .post("/api/bulk", json!({ "items": items }))
            .expect(200);
    }
    vault
}

/// Both languages of an owner find what was noted in one of them, and neither finds what nobody noted.
#[test]
fn a_question_in_another_language_is_answered_from_a_large_vault() {
    let vault = large_vault();
    for (question, answer) in [
        ("Wann muss das Auto zur Inspektion?", ABOUT_ME[0]),
        ("Welche Kleidergröße habe ich?", ABOUT_ME[1]),
        ("Qu'est-ce que je bois le matin ?", ABOUT_ME[2]),
    ] {
        assert_eq!(
            vault.ask(question)["results"][0]["content"],
            answer,
            "{question}"
        );
    }
    for question in [
        "Wie viele Monde hat der Neptun?",
        "Wie heißt unser Steuerberater?",
        "Qui a composé l'opéra Nabucco ?",
        "¿Cuántos dientes tiene un cocodrilo?",
        "Which court handles the inheritance?",
    ] {
        assert_eq!(vault.ask(question)["total"], 0, "{question}");
    }
}

/// An order number, a licence plate or a flight finds itself, and never another one that shares some of its signs.
#[test]
fn a_code_finds_itself_and_no_other_code() {
    let vault = Vault::start();
    let notes = [
        "Order ord99871 ships on Friday",
        "The van has the licence plate JX9D2KT",
        "Flight LH415 leaves at nine",
        "The door code is 4432",
        "I got the covid19 jab in May",
        "The pool needs h2o tests",
        "I bought a 4k monitor",
    ];
    for note in notes {
        vault.remember(note);
    }
    for (code, other, place) in [
        ("ord99871", "ord99872", 0),
        ("jx9d2kt", "jx9d7kt", 1),
        ("LH415", "LH416", 2),
        ("4432", "4433", 3),
    ] {
        assert_eq!(vault.recall(code), [notes[place]], "{code}");
        assert_eq!(vault.ask(other)["total"], 0, "{other}");
    }
    for (word, place) in [
        ("covid19", 4),
        ("covid", 4),
        ("h2o", 5),
        ("water", 5),
        ("4k", 6),
        ("4k screen", 6),
    ] {
        assert_eq!(vault.recall(word)[0], notes[place], "{word}");
    }
    assert_eq!(
        vault.recall("which flight is LH416"),
        [notes[2]],
        "its other words speak"
    );
}
