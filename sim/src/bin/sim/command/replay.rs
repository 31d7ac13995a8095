//! `sim replay`: a recorded case, flown by us.

use super::{Printed, in_file, json, read_at_most};
use crate::Said;
use crate::args::ReplayArgs;
use crate::failure::Failure;
use shell::files;
use sim::replay::case::Case;
use sim::replay::{replay_flight, replay_mixer, replay_wrenches};

/// Name and version of what `--format json` prints.
const SCHEMA: &str = "windhover-replay/1";

/// Replays the case and says how far we are from the record.
///
/// # Errors
/// A file that cannot be read or written, a faulty case or one that diverges, a step out of range.
pub fn replay(args: &ReplayArgs) -> Result<Said, Failure> {
    if !(args.dt_ms > 0.0 && args.dt_ms <= 1e3) {
        return Err(Failure::OutOfRange {
            flag: "dt-ms",
            value: args.dt_ms,
            wanted: "above 0 and at most 1000",
        });
    }
    let case = Case::from_json(&read_at_most(&args.case, files::MOST_CASE)?)
        .map_err(in_file(&args.case))?;
    let text = match case {
        Case::Flight(case) => {
            let replayed = replay_flight(&case, args.dt_ms * 1e-3);
            let (errors, states) = replayed.map_err(in_file(&args.case))?;
            if let Some(path) = &args.out {
                let failed = |source| Failure::Write {
                    path: path.clone(),
                    source,
                };
                files::write_to(path, json(&states).as_bytes()).map_err(failed)?;
            }
            if args.output.is_json() {
                json(&Printed {
                    schema: SCHEMA,
                    result: errors,
                })
            } else {
                format!(
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
                )
            }
        }
        Case::Wrenches(table) => {
            let error = replay_wrenches(&table).map_err(in_file(&args.case))?;
            table_text(args, &error, table.rows.len())
        }
        Case::Mixer(table) => {
            let error = replay_mixer(&table).map_err(in_file(&args.case))?;
            table_text(args, &error, table.rows.len())
        }
    };
    Ok(Said { text, passed: true })
}

fn table_text(args: &ReplayArgs, error: &sim::replay::TableError, rows: usize) -> String {
    if args.output.is_json() {
        return json(&Printed {
            schema: SCHEMA,
            result: error,
        });
    }
    format!(
        "{}: largest relative error over {rows} rows {:.1e}\n",
        error.case, error.max_relative_error
    )
}
