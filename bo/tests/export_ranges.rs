//! What a firmware's ranges and digits do to gains, what that costs in flight, and how it is said.

use sim::Airframe;
use std::fs;

use crate::exported::{
    POSITION, RATE, folder_of, modest, omac_run, put, rates_run, record, refused, text,
};
use crate::program::cells::{done, run};
use crate::program::{bo, stderr, stdout};
use serde_json::{Value, json};

#[test]
fn gains_as_written_are_flown_and_their_figures_stand_first() {
    let airframe = Airframe::omac();
    let mut gains = modest(&airframe);
    gains.position_xy.kd = 8.0;
    let folder = folder_of(&airframe, &gains, &POSITION);
    let here = folder.path();
    let output = bo(here, &["export", "run", "--to", "px4", "--format", "json"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let printed: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let written = text(here, "run/px4.params");
    let flown = written
        .lines()
        .find(|line| line.contains("Flown as written"));
    let flown = flown.expect("a line of figures");
    assert!(
        flown.starts_with(
            "# Flown as written in 6 held-out steady winds, in simulation: median ACE of completed flights 0."
        ),
        "{flown}"
    );
    // The recommended gains' figure is the run's own.
    let figure = &printed["flown"][0];
    assert_eq!(figure["recommended"]["completed_m"]["median"], 0.26);
    assert_eq!(
        figure["recommended"]["completed_m"]["ends"],
        json!([0.25, 0.27])
    );
    assert!(
        flown.contains("before rounding 0.260 [0.250, 0.270] m, 0 lost (written minus before, wind by wind: +0.")
            && flown.contains("the old ones 1.755 [1.750, 1.760] m, 0 lost."),
        "{flown}"
    );
    // The flights are those of the gains in the file, to the last digit shown.
    let written = sim::autopilot::reading::read("px4", &written, &airframe, &gains);
    let written = written.expect("gains").gains;
    (gains.position_xy, gains.position_z) = (written.position_xy, written.position_z);
    let read = bo::run::disk::archive::read(&here.join("run")).expect("a record");
    let (tuning, _) = bo::study::flown_by(&read).expect("fig8");
    let interrupt = bo::interrupt::Interrupt::default();
    let tests = bo::flights::held_out::test(&tuning, &gains, 6, &interrupt).expect("flown");
    let error = tests[0].completed_m.expect("none was lost");
    assert_eq!(figure["written"]["completed_m"]["median"], error.median);
    let figures = format!("flights {} m, 0 lost (better)", error.plain());
    assert!(flown.contains(&figures), "{flown} {figures}");

    // Worse than what the vehicle has: nothing is written, unless that is asked for.
    let scaled = |by: f64| -> Value { tests[0].ace_m.iter().map(|ace| by * ace).collect() };
    let mut good = record(&airframe, &run_gains(&folder), &POSITION);
    good["default"]["tests"][0]["ace_m"] = scaled(0.9);
    good["recommended"]["tests"][0]["ace_m"] = scaled(0.8);
    put(here, &good);
    let (code, message) = refused(here, &["run", "--to", "px4"]);
    assert_eq!(code, 65);
    assert!(
        message.contains(
            "the nearest gains that px4 can hold are no better than the old ones (worse)"
        ),
        "{message}"
    );
    assert!(
        message.contains("Flown as written")
            && message
                .contains("Tune again, bo tune --config run/config.toml --exportable px4, or")
            && message.contains("--anyway"),
        "{message}"
    );
    let output = run(here, "export run --to px4 --anyway --out f.params");
    assert!(output.status.success(), "{}", stderr(&output));
    let warning =
        "WRITTEN WITH --anyway: THE NEAREST GAINS ARE NO BETTER THAN THE OLD ONES IN SIMULATION.";
    assert!(text(here, "f.params").contains(&format!("# {warning}\n")));
    assert!(stderr(&output).contains(warning));
}

fn run_gains(folder: &temp_dir::TempDir) -> sim::Gains {
    let record: Value = serde_json::from_str(&text(folder.path(), "run/run.json")).expect("JSON");
    serde_json::from_value(record["recommended"]["gains"].clone()).expect("gains")
}

#[test]
fn ranges_are_the_firmwares_own() {
    let (airframe, folder) = rates_run();
    let here = folder.path();
    let with = |pitch_d: f64, roll_d: f64, ardupilot: bool| {
        let full = match ardupilot {
            true => 2.0 * 5.57e-6 * 1500f64.powi(2) * airframe.rotors.positions_m[0][1],
            false => {
                2.0 * 2f64.sqrt() * 5.57e-6 * 1500f64.powi(2) * airframe.rotors.positions_m[0][1]
            }
        };
        let mut gains = run_gains(&folder);
        (gains.rate_kd[1], gains.rate_kd[0]) = (pitch_d * full, roll_d * full);
        let tuned = [&POSITION[..], &RATE].concat();
        put(here, &record(&airframe, &gains, &tuned));
    };
    // PX4 states no greatest D of pitch; ArduPilot 4.6 and later 0.05 for roll and pitch.
    with(0.0141, 0.009, false);
    done(here, "export run --to px4 --anyway --out a.params");
    // These shake the simulated vehicle to pieces, which the export would refuse.
    with(0.04, 0.049, true);
    let output = done(here, "export run --to ardupilot --anyway --out a.param");
    assert!(!output.contains("ATC_RAT_PIT_D is"), "{}", output);
    with(0.009, 0.0141, false);
    let output = done(here, "export run --to px4 --anyway --out b.params");
    let clamped = "MC_ROLLRATE_D is 0.0141 (range 0 to 0.01): clamped to 0.01";
    assert!(output.contains(clamped));
}

#[test]
fn notes_say_what_the_numbers_hang_on() {
    let folder = omac_run();
    let here = folder.path();
    let notes = |target: &str, more: &[&str]| {
        let out = format!("{target}{}", more.len());
        let args = [&["export", "run", "--to", target, "--out", &out], more].concat();
        let output = bo(here, &args);
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    let px4 = notes("px4", &[]);
    for part in [
        "inner loops of the simulated omac: attitude P 15 1/s, a rate loop of ",
        "motors of 2 ms. PX4 comes with MC_ROLL_P 6.5",
        "MPC_ACC_DECOUPLE",
        "Near hover vertical gains act 2.00 times as strongly as their numbers say",
    ] {
        assert!(px4.contains(part), "{part} in {px4}");
    }
    let ardupilot = notes("ardupilot", &[]);
    assert!(ardupilot.contains("ATC_ANG_RLL_P 4.5") && ardupilot.contains("PSC_ACCZ_P"));
    let crazyflie = notes("crazyflie", &[]);
    for part in [
        "posCtlPid.xVelMax",
        "20 deg",
        "has 2.4 kg: gains in PWM counts",
        "roll_kp 6",
    ] {
        assert!(crazyflie.contains(part), "{part} in {crazyflie}");
    }
    assert!(!notes("json", &[]).contains("At a limit"));
    assert!(text(here, "json0/json-rollback.json").contains("in SI units, NOT read"));

    // A vehicle with another attitude loop.
    let whole = text(here, "px40/px4.params");
    for (p, warned) in [("6.5", true), ("12.5", false), ("19.5", true)] {
        let baseline = format!("{whole}1\t1\tMC_ROLL_P\t{p}\t9\n");
        fs::write(here.join("mine.params"), baseline).expect("writable");
        let out = format!("{p}.params");
        let args = [
            "export",
            "run",
            "--to",
            "px4",
            "--baseline",
            "mine.params",
            "--out",
            &out,
        ];
        let output = bo(here, &args);
        assert!(output.status.success(), "{}", stderr(&output));
        let warning = format!("The vehicle's MC_ROLL_P is {p}, the simulated attitude loop's 15");
        assert_eq!(text(here, &out).contains(&warning), warned, "{p}");
    }

    // At the autopilot's limits.
    let airframe = Airframe::omac();
    let mut gains = modest(&airframe);
    let limit = sim::autopilot::Cascade {
        position_p: 2.0,
        velocity_p: 5.0,
        velocity_i: 0.4,
    };
    gains.position_xy = limit.pid();
    put(here, &record(&airframe, &gains, &POSITION));
    let output = done(here, "export run --to px4 --out limit.params");
    let said_of_limits = "At a limit of the autopilot's: MPC_XY_P (2), MPC_XY_VEL_P_ACC (5).";
    assert!(text(here, "limit.params").contains(said_of_limits));
    assert!(output.contains(said_of_limits));
}
