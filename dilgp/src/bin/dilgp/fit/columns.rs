//! Columns: which columns of the two files are learnt from, where each stands in either, and how a
//! category becomes coordinates.
//!
//! A category has a coordinate for each of its levels in the training data, `1/sqrt 2` in its own and
//! 0 in the others, so that two categories are at a distance of 1, as two numbers are that differ by a
//! standard deviation.

use std::f64::consts::FRAC_1_SQRT_2;

use crate::args::FitArgs;
use crate::csv::{DataFile, Line, levels};
use shell::Failure;

/// A column that is learnt from.
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its place in the file of training data and in that of test data, from 0.
    pub places: [usize; 2],
    /// The levels of a category, in the order of their coordinates; nothing of a number.
    pub levels: Option<Vec<String>>,
    is_target: bool,
}

impl Column {
    /// The names of its coordinates: its own, or that of each level behind it.
    pub fn coordinates(&self) -> Vec<String> {
        let of_level = |level: &String| format!("{}={level}", self.name);
        match &self.levels {
            Some(levels) => levels.iter().map(of_level).collect(),
            None => vec![self.name.clone()],
        }
    }

    /// The coordinates of its cell at `place` in a line.
    ///
    /// # Errors
    /// A cell that is empty, no number, or no level of the category.
    pub fn code(&self, line: &Line, place: usize) -> Result<Vec<f64>, String> {
        let Some(levels) = &self.levels else {
            let (name, word) = (&self.name, line.word(place));
            let is_word = word.is_ok_and(|word| word.parse::<f64>().is_err());
            return line
                .numbers(&[place])
                .map_err(|fault| match is_word && !self.is_target {
                    true => format!("{fault}; for words: --categorical {name}, or --drop {name}"),
                    false => fault,
                });
        };
        let word = line.word(place)?;
        if !levels.iter().any(|level| level == word) {
            let known = levels.join(", ");
            let fault = format!(
                "`{word}` is not among the values of {} in the training data: {known}",
                self.name
            );
            return Err(line.fault(place, &fault));
        }
        let coordinate = |level: &String| if level == word { FRAC_1_SQRT_2 } else { 0.0 };
        Ok(levels.iter().map(coordinate).collect())
    }

    /// The cell of which [`Column::code`] made the next of `coordinates`.
    pub fn cell(&self, coordinates: &mut impl Iterator<Item = f64>) -> String {
        match &self.levels {
            None => coordinates.take(1).map(|at| at.to_string()).collect(),
            Some(levels) => {
                let levels = levels.iter().zip(coordinates);
                let own = levels.filter(|(_, at)| *at > 0.0);
                own.map(|(level, _)| level.as_str()).collect()
            }
        }
    }
}

/// The columns that the flags leave, the target last.
///
/// # Errors
/// A name that no column has, a target that cannot be one, columns that are not in both files.
pub fn chosen(args: &FitArgs, train: &DataFile, test: &DataFile) -> Result<Vec<Column>, Failure> {
    let mut columns = matched(args, train, test).map_err(Failure::in_file(&test.path))?;
    for name in [&args.drop[..], &args.categorical, args.target.as_slice()].concat() {
        if !(args.drop.contains(&name) && test.place(&name).is_ok()) {
            train.place(&name).map_err(Failure::in_file(&train.path))?;
        }
    }
    let last = columns.last().map(|last| last.name.clone());
    let target = args.target.clone().or(last).unwrap_or_default();
    for (flag, names) in [("drop", &args.drop), ("categorical", &args.categorical)] {
        if names.contains(&target) {
            return Err(Failure::usage(format!("--{flag} names the target")));
        }
    }
    if columns.len() < 2 {
        return Err(Failure::usage("--drop leaves no input"));
    }
    for own in &mut columns {
        own.is_target = own.name == target;
        if args.categorical.contains(&own.name) {
            let [place, _] = own.places;
            let cells = train.lines.iter().map(|line| line.cells[place].as_str());
            own.levels = Some(levels(cells).into_iter().map(str::to_owned).collect());
        }
        if own.is_target && !train.has_header {
            own.name = "y".to_owned();
        }
    }
    columns.sort_by_key(|own| own.is_target);
    Ok(columns)
}

/// Each column that is not dropped, as numbers, with its places in both files: by name where both
/// have a header, else by place.
fn matched(args: &FitArgs, train: &DataFile, test: &DataFile) -> Result<Vec<Column>, String> {
    let (line, by_name) = (test.first_line, train.has_header && test.has_header);
    let absent = |from: &DataFile, of: &DataFile| -> String {
        let names = of.columns.iter().map(|(_, name)| name);
        let absent = names.filter(|name| !args.drop.contains(name) && from.place(name).is_err());
        absent.cloned().collect::<Vec<_>>().join(", ")
    };
    let mut faults = Vec::new();
    for (what, names) in [
        ("missing here:", absent(test, train)),
        ("not in the training data:", absent(train, test)),
    ] {
        if by_name && !names.is_empty() {
            faults.push(format!("{what} {names}"));
        }
    }
    let (expected, found) = (train.columns.len(), test.columns.len());
    if !by_name && expected != found {
        faults.push(format!(
            "{found} columns, but the training data have {expected}"
        ));
    }
    if !faults.is_empty() {
        return Err(format!("line {line}: {}", faults.join("; ")));
    }
    let kept = train.columns.iter().enumerate();
    let kept = kept.filter(|(_, (_, name))| !args.drop.contains(name));
    kept.map(|(index, (place, name))| {
        let in_test = if by_name {
            test.place(name)?
        } else {
            test.columns[index].0
        };
        Ok(Column {
            name: name.clone(),
            places: [*place, in_test],
            levels: None,
            is_target: false,
        })
    })
    .collect()
}
