//! Recall by words in every script.

use serde_json::{Value, json};

use crate::recall::finds;
use crate::support::Vault;

#[test]
fn names_made_of_function_words_are_found() {
    finds("May works at WHO in Geneva", &["WHO"]);
    finds("Tôi ở Hà Nội", &["Ha Noi", "Hà Nội"]);
}

#[test]
fn chinese_is_found_by_any_two_characters() {
    // U-14, U-15, U-17
    finds(
        "我对花生过敏，出门要带肾上腺素笔",
        &["过敏", "花生", "肾上腺素"],
    );
    finds("端到端测试每周三跑", &["端到端测试结果在哪里"]);
    let vault = Vault::start();
    vault.remember("我对花生过敏，出门要带肾上腺素笔");
    vault.remember("今天下雨");
    assert!(vault.recall("笔").len() <= 1);
}

#[test]
fn japanese_korean_thai_and_vietnamese_are_found() {
    // U-18, U-19
    finds(
        "プリンターは三階の倉庫にあります",
        &["プリンター", "三階", "倉庫"],
    );
    finds("회의는 서울역에서 열린다", &["서울", "서울역", "회의"]);
    finds("ประชุมที่กรุงเทพวันจันทร์", &["กรุงเทพ", "วันจันทร์"]);
    finds(
        "Bệnh viện ở Huế mở cửa lúc bảy giờ",
        &["bệnh viện", "benh vien", "Huế", "hue"],
    );
}

#[test]
fn accents_may_be_left_out_or_written_in_either_form() {
    // U-21
    let vault = Vault::start();
    let composed = "Le café de Zürich, bệnh viện ở Huế";
    let decomposed = "Le cafe\u{301} de Zu\u{308}rich, be\u{323}\u{302}nh vie\u{323}\u{302}n o\u{31b}\u{309} Hue\u{302}\u{301}";
    vault.remember(composed);
    let report = vault
        .post("/api/bulk", json!({ "items": [decomposed] }))
        .expect(200);
    assert_eq!(report["items"][0]["outcome"], "duplicate");
    for question in [
        "café",
        "cafe\u{301}",
        "cafe",
        "bệnh",
        "be\u{323}\u{302}nh",
        "ZURICH",
    ] {
        assert_eq!(vault.recall(question), [composed], "{question}");
    }
}

#[test]
fn full_and_half_width_are_one() {
    // U-22
    finds(
        "ＡＰＩキーは毎月交換する",
        &["API キー", "APIキー？", "ｱﾋﾟｷｰ API"],
    );
}

#[test]
fn right_to_left_text_is_found_and_direction_overrides_are_dropped() {
    // U-24
    let vault = Vault::start();
    let id = vault.remember("موعد الطبيب \u{202e}يوم الثلاثاء");
    assert_eq!(vault.recall("الطبيب").len(), 1);
    assert!(
        !vault.get(&format!("/api/memories/{id}")).expect(200)["content"]
            .as_str()
            .unwrap()
            .contains('\u{202e}')
    );
}

#[test]
fn sixty_chinese_questions_find_their_notes() {
    // U-27
    let pairs: Vec<Value> =
        serde_json::from_str(include_str!("../fixtures/zh_notes.json")).unwrap();
    assert_eq!(pairs.len(), 60);
    let vault = Vault::start();
    let notes: Vec<&Value> = pairs.iter().map(|pair| &pair["note"]).collect();
    assert_eq!(
        vault
            .post("/api/bulk", json!({ "items": notes }))
            .expect(200)["stored"],
        60
    );
    let mut found = 0;
    for pair in &pairs {
        let question = pair["question"].as_str().unwrap();
        let answers = vault.recall(question);
        assert!(!answers.is_empty(), "{question}");
        found += usize::from(
            answers
                .iter()
                .take(5)
                .any(|text| json!(text) == pair["note"]),
        );
    }
    assert!(found * 100 >= 95 * 60, "{found} of 60");
}

const EVERYDAY: [&str; 8] = [
    "The bicycle needs a new saddle",
    "Olga keeps three goats",
    "El barco sale a las ocho",
    "Tee steht im oberen Regal",
    "The invoice for the crane is paid",
    "Rosa bought a cello",
    "El gato duerme en la cocina",
    "Der Zaun ist gestrichen",
];

#[test]
fn a_name_is_found_in_the_letters_and_spelling_of_the_memory() {
    let vault = Vault::start();
    for text in EVERYDAY {
        vault.remember(text);
    }
    for text in [
        "Андрей чинит лодку",
        "Dmitri paints the fence",
        "The knives are from Wüsthof",
        "Frau Mueller hat die Schlüssel",
    ] {
        vault.remember(text);
    }
    for (question, expected) in [
        ("Andrey", "Андрей чинит лодку"),
        ("Дмитрий", "Dmitri paints the fence"),
        ("Wuesthof knives", "The knives are from Wüsthof"),
        ("Wuesthof", "The knives are from Wüsthof"),
        ("Müller", "Frau Mueller hat die Schlüssel"),
    ] {
        let found = vault.recall(question);
        assert_eq!(
            found.first().map(String::as_str),
            Some(expected),
            "{question}"
        );
    }
    vault.remember("Andrey left for Oslo");
    let found = vault.recall("Andrey");
    assert_eq!(found[0], "Andrey left for Oslo", "as asked goes first");
}

#[test]
fn a_spanish_question_for_what_was_is_answered_by_what_was_replaced() {
    let vault = Vault::start();
    for text in EVERYDAY {
        vault.remember(text);
    }
    let old = vault.remember("Mi oficina está en la calle Mayor 4");
    let now = "Mi oficina está en la avenida del Puerto 9";
    vault.store(json!({ "content": now, "supersedes": old }));
    for question in [
        "¿Dónde estaba mi oficina antes?",
        "¿Dónde estaba antes la oficina?",
    ] {
        let found = vault.recall(question);
        assert_eq!(
            found[..2],
            ["Mi oficina está en la calle Mayor 4", now],
            "{question}"
        );
    }
    assert_eq!(vault.recall("¿Dónde está mi oficina?")[0], now);
}
