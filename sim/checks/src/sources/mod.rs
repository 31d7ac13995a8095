//! What a crate's sources say of its layout: which room names which, and which file knows which
//! foreign library.
//!
//! A *room* is a module at the top of a crate, with everything below it. Only what is compiled into
//! the crate itself counts: items under `#[cfg(test)]`, comments and texts do not. A name that the
//! crate's root or another module re-exports belongs to the room that it comes from. Every function
//! returns its findings, one line each; none means that all is in order.
//!
//! ```no_run
//! use checks::sources;
//! let src = std::path::Path::new("src");
//! sources::in_order(sources::rooms_name_only(src, &[("wind", &["error"]), ("error", &[])]));
//! sources::in_order(sources::library_in_one_file(src, "argmin", "search/climb.rs"));
//! sources::in_order(sources::circles(src));
//! ```

mod circle;
mod tree;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tree::{Crate, all};

/// Fails with the findings, if there are any.
///
/// # Panics
/// If there is a finding.
pub fn in_order(findings: Vec<String>) {
    assert!(findings.is_empty(), "\n{}\n", findings.join("\n"));
}

/// What breaks the table `rules`, which says for every room which others it may name. The folder
/// `src` holds `lib.rs` or `main.rs`. What the root itself declares, constants say, everyone may
/// name. A room without a rule, and a rule about a room that is not there, are findings too.
///
/// # Panics
/// If the sources cannot be read.
pub fn rooms_name_only(src: &Path, rules: &[(&str, &[&str])]) -> Vec<String> {
    let house = Crate::read_folder(src);
    let rooms: BTreeSet<String> = house.children(&[]).into_iter().collect();
    let mut findings = Vec::new();
    for (room, others) in rules {
        for name in std::iter::once(room).chain(others.iter()) {
            if !rooms.contains(*name) {
                findings.push(format!("a rule names the room {name}, which is not there"));
            }
        }
    }
    for room in &rooms {
        if !rules.iter().any(|(name, _)| name == room) {
            findings.push(format!("the room {room} has no rule"));
        }
    }
    for edge in house.edges() {
        let (Some(from), Some(to)) = (edge.from.first(), edge.to.first()) else {
            continue;
        };
        let allowed = rules
            .iter()
            .find(|(name, _)| name == from)
            .is_none_or(|(_, others)| others.contains(&to.as_str()));
        if from != to && !allowed {
            let (file, text) = (edge.file.display(), &edge.text);
            findings.push(format!("{from} may not name {to}: {file} has {text}"));
        }
    }
    distinct(findings)
}

/// The circles: modules of one folder that name one another, each with everything below it. What a
/// module takes from the one around it does not count.
///
/// # Panics
/// If the sources cannot be read.
pub fn circles(src: &Path) -> Vec<String> {
    circle::all(&Crate::read_folder(src))
}

/// What breaks the rule that only `file`, a path below `src` or its end, names the foreign library.
/// The programs in `src/bin` count.
///
/// # Panics
/// If the sources cannot be read.
pub fn library_in_one_file(src: &Path, library: &str, file: &str) -> Vec<String> {
    let knowing = files_with_library(src, library);
    let here = |path: &str| Path::new(path).ends_with(file);
    let mut findings: Vec<String> = (knowing.iter().filter(|path| !here(path)))
        .map(|path| format!("{path} names {library}, which only {file} may"))
        .collect();
    if !knowing.iter().any(|path| here(path)) {
        findings.push(format!("{file} does not name {library}"));
    }
    findings
}

/// The files below `src`, programs too, that name the foreign library, or a module of it such as
/// `std::fs`; paths from `src` on.
///
/// # Panics
/// If the sources cannot be read.
pub fn files_with_library(src: &Path, library: &str) -> Vec<String> {
    let library = library.trim_end_matches("::");
    files(src, |module| tree::has_library(module, library))
}

/// The files below `src`, programs too, that call one of the macros, `println` say; paths from `src`
/// on.
///
/// # Panics
/// If the sources cannot be read.
pub fn files_with_macro(src: &Path, macros: &[&str]) -> Vec<String> {
    files(src, |module| {
        macros.iter().any(|name| module.has_macro(name))
    })
}

/// Names of modules, types, traits and functions below `src` that hold one of `words`, which are
/// lower case: `Shelf`, `shelf_of` and `mod shelf` hold `shelf`.
///
/// # Panics
/// If the sources cannot be read.
pub fn named_with(src: &Path, words: &[&str]) -> Vec<String> {
    let houses = tree::all(src);
    let modules = houses.iter().flat_map(|house| &house.modules);
    let found = modules.flat_map(|module| {
        let private = |name: &String| words_of(name).iter().any(|word| words.contains(&&**word));
        let names = module.defined().into_iter().filter(private);
        names.map(|name| format!("{} names {name}", module.file.display()))
    });
    found.collect::<BTreeSet<String>>().into_iter().collect()
}

/// The words of an identifier, in lower case.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for letter in name.chars() {
        if letter == '_' || letter.is_uppercase() {
            words.push(String::new());
        }
        if let (true, Some(word)) = (letter != '_', words.last_mut()) {
            word.extend(letter.to_lowercase());
        }
    }
    words
}

/// Modules with more than `most` others directly below them.
///
/// # Panics
/// If the sources cannot be read.
pub fn crowded(src: &Path, most: usize) -> Vec<String> {
    let house = Crate::read_folder(src);
    (house.modules.iter())
        .map(|module| (module, house.children(&module.path).len()))
        .filter(|(_, count)| *count > most)
        .map(|(module, count)| {
            let file = module.file.display();
            format!("{file} has {count} modules below it, more than {most}")
        })
        .collect()
}

/// Rust files below `folder` that the crate with the root file `root` there does not compile: no
/// module names them.
///
/// # Panics
/// If the sources cannot be read.
pub fn files_without_module(folder: &Path, root: &str) -> Vec<String> {
    let house = Crate::read(folder, &folder.join(root));
    let compiled: BTreeSet<&Path> = (house.modules.iter())
        .map(|module| module.file.as_path())
        .collect();
    let mut left_out: Vec<String> = (rust_files(folder).iter())
        .map(|file| file.strip_prefix(folder).unwrap_or(file))
        .filter(|file| !compiled.contains(file))
        .map(|file| file.display().to_string())
        .collect();
    left_out.sort();
    left_out
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.flatten().map(|entry| entry.path());
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = paths.partition(|path| path.is_dir());
    let rust = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "rs");
    (files.into_iter().filter(rust))
        .chain(folders.iter().flat_map(|folder| rust_files(folder)))
        .collect()
}

fn files(src: &Path, wanted: impl Fn(&tree::Module) -> bool) -> Vec<String> {
    let found: BTreeSet<String> = (all(src).iter().flat_map(|house| &house.modules))
        .filter(|module| wanted(module))
        .map(|module| module.file.display().to_string())
        .collect();
    found.into_iter().collect()
}

fn distinct(findings: Vec<String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    (findings.into_iter())
        .filter(|finding| seen.insert(finding.clone()))
        .collect()
}

#[cfg(test)]
mod tests;
