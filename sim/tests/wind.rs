//! Dryden turbulence against its formulas.
//!
//! Every statistic comes from 20 000 independent stationary gust sequences, so its relative
//! standard error is known: 1 % for a variance (√(2/n)), 1/√n = 0.7 % of σ² for a covariance
//! (less where the correlation is high). The gates are four standard errors; seeds are fixed.

use nalgebra::Vector3;
use sim::{Domain, Dryden, GustAxis, Wind};

const SEQUENCES: u64 = 20_000;
const AXES: [GustAxis; 3] = [GustAxis::Along, GustAxis::Across, GustAxis::Across];

/// Mean of x(0)·x(0), x(0)·x(lag) and x(lag)·x(lag) for u, v, w.
fn moments(domain: &Domain, lag_s: f64) -> [[f64; 3]; 3] {
    let steps = 16;
    let dt_s = lag_s / f64::from(steps);
    let mut sums = [[0.0; 3]; 3];
    for seed in 0..SEQUENCES {
        let mut wind = Dryden::with_step(domain, seed, dt_s);
        let first = wind.gust_m_s();
        for _ in 0..steps {
            wind.step();
        }
        let last = wind.gust_m_s();
        for axis in 0..3 {
            sums[0][axis] += first[axis] * first[axis];
            sums[1][axis] += first[axis] * last[axis];
            sums[2][axis] += last[axis] * last[axis];
        }
    }
    sums.map(|row| row.map(|x| x / SEQUENCES as f64))
}

#[test]
fn gusts_have_the_stated_variance_and_autocorrelation_from_the_first_sample_on() {
    let standard_error = 1.0 / (SEQUENCES as f64).sqrt();
    for domain in [Domain::gusty(), Domain::steady()] {
        let times = domain.time_constants_s();
        for lag_s in [0.05, 0.2, 1.0, 3.0] {
            let [at_start, across, at_end] = moments(&domain, lag_s);
            for axis in 0..3 {
                let sigma = domain.sigma_m_s[axis];
                let variance = sigma * sigma;
                let gate = 4.0 * 2f64.sqrt() * standard_error * variance;
                let label = format!("{} axis {axis} lag {lag_s}", domain.name);
                assert!(
                    (at_start[axis] - variance).abs() < gate,
                    "{label}: {}",
                    at_start[axis]
                );
                assert!(
                    (at_end[axis] - variance).abs() < gate,
                    "{label}: {}",
                    at_end[axis]
                );
                let expected = AXES[axis].autocorrelation(sigma, times[axis], lag_s);
                assert!(
                    (across[axis] - expected).abs() < gate,
                    "{label}: {} against {expected}",
                    across[axis]
                );
            }
        }
    }
}

#[test]
fn the_two_domains_are_the_published_ones() {
    let gusty = Domain::gusty();
    let steady = Domain::steady();
    let close = |got: [f64; 3], want: [f64; 3], tolerance: f64| {
        for (g, w) in got.iter().zip(want) {
            assert!((g - w).abs() < tolerance, "{got:?} against {want:?}");
        }
    };
    close(gusty.sigma_m_s, [2.887, 2.887, 1.443], 1e-3);
    close(steady.sigma_m_s, [1.155, 1.155, 0.577], 1e-3);
    close(gusty.length_m, [23.05, 23.05, 3.048], 1e-2);
    close(gusty.time_constants_s(), [1.537, 1.537, 0.2032], 1e-3);
    close(steady.time_constants_s(), [7.29, 7.29, 0.964], 1e-2);
    assert_eq!(
        (gusty.mean_m_s, steady.mean_m_s),
        ([0.0; 3], [3.0, 0.0, 1.0])
    );
}

#[test]
fn the_paper_s_variance_is_the_half_width_of_a_uniform_distribution() {
    assert_eq!(Domain::gusty().sigma_m_s[0], 5.0 / 3f64.sqrt());
}

#[test]
fn the_low_altitude_model_follows_the_specification() {
    // MIL-F-8785C at 200 ft in moderate turbulence (30 kt at 20 ft), worked by hand:
    // 0.177 + 0.000823 · 200 = 0.3416; σ_w = 3 kt = 1.5433 m/s; σ_u = σ_w / 0.3416^0.4 = 2.3714;
    // L_w = 200 ft = 60.96 m; L_u = 200 / 0.3416^1.2 ft = 725.8 ft = 221.22 m.
    let domain = Domain::low_altitude("x", 60.96, 30.0, 20.0, None).expect("legal");
    assert!((domain.sigma_m_s[2] - 1.5433).abs() < 1e-4, "{domain:?}");
    assert!((domain.sigma_m_s[0] - 2.3714).abs() < 1e-3, "{domain:?}");
    assert!((domain.length_m[0] - 221.2).abs() < 0.2, "{domain:?}");
    assert!((domain.length_m[2] - 60.96).abs() < 1e-9, "{domain:?}");
}

#[test]
fn the_wind_at_20_ft_is_a_mean_wind_unless_another_is_given() {
    let own = |altitude_m: f64, more: &str| {
        let text = format!(
            "name = \"site\"\naltitude_m = {altitude_m}\nwind_at_20_ft_kt = 15.0\nreference_speed_m_s = 8.0\n{more}"
        );
        Domain::from_toml(&text)
    };
    let mean = |altitude_m, more: &str| own(altitude_m, more).expect("legal").mean_m_s;
    // At 20 ft, whatever the roughness: 15 kt = 7.7167 m/s along world x.
    for more in ["", "roughness_m = 0.6096"] {
        let [x, y, z] = mean(6.096, more);
        assert!(
            (x - 7.716_667).abs() < 1e-6 && y == 0.0 && z == 0.0,
            "{x} {y} {z}"
        );
    }
    // By hand, at 10 ft over z0 = 0.15 ft: ln(66.667) / ln(133.33) = 4.19970 / 4.89285 = 0.858334;
    // over 2 ft: ln 5 / ln 10 = 0.698970; at 200 ft: 7.19544 / 4.89285 = 1.470602.
    for (altitude_m, more, share) in [
        (3.048, "", 0.858_334),
        (3.048, "roughness_m = 0.6096", 0.698_970),
        (60.96, "", 1.470_602),
    ] {
        let [x, ..] = mean(altitude_m, more);
        assert!(
            (x / 7.716_667 - share).abs() < 1e-6,
            "{altitude_m} {more}: {x}"
        );
    }
    assert_eq!(mean(6.096, "mean_m_s = [0.0, 2.0, 0.0]"), [0.0, 2.0, 0.0]);
    // The gusts of the model do not change with the mean wind.
    let [gusts, other] =
        ["", "mean_m_s = [0.0, 2.0, 0.0]"].map(|more| own(6.096, more).expect("legal"));
    assert_eq!(
        (gusts.sigma_m_s, gusts.length_m),
        (other.sigma_m_s, other.length_m)
    );
    for faulty in [
        "roughness_m = 0.0",
        "roughness_m = 3.0",
        "roughness_m = nan",
    ] {
        let message = own(6.096, faulty).expect_err("out of range").to_string();
        assert!(message.starts_with("roughness_m is "), "{message}");
    }
}

#[test]
fn the_mean_wind_and_its_axes_are_in_the_world_frame() {
    let mut domain = Domain::steady();
    domain.mean_m_s = [0.0, -2.0, 0.5];
    domain.sigma_m_s = [1.0, 0.0, 0.0];
    let mut wind = Dryden::new(&domain, 5);
    for _ in 0..100 {
        let [u, ..] = wind.gust_m_s();
        let expected = Vector3::new(0.0, -2.0 - u, 0.5);
        assert!(
            (wind.step() - expected).norm() < 1e-12,
            "u blows along the mean wind"
        );
    }
}

#[test]
fn one_seed_one_wind() {
    let sequence = |seed| {
        let mut wind = Dryden::new(&Domain::gusty(), seed);
        (0..1000).map(|_| wind.step()).collect::<Vec<_>>()
    };
    assert_eq!(sequence(11), sequence(11));
    assert_ne!(sequence(11), sequence(12));
}

#[test]
fn many_steps_at_once_are_the_same_as_one_by_one() {
    let domain = Domain::gusty();
    let (mut one_by_one, mut at_once) = (Dryden::new(&domain, 5), Dryden::new(&domain, 5));
    // Below, at and above the number that is drawn together, and not a multiple of it.
    for count in [1, 16, 3, 41, 0, 32] {
        let mut winds = vec![Vector3::zeros(); count];
        at_once.steps(&mut winds);
        for wind in winds {
            assert_eq!(wind, one_by_one.step());
        }
    }
}
