//! Shipped: the paper's two domains, and still air.

use super::{Domain, Form, low_altitude};
use crate::error::Error;

/// The shipped domains.
pub const DOMAIN_NAMES: [&str; 2] = ["gusty", "steady"];

/// What a flight's wind is asked for by: the shipped domains, and still air.
const WEATHER_NAMES: [&str; 3] = [DOMAIN_NAMES[0], DOMAIN_NAMES[1], "still"];

impl Domain {
    /// The paper's domain 1: no mean wind, strong and rapid gusts.
    ///
    /// The paper gives the pairs of mean and "variance" alone. Ours are:
    /// * the reference speed of 15 m/s, for a domain without mean wind carries no gust past the
    ///   vehicle. It sets the time constants T_u = 1.54 s and T_w = 0.20 s;
    /// * the reading of the "variance" 5 and 2.5 as half-widths of a uniform distribution, which they
    ///   are in the simulator that the paper most likely used: σ = 5/√3 = 2.89 and 1.44 m/s. Read
    ///   as printed, σ would be √5 = 2.24 and √2.5 = 1.58 m/s;
    /// * the altitude of 10 ft for the length scales, and that it stays 10 ft when a trajectory
    ///   climbs (spiral-up by 6 m).
    pub fn gusty() -> Domain {
        Domain::of_paper("gusty", [0.0, 0.0], [5.0, 2.5], 15.0)
    }

    /// The paper's domain 2: a mean wind of (3, 0, 1) m/s with weaker and slower gusts, carried
    /// past at the mean wind's speed.
    ///
    /// Ours are, as in [`Domain::gusty`], the reference speed (here |mean| = 3.16 m/s, which sets
    /// T_u = 7.3 s and T_w = 0.96 s), the reading of the "variance" 2 and 1 as half-ranges
    /// (σ = 1.15 and 0.58 m/s in place of √2 = 1.41 and 1 m/s), and the fixed altitude of 10 ft.
    pub fn steady() -> Domain {
        let speed = 3f64.hypot(1.0);
        Domain::of_paper("steady", [3.0, 1.0], [2.0, 1.0], speed)
    }

    /// A domain from the paper's pairs (horizontal, vertical) of mean [m/s] and "variance", at an
    /// altitude of 10 ft.
    fn of_paper(
        name: &str,
        mean_m_s: [f64; 2],
        variance: [f64; 2],
        reference_speed_m_s: f64,
    ) -> Domain {
        let [horizontal, vertical] = variance.map(|half_width| half_width / 3f64.sqrt());
        Domain {
            name: name.to_owned(),
            mean_m_s: [mean_m_s[0], 0.0, mean_m_s[1]],
            sigma_m_s: [horizontal, horizontal, vertical],
            length_m: low_altitude::lengths_m(10.0),
            ..Domain::calm(reference_speed_m_s)
        }
    }

    /// Air without wind that goes past at `speed_m_s`, for gusts to come with.
    pub fn calm(speed_m_s: f64) -> Domain {
        Domain {
            name: WEATHER_NAMES[2].to_owned(),
            mean_m_s: [0.0; 3],
            sigma_m_s: [0.0; 3],
            length_m: [1.0; 3],
            reference_speed_m_s: speed_m_s,
            form: Form::default(),
            record: None,
            turbulence_height_m: None,
            shear: None,
            gusts: Vec::new(),
        }
    }

    /// A shipped domain, or nothing for `still` air.
    ///
    /// # Errors
    /// [`Error::UnknownDomain`], which knows `still` too.
    pub fn by_name_or_still(name: &str) -> Result<Option<Domain>, Error> {
        match name {
            "still" => Ok(None),
            name => match Domain::by_name(name) {
                Ok(domain) => Ok(Some(domain)),
                Err(_) => Err(unknown(name, &WEATHER_NAMES)),
            },
        }
    }

    /// A shipped domain.
    ///
    /// # Errors
    /// [`Error::UnknownDomain`] when `name` is none of [`DOMAIN_NAMES`].
    pub fn by_name(name: &str) -> Result<Domain, Error> {
        match name {
            "gusty" => Ok(Domain::gusty()),
            "steady" => Ok(Domain::steady()),
            _ => Err(unknown(name, &DOMAIN_NAMES)),
        }
    }
}

fn unknown(given: &str, known: &'static [&'static str]) -> Error {
    Error::UnknownDomain {
        given: given.to_owned(),
        nearest: shell::names::nearest(given, known),
        known,
    }
}
