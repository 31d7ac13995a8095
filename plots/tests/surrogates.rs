//! Pictures of fits, of domains and of calibration: that their files are whole and say what they must,
//! and what is refused.

use crate::drawing::{accepted, drawn, figure, refused};
use plots::{
    CalibrationPanel, CalibrationPicture, DomainsPicture, ErrorMapPicture, FitPoint, Method, Panel,
    PointSet, RegressionPicture,
};

fn fit(half_width: Option<f64>) -> Vec<FitPoint> {
    (0..50)
        .map(|i| FitPoint {
            x: f64::from(i) / 5.0,
            mean: (f64::from(i) / 5.0).sin(),
            half_width,
        })
        .collect()
}

/// What is done with a picture of that many fits.
fn with_fits<T>(panels: usize, half_width: Option<f64>, of: impl Fn(&RegressionPicture) -> T) -> T {
    let fit = fit(half_width);
    let rest = [[1.0, 0.1], [5.0, -40.0]];
    let labels: Vec<String> = (0..panels).map(|i| format!("method <{i}>")).collect();
    let panels = labels.iter().map(|label| Panel {
        label,
        fit: &fit,
        rest: &rest,
    });
    of(&RegressionPicture {
        title: "fits",
        x_name: "place [m]",
        y_name: "force [N]",
        rest_name: "truth − fit",
        panels: &panels.collect::<Vec<_>>(),
        points: &[PointSet {
            label: "observed",
            at: &[[0.0, 0.2], [9.0, 0.9]],
        }],
        truth: &[vec![[0.0, 0.0], [9.0, 1.0]]],
    })
}

#[test]
fn fits_name_their_axes_methods_and_marks() {
    for count in [1, 2, 3, 5, 8] {
        let page = with_fits(count, Some(0.3), |picture| drawn(picture));
        let band = "± one standard deviation";
        page.says_all(&["place [m]", "force [N]", band, "without noise", "observed"]);
        for index in 0..count {
            page.says_all(&[&format!("method <{index}>")]);
        }
    }
    // A method without uncertainty has no band, and the legend does not promise one.
    assert!(!with_fits(1, None, |picture| drawn(picture)).says("± one standard deviation"));
    let again = || with_fits(4, Some(0.2), |picture| drawn(picture));
    assert!(again() == again());
}

#[test]
fn fits_that_cannot_be_drawn_are_refused() {
    for (panels, half_width, reason) in [
        (0, None, "0 panels were given: expected 1 to 8"),
        (9, None, "9 panels were given: expected 1 to 8"),
        (
            1,
            Some(f64::NAN),
            "value 2 of the fit is NaN: expected a finite number of at most 1e12",
        ),
    ] {
        with_fits(panels, half_width, |picture| refused(picture, reason));
    }
}

#[test]
fn an_error_map_shows_both_sets_and_the_scale() {
    let with = |error| ErrorMapPicture {
        title: "map",
        names: ["east", "north"],
        error_name: "|error| [K]",
        train: &[[0.0, 1.0]],
        test: &[[1.0, 1.0], [2.0, 0.0]],
        error,
    };
    let words = ["east", "north", "|error| [K]", "training point", "2.0"];
    drawn(&with(&[0.5, -2.0])).says_all(&words);
    drawn(&with(&[0.0, 0.0]));
    let short = "the list of errors has 1 values for 2 of the test points";
    refused(&with(&[1.0]), short);
    let infinite = "value 1 of the list of errors is inf: expected a finite number of at most 1e12";
    refused(&with(&[1.0, f64::INFINITY]), infinite);
}

#[test]
fn domains_are_named_and_every_method_has_a_value_in_each() {
    let domains = ["near".to_owned(), "far".to_owned()];
    let values = [[0.5, 0.4, 0.6], [0.9, 0.7, 1.1]];
    fn with<'a>(domains: &'a [String], methods: &'a [Method<'a>]) -> DomainsPicture<'a> {
        DomainsPicture {
            title: "domains",
            y_name: "RMSE [m]",
            bar_name: "interval",
            domains,
            methods,
        }
    }
    let names: Vec<String> = (0..8).map(|i| format!("method {i}")).collect();
    let method = |label| Method {
        label,
        values: &values,
    };
    let methods: Vec<Method> = names.iter().map(|label| method(label)).collect();
    let picture = with(&domains, &methods);
    drawn(&picture).says_all(&["near", "far", "RMSE [m]", "interval", "method 7"]);
    accepted(&picture);
    let short = [Method {
        label: "short",
        values: &values[..1],
    }];
    let reason = "the list of values of a method has 1 values for 2 of the domains";
    refused(&with(&domains, &short), reason);
    refused(&with(&domains, &[]), "the list of methods has no values");
}

/// What is done with a picture of calibration of two methods on that many test sets.
fn with_shares<T>(
    shares: &[Option<Vec<f64>>],
    panels: usize,
    of: impl Fn(&CalibrationPicture) -> T,
) -> T {
    let labels: Vec<String> = (0..panels).map(|i| format!("set <{i}>")).collect();
    let panels = labels.iter().map(|label| CalibrationPanel {
        label,
        shares,
        bars: &[],
    });
    of(&CalibrationPicture {
        title: "calibration",
        levels: &[0.2, 0.5, 0.9],
        methods: &["GP", "MLP"],
        bar_name: "",
        panels: &panels.collect::<Vec<_>>(),
    })
}

#[test]
fn curves_are_named_and_a_method_without_one_is_not() {
    let shares = [Some(vec![0.1, 0.6, 0.9]), None];
    for panels in 1..=9 {
        let page = with_shares(&shares, panels, |picture| drawn(picture));
        let axis = "probability of the predicted central interval";
        page.says_all(&["GP", axis, &format!("set <{}>", panels - 1)]);
        assert!(!page.says("MLP"));
    }
    let again = || with_shares(&shares, 7, |picture| drawn(picture));
    assert!(again() == again());
    with_shares(&shares, 1, |picture| figure(picture));
}

#[test]
fn long_names_of_test_sets_are_legible() {
    let panel = CalibrationPanel {
        label: "trained on sedans, hardtops and convertibles (the paper's text)",
        shares: &[Some(vec![0.4]), None],
        bars: &[],
    };
    for count in 1..=9 {
        let picture = CalibrationPicture {
            title: "calibration",
            levels: &[0.5],
            methods: &["GP, ML-II", "MLP"],
            bar_name: "",
            panels: &vec![panel; count],
        };
        drawn(&picture);
        if count == 1 {
            figure(&picture);
        }
    }
}

#[test]
fn wrong_shares_are_refused() {
    let curve = |shares: [f64; 3]| [Some(shares.to_vec()), None];
    let good = curve([0.1, 0.6, 0.9]);
    for (shares, panels, reason) in [
        (&good[..], 0, "0 panels were given: expected 1 to 9"),
        (&good, 10, "10 panels were given: expected 1 to 9"),
        (
            &good[..1],
            1,
            "the curves of calibration has 1 values for 2 of the methods",
        ),
        (
            &[Some(vec![0.1]), None],
            1,
            "the shares of calibration has 1 values for 3 of the levels",
        ),
        (
            &curve([0.1, f64::NAN, 0.9]),
            1,
            "value 1 of the shares of calibration is NaN: expected from 0 to 1",
        ),
    ] {
        with_shares(shares, panels, |picture| refused(picture, reason));
    }
}
