//! Sobol' points: a sequence that covers the unit cube evenly, scrambled so that every seed has
//! its own.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sobol_burley::sample;

/// Most dimensions of the sequence.
pub const MOST_DIMENSIONS: usize = 256;

/// The first `count` points of the Owen-scrambled Sobol' sequence of `seed`, starting at `from`
/// (Burley, "Practical hash-based Owen scrambling", JCGT 2020).
///
/// # Panics
/// With more than [`MOST_DIMENSIONS`] or 65,536 points, which the sequence does not have.
pub fn sobol(dimensions: usize, from: usize, count: usize, seed: u64) -> Vec<Vec<f64>> {
    // The generator takes 32 bits of seed; mixing lets every bit of ours count.
    let seed = shell::seeds::mix(&[seed]) as u32;
    (from..from + count)
        .map(|index| {
            (0..dimensions)
                .map(|dimension| f64::from(sample(index as u32, dimension as u32, seed)))
                .collect()
        })
        .collect()
}

/// Sobol' points of the whole cube.
const SPREAD: usize = 32;

/// Mutations.
const MUTATIONS: usize = 240;

/// Probability that a coordinate is mutated, beside the one that is mutated for certain.
const RATE: f64 = 0.35;

/// Farthest that a coordinate is moved, as a share of the cube; each mutation draws its own reach
/// below it.
const REACH: f64 = 0.4;

/// Of the coordinates mutated, the share that is moved, and the share that is moved or drawn anew;
/// the others are put on a face.
const MOVED: f64 = 0.5;
const MOVED_OR_NEW: f64 = 0.75;

/// `parents`, points of the cube and mutations of the parents in turn; the same for the same seed.
pub fn around(parents: &[Vec<f64>], seed: u64) -> Vec<Vec<f64>> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut points = parents.to_vec();
    points.dedup();
    points.extend(sobol(parents[0].len(), 0, SPREAD, seed));
    let mutated = parents.iter().cycle().take(MUTATIONS);
    points.extend(mutated.map(|parent| mutation(parent, &mut random)));
    points
}

fn mutation(parent: &[f64], random: &mut ChaCha8Rng) -> Vec<f64> {
    let certain = random.random_range(0..parent.len());
    let reach = REACH * random.random::<f64>();
    let coordinate = |(k, x): (usize, &f64)| {
        if k != certain && random.random::<f64>() > RATE {
            return *x;
        }
        match random.random::<f64>() {
            u if u < MOVED => {
                let step = reach * (2.0 * random.random::<f64>() - 1.0);
                (x + step).clamp(0.0, 1.0)
            }
            u if u < MOVED_OR_NEW => random.random(),
            _ => f64::from(random.random_range(0..2u8)),
        }
    };
    parent.iter().enumerate().map(coordinate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_points_put_one_into_each_sixteenth_of_every_axis() {
        for seed in [0, 1, u64::MAX] {
            let points = sobol(6, 0, 16, seed);
            for dimension in 0..6 {
                let mut cells: Vec<usize> = points
                    .iter()
                    .map(|p| (p[dimension] * 16.0) as usize)
                    .collect();
                cells.sort_unstable();
                assert_eq!(
                    cells,
                    (0..16).collect::<Vec<_>>(),
                    "seed {seed} axis {dimension}"
                );
            }
        }
    }

    #[test]
    fn seeds_differ_and_a_sequence_can_be_continued() {
        assert_ne!(sobol(3, 0, 4, 1), sobol(3, 0, 4, 2));
        assert_ne!(sobol(3, 0, 4, 1), sobol(3, 0, 4, 1 << 32));
        let whole = sobol(3, 0, 8, 5);
        assert_eq!(whole[4..], sobol(3, 4, 4, 5));
    }

    #[test]
    fn each_mutation_differs_from_its_parent_and_stays_in_the_cube() {
        let parents = [vec![0.5; 4], vec![0.0, 1.0, 0.2, 0.9]];
        let points = around(&parents, 7);
        assert_eq!(points.len(), 2 + SPREAD + MUTATIONS);
        assert_eq!(points[..2], parents);
        for (k, x) in points[2 + SPREAD..].iter().enumerate() {
            let parent = &parents[k % 2];
            assert!(x.iter().all(|x| (0.0..=1.0).contains(x)));
            // A coordinate that is put on the face it lies on is no change.
            assert!(x != parent || k % 2 == 1, "{k}");
        }
        assert_eq!(points, around(&parents, 7));
        assert_ne!(points, around(&parents, 8));
    }

    #[test]
    fn faces_are_reached_and_left() {
        let on_a_face = |x: &f64| *x == 0.0 || *x == 1.0;
        let inside = around(&[vec![0.5; 3]], 3);
        let reached = inside.iter().filter(|x| x.iter().any(on_a_face)).count();
        assert!(reached > 60, "{reached}");
        let corner = around(&[vec![1.0; 3]], 3);
        let left = corner.iter().filter(|x| !x.iter().all(on_a_face)).count();
        assert!(left > 120, "{left}");
    }
}
