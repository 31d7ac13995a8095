use super::*;
use std::fs;
use temp_dir::TempDir;

/// A crate of these files.
fn house(files: &[(&str, &str)]) -> TempDir {
    let folder = temp_dir::TempDir::new().expect("a folder");
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("makes folders");
        fs::write(path, text).expect("writable");
    }
    folder
}

const ROOT: &str = "mod wind; mod flight; pub use wind::gust::{Gust, Axis as GustAxis};";

#[test]
fn a_room_may_name_only_what_its_rule_allows() {
    let folder = house(&[
        ("lib.rs", ROOT),
        ("wind/mod.rs", "pub mod gust;"),
        ("wind/gust.rs", "pub struct Gust; pub struct Axis;"),
        (
            "flight.rs",
            "use crate::wind::gust; fn a() -> Vec<u8> { vec![crate::wind::gust::b()] }",
        ),
    ]);
    let rules = |others| rooms_name_only(folder.path(), &[("flight", others), ("wind", &[])]);
    assert_eq!(rules(&["wind"]), [""; 0]);
    assert_eq!(
        rules(&[]),
        [
            "flight may not name wind: flight.rs has crate::wind::gust",
            "flight may not name wind: flight.rs has crate::wind::gust::b",
        ]
    );
    assert_eq!(
        rooms_name_only(folder.path(), &[("flight", &["wind", "sky"])]),
        [
            "a rule names the room sky, which is not there",
            "the room wind has no rule"
        ]
    );
}

#[test]
fn a_name_of_the_root_belongs_to_the_room_it_comes_from_and_a_constant_to_none() {
    let flight = "use crate::{G, GustAxis}; fn a(g: &super::Gust) { let _ = crate::G; }";
    let folder = house(&[
        ("lib.rs", &format!("{ROOT} pub const G: f64 = 9.81;")),
        (
            "wind/mod.rs",
            "pub mod gust { pub struct Gust; pub struct Axis; }",
        ),
        ("flight.rs", flight),
    ]);
    assert_eq!(
        rooms_name_only(folder.path(), &[("flight", &[]), ("wind", &[])]),
        [
            "flight may not name wind: flight.rs has crate::GustAxis",
            "flight may not name wind: flight.rs has super::Gust",
        ]
    );
}

#[test]
fn tests_comments_texts_and_visibilities_do_not_count() {
    let flight =
        "//! See crate::wind::Gust.\n/// crate::wind::Gust\nfn a() { \"crate::wind::Gust\"; }
        #[cfg(test)] use crate::wind::{Gust, gust};
        pub(in crate::wind) struct Seen;
        impl Seen { #[cfg(test)] fn new() -> crate::wind::Gust { loop {} } }
        #[cfg(test)]\n#[allow(unused)] mod tests { use crate::wind::Gust; }
        #[cfg(test)] mod more;";
    let folder = house(&[
        ("lib.rs", ROOT),
        ("wind/mod.rs", "pub mod gust; fn a(x: argmin::Best) {}"),
        ("wind/gust.rs", ""),
        ("flight.rs", flight),
        ("flight/more.rs", "use crate::wind::Gust; use argmin::core;"),
    ]);
    let rules: [(&str, &[&str]); 2] = [("flight", &[]), ("wind", &[])];
    assert_eq!(rooms_name_only(folder.path(), &rules), [""; 0]);
    assert_eq!(
        library_in_one_file(folder.path(), "argmin::", "wind/mod.rs"),
        [""; 0]
    );
    assert_eq!(
        library_in_one_file(folder.path(), "argmin", "climb.rs"),
        [
            "wind/mod.rs names argmin, which only climb.rs may",
            "climb.rs does not name argmin"
        ]
    );
}

#[test]
fn a_module_of_a_librarys_name_is_not_the_library() {
    let folder = house(&[
        ("lib.rs", "mod log; mod read; mod write;"),
        ("log.rs", "mod mcap; fn a() { mcap::write(); }"),
        (
            "log/mcap.rs",
            "use mcap::Writer; #[derive(serde::Serialize)] struct About;",
        ),
        ("read.rs", "use crate::log::mcap; fn a() { mcap::read(); }"),
        ("write.rs", "fn a(x: ::mcap::Writer) {}"),
        (
            "bin/fly/main.rs",
            "mod args; fn main() { println!(); let print = 1; print != 2; }",
        ),
        (
            "bin/fly/args.rs",
            "#[arg(value_parser = clap::value_parser!(u8))] use std::{fs, io};\nstruct Args;",
        ),
    ]);
    let src = folder.path();
    assert_eq!(files_with_library(src, "mcap"), ["log/mcap.rs", "write.rs"]);
    assert_eq!(files_with_library(src, "serde"), ["log/mcap.rs"]);
    assert_eq!(files_with_library(src, "clap"), ["bin/fly/args.rs"]);
    assert_eq!(files_with_library(src, "std::fs"), ["bin/fly/args.rs"]);
    assert_eq!(
        files_with_macro(src, &["println", "print"]),
        ["bin/fly/main.rs"]
    );
}

#[test]
fn circles_are_found_at_every_level_and_what_a_module_takes_from_above_is_none() {
    let page = "use super::sections::replay; pub fn data() {}";
    let folder = house(&[
        ("lib.rs", "mod report; mod run; mod wind;"),
        (
            "report/mod.rs",
            "mod page; mod sections; pub struct Whole; pub use page::data;",
        ),
        ("report/page.rs", page),
        ("report/sections.rs", "pub mod replay;"),
        (
            "report/sections/replay.rs",
            "use super::super::data; use crate::report::Whole;",
        ),
        ("run.rs", "use crate::wind;"),
        ("wind.rs", "fn a() { Vec::<crate::report::Whole>::new(); }"),
    ]);
    let found = circles(folder.path());
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        found[0],
        "a circle of page, sections in crate::report:
  page names sections: report/page.rs has super::sections::replay
  sections names page: report/sections/replay.rs has super::super::data"
    );
    fs::write(folder.path().join("report/page.rs"), "use crate::run;").expect("writable");
    let found = circles(folder.path());
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with("a circle of report, run, wind in crate:"),
        "{found:?}"
    );
}

#[test]
fn a_folder_with_too_many_modules_is_found() {
    let folder = house(&[
        ("lib.rs", "mod a; mod b; #[cfg(test)] mod c;"),
        ("a/mod.rs", "mod one; mod two; mod three;"),
        ("a/one.rs", ""),
        ("a/two.rs", ""),
        ("a/three.rs", ""),
        ("b.rs", ""),
    ]);
    assert_eq!(
        crowded(folder.path(), 2),
        ["a/mod.rs has 3 modules below it, more than 2"]
    );
    assert_eq!(crowded(folder.path(), 3), [""; 0]);
}

#[test]
fn a_file_that_no_module_names_is_found_wherever_it_lies() {
    let folder = house(&[
        ("suite.rs", "#[cfg(unix)]\nmod signals;\nmod program;"),
        ("signals.rs", ""),
        ("program/mod.rs", "mod cells;"),
        ("program/cells.rs", ""),
        ("program/forgotten.rs", ""),
        ("forgotten.rs", ""),
        ("data/table.csv", ""),
    ]);
    assert_eq!(
        files_without_module(folder.path(), "suite.rs"),
        ["forgotten.rs", "program/forgotten.rs"]
    );
}

#[test]
fn these_sources_have_no_circle_themselves() {
    let here = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
    in_order(circles(here));
}

#[test]
fn names_that_hold_a_private_word_are_found_whatever_their_case() {
    let folder = house(&[
        ("lib.rs", "mod shelf; pub struct Shelter; // shelf"),
        (
            "shelf.rs",
            "pub struct OwnShelf; impl OwnShelf { fn of_shelf(&self) { shelf() } } #[cfg(test)] mod tests { fn shelf() {} }",
        ),
    ]);
    assert_eq!(
        named_with(folder.path(), &["shelf"]),
        [
            "lib.rs names shelf",
            "shelf.rs names OwnShelf",
            "shelf.rs names of_shelf",
        ]
    );
}
