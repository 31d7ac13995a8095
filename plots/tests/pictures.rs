//! The files that are written: that they are whole, say what they must, and are the same again.

use crate::markup::texts_of_well_formed;
use plots::{Band, ConvergencePicture, FlightEnd, FlightPicture, Run, Scale, Series};
use std::collections::HashSet;
use std::path::Path;

struct Page {
    bytes: Vec<u8>,
}

impl Page {
    fn read(path: &Path) -> Self {
        let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut bytes).unwrap();
        assert_eq!((frame.width, frame.height), (1500, 1000));
        assert_eq!(
            (frame.color_type, frame.bit_depth),
            (png::ColorType::Rgb, png::BitDepth::Eight)
        );
        let dims = reader.info().pixel_dims.expect("a resolution");
        assert_eq!(
            (dims.xppu, dims.yppu, dims.unit),
            (7874, 7874, png::Unit::Meter)
        );
        assert_eq!(bytes.len(), 3 * 1500 * 1000);
        Self { bytes }
    }

    fn pixels(&self) -> impl Iterator<Item = [u8; 3]> {
        self.bytes
            .chunks_exact(3)
            .map(|pixel| [pixel[0], pixel[1], pixel[2]])
    }

    /// Part of the page that is not white.
    fn ink(&self) -> f64 {
        self.pixels().filter(|pixel| *pixel != [255; 3]).count() as f64 / 1.5e6
    }

    fn colours(&self) -> usize {
        self.pixels().collect::<HashSet<_>>().len()
    }

    fn count(&self, wanted: [u8; 3]) -> usize {
        self.pixels().filter(|pixel| *pixel == wanted).count()
    }

    fn border_is_white(&self) -> bool {
        let white = |x: usize, y: usize| self.bytes[3 * (1500 * y + x)..][..3] == [255; 3];
        (0..1500).all(|x| (0..10).all(|y| white(x, y) && white(x, 999 - y)))
            && (0..1000).all(|y| (0..10).all(|x| white(x, y) && white(1499 - x, y)))
    }
}

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

fn flight_files(title: &str, points: usize, end: FlightEnd) -> (String, Page) {
    let folder = tempfile::tempdir().unwrap();
    let (reference_m, path_m, error_m) = circle(points);
    let picture = FlightPicture {
        title,
        reference_m: &reference_m,
        path_m: &path_m,
        error_m: &error_m,
        end,
    };
    let [svg, png] = plots::draw(&picture, &folder.path().join("flight")).unwrap();
    assert_eq!(svg, folder.path().join("flight.svg"));
    assert_eq!(png, folder.path().join("flight.png"));
    (std::fs::read_to_string(svg).unwrap(), Page::read(&png))
}

#[test]
fn a_flight_names_its_axes_units_and_marks() {
    let (svg, page) = flight_files("gust <5 m/s> & σ", 400, FlightEnd::Completed);
    let texts = texts_of_well_formed(&svg);
    for wanted in [
        "x [m]",
        "y [m]",
        "z [m]",
        "distance from the reference [m]",
        "reference",
    ] {
        assert!(
            texts.iter().any(|text| text == wanted),
            "{wanted} in {texts:?}"
        );
    }
    // Once drawn and once as the title of the document.
    assert_eq!(
        texts
            .iter()
            .filter(|text| *text == "gust <5 m/s> & σ")
            .count(),
        2
    );
    assert!(texts.iter().any(|text| text == "end") && !texts.iter().any(|text| text == "lost"));
    assert!(svg.contains("sans-serif") && svg.starts_with("<svg width=\"1500\" height=\"1000\""));
    assert!((0.15..0.6).contains(&page.ink()), "{}", page.ink());
    assert!(page.colours() > 500, "{}", page.colours());
    assert!(page.border_is_white());
}

#[test]
fn a_path_takes_the_colours_of_its_errors() {
    let (_, page) = flight_files("colours", 2000, FlightEnd::Completed);
    let [blue, red] = [[112, 204, 246], [96, 0, 36]];
    assert!(page.count(blue) > 20 && page.count(red) > 20);
    // A path without error is blue throughout; the bar is all that remains of the red.
    let folder = tempfile::tempdir().unwrap();
    let (reference_m, ..) = circle(2000);
    let picture = FlightPicture {
        title: "exact",
        reference_m: &reference_m,
        path_m: &reference_m,
        error_m: &vec![0.0; 2000],
        end: FlightEnd::Completed,
    };
    let [_, png] = plots::draw(&picture, &folder.path().join("exact")).unwrap();
    assert!(Page::read(&png).count(blue) > 5 * page.count(blue));
}

#[test]
fn a_loss_is_marked_and_named() {
    let (svg, page) = flight_files("lost", 300, FlightEnd::Lost);
    let texts = texts_of_well_formed(&svg);
    // The title twice, and the legend.
    assert_eq!(texts.iter().filter(|text| *text == "lost").count(), 3);
    assert!(!texts.iter().any(|text| text == "end"));
    assert!(page.border_is_white());
}

#[test]
fn a_path_that_goes_far_leaves_the_frame_and_says_where_to() {
    let folder = tempfile::tempdir().unwrap();
    let (reference_m, mut path_m, mut error_m) = circle(300);
    path_m.push([1e9, -2.0, 3.0]);
    error_m.push(1e9);
    let picture = FlightPicture {
        title: "far away",
        reference_m: &reference_m,
        path_m: &path_m,
        error_m: &error_m,
        end: FlightEnd::Lost,
    };
    let [svg, png] = plots::draw(&picture, &folder.path().join("far")).unwrap();
    let texts = texts_of_well_formed(&std::fs::read_to_string(svg).unwrap());
    let note = "The path leaves the frame; it is lost at (1000000000.0, −2.0, 3.0) m, \
                1000000000.0 m from the reference.";
    assert!(texts.iter().any(|text| text == note), "{texts:?}");
    assert!(texts.iter().any(|text| text == "leaves the frame"));
    // The mark of the loss is outside, so the legend has none.
    assert!(!texts.iter().any(|text| text == "lost"));
    assert!(Page::read(&png).border_is_white());
}

#[test]
fn one_point_is_a_picture() {
    let (svg, page) = flight_files("one point", 1, FlightEnd::Completed);
    let texts = texts_of_well_formed(&svg);
    assert!(texts.iter().any(|text| text == "1.50") && texts.iter().any(|text| text == "1.52"));
    assert!(page.ink() > 0.1);
}

fn run(seed: u64, evaluations: usize) -> Run {
    let noise = |index: u64| ((seed * 131 + index * 7919) % 101) as f64 / 101.0;
    let indices = 0..evaluations as u64;
    Run {
        value_m: indices
            .clone()
            .map(|i| 0.2 + 4.0 * noise(i) / (1.0 + i as f64))
            .collect(),
        lost: indices.map(|i| (seed + i).is_multiple_of(5)).collect(),
        ..Run::default()
    }
}

fn search_files(labels: &[&str], seeds: u64, evaluations: usize, scale: Scale) -> (String, Page) {
    let folder = tempfile::tempdir().unwrap();
    let runs: Vec<Vec<Run>> = (0..labels.len() as u64)
        .map(|method| {
            (0..seeds)
                .map(|seed| run(17 * method + seed, evaluations))
                .collect()
        })
        .collect();
    let series: Vec<Series> = labels
        .iter()
        .zip(&runs)
        .map(|(label, runs)| Series { label, runs })
        .collect();
    let picture = ConvergencePicture {
        title: "search",
        y_name: "average control error (ACE) [m]",
        first: 1,
        series: &series,
        initial: 10,
        baseline: Some(("default & co", 0.5)),
        band: Band::Quartiles,
        scale,
    };
    let [svg, png] = plots::draw(&picture, &folder.path().join("s-2.5")).unwrap();
    assert_eq!(svg, folder.path().join("s-2.5.svg"));
    (std::fs::read_to_string(svg).unwrap(), Page::read(&png))
}

#[test]
fn a_search_names_its_axes_units_and_series() {
    let (svg, page) = search_files(&["a<b", "R&D \"x\""], 3, 40, Scale::Automatic);
    let texts = texts_of_well_formed(&svg);
    for wanted in [
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
    ] {
        assert!(
            texts.iter().any(|text| text == wanted),
            "{wanted} in {texts:?}"
        );
    }
    assert!((0.02..0.3).contains(&page.ink()), "{}", page.ink());
    assert!(page.colours() > 100 && page.border_is_white());
}

#[test]
fn six_series_have_six_colours_and_stay_off_the_legend() {
    let labels = ["one", "two", "three", "four", "five", "six"];
    let (svg, page) = search_files(&labels, 5, 110, Scale::Automatic);
    texts_of_well_formed(&svg);
    for colour in [
        [0, 114, 178],
        [213, 94, 0],
        [0, 158, 115],
        [190, 90, 150],
        [230, 159, 0],
        [86, 180, 233],
    ] {
        assert!(
            page.count(colour) > 300,
            "{colour:?}: {}",
            page.count(colour)
        );
    }
    // Dots and crosses, drawn within the frame, all lie left of every legend label.
    let attribute = |line: &str, name: &str| -> f64 {
        let from = line.find(&format!(" {name}=\"")).unwrap() + name.len() + 3;
        line[from..].split('"').next().unwrap().parse().unwrap()
    };
    let lines: Vec<&str> = svg.lines().collect();
    let at = lines.iter().position(|line| *line == "three").unwrap();
    let label_x = attribute(lines[at - 1], "x");
    let rightmost = lines
        .iter()
        .filter(|line| line.starts_with("<circle") && line.contains("opacity=\"0.13\""))
        .map(|line| attribute(line, "cx"))
        .fold(0.0, f64::max);
    assert!(
        rightmost > 0.0 && rightmost + 300.0 < label_x,
        "{rightmost} {label_x}"
    );
}

#[test]
fn the_scale_can_be_chosen_and_else_follows_the_ratio() {
    let folder = tempfile::tempdir().unwrap();
    let labels = |least: f64, scale| {
        let runs = [Run {
            value_m: vec![2.0, 1.0, least],
            lost: vec![false; 3],
            ..Run::default()
        }];
        let series = [Series {
            label: "s",
            runs: &runs,
        }];
        let picture = ConvergencePicture {
            title: "scale",
            y_name: "average control error (ACE) [m]",
            first: 1,
            series: &series,
            initial: 0,
            baseline: None,
            band: Band::Range,
            scale,
        };
        let [svg, _] = plots::draw(&picture, &folder.path().join("s")).unwrap();
        texts_of_well_formed(&std::fs::read_to_string(svg).unwrap())
    };
    // 1 2 5 on a logarithmic axis, equal steps with equal decimals on a linear one.
    let is_log = |texts: Vec<String>| {
        let has = |label: &str| texts.iter().any(|text| text == label);
        assert!(has("0.5"), "{texts:?}");
        !has("1.0")
    };
    assert!(is_log(labels(0.2, Scale::Automatic)) && !is_log(labels(0.3, Scale::Automatic)));
    assert!(is_log(labels(0.3, Scale::Logarithmic)) && !is_log(labels(0.2, Scale::Linear)));
}

#[test]
fn the_awkward_searches_are_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let draw = |name: &str, values: &[f64], lost: bool, baseline| {
        let runs = [Run {
            value_m: values.to_vec(),
            lost: vec![lost; values.len()],
            ..Run::default()
        }];
        let series = [Series {
            label: "s",
            runs: &runs,
        }];
        let picture = ConvergencePicture {
            title: name,
            y_name: "average control error (ACE) [m]",
            first: 1,
            series: &series,
            initial: 0,
            baseline,
            band: Band::Range,
            scale: Scale::Automatic,
        };
        let [svg, png] = plots::draw(&picture, &folder.path().join(name)).unwrap();
        assert!(Page::read(&png).border_is_white(), "{name}");
        texts_of_well_formed(&std::fs::read_to_string(svg).unwrap())
    };
    let says = |texts: &[String], words: &str| texts.iter().any(|text| text == words);
    assert!(says(
        &draw("lost", &[5.0; 9], true, None),
        "no evaluation was completed"
    ));
    let default = Some(("default", 0.4));
    assert!(says(
        &draw("lost-default", &[5.0; 9], true, default),
        "default: 0.400 m"
    ));
    assert!(says(&draw("one", &[0.3], false, None), "s: best so far"));
    assert!(says(&draw("equal", &[0.25; 20], false, None), "0.250"));
    assert!(says(&draw("zero", &[0.0; 20], false, None), "0.10"));
    draw("wide", &[1e-300, 1.0, 1e12], false, None);
    draw("negative", &[-3.0, 2.0, 1e12], false, None);
}

#[test]
fn long_titles_are_cut_on_the_page_and_whole_in_the_document() {
    let title = "all about gains & gusts ".repeat(30);
    let (svg, page) = flight_files(&title, 50, FlightEnd::Completed);
    let texts = texts_of_well_formed(&svg);
    assert_eq!(texts[0], title.trim());
    assert!(texts[1].starts_with("all about") && texts[2].ends_with('…'));
    assert!(page.border_is_white());
}

#[test]
fn control_characters_do_not_break_the_document() {
    let (svg, _) = flight_files("a\u{1}b\nc", 50, FlightEnd::Completed);
    assert!(
        texts_of_well_formed(&svg)
            .iter()
            .any(|text| text == "a\u{fffd}b c")
    );
}

#[test]
fn drawn_again_the_bytes_are_the_same() {
    let draw = || {
        let (svg, page) = flight_files("again", 500, FlightEnd::Lost);
        let (search, plot) = search_files(&["one", "two"], 3, 60, Scale::Automatic);
        (svg, page.bytes, search, plot.bytes)
    };
    let first = draw();
    let second = std::thread::spawn(draw).join().unwrap();
    assert!(first == second);
    let folder = tempfile::tempdir().unwrap();
    let (reference_m, path_m, error_m) = circle(200);
    let picture = FlightPicture {
        title: "again",
        reference_m: &reference_m,
        path_m: &path_m,
        error_m: &error_m,
        end: FlightEnd::Completed,
    };
    let files = ["a", "b"].map(|stem| plots::draw(&picture, &folder.path().join(stem)).unwrap());
    for (a, b) in files[0].iter().zip(&files[1]) {
        assert!(std::fs::read(a).unwrap() == std::fs::read(b).unwrap());
    }
}
