//! Program: a search by a program of the user's own. This side is the client of the dialogue that
//! `bo serve --jsonl` understands:
//!
//! ```text
//! -> {"type":"init","space":[{"name":"position_xy.kp","low":0,"high":1},...],"seed":..,"noise":true,"direction":"min",
//!     "budget":110,"initial":10,"baseline":[...],"lost_value":2,"transform":"log","study":"{\"gains\":[...],...}"}
//! -> {"type":"tell","x":[...],"y":0.31}           each evaluation; "crashed":true in place of y where it was lost
//! -> {"type":"ask"}                               after the initial design
//! <- {"x":[...]}
//! -> {"type":"recommend"}                         once the budget is spent
//! <- {"x":[...]}                                  or {"error":"..."}: the best evaluation is recommended
//! -> {"type":"quit"}
//! ```
//!
//! The space is the unit cube in which every method searches, so that points pass without rounding; `study`, a text of
//! JSON, says between which bounds each gain lies.

use crate::Error;
use crate::comparison::plan::method;
use crate::comparison::work::process::Process;
use crate::flights::evaluation::Evaluation;
use crate::flights::problem::Problem;
use crate::flights::space::Knob;
use crate::interrupt::Interrupt;
use crate::run::bayesian::Bayesian;
use crate::run::settings::Settings;
use crate::run::tune::Searcher;
use crate::streams::{Stream, Study};
use search::{Origin, Parameter, Range, Scale, Space, Span, Suggestion};
use serde_json::{Value, json};
use shell::Failure;
use sim::ACE_CAP_M;
use std::path::Path;
use std::time::Duration;

/// A search by a program.
pub(super) struct Program<'a> {
    process: Process,
    /// The cell and the program in messages.
    name: String,
    /// Suggests the initial design, and nothing else.
    design: Bayesian,
    initial: usize,
    space: Space,
    /// Evaluations sent.
    sent: usize,
    interrupt: &'a Interrupt,
}

impl<'a> Program<'a> {
    /// Starts the program of `method` on `problem` for the cell `key`; its standard error is kept in `folder`.
    ///
    /// # Errors
    /// A program that cannot be started.
    pub(super) fn start(
        method: &method::Program,
        (problem, settings): (&Problem, &Settings),
        (folder, key): (&Path, &str),
        interrupt: &'a Interrupt,
    ) -> Result<Program<'a>, Error> {
        let stderr = folder.join(STDERR).join(format!("{key}.txt"));
        let patience = Duration::from_secs(method.answer_s);
        let process = Process::start(method.command, stderr, patience)?;
        let unit = Range::Real(Span::linear(0.0, 1.0));
        let knobs = problem.space.knobs().iter();
        let parameters = knobs.map(|knob| Parameter::new(knob.gain.name, unit));
        process.send(&init(problem, settings));
        Ok(Program {
            process,
            name: format!("{key}: {}", method.name),
            design: Bayesian::new(problem, settings)?,
            initial: settings.initial as usize,
            space: Space::new(parameters.collect::<Result<_, _>>()?)?,
            sent: 0,
            interrupt,
        })
    }

    /// Sends the evaluations that are new.
    fn learn(&mut self, history: &[Evaluation]) {
        for evaluation in &history[self.sent..] {
            let mut message = json!({"type": "tell", "x": evaluation.x});
            match evaluation.value() {
                Some(cost_m) => message["y"] = cost_m.into(),
                None => message["crashed"] = true.into(),
            }
            self.process.send(&message);
        }
        self.sent = history.len();
    }

    /// The point that the program recommends after `history`; else what it answered instead.
    ///
    /// # Errors
    /// As [`Searcher::next`].
    pub(super) fn recommend(
        &mut self,
        history: &[Evaluation],
    ) -> Result<Result<Vec<f64>, String>, Error> {
        self.learn(history);
        let answer = self.answer("recommend")?;
        self.nothing_more("quit", LAST_LINE)?;
        if let Some(error) = answer["error"].as_str() {
            return Ok(Err(error.to_owned()));
        }
        self.point(&answer, "recommend").map(Ok)
    }

    /// Refuses a line that is no answer: those that follow would each be of the question before.
    fn nothing_more(&self, kind: &str, wait: Duration) -> Result<(), Error> {
        match self.process.unasked(wait) {
            None => Ok(()),
            Some(line) => {
                let fault = format!("printed a line that nobody asked for: {line}");
                Err(self.failure(kind, &fault))
            }
        }
    }

    fn answer(&mut self, kind: &str) -> Result<Value, Error> {
        self.nothing_more(kind, Duration::ZERO)?;
        self.process.send(&json!({"type": kind}));
        let answer = self.process.answer(self.interrupt)?;
        answer.map_err(|fault| self.failure(kind, &fault))
    }

    /// The point that an answer holds.
    fn point(&self, answer: &Value, kind: &str) -> Result<Vec<f64>, Error> {
        let numbers = answer["x"].as_array().and_then(|x| {
            let numbers = x.iter().map(Value::as_f64);
            numbers.collect::<Option<Vec<f64>>>()
        });
        let unit = match numbers {
            Some(x) => self.space.unit(&x).map_err(|refusal| refusal.to_string()),
            None => Err(format!("answered without a point x of numbers: {answer}")),
        };
        unit.map_err(|fault| self.failure(kind, &fault))
    }

    fn failure(&self, kind: &str, fault: &str) -> Error {
        let last = self.process.last_words();
        let last = last.map_or(String::new(), |line| {
            format!("; last on its stderr: {line}")
        });
        let at = format!("at `{kind}` after {} evaluations", self.sent);
        Failure::data(format!("{} {at}: {fault}{last}", self.name)).into()
    }
}

/// How long a line may take that a program prints behind its last answer.
const LAST_LINE: Duration = Duration::from_millis(50);

/// Folder of what the programs wrote to standard error, a file a cell.
const STDERR: &str = "stderr";

impl Searcher for Program<'_> {
    fn next(&mut self, history: &[Evaluation], count: usize) -> Result<Vec<Suggestion>, Error> {
        self.learn(history);
        let designed = self.initial.saturating_sub(history.len()).min(count);
        let mut batch = self.design.next(history, designed)?;
        while batch.len() < count {
            let answer = self.answer("ask")?;
            let x = self.point(&answer, "ask")?;
            batch.push(Suggestion::new(x, Origin::Initial));
        }
        Ok(batch)
    }
}

impl Drop for Program<'_> {
    fn drop(&mut self) {
        self.process.send(&json!({"type": "quit"}));
    }
}

/// The message with which the dialogue begins.
fn init(problem: &Problem, settings: &Settings) -> Value {
    let knobs = problem.space.knobs().iter();
    let axis = |name| json!({"name": name, "low": 0, "high": 1});
    let gain = |knob: &Knob| {
        let Span { low, high, scale } = knob.span();
        json!({"name": knob.gain.name, "low": low, "high": high, "log": scale == Scale::Log})
    };
    let gains: Vec<Value> = knobs.clone().map(gain).collect();
    let study = json!({"trajectory": settings.trajectory, "gains": gains});
    json!({
        "type": "init",
        "space": knobs.map(|knob| axis(knob.gain.name)).collect::<Vec<_>>(),
        "study": study.to_string(),
        "seed": Study::Search.of(problem.tuning.study_seed),
        "noise": true,
        "direction": "min",
        "budget": settings.evaluations(),
        "initial": settings.initial,
        "baseline": problem.baseline(),
        "lost_value": ACE_CAP_M,
        "transform": "log",
    })
}
