//! Pictures: what is drawn of a table.

use std::path::{Path, PathBuf};

use dilgp::validation::synthetic::Task;
use nalgebra::DMatrix;
use plots::{
    CalibrationPanel, CalibrationPicture, DomainsPicture, FitPoint, Panel, PointSet,
    RegressionPicture,
};

use crate::fit::pictures::{fit_points, pairs};
use crate::statistics::LEVELS;
use crate::tables::comparison::Column;
use crate::tables::methods::Method;
use shell::Failure;

/// The methods of the figures: the paper's six, the reference of maximal likelihood and ours.
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

/// Figure 1: the fits of one draw of the line, one panel a method, with both clusters and the truth less
/// each fit. Returns the paths of the files.
pub fn figure1(seed: u64, stem: &Path) -> Result<[PathBuf; 2], Failure> {
    let draw = Task::Line.draw(seed);
    let train = pairs(&draw.train);
    let of_cluster = |second: bool| -> Vec<[f64; 2]> {
        let marked = train.iter().zip(&draw.second);
        let own = marked.filter(|(_, marked)| **marked == second);
        own.map(|(point, _)| *point).collect()
    };
    let (first, second, test) = (of_cluster(false), of_cluster(true), pairs(&draw.test));
    let along = |((from, to), second): ((f64, f64), bool)| -> Vec<[f64; 2]> {
        let at = |i: usize| from + (to - from) * i as f64 / (STEPS - 1) as f64;
        let steps = (0..STEPS).map(at);
        steps.map(|x| [x, Task::Line.truth(&[x], second)]).collect()
    };
    let truth = STRETCHES.into_iter().zip([false, true]).map(along);
    let truth: Vec<Vec<[f64; 2]>> = truth.collect();
    let known = truth.concat();
    let all = [&train[..], &test].concat();
    let mut fits: Vec<(Method, Vec<FitPoint>, Vec<[f64; 2]>)> = Vec::new();
    for method in SHOWN.map(Method::of) {
        let fitted = method.fit(&draw.train, Task::Line.released_rate(), seed)?;
        let predict = |x: &DMatrix<f64>| fitted.predict(x);
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
    plots::draw(&picture, stem).map_err(|source| Failure::drawing(stem, &source))
}

/// Figure 2: RMSE on houses ever older than those of the training set, a column of the table each.
/// Returns the paths of the files. A method of which a fit failed everywhere is left out.
pub fn figure2(columns: &[Column], seeds: u64, stem: &Path) -> Result<[PathBuf; 2], Failure> {
    let of = |column: &Column, key: &str| {
        let mean = column.row(key)?.rmse?;
        let half = mean.half_width.unwrap_or(0.0);
        Some([mean.mean, mean.mean - half, mean.mean + half])
    };
    let series = SHOWN.iter().filter_map(|key| {
        let values: Option<Vec<_>> = columns.iter().map(|column| of(column, key)).collect();
        Some((Method::of(key).label, values?))
    });
    let series: Vec<(&str, Vec<[f64; 3]>)> = series.collect();
    let methods: Vec<plots::Method> = series
        .iter()
        .map(|(label, values)| plots::Method { label, values })
        .collect();
    let domains: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    let title = format!("King County housing: error by the year of building, {seeds} seeds");
    let picture = DomainsPicture {
        title: &title,
        y_name: "RMSE [standard deviations of the price]",
        bar_name: "95 % interval of the mean",
        domains: &domains,
        methods: &methods,
    };
    plots::draw(&picture, stem).map_err(|source| Failure::drawing(stem, &source))
}

/// The methods whose calibration is drawn: those of the paper that follow the data, the reference of
/// maximal likelihood and ours. All are in the JSON copy.
const CALIBRATED: [&str; 6] = ["rf", "gp", "gp-rq", "dil-gp", "gp-ml2", "hierarchical"];

/// Draws the calibration in one panel for each column and returns the paths of the files; none if no
/// method of any column has a curve.
pub fn calibration(title: &str, columns: &[Column], stem: &Path) -> Result<Vec<PathBuf>, Failure> {
    let curve = |column: &Column, key| column.row(key)?.calibration.clone();
    let curves = |column| CALIBRATED.map(|key| curve(column, key));
    let shares: Vec<[Option<Vec<f64>>; 6]> = columns.iter().map(curves).collect();
    if shares.iter().flatten().all(Option::is_none) {
        return Ok(Vec::new());
    }
    let panels = columns.iter().zip(&shares);
    let panels = panels.map(|(column, shares)| CalibrationPanel {
        label: &column.name,
        shares,
        bars: &[],
    });
    let picture = CalibrationPicture {
        title,
        levels: &LEVELS,
        methods: &CALIBRATED.map(|key| Method::of(key).label),
        bar_name: "",
        panels: &panels.collect::<Vec<_>>(),
    };
    let drawn = plots::draw(&picture, stem);
    Ok(drawn
        .map_err(|source| Failure::drawing(stem, &source))?
        .to_vec())
}
