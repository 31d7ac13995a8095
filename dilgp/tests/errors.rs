//! Every error message, once.

use dilgp::{Dataset, DilGp, Mlp, RandomForest, Surrogate, by_name};
use nalgebra::{DMatrix, DVector};

#[test]
fn datasets_name_what_is_wrong_and_where() {
    let broken = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 2.0, f64::NAN]);
    let empty = |size| format!("a dataset needs at least one row and one column, not {size}");
    for (x, y, message) in [
        (DMatrix::zeros(0, 3), &[][..], &empty("0 x 3")[..]),
        (DMatrix::zeros(2, 0), &[1.0, 2.0], &empty("2 x 0")),
        (
            DMatrix::zeros(2, 1),
            &[1.0],
            "2 rows of inputs but 1 targets: one target is needed for each row",
        ),
        (
            broken,
            &[1.0, 2.0],
            "input at row 1, column 1 (from 0) is NaN, not a finite number",
        ),
        (
            DMatrix::zeros(2, 1),
            &[1.0, f64::NEG_INFINITY],
            "target at row 1 (from 0) is -inf, not a finite number",
        ),
    ] {
        let refused = Dataset::new(x, DVector::from_row_slice(y));
        assert_eq!(refused.unwrap_err().to_string(), message);
    }
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
    let x = DMatrix::from_column_slice(2, 1, &[0.0, 1.0]);
    let data = Dataset::new(x.clone(), x.column(0).into_owned()).unwrap();
    let dil = DilGp {
        lambda: -1.0,
        ..DilGp::printed()
    };
    let mlp = |rate, hidden: &[usize]| Mlp {
        rate,
        hidden: hidden.to_vec(),
        ..Mlp::default()
    };
    let cases: [(&dyn Surrogate, &str); 6] = [
        (
            &dil,
            "lambda of dil-gp is -1; it must be a finite number of at least 0",
        ),
        (
            &RandomForest { trees: 0 },
            "trees of rf is 0; it must be at least 1",
        ),
        (
            &mlp(f64::NAN, &[100]),
            "rate of mlp is NaN; it must be a positive finite number",
        ),
        (
            &mlp(0.01, &[]),
            "hidden layers of mlp is 0; it must be at least 1",
        ),
        (
            &mlp(0.01, &[64, 0]),
            "hidden of mlp is 0; it must be at least 1",
        ),
        (
            &mlp(1e300, &[100]),
            "training of mlp left the finite numbers after 1 steps",
        ),
    ];
    for (surrogate, message) in cases {
        let refused = surrogate.fit(&data, 0).err().unwrap();
        assert_eq!(refused.to_string(), message);
    }
}

#[test]
fn more_points_than_memory_holds_are_refused_before_any_matrix_is_built() {
    let n = dilgp::MOST_POINTS + 1;
    let data = Dataset::new(DMatrix::zeros(n, 1), DVector::zeros(n)).unwrap();
    for name in ["gp", "gp-rq", "gp-dp", "dil-gp"] {
        let refused = by_name(name).unwrap().fit(&data, 0).err().unwrap();
        let message = format!(
            "{name} on 8001 points needs several matrices of 8001 x 8001 numbers; the limit is 8000 \
             points"
        );
        assert_eq!(refused.to_string(), message);
    }
}
