//! What can be wrong with the description of a vehicle or of a wind.

/// Why a vehicle, a set of gains or a wind domain cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The text of an airframe is not the TOML that an airframe needs.
    #[error("the airframe cannot be read: {0}")]
    AirframeSyntax(#[from] toml::de::Error),

    /// A number lies outside its legal range.
    #[error("{quantity} is {value}; it must be {wanted}")]
    OutOfRange {
        /// Which number, with its unit.
        quantity: &'static str,
        /// Its value.
        value: f64,
        /// The legal range in words.
        wanted: &'static str,
    },

    /// The inertia matrix is not that of a rigid body.
    #[error(
        "the inertia has principal moments {moments:?} kg m²; each must be positive and at most the sum of the other two"
    )]
    Inertia {
        /// Eigenvalues, ascending [kg m²].
        moments: [f64; 3],
    },

    /// The inertia matrix is not symmetric.
    #[error(
        "the inertia is not symmetric: entry ({row}, {column}) is {one}, its mirror image {other} kg m²"
    )]
    InertiaNotSymmetric {
        /// Row of the first entry, from 1.
        row: usize,
        /// Column of the first entry, from 1.
        column: usize,
        /// The entry.
        one: f64,
        /// Its mirror image.
        other: f64,
    },

    /// Thrust and the three moments cannot be commanded independently.
    #[error(
        "the rotor geometry cannot be mixed: the allocation matrix has reciprocal condition {reciprocal_condition:.1e}"
    )]
    Geometry {
        /// Smallest over largest singular value of the scaled allocation matrix.
        reciprocal_condition: f64,
    },

    /// A wind domain that is not shipped.
    #[error("unknown wind domain `{given}`: did you mean `{nearest}`? Known: {}", crate::DOMAIN_NAMES.join(", "))]
    UnknownDomain {
        /// What was asked for.
        given: String,
        /// The known name with the least edit distance.
        nearest: &'static str,
    },
}

/// Checks that `value` is finite and satisfies `legal`.
pub(crate) fn check(
    quantity: &'static str,
    value: f64,
    wanted: &'static str,
    legal: impl Fn(f64) -> bool,
) -> Result<(), Error> {
    if value.is_finite() && legal(value) {
        Ok(())
    } else {
        Err(Error::OutOfRange {
            quantity,
            value,
            wanted,
        })
    }
}
