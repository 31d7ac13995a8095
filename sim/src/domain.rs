//! A wind domain: the mean wind and the Dryden turbulence of one kind of weather.

use crate::error::{Error, check, nearest};
use serde::{Deserialize, Serialize};

/// A wind by altitude and wind speed at 20 ft.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LowAltitude {
    name: String,
    #[serde(default)]
    mean_m_s: [f64; 3],
    altitude_m: f64,
    wind_at_20_ft_kt: f64,
    reference_speed_m_s: f64,
}

/// Metres in a foot.
const M_PER_FT: f64 = 0.3048;

/// Metres per second in a knot.
const M_S_PER_KT: f64 = 0.514_444_444_444_444_4;

/// The shipped domains.
pub const DOMAIN_NAMES: [&str; 2] = ["gusty", "steady"];

/// Mean wind and turbulence. Turbulence components are (u, v, w): along the mean wind, across it
/// (horizontal), and upwards. With no horizontal mean wind, u lies along world x.
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

/// How the second number of the paper's wind pairs, its "variance", is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reading {
    /// As the half-width of a uniform distribution, which it is in the simulator that the paper
    /// most likely used: σ = x/√3.
    #[default]
    HalfRange,
    /// As printed: σ = √x.
    Variance,
    /// σ = x.
    StandardDeviation,
}

impl Reading {
    fn sigma(self, x: f64) -> f64 {
        match self {
            Reading::HalfRange => x / 3f64.sqrt(),
            Reading::Variance => x.sqrt(),
            Reading::StandardDeviation => x,
        }
    }
}

impl Domain {
    /// The paper's domain 1: no mean wind, strong and rapid gusts.
    pub fn gusty() -> Domain {
        Domain::of_paper("gusty", [0.0, 0.0], [5.0, 2.5], 15.0, Reading::default())
    }

    /// The paper's domain 2: a mean wind of (3, 0, 1) m/s with weaker and slower gusts, carried
    /// past at the mean wind's speed.
    pub fn steady() -> Domain {
        let speed = 3f64.hypot(1.0);
        Domain::of_paper("steady", [3.0, 1.0], [2.0, 1.0], speed, Reading::default())
    }

    /// A domain from the paper's pairs (horizontal, vertical) of mean [m/s] and "variance", at an
    /// altitude of 10 ft.
    pub fn of_paper(
        name: &str,
        mean_m_s: [f64; 2],
        variance: [f64; 2],
        reference_speed_m_s: f64,
        reading: Reading,
    ) -> Domain {
        let [horizontal, vertical] = variance.map(|x| reading.sigma(x));
        Domain {
            name: name.to_owned(),
            mean_m_s: [mean_m_s[0], 0.0, mean_m_s[1]],
            sigma_m_s: [horizontal, horizontal, vertical],
            length_m: low_altitude_lengths_m(10.0),
            reference_speed_m_s,
            form: Form::MilF8785c,
        }
    }

    /// The low-altitude model of MIL-F-8785C (10 to 1000 ft) for an altitude above ground and the
    /// wind speed at 20 ft (15, 30, 45 kt: light, moderate, severe), without mean wind.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] outside the altitudes of the model or for a negative wind speed.
    pub fn low_altitude(
        name: &str,
        altitude_m: f64,
        wind_at_20_ft_kt: f64,
        reference_speed_m_s: f64,
    ) -> Result<Domain, Error> {
        let altitude_ft = altitude_m / M_PER_FT;
        check("altitude [ft]", altitude_ft, "between 10 and 1000", |h| {
            (10.0 - 1e-9..=1000.0 + 1e-9).contains(&h)
        })?;
        check(
            "wind at 20 ft [kt]",
            wind_at_20_ft_kt,
            "not negative",
            |w| w >= 0.0,
        )?;
        let sigma_w = 0.1 * wind_at_20_ft_kt * M_S_PER_KT;
        let sigma_u = sigma_w / (0.177 + 0.000_823 * altitude_ft).powf(0.4);
        let domain = Domain {
            name: name.to_owned(),
            mean_m_s: [0.0; 3],
            sigma_m_s: [sigma_u, sigma_u, sigma_w],
            length_m: low_altitude_lengths_m(altitude_ft),
            reference_speed_m_s,
            form: Form::MilF8785c,
        };
        domain.check()?;
        Ok(domain)
    }

    /// The same wind with its length scales written in `form`.
    pub fn in_form(&self, form: Form) -> Domain {
        let [time_u, time_v, time_w] = self.time_constants_s();
        let halved = match form {
            Form::MilF8785c => 1.0,
            Form::MilHdbk1797 => 0.5,
        };
        Domain {
            length_m: [time_u, halved * time_v, halved * time_w]
                .map(|time| time * self.reference_speed_m_s),
            form,
            ..self.clone()
        }
    }

    /// Reads a domain: mean wind, intensities, length scales and reference speed, or an altitude
    /// and the wind at 20 ft in place of intensities and lengths.
    ///
    /// # Errors
    /// [`Error::DomainSyntax`] with line and column, or what is wrong with the numbers.
    pub fn from_toml(text: &str) -> Result<Domain, Error> {
        let table: toml::Table = toml::from_str(text).map_err(Error::DomainSyntax)?;
        let domain = if table.contains_key("altitude_m") {
            let model: LowAltitude = toml::from_str(text).map_err(Error::DomainSyntax)?;
            let mut domain = Domain::low_altitude(
                &model.name,
                model.altitude_m,
                model.wind_at_20_ft_kt,
                model.reference_speed_m_s,
            )?;
            domain.mean_m_s = model.mean_m_s;
            domain
        } else {
            toml::from_str(text).map_err(Error::DomainSyntax)?
        };
        domain.check()?;
        Ok(domain)
    }

    /// A shipped domain.
    ///
    /// # Errors
    /// [`Error::UnknownDomain`] when `name` is none of [`DOMAIN_NAMES`].
    pub fn by_name(name: &str) -> Result<Domain, Error> {
        match name {
            "gusty" => Ok(Domain::gusty()),
            "steady" => Ok(Domain::steady()),
            _ => Err(Error::UnknownDomain {
                given: name.to_owned(),
                nearest: nearest(name, &DOMAIN_NAMES),
            }),
        }
    }

    /// Checks that the numbers describe a wind.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] naming the number that is wrong.
    pub fn check(&self) -> Result<(), Error> {
        for x in self.mean_m_s {
            check("mean_m_s", x, "at most 100 m/s", |x| x.abs() <= 100.0)?;
        }
        for x in self.sigma_m_s {
            check("sigma_m_s", x, "between 0 and 100 m/s", |x| {
                (0.0..=100.0).contains(&x)
            })?;
        }
        for x in self.length_m {
            check("length_m", x, "between 0.01 and 1e5 m", |x| {
                (0.01..=1e5).contains(&x)
            })?;
        }
        check(
            "reference_speed_m_s",
            self.reference_speed_m_s,
            "between 0.01 and 1000 m/s",
            |x| (0.01..=1e3).contains(&x),
        )
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

/// L_u, L_v, L_w [m] of MIL-F-8785C at an altitude in feet: L_w = h,
/// L_u = L_v = h / (0.177 + 0.000823 h)^1.2, in feet.
fn low_altitude_lengths_m(altitude_ft: f64) -> [f64; 3] {
    let horizontal_ft = altitude_ft / (0.177 + 0.000_823 * altitude_ft).powf(1.2);
    [horizontal_ft, horizontal_ft, altitude_ft].map(|feet| feet * M_PER_FT)
}
