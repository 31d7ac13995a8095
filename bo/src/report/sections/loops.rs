//! Loops: the linear cascade at hover with old and with new gains: step responses, open loops with their
//! margins, and a table of both.

use super::{Drawing, figures, titled_table};
use crate::flights::margins::{
    SOUND_DISK, SOUND_GAIN, SOUND_PHASE_DEG, STEPS as FLOWN_STEPS, USUAL_STEP_M, fly_steps,
};
use crate::report::html::escape;
use plots::{CurveKind, CurvesPicture, MarkedCurve, OpenLoop, OpenLoopPoint, OpenLoopsPicture};
use rayon::prelude::*;
use sim::margins::{
    CurvePoint, LOOPS, Linearised, Loop, Margins, SETTLED, StepFigures, usual_wind_m_s,
};
use sim::{Domain, Gains, Setup};
use std::f64::consts::TAU;

const AXES: [&str; 3] = ["x", "y", "z"];

/// Loops with a setpoint of their own, and for how long a step of it is followed [s].
const STEPS: [(Loop, f64); 3] = [
    (Loop::Position, 20.0),
    (Loop::Attitude, 6.0),
    (Loop::Rate, 3.0),
];

/// Most points of a drawn answer.
const DRAWN: usize = 400;

/// An answer is drawn for so many times of what the slowest takes to settle.
const BEYOND: f64 = 1.5;

/// A vehicle at hover with some gains.
pub struct Hovering {
    /// What these are called.
    pub name: String,
    linear: Linearised,
    /// Every loop about every axis; nothing where the vehicle is not stable.
    found: Vec<Found>,
    /// What it makes of steps of position of [`USUAL_STEP_M`] in flight.
    flown: Vec<Option<StepFigures>>,
}

/// What is known of one loop about one axis, with one set of gains.
struct Found {
    margins: Margins,
    step: Option<(Vec<f64>, StepFigures)>,
}

impl Hovering {
    /// The vehicle of `setup` with `gains` in wind as it is often met in `domain`.
    pub fn of(name: &str, setup: &Setup, gains: &Gains, domain: Option<&Domain>) -> Hovering {
        let late = setup.sensors.delay_periods;
        let wind_m_s = usual_wind_m_s(domain);
        let linear = Linearised::hover(&setup.airframe, gains, late, wind_m_s);
        let found = |(which, axis, margins): (Loop, usize, Margins)| {
            let duration = STEPS.iter().find(|(of, _)| *of == which);
            let step = duration.and_then(|(_, duration_s)| {
                let answer = linear.step_response(which, axis, *duration_s)?;
                Some((answer.figures(), answer.values))
            });
            Found {
                margins,
                step: step.map(|(figures, values)| (values, figures)),
            }
        };
        let all = match linear.mode().is_stable() {
            true => linear.all_margins(&LOOPS),
            false => Vec::new(),
        };
        Hovering {
            name: name.to_owned(),
            found: all.into_par_iter().map(found).collect(),
            flown: fly_steps(setup, gains, USUAL_STEP_M),
            linear,
        }
    }

    fn is_stable(&self) -> bool {
        !self.found.is_empty()
    }
}

/// The section about `sides`, the old gains first.
pub fn loops(sides: &[&Hovering]) -> String {
    let mut text = String::new();
    for side in sides.iter().filter(|side| !side.is_stable()) {
        text += &format!(
            "<p>With {} the hovering vehicle is not stable: there are no margins and no step responses.</p>\n",
            escape(&side.name)
        );
    }
    let stable = sides.iter().copied().filter(|side| side.is_stable());
    let stable: Vec<&Hovering> = stable.collect();
    if stable.is_empty() {
        return text;
    }
    let steps = step_figures(&stable);
    let open = open_loops(&stable);
    let same = match steps.len() + open.len() {
        0 => " No loop differs between them, so no curve is drawn.",
        _ => " Loops that do not differ between them are not drawn.",
    };
    text += &format!(
        "<p>Linear, at hover, in simulation. A step of position, attitude or rate is answered with the loops outside of it open. An \
         open loop is that of the axis with the least disk margin, with all others closed; a line from the curve to 0 dB is a gain \
         margin, one to a half turn the phase margin.{}</p>\n",
        if stable.len() > 1 { same } else { "" }
    );
    text += &figures(&steps);
    text += &figures(&open);
    text + &table(&stable) + &flown_steps(sides)
}

/// Where a loop and an axis stand among those found.
fn place(which: Loop, axis: usize) -> usize {
    let loops = LOOPS.iter().position(|of| *of == which);
    3 * loops.unwrap_or_default() + axis
}

/// Whether any of `sides` has such a loop about an axis.
fn has(which: Loop, axis: usize, sides: &[&Hovering]) -> bool {
    sides.iter().any(|side| side.linear.has(which, axis))
}

/// Whether two numbers differ so that it could be seen.
fn differ(a: f64, b: f64) -> bool {
    (a - b).abs() > 1e-3 * a.abs().max(b.abs()).max(1e-3)
}

fn step_figures(sides: &[&Hovering]) -> Vec<(Drawing, String)> {
    let mut drawings = Vec::new();
    for (which, _) in STEPS {
        for axis in [0, 2] {
            let at = place(which, axis);
            let answers = sides.iter().filter_map(|side| {
                let (values, figures) = side.found[at].step.as_ref()?;
                Some((*side, values, figures))
            });
            let answers: Vec<(&Hovering, &Vec<f64>, &StepFigures)> = answers.collect();
            let apart = |other: &Vec<f64>| {
                let pairs = answers[0].1.iter().zip(other);
                pairs.into_iter().any(|(a, b)| (a - b).abs() > 2e-3)
            };
            if answers.len() > 1 && !answers[1..].iter().any(|(_, values, _)| apart(values)) {
                continue;
            }
            let name = format!("{} {}", which.name(), AXES[axis]);
            drawings.push((step_picture(&name, &answers), step_said(&name, &answers)));
        }
    }
    drawings
}

fn step_picture(name: &str, answers: &[(&Hovering, &Vec<f64>, &StepFigures)]) -> Drawing {
    let whole_s = |values: &[f64]| 1e-3 * (values.len() - 1) as f64;
    let shown = answers.iter().map(|(_, values, figures)| {
        let settled_s = figures.settling_s.unwrap_or(f64::INFINITY);
        (BEYOND * settled_s).clamp(0.05, whole_s(values))
    });
    let periods = (1e3 * shown.fold(0.0, f64::max)) as usize;
    let every = (periods / DRAWN).max(1);
    let point = |values: &[f64], k: usize| [1e-3 * k as f64, values[k]];
    // New gains have the first colour.
    let curves = answers.iter().rev().map(|(side, values, figures)| {
        let points: Vec<[f64; 2]> = (0..=periods)
            .step_by(every)
            .map(|k| point(values, k))
            .collect();
        let highest = (0..=periods).max_by(|a, b| values[*a].total_cmp(&values[*b]));
        let peak = highest.filter(|_| figures.overshoot > SETTLED);
        let settled = figures.settling_s.map(|s| (1e3 * s).round() as usize);
        let settled = settled.filter(|k| *k <= periods);
        MarkedCurve {
            label: side.name.clone(),
            points,
            peak: peak.map(|k| point(values, k)),
            settled: settled.map(|k| point(values, k)),
        }
    });
    let curves: Vec<MarkedCurve> = curves.collect();
    plots::svg(&CurvesPicture {
        title: &format!("Answer of the {name} to a step of its setpoint"),
        kind: CurveKind::Steps,
        names: ["time after the step [s]", "share of the step"],
        peak_name: "overshoot",
        curves: &curves,
    })
}

fn step_said(name: &str, answers: &[(&Hovering, &Vec<f64>, &StepFigures)]) -> String {
    let said = answers.iter().map(|(side, _, figures)| {
        let settling = match figures.settling_s {
            Some(s) => format!("settled after {s:.2} s"),
            None => "not settled".to_owned(),
        };
        let overshoot = 100.0 * figures.overshoot;
        format!(
            "{}: overshoot {overshoot:.0} %, {settling}",
            escape(&side.name)
        )
    });
    let said: Vec<String> = said.collect();
    format!("Step of the {name}. {}.", said.join("; "))
}

fn open_loops(sides: &[&Hovering]) -> Vec<(Drawing, String)> {
    let inner_last = LOOPS.into_iter().rev();
    inner_last
        .filter_map(|which| open_loop(which, sides))
        .collect()
}

/// The axis with the least disk margin of the new gains, and that margin.
fn weakest(which: Loop, sides: &[&Hovering]) -> (usize, f64) {
    let new = sides[sides.len() - 1];
    let disks = [0, 1, 2].map(|axis| (axis, new.found[place(which, axis)].margins.disk));
    let least = disks.into_iter().min_by(|a, b| a.1.total_cmp(&b.1));
    least.unwrap_or_default()
}

/// The open loop about its weakest axis; `None` where old and new gains do not differ in it.
fn open_loop(which: Loop, sides: &[&Hovering]) -> Option<(Drawing, String)> {
    let (axis, _) = weakest(which, sides);
    if !has(which, axis, sides) {
        return None;
    }
    let at = place(which, axis);
    let all = || sides.iter().map(|side| &side.found[at].margins);
    let crossover = |margins: &Margins| margins.crossover_rad_s.unwrap_or(0.0);
    let new = all().next_back()?;
    let apart = all().any(|margins| {
        differ(margins.disk, new.disk) || differ(crossover(margins), crossover(new))
    });
    if sides.len() > 1 && !apart {
        return None;
    }
    let name = format!("{} {}", which.name(), AXES[axis]);
    let said = sides.iter().zip(all()).map(|(side, margins)| {
        let phase = margins.phase_rad.map(f64::to_degrees);
        let phase = phase.map_or("no crossover".to_owned(), |deg| format!("{deg:.0} deg"));
        let gain = gain_db(margins).map_or("no limit".to_owned(), |db| format!("{db:.1} dB"));
        format!("{}: phase {phase}, gain {gain}", escape(&side.name))
    });
    let said: Vec<String> = said.collect();
    let drawing = open_picture(&name, (which, axis), sides);
    Some((
        drawing,
        format!("Open loop of the {name}. {}.", said.join("; ")),
    ))
}

/// What tells most of `sides`, the old gains first: the outermost step in which they differ, and the open loop
/// of the least disk margin.
pub fn outline(sides: &[&Hovering]) -> String {
    let stable = sides.iter().copied().filter(|side| side.is_stable());
    let stable: Vec<&Hovering> = stable.collect();
    if stable.is_empty() {
        return String::new();
    }
    let disk = |which: &Loop| weakest(*which, &stable).1;
    let least = LOOPS.into_iter().min_by(|a, b| disk(a).total_cmp(&disk(b)));
    let open = least.and_then(|which| open_loop(which, &stable));
    let step = step_figures(&stable).into_iter().next();
    figures(&step.into_iter().chain(open).collect::<Vec<_>>())
}

fn open_picture(name: &str, (which, axis): (Loop, usize), sides: &[&Hovering]) -> Drawing {
    let drawn = |point: &CurvePoint| OpenLoopPoint {
        frequency_hz: point.frequency_rad_s / TAU,
        magnitude: point.magnitude,
        phase_deg: point.phase_rad.to_degrees(),
    };
    let loops = sides.iter().rev().map(|side| {
        let margins = &side.found[place(which, axis)].margins;
        let curve = side.linear.curve(which, axis, margins);
        OpenLoop {
            label: side.name.clone(),
            points: curve.points.iter().map(drawn).collect(),
            gain_margins: curve.gain_margins.iter().map(drawn).collect(),
            phase_margin: curve.phase_margin.as_ref().map(drawn),
        }
    });
    let loops: Vec<OpenLoop> = loops.filter(|one| one.points.len() > 1).collect();
    plots::svg(&OpenLoopsPicture {
        title: &format!("Open loop of the {name}"),
        loops: &loops,
    })
}

/// The lesser gain margin of the two directions [dB].
fn gain_db(margins: &Margins) -> Option<f64> {
    let both = margins.gain_up.iter().chain(&margins.gain_down);
    both.map(|factor| 20.0 * factor.log10().abs())
        .reduce(f64::min)
}

/// Overshoot and settling of steps that are flown.
fn flown_steps(sides: &[&Hovering]) -> String {
    let cell = |at: usize, of: &dyn Fn(&StepFigures) -> String| {
        let said = sides.iter().map(|side| match &side.flown[at] {
            Some(figures) => of(figures),
            None => "<b class=\"worse\">lost</b>".to_owned(),
        });
        said.collect::<Vec<_>>().join(" → ")
    };
    let row = |(at, (name, _)): (usize, &(&str, [f64; 3]))| {
        vec![
            (*name).to_owned(),
            cell(at, &|figures| format!("{:.0}", 100.0 * figures.overshoot)),
            cell(at, &|figures| {
                figures
                    .settling_s
                    .map_or("not in 10".to_owned(), |s| format!("{s:.2}"))
            }),
        ]
    };
    let names: Vec<String> = sides.iter().map(|side| escape(&side.name)).collect();
    let caption = format!(
        "Steps of {USUAL_STEP_M} m, flown in still air with all limits of the controller, in simulation: {}",
        names.join(" → ")
    );
    let rows = FLOWN_STEPS.iter().enumerate().map(row).collect();
    titled_table(
        &caption,
        &["flight", "overshoot [%]", "settled to 2 % [s]"],
        rows,
    )
}

/// Every loop about every axis, what is not sound in the colour of a loss.
fn table(sides: &[&Hovering]) -> String {
    let cell = |at: usize, digits: usize, sound: f64, of: &dyn Fn(&Found) -> Option<f64>| {
        let values: Vec<Option<f64>> = sides.iter().map(|side| of(&side.found[at])).collect();
        if values.iter().all(Option::is_none) {
            return "–".to_owned();
        }
        let said = values.iter().map(|value| match value {
            Some(value) if *value < sound => format!("<b class=\"worse\">{value:.digits$}</b>"),
            Some(value) => format!("{value:.digits$}"),
            None => "–".to_owned(),
        });
        let said: Vec<String> = said.collect();
        said.join(" → ")
    };
    let step = |found: &Found| found.step.as_ref().map(|(_, figures)| *figures);
    let row = |which: Loop, axis: usize| {
        let at = place(which, axis);
        let margin = |digits, sound, of: fn(&Margins) -> Option<f64>| {
            cell(at, digits, sound, &|found| of(&found.margins))
        };
        vec![
            format!("{} {}", which.name(), AXES[axis]),
            margin(1, 20.0 * SOUND_GAIN.log10(), gain_db),
            margin(0, SOUND_PHASE_DEG, |m| m.phase_rad.map(f64::to_degrees)),
            margin(2, SOUND_DISK, |m| Some(m.disk)),
            margin(2, 0.0, |m| m.crossover_rad_s.map(|w| w / TAU)),
            cell(at, 0, 0.0, &|found| Some(100.0 * step(found)?.overshoot)),
            cell(at, 2, 0.0, &|found| step(found)?.settling_s),
        ]
    };
    let all = LOOPS.iter().flat_map(|l| [0, 1, 2].map(|axis| (*l, axis)));
    let rows = all
        .filter(|(which, axis)| has(*which, *axis, sides))
        .map(|(which, axis)| row(which, axis));
    let titles = [
        "loop",
        "gain margin [dB]",
        "phase margin [deg]",
        "disk margin",
        "crossover [Hz]",
        "overshoot [%]",
        "settled to 2 % [s]",
    ];
    let names: Vec<String> = sides.iter().map(|side| escape(&side.name)).collect();
    let caption = format!("Every loop at hover, in simulation: {}", names.join(" → "));
    titled_table(&caption, &titles, rows.collect())
}
