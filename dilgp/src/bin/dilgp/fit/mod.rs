//! Fit: one surrogate, trained on one file and scored on another.

pub mod choice;
pub mod labels;
pub mod pictures;
pub mod units;
pub mod way;

use std::fmt::Write;
use std::path::PathBuf;

use dilgp::{Dataset, Prediction, Score, Summary};
use nalgebra::{DMatrix, DVector};
use serde::Serialize;
use serde_json::{Map, Value};
use shell::folder::Folder;
use shell::progress::Progress;
use shell::terminal;

use crate::args::FitArgs;
use crate::calibration::{self, LEVELS};
use crate::csv::NumberFile;
use crate::error::{Error, Fault};
use crate::fit::choice::{Choice, choose};
use crate::fit::pictures::Scene;
use crate::fit::units::Units;

/// What `--format json` prints, and result.json holds.
#[derive(Debug, Serialize)]
struct Report<'a> {
    /// Name and version of this form.
    schema: &'static str,
    #[serde(flatten)]
    score: Score,
    /// On the training rows, each left out in turn with the hyper-parameters kept; where the
    /// family has a closed form.
    leave_one_out: Option<Score>,
    /// By name, on the scale on which the model was fitted.
    hyperparameters: Map<String, Value>,
    surrogate: &'a str,
    mode: &'a str,
    seed: u64,
    /// Whether inputs and targets were z-scored before the fit.
    scaled: bool,
    train_rows: usize,
    test_rows: usize,
    inputs: &'a [String],
    target: &'a str,
    objective: f64,
    ending: dilgp::Ending,
    evaluations: u64,
    jitter: f64,
    /// Weight of the penalty, where there is one.
    lambda: Option<f64>,
    /// Each lambda that cross-validation tried, with its error.
    cross_validation: Option<&'a [(f64, f64)]>,
    /// Weight of each training row in the first environment.
    environments: Option<&'a [f64]>,
    /// Share of test observations inside the central interval of each nominal probability; where
    /// the model claims a deviation.
    calibration: Option<Calibration>,
}

/// How often the test observations fell inside the central intervals predicted.
#[derive(Debug, Serialize)]
struct Calibration {
    levels: [f64; 10],
    shares: Vec<f64>,
}

/// Both files as data, with the names of their columns, the target last.
struct Data {
    train: Dataset,
    test: Dataset,
    names: Vec<String>,
}

/// Carries out `dilgp fit`.
pub fn run(args: &FitArgs) -> Result<String, Error> {
    let data = read(args)?;
    let units = Units::of(&data.train, !args.no_scale);
    let train = units.scale(&data.train)?;
    let folder = args
        .out
        .as_deref()
        .map(|path| Folder::claim(path, &[]))
        .transpose()?;
    let progress = Progress::uncounted("fitting");
    let choice = choose(&args.surrogate, &args.training, &train, args.seed)?;
    let model = choice.surrogate.fit(&train, args.seed)?;
    let predict = |x: &DMatrix<f64>| units.predict(model.as_ref(), x);
    let predicted = predict(data.test.x());
    let left_out = model.leave_one_out().map(|left_out| units.back(left_out));
    let left_out = left_out.map(|left_out| Score::of(&left_out, data.train.y()));
    let shares = calibration::shares(&predicted, data.test.y());
    let report = Report {
        leave_one_out: left_out,
        calibration: shares.clone().map(|shares| Calibration {
            levels: LEVELS,
            shares,
        }),
        ..report(args, &data, &choice, model.summary(), &predicted)
    };
    let json = serde_json::to_string_pretty(&report)? + "\n";
    let mut text = if args.output.is_json() {
        serde_json::to_string(&report)? + "\n"
    } else {
        describe(&report)
    };
    progress.doing("drawing");
    if let Some(folder) = folder {
        let mut written = vec![
            folder.write("predictions.csv", predictions(&data, &predicted))?,
            folder.write("result.json", &json)?,
        ];
        let title = format!(
            "{} ({}): RMSE {:.4}",
            report.surrogate, report.mode, report.score.rmse
        );
        let scene = Scene {
            title: &title,
            names: &data.names,
            train: &data.train,
            test: &data.test,
            predicted: &predicted,
        };
        written.extend(drawn(pictures::draw(&scene, predict, &folder.file("fit")))?);
        if let Some(shares) = shares {
            let title = format!("{} ({}): calibration", report.surrogate, report.mode);
            let stem = folder.file("calibration");
            let curve = calibration::draw_one(&title, report.surrogate, shares, &stem);
            written.extend(drawn(curve)?);
        }
        if !args.output.is_json() {
            for path in written {
                let _ = writeln!(text, "wrote {}", path.display());
            }
        }
    }
    progress.finish();
    Ok(text)
}

/// The files of a picture. One of numbers that cannot be drawn is left out, with a warning: the fit
/// is what was asked for.
fn drawn(picture: Result<Vec<PathBuf>, Error>) -> Result<Vec<PathBuf>, Error> {
    match picture {
        Err(error @ Error::Draw { .. }) => {
            terminal::warn(&error.to_string());
            Ok(Vec::new())
        }
        other => other,
    }
}

fn read(args: &FitArgs) -> Result<Data, Error> {
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

fn report<'a>(
    args: &FitArgs,
    data: &'a Data,
    choice: &'a Choice,
    summary: &'a Summary,
    predicted: &Prediction,
) -> Report<'a> {
    let found = summary.hyperparameters.iter();
    let (target, inputs) = data.names.split_last().expect("at least two columns");
    Report {
        schema: "windhover-fit/1",
        score: Score::of(predicted, data.test.y()),
        leave_one_out: None,
        hyperparameters: found
            .map(|h| (h.name.clone().into_owned(), Value::from(h.value)))
            .collect(),
        surrogate: summary.surrogate,
        mode: choice.mode,
        seed: args.seed,
        scaled: !args.no_scale,
        train_rows: data.train.len(),
        test_rows: data.test.len(),
        inputs,
        target,
        objective: summary.objective,
        ending: summary.ending,
        evaluations: summary.evaluations,
        jitter: summary.jitter,
        lambda: choice.lambda,
        cross_validation: choice
            .validated
            .as_ref()
            .map(|found| found.tried.as_slice()),
        environments: summary.environments.as_deref(),
        calibration: None,
    }
}

/// The report for a reader.
fn describe(report: &Report) -> String {
    let mut text = format!(
        "{} ({}) on {} rows of {} input(s), tested on {} rows\n",
        report.surrogate,
        report.mode,
        report.train_rows,
        report.inputs.len(),
        report.test_rows
    );
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "  {name:<24} {value}");
    };
    let or_none = |value: Option<f64>| value.map_or("-".to_owned(), |v| format!("{v:.6}"));
    line("RMSE", format!("{:.8}", report.score.rmse));
    line("coverage within 1 std", or_none(report.score.coverage));
    line("NLPD [nats]", or_none(report.score.nlpd));
    if let Some(left_out) = &report.leave_one_out {
        line("leave-one-out RMSE", format!("{:.8}", left_out.rmse));
        line("leave-one-out coverage", or_none(left_out.coverage));
    }
    for (name, value) in &report.hyperparameters {
        line(name, format!("{:.6}", value.as_f64().unwrap_or(f64::NAN)));
    }
    line("objective", format!("{:.6}", report.objective));
    let ending = match report.ending {
        dilgp::Ending::Converged => "converged",
        dilgp::Ending::Budget => "budget spent",
        dilgp::Ending::Stalled => "stalled",
    };
    line(
        "training",
        format!("{ending} after {} evaluations", report.evaluations),
    );
    if let Some(lambda) = report.lambda {
        line("lambda", lambda.to_string());
    }
    for (lambda, error) in report.cross_validation.unwrap_or_default() {
        line("left-out RMSE", format!("{error:.6} at lambda {lambda}"));
    }
    if report.jitter > 0.0 {
        line("jitter", format!("{:.3e}", report.jitter));
    }
    if let Some(weights) = report.environments {
        let in_first: f64 = weights.iter().sum();
        let share = format!("{in_first:.1} of {} rows", weights.len());
        line("first environment", share);
    }
    text
}

/// The test rows with what was predicted for them.
fn predictions(data: &Data, predicted: &Prediction) -> String {
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
