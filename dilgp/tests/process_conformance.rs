//! What every composed Gaussian process must keep beyond what every surrogate does.

use crate::learners::{Kind, grid, hard, learners, processes};
use dilgp::process::{Columns, View};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

#[test]
fn hard_data_can_still_grow_be_fitted_again_and_drawn_from() {
    for (what, data) in hard() {
        for learner in learners() {
            let Kind::Composed(process) = &learner.kind else {
                continue;
            };
            eprintln!("{what}, {}", learner.name); // shown where the case fails
            let model = process.train(&data, 11).unwrap();
            let first: Vec<f64> = data.x().row(0).iter().copied().collect();
            let again = model.append(&first, data.y()[0]).unwrap();
            learner.check(&again, &grid());
            let warm = process.fit_from(&data, model.eta(), true, 3).unwrap();
            learner.check(&warm, &grid());
            let drawn = model.sample(data.x(), 2, 3).unwrap();
            assert!(drawn.iter().all(|f| f.is_finite()), "{}", learner.name);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    /// Covariances are symmetric, and the sum over any weights is not negative.
    #[test]
    fn covariances_are_symmetric_and_positive_semi_definite(
        flat in prop::collection::vec(-4.0..4.0f64, 12),
        weights in prop::collection::vec(-1.0..1.0f64, 6),
        scale in -2.0..2.0f64,
    ) {
        let x = DMatrix::from_row_slice(6, 2, &flat);
        let points = Columns::from_rows(x.clone());
        for (name, process) in processes() {
            let count = process.kernel.parameters(2).len();
            let theta = vec![scale.exp(); count];
            let matrix = DMatrix::from_fn(6, 6, |_, _| 0.0);
            let matrix = (0..6).fold(matrix, |mut matrix, i| {
                let at = [x[(i, 0)], x[(i, 1)]];
                let mut row = [0.0; 6];
                process.kernel.values(&theta, View::all(&at, &points), &mut row);
                let own = process.kernel.at_itself(&theta, &at, &mut [0.0; 2]);
                assert!((own - row[i]).abs() <= 1e-12 * own);
                matrix.set_row(i, &nalgebra::RowDVector::from_row_slice(&row));
                matrix
            });
            let asymmetry = (&matrix - matrix.transpose()).amax();
            prop_assert!(asymmetry <= 1e-12 * matrix.amax(), "{}", name);
            let w = DVector::from_row_slice(&weights);
            prop_assert!(w.dot(&(&matrix * &w)) >= -1e-10 * matrix.amax(), "{}", name);
        }
    }
}
