//! Data: the rows to learn from and those to be scored on, with the names of their columns, their units,
//! and the environment of each training row if the user names it.

use std::path::Path;

use dilgp::{Dataset, Model, Prediction};
use nalgebra::{DMatrix, DVector};

use crate::args::FitArgs;
use crate::csv::{self, NumberFile, too_few};
use shell::Failure;

/// Both files as data, with the names of their columns, the target last.
pub struct Data {
    pub train: Dataset,
    pub test: Dataset,
    pub names: Vec<String>,
}

/// Reads the two files.
///
/// # Errors
/// A file that cannot be read or is no table of numbers, two of different columns, a target that is
/// not there.
pub fn read(args: &FitArgs) -> Result<Data, Failure> {
    let train = NumberFile::read(&args.train)?;
    let test = NumberFile::read(&args.test)?;
    check_columns(&train, &test).map_err(Failure::in_file(&test.path))?;
    let target = target(args, &train).map_err(Failure::in_file(&train.path))?;
    let inputs = (0..train.columns()).filter(|&column| column != target);
    let order: Vec<usize> = inputs.chain([target]).collect();
    let name = |&column: &usize| match &train.names {
        Some(names) => names[column].clone(),
        None if column == target => "y".to_owned(),
        None => format!("x{column}"),
    };
    let ordered = |file: &NumberFile| {
        let rows = file.rows.len();
        dataset(rows, order.len() - 1, |i, j| file.rows[i][order[j]])
    };
    Ok(Data {
        train: ordered(&train)?,
        test: ordered(&test)?,
        names: order.iter().map(name).collect(),
    })
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

fn check_columns(train: &NumberFile, test: &NumberFile) -> Result<(), String> {
    let (line, expected, found) = (test.first_line, train.columns(), test.columns());
    if expected != found {
        return Err(format!(
            "line {line}: {found} columns, but the training data have {expected}"
        ));
    }
    let (Some(expected), Some(found)) = (&train.names, &test.names) else {
        return Ok(());
    };
    match expected.iter().zip(found).position(|(a, b)| a != b) {
        None => Ok(()),
        Some(column) => Err(format!(
            "line {line}, column {}: the name is `{}`, but `{}` in the training data",
            column + 1,
            found[column],
            expected[column]
        )),
    }
}

/// The column of the target.
fn target(args: &FitArgs, train: &NumberFile) -> Result<usize, String> {
    if train.rows.len() < 2 {
        return Err(too_few(train.rows.len(), 2));
    }
    let line = train.first_line;
    match (&args.target, &train.names) {
        (None, _) => Ok(train.columns() - 1),
        (Some(name), None) => Err(format!(
            "line {line}: no header line, so no column is named `{name}`"
        )),
        (Some(name), Some(names)) => {
            let found = names.iter().position(|known| known == name);
            found.ok_or_else(|| {
                let known = names.join(", ");
                format!("line {line}: no column is named `{name}`; the header has {known}")
            })
        }
    }
}

/// The test rows with their predictions.
pub fn predictions(data: &Data, predicted: &Prediction) -> String {
    let quoted = |name: &String| match name.contains([',', '"', '\n']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.clone(),
    };
    let stds = [
        ("std", &predicted.std),
        ("observation_std", &predicted.observation_std),
    ];
    let claimed: Vec<(&str, &DVector<f64>)> = stds
        .into_iter()
        .filter_map(|(name, std)| Some((name, std.as_ref()?)))
        .collect();
    let names = data.names.iter().map(quoted);
    let more = claimed.iter().map(|(name, _)| (*name).to_owned());
    let names: Vec<String> = names.chain(["mean".to_owned()]).chain(more).collect();
    let mut text = names.join(",") + "\n";
    for i in 0..data.test.len() {
        let inputs = data.test.x().row(i);
        let targets = [data.test.y()[i], predicted.mean[i]];
        let numbers = inputs.iter().copied().chain(targets);
        let numbers = numbers.chain(claimed.iter().map(|(_, std)| std[i]));
        let cells: Vec<String> = numbers.map(|v| v.to_string()).collect();
        text += &(cells.join(",") + "\n");
    }
    text
}

/// Mean and standard deviation of every column of the training set; 0 and 1 for columns that are not
/// scaled.
pub struct Units {
    inputs: Vec<(f64, f64)>,
    target: (f64, f64),
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
    if found != rows {
        let fault = format!("{found} labels, but the training data have {rows} rows");
        return Err(Failure::in_file(path)(fault));
    }
    let mut names = labels.clone();
    names.sort_by(|a, b| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => a.total_cmp(&b),
        _ => a.cmp(b),
    });
    names.dedup();
    let place = |label| names.iter().position(|name| name == label).unwrap_or(0);
    Ok(labels.iter().map(place).collect())
}
