//! Table 2 as it is written.

use std::fmt::Write;

use serde::Serialize;

use crate::args::Table2Args;
use crate::tables::markdown;
use crate::tables::methods::notes;
use crate::tables::row::Column;

/// The whole table, as the JSON copy has it.
#[derive(Debug, Serialize)]
pub struct Table2 {
    /// Name and version of this form.
    pub schema: &'static str,
    pub first_seed: u64,
    pub seeds: u64,
    /// Nominal probabilities of the calibration curves.
    pub calibration_levels: [f64; 10],
    pub housing: Vec<Column>,
    pub automobile: Vec<Column>,
}

/// The table as its Markdown has it, with what the data files gave to warn of.
pub fn describe(table: &Table2, args: &Table2Args, warnings: &[&String]) -> String {
    let last = args.shared.seed.wrapping_add(args.shared.seeds - 1);
    let mut text = format!(
        "# Table 2: real data under a change of domain\n\nData seeds {} to {last}. RMSE in \
         standard deviations of the target; columns as in Table 1. Gradient descent takes steps of \
         0.005, on a summed loss (GP) times 115 / n for n training points.\n",
        args.shared.seed
    );
    for warning in warnings {
        let _ = write!(text, "\n{warning}\n");
    }
    if !table.housing.is_empty() {
        text.push_str(
            "\n## King County housing\n\nTrained on nine tenths of the houses of D0 in a sample of \
             1304; D0 is scored on its other tenth. Inputs and price are standardised on the whole \
             sample; the paper prints D1 to D4.\n",
        );
    }
    for column in &table.housing {
        let _ = write!(
            text,
            "\n### {}\n\n{}",
            column.name,
            markdown::table(&column.rows)
        );
    }
    if !table.automobile.is_empty() {
        text.push_str(
            "\n## Automobile\n\nEach seed trains on a random nine tenths of the training rows; the \
             test rows are always the same, so that intervals speak of the training sample only.\n",
        );
    }
    for column in &table.automobile {
        let _ = write!(
            text,
            "\n### {}\n\n{}",
            column.name,
            markdown::table(&column.rows)
        );
    }
    let _ = write!(text, "\n{}", notes());
    text
}
