//! Frames: the mixer of each beside the tables of the firmwares that know it, and how a frame is found.

use super::omac_as;
use nalgebra::Vector3;
use proptest::prelude::*;
use sim::{Airframe, FRAMES, Frame, Mixer, Rotors, Wrench};
use std::collections::BTreeSet;

/// A firmware's table of one frame.
struct Table {
    firmware: &'static str,
    frame: &'static Frame,
    /// Its name or number in the firmware.
    setting: &'static str,
    rows: Vec<Row>,
}

/// One rotor of it.
struct Row {
    angle_deg: f64,
    level: &'static str,
    /// 1 clockwise seen from above.
    spin: f64,
    /// For moments about our axes: forward, left, up.
    factors: [f64; 3],
    /// Forward and left, where the firmware has it [m].
    place_m: Option<[f64; 2]>,
}

fn tables() -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    let lines = include_str!("firmware.txt").lines();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        if let [firmware, frame, setting] = words[..] {
            tables.push(Table {
                firmware,
                frame: Frame::by_name(frame).expect(frame),
                setting,
                rows: Vec::new(),
            });
            continue;
        }
        let table = tables.last_mut().expect("a heading");
        let number = |k: usize| words[k].parse::<f64>().expect(line);
        // All turn clockwise for a positive yaw, we counterclockwise; Betaflight alone lowers the nose as we do.
        let nose = match table.firmware {
            "betaflight" => 1.0,
            _ => -1.0,
        };
        table.rows.push(Row {
            angle_deg: number(0),
            level: words[1],
            spin: if words[2] == "cw" { 1.0 } else { -1.0 },
            factors: [number(3), nose * number(4), -number(5)],
            place_m: (words.len() == 8).then(|| [number(6), -number(7)]),
        });
    }
    tables
}

impl Table {
    /// Whether its frame says that this firmware flies it so.
    fn is_named(&self) -> bool {
        let [class, of_class] = self.frame.ardupilot;
        match self.firmware {
            "ardupilot" => self.setting == format!("{class}/{of_class}"),
            "betaflight" => self.frame.betaflight == Some(self.setting),
            _ => true,
        }
    }

    /// Which row is that of each of `rotors`: on the same arm, at the same level.
    fn of(&self, rotors: &Rotors) -> Vec<&Row> {
        let row = |hub: &[f64; 3]| {
            let angle_deg = (-hub[1]).atan2(hub[0]).to_degrees();
            let level = match hub[2] {
                z if z > 0.01 => "upper",
                z if z < -0.01 => "lower",
                _ => "single",
            };
            let off = |row: &Row| (row.angle_deg - angle_deg + 540.0).rem_euclid(360.0) - 180.0;
            let mut rows = self.rows.iter();
            // The factors of a Y6 are those of other angles than its arms have.
            let found = rows.find(|row| row.level == level && off(row).abs() < 5.0);
            found.unwrap_or_else(|| panic!("{} {} {hub:?}", self.firmware, self.frame.name))
        };
        rotors.positions_m.iter().map(row).collect()
    }
}

/// The rotors of `frame` on arms of half a metre, all alike.
fn rotors_of(frame: &Frame) -> Rotors {
    frame.rotors(&Airframe::omac().rotors, 0.5, 0.1, 1.0)
}

/// What each rotor gives for a unit of each moment [N]; of a unit of thrust all must give the same.
fn mixed(rotors: &Rotors) -> Vec<[f64; 3]> {
    let mixer = Mixer::new(rotors).expect("regular");
    let give = |thrust_n: f64, moment_n_m: Vector3<f64>| {
        mixer.allocate(&Wrench {
            thrust_n,
            moment_n_m,
        })
    };
    let share = 1.0 / rotors.count() as f64;
    for given in give(1.0, Vector3::zeros()) {
        assert!((given - share).abs() < 1e-5 * share, "{given}");
    }
    let axes = [Vector3::x(), Vector3::y(), Vector3::z()].map(|axis| give(0.0, axis));
    let of_rotor = |i: usize| std::array::from_fn(|axis| axes[axis][i]);
    (0..rotors.count()).map(of_rotor).collect()
}

/// The greatest distance of one column from the other, each over its greatest entry.
fn apart(ours: &[[f64; 3]], rows: &[&Row], axis: usize) -> f64 {
    let greatest = |column: &[f64]| column.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    let ours: Vec<f64> = ours.iter().map(|factors| factors[axis]).collect();
    let theirs: Vec<f64> = rows.iter().map(|row| row.factors[axis]).collect();
    let (our_size, their_size) = (greatest(&ours), greatest(&theirs));
    let pairs = ours.iter().zip(&theirs);
    let apart: Vec<f64> = pairs.map(|(a, b)| a / our_size - b / their_size).collect();
    greatest(&apart)
}

#[test]
fn the_mixer_of_each_frame_is_in_proportion_to_the_tables_of_ardupilot_and_betaflight() {
    let mut compared = BTreeSet::new();
    for table in tables() {
        if table.firmware == "px4" || !table.is_named() {
            continue;
        }
        let rotors = rotors_of(table.frame);
        let (rows, ours) = (table.of(&rotors), mixed(&rotors));
        let what = format!("{} {}", table.firmware, table.frame.name);
        for (row, sign) in rows.iter().zip(&rotors.yaw_torque_signs) {
            assert_eq!(row.spin, *sign, "{what} at {}", row.angle_deg);
        }
        for axis in 0..3 {
            // Six digits of the tables, and hubs to a micrometre on arms of half a metre.
            let apart = apart(&ours, &rows, axis);
            assert!(apart < 1e-5, "{what}, axis {axis}: {apart:e}");
        }
        compared.insert(what);
    }
    assert_eq!(compared.len(), 8 + 5, "{compared:?}");
}

/// On PX4's own places, of which some are rounded to a centimetre: the pseudo-inverse is the same.
#[test]
fn on_the_places_that_px4_has_the_mixer_is_in_proportion_to_its_own() {
    let tables = tables();
    let theirs: Vec<&Table> = tables.iter().filter(|of| of.firmware == "px4").collect();
    assert_eq!(theirs.len(), 7, "all but the quadrotor in plus");
    for table in theirs {
        let name = table.frame.name;
        let height_m = |row: &Row| match row.level {
            "upper" => 0.05,
            "lower" => -0.05,
            _ => 0.0,
        };
        let hub = |row: &Row| {
            let [forward, left] = row.place_m.expect("PX4 has places");
            [forward, left, height_m(row)]
        };
        let rotors = Rotors {
            positions_m: table.rows.iter().map(hub).collect(),
            yaw_torque_signs: table.rows.iter().map(|row| row.spin).collect(),
            ..Airframe::omac().rotors
        };
        assert_eq!(Frame::of(&rotors).map(|frame| frame.name), Some(name));
        let rows: Vec<&Row> = table.rows.iter().collect();
        let ours = mixed(&rotors);
        for axis in 0..3 {
            // Five decimals of numbers of which the greatest is 0.7 at the least.
            let apart = apart(&ours, &rows, axis);
            assert!(apart < 1.5e-5, "{name}, axis {axis}: {apart:e}");
        }
    }
}

/// Frames of which Betaflight has a mixer, but another way round.
#[test]
fn where_betaflight_turns_its_rotors_the_other_way_no_mixer_of_it_is_named() {
    let mut other_way = BTreeSet::new();
    for table in tables() {
        if table.is_named() {
            continue;
        }
        assert_eq!(table.firmware, "betaflight");
        assert_eq!(table.frame.betaflight, None);
        let rotors = rotors_of(table.frame);
        let (rows, ours) = (table.of(&rotors), mixed(&rotors));
        let spins = rows.iter().zip(&rotors.yaw_torque_signs);
        let against = spins.filter(|(row, sign)| row.spin != **sign).count();
        // Of a Y6 only the rear pair is the other way round.
        let expected = if table.setting == "Y6" { 2 } else { rows.len() };
        assert_eq!(against, expected, "{}", table.setting);
        // 0.414178 stands for the tangent of 22.5 degrees, 0.414214, in OCTOFLATX.
        for axis in 0..2 {
            let apart = apart(&ours, &rows, axis);
            assert!(apart < 4e-5, "{}, axis {axis}: {apart:e}", table.setting);
        }
        other_way.insert(table.setting);
    }
    assert_eq!(other_way, BTreeSet::from(["HEX6", "OCTOFLATX", "Y6"]));
}

/// `rotors` counted as `order` says.
fn counted(rotors: &Rotors, order: &[usize]) -> Rotors {
    let by = |of: &[f64]| match of.is_empty() {
        true => Vec::new(),
        false => order.iter().map(|i| of[*i]).collect(),
    };
    Rotors {
        positions_m: order.iter().map(|i| rotors.positions_m[*i]).collect(),
        yaw_torque_signs: by(&rotors.yaw_torque_signs),
        thrust_factors: by(&rotors.thrust_factors),
        ..rotors.clone()
    }
}

fn found(rotors: &Rotors) -> Option<&'static str> {
    Frame::of(rotors).map(|frame| frame.name)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_frame_is_found_in_any_order_of_its_rotors_and_not_with_a_spin_or_an_arm_that_is_wrong(
        order in Just((0..8usize).collect::<Vec<usize>>()).prop_shuffle(), which in 0..8usize,
    ) {
        for frame in &FRAMES {
            let rotors = frame.rotors(&Airframe::omac().rotors, 0.3, 0.05, 0.9);
            let order: Vec<usize> = order.iter().copied().filter(|i| *i < frame.count()).collect();
            let rotors = counted(&rotors, &order);
            prop_assert_eq!(found(&rotors), Some(frame.name));
            let which = which % frame.count();
            let mut turned = rotors.clone();
            turned.yaw_torque_signs[which] *= -1.0;
            prop_assert_eq!(found(&turned), None, "{} with one spin turned", frame.name);
            if frame.name.starts_with("coaxial") {
                let mut below = rotors.clone();
                for hub in &mut below.positions_m {
                    hub[2] *= -1.0;
                }
                prop_assert_eq!(found(&below), None, "{} upside down", frame.name);
            }
            if frame.count() == 4 {
                continue;
            }
            for by_deg in [10.0f64, -10.0] {
                let (sine, cosine) = by_deg.to_radians().sin_cos();
                let mut moved = rotors.clone();
                let [x, y, z] = moved.positions_m[which];
                moved.positions_m[which] = [x * cosine - y * sine, x * sine + y * cosine, z];
                prop_assert_eq!(found(&moved), None, "{} with one arm off", frame.name);
            }
        }
    }
}

proptest! {
    #[test]
    fn whatever_a_hexacopter_is_asked_for_speeds_stay_in_range_and_roll_and_pitch_come_first(
        thrust_n in -50.0f64..500.0, x in -60.0f64..60.0, y in -60.0f64..60.0, z in -5.0f64..5.0,
    ) {
        let rotors = Rotors { min_speed_rad_s: 150.0, ..omac_as("hexa-x").rotors };
        let mixer = Mixer::new(&rotors).expect("regular");
        let moment_n_m = Vector3::new(x, y, z);
        let (speeds, saturated) = mixer.speeds(&Wrench { thrust_n, moment_n_m });
        // By hand, of rotors that are alike and pull upwards.
        let mut given = Wrench { thrust_n: 0.0, moment_n_m: Vector3::zeros() };
        for (i, speed) in speeds.into_iter().enumerate() {
            prop_assert!((150.0 - 1e-9..=1000.0 + 1e-9).contains(&speed), "{}", speed);
            let [forward, left, _] = rotors.positions_m[i];
            let lift_n = rotors.thrust_n_s2_per_rad2 * speed * speed;
            let turning_n_m = rotors.torque_n_m_s2_per_rad2 * speed * speed;
            given.thrust_n += lift_n;
            given.moment_n_m += Vector3::new(
                left * lift_n, -forward * lift_n, rotors.yaw_torque_signs[i] * turning_n_m,
            );
        }
        // Regular arms of 0.42 m: a rotor's share of a tilt is its arm along it over half the sum of their squares.
        let tilt_n = rotors.positions_m.iter().map(|[forward, left, _]| {
            (x * left - y * forward) / (3.0 * 0.42 * 0.42)
        });
        let greatest_n = tilt_n.map(f64::abs).fold(0.0, f64::max);
        let range_n = rotors.thrust_n_s2_per_rad2 * (1000.0f64.powi(2) - 150.0f64.powi(2));
        let error = (given.moment_n_m - moment_n_m).xy().norm();
        if 2.0 * greatest_n < 0.9999 * range_n {
            prop_assert!(error < 1e-6, "{}", error);
        } else {
            let kept = given.moment_n_m.xy().dot(&moment_n_m.xy());
            prop_assert!(kept > 0.0, "less of the same tilt");
        }
        prop_assert!(given.moment_n_m.z * z >= -1e-6, "yaw is never reversed");
        if !saturated {
            prop_assert!((given.moment_n_m.z - z).abs() < 1e-9);
            prop_assert!((given.thrust_n - thrust_n).abs() < 1e-9 * 500.0);
        }
    }
}
