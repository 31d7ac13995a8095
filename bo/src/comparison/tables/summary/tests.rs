use super::*;
use crate::comparison::plan::cell::Candidate;
use crate::comparison::plan::tests::plan;
use crate::flights::evaluation::tests::evaluation;
use crate::flights::held_out::Test;

/// Cells in which a method's cost is its number (0.1 each) plus a hundredth of the seed, and
/// observed gains cost 0.05 more; the steady domain costs half.
pub(crate) fn finished(plan: &Plan) -> BTreeMap<String, Finished> {
    let cells = plan.cells().into_iter().map(|cell| {
        let place = plan.methods.iter().position(|m| *m == cell.method);
        let cost = 0.1 * (1 + place.expect("planned")) as f64 + 0.01 * cell.seed as f64;
        let candidate = |recommender, cost: f64| Candidate {
            recommender,
            gains: sim::Airframe::omac().gains,
            tests: [("gusty", cost), ("steady", 0.5 * cost)]
                .map(|(domain, cost)| {
                    let ace_m = vec![cost - 0.01, cost, cost + 0.01];
                    Test::of(domain.to_owned(), ace_m, Vec::new())
                })
                .to_vec(),
        };
        let mut candidates = vec![candidate(Recommender::Recommended, cost)];
        if cell.method.trains() {
            candidates.push(candidate(Recommender::OBSERVED, cost + 0.05));
        }
        let finished = Finished {
            key: cell.key(),
            trials: Vec::new(),
            candidates,
            unrecommended: None,
        };
        (cell.key(), finished)
    });
    cells.collect()
}

pub(crate) fn summary() -> Summary {
    let plan = plan();
    let domains = ["gusty".to_owned(), "steady".to_owned()];
    Summary::of(&plan, &finished(&plan), &domains)
}

#[test]
fn there_is_a_block_for_each_training_and_domain_and_a_row_for_each_method() {
    let summary = summary();
    assert_eq!(summary.blocks.len(), 4);
    // Each block prints as many differences to `gp` as to the best baseline.
    let printed = summary.blocks.iter().flat_map(|block| &block.rows);
    let printed = printed.flat_map(|row| [&row.to_reference, &row.to_best_baseline]);
    assert_eq!(summary.comparisons, 4 * 2 * 2);
    assert_eq!(printed.flatten().count(), summary.comparisons);
    for block in &summary.blocks {
        assert_eq!(block.best_baseline, Some("default"));
        let methods: Vec<&str> = block.rows.iter().map(|row| row.method).collect();
        assert_eq!(methods, ["default", "random", "gp"]);
    }
}

#[test]
fn differences_are_paired_by_seed() {
    let block = &summary().blocks[0];
    let [default, random, gp] = &block.rows[..] else {
        panic!("three rows");
    };
    let difference = gp.to_best_baseline.as_ref().expect("another method");
    assert!((difference.interval.mean - 0.2).abs() < 1e-12);
    assert!(difference.interval.half_width.expect("two seeds") < 1e-12);
    assert_eq!((difference.wins, gp.to_reference.as_ref()), (0, None));
    assert_eq!(random.to_reference.as_ref().map(|d| d.wins), Some(2));
    assert_eq!(default.to_best_baseline, None);
    assert_eq!(default.observed, None);
    let observed = gp.observed.as_ref().expect("trained");
    assert!((observed.mean.mean - 0.385).abs() < 1e-12);
    assert!((observed.greatest_deviation_m - 0.005).abs() < 1e-12);
}

/// The cells lost nothing; random search is given losses here.
#[test]
fn lost_evaluations_are_paired_by_seed_too() {
    let plan = plan();
    let mut finished = finished(&plan);
    for (seed, lost) in [(3, 2), (4, 4)] {
        let cell = plan.cell("hover", Training::Gusty, Method::RandomSearch, seed);
        let cell = finished.get_mut(&cell.key()).expect("planned");
        cell.trials = (0..lost)
            .map(|number| evaluation(number, &[None]))
            .collect();
    }
    let domains = ["gusty".to_owned(), "steady".to_owned()];
    let summary = Summary::of(&plan, &finished, &domains);
    let [_, gusty] = &summary.losses[..] else {
        panic!("two trainings");
    };
    let [random, gp] = &gusty.rows[..] else {
        panic!("the default gains were not tuned");
    };
    assert_eq!(
        (gusty.comparisons, &random.evaluations),
        (2, &vec![2.0, 4.0])
    );
    let difference = random.to_reference.as_ref().expect("not the reference");
    assert_eq!((difference.interval.mean, difference.wins), (3.0, 0));
    assert!(difference.interval.half_width.is_some());
    assert_eq!((gp.mean.mean, &gp.to_reference), (0.0, &None));
}

#[test]
fn equal_counts_of_two_seeds_have_no_interval() {
    let plan = plan();
    let mut finished = finished(&plan);
    for seed in [3, 4] {
        let cell = plan.cell("hover", Training::Gusty, Method::RandomSearch, seed);
        let cell = finished.get_mut(&cell.key()).expect("planned");
        cell.trials = vec![evaluation(0, &[None])];
    }
    let losses = Summary::of(&plan, &finished, &["gusty".to_owned()]).losses;
    let random = &losses[1].rows[0];
    let difference = &random
        .to_reference
        .as_ref()
        .expect("not the reference")
        .interval;
    assert_eq!((random.mean.mean, random.mean.half_width), (1.0, None));
    assert_eq!((difference.mean, difference.half_width), (1.0, None));
}

#[test]
fn another_reference_takes_the_place_of_gp() {
    let plan = Plan {
        reference: Method::RandomSearch,
        ..plan()
    };
    let domains = ["gusty".to_owned()];
    let summary = Summary::of(&plan, &finished(&plan), &domains);
    assert_eq!(summary.reference, Some("random"));
    let [default, random, gp] = &summary.blocks[0].rows[..] else {
        panic!("three rows");
    };
    assert!(default.to_reference.is_some() && random.to_reference.is_none());
    let difference = gp.to_reference.as_ref().expect("not the reference");
    assert!((difference.interval.mean - 0.1).abs() < 1e-12);
    let absent = Plan {
        reference: Method::CmaEs,
        ..plan
    };
    let summary = Summary::of(&absent, &finished(&absent), &domains);
    assert_eq!((summary.reference, summary.comparisons), (None, 2 * 2));
}
