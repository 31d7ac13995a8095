//! Pictures of fits and of domains: that their files are whole and say what they must, and what is
//! refused.

use plots::{
    DomainsPicture, Error, ErrorMapPicture, FitPoint, Method, Panel, PointSet, RegressionPicture,
};
use std::path::Path;

const NOWHERE: &str = "no such folder/picture";

fn fit(half_width: Option<f64>) -> Vec<FitPoint> {
    (0..50)
        .map(|i| FitPoint {
            x: f64::from(i) / 5.0,
            mean: (f64::from(i) / 5.0).sin(),
            half_width,
        })
        .collect()
}

/// The svg of a regression picture with that many panels.
fn regression(panels: usize, half_width: Option<f64>) -> Result<String, Error> {
    let folder = tempfile::tempdir().unwrap();
    let fit = fit(half_width);
    let rest = [[1.0, 0.1], [5.0, -40.0]];
    let labels: Vec<String> = (0..panels).map(|i| format!("method <{i}>")).collect();
    let panels: Vec<Panel> = labels
        .iter()
        .map(|label| Panel {
            label,
            fit: &fit,
            rest: &rest,
        })
        .collect();
    let truth = [vec![[0.0, 0.0], [9.0, 1.0]]];
    let picture = RegressionPicture {
        title: "fits",
        x_name: "place [m]",
        y_name: "force [N]",
        rest_name: "truth − fit",
        panels: &panels,
        points: &[PointSet {
            label: "observed",
            at: &[[0.0, 0.2], [9.0, 0.9]],
        }],
        truth: &truth,
    };
    let [svg, png] = plots::draw(&picture, &folder.path().join("fits"))?;
    assert!(std::fs::metadata(png).unwrap().len() > 10_000);
    Ok(std::fs::read_to_string(svg).unwrap())
}

#[test]
fn fits_name_their_axes_methods_and_marks() {
    for count in [1, 2, 3, 5, 8] {
        let svg = regression(count, Some(0.3)).unwrap();
        for word in [
            "place [m]",
            "force [N]",
            "± one standard deviation",
            "without noise",
            "observed",
        ] {
            assert!(svg.contains(word), "{word} with {count}");
        }
        for index in 0..count {
            assert!(svg.contains(&format!("method &lt;{index}&gt;")));
        }
    }
    // A method without uncertainty has no band, and the legend does not promise one.
    assert!(!regression(1, None).unwrap().contains("standard deviation"));
}

#[test]
fn drawn_again_the_bytes_are_the_same() {
    assert_eq!(
        regression(4, Some(0.2)).unwrap(),
        regression(4, Some(0.2)).unwrap()
    );
}

#[test]
fn panels_and_numbers_that_cannot_be_drawn_are_refused() {
    let said = |panels, half_width| regression(panels, half_width).unwrap_err().to_string();
    assert_eq!(said(0, None), "0 panels were given: expected 1 to 8");
    assert_eq!(said(9, None), "9 panels were given: expected 1 to 8");
    assert_eq!(
        said(1, Some(f64::NAN)),
        "NaN cannot be drawn: numbers must be finite and at most 1e12 in magnitude"
    );
}

#[test]
fn an_error_map_shows_both_sets_and_the_scale() {
    let folder = tempfile::tempdir().unwrap();
    let draw = |error: &[f64]| {
        let picture = ErrorMapPicture {
            title: "map",
            names: ["east", "north"],
            error_name: "|error| [K]",
            train: &[[0.0, 1.0]],
            test: &[[1.0, 1.0], [2.0, 0.0]],
            error,
        };
        plots::draw(&picture, &folder.path().join("map"))
    };
    let [svg, _] = draw(&[0.5, -2.0]).unwrap();
    let svg = std::fs::read_to_string(svg).unwrap();
    for word in ["east", "north", "|error| [K]", "training point", "2.0"] {
        assert!(svg.contains(word), "{word}");
    }
    draw(&[0.0, 0.0]).unwrap();
    assert_eq!(
        draw(&[1.0]).unwrap_err().to_string(),
        "the list of errors has 1 values for 2 of the test points"
    );
    assert!(draw(&[1.0, f64::INFINITY]).is_err());
}

#[test]
fn domains_are_named_and_every_method_has_a_value_in_each() {
    let folder = tempfile::tempdir().unwrap();
    let domains = ["near".to_owned(), "far".to_owned()];
    let values = [[0.5, 0.4, 0.6], [0.9, 0.7, 1.1]];
    let draw = |methods: &[Method], stem: &Path| {
        let picture = DomainsPicture {
            title: "domains",
            y_name: "RMSE [m]",
            bar_name: "interval",
            domains: &domains,
            methods,
        };
        plots::draw(&picture, stem)
    };
    let names: Vec<String> = (0..8).map(|i| format!("method {i}")).collect();
    let methods: Vec<Method> = names
        .iter()
        .map(|label| Method {
            label,
            values: &values,
        })
        .collect();
    let [svg, _] = draw(&methods, &folder.path().join("d")).unwrap();
    let svg = std::fs::read_to_string(svg).unwrap();
    for word in ["near", "far", "RMSE [m]", "interval", "method 7"] {
        assert!(svg.contains(word), "{word}");
    }
    let short = [Method {
        label: "short",
        values: &values[..1],
    }];
    assert_eq!(
        draw(&short, Path::new(NOWHERE)).unwrap_err().to_string(),
        "the list of values of a method has 1 values for 2 of the domains"
    );
    assert_eq!(
        draw(&[], Path::new(NOWHERE)).unwrap_err().to_string(),
        "there is no series to draw"
    );
    assert_eq!(
        draw(&methods, Path::new(NOWHERE)).unwrap_err().to_string(),
        format!("cannot write {NOWHERE}.svg")
    );
}
