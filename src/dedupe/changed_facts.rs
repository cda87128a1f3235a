//! Pairs in which a fact changed by little: none may be taken for a repetition, whichever comes first and however alike
//! the vectors are.

use super::*;
use crate::embed::{MODEL_ID, thresholds};

fn never_repeats(pairs: &[(&str, &str)]) {
    let marks = thresholds::of(MODEL_ID).unwrap();
    let text = |content: &str| Text::new(content, None, None);
    let taken: Vec<_> = pairs
        .iter()
        .flat_map(|(one, two)| [(one, two), (two, one)])
        .filter(|(old, new)| {
            compare(&text(new), &text(old), 1.0, marks).verdict >= Verdict::NearDuplicate
        })
        .collect();
    assert!(taken.is_empty(), "{taken:#?}");
}

#[test]
fn a_changed_particle_is_never_a_repetition() {
    never_repeats(&[
        ("Der Router ist an", "Der Router ist aus"),
        ("Das Dachfenster ist zu", "Das Dachfenster ist auf"),
        (
            "About the bridge, Noor voted for it",
            "About the bridge, Noor voted against it",
        ),
        (
            "About the tram: Noor is for it",
            "About the tram: Noor is against it",
        ),
        ("Die Bäckerei macht um 7 auf", "Die Bäckerei macht um 7 zu"),
        ("The heater is on", "The heater is over"),
        ("Schließ die Garage zu", "Schließ die Garage"),
        ("Noor kommt am Freitag an", "Noor kommt am Freitag"),
        ("Noor logged in", "Noor logged on"),
    ]);
}

#[test]
fn a_changed_date_or_place_of_a_date_is_never_a_repetition() {
    never_repeats(&[
        (
            "The permit runs from 1 April 2026",
            "The permit runs to 1 April 2026",
        ),
        ("Parcels go out by 17:00", "Parcels go out from 17:00"),
        (
            "Noor arrives on Tuesday; Tom leaves",
            "Noor arrives; Tom leaves on Tuesday",
        ),
        (
            "The bank opens at 8:00 and the bar closes",
            "The bank opens and the bar closes at 8:00",
        ),
        (
            "The essay is due by Thursday",
            "The essay is due from Thursday",
        ),
        ("The zoo is open from Monday", "The zoo is open on Monday"),
        ("Ferien vom 3. Juni", "Ferien bis 3. Juni"),
        ("Congés du 3 juin", "Congés au 3 juin"),
        ("El curso va del 3 de junio", "El curso va al 3 de junio"),
        (
            "The gym is shut on 24 December",
            "The gym is shut to 24 December",
        ),
        (
            "Choir practice is on Fridays",
            "Choir practice is on Friday",
        ),
    ]);
}

#[test]
fn a_changed_word_of_another_language_is_never_a_repetition() {
    never_repeats(&[
        ("Ben's son is allergic to bees", "Ben is allergic to bees"),
        ("Noor leads the IT group", "Noor leads the group"),
        ("Noor moved from LA to Oslo", "Noor moved to Oslo"),
        ("The US branch meets at 10", "The branch meets at 10"),
        ("The class is at 9:00", "The class is at 9:00 EST"),
        ("The class is at 9:00 ET", "The class is at 9:00 EST"),
        ("The roses die in the frost", "The roses in the frost"),
        (
            "The compost bin is by the gate",
            "The compost is by the gate",
        ),
        ("Noor reads Das Boot", "Noor reads Boot"),
        ("Vitamin A helps Noor", "Vitamin helps Noor"),
    ]);
}

#[test]
fn a_changed_question_is_never_a_repetition() {
    never_repeats(&[
        ("Is Noor allergic to bees?", "Noor is allergic to bees."),
        ("Does Noor eat pork?", "Noor eats pork."),
        (
            "Will the course end in June?",
            "The course will end in June.",
        ),
    ]);
}

#[test]
fn a_changed_number_is_never_a_repetition() {
    never_repeats(&[
        (
            "Noor takes the blue pill first",
            "Noor takes the blue pill once",
        ),
        ("Noor owns both flats", "Noor owns two flats"),
        (
            "Water the fern twice on Sundays",
            "Water the fern second on Sundays",
        ),
        ("The sweet costs five cents", "The sweet costs five hundred"),
        ("Noor is over 40", "Noor is 40"),
        (
            "Noor and Tom paid 30 euros each",
            "Noor and Tom paid 30 euros in all",
        ),
        ("Keep the freezer at –7°C", "Keep the freezer at 7°C"),
        ("Saldo: - 9 euros", "Saldo: 9 euros"),
        ("The quota is ~9", "The quota is 9"),
        ("The count is 10^6", "The count is 10 6"),
        ("The gain was (9) million", "The gain was 9 million"),
    ]);
}

#[test]
fn a_changed_plural_is_never_a_repetition() {
    never_repeats(&[
        ("The printer is down", "The printers are down"),
        ("Noor's sister lives in Bonn", "Noor's sisters live in Bonn"),
        ("Tom's kids like jam", "Tom's kid likes jam"),
    ]);
}

#[test]
fn a_changed_pronoun_is_never_a_repetition() {
    never_repeats(&[
        ("The barn belongs to us", "The barn belongs to me"),
        ("My aunt sold our boat", "Our aunt sold my boat"),
    ]);
}

#[test]
fn a_changed_sign_is_never_a_repetition() {
    never_repeats(&[
        ("The check needs x != y", "The check needs x = y"),
        ("Use --hard with reset", "Use hard with reset"),
        ("Skip *.tmp files", "Skip .tmp files"),
        ("The folder is ../lib", "The folder is ./lib"),
        ("Tom's rhesus factor is B+", "Tom's rhesus factor is B-"),
        ("The field is called itemId", "The field is called itemid"),
        ("The script needs !quiet", "The script needs quiet"),
        ("Noor's handle is @noor", "Noor's handle is noor"),
        ("The folder is D:\\work", "The folder is D:/work"),
    ]);
}

#[test]
fn a_changed_restriction_is_never_a_repetition() {
    never_repeats(&[
        ("Zoé ne mange que du riz", "Zoé ne mange pas du riz"),
        ("Zoé ne mange que du riz", "Zoé mange du riz"),
        ("Noor drinks just milk", "Noor drinks milk"),
        ("Noor drinks only milk", "Noor drinks milk"),
        ("Noor trinkt nur Milch", "Noor trinkt Milch"),
        ("Noor solo bebe leche", "Noor bebe leche"),
        ("我只喝茶", "我喝茶"),
        ("私はお茶だけ飲む", "私はお茶飲む"),
    ]);
}

#[test]
fn a_changed_japanese_particle_is_never_a_repetition() {
    never_repeats(&[
        ("彼女ががんになった", "彼女んになった"),
        ("犬はがんです", "犬はんです"),
        ("父は母が好き", "父が母は好き"),
        ("非常食は棚です", "食は棚です"),
        ("だれも読まない", "れも読まない"),
    ]);
}
