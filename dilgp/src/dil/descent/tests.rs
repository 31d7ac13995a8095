use super::*;

/// Two steps with momentum, their slopes by differences of the stated objective.
#[test]
fn two_epochs_are_two_steps_of_momentum_down_the_stated_objective() {
    let (x, y) = line();
    let pairs = Pairs::compare(Family::Rbf, &x);
    let start: Vec<f64> = (0..9).map(|i| 0.3 * f64::from(i) - 1.0).collect();
    let (rate, momentum, lambda) = (0.01, 0.5, 0.4);
    for (loss, n) in [(Loss::Sum, 1.0), (Loss::Mean, 9.0)] {
        for penalised in [false, true] {
            let mut settings = GradientDescent {
                loss,
                epochs: 2,
                rate,
                momentum,
                factor: Factor::Current,
                ..GradientDescent::released_dil(Family::Rbf)
            };
            match &mut settings.invariance {
                Some(invariance) if penalised => {
                    (invariance.lambda, invariance.masks) = (lambda, Masks::ElementWise);
                }
                invariance => *invariance = None,
            }
            let weigh = |eta: &[f64]| Evidence::weigh(Family::Rbf, &pairs, &y, eta).unwrap();
            let mut q = start.clone();
            let (mut eta, mut velocity, mut last) = (vec![0.0; 3], vec![0.0; 3], 0.0);
            for steps_of_q in [2, 1] {
                if let Some(invariance) = &settings.invariance {
                    let evidence = weigh(&eta);
                    let penalty = Penalty::new(&evidence, &y);
                    invariance.ascend(&penalty, &mut q, steps_of_q);
                }
                let objective = |eta: &[f64]| {
                    let evidence = weigh(eta);
                    let [g0, g1] = Penalty::new(&evidence, &y).slopes(&q);
                    let weight = if penalised { 0.5 * lambda } else { 0.0 };
                    (evidence.negative_log() + weight * (g0 * g0 + g1 * g1)) / n
                };
                let slopes = crate::dil::tests::slopes(&eta, objective);
                last = objective(&eta);
                for j in 0..3 {
                    velocity[j] = momentum * velocity[j] + slopes[j];
                    eta[j] -= rate * velocity[j];
                }
            }
            let run = settings.descend(&x, &y, start.clone()).unwrap();
            approx::assert_relative_eq!(run.objective, last, max_relative = 1e-7);
            for (found, expected) in run.eta.iter().zip(&eta) {
                approx::assert_relative_eq!(found, expected, epsilon = 1e-8);
            }
            let moved = if penalised { &q } else { &start };
            assert_eq!(&run.q, moved);
        }
    }
}

fn line() -> (DMatrix<f64>, DVector<f64>) {
    let x = DMatrix::from_fn(9, 1, |i, _| 0.3 * i as f64);
    let y = DVector::from_fn(9, |i, _| (i as f64).sin() + 0.2);
    (x, y)
}

#[test]
fn a_stale_factor_is_that_of_the_last_epoch_with_the_noise_of_the_end() {
    let (x, y) = line();
    let run = |factor, epochs| {
        let settings = GradientDescent {
            factor,
            epochs,
            ..GradientDescent::released("gp", Family::Rbf)
        };
        settings.descend(&x, &y, Vec::new()).unwrap()
    };
    let (stale, before) = (run(Factor::Stale, 5), run(Factor::Current, 4));
    assert_eq!(stale.likelihood.alpha, before.likelihood.alpha);
    assert_ne!(stale.eta, before.eta);
    let data = Dataset::new(x, y).unwrap();
    let settings = GradientDescent::released("gp", Family::Rbf);
    let sample = Sample::in_units(&data, Standardisation::NONE);
    let noise = stale.eta[2].exp();
    let posterior = settings.posterior(sample, stale);
    assert_eq!(posterior.noise, NoiseVariance::Same(noise));
}

#[test]
fn the_step_that_leaves_the_finite_numbers_is_named() {
    let (x, y) = line();
    let settings = GradientDescent {
        rate: f64::MAX,
        ..GradientDescent::released("gp", Family::Rbf)
    };
    let y = y * 10.0;
    match settings.descend(&x, &y, Vec::new()) {
        Err(Error::TrainingDiverged { steps, .. }) => assert_eq!(steps, 1),
        other => panic!("{:?}", other.map(|run| run.eta)),
    }
}

#[test]
fn only_a_stale_dot_product_predicts_with_the_released_variance() {
    let (x, y) = line();
    let data = Dataset::new(x, y).unwrap();
    let far = DMatrix::from_element(1, 1, 1e3);
    for family in [Family::DotProduct, Family::Rbf] {
        for factor in [Factor::Stale, Factor::Current] {
            let settings = GradientDescent {
                factor,
                ..GradientDescent::released("gp", family)
            };
            let std = settings.fit(&data, 0).unwrap().predict(&far).std.unwrap()[0];
            let released = family == Family::DotProduct && factor == Factor::Stale;
            assert_eq!(std == 0.0, released, "{family:?}, {factor:?}: {std}");
        }
    }
}

#[test]
fn the_authors_settings_are_the_stated_ones() {
    let plain = GradientDescent::released("gp", Family::Rbf);
    assert_eq!((plain.name(), plain.loss), ("gp", Loss::Sum));
    let dil = GradientDescent::released_dil(Family::Rbf);
    assert_eq!((dil.name(), dil.loss), ("dil-gp", Loss::Mean));
    assert_eq!((dil.epochs, dil.rate, dil.momentum), (200, 0.005, 0.0));
    assert_eq!((dil.targets, dil.factor), (Targets::AsGiven, Factor::Stale));
}
