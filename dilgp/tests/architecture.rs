//! One foreign library, one file; which room may name which; one posterior: what the layout promises,
//! read from the sources.

#![allow(clippy::unwrap_used)] // helpers of tests fail by panicking

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn files_with(word: &str, folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_with(word, &path, found);
        } else if std::fs::read_to_string(&path).unwrap().contains(word) {
            found.push(path.file_name().unwrap().to_string_lossy().into_owned());
        }
    }
}

#[test]
fn foreign_libraries_are_known_to_one_file_each() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (word, file) in [
        ("argmin::", "minimise.rs"),
        ("faer::", "cholesky.rs"),
        ("indicatif::", "progress.rs"),
        ("pulp::", "lanes.rs"),
        ("strsim::", "error.rs"),
        ("clap::", "args.rs"),
        ("rayon::", "comparison.rs"),
        ("statrs::", "statistics.rs"),
    ] {
        let mut found = Vec::new();
        files_with(word, &sources, &mut found);
        assert_eq!(found, [file], "{word}");
    }
}

#[test]
fn the_library_prints_nothing() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for word in ["println!", "eprint", "print!", "dbg!"] {
        let mut found = Vec::new();
        files_with(word, &sources, &mut found);
        assert_eq!(found, [""; 0], "{word}");
    }
}

#[test]
fn only_the_program_knows_pictures() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let [mut all, mut program] = [Vec::new(), Vec::new()];
    files_with("plots::", &sources, &mut all);
    files_with("plots::", &sources.join("bin"), &mut program);
    assert!(!program.is_empty());
    assert_eq!(all.len(), program.len(), "{all:?}");
}

/// The rooms of the library from the bottom to the top, each with those that it may name.
const ROOMS: [(&str, &[&str]); 11] = [
    ("error", &[]),
    ("surrogate", &["error"]),
    ("matrix", &["error"]),
    ("minimise", &["surrogate"]),
    ("environments", &["error", "matrix"]),
    ("forest", &["error", "surrogate", "matrix"]),
    ("network", &["error", "surrogate"]),
    ("process", &["error", "surrogate", "matrix", "minimise"]),
    (
        "dil",
        &[
            "error",
            "surrogate",
            "matrix",
            "minimise",
            "environments",
            "process",
        ],
    ),
    (
        "hierarchical",
        &[
            "error",
            "surrogate",
            "matrix",
            "minimise",
            "environments",
            "process",
            "dil",
        ],
    ),
    (
        "validation",
        &["error", "surrogate", "matrix", "environments"],
    ),
];

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The source files below `folder` by their module path (`dil::penalty`), without tests and
/// comments.
fn modules(folder: &Path) -> BTreeMap<String, String> {
    fn visit(folder: &Path, path: &str, found: &mut BTreeMap<String, String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let file = entry.unwrap().path();
            let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
            let within = [path, &stem].into_iter().filter(|part| !part.is_empty());
            let within = within.collect::<Vec<_>>().join("::");
            if file.is_dir() {
                if stem != "bin" {
                    visit(&file, &within, found);
                }
                continue;
            }
            let name = if stem == "mod" { path } else { &within };
            let text = std::fs::read_to_string(&file).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap();
            let lines = code.lines().map(|line| line.split("//").next().unwrap());
            found.insert(name.to_owned(), lines.collect::<Vec<_>>().join("\n"));
        }
    }
    let mut found = BTreeMap::new();
    visit(folder, "", &mut found);
    found
}

/// What `code` of the module `own` names, as paths from the crate's root.
fn named(own: &str, code: &str) -> BTreeSet<String> {
    let parent = own.rsplit_once("::").map_or("", |(parent, _)| parent);
    let mut found = BTreeSet::new();
    for (word, root) in [("crate::", ""), ("super::", parent)] {
        for (at, _) in code.match_indices(word) {
            let whole = !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let rest = &code[at + word.len()..];
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
            let path = rest[..end.unwrap_or(rest.len())].trim_end_matches(':');
            if whole {
                let full = [root, path].into_iter().filter(|part| !part.is_empty());
                found.insert(full.collect::<Vec<_>>().join("::"));
            }
        }
    }
    found
}

/// The names that the library's root hands on, each with the module it comes from.
fn handed_on(root: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for line in root.split(';').map(str::trim) {
        let Some(path) = line.strip_prefix("pub use ") else {
            continue;
        };
        let (path, names) = path.rsplit_once("::").unwrap();
        for name in names.trim_matches(['{', '}']).split(',') {
            found.insert(name.trim().to_owned(), path.to_owned());
        }
    }
    found
}

#[test]
fn a_room_names_only_those_that_it_may() {
    let modules = modules(&sources());
    let handed_on = handed_on(&modules["lib"]);
    assert!(handed_on.len() > 30, "{handed_on:?}");
    let mut seen = BTreeSet::new();
    for (own, code) in modules.iter().filter(|(own, _)| *own != "lib") {
        let room = own.split("::").next().unwrap();
        let of = |(name, _): &&(&str, &[&str])| *name == room;
        let Some((_, may)) = ROOMS.iter().find(of) else {
            panic!("{room} is no room of the table");
        };
        for path in named(own, code) {
            let from = handed_on.get(&path).unwrap_or(&path);
            let named = from.split("::").next().unwrap();
            assert!(
                named == room || may.contains(&named),
                "{own} names {path}, but {room} may not name {named}"
            );
            seen.insert((room.to_owned(), named.to_owned()));
        }
    }
    for (place, (room, may)) in ROOMS.iter().enumerate() {
        for named in *may {
            let below = ROOMS[..place].iter().any(|(name, _)| name == named);
            assert!(below, "{room} may name {named}, which is not below it");
            let used = seen.contains(&((*room).to_owned(), (*named).to_owned()));
            assert!(used, "{room} does not name {named}: take it off the table");
        }
    }
}

/// Whether `path` is in, or in a module of, the file with the path `module`.
fn is_in(path: &str, module: &str) -> bool {
    let rest = path.strip_prefix(module);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

#[test]
fn no_file_names_another_that_names_it_through_others() {
    for folder in [sources(), sources().join("bin/dilgp")] {
        let modules = modules(&folder);
        let handed_on = modules
            .get("lib")
            .map_or(BTreeMap::new(), |root| handed_on(root));
        let mut names: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (own, code) in &modules {
            // A module holds what its folder has; what is in the folder may name the module.
            if let Some((parent, _)) = own.rsplit_once("::") {
                names.entry(parent).or_default().insert(own);
            }
            for path in named(own, code) {
                let path = handed_on.get(&path).unwrap_or(&path);
                // The deepest file on the path: what is named beyond it is inside that file.
                let of = |module: &&String| !module.is_empty() && is_in(path, module);
                let deepest = modules.keys().filter(of).max_by_key(|module| module.len());
                if let Some(deepest) = deepest.filter(|module| !is_in(own, module)) {
                    names.entry(own).or_default().insert(deepest);
                }
            }
        }
        assert!(names.len() > 10, "{names:?}");
        for start in names.keys() {
            let (mut reached, mut open) = (BTreeSet::new(), vec![*start]);
            while let Some(next) = open.pop() {
                for named in names.get(next).into_iter().flatten() {
                    assert!(named != start, "{start} names itself through {next}");
                    if reached.insert(*named) {
                        open.push(named);
                    }
                }
            }
        }
    }
}

#[test]
fn only_the_process_conditions_on_data() {
    let modules = modules(&sources());
    let solves = modules.iter().filter(|(_, code)| code.contains(".solve_"));
    let files: Vec<&String> = solves.map(|(own, _)| own).collect();
    let expected = [
        "matrix::cholesky",
        "process::joint",
        "process::likelihood",
        "process::posterior",
    ];
    assert_eq!(files, expected);
}
