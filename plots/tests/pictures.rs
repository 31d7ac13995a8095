//! Flights and searches: that their pictures are whole, say what they must, are the same again, and what
//! is refused.

use crate::drawing::{Drawn, accepted, drawn, figure, refusal, refused};
use plots::{Band, ConvergencePicture, FlightEnd, FlightPicture, Run, Scale, Series};

/// A circle flown with an error that grows, and its distances.
fn circle(points: usize) -> (Vec<[f64; 3]>, Vec<[f64; 3]>, Vec<f64>) {
    let mut curves = (Vec::new(), Vec::new(), Vec::new());
    for index in 0..points {
        let t = index as f64 / (points - 1).max(1) as f64;
        let (sin, cos) = (std::f64::consts::TAU * t).sin_cos();
        curves.0.push([2.0 * cos, 2.0 * sin, 1.5]);
        curves.1.push([2.0 * cos, 2.0 * sin, 1.5 + 0.6 * t]);
        curves.2.push(0.6 * t);
    }
    curves
}

fn flown<'a>(
    reference_m: &'a [[f64; 3]],
    path_m: &'a [[f64; 3]],
    error_m: &'a [f64],
) -> FlightPicture<'a> {
    FlightPicture {
        title: "lost",
        reference_m,
        path_m,
        error_m,
        end: FlightEnd::Lost,
    }
}

fn flight(title: &str, points: usize, end: FlightEnd) -> Drawn {
    let (reference_m, path_m, error_m) = circle(points);
    drawn(&FlightPicture {
        title,
        end,
        ..flown(&reference_m, &path_m, &error_m)
    })
}

#[test]
fn a_flight_names_its_axes_units_and_marks() {
    let page = flight("gust <5 m/s> & σ", 400, FlightEnd::Completed);
    let axes = ["x [m]", "y [m]", "z [m]", "distance from the reference [m]"];
    page.says_all(&axes);
    page.says_all(&["reference", "end"]);
    // Once drawn and once as the title of the document.
    assert_eq!(page.times("gust <5 m/s> & σ"), 2);
    assert!(!page.says("lost"));
    assert_eq!(page.height, 1000);
    assert!((0.15..0.6).contains(&page.ink()), "{}", page.ink());
    assert!(page.colours() > 500, "{}", page.colours());
}

#[test]
fn a_path_takes_the_colours_of_its_errors() {
    let page = flight("colours", 2000, FlightEnd::Completed);
    let [blue, red] = [[112, 204, 246], [96, 0, 36]];
    assert!(page.count(blue) > 20 && page.count(red) > 20);
    // A path without error is blue throughout; the bar is all that remains of the red.
    let (reference_m, ..) = circle(2000);
    let exact = drawn(&flown(&reference_m, &reference_m, &vec![0.0; 2000]));
    assert!(exact.count(blue) > 5 * page.count(blue));
}

#[test]
fn a_loss_is_marked_and_named() {
    let page = flight("lost", 300, FlightEnd::Lost);
    // The title twice, and the legend.
    assert_eq!((page.times("lost"), page.times("end")), (3, 0));
}

#[test]
fn a_path_that_goes_far_leaves_the_frame_and_says_where_to() {
    let (reference_m, mut path_m, mut error_m) = circle(300);
    path_m.push([1e9, -2.0, 3.0]);
    error_m.push(1e9);
    let page = drawn(&flown(&reference_m, &path_m, &error_m));
    let note = "The path leaves the frame; it is lost at (1000000000.0, −2.0, 3.0) m, \
                1000000000.0 m from the reference.";
    page.says_all(&[note, "leaves the frame"]);
    // The mark of the loss is outside, so the legend has none: the title alone says it, twice.
    assert_eq!(page.times("lost"), 2);
}

#[test]
fn one_point_is_a_picture() {
    let page = flight("one point", 1, FlightEnd::Completed);
    page.says_all(&["1.50", "1.52"]);
    assert!(page.ink() > 0.1);
}

/// A search of one or more methods, from the first evaluation on, without a baseline.
fn search<'a>(series: &'a [Series<'a>]) -> ConvergencePicture<'a> {
    ConvergencePicture {
        title: "search",
        y_name: "average control error (ACE) [m]",
        series,
        initial: 0,
        baseline: None,
        band: Band::Range,
        scale: Scale::Automatic,
    }
}

fn run(values: &[f64], lost: bool) -> Run {
    Run {
        value_m: values.to_vec(),
        lost: vec![lost; values.len()],
        ..Run::default()
    }
}

/// Runs of several methods, of so many seeds, and evaluations each.
fn searches(labels: &[&str], seeds: u64, evaluations: u64) -> Drawn {
    let run = |seed: u64| {
        let noise = |i: u64| ((seed * 131 + i * 7919) % 101) as f64 / 101.0;
        let value = |i: u64| 0.2 + 4.0 * noise(i) / (1.0 + i as f64);
        Run {
            value_m: (0..evaluations).map(value).collect(),
            lost: (0..evaluations)
                .map(|i| (seed + i).is_multiple_of(5))
                .collect(),
            ..Run::default()
        }
    };
    let of_method = |method: u64| (0..seeds).map(|seed| run(17 * method + seed)).collect();
    let runs: Vec<Vec<Run>> = (0..labels.len() as u64).map(of_method).collect();
    let series = labels.iter().zip(&runs);
    let series: Vec<Series> = series.map(|(label, runs)| Series { label, runs }).collect();
    drawn(&ConvergencePicture {
        initial: 10,
        baseline: Some(("default & co", 0.5)),
        band: Band::Quartiles,
        ..search(&series)
    })
}

#[test]
fn evaluations_are_numbered_from_0() {
    let runs = [run(&[0.4, 0.5, 0.3], false)];
    let label = "gp";
    let page = drawn(&search(&[Series { label, runs: &runs }]));
    page.says_all(&["0", "1", "2"]);
    assert!(!page.says("3"));
}

#[test]
fn a_search_names_its_axes_units_and_series() {
    let page = searches(&["a<b", "R&D \"x\""], 3, 40);
    page.says_all(&[
        "evaluation",
        "average control error (ACE) [m]",
        "a<b",
        "R&D \"x\"",
        "best so far, median of 3 runs",
        "from lower to upper quartile",
        "one evaluation",
        "lost evaluation",
        "end of the initial design (10)",
        "default & co: 0.500 m",
    ]);
    assert!((0.02..0.3).contains(&page.ink()), "{}", page.ink());
    assert!(page.colours() > 100 && page.height == 1000);
}

#[test]
fn six_series_have_six_colours_and_stay_off_the_legend() {
    let page = searches(&["one", "two", "three", "four", "five", "six"], 5, 110);
    for colour in [
        [0, 114, 178],
        [213, 94, 0],
        [0, 158, 115],
        [190, 90, 150],
        [230, 159, 0],
        [86, 180, 233],
    ] {
        let points = page.count(colour);
        assert!(points > 300, "{colour:?}: {points}");
    }
    // Dots, drawn within the frame, all lie left of every legend label.
    let dots = page.discs(&["opacity=\"0.13\""]);
    let rightmost = dots.iter().map(|[x, _]| *x).fold(0.0, f64::max);
    let label_x = page.place_of("three");
    let apart = rightmost > 0.0 && rightmost + 300.0 < label_x;
    assert!(apart, "{rightmost} {label_x}");
}

#[test]
fn the_scale_can_be_chosen_and_else_follows_the_ratio() {
    // 1 2 5 on a logarithmic axis, equal steps with equal decimals on a linear one.
    for (least, scale, is_log) in [
        (0.2, Scale::Automatic, true),
        (0.3, Scale::Automatic, false),
        (0.3, Scale::Logarithmic, true),
        (0.2, Scale::Linear, false),
    ] {
        let runs = [run(&[2.0, 1.0, least], false)];
        let series = [Series {
            label: "s",
            runs: &runs,
        }];
        let page = drawn(&ConvergencePicture {
            scale,
            ..search(&series)
        });
        assert!(
            page.says("0.5") && page.says("1.0") != is_log,
            "{:?}",
            page.texts
        );
    }
}

#[test]
fn the_awkward_searches_are_pictures() {
    let default = Some(("default", 0.4));
    for (values, lost, baseline, words) in [
        (&[5.0; 9][..], true, None, "no evaluation was completed"),
        (&[5.0; 9], true, default, "default: 0.400 m"),
        (&[0.3], false, None, "s: best so far"),
        (&[0.25; 20], false, None, "0.250"),
        (&[0.0; 20], false, None, "0.10"),
        (&[1e-300, 1.0, 1e12], false, None, "evaluation"),
        (&[-3.0, 2.0, 1e12], false, None, "evaluation"),
    ] {
        let runs = [run(values, lost)];
        let series = [Series {
            label: "s",
            runs: &runs,
        }];
        let page = drawn(&ConvergencePicture {
            baseline,
            ..search(&series)
        });
        page.says_all(&[words]);
    }
}

#[test]
fn searches_of_any_length_are_legible() {
    for count in [1, 40, 2000] {
        let runs = [Run {
            value_m: (0..count).map(|k| 0.2 + f64::from(k % 17)).collect(),
            lost: (0..count).map(|k| k % 5 == 3).collect(),
            designed: vec![true; 10.min(count as usize)],
            ..Run::default()
        }];
        let label = "dil-gp-per-point";
        let series = [Series { label, runs: &runs }];
        let picture = ConvergencePicture {
            y_name: "cost J [m]",
            initial: 10,
            baseline: Some(("default gains, first evaluation", 0.412)),
            band: Band::Quartiles,
            ..search(&series)
        };
        drawn(&picture);
        figure(&picture);
    }
}

#[test]
fn many_searches_get_a_panel_each_and_no_colour_twice() {
    let run = |k: u8| Run {
        value_m: (1..31).map(|n| f64::from(k) + 1.0 / f64::from(n)).collect(),
        lost: (0..30).map(|n| k == 3 && n % 4 == 1).collect(),
        ..Run::default()
    };
    let runs: Vec<[Run; 2]> = (0..13).map(|k| [run(k), run(k + 1)]).collect();
    let names: Vec<String> = (0..13).map(|k| format!("search {k}")).collect();
    let series = runs.iter().zip(&names);
    let series: Vec<Series> = series.map(|(runs, label)| Series { label, runs }).collect();
    let page = drawn(&ConvergencePicture {
        initial: 10,
        baseline: Some(("default gains", 0.4)),
        band: Band::Quartiles,
        ..search(&series)
    });
    let others = "the other searches";
    page.says_all(&["search 0", "search 12", others, "lost evaluation"]);
    // The colour of a second series.
    assert!(!page.svg.contains("#D55E00"));
}

#[test]
fn long_titles_are_cut_on_the_page_and_whole_in_the_document() {
    let title = "all about gains & gusts ".repeat(30);
    let Drawn { texts, .. } = flight(&title, 50, FlightEnd::Completed);
    assert_eq!(texts[0], title.trim());
    assert!(texts[1].starts_with("all about") && texts[2].ends_with('…'));
}

#[test]
fn control_characters_do_not_break_the_document() {
    assert!(flight("a\u{1}b\nc", 50, FlightEnd::Completed).says("a\u{fffd}b c"));
}

#[test]
fn drawn_again_the_bytes_are_the_same() {
    let draw = || {
        let search = searches(&["one", "two"], 3, 60);
        (flight("again", 500, FlightEnd::Lost), search)
    };
    let first = draw();
    assert!(first == std::thread::spawn(draw).join().unwrap());
    let (reference_m, path_m, error_m) = circle(200);
    let picture = flown(&reference_m, &path_m, &error_m);
    let folder = temp_dir::TempDir::new().unwrap();
    let files = ["a", "b"].map(|stem| plots::draw(&picture, &folder.path().join(stem)).unwrap());
    for (a, b) in files[0].iter().zip(&files[1]) {
        assert!(std::fs::read(a).unwrap() == std::fs::read(b).unwrap());
    }
}

#[test]
fn wrong_flights_are_refused() {
    let (none, here): (&[[f64; 3]], &[[f64; 3]]) = (&[], &[[0.0, 1.0, 2.0]]);
    let lost = [[0.0; 3], [0.0, f64::NAN, 2.5]];
    let finite = "expected a finite number of at most 1e12";
    for (reference, path, errors, reason) in [
        (none, here, &[0.0][..], "the reference has no values"),
        (here, none, &[], "the flown path has no values"),
        (
            here,
            here,
            &[0.0, 1.0],
            "the list of errors has 2 values for 1 of the points of the flown path",
        ),
        (
            here,
            &lost,
            &[0.0; 2],
            &format!("point 1: value 1 of the flown path is NaN: {finite}"),
        ),
        (
            &[[f64::INFINITY, 0.0, 0.0]],
            here,
            &[0.0],
            &format!("point 0: value 0 of the reference is inf: {finite}"),
        ),
        (
            here,
            here,
            &[-0.5],
            "value 0 of the list of errors is -0.5: expected a distance",
        ),
        (
            here,
            here,
            &[f64::NAN],
            "value 0 of the list of errors is NaN: expected a distance",
        ),
        (
            here,
            &[[0.0, -2e12, 0.0]],
            &[0.0],
            &format!("point 0: value 1 of the flown path is -2e12: {finite}"),
        ),
    ] {
        refused(&flown(reference, path, errors), reason);
    }
}

#[test]
fn wrong_searches_are_refused() {
    refused(&search(&[]), "the list of series has no values");
    let refused = |runs: &[Run], reason: &str| {
        let series = [Series { label: "s", runs }];
        assert_eq!(refusal(&search(&series)), reason);
    };
    let good = run(&[1.0], false);
    let with = |run: Run| [good.clone(), run];
    refused(&[], "series 0: the list of runs has no values");
    refused(
        &with(run(&[], false)),
        "run 1 of series 0: the list of evaluations has no values",
    );
    let mut short = run(&[1.0, 2.0], true);
    short.lost.pop();
    refused(
        &with(short),
        "run 1 of series 0: the list of losses has 1 values for 2 of the list of evaluations",
    );
    let finite = "expected a finite number of at most 1e12";
    refused(
        &with(run(&[1.0, f64::NEG_INFINITY], false)),
        &format!("run 1 of series 0: value 1 of the list of evaluations is -inf: {finite}"),
    );
    let mut mixed = run(&[0.0, -3.0], false);
    mixed.lost[1] = true;
    let runs = with(mixed);
    let series = [Series {
        label: "s",
        runs: &runs,
    }];
    let baseline = ConvergencePicture {
        baseline: Some(("default", f64::NAN)),
        ..search(&series)
    };
    let reason = format!("value 0 of the baseline is NaN: {finite}");
    assert_eq!(refusal(&baseline), reason);
    let logarithmic = ConvergencePicture {
        scale: Scale::Logarithmic,
        ..search(&series)
    };
    let reason = "value 0 of the list of values is 0: expected positive on a logarithmic axis";
    assert_eq!(refusal(&logarithmic), reason);
}

#[test]
fn a_folder_that_is_not_there_is_the_source_of_the_error() {
    let here = [[0.0, 1.0, 2.0]];
    let picture = flown(&here, &here, &[0.0]);
    accepted(&picture);
    let error = plots::draw(&picture, "no such folder/picture".as_ref()).unwrap_err();
    let source = std::error::Error::source(&error).unwrap();
    let source = source.downcast_ref::<std::io::Error>().unwrap();
    assert_eq!(source.kind(), std::io::ErrorKind::NotFound);
}
