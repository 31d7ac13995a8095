//! Interval pictures: that they say what they must, that a failure squashes nothing, that they are
//! the same again, and what is refused.

use crate::drawing::{accepted, drawn, figure, refused};
use plots::{Estimate, IntervalPanel, IntervalsPicture};

/// Means of an estimate with the first mark, and of one that cannot be distinguished from the reference.
const BLUE: [&str; 2] = ["r=\"75\"", "fill=\"#0072B2\""];
const GREY: [&str; 2] = ["r=\"75\"", "fill=\"#8C8C8F\""];

const fn around(mean: f64, half: f64) -> Option<Estimate> {
    let (low, high) = (mean - half, mean + half);
    Some(Estimate { mean, low, high })
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
    [around(0.28, 0.01), None],
    [around(0.33, 0.012), around(0.29, 0.01)],
    [around(2.0, 0.1), None],
    [None; 2],
];

#[test]
fn intervals_name_what_they_show_and_a_failure_squashes_nothing() {
    let panel = IntervalPanel {
        estimates: &ESTIMATES,
        references: &[around(0.35, 0.01)],
    };
    let picture = drawn(&intervals(&[panel]));
    picture.says_all(&[
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
    ]);
    // On the panel and in the legend: the first mean is blue, the second overlaps the default.
    let (blue, grey) = (picture.discs(&BLUE), picture.discs(&GREY));
    assert_eq!((blue.len(), grey.len()), (2, 2));
    assert!(grey[0][0] - blue[0][0] > 2500.0, "{blue:?} {grey:?}");
    assert!(grey[0][1] > blue[0][1]);
    let again = drawn(&intervals(&[panel]));
    assert!(picture == again);
}

#[test]
fn an_interval_beyond_both_ends_points_both_ways() {
    let arrows = |half: f64| {
        let mut estimates = ESTIMATES;
        estimates[2][0] = around(2.0, half);
        let panel = IntervalPanel {
            estimates: &estimates,
            references: &[around(0.35, 0.01)],
        };
        let picture = drawn(&intervals(&[panel]));
        picture.svg.matches("<polygon").count()
    };
    assert_eq!(arrows(7.0), arrows(0.1) + 1);
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
    let picture = drawn(&picture);
    assert_eq!(picture.discs(&GREY).len(), 0);
    assert_eq!(picture.discs(&BLUE).len(), 3);
    for word in ["beyond", "overlaps"] {
        let message = picture.svg.lines().find(|line| line.contains(word));
        assert_eq!(message, None);
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
    let picture = drawn(&picture);
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
        let picture = drawn(&picture);
        assert!(picture.height > 1500 && picture.svg.len() < 1_000_000);
        assert_eq!(picture.discs(&BLUE).len(), 12 * 20 + 1);
    }
}

#[test]
fn wrong_intervals_are_refused() {
    let reference = [around(0.35, 0.01)];
    let good = [IntervalPanel {
        estimates: &ESTIMATES,
        references: &reference,
    }];
    let picture = intervals(&good);
    accepted(&picture);
    let with = |change: &dyn Fn(&mut IntervalsPicture), reason: &str| {
        let mut changed = picture;
        change(&mut changed);
        refused(&changed, reason);
    };
    with(
        &|p| p.columns = &["a"; 5],
        "5 columns were given: expected 1 to 4",
    );
    with(&|p| p.rows = &[], "0 rows were given: expected 1 to 3");
    with(
        &|p| p.methods = &["a"; 21],
        "21 methods were given: expected 1 to 20",
    );
    with(
        &|p| p.references = &["a"; 3],
        "3 references were given: expected 1 to 2",
    );
    let judge = "value 0 of the reference to judge against is 1: expected the index of a reference";
    with(&|p| p.judged_against = Some(1), judge);
    let panels = "the list of panels has 0 values for 1 of the rows times columns";
    with(&|p| p.panels = &[], panels);
    let inside = |estimates: &[[Option<Estimate>; 2]], reason: &str| {
        let panel = IntervalPanel {
            estimates,
            references: &reference,
        };
        refused(&intervals(&[panel]), reason);
    };
    inside(&[[None; 2]; 4], "the list of estimates has no values");
    let part = "row 0, column 0 of the grid:";
    let count = "the list of estimates has 2 values for 4 of the methods";
    inside(&ESTIMATES[..2], &format!("{part} {count}"));
    let mut wrong = ESTIMATES;
    wrong[1][1] = around(f64::NAN, 0.1);
    let value = "estimate 1: value 0 of the mean and interval is NaN: expected a finite number of \
                 at most 1e12";
    inside(&wrong, &format!("{part} {value}"));
    wrong[1][1] = around(0.5, -0.25);
    let ends =
        "value 1 of the upper end of the interval is 0.25: expected no less than the lower end";
    inside(&wrong, &format!("{part} {ends}"));
}

#[test]
fn intervals_of_any_number_are_legible() {
    let name = |k: usize| format!("method {k} {}", "of a long name ".repeat(k % 4));
    let methods: Vec<String> = (0..20).map(name).collect();
    let methods: Vec<&str> = methods.iter().map(String::as_str).collect();
    let headings = [
        "hover",
        "a trajectory with a name that is far too long",
        "c",
        "d",
    ];
    // Near, far, missing, uncertain.
    let one = |number: usize| match number % 11 {
        3 => around(2.0, 0.004),
        5 => None,
        7 => around(0.364, 0.8),
        near => around(0.28 + 0.012 * near as f64, 0.004),
    };
    let references = [around(9.5, 0.0), around(11.5, 0.0)];
    for (columns, rows, count) in [(1, 1, 1), (2, 2, 6), (4, 2, 14), (4, 3, 20), (1, 3, 20)] {
        let of_panel = |panel: usize| -> Vec<[Option<Estimate>; 2]> {
            let pair = |k: usize| [0, 1].map(|mark| one(7 * k + 3 * mark + 5 * panel));
            (0..count).map(pair).collect()
        };
        let estimates: Vec<_> = (0..columns * rows).map(of_panel).collect();
        let panels = estimates.iter().map(|estimates| IntervalPanel {
            estimates,
            references: &references,
        });
        let panels: Vec<IntervalPanel> = panels.collect();
        let picture = IntervalsPicture {
            columns: &headings[..columns],
            rows: &headings[..rows],
            methods: &methods[..count],
            references: &["default gains", "floor"],
            ..intervals(&panels)
        };
        drawn(&picture);
        if panels.len() == 1 {
            figure(&picture);
        }
    }
}
