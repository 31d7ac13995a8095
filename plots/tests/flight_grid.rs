//! Grids of flights: that they say what they must, that a lost flight does not hide the others, that
//! they stay small, and what is refused.

use crate::drawing::{Drawn, accepted, drawn, figure, refused};
use plots::{FlightGridPicture, FlightResult, GridColumn, GridFlight};

/// A straight reference, and a path that leaves it evenly, up to `largest` metres.
fn straight(points: usize, largest: f64) -> (Vec<[f64; 3]>, Vec<[f64; 3]>, Vec<f64>) {
    let part = |k: usize| k as f64 / (points - 1).max(1) as f64;
    let place = |k: usize, up: f64| [5.0 * part(k), (9.0 * part(k)).sin(), 1.0 + up];
    (
        (0..points).map(|k| place(k, 0.0)).collect(),
        (0..points).map(|k| place(k, largest * part(k))).collect(),
        (0..points).map(|k| largest * part(k)).collect(),
    )
}

fn grid(largest: &[f64], columns: usize, result: impl Fn(usize) -> Option<FlightResult>) -> Drawn {
    let rows = largest.len();
    let curves: Vec<_> = largest.iter().map(|&most| straight(2000, most)).collect();
    let flights: Vec<Option<GridFlight>> = (0..rows * columns)
        .map(|k| {
            let (_, path_m, error_m) = &curves[k / columns];
            result(k).map(|result| GridFlight {
                path_m,
                error_m,
                result,
            })
        })
        .collect();
    let column = GridColumn {
        label: "fig8",
        reference_m: &curves[0].0,
    };
    drawn(&FlightGridPicture {
        title: "flights",
        rows: &vec!["GP <b>"; rows],
        columns: &vec![column; columns],
        flights: &flights,
    })
}

const DONE: Option<FlightResult> = Some(FlightResult::Completed { ace_m: 0.1234 });

#[test]
fn a_grid_of_flights_says_the_outcome_of_each() {
    let results = [DONE, None, Some(FlightResult::Lost { at_s: 7.34 }), DONE];
    let picture = grid(&[0.2, 0.4], 2, |k| results[k]);
    picture.says_all(&[
        "fig8",
        "GP <b>",
        "ACE 0.123 m",
        "lost at 7.3 s",
        "no flight",
        "distance from the reference [m]",
        "reference",
        "flown path",
        "lost",
        "grid of 0.5 m",
        "x",
    ]);
    assert!(!picture.says("leaves the frame"));
    assert!(picture.count([112, 204, 246]) > 20);
}

#[test]
fn a_lost_flight_does_not_set_the_scale_of_colours() {
    let lost = Some(FlightResult::Lost { at_s: 3.0 });
    let alone = grid(&[0.2], 1, |_| DONE);
    let both = grid(&[0.2, 400.0], 1, |k| [DONE, lost][k]);
    for picture in [&alone, &both] {
        // Of evenly growing distances the scale holds 99 in 100, or all if nothing is further.
        assert!(picture.says("0.15") && !picture.says("0.25"));
    }
    assert!(both.says("leaves the frame") && !alone.says("leaves the frame"));
}

#[test]
fn the_largest_grid_stays_small() {
    let picture = grid(&[0.3; 16], 4, |_| DONE);
    assert!(picture.svg.len() < 2_000_000, "{}", picture.svg.len());
    assert!((3000..3800).contains(&picture.height));
    let one = grid(&[0.0], 1, |_| DONE);
    assert!(one.height <= 1000);
}

#[test]
fn the_rows_of_one_trajectory_stand_side_by_side() {
    let page = grid(&[0.3; 13], 1, |_| DONE);
    assert!(page.height < 1400, "{}", page.height);
    assert_eq!(page.times("GP <b>"), 13);
    assert_eq!(page.times("fig8"), 1);
}

#[test]
fn wrong_grids_are_refused() {
    let (reference_m, path_m, error_m) = straight(5, 0.1);
    let flight = GridFlight {
        path_m: &path_m,
        error_m: &error_m,
        result: FlightResult::Completed { ace_m: 0.1 },
    };
    let column = GridColumn {
        label: "fig8",
        reference_m: &reference_m,
    };
    let picture = FlightGridPicture {
        title: "t",
        rows: &["row"; 2],
        columns: &[column],
        flights: &[None, Some(flight)],
    };
    accepted(&picture);
    let of = |rows: &[&str], columns: &[GridColumn], reason: &str| {
        let outer = FlightGridPicture {
            title: "t",
            rows,
            columns,
            flights: &[None],
        };
        refused(&outer, reason);
    };
    of(&[], &[column], "0 rows were given: expected 1 to 16");
    of(
        &["row"; 17],
        &[column],
        "17 rows were given: expected 1 to 16",
    );
    of(
        &["row"],
        &[column; 5],
        "5 columns were given: expected 1 to 4",
    );
    let count = "the list of flights has 1 values for 2 of the rows times columns";
    of(&["row"; 2], &[column], count);
    let empty = GridColumn {
        label: "",
        reference_m: &[],
    };
    let none = "row 0, column 0 of the grid: the reference has no values";
    of(&["row"], &[empty], none);
    let inner = |change: &dyn Fn(&mut GridFlight), reason: &str| {
        let mut changed = flight;
        change(&mut changed);
        let inner = FlightGridPicture {
            flights: &[None, Some(changed)],
            ..picture
        };
        refused(&inner, &format!("row 1, column 0 of the grid: {reason}"));
    };
    let count = "the list of errors has 4 values for 5 of the points of the flown path";
    inner(&|f| f.error_m = &f.error_m[..4], count);
    inner(&|f| f.path_m = &[], "the flown path has no values");
    let lost = "value 0 of the time of the loss is NaN: expected from 0 to 1e12";
    inner(&|f| f.result = FlightResult::Lost { at_s: f64::NAN }, lost);
    let ace = "value 0 of the average control error is -1: expected from 0 to 1e12";
    inner(&|f| f.result = FlightResult::Completed { ace_m: -1.0 }, ace);
}

#[test]
fn grids_of_any_size_are_legible() {
    let (reference_m, _, error_m) = straight(200, 0.6);
    let labels = [
        "hover",
        "a trajectory with a name that is far too long",
        "an_unbroken_name_that_is_far_too_long_for_any_column",
        "d",
    ];
    let results = [
        Some(FlightResult::Completed { ace_m: 0.3 }),
        Some(FlightResult::Lost { at_s: 1234.5 }),
        Some(FlightResult::Completed { ace_m: 1e9 }),
        None,
    ];
    let flight = |k: usize| {
        let flight = |result| GridFlight {
            path_m: &reference_m,
            error_m: &error_m,
            result,
        };
        results[k % 4].map(flight)
    };
    for (rows, columns) in [(1, 1), (3, 1), (2, 2), (6, 3), (10, 4), (10, 1)] {
        let column = |label| GridColumn {
            label,
            reference_m: &reference_m,
        };
        figure(&FlightGridPicture {
            title: "flights",
            rows: &(0..rows).map(|k| labels[k % 4]).collect::<Vec<_>>(),
            columns: &labels.map(column)[..columns],
            flights: &(0..rows * columns).map(flight).collect::<Vec<_>>(),
        });
    }
}
