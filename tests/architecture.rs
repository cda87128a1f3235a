//! Holds the shape of `src`: the import rule, the map in `lib.rs`, and that each module says what it is for.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Which top-level modules each may name. `model` stands above `text`: a draft is cleaned when it is checked.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("error", &[]),
    ("limits", &[]),
    ("ports", &["error"]),
    ("model", &["error", "limits", "ports", "text"]),
    ("text", &["error", "limits", "ports"]),
    ("embed", &["error", "limits", "text"]),
    ("dedupe", &["error", "limits", "text", "embed"]),
    (
        "recall",
        &["error", "limits", "ports", "model", "text", "embed"],
    ),
    ("map", &["embed", "text"]),
    ("intake", &["error", "limits", "ports", "model", "text"]),
    ("access", &["error", "limits", "ports", "model", "text"]),
    ("oauth", &["error", "limits", "ports", "model", "text"]),
    ("store", &["error", "limits", "ports", "model", "text"]),
    (
        "vault",
        &[
            "error", "limits", "ports", "model", "text", "recall", "embed", "dedupe", "map",
            "intake", "access", "oauth", "store",
        ],
    ),
    (
        "mcp",
        &[
            "error", "limits", "ports", "model", "text", "recall", "embed", "dedupe", "intake",
            "access", "oauth", "vault",
        ],
    ),
    (
        "api",
        &[
            "error", "limits", "ports", "model", "text", "recall", "embed", "dedupe", "intake",
            "access", "oauth", "vault", "mcp",
        ],
    ),
    (
        "cloudflare",
        &[
            "error", "limits", "ports", "model", "text", "recall", "embed", "dedupe", "intake",
            "access", "oauth", "store", "vault", "mcp", "api",
        ],
    ),
];

/// Modules that may not name the platform.
const PLATFORM_CRATES: &[&str] = &["worker::", "wasm_bindgen", "js_sys", "getrandom"];

/// Modules that neither run SQL nor ask the time.
const PURE: &[&str] = &[
    "text", "recall", "embed", "dedupe", "map", "intake", "access", "oauth",
];

fn sources() -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, files: &mut Vec<(PathBuf, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, files);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push((path.clone(), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let mut files = Vec::new();
    walk(
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")),
        &mut files,
    );
    files
}

/// The top-level module a file belongs to.
fn module_of(path: &Path) -> String {
    let inner = path
        .strip_prefix(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))
        .unwrap();
    inner
        .iter()
        .next()
        .unwrap()
        .to_str()
        .unwrap()
        .trim_end_matches(".rs")
        .to_owned()
}

/// Code without comments and without the test module at the end.
fn shipped(source: &str) -> String {
    let code = source.split("#[cfg(test)]").next().unwrap();
    code.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Top-level modules that a piece of code names as `crate::x` or inside `use crate::{x, y}`.
fn named(code: &str) -> BTreeSet<String> {
    let word = |text: &str| {
        text.chars()
            .take_while(|letter| letter.is_alphanumeric() || *letter == '_')
            .collect::<String>()
    };
    let mut names = BTreeSet::new();
    for part in code.split("crate::").skip(1) {
        match part.strip_prefix('{') {
            Some(group) => names.extend(
                group
                    .split('}')
                    .next()
                    .unwrap()
                    .split(',')
                    .map(|name| word(name.trim())),
            ),
            None => {
                names.insert(word(part));
            }
        }
    }
    names
}

#[test]
fn imports_point_one_way() {
    for (path, source) in sources() {
        let module = module_of(&path);
        if module == "lib" || module == "bin" {
            continue;
        }
        let (_, allowed) = MAY_IMPORT
            .iter()
            .find(|(name, _)| *name == module)
            .unwrap_or_else(|| panic!("{module} has no rule"));
        for name in named(&shipped(&source)) {
            assert!(
                name == module || allowed.contains(&name.as_str()),
                "{} imports {name}",
                path.display()
            );
        }
    }
}

#[test]
fn only_the_platform_module_names_the_platform() {
    for (path, source) in sources() {
        if module_of(&path) == "cloudflare" {
            continue;
        }
        for name in PLATFORM_CRATES {
            assert!(
                !shipped(&source).contains(name),
                "{} names {name}",
                path.display()
            );
        }
    }
}

#[test]
fn pure_modules_see_neither_sql_nor_the_clock() {
    for (path, source) in sources() {
        if PURE.contains(&module_of(&path).as_str()) {
            for name in [
                "ports::",
                "SystemTime",
                "Instant::now",
                "std::fs",
                "std::net",
            ] {
                assert!(
                    !shipped(&source).contains(name),
                    "{} names {name}",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn the_map_in_lib_names_every_module() {
    let map = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/src/lib.rs")).unwrap();
    let modules: BTreeSet<String> = sources()
        .iter()
        .map(|(path, _)| module_of(path))
        .filter(|module| module != "lib" && module != "bin")
        .collect();
    for module in &modules {
        assert!(
            map.contains(&format!("//! | [`{module}`] |")),
            "lib.rs does not say what {module} is"
        );
    }
    assert_eq!(
        modules,
        MAY_IMPORT
            .iter()
            .map(|(name, _)| (*name).to_owned())
            .collect(),
        "every module has an import rule"
    );
}

#[test]
fn every_file_opens_with_what_it_is_for() {
    for (path, source) in sources() {
        let first = source.lines().next().unwrap_or_default();
        assert!(
            first.starts_with("//! ") && first.len() > 20,
            "{} does not say what it is for",
            path.display()
        );
    }
}

#[test]
fn files_stay_short_enough_to_read() {
    for (path, source) in sources() {
        let lines = source.lines().count();
        assert!(
            lines <= 430,
            "{} has {lines} lines; split it by operation or by table",
            path.display()
        );
    }
}
