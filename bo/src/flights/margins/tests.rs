use super::*;
use crate::run::settings::Settings;

fn least() -> Least {
    let one = |value: f64| Some((value, "rate x".to_owned()));
    Least {
        gain_up: one(4.0),
        gain_down: one(0.5),
        phase_deg: one(40.0),
        delay_ms: None,
        disk: one(0.8),
        ..Least::default()
    }
}

#[test]
fn gains_are_judged_by_what_is_sound_and_not_by_limits_that_are_for_some_loops() {
    let hover = trajectories::by_name("hover").expect("shipped");
    let mut tuning = crate::flights::tuning::Tuning::of_paper(hover, 1);
    tuning.setup.sensors.delay_periods = 2;
    let gains = tuning.setup.airframe.gains;
    let asked = MarginLimits {
        phase_margin_deg: Some(89.0),
        ..MarginLimits::default()
    };
    let judged = asked.judge(&tuning, [&gains, &gains]);
    assert!(judged.sides.iter().all(Result::is_ok));
    assert_eq!(judged.violation, None);
    // Three times the rate gains leave less than is sound and less than before.
    let mut wild = gains;
    wild.rate_kp = wild.rate_kp.map(|kp| 3.0 * kp);
    let judged = asked.judge(&tuning, [&gains, &wild]);
    assert!(judged.violation.is_some());
}

#[test]
fn a_loop_that_is_not_tuned_keeps_what_is_sound_or_what_it_has() {
    let stated = MarginLimits {
        phase_margin_deg: Some(45.0),
        delay_margin_ms: Some(20.0),
        ..MarginLimits::default()
    };
    let limits = |limits: &MarginLimits| (limits.phase_margin_deg, limits.delay_margin_ms);
    let start = least();
    let of_loop = |asked: &MarginLimits, tuned| limits(&asked.of_loop(&start, tuned));
    // It has 40 degrees: sound are 30.
    assert_eq!(of_loop(&stated, true), (Some(45.0), Some(20.0)));
    assert_eq!(of_loop(&stated, false), (Some(SOUND_PHASE_DEG), None));
    let less = MarginLimits {
        phase_margin_deg: Some(20.0),
        ..stated.clone()
    };
    assert_eq!(of_loop(&less, false).0, Some(20.0));
    // A loop that is named is meant.
    let named = MarginLimits {
        loops: vec![Loop::Velocity],
        ..stated
    };
    assert_eq!(of_loop(&named, false), (Some(45.0), Some(20.0)));
}

#[test]
fn a_limit_is_broken_by_less_and_by_a_vehicle_that_is_not_stable() {
    let ask = |phase, gain, delay| MarginLimits {
        phase_margin_deg: phase,
        gain_margin_db: gain,
        delay_margin_ms: delay,
        ..MarginLimits::default()
    };
    let violation = |limits: &MarginLimits| limits.violation(Ok(&least()));
    assert_eq!(violation(&ask(None, None, None)), None);
    assert_eq!(violation(&ask(Some(40.0), Some(6.0), None)), None);
    let phase = violation(&ask(Some(45.0), None, None)).expect("below");
    assert_eq!(
        phase.to_string(),
        "phase_margin_deg = 45, and rate x has 40.000"
    );
    // A factor of 1/2 is nearer than one of 4: 6.02 dB.
    let gain = violation(&ask(Some(45.0), Some(8.0), None)).expect("below");
    assert_eq!(gain.limit, "gain_margin_db");
    assert!((gain.value.expect("stable") - 20.0 * 2f64.log10()).abs() < 1e-12);
    // No delay makes it oscillate.
    assert_eq!(violation(&ask(None, None, Some(1e3))), None);
    // The room is the least share of a limit, and nowhere above 1.
    assert!((ask(Some(45.0), Some(6.0), None).slack(&least()) + 5.0 / 45.0).abs() < 1e-12);
    assert!((ask(Some(32.0), None, Some(1e3)).slack(&least()) - 0.25).abs() < 1e-12);
    assert_eq!(ask(None, None, Some(1e3)).slack(&least()), 1.0);
    // What is the most that a figure may be is broken by more, and its share falls with it.
    let step = Least {
        overshoot: Some((0.4, "step up".to_owned())),
        settling_s: Some((2.0, "step x".to_owned())),
        ..Least::default()
    };
    let most = |overshoot: f64| MarginLimits {
        overshoot: Some(overshoot),
        settling_s: Some(2.0),
        ..MarginLimits::default()
    };
    assert_eq!(most(0.4).violation(Ok(&step)), None);
    let over = most(0.1).violation(Ok(&step)).expect("above");
    assert_eq!((&over.of[..], over.share()), ("step up", 0.25));
    assert!((most(0.3).slack(&step) + 0.25).abs() < 1e-12);
    assert_eq!(most(0.8).slack(&step), 0.0);
    let never = Least {
        settling_s: Some((NOT_SETTLED_S, "step y".to_owned())),
        ..Least::default()
    };
    let never = most(0.1).violation(Ok(&never)).expect("above");
    assert_eq!(
        never.to_string(),
        "settling_s = 2, and step y has not settled after 10 s"
    );
    let lost = Least {
        overshoot: Some((LOST_OVERSHOOT, "step down".to_owned())),
        ..Least::default()
    };
    let lost = most(0.1).violation(Ok(&lost)).expect("above");
    assert_eq!(
        lost.to_string(),
        "overshoot = 0.1, and step down loses the vehicle"
    );
    let wild = ask(None, None, Some(1.0)).violation(Err(&Unstable("at 4.3 s".to_owned())));
    let wild = wild.expect("not stable");
    assert_eq!((wild.value, wild.share()), (None, 0.0));
    assert_eq!(
        wild.to_string(),
        "delay_margin_ms = 1, and the vehicle is not stable at 4.3 s"
    );
}

#[test]
fn steps_of_position_that_settle_too_late_break_their_limit() {
    let settings = Settings::of_paper("hover", "gp", 0).expect("legal");
    let problem = settings.problem_of(sim::Airframe::omac()).expect("legal");
    let limits = MarginLimits {
        settling_s: Some(0.2),
        ..MarginLimits::default()
    };
    let check = limits
        .check(&problem.tuning, &problem.space)
        .expect("asked");
    let broken = check.violation_at(&problem.baseline()).expect("too late");
    assert_eq!((&broken.limit[..], broken.least), ("settling_s", 0.2));
    assert!(broken.value > Some(0.2) && broken.of.starts_with("step "));
    let slack = check.slack_at(&problem.baseline());
    assert!((slack - (broken.share() - 1.0)).abs() < 1e-12, "{slack}");
}
