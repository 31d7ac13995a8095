//! Flights through points: that they pass them, are smooth, and say what is wrong with a list.

// Helpers of an integration test are not inside a test function, where unwrap is allowed.
use nalgebra::Vector3;
use proptest::prelude::*;
use std::f64::consts::{PI, TAU};
use trajectories::waypoints::MOST_POINTS;
use trajectories::{Trajectory, WaypointError, Waypoints};

#[derive(Debug, Clone, Copy)]
struct Waypoint {
    t_s: f64,
    position_m: Vector3<f64>,
    yaw_rad: f64,
}

/// The flight through `points`, each written on a line of its own.
fn through(points: &[Waypoint]) -> Result<Waypoints, WaypointError> {
    let line = |point: &Waypoint| {
        let [x, y, z] = point.position_m.into();
        format!("{},{x},{y},{z},{}\n", point.t_s, point.yaw_rad)
    };
    Waypoints::from_csv("mine", &points.iter().map(line).collect::<String>())
}

fn point(t_s: f64, position: [f64; 3], yaw_rad: f64) -> Waypoint {
    Waypoint {
        t_s,
        position_m: Vector3::from(position),
        yaw_rad,
    }
}

fn square() -> Vec<Waypoint> {
    let corners = [[0.0, 0.0], [3.0, 0.0], [3.0, 3.0], [0.0, 3.0], [0.0, 0.0]];
    let at =
        |(k, [x, y]): (usize, [f64; 2])| point(2.0 * k as f64, [x, y, 1.0], 0.5 * PI * k as f64);
    corners.into_iter().enumerate().map(at).collect()
}

prop_compose! {
    fn any_points()(steps in prop::collection::vec(
        (-2.0f64..2.0, -5.0f64..5.0, -5.0f64..5.0, -5.0f64..5.0, -10.0f64..10.0), 2..40
    )) -> Vec<Waypoint> {
        let mut t_s = 0.0;
        steps.into_iter().map(|(decade, x, y, z, yaw)| {
            let now = t_s;
            t_s += 10_f64.powf(0.5 * decade);
            point(now, [x, y, z], yaw)
        }).collect()
    }
}

/// The largest position, velocity and acceleration on a fine grid, at least 1 each.
fn sizes(flight: &Waypoints) -> [f64; 3] {
    (0..=20_000).fold([1.0; 3], |most: [f64; 3], k| {
        let here = flight.at(flight.duration_s() * f64::from(k) / 20_000.0);
        [
            most[0].max(here.position_m.norm()),
            most[1].max(here.velocity_m_s.norm()),
            most[2].max(here.acceleration_m_s2.norm()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Intervals from 0.1 s to 10 s.
    #[test]
    fn any_flight_passes_its_points_and_is_smooth(points in any_points()) {
        let flight = through(&points).unwrap();
        let [far, fast, hard] = sizes(&flight);
        for waypoint in &points {
            let t = waypoint.t_s;
            prop_assert!((flight.at(t).position_m - waypoint.position_m).norm() < 1e-9);
            let turn = (flight.at(t).yaw_rad - waypoint.yaw_rad) / TAU;
            prop_assert!((turn - turn.round()).abs() < 1e-9);
            // 1e-9 s to either side: a jump would stay, the rest shrinks with the distance.
            let [before, after] = [flight.at(t - 1e-9), flight.at(t + 1e-9)];
            prop_assert!((after.position_m - before.position_m).norm() < 1e-7 * far.max(fast));
            prop_assert!((after.velocity_m_s - before.velocity_m_s).norm() < 1e-7 * fast.max(hard));
            let jump = after.acceleration_m_s2 - before.acceleration_m_s2;
            prop_assert!(jump.norm() < 1e-6 * hard, "{jump} at {t}");
        }
    }

    #[test]
    fn derivatives_belong_to_the_positions(points in any_points(), part in 0.01f64..0.99) {
        let flight = through(&points).unwrap();
        let [far, fast, hard] = sizes(&flight);
        let (t, h) = (part * flight.duration_s(), 1e-4);
        let [before, here, after] = [t - h, t, t + h].map(|t| flight.at(t));
        let velocity = (after.position_m - before.position_m) / (2.0 * h);
        let acceleration = (after.velocity_m_s - before.velocity_m_s) / (2.0 * h);
        prop_assert!((velocity - here.velocity_m_s).norm() < 1e-5 * (far + fast + hard));
        prop_assert!((acceleration - here.acceleration_m_s2).norm() < 1e-4 * (fast + hard));
    }

    /// From a millisecond to an hour side by side, a kilometre apart: a flight or a refusal.
    #[test]
    fn however_uneven_the_times_the_numbers_stay_finite(
        steps in prop::collection::vec((-3.0f64..3.5, -1e3f64..1e3), 2..20)
    ) {
        let mut t_s = 0.0;
        let points = steps.into_iter().map(|(decade, x)| {
            t_s += 10_f64.powf(decade);
            point(t_s, [x, 0.0, 0.0], 0.0)
        });
        if let Ok(flight) = through(&points.collect::<Vec<_>>()) {
            for k in 0..=1000 {
                let here = flight.at(flight.duration_s() * f64::from(k) / 1000.0);
                prop_assert!(here.position_m.norm() < 2e6);
                prop_assert!(here.acceleration_m_s2.norm().is_finite());
            }
        }
    }

    /// Whatever the text, an answer and no panic.
    #[test]
    fn any_text_is_answered(text in "[0-9a-z,.#\\-\n ]{0,200}") {
        let _ = Waypoints::from_csv("mine", &text);
    }
}

#[test]
fn it_waits_before_the_first_time_and_holds_after_the_last() {
    let mut points = square();
    for point in &mut points {
        point.t_s += 1.5;
    }
    let flight = through(&points).unwrap();
    assert_eq!((flight.name(), flight.duration_s()), ("mine", 9.5));
    for (t, yaw) in [(0.0, 0.0), (1.5, 0.0), (9.5, TAU), (1e6, TAU)] {
        let here = flight.at(t);
        assert_eq!(here.position_m, Vector3::new(0.0, 0.0, 1.0), "{t}");
        assert_eq!(
            here.velocity_m_s.norm() + here.acceleration_m_s2.norm(),
            0.0
        );
        assert!((here.yaw_rad - yaw).abs() < 1e-12);
    }
    // Rest is reached smoothly, not by a jump.
    assert!(flight.at(9.5 - 1e-3).velocity_m_s.norm() < 1e-5);
}

#[test]
fn a_straight_line_at_equal_speeds_stays_straight_and_cruises() {
    let step = Vector3::new(1.0, -2.0, 0.5);
    let points: Vec<_> = (0..41)
        .map(|k| point(f64::from(k), (step * f64::from(k)).into(), 0.3))
        .collect();
    let flight = through(&points).unwrap();
    for k in 0..=400 {
        let here = flight.at(0.1 * f64::from(k));
        assert!(here.position_m.cross(&step).norm() < 1e-10);
        assert!((here.yaw_rad - 0.3).abs() < 1e-12);
    }
    // Far from both ends the rest there is forgotten: constant speed.
    let middle = flight.at(20.3);
    assert!((middle.velocity_m_s - step).norm() < 1e-3);
    assert!(middle.acceleration_m_s2.norm() < 1e-3);
}

#[test]
fn the_heading_turns_as_it_is_written_and_the_shorter_way_over_a_seam() {
    let at = |t, yaw| point(t, [t, 0.0, 0.0], yaw);
    let short = TAU - 6.0;
    let turns = [
        (3.0, -3.0, short),
        (-3.0, 3.0, -short),
        (0.0, 1.0, 1.0),
        (0.0, -1.0, -1.0),
        (0.0, -PI, -PI),
        (0.0, PI, PI),
        (0.0, TAU, TAU),
        (0.0, 4.71, 4.71),
        (4.71, 0.0, -4.71),
        (1.0, 1.0 + 3.0 * TAU, 3.0 * TAU),
    ];
    for (from, to, turn) in turns {
        let flight = through(&[at(0.0, from), at(4.0, to)]).unwrap();
        assert!((flight.at(4.0).yaw_rad - (from + turn)).abs() < 1e-12);
        for k in 0..=40 {
            // Part of the turn made so far; two points make it without overshoot.
            let made = flight.at(0.1 * f64::from(k)).yaw_rad - from;
            assert!(made * turn >= -1e-12 && made.abs() <= turn.abs() + 1e-12);
        }
    }
}

#[test]
fn a_logged_heading_crosses_its_seam_and_says_so() {
    let log = "t,x,y,z,yaw\n0,0,0,0,2.9\n1,1,0,0,3.1\n2,2,0,0,-3.0\n3,3,0,0,-2.8\n4,4,0,0,3.1\n";
    let flight = Waypoints::from_csv("log", log).unwrap();
    assert!((flight.at(2.0).yaw_rad - (TAU - 3.0)).abs() < 1e-12);
    assert!((flight.at(4.0).yaw_rad - 3.1).abs() < 1e-12);
    let [remark] = flight.remarks() else {
        panic!("{:?}", flight.remarks());
    };
    assert_eq!(
        remark.to_string(),
        "the heading steps by -6.100 rad at line 4, and 0.183 rad, the shorter way, is flown there (steps of that kind: 2)"
    );
    // From 0 to a turn, as other logs have it: the step back is faster than half a turn a second.
    let quick = "0,0,0,0,6.1\n0.5,1,0,0,0.1\n";
    let flight = Waypoints::from_csv("log", quick).unwrap();
    assert!((flight.at(0.5).yaw_rad - (TAU + 0.1)).abs() < 1e-12);
    assert_eq!(flight.remarks().len(), 1);
    let slow = Waypoints::from_csv("turn", "0,0,0,0,6.1\n9,1,0,0,0.1\n").unwrap();
    assert!((slow.at(9.0).yaw_rad - 0.1).abs() < 1e-12);
    assert_eq!(slow.remarks(), []);
}

#[test]
fn a_hold_holds_and_a_heading_does_not_swing() {
    let hold = "0,0,0,0\n2,0,0,0\n4,10,0,0\n6,10,0,0\n8,10,0,0\n";
    let flight = Waypoints::from_csv("hold", hold).unwrap();
    for k in 0..=800 {
        let t = 0.01 * f64::from(k);
        let here = flight.at(t);
        let x = here.position_m.x;
        assert!((-1e-9..=10.0 + 1e-9).contains(&x), "{x} at {t}");
        let still = (t <= 2.0 && x == 0.0) || (t >= 4.0 && x == 10.0);
        assert!(still || (2.0..4.0).contains(&t), "{x} at {t}");
        if t <= 2.0 || t >= 4.0 {
            assert_eq!(here.velocity_m_s.norm(), 0.0, "{t}");
        }
    }
    assert_eq!(flight.remarks(), []);
    let yaw = "0,0,0,0,0\n4,0,0,0,1.92\n20,0,0,0,1.92\n";
    let flight = Waypoints::from_csv("yaw", yaw).unwrap();
    let yaws = (0..=2000).map(|k| flight.at(0.01 * f64::from(k)).yaw_rad);
    assert!(yaws.fold(0.0, f64::max) <= 1.92 + 1e-9);
}

#[test]
fn a_curve_that_swings_says_how_far_and_where() {
    let uneven = "t,x,y,z\n0,0,0,0\n10,1,0,0\n10.5,2,0,0\n20,3,0,0\n";
    let flight = Waypoints::from_csv("uneven", uneven).unwrap();
    let remarks: Vec<String> = flight.remarks().iter().map(ToString::to_string).collect();
    let [said] = &remarks[..] else {
        panic!("{remarks:?}");
    };
    assert!(
        said.starts_with("on the way to line 3 the smoothest"),
        "{said}"
    );
    assert_eq!(through(&square()).unwrap().remarks(), []);
}

#[test]
fn uneven_times_are_met_to_rounding() {
    // From a millisecond to an hour side by side, at points that a slow vehicle could pass.
    let times = [0.0, 3600.0, 3600.001, 3600.002, 3610.0, 7200.0];
    let points: Vec<_> = times
        .iter()
        .map(|&t| point(t, [1e-3 * t, 0.0, 2.0], 0.0))
        .collect();
    let flight = through(&points).unwrap();
    for waypoint in points {
        let before = flight.at(waypoint.t_s - 1e-10).position_m;
        assert_eq!(flight.at(waypoint.t_s).position_m, waypoint.position_m);
        assert!((before - waypoint.position_m).norm() < 1e-9, "{waypoint:?}");
    }
}

#[test]
fn a_list_of_the_longest_length_is_flown() {
    let points: Vec<_> = (0..MOST_POINTS)
        .map(|k| {
            let t = 0.5 * k as f64;
            point(t, [t.sin(), t.cos(), 0.1 * (3.0 * t).sin()], t % TAU)
        })
        .collect();
    let flight = through(&points).unwrap();
    let here = flight.at(2000.25);
    // The heading was given within one turn and has counted them.
    assert!((here.yaw_rad - 2000.25).abs() < 1e-3);
    // A spline of degree 7 misses a sine sampled 12 times a period by less than 1e-3.
    assert!((here.position_m.x - 2000.25_f64.sin()).abs() < 1e-3);
    assert!((here.velocity_m_s.x - 2000.25_f64.cos()).abs() < 1e-2);
}

#[test]
fn a_csv_file_is_read_with_and_without_header_yaw_and_comments() {
    let bare = "0,0,0,0\n2,1,0,0.5\n4,2,1,0\n";
    let dressed = "\u{feff}# my flight\r\nT, X ,y,z,yaw\r\n\r\n0,0,0,0,0\r\n 2 , 1,0,5e-1,0 # up\r\n4,2,1,0,0";
    let [one, other] = [bare, dressed].map(|text| Waypoints::from_csv("mine", text).unwrap());
    assert_eq!(one, other);
    let listed = [
        point(0.0, [0.0; 3], 0.0),
        point(2.0, [1.0, 0.0, 0.5], 0.0),
        point(4.0, [2.0, 1.0, 0.0], 0.0),
    ];
    assert_eq!(one, through(&listed).unwrap());
    for waypoint in listed {
        assert_eq!(one.at(waypoint.t_s).position_m, waypoint.position_m);
    }
}

#[test]
fn every_bad_file_is_answered_with_line_column_and_what_was_expected() {
    let many = "0,0,0,0\n".repeat(MOST_POINTS + 1);
    let cases = [
        (
            "",
            "there are no waypoints: expected at least 2 lines of t,x,y,z[,yaw] in s, m, rad",
        ),
        (
            "t,x,y,z\n# none\n",
            "there are no waypoints: expected at least 2 lines of t,x,y,z[,yaw] in s, m, rad",
        ),
        (
            "#\n0,1,2,3\n",
            "line 2 holds the only waypoint: expected at least 2",
        ),
        (
            many.as_str(),
            "there are too many waypoints: expected at most 10000",
        ),
        (
            "time,x,y,z\n",
            "line 1: the header is `time,x,y,z`: expected t,x,y,z or t,x,y,z,yaw",
        ),
        (
            "0,1,2\n",
            "line 1 has 3 columns: expected t,x,y,z or t,x,y,z,yaw",
        ),
        (
            "t;x;y;z\n0;1;2;3\n",
            "line 1 has semicolons between its numbers: expected commas, t,x,y,z or t,x,y,z,yaw, and points for decimals",
        ),
        (
            "0,1,2,3\n1\t1\t2\t3\n",
            "line 2 has tabulators between its numbers: expected commas, 4 (t,x,y,z), as before, and points for decimals",
        ),
        (
            "0,1,2,3\n1,1,2,3,0\n",
            "line 2 has 5 columns: expected 4 (t,x,y,z), as before",
        ),
        (
            "t,x,y,z,yaw\n1,1,2,3\n",
            "line 2 has 4 columns: expected 5 (t,x,y,z,yaw), as before",
        ),
        (
            "0,0,0,0\n1,2,up,4\n",
            "line 2, column y: `up` is not a number: expected a coordinate in m",
        ),
        (
            "0,0,0,0\n,2,0,4\n",
            "line 2, column t: `` is not a number: expected a time in s",
        ),
        (
            "0,0,0,0,0\n1,2,0,4,nan\n",
            "line 2, column yaw: NaN is out of range: expected an angle in rad from -1000 to 1000",
        ),
        (
            "0,0,0,0\nnan,0,0,0\n",
            "line 2, column t: NaN is out of range: expected a time in s from 0 to 86400",
        ),
        (
            "0,0,0,0\n1,1e400,0,4\n",
            "line 2, column x: inf is out of range: expected a coordinate in m from -100000 to 100000",
        ),
        (
            "0,0,0,0\n1,0,0,2e5\n",
            "line 2, column z: 200000 is out of range: expected a coordinate in m from -100000 to 100000",
        ),
        (
            "-1,0,0,0\n1,0,0,2\n",
            "line 1, column t: -1 is out of range: expected a time in s from 0 to 86400",
        ),
        (
            "0,0,0,0,0\n1,0,0,2,2000\n",
            "line 2, column yaw: 2000 is out of range: expected an angle in rad from -1000 to 1000",
        ),
        (
            "0,0,0,0\n\n2,0,0,1\n2,0,0,2\n",
            "line 4, column t: 2 s follows 2 s: expected ascending times at least 0.001 s apart",
        ),
        (
            "0,0,0,0\n2,0,0,1\n1,0,0,2\n",
            "line 3, column t: 1 s follows 2 s: expected ascending times at least 0.001 s apart",
        ),
    ];
    for (text, message) in cases {
        let error = Waypoints::from_csv("mine", text).expect_err(message);
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn a_swing_too_far_is_answered_with_its_line() {
    let jump = "0,0,0,0\n10,1,0,0\n10.001,50000,0,0\n20,50001,0,0\n";
    assert_eq!(
        Waypoints::from_csv("mine", jump).unwrap_err().to_string(),
        "on the way to line 2 the smoothest curve swings out to 9.2e7 m: expected times that suit the distances"
    );
}
