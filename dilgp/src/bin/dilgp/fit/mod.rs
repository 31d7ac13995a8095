//! Fit: one surrogate, trained on one file and scored on another.

pub mod choice;
pub mod data;
pub mod pictures;
mod report;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use dilgp::Score;
use dilgp::threads::on_all_cores;
use nalgebra::DMatrix;
use shell::folder::Folder;
use shell::progress::Progress;
use shell::terminal;

use crate::args::FitArgs;
use crate::fit::choice::choose;
use crate::fit::data::{Units, predictions, read};
use crate::fit::report::{Report, describe};
use shell::Failure;

/// Carries out `dilgp fit`.
pub fn run(args: &FitArgs) -> Result<String, Failure> {
    let data = read(args)?;
    let units = Units::of(&data.train, !args.no_scale);
    let train = units.scale(&data.train)?;
    let folder = args.out.as_deref().map(|path| Folder::claim(path, &[]));
    let folder = folder.transpose()?;
    let progress = Progress::uncounted("fitting");
    let choice = choose(&args.surrogate, &args.training, &train, args.seed)?;
    let model = on_all_cores(|| choice.surrogate.fit(&train, args.seed))?;
    let predict = |x: &DMatrix<f64>| units.predict(model.as_ref(), x);
    let predicted = predict(data.test.x());
    let mut report = Report::of(args, &data, &choice, model.summary(), &predicted);
    let left_out = model.leave_one_out().map(|left_out| units.back(left_out));
    report.leave_one_out = left_out.map(|left_out| Score::of(&left_out, data.train.y()));
    let mut written = Vec::new();
    progress.doing("drawing");
    if let Some(folder) = folder {
        let json = serde_json::to_string_pretty(&report)? + "\n";
        written.push(folder.write("predictions.csv", predictions(&data, &predicted))?);
        written.push(folder.write("result.json", json)?);
        let what = format!("{} ({})", report.surrogate, report.mode);
        let title = format!("{what}: RMSE {:.4}", report.score.rmse);
        let stem = folder.file("fit");
        written.extend(drawn(
            &stem,
            pictures::draw(&title, &data, &predicted, predict, &stem),
        )?);
        if let Some(calibration) = &report.calibration {
            let (title, stem) = (format!("{what}: calibration"), folder.file("calibration"));
            let shares = &calibration.shares;
            let curve = pictures::calibration(&title, report.surrogate, shares, &stem);
            written.extend(drawn(&stem, curve)?);
        }
    }
    progress.finish();
    if args.output.is_json() {
        return Ok(serde_json::to_string(&report)? + "\n");
    }
    let mut text = describe(&report);
    for path in written {
        let _ = writeln!(text, "wrote {}", path.display());
    }
    Ok(text)
}

/// The files of a picture. One of numbers that cannot be drawn is left out, with a warning: the fit
/// is what was asked for.
fn drawn(
    stem: &Path,
    picture: Result<Vec<PathBuf>, plots::Error>,
) -> Result<Vec<PathBuf>, Failure> {
    match picture {
        Ok(files) => Ok(files),
        Err(source @ plots::Error::Write { .. }) => Err(Failure::drawing(stem, &source)),
        Err(source) => {
            terminal::warn(&Failure::drawing(stem, &source).to_string());
            Ok(Vec::new())
        }
    }
}
