//! Low altitude: the wind near the ground by MIL-F-8785C, from the altitude and the wind at 20 ft.

use super::Domain;
use crate::error::{Error, Range, check};
use crate::wind::gust::DiscreteGust;
use crate::wind::shear::{
    M_PER_FT, OTHER_ROUGHNESS_M, Shear, TERMINAL_ROUGHNESS_M, W20_HEIGHT_M, check_roughness,
};
use serde::{Deserialize, Serialize};

/// Metres per second in a knot.
const M_S_PER_KT: f64 = 0.514_444_444_444_444_4;

/// A wind by altitude and wind speed at 20 ft, as a file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LowAltitude {
    name: String,
    /// In place of the profile's mean wind.
    mean_m_s: Option<[f64; 3]>,
    altitude_m: f64,
    wind_at_20_ft_kt: f64,
    /// That of the profile, or of category C where neither is given.
    roughness_m: Option<f64>,
    /// Lets the mean wind change with the height.
    profile: Option<Profile>,
    reference_speed_m_s: f64,
    #[serde(default)]
    gusts: Vec<DiscreteGust>,
}

/// The profiles of MIL-F-8785C, by flight phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// Take-off, approach and landing: z₀ = 0.15 ft.
    CategoryC,
    /// All other phases: z₀ = 2 ft.
    Other,
}

impl Profile {
    /// That of a name, `category-c` or `other`.
    pub fn by_name(name: &str) -> Option<Profile> {
        match name {
            "category-c" => Some(Profile::CategoryC),
            "other" => Some(Profile::Other),
            _ => None,
        }
    }

    /// Its roughness length z₀ [m].
    pub fn roughness_m(self) -> f64 {
        match self {
            Profile::CategoryC => TERMINAL_ROUGHNESS_M,
            Profile::Other => OTHER_ROUGHNESS_M,
        }
    }
}

impl Domain {
    /// The low-altitude model of MIL-F-8785C (10 to 1000 ft, 3.048 to 304.8 m) for an altitude
    /// above ground and the wind speed at 20 ft (15, 30, 45 kt: light, moderate, severe).
    ///
    /// The mean wind lies along world x and follows the specification's logarithmic profile, W₂₀
    /// ln(h/z₀) / ln(20 ft/z₀), with z₀ = [`TERMINAL_ROUGHNESS_M`]; the altitude is that of the
    /// domain, whatever height a trajectory climbs to. `reference_speed_m_s` is the airspeed that
    /// turns length scales into times, not the wind. With a profile the mean wind is that of its z₀, and
    /// follows it also while the vehicle climbs.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] outside the altitudes of the model, or for a wind speed that is
    /// negative or above 100 kt.
    pub fn low_altitude(
        name: &str,
        altitude_m: f64,
        wind_at_20_ft_kt: f64,
        reference_speed_m_s: f64,
        profile: Option<Profile>,
    ) -> Result<Domain, Error> {
        let altitude_ft = altitude_m / M_PER_FT;
        let wanted = "between 3.048 and 304.8 (10 to 1000 ft)";
        check("altitude_m", altitude_m, wanted, |_| {
            (10.0 - 1e-9..=1000.0 + 1e-9).contains(&altitude_ft)
        })?;
        let speeds = Range("between 0 and 100 kt", |w| (0.0..=100.0).contains(&w));
        speeds.check("wind_at_20_ft_kt", wind_at_20_ft_kt)?;
        let sigma_w = 0.1 * wind_at_20_ft_kt * M_S_PER_KT;
        let sigma_u = sigma_w / (0.177 + 0.000_823 * altitude_ft).powf(0.4);
        let mean_m_s = mean_wind_m_s(altitude_m, wind_at_20_ft_kt, TERMINAL_ROUGHNESS_M)?;
        let domain = Domain {
            name: name.to_owned(),
            mean_m_s: [mean_m_s, 0.0, 0.0],
            sigma_m_s: [sigma_u, sigma_u, sigma_w],
            length_m: lengths_m(altitude_ft),
            ..Domain::calm(reference_speed_m_s)
        };
        domain.check()?;
        let Some(profile) = profile else {
            return Ok(domain);
        };
        let roughness_m = profile.roughness_m();
        let mean_m_s = mean_wind_m_s(altitude_m, wind_at_20_ft_kt, roughness_m)?;
        Ok(Domain {
            mean_m_s: [mean_m_s, 0.0, 0.0],
            shear: Some(Shear {
                height_m: altitude_m,
                roughness_m,
            }),
            ..domain
        })
    }

    /// The turbulence that is added to a record, which misses what is faster than its rows: that of
    /// [`Domain::low_altitude`] at [`Domain::turbulence_height_m`], where the wind at 20 ft is the one whose
    /// profile over ground of [`TERMINAL_ROUGHNESS_M`] has the record's mean at that height. `None` if none
    /// is added.
    pub fn added_turbulence(&self) -> Option<Domain> {
        let height_m = self.turbulence_height_m?;
        let at_20_ft = Shear {
            height_m: W20_HEIGHT_M,
            roughness_m: TERMINAL_ROUGHNESS_M,
        };
        let [x, y, _] = self.mean_m_s;
        let wind_kt = (x.hypot(y) / at_20_ft.share(height_m) / M_S_PER_KT).min(100.0);
        let speed_m_s = self.reference_speed_m_s;
        let turbulence =
            Domain::low_altitude(&self.name, height_m, wind_kt, speed_m_s, None).ok()?;
        Some(Domain {
            mean_m_s: self.mean_m_s,
            ..turbulence
        })
    }
}

/// Reads a domain that is given by its altitude.
pub(super) fn from_toml(text: &str) -> Result<Domain, Error> {
    let model: LowAltitude = toml::from_str(text).map_err(Error::DomainSyntax)?;
    let [altitude_m, wind_kt] = [model.altitude_m, model.wind_at_20_ft_kt];
    let speed_m_s = model.reference_speed_m_s;
    if model.profile.is_some() && model.roughness_m.is_some() {
        return Err(Error::TwoRoughnesses);
    }
    let mut domain =
        Domain::low_altitude(&model.name, altitude_m, wind_kt, speed_m_s, model.profile)?;
    if let Some(roughness_m) = model.roughness_m {
        domain.mean_m_s[0] = mean_wind_m_s(altitude_m, wind_kt, roughness_m)?;
    }
    domain.mean_m_s = model.mean_m_s.unwrap_or(domain.mean_m_s);
    domain.gusts = model.gusts;
    Ok(domain)
}

/// Mean wind [m/s] of MIL-F-8785C at an altitude above ground, from the wind at 20 ft [kt] over
/// ground of the roughness length z₀ [m].
fn mean_wind_m_s(altitude_m: f64, wind_at_20_ft_kt: f64, roughness_m: f64) -> Result<f64, Error> {
    check_roughness(roughness_m)?;
    let at_20_ft = Shear {
        height_m: W20_HEIGHT_M,
        roughness_m,
    };
    Ok(wind_at_20_ft_kt * M_S_PER_KT * at_20_ft.share(altitude_m))
}

/// L_u, L_v, L_w [m] of MIL-F-8785C at an altitude in feet: L_w = h,
/// L_u = L_v = h / (0.177 + 0.000823 h)^1.2, in feet.
pub(super) fn lengths_m(altitude_ft: f64) -> [f64; 3] {
    let horizontal_ft = altitude_ft / (0.177 + 0.000_823 * altitude_ft).powf(1.2);
    [horizontal_ft, horizontal_ft, altitude_ft].map(|feet| feet * M_PER_FT)
}
