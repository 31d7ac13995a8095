use super::*;
use approx::assert_relative_eq;
use rand::{RngExt, SeedableRng};

fn of(at: impl Fn(f64) -> Complex<f64>, high: f64, ends_at_nyquist: bool) -> Margins {
    Margins::of(&Response {
        at: &at,
        delay_s: 0.0,
        range_rad_s: [1e-3, high],
        ends_at_nyquist,
    })
}

fn close(found: Option<f64>, expected: f64) {
    assert_relative_eq!(found.expect("crosses"), expected, max_relative = 1e-9);
}

/// L = K e^(-sτ) / s: the gain is 1 at K, and the phase -180 degrees at π / 2τ.
#[test]
fn an_integrator_with_a_delay() {
    let (k, delay_s) = (3.0, 0.1);
    let found = of(
        |w| Complex::from_polar(k / w, -PI / 2.0 - w * delay_s),
        1e3,
        false,
    );
    close(found.crossover_rad_s, k);
    close(found.phase_rad, PI / 2.0 - k * delay_s);
    close(found.delay_s, PI / 2.0 / k - delay_s);
    close(found.gain_up, PI / (2.0 * k * delay_s));
    close(found.gain_up_rad_s, PI / (2.0 * delay_s));
    assert_eq!(found.gain_down, None);
}

/// L = K / (s + 1)³: real at √3, where it is -K / 8; 1 where (1 + ω²)^(3/2) = K.
#[test]
fn three_lags() {
    let k = 4.0;
    let found = of(
        |w| Complex::from(k) / Complex::new(1.0, w).powi(3),
        1e3,
        false,
    );
    let crossover = (k.powf(2.0 / 3.0) - 1.0).sqrt();
    close(found.gain_up, 8.0 / k);
    close(found.gain_up_rad_s, 3f64.sqrt());
    close(found.crossover_rad_s, crossover);
    close(found.phase_rad, PI - 3.0 * crossover.atan());
    close(found.delay_s, (PI - 3.0 * crossover.atan()) / crossover);
}

/// L = K (s + 2) / (s (s - 1)), of an unstable plant, is stable where K > 1; it is real at √2: -K.
#[test]
fn an_unstable_plant_has_a_least_gain() {
    let k = 4.0;
    let at = |w: f64| {
        let s = Complex::new(0.0, w);
        (s + 2.0) * k / (s * (s - 1.0))
    };
    let found = of(at, 1e3, false);
    close(found.gain_down, 1.0 / k);
    assert_eq!(found.gain_up, None);
}

/// A held integrator, L = K T / (z - 1): the phase is -90 degrees - ω T / 2, the magnitude
/// K T / (2 sin(ω T / 2)), and only at Nyquist's frequency is it real, -K T / 2.
#[test]
fn a_sampled_integrator() {
    let (k, period_s) = (30.0, 0.02);
    let at = |w: f64| {
        let z = Complex::from_polar(1.0, w * period_s);
        Complex::from(k * period_s) / (z - 1.0)
    };
    let found = of(at, PI / period_s, true);
    let crossover = 2.0 / period_s * (0.5 * k * period_s).asin();
    close(found.crossover_rad_s, crossover);
    close(found.phase_rad, PI / 2.0 - 0.5 * crossover * period_s);
    close(found.gain_up, 2.0 / (k * period_s));
}

/// L = K / s: S - ½ = ½ (s - K) / (s + K) has magnitude ½ everywhere, so α = 2, the most there is. With
/// L = K / (s (s + 1)) it is least where |S - ½|² = ¼ ((K + ω²)² + ω²) / ((K - ω²)² + ω²) peaks.
#[test]
fn disks_of_first_and_second_order() {
    let first = of(|w| Complex::new(0.0, -5.0 / w), 1e3, false);
    assert_relative_eq!(first.disk, 2.0, max_relative = 1e-12);
    let k = 9.0;
    let second = of(
        |w| Complex::from(k) / (Complex::new(0.0, w) * Complex::new(1.0, w)),
        1e3,
        false,
    );
    // With u = ω²: ((k + u)² + u) / ((k - u)² + u) has its stationary point where u² = k², u = k.
    let u: f64 = k;
    let peak = 0.25 * ((k + u).powi(2) + u) / ((k - u).powi(2) + u);
    assert_relative_eq!(second.disk, 1.0 / peak.sqrt(), max_relative = 1e-9);
    assert_eq!(second.gain_up, None);
}

/// A long delay turns the response many times: none of its crossings is missed.
#[test]
fn a_long_delay_is_followed_turn_by_turn() {
    let (k, delay_s) = (0.4, 2.0);
    let found = of(
        |w| Complex::from_polar(k / w, -PI / 2.0 - w * delay_s),
        1e3,
        false,
    );
    close(found.gain_up, PI / (2.0 * k * delay_s));
    close(found.phase_rad, PI / 2.0 - k * delay_s);
}

/// Figures of the python package control 0.10.2 (`margin`, and `disk_margins` on 400,001 frequencies):
/// gain and phase margin, both their frequencies, and the disk.
#[test]
fn another_program_finds_the_same_margins() {
    let s = |w: f64| Complex::new(0.0, w);
    let servo = |w: f64| Complex::from(100.0) / (s(w) * (s(w) + 5.0) * (s(w) + 20.0));
    let rates = |w: f64| {
        let pid =
            Complex::from(0.4) + Complex::from(0.07) / s(w) + s(w) * 0.0016 / (s(w) * 0.005 + 1.0);
        pid * 500.0 / (s(w) + 500.0) / (s(w) * 3.6e-3)
    };
    let found = of(servo, 1e3, false);
    for (found, expected) in [
        (found.gain_up, 25.0),
        (found.phase_rad.map(f64::to_degrees), 76.10331908958028),
        (found.gain_up_rad_s, 10.0),
        (found.crossover_rad_s, 0.980146538837992),
    ] {
        close(found, expected);
    }
    assert_relative_eq!(found.disk, 1.3823282553425937, max_relative = 1e-8);
    let found = of(rates, 1e3, false);
    close(found.phase_rad.map(f64::to_degrees), 90.7549664462777);
    close(found.crossover_rad_s, 141.22321015195106);
    assert_relative_eq!(found.disk, 1.4674161073182257, max_relative = 1e-8);
    assert_eq!(found.gain_up, None);
}

/// The same of a sampled loop, whose coefficients are that package's.
#[test]
fn another_program_finds_the_same_margins_of_a_sampled_loop() {
    let period_s = 0.02;
    let at = |w: f64| {
        let z = Complex::from_polar(1.0, w * period_s);
        let above = z * z * 0.01280280759588015 - z * 0.0010511222853555324 - 0.010960453421010263;
        let below =
            z * z * z - z * z * 2.670320046035639 + z * 2.340640092071278 - 0.6703200460356392;
        above / below
    };
    let found = of(at, PI / period_s, true);
    // The coefficients carry 13 digits of what is 6e-3 away from a double pole.
    let close = |found: Option<f64>, expected: f64| {
        assert_relative_eq!(found.expect("crosses"), expected, max_relative = 1e-7);
    };
    close(found.gain_up, 27.041173094012258);
    close(found.gain_up_rad_s, 41.23980179688147);
    close(found.phase_rad.map(f64::to_degrees), 53.492279582696256);
    close(found.crossover_rad_s, 3.8509844770064907);
    assert_relative_eq!(found.disk, 0.9902464191906811, max_relative = 1e-6);
}

/// Of many crossings of about the same size the nearest counts, as among all points of a fine grid.
#[test]
fn the_nearest_of_many_crossings_is_found() {
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(7);
    let mut crossings = [0, 0];
    for case in 0..300 {
        let mut draw = |low: f64, high: f64| low * (high / low).powf(random.random::<f64>());
        let delay_s = draw(0.1, 3.0);
        let modes: Vec<[f64; 3]> = (0..6)
            .map(|_| [draw(0.3, 3.0), draw(0.3, 30.0), draw(0.1, 0.5)])
            .collect();
        let at = |w: f64| {
            let mode = |[gain, own, damping]: &[f64; 3]| {
                let ratio = w / own;
                Complex::from(*gain) / Complex::new(1.0 - ratio * ratio, 2.0 * damping * ratio)
            };
            modes.iter().map(mode).sum::<Complex<f64>>() * Complex::from_polar(1.0, -w * delay_s)
        };
        let high = 60.0;
        let found = Margins::of(&Response {
            at: &at,
            delay_s,
            range_rad_s: [1e-3, high],
            ends_at_nyquist: false,
        });
        let (mut up, mut down) = (f64::INFINITY, 0.0f64);
        let count = 60_000;
        let grid = |k: usize| at(1e-3 * (high / 1e-3f64).powf(k as f64 / count as f64));
        let mut before = grid(0);
        for k in 1..=count {
            let now = grid(k);
            let share = before.im / (before.im - now.im);
            let real = before.re + share * (now.re - before.re);
            if (before.im < 0.0) != (now.im < 0.0) && real < 0.0 {
                match -1.0 / real {
                    factor if factor < 1.0 => {
                        (down, crossings[0]) = (down.max(factor), crossings[0] + 1)
                    }
                    factor => (up, crossings[1]) = (up.min(factor), crossings[1] + 1),
                }
            }
            before = now;
        }
        let same = |found: Option<f64>, grid: f64| match found {
            Some(found) => (found / grid - 1.0).abs() < 1e-4,
            None => grid == 0.0,
        };
        assert!(
            same(found.gain_down, down),
            "{case}: {:?} {down}",
            found.gain_down
        );
        // What is this small is not looked at closely.
        assert!(
            up > 40.0 || same(found.gain_up, up),
            "{case}: {:?} {up}",
            found.gain_up
        );
    }
    assert!(crossings.iter().all(|of| *of > 1000), "{crossings:?}");
}
