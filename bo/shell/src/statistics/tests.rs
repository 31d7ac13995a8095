use super::*;
use approx::assert_relative_eq;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[test]
fn the_interval_is_the_tabulated_one() {
    // Student's t, 97.5 %: 12.706 (1 degree of freedom), 4.303 (2), 2.776 (4), 2.023 (39).
    for (df, t) in [(1.0, 12.706), (2.0, 4.303), (4.0, 2.776), (39.0, 2.023)] {
        assert_relative_eq!(quantile(0.975, df), t, epsilon = 5e-4);
    }
    let interval = Interval::of(&[1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!((interval.mean, interval.count), (3.0, 5));
    let half = 2.776_445 * (2.5f64 / 5.0).sqrt();
    assert_relative_eq!(
        interval.half_width.expect("five values"),
        half,
        epsilon = 1e-5
    );
}

#[test]
fn intervals_that_hold_together_are_wider() {
    let values = [1.0, 2.0, 3.0, 4.0, 5.0];
    let (one, ten) = (
        Interval::simultaneous(&values, 1),
        Interval::simultaneous(&values, 10),
    );
    assert_eq!(one, Interval::of(&values));
    // Student's t with 4 degrees of freedom at 1 - 0.0025 is 5.5976.
    let ratio = ten.half_width.expect("five") / one.half_width.expect("five");
    assert_relative_eq!(ratio, 5.597_568 / 2.776_445, epsilon = 1e-5);
    assert_eq!(Interval::simultaneous(&[2.0], 10).half_width, None);
}

#[test]
fn one_value_has_no_interval() {
    let interval = Interval::of(&[4.0]);
    assert_eq!((interval.mean, interval.half_width), (4.0, None));
    assert_eq!(
        (interval.low(), interval.high()),
        (f64::NEG_INFINITY, f64::INFINITY)
    );
}

#[test]
fn a_paired_difference_forgets_what_the_pairs_share() {
    let before = [1.0, 5.0, 9.0, 2.0];
    let after = [0.9, 4.8, 8.9, 1.8];
    let differences: Vec<f64> = after.iter().zip(before).map(|(a, b)| a - b).collect();
    let paired = Interval::of(&differences);
    assert_relative_eq!(paired.mean, -0.15, epsilon = 1e-12);
    assert!(
        paired.high() < 0.0,
        "clear although the values overlap: {paired:?}"
    );
    assert_relative_eq!(
        paired.low() + paired.high(),
        2.0 * paired.mean,
        epsilon = 1e-12
    );
}

#[test]
fn the_median_s_interval_is_the_tabulated_one() {
    // Ranks from 1 of the sign test's 95 % interval: 1 and 6 of 6, 2 and 9 of 10, 6 and 15 of
    // 20, 40 and 61 of 100.
    for (count, low, high) in [(6, 1, 6), (10, 2, 9), (20, 6, 15), (100, 40, 61)] {
        let values: Vec<f64> = (1..=count)
            .map(|i| f64::from(i * 7 % (count + 1)))
            .collect();
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        let interval = MedianInterval::of(&values);
        assert_eq!(interval.ends, Some([sorted[low - 1], sorted[high - 1]]));
        assert_eq!(interval.median, median(&values));
    }
    let few = MedianInterval::of(&[1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!((few.ends, few.median, few.count), (None, 3.0, 5));
    assert_eq!((few.low(), few.high()), (f64::NEG_INFINITY, f64::INFINITY));
}

/// Costs of flights that are nearly all alike and now and then ten times as high, as near a loss:
/// 4,000 samples, standard error of a coverage .0035.
#[test]
fn the_median_s_interval_covers_where_the_mean_s_does_not() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut covered = [0.0; 2];
    for _ in 0..4_000 {
        let values: Vec<f64> = (0..200)
            .map(|_| {
                let usual = random.random::<f64>();
                if random.random::<f64>() < 0.003 {
                    30.0
                } else {
                    usual
                }
            })
            .collect();
        let median = MedianInterval::of(&values);
        // 0.5 of the uniform ones: 0.997 x + 0.003 = 0.5 of all lie below.
        let truth = 0.5 / 0.997;
        covered[0] += f64::from(u8::from((median.low()..=median.high()).contains(&truth)));
        let mean = Interval::of(&values);
        let truth = 0.997 * 0.5 + 0.003 * 30.0;
        covered[1] += f64::from(u8::from((mean.low()..=mean.high()).contains(&truth)));
    }
    let [median, mean] = covered.map(|count| count / 4_000.0);
    assert!((0.945..0.972).contains(&median), "{median}");
    assert!(mean < 0.7, "{mean}");
}

#[test]
fn the_interval_of_clopper_and_pearson_is_the_tabulated_one() {
    // 0 of n: 1 − 0.025^(1/n); and the textbook value for 4 of 20.
    let [low, high] = clopper_pearson(0, 1000);
    assert_eq!(low, 0.0);
    assert!((high - (1.0 - 0.025f64.powf(1e-3))).abs() < 1e-9, "{high}");
    let [low, high] = clopper_pearson(4, 20);
    assert!(
        (low - 0.0573).abs() < 5e-5 && (high - 0.4366).abs() < 5e-5,
        "{low} {high}"
    );
    assert_eq!(clopper_pearson(7, 7)[1], 1.0);
}

#[test]
fn the_ends_of_the_interval_are_where_the_binomial_tails_are() {
    let [low, high] = clopper_pearson(3, 10);
    let beyond = |p: f64| 1.0 - Binomial::new(p, 10).expect("a probability").cdf(2);
    assert_relative_eq!(beyond(low), 0.025, epsilon = 1e-6);
    let up_to = |p: f64| Binomial::new(p, 10).expect("a probability").cdf(3);
    assert_relative_eq!(up_to(high), 0.025, epsilon = 1e-6);
    assert_relative_eq!(clopper_pearson(10, 10)[0].powi(10), 0.025, epsilon = 1e-6);
}

#[test]
fn the_upper_bound_is_the_one_sided_one() {
    // The rule of three made exact, and its defining equation after two losses.
    assert!((upper_bound(0, 200) - (1.0 - 0.05f64.powf(1.0 / 200.0))).abs() < 1e-9);
    let p = upper_bound(2, 40);
    let at_most_two = Binomial::new(p, 40).expect("a probability").cdf(2);
    assert!((at_most_two - 0.05).abs() < 1e-6, "{at_most_two}");
    assert_eq!(upper_bound(3, 3), 1.0);
}

#[test]
fn the_bound_is_wilks_formula() {
    // Wilks 1941: 59 values are the least number whose maximum exceeds the 95 % quantile with
    // 95 % confidence; 93 for the second largest.
    assert_eq!(bound_rank(58, 0.95), None);
    assert_eq!(bound_rank(59, 0.95), Some(58));
    assert_eq!(bound_rank(93, 0.95), Some(91));
    assert_eq!(bound_rank(299, 0.99), Some(298));
}

#[test]
fn the_central_interval_of_one_deviation_holds_68_percent() {
    assert_relative_eq!(central_width(0.682_689_492), 1.0, epsilon = 1e-6);
}

#[test]
fn the_sign_test_counts_coins() {
    // Sums of binomial coefficients over 2^n.
    assert_eq!(sign_test(0, 0), 1.0);
    assert_eq!(sign_test(4, 0), 1.0);
    assert_relative_eq!(sign_test(0, 5), 1.0 / 32.0, epsilon = 1e-12);
    assert_relative_eq!(sign_test(1, 3), 5.0 / 16.0, epsilon = 1e-12);
}

#[test]
fn the_greatest_deviation_is_from_the_mean() {
    assert_eq!(greatest_deviation(&[1.0, 2.0, 6.0]), 3.0);
    assert_eq!(greatest_deviation(&[4.0]), 0.0);
}

#[test]
fn the_median_is_the_middle() {
    assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
    assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
}

#[test]
fn numbers_are_printed_with_their_spread() {
    let interval = MedianInterval {
        median: 0.3456,
        ends: Some([0.333, 0.3579]),
        count: 40,
    };
    assert_eq!(interval.plain(), "0.346 [0.333, 0.358]");
    assert_eq!(interval.signed(), "+0.346 [+0.333, +0.358]");
    let few = MedianInterval {
        median: -0.5,
        ends: None,
        count: 3,
    };
    assert_eq!(few.plain(), "-0.500");
    assert_eq!(few.signed(), "-0.500 (too few for an interval)");
    let mean = Interval {
        mean: -0.0412,
        half_width: Some(0.0119),
        count: 5,
    };
    assert_eq!(mean.plus_minus(3), "-0.041 ± 0.012");
    assert_eq!(mean.signed_plus_minus(4), "−0.0412 ± 0.0119");
    assert_eq!(mean.signed_range(3), "-0.041 [-0.053, -0.029]");
    assert_eq!(mean.signed_range(2), "-0.04 [-0.05, -0.03]");
    let single = Interval {
        half_width: None,
        count: 1,
        ..mean
    };
    assert_eq!(single.plus_minus(3), "-0.041");
    assert_eq!(single.signed_range(3), "-0.041");
}
