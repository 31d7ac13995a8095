//! Low altitude: the wind near the ground by MIL-F-8785C, from the altitude and the wind at 20 ft.

use super::{Domain, Form};
use crate::error::{Error, check};
use serde::Deserialize;

/// Metres in a foot.
const M_PER_FT: f64 = 0.3048;

/// Metres per second in a knot.
const M_S_PER_KT: f64 = 0.514_444_444_444_444_4;

/// Roughness length z₀ of MIL-F-8785C in its flight phases of category C (take-off, approach,
/// landing), 0.15 ft [m]: the default of a wind by altitude. In all other phases it is 2 ft,
/// 0.6096 m.
pub const TERMINAL_ROUGHNESS_M: f64 = 0.15 * M_PER_FT;

/// A wind by altitude and wind speed at 20 ft, as a file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LowAltitude {
    name: String,
    /// In place of the profile's mean wind.
    mean_m_s: Option<[f64; 3]>,
    altitude_m: f64,
    wind_at_20_ft_kt: f64,
    #[serde(default = "terminal_roughness_m")]
    roughness_m: f64,
    reference_speed_m_s: f64,
}

fn terminal_roughness_m() -> f64 {
    TERMINAL_ROUGHNESS_M
}

impl Domain {
    /// The low-altitude model of MIL-F-8785C (10 to 1000 ft, 3.048 to 304.8 m) for an altitude
    /// above ground and the wind speed at 20 ft (15, 30, 45 kt: light, moderate, severe).
    ///
    /// The mean wind lies along world x and follows the specification's logarithmic profile, W₂₀
    /// ln(h/z₀) / ln(20 ft/z₀), with z₀ = [`TERMINAL_ROUGHNESS_M`]; the altitude is that of the
    /// domain, whatever height a trajectory climbs to. `reference_speed_m_s` is the airspeed that
    /// turns length scales into times, not the wind.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] outside the altitudes of the model, or for a wind speed that is
    /// negative or above 100 kt.
    pub fn low_altitude(
        name: &str,
        altitude_m: f64,
        wind_at_20_ft_kt: f64,
        reference_speed_m_s: f64,
    ) -> Result<Domain, Error> {
        let altitude_ft = altitude_m / M_PER_FT;
        let wanted = "between 3.048 and 304.8 (10 to 1000 ft)";
        check("altitude_m", altitude_m, wanted, |_| {
            (10.0 - 1e-9..=1000.0 + 1e-9).contains(&altitude_ft)
        })?;
        let wanted = "between 0 and 100 kt";
        check("wind_at_20_ft_kt", wind_at_20_ft_kt, wanted, |w| {
            (0.0..=100.0).contains(&w)
        })?;
        let sigma_w = 0.1 * wind_at_20_ft_kt * M_S_PER_KT;
        let sigma_u = sigma_w / (0.177 + 0.000_823 * altitude_ft).powf(0.4);
        let mean_m_s = mean_wind_m_s(altitude_m, wind_at_20_ft_kt, TERMINAL_ROUGHNESS_M)?;
        let domain = Domain {
            name: name.to_owned(),
            mean_m_s: [mean_m_s, 0.0, 0.0],
            sigma_m_s: [sigma_u, sigma_u, sigma_w],
            length_m: lengths_m(altitude_ft),
            reference_speed_m_s,
            form: Form::MilF8785c,
            record: None,
        };
        domain.check()?;
        Ok(domain)
    }
}

/// Reads a domain that is given by its altitude.
pub(super) fn from_toml(text: &str) -> Result<Domain, Error> {
    let model: LowAltitude = toml::from_str(text).map_err(Error::DomainSyntax)?;
    let [altitude_m, wind_kt] = [model.altitude_m, model.wind_at_20_ft_kt];
    let speed_m_s = model.reference_speed_m_s;
    let mut domain = Domain::low_altitude(&model.name, altitude_m, wind_kt, speed_m_s)?;
    let profile_m_s = mean_wind_m_s(altitude_m, wind_kt, model.roughness_m)?;
    domain.mean_m_s = model.mean_m_s.unwrap_or([profile_m_s, 0.0, 0.0]);
    Ok(domain)
}

/// Mean wind [m/s] of MIL-F-8785C at an altitude above ground, from the wind at 20 ft [kt] over
/// ground of the roughness length z₀ [m]: W₂₀ ln(h/z₀) / ln(20 ft/z₀).
fn mean_wind_m_s(altitude_m: f64, wind_at_20_ft_kt: f64, roughness_m: f64) -> Result<f64, Error> {
    check("roughness_m", roughness_m, "between 1e-4 and 1.5 m", |z| {
        (1e-4..=1.5).contains(&z)
    })?;
    let share = (altitude_m / roughness_m).ln() / (20.0 * M_PER_FT / roughness_m).ln();
    Ok(wind_at_20_ft_kt * M_S_PER_KT * share)
}

/// L_u, L_v, L_w [m] of MIL-F-8785C at an altitude in feet: L_w = h,
/// L_u = L_v = h / (0.177 + 0.000823 h)^1.2, in feet.
pub(super) fn lengths_m(altitude_ft: f64) -> [f64; 3] {
    let horizontal_ft = altitude_ft / (0.177 + 0.000_823 * altitude_ft).powf(1.2);
    [horizontal_ft, horizontal_ft, altitude_ft].map(|feet| feet * M_PER_FT)
}
