use super::*;
use crate::export::{TARGETS, targets};
use proptest::prelude::*;

/// Gains that every target holds, each within a factor of three of the vehicle's own.
fn gains(airframe: &Airframe) -> impl Strategy<Value = Gains> + use<> {
    let own = airframe.gains;
    let around = || prop::array::uniform3(0.4f64..2.5);
    (
        around(),
        around(),
        around(),
        around(),
        (0.6f64..1.9, 0.05f64..0.6, 1.3f64..4.9),
    )
        .prop_map(move |(a, p, i, d, (outer, inner_i, inner_p))| {
            let times = |x: [f64; 3], y: [f64; 3]| std::array::from_fn(|k| x[k] * y[k]);
            let pid = crate::export::Cascade {
                position_p: outer,
                velocity_p: inner_p,
                velocity_i: inner_i,
            };
            Gains {
                position_xy: pid.pid(),
                position_z: pid.pid(),
                attitude_kp: times(own.attitude_kp, a),
                rate_kp: times(own.rate_kp, p),
                rate_ki: times(own.rate_ki, i),
                rate_kd: times(own.rate_kd, d),
            }
        })
}

/// What is written, read back and written again is the same text: the same gains to the last digit
/// that the format holds.
#[test]
fn a_file_read_back_and_written_again_is_the_same_file() {
    for name in sim::AIRFRAME_NAMES {
        let airframe = Airframe::by_name(name).expect("shipped");
        proptest!(ProptestConfig::with_cases(30), |(gains in gains(&airframe))| {
            for target in TARGETS.into_iter().filter(|target| *target != "json") {
                for firmware in [None, Some("4.8")] {
                    if firmware.is_some() && target != "ardupilot" {
                        continue;
                    }
                    let autopilot = targets::by_name(target, firmware).expect("a target");
                    let mapped = |gains: &Gains| {
                        let all = autopilot.parameters(&airframe, gains, &Tuned::everything());
                        let mut all = all.expect("an equivalent");
                        all.iter_mut().for_each(|p| p.value = autopilot.stored(p.value));
                        autopilot.write(&[], &all)
                    };
                    let text = mapped(&gains);
                    let tune = read(target, &text, &airframe, &airframe.gains).expect("its own");
                    prop_assert_eq!(tune.kind, target);
                    prop_assert!(tune.impossible.is_empty() && tune.left_out.is_empty(), "{:?}", tune);
                    prop_assert_eq!(&mapped(&tune.gains), &text, "{}", target);
                }
            }
        });
    }
}

#[test]
fn the_form_of_a_file_is_told_by_its_ending_or_by_what_it_holds() {
    for (ending, text, expected) in [
        ("params", "", Some("px4")),
        ("PARM", "", Some("ardupilot")),
        ("yaml", "", Some("crazyflie")),
        (
            "txt",
            "# diff\nprofile 0\nset p_roll = 50\n",
            Some("betaflight"),
        ),
        ("txt", "1\t1\tMC_ROLL_P\t6.5\t9\n", Some("px4")),
        ("", "ATC_ANG_RLL_P,4.5\n", Some("ardupilot")),
        ("txt", "nothing of the kind", None),
    ] {
        assert_eq!(recognised(ending, text), expected, "{text}");
    }
}

fn px4(lines: &str) -> Result<Tune, ExportError> {
    let airframe = Airframe::by_name("hummingbird").expect("shipped");
    read("px4", lines, &airframe, &airframe.gains)
}

#[test]
fn what_is_no_gain_and_what_has_no_place_is_named() {
    let tune = px4("1\t1\tMC_ROLLRATE_P\tnan\t9\n1\t1\tMC_PITCHRATE_P\t-0.1\t9\n").expect("read");
    let names: Vec<&str> = tune
        .impossible
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(names, ["MC_ROLLRATE_P", "MC_PITCHRATE_P"]);
    assert!(tune.tuned.rates_alone());

    let whole = "1\t1\tMPC_XY_P\t0.95\t9\n1\t1\tMPC_XY_VEL_P_ACC\t1.8\t9\n\
                 1\t1\tMPC_XY_VEL_I_ACC\t0.4\t9\n1\t1\tMPC_XY_VEL_D_ACC\t0.2\t9\n";
    let tune = px4(whole).expect("read");
    assert_eq!(
        tune.left_out,
        ["MPC_XY_VEL_D_ACC 0.2: the simulated cascade has no place for it"]
    );
    assert!((tune.gains.position_xy.kp - (0.95 * 1.8 + 0.4)).abs() < 1e-12);
    assert!(!tune.tuned.rates_alone() && tune.beyond.is_empty());
    let nothing = px4("1\t1\tCOM_ARM_WO_GPS\t1\t6\n").expect_err("no gain");
    assert_eq!(
        nothing.to_string(),
        "the file has no gain that px4 and the simulated cascade share"
    );
}

/// PX4 multiplies P, I and D of a rate loop by K.
#[test]
fn the_gain_of_a_whole_rate_loop_multiplies_its_terms() {
    let plain = px4("1\t1\tMC_ROLLRATE_P\t0.3\t9\n1\t1\tMC_ROLLRATE_D\t0.006\t9\n").expect("read");
    let scaled = px4(
        "1\t1\tMC_ROLLRATE_K\t2\t9\n1\t1\tMC_ROLLRATE_P\t0.15\t9\n1\t1\tMC_ROLLRATE_D\t0.003\t9\n",
    );
    assert_eq!(scaled.expect("read").gains, plain.gains);
}
