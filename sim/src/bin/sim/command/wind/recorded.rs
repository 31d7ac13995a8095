//! The wind of a record: what it is, and a picture of it. There is no formula to hold it to.

use super::{Printed, answer, drawn, write_made};
use crate::Said;
use crate::args::WindTestArgs;
use plots::WindRecordPicture;
use serde::Serialize;
use shell::Failure;
use shell::folder::Folder;
use shell::table::Table;
use shell::terminal;
use sim::{Domain, Guarded, RecordPart, WindRecord, record_concerns};
use std::path::Path;

/// What `--format json` prints.
#[derive(Serialize)]
struct Report<'a> {
    /// Its numbers are those of the part that flights meet.
    domain: &'a Domain,
    rows: usize,
    /// From when to when flights take their windows [s].
    segments_s: Vec<[f64; 2]>,
    /// T of u, v, w: lag at which the autocorrelation falls below 1/e [s].
    time_constants_s: [f64; 3],
    /// What makes it mean less than it seems to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    concerns: Vec<String>,
}

/// Says what the record is, and draws it.
pub(super) fn recorded(
    args: &WindTestArgs,
    domain: &Domain,
    record: &WindRecord,
    folder: Option<&Folder>,
) -> Result<Said, Failure> {
    let result = Printed {
        schema: "windhover-wind-record/1",
        result: Report {
            domain,
            rows: record.rows().len(),
            segments_s: record.segments_s(),
            time_constants_s: domain.time_constants_s(),
            concerns: record_concerns(domain).iter().map(Guarded::said).collect(),
        },
    };
    let said = &result.result.concerns;
    said.iter().for_each(|said| terminal::warn(said));
    if let Some(folder) = folder {
        draw(domain, record, folder.path())?;
        write_made(folder, None, &result)?;
    }
    let text = || report(domain, record);
    Ok(Said::so(answer(&args.output, &result, text)))
}

fn report(domain: &Domain, record: &WindRecord) -> String {
    let rows = record.rows();
    let lasts_s = rows.last().map_or(0.0, |row| row[0]);
    let numbers = |what: &str, values: [f64; 3]| {
        let digits = values.map(|value| format!("{value:.3}"));
        std::iter::once(what.to_owned()).chain(digits).collect()
    };
    let world = Table::of_numbers(["mean along the world's axes [m/s]", "x", "y", "z"]);
    let world = world.with([numbers("", domain.mean_m_s)]);
    let turned = Table::of_numbers(["about it", "along", "across", "up"]);
    let turned = turned.with([
        numbers("standard deviation [m/s]", domain.sigma_m_s),
        numbers("correlation time (1/e) [s]", domain.time_constants_s()),
    ]);
    let segments = record.segments_s();
    let listed: Vec<String> = segments
        .iter()
        .map(|[from_s, to_s]| format!("{from_s} to {to_s}"))
        .collect();
    let whole_s: f64 = segments.iter().map(|[from_s, to_s]| to_s - from_s).sum();
    let added = domain.added_turbulence().map(|turbulence| {
        let [u, v, w] = turbulence.sigma_m_s;
        format!(
            "\nadded: Dryden turbulence of MIL-F-8785C at {} m in this mean wind, standard deviations {u:.3}, {v:.3}, {w:.3} m/s\n",
            domain.turbulence_height_m.unwrap_or_default()
        )
    });
    format!(
        "{}: {} (CRC-32 {}), {} rows in {lasts_s} s, interpolated linearly to 1 kHz\n\
         flights meet windows of {}: {} s ({whole_s} s)\n\n{}\n{}",
        domain.name,
        record.file(),
        record.crc32(),
        rows.len(),
        match record.part() {
            RecordPart::Whole => "all of it",
            RecordPart::Tune => "what is for tuning",
            RecordPart::Test => "what is held out",
        },
        listed.join(", "),
        world.text(0),
        turned.text(0)
    ) + &added.unwrap_or_default()
}

fn draw(domain: &Domain, record: &WindRecord, folder: &Path) -> Result<(), Failure> {
    let column = |index: usize| -> Vec<f64> {
        let rows = record.rows().iter();
        rows.map(|row| row[index]).collect()
    };
    let [time_s, u, v, w] = [0, 1, 2, 3].map(column);
    let [tune, test] = match record.split() {
        Some(split) => [&*split.tune, &*split.test],
        None => [&[][..], &[]],
    };
    let title = format!("Wind of {}, domain {}", record.file(), domain.name);
    let picture = WindRecordPicture {
        title: &title,
        time_s: &time_s,
        components: [
            ("u, along x [m/s]", &u),
            ("v, along y [m/s]", &v),
            ("w, up [m/s]", &w),
        ],
        stretches: [("for tuning", tune), ("held out", test)],
    };
    drawn(folder, "record", |stem| plots::draw(&picture, stem))
}
