//! Flags of a comparison, and the plan that they mean.

use super::OutputArgs;
use super::flags::BudgetFlags;
use bo::comparison::{BASELINES, Budget, Method, Plan, Program, Protocol, TRAININGS, Training};
use bo::flights::margins::MarginLimits;
use bo::run::settings::trajectory_name;
use bo::study::Config;
use bo::{Error, choice};
use clap::{Args, ValueHint};
use plots::Print;
use search::surrogates::{self, compared};
use shell::Failure;
use shell::cells::args::CellsArgs;
use shell::usage::{FILES, FLOWN, JUDGED, Offered, TUNED, ThreadsArgs, Whole};
use std::path::PathBuf;

/// Flags of a comparison.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    bo compare --traj fig8 --surrogates all --seeds 5\n  \
    bo compare --traj all --surrogates gp,dil-gp --protocol paper --out table3\n  \
    bo compare --traj hover --airframe crazyflie --surrogates gp,rf --seeds 3 --format json\n  \
    bo compare --traj all --seeds 20 --out grid --engine slurm\n  \
    bo compare --status grid")]
pub struct CompareArgs {
    /// Trajectories, separated by commas, or all
    #[arg(long, value_name = "NAMES", default_value = "fig8", value_parser = Offered::these(trajectories::NAMES), hide_possible_values = true, help_heading = FLOWN)]
    pub traj: String,
    /// Study file (bo config --print) in place of a trajectory: its vehicle, flight (waypoints too), winds, tuned gains, cost and budget. Each method keeps its own acquisition and recommendation; limits of margins, which not every method keeps, are left out
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["traj", "training"], hide_short_help = true, help_heading = FLOWN)]
    pub config: Option<PathBuf>,
    #[arg(long, value_name = "NAMES", help = surrogates_in_words(), default_value = "all", value_parser = Offered::these(surrogates::NAMES), hide_possible_values = true, help_heading = TUNED)]
    pub surrogates: String,
    /// Baselines: default, random, cma-es, separated by commas, or all, or none
    #[arg(long, value_name = "NAMES", default_value = "default,random,cma-es", value_parser = Offered::these(BASELINES.map(|(name, _)| name)), hide_possible_values = true, hide_short_help = true, help_heading = TUNED)]
    pub baselines: String,
    /// A method of your own: a command that answers as `bo serve --jsonl` does, which is a method too (`--method mine='bo serve --jsonl'`). `sh` starts it once a cell. It is sent `init`, a `tell` for each evaluation (the initial design, the same for all, comes first), `ask` and at last `recommend`; where it answers that with {"error":"..."} its best evaluation counts. Points are of the unit cube; `study` in `init`, a text of JSON, has the gains and their bounds. Its stderr is kept in DIR/stderr. Finished cells are kept until NAME or COMMAND changes. May be repeated
    #[arg(long, value_name = "NAME=COMMAND", value_hint = ValueHint::Other, hide_short_help = true, help_heading = TUNED)]
    pub method: Vec<String>,
    /// Longest time that such a command may take over an answer [s]
    #[arg(long, value_name = "S", default_value_t = 600, allow_negative_numbers = true, value_parser = Whole::from(1).to(604_800), hide_short_help = true, help_heading = TUNED)]
    pub method_timeout_s: u64,
    /// Winds of the tuning flights: mixture, gusty, separated by commas, or all
    #[arg(long, value_name = "NAMES", default_value = "mixture", value_parser = Offered::these(TRAININGS.map(|(name, _)| name)), hide_possible_values = true, hide_short_help = true, help_heading = FLOWN)]
    pub training: String,
    /// Which of the methods the differences are taken to [default: gp, where it is compared]
    #[arg(long, value_name = "NAME", hide_short_help = true, help_heading = JUDGED)]
    pub against: Option<String>,
    /// How it is judged: honest (intervals, both recommenders) or paper (best observed flight)
    #[arg(long, value_name = "NAME", default_value = "honest", value_parser = Offered::these(["honest", "paper"]), hide_possible_values = true, hide_short_help = true, help_heading = JUDGED)]
    pub protocol: String,
    /// Number of seeds
    #[arg(
        long,
        value_name = "N",
        default_value_t = 5,
        allow_negative_numbers = true,
        value_parser = Whole::from(1).to(1000),
        help_heading = JUDGED
    )]
    pub seeds: u64,
    /// First seed; the others follow it
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        allow_negative_numbers = true,
        value_parser = Whole::from(0),
        help_heading = JUDGED
    )]
    pub seed: u64,
    #[command(flatten)]
    pub budget: BudgetFlags,
    #[command(flatten)]
    pub cells: CellsArgs,
    #[command(flatten)]
    pub threads: ThreadsArgs,
    /// Width at which the pictures are printed, such as 3.4in for a column or 86mm; a finished comparison is drawn anew
    #[arg(long, value_name = "LENGTH", default_value = "7.5in", allow_negative_numbers = true, value_parser = inches, hide_short_help = true, help_heading = FILES)]
    pub width: f64,
    /// Draw the pictures without their titles, which captions say
    #[arg(long, hide_short_help = true, help_heading = FILES)]
    pub no_title: bool,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Folder for the results; if it holds this comparison already, its finished cells are kept
    /// and the rest is flown [default: runs/compare-TRAJ]
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = FILES)]
    pub out: Option<PathBuf>,
}

impl CompareArgs {
    /// The comparison that was asked for.
    ///
    /// # Errors
    /// A name that does not exist, one that stands twice, or a number out of range.
    pub fn plan(&self) -> Result<Plan, Error> {
        let mut study = self
            .budget
            .study(self.config.as_deref(), self.config.is_some())?;
        study.settings.margins = MarginLimits::default();
        let trajectories = match self.config {
            Some(_) => vec![own_flight(&study)?],
            None => listed("traj", &self.traj, &trajectories::NAMES, trajectory_name)?,
        };
        let surrogates = listed(
            "surrogates",
            &self.surrogates,
            &compared()
                .into_iter()
                .map(Method::Surrogate)
                .collect::<Vec<_>>(),
            Method::of_surrogate,
        )?;
        let trainings = TRAININGS.map(|(_, training)| training);
        let trainings = listed("training", &self.training, &trainings, Training::by_name)?;
        let mut methods = self.baseline_methods()?;
        methods.extend(surrogates);
        for given in &self.method {
            let program = Program::of(given, self.method_timeout_s)?;
            let mut names = methods.iter().map(|method| method.name());
            if names.any(|name| name.eq_ignore_ascii_case(program.name)) {
                return Err(choice::named_twice("method", program.name));
            }
            methods.push(Method::Program(program));
        }
        if study.settings.together != 1 && !self.method.is_empty() {
            let line = "--method is asked for one point at a time; it needs --together 1";
            return Err(Failure::usage(line).into());
        }
        let reference = self.reference(&methods)?;
        Ok(Plan {
            protocol: self.protocol()?,
            trajectories,
            trainings,
            methods,
            reference,
            seeds: (0..self.seeds).map(|k| self.seed.wrapping_add(k)).collect(),
            budget: Budget {
                lambda: study.settings.lambda.filter(|_| self.budget.has("lambda")),
                environments: self.budget.environments()?,
                own_study: self.config.is_some().then(|| study.to_toml()),
                ..Budget::of(&study)
            },
        })
    }

    /// How the pictures are printed.
    pub fn print(&self) -> Print {
        Print {
            width_in: self.width,
            titled: !self.no_title,
        }
    }

    /// The method that differences are taken to.
    fn reference(&self, methods: &[Method]) -> Result<Method, Error> {
        let Some(given) = &self.against else {
            return Ok(Method::REFERENCE);
        };
        let found = methods.iter().find(|method| method.name() == given);
        let names = || {
            methods
                .iter()
                .map(|method| method.name())
                .collect::<Vec<_>>()
        };
        let unknown = || choice::unknown("against", given, &names().join(", "));
        found.copied().ok_or_else(unknown)
    }

    fn protocol(&self) -> Result<Protocol, Error> {
        match self.protocol.as_str() {
            "honest" => Ok(Protocol::Honest),
            "paper" => Ok(Protocol::Paper),
            given => Err(choice::unknown("protocol", given, "honest, paper")),
        }
    }

    fn baseline_methods(&self) -> Result<Vec<Method>, Error> {
        if self.baselines == "none" {
            return Ok(Vec::new());
        }
        let by_name = |given: &str| {
            let known = BASELINES.iter().find(|(name, _)| *name == given);
            let unknown = || {
                let names = BASELINES.map(|(name, _)| name);
                choice::unknown(
                    "baselines",
                    given,
                    &format!("{}, all, none", names.join(", ")),
                )
            };
            Ok(known.ok_or_else(unknown)?.1)
        };
        let all = BASELINES.map(|(_, method)| method);
        listed("baselines", &self.baselines, &all, by_name)
    }
}

/// A length with its unit, in inches.
fn inches(given: &str) -> Result<f64, String> {
    let units = [("in", 1.0), ("cm", 2.54), ("mm", 25.4), ("pt", 72.0)];
    let mut found = units.iter().filter_map(|(unit, of_an_inch)| {
        let number: f64 = given.strip_suffix(unit)?.trim().parse().ok()?;
        Some(number / of_an_inch)
    });
    match found.next() {
        Some(inches) if (1.0..=40.0).contains(&inches) => Ok(inches),
        Some(_) => Err("it must be from 1in to 40in".to_owned()),
        None => Err("it needs a number and a unit: in, cm, mm or pt".to_owned()),
    }
}

/// The name of the flight of a study, as cells are called.
///
/// # Errors
/// A study with what not every method can keep.
fn own_flight(study: &Config) -> Result<&'static str, Error> {
    let settings = &study.settings;
    if study.warm_start.is_some() || !settings.measured.is_none() {
        let line = "a study with a warm start, with limits of what is measured or with two objectives cannot be compared: not every method takes them";
        return Err(Failure::data(line).into());
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    Ok(settings.trajectory.replace(|c| !plain(c), "-").leak())
}

/// The members of a comma-separated list, or `all`, each once and in its order.
fn listed<T: PartialEq + Clone>(
    flag: &'static str,
    given: &str,
    all: &[T],
    by_name: impl Fn(&str) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    if given == "all" {
        return Ok(all.to_vec());
    }
    let mut members = Vec::new();
    for name in given.split(',').map(str::trim) {
        let member = by_name(name)?;
        if members.contains(&member) {
            return Err(choice::named_twice(flag, name));
        }
        members.push(member);
    }
    Ok(members)
}

/// Of all surrogates the first, those of the paper.
const OF_PAPER: usize = 6;

/// Which surrogates `all` are, and which others there are.
fn surrogates_in_words() -> String {
    let all = compared();
    let others = surrogates::NAMES
        .into_iter()
        .filter(|name| !all.contains(name));
    let others: Vec<&str> = others.collect();
    format!(
        "Surrogates, separated by commas, or all (the paper's six, {}); {} by name only",
        all[OF_PAPER..].join(", "),
        others.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command};
    use clap::Parser;

    fn plan(line: &str) -> Result<Plan, Error> {
        let parsed = Cli::try_parse_from(line.split(' ')).expect("legal");
        let Some(Command::Compare(args)) = parsed.command else {
            panic!("compare was typed");
        };
        args.plan()
    }

    #[test]
    fn a_comparison_is_a_plan_whose_rows_begin_with_the_baselines() {
        let plan = plan("bo compare --surrogates gp,rf --baselines all --seeds 2 --seed 7")
            .expect("legal");
        let names: Vec<&str> = plan.methods.iter().map(|method| method.name()).collect();
        assert_eq!(names, ["default", "random", "cma-es", "gp", "rf"]);
        assert_eq!((plan.seeds, plan.trajectories), (vec![7, 8], vec!["fig8"]));
        assert_eq!(plan.protocol, Protocol::Honest);
        assert_eq!(plan.reference, Method::REFERENCE);
    }

    #[test]
    fn differences_are_taken_to_the_method_that_is_named() {
        let against = |name: &str| {
            let line = format!("bo compare --surrogates gp,rf --baselines all --against {name}");
            plan(&line).map(|plan| plan.reference)
        };
        assert_eq!(against("rf").expect("legal"), Method::Surrogate("rf"));
        assert_eq!(against("default").expect("legal"), Method::DefaultGains);
        assert_eq!(
            against("mlp").expect_err("not compared").to_string(),
            "--against does not know `mlp`; it may be default, random, cma-es, gp, rf"
        );
    }

    #[test]
    fn everything_can_be_compared_at_once() {
        let plan = plan("bo compare --traj all --training all --protocol paper --baselines none")
            .expect("legal");
        assert_eq!((plan.trajectories.len(), plan.trainings.len()), (4, 2));
        assert_eq!(plan.methods.len(), compared().len());
    }

    #[test]
    fn lengths_have_units() {
        let given = ["3.4in", "8.636cm", "86.36 mm", "244.8pt"];
        for inches in given.map(|given| inches(given).expect(given)) {
            assert!((inches - 3.4).abs() < 1e-12, "{inches}");
        }
        for given in ["3.4", "in", "", "3.4 feet", "0.5in", "NaNin", "-3in", "2m"] {
            inches(given).expect_err(given);
        }
    }

    #[test]
    fn each_wrong_word_and_number_is_named_with_its_flag() {
        let refused = |flags: &str| {
            let line = format!("bo compare {flags}");
            plan(&line).expect_err("illegal").to_string()
        };
        assert_eq!(
            refused("--surrogates gp,gp"),
            "--surrogates names `gp` twice"
        );
        assert_eq!(refused("--traj fig8,fig8"), "--traj names `fig8` twice");
        assert_eq!(
            refused("--protocol fair"),
            "--protocol does not know `fair`; it may be honest, paper"
        );
        assert_eq!(
            refused("--training calm"),
            "--training does not know `calm`; it may be mixture, gusty"
        );
        assert_eq!(
            refused("--baselines best"),
            "--baselines does not know `best`; it may be default, random, cma-es, all, none"
        );
        assert_eq!(
            refused("--lambda -1"),
            "--lambda is -1; it must be finite and not negative"
        );
    }
}
