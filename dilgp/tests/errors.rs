//! Every error message, once.

use dilgp::{Dataset, DilGp, Error, Mlp, RandomForest, Surrogate, by_name};
use nalgebra::{DMatrix, DVector};

fn refused(x: DMatrix<f64>, y: &[f64]) -> String {
    Dataset::new(x, DVector::from_row_slice(y))
        .unwrap_err()
        .to_string()
}

#[test]
fn datasets_name_what_is_wrong_and_where() {
    assert_eq!(
        refused(DMatrix::zeros(0, 3), &[]),
        "a dataset needs at least one row and one column, not 0 x 3"
    );
    assert_eq!(
        refused(DMatrix::zeros(2, 0), &[1.0, 2.0]),
        "a dataset needs at least one row and one column, not 2 x 0"
    );
    assert_eq!(
        refused(DMatrix::zeros(2, 1), &[1.0]),
        "2 rows of inputs but 1 targets: one target is needed for each row"
    );
    let x = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 2.0, f64::NAN]);
    assert_eq!(
        refused(x, &[1.0, 2.0]),
        "input at row 1, column 1 (from 0) is NaN, not a finite number"
    );
    assert_eq!(
        refused(DMatrix::zeros(2, 1), &[1.0, f64::NEG_INFINITY]),
        "target at row 1 (from 0) is -inf, not a finite number"
    );
}

#[test]
fn an_unknown_name_is_answered_with_the_nearest_and_all_known() {
    let message = |name| by_name(name).err().unwrap().to_string();
    assert_eq!(
        message("dilgp"),
        "unknown surrogate `dilgp`: did you mean `dil-gp`? \
         Known: rf, mlp, gp, gp-rq, gp-dp, dil-gp, dil-gp-released, dil-gp-per-point"
    );
    assert!(message("GP-RQ").contains("did you mean `gp-rq`?"));
    assert!(message("").contains("did you mean `"));
}

#[test]
fn settings_out_of_range_are_named() {
    let data = Dataset::new(DMatrix::zeros(1, 1), DVector::zeros(1)).unwrap();
    let message = |surrogate: &dyn Surrogate| surrogate.fit(&data, 0).err().unwrap().to_string();
    let dil = DilGp {
        lambda: -1.0,
        ..DilGp::printed()
    };
    assert_eq!(
        message(&dil),
        "lambda of dil-gp is -1; it must be a finite number of at least 0"
    );
    assert_eq!(
        message(&RandomForest { trees: 0 }),
        "trees of rf is 0; it must be at least 1"
    );
    let mlp = Mlp {
        rate: f64::NAN,
        ..Mlp::default()
    };
    assert_eq!(
        message(&mlp),
        "rate of mlp is NaN; it must be a positive finite number"
    );
}

#[test]
fn a_network_needs_layers_and_each_needs_units() {
    let data = Dataset::new(DMatrix::zeros(1, 1), DVector::zeros(1)).unwrap();
    let message = |hidden: Vec<usize>| {
        let mlp = Mlp {
            hidden,
            ..Mlp::default()
        };
        mlp.fit(&data, 0).err().unwrap().to_string()
    };
    assert_eq!(
        message(Vec::new()),
        "hidden layers of mlp is 0; it must be at least 1"
    );
    assert_eq!(
        message(vec![64, 0]),
        "hidden of mlp is 0; it must be at least 1"
    );
}

#[test]
fn a_network_that_leaves_the_finite_numbers_says_so() {
    let data = Dataset::new(
        DMatrix::from_column_slice(2, 1, &[0.0, 1.0]),
        DVector::from_row_slice(&[0.0, 1.0]),
    )
    .unwrap();
    let mlp = Mlp {
        rate: 1e300,
        ..Mlp::default()
    };
    let error = mlp.fit(&data, 0).err().unwrap();
    assert!(matches!(
        error,
        Error::TrainingDiverged {
            surrogate: "mlp",
            steps: 1
        }
    ));
    assert_eq!(
        error.to_string(),
        "training of mlp left the finite numbers after 1 steps"
    );
}

#[test]
fn more_points_than_memory_holds_are_refused_before_any_matrix_is_built() {
    let n = dilgp::MOST_POINTS + 1;
    let data = Dataset::new(DMatrix::zeros(n, 1), DVector::zeros(n)).unwrap();
    for name in ["gp", "gp-rq", "gp-dp", "dil-gp"] {
        let message = by_name(name)
            .unwrap()
            .fit(&data, 0)
            .err()
            .unwrap()
            .to_string();
        assert_eq!(
            message,
            format!(
                "{name} on 8001 points needs several matrices of 8001 x 8001 numbers; the limit \
                 is 8000 points"
            )
        );
    }
}
