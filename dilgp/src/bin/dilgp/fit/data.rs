//! Data: the rows to learn from and those to be scored on, with the names of their columns.

use dilgp::{Dataset, Prediction};
use nalgebra::{DMatrix, DVector};

use crate::args::FitArgs;
use crate::csv::NumberFile;
use crate::error::{Error, Fault};

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
pub fn read(args: &FitArgs) -> Result<Data, Error> {
    let train = NumberFile::read(&args.train)?;
    let test = NumberFile::read(&args.test)?;
    same_columns(&train, &test)?;
    if train.rows.len() < 2 {
        return Err(train.fault(Fault::TooFewRows {
            found: train.rows.len(),
            needed: 2,
        }));
    }
    let target = target(args, &train)?;
    let order: Vec<usize> = (0..train.columns())
        .filter(|&column| column != target)
        .chain([target])
        .collect();
    let name = |&column: &usize| match &train.names {
        Some(names) => names[column].clone(),
        None if column == target => "y".to_owned(),
        None => format!("x{column}"),
    };
    Ok(Data {
        train: dataset(&train, &order)?,
        test: dataset(&test, &order)?,
        names: order.iter().map(name).collect(),
    })
}

fn same_columns(train: &NumberFile, test: &NumberFile) -> Result<(), Error> {
    if train.columns() != test.columns() {
        return Err(test.fault(Fault::ColumnsDiffer {
            line: test.first_line,
            found: test.columns(),
            expected: train.columns(),
        }));
    }
    let (Some(expected), Some(found)) = (&train.names, &test.names) else {
        return Ok(());
    };
    let differing = expected.iter().zip(found).position(|(a, b)| a != b);
    match differing {
        None => Ok(()),
        Some(column) => Err(test.fault(Fault::NameDiffers {
            line: test.first_line,
            column: column + 1,
            found: found[column].clone(),
            expected: expected[column].clone(),
        })),
    }
}

/// The column of the target.
fn target(args: &FitArgs, train: &NumberFile) -> Result<usize, Error> {
    let Some(name) = &args.target else {
        return Ok(train.columns() - 1);
    };
    let line = train.first_line;
    let Some(names) = &train.names else {
        return Err(train.fault(Fault::NoHeader {
            line,
            name: name.clone(),
        }));
    };
    names.iter().position(|known| known == name).ok_or_else(|| {
        train.fault(Fault::NoSuchColumn {
            line,
            name: name.clone(),
            known: names.clone(),
        })
    })
}

fn dataset(file: &NumberFile, order: &[usize]) -> Result<Dataset, Error> {
    let (last, inputs) = order.split_last().expect("a file has at least two columns");
    let x = DMatrix::from_fn(file.rows.len(), inputs.len(), |i, j| {
        file.rows[i][inputs[j]]
    });
    let y = DVector::from_fn(file.rows.len(), |i, _| file.rows[i][*last]);
    Ok(Dataset::new(x, y)?)
}

/// The test rows with what was predicted for them.
pub fn predictions(data: &Data, predicted: &Prediction) -> String {
    let quoted = |name: &String| match name.contains([',', '"', '\n']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.clone(),
    };
    let mut text: Vec<String> = data.names.iter().map(quoted).collect();
    text.push("mean".to_owned());
    let stds = [
        ("std", &predicted.std),
        ("observation_std", &predicted.observation_std),
    ];
    text.extend(
        stds.iter()
            .filter(|s| s.1.is_some())
            .map(|s| s.0.to_owned()),
    );
    let mut text = text.join(",") + "\n";
    for i in 0..data.test.len() {
        let row = data.test.x().row(i);
        let numbers = row
            .iter()
            .copied()
            .chain([data.test.y()[i], predicted.mean[i]]);
        let stds = stds
            .iter()
            .filter_map(|(_, std)| std.as_ref().map(|std| std[i]));
        let cells: Vec<String> = numbers.chain(stds).map(|v| v.to_string()).collect();
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}
