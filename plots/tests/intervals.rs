//! Interval pictures: that they say what they must, that a failure squashes nothing, that they are
//! the same again, and what is refused.

use crate::drawing::{NOWHERE, drawn};
use plots::{Estimate, IntervalPanel, IntervalsPicture};
use std::path::Path;

const BLUE: &str = "#0072B2";
const GREY: &str = "#8C8C8F";

fn around(mean: f64, half: f64) -> Option<Estimate> {
    Some(Estimate {
        mean,
        low: mean - half,
        high: mean + half,
    })
}

/// Four methods, of which the third failed and the fourth is missing, against the default gains.
fn intervals<'a>(panels: &'a [IntervalPanel<'a>]) -> IntervalsPicture<'a> {
    IntervalsPicture {
        title: "gust <5 m/s> & σ",
        x_name: "ACE [m]",
        columns: &["fig8"],
        rows: &["steady wind"],
        methods: &["DIL-GP", "CMA-ES, 110 flights", "failed", "missing"],
        marks: ["recommended", "observed"],
        references: &["default gains"],
        judged_against: Some(0),
        colours: [0, 1],
        panels,
        held: &[],
    }
}

const ESTIMATES: [[Option<Estimate>; 2]; 4] = [
    [
        Some(Estimate {
            mean: 0.28,
            low: 0.27,
            high: 0.29,
        }),
        None,
    ],
    [
        Some(Estimate {
            mean: 0.33,
            low: 0.32,
            high: 0.345,
        }),
        Some(Estimate {
            mean: 0.29,
            low: 0.28,
            high: 0.30,
        }),
    ],
    [
        Some(Estimate {
            mean: 2.0,
            low: 1.9,
            high: 2.1,
        }),
        None,
    ],
    [None; 2],
];

#[test]
fn intervals_name_what_they_show_and_a_failure_squashes_nothing() {
    let panel = IntervalPanel {
        estimates: &ESTIMATES,
        references: &[around(0.35, 0.01)],
    };
    let picture = drawn(|stem| plots::draw(&intervals(&[panel]), stem));
    for words in [
        "ACE [m]",
        "fig8",
        "steady wind",
        "DIL-GP",
        "failed",
        "recommended",
        "observed",
        "default gains",
        "no estimate",
        "2.00",
        "interval overlaps “default gains”",
    ] {
        assert!(picture.says(words), "{words}");
    }
    // On the panel and in the legend: the first mean is blue, the second overlaps the default.
    let (blue, grey) = (picture.discs(BLUE, 75), picture.discs(GREY, 75));
    assert_eq!((blue.len(), grey.len()), (2, 2));
    assert!(grey[0][0] - blue[0][0] > 2500.0, "{blue:?} {grey:?}");
    assert!(grey[0][1] > blue[0][1]);
    let again = drawn(|stem| plots::draw(&intervals(&[panel]), stem));
    assert!(picture.svg == again.svg && picture.pixels == again.pixels);
}

#[test]
fn nothing_is_grey_without_a_judge_and_nothing_points_where_all_is_near() {
    let panel = IntervalPanel {
        estimates: &ESTIMATES[..2],
        references: &[around(0.35, 0.01)],
    };
    let mut picture = intervals(std::slice::from_ref(&panel));
    picture.methods = &["a", "b"];
    picture.judged_against = None;
    let picture = drawn(|stem| plots::draw(&picture, stem));
    assert_eq!(picture.discs(GREY, 75).len(), 0);
    assert_eq!(picture.discs(BLUE, 75).len(), 3);
    for word in ["beyond", "overlaps"] {
        let said = picture.svg.lines().find(|line| line.contains(word));
        assert_eq!(said, None);
    }
}

#[test]
fn the_heading_of_a_row_is_whole_beside_short_names() {
    let panel = IntervalPanel {
        estimates: &ESTIMATES[..2],
        references: &[None],
    };
    let mut picture = intervals(std::slice::from_ref(&panel));
    picture.methods = &["a", "b"];
    let picture = drawn(|stem| plots::draw(&picture, stem));
    assert!(picture.says("steady wind"));
}

#[test]
fn awkward_intervals_are_pictures() {
    for mean in [0.0, 1e12, -1e-300, 0.3] {
        let estimates = [[around(mean, 0.0), None]; 20];
        let panel = IntervalPanel {
            estimates: &estimates,
            references: &[None],
        };
        let panels = [panel; 12];
        let picture = IntervalsPicture {
            columns: &["a"; 4],
            rows: &["b"; 3],
            methods: &["c"; 20],
            ..intervals(&panels)
        };
        let picture = drawn(|stem| plots::draw(&picture, stem));
        assert!(picture.height > 1500 && picture.svg.len() < 1_000_000);
        assert_eq!(picture.discs(BLUE, 75).len(), 12 * 20 + 1);
    }
}

#[test]
fn wrong_intervals_are_refused() {
    let said = |picture: &IntervalsPicture| {
        let error = plots::draw(picture, Path::new(NOWHERE)).unwrap_err();
        let source = std::error::Error::source(&error).map(ToString::to_string);
        (error.to_string(), source.unwrap_or_default())
    };
    let reference = [around(0.35, 0.01)];
    fn of<'a>(
        estimates: &'a [[Option<Estimate>; 2]],
        references: &'a [Option<Estimate>],
    ) -> IntervalPanel<'a> {
        IntervalPanel {
            estimates,
            references,
        }
    }
    let good = [of(&ESTIMATES, &reference)];
    let picture = intervals(&good);
    let refused = |picture: IntervalsPicture, message: &str| assert_eq!(said(&picture).0, message);
    refused(
        IntervalsPicture {
            columns: &["a"; 5],
            ..picture
        },
        "5 columns were given: expected 1 to 4",
    );
    refused(
        IntervalsPicture {
            rows: &[],
            ..picture
        },
        "0 rows were given: expected 1 to 3",
    );
    refused(
        IntervalsPicture {
            methods: &["a"; 21],
            ..picture
        },
        "21 methods were given: expected 1 to 20",
    );
    refused(
        IntervalsPicture {
            references: &["a"; 3],
            ..picture
        },
        "3 references were given: expected 1 to 2",
    );
    refused(
        IntervalsPicture {
            judged_against: Some(1),
            ..picture
        },
        "value 0 of the reference to judge against is 1: expected the index of a reference",
    );
    refused(
        IntervalsPicture {
            panels: &[],
            ..picture
        },
        "the list of panels has 0 values for 1 of the rows times columns",
    );
    refused(picture, &format!("cannot write {NOWHERE}.svg"));
    let none = [[None; 2]; 4];
    refused(
        intervals(&[of(&none, &reference)]),
        "the list of estimates has no values",
    );
    let inside = |estimates: &[[Option<Estimate>; 2]], message: &str| {
        let (outer, inner) = said(&intervals(&[of(estimates, &reference)]));
        assert_eq!(outer, format!("row 0, column 0 of the grid: {message}"));
        assert_eq!(inner, message);
    };
    inside(
        &ESTIMATES[..2],
        "the list of estimates has 2 values for 4 of the methods",
    );
    let mut wrong = ESTIMATES;
    wrong[1][1] = around(f64::NAN, 0.1);
    inside(
        &wrong,
        "NaN cannot be drawn: numbers must be finite and at most 1e12 in magnitude",
    );
    wrong[1][1] = around(0.5, -0.25);
    inside(
        &wrong,
        "value 1 of the upper end of the interval is 0.25: expected no less than the lower end",
    );
}
