//! The house: which room may name which, that no two files name each other, and which file may know
//! which foreign library.

// Helpers of an integration test are not inside a test function, where unwrap is allowed.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Every room, a folder or a file at the top of `src`, and the rooms that it may name.
const ROOMS: [(&str, &[&str]); 7] = [
    ("error", &[]),
    ("page", &[]),
    ("axes", &["page"]),
    ("scene", &["axes", "page"]),
    ("files", &["error", "page"]),
    ("palette", &["axes", "page"]),
    ("picture", &["axes", "error", "files", "page", "scene"]),
];

/// Every foreign library, and the one file that knows it.
const LIBRARIES: [(&str, &str); 4] = [
    ("ab_glyph", "page/letters.rs"),
    ("plotters", "page/ink.rs"),
    ("png", "files.rs"),
    ("thiserror", "error.rs"),
];

/// The path of each source file below `src`, with its text but for its tests and comments.
fn sources() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders: Vec<PathBuf> = vec![root.clone()];
    let mut sources = BTreeMap::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap();
            sources.insert(name.replace('\\', "/"), code(&text));
        }
    }
    sources
}

/// The text up to the tests, which stand last, without lines of comment.
fn code(text: &str) -> String {
    let text = text.split("\n#[cfg(test)]\nmod ").next().unwrap();
    let lines = text.lines();
    let lines = lines.filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The paths that a file names, each without its last names: `crate::`, and `super::` resolved.
fn named(file: &str, text: &str) -> BTreeSet<String> {
    let here: Vec<&str> = module(file);
    let mut paths = BTreeSet::new();
    for (start, _) in text.match_indices("crate::") {
        paths.extend(leading(&text[start + 7..]));
    }
    for (start, _) in text.match_indices("super::") {
        let before = &text[..start];
        let ups = 1 + before
            .len()
            .saturating_sub(before.trim_end_matches("super::").len())
            / 7;
        if text[start + 7..].starts_with("super::") {
            continue;
        }
        let above = &here[..here.len().saturating_sub(ups)];
        for rest in leading(&text[start + 7..]) {
            let path = [above.join("::"), rest].join("::");
            paths.insert(path.trim_matches(':').to_owned());
        }
    }
    paths
}

/// The path at the beginning of a text; of a group in braces one for each of its members.
fn leading(text: &str) -> Vec<String> {
    let fits = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
    let end = text.find(|letter| !fits(letter)).unwrap_or(text.len());
    let (path, rest) = text.split_at(end);
    let Some(group) = rest.strip_prefix('{') else {
        return vec![path.trim_end_matches(':').to_owned()];
    };
    let members = group.split('}').next().unwrap().split(',');
    let members = members.map(|member| format!("{path}{}", member.trim()));
    members.collect()
}

/// The module of a file, name by name.
fn module(file: &str) -> Vec<&str> {
    let names = file.trim_end_matches(".rs").split('/');
    names
        .filter(|name| !["mod", "lib"].contains(name))
        .collect()
}

/// The file whose module a path begins with, as far as it goes.
fn file_of(path: &str, files: &BTreeMap<String, String>) -> Option<String> {
    let begins = |file: &&String| {
        let module = module(file).join("::");
        !module.is_empty() && (path == module || path.starts_with(&format!("{module}::")))
    };
    files
        .keys()
        .filter(begins)
        .max_by_key(|file| module(file).len())
        .cloned()
}

#[test]
fn each_room_names_only_those_that_it_may() {
    let sources = sources();
    for (file, text) in &sources {
        let Some(room) = module(file).first().copied() else {
            continue;
        };
        let may = ROOMS.iter().find(|(name, _)| *name == room);
        let (_, may) = may.unwrap_or_else(|| panic!("{file} is in no known room"));
        for path in named(file, text) {
            let other = path.split("::").next().unwrap();
            assert!(other == room || may.contains(&other), "{file} names {path}");
        }
    }
    for (room, _) in ROOMS {
        let there = sources
            .keys()
            .any(|file| module(file).first() == Some(&room));
        assert!(there, "there is no room {room}");
    }
}

#[test]
fn no_file_names_one_that_names_it() {
    let sources = sources();
    let names: BTreeMap<&String, BTreeSet<String>> = (sources.iter())
        .map(|(file, text)| {
            let paths = named(file, text);
            let files = paths.iter().filter_map(|path| file_of(path, &sources));
            // A module and the folder of its parts are one thing.
            let parts = |other: &String| {
                let (a, b) = (module(file), module(other));
                a.starts_with(&b) || b.starts_with(&a)
            };
            (file, files.filter(|other| !parts(other)).collect())
        })
        .collect();
    assert!(
        names.values().map(BTreeSet::len).sum::<usize>() > 50,
        "imports are found"
    );
    for start in names.keys() {
        let (mut seen, mut next) = (BTreeSet::new(), vec![*start]);
        while let Some(file) = next.pop() {
            for other in &names[file] {
                assert!(other != *start, "{start} names itself by way of {file}");
                if seen.insert(other) {
                    next.push(other);
                }
            }
        }
    }
}

#[test]
fn each_foreign_library_is_known_to_one_file() {
    let sources = sources();
    for (library, home) in LIBRARIES {
        let path = format!("{library}::");
        let knowing = sources.iter().filter(|(_, text)| text.contains(&path));
        let knowing: Vec<&String> = knowing.map(|(file, _)| file).collect();
        assert_eq!(knowing, [home], "{library}");
    }
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let manifest = std::fs::read_to_string(manifest).unwrap();
    let listed = manifest.split("[dependencies]").nth(1).unwrap();
    let listed = listed.split("\n[").next().unwrap().lines();
    let listed: Vec<&str> = listed
        .filter_map(|line| line.split(['.', ' ']).next())
        .collect();
    let listed = listed.into_iter().filter(|name| !name.is_empty());
    assert_eq!(
        listed.collect::<Vec<_>>(),
        LIBRARIES.map(|(library, _)| library)
    );
}
