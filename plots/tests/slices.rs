//! Slices of a surrogate: that they say what they must, and what is refused.

use crate::drawing::{drawn, figure, refusal};
use plots::{Moment, Scale, Slice, SliceObservation, SliceParameter, SlicePoint, SlicesPicture};

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

const fn observation(x: f64, y: Option<f64>, weight: f64) -> SliceObservation {
    SliceObservation { x, y, weight }
}

const OBSERVATIONS: [SliceObservation; 4] = [
    observation(2.0, Some(0.4), 1.0),
    observation(8.0, Some(0.9), 0.2),
    observation(9.0, None, 0.9),
    observation(1.0, Some(0.5), 0.0),
];

/// What is done with a picture of the same slice three times, of two parameters each.
fn with<T>(slice: Slice, logarithmic: bool, y_scale: Scale, of: impl Fn(&SlicesPicture) -> T) -> T {
    let label = "P <outer> [1/s]";
    let moment = Moment {
        label: "after 40 flights",
        slices: &[slice; 2],
    };
    of(&SlicesPicture {
        title: "slices",
        y_name: "ACE [m]",
        y_scale,
        band_name: "± 2 standard deviations",
        through: "recommended <gains>",
        acquisition_name: Some("log EI"),
        parameters: &[SliceParameter { label, logarithmic }; 2],
        moments: &[moment; 3],
    })
}

fn slice<'a>(points: &'a [SlicePoint], observations: &'a [SliceObservation]) -> Slice<'a> {
    Slice {
        points,
        at: 4.0,
        observations,
    }
}

#[test]
fn slices_name_what_they_show() {
    let points = points();
    for scale in [Scale::Linear, Scale::Logarithmic] {
        let picture = with(slice(&points, &OBSERVATIONS), true, scale, |picture| {
            drawn(picture)
        });
        picture.says_all(&[
            "ACE [m]",
            "P <outer> [1/s]",
            "after 40 flights",
            "± 2 standard deviations",
            "log EI (below)",
            "lost evaluation",
            "recommended <gains>",
        ]);
        // Six panels and the legend; of four observations one is lost and one has no weight.
        let dots = picture.discs(&["r=\"40\"", "fill=\"#141414\""]);
        assert_eq!(dots.len(), 6 * 2 + 1);
        assert_eq!(picture.lines("#8C0020").len(), 2 * (6 + 1));
        assert!(picture.count([206, 226, 240]) > 50_000);
    }
}

#[test]
fn without_a_name_the_acquisition_is_not_drawn() {
    let points = points();
    with(slice(&points, &[]), false, Scale::Automatic, |named| {
        let acquisition = |picture: &SlicesPicture| drawn(picture).svg.matches("#008A64").count();
        assert!(acquisition(named) > 0);
        let unnamed = SlicesPicture {
            acquisition_name: None,
            ..*named
        };
        assert_eq!(acquisition(&unnamed), 0);
        drawn(&unnamed).says_all(&["P <outer> [1/s]", "recommended <gains>"]);
    });
}

#[test]
fn a_flat_acquisition_has_no_maximum() {
    let mut points = points();
    let wedges = |points: &[SlicePoint]| {
        let picture = with(slice(points, &[]), false, Scale::Automatic, |picture| {
            drawn(picture)
        });
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
    let message = |slice: Slice, logarithmic, scale| {
        with(slice, logarithmic, scale, |picture| refusal(picture))
    };
    let fine = message(slice(&good, &OBSERVATIONS), false, Scale::Linear);
    assert!(fine.starts_with("cannot write"), "{fine}");
    let inner = |slice: Slice, logarithmic, reason: &str| {
        let expected = format!("row 0, column 0 of the grid: {reason}");
        assert_eq!(message(slice, logarithmic, Scale::Linear), expected);
    };
    let mut crossed = good[0];
    crossed.high = -1.5;
    let mut lost = good[1];
    lost.acquisition = f64::NEG_INFINITY;
    for (points, reason) in [
        (
            &good[..1],
            "value 0 of the number of points is 1: expected at least 2",
        ),
        (
            &[good[1], good[0]],
            "value 1 of the parameter is 0.2: expected more than the one before",
        ),
        (
            &[crossed, good[1]],
            "value 0 of the upper end of the band is -1.5: expected no less than the lower end",
        ),
        (
            &[good[0], lost],
            "value 4 of the surrogate is -inf: expected a finite number of at most 1e12",
        ),
    ] {
        inner(slice(points, &OBSERVATIONS), false, reason);
    }
    let heavy = [observation(2.0, Some(0.4), 1.5)];
    let weight = "value 0 of the weight is 1.5: expected from 0 to 1";
    inner(slice(&good, &heavy), false, weight);
    let mut zero = slice(&good, &OBSERVATIONS);
    zero.at = 0.0;
    let positive = "value 0 of the parameter is 0: expected positive on a logarithmic axis";
    inner(zero, true, positive);
    let negative = [observation(2.0, Some(-0.5), 1.0)];
    assert_eq!(
        message(slice(&good, &negative), false, Scale::Logarithmic),
        "value 0 of the list of observations is -0.5: expected positive on a logarithmic axis"
    );
    let label = SliceParameter {
        label: "",
        logarithmic: false,
    };
    let moment = Moment {
        label: "",
        slices: &[],
    };
    for (parameters, moments, reason) in [
        (&[][..], &[][..], "0 parameters were given: expected 1 to 6"),
        (&[label], &[], "0 moments were given: expected 1 to 6"),
        (
            &[label],
            &[moment],
            "the list of slices has 0 values for 1 of the parameters",
        ),
    ] {
        with(slice(&good, &[]), false, Scale::Linear, |picture| {
            let picture = SlicesPicture {
                parameters,
                moments,
                ..*picture
            };
            assert_eq!(refusal(&picture), reason);
        });
    }
}

#[test]
fn slices_of_any_number_are_legible() {
    let labels = [
        "position P [1/s]",
        "a_parameter_without_any_break_in_its_name [1/s]",
        "velocity P of the vertical axis [1/s]",
    ];
    for (columns, rows, y_scale, largest) in [
        (1, 1, Scale::Linear, 1.0),
        (2, 3, Scale::Logarithmic, 50.0),
        (6, 3, Scale::Automatic, 1e4),
        (6, 6, Scale::Linear, 1e-7),
    ] {
        let point = |k: u32| SlicePoint {
            x: 0.1 + 9.9 * f64::from(k - 1) / 59.0,
            mean: largest / f64::from(k),
            low: -largest,
            high: largest,
            acquisition: f64::from(k % 7),
        };
        let points: Vec<SlicePoint> = (1..=60).map(point).collect();
        let seen = [Some(largest), None].map(|y| observation(2.0, y, 0.5));
        let parameter = |k: usize| SliceParameter {
            label: labels[k % 3],
            logarithmic: k.is_multiple_of(2),
        };
        let moment = Moment {
            label: "after ten flights",
            slices: &vec![slice(&points, &seen); columns],
        };
        figure(&SlicesPicture {
            title: "slices",
            y_name: "ACE [m]",
            y_scale,
            band_name: "± 2 standard deviations",
            through: "incumbent",
            acquisition_name: Some("expected improvement"),
            parameters: &(0..columns).map(parameter).collect::<Vec<_>>(),
            moments: &vec![moment; rows],
        });
    }
}
