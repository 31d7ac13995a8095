//! What is refused, and what is said about it.

use crate::drawing::NOWHERE;
use plots::{Band, ConvergencePicture, Error, FlightEnd, FlightPicture, Run, Scale, Series};
use std::path::Path;

fn flight(reference_m: &[[f64; 3]], path_m: &[[f64; 3]], error_m: &[f64]) -> Error {
    let end = FlightEnd::Completed;
    let picture = FlightPicture {
        title: "t",
        reference_m,
        path_m,
        error_m,
        end,
    };
    plots::draw(&picture, Path::new(NOWHERE)).unwrap_err()
}

fn search(series: &[Series], baseline: Option<(&str, f64)>) -> Error {
    let band = Band::Range;
    let picture = ConvergencePicture {
        title: "t",
        y_name: "average control error (ACE) [m]",
        first: 1,
        series,
        initial: 0,
        baseline,
        band,
        scale: Scale::Automatic,
    };
    plots::draw(&picture, Path::new(NOWHERE)).unwrap_err()
}

fn one(value_m: Vec<f64>, lost: Vec<bool>) -> Vec<Run> {
    vec![
        Run {
            value_m: vec![1.0],
            lost: vec![false],
            ..Run::default()
        },
        Run {
            value_m,
            lost,
            ..Run::default()
        },
    ]
}

#[test]
fn flights() {
    let (none, here): (&[[f64; 3]], &[[f64; 3]]) = (&[], &[[0.0, 1.0, 2.0]]);
    let said = |error: Error| error.to_string();
    assert_eq!(
        said(flight(none, here, &[0.0])),
        "the reference has no points"
    );
    assert_eq!(
        said(flight(here, none, &[])),
        "the flown path has no points"
    );
    assert_eq!(
        said(flight(here, here, &[0.0, 1.0])),
        "the list of errors has 2 values for 1 of the points of the flown path"
    );
    let lost = [[0.0; 3], [0.0, f64::NAN, 2.5]];
    assert_eq!(
        said(flight(here, &lost, &[0.0; 2])),
        "point 1 of the flown path is (0, NaN, 2.5) m, which is not finite"
    );
    assert_eq!(
        said(flight(&[[f64::INFINITY, 0.0, 0.0]], here, &[0.0])),
        "point 0 of the reference is (inf, 0, 0) m, which is not finite"
    );
    for error_m in [-0.5, f64::NAN] {
        assert_eq!(
            said(flight(here, here, &[error_m])),
            format!(
                "the error at point 0 of the flown path is {error_m} m, which is not a distance"
            )
        );
    }
    assert_eq!(
        said(flight(here, &[[0.0, -2e12, 0.0]], &[0.0])),
        "-2e12 m is too large to draw: the limit is 1e12 m"
    );
}

#[test]
fn searches() {
    let said = |runs: &[Run]| search(&[Series { label: "s", runs }], None).to_string();
    assert_eq!(search(&[], None).to_string(), "there is no series to draw");
    assert_eq!(said(&[]), "series 0 has no runs");
    assert_eq!(
        said(&one(vec![], vec![])),
        "run 1 of series 0 has no evaluations"
    );
    assert_eq!(
        said(&one(vec![1.0, 2.0], vec![true])),
        "run 1 of series 0 has 2 values but 1 flags of loss"
    );
    assert_eq!(
        said(&one(vec![1.0, f64::NEG_INFINITY], vec![false, true])),
        "evaluation 1 in run 1 of series 0 is -inf m, which is not finite"
    );
    let runs = one(vec![1.0], vec![false]);
    let series = [Series {
        label: "s",
        runs: &runs,
    }];
    assert_eq!(
        search(&series, Some(("default", f64::NAN))).to_string(),
        "the baseline is NaN m, which is not finite"
    );
}

#[test]
fn logarithms_of_nothing() {
    let runs = one(vec![0.0, -3.0], vec![false, true]);
    let series = [Series {
        label: "s",
        runs: &runs,
    }];
    let picture = ConvergencePicture {
        title: "t",
        y_name: "average control error (ACE) [m]",
        first: 1,
        series: &series,
        initial: 0,
        baseline: None,
        band: Band::Range,
        scale: Scale::Logarithmic,
    };
    let error = plots::draw(&picture, Path::new(NOWHERE));
    assert_eq!(
        error.unwrap_err().to_string(),
        "a logarithmic axis cannot show 0 m"
    );
}

#[test]
fn a_folder_that_is_not_there() {
    let here = [[0.0, 1.0, 2.0]];
    let error = flight(&here, &here, &[0.0]);
    assert_eq!(error.to_string(), format!("cannot write {NOWHERE}.svg"));
    let source = std::error::Error::source(&error).unwrap();
    let source = source.downcast_ref::<std::io::Error>().unwrap();
    assert_eq!(source.kind(), std::io::ErrorKind::NotFound);
}
