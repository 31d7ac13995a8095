//! Pairs: every two points compared once, and symmetric matrices stored as their lower triangles.

use nalgebra::DMatrix;

use crate::dil::family::Family;
use crate::matrix::rows;

/// One number for each unordered pair of n points, itself included: the lower triangle of a
/// symmetric matrix, column by column.
#[derive(Debug, Clone, PartialEq)]
pub struct Pairs {
    n: usize,
    compared: Vec<f64>,
}

impl Pairs {
    /// Compares every two rows of `x` as the `family` does.
    pub fn compare(family: Family, x: &DMatrix<f64>) -> Self {
        let points = rows(x);
        let n = points.len();
        let mut compared = Vec::with_capacity(n * (n + 1) / 2);
        for j in 0..n {
            for i in j..n {
                compared.push(family.compare(&points[i], &points[j]));
            }
        }
        Self { n, compared }
    }

    /// Number of points.
    pub fn points(&self) -> usize {
        self.n
    }

    /// The numbers: each point with itself and those after it, point after point.
    pub fn compared(&self) -> &[f64] {
        &self.compared
    }
}

/// The matrix whose lower triangle is `packed`, with `diagonal` added to its diagonal and its
/// upper triangle the mirror image.
pub fn unpack(packed: &[f64], n: usize, diagonal: f64) -> DMatrix<f64> {
    let mut matrix = DMatrix::zeros(n, n);
    let mut from = 0;
    for j in 0..n {
        let length = n - j;
        matrix.as_mut_slice()[j * n + j..(j + 1) * n].copy_from_slice(&packed[from..from + length]);
        matrix[(j, j)] += diagonal;
        from += length;
    }
    matrix.fill_upper_triangle_with_lower_triangle();
    matrix
}

/// Packed weights w such that the sum of `w * packed` is the sum over all entries of A o B, for
/// a symmetric A and any symmetric B: off-diagonal entries count twice. `fill` is given j and sets
/// the entries of A's column j from the diagonal down.
#[inline(always)]
pub fn pack_weights(n: usize, fill: impl Fn(usize, &mut [f64])) -> Vec<f64> {
    let mut weights = vec![0.0; n * (n + 1) / 2];
    let mut rest = weights.as_mut_slice();
    for j in 0..n {
        let (column, after) = rest.split_at_mut(n - j);
        fill(j, column);
        for entry in &mut column[1..] {
            *entry *= 2.0;
        }
        rest = after;
    }
    weights
}

/// The entries of `matrix` in column j from the diagonal down.
#[inline(always)]
pub fn lower(matrix: &DMatrix<f64>, j: usize) -> &[f64] {
    let n = matrix.nrows();
    &matrix.as_slice()[j * n + j..(j + 1) * n]
}

/// The diagonal of a symmetric matrix of `n` rows that is packed.
pub fn diagonal(packed: &[f64], n: usize) -> impl Iterator<Item = f64> {
    (0..n).map(move |j| packed[j * n - j * j.saturating_sub(1) / 2])
}

/// The sums of products of several pairs of lists of one length. Each is added in the order of its
/// lists; four go side by side, because a sum waits for each of its additions.
pub fn inners(pairs: &[[&[f64]; 2]]) -> Vec<f64> {
    let mut sums = Vec::with_capacity(pairs.len());
    let (fours, rest) = pairs.as_chunks::<4>();
    for four in fours {
        sums.extend(side_by_side(four));
    }
    match rest {
        [first, second, third] => sums.extend(side_by_side(&[*first, *second, *third])),
        [first, second] => sums.extend(side_by_side(&[*first, *second])),
        [only] => sums.extend(side_by_side(&[*only])),
        _ => {}
    }
    sums
}

#[inline]
fn side_by_side<const N: usize>(pairs: &[[&[f64]; 2]; N]) -> [f64; N] {
    let length = pairs[0][0].len();
    let pairs = pairs.map(|pair| pair.map(|list| &list[..length]));
    let mut sums = [0.0; N];
    for k in 0..length {
        for (sum, [a, b]) in sums.iter_mut().zip(&pairs) {
            *sum += a[k] * b[k];
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_side_by_side_are_those_of_one_pair_at_a_time_to_the_last_bit() {
        let list =
            |seed: usize| -> Vec<f64> { (0..101).map(|i| ((i * seed + 1) as f64).sin()).collect() };
        let lists: Vec<Vec<f64>> = (1..=14).map(list).collect();
        for count in 0..=7 {
            let chosen = lists.chunks(2).take(count);
            let pairs: Vec<[&[f64]; 2]> = chosen.map(|two| [&two[0][..], &two[1]]).collect();
            let alone = |[a, b]: &[&[f64]; 2]| a.iter().zip(*b).map(|(a, b)| a * b).sum::<f64>();
            let expected: Vec<f64> = pairs.iter().map(alone).collect();
            assert_eq!(inners(&pairs), expected);
        }
    }
}
