//! What is kept: cells that are damaged, unequal, another's or gone.

use super::*;

#[test]
fn the_same_twice_is_one_and_a_difference_is_a_fault() {
    let folder = temporary();
    let store = store(folder.path());
    store.put("a", &[1.5]).expect("new");
    store.put("a", &[1.5]).expect("the same");
    store.check_differing().expect("nothing differs");
    let fault = store
        .put("a", &[1.500_000_000_000_000_2])
        .expect_err("the last bit");
    assert_eq!(fault.exit_code(), 71);
    let line = fault.to_string();
    assert!(line.starts_with("cell a came out in two ways"), "{line}");
    assert_eq!(store.get::<[f64; 1]>("a").expect("whole"), [1.5]);
    let again = store.check_differing().expect_err("it stays known");
    assert_eq!(again.to_string(), line);
}

#[test]
fn cells_of_another_build_are_refused_unless_they_are_asked_for() {
    let folder = temporary();
    store(folder.path()).put("a", &1).expect("new");
    let other = store_of(folder.path(), rules("2", 60));
    for refused in [
        other.check("a").expect_err("unequal"),
        other.put("a", &2).expect_err("unequal"),
    ] {
        assert_eq!(refused.exit_code(), 2);
        assert!(
            refused
                .to_string()
                .contains("made by 1 with portable, this is 2"),
            "{refused}"
        );
    }
    let mixed = Rules {
        mixed: true,
        ..rules("2", 60)
    };
    let mixed = store_of(folder.path(), mixed);
    assert_eq!(mixed.get::<u32>("a").expect("taken"), 1);
    mixed.put("a", &2).expect("the first one stays");
    assert_eq!(mixed.get::<u32>("a").expect("taken"), 1);
    assert_eq!(mixed.foreign_stamps(&["a".to_owned()]).len(), 1);
}

#[test]
fn a_changed_bit_and_another_plan_are_refused() {
    let folder = temporary();
    let store = store(folder.path());
    store.put("a", &[0.25, 3.0]).expect("new");
    let file = folder.path().join("cells/a.json");
    let whole = fs::read(&file).expect("written");
    for bit in 0..8 * whole.len() {
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        fs::write(&file, flipped).expect("writable");
        let refused = store.check("a").expect_err("not what was written");
        assert_eq!(refused.exit_code(), 65, "bit {bit}: {refused}");
    }
    let plan = |seeds: u32| json!({"budget": {"first_seed": seeds}});
    let folder = temporary();
    ResultStore::open(folder.path(), &plan(3), rules("1", 60)).expect("new");
    let (store, kept) = ResultStore::open(folder.path(), &plan(4), rules("1", 60)).expect("ours");
    let refused = store.check_plan(&kept, &plan(4)).expect_err("other");
    assert!(
        refused
            .to_string()
            .contains("begun with first-seed 3, not 4"),
        "{refused}"
    );
}

#[test]
fn a_cell_of_another_name_or_another_plan_is_refused() {
    let [folder, elsewhere] = [temporary(), temporary()];
    let store = store(folder.path());
    store.put("a", &1).expect("new");
    let cell = |folder: &temp_dir::TempDir, key: &str| folder.path().join(CELLS).join(key);
    fs::copy(cell(&folder, "a.json"), cell(&folder, "b.json")).expect("writable");
    for refused in [
        store.check("b").expect_err("another name"),
        store.get::<u32>("b").expect_err("another name"),
        store.put("b", &1).expect_err("another name"),
    ] {
        assert_eq!(refused.exit_code(), 65);
        let said = "cells/b.json is damaged: it is cell a; remove it and it will be made again";
        assert!(refused.to_string().ends_with(said), "{refused}");
    }
    let plan = "another plan".to_owned();
    let (other, _) = ResultStore::open(elsewhere.path(), &plan, rules("1", 60)).expect("new");
    other.put("c", &1).expect("new");
    fs::copy(cell(&folder, "a.json"), cell(&elsewhere, "a.json")).expect("writable");
    let refused = other.check("a").expect_err("another plan");
    assert_eq!(refused.exit_code(), 65);
    let said = "a.json is damaged: it was worked out with other settings; remove it and";
    assert!(refused.to_string().contains(said), "{refused}");
    // As it was before cells said whose they are.
    let nameless = sealed(&1, None);
    fs::write(cell(&folder, "a.json"), nameless).expect("writable");
    let refused = store.check("a").expect_err("nameless");
    assert_eq!(refused.exit_code(), 65);
    assert!(
        refused
            .to_string()
            .contains("does not say which cell it is"),
        "{refused}"
    );
}

#[cfg(unix)]
#[test]
fn a_cell_that_is_gone_is_said_and_a_link_to_nothing_gives_way() {
    let folder = temporary();
    let store = store(folder.path());
    store.put("a", &1).expect("new");
    fs::remove_file(store.cell("a")).expect("there");
    let missing = store.get::<u32>("a").expect_err("gone");
    assert_eq!(missing.exit_code(), 75);
    let said = "a.json is missing: it was removed meanwhile; the same command works it out again";
    assert!(missing.to_string().ends_with(said), "{missing}");
    std::os::unix::fs::symlink("nowhere", store.cell("a")).expect("writable");
    assert!(!store.check("a").expect("nothing there"));
    store.put("a", &2).expect("kept");
    assert_eq!(store.get::<u32>("a").expect("kept"), 2);
}
