//! Why an autopilot's parameters cannot be read or written.

use shell::exit::{self, Coded};

/// Why an autopilot's parameters cannot be read or written. Numbers are as the gains file or the autopilot has them.
#[derive(Debug, thiserror::Error)]
pub enum AutopilotError {
    /// A value that no file for a vehicle may hold.
    #[error(
        "{name} would be {value:e}; a parameter is written only where it is finite and from 0 to {most:e}"
    )]
    Absurd {
        /// The parameter.
        name: String,
        /// Its value.
        value: f64,
        /// The greatest that is written.
        most: f64,
    },

    /// A value in a baseline that no file for a vehicle may hold.
    #[error(
        "the parameter file's line {line} gives {name} the value {value:e}; a gain to go back to must be finite and from 0 to {most:e}"
    )]
    BaselineValue {
        /// The line, from 1.
        line: usize,
        /// The parameter.
        name: String,
        /// Its value.
        value: f64,
        /// The greatest that is written.
        most: f64,
    },

    /// A file holds no gains.
    #[error("{name}: {source}")]
    Gains {
        /// The file.
        name: String,
        /// What is wrong with it.
        source: Box<crate::Error>,
    },

    /// The gains of a file are those that the vehicle has already.
    #[error(
        "{name} holds the gains that the airframe {airframe} has already; name the airframe that they are for with --airframe"
    )]
    NothingChanged {
        /// The file.
        name: String,
        /// The airframe.
        airframe: String,
    },

    /// How the firmware mixes for these rotors is not known.
    #[error(
        "{target} has no mixer for the {rotors} rotors of {airframe} that is known here; {}",
        match turned {
            Some(frame) => format!("they stand as in {frame} and all turn the other way: reverse every spin"),
            None => "the frames are those of `sim template airframe --frame`, with their spins".to_owned(),
        }
    )]
    Frame {
        /// The target.
        target: &'static str,
        /// The airframe.
        airframe: String,
        /// How many rotors it has.
        rotors: usize,
        /// The frame that they would be if every one turned the other way.
        turned: Option<&'static str>,
    },

    /// The run tuned nothing.
    #[error("the run tuned no gains that could be exported")]
    NothingTuned,

    /// The target has no parameter for anything that was tuned.
    #[error(
        "{target} has a {loops} only, and the tuned gains are those of {tuned}; export to px4, ardupilot, \
         crazyflie or json instead, or tune that loop"
    )]
    NothingToExport {
        /// The target.
        target: &'static str,
        /// The loops that it has.
        loops: &'static str,
        /// What was tuned.
        tuned: String,
    },

    /// A PID that no cascade of P and PI equals.
    #[error(
        "{axis} has no equivalent in a cascade: Kp² = {kp_squared:.4} is below 4 Kd Ki = {four_kd_ki:.4}; \
         tune with --exportable, or lower Ki to at most {greatest_ki:.4}"
    )]
    NoCascade {
        /// The axis, as in a gains file.
        axis: &'static str,
        /// Kp² [1/s⁴].
        kp_squared: f64,
        /// 4 Kd Ki [1/s⁴].
        four_kd_ki: f64,
        /// Greatest Ki for which there is an equivalent [1/s³].
        greatest_ki: f64,
    },

    /// A PID without velocity feedback.
    #[error("{0} has Kd = 0, and a cascade's velocity loop needs a gain")]
    NoVelocityGain(&'static str),

    /// The firmware's version is not one.
    #[error("--firmware is `{0}`; it must be a version such as 4.6 or 4.8")]
    Firmware(String),

    /// The target has one set of names whatever its version.
    #[error("--firmware decides the names of ardupilot's parameters; {0} does not need it")]
    FirmwareNotAsked(&'static str),

    /// What has no published gains.
    #[error(
        "{0} comes with no gains of its own; say whose defaults are meant: --baseline defaults:px4, or :ardupilot, :betaflight, :crazyflie"
    )]
    NoDefaults(String),

    /// A file holds nothing that could be flown.
    #[error("the file has no gain that {0} and the simulated cascade share")]
    NothingRead(&'static str),

    /// A file holds a part of a cascade, and nothing says the rest.
    #[error(
        "the file gives a part of a position loop and not {name}, and the base gains have no equivalent in {target}'s terms; give all of that loop"
    )]
    HalfCascade {
        /// What is missing.
        name: String,
        /// Whose form it has.
        target: &'static str,
    },

    /// A file holds the names of two generations of one firmware.
    #[error(
        "the file holds position gains by the names of ArduPilot 4.6 (PSC_POSXY_P, PSC_VELXY_P, ...) and by those of 4.7 and later (PSC_NE_POS_P, ...): a vehicle flies one of them; say which with --firmware 4.6 or --firmware 4.8"
    )]
    TwoGenerations,

    /// A tune is to be judged on no vehicle.
    #[error(
        "{0} says nothing of the vehicle that it is for: print an airframe file with `sim template airframe > my.toml`, put your vehicle's numbers in, and give it with --airframe my.toml"
    )]
    NoVehicle(String),

    /// A file is in no form that is known.
    #[error("{0} is in no form that is known; say whose it is with --from")]
    Unrecognised(String),

    /// A parameter file, as a whole, is none that can be flown.
    #[error("{name} {said}")]
    File {
        /// The file.
        name: String,
        /// What it is, and what to do.
        said: String,
    },

    /// A line of a parameter file can be read in more than one way, or in none.
    #[error("{name}, line {line}: {said}")]
    Line {
        /// The file.
        name: String,
        /// The line, from 1.
        line: usize,
        /// What it says.
        said: String,
    },

    /// A baseline is another autopilot's than the export.
    #[error("the baseline's parameters are {is}'s, and the export is for {target}")]
    OtherBaseline {
        /// Whose it is.
        is: &'static str,
        /// Whose it must be.
        target: &'static str,
    },

    /// The baseline lacks parameters that are written.
    #[error(
        "the baseline has no {names}: it is not a complete {target} file, or one of another firmware"
    )]
    BaselineLacks {
        /// The names.
        names: String,
        /// The target.
        target: &'static str,
    },
}

impl Coded for AutopilotError {
    fn exit_code(&self) -> u8 {
        match self {
            AutopilotError::NothingToExport { .. }
            | AutopilotError::Firmware(..)
            | AutopilotError::NoVehicle(..)
            | AutopilotError::NoDefaults(..)
            | AutopilotError::FirmwareNotAsked(..) => exit::USAGE,
            _ => exit::DATA,
        }
    }
}
