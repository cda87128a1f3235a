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
