//! Shear: how the mean wind grows with the height above ground, by the logarithmic profile of
//! MIL-F-8785C (3.7.3.4): u(h) = W₂₀ ln(h/z₀) / ln(20 ft/z₀), for 3 ft < h < 1000 ft; below and
//! above, the wind stays as it is there.

use crate::error::{Error, check};
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

/// Metres in a foot.
pub(super) const M_PER_FT: f64 = 0.3048;

/// Height at which the specification has its wind W₂₀ [m].
pub(super) const W20_HEIGHT_M: f64 = 20.0 * M_PER_FT;

/// Between these heights the profile is defined [m].
const HEIGHTS_M: [f64; 2] = [3.0 * M_PER_FT, 1000.0 * M_PER_FT];

/// Roughness length z₀ of MIL-F-8785C in its flight phases of category C (take-off, approach,
/// landing), 0.15 ft [m]: the default of a wind by altitude.
pub const TERMINAL_ROUGHNESS_M: f64 = 0.15 * M_PER_FT;

/// Roughness length z₀ of MIL-F-8785C in all other flight phases, 2 ft [m].
pub const OTHER_ROUGHNESS_M: f64 = 2.0 * M_PER_FT;

/// A logarithmic profile through a wind at a height.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shear {
    /// Height above ground at which the domain's mean wind blows [m].
    pub height_m: f64,
    /// Roughness length z₀ of the ground [m].
    pub roughness_m: f64,
}

/// What a height adds to a wind: the mean wind there, less that which is in it already.
#[derive(Debug, Clone, Copy)]
pub struct Sheared {
    horizontal_m_s: Vector3<f64>,
    shear: Shear,
}

impl Shear {
    /// Horizontal mean wind at a height above ground over that at [`Shear::height_m`].
    pub fn share(&self, height_m: f64) -> f64 {
        let [least, most] = HEIGHTS_M;
        let height_m = height_m.clamp(least, most);
        (height_m / self.roughness_m).ln() / (self.height_m / self.roughness_m).ln()
    }

    /// Checks that it is a profile.
    pub(super) fn check(&self) -> Result<(), Error> {
        check_roughness(self.roughness_m)?;
        let wanted = "between 0.9144 and 304.8 m (3 to 1000 ft), above roughness_m";
        check("shear.height_m", self.height_m, wanted, |h| {
            (HEIGHTS_M[0]..=HEIGHTS_M[1]).contains(&h) && h > self.roughness_m
        })
    }

    /// What it adds to a wind of this mean.
    pub(super) fn of(self, mean_m_s: &Vector3<f64>) -> Sheared {
        Sheared {
            horizontal_m_s: Vector3::new(mean_m_s.x, mean_m_s.y, 0.0),
            shear: self,
        }
    }
}

impl Sheared {
    /// What is added at a height above ground [m/s].
    pub(crate) fn at(&self, height_m: f64) -> Vector3<f64> {
        self.horizontal_m_s * (self.shear.share(height_m) - 1.0)
    }
}

/// Checks the roughness length of a ground.
pub(super) fn check_roughness(roughness_m: f64) -> Result<(), Error> {
    check("roughness_m", roughness_m, "between 1e-4 and 1.5 m", |z| {
        (1e-4..=1.5).contains(&z)
    })
}
