//! A wind domain: the mean wind and the Dryden turbulence of one kind of weather.

mod low_altitude;
mod recorded;
mod shipped;

pub use low_altitude::Profile;
pub use shipped::DOMAIN_NAMES;

use super::gust::axes_along;
use super::gust::{DiscreteGust, GUST_LENGTHS, MOST_GUSTS, PassingGust};
use super::record::{WindFile, WindRecord};
use super::shear::Shear;
use crate::error::{Error, Range, RecordFault, check, legal_name};
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

/// Mean wind and turbulence. Turbulence components are (u, v, w): along the mean wind, across it
/// (horizontal), and upwards. With no horizontal mean wind, u lies along world x.
///
/// Where the wind is that of a record, these are what the record says of itself: its mean, its
/// standard deviations, and lengths T V with T the lag at which the autocorrelation falls below
/// 1/e and V the horizontal mean.
///
/// As TOML, either by its numbers or by altitude and wind speed at 20 ft:
///
/// ```
/// let by_numbers = sim::Domain::from_toml(r#"
///     name = "mine"
///     mean_m_s = [4.0, 0.0, 0.0]       # world frame, z up
///     sigma_m_s = [1.5, 1.5, 0.8]      # of u, v, w
///     length_m = [50.0, 50.0, 10.0]    # L_u, L_v, L_w
///     reference_speed_m_s = 4.0        # V; T = L/V
///     form = "mil-f-8785c"             # the default; or "mil-hdbk-1797"
/// "#)?;
/// assert_eq!(by_numbers.time_constants_s(), [12.5, 12.5, 2.5]);
///
/// let by_altitude = sim::Domain::from_toml(r#"
///     name = "site"
///     altitude_m = 6.096               # above ground, 3.048 to 304.8 (10 to 1000 ft)
///     wind_at_20_ft_kt = 15.0          # 0 to 100; 15 light, 30 moderate, 45 severe
///     reference_speed_m_s = 7.7
///     ## roughness_m = 0.04572          # z₀ of the mean wind's profile; the default is 0.15 ft
///     ## mean_m_s = [5.0, 0.0, 0.0]     # in place of the profile's mean wind
///     ## profile = "category-c"         # the mean wind grows with the height; or "other": 2 ft
/// "#)?;
/// assert!((by_altitude.mean_m_s[0] - 7.717).abs() < 1e-3, "15 kt at 20 ft, along world x");
/// # Ok::<(), sim::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Domain {
    /// The name under which results are listed.
    pub name: String,
    /// Mean wind velocity in the world frame [m/s].
    pub mean_m_s: [f64; 3],
    /// Standard deviation of the gusts u, v, w [m/s].
    pub sigma_m_s: [f64; 3],
    /// Turbulence length scales L_u, L_v, L_w [m].
    pub length_m: [f64; 3],
    /// Airspeed V that turns lengths into times, T = L/V [m/s]. It belongs to the domain, not to
    /// the vehicle: two flights with different gains meet the same wind.
    pub reference_speed_m_s: f64,
    /// What the length scales mean.
    #[serde(default)]
    pub form: Form,
    /// The record whose wind it is, in place of mean and turbulence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<WindRecord>,
    /// Height above ground at which a record was measured [m], where turbulence is added to it
    /// ([`Domain::added_turbulence`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turbulence_height_m: Option<f64>,
    /// How the horizontal mean wind changes with the height above ground, where it does: the height
    /// of the vehicle over the world's ground, or over [`crate::START_ABOVE_GROUND_M`] below the
    /// start where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shear: Option<Shear>,
    /// Discrete gusts, which add to the rest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gusts: Vec<DiscreteGust>,
}

/// Which of the two military forms gives the length scales their meaning. Both describe the same
/// spectra: where MIL-HDBK-1797 writes 2L for v and w, its L is half as long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Form {
    /// MIL-F-8785C: T = L/V on every axis.
    #[default]
    #[serde(rename = "mil-f-8785c")]
    MilF8785c,
    /// MIL-HDBK-1797: T = L/V along the mean wind, T = 2L/V across it and upwards.
    #[serde(rename = "mil-hdbk-1797")]
    MilHdbk1797,
}

impl Domain {
    /// Reads a domain: mean wind, intensities, length scales and reference speed, or an altitude
    /// and the wind at 20 ft in place of them ([`Domain::low_altitude`]; the example at
    /// [`Domain`] shows both forms).
    ///
    /// # Errors
    /// [`Error::DomainSyntax`] with line and column, what [`Domain::check`] finds, or
    /// [`Error::Record`] where its wind stands in another file ([`Domain::read`]).
    pub fn from_toml(text: &str) -> Result<Domain, Error> {
        Domain::read(text, |file| {
            Err(Error::Record {
                file: file.to_owned(),
                fault: Box::new(RecordFault::NoRows),
            })
        })
    }

    /// As [`Domain::from_toml`], where `open` reads the file of wind that the text names.
    ///
    /// # Errors
    /// Those of [`Domain::from_toml`], [`Error::Record`], and those of `open`.
    pub fn read<E: From<Error>>(
        text: &str,
        open: impl FnOnce(&str) -> Result<WindFile, E>,
    ) -> Result<Domain, E> {
        let table: toml::Table = toml::from_str(text).map_err(Error::DomainSyntax)?;
        let domain = if table.contains_key("record") {
            recorded::from_toml(text, open)?
        } else if table.contains_key("altitude_m") {
            low_altitude::from_toml(text)?
        } else {
            toml::from_str(text).map_err(Error::DomainSyntax)?
        };
        domain.check()?;
        Ok(domain)
    }

    /// The text that [`Domain::from_toml`] reads as this, with the whole of its record in it.
    pub fn to_toml(&self) -> String {
        match &self.record {
            Some(record) => recorded::to_toml(self, record),
            None => toml::to_string(self).expect("names and numbers are always representable"),
        }
    }

    /// The same with gusts that pass, and a name that says so.
    ///
    /// # Errors
    /// As [`Domain::check`].
    pub fn with_gusts(mut self, passing: &[PassingGust]) -> Result<Domain, Error> {
        let speed_m_s = self.reference_speed_m_s;
        let halves = passing.iter().flat_map(|gust| gust.halves(speed_m_s));
        self.gusts.extend(halves);
        self.name += "-gust";
        self.check()?;
        Ok(self)
    }

    /// Checks that the numbers describe a wind.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] naming the number that is wrong, or [`Error::Name`].
    pub fn check(&self) -> Result<(), Error> {
        legal_name("wind domain", &self.name)?;
        Range("at most 100 m/s", |x| x.abs() <= 100.0).all("mean_m_s", &self.mean_m_s)?;
        let sigmas = Range("between 0 and 100 m/s", |x| (0.0..=100.0).contains(&x));
        sigmas.all("sigma_m_s", &self.sigma_m_s)?;
        GUST_LENGTHS.all("length_m", &self.length_m)?;
        let speeds = Range("between 0.01 and 1000 m/s", |x| (0.01..=1e3).contains(&x));
        speeds.check("reference_speed_m_s", self.reference_speed_m_s)?;
        let wanted = "at most 100";
        let count = self.gusts.len();
        check("the number of gusts", count as f64, wanted, |_| {
            count <= MOST_GUSTS
        })?;
        if let Some(height_m) = self.turbulence_height_m {
            let wanted = "between 3.048 and 304.8 m (10 to 1000 ft), of a record";
            check("turbulence_height_m", height_m, wanted, |h| {
                self.record.is_some() && (3.048 - 1e-9..=304.8 + 1e-9).contains(&h)
            })?;
        }
        self.gusts.iter().try_for_each(DiscreteGust::check)?;
        self.shear.iter().try_for_each(Shear::check)
    }

    /// Unit vectors of u, v, w in the world: along the horizontal mean wind (along x where there is
    /// none), across it, upwards.
    pub(super) fn axes(&self) -> [Vector3<f64>; 3] {
        axes_along(&self.mean_m_s.into())
    }

    /// Whether there is any wind at all: a mean, or gusts on some axis.
    pub fn blows(&self) -> bool {
        let full = |gust: &DiscreteGust| gust.magnitude_m_s != [0.0; 3];
        self.mean_m_s != [0.0; 3] || self.sigma_m_s != [0.0; 3] || self.gusts.iter().any(full)
    }

    /// Correlation times T = L/V of u, v, w [s].
    pub fn time_constants_s(&self) -> [f64; 3] {
        let [u, v, w] = self
            .length_m
            .map(|length| length / self.reference_speed_m_s);
        match self.form {
            Form::MilF8785c => [u, v, w],
            Form::MilHdbk1797 => [u, 2.0 * v, 2.0 * w],
        }
    }
}
