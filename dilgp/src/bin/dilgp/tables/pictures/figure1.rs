//! Figure 1: the fits on the line, one panel a method, with both clusters and what the truth
//! leaves of each fit.

use std::path::{Path, PathBuf};

use dilgp::validation::synthetic::Task;
use nalgebra::DMatrix;
use plots::{FitPoint, Panel, PointSet, RegressionPicture, draw_regression};

use crate::error::Error;
use crate::fit::pictures::{fit_points, pairs};
use crate::tables::methods::Method;

/// The methods that get a panel: the paper's six, the honest reference and ours.
const SHOWN: [&str; 8] = [
    "rf",
    "mlp",
    "gp",
    "gp-rq",
    "gp-dp",
    "dil-gp",
    "gp-ml2",
    "hierarchical",
];

/// Stretches of the two clusters over which the truth is drawn: 2.5 deviations either way.
const STRETCHES: [(f64, f64); 2] = [(-2.5, 2.5), (4.0, 9.0)];
/// Points along each.
const STEPS: usize = 120;

/// Draws the fits of one draw of the line and returns the paths of the files.
pub fn draw(seed: u64, stem: &Path) -> Result<[PathBuf; 2], Error> {
    let draw = Task::Line.draw(seed);
    let train = pairs(&draw.train);
    let (second, first): (Vec<_>, Vec<_>) = train.iter().zip(&draw.second).partition(|(_, s)| **s);
    let only = |marked: Vec<(&[f64; 2], &bool)>| -> Vec<[f64; 2]> {
        marked.into_iter().map(|(point, _)| *point).collect()
    };
    let (first, second, test) = (only(first), only(second), pairs(&draw.test));
    let truth: Vec<Vec<[f64; 2]>> = STRETCHES
        .iter()
        .zip([false, true])
        .map(|(&(from, to), second)| {
            let at = |i: usize| from + (to - from) * i as f64 / (STEPS - 1) as f64;
            (0..STEPS)
                .map(|i| [at(i), Task::Line.truth(&[at(i)], second)])
                .collect()
        })
        .collect();
    let all: Vec<[f64; 2]> = train.iter().chain(&test).copied().collect();
    let mut fits: Vec<(Method, Vec<FitPoint>, Vec<[f64; 2]>)> = Vec::new();
    for method in SHOWN.map(Method::of) {
        let fitted = method.fit(&draw.train, Task::Line.released_rate(), seed)?;
        let predict = |x: &DMatrix<f64>| fitted.predict(x);
        let known: Vec<[f64; 2]> = truth.iter().flatten().copied().collect();
        let x = DMatrix::from_fn(known.len(), 1, |i, _| known[i][0]);
        let mean = predict(&x).mean;
        let rest = known.iter().zip(&mean).map(|([x, y], mean)| [*x, y - mean]);
        fits.push((method, fit_points(&all, predict), rest.collect()));
    }
    let panels: Vec<Panel> = fits
        .iter()
        .map(|(method, fit, rest)| Panel {
            label: method.label,
            fit,
            rest,
        })
        .collect();
    let title = format!("Fits of the one-dimensional task, data seed {seed}");
    let picture = RegressionPicture {
        title: &title,
        x_name: "x",
        y_name: "y",
        rest_name: "truth − fit",
        panels: &panels,
        points: &[
            PointSet {
                label: "cluster 1, training",
                at: &first,
            },
            PointSet {
                label: "cluster 2, test",
                at: &test,
            },
            PointSet {
                label: "cluster 2, training",
                at: &second,
            },
        ],
        truth: &truth,
    };
    draw_regression(&picture, stem).map_err(|source| Error::drawing(stem, source))
}
