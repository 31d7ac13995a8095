//! The commands of the program, and the flights that most of them make.

mod fly;
mod made;
mod margins;
mod montecarlo;
mod named;
mod replay;
mod serve;
mod template;
mod wind;

pub use fly::fly;
pub use margins::margins;
pub use montecarlo::montecarlo;
pub use replay::replay;
pub use serve::serve;
pub use template::template;
pub use wind::wind;

use crate::args::FlightArgs;
use crate::failure::Failure;
use made::{Printed, claim, json, write_made};
use named::{Weather, in_file, read, read_at_most, sensors, trajectory, tune, vehicle, weather};
use shell::terminal;
use sim::{Concern, Domain, Flight, Gains, Guarded, Setup, Steady, World, concerns, rest_height_m};
use trajectories::{FromGround, Trajectory};

/// Instants at which two trajectories are compared.
const INSTANTS: u32 = 1000;

/// Flights of one kind, ready to be flown with any seed.
struct Mission {
    setup: Setup,
    trajectory: Box<dyn Trajectory>,
    gains: Gains,
    weather: Weather,
}

impl Mission {
    /// Reads everything that `args` name.
    fn new(args: &FlightArgs) -> Result<Mission, Failure> {
        let (airframe, gains) = vehicle(&args.vehicle)?;
        let mut setup = Setup::new(airframe);
        setup.uncertain = args.uncertain;
        if let Some(path) = &args.world {
            setup.world = World::from_toml(&read(path)?).map_err(in_file(path))?;
        }
        if let Some(path) = &args.sensors {
            setup.sensors = sensors(path)?;
        }
        let weather = weather(&args.wind)?;
        let mut trajectory = trajectory(&args.traj)?;
        if args.from_ground {
            let ground_z_m = setup.world.ground_z_m().ok_or(Failure::NoGround)?;
            let standing_m = rest_height_m(&setup.airframe);
            trajectory = Box::new(FromGround::new(trajectory, ground_z_m, standing_m)?);
        }
        if let Weather::Gusts(domain) = &weather {
            domain
                .fits(trajectory.duration_s())
                .map_err(Failure::Wind)?;
        }
        Ok(Mission {
            setup,
            trajectory,
            gains,
            weather,
        })
    }

    /// All that decides a flight besides its seed, to be compared: the same text on machines of other
    /// instructions.
    fn described(&self) -> String {
        let setup = Setup {
            instructions: sim::Instructions::Portable,
            ..self.setup.clone()
        };
        let weather = match &self.weather {
            Weather::Still => String::new(),
            Weather::Gusts(domain) => format!("{domain:?}"),
        };
        let lasts_s = self.trajectory.duration_s();
        let places = (0..=INSTANTS).map(|k| lasts_s * f64::from(k) / f64::from(INSTANTS));
        let path: Vec<_> = places.map(|t_s| self.trajectory.at(t_s)).collect();
        format!("{setup:?} {:?} {weather} {lasts_s} {path:?}", self.gains)
    }

    /// Says, a line each, what makes the answer mean less than it seems to, `more` with it, and returns the
    /// lines.
    ///
    /// # Errors
    /// [`Failure::Meaningless`] where the answer could mean nothing.
    fn say_concerns(&self, more: Option<Concern>) -> Result<Vec<String>, Failure> {
        let domains: Vec<&Domain> = match &self.weather {
            Weather::Still => Vec::new(),
            Weather::Gusts(domain) => vec![&**domain],
        };
        let mut found = concerns(
            &self.setup,
            ("these", &self.gains),
            self.trajectory.as_ref(),
            &domains,
        );
        if found.first().is_some_and(Guarded::refuses) {
            return Err(Failure::Meaningless(found.swap_remove(0)));
        }
        let said: Vec<String> = found.iter().chain(&more).map(Guarded::said).collect();
        said.iter().for_each(|said| terminal::warn(said));
        Ok(said)
    }

    /// One flight, recorded every `record_every` control periods (0: not at all).
    fn fly(&self, seed: u64, record_every: u32) -> Flight {
        let setup = Setup {
            record_every,
            ..self.setup.clone()
        };
        let trajectory = self.trajectory.as_ref();
        match &self.weather {
            Weather::Still => {
                let mut air = Steady(Default::default());
                sim::fly(&setup, trajectory, &self.gains, &mut air, seed)
            }
            Weather::Gusts(domain) => {
                let mut wind = domain.wind(seed, trajectory.duration_s());
                sim::fly(&setup, trajectory, &self.gains, &mut wind, seed)
            }
        }
    }
}
