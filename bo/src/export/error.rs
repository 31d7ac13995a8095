//! Why gains cannot be exported.

/// Why gains cannot be exported. Numbers are as the gains file or the autopilot has them.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The record of a run is not one.
    #[error("run.json is not the record of a run: {0}")]
    Record(#[from] serde_json::Error),

    /// The record has a form that this version does not know.
    #[error("run.json has the form `{given}`; this version reads {known}")]
    Schema {
        /// The form named in the record.
        given: String,
        /// The form that can be read.
        known: &'static str,
    },

    /// The record holds gains or an airframe that cannot be.
    #[error("run.json: {0}")]
    Vehicle(#[from] sim::Error),

    /// A file holds no gains.
    #[error("{name}: {source}")]
    Gains {
        /// The file.
        name: String,
        /// What is wrong with it.
        source: Box<sim::Error>,
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

    /// A run knows its vehicle.
    #[error("--airframe is for a file of gains; a run knows its own")]
    AirframeOfRun,

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
    #[error("{axis} has Kd = 0, and a cascade's velocity loop needs a gain")]
    NoVelocityGain {
        /// The axis, as in a gains file.
        axis: &'static str,
    },

    /// Parameters outside the ranges of the autopilot.
    #[error(
        "{list}; --clamp writes the nearest legal values, a run with --exportable stays within them"
    )]
    OutOfRange {
        /// Each parameter with its value and its range.
        list: String,
    },

    /// The firmware's version is not one.
    #[error("--firmware is `{given}`; it must be a version such as 4.6 or 4.8")]
    Firmware {
        /// What was given.
        given: String,
    },

    /// The target has one set of names whatever its version.
    #[error("--firmware decides the names of ardupilot's parameters; {target} does not need it")]
    FirmwareNotAsked {
        /// The target.
        target: &'static str,
    },

    /// A line of the baseline is not in the target's form.
    #[error("the baseline's line {line} is no {target} parameter: `{text}`")]
    BaselineLine {
        /// The line, from 1.
        line: usize,
        /// The target.
        target: &'static str,
        /// The line.
        text: String,
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

impl ExportError {
    /// 2 for a flag that does not fit, 65 (`EX_DATAERR`) for gains or files that do not.
    pub fn exit_code(&self) -> u8 {
        match self {
            ExportError::NothingToExport { .. }
            | ExportError::Firmware { .. }
            | ExportError::AirframeOfRun
            | ExportError::FirmwareNotAsked { .. } => 2,
            _ => 65,
        }
    }
}
