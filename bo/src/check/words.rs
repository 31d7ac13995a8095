//! Words: a check as a card, as rows of a table, and as a page.

use super::figures::{Side, against};
use super::verdict::Verdict;
use super::{Baseline, Checked, Task, Yardstick};
use crate::flights::margins::margin;
use crate::flights::verdict::Judgement;
use crate::report::card::{self, Card};
use crate::report::html::escape;
use crate::report::page_with_card;
use crate::report::sections::{Hovering, loops, titled_table};
use sim::autopilot::tune::Tune;
use std::iter::once;

/// Tunes that were checked in the same winds, one or two.
pub struct Judged<'a> {
    /// What was flown.
    pub task: &'a Task,
    /// Each of them.
    pub candidates: &'a [Candidate],
    /// Whether the user named what flies now.
    pub has_baseline: bool,
    /// The commands that follow.
    pub next: Vec<String>,
}

/// One of them.
pub struct Candidate {
    /// Name of its file.
    pub name: String,
    /// What was read.
    pub tune: Tune,
    /// What flies now.
    pub baseline: Baseline,
    /// How it was judged.
    pub checked: Checked,
    /// The command that flies its worst flight; `None` where none was flown or no command can.
    pub worst_flight: Option<String>,
    /// Links to its files: the name of a file and what it holds.
    pub files: Vec<(String, &'static str)>,
}

impl Candidate {
    /// The gains that its file does not set, and what was taken for them.
    fn not_set(&self) -> Vec<String> {
        let origins = &self.tune.origins;
        let file = &self.name;
        let stock = (!origins.stock.is_empty()).then(|| {
            let names = origins.stock.join(", ");
            format!("{file} does not set {names}: taken as the firmware comes.")
        });
        let whose = match self.baseline.kind {
            Yardstick::Airframe => "from the airframe",
            _ => "from the baseline",
        };
        let airframe = (!origins.airframe.is_empty()).then(|| {
            let names = origins.airframe.join(", ");
            format!("{file} has no gains of {names}: taken {whose}.")
        });
        stock.into_iter().chain(airframe).collect()
    }

    /// What was judged, without what stands on top already.
    fn judged(&self) -> impl Iterator<Item = &String> {
        let said = usize::from(!self.not_set().is_empty());
        self.checked.judged.iter().skip(said)
    }
}

impl Judged<'_> {
    /// The gravest verdict of all.
    pub fn verdict(&self) -> Verdict {
        let verdicts = self.candidates.iter().map(|one| one.checked.verdict);
        verdicts.max().unwrap_or(Verdict::DoNotFly)
    }

    /// Of two, the second against the first in the same winds.
    pub fn difference(&self) -> Option<Judgement> {
        match self.candidates {
            [a, b] => against(
                [&a.checked.figures, &b.checked.figures],
                &self.task.domain.name,
            ),
            _ => None,
        }
    }

    fn difference_said(&self) -> Option<String> {
        let [a, b] = self.candidates else {
            return None;
        };
        let Some(judgement) = self.difference() else {
            return Some("No difference: one of the two cannot be flown.".to_owned());
        };
        let (a, b) = (&a.name, &b.name);
        let Some(error) = &judgement.error_m else {
            return Some(format!("{a} and {b} completed no flight in the same wind."));
        };
        let closer = match () {
            () if error.high() < 0.0 => format!("{b} tracks closer"),
            () if error.low() > 0.0 => format!("{a} tracks closer"),
            () => "no clear difference".to_owned(),
        };
        Some(format!(
            "ACE of {b} minus that of {a}, wind by wind: {} m (median [95 % interval] of the {} winds that both completed, of {}): {closer}.",
            error.signed(),
            error.count,
            judgement.after.flights
        ))
    }

    /// Names and figures of what stands in the tables.
    fn sides(&self) -> Vec<(String, &Side)> {
        let one = |of: &'_ Candidate| of.name.clone();
        let figures = |k: usize| &self.candidates[k].checked.figures;
        let named = || self.candidates[0].baseline.kind.name().to_owned();
        let baseline = || (named(), &figures(0).baseline);
        match self.candidates {
            [_] => vec![baseline(), ("tune".to_owned(), &figures(0).tune)],
            all => {
                let tunes = all.iter().enumerate();
                let tunes = tunes.map(|(k, of)| (one(of), &figures(k).tune));
                self.has_baseline
                    .then(baseline)
                    .into_iter()
                    .chain(tunes)
                    .collect()
            }
        }
    }

    /// Verdict, reasons, margins, and what to type next.
    pub fn card(&self) -> Card {
        let several = self.candidates.len() > 1;
        let named = |one: &Candidate, said: String| match several {
            true => format!("{}: {said}", one.name),
            false => said,
        };
        let reasons = self.candidates.iter().flat_map(|one| {
            let reasons = one.checked.reasons.iter();
            reasons.map(move |r| named(one, format!("{}: {}", r.asks.words(), r.said)))
        });
        let mut reasons: Vec<String> = self.difference_said().into_iter().chain(reasons).collect();
        reasons.push(self.advice().to_owned());
        let names: Vec<&str> = self.candidates.iter().map(|one| &one.name[..]).collect();
        let (names_of, sides): (Vec<String>, Vec<&Side>) = self.sides().into_iter().unzip();
        let domain = &self.task.domain.name;
        let tallies: Vec<_> = sides.iter().map(|side| side.tally(domain)).collect();
        let mut rows = card::rows(&tallies);
        if several {
            let said = |one: &Candidate| one.checked.verdict.words().to_owned();
            let verdicts = self.candidates.iter().map(said);
            let baseline = self.has_baseline.then(|| "-".to_owned());
            let row = once("verdict".to_owned()).chain(baseline).chain(verdicts);
            rows.insert(0, row.collect());
        }
        Card {
            first: (self.candidates.iter())
                .flat_map(Candidate::not_set)
                .collect(),
            of: format!(
                "{} for {}",
                names.join(" and "),
                self.task.setup.airframe.name
            ),
            verdict: self.verdict().words().to_owned(),
            style: self.verdict().style(),
            reasons,
            sides: names_of,
            rows,
            notes: vec![card::ACE.to_owned(), self.margins_said(), self.flown()],
            next: self.next.clone(),
            typed: "where the check was typed",
        }
    }

    /// What to do now.
    fn advice(&self) -> &'static str {
        match self.verdict() {
            Verdict::Fly => {
                "nothing that was read speaks against it: fly it tethered or netted first, the old parameters at hand"
            }
            Verdict::WithCare => {
                "correct each point above, or know why it is harmless, before a tethered flight"
            }
            Verdict::DoNotFly => "change what is named here and check again before anything flies",
        }
    }

    fn margins_said(&self) -> String {
        let late = |one: &Candidate| self.task.pilot(&one.tune).delay_periods.to_string();
        let mut late: Vec<String> = self.candidates.iter().map(late).collect();
        late.dedup();
        format!(
            "Margins are the least of all loops of the nominal vehicle at hover and along the trajectory, with sensors {} ms late; {}.",
            late.join(" and "),
            card::SOUND
        )
    }

    /// What was flown, in a sentence.
    fn flown(&self) -> String {
        let counts = self.sides().into_iter().map(|(name, side)| {
            let whose = match &name[..] {
                "tune" | Yardstick::BASELINE | Yardstick::OWN => format!("the {name}"),
                _ => name,
            };
            format!("{} flights of {whose}", side.flights)
        });
        let counts: Vec<String> = counts.collect();
        format!(
            "Flown: {} in {} wind, {}, seeds of --seed {}.",
            self.task.trajectory.name(),
            self.task.domain.name,
            counts.join(" and "),
            self.task.seed
        )
    }

    /// All figures, a row for each: its name, and that of each side.
    pub fn rows(&self) -> Vec<Vec<String>> {
        let sides: Vec<&Side> = self.sides().into_iter().map(|(_, side)| side).collect();
        rows(&sides)
    }

    /// The titles of its columns.
    pub fn titles(&self) -> Vec<String> {
        let names = self.sides().into_iter().map(|(name, _)| name);
        once(String::new()).chain(names).collect()
    }

    /// What was not modelled or not read and what makes the answer mean less than it seems to; one sentence
    /// each, each once.
    pub fn limits(&self) -> Vec<String> {
        let mut said = Vec::new();
        for one in self.candidates {
            let warned = one.checked.concerns.iter();
            let warned = warned.map(|c| format!("Before you trust it: {c}."));
            let all = one.checked.not_modelled.iter().cloned().chain(warned);
            all.for_each(|line| {
                if !said.contains(&line) {
                    said.push(line);
                }
            });
        }
        said
    }

    /// What was judged: where gains come from and how late the vehicle is; one sentence each, each once.
    pub fn judged(&self) -> Vec<&String> {
        let mut said: Vec<&String> = Vec::new();
        for line in self.candidates.iter().flat_map(Candidate::judged) {
            if !said.contains(&line) {
                said.push(line);
            }
        }
        said
    }

    /// A page that needs nothing else.
    pub fn page(&self) -> String {
        let items = |lines: Vec<&String>| {
            let lines = lines
                .iter()
                .map(|line| format!("<li>{}</li>\n", escape(line)));
            format!("<ul>\n{}</ul>\n", lines.collect::<String>())
        };
        let limits = self.limits();
        let titles: Vec<String> = self.titles().iter().map(|title| escape(title)).collect();
        let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
        let rows = self.rows().into_iter();
        let rows = rows.map(|row| row.iter().map(|cell| escape(cell)).collect());
        let names: Vec<&str> = self.candidates.iter().map(|one| &one.name[..]).collect();
        page_with_card(
            &format!("Windhover check: {}", names.join(" and ")),
            &self.card(),
            &[
                ("Not modelled or not flown", items(limits.iter().collect())),
                ("Loops", self.loops()),
                (
                    "Figures",
                    titled_table("In simulation", &titles, rows.collect()),
                ),
                ("Worst flight", self.worst_flights()),
                ("What was judged", items(self.judged()) + &self.links()),
            ],
        )
    }

    /// The loops of the baseline and the tune, or of two tunes.
    fn loops(&self) -> String {
        let hovering = |name: &str, tune: &Tune| {
            let pilot = self.task.pilot(tune);
            let setup = self.task.setup_of(&pilot);
            Hovering::of(name, &setup, &pilot.gains, Some(&self.task.domain))
        };
        let can_fly = self
            .candidates
            .iter()
            .filter(|one| one.checked.figures.tune.flights > 0);
        let sides: Vec<Hovering> = match self.candidates {
            [one] => once(hovering(one.baseline.kind.name(), &one.baseline.tune))
                .chain(can_fly.map(|one| hovering("tune", &one.tune)))
                .collect(),
            _ => can_fly.map(|one| hovering(&one.name, &one.tune)).collect(),
        };
        loops(&sides.iter().collect::<Vec<_>>())
    }

    fn worst_flights(&self) -> String {
        let commands = self.candidates.iter().filter_map(|one| {
            let command = one.worst_flight.as_ref()?;
            let (name, command) = (escape(&one.name), escape(command));
            Some(format!("<p>Of {name}, the first lost flight or else that of the greatest ACE, typed where the check was:</p>\n<pre>{command}</pre>\n"))
        });
        commands.collect()
    }

    fn links(&self) -> String {
        let files = self.candidates.iter().flat_map(|one| &one.files);
        let links: Vec<String> = files
            .map(|(file, what)| format!("<a href=\"./{file}\" download>{file}</a> ({what})"))
            .collect();
        match links.is_empty() {
            true => String::new(),
            false => format!(
                "<p class=\"files\">Files next to this page: {}.</p>\n",
                links.join(", ")
            ),
        }
    }
}

/// The figures of sides, a row for each: its name, and that of each side.
fn rows(sides: &[&Side]) -> Vec<Vec<String>> {
    let row = |name: &str, of: &dyn Fn(&Side) -> String| -> Vec<String> {
        once(name.to_owned())
            .chain(sides.iter().map(|side| of(side)))
            .collect()
    };
    let metres = |x: Option<f64>| x.map_or("-".to_owned(), |x| format!("{x:.3} m"));
    let least = |name: &str, unit: &str, of: &dyn Fn(&Side) -> Option<(f64, String)>| {
        row(name, &|side| {
            of(side).map_or("-".to_owned(), |found| margin(&found, unit))
        })
    };
    let margins = |side: &Side| side.margins.clone();
    vec![
        row("lost in simulation", &|side| {
            format!("{} of {}", side.lost, side.flights)
        }),
        row("probability of a loss", &Side::loss_percent),
        row("ACE, median", &|side| metres(side.ace_m[0])),
        row("ACE at 95 %", &|side| metres(side.ace_m[2])),
        row("heading off, at 95 %", &|side| {
            format!("{:.0} deg", side.heading_deg)
        }),
        row("rotor saturated", &|side| {
            format!("{:.2} %", 100.0 * side.rotor_saturation)
        }),
        row("motor activity, full ranges", &|side| {
            format!("{:.2} 1/s", side.motor_activity_per_s)
        }),
        row("strongest oscillation", &|side| match &side.oscillation {
            Some(o) => format!(
                "{:.1} Hz {}, {:.1} deg/s",
                o.frequency_hz, o.axis, o.amplitude_deg_s
            ),
            None => "-".to_owned(),
        }),
        row("slowest mode decays", &|side| match &side.mode {
            Some(mode) => format!("{:.3} 1/s, {:.1} Hz", -mode.growth_per_s, mode.frequency_hz),
            None => "-".to_owned(),
        }),
        least("gain margin", " dB", &|side| margins(side)?.gain_db()),
        least("phase margin", " deg", &|side| margins(side)?.phase_deg),
        row("the same, drawn vehicles", &|side| match &side.drawn {
            None => "-".to_owned(),
            Some(drawn) if drawn.unstable > 0 => {
                format!("{} of {} not stable", drawn.unstable, drawn.vehicles)
            }
            Some(drawn) => match &drawn.phase_deg {
                None => "no limit".to_owned(),
                Some(found) => margin(found, " deg"),
            },
        }),
        least("delay margin", " ms", &|side| margins(side)?.delay_ms),
        least("disk margin", "", &|side| margins(side)?.disk),
    ]
}
