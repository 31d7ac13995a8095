//! Card: whether to fly gains, on one screen. What it holds is one value, which the terminal and the pages
//! print.

use super::html::escape;
use super::sections::titled_table;
use super::words;
use crate::Error;
use crate::flights::held_out::{Test, mean_of, scores};
use crate::flights::margins::{JudgedMargins, Least, Unstable, margin};
use crate::flights::tuning::Tuning;
use crate::flights::verdict::{Verdict, any_better, in_each, verdict_style};
use crate::run::disk::archive::Read;
use crate::run::disk::record::{Candidate, Record};
use crate::study::flown_by;
use crate::table::Table;
use serde::Serialize;
use sim::Score;
use std::path::Path;

/// What the first figure of a card is.
pub const ACE: &str = "ACE is the RMS position error, the median of completed flights.";

/// Which margins are sound.
pub const SOUND: &str = "sound are 30 deg, 6 dB (a factor of 2) and a disk margin of 0.5";

/// What a card says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Card {
    /// What to read before any verdict; one sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub first: Vec<String>,
    /// What was judged: "my-run for omac".
    pub of: String,
    /// The verdict in words.
    pub verdict: String,
    /// Name of its style in a page.
    #[serde(skip)]
    pub style: &'static str,
    /// What the verdict rests on, the gravest first; one sentence each.
    pub reasons: Vec<String>,
    /// Names of the sets of gains.
    pub sides: Vec<String>,
    /// A row for each figure: its name, and that of each set of gains.
    pub rows: Vec<Vec<String>>,
    /// How the figures were found; one sentence each.
    pub notes: Vec<String>,
    /// What to type next.
    pub next: Vec<String>,
    /// Where a reader of a page types it.
    #[serde(skip)]
    pub typed: &'static str,
}

/// The figures of one set of gains.
#[derive(Debug, Clone)]
pub struct Tally {
    /// Median ACE of the completed flights in each wind, by the wind's name [m].
    pub ace_m: Vec<(String, Option<f64>)>,
    /// Flights lost, and flown.
    pub lost: [usize; 2],
    /// The least margins of the loops, or where the vehicle is not stable; `None` if nothing was computed.
    pub margins: Option<Result<Least, Unstable>>,
    /// Motor activity [full ranges per s].
    pub motor_activity_per_s: Option<f64>,
}

impl Tally {
    fn of_run(candidate: &Candidate, margins: &Result<Least, Unstable>, flown: &[Score]) -> Tally {
        let tests = &candidate.tests;
        let median = |test: &Test| test.completed_m.as_ref().map(|of| of.median);
        let of_each = |of: fn(&Test) -> usize| tests.iter().map(of).sum();
        Tally {
            ace_m: tests
                .iter()
                .map(|test| (test.domain.clone(), median(test)))
                .collect(),
            lost: [
                of_each(|test| test.crashes),
                of_each(|test| test.ace_m.len()),
            ],
            margins: Some(margins.clone()),
            motor_activity_per_s: Some(mean_of(flown, |score| score.motor_activity_per_s)),
        }
    }
}

/// The stated limits on what flights measure that the recommended gains do not keep in test flights, a
/// sentence each.
fn broken_limits(record: &Record, flown: &[Score]) -> Vec<String> {
    let limits = &record.settings.measured;
    let tests = &record.recommended.tests;
    let [lost, flights] = [
        tests.iter().map(|test| test.crashes).sum::<usize>(),
        tests.iter().map(|test| test.ace_m.len()).sum(),
    ];
    let measured = [
        (
            "Motor activity",
            limits.motor_activity_per_s,
            mean_of(flown, |score| score.motor_activity_per_s),
        ),
        (
            "Rotor saturation",
            limits.rotor_saturation,
            mean_of(flown, |score| score.rotor_saturation),
        ),
        (
            "The share of lost flights",
            limits.loss_probability,
            lost as f64 / flights.max(1) as f64,
        ),
    ];
    let broken = measured.into_iter().filter_map(|(name, most, found)| {
        let most = most.filter(|most| found > *most)?;
        Some(format!(
            "{name} is {found:.3} in test flights, above the limit of {most}: tune with more flights, or a smaller limit."
        ))
    });
    broken.collect()
}

/// The `verdicts` of held-out flights, and what stands against better ones: margins that are too `small`, or
/// limits that are `broken`.
fn in_words(verdicts: &[(String, Verdict)], small: bool, broken: bool) -> String {
    match any_better(verdicts) {
        true if small => "tracks better, margins too small".to_owned(),
        true if broken => "tracks better, a limit is not kept".to_owned(),
        _ => in_each(verdicts),
    }
}

/// The verdict of the run `read` in words: of its held-out flights, its margins and its measured limits.
///
/// # Errors
/// Those of [`flown_by`].
pub fn verdict(read: &Read) -> Result<String, Error> {
    let (tuning, _) = flown_by(read)?;
    let record = &read.record;
    let small = margins_too_small(read.folder(), record, &tuning).is_some();
    let limited = !record.settings.measured.is_none();
    let broken =
        limited && !broken_limits(record, &scores(&tuning, &record.recommended.gains)).is_empty();
    Ok(in_words(&record.verdicts(), small, broken))
}

/// A row for each figure, of all sides.
pub fn rows(sides: &[Tally]) -> Vec<Vec<String>> {
    let row = |name: String, of: &dyn Fn(&Tally) -> String| -> Vec<String> {
        std::iter::once(name).chain(sides.iter().map(of)).collect()
    };
    let winds = sides.first().map_or(0, |side| side.ace_m.len());
    let ace = |k: usize| {
        let name = match winds {
            1 => "ACE".to_owned(),
            _ => format!("ACE, {} wind", sides[0].ace_m[k].0),
        };
        row(name, &|side| {
            let of_wind = side.ace_m.get(k).and_then(|(_, ace)| *ace);
            of_wind.map_or("-".to_owned(), |m| format!("{m:.3} m"))
        })
    };
    let least = |name: &str, unit: &str, of: fn(&Least) -> Option<(f64, String)>| {
        row(name.to_owned(), &|side| match &side.margins {
            None => "-".to_owned(),
            Some(Err(_)) => "not stable".to_owned(),
            Some(Ok(least)) => {
                of(least).map_or("no limit".to_owned(), |found| margin(&found, unit))
            }
        })
    };
    let mut rows: Vec<Vec<String>> = (0..winds).map(ace).collect();
    rows.push(row("lost flights".to_owned(), &|side| {
        format!("{} of {}", side.lost[0], side.lost[1])
    }));
    rows.push(least("least phase margin", " deg", |m| m.phase_deg.clone()));
    rows.push(least("least gain margin", " dB", Least::gain_db));
    rows.push(least("least disk margin", "", |m| m.disk.clone()));
    rows.push(row("motor activity, full ranges".to_owned(), &|side| {
        let activity = side.motor_activity_per_s;
        activity.map_or("-".to_owned(), |activity| format!("{activity:.2} 1/s"))
    }));
    rows
}

impl Card {
    /// Of a run, which is called `name`; commands name it by `folder`.
    pub fn of_run(name: &str, folder: &Path, record: &Record, tuning: &Tuning) -> Card {
        let (default, recommended) = (&record.default, &record.recommended);
        let gains = [&default.gains, &recommended.gains];
        let margins = record.settings.margins.judge(tuning, gains);
        let [before, after] = &margins.sides;
        let flown = gains.map(|gains| scores(tuning, gains));
        let sides = [
            Tally::of_run(default, before, &flown[0]),
            Tally::of_run(recommended, after, &flown[1]),
        ];
        let broken = broken_limits(record, &flown[1]);
        let verdicts = record.verdicts();
        let small = margins.violation.is_some();
        let verdict = in_words(&verdicts, small, !broken.is_empty());
        let mut reasons: Vec<String> = (record.concerns.iter())
            .map(|concern| format!("Before you trust it: {concern}."))
            .collect();
        let small_said = too_small(&margins, folder, record);
        reasons.splice(0..0, small_said.into_iter().chain(broken));
        let mut notes = vec![
            ACE.to_owned(),
            format!(
                "Margins are the least of all loops {}; {SOUND}, or what the default gains have.",
                margins.conditions
            ),
        ];
        notes.extend(
            words::autopilots(record)
                .lines()
                .map(|said| format!("{said}.")),
        );
        let mut next = words::next_commands(record, folder);
        if small {
            next.retain(|command| !command.starts_with("bo export"));
        }
        Card {
            first: Vec::new(),
            of: format!("{name} for {}", record.problem.airframe.name),
            verdict,
            style: if small {
                "worse"
            } else {
                verdict_style(&verdicts)
            },
            reasons,
            sides: ["default gains", "recommended gains"]
                .map(str::to_owned)
                .into(),
            rows: rows(&sides),
            notes,
            next,
            typed: "one folder above this page",
        }
    }

    /// For a terminal.
    pub fn text(&self) -> String {
        let mut text: String = self.first.iter().map(|line| format!("{line}\n")).collect();
        text += &format!("{}\n", self.headline());
        for reason in &self.reasons {
            text += &format!("- {reason}\n");
        }
        let titles = std::iter::once(String::new()).chain(self.sides.iter().cloned());
        text += &Table::of_numbers(titles).with(self.rows.clone()).text(0);
        for note in &self.notes {
            text += &format!("{note}\n");
        }
        for (k, command) in self.next.iter().enumerate() {
            let before = if k == 0 { "Next:" } else { "" };
            text += &format!("{before:<6}{command}\n");
        }
        text
    }

    /// "my-run for omac: BETTER (in simulation)".
    pub fn headline(&self) -> String {
        format!(
            "{}: {} (in simulation)",
            self.of,
            self.verdict.to_uppercase()
        )
    }

    /// The first screen of a page; `level` is that of its heading.
    pub fn html(&self, level: u8) -> String {
        let items = |lines: &[String]| -> String {
            let lines = lines.iter();
            lines
                .map(|line| format!("<li>{}</li>\n", escape(line)))
                .collect()
        };
        let rows = self
            .rows
            .iter()
            .map(|row| row.iter().map(|cell| escape(cell)).collect());
        let titles: Vec<&str> = std::iter::once("")
            .chain(self.sides.iter().map(String::as_str))
            .collect();
        let reasons = match self.reasons.is_empty() {
            true => String::new(),
            false => format!("<ul class=\"reasons\">\n{}</ul>\n", items(&self.reasons)),
        };
        let first =
            (self.first.iter()).map(|line| format!("<p class=\"first\">{}</p>\n", escape(line)));
        let next: Vec<String> = self.next.iter().map(|command| escape(command)).collect();
        let next = match next.is_empty() {
            true => String::new(),
            false => format!(
                "<p class=\"next\">Next, in a terminal {}:</p>\n<pre>{}</pre>\n",
                self.typed,
                next.join("\n")
            ),
        };
        let notes: String = self
            .notes
            .iter()
            .map(|note| format!("{} ", escape(note)))
            .collect();
        format!(
            "{}<section class=\"card {}\">\n<h{level}><b class=\"word\">{}</b> {}</h{level}>\n{reasons}{}{next}\
             <p class=\"note\">{}</p>\n</section>\n",
            first.collect::<String>(),
            self.style,
            escape(&self.verdict),
            escape(&self.of),
            titled_table("In simulation", &titles, rows.collect()),
            notes.trim_end(),
        )
    }
}

/// Why nobody should fly the recommended gains of a run in `folder` whatever they gain: a margin that is neither
/// sound nor what the default gains have. `None` if there is none.
pub fn margins_too_small(folder: &Path, record: &Record, tuning: &Tuning) -> Option<String> {
    let gains = [&record.default.gains, &record.recommended.gains];
    let margins = record.settings.margins.judge(tuning, gains);
    too_small(&margins, folder, record)
}

/// What limits the verdict, and what to do about it.
fn too_small(margins: &JudgedMargins, folder: &Path, record: &Record) -> Option<String> {
    let broken = margins.violation.as_ref()?;
    let (name, unit) = match &broken.limit[..] {
        "phase_margin_deg" => ("Phase margin", " deg"),
        "gain_margin_db" => ("Gain margin", " dB"),
        "delay_margin_ms" => ("Delay margin", " ms"),
        _ => ("Disk margin", ""),
    };
    let said = match broken.value {
        Some(value) => {
            let found = margin(&(value, broken.of.clone()), unit);
            format!("{name} {found}, below {:.2}{unit}", broken.least)
        }
        None => format!("The vehicle is not stable {}", margins.conditions),
    };
    let [old, _] = &margins.sides;
    let stated = record.problem.sensors.delay_periods > 0;
    let advice = match (old, stated) {
        (Err(_), false) => {
            "nor is it with the default gains; the delay is assumed, since the study states none \
                            (delay_periods under [sensors])"
                .to_owned()
        }
        (Err(_), true) => {
            "nor is it with the default gains: start from gains that hold it".to_owned()
        }
        (Ok(_), _) if record.settings.margins.sound => {
            "start from gains with larger margins".to_owned()
        }
        (Ok(_), _) => format!(
            "write margins = \"sound\" under [limits] in a copy of {} and tune with it",
            folder.join("config.toml").display()
        ),
    };
    Some(format!("{said}: do not fly these gains; {advice}."))
}
