//! Figures for a page of text: that they fit into one, say what they must, and what is refused.

use crate::drawing::figure;
use crate::markup::texts_of_well_formed;
use plots::{
    Band, BoundsPicture, CalibrationPanel, CalibrationPicture, ConvergencePicture, CurveKind,
    CurvesPicture, Error, Estimate, IntervalPanel, IntervalsPicture, MarkedCurve, Pair,
    PairsPicture, Run, Series, TradeOffPicture,
};

const EVIL: &str = "\"><script>alert('a & b')</script>";

fn pair(x: Option<f64>, y: f64) -> Pair {
    Pair {
        x,
        y,
        bar: Some([0.5 * y, 2.0 * y]),
        lost: x.is_none(),
    }
}

fn pairs(pairs: &[Pair]) -> Result<String, Error> {
    plots::svg(&PairsPicture {
        title: EVIL,
        x_name: "observed [m]",
        y_name: "predicted [m]",
        pair_name: "one prediction",
        lost_name: "lost",
        equal_name: EVIL,
        pairs,
    })
}

fn amplitudes(points: &[[f64; 2]], peak: Option<[f64; 2]>) -> Result<String, Error> {
    let curve = MarkedCurve {
        label: EVIL.to_owned(),
        points: points.to_vec(),
        peak,
        settled: None,
    };
    plots::svg(&CurvesPicture {
        title: EVIL,
        kind: CurveKind::Amplitudes,
        names: ["frequency [Hz]", "rate"],
        peak_name: "largest peak",
        curves: &[curve.clone(), curve],
    })
}

fn convergence() -> String {
    let run = Run {
        value_m: vec![0.4, 2.0, 0.5, 0.3],
        lost: vec![false, true, false, false],
        designed: vec![true, true],
        notes: vec![
            "evaluation 0: <0.4>".to_owned(),
            "evaluation 1: lost".to_owned(),
        ],
    };
    plots::svg(&ConvergencePicture {
        title: EVIL,
        y_name: "ACE [m]",
        series: &[Series {
            label: EVIL,
            runs: &[run],
        }],
        initial: 2,
        baseline: Some(("default gains", 0.4)),
        band: Band::Quartiles,
        scale: plots::Scale::Automatic,
    })
    .unwrap()
}

fn calibration(bars: &[Option<Vec<[f64; 2]>>]) -> Result<String, Error> {
    plots::svg(&CalibrationPicture {
        title: EVIL,
        levels: &[0.5, 0.9],
        methods: &[EVIL],
        bar_name: "95 % interval",
        panels: &[CalibrationPanel {
            label: "",
            shares: &[Some(vec![0.4, 0.8])],
            bars,
        }],
    })
}

fn intervals(held: &[Estimate]) -> Result<String, Error> {
    let estimate = |mean: f64| Estimate {
        mean,
        low: mean - 0.01,
        high: mean + 0.01,
    };
    let zero = Estimate {
        mean: 0.0,
        low: 0.0,
        high: 0.0,
    };
    plots::svg(&IntervalsPicture {
        title: EVIL,
        x_name: "change [m]",
        columns: &[""],
        rows: &[""],
        methods: &[EVIL, "b"],
        marks: ["down", "up"],
        colours: [1, 2],
        references: &["no change"],
        judged_against: None,
        panels: &[IntervalPanel {
            estimates: &[[Some(estimate(0.02)), Some(estimate(-0.01))], [None, None]],
            references: &[Some(zero)],
        }],
        held,
    })
}

fn bounds(values: [f64; 2]) -> Result<String, Error> {
    plots::svg(&BoundsPicture {
        title: EVIL,
        values,
        colours: [1, 0],
    })
}

fn all() -> [String; 6] {
    [
        pairs(&[pair(Some(0.2), 0.3), pair(None, 0.5)]).unwrap(),
        amplitudes(&[[0.5, 3.0], [5.0, 1.0]], Some([5.0, 1.0])).unwrap(),
        convergence(),
        calibration(&[Some(vec![[0.3, 0.5], [0.7, 0.9]])]).unwrap(),
        intervals(&[]).unwrap(),
        bounds([0.2, 0.9]).unwrap(),
    ]
}

#[test]
fn a_figure_is_one_element_that_takes_its_size_from_its_place() {
    for svg in all() {
        let (root, marks) = svg.split_once('>').unwrap();
        assert!(root.starts_with("<svg viewBox=\"0 0 "), "{root}");
        assert!(root.contains(" role=\"img\" aria-label=\"&quot;&gt;&lt;script&gt;"));
        // No name space, which is an address; no size; nothing that a second figure could also have.
        for word in ["xmlns", "http", " width=", " height=", " id="] {
            assert!(!root.contains(word), "{word}");
        }
        assert!(!marks.contains(" id=") && !marks.contains("url("));
        assert!(!svg.contains("<script") && !svg.contains("NaN") && !svg.contains("inf"));
        // The paper is that of the page.
        assert!(!marks.trim_start().starts_with("<rect x=\"0\" y=\"0\""));
        texts_of_well_formed(&svg);
    }
    assert_eq!(all(), all(), "the same numbers give the same bytes");
}

#[test]
fn an_evaluation_says_its_note_where_the_pointer_rests() {
    let svg = convergence();
    let notes: Vec<&str> = svg
        .lines()
        .filter(|line| line.contains("<title>"))
        .collect();
    assert_eq!(
        notes.len(),
        2,
        "one in the panel, one in the strip of the lost"
    );
    assert!(notes[0].ends_with("<title>evaluation 0: &lt;0.4&gt;</title></circle>"));
    assert!(notes[1].ends_with("<title>evaluation 1: lost</title></circle>"));
}

#[test]
fn words_are_text_and_escaped() {
    let message =
        |svg: &str, words: &str| texts_of_well_formed(svg).iter().any(|text| text == words);
    let [pairs, amplitudes, convergence, calibration, intervals, _] = all();
    for (svg, words) in [
        (
            &pairs,
            [
                "observed [m]",
                "predicted [m]",
                "one prediction",
                "lost",
                EVIL,
            ],
        ),
        (
            &amplitudes,
            ["frequency [Hz]", "rate", "largest peak", "1", EVIL],
        ),
        (
            &convergence,
            [
                "evaluation",
                "ACE [m]",
                "one of the design",
                "lost evaluation",
                "default gains: 0.400 m",
            ],
        ),
        (
            &calibration,
            [
                "probability of the predicted central interval",
                "share of observations inside",
                "95 % interval",
                "0.6",
                EVIL,
            ],
        ),
        (
            &intervals,
            ["change [m]", "down", "up", "no change", "no estimate"],
        ),
    ] {
        for words in words {
            assert!(
                message(svg, words),
                "{words}: {:?}",
                texts_of_well_formed(svg)
            );
        }
    }
}

#[test]
fn marks_have_the_colours_that_are_asked_for() {
    let [pairs, amplitudes, _, _, intervals, bounds] = all();
    let has = |svg: &str, colour: &str| svg.contains(&format!("=\"{colour}\""));
    // Blue, vermilion and green are the series from 0; dark red is what was lost.
    assert!(has(&pairs, "#0072B2") && has(&pairs, "#8C0020") && !has(&pairs, "#D55E00"));
    assert!(has(&amplitudes, "#0072B2") && has(&amplitudes, "#D55E00"));
    assert!(has(&intervals, "#D55E00") && has(&intervals, "#009E73"));
    assert!(!has(&intervals, "#0072B2"));
    assert!(has(&bounds, "#0072B2") && has(&bounds, "#D55E00"));
}

#[test]
fn values_between_bounds_stand_in_their_order_and_never_beyond() {
    let tips = |values: [f64; 2]| -> Vec<f64> {
        let svg = bounds(values).unwrap();
        let polygons = svg.lines().filter(|line| line.starts_with("<polygon"));
        let tip = |line: &str| -> f64 {
            let points = line.split_once("points=\"").unwrap().1;
            points.split(',').next().unwrap().parse().unwrap()
        };
        polygons.map(tip).collect()
    };
    assert_eq!(tips([0.0, 1.0]), [80.0, 1320.0]);
    assert_eq!(tips([-3.0, 7.0]), [80.0, 1320.0]);
    assert_eq!(tips([0.5, 0.25]), [700.0, 390.0]);
}

#[test]
fn an_axis_holds_what_it_is_told_to_hold() {
    let ticks = |svg: &str| -> Vec<f64> {
        let texts = texts_of_well_formed(svg);
        let numbers = texts
            .iter()
            .map(|text| text.replace('\u{2212}', "-").parse());
        numbers.filter_map(Result::ok).collect()
    };
    let estimate = |mean: f64| Estimate {
        mean,
        low: mean - 0.02,
        high: mean + 0.02,
    };
    let most = |svg: &str| ticks(svg).into_iter().fold(f64::MIN, f64::max);
    let (alone, together) = (
        intervals(&[]).unwrap(),
        intervals(&[estimate(-0.01), estimate(0.9)]).unwrap(),
    );
    assert!(most(&alone) < 0.035 && most(&together) >= 0.8);
    // However far the one is from the rest, nothing is cut, so the legend is silent about it.
    assert!(!together.contains("beyond the axis"));
}

#[test]
fn what_cannot_be_shown_is_refused() {
    let message = |drawn: Result<String, Error>| drawn.unwrap_err().to_string();
    assert_eq!(message(pairs(&[])), "the list of pairs has no values");
    for bad in [-1.0, f64::NAN, f64::INFINITY, 1e13] {
        assert!(
            message(pairs(&[pair(Some(1.0), 1.0), pair(Some(bad), 1.0)]))
                .starts_with("value 1 of the list of first values is")
        );
        assert!(message(amplitudes(&[[1.0, bad]], None)).starts_with("value 0 of the spectrum is"));
    }
    assert!(
        message(amplitudes(&[[1.0, 0.0]], None)).ends_with("expected positive and at most 1e12")
    );
    assert_eq!(message(amplitudes(&[], None)), "the spectrum has no values");
    assert!(
        message(bounds([0.5, f64::NAN])).contains("value 1 of the list of values between bounds")
    );
    assert_eq!(
        message(calibration(&[Some(vec![[0.1, 0.2]])])),
        "the bars of calibration has 1 values for 2 of the levels"
    );
    assert!(
        message(calibration(&[Some(vec![[0.1, 0.2], [0.3, 1.2]])]))
            .contains("expected from 0 to 1")
    );
    let nowhere = Estimate {
        mean: 0.0,
        low: 1.0,
        high: -1.0,
    };
    assert!(message(intervals(&[nowhere])).contains("expected no less than the lower end"));
}

/// A value of zero has no logarithm and stands at the edge; a bar without end is cut there.
#[test]
fn zeros_and_endless_bars_are_drawn() {
    let endless = Pair {
        bar: Some([0.0, f64::INFINITY]),
        ..pair(Some(0.3), 0.2)
    };
    let svg = pairs(&[endless, pair(Some(0.0), 0.1), pair(None, 0.2)]).unwrap();
    texts_of_well_formed(&svg);
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    texts_of_well_formed(&pairs(&[pair(None, 0.0)]).unwrap());
}

fn trade_off(settings: &[[f64; 2]]) -> Result<String, Error> {
    plots::svg(&TradeOffPicture {
        title: EVIL,
        x_name: "activity",
        y_name: "error [m]",
        setting_name: EVIL,
        settings,
        front: &settings[settings.len() / 2..],
        named: &[(EVIL, [1.0, 0.2])],
    })
}

#[test]
fn a_trade_off_has_a_setting_and_errors_that_are_not_negative() {
    let svg = trade_off(&[[1.0, 0.1], [3.0, 0.05]]).unwrap();
    texts_of_well_formed(&svg);
    assert!(svg.contains("the front"));
    for faulty in [&[][..], &[[1.0, -0.1]], &[[f64::NAN, 0.1]]] {
        assert!(trade_off(faulty).is_err(), "{faulty:?}");
    }
}

#[test]
fn figures_of_any_range_are_legible() {
    for scale in [1e-6, 1.0, 1e9] {
        let at = |k: u32| [scale * f64::from(k), scale * f64::from(12 - k)];
        let settings: Vec<[f64; 2]> = (0..12).map(at).collect();
        figure(&TradeOffPicture {
            title: "trade-off",
            x_name: "motor activity [full ranges per s]",
            y_name: "predicted error [m]",
            setting_name: "an evaluation",
            settings: &settings,
            front: &settings[4..],
            named: &[
                ("default gains", settings[3]),
                ("recommended gains", settings[8]),
            ],
        });
    }
    for scale in [1e-6, 0.3, 1.0, 7.0, 1e9] {
        let pair = |k: u32| Pair {
            x: (k != 3).then_some(scale * f64::from(k + 1)),
            y: scale * f64::from(9 - k),
            bar: Some([0.0, f64::INFINITY]),
            lost: k == 3,
        };
        let pairs: Vec<Pair> = (0..9).map(pair).collect();
        figure(&PairsPicture {
            title: "pairs",
            x_name: "ACE, default gains [m]",
            y_name: "ACE, recommended gains [m]",
            pair_name: "prediction and its 90 % interval",
            lost_name: "lost: no cost",
            equal_name: "as observed; above it the evaluation went better",
            pairs: &pairs,
        });
    }
    for decades in [0.1, 1.0, 3.0, 9.0] {
        let point = |k: u32| [1.0, -1.0].map(|s| 10_f64.powf(s * decades * f64::from(k) / 20.0));
        let points: Vec<[f64; 2]> = (0..20).map(point).collect();
        let curve = |label: &str| MarkedCurve {
            label: label.to_owned(),
            points: points.clone(),
            peak: Some(points[7]),
            settled: None,
        };
        figure(&CurvesPicture {
            title: "amplitudes",
            kind: CurveKind::Amplitudes,
            names: ["frequency [Hz]", "body rate [deg/s/√Hz]"],
            peak_name: "largest peak",
            curves: &["recommended gains", "default gains"].map(curve),
        });
    }
}
