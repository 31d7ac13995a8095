//! What can be wrong with the description of a vehicle or of a wind.

mod range;
mod record;

pub(crate) use range::{NOT_NEGATIVE, POSITIVE, Range};
pub use record::RecordFault;

use shell::exit::{self, Coded};

/// Why a vehicle, a set of gains or a wind domain cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The text of an airframe is not the TOML that an airframe needs.
    #[error("the airframe cannot be read: {}", placed(.0))]
    AirframeSyntax(#[from] toml::de::Error),

    /// The text is that of another program's vehicle.
    #[error(
        "this is XML and no airframe file; `sim airframe FILE --out my.toml` makes one of SDF and URDF"
    )]
    AirframeXml,

    /// The text of a wind domain is not the TOML that a domain needs.
    #[error("the wind domain cannot be read: {}", placed(.0))]
    DomainSyntax(#[source] toml::de::Error),

    /// The text of a set of gains is not the TOML that gains need.
    #[error("the gains cannot be read: {}", placed(.0))]
    GainsSyntax(#[source] toml::de::Error),

    /// The text of a set of sensors is not the TOML that sensors need.
    #[error("the sensors cannot be read: {}", placed(.0))]
    SensorsSyntax(#[source] toml::de::Error),

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

    /// A text that names no gust.
    #[error(
        "a gust takes three to five numbers: when it begins [s], the way on which it grows [m], its peak along the mean wind and, if wanted, across it and upwards [m/s], as in 5,10,4; not `{0}`"
    )]
    Gust(String),

    /// A line of a manoeuvre is wrong.
    #[error("line {line} of the manoeuvre: {fault}")]
    Manoeuvre {
        /// Which one, from 1.
        line: usize,
        /// What is wrong with it.
        fault: String,
    },

    /// The inertia matrix is not that of a rigid body.
    #[error(
        "the inertia has principal moments {0:?} kg m²; each must be positive and at most the sum of the other two (2 % are allowed for)"
    )]
    Inertia([f64; 3]),

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
        "the rotor geometry cannot be mixed: thrust, roll, pitch and yaw cannot be commanded one by one; look at rotors.positions_m, and at rotors.yaw_torque_signs, of which half should be 1 and half -1 (reciprocal condition of the allocation: {0:.1e})"
    )]
    Geometry(f64),

    /// A rotor would have to pull downwards in hover.
    #[error(
        "rotor {rotor} would carry {share:.3} of the weight in hover; each share must be positive, or it cannot hover (rotors.positions_m are from the centre of mass, or centre_of_mass_m says where that is)"
    )]
    ThrustShare {
        /// Which one, from 1.
        rotor: usize,
        /// Its share of a pure collective thrust.
        share: f64,
    },

    /// The autopilot may not ask for as much thrust as carries the weight.
    #[error(
        "controller.max_thrust_n is {limit_n}; it must be above the weight, {weight_n:.4} N, or it cannot hover"
    )]
    ThrustLimit {
        /// The limit [N].
        limit_n: f64,
        /// Mass times gravity [N].
        weight_n: f64,
    },

    /// The text of a case is not the JSON that its schema needs.
    #[error("the case cannot be read: {0}")]
    CaseSyntax(#[from] serde_json::Error),

    /// A case of a schema that is not known.
    #[error("unknown schema `{0}`; known: quad-case/1, quad-wrench-table/1, quad-mixer-table/1")]
    CaseSchema(String),

    /// A row of a table names a vehicle that the table does not describe.
    #[error("row {row} (from 0) names the vehicle `{vehicle}`, which `parameters` lacks")]
    CaseVehicle {
        /// The row, from 0.
        row: usize,
        /// The vehicle.
        vehicle: String,
    },

    /// An array of a case has the wrong length.
    #[error("{array} has {length} entries; n_intervals calls for {wanted}")]
    CaseLength {
        /// The array.
        array: &'static str,
        /// Its length.
        length: u64,
        /// The length it must have.
        wanted: u64,
    },

    /// A number of a case grew beyond all bounds in the replay.
    #[error(
        "the replay diverges: a number of the state is no longer finite after interval {interval} of {of}"
    )]
    CaseDiverges {
        /// The interval, from 1.
        interval: u64,
        /// Intervals of the case.
        of: u64,
    },

    /// The derivatives or thrusts of a row of a table are not finite.
    #[error("row {0} (from 0) gives numbers that are not finite")]
    CaseRowDiverges(usize),

    /// A case would take too long to replay.
    #[error("the case takes {steps:.0} integration steps; the limit is {most}")]
    TooManySteps {
        /// Steps in all.
        steps: f64,
        /// The limit.
        most: u64,
    },

    /// A file in which another program describes a vehicle has something that no vehicle can have, or lacks
    /// what every one has.
    #[error("{element} is {found}; it must be {wanted}")]
    VehicleFile {
        /// Where it stands.
        element: String,
        /// What stands there, at most 200 letters of it.
        found: String,
        /// What may stand there, in words.
        wanted: &'static str,
    },

    /// An airframe that is not shipped.
    #[error("unknown airframe `{given}`: did you mean `{nearest}`? Known: {}", known.join(", "))]
    UnknownAirframe {
        /// What was asked for.
        given: String,
        /// The known name with the least edit distance.
        nearest: &'static str,
        /// Every known name.
        known: &'static [&'static str],
    },

    /// A wind domain that is not shipped.
    #[error("unknown wind domain `{given}`: did you mean `{nearest}`? Known: {}", known.join(", "))]
    UnknownDomain {
        /// What was asked for.
        given: String,
        /// The known name with the least edit distance.
        nearest: &'static str,
        /// Every known name.
        known: &'static [&'static str],
    },

    /// A file of wind cannot be flown in.
    #[error("{file}: {fault}")]
    Record {
        /// The file's name.
        file: String,
        /// What is wrong with it.
        fault: Box<RecordFault>,
    },

    /// One stretch of a record of wind is in two domains that must not share any.
    #[error(
        "the wind domains `{one}` and `{other}` both take [{from_s}, {to_s}] s of {file}: flights may not be tuned and tested in the same wind; give the domain tune and test, or block_s"
    )]
    RecordShared {
        /// The one domain's name.
        one: String,
        /// The other's.
        other: String,
        /// The record's file.
        file: String,
        /// Start of what they share [s].
        from_s: f64,
        /// Its end [s].
        to_s: f64,
    },

    /// The roughness of a ground is given twice.
    #[error(
        "profile and roughness_m both say how rough the ground is: give one of them; \"category-c\" is 0.04572 m, \"other\" 0.6096 m"
    )]
    TwoRoughnesses,

    /// A name that cannot stand in titles, logs and paths.
    #[error(
        "the name `{name}` of the {of} cannot be used; it must have 1 to 64 letters, digits, dots, underscores or hyphens"
    )]
    Name {
        /// What it names.
        of: &'static str,
        /// The name, at most 64 letters of it.
        name: String,
    },

    /// The text of a world is not the TOML that a world needs.
    #[error("the world cannot be read: {}", placed(.0))]
    WorldSyntax(#[source] toml::de::Error),

    /// A number in the text of a world is wrong.
    #[error("line {line} of the world: {why}")]
    WorldLine {
        /// Where, from 1.
        line: usize,
        /// What is wrong with it.
        why: Box<Error>,
    },

    /// A world says that it has no ground, and where the ground is.
    #[error(
        "line {line} of the world: the ground is at ground_z_m = {z_m}, yet `ground = false`; it must be one or the other"
    )]
    GroundContradiction {
        /// Line of the height, from 1.
        line: usize,
        /// The height [m].
        z_m: f64,
    },

    /// An obstacle of a world cannot stand.
    #[error("obstacle {number} (`{name}`): {quantity} is {value}; it must be {wanted}")]
    Obstacle {
        /// Which one, from 1.
        number: usize,
        /// Its name.
        name: String,
        /// Which number of it, with its unit.
        quantity: &'static str,
        /// Its value.
        value: f64,
        /// The legal range in words.
        wanted: &'static str,
    },

    /// A world has more obstacles than one is allowed.
    #[error("the world has {count} obstacles; it must be at most {limit}")]
    ObstacleCount {
        /// How many it has.
        count: usize,
        /// How many it may have.
        limit: usize,
    },
}

impl Coded for Error {
    fn exit_code(&self) -> u8 {
        exit::DATA
    }
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

/// Checks that `name` can stand in titles, logs and paths: 1 to 64 ASCII letters, digits, dots,
/// underscores or hyphens.
pub(crate) fn legal_name(of: &'static str, name: &str) -> Result<(), Error> {
    let legal = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    if (1..=64).contains(&name.len()) && name.chars().all(legal) {
        return Ok(());
    }
    let name = name.chars().take(64).collect();
    Err(Error::Name { of, name })
}

/// A fault of a TOML text on one line: its place, and what is wrong there.
fn placed(error: &toml::de::Error) -> String {
    let message = error.message().replace('\n', " ");
    let text = error.to_string();
    // The library keeps the place to itself, but for the first line of what it shows, and the text
    // there for the third.
    let place = text.lines().next().and_then(|line| line.split_once(" at "));
    let Some((_, place)) = place else {
        return message;
    };
    if !message.starts_with("missing field") {
        return format!("{place}: {message}");
    }
    let there = text.lines().nth(2).and_then(|line| line.split_once(" | "));
    match there {
        // What is missing above every table has no place of its own.
        _ if error.span().is_none_or(|span| span.is_empty()) => {
            format!("{message} above the first table")
        }
        Some((_, table)) if table.starts_with('[') => format!("{place}: {message} in {table}"),
        _ => format!("{place}: {message}"),
    }
}
