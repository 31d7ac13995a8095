//! Sobol' points: a sequence that covers the unit cube evenly, scrambled so that every seed has
//! its own.

use sobol_burley::sample;

/// The first `count` points of the Owen-scrambled Sobol' sequence of `seed`, starting at `from`
/// (Burley, "Practical hash-based Owen scrambling", JCGT 2020).
///
/// # Panics
/// With more than 256 dimensions or 65,536 points, which the sequence does not have.
pub fn points(dimensions: usize, from: usize, count: usize, seed: u64) -> Vec<Vec<f64>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_points_put_one_into_each_sixteenth_of_every_axis() {
        for seed in [0, 1, u64::MAX] {
            let points = points(6, 0, 16, seed);
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
        assert_ne!(points(3, 0, 4, 1), points(3, 0, 4, 2));
        assert_ne!(points(3, 0, 4, 1), points(3, 0, 4, 1 << 32));
        let whole = points(3, 0, 8, 5);
        assert_eq!(whole[4..], points(3, 4, 4, 5));
    }
}
