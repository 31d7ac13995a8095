use super::*;
use search::ACQUISITIONS;

fn settings() -> Settings {
    Settings::of_paper("fig8", "gp", 1).expect("legal")
}

#[test]
fn the_paper_s_budget_is_110_evaluations() {
    assert_eq!(settings().evaluations(), 110);
    assert!(settings().check().is_ok());
}

#[test]
fn each_number_out_of_range_is_named_with_its_flag() {
    let refused = |change: fn(&mut Settings)| {
        let mut settings = settings();
        change(&mut settings);
        settings.check().expect_err("out of range").to_string()
    };
    let count = "it must be a whole number from 1 to 2000";
    assert_eq!(
        refused(|s| s.iterations = 0),
        format!("--iterations is 0; {count}")
    );
    assert_eq!(
        refused(|s| s.iterations = 2001),
        format!("--iterations is 2001; {count}")
    );
    assert_eq!(
        refused(|s| s.initial = 0),
        format!("--initial is 0; {count}")
    );
    assert_eq!(
        refused(|s| s.kappa = -1.0),
        "--kappa is -1; it must be finite and not negative"
    );
    assert_eq!(
        refused(|s| s.kappa = f64::NAN),
        "--kappa is NaN; it must be finite and not negative"
    );
    assert_eq!(
        refused(|s| s.held_out_winds = 1),
        "--held-out is 1; it must be a whole number from 2 to 100000"
    );
}

#[test]
fn a_surrogate_brings_its_own_rule_unless_another_was_asked_for() {
    let mut settings = settings();
    settings.set_surrogate("gp-level-set");
    assert_eq!(settings.acquisition, "level-set");
    settings.set_surrogate("gp");
    assert_eq!(settings.acquisition, "ucb");
    settings.acquisition = "ei";
    settings.set_surrogate("gp-level-set");
    assert_eq!(settings.acquisition, "ei");
}

#[test]
fn a_form_of_dil_gp_brings_its_own_lambda_unless_another_was_asked_for() {
    let mut settings = settings();
    assert_eq!(settings.lambda, None);
    settings.set_surrogate("dil-gp");
    assert_eq!(settings.lambda, dilgp::default_lambda("dil-gp"));
    settings.set_surrogate("dil-gp-per-point");
    assert_eq!(settings.lambda, Some(1.0));
    settings.lambda = Some(0.25);
    settings.set_surrogate("dil-gp");
    assert_eq!(settings.lambda, Some(0.25));
    assert!(settings.check().is_ok());
    settings.set_surrogate("rf");
    assert_eq!(
        settings.check().expect_err("no penalty").to_string(),
        "--lambda does not apply to surrogate rf, which has no invariance penalty; use dil-gp, dil-gp-released or dil-gp-per-point"
    );
    settings.set_surrogate("dil-gp");
    settings.lambda = Some(f64::NAN);
    assert_eq!(
        settings.check().expect_err("not a number").to_string(),
        "--lambda is NaN; it must be finite and not negative"
    );
}

#[test]
fn what_a_surrogate_cannot_give_is_refused_in_one_line() {
    let refused = |surrogate: &'static str, change: fn(&mut Settings)| {
        let mut settings = settings();
        settings.surrogate = surrogate;
        change(&mut settings);
        settings.check().expect_err("refused").to_string()
    };
    assert_eq!(
        refused("mlp", |s| s.acquisition = "log-ei"),
        "acquisition log-ei needs a standard deviation, which surrogate mlp does not claim"
    );
    assert_eq!(
        refused("rf", |s| s.acquisition = "level-set"),
        "acquisition level-set measures by the noise of evaluations, of which surrogate rf claims none"
    );
    assert_eq!(
        refused("mlp", |s| s.recommender = Some(Recommender::LevelSet)),
        "recommender level-set needs a noise of evaluations, which surrogate mlp does not have"
    );
    assert_eq!(
        refused("dil-gp-released", |s| s.recommender =
            Some(Recommender::Centre)),
        "recommender centre needs a joint posterior, which surrogate dil-gp-released does not have"
    );
    assert_eq!(
        refused("rf", |s| s.acquisition = "kg"),
        "acquisition kg needs a Gaussian process, which surrogate rf is not"
    );
    assert_eq!(
        refused("gp", |s| s.environments = Context::Winds),
        "surrogate gp cannot use the winds as context; use --surrogate gp-level-set or auto, or --environments none"
    );
    assert_eq!(
        refused("auto", |s| s.environments = Context::Retired("labels")),
        "environments labels is gone; take winds"
    );
    let mlp = Settings {
        surrogate: "mlp",
        ..settings()
    };
    assert!(mlp.check().is_ok(), "as in the paper's table");
    assert_eq!(
        acquisition_name("pi").expect_err("unknown").to_string(),
        "--acquisition does not know `pi`; it may be log-ei, ei, ucb, mean, level-set, kg, by-noise"
    );
    for name in ACQUISITIONS {
        assert_eq!(acquisition_name(name).expect("legal"), name);
    }
}

#[test]
fn names_are_checked() {
    assert!(Settings::of_paper("loop", "gp", 1).is_err());
    assert!(Settings::of_paper("fig8", "gpp", 1).is_err());
}
