//! The list of guardrails of flights, and whose each concern is.

use super::Severity::{Refusal, Warning};
use super::{Concern, Guarded, Guardrail};

/// Every guardrail of a flight.
pub static GUARDRAILS: [Guardrail; 15] = [
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
        name: "uncertain-too-heavy",
        severity: Warning,
        when: "within the declared uncertainty lie vehicles that cannot carry their weight",
        advice: "narrow [uncertainty], or count on losses that no gains prevent",
    },
    Guardrail {
        name: "unstable-gains",
        severity: Warning,
        when: "the gains flown, or those a search starts from, do not hold the hovering vehicle",
        advice: "look at `windhover-sim margins`, and at the sensors' delay",
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
        advice: "begin its times at 0",
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
            Concern::UncertainTooHeavy { .. } => "uncertain-too-heavy",
            Concern::UnstableGains { .. } => "unstable-gains",
            Concern::TooMuchThrust { .. } => "too-much-thrust",
            Concern::TooMuchAcceleration { .. } => "too-much-acceleration",
            Concern::Waits { .. } => "reference-waits",
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
