//! Fit: one surrogate, trained on one file and scored on another.

pub mod choice;
mod data;
pub mod labels;
pub mod pictures;
mod report;
pub mod units;
pub mod way;

use std::fmt::Write;
use std::path::PathBuf;

use dilgp::Score;
use dilgp::threads::on_all_cores;
use nalgebra::DMatrix;
use shell::folder::Folder;
use shell::progress::Progress;
use shell::terminal;

use crate::args::FitArgs;
use crate::calibration;
use crate::error::Error;
use crate::fit::choice::choose;
use crate::fit::data::{predictions, read};
use crate::fit::pictures::Scene;
use crate::fit::report::{Calibration, Report, describe};
use crate::fit::units::Units;

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
    let model = on_all_cores(|| choice.surrogate.fit(&train, args.seed))?;
    let predict = |x: &DMatrix<f64>| units.predict(model.as_ref(), x);
    let predicted = predict(data.test.x());
    let left_out = model.leave_one_out().map(|left_out| units.back(left_out));
    let left_out = left_out.map(|left_out| Score::of(&left_out, data.train.y()));
    let shares = calibration::shares(&predicted, data.test.y());
    let mut report = Report::of(args, &data, &choice, model.summary(), &predicted);
    report.leave_one_out = left_out;
    report.calibration = shares.clone().map(Calibration::of);
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
