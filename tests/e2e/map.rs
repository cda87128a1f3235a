//! The map of the vault: drawn from what is stored, kept, brought up to date, and without a word of what is gone.

use serde_json::{Value, json};

use crate::support::Vault;

const BOATS: [&str; 5] = ["jib", "rudder", "anchor", "keel", "halyard"];
const MEALS: [&str; 5] = ["soup", "bread", "salad", "risotto", "omelette"];

/// A vault with boats and meals, `each` of either.
fn vault_with(each: usize) -> Vault {
    let vault = Vault::start();
    let items: Vec<Value> = (0..each)
        .flat_map(|number| {
            let pick = |words: [&str; 5]| words[number % 5].to_owned();
            [
                json!({ "content": format!("The boat's {} was mended in the harbour, boat log {number}", pick(BOATS)), "type": "event" }),
                json!({ "content": format!("Cooks {} without nuts for dinner, recipe {number}", pick(MEALS)), "type": "preference" }),
            ]
        })
        .collect();
    import(&vault, items);
    vault
}

/// Imports them and lets in what waits for being close to another.
fn import(vault: &Vault, items: Vec<Value>) {
    let report = vault
        .post("/api/bulk", json!({ "items": items }))
        .expect(200);
    let id = report["batch_id"].as_str().unwrap();
    vault
        .post_empty(&format!("/api/batches/{id}/approve"))
        .expect(200);
}

fn map(vault: &Vault) -> Value {
    vault.get("/api/map").expect(200)
}

fn column(map: &Value, name: &str) -> Vec<Value> {
    map["points"][name].as_array().unwrap().clone()
}

/// Where a memory lies, `None` if it is not on the map.
fn place(map: &Value, id: &str) -> Option<(i64, i64)> {
    let at = column(map, "id").iter().position(|other| other == id)?;
    let number = |name: &str| column(map, name)[at].as_i64().unwrap();
    Some((number("x"), number("y")))
}

#[test]
fn an_empty_vault_has_an_empty_map() {
    let map = map(&Vault::start());
    assert_eq!((&map["total"], &map["hills"]), (&json!(0), &json!([])));
    assert_eq!(column(&map, "id"), Vec::<Value>::new());
    assert_eq!(map.get("drawn_at"), Some(&Value::Null));
}

#[test]
fn what_means_the_same_lies_together_under_words_of_its_own() {
    let vault = vault_with(40);
    let map = map(&vault);
    assert_eq!((&map["total"], &map["pending"]), (&json!(80), &json!(0)));
    let (types, of) = (map["types"].as_array().unwrap(), column(&map, "type"));
    let middle = |kind: &str| {
        let number = json!(types.iter().position(|word| word == kind).unwrap());
        let axis = |name: &str| {
            let all = column(&map, name);
            let own: Vec<i64> = (0..80)
                .filter(|at| of[*at] == number)
                .map(|at| all[at].as_i64().unwrap())
                .collect();
            own.iter().sum::<i64>() / own.len() as i64
        };
        (axis("x"), axis("y"))
    };
    let (boats, meals) = (middle("event"), middle("preference"));
    assert!(
        (boats.0 - meals.0).abs() + (boats.1 - meals.1).abs() > 3_000,
        "{boats:?} {meals:?}"
    );
    for name in ["x", "y"] {
        assert!(
            column(&map, name)
                .iter()
                .all(|value| (0..=10_000).contains(&value.as_i64().unwrap()))
        );
    }
    let hills = map["hills"].as_array().unwrap();
    assert!(hills.len() >= 2, "{hills:?}");
    let named = |kind: &str, words: &[&str]| {
        hills.iter().any(|hill| {
            hill["mostly"] == kind
                && words
                    .iter()
                    .any(|word| hill["name"].as_str().unwrap().contains(word))
        })
    };
    assert!(
        named("event", &["boat", "harbour", "log", "mended"]),
        "{hills:?}"
    );
    assert!(
        named("preference", &["dinner", "nuts", "Cooks", "recipe"]),
        "{hills:?}"
    );
}

#[test]
fn only_what_holds_is_on_the_map() {
    let vault = vault_with(5);
    let ids = column(&map(&vault), "id");
    let path =
        |at: usize, action: &str| format!("/api/memories/{}/{action}", ids[at].as_str().unwrap());
    vault.post_empty(&path(0, "forget")).expect(200);
    vault.mcp().tool("forget", json!({ "id": ids[1] }));
    let newer = vault.store(json!({ "content": "The anchor is new", "supersedes": ids[2] }));
    vault
        .mcp()
        .tool("remember", json!({ "content": "Only proposed" }));
    let after = map(&vault);
    for gone in &ids[..3] {
        assert_eq!(place(&after, gone.as_str().unwrap()), None);
    }
    assert!(place(&after, &newer).is_some());
    assert_eq!(after["total"], 8);
    assert_eq!(column(&after, "id").len(), 8);
}

#[test]
fn something_new_is_put_beside_what_it_resembles_and_the_rest_stays() {
    let vault = vault_with(40);
    let before = map(&vault);
    let id = vault.remember("The boat's winch was mended in the harbour");
    let after = map(&vault);
    for old in column(&before, "id") {
        let old = old.as_str().unwrap();
        assert_eq!(place(&before, old), place(&after, old));
    }
    let (x, y) = place(&after, &id).unwrap();
    let hill = column(&after, "hill")[0].as_i64().unwrap();
    assert!(hill >= 0, "at {x} {y}");
    assert_eq!(after["hills"][hill as usize]["mostly"], "event");
    assert_eq!(map(&vault), after);
}

#[test]
fn a_small_map_is_drawn_anew_with_every_memory() {
    let vault = Vault::start();
    for (number, text) in [
        "Ilse is allergic to nuts",
        "The cellar key hangs behind the door",
        "Prefers trains to planes",
    ]
    .iter()
    .enumerate()
    {
        vault.remember(text);
        map(&vault);
        assert_eq!(vault.sql("SELECT points FROM map_drawn")[0][0], number + 1);
    }
    import(&vault, (0..37).map(|number| json!({ "content": format!("Shelf {number} of the library holds book {}", number * 7) })).collect());
    map(&vault);
    assert_eq!(vault.sql("SELECT points FROM map_drawn")[0][0], 40);
    vault.remember("The winch was mended in the harbour");
    map(&vault);
    assert_eq!(vault.sql("SELECT points FROM map_drawn")[0][0], 40);
}

#[test]
fn a_map_of_which_much_changed_is_drawn_anew_and_stays_recognisable() {
    let vault = vault_with(40);
    let before = map(&vault);
    for number in 0..13 {
        vault.remember(&format!("The garden has apple tree number {number}"));
    }
    let after = map(&vault);
    assert_eq!(vault.sql("SELECT points FROM map_drawn")[0][0], 93);
    let ids = column(&before, "id");
    let moved: i64 = ids
        .iter()
        .map(|id| {
            let (a, b) = (
                place(&before, id.as_str().unwrap()).unwrap(),
                place(&after, id.as_str().unwrap()).unwrap(),
            );
            (a.0 - b.0).abs() + (a.1 - b.1).abs()
        })
        .sum();
    assert!(
        moved / (ids.len() as i64) < 3_000,
        "moved by {moved} in all"
    );
}

#[test]
fn a_large_map_is_drawn_in_the_background() {
    let vault = vault_with(230);
    import(
        &vault,
        (0..180)
            .map(|number| json!({ "content": format!("Reads book {number} about rivers") }))
            .collect::<Vec<_>>(),
    );
    let first = map(&vault);
    assert_eq!(
        (&first["redrawing"], &first["total"]),
        (&json!(true), &json!(640))
    );
    vault.run_agenda();
    assert_eq!(column(&map(&vault), "id").len(), 640);
    import(
        &vault,
        (0..100)
            .map(|number| json!({ "content": format!("Walks tour {number} in the hills") }))
            .collect::<Vec<_>>(),
    );
    let meanwhile = map(&vault);
    assert_eq!(meanwhile["redrawing"], true);
    assert_eq!(meanwhile["total"], 740);
    vault.run_agenda();
    let after = map(&vault);
    assert_eq!(
        (&after["redrawing"], &after["pending"]),
        (&json!(false), &json!(0))
    );
    assert_eq!(column(&after, "id").len(), 740);
}

/// No word of a forgotten memory stays in a hill's name.
#[test]
fn the_name_of_a_hill_does_not_outlive_the_texts_it_came_from() {
    let vault = vault_with(12);
    let secret: Vec<String> = (0..12)
        .map(|number| {
            vault.remember(&format!(
                "Meets Wilhelmina at the observatory, visit {number}"
            ))
        })
        .collect();
    let names = |vault: &Vault| map(vault)["hills"].to_string();
    let before = names(&vault);
    assert!(
        before.contains("Wilhelmina") || before.contains("observatory"),
        "{before}"
    );
    for id in &secret {
        vault
            .post_empty(&format!("/api/memories/{id}/forget"))
            .expect(200);
    }
    let stored = vault.sql("SELECT count(*) FROM map_hills WHERE name IS NOT NULL");
    assert_eq!(stored[0][0], 0);
    let after = names(&vault);
    assert!(
        !after.contains("Wilhelmina") && !after.contains("observatory"),
        "{after}"
    );
}

#[test]
fn the_map_takes_no_parameters_and_no_agent_reads_it() {
    let vault = Vault::start();
    vault.get("/api/map?limit=3").refused(400);
    vault.post("/api/map", json!({})).refused(405);
}
