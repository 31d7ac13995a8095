//! Fit: one surrogate, trained on one file and scored on another.

pub mod choice;
mod columns;
pub mod data;
mod hyperparameters;
pub mod pictures;
mod report;
mod warnings;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;

use dilgp::process::likelihoods;
use dilgp::threads::on_all_cores;
use dilgp::{Model, Prediction, Score, Surrogate};
use nalgebra::DMatrix;
use shell::folder::Folder;
use shell::progress::{LINE_EVERY, Progress};
use shell::terminal;

use crate::args::FitArgs;
use crate::fit::choice::choose;
use crate::fit::data::{predictions, read};
use crate::fit::report::{Report, describe};
use shell::Failure;

/// Carries out `dilgp fit`.
pub fn run(args: &FitArgs) -> Result<String, Failure> {
    let data = read(args)?;
    let units = data.units(!args.no_scale);
    let train = units.scale(&data.train)?;
    let folder = args.out.as_deref().map(|path| Folder::claim(path, &[]));
    let folder = folder.transpose()?;
    let progress = Progress::uncounted("fitting");
    let fit = |surrogate: &dyn Surrogate| on_all_cores(|| surrogate.fit(&train, args.seed));
    let left_out = |model: &dyn Model| Some(units.back(model.leave_one_out()?));
    let (choice, model, without, plain) = watched(&progress, || {
        let choice = choose(&args.surrogate, &args.training, &train, args.seed)?;
        let model = fit(choice.surrogate.as_ref())?;
        let without = left_out(model.as_ref());
        let plain = choice.plain.as_deref();
        let plain = plain.and_then(|plain| left_out(fit(plain).ok()?.as_ref()));
        Ok::<_, Failure>((choice, model, without, plain))
    })?;
    let predict = |x: &DMatrix<f64>| units.predict(model.as_ref(), x);
    let predicted = predict(data.test.x());
    let mut report = Report::of(args, &data, &choice, model.summary(), &predicted);
    let score = |left_out: &Prediction| Score::of(left_out, data.train.y());
    report.leave_one_out = without.as_ref().map(score);
    let mut said = warnings::of_data(&data);
    said.extend(warnings::of_score(&report.score, &data));
    if let Some(without) = &without {
        let (found, plain) = (&report.in_units, plain.as_ref().map(score));
        let more = warnings::of_left_out(without, &data.train, found, plain);
        said.extend(more);
    }
    report.warnings = said;
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
    for warning in &report.warnings {
        terminal::warn(warning);
    }
    if args.output.is_json() {
        return Ok(serde_json::to_string(&report)? + "\n");
    }
    let mut text = describe(&report);
    for path in written {
        let _ = writeln!(text, "wrote {}", path.display());
    }
    Ok(text)
}

/// What `work` makes, while `progress` says how far it is.
fn watched<R>(progress: &Progress, work: impl FnOnce() -> R) -> R {
    let (working, ended) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            while ended.recv_timeout(LINE_EVERY) == Err(RecvTimeoutError::Timeout) {
                progress.advance(0, &format!("{} likelihoods", likelihoods()));
            }
        });
        let made = work();
        drop(working);
        made
    })
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
