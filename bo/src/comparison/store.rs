//! Store: the folder of a comparison, where finished cells are kept ([`shell::cells`]); its plan is
//! the budget that they share.

use crate::Error;
use crate::comparison::plan::Budget;
use crate::run::disk::folder::occupied;
use crate::run::disk::journal::NAME;
use shell::cells::{PLAN, ResultStore, Runner};
use std::path::Path;

/// Opens the store that `desk` names: new, empty, or with a comparison of the same budget.
///
/// # Errors
/// A folder that holds something else, a comparison of another budget (the difference is named), or
/// a folder that cannot be written.
pub fn open(desk: &Runner<'_>, budget: &Budget) -> Result<ResultStore, Error> {
    let of_a_run = |path: &&Path| path.join(NAME).is_file() && !path.join(PLAN).is_file();
    if let Some(path) = desk.out.filter(of_a_run) {
        return Err(occupied(path.to_owned()));
    }
    Ok(desk.store_of(budget)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::plan::tests::plan;
    use crate::interrupt::Interrupt;
    use clap::Parser;
    use shell::cells::args::CellsArgs;
    use shell::exit::Coded;

    #[test]
    fn a_folder_with_other_files_or_another_budget_is_refused() {
        #[derive(Parser)]
        struct Cli {
            #[command(flatten)]
            cells: CellsArgs,
        }
        let cli = Cli::parse_from(["p"]);
        let open = |path: &Path, budget: &Budget| {
            let desk = Runner {
                args: &cli.cells,
                out: Some(path),
                automatic: "",
                words: Vec::new(),
                version: "0",
                json: false,
                workers: 1,
                interrupt: &Interrupt::default(),
            };
            super::open(&desk, budget).map(|store| store.path().to_owned())
        };
        let folder = temp_dir::TempDir::new().expect("temporary folder");
        let budget = plan().budget;
        open(folder.path(), &budget).expect("empty");
        open(folder.path(), &budget).expect("ours, for as many as come");
        let other = Budget {
            kappa: 3.0,
            ..budget.clone()
        };
        let error = open(folder.path(), &other).expect_err("another budget");
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains("kappa 2.0, not 3.0"), "{error}");
        let file = folder.path().join(PLAN);
        let whole = std::fs::read(&file).expect("written");
        for bit in (0..8 * whole.len()).step_by(5) {
            let mut flipped = whole.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&file, flipped).expect("writable");
            let refused = open(folder.path(), &budget).expect_err("flipped");
            assert_eq!(refused.exit_code(), 65, "bit {bit}");
        }
        let occupied = temp_dir::TempDir::new().expect("temporary folder");
        std::fs::write(occupied.path().join("mine"), "precious").expect("writable");
        let error = open(occupied.path(), &budget).expect_err("occupied");
        assert_eq!(error.exit_code(), 73);
    }
}
