//! `sim wind`: the wind that flights meet, against the formulas of its domain.

mod recorded;

use super::{Printed, Weather, answer, claim, drawn, weather, write_made};
use crate::Said;
use crate::args::WindTestArgs;
use plots::{Spectra, SpectrumAxis};
use serde::Serialize;
use shell::Failure;
use shell::progress::Progress;
use shell::table::Table;
use sim::wind::gust_statistics::{GATE, GustTest, Sampling, test_gusts};
use sim::{CONTROL_PERIOD_S, Domain, Dryden, Wind, mix};
use std::path::Path;

/// Samples of one record: 20 s at the control period.
const LENGTH: usize = 20_000;

/// Frequencies above this are not drawn: sampling at 1 kHz folds what lies beyond 500 Hz back, and
/// up to 100 Hz that adds less than 2 %. (The test itself allows for it exactly.)
const HIGHEST_DRAWN_HZ: f64 = 100.0;

/// Stream of random numbers for the test's records.
const RECORDS: u64 = 21;

/// What `--format json` prints.
#[derive(Serialize)]
struct Report<'a> {
    domain: &'a Domain,
    records: u64,
    record_s: f64,
    /// L/V of u, v and w [s].
    time_constants_s: [f64; 3],
    /// Further from the analytic value than this is out [standard errors].
    gate: f64,
    /// Measured, of u, v and w [m/s]; what it should be stands in the domain.
    sigma_m_s: [f64; 3],
    statistics: Vec<Statistic<'a>>,
    out: usize,
    passed: bool,
}

/// One statistic of the test.
#[derive(Serialize)]
struct Statistic<'a> {
    what: &'a str,
    measured: f64,
    analytic: f64,
    standard_error: f64,
    out: bool,
}

impl<'a> Report<'a> {
    fn of(domain: &'a Domain, test: &'a GustTest, records: u64) -> Report<'a> {
        let statistics: Vec<Statistic> = test
            .comparisons
            .iter()
            .map(|comparison| Statistic {
                what: &comparison.what,
                measured: comparison.measured,
                analytic: comparison.expected,
                standard_error: comparison.standard_error,
                out: !comparison.passes(),
            })
            .collect();
        Report {
            domain,
            records,
            record_s: LENGTH as f64 * CONTROL_PERIOD_S,
            time_constants_s: domain.time_constants_s(),
            gate: GATE,
            sigma_m_s: test.sigma_m_s,
            out: statistics.iter().filter(|statistic| statistic.out).count(),
            statistics,
            passed: test.passes(),
        }
    }
}

/// Tests the wind, draws its spectra and says what is out.
///
/// # Errors
/// A domain that does not exist or is faulty, a folder that cannot be written.
pub fn wind(args: &WindTestArgs) -> Result<Said, Failure> {
    let domain = asked_for(args)?;
    let records = args.samples;
    let folder = claim(args.out.as_ref())?;
    if let Some(record) = &domain.record {
        return recorded::recorded(args, &domain, record, folder.as_ref());
    }
    let sampling = Sampling {
        records,
        length: LENGTH,
        dt_s: CONTROL_PERIOD_S,
    };
    let progress = Progress::new(records, "records");
    let test = test_gusts(&domain, sampling, |record| {
        progress.advance(1, "");
        let mut wind = Dryden::new(&domain, mix(&[RECORDS, record]));
        let sample = |_| {
            let gust = wind.gust_m_s();
            wind.step();
            gust
        };
        (0..LENGTH).map(sample).collect()
    });
    if let Some(folder) = &folder {
        progress.doing("drawing");
        draw(&domain, &test, records, folder.path())?;
    }
    progress.finish();
    let result = Printed {
        schema: "windhover-wind/1",
        result: Report::of(&domain, &test, records),
    };
    if let Some(folder) = &folder {
        write_made(folder, None, &result)?;
    }
    let passed = test.passes();
    let text = answer(&args.output, &result, || report(&domain, &test, records));
    Ok(Said { text, passed })
}

/// The domain that is asked for, the gusty one where none is.
fn asked_for(args: &WindTestArgs) -> Result<Domain, Failure> {
    if args.wind.domain.is_none() && args.wind.altitude_m.is_none() {
        return Ok(Domain::gusty());
    }
    match weather(&args.wind)? {
        Weather::Gusts(domain) => Ok(*domain),
        Weather::Still => Err(Failure::usage(
            "--domain still has no gusts to test; name gusty, steady or a domain file",
        )),
    }
}

fn report(domain: &Domain, test: &GustTest, records: u64) -> String {
    let [u, v, w] = domain.time_constants_s();
    let table = Table::of_numbers(["", "measured", "analytic", "tolerance", ""]);
    let digits = |value: f64| format!("{value:.4}");
    let deviations = (0..3).map(|axis| {
        let what = format!("{} standard deviation [m/s]", ["u", "v", "w"][axis]);
        let [measured, analytic] = [test.sigma_m_s[axis], domain.sigma_m_s[axis]].map(digits);
        vec![what, measured, analytic, String::new(), String::new()]
    });
    let compared = test.comparisons.iter().map(|comparison| {
        let verdict = if comparison.passes() { "" } else { "OUT" };
        let tolerance = GATE * comparison.standard_error;
        let values = [comparison.measured, comparison.expected, tolerance];
        let [measured, expected, tolerance] = values.map(digits);
        let what = comparison.what.to_string();
        vec![what, measured, expected, tolerance, verdict.to_owned()]
    });
    let out = test.comparisons.iter().filter(|c| !c.passes()).count();
    let mut beside = String::new();
    if let Some(shear) = domain.shear {
        let [height_m, z0_m] = [shear.height_m, shear.roughness_m];
        beside = format!("the mean wind is that at {height_m} m above ground (z0 = {z0_m} m)\n");
    }
    if !domain.gusts.is_empty() {
        let count = domain.gusts.len();
        beside += &format!("discrete gusts, which are added and not tested here: {count}\n");
    }
    format!(
        "{}: {records} independent records of 20 s at 1 kHz; mean wind {:?} m/s\n\
         T = L/V of u, v, w: {u:.3}, {v:.3}, {w:.3} s; out: further than {GATE} standard errors\n{beside}\n\
         {}\n{out} of {} statistics out\n",
        domain.name,
        domain.mean_m_s,
        table.with(deviations).with(compared).text(0),
        test.comparisons.len()
    )
}

fn draw(domain: &Domain, test: &GustTest, records: u64, folder: &Path) -> Result<(), Failure> {
    // Each bin of a mean of n periodograms has the relative standard error 1/√n.
    let tolerance = vec![GATE / (records as f64).sqrt(); LENGTH / 2];
    let labels = ["u, along the mean wind", "v, across", "w, upwards"];
    let axes: Vec<SpectrumAxis> = (0..3)
        .map(|axis| {
            let spectrum = &test.spectra[axis];
            let shown = spectrum
                .frequency_hz
                .partition_point(|f| *f <= HIGHEST_DRAWN_HZ);
            SpectrumAxis {
                label: labels[axis],
                frequency_hz: &spectrum.frequency_hz[..shown],
                measured: &spectrum.measured[..shown],
                analytic: &spectrum.analytic[..shown],
                tolerance: &tolerance[..shown],
                sigma_measured_m_s: test.sigma_m_s[axis],
                sigma_analytic_m_s: domain.sigma_m_s[axis],
            }
        })
        .collect();
    let title = format!("Dryden gusts, {}: {records} records of 20 s", domain.name);
    let (title, axes) = (&title, &axes);
    drawn(folder, "spectra", |stem| {
        plots::draw(&Spectra { title, axes }, stem)
    })
}
