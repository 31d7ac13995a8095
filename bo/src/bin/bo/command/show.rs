//! `bo list`, the runs there are, and `bo show`, the result or progress of one.

use crate::args::{ListArgs, ShowArgs};
use crate::command::RUNS;
use bo::Error;
use bo::flights::evaluation::{Evaluation, best, lost};
use bo::report::analysis::trade_off::{Axis, TradeOff, Traded};
use bo::report::card::Card;
use bo::report::overview::{Begun, Entry, Found, Row, entries, list as lines};
use bo::report::{table, words};
use bo::run::disk::archive::Read;
use bo::run::disk::record::{Candidate, to_json};
use bo::serve::account::Account;
use bo::study::{Config, flown_by};
use bo::table::Table;
use bo::terminal::{self, word};
use serde::Serialize;
use serde_json::{Value, json};
use shell::Failure;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What `--format json` prints.
#[derive(Serialize)]
struct Printed<'a> {
    schema: &'static str,
    #[serde(flatten)]
    row: Row,
    /// Settings that are not the defaults.
    settings: Vec<String>,
    evaluations: usize,
    /// Numbers of the lost evaluations, from 0.
    lost: Vec<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<&'a Candidate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recommended: Option<&'a Candidate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    card: Option<Card>,
    /// Commands that go on from it.
    commands: Vec<String>,
}

/// What is in the folder, on a screen.
///
/// # Errors
/// A folder without a run, one that is damaged, or files that are not what the run wrote.
pub fn show(args: &ShowArgs) -> Result<String, Error> {
    let ShowArgs { run: args, front } = args;
    let entry = Entry::read(&args.dir)?;
    if *front && let Found::Served(account) = &entry.found {
        return served_front(account, &args.dir, args.output.is_json());
    }
    if *front {
        let Found::Whole(read, _) = &entry.found else {
            let line = format!("{} has no front: it is no finished run", args.dir.display());
            return Err(Failure::data(line).into());
        };
        let trade_off = TradeOff::of_run(read)?;
        return match args.output.is_json() {
            true => to_json("front", &PrintedFront::of(&trade_off)),
            false => Ok(front_lines(&trade_off, &word(&args.dir))),
        };
    }
    if args.output.is_json() {
        return match &entry.found {
            Found::Served(account) => to_json("study", &printed_study(account)),
            _ => to_json("run", &Printed::of(&entry)),
        };
    }
    match &entry.found {
        Found::Whole(read, config) => {
            if let Some(remark) = read.remark() {
                terminal::note(&remark);
            }
            Ok(whole(&entry.folder, read, config.as_deref()))
        }
        Found::Begun(run) => Ok(begun(&entry.folder, run)),
        Found::Comparison(_) => comparison(&entry),
        Found::Served(account) => Ok(served(&entry.folder, account)),
    }
}

/// What `--format json` prints of a served study.
fn printed_study(account: &Account) -> Value {
    json!({
        "schema": "windhover-study/1",
        "name": account.name,
        "status": account.status,
        "best": account.best(),
        "recommended": account.recommended.as_ref().ok(),
        "importance": account.importance,
        "history": account.history,
        "withdrawn": account.withdrawn,
    })
}

/// How far a served study is, and what it found.
fn served(folder: &Path, account: &Account) -> String {
    let mut text = format!("{}: {}\n", account.name, account.progress());
    if let Some(best) = account.best() {
        let one = &account.history[best];
        let at = account.point(&one["x"], |x| x.to_string());
        text += &format!(
            "Best value told: {} in evaluation {}, at {at}\n",
            one["y"], one["id"]
        );
    }
    text += &match &account.recommended {
        Ok(x) => format!("Recommended: {}\n", account.point(x, |x| x.to_string())),
        Err(why) => format!("No recommendation: {why}\n"),
    };
    let name = word(folder);
    text + &format!("Next: bo report {name}, or bo export {name} --to csv\n")
}

/// The front of a served study.
fn served_front(account: &Account, folder: &Path, is_json: bool) -> Result<String, Error> {
    let Some(front) = &account.front else {
        let line = format!(
            "{} has no front: no output of it is `traded`",
            folder.display()
        );
        return Err(Failure::data(line).into());
    };
    if is_json {
        let printed = json!({
            "schema": "windhover-study-front/1",
            "name": account.name,
            "noise": account.noisy,
            "front": front,
        });
        return to_json("front", &printed);
    }
    let predicted = front.iter().any(|one| one["told"].is_object());
    let number = |value: &Value| value.as_f64().map_or("-".to_owned(), |x| format!("{x:.4}"));
    let with = |value: &Value, std: &Value| match predicted {
        true => format!("{} +- {}", number(value), number(std)),
        false => number(value),
    };
    let row = |one: &Value| {
        let outputs =
            (0..account.outputs.len()).map(|k| with(&one["outputs"][k], &one["outputs_std"][k]));
        let mut cells = vec![account.point(&one["x"], |x| format!("{x:.4}"))];
        cells.push(with(&one["y"], &one["std"]));
        cells.extend(outputs);
        cells
    };
    let titles = ["point", "value"].into_iter();
    let titles = titles.chain(account.outputs.iter().map(String::as_str));
    let table = Table::of_numbers(titles).with(front.iter().map(row));
    let of = match predicted {
        true => {
            "What the models predict at the points of the front, without the noise of an evaluation:"
        }
        false => "What was measured at the points of the front:",
    };
    Ok(format!("{of}\n\n{}", table.text(0)))
}

impl Printed<'_> {
    fn of(entry: &Entry) -> Printed<'_> {
        let (mut default, mut recommended, mut judged) = (None, None, None);
        let (history, config): (&[Evaluation], _) = match &entry.found {
            Found::Whole(read, config) => {
                default = Some(&read.record.default);
                recommended = Some(&read.record.recommended);
                judged = card(&entry.folder, read, config.as_deref()).ok();
                (&read.record.trials, config.as_deref())
            }
            Found::Begun(begun) => (&begun.history, Some(&begun.config)),
            Found::Comparison(_) | Found::Served(_) => (&[], None),
        };
        Printed {
            schema: "windhover-show/1",
            row: Row::of(entry),
            settings: config.map(words::differing).unwrap_or_default(),
            evaluations: history.len(),
            lost: numbers(history),
            default,
            recommended,
            commands: match (&judged, &entry.found) {
                (Some(card), _) => card.next.clone(),
                (None, Found::Whole(read, _)) => words::next_commands(&read.record, &entry.folder),
                (None, Found::Begun(_)) => vec![resume(&entry.folder)],
                (None, Found::Comparison(_) | Found::Served(_)) => Vec::new(),
            },
            card: judged,
        }
    }
}

/// The card of a run; what is typed next flies its gains, too.
fn card(folder: &Path, read: &Read, config: Option<&Config>) -> Result<Card, Error> {
    let (tuning, _) = flown_by(read)?;
    let name = folder.display().to_string();
    let mut card = Card::of_run(&name, folder, &read.record, &tuning);
    card.next
        .extend(config.and_then(|config| words::fly_command(config, folder)));
    Ok(card)
}

fn resume(folder: &Path) -> String {
    format!("bo --resume {}", word(folder))
}

fn numbers(history: &[Evaluation]) -> Vec<u64> {
    let lost = history.iter().filter(|evaluation| evaluation.lost);
    lost.map(|evaluation| evaluation.number).collect()
}

fn whole(folder: &Path, read: &Read, config: Option<&Config>) -> String {
    let record = &read.record;
    let settings = &record.settings;
    let title = format!(
        "{} tuned with {}, seed {}, by Windhover {}",
        settings.trajectory, settings.surrogate, settings.seed, record.versions.windhover
    );
    let mut text = head(folder, &title, config);
    text += &lost_evaluations(&record.trials);
    text += &table::verdict(record);
    text += &table::gains(record);
    text += &table::margins(record);
    text += "\n";
    // The vehicle or the path of an old run may not be there any more.
    text + &match card(folder, read, config) {
        Ok(card) => card.text(),
        Err(error) => format!("No verdict: {error}\n"),
    }
}

fn begun(folder: &Path, run: &Begun) -> String {
    let settings = &run.config.settings;
    let title = format!(
        "{} with {}, seed {}, by Windhover {}: UNFINISHED",
        settings.trajectory, settings.surrogate, settings.seed, run.windhover
    );
    let mut text = head(folder, &title, Some(&run.config));
    let best = best(&run.history).map_or("none completed".to_owned(), |best| {
        format!("best cost {:.3} m", best.cost_m)
    });
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "{} of {} evaluations made, {best}",
        run.history.len(),
        settings.evaluations()
    );
    text += &lost_evaluations(&run.history);
    if run.in_use {
        return text + "A process is at work on it\n";
    }
    text + &format!("Next: {}\n", resume(folder))
}

/// What a comparison printed when it was made.
fn comparison(entry: &Entry) -> Result<String, Error> {
    let path = entry.folder.join("table.md");
    let row = Row::of(entry);
    if row.trajectory.is_empty() {
        return Ok(format!(
            "{}: {}; repeat the `bo compare` that began it\n",
            row.folder, row.verdict
        ));
    }
    let text = bo::files::read_text(&path, bo::files::MOST_RECORD);
    Ok(text.map_err(bo::files::FileError::read(path))?)
}

fn head(folder: &Path, title: &str, config: Option<&Config>) -> String {
    let mut text = format!("{}: {title}\n", folder.display());
    let settings = match config.map(words::differing) {
        None => "unknown: config.toml is missing".to_owned(),
        Some(lines) if lines.is_empty() => "none".to_owned(),
        Some(lines) => lines.join("\n  "),
    };
    text += &format!("Settings that differ from the defaults:\n  {settings}\n\n");
    text
}

fn lost_evaluations(history: &[Evaluation]) -> String {
    let numbers: Vec<String> = numbers(history).iter().map(u64::to_string).collect();
    let which = match &numbers[..] {
        [] => String::new(),
        numbers => format!(" (from 0: {})", numbers.join(", ")),
    };
    format!(
        "{} of {} evaluations lost{which}\n\n",
        lost(history),
        history.len()
    )
}

/// What `--format json` prints.
#[derive(Debug, Serialize)]
struct PrintedList {
    schema: &'static str,
    entries: Vec<Row>,
}

/// A line for each run and comparison, the newest first.
///
/// # Errors
/// A folder that cannot be read.
pub fn list(args: &ListArgs) -> Result<String, Error> {
    let nothing_yet = args.dirs.is_empty() && !Path::new(RUNS).exists();
    let folders = match &args.dirs[..] {
        [] if nothing_yet => Vec::new(),
        [] => vec![PathBuf::from(RUNS)],
        named => named.to_vec(),
    };
    let (found, faulty) = entries(&folders)?;
    for error in faulty {
        terminal::warn(&error.to_string());
    }
    let rows: Vec<Row> = found.iter().map(Row::of).collect();
    if args.output.is_json() {
        let schema = "windhover-list/1";
        let entries = rows;
        return to_json("list", &PrintedList { schema, entries });
    }
    Ok(match &rows[..] {
        [] => "No runs here; `bo tune --traj fig8` makes one\n".to_owned(),
        rows => lines(rows),
    })
}

/// What `--front --format json` prints.
#[derive(Serialize)]
struct PrintedFront<'a> {
    schema: &'static str,
    default: &'a Traded,
    recommended: &'a Traded,
    error_and_motor_activity: Vec<&'a Traded>,
    error_and_phase_margin: Vec<&'a Traded>,
}

impl PrintedFront<'_> {
    fn of(trade_off: &TradeOff) -> PrintedFront<'_> {
        PrintedFront {
            schema: "windhover-front/1",
            default: &trade_off.default,
            recommended: &trade_off.recommended,
            error_and_motor_activity: trade_off.front(Axis::Activity),
            error_and_phase_margin: trade_off.front(Axis::Phase),
        }
    }
}

fn front_lines(trade_off: &TradeOff, run: &str) -> String {
    let compared = [
        ("default", &trade_off.default),
        ("recommended", &trade_off.recommended),
    ];
    let mut text = format!(
        "Error: predicted median over winds. Motor activity: of the evaluation in its wind, else in test winds. Margins: the least \
         at hover with sensors {} ms late, and its loop.\n",
        trade_off.delay_ms
    );
    if !trade_off.tested.is_empty() {
        text += &format!("{}\n", trade_off.tested);
    }
    for (title, axis) in [
        ("error against motor activity", Axis::Activity),
        ("error against phase margin", Axis::Phase),
    ] {
        let titles = [title, "error", "activity", "phase", "gain", "disk"];
        let row = |name: String, traded: &Traded| -> Vec<String> {
            std::iter::once(name).chain(traded.cells()).collect()
        };
        let compared = compared.map(|(name, traded)| row(name.to_owned(), traded));
        let front = trade_off.front(axis).into_iter().map(|traded| {
            let number = traded.evaluation.unwrap_or_default();
            row(format!("evaluation {number}"), traded)
        });
        let table = Table::of_numbers(titles).with(compared.into_iter().chain(front));
        text += &format!("\n{}", table.text(0));
    }
    if trade_off.flown.is_empty() {
        text += "\nNo gains that this run flew keep the study's limits.\n";
    }
    let examples = [Axis::Activity, Axis::Phase].map(|axis| trade_off.middle(axis));
    let typed: Vec<String> = examples.into_iter().flatten().collect();
    let stable = trade_off
        .flown
        .iter()
        .any(|traded| traded.margins.is_some());
    if !trade_off.flown.is_empty() && !stable {
        let advice = "tune with a study, which keeps margins, or with --airframe";
        text += &format!("\nThe vehicle is stable with none of these gains: {advice}\n");
    }
    if !typed.is_empty() {
        text += &format!(
            "\nNext: bo export {run} --to AUTOPILOT --at {}: the gains flown of least error there\n",
            typed.join(", or --at ")
        );
    }
    text
}
