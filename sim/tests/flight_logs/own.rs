//! Logs that this program writes.

use super::{Contents, read};
use sim::log::{About, Format};
use sim::{Airframe, Domain, Dryden, Flight, Setup, fly};

/// A short flight in wind, and its log in a format.
fn flight() -> (Setup, Flight) {
    let mut setup = Setup::new(Airframe::omac());
    setup.record_every = 10;
    let figure = trajectories::by_name("fig8").expect("shipped");
    let mut wind = Dryden::new(&Domain::gusty(), 3);
    let flight = fly(&setup, figure.as_ref(), &setup.airframe.gains, &mut wind, 3);
    (setup, flight)
}

fn log(setup: &Setup, flight: &Flight, format: Format) -> Contents {
    let about = About {
        airframe: &setup.airframe,
        gains: &setup.airframe.gains,
        trajectory: "fig8",
        domain: "gusty",
        seed: 3,
        outcome: flight.outcome,
    };
    read(&format.encode(&about, &flight.samples).expect("memory"))
}

#[test]
fn csv_and_mcap_give_the_samples_back_to_the_last_bit_and_ulog_to_32() {
    let (setup, flight) = flight();
    for (format, most) in [
        (Format::Csv, 0.0),
        (Format::Mcap, 0.0),
        (Format::Ulog, 1e-6),
    ] {
        let log = log(&setup, &flight, format);
        let name = format.name();
        let must_be = |kind: &str, numbers: &dyn Fn(usize) -> Vec<f64>| {
            let found = log.of(kind);
            assert_eq!(found.len(), flight.samples.len(), "{name}: {kind}");
            for (k, (time_s, read)) in found.iter().enumerate() {
                let sample = &flight.samples[k];
                assert!((time_s - sample.time_s).abs() < 1e-9, "{name}: {time_s}");
                for (read, wanted) in read.iter().zip(numbers(k)) {
                    let apart = (read - wanted).abs() / wanted.abs().max(1.0);
                    assert!(apart <= most, "{name}: {kind} {read} {wanted}");
                }
            }
        };
        let state = |k: usize| &flight.samples[k].state;
        must_be("gyro", &|k| state(k).rates_rad_s.as_slice().to_vec());
        must_be("velocity", &|k| state(k).velocity_m_s.as_slice().to_vec());
        must_be("attitude", &|k| {
            let q = state(k).attitude;
            vec![q.w, q.i, q.j, q.k]
        });
        if format == Format::Ulog {
            // PX4's order: front right, rear left, front left, rear right; a share of full.
            let full = setup.airframe.rotors.max_speed_rad_s;
            let speeds = |k: usize| flight.samples[k].command.speeds_rad_s;
            must_be("motors", &|k| {
                [1, 3, 0, 2].map(|i: usize| speeds(k)[i] / full).to_vec()
            });
        } else {
            must_be("rotor speeds", &|k| state(k).rotors_rad_s.to_vec());
            must_be("speed commands", &|k| {
                flight.samples[k].command.speeds_rad_s.to_vec()
            });
            assert_eq!(log.about.rotors, Some(4));
        }
        assert_eq!(
            (log.about.left_out.damaged, log.about.cut_at),
            (0, None),
            "{name}"
        );
        if format != Format::Csv {
            assert_eq!(log.about.vehicle.as_deref(), Some("omac"), "{name}");
        }
    }
}

#[test]
fn mcap_that_is_cut_or_damaged_gives_what_is_left() {
    let (setup, flight) = flight();
    let about = About {
        airframe: &setup.airframe,
        gains: &setup.airframe.gains,
        trajectory: "fig8",
        domain: "gusty",
        seed: 3,
        outcome: flight.outcome,
    };
    let few = &flight.samples[..40.min(flight.samples.len())];
    let bytes = Format::Mcap.encode(&about, few).expect("memory");
    let mut most = 0;
    for length in (0..bytes.len()).step_by(97) {
        let count = super::try_read(&bytes[..length]).map_or(0, |log| log.samples.len());
        assert!(count >= most, "fewer samples in {length} bytes");
        most = count;
    }
    assert!(most > 150, "{most}");
    for at in (0..bytes.len()).step_by(11) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x55;
        if let Ok(log) = super::try_read(&changed) {
            assert!(
                log.samples.iter().all(|sample| sample
                    .reading
                    .numbers()
                    .iter()
                    .all(|n| n.is_finite()))
            );
        }
    }
}
