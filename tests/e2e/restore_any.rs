//! Restore, whatever came before it and whenever it is killed.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::backup::File;
use crate::restore::{lasting, restore, upload};
use crate::support::{Vault, kills};

/// Something that happens in a vault. Numbers choose among what is there.
#[derive(Debug, Clone)]
enum Step {
    Remember(String, bool),
    Edit(usize, String),
    Supersede(usize, String),
    Forget(usize),
    Import(Vec<String>),
    Propose(String),
    Approve(usize),
    Reject(usize),
    Guide(String),
    ShortTierDays(i64),
    /// An agent asks to forget.
    AskToForget(usize),
    Keep(usize),
    Undecide(usize),
    UndoImport(usize),
    Dedupe,
    CleanUp,
    Backup,
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[A-Z][a-z]{3,8} (sold|lost|found) the [a-z]{3,9} [0-9]{1,4}",
        "[äöüßéñ漢字ひらがな한글а-я\"\\\\\t| ]{3,30}x",
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (text(), any::<bool>()).prop_map(|(text, short)| Step::Remember(text, short)),
        2 => (any::<usize>(), text()).prop_map(|(which, text)| Step::Edit(which, text)),
        1 => (any::<usize>(), text()).prop_map(|(which, text)| Step::Supersede(which, text)),
        1 => any::<usize>().prop_map(Step::Forget),
        1 => proptest::collection::vec(text(), 1..5).prop_map(Step::Import),
        1 => text().prop_map(Step::Propose),
        1 => any::<usize>().prop_map(Step::Approve),
        1 => any::<usize>().prop_map(Step::Reject),
        1 => text().prop_map(Step::Guide),
        1 => (1..90_i64).prop_map(Step::ShortTierDays),
        1 => any::<usize>().prop_map(Step::AskToForget),
        1 => any::<usize>().prop_map(Step::Keep),
        1 => any::<usize>().prop_map(Step::Undecide),
        1 => any::<usize>().prop_map(Step::UndoImport),
        1 => Just(Step::Dedupe),
        1 => Just(Step::CleanUp),
        1 => Just(Step::Backup),
    ]
}

/// Does it; what the vault refuses is no matter here.
fn act(vault: &Vault, step: &Step) {
    let ids: Vec<String> = vault
        .sql("SELECT id FROM memories ORDER BY seq")
        .iter()
        .map(|row| row[0].as_str().unwrap().to_owned())
        .collect();
    let one = |which: usize| {
        ids.get(which % ids.len().max(1))
            .cloned()
            .unwrap_or_default()
    };
    let at = |which: usize, rest: &str| format!("/api/memories/{}{rest}", one(which));
    match step {
        Step::Remember(content, short) => {
            let tier = if *short { "short" } else { "long" };
            vault.post(
                "/api/memories",
                json!({ "content": content, "tier": tier, "tags": [tier] }),
            )
        }
        Step::Edit(which, content) => vault.patch(&at(*which, ""), json!({ "content": content })),
        Step::Supersede(which, content) => vault.post(
            "/api/memories",
            json!({ "content": content, "supersedes": one(*which) }),
        ),
        Step::Forget(which) => vault.delete(&at(*which, "")),
        Step::Import(items) => vault.post("/api/bulk", json!({ "items": items })),
        Step::Propose(content) => {
            vault
                .mcp()
                .call("propose_memory", json!({ "content": content }));
            vault.get("/health")
        }
        Step::Approve(which) => vault.post_empty(&at(*which, "/approve")),
        Step::Reject(which) => vault.post_empty(&at(*which, "/reject")),
        Step::Guide(content) => vault.put("/api/guide", json!({ "content": content })),
        Step::ShortTierDays(days) => vault.put("/api/settings", json!({ "short_tier_days": days })),
        Step::AskToForget(which) => {
            vault.mcp().call("forget", json!({ "id": one(*which) }));
            vault.get("/health")
        }
        Step::Keep(which) => vault.post_empty(&at(*which, "/keep")),
        Step::Undecide(which) => vault.post_empty(&at(*which, "/undecide")),
        Step::UndoImport(which) => {
            let batches = vault.sql("SELECT id FROM batches ORDER BY seq");
            let batch = batches.get(which % batches.len().max(1));
            let id = batch.map_or("none", |row| row[0].as_str().unwrap());
            vault.post_empty(&format!("/api/batches/{id}/undo"))
        }
        Step::Dedupe => vault.post_empty("/api/memories/dedupe"),
        Step::CleanUp => {
            vault.sql(
                "UPDATE memories SET status_at = 0 WHERE status IN ('rejected', 'superseded')",
            );
            vault.post_empty("/api/retention/run")
        }
        Step::Backup => vault.get("/api/backup"),
    };
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, max_shrink_iters: 8, ..ProptestConfig::default() })]

    /// U-137: only what says who backed up and restored differs.
    #[test]
    fn any_vault_comes_back_as_it_was(steps in proptest::collection::vec(step(), 1..30), embeddings in any::<bool>()) {
        let before = Vault::start();
        before.get("/health").expect(200);
        for step in &steps {
            act(&before, step);
        }
        let file = before.get("/api/backup").body;
        let given = if embeddings { file.clone() } else { before.get("/api/backup?embeddings=0").body };
        let vault = Vault::start();
        restore(&vault, &given, "");
        vault.run_agenda();
        prop_assert_eq!(lasting(&File::of(&vault)), lasting(&File::read(&file)));
        let text = "SELECT rowid, whole, parts, labels FROM memory_text ORDER BY rowid";
        prop_assert_eq!(vault.sql(text), before.sql(text));
        let tags = "SELECT tag, memory_seq FROM memory_tags ORDER BY 1, 2";
        prop_assert_eq!(vault.sql(tags), before.sql(tags));
    }
}

/// A vault's file with so many memories, told apart by `name`.
fn file_of(name: &str, count: usize) -> String {
    let vault = Vault::start();
    let items: Vec<String> = (0..count)
        .map(|number| format!("{name} wrote entry {number} in the log of the ship"))
        .collect();
    vault
        .post("/api/bulk", json!({ "items": items }))
        .expect(200);
    vault.get("/api/backup").body
}

#[test]
fn a_restore_that_is_killed_leaves_the_old_vault_or_the_new_one_and_can_be_finished() {
    let files = [("Ada", file_of("Ada", 120)), ("Milo", file_of("Milo", 150))];
    let mut vault = Vault::start();
    restore(&vault, &files[0].1, "");
    let mut whole = None;
    let mut swapped = 0;
    for round in 0..kills(4) {
        let (name, file) = &files[(round + 1) % 2];
        let (other, _) = &files[round % 2];
        let id = vault.post_empty("/api/restore").expect(201)["id"]
            .as_str()
            .unwrap()
            .to_owned();
        let path = format!("/api/restore/{id}");
        let commit = format!("{path}/commit?replace=1");
        let began = Instant::now();
        upload(&vault, "PUT", &format!("{path}/parts/1"), file.as_bytes()).expect(200);
        if let Some(whole) = whole {
            // Anywhere from the first moment to a little after the last one.
            let wait = pseudo_random(round) % (whole + whole / 8 + 1);
            std::thread::scope(|scope| {
                let vault = &vault;
                scope.spawn(|| vault.try_send("POST", &commit, &[("Content-Length", "0")], None));
                std::thread::sleep(Duration::from_micros(wait));
                vault.kill();
            });
            vault.kill_and_restart();
            let found = names(&vault);
            assert!(
                found == [*name] || found == [*other],
                "round {round}: {found:?}"
            );
            swapped += usize::from(found == [*name]);
            assert_eq!(counts(&vault).0, if found == ["Ada"] { 120 } else { 150 });
        }
        // Its owner asks until it is done.
        for _ in 0..500 {
            let view = vault.send("POST", &commit, &[("Content-Length", "0")], None);
            if view.status == 200 {
                break;
            }
            assert_eq!(view.status, 202, "{}", view.body);
        }
        whole = whole.or(Some(u64::try_from(began.elapsed().as_micros()).unwrap()));
        assert_eq!(names(&vault), [*name]);
        let (memories, texts, senses) = counts(&vault);
        assert_eq!((memories, memories), (texts, senses));
    }
    eprintln!("the new vault was there {swapped} times");
}

/// Whose memories there are.
fn names(vault: &Vault) -> Vec<String> {
    let rows =
        vault.sql("SELECT DISTINCT substr(content, 1, instr(content, ' ') - 1) FROM memories");
    rows.iter()
        .map(|row| row[0].as_str().unwrap().to_owned())
        .collect()
}

/// Memories, their full texts, their embeddings.
fn counts(vault: &Vault) -> (i64, i64, i64) {
    let row = &vault.sql(
        "SELECT (SELECT count(*) FROM memories), (SELECT count(*) FROM memory_text), (SELECT count(*) FROM memory_sense)",
    )[0];
    let number = |value: &Value| value.as_i64().unwrap();
    (number(&row[0]), number(&row[1]), number(&row[2]))
}

fn pseudo_random(seed: usize) -> u64 {
    let mut state = (seed as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    state ^= state >> 31;
    state.wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 20
}
