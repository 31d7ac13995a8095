//! What a search promises of covariates: their effect is told from the point's, whatever learns.

use super::*;
use crate::Contexts;
use crate::surrogates::CONTEXTUAL;
use rand::RngExt;

/// What a covariate of 1 adds.
const EFFECT: f64 = 1.5;

fn bowl(x: &[f64]) -> f64 {
    4.0 * ((x[0] - 0.3).powi(2) + (x[1] - 0.6).powi(2))
}

/// A search that was told the bowl at so many points, each with what its covariate added, and, where it
/// is to know them, the covariates.
fn told(surrogate: &str, count: usize, knows: bool) -> Optimiser {
    let settings = Settings {
        surrogate: surrogate.to_owned(),
        baseline: Some(vec![0.5, 0.5]),
        covariates: usize::from(knows),
        ..Settings::noisy(3)
    };
    let mut search = Optimiser::new(cube(2), settings).expect("legal");
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let mut rows = Vec::new();
    for _ in 0..count {
        let x: [f64; 2] = random.random();
        let z: f64 = StandardNormal.sample(&mut random);
        search.tell_at(&x, bowl(&x) + EFFECT * z).expect("inside");
        rows.push(vec![z]);
        if knows {
            let (rows, target) = (rows.clone(), vec![0.0]);
            search.set_contexts(Contexts { rows, target });
        }
    }
    search
}

/// Greatest distance of the believed shape from the bowl's over points of the box, in values.
fn error(search: &mut Optimiser) -> f64 {
    let points = [[0.3, 0.6], [0.9, 0.6], [0.3, 0.1], [0.8, 0.2], [0.1, 0.9]];
    let points = points.map(Vec::from).to_vec();
    let believed = search.posterior(&points).expect("inside").expect("learnt");
    // Values are standardised: two points a known distance apart give the unit.
    let unit = {
        let posterior = search.posterior_now().expect("learnt");
        posterior.image(1.0) - posterior.image(0.0)
    };
    let apart = |k: usize| (believed.mean[k] - believed.mean[0]) / unit;
    let errors =
        (1..points.len()).map(|k| (apart(k) - (bowl(&points[k]) - bowl(&points[0]))).abs());
    errors.fold(0.0, f64::max)
}

#[test]
fn the_effect_of_a_covariate_is_told_from_the_point_s() {
    for name in CONTEXTUAL {
        let knowing = error(&mut told(name, 40, true));
        assert!(knowing < 0.5, "{name}: {knowing}");
    }
    // The bowl is less high than what the covariate adds, which is noise to a search that is not told.
    let unaware = error(&mut told("gp-level-set", 40, false));
    assert!(unaware > 0.5, "{unaware}");
}

#[test]
fn a_surrogate_without_covariates_is_refused() {
    let settings = Settings {
        surrogate: "gp".to_owned(),
        covariates: 2,
        ..Settings::noisy(3)
    };
    let refused = Optimiser::new(cube(2), settings).err().expect("refused");
    assert_eq!(
        refused.to_string(),
        "surrogate gp takes no covariates; these do: gp-level-set, auto"
    );
}

#[test]
fn covariates_of_an_objective_without_noise_are_refused() {
    let settings = Settings {
        surrogate: "auto".to_owned(),
        covariates: 2,
        ..Settings::deterministic(3)
    };
    let refused = Optimiser::new(cube(2), settings).err().expect("refused");
    assert_eq!(
        refused.to_string(),
        "covariates belong to an objective with noise; 2 are given for one without"
    );
}

#[test]
fn told_covariates_auto_keeps_a_search_without_a_baseline() {
    let settings = |covariates| Settings {
        surrogate: "auto".to_owned(),
        covariates,
        ..Settings::noisy(3)
    };
    assert_eq!(settings(0).learns_with(), "matern");
    let search = Optimiser::new(cube(2), settings(1)).expect("matern could not be told them");
    assert_eq!(search.learner.name(), "auto");
    assert_eq!(search.acquisition, Acquisition::ByNoise);
}

#[test]
fn circumstances_that_change_are_learnt_anew() {
    let mut search = told("auto", 40, true);
    let point = vec![vec![0.3, 0.6]];
    let at = |search: &mut Optimiser| {
        search
            .posterior(&point)
            .expect("inside")
            .expect("learnt")
            .mean[0]
    };
    let before = at(&mut search);
    assert_eq!(at(&mut search), before);
    let (rows, target) = (vec![vec![0.0]; 40], vec![0.0]);
    search.set_contexts(Contexts { rows, target });
    assert_ne!(at(&mut search), before);
}
