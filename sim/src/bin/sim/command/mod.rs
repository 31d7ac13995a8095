//! The commands of the program, and the flights that most of them make.

mod airframe;
mod fly;
mod identify;
mod margins;
mod montecarlo;
mod named;
mod replay;
mod template;
mod wind;

pub use airframe::airframe;
pub use fly::fly;
pub use identify::identify;
pub use margins::margins;
pub use montecarlo::montecarlo;
pub use replay::replay;
pub use template::template;
pub use wind::wind;

use crate::Said;
use crate::args::{FIG8, FlightArgs};
use named::{Weather, manoeuvre, read, read_at_most, sensors, trajectory, tune, vehicle, weather};
use serde::Serialize;
use shell::Failure;
use shell::folder::Folder;
use shell::usage::OutputArgs;
use shell::{exit, files, names, terminal};
use sim::{
    Airframe, Concern, Domain, Flight, Gains, Guarded, RotorOut, STARTS, Setup, Start, Steady,
    World, concerns, rest_height_m,
};
use std::io::{BufWriter, stdin, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use trajectories::{FromGround, Hover, Trajectory};

/// Instants at which two trajectories are compared.
const INSTANTS: u32 = 1000;

/// How long the vehicle hovers on after a manoeuvre [s].
const HOVER_ON_S: f64 = 2.0;

/// Refuses a file for the result that exists.
fn not_there(out: Option<&Path>) -> Result<(), Failure> {
    match out.filter(|out| out.symlink_metadata().is_ok()) {
        None => Ok(()),
        Some(out) => {
            let line = format!(
                "{} exists; name another with --out, nothing was overwritten",
                out.display()
            );
            Err(Failure::new(line, exit::CANNOT_CREATE))
        }
    }
}

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
            setup.world = World::from_toml(&read(path)?).map_err(Failure::in_file(path))?;
        }
        if let Some(path) = &args.sensors {
            setup.sensors = sensors(path)?;
        }
        let start = STARTS.iter().find(|(name, _)| *name == args.start);
        setup.start = start.map_or_else(Start::default, |(_, start)| *start);
        setup.settle_s = args.settle_s;
        let weather = weather(&args.wind)?;
        let mut added = args.manoeuvre.as_deref().map(manoeuvre).transpose()?;
        let mut trajectory = match (&args.traj, &added) {
            (None, Some(added)) => Box::new(Hover {
                lasts_s: added.lasts_s() + HOVER_ON_S,
            }),
            (named, _) => trajectory(named.as_deref().unwrap_or(FIG8))?,
        };
        if args.from_ground {
            let ground_z_m = setup
                .world
                .ground_z_m()
                .ok_or_else(|| Failure::usage("--from-ground needs a world with a ground"))?;
            let standing_m = rest_height_m(&setup.airframe);
            let raised = FromGround::new(trajectory, ground_z_m, standing_m);
            let refused = |error| Failure::usage(format!("--from-ground: {error}"));
            let raised = raised.map_err(refused)?;
            added = added.map(|added| added.later(raised.starts_s()[2]));
            trajectory = Box::new(raised);
        }
        if let Some(added) = &added
            && added.lasts_s() > trajectory.duration_s()
        {
            let remark = "the trajectory ends before the manoeuvre, the end of which is not flown";
            terminal::note(remark);
        }
        setup.manoeuvre = added.map(Arc::new);
        let lasts_s = trajectory.duration_s();
        setup.rotor_out = rotor_out(args, &setup.airframe, lasts_s)?;
        if !(0.0..lasts_s).contains(&args.settle_s) {
            let wanted = format!("at least 0 and less than the {lasts_s} s that the flight lasts");
            return Err(Failure::out_of_range("settle-s", args.settle_s, &wanted));
        }
        if let Weather::Gusts(domain) = &weather {
            domain.fits(trajectory.duration_s())?;
        }
        if let Some(out) = &setup.rotor_out {
            terminal::note(&out.said(&setup.airframe));
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
    /// [`Failure`] if the answer could mean nothing.
    fn say_concerns(&self, more: Option<Concern>) -> Result<Vec<String>, Failure> {
        let domains: Vec<&Domain> = match &self.weather {
            Weather::Still => Vec::new(),
            Weather::Gusts(domain) => vec![&**domain],
        };
        let found = concerns(
            &self.setup,
            ("these", &self.gains),
            self.trajectory.as_ref(),
            &domains,
        );
        if found.first().is_some_and(Guarded::refuses) {
            return Err(Failure::data(found[0].said()));
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

/// The rotor that stops, as it was typed.
fn rotor_out(
    args: &FlightArgs,
    airframe: &Airframe,
    lasts_s: f64,
) -> Result<Option<RotorOut>, Failure> {
    let Some(typed) = &args.rotor_out else {
        return Ok(None);
    };
    let count = airframe.rotors.count();
    match RotorOut::parse(typed) {
        Some(out) if out.rotor < count && out.at_s < lasts_s => Ok(Some(out)),
        _ => Err(Failure::usage(format!(
            "--rotor-out is `{typed}`; it must be a rotor of {}, 1 to {count}, and a time below {lasts_s} s, as in 2@5",
            airframe.name
        ))),
    }
}

// Made: what a command prints and writes, and how that came about.

/// Draws what is called `name` in `folder`.
fn drawn<T>(
    folder: &Path,
    name: &str,
    draw: impl FnOnce(&Path) -> Result<T, plots::Error>,
) -> Result<(), Failure> {
    let stem = folder.join(name);
    let drawn = draw(&stem).map(|_| ());
    drawn.map_err(|source| Failure::drawing(&stem, &source))
}

/// Claims the output folder, if one is asked for: it must not exist or be empty.
fn claim(path: Option<&PathBuf>) -> Result<Option<Folder>, Failure> {
    Ok(path.map(|path| Folder::claim(path, &[])).transpose()?)
}

/// `value` as one line of JSON.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("numbers and names are always representable") + "\n"
}

/// What a command prints: one object of JSON if that was asked for, else the text.
fn answer<T: Serialize>(
    output: &OutputArgs,
    printed: &Printed<T>,
    text: impl FnOnce() -> String,
) -> String {
    match output.is_json() {
        true => json(printed),
        false => text(),
    }
}

/// What `--format json` prints: one object that names its form.
#[derive(Serialize)]
struct Printed<T: Serialize> {
    schema: &'static str,
    #[serde(flatten)]
    result: T,
}

/// Writes into `folder` how what it holds was made: the version, the command as it was typed, the
/// gains that were flown, and `result`.
fn write_made(
    folder: &Folder,
    gains: Option<&Gains>,
    result: &Printed<impl Serialize>,
) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Made<'a, T: Serialize> {
        schema: &'static str,
        windhover: &'static str,
        command: Vec<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        gains: Option<&'a Gains>,
        result: &'a Printed<T>,
    }
    let made = Made {
        schema: "windhover-made/1",
        windhover: env!("CARGO_PKG_VERSION"),
        // A path need not be text; what is not is shown as well as it can be.
        command: std::env::args_os()
            .map(|word| word.to_string_lossy().into_owned())
            .collect(),
        gains,
        result,
    };
    folder.write("made.json", json(&made))?;
    Ok(())
}

// `sim serve`: the plant, for a controller of the user's own.

/// Answers requests on standard input until it ends.
///
/// # Errors
/// A stream that fails. A reader who has gone away is no failure.
pub fn serve() -> Result<Said, Failure> {
    let answers = BufWriter::new(stdout().lock());
    let served = sim::serve::serve(stdin().lock(), answers, &find_file);
    terminal::forgiven(served).map_err(Failure::stream)?;
    Ok(Said {
        text: String::new(),
        passed: true,
    })
}

/// The file that a word of a request means, where it means no name.
fn find_file(word: &str, names: &[&str]) -> Option<std::io::Result<String>> {
    let path = Path::new(word);
    names::is_file(word, names, Path::new("")).then(|| files::read_text(path, files::MOST_TEXT))
}
