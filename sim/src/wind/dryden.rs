//! Dryden turbulence (MIL-F-8785C, low-altitude model) around a mean wind. With T = L/V, white
//! noise passes through H_u = σ√(2T) / (1 + Ts) along the mean wind and through
//! H_v,w = σ√T (1 + √3 T s) / (1 + Ts)² across it and upwards. Both filters are discretised
//! exactly for a fixed step and start in their stationary law, so that the gusts have the right
//! covariance at every step size and from the first sample on.

use super::Wind;
use super::filter::{FirstOrder, SecondOrder, normal};
use crate::random::{Purpose, stream};
use crate::wind::domain::Domain;
use nalgebra::Vector3;
use rand_chacha::ChaCha8Rng;

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
