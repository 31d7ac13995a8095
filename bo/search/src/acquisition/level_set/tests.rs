use super::*;
use dilgp::{Dataset, Model, Prediction, Process, Slope, Summary};
use nalgebra::{DMatrix, DVector};

/// A bowl with its bottom at 0.7 in every coordinate, seen through noise.
#[derive(Debug)]
struct Bowl {
    noise: Option<f64>,
    summary: Summary,
}

impl Bowl {
    fn seen_through(noise: Option<f64>) -> Bowl {
        let data = Dataset::new(DMatrix::zeros(1, 1), DVector::zeros(1));
        let fitted = Process::matern().train(&data.expect("one point"), 1);
        Bowl {
            noise,
            summary: fitted.expect("one point can be fitted").summary().clone(),
        }
    }
}

impl Model for Bowl {
    fn predict(&self, x: &DMatrix<f64>) -> Prediction {
        let square = |row: usize| x.row(row).iter().map(|x| (x - 0.7).powi(2)).sum();
        Prediction {
            mean: DVector::from_fn(x.nrows(), |row, _| square(row)),
            std: Some(DVector::from_element(x.nrows(), 0.3)),
            observation_std: self
                .noise
                .map(|noise| DVector::from_element(x.nrows(), noise.hypot(0.3))),
        }
    }

    fn slope(&self, _: &[f64]) -> Option<Slope> {
        None
    }

    fn summary(&self) -> &Summary {
        &self.summary
    }
}

fn set<'a>(model: &'a Bowl, incumbent: &'a [f64]) -> LevelSet<'a> {
    LevelSet {
        about: Incumbent::at(model, incumbent).expect("finite"),
        observations: 20,
        within: None,
    }
}

#[test]
fn members_are_within_the_tolerance_and_fill_the_set() {
    let bowl = Bowl::seen_through(Some(0.01));
    // The incumbent is at the bottom: the set of tolerance 4 is the ball of radius 0.2.
    let members = set(&bowl, &[0.7, 0.7]).members(4.0, 3).expect("noise");
    let radius = |x: &Vec<f64>| (x[0] - 0.7).hypot(x[1] - 0.7);
    assert!(members.len() >= ENOUGH);
    assert!(members.iter().all(|x| radius(x) <= 0.2 + 1e-12));
    // Evenly: half of the members lie beyond 0.2/√2; standard error of that share 0.05.
    let outer = members
        .iter()
        .filter(|x| radius(x) > 0.2 / 2f64.sqrt())
        .count();
    let share = outer as f64 / members.len() as f64;
    assert!((share - 0.5).abs() < 0.15, "{share}");
}

#[test]
fn a_set_that_is_small_or_in_a_corner_is_found_by_closing_in() {
    let bowl = Bowl::seen_through(Some(1e-5));
    let incumbent = [0.7; 6];
    let members = set(&bowl, &incumbent).members(1.0, 3).expect("noise");
    let far = members
        .iter()
        .flatten()
        .map(|x| (x - 0.7).abs())
        .fold(0.0, f64::max);
    assert!(far <= 1e-5f64.sqrt() + 1e-12, "{far}");
    let exact = Bowl::seen_through(Some(0.0));
    let members = set(&exact, &incumbent).members(1.0, 3).expect("noise");
    assert_eq!(members, [incumbent.to_vec()]);
}

#[test]
fn the_centre_of_a_noisy_bowl_is_its_bottom_wherever_the_incumbent_is() {
    let bowl = Bowl::seen_through(Some(0.02));
    for incumbent in [[0.7, 0.7], [0.6, 0.75], [0.72, 0.9]] {
        let centre = set(&bowl, &incumbent).centre(5, <[f64]>::to_vec);
        let centre = centre.expect("noise").x;
        let off = (centre[0] - 0.7).hypot(centre[1] - 0.7);
        assert!(off < 0.05, "{incumbent:?}: {centre:?}");
    }
}

#[test]
fn draws_differ_by_seed_and_repeat_with_it() {
    let bowl = Bowl::seen_through(Some(0.02));
    let incumbent = [0.7; 3];
    let set = set(&bowl, &incumbent);
    let draw = |seed| set.draw(seed).expect("noise").0;
    assert_eq!(draw(1), draw(1));
    assert_ne!(draw(1), draw(2));
}

#[test]
fn a_model_without_a_noise_has_no_such_set() {
    let bowl = Bowl::seen_through(None);
    assert!(set(&bowl, &[0.5]).members(1.0, 1).is_none());
    assert!(set(&bowl, &[0.5]).draw(1).is_none());
}

#[test]
fn closing_in_finds_what_the_whole_cube_would_miss() {
    // A ball of radius 0.032 in six dimensions: 5e-9 of the cube, 2 % of the smallest box.
    let bowl = Bowl::seen_through(Some(1e-3));
    let incumbent = [0.7; 6];
    let members = set(&bowl, &incumbent).members(1.0, 3).expect("noise");
    assert!(members.len() > SPANNING, "{}", members.len());
    // A ball of radius 0.1 in four: the box that a few members span holds enough of it.
    let bowl = Bowl::seen_through(Some(1e-2));
    let incumbent = [0.7; 4];
    let members = set(&bowl, &incumbent).members(1.0, 3).expect("noise");
    assert!(members.len() >= ENOUGH, "{}", members.len());
    for k in 0..4 {
        let side = |sign: f64| members.iter().any(|x| sign * (x[k] - 0.7) > 0.04);
        assert!(side(1.0) && side(-1.0), "both sides in coordinate {k}");
    }
}

#[test]
fn draws_spread_over_the_widest_set_and_never_leave_it() {
    let bowl = Bowl::seen_through(Some(0.02));
    let incumbent = [0.7; 2];
    let set = set(&bowl, &incumbent);
    // The tolerance is uniform below 2 and the share of the disc's area uniform below it: beyond
    // half of the widest lie (1 - log 2) / 2 = 0.153 of the draws; 4 standard errors are 0.1.
    let beyond = (0..200)
        .filter(|seed| {
            let (x, mean) = set.draw(*seed).expect("noise");
            let square: f64 = x.iter().map(|x| (x - 0.7).powi(2)).sum();
            assert!((mean - square).abs() < 1e-12);
            assert!(mean <= WIDEST * 0.02 + 1e-12, "{seed}: {mean}");
            mean > 0.5 * WIDEST * 0.02
        })
        .count();
    assert!((10..=52).contains(&beyond), "{beyond} of 200");
}

#[test]
fn of_many_observations_the_set_that_is_drawn_from_and_centred_is_narrower() {
    let bowl = Bowl::seen_through(Some(0.02));
    let incumbent = [0.7; 2];
    let farthest = |observations| {
        let set = LevelSet {
            observations,
            ..set(&bowl, &incumbent)
        };
        let drawn = (0..200).map(|seed| set.draw(seed).expect("noise").1);
        drawn.fold(0.0, f64::max)
    };
    let all = farthest(20);
    assert_eq!(farthest(SHRINKING), all);
    // 1,760 are 16 times as many: half of the tolerance, which is uniform below the widest.
    let half = farthest(16 * SHRINKING) / all;
    assert!((half - 0.5).abs() < 0.05, "{half}");
}

#[test]
fn of_a_small_set_any_member_is_drawn() {
    let bowl = Bowl::seen_through(Some(4e-4));
    let incumbent = [0.7; 6];
    let set = set(&bowl, &incumbent);
    let drawn = (0..40).map(|seed| set.draw(seed).expect("noise").0);
    let others = drawn.filter(|x| x[..] != incumbent).count();
    assert!((8..40).contains(&others), "{others} of 40");
}
