//! The list of guardrails of flights, and whose each concern is.

use super::Severity::{Refusal, Warning};
use super::{Concern, Guarded, Guardrail};

/// Every guardrail of a flight.
pub static GUARDRAILS: [Guardrail; 29] = [
    Guardrail {
        name: "cannot-hover",
        severity: Refusal,
        when: "the greatest thrust, of the autopilot or of the rotors, is not above the weight",
        advice: "check mass_kg, rotors and controller.max_thrust_n of the airframe",
    },
    Guardrail {
        name: "reference-below-ground",
        severity: Refusal,
        when: "the reference leads below the ground",
        advice: "raise its waypoints: z is upwards from the start, which is 3.048 m above the ground",
    },
    Guardrail {
        name: "reference-beyond-vehicle",
        severity: Refusal,
        when: "for more than half of its time the reference asks for more thrust or horizontal acceleration than there is",
        advice: "give its waypoints more time, or fly an airframe with more thrust or tilt",
    },
    Guardrail {
        name: "little-thrust",
        severity: Warning,
        when: "the greatest thrust is less than 1.25 times the weight",
        advice: "check mass_kg, rotors and controller.max_thrust_n of the airframe",
    },
    Guardrail {
        name: "wind-does-not-act",
        severity: Warning,
        when: "wind is asked for and the airframe has no aerodynamic force",
        advice: "give the airframe one of these sections, or name no wind",
    },
    Guardrail {
        name: "no-wind",
        severity: Warning,
        when: "mean and gusts of a wind domain are zero",
        advice: "give the domain a mean or gusts, or name the domain still",
    },
    Guardrail {
        name: "wind-too-strong",
        severity: Warning,
        when: "the vehicle cannot hold its place in a domain's mean wind",
        advice: "name a calmer domain, or an airframe with more thrust or tilt",
    },
    Guardrail {
        name: "no-uncertainty",
        severity: Warning,
        when: "uncertain vehicles are asked for and the airframe declares no uncertainty",
        advice: "declare [uncertainty] in the airframe, or leave --uncertain out",
    },
    Guardrail {
        name: "airframe-guessed",
        severity: Warning,
        when: "the airframe lists properties under guessed",
        advice: "log a flight that tells them and run sim identify again, or measure them and take them out of guessed",
    },
    Guardrail {
        name: "uncertain-too-heavy",
        severity: Warning,
        when: "within the declared uncertainty lie vehicles that cannot carry their weight",
        advice: "narrow [uncertainty], or count on losses that no gains prevent",
    },
    Guardrail {
        name: "unstable-gains",
        severity: Warning,
        when: "the gains flown, or those a search starts from, do not hold the hovering vehicle",
        advice: "look at `sim margins`, and at the sensors' delay",
    },
    Guardrail {
        name: "hover-out-of-trim",
        severity: Warning,
        when: "hover needs a moment that the rate loop's integral cannot give",
        advice: "raise gains.rate_ki or controller.rate_integral_limit_rad, or move what is aboard until the centre of mass is in the rotors' middle",
    },
    Guardrail {
        name: "reference-through-obstacle",
        severity: Warning,
        when: "the reference leads through an obstacle of the world",
        advice: "move its waypoints or the obstacle; tuning on it loses every evaluation",
    },
    Guardrail {
        name: "too-much-thrust",
        severity: Warning,
        when: "at some time the reference asks for more thrust than there is",
        advice: "give the waypoints there more time",
    },
    Guardrail {
        name: "too-much-acceleration",
        severity: Warning,
        when: "at some time the reference asks for more horizontal acceleration than the limits of tilt and thrust leave",
        advice: "give the waypoints there more time",
    },
    Guardrail {
        name: "reference-waits",
        severity: Warning,
        when: "the reference stands still for more than half a second before it moves",
        advice: "begin its times at 0, where this is no hold that is meant",
    },
    Guardrail {
        name: "airframe-implausible",
        severity: Warning,
        when: "a rotor speed, a tilt or turning limit, an inertia or a lag of the airframe is that of no vehicle",
        advice: "check the unit of that number",
    },
    Guardrail {
        name: "too-much-yaw-rate",
        severity: Warning,
        when: "at some time the reference turns faster than the autopilot may ask for",
        advice: "give the waypoints there more time, and write headings in rad",
    },
    Guardrail {
        name: "too-little-thrust",
        severity: Warning,
        when: "at some time the reference falls faster than the rotors let the vehicle fall",
        advice: "give the waypoints there more time",
    },
    Guardrail {
        name: "heading-over-seam",
        severity: Warning,
        when: "headings step over the seam of a log, by more than half a turn",
        advice: "write the headings on beyond the seam, as they turn",
    },
    Guardrail {
        name: "reference-swings",
        severity: Warning,
        when: "the curve leaves the box of the waypoints near it by more than half of the box's diagonal",
        advice: "give the short legs more time, the long ones less, or more points",
    },
    Guardrail {
        name: "wind-outliers",
        severity: Warning,
        when: "single values of a record of wind lie far from those about them",
        advice: "cut the record there, or fill in what a logger wrote for a missing value",
    },
    Guardrail {
        name: "wind-stands",
        severity: Warning,
        when: "more than a tenth of a record of wind repeats the horizontal wind of the row before, ten rows and more",
        advice: "look whether the sensor was stuck or the wind calm, and cut the record there",
    },
    Guardrail {
        name: "wind-without-vertical",
        severity: Warning,
        when: "the vertical wind of a record is the same in every row",
        advice: "tune the horizontal loop alone, [gains] tune = [\"position_xy.kp\", \"position_xy.ki\", \"position_xy.kd\"], or measure w",
    },
    Guardrail {
        name: "wind-of-means",
        severity: Warning,
        when: "rows of a record of wind come more than 10 s apart",
        advice: "look whether its times are in s, or fly in a domain of turbulence",
    },
    Guardrail {
        name: "slow-wind",
        severity: Warning,
        when: "rows of a record of wind come 1 s apart or more",
        advice: "count on gusts that are not in it, or measure at 10 Hz",
    },
    Guardrail {
        name: "wind-implausible",
        severity: Warning,
        when: "the mean of a record of wind is 17.2 m/s or more",
        advice: "look at the units of the record",
    },
    Guardrail {
        name: "few-independent-windows",
        severity: Warning,
        when: "a record of wind has fewer than 299 windows that do not overlap, the number that bounds a loss by 1 %",
        advice: "give a longer record",
    },
    Guardrail {
        name: "too-few-flights",
        severity: Warning,
        when: "fewer flights than a bound of the median takes",
        advice: "raise --flights",
    },
];

impl Guarded for Concern {
    fn guardrail(&self) -> &'static Guardrail {
        let name = match self {
            Concern::CannotHover { .. } => "cannot-hover",
            Concern::BelowGround { .. } => "reference-below-ground",
            Concern::ThroughObstacle { .. } => "reference-through-obstacle",
            Concern::BeyondVehicle { .. } => "reference-beyond-vehicle",
            Concern::LittleThrust { .. } => "little-thrust",
            Concern::WindDoesNotAct { .. } => "wind-does-not-act",
            Concern::NoWind { .. } => "no-wind",
            Concern::WindTooStrong { .. } => "wind-too-strong",
            Concern::NoUncertainty { .. } => "no-uncertainty",
            Concern::Guessed { .. } => "airframe-guessed",
            Concern::UncertainTooHeavy { .. } => "uncertain-too-heavy",
            Concern::UnstableGains { .. } => "unstable-gains",
            Concern::OutOfTrim { .. } => "hover-out-of-trim",
            Concern::TooMuchThrust { .. } => "too-much-thrust",
            Concern::TooMuchAcceleration { .. } => "too-much-acceleration",
            Concern::Waits { .. } => "reference-waits",
            Concern::ImplausibleAirframe { .. } => "airframe-implausible",
            Concern::TooMuchYawRate { .. } => "too-much-yaw-rate",
            Concern::TooLittleThrust { .. } => "too-little-thrust",
            Concern::HeadingSeam { .. } => "heading-over-seam",
            Concern::Swing { .. } => "reference-swings",
            Concern::WindOutliers { .. } => "wind-outliers",
            Concern::WindStands { .. } => "wind-stands",
            Concern::NoVerticalWind { .. } => "wind-without-vertical",
            Concern::WindOfMeans { .. } => "wind-of-means",
            Concern::SlowWind { .. } => "slow-wind",
            Concern::Gale { .. } => "wind-implausible",
            Concern::FewIndependentWindows { .. } => "few-independent-windows",
            Concern::TooFewFlights { .. } => "too-few-flights",
        };
        Guardrail::named(&GUARDRAILS, name)
    }
}

impl Guardrail {
    /// The guardrail of that name in a list that has it.
    ///
    /// # Panics
    /// Where the list lacks it.
    pub fn named(list: &'static [Guardrail], name: &str) -> &'static Guardrail {
        let found = list.iter().find(|guardrail| guardrail.name == name);
        found.expect("every concern has its guardrail in the list")
    }
}
