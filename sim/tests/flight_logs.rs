//! Flight logs of others: small ones made here by writers of their formats, with the numbers that must come out;
//! recorded ones, where there are any; and damaged ones.

mod blackbox;
mod crazyflie;
mod csv;
mod dataflash;
mod measured;
mod own;
mod parsers;
mod recorded;
mod refused;
mod ulog;

use sim::flight_log::{FlightLogError, LogAbout, LogReading, LogSample, read_flight_log};

/// What a log holds.
struct Contents {
    about: LogAbout,
    samples: Vec<LogSample>,
}

impl Contents {
    /// Times and numbers of a kind of reading.
    fn of(&self, kind: &str) -> Vec<(f64, Vec<f64>)> {
        let of_it = |sample: &&LogSample| LogReading::KINDS[sample.reading.kind()] == kind;
        let samples = self.samples.iter().filter(of_it);
        samples
            .map(|sample| (sample.time_s, sample.reading.numbers().to_vec()))
            .collect()
    }

    /// The kinds of reading must have these times and numbers.
    fn must_be(&self, kind: &str, expected: &[(f64, &[f64])]) {
        let found = self.of(kind);
        assert_eq!(found.len(), expected.len(), "{kind}: {found:?}");
        for ((time_s, numbers), (then_s, wanted)) in found.iter().zip(expected) {
            assert!(
                (time_s - then_s).abs() < 1e-9,
                "{kind}: {time_s} for {then_s}"
            );
            assert_eq!(
                numbers.len(),
                wanted.len(),
                "{kind}: {numbers:?} for {wanted:?}"
            );
            for (number, wanted) in numbers.iter().zip(*wanted) {
                let apart = (number - wanted).abs() / wanted.abs().max(1.0);
                assert!(apart < 1e-12, "{kind} at {time_s}: {number} for {wanted}");
            }
        }
    }
}

fn try_read(bytes: &[u8]) -> Result<Contents, FlightLogError> {
    let mut samples = Vec::new();
    let about = read_flight_log(bytes, &mut |sample| samples.push(*sample))?;
    Ok(Contents { about, samples })
}

fn read(bytes: &[u8]) -> Contents {
    try_read(bytes).expect("a log")
}
