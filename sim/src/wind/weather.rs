//! Weather: the wind of a domain, whatever it is made of, for the vehicle of one flight.

use super::Wind;
use super::domain::Domain;
use super::dryden::Dryden;
use super::record::Window;
use crate::error::Error;
use nalgebra::Vector3;

/// The wind of a domain that one flight meets.
#[derive(Debug, Clone)]
pub enum DomainWind {
    /// Dryden gusts around a mean wind.
    Dryden(Dryden),
    /// A window of a record.
    Recorded(Window),
}

impl Domain {
    /// The wind that a flight of `flight_s` with `seed` meets, in steps of the control period. A
    /// record that is too short for it ([`Domain::fits`]) stays as it is at its end.
    pub fn wind(&self, seed: u64, flight_s: f64) -> DomainWind {
        match &self.record {
            None => DomainWind::Dryden(Dryden::new(self, seed)),
            Some(record) => {
                DomainWind::Recorded(record.window(seed, flight_s, crate::CONTROL_PERIOD_S))
            }
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
        match self {
            DomainWind::Dryden(_) => None,
            DomainWind::Recorded(window) => Some(window),
        }
    }
}

impl Wind for DomainWind {
    fn step(&mut self) -> Vector3<f64> {
        match self {
            DomainWind::Dryden(wind) => wind.step(),
            DomainWind::Recorded(wind) => wind.step(),
        }
    }

    fn steps(&mut self, winds: &mut [Vector3<f64>]) {
        match self {
            DomainWind::Dryden(wind) => wind.steps(winds),
            DomainWind::Recorded(wind) => wind.steps(winds),
        }
    }
}
