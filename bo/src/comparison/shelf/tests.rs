use super::super::plan::tests::plan;
use super::*;

fn finished(cell: &Cell) -> Finished {
    Finished {
        key: cell.key(),
        trials: Vec::new(),
        candidates: Vec::new(),
    }
}

#[test]
fn a_finished_cell_is_found_again_by_the_next_process() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let plan = plan();
    let cell = plan.cells()[0];
    let shelf = Shelf::open(Some(folder.path()), "", &plan.budget).expect("empty");
    assert_eq!(shelf.get(&cell).expect("readable"), None);
    shelf.put(&cell, &finished(&cell)).expect("writable");
    drop(shelf);
    let again = Shelf::open(Some(folder.path()), "", &plan.budget).expect("ours");
    assert_eq!(again.get(&cell).expect("readable"), Some(finished(&cell)));
}

#[test]
fn the_floor_s_gains_are_kept_for_each_trajectory_and_domain() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let shelf = Shelf::open(Some(folder.path()), "", &plan().budget).expect("empty");
    let floor = FloorGains {
        trajectory: "hover".to_owned(),
        domain: 1,
        flights: 112,
        gains: sim::Airframe::omac().gains,
    };
    assert_eq!(shelf.get_floor("hover", 1).expect("readable"), None);
    shelf.put_floor(&floor).expect("writable");
    assert_eq!(shelf.get_floor("hover", 1).expect("readable"), Some(floor));
    assert_eq!(shelf.get_floor("hover", 0).expect("readable"), None);
}

#[test]
fn two_processes_never_share_a_shelf() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let budget = plan().budget;
    let _held = Shelf::open(Some(folder.path()), "", &budget).expect("empty");
    let error = Shelf::open(Some(folder.path()), "", &budget).expect_err("held");
    assert!(
        error.to_string().ends_with("is in use by another process"),
        "{error}"
    );
}

#[test]
fn another_budget_is_refused_with_the_difference() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let budget = plan().budget;
    drop(Shelf::open(Some(folder.path()), "", &budget).expect("empty"));
    let other = Budget {
        iterations: 9,
        ..budget
    };
    let message = Shelf::open(Some(folder.path()), "", &other)
        .expect_err("another budget")
        .to_string();
    assert!(
        message.contains("iterations") && message.contains('9') && message.contains('3'),
        "{message}"
    );
}

#[test]
fn no_flipped_bit_of_a_cell_or_of_the_plan_goes_unnoticed() {
    use crate::flights::evaluation::tests::evaluation;
    let folder = tempfile::tempdir().expect("temporary folder");
    let plan = plan();
    let cell = plan.cells()[1];
    let shelf = Shelf::open(Some(folder.path()), "", &plan.budget).expect("empty");
    let trials = vec![evaluation(0, &[Some(0.07)])];
    let finished = Finished {
        trials,
        ..finished(&cell)
    };
    shelf.put(&cell, &finished).expect("writable");
    let file = shelf.file(&cell);
    let whole = fs::read(&file).expect("written");
    for bit in 0..8 * whole.len() {
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        fs::write(&file, flipped).expect("writable");
        let refused = shelf.get(&cell).expect_err("not what was written");
        assert_eq!(refused.exit_code(), 65, "bit {bit}: {refused}");
    }
    fs::write(&file, &whole).expect("writable");
    assert_eq!(shelf.get(&cell).expect("whole again"), Some(finished));
    drop(shelf);
    let file = folder.path().join(PLAN);
    let whole = fs::read(&file).expect("written");
    for bit in (0..8 * whole.len()).step_by(5) {
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        fs::write(&file, flipped).expect("writable");
        let refused = Shelf::open(Some(folder.path()), "", &plan.budget);
        assert_eq!(refused.expect_err("flipped").exit_code(), 65, "bit {bit}");
    }
}

#[test]
fn a_damaged_cell_is_an_error_that_names_the_file() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let plan = plan();
    let (cell, other) = (plan.cells()[0], plan.cells()[1]);
    let shelf = Shelf::open(Some(folder.path()), "", &plan.budget).expect("empty");
    fs::write(shelf.file(&cell), "{").expect("writable");
    let message = shelf.get(&cell).expect_err("cut").to_string();
    assert!(message.contains("hover-default-3.json"), "{message}");
    shelf.put(&cell, &finished(&other)).expect("writable");
    let message = shelf.get(&cell).expect_err("another cell").to_string();
    assert!(message.contains("it holds the cell"), "{message}");
}
