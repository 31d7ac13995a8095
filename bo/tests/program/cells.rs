//! Comparisons of many cells, and their folders.

use super::{bo, spawn, stdout, succeeded};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Output};

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

pub fn run(folder: &Path, line: &str) -> Output {
    bo(folder, &words(line))
}

/// Runs what must succeed; its standard output.
pub fn done(folder: &Path, line: &str) -> String {
    stdout(&succeeded(folder, &words(line)))
}

pub fn begin(folder: &Path, line: &str) -> Child {
    spawn(folder, &words(line))
}

/// The files of a folder by name.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let files = entries.map(|entry| entry.expect("readable").path());
    let files = files.filter(|path| path.is_file()).map(|path| {
        let name = path.file_name().expect("a name").to_string_lossy();
        (name.into_owned(), fs::read(&path).expect("readable"))
    });
    files.collect()
}

pub fn assert_same(here: &Path, one: &str, other: &str) {
    for part in ["", "cells"] {
        let [one, other] = [one, other].map(|folder| files(&here.join(folder).join(part)));
        let names =
            |files: &BTreeMap<String, Vec<u8>>| -> Vec<String> { files.keys().cloned().collect() };
        assert_eq!(names(&one), names(&other));
        for (name, bytes) in &one {
            assert!(*bytes == other[name], "{part}/{name} differs");
        }
    }
}
