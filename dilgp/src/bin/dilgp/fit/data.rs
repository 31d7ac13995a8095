//! Data: the rows to learn from and those to be scored on, with the names of their columns, their units,
//! and the environment of each training row if the user names it.

use std::path::Path;

use dilgp::{Dataset, Model, Prediction};
use nalgebra::{DMatrix, DVector};

use crate::args::FitArgs;
use crate::csv::{self, DataFile, levels, too_few};
use crate::fit::columns::{Column, chosen};
use shell::table::csv_cell;
use shell::{Failure, terminal};

/// Both files as data.
pub struct Data {
    pub train: Dataset,
    pub test: Dataset,
    /// The names of the coordinates, then that of the target.
    pub names: Vec<String>,
    /// The columns that they are read from, the target last.
    pub columns: Vec<Column>,
}

/// Reads the two files.
///
/// # Errors
/// A file that cannot be read or is no table of numbers, two of different columns, a target that is
/// not there.
pub fn read(args: &FitArgs) -> Result<Data, Failure> {
    let files = [DataFile::read(&args.train)?, DataFile::read(&args.test)?];
    let columns = chosen(args, &files[0], &files[1])?;
    let names: Vec<String> = columns.iter().flat_map(Column::coordinates).collect();
    let coded = |file: usize| {
        let DataFile { path, lines, .. } = &files[file];
        let row = |line| -> Result<Vec<f64>, String> {
            let cells = columns.iter().map(|own| own.code(line, own.places[file]));
            Ok(cells.collect::<Result<Vec<_>, _>>()?.concat())
        };
        let rows = lines.iter().map(row).collect::<Result<Vec<_>, _>>();
        let rows = rows.map_err(Failure::in_file(path))?;
        dataset(rows.len(), names.len() - 1, |i, j| rows[i][j])
    };
    let (train, test) = (coded(0)?, coded(1)?);
    if train.len() < 2 {
        return Err(Failure::in_file(&args.train)(too_few(train.len(), 2)));
    }
    if !files[0].has_header {
        let (path, last) = (files[0].path.display(), names.len() - 1);
        terminal::note(&format!(
            "{path}: its first line holds a number, so it is data and columns are x0 to x{last}"
        ));
    }
    for DataFile {
        path,
        columns,
        lines,
        ..
    } in &files
    {
        if columns.len() < lines[0].cells.len() {
            let path = path.display();
            terminal::note(&format!("{path}: the index that pandas wrote is left out"));
        }
    }
    Ok(Data {
        train,
        test,
        names,
        columns,
    })
}

impl Data {
    /// The columns that are inputs.
    pub fn inputs(&self) -> &[Column] {
        &self.columns[..self.columns.len() - 1]
    }

    /// The units in which it is learnt from: those of its numbers if it is `scaled`; categories
    /// keep their coordinates.
    pub fn units(&self, scaled: bool) -> Units {
        let mut units = Units::of(&self.train, scaled);
        let coded = |own: &Column| vec![own.levels.is_some(); own.coordinates().len()];
        let coded = self.columns.iter().flat_map(coded);
        for (unit, _) in units
            .inputs
            .iter_mut()
            .zip(coded)
            .filter(|(_, coded)| *coded)
        {
            *unit = (0.0, 1.0);
        }
        units
    }
}

/// So many rows of a table whose last column, after the inputs, is the target.
pub fn dataset(
    rows: usize,
    inputs: usize,
    at: impl Fn(usize, usize) -> f64,
) -> Result<Dataset, Failure> {
    let x = DMatrix::from_fn(rows, inputs, &at);
    let y = DVector::from_fn(rows, |i, _| at(i, inputs));
    Ok(Dataset::new(x, y)?)
}

/// The test rows with their predictions.
pub fn predictions(data: &Data, predicted: &Prediction) -> String {
    let stds = [
        ("std", &predicted.std),
        ("observation_std", &predicted.observation_std),
    ];
    let claimed: Vec<(&str, &DVector<f64>)> = stds
        .into_iter()
        .filter_map(|(name, std)| Some((name, std.as_ref()?)))
        .collect();
    let taken = |name: &str| data.columns.iter().any(|own| own.name == name);
    let free = |name: &str| match taken(name) {
        true => format!("predicted_{name}"),
        false => name.to_owned(),
    };
    let names = data.columns.iter().map(|own| csv_cell(&own.name));
    let more = claimed.iter().map(|(name, _)| free(name));
    let names: Vec<String> = names.chain([free("mean")]).chain(more).collect();
    let mut text = names.join(",") + "\n";
    for i in 0..data.test.len() {
        let row = data.test.x().row(i);
        let mut coordinates = row.iter().copied();
        let cells = data.inputs().iter();
        let mut cells: Vec<String> = cells
            .map(|own| csv_cell(&own.cell(&mut coordinates)))
            .collect();
        let numbers = [data.test.y()[i], predicted.mean[i]].into_iter();
        let numbers = numbers.chain(claimed.iter().map(|(_, std)| std[i]));
        cells.extend(numbers.map(|v| v.to_string()));
        text += &(cells.join(",") + "\n");
    }
    text
}

/// Mean and standard deviation of every column of the training set; 0 and 1 for columns that are not
/// scaled.
pub struct Units {
    pub inputs: Vec<(f64, f64)>,
    pub target: (f64, f64),
}

impl Units {
    /// Those of a training set.
    pub fn of(train: &Dataset, scaled: bool) -> Self {
        let moments = |column: &DVector<f64>| {
            let n = column.len() as f64;
            let mean = column.sum() / n;
            let spread = (column.map(|v| (v - mean).powi(2)).sum() / n).sqrt();
            // A constant column stays as it is; its deviation is rounding.
            let varies = spread > 1e-13 * column.amax() && spread.is_finite();
            match (scaled, varies) {
                (false, _) => (0.0, 1.0),
                (true, false) => (mean, 1.0),
                (true, true) => (mean, spread),
            }
        };
        let columns = train.x().column_iter();
        Self {
            inputs: columns.map(|c| moments(&c.into_owned())).collect(),
            target: moments(train.y()),
        }
    }

    fn inputs(&self, x: &DMatrix<f64>) -> DMatrix<f64> {
        DMatrix::from_fn(x.nrows(), x.ncols(), |i, j| {
            let (mean, spread) = self.inputs[j];
            (x[(i, j)] - mean) / spread
        })
    }

    /// The data in these units.
    pub fn scale(&self, data: &Dataset) -> Result<Dataset, Failure> {
        let (mean, spread) = self.target;
        let y = data.y().map(|y| (y - mean) / spread);
        Ok(Dataset::new(self.inputs(data.x()), y)?)
    }

    /// The predictions of `model` at `x`, both in the user's units.
    pub fn predict(&self, model: &dyn Model, x: &DMatrix<f64>) -> Prediction {
        self.back(model.predict(&self.inputs(x)))
    }

    /// A prediction of targets in these units, in the user's.
    pub fn back(&self, predicted: Prediction) -> Prediction {
        let (mean, spread) = self.target;
        Prediction {
            mean: predicted.mean.map(|m| mean + spread * m),
            std: predicted.std.map(|std| std * spread),
            observation_std: predicted.observation_std.map(|std| std * spread),
        }
    }
}

/// Reads one label for each of `rows` training rows: numbers or words, one a line, with a header
/// line or without. Equal labels are one environment; environments are numbered in the
/// alphabetical order of their labels, numbers by size.
pub fn labels(path: &Path, rows: usize) -> Result<Vec<usize>, Failure> {
    let lines = csv::lines(path)?;
    for line in &lines {
        let one = line.expect_cells(1, ", but the lines before have");
        one.map_err(Failure::in_file(path))?;
    }
    // One line more than rows is a header.
    let skipped = usize::from(lines.len() == rows + 1);
    let labels = lines[skipped..].iter().map(|line| line.cells[0].as_str());
    let labels: Vec<&str> = labels.collect();
    let found = labels.len();
    let is_number = |label: &&str| label.parse::<f64>().is_ok();
    if let ([first, rest @ ..], 0) = (&labels[..], skipped)
        && !is_number(first)
        && rest.len() > 1
        && rest.iter().all(is_number)
    {
        let fault = format!(
            "a header, `{first}`, and {} labels, but the training data have {rows} rows",
            found - 1
        );
        return Err(Failure::in_file(path)(fault));
    }
    if found != rows {
        let fault = format!("{found} labels, but the training data have {rows} rows");
        return Err(Failure::in_file(path)(fault));
    }
    // 1 and 1.0 are one label.
    let same = |label: &&str| match label.parse::<f64>() {
        Ok(number) => number.to_string(),
        Err(_) => (*label).to_owned(),
    };
    let labels: Vec<String> = labels.iter().map(same).collect();
    let names = levels(labels.iter().map(String::as_str));
    let place = |label: &String| names.iter().position(|name| name == label).unwrap_or(0);
    Ok(labels.iter().map(place).collect())
}
