//! Weather: the wind of a domain, whatever it is made of, for the vehicle of one flight.

use super::Wind;
use super::domain::Domain;
use super::dryden::Dryden;
use super::gust::Passing;
use super::record::Window;
use super::shear::Sheared;
use crate::error::Error;
use crate::random::mix;
use nalgebra::Vector3;

/// The wind of a domain that one flight meets.
#[derive(Debug, Clone)]
pub struct DomainWind {
    air: Air,
    /// Turbulence over a record, about the record's mean.
    added: Option<Box<Dryden>>,
    gusts: Option<Passing>,
    sheared: Option<Sheared>,
}

/// The stream of the turbulence that is added to a record.
const ADDED: u64 = 61;

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
        let added = self
            .added_turbulence()
            .map(|turbulence| Box::new(Dryden::with_step(&turbulence, mix(&[seed, ADDED]), dt_s)));
        DomainWind {
            air,
            added,
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

impl Wind for DomainWind {
    fn step(&mut self) -> Vector3<f64> {
        let air = match &mut self.air {
            Air::Dryden(wind) => wind.step(),
            Air::Recorded(wind) => wind.step(),
        };
        let air = match &mut self.added {
            None => air,
            Some(added) => air + (added.step() - added.mean_m_s()),
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
        if let Some(added) = &mut self.added {
            for wind in winds.iter_mut() {
                *wind += added.step() - added.mean_m_s();
            }
        }
        if let Some(gusts) = &mut self.gusts {
            for wind in winds {
                *wind += gusts.step();
            }
        }
    }

    fn mean_m_s(&self) -> Vector3<f64> {
        match &self.air {
            Air::Dryden(wind) => wind.mean_m_s(),
            Air::Recorded(wind) => wind.mean_m_s(),
        }
    }

    fn sheared(&self) -> Option<Sheared> {
        self.sheared
    }
}
