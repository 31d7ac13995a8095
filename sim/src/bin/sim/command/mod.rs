//! The commands of the program, and what they share: reading what was named, writing what was
//! made.

mod fly;
mod margins;
mod montecarlo;
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

use crate::args::{FlightArgs, WindArgs};
use crate::failure::Failure;
use serde::Serialize;
use shell::folder::Folder;
use shell::{files, names, terminal};
use sim::{
    AIRFRAME_NAMES, Airframe, Concern, DOMAIN_NAMES, Domain, Flight, Gains, Guarded, Profile,
    SensorNoise, Setup, Steady, WindFile, World, concerns, rest_height_m,
};
use std::path::{Path, PathBuf};
use trajectories::{FromGround, NAMES, Trajectory, Waypoints};

/// Instants at which two trajectories are compared.
const INSTANTS: u32 = 1000;

/// The weather asked for.
enum Weather {
    Still,
    Gusts(Box<Domain>),
}

impl Weather {
    fn gusts(domain: Domain) -> Weather {
        Weather::Gusts(Box::new(domain))
    }

    /// What it is called.
    fn name(&self) -> &str {
        match self {
            Weather::Still => "still",
            Weather::Gusts(domain) => &domain.name,
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
        let airframe = airframe(&args.airframe)?;
        let gains = gains(args.gains.as_ref(), &airframe)?;
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

/// A shipped thing by its name, or the user's own from a file. What is neither a name nor an
/// existing file is taken for a mistyped name.
fn named_or_read<T>(
    given: &str,
    names: &[&str],
    by_name: impl Fn(&str) -> Result<T, sim::Error>,
    from_text: impl Fn(&str) -> Result<T, sim::Error>,
) -> Result<T, Failure> {
    if !names::is_file(given, names, Path::new("")) {
        return by_name(given).map_err(Failure::Usage);
    }
    let path = Path::new(given);
    from_text(&read(path)?).map_err(in_file(path))
}

fn airframe(given: &str) -> Result<Airframe, Failure> {
    named_or_read(
        given,
        &AIRFRAME_NAMES,
        Airframe::by_name,
        Airframe::from_toml,
    )
}

/// The gains of a run or a file, or else the airframe's.
fn gains(given: Option<&PathBuf>, airframe: &Airframe) -> Result<Gains, Failure> {
    let Some(given) = given else {
        return Ok(airframe.gains);
    };
    let path = &names::gains_file(given);
    Gains::from_toml(&read(path)?).map_err(in_file(path))
}

fn sensors(path: &Path) -> Result<SensorNoise, Failure> {
    SensorNoise::from_toml(&read(path)?).map_err(in_file(path))
}

/// The wind that is asked for, with the gusts.
fn weather(args: &WindArgs) -> Result<Weather, Failure> {
    let weather = weather_without_gusts(args)?;
    if args.gust.is_empty() {
        return Ok(weather);
    }
    let domain = match weather {
        Weather::Still => Domain::calm(args.speed),
        Weather::Gusts(domain) => *domain,
    };
    let domain = domain.with_gusts(&args.gust);
    Ok(Weather::gusts(domain.map_err(Failure::Usage)?))
}

/// A domain by its name, in a file or by its altitude, or none.
fn weather_without_gusts(args: &WindArgs) -> Result<Weather, Failure> {
    if let (Some(altitude_m), Some(w20_kt)) = (args.altitude_m, args.w20_kt) {
        let name = format!("{altitude_m:.1}m-{w20_kt:.1}kt");
        let profile = args.profile.as_deref().and_then(Profile::by_name);
        let domain = match profile {
            None => Domain::low_altitude(&name, altitude_m, w20_kt, args.speed),
            Some(named) => Domain::with_profile(&name, altitude_m, w20_kt, args.speed, named),
        };
        return Ok(Weather::gusts(domain.map_err(Failure::Usage)?));
    }
    let given = args.domain.as_deref().unwrap_or("steady");
    let names = [&DOMAIN_NAMES[..], &["still"]].concat();
    if !names::is_file(given, &names, Path::new("")) {
        let domain = Domain::by_name_or_still(given).map_err(Failure::Usage)?;
        return Ok(domain.map_or(Weather::Still, Weather::gusts));
    }
    domain_in(Path::new(given)).map(Weather::gusts)
}

/// The domain in a file: its text, or a record of wind as CSV.
fn domain_in(path: &Path) -> Result<Domain, Failure> {
    if path.extension().is_some_and(|ending| ending == "csv") {
        let file = wind_file(path, &path.display().to_string())?;
        return Domain::of_wind_file(&shown_name(path), file).map_err(Failure::Wind);
    }
    let open = |file: &str| wind_file(&path.with_file_name(file), file);
    Domain::read(&read(path)?, open).map_err(|failure| match failure {
        Failure::Wind(source) => in_file(path)(source),
        failure => failure,
    })
}

fn wind_file(path: &Path, name: &str) -> Result<WindFile, Failure> {
    WindFile::from_csv(name, &read(path)?).map_err(Failure::Wind)
}

fn trajectory(given: &str) -> Result<Box<dyn Trajectory>, Failure> {
    if !names::is_file(given, &NAMES, Path::new("")) {
        return Ok(trajectories::by_name(given)?);
    }
    let path = Path::new(given);
    let waypoints = Waypoints::from_csv(&shown_name(path), &read(path)?);
    let waypoints = waypoints.map_err(|source| Failure::Waypoints {
        path: path.to_owned(),
        source,
    })?;
    Ok(Box::new(waypoints))
}

/// What a flight through the waypoints of a file is called in texts, titles and logs: the file's
/// name without its extension, at most 64 letters of it, with no control characters.
fn shown_name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or(path.as_os_str());
    let letters = stem.to_string_lossy();
    let shown = letters
        .chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c });
    shown.take(64).collect()
}

/// The text of a file that describes something.
fn read(path: &Path) -> Result<String, Failure> {
    read_at_most(path, files::MOST_TEXT)
}

fn read_at_most(path: &Path, most: u64) -> Result<String, Failure> {
    files::read_text(path, most).map_err(|source| Failure::Read {
        path: path.to_owned(),
        source,
    })
}

/// Names the file in which something was wrong.
fn in_file(path: &Path) -> impl FnOnce(sim::Error) -> Failure {
    let path = path.to_owned();
    move |source| Failure::Data { path, source }
}

/// Claims the output folder, if one is asked for: it must not exist or be empty.
fn claim(path: Option<&PathBuf>) -> Result<Option<Folder>, Failure> {
    Ok(path.map(|path| Folder::claim(path, &[])).transpose()?)
}

/// `value` as one line of JSON.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("numbers and names are always representable") + "\n"
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
