//! Random numbers: every one comes from a seed, and each purpose has a stream of its own, so that
//! drawing more numbers for one purpose never shifts those of another.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
pub use shell::seeds::mix;

/// What a stream of random numbers is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The gusts of a flight.
    Gusts = 1,
    /// The noise of the position and velocity sensors.
    Sensors = 2,
    /// How a real vehicle differs from its airframe file.
    Vehicle = 3,
    /// The biases of gyro and accelerometer.
    Biases = 4,
    /// The noise of the accelerometer, and the gaps of a log.
    Instruments = 5,
}

/// The generator for one purpose of one seed (ChaCha with 8 rounds: portable, the same numbers on
/// every platform).
pub fn stream(seed: u64, purpose: Purpose) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(purpose as u64);
    rng
}

/// The stream of the seeds of a batch's flights; those of a tuning study have others.
const FLIGHTS: u64 = 51;

/// The seed of flight `number` of a batch of flights, from the batch's `seed`: what `sim fly --seed` takes to
/// fly it again. Batches of two seeds share no flight, but by a chance of one in 2⁵³ a pair; a bound of how
/// often a vehicle is lost may therefore rest on several batches. Below 2⁵³, so that every reader of JSON
/// keeps it to the last digit.
pub fn flight_seed(seed: u64, number: u64) -> u64 {
    mix(&[seed, FLIGHTS, number]) >> 11
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;
    use std::collections::HashSet;

    #[test]
    fn purposes_have_streams_of_their_own() {
        let a = stream(3, Purpose::Gusts).next_u64();
        let b = stream(3, Purpose::Sensors).next_u64();
        assert_ne!(a, b);
        assert_eq!(a, stream(3, Purpose::Gusts).next_u64());
    }

    #[test]
    fn batches_share_no_flight_and_json_keeps_their_seeds() {
        let mut seen = HashSet::new();
        for batch in [0, 1, 2, 3, 1000, u64::MAX] {
            for number in 0..2000 {
                let seed = flight_seed(batch, number);
                assert!(seen.insert(seed));
                assert_eq!(seed as f64 as u64, seed);
                assert!(seed < 1 << 53);
            }
        }
    }

    #[test]
    fn mixed_seeds_do_not_collide() {
        let mut seen = HashSet::new();
        for study in 0..20 {
            for trial in 0..500 {
                for domain in 0..3 {
                    assert!(seen.insert(mix(&[study, trial, domain])));
                }
            }
        }
    }
}
