//! Serve: ask and tell, one JSON object a line, so that any simulator or test rig can be tuned from any
//! language: over two streams, or for many clients at once over sockets ([`listen`]), and with a journal
//! through kills ([`durable`]).
//!
//! ```text
//! -> {"type":"init","space":[{"name":"kp","low":0.02,"high":2.0,"log":true}],"seed":3,
//!     "noise":false,"budget":100,"direction":"min"}
//! -> {"type":"tell","x":[0.5],"y":1.25}
//! -> {"type":"ask"}
//! <- {"x":[0.7]}
//! -> {"type":"recommend"}
//! <- {"x":[0.5]}
//! -> {"type":"quit"}
//! ```
//!
//! A parameter has a `name` and `low` and `high`, and perhaps `"log":true`, `"integer":true` or a `step`; or a
//! `name` and its `choices`; or a `name` and a `value`, which fixes it. `init` may also carry `initial` (points
//! before the surrogate is asked, 10), `target_domain`, and
//!
//! * `surrogate`: `matern` (the default), a process with a length for each parameter
//!   that grows by a row between refits, or any other name of [`search::surrogates::NAMES`],
//!   the same models as in tuning.
//! * `acquisition`: one of [`search::ACQUISITIONS`]; by default `log-ei`, with `auto` `ucb`;
//!   under noise `level-set` with `gp-level-set`, `by-noise` with `auto` and a `baseline` or covariates,
//!   else `ucb`: `auto` with neither searches in noise as `matern` does unless a rule is named. `kappa`
//!   belongs to an `ucb` that is named, and is 2 where it is not given.
//! * `recommender` and `loss_model`, named as in a study; by default losses are `by-place` with `matern`
//!   in noise and without a `baseline`: from the first one on the search is by `kg`, unless a rule is named,
//!   and a finished point is recommended and no average, judged by what finished alone where the losses look
//!   decided by the place; `transform` of values
//!   ([`search::TRANSFORMS`]), `lost_value` of a crash, `baseline`, the point evaluated first;
//!   and `study`, a text for the evaluating client, which `{"type":"study"}` gives back.
//! * `covariates`, what is measured of each evaluation and was not chosen:
//!   `[{"name":"wind_rms","mean":4.0,"deviation":1.5}]`, with what is expected of each in its own unit.
//!   Legal under noise, with [`search::surrogates::CONTEXTUAL`] and without a
//!   `target_domain`. What is asked and recommended is for their means.
//!
//! A `tell` may carry `"crashed":true` and a `domain`; bare `NaN`, `Infinity` and `-Infinity` as `y` are
//! crashes. It carries the `covariates` that `init` declares, as `[5.2]`; a crash may leave them out.
//! Points told before the first `ask` count towards the initial design. An `ask` before the last point is
//! told is answered with another point, away from those that are pending. A `tell` answers the
//! `ask` whose point is nearest, if one is near; points of the initial design that were told before are
//! not asked again.
//!
//! With a journal or over sockets the answer to an `ask` has also the `id` of the evaluation and the
//! `key` of its lease, and a `tell` with both is answered too ([`leases`]). `{"type":"status"}` says how
//! many are answered and leased.
//!
//! Otherwise `init` and `tell` have no reply on a pipe. Every bad line, an empty one among them, is answered with one
//! `{"error":"..."}` and changes nothing. Fields that are not known are named on stderr,
//! and in the `note` of the answer to a `tell`.

pub mod account;
pub mod address;
pub mod client;
pub mod durable;
pub mod leases;
pub mod listen;
mod message;
pub mod messages;
pub mod page;
mod session;

pub use message::LONGEST_LEASE_S;
pub use session::{Reply, Session};

pub use shell::lines::{LONGEST_LINE, Line, Lines};

use crate::files::FileError;
use shell::Failure;
use std::io::{BufRead, Write};

/// Answers the lines of `input` on `output` until `quit`, the end of the input, or until the
/// reader of the answers is gone; remarks go to `remarks`. With a durable session nothing is answered before it is on the disk.
///
/// # Errors
/// Where the input cannot be read, or the journal of the durable session written. A reader that has gone away is an
/// end, not an error.
pub fn serve(
    input: impl BufRead,
    mut output: impl Write,
    mut remarks: impl Write,
    mut durable: Option<durable::DurableSession>,
) -> Result<(), Failure> {
    let mut session = Session::default();
    let mut lines = Lines::new(input);
    let next = |lines: &mut Lines<_>| lines.next_line().map_err(FileError::read("standard input"));
    while let Some(line) = next(&mut lines)? {
        let mut remark = |remark: String| {
            // Whoever closed stderr does not want remarks.
            let _ = writeln!(remarks, "{remark}");
        };
        let reply = match &mut durable {
            Some(durable) => durable.answer(&line, &mut remark)?,
            None => session.answer(&line, &mut remark),
        };
        let written = match reply {
            Reply::Nothing => Ok(()),
            Reply::Json(value) => writeln!(output, "{value}").and_then(|()| output.flush()),
            Reply::Quit => break,
        };
        if written.is_err() {
            break;
        }
    }
    Ok(())
}
