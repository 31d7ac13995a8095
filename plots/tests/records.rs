//! Flight logs, spectra and distributions: that the pictures are whole, say what they must, keep
//! peaks, stay small, are the same again, and that wrong numbers are refused.

use crate::drawing::{accepted, drawn, refusal, refused};
use plots::{
    ConfidenceBand, CurveKind, CurvesPicture, Distribution, FlightLog, MarkedCurve, OpenLoop,
    OpenLoopPoint, OpenLoopsPicture, RegretCurve, RegretPicture, Spectra, SpectrumAxis,
    WindRecordPicture,
};

/// A flight at 1 kHz whose every list differs from the others.
struct Recorded {
    time_s: Vec<f64>,
    three: Vec<[f64; 3]>,
    rates: Vec<[f64; 3]>,
    motors: Vec<Vec<f64>>,
}

impl Recorded {
    fn of(samples: usize) -> Self {
        let time_s: Vec<f64> = (0..samples).map(|k| 1e-3 * k as f64).collect();
        let noise = |k: usize, step: usize| ((k * step) % 101) as f64 / 101.0;
        Self {
            three: (0..samples)
                .map(|k| [7919, 6007, 4999].map(|s| noise(k, s)))
                .collect(),
            rates: vec![[0.0; 3]; samples],
            motors: (0..samples)
                .map(|k| {
                    [31, 37, 41, 43]
                        .map(|s| 300.0 + 50.0 * noise(k, s))
                        .to_vec()
                })
                .collect(),
            time_s,
        }
    }

    fn log(&self, lost_at_s: Option<f64>) -> FlightLog<'_> {
        FlightLog {
            title: "gust <5 m/s>",
            time_s: &self.time_s,
            position_error_m: &self.three,
            attitude_rad: &self.three,
            rates_rad_s: &self.rates,
            motors_rad_s: &self.motors,
            motor_range_rad_s: [0.0, 1000.0],
            wind_m_s: &self.three,
            lost_at_s,
        }
    }
}

#[test]
fn a_record_of_wind_shows_its_components_and_what_its_stretches_are_for() {
    let time_s: Vec<f64> = (0..2000).map(f64::from).collect();
    let mut wind: Vec<f64> = time_s.iter().map(|t| (0.01 * t).sin()).collect();
    wind[777] = 9.0;
    let components = ["u [m/s]", "v [m/s]", "w [m/s]"].map(|name| (name, &*wind));
    let picture = |stretches| WindRecordPicture {
        title: "a site",
        time_s: &time_s,
        components,
        stretches,
    };
    let [tune, test] = [[[0.0, 900.0]], [[1000.0, 1999.0]]];
    let both = picture([("for tuning", &tune), ("held out", &test)]);
    let drawing = drawn(&both);
    drawing.says_all(&[
        "a site",
        "u [m/s]",
        "w [m/s]",
        "time since the first row [s]",
        "mean",
        "held out",
    ]);
    let frames = drawing.frames();
    assert_eq!(frames.len(), 3);
    // Both stretches are shaded in each panel, and the single peak is drawn at its height.
    for colour in [[219, 234, 244], [250, 228, 208]] {
        assert!(drawing.count(colour) > 50_000, "{colour:?}");
    }
    let highest = |line: &Vec<[f64; 2]>| line.iter().map(|p| p[1]).fold(f64::INFINITY, f64::min);
    let winds: Vec<_> = drawing
        .lines("#0072B2")
        .into_iter()
        .filter(|line| line.len() > 9)
        .collect();
    let middle = 0.5 * (frames[0][1] + frames[0][3]);
    assert!(winds.iter().any(|line| highest(line) < middle));
    let whole = drawn(&picture([("for tuning", &[]), ("held out", &[])]));
    assert!(!whole.says("held out") && whole.count([219, 234, 244]) == 0);
    let backwards: Vec<f64> = time_s.iter().map(|t| -t).collect();
    for (time_s, reason) in [
        (
            &time_s[1..],
            "the wind has 2000 values for 1999 of the time",
        ),
        (
            &backwards,
            "value 1 of the time is -1: expected no less than the one before",
        ),
        (&[], "the time has no values"),
    ] {
        refused(&WindRecordPicture { time_s, ..both }, reason);
    }
}

#[test]
fn a_log_names_its_panels_units_and_curves() {
    let flight = Recorded::of(500);
    let log = flight.log(None);
    let picture = drawn(&log);
    picture.says_all(&[
        "gust <5 m/s>",
        "position error [m]",
        "attitude [°]",
        "body rates [rad/s]",
        "motor speeds [rad/s]",
        "wind [m/s]",
        "time [s]",
        "roll",
        "yaw",
        "distance",
        "4",
        "limit",
    ]);
    assert!(!picture.svg.contains("lost") && picture.height == 1000);
    let frames = picture.frames();
    assert_eq!(frames.len(), 5);
    assert!(
        frames
            .iter()
            .all(|f| (f[0], f[2]) == (frames[0][0], frames[0][2]))
    );
    for colour in [[0, 114, 178], [213, 94, 0], [0, 158, 115], [190, 90, 150]] {
        assert!(picture.count(colour) > 300, "{colour:?}");
    }
}

#[test]
fn a_loss_is_marked_through_all_panels_where_it_was() {
    let flight = Recorded::of(1000);
    let log = flight.log(Some(0.5));
    let picture = drawn(&log);
    assert!(picture.says("lost at 0.500 s"));
    let frames = picture.frames();
    // The axis reaches 3 % beyond the last sample at 0.999 s.
    let across = frames[0][0] + (frames[0][2] - frames[0][0]) * 0.5 / (0.999 * 1.03);
    let marks: Vec<_> = picture.lines("#141414").into_iter().flatten().collect();
    for frame in frames {
        let inside =
            |p: &&[f64; 2]| (p[0] - across).abs() <= 1.0 && p[1] > frame[1] && p[1] < frame[3];
        assert!(marks.iter().filter(inside).count() > 10);
    }
}

#[test]
fn a_long_log_stays_small_and_keeps_a_peak_of_one_sample() {
    let mut flight = Recorded::of(20_000);
    flight.rates[12_345][0] = 40.0;
    let log = flight.log(None);
    let picture = drawn(&log);
    assert!(picture.svg.len() < 2_500_000, "{}", picture.svg.len());
    let [left, top, right, bottom] = picture.frames()[2];
    let inside = |p: &[f64; 2]| p[1] > top && p[1] < bottom && p[0] >= left && p[0] <= right;
    let points = picture
        .lines("#0072B2")
        .into_iter()
        .flatten()
        .filter(inside);
    let highest = points
        .reduce(|a, b| if b[1] < a[1] { b } else { a })
        .unwrap();
    // The range is -2.4 to 42.4: 6 % of 40 above and below.
    assert!((highest[1] - (top + (bottom - top) * 2.4 / 44.8)).abs() < 3.0);
    assert!((highest[0] - (left + (right - left) * 12.345 / 19.999)).abs() < 3.0);
}

#[test]
fn awkward_logs_are_pictures() {
    for (samples, value) in [(1, 0.0), (2, 1e12), (3, -1e-300)] {
        let mut flight = Recorded::of(samples);
        flight.three.fill([value; 3]);
        flight.time_s.fill(3.0);
        let log = flight.log(Some(3.0));
        drawn(&log);
    }
}

/// A first-order spectrum and one that is measured `factor` times as strong.
fn spectrum(factor: f64) -> [Vec<f64>; 4] {
    let frequency: Vec<f64> = (1..=2000).map(|k| 0.02 * f64::from(k)).collect();
    let analytic: Vec<f64> = frequency
        .iter()
        .map(|f| 2.0 / (1.0 + (6.0 * f).powi(2)))
        .collect();
    let measured = analytic.iter().map(|a| factor * a).collect();
    let tolerance = vec![0.3; frequency.len()];
    [frequency, measured, analytic, tolerance]
}

fn axis([frequency_hz, measured, analytic, tolerance]: &[Vec<f64>; 4]) -> SpectrumAxis<'_> {
    SpectrumAxis {
        label: "u & more",
        frequency_hz,
        measured,
        analytic,
        tolerance,
        sigma_measured_m_s: 1.1234,
        sigma_analytic_m_s: 1.0,
    }
}

fn spectra<'a>(axes: &'a [SpectrumAxis<'a>]) -> Spectra<'a> {
    Spectra {
        title: "wind",
        axes,
    }
}

#[test]
fn spectra_name_axes_units_and_deviations_and_show_what_is_out() {
    let [good, bad] = [spectrum(1.0), spectrum(3.0)];
    let picture = drawn(&spectra(&[axis(&good), axis(&bad), axis(&good)]));
    picture.says_all(&[
        "power spectral density [(m/s)²/Hz]",
        "frequency [Hz]",
        "u & more",
        "σ measured: 1.123 m/s",
        "σ analytic: 1.000 m/s",
        "measured",
        "analytic",
        "statistical tolerance",
    ]);
    let frames = picture.frames();
    assert_eq!(frames.len(), 3);
    assert!(picture.count([250, 222, 196]) > 2000);
    // A measured curve, and how far above the analytic one it begins: a factor of 3 of the axis.
    let first_height = |colour: &str, frame: [f64; 4]| {
        let lines = picture.lines(colour).into_iter();
        let points = lines.filter(|line| line.len() != 5).flatten();
        let at_left = points.filter(|p| p[0] == frame[0] && p[1] > frame[1] && p[1] < frame[3]);
        at_left.map(|p| p[1]).collect::<Vec<_>>()
    };
    let [within, out] = [frames[0], frames[1]].map(|frame| first_height("#0072B2", frame)[0]);
    let [low, high] = [
        2.0 / (1.0 + 240_f64.powi(2)) / 1.6,
        3.0 * 2.0 / 1.0144 * 1.6,
    ];
    let expected = (frames[0][3] - frames[0][1]) * 3_f64.ln() / (high / low).ln();
    assert!(
        (within - out - expected).abs() < 5.0,
        "{within} {out} {expected}"
    );
}

#[test]
fn awkward_spectra_are_pictures() {
    let mut flat = spectrum(1.0);
    flat[1].fill(0.0);
    flat[2].fill(0.0);
    assert!(drawn(&spectra(&[axis(&flat)])).says("zero at every frequency"));
    let mut wide = spectrum(1.0);
    wide[1][7] = 1e12;
    wide[2][9] = 1e-300;
    wide[3].fill(5.0);
    drawn(&spectra(&[
        axis(&wide),
        axis(&flat),
        axis(&wide),
        axis(&flat),
    ]));
    let single = [vec![0.5], vec![1.0], vec![1.0], vec![0.2]];
    drawn(&spectra(&[axis(&single)]));
}

#[test]
fn a_distribution_says_its_quantiles_and_losses_in_any_order() {
    let ace_m: Vec<f64> = (0..200)
        .map(|k| 0.2 + 0.001 * f64::from((k * 77) % 200))
        .collect();
    let mut sorted = ace_m.clone();
    sorted.sort_by(f64::total_cmp);
    let share: Vec<f64> = (1..=200).map(|k| f64::from(k) / 200.0).collect();
    let [lower, upper] = [-0.1, 0.1].map(|half: f64| -> Vec<f64> {
        share.iter().map(|s| (s + half).clamp(0.0, 1.0)).collect()
    });
    let of = |ace_m: &[f64], lost| {
        drawn(&Distribution {
            title: "spread",
            ace_m,
            lost,
            band: Some(ConfidenceBand {
                label: "95 % band",
                lower: &lower[..ace_m.len()],
                upper: &upper[..ace_m.len()],
            }),
        })
    };
    let picture = of(&ace_m, 0);
    picture.says_all(&[
        "average control error (ACE) [m]",
        "flights with at most this ACE [%]",
        "lost: 0 of 200 flights (0 %)",
        "200 flights",
        "95 % band",
        "50 % ≤ 0.299 m",
        "90 % ≤ 0.379 m",
        "95 % ≤ 0.389 m",
        "99 % ≤ 0.397 m",
    ]);
    assert!(picture.count([206, 226, 240]) > 50_000);
    let again = of(&sorted, 0);
    assert!(picture == again);
    // Lost flights are worse than any: no quantile is read off where these stand.
    let losses = of(&sorted[..188], 12);
    losses.says_all(&["lost: 12 of 200 flights (6.00 %)", "90 % ≤ 0.379 m"]);
    assert!(!losses.svg.contains("95 % ≤") && !losses.svg.contains("99 % ≤"));
}

#[test]
fn awkward_distributions_are_pictures_and_many_flights_stay_small() {
    let many: Vec<f64> = (1..=100_000).map(|k| 1e-5 * f64::from(k)).collect();
    for ace_m in [&[0.0][..], &[0.3; 50], &[0.0, 1e12], &[1e-300, 1.0], &many] {
        let picture = drawn(&Distribution {
            title: "awkward",
            ace_m,
            lost: ace_m.len(),
            band: None,
        });
        assert!(picture.svg.contains(" (50.0 %)"));
        assert!(picture.svg.len() < 400_000, "{}", picture.svg.len());
    }
    let none = drawn(&Distribution {
        title: "none completed",
        ace_m: &[],
        lost: 5,
        band: Some(ConfidenceBand {
            label: "95 % band",
            lower: &[],
            upper: &[],
        }),
    });
    none.says_all(&["lost: 5 of 5 flights (100 %)"]);
    assert!(!none.svg.contains('≤') && !none.svg.contains("95 % band"));
}

#[test]
fn wrong_logs_are_refused() {
    let flight = Recorded::of(3);
    accepted(&flight.log(None));
    refused(&Recorded::of(0).log(None), "the time has no values");
    let with = |change: &dyn Fn(&mut FlightLog), reason: &str| {
        let mut log = flight.log(None);
        change(&mut log);
        refused(&log, reason);
    };
    let finite = "expected a finite number of at most 1e12";
    let of = |value: &str| format!("value {value}: {finite}");
    let short = "the wind has 2 values for 3 of the time";
    with(&|log| log.wind_m_s = &[[0.0; 3]; 2], short);
    let lost = [[0.0; 3], [0.0; 3], [0.0, f64::NAN, 0.0]];
    let mut log = flight.log(None);
    log.attitude_rad = &lost;
    refused(&log, &of("2 of the attitude is NaN"));
    let descending = "value 2 of the time is 1: expected no less than the one before";
    with(&|log| log.time_s = &[0.0, 2.0, 1.0], descending);
    let loss = of("0 of the time of the loss is inf");
    with(&|log| log.lost_at_s = Some(f64::INFINITY), &loss);
    let range = of("1 of the motor range is 1e13");
    with(&|log| log.motor_range_rad_s = [0.0, 1e13], &range);
}

#[test]
fn wrong_spectra_are_refused() {
    let good = spectrum(1.0);
    refused(&spectra(&[]), "0 panels were given: expected 1 to 4");
    let five = [axis(&good); 5];
    refused(&spectra(&five), "5 panels were given: expected 1 to 4");
    let none = [vec![], vec![], vec![], vec![]];
    refused(&spectra(&[axis(&none)]), "the frequency has no values");
    for (frequency, reason) in [
        (vec![0.0, 1.0], "is 0: expected positive and at most 1e12"),
        (
            vec![1.0, 0.5],
            "is 0.5: expected no less than the one before",
        ),
        (
            vec![f64::NAN, 1.0],
            "is NaN: expected positive and at most 1e12",
        ),
    ] {
        let wrong = [frequency, vec![1.0; 2], vec![1.0; 2], vec![0.1; 2]];
        let message = refusal(&spectra(&[axis(&wrong)]));
        assert!(message.ends_with(reason), "{message}");
    }
    let with = |change: &dyn Fn(&mut SpectrumAxis), reason: &str| {
        let mut wrong = axis(&good);
        change(&mut wrong);
        refused(&spectra(&[wrong]), reason);
    };
    let short = "the measured density has 1 values for 2000 of the frequency";
    with(&|axis| axis.measured = &[1.0], short);
    let negative = "value 0 of the tolerance is -1: expected from 0 to 1e12";
    with(&|axis| axis.tolerance = &[-1.0; 2000], negative);
    let sigma = "value 1 of the standard deviation is NaN: expected from 0 to 1e12";
    with(&|axis| axis.sigma_analytic_m_s = f64::NAN, sigma);
}

#[test]
fn wrong_distributions_are_refused() {
    for (ace_m, lost, limits, reason) in [
        (&[][..], 0, None, "the ACE has no values"),
        (
            &[0.1, -0.1],
            0,
            None,
            "value 1 of the ACE is -0.1: expected from 0 to 1e12",
        ),
        (
            &[0.1],
            0,
            Some((&[0.0][..], &[][..])),
            "the upper band has 0 values for 1 of the ACE",
        ),
        (
            &[0.1],
            0,
            Some((&[1.5], &[1.0])),
            "value 0 of the lower band is 1.5: expected from 0 to 1",
        ),
    ] {
        let band = limits.map(|(lower, upper)| ConfidenceBand {
            label: "band",
            lower,
            upper,
        });
        let distribution = Distribution {
            title: "t",
            ace_m,
            lost,
            band,
        };
        refused(&distribution, reason);
    }
}

#[test]
fn open_loops_are_drawn_and_bad_numbers_are_refused() {
    let point = |k: u32| {
        let frequency_hz = 10_f64.powf(f64::from(k) / 10.0 - 1.0);
        OpenLoopPoint {
            frequency_hz,
            magnitude: 3.0 / frequency_hz,
            phase_deg: -90.0 - 4.0 * frequency_hz,
        }
    };
    let points: Vec<OpenLoopPoint> = (0..30).map(point).collect();
    let labels = [
        "rate x",
        "rate y",
        "rate z",
        "attitude x",
        "attitude y",
        "attitude z",
    ];
    fn picture(loops: &[OpenLoop]) -> OpenLoopsPicture<'_> {
        OpenLoopsPicture {
            title: "hummingbird at hover: rate and attitude loops, opened one at a time",
            loops,
        }
    }
    let six = labels.map(|label| OpenLoop {
        label: label.to_owned(),
        points: points.clone(),
        gain_margins: points[23..24].to_vec(),
        phase_margin: Some(points[15]),
    });
    drawn(&picture(&six)).says_all(&[&labels[..], &["frequency [Hz]", "margin"]].concat());
    // Within a page of text Bode's two panels stand alone.
    let figure = plots::svg(&picture(&six[..2])).expect("drawn");
    assert_eq!(figure.matches("phase [deg]").count(), 1);
    assert!(figure.contains("magnitude [dB]") && !figure.contains("oscillates"));
    let with = |change: &dyn Fn(&mut Vec<OpenLoopPoint>), reason: &str| {
        let mut points = points.clone();
        change(&mut points);
        let loops = [OpenLoop {
            label: "rate x".to_owned(),
            points,
            gain_margins: Vec::new(),
            phase_margin: None,
        }];
        refused(&picture(&loops), reason);
    };
    with(&|p| p.truncate(1), "the frequency has no values");
    let positive = "value 2 of the magnitude is 0: expected positive and at most 1e12";
    with(&|p| p[2].magnitude = 0.0, positive);
    let finite = "value 3 of the phase is NaN: expected a finite number of at most 1e12";
    with(&|p| p[3].phase_deg = f64::NAN, finite);
}

#[test]
fn answers_to_a_step_are_drawn_and_bad_numbers_are_refused() {
    fn picture(curves: &[MarkedCurve]) -> CurvesPicture<'_> {
        CurvesPicture {
            title: "answer to a step of the rate x",
            kind: CurveKind::Steps,
            names: ["time after the step [s]", "share of the step"],
            peak_name: "overshoot",
            curves,
        }
    }
    let points: Vec<[f64; 2]> = (0..50)
        .map(f64::from)
        .map(|t| [0.1 * t, 1.0 - (-0.1 * t).exp() * (0.5 * t).cos()])
        .collect();
    let curve = |points: &[[f64; 2]]| MarkedCurve {
        label: "new gains".to_owned(),
        points: points.to_vec(),
        peak: Some(points[6]),
        settled: None,
    };
    drawn(&picture(&[curve(&points)])).says_all(&["new gains", "overshoot", "share of the step"]);
    refused(&picture(&[]), "the answer has no values");
    let mut wrong = points.clone();
    wrong[3][1] = f64::NAN;
    refused(
        &picture(&[curve(&wrong)]),
        "value 7 of the answer is NaN: expected a finite number of at most 1e12",
    );
}

#[test]
fn regrets_are_drawn_and_bad_numbers_are_refused() {
    fn picture<'a>(curves: &'a [RegretCurve<'a>]) -> RegretPicture<'a> {
        RegretPicture { title: "t", curves }
    }
    let (regret, bound) = (&[0.0, 1.0, 1.5][..], &[10.0, 20.0, 30.0][..]);
    drawn(&picture(&[RegretCurve { regret, bound }]));
    refused(&picture(&[]), "the regret has no values");
    for (regret, bound, reason) in [
        (&[1.0][..], &[1.0][..], "the regret has no values"),
        (
            &[1.0, 2.0],
            &[1.0],
            "the bound has 1 values for 2 of the evaluations",
        ),
        (
            &[1.0, f64::NAN],
            &[1.0, 1.0],
            "value 1 of the regret is NaN: expected from 0 to 1e12",
        ),
        (
            &[1.0, 2.0],
            &[0.0, 1.0],
            "value 0 of the bound is 0: expected positive and at most 1e12",
        ),
    ] {
        refused(&picture(&[RegretCurve { regret, bound }]), reason);
    }
}
