//! What a guardrail of a flight found, with its numbers.

use super::LITTLE_THRUST;
use serde::Serialize;

/// Something to know before a flight's answer is trusted.
#[derive(Debug, Clone, PartialEq, Serialize, thiserror::Error)]
#[serde(tag = "concern", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Concern {
    /// The vehicle has no aerodynamic force, and wind was asked for.
    #[error(
        "wind does not act on the airframe `{airframe}`: it has no side_force, rotor_drag or body_drag; flights in any wind are flights in still air"
    )]
    WindDoesNotAct {
        /// The airframe's name.
        airframe: String,
    },

    /// A wind domain neither blows nor gusts.
    #[error("the wind domain `{domain}` has no wind: its mean and its gusts are zero")]
    NoWind {
        /// The domain's name.
        domain: String,
    },

    /// The mean wind of a domain carries the vehicle away.
    #[error(
        "the vehicle cannot hold its place in the mean wind of the domain `{domain}`, {wind_m_s:.1} m/s: that takes {thrust_n:.3} N at a tilt of {tilt_deg:.1} degrees, and the autopilot and the rotors allow {most_n:.3} N and {most_tilt_deg:.1} degrees"
    )]
    WindTooStrong {
        /// The domain's name.
        domain: String,
        /// Length of its mean wind [m/s].
        wind_m_s: f64,
        /// Thrust that holds the vehicle [N].
        thrust_n: f64,
        /// Tilt that holds it [deg].
        tilt_deg: f64,
        /// The greatest thrust [N].
        most_n: f64,
        /// The greatest tilt [deg].
        most_tilt_deg: f64,
    },

    /// Uncertain vehicles were asked for, and the airframe declares no uncertainty.
    #[error(
        "the airframe `{airframe}` declares no [uncertainty]: every vehicle is the nominal one"
    )]
    NoUncertainty {
        /// The airframe's name.
        airframe: String,
    },

    /// The airframe's file has numbers that nobody measured.
    #[error("nobody measured what is guessed in `{airframe}`: {what}")]
    Guessed {
        /// The airframe's name.
        airframe: String,
        /// What.
        what: String,
    },

    /// Within the declared uncertainty lie vehicles that cannot carry their weight.
    #[error(
        "the heaviest and weakest vehicle within the [uncertainty] of `{airframe}` has a greatest thrust of {thrust_to_weight:.2} times its weight: it cannot hover with any gains"
    )]
    UncertainTooHeavy {
        /// The airframe's name.
        airframe: String,
        /// Its greatest thrust over its weight.
        thrust_to_weight: f64,
    },

    /// The greatest thrust is no more than the weight.
    #[error(
        "the greatest thrust that autopilot and rotors of `{airframe}` allow is {thrust_to_weight:.3} times the weight: it cannot hover"
    )]
    CannotHover {
        /// The airframe's name.
        airframe: String,
        /// Greatest thrust over weight.
        thrust_to_weight: f64,
    },

    /// The greatest thrust is hardly more than the weight.
    #[error(
        "the greatest thrust that autopilot and rotors of `{airframe}` allow is {thrust_to_weight:.2} times the weight, below {LITTLE_THRUST}: gusts and turns will saturate the rotors"
    )]
    LittleThrust {
        /// The airframe's name.
        airframe: String,
        /// Greatest thrust over weight.
        thrust_to_weight: f64,
    },

    /// With the gains that are flown, or that a search starts from, a small disturbance grows.
    #[error(
        "with {whose} gains the hovering vehicle is not stable: a small disturbance grows by {growth_per_s:.2} 1/s at {frequency_hz:.2} Hz"
    )]
    UnstableGains {
        /// Which gains, where more than one set is flown.
        whose: &'static str,
        /// Its growth [1/s].
        growth_per_s: f64,
        /// Its frequency [Hz].
        frequency_hz: f64,
    },

    /// Hover needs a moment, and the integral that should hold it is limited to less.
    #[error(
        "hover needs {needed_n_m:.2e} N m about {axis}, and the integral of the rate loop can give at most {most_n_m:.2e}: the rest is held by a standing error"
    )]
    OutOfTrim {
        /// About which axis.
        axis: &'static str,
        /// The moment [N m].
        needed_n_m: f64,
        /// Gain times clamp of the integral [N m].
        most_n_m: f64,
    },

    /// The reference asks for more force than the autopilot may ask for or the rotors can give.
    #[error(
        "the reference asks for {wanted_n:.3} N after {at_s:.2} s, more than the {most_n:.3} N that autopilot and rotors allow: no gains can follow it there"
    )]
    TooMuchThrust {
        /// When it asks for most [s].
        at_s: f64,
        /// Mass times (acceleration + gravity), without wind and drag [N].
        wanted_n: f64,
        /// The least of the autopilot's limit and the rotors' greatest thrust [N].
        most_n: f64,
    },

    /// The reference asks for more horizontal acceleration than the limits of tilt and thrust
    /// leave.
    #[error(
        "the reference asks for a horizontal acceleration of {wanted_m_s2:.2} m/s² after {at_s:.2} s, more than the {most_m_s2:.2} m/s² that the limits of tilt and thrust leave: no gains can follow it there"
    )]
    TooMuchAcceleration {
        /// When it asks for most [s].
        at_s: f64,
        /// Its horizontal acceleration [m/s²].
        wanted_m_s2: f64,
        /// Greatest thrust over mass, times the sine of the greatest tilt [m/s²].
        most_m_s2: f64,
    },

    /// For most of its time the reference is beyond the vehicle.
    #[error(
        "for {percent:.0} % of its time the reference asks for more thrust or horizontal acceleration than there is ({wanted_n:.3} N and {wanted_m_s2:.2} m/s² at most, of {most_n:.3} N and {most_m_s2:.2} m/s²): no such vehicle can follow it"
    )]
    BeyondVehicle {
        /// Share of its time [%].
        percent: f64,
        /// The greatest thrust that it asks for [N].
        wanted_n: f64,
        /// The greatest thrust [N].
        most_n: f64,
        /// The greatest horizontal acceleration that it asks for [m/s²].
        wanted_m_s2: f64,
        /// What the limits of tilt and thrust leave [m/s²].
        most_m_s2: f64,
    },

    /// The reference stands still before it moves.
    #[error(
        "the reference begins to move after {until_s:.2} s only: the vehicle holds its first point until then, and that time counts"
    )]
    Waits {
        /// When it begins to move [s].
        until_s: f64,
    },

    /// The reference leads below the ground.
    #[error(
        "the reference leads below the ground after {at_s:.2} s, {depth_m:.3} m at most: no gains can follow it"
    )]
    BelowGround {
        /// When it first does [s].
        at_s: f64,
        /// The greatest depth [m].
        depth_m: f64,
    },

    /// The reference leads through an obstacle.
    #[error(
        "the reference leads through an obstacle after {at_s:.2} s, {depth_m:.3} m inside at most: no gains can follow it"
    )]
    ThroughObstacle {
        /// When it first does [s].
        at_s: f64,
        /// The greatest depth [m].
        depth_m: f64,
    },

    /// Too few flights to bound even the median.
    #[error(
        "{flights} flights are too few for an interval: a bound of the median ACE with 95 % confidence takes {least}"
    )]
    TooFewFlights {
        /// Flights that were asked for.
        flights: u64,
        /// Flights that it takes.
        least: u64,
    },

    /// A number of the airframe is none of a vehicle's: its unit is likely another.
    #[error("the airframe `{airframe}` has {what}: {question}")]
    ImplausibleAirframe {
        /// The airframe's name.
        airframe: String,
        /// The number, and what it would mean.
        what: String,
        /// What it may be instead.
        question: &'static str,
    },

    /// The reference turns faster than the autopilot may ask for.
    #[error(
        "the reference turns by {wanted_rad_s:.2} rad/s after {at_s:.2} s, more than the {most_rad_s:.2} rad/s that rate_setpoint_limit_rad_s allows about z: no gains can follow its heading there"
    )]
    TooMuchYawRate {
        /// When it turns fastest [s].
        at_s: f64,
        /// How fast [rad/s].
        wanted_rad_s: f64,
        /// The autopilot's limit about z [rad/s].
        most_rad_s: f64,
    },

    /// The reference falls faster than the vehicle can.
    #[error(
        "for {percent:.0} % of its time the reference falls faster than the vehicle can, with {wanted_m_s2:.2} m/s² after {at_s:.2} s, where no more than {most_m_s2:.2} m/s² are left by the idle rotors: no gains can follow it there"
    )]
    TooLittleThrust {
        /// Share of its time [%].
        percent: f64,
        /// When it falls fastest [s].
        at_s: f64,
        /// Its downward acceleration there [m/s²].
        wanted_m_s2: f64,
        /// Gravity less what the rotors give at their least speed and the greatest tilt [m/s²].
        most_m_s2: f64,
    },

    /// The heading crosses the seam of a log the shorter way.
    #[error("{said}")]
    HeadingSeam {
        /// Where, and by how much.
        said: String,
    },

    /// The reference leaves the region of its points by far.
    #[error("{said}")]
    Swing {
        /// Where, and how far.
        said: String,
    },

    /// Single values of a record of wind lie far from those about them.
    #[error(
        "the record of wind `{domain}` has {count} values far from those before and behind, the first {value} m/s in column {column} after {at_s:.2} s"
    )]
    WindOutliers {
        /// The domain's name.
        domain: String,
        /// How many.
        count: usize,
        /// The first of them [m/s].
        value: f64,
        /// Its column.
        column: char,
        /// When it stands [s].
        at_s: f64,
    },

    /// A record of wind stands still.
    #[error(
        "in {percent:.0} % of the rows of the record of wind `{domain}` the horizontal wind is that of at least {rows} rows in a row, to the last digit"
    )]
    WindStands {
        /// The domain's name.
        domain: String,
        /// Share of the rows [%].
        percent: f64,
        /// Rows from which it counts.
        rows: usize,
    },

    /// A record of wind has no vertical component.
    #[error(
        "the record of wind `{domain}` has one vertical wind in every row: the vertical loop is judged in still air"
    )]
    NoVerticalWind {
        /// The domain's name.
        domain: String,
    },

    /// Rows of a record of wind that come too slowly for turbulence.
    #[error(
        "the record of wind `{domain}` has a row every {step_s:.0} s: these are means, with no turbulence in them"
    )]
    WindOfMeans {
        /// The domain's name.
        domain: String,
        /// Between two rows [s].
        step_s: f64,
    },

    /// Rows of a record of wind that come slowly.
    #[error(
        "the record of wind `{domain}` has a row every {step_s:.2} s: no gust faster than {fastest_hz:.2} Hz is in it"
    )]
    SlowWind {
        /// The domain's name.
        domain: String,
        /// Between two rows [s].
        step_s: f64,
        /// Half the rate of the rows [Hz].
        fastest_hz: f64,
    },

    /// A record of wind is a gale.
    #[error(
        "the record of wind `{domain}` has a mean of {mean_m_s:.1} m/s, a gale: is it in km/h or knots?"
    )]
    Gale {
        /// The domain's name.
        domain: String,
        /// Horizontal mean [m/s].
        mean_m_s: f64,
    },

    /// A record of wind holds few winds that share nothing.
    #[error(
        "the record of wind `{domain}` holds {windows} windows of {flight_s:.1} s that do not overlap: without one loss in them a probability of up to {percent:.1} % remains possible at 95 % confidence, however many flights are flown"
    )]
    FewIndependentWindows {
        /// The domain's name.
        domain: String,
        /// How many.
        windows: u64,
        /// How long each is [s].
        flight_s: f64,
        /// 1 - 0.05^(1/windows) [%].
        percent: f64,
    },
}

impl Concern {
    /// Whether it says that gains do not hold the vehicle.
    pub fn is_of_gains(&self) -> bool {
        matches!(
            self,
            Concern::UnstableGains { .. } | Concern::OutOfTrim { .. }
        )
    }

    /// Whether it says that the vehicle cannot follow the reference.
    pub fn is_of_the_reference(&self) -> bool {
        matches!(
            self,
            Concern::TooMuchThrust { .. }
                | Concern::TooMuchAcceleration { .. }
                | Concern::TooMuchYawRate { .. }
                | Concern::TooLittleThrust { .. }
        )
    }

    /// Whether it says that a vehicle may meet what was not flown: that vehicle or wind are not those of the flights,
    /// or not all of them. What is asked of the reference, and gains, are flown as they are.
    pub fn is_of_what_is_met(&self) -> bool {
        match self {
            Concern::WindDoesNotAct { .. }
            | Concern::NoWind { .. }
            | Concern::WindTooStrong { .. }
            | Concern::UncertainTooHeavy { .. }
            | Concern::Guessed { .. }
            | Concern::CannotHover { .. }
            | Concern::LittleThrust { .. }
            | Concern::ImplausibleAirframe { .. }
            | Concern::WindOutliers { .. }
            | Concern::WindStands { .. }
            | Concern::NoVerticalWind { .. }
            | Concern::WindOfMeans { .. }
            | Concern::SlowWind { .. }
            | Concern::Gale { .. }
            | Concern::FewIndependentWindows { .. } => true,
            Concern::NoUncertainty { .. }
            | Concern::UnstableGains { .. }
            | Concern::OutOfTrim { .. }
            | Concern::TooFewFlights { .. }
            | Concern::TooMuchThrust { .. }
            | Concern::TooMuchAcceleration { .. }
            | Concern::BeyondVehicle { .. }
            | Concern::Waits { .. }
            | Concern::BelowGround { .. }
            | Concern::ThroughObstacle { .. }
            | Concern::TooMuchYawRate { .. }
            | Concern::TooLittleThrust { .. }
            | Concern::HeadingSeam { .. }
            | Concern::Swing { .. } => false,
        }
    }
}
