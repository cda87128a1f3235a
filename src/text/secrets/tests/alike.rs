//! Tokens whose prefix is written with letters of another alphabet, in full width or with marks.

use super::*;

/// Letters of other alphabets for Latin ones.
const ALIKE: &[(char, &str)] = &[
    ('A', "АΑ"),
    ('B', "ВΒ"),
    ('C', "СϹ"),
    ('E', "ЕΕ"),
    ('G', "Ԍ"),
    ('H', "НΗ"),
    ('I', "ІΙ"),
    ('K', "КΚ"),
    ('M', "МΜ"),
    ('N', "Ν"),
    ('O', "ОΟ"),
    ('P', "РΡ"),
    ('S', "Ѕ"),
    ('T', "ТΤ"),
    ('X', "ХΧ"),
    ('Y', "УΥ"),
    ('Z', "Ζ"),
    ('a', "аα"),
    ('c', "сϲ"),
    ('d', "ԁ"),
    ('e', "еε"),
    ('g', "ɡ"),
    ('h', "һ"),
    ('i', "іι"),
    ('j', "ј"),
    ('k', "кκ"),
    ('o', "оο"),
    ('p', "рρ"),
    ('s', "ѕ"),
    ('t', "тτ"),
    ('u', "υ"),
    ('v', "ν"),
    ('x', "хχ"),
    ('y', "уγ"),
];
/// Letters of a token that are its prefix for sure.
const PREFIX: usize = 4;

/// The text with one letter of its first secret changed.
fn changed(row: &Row, place: usize, by: impl Fn(char) -> String) -> String {
    let secret = &row.secrets[0];
    let letters = secret.chars().enumerate().map(|(at, letter)| {
        if at == place {
            by(letter)
        } else {
            letter.to_string()
        }
    });
    row.text
        .replacen(secret.as_str(), &letters.collect::<String>(), 1)
}

#[test]
fn a_token_is_found_with_letters_of_another_alphabet_in_full_width_and_with_marks() {
    let mut missed = Vec::new();
    let mut tried = 0;
    for (name, word, template) in POSITIVES {
        let row = row(template);
        if *word != "api_token" || row.secrets.is_empty() {
            continue;
        }
        for (place, letter) in row.secrets[0].chars().take(PREFIX).enumerate() {
            let mut texts = vec![changed(&row, place, |letter| format!("{letter}\u{301}"))];
            texts.push(changed(&row, place, |letter| format!("{letter}\u{20dd}")));
            if let Some(wide) =
                char::from_u32(u32::from(letter) + 0xfee0).filter(|_| letter.is_ascii_graphic())
            {
                texts.push(changed(&row, place, |_| wide.to_string()));
            }
            let alike = ALIKE.iter().find(|(latin, _)| *latin == letter);
            for other in alike.map_or("", |(_, others)| others).chars() {
                texts.push(changed(&row, place, |_| other.to_string()));
            }
            tried += texts.len();
            missed.extend(
                texts
                    .into_iter()
                    .filter(|text| find(text).is_none())
                    .map(|text| format!("{name}: {text}")),
            );
        }
    }
    assert!(
        missed.is_empty(),
        "{} of {tried}:\n{}",
        missed.len(),
        missed.join("\n")
    );
    assert!(tried > 800, "{tried}");
}

#[test]
fn a_whole_prefix_of_another_alphabet_hides_nothing() {
    for text in [
        concat!("АКІ", "А3XMPLZ7QWERTY2AB"),
        concat!("ѕ", "к-x9Kq2ZpL7mXv4TcB6nRsT3BlbkFJx9Kq2ZpL7mXv4TcB6nRs"),
        concat!("The pаsswоrd is hun", "ter2!x9"),
        concat!("хох", "р-123456789012-1234567890123-abcdef"),
    ] {
        assert!(find(text).is_some(), "{text}");
    }
}

#[test]
fn words_of_two_alphabets_that_are_no_token_pass() {
    for text in [
        "SIM-карта лежит в ящике",
        "ключ от API-раздела у Ильзы, e-mailом не слать",
        "Встреча в Wi-Fi-кафе, рост 180см, iPhone'а нет",
        "тест-кейс ТС-12 и ΑΒΓ-45 готовы",
        "Η θερμοκρασία είναι 21°C, pH-τιμή 7",
        "x̄ is the mean, e\u{20d7} the vector",
    ] {
        assert_eq!(find(text), None, "{text}");
    }
}
