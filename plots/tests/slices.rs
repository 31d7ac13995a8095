//! Slices of a surrogate: that they say what they must, and what is refused.

use crate::drawing::{NOWHERE, drawn};
use plots::{
    Error, Moment, Scale, Slice, SliceObservation, SliceParameter, SlicePoint, SlicesPicture,
};
use std::path::{Path, PathBuf};

fn points() -> Vec<SlicePoint> {
    (1..=50)
        .map(|k| {
            let x = f64::from(k) / 5.0;
            let mean = 0.3 + 0.02 * (x - 4.0).powi(2);
            SlicePoint {
                x,
                mean,
                low: mean - 0.6,
                high: mean + 0.6,
                acquisition: -(x - 7.0).powi(2),
            }
        })
        .collect()
}

const OBSERVATIONS: [SliceObservation; 4] = [
    SliceObservation {
        x: 2.0,
        y: Some(0.4),
        weight: 1.0,
    },
    SliceObservation {
        x: 8.0,
        y: Some(0.9),
        weight: 0.2,
    },
    SliceObservation {
        x: 9.0,
        y: None,
        weight: 0.9,
    },
    SliceObservation {
        x: 1.0,
        y: Some(0.5),
        weight: 0.0,
    },
];

fn slices(
    slice: &Slice,
    logarithmic: bool,
    y_scale: Scale,
    stem: &Path,
) -> Result<[PathBuf; 2], Error> {
    let moment = Moment {
        label: "after 40 flights",
        slices: &[*slice; 2],
    };
    let parameter = SliceParameter {
        label: "P <outer> [1/s]",
        logarithmic,
    };
    let picture = SlicesPicture {
        title: "slices",
        y_name: "ACE [m]",
        y_scale,
        band_name: "± 2 standard deviations",
        acquisition_name: "log EI",
        parameters: &[parameter; 2],
        moments: &[moment; 3],
    };
    plots::draw(&picture, stem)
}

#[test]
fn slices_name_what_they_show() {
    let points = points();
    let slice = Slice {
        points: &points,
        incumbent: 4.0,
        observations: &OBSERVATIONS,
    };
    for scale in [Scale::Linear, Scale::Logarithmic] {
        let picture = drawn(|stem| slices(&slice, true, scale, stem));
        for words in [
            "ACE [m]",
            "P &lt;outer&gt; [1/s]",
            "after 40 flights",
            "± 2 standard deviations",
            "log EI (below)",
            "lost evaluation",
            "incumbent",
        ] {
            assert!(picture.says(words), "{words}");
        }
        // Six panels and the legend; of four observations one is lost and one has no weight.
        assert_eq!(picture.discs("#141414", 40).len(), 6 * 2 + 1);
        assert_eq!(picture.lines("#8C0020").len(), 2 * (6 + 1));
        assert!(picture.count([206, 226, 240]) > 50_000);
    }
}

#[test]
fn a_flat_acquisition_has_no_maximum() {
    let mut points = points();
    let wedges = |points: &[SlicePoint]| {
        let slice = Slice {
            points,
            incumbent: 4.0,
            observations: &[],
        };
        let picture = drawn(|stem| slices(&slice, false, Scale::Automatic, stem));
        let lines = picture.svg.lines();
        lines
            .filter(|line| line.starts_with("<polygon") && line.contains("fill=\"#008A64\""))
            .count()
    };
    // One in the legend, and one for each panel.
    assert_eq!(wedges(&points), 7);
    for point in &mut points {
        point.acquisition = 3.0;
    }
    assert_eq!(wedges(&points), 1);
}

#[test]
fn wrong_slices_are_refused() {
    let good = points();
    let slice = Slice {
        points: &good,
        incumbent: 4.0,
        observations: &OBSERVATIONS,
    };
    let said = |slice: Slice, logarithmic, scale| {
        let error = slices(&slice, logarithmic, scale, Path::new(NOWHERE)).unwrap_err();
        let source = std::error::Error::source(&error).map(ToString::to_string);
        (error.to_string(), source.unwrap_or_default())
    };
    assert_eq!(
        said(slice, false, Scale::Linear).0,
        format!("cannot write {NOWHERE}.svg")
    );
    let inner = |slice: Slice, logarithmic, message: &str| {
        let (outer, inner) = said(slice, logarithmic, Scale::Linear);
        assert_eq!(outer, format!("row 0, column 0 of the grid: {message}"));
        assert_eq!(inner, message);
    };
    fn of<'a>(points: &'a [SlicePoint], slice: Slice<'a>) -> Slice<'a> {
        Slice { points, ..slice }
    }
    inner(
        of(&good[..1], slice),
        false,
        "value 0 of the number of points is 1: expected at least 2",
    );
    inner(
        of(&[good[1], good[0]], slice),
        false,
        "value 1 of the parameter is 0.2: expected more than the one before",
    );
    let crossed = SlicePoint {
        high: -1.5,
        ..good[0]
    };
    inner(
        of(&[crossed, good[1]], slice),
        false,
        "value 0 of the upper end of the band is -1.5: expected no less than the lower end",
    );
    let lost = SlicePoint {
        acquisition: f64::NEG_INFINITY,
        ..good[1]
    };
    inner(
        of(&[good[0], lost], slice),
        false,
        "-inf cannot be drawn: numbers must be finite and at most 1e12 in magnitude",
    );
    let heavy = [SliceObservation {
        weight: 1.5,
        ..OBSERVATIONS[0]
    }];
    let heavy = Slice {
        observations: &heavy,
        ..slice
    };
    inner(
        heavy,
        false,
        "value 0 of the weight is 1.5: expected from 0 to 1",
    );
    let zero = Slice {
        incumbent: 0.0,
        ..slice
    };
    inner(
        zero,
        true,
        "value 0 of the parameter is 0: expected positive on a logarithmic axis",
    );
    let negative = [SliceObservation {
        y: Some(-0.5),
        ..OBSERVATIONS[0]
    }];
    let negative = Slice {
        observations: &negative,
        ..slice
    };
    assert_eq!(
        said(negative, false, Scale::Logarithmic).0,
        "a logarithmic axis cannot show -0.5 m"
    );
    let none = SlicesPicture {
        title: "t",
        y_name: "",
        y_scale: Scale::Linear,
        band_name: "",
        acquisition_name: "",
        parameters: &[],
        moments: &[],
    };
    let label = SliceParameter {
        label: "",
        logarithmic: false,
    };
    let said = |parameters: &[SliceParameter], moments: &[Moment]| {
        let picture = SlicesPicture {
            parameters,
            moments,
            ..none
        };
        plots::draw(&picture, Path::new(NOWHERE))
            .unwrap_err()
            .to_string()
    };
    assert_eq!(said(&[], &[]), "0 parameters were given: expected 1 to 6");
    assert_eq!(said(&[label], &[]), "0 moments were given: expected 1 to 6");
    let moment = Moment {
        label: "",
        slices: &[],
    };
    assert_eq!(
        said(&[label], &[moment]),
        "the list of slices has 0 values for 1 of the parameters"
    );
}
