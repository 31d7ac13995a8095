//! What covariates tell, and which are refused.

use super::*;

/// The space of a search that may be told covariates, and more of its `init`.
fn noisy(more: &str) -> String {
    let space = r#"[{"name":"a","low":0,"high":1},{"name":"b","low":0,"high":1}]"#;
    format!(r#"{{"type":"init","space":{space},"seed":4,"surrogate":"gp-level-set"{more}}}"#)
}

/// So many deviations from their mean were the covariates of the evaluations, one after the other; in
/// binary digits no operation rounds them.
const MET: [f64; 7] = [-1.5, 0.5, 1.0, -0.5, 0.0, 1.5, -1.0];

/// What is answered after thirty evaluations of a bowl, to whose values each added three halves of its
/// covariate's deviations, one of them lost; `told` says its covariates of an evaluation.
fn believed(init: &str, told: impl Fn(f64, bool) -> String) -> [String; 3] {
    let mut session = Session::default();
    assert_eq!(say(&mut session, init), "");
    for k in 0..30 {
        let (a, b) = ((0.37 * k as f64).fract(), (0.2 + 0.61 * k as f64).fract());
        let (met, lost) = (MET[k % MET.len()], k == 11);
        let y = 4.0 * ((a - 0.3).powi(2) + (b - 0.6).powi(2)) + 1.5 * met;
        let y = if lost { f64::NAN } else { y };
        let covariates = told(met, lost);
        let tell = format!(r#"{{"type":"tell","x":[{a},{b}],"y":{y}{covariates}}}"#);
        assert_eq!(say(&mut session, &tell), "");
    }
    ["recommend", "ask", "ask"].map(|what| say(&mut session, &format!(r#"{{"type":"{what}"}}"#)))
}

const WIND: &str = r#","covariates":[{"name":"wind_rms","mean":4,"deviation":1.5}]"#;

#[test]
fn covariates_are_learnt_from_in_the_units_that_init_declares() {
    let told = |value: f64| format!(r#","covariates":[{value}]"#);
    let in_units = believed(&noisy(WIND), |met, _| told(4.0 + 1.5 * met));
    let standard = WIND.replace("4", "0").replace("1.5", "1");
    assert_eq!(
        in_units,
        believed(&noisy(&standard), |met, _| told(met)),
        "the same in deviations"
    );
    assert!(in_units.iter().all(|said| said.starts_with(r#"{"x":["#)));
    let at_the_mean = believed(&noisy(WIND), |_, _| told(4.0));
    assert_ne!(in_units[0], at_the_mean[0], "it is told more");
    assert_ne!(in_units[0], believed(&noisy(""), |_, _| String::new())[0]);
}

#[test]
fn a_lost_evaluation_may_leave_its_covariates_out_and_counts_at_their_means() {
    let told = |out: bool| {
        believed(&noisy(WIND), |met, lost| match (lost, out) {
            (true, true) => String::new(),
            (true, false) => r#","covariates":[4.0]"#.to_owned(),
            _ => format!(r#","covariates":[{}]"#, 4.0 + 1.5 * met),
        })
    };
    assert_eq!(told(true), told(false));
    let elsewhere = believed(&noisy(WIND), |met, lost| {
        format!(
            r#","covariates":[{}]"#,
            if lost { 9.0 } else { 4.0 + 1.5 * met }
        )
    });
    assert_ne!(told(true), elsewhere, "what is said of it counts");
}

#[test]
fn covariates_other_than_init_declares_are_refused_and_change_nothing() {
    let refused = [
        ("", "`covariates`: expected 1, as `init` declares, given 0"),
        (
            r#","covariates":[]"#,
            "`covariates`: expected 1, as `init` declares, given 0",
        ),
        (
            r#","covariates":[5.2,1]"#,
            "`covariates`: expected 1, as `init` declares, given 2",
        ),
        (
            r#","covariates":5.2"#,
            "`covariates` is 5.2; it must be an array of numbers",
        ),
        (
            r#","covariates":[NaN]"#,
            "covariates[0] (`wind_rms`) is NaN, not a finite number",
        ),
        (
            r#","covariates":[-1497]"#,
            "covariates[0] (`wind_rms`) is -1497, more than 1000 deviations of 1.5 from its mean of 4",
        ),
    ];
    let answers = |hostile: bool| {
        let mut session = Session::default();
        say(&mut session, &noisy(WIND));
        for k in 0..14 {
            let x = format!("[{},{}]", 0.07 * k as f64, 1.0 - 0.05 * k as f64);
            for (covariates, why) in refused.iter().filter(|_| hostile) {
                let tell = format!(r#"{{"type":"tell","x":{x},"y":9{covariates}}}"#);
                let expected = format!(r#"{{"error":"{why}"}}"#);
                assert_eq!(say(&mut session, &tell), expected);
            }
            let y = (k as f64 - 6.0).powi(2);
            let met = 4.0 + MET[k % MET.len()];
            let tell = format!(r#"{{"type":"tell","x":{x},"y":{y},"covariates":[{met}]}}"#);
            assert_eq!(say(&mut session, &tell), "");
        }
        let lost = r#"{"type":"tell","x":[0.5,0.5],"crashed":true,"covariates":[1,2]}"#;
        if hostile {
            assert!(say(&mut session, lost).contains("expected 1, as `init` declares, given 2"));
        }
        ["ask", "recommend"].map(|what| say(&mut session, &format!(r#"{{"type":"{what}"}}"#)))
    };
    assert_eq!(answers(true), answers(false));
    let mut none = Session::default();
    say(&mut none, &noisy(""));
    assert_eq!(
        say(
            &mut none,
            r#"{"type":"tell","x":[0.5,0.5],"y":1,"covariates":[5.2]}"#
        ),
        r#"{"error":"`covariates`: expected 0, as `init` declares, given 1"}"#
    );
}

#[test]
fn an_init_whose_covariates_nothing_could_learn_is_refused() {
    let error = |init: &str| {
        let mut session = Session::default();
        let said = say(&mut session, init);
        // It may be said again as it should be.
        assert_eq!(say(&mut session, &noisy(WIND)), "");
        said
    };
    let able = "these do: gp-level-set, auto";
    assert_eq!(
        error(&noisy(WIND).replace("gp-level-set", "matern")),
        format!(r#"{{"error":"surrogate matern takes no covariates; {able}"}}"#)
    );
    assert_eq!(
        error(&noisy(&format!(r#"{WIND},"noise":false"#))),
        r#"{"error":"covariates belong to an objective with noise; 1 are given for one without"}"#
    );
    assert_eq!(
        error(&noisy(&format!(r#"{WIND},"target_domain":"gusty""#))),
        r#"{"error":"covariates and a `target_domain` are not learnt together; leave one of them out"}"#
    );
    let auto = noisy(WIND).replace("gp-level-set", "auto");
    assert_eq!(
        say(&mut Session::default(), &auto),
        "",
        "itself, not matern"
    );
}
