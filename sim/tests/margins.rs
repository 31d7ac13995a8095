//! Margins: the linear vehicle against hand-made transfer functions, another program's figures and
//! flights of the nonlinear vehicle.

use crate::program::{sim, stderr, stdout, temporary, words};
use nalgebra::{Complex, Vector3};
use serde_json::Value;
use sim::margins::{LOOPS, Linearised, Loop};
use sim::{
    Airframe, CONTROL_PERIOD_S, Gains, Law, SensorNoise, Setup, Start, Steady, Uncertainty,
    VerticalLoop, fly,
};
use trajectories::{Reference, Trajectory};

/// Hover, but for a millimetre and half a degree after half a second.
struct Nudged;

impl Trajectory for Nudged {
    fn name(&self) -> &str {
        "nudged"
    }
    fn duration_s(&self) -> f64 {
        30.0
    }
    fn at(&self, t_s: f64) -> Reference {
        let moved = f64::from(u8::from(t_s >= 0.5));
        Reference {
            position_m: Vector3::new(1e-4, -1e-4, 1e-4) * moved,
            velocity_m_s: Vector3::zeros(),
            acceleration_m_s2: Vector3::zeros(),
            yaw_rad: 1e-3 * moved,
        }
    }
}

/// Motion that a nudge of a tenth of a millimetre leaves nowhere near after 20 s unless it grew until
/// the rotors' limits held it [rad/s and m/s²].
const GROWN: f64 = 1e-2;

/// What a slow drift back to the reference, which oscillates nowhere, may leave of it.
const DRIFT: f64 = 3e-6;

/// The air in which a vehicle is looked at: where it has a side force, which grows with a root of the
/// air speed, not still air, about which it is not linear at all.
fn wind(airframe: &Airframe) -> Vector3<f64> {
    let blows = f64::from(u8::from(airframe.side_force.is_some()));
    Vector3::new(3.0, 0.0, 1.0) * blows
}

/// The seed of all flights, and so of the vehicle that is drawn.
const DRAWN: u64 = 6;

/// Whether what the nudge set moving dies away: it is smaller in the last third of the flight than
/// in the second.
fn dies_away(airframe: &Airframe, gains: &Gains, delay_periods: u32) -> bool {
    let mut air = Steady(wind(airframe));
    let mut setup = Setup::new(airframe.clone());
    setup.uncertain = airframe.uncertainty != Uncertainty::default();
    if setup.uncertain {
        // The fall of a vehicle that is heavier than its autopilot takes it for is no small disturbance.
        setup.start = Start::Equilibrium;
    }
    setup.sensors = SensorNoise {
        delay_periods,
        ..SensorNoise::NONE
    };
    setup.record_every = 7;
    let flight = fly(&setup, &Nudged, gains, &mut air, DRAWN);
    if !flight.completed() {
        return false;
    }
    let motion = |from: f64, to: f64| {
        let pairs = flight.samples.windows(2);
        let within: Vec<f64> = pairs
            .filter(|pair| (from..to).contains(&pair[0].time_s))
            .map(|pair| {
                let faster = pair[1].state.velocity_m_s - pair[0].state.velocity_m_s;
                let period_s = pair[1].time_s - pair[0].time_s;
                pair[0].state.rates_rad_s.norm_squared() + (faster / period_s).norm_squared()
            })
            .collect();
        (within.iter().sum::<f64>() / within.len() as f64).sqrt()
    };
    let late = motion(20.0, 30.0);
    late < DRIFT || late < 0.95 * motion(10.0, 20.0) && late < GROWN
}

/// `gains` with those of one loop about both tilt axes, or across, or up, times `factor`.
fn scaled(gains: &Gains, which: Loop, axis: usize, factor: f64) -> Gains {
    let mut scaled = *gains;
    let pid = match axis {
        2 => &mut scaled.position_z,
        _ => &mut scaled.position_xy,
    };
    match which {
        Loop::Position => {
            pid.kp *= factor;
            pid.ki *= factor;
            pid.kd *= factor;
        }
        Loop::Velocity => pid.kd *= factor,
        // Its gains are the law's.
        Loop::Thrust => {}
        Loop::Attitude => scaled.attitude_kp[axis] *= factor,
        Loop::Rate => {
            scaled.rate_kp[axis] *= factor;
            scaled.rate_ki[axis] *= factor;
            scaled.rate_kd[axis] *= factor;
        }
    }
    scaled
}

/// How far the gain factor at which a loop begins to oscillate in flight may be from that of its margin.
const OFF: f64 = 0.07;

/// Compares the gain factor at which every loop of a shipped vehicle begins to oscillate in flight with
/// that of its margin: it settles on one side, as near as [`OFF`], and does not on the other.
fn compare_gain_margins(name: &str) {
    let airframe = Airframe {
        uncertainty: Uncertainty::default(),
        ..Airframe::by_name(name).expect("shipped")
    };
    compare_gain_margins_of(&airframe, 0, 0.01);
}

/// The same of any vehicle, whose sensors may be late and whose mass may be another than its autopilot takes it for, for
/// factors above `least`.
fn compare_gain_margins_of(airframe: &Airframe, delay_periods: u32, least: f64) {
    let mut compared = 0;
    let name = &airframe.name;
    let wind = wind(airframe);
    let drawn = airframe.drawn_with_this_thrust(DRAWN);
    let linear = Linearised::hover(&drawn, &airframe.gains, delay_periods, wind);
    let linear = linear.taken_for(airframe.mass_kg / drawn.mass_kg);
    assert!(linear.mode().is_stable(), "{name}: {:?}", linear.mode());
    // x and y are alike, and one factor moves both.
    for (which, axis) in LOOPS.into_iter().flat_map(|l| [(l, 0), (l, 2)]) {
        let margins = linear.margins(which, axis);
        // What oscillates once in a minute is not told from what stands still in half of one.
        // Nor is the onset of a wind, in which weak loops swing far, a small disturbance.
        let down = margins
            .gain_down
            .filter(|k| *k > least && wind.norm() == 0.0);
        for factor in margins.gain_up.into_iter().chain(down) {
            let gains = |k: f64| scaled(&airframe.gains, which, axis, k);
            // What is fed forward goes out with the rest of the torque.
            let vehicle = |k: f64| {
                let mut vehicle = airframe.clone();
                let law = vehicle.controller.law.as_mut();
                match (which, law) {
                    (Loop::Rate, Some(law)) => {
                        law.rate_feedforward[axis] *= k;
                        law.rate_feedforward_derivative[axis] *= k;
                    }
                    (Loop::Thrust, Some(law)) => {
                        if let Some(vertical) = &mut law.vertical {
                            (vertical.kp, vertical.ki) = (k * vertical.kp, k * vertical.ki);
                        }
                    }
                    _ => {}
                }
                vehicle
            };
            let settles = |k: f64| dies_away(&vehicle(k), &gains(k), delay_periods);
            let factors = [0.8, 1.0 - OFF, 1.0 + OFF, 1.25].map(|of| of * factor);
            let rises = factor > 1.0;
            assert_eq!(
                factors.map(settles),
                [rises, rises, !rises, !rises],
                "{name} {which:?} {axis}: {factor}"
            );
            compared += 1;
        }
    }
    assert!(compared >= 7, "{compared}");
}

#[test]
fn omac_stops_settling_at_the_gain_factors_of_its_margins() {
    compare_gain_margins("omac");
}

#[test]
fn crazyflie_stops_settling_at_the_gain_factors_of_its_margins() {
    compare_gain_margins("crazyflie");
}

#[test]
fn hummingbird_stops_settling_at_the_gain_factors_of_its_margins() {
    compare_gain_margins("hummingbird");
}

/// All measurements come late alike: the loops that everything goes through decide.
/// `hummingbird` with all that an autopilot's law may hold.
fn with_a_law() -> Airframe {
    let mut airframe = Airframe::by_name("hummingbird").expect("shipped");
    airframe.uncertainty = Uncertainty::default();
    airframe.rotors.rotor_inertia_kg_m2 = 5e-6;
    airframe.gains.rate_kp[2] = 0.03;
    airframe.controller.law = Some(Law {
        rate_setpoint_filter_hz: [20.0, 20.0, 5.0],
        rate_feedforward: [0.05, 0.05, 0.02],
        rate_feedforward_derivative: [1e-3, 1e-3, 0.0],
        torque_filter_hz: [40.0, 0.0, 2.5],
        vertical: Some(VerticalLoop {
            kp: 1.2,
            ki: 2.4,
            filter_hz: 20.0,
            thrust_filter_hz: 2.0,
            integral_limit_m_s2: 20.0,
        }),
        ..Law::default()
    });
    airframe
}

#[test]
fn a_vehicle_with_a_law_stops_settling_at_the_gain_factors_of_its_margins() {
    compare_gain_margins_of(&with_a_law(), 0, 0.1);
}

#[test]
fn a_vehicle_with_a_law_and_late_sensors_stops_settling_at_the_gain_factors_of_its_margins() {
    compare_gain_margins_of(&with_a_law(), 6, 0.1);
}

#[test]
fn a_vehicle_lighter_than_its_autopilot_takes_it_for_stops_settling_at_the_gain_factors_of_its_margins()
 {
    let plain = Airframe::by_name("hummingbird").expect("shipped");
    for mut airframe in [plain, with_a_law()] {
        airframe.uncertainty = Uncertainty {
            mass_rel: 0.4,
            thrust_rel: 0.2,
            ..Uncertainty::default()
        };
        let drawn = airframe.drawn_with_this_thrust(DRAWN);
        let over = airframe.mass_kg / drawn.mass_kg;
        assert!(over > 1.5, "{over}");
        compare_gain_margins_of(&airframe, 0, 0.3);
    }
}

/// Yaw of a 5-inch with rate gains of .0654 N m per rad/s and .8872 N m per rad, attitude P 3 1/s, and
/// motors of 25 ms: the phase margin of (P + I/s)(1 + 3/s)/(J s)/(1 + .025 s) is 18.8 degrees at
/// 17.5 rad/s; rotors of 3e-6 kg m² lead by 1 + J_r s/(2 c n).
#[test]
fn the_rotors_inertia_gives_yaw_its_zero() {
    let mut airframe = Airframe::by_name("hummingbird").expect("shipped");
    (airframe.mass_kg, airframe.rotor_drag, airframe.body_drag) = (0.65, None, None);
    airframe.inertia_kg_m2 = [[2.6e-3, 0.0, 0.0], [0.0, 2.6e-3, 0.0], [0.0, 0.0, 4.4e-3]];
    let rotors = &mut airframe.rotors;
    (rotors.thrust_n_s2_per_rad2, rotors.torque_n_m_s2_per_rad2) = (1.6e-6, 2.2e-8);
    (rotors.lag_s, rotors.max_speed_rad_s) = (0.025, 3_500.0);
    let gains = &mut airframe.gains;
    (gains.rate_kp[2], gains.rate_ki[2], gains.rate_kd[2]) = (0.0654, 0.8872, 0.0);
    gains.attitude_kp[2] = 3.0;
    let phase_deg = |inertia: f64| {
        let mut vehicle = airframe.clone();
        vehicle.rotors.rotor_inertia_kg_m2 = inertia;
        let linear = Linearised::hover(&vehicle, &vehicle.gains, 0, Vector3::zeros());
        let margins = linear.margins(Loop::Rate, 2);
        margins.phase_rad.expect("it crosses").to_degrees()
    };
    // The sampled loop is half a period later than the continuous one: a degree at 17 rad/s.
    let (without, with) = (phase_deg(0.0), phase_deg(3e-6));
    assert!((without - 18.8).abs() < 1.0, "{without}");
    assert!((with - 87.0).abs() < 3.0, "{with}");
}

#[test]
fn the_delay_margin_is_the_delay_at_which_a_nudged_vehicle_stops_settling() {
    for name in sim::AIRFRAME_NAMES {
        let airframe = Airframe::by_name(name).expect("shipped");
        let linear = Linearised::hover(&airframe, &airframe.gains, 0, wind(&airframe));
        let loops = [
            (Loop::Rate, 0),
            (Loop::Rate, 1),
            (Loop::Rate, 2),
            (Loop::Position, 2),
        ];
        let delays = loops.map(|(l, k)| linear.margins(l, k).delay_s.unwrap_or(f64::INFINITY));
        let least = delays.into_iter().fold(f64::INFINITY, f64::min);
        let periods = least / CONTROL_PERIOD_S;
        let first = (1..400).find(|d| !dies_away(&airframe, &airframe.gains, *d));
        let first = f64::from(first.expect("some delay"));
        println!("{name}: margin {periods:.3} ms, flown {first} ms");
        // The flown delay is a whole number of periods.
        assert!(
            first >= 0.9 * periods && first - 1.0 <= 1.1 * periods,
            "{name}: {periods} {first}"
        );
    }
}

/// A vehicle whose rate loop is P alone, all others open: C G with G the held, lagging double
/// integrator over J, whose z-transform is known.
#[test]
fn the_rate_loop_is_the_z_transform_of_a_lag_and_an_integrator() {
    for name in sim::AIRFRAME_NAMES {
        let mut airframe = Airframe::by_name(name).expect("shipped");
        (airframe.side_force, airframe.rotor_drag, airframe.body_drag) = (None, None, None);
        airframe.rotors.rotor_inertia_kg_m2 = 0.0;
        let mut gains = airframe.gains;
        for pid in [&mut gains.position_xy, &mut gains.position_z] {
            (pid.kp, pid.ki, pid.kd) = (0.0, 0.0, 0.0);
        }
        gains.attitude_kp = [0.0; 3];
        let linear = Linearised::hover(&airframe, &gains, 3, Vector3::zeros());
        let (t, lag, filter) = (
            1e-3f64,
            airframe.rotors.lag_s,
            airframe.controller.rate_filter_s,
        );
        let left = (-t / lag).exp();
        for axis in 0..3 {
            let inertia = airframe.inertia_kg_m2[axis][axis];
            for frequency in [0.3, 4.0, 70.0, 900.0, 3000.0] {
                let z = Complex::from_polar(1.0, frequency * t);
                let one = Complex::from(1.0);
                // 1 / (s (τ s + 1)) held: T / (z - 1) - τ (1 - e) / (z - e).
                let plant = (t / (z - one) - lag * (1.0 - left) / (z - left)) / inertia;
                let integral = t * gains.rate_ki[axis] / (one - z.inv());
                let kept = (-t / filter).exp();
                let slope = (one - z.inv()) * (1.0 - kept) / (one - z.inv() * kept) / t;
                let by_hand = (integral + slope * gains.rate_kd[axis] + gains.rate_kp[axis])
                    * plant
                    * z.powi(-3);
                let found = linear.response(Loop::Rate, axis, frequency);
                let off = (found - by_hand).norm() / by_hand.norm();
                assert!(
                    off < 1e-9 || (found - by_hand).norm() < 1e-12,
                    "{name} {axis} {frequency}: {off}"
                );
            }
        }
    }
}

/// With inner loops too fast to matter height is a held double integrator: the position loop's
/// transfer function is known in closed form, aliases and all.
#[test]
fn the_height_loop_is_the_z_transform_of_a_double_integrator() {
    let mut airframe = Airframe::omac();
    (airframe.side_force, airframe.rotor_drag, airframe.body_drag) = (None, None, None);
    let pid = airframe.gains.position_z;
    let lag = airframe.rotors.lag_s;
    let linear = Linearised::hover(&airframe, &airframe.gains, 0, wind(&airframe));
    let t = 0.02f64;
    let left = (-t / lag).exp();
    for frequency in [0.1, 1.0, 6.0, 40.0, 150.0] {
        let z = Complex::from_polar(1.0, frequency * t);
        let one = Complex::from(1.0);
        // Velocity 1 / (s (τ s + 1)); position one more 1 / s, whose parts are 1/s² - τ/s + τ²/(τ s + 1).
        let velocity = t / (z - one) - lag * (1.0 - left) / (z - left);
        let position = t * t * (z + one) / (2.0 * (z - one) * (z - one)) - lag * t / (z - one)
            + lag * lag * (1.0 - left) / (z - left);
        let on_position = t * pid.ki / (one - z.inv()) + pid.kp;
        let by_hand = on_position * position + velocity * pid.kd;
        let found = linear.response(Loop::Position, 2, frequency);
        assert!(
            (found - by_hand).norm() < 1e-9 * by_hand.norm(),
            "{frequency}: {found} {by_hand}"
        );
        let alone = velocity * pid.kd / (one + on_position * position);
        let found = linear.response(Loop::Velocity, 2, frequency);
        assert!(
            (found - alone).norm() < 1e-9 * (1.0 + alone.norm()),
            "{frequency}: {found} {alone}"
        );
    }
}

/// What the eigenvalues call stable settles, and what they call unstable does not.
#[test]
fn the_dominant_mode_grows_beyond_the_margin_with_the_frequency_of_the_crossing() {
    let airframe = Airframe::by_name("hummingbird").expect("shipped");
    let linear = Linearised::hover(&airframe, &airframe.gains, 0, wind(&airframe));
    for which in [Loop::Rate, Loop::Attitude, Loop::Position] {
        let margins = linear.margins(which, 0);
        let (Some(factor), Some(at)) = (margins.gain_up, margins.gain_up_rad_s) else {
            panic!("{which:?}: {margins:?}");
        };
        let mode = |k: f64| {
            let mut gains = scaled(&airframe.gains, which, 0, k);
            gains.attitude_kp[1] = gains.attitude_kp[0];
            Linearised::hover(&airframe, &gains, 0, wind(&airframe)).mode()
        };
        let (calm, wild) = (mode(0.99 * factor), mode(1.01 * factor));
        assert!(
            calm.is_stable() && !wild.is_stable(),
            "{which:?}: {calm:?} {wild:?}"
        );
        let hertz = at / std::f64::consts::TAU;
        assert!(
            (wild.frequency_hz / hertz - 1.0).abs() < 0.05,
            "{which:?}: {wild:?} {hertz}"
        );
    }
}

#[test]
fn the_command_prints_the_margins_of_every_loop_and_keeps_the_pictures() {
    let folder = temporary();
    let args = "margins --airframe hummingbird --traj hover --format json --out made";
    let output = sim(folder.path(), &args.split(' ').collect::<Vec<_>>());
    assert!(output.status.success(), "{}", stderr(&output));
    let printed: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(printed["schema"], "windhover-margins/1");
    assert_eq!(printed["hover"]["stable"], true);
    let rows = printed["hover"]["loops"].as_array().expect("a list");
    assert_eq!(rows.len(), 12);
    let airframe = Airframe::by_name("hummingbird").expect("shipped");
    let linear = Linearised::hover(&airframe, &airframe.gains, 0, Vector3::x() * 3.0);
    let all = LOOPS
        .into_iter()
        .flat_map(|l| [0, 1, 2].map(|axis| (l, axis)))
        .filter(|(which, axis)| linear.has(*which, *axis));
    for (row, (which, axis)) in rows.iter().zip(all) {
        let margins = linear.margins(which, axis);
        assert_eq!(row["loop"], which.name());
        assert_eq!(row["axis"], ["x", "y", "z"][axis]);
        assert_eq!(row["gain_up"].as_f64(), margins.gain_up, "{row}");
        assert_eq!(
            row["phase_deg"].as_f64(),
            margins.phase_rad.map(f64::to_degrees)
        );
        assert_eq!(row["disk"].as_f64(), Some(margins.disk));
    }
    assert_eq!(printed["along"]["trajectory"], "hover");
    let late = sim(
        folder.path(),
        &words("margins --autopilot crazyflie --airframe hummingbird --format json"),
    );
    let late: Value = serde_json::from_str(&stdout(&late)).expect("JSON");
    assert_eq!(late["delay_periods"], 6);
    let linear = Linearised::hover(&airframe, &airframe.gains, 6, Vector3::x() * 3.0);
    assert_eq!(late["hover"]["stable"], linear.mode().is_stable());
    for file in ["inner-loops.svg", "outer-loops.png", "made.json"] {
        assert!(folder.path().join("made").join(file).is_file(), "{file}");
    }
}

#[test]
fn the_command_ends_on_one_line_where_it_cannot_and_with_1_where_the_vehicle_is_not_stable() {
    let folder = temporary();
    let here = folder.path();
    std::fs::write(here.join("bad.toml"), "position_xy = 3\n").expect("writable");
    for (args, code, said) in [
        ("--airframe omak", 2, "did you mean `omac`?"),
        ("--gains gone.toml", 66, "error: cannot read gone.toml: "),
        (
            "--gains bad.toml",
            65,
            "error: bad.toml: the gains cannot be read: ",
        ),
        ("--traj fig9", 2, "fig8"),
        (
            "--wind 31",
            2,
            "error: --wind is 31; it must be at most 30 m/s",
        ),
        ("--wnid 3", 2, "--wind"),
    ] {
        let line = format!("margins {args}");
        let output = sim(here, &line.split(' ').collect::<Vec<_>>());
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{line}: {text}");
        assert!(text.contains(said), "{line}: {text}");
        assert_eq!(
            (text.lines().count(), stdout(&output).as_str()),
            (1, ""),
            "{text}"
        );
    }
    let mut gains = Airframe::omac().gains;
    gains.position_xy.kp *= 20.0;
    std::fs::write(
        here.join("wild.toml"),
        toml::to_string(&gains).expect("TOML"),
    )
    .expect("writable");
    let output = sim(here, &["margins", "--gains", "wild.toml", "--out", "wild"]);
    assert_eq!(output.status.code(), Some(1));
    let said = stdout(&output);
    assert!(
        said.contains("NOT STABLE: a small disturbance grows by "),
        "{said}"
    );
    assert!(!said.contains("Gain: on the loop's own gains"), "{said}");
    // What cannot be told from oscillating has no margin.
    for picture in ["inner-loops", "outer-loops"] {
        let path = here.join(format!("wild/{picture}.svg"));
        let drawn = std::fs::read_to_string(path).expect("drawn");
        assert!(drawn.contains("omac at hover (NOT STABLE): "));
        assert!(!drawn.lines().any(|line| line == "margin"));
    }
}

#[test]
fn gains_beyond_all_measure_have_a_mode_that_grows() {
    let airframe = Airframe::omac();
    for factor in [1e30, 1e150, 1e300] {
        let mut gains = airframe.gains;
        gains.position_xy.kp *= factor;
        gains.position_xy.kd *= factor;
        let mode = Linearised::hover(&airframe, &gains, 1, wind(&airframe)).mode();
        assert!(
            mode.growth_per_s.is_finite() && mode.growth_per_s > 100.0,
            "{factor}: {mode:?}"
        );
    }
}
