//! Dryden turbulence (MIL-F-8785C, low-altitude model) around a mean wind. With T = L/V, white
//! noise passes through H_u = σ√(2T) / (1 + Ts) along the mean wind and through
//! H_v,w = σ√T (1 + √3 T s) / (1 + Ts)² across it and upwards. Both filters are discretised
//! exactly for a fixed step and start in their stationary law, so that the gusts have the right
//! covariance at every step size and from the first sample on.

use super::Wind;
use crate::random::{Purpose, stream};
use crate::wind::domain::Domain;
use nalgebra::Vector3;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

/// Dryden gusts around a mean wind, for the vehicle of one flight.
#[derive(Debug, Clone)]
pub struct Dryden {
    mean_m_s: Vector3<f64>,
    /// Unit vectors of u and v in the world's horizontal plane.
    axes: [Vector3<f64>; 2],
    along: FirstOrder,
    across: SecondOrder,
    upwards: SecondOrder,
    rng: ChaCha8Rng,
}

impl Dryden {
    /// The gusts that belong to `seed`, at the control period of 1 ms.
    pub fn new(domain: &Domain, seed: u64) -> Dryden {
        Dryden::with_step(domain, seed, crate::CONTROL_PERIOD_S)
    }

    /// The same at any step `dt_s` [s].
    pub fn with_step(domain: &Domain, seed: u64, dt_s: f64) -> Dryden {
        let mut rng = stream(seed, Purpose::Gusts);
        let [time_u, time_v, time_w] = domain.time_constants_s();
        let [sigma_u, sigma_v, sigma_w] = domain.sigma_m_s;
        let along = FirstOrder::stationary(sigma_u, time_u, dt_s, &mut rng);
        let across = SecondOrder::stationary(sigma_v, time_v, dt_s, &mut rng);
        let upwards = SecondOrder::stationary(sigma_w, time_w, dt_s, &mut rng);
        let [forward, aside, _] = domain.axes();
        Dryden {
            mean_m_s: Vector3::from(domain.mean_m_s),
            axes: [forward, aside],
            along,
            across,
            upwards,
            rng,
        }
    }

    /// Gust velocity (u, v, w) without the mean wind, in the wind's own axes [m/s].
    pub fn gust_m_s(&self) -> [f64; 3] {
        [
            self.along.value(),
            self.across.value(),
            self.upwards.value(),
        ]
    }

    #[inline(always)]
    fn now_m_s(&self) -> Vector3<f64> {
        let [u, v, w] = self.gust_m_s();
        self.mean_m_s + self.axes[0] * u + self.axes[1] * v + Vector3::z() * w
    }

    #[inline(always)]
    fn advance(&mut self, noise: &[f64; NORMALS]) {
        let [u, v1, v2, w1, w2] = *noise;
        self.along.advance(u);
        self.across.advance([v1, v2]);
        self.upwards.advance([w1, w2]);
    }
}

impl Wind for Dryden {
    fn step(&mut self) -> Vector3<f64> {
        let now = self.now_m_s();
        let noise = std::array::from_fn(|_| normal(&mut self.rng));
        self.advance(&noise);
        now
    }

    fn mean_m_s(&self) -> Vector3<f64> {
        self.mean_m_s
    }

    fn steps(&mut self, winds: &mut [Vector3<f64>]) {
        // All random numbers first, then all filters: either loop is short and keeps to itself.
        let mut noise = [[0.0; NORMALS]; AT_ONCE];
        for winds in winds.chunks_mut(AT_ONCE) {
            let noise = &mut noise[..winds.len()];
            for n in noise.as_flattened_mut() {
                *n = normal(&mut self.rng);
            }
            for (wind, noise) in winds.iter_mut().zip(noise) {
                *wind = self.now_m_s();
                self.advance(noise);
            }
        }
    }
}

/// Random numbers that one step takes.
const NORMALS: usize = 5;

/// Steps for which random numbers are drawn together.
const AT_ONCE: usize = 16;

// Filter: white noise into gusts, one step at a time.

/// Below this ratio of step to time constant the closed forms of the noise covariance cancel
/// catastrophically (8 % error at 1e-5), and their series are used.
const SERIES_BELOW: f64 = 0.01;

#[inline(always)]
pub(super) fn normal(rng: &mut ChaCha8Rng) -> f64 {
    StandardNormal.sample(rng)
}

/// x⁺ = a x + σ√(1 − a²) n with a = e^(−dt/T).
#[derive(Debug, Clone)]
pub(super) struct FirstOrder {
    decay: f64,
    kick: f64,
    state: f64,
}

impl FirstOrder {
    pub(super) fn stationary(
        sigma: f64,
        time_s: f64,
        dt_s: f64,
        rng: &mut ChaCha8Rng,
    ) -> FirstOrder {
        let d = dt_s / time_s;
        FirstOrder {
            decay: (-d).exp(),
            kick: sigma * (-(-2.0 * d).exp_m1()).sqrt(),
            state: sigma * normal(rng),
        }
    }

    pub(super) fn value(&self) -> f64 {
        self.state
    }

    #[inline(always)]
    pub(super) fn advance(&mut self, n: f64) {
        self.state = self.decay * self.state + self.kick * n;
    }
}

/// The double pole as a chain of two first-order lags in units of T, driven by unit white noise;
/// the output is σ(√3 y₁ + (1 − √3) y₂).
#[derive(Debug, Clone)]
pub(super) struct SecondOrder {
    decay: f64,
    coupling: f64,
    /// Lower Cholesky factor (l₁₁, l₂₁, l₂₂) of the noise added in one step.
    kick: [f64; 3],
    output: [f64; 2],
    state: [f64; 2],
}

impl SecondOrder {
    pub(super) fn stationary(
        sigma: f64,
        time_s: f64,
        dt_s: f64,
        rng: &mut ChaCha8Rng,
    ) -> SecondOrder {
        let d = dt_s / time_s;
        let decay = (-d).exp();
        // Stationary covariance [[1/2, 1/4], [1/4, 1/4]], by its Cholesky factor.
        let (n1, n2) = (normal(rng), normal(rng));
        let y1 = 0.5f64.sqrt() * n1;
        let y2 = 0.125f64.sqrt() * (n1 + n2);
        SecondOrder {
            decay,
            coupling: d * decay,
            kick: noise_factor(d),
            output: [sigma * 3f64.sqrt(), sigma * (1.0 - 3f64.sqrt())],
            state: [y1, y2],
        }
    }

    pub(super) fn value(&self) -> f64 {
        self.output[0] * self.state[0] + self.output[1] * self.state[1]
    }

    #[inline(always)]
    pub(super) fn advance(&mut self, [n1, n2]: [f64; 2]) {
        let [y1, y2] = self.state;
        let [l11, l21, l22] = self.kick;
        self.state = [
            self.decay * y1 + l11 * n1,
            self.coupling * y1 + self.decay * y2 + l21 * n1 + l22 * n2,
        ];
    }
}

/// Cholesky factor (l₁₁, l₂₁, l₂₂) of the covariance that unit white noise adds to the two lags
/// over d = dt/T.
fn noise_factor(d: f64) -> [f64; 3] {
    let q11 = -0.5 * (-2.0 * d).exp_m1();
    let l11 = q11.sqrt();
    if d < SERIES_BELOW {
        let q12 = d * d * (0.5 - d * (2.0 / 3.0 - 0.5 * d));
        let l21 = q12 / l11;
        let l22_squared = d.powi(3) / 12.0 * (1.0 - d * (1.0 - 7.0 / 15.0 * d));
        return [l11, l21, l22_squared.sqrt()];
    }
    let e = (-2.0 * d).exp();
    let q12 = 0.25 - e * (0.5 * d + 0.25);
    let q22 = 0.25 - e * (0.5 * d * d + 0.5 * d + 0.25);
    let l21 = q12 / l11;
    [l11, l21, (q22 - l21 * l21).max(0.0).sqrt()]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ∫₀^d Φ(s) b bᵀ Φ(s)ᵀ ds by Simpson's rule, with Φ(s) b = e^(−s) (1, s).
    fn covariance_by_quadrature(d: f64) -> [f64; 3] {
        let n = 20_000;
        let h = d / f64::from(n);
        let mut q = [0.0; 3];
        for k in 0..=n {
            let s = f64::from(k) * h;
            let weight = if k == 0 || k == n {
                1.0
            } else {
                2.0 + 2.0 * f64::from(k % 2)
            };
            let e = (-2.0 * s).exp() * weight * h / 3.0;
            q[0] += e;
            q[1] += e * s;
            q[2] += e * s * s;
        }
        q
    }

    #[test]
    fn the_noise_covariance_is_the_integral_it_stands_for_at_every_step_size() {
        for d in [1e-6, 1e-4, 3e-3, 9.99e-3, 0.010_01, 0.05, 0.3, 2.0, 20.0] {
            let [l11, l21, l22] = noise_factor(d);
            let got = [l11 * l11, l11 * l21, l21 * l21 + l22 * l22];
            let want = covariance_by_quadrature(d);
            // The series leave out terms of relative order d³.
            let tolerance = if d < SERIES_BELOW { d * d * d } else { 1e-9 };
            for (g, w) in got.iter().zip(want) {
                assert!(
                    (g - w).abs() <= (tolerance + 1e-9) * w,
                    "d = {d}: {got:?} against {want:?}"
                );
            }
        }
    }

    #[test]
    fn one_long_step_equals_many_short_ones() {
        // The exact discretisation composes: the covariance of the state after n steps of d,
        // started from nothing, is that of one step of n d.
        let (d, n) = (0.02f64, 25);
        let (phi, coupling) = ((-d).exp(), d * (-d).exp());
        let [l11, l21, l22] = noise_factor(d);
        let q = [l11 * l11, l11 * l21, l21 * l21 + l22 * l22];
        let mut p = [0.0; 3];
        for _ in 0..n {
            p = [
                phi * phi * p[0] + q[0],
                phi * coupling * p[0] + phi * phi * p[1] + q[1],
                coupling * coupling * p[0] + 2.0 * coupling * phi * p[1] + phi * phi * p[2] + q[2],
            ];
        }
        let [m11, m21, m22] = noise_factor(d * f64::from(n));
        let whole = [m11 * m11, m11 * m21, m21 * m21 + m22 * m22];
        for (a, b) in p.iter().zip(whole) {
            assert!((a - b).abs() < 1e-12, "{p:?} against {whole:?}");
        }
    }
}
