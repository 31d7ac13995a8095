//! Described: the tuning problem as a record has it.

use crate::flights::problem::Problem;
use crate::flights::space::{Gain, Knob, left_out};
use crate::flights::warm_start::TunedGain;
use search::{Refusal, Scale, Span};
use serde::{Deserialize, Serialize};
use sim::{Airframe, Domain, SensorNoise, Setup, Start, World};

/// The tuning problem in full.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Described {
    /// The vehicle.
    pub airframe: Airframe,
    /// Noise of its sensors.
    pub sensors: SensorNoise,
    /// What can be hit, where it is not level ground alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub world: Option<World>,
    /// Whether each flight's vehicle is drawn from the airframe's uncertainty.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub uncertain: bool,
    /// How each flight begins.
    #[serde(default, skip_serializing_if = "is_rest")]
    pub start: Start,
    /// What the score leaves out from the start of each flight [s].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub settle_s: f64,
    /// The wind domains in which gains are tested.
    pub domains: Vec<Domain>,
    /// The wind domains of the training flights; records of the first form have none.
    #[serde(default)]
    pub training: Vec<TrainingDomain>,
    /// The gains that are tuned and their bounds.
    pub tuned: Vec<TunedKnob>,
    /// Where the whole cascade is tuned, the gains that are not because they are 0 in the vehicle.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// A wind domain of the training flights.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrainingDomain {
    /// The domain.
    pub domain: Domain,
    /// Its share of the training flights.
    pub share: f64,
}

/// One tuned gain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TunedKnob {
    /// Its name.
    pub name: String,
    /// Its unit.
    #[serde(default)]
    pub unit: String,
    /// Least value.
    pub low: f64,
    /// Greatest value.
    pub high: f64,
    /// What lies between them; in records of the first form equal ratios.
    #[serde(default = "by_ratio")]
    pub scale: Scale,
}

fn is_rest(start: &Start) -> bool {
    *start == Start::Rest
}

fn is_zero(x: &f64) -> bool {
    *x == 0.0
}

fn by_ratio() -> Scale {
    Scale::Log
}

impl TunedKnob {
    fn of(knob: &Knob) -> TunedKnob {
        let Span { low, high, scale } = knob.span();
        TunedKnob {
            name: knob.gain.name.to_owned(),
            unit: knob.gain.unit.to_owned(),
            low,
            high,
            scale,
        }
    }

    /// What it says, where there is a gain of its name.
    pub(in crate::run) fn knob(&self) -> Option<Result<Knob, Refusal>> {
        let TunedKnob {
            low, high, scale, ..
        } = *self;
        Some(Gain::by_name(&self.name)?.within(Span { low, high, scale }))
    }
}

impl Described {
    /// `problem` as it is written down.
    pub fn of(problem: &Problem) -> Described {
        let (tuning, knobs) = (&problem.tuning, problem.space.knobs());
        let tuned = knobs.iter().map(TunedKnob::of);
        let training = tuning.training.iter().zip(&tuning.shares);
        let names: Vec<&str> = knobs.iter().map(|knob| knob.gain.name).collect();
        let left_out = left_out(&names, &tuning.setup.airframe.gains).into_iter();
        Described {
            left_out: left_out.map(str::to_owned).collect(),
            airframe: tuning.setup.airframe.clone(),
            sensors: tuning.setup.sensors,
            world: Some(&tuning.setup.world)
                .filter(|world| **world != World::ground())
                .cloned(),
            uncertain: tuning.setup.uncertain,
            start: tuning.setup.start,
            settle_s: tuning.setup.settle_s,
            domains: tuning.domains.clone(),
            training: training
                .map(|(domain, share)| TrainingDomain {
                    domain: domain.clone(),
                    share: *share,
                })
                .collect(),
            tuned: tuned.collect(),
        }
    }

    /// What every flight was flown with.
    pub fn setup(&self) -> Setup {
        Setup {
            sensors: self.sensors,
            world: self.world.clone().unwrap_or_else(World::ground),
            uncertain: self.uncertain,
            start: self.start,
            settle_s: self.settle_s,
            ..Setup::new(self.airframe.clone())
        }
    }

    /// The gains that are tuned, without their units.
    pub fn tuned_gains(&self) -> impl Iterator<Item = TunedGain> {
        self.tuned.iter().map(|gain| TunedGain {
            name: gain.name.clone(),
            low: gain.low,
            high: gain.high,
            scale: gain.scale,
        })
    }
}
