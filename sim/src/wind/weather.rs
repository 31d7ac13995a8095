//! Weather: the wind of a domain, whatever it is made of, for the vehicle of one flight.

use super::Wind;
use super::domain::Domain;
use super::dryden::Dryden;
use super::gust::Passing;
use super::record::Window;
use crate::error::{Error, check};
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

/// The wind of a domain that one flight meets.
#[derive(Debug, Clone)]
pub struct DomainWind {
    air: Air,
    gusts: Option<Passing>,
    sheared: Option<Sheared>,
}

/// The air without discrete gusts.
#[derive(Debug, Clone)]
enum Air {
    /// Dryden gusts around a mean wind.
    Dryden(Box<Dryden>),
    /// A window of a record.
    Recorded(Window),
}

impl Domain {
    /// The wind that a flight of `flight_s` with `seed` meets, in steps of the control period. A
    /// record that is too short for it ([`Domain::fits`]) stays as it is at its end.
    pub fn wind(&self, seed: u64, flight_s: f64) -> DomainWind {
        self.wind_with_step(seed, flight_s, crate::CONTROL_PERIOD_S)
    }

    /// The same at any step `dt_s` [s].
    pub fn wind_with_step(&self, seed: u64, flight_s: f64, dt_s: f64) -> DomainWind {
        let air = match &self.record {
            None => Air::Dryden(Box::new(Dryden::with_step(self, seed, dt_s))),
            Some(record) => Air::Recorded(record.window(seed, flight_s, dt_s)),
        };
        let passing = || Passing {
            gusts: self.gusts.clone(),
            axes: self.axes(),
            speed_m_s: self.reference_speed_m_s,
            dt_s,
            tick: 0,
        };
        DomainWind {
            air,
            gusts: (!self.gusts.is_empty()).then(passing),
            sheared: self.shear.map(|shear| shear.of(&self.mean_m_s.into())),
        }
    }

    /// Checks that flights of `flight_s` find their wind in it.
    ///
    /// # Errors
    /// [`Error::Record`] where a segment of its record is shorter, or where its rows are not at
    /// hand.
    pub fn fits(&self, flight_s: f64) -> Result<(), Error> {
        self.record
            .as_ref()
            .map_or(Ok(()), |record| record.fits(flight_s))
    }
}

impl DomainWind {
    /// The window of a record that it is.
    pub fn window(&self) -> Option<&Window> {
        match &self.air {
            Air::Dryden(_) => None,
            Air::Recorded(window) => Some(window),
        }
    }
}

impl Wind for DomainWind {
    fn step(&mut self) -> Vector3<f64> {
        let air = match &mut self.air {
            Air::Dryden(wind) => wind.step(),
            Air::Recorded(wind) => wind.step(),
        };
        match &mut self.gusts {
            None => air,
            Some(gusts) => air + gusts.step(),
        }
    }

    fn steps(&mut self, winds: &mut [Vector3<f64>]) {
        match &mut self.air {
            Air::Dryden(wind) => wind.steps(winds),
            Air::Recorded(wind) => wind.steps(winds),
        }
        if let Some(gusts) = &mut self.gusts {
            for wind in winds {
                *wind += gusts.step();
            }
        }
    }

    fn sheared(&self) -> Option<Sheared> {
        self.sheared
    }
}

// Shear: how the mean wind grows with the height above ground, by the logarithmic profile of
// MIL-F-8785C (3.7.3.4): u(h) = W₂₀ ln(h/z₀) / ln(20 ft/z₀), for 3 ft < h < 1000 ft; below and
// above, the wind stays as it is there.

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
