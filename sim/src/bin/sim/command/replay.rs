//! `sim replay`: a recorded case, flown by us.

use super::{Printed, answer, json, not_there, read_at_most};
use crate::Said;
use crate::args::ReplayArgs;
use serde::Serialize;
use shell::files::{self, FileError};
use shell::{Failure, exit};
use sim::replay::case::Case;
use sim::replay::{TableError, replay_flight, replay_mixer, replay_wrenches};

/// Name and version of what `--format json` prints.
const SCHEMA: &str = "windhover-replay/1";

/// Replays the case and says how far we are from the record.
///
/// # Errors
/// A file that cannot be read or written, a faulty case or one that diverges, a step out of range.
pub fn replay(args: &ReplayArgs) -> Result<Said, Failure> {
    if !(args.dt_ms > 0.0 && args.dt_ms <= 1e3) {
        let wanted = "above 0 and at most 1000";
        return Err(Failure::out_of_range("dt-ms", args.dt_ms, wanted));
    }
    // A device is written to.
    not_there(args.out.as_deref().filter(|out| out.is_file()))?;
    let text = read_at_most(&args.case, files::MOST_CASE)?;
    match Case::from_json(&text).map_err(Failure::in_file(&args.case))? {
        Case::Flight(case) => {
            let replayed = replay_flight(&case, args.dt_ms * 1e-3);
            let (errors, states) = replayed.map_err(Failure::in_file(&args.case))?;
            if let Some(path) = &args.out {
                files::write_to(path, json(&states).as_bytes()).map_err(FileError::write(path))?;
            }
            let text = format!(
                "{}: largest error over {} intervals\n  \
                 position      {:.1e} m\n  velocity      {:.1e} m/s\n  \
                 attitude      {:.1e} rad\n  body rates    {:.1e} rad/s\n  \
                 rotor speeds  {:.1e} rad/s\n",
                errors.case,
                case.n_intervals,
                errors.position,
                errors.velocity,
                errors.attitude_rad,
                errors.body_rates,
                errors.rotor_speeds
            );
            Ok(said(args, errors, text))
        }
        Case::Wrenches(table) => of_table(args, replay_wrenches(&table), table.rows.len()),
        Case::Mixer(table) => of_table(args, replay_mixer(&table), table.rows.len()),
    }
}

fn of_table(
    args: &ReplayArgs,
    error: Result<TableError, sim::Error>,
    rows: usize,
) -> Result<Said, Failure> {
    if args.out.is_some() {
        let line = "--out is for the states of a flight; this case is a table".to_owned();
        return Err(Failure::new(line, exit::USAGE));
    }
    let error = error.map_err(Failure::in_file(&args.case))?;
    let text = format!(
        "{}: largest relative error over {rows} rows {:.1e}\n",
        error.case, error.max_relative_error
    );
    Ok(said(args, error, text))
}

fn said(args: &ReplayArgs, result: impl Serialize, text: String) -> Said {
    let schema = SCHEMA;
    Said::so(answer(&args.output, &Printed { schema, result }, || text))
}
