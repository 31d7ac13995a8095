//! Table 3: what the paper reports for its quadrotor experiment, for printing beside ours.

/// A cell of the paper: mean over five runs and greatest deviation from it.
pub type Printed = [f64; 2];

/// Trajectories of the paper's Table 3, in the order of its columns.
pub const TABLE_3_COLUMNS: [&str; 4] = ["hover", "fig8", "sin-forward", "spiral-up"];

/// Table 3 of Zhao et al. (AAAI 2024) as printed: average control error of the tuned quadrotor [m].
#[rustfmt::skip]
const TABLE_3: [(&str, [Printed; 4]); 6] = [
    ("rf", [[0.3740, 0.0273], [0.4444, 0.0252], [0.3962, 0.0036], [0.3871, 0.0310]]),
    ("mlp", [[0.3735, 0.0391], [0.4433, 0.0517], [0.3582, 0.0058], [0.3733, 0.0399]]),
    ("gp", [[0.3739, 0.0187], [0.4433, 0.0241], [0.3579, 0.0032], [0.3727, 0.0333]]),
    ("gp-rq", [[0.3733, 0.0213], [0.4492, 0.0293], [0.3572, 0.0040], [0.3724, 0.0283]]),
    ("gp-dp", [[0.3731, 0.0238], [0.4665, 0.0371], [0.3469, 0.0052], [0.3474, 0.0222]]),
    ("dil-gp", [[0.3610, 0.0200], [0.4081, 0.0262], [0.3367, 0.0043], [0.3349, 0.0275]]),
];

/// What Table 3 prints for the surrogate of that name on that trajectory; nothing for any other.
pub fn table_3(surrogate: &str, trajectory: &str) -> Option<Printed> {
    let column = TABLE_3_COLUMNS
        .iter()
        .position(|name| *name == trajectory)?;
    let row = TABLE_3.iter().find(|(name, _)| *name == surrogate)?;
    Some(row.1[column])
}

/// A cell as tables print it.
pub fn in_words([mean, deviation]: Printed) -> String {
    crate::statistics::plus_minus(mean, Some(deviation), 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_found_by_surrogate_and_trajectory() {
        assert_eq!(table_3("dil-gp", "fig8"), Some([0.4081, 0.0262]));
        assert_eq!(table_3("rf", "hover"), Some([0.3740, 0.0273]));
        assert_eq!(table_3("gp-dp", "spiral-up"), Some([0.3474, 0.0222]));
        assert_eq!(table_3("dil-gp-released", "fig8"), None);
        assert_eq!(table_3("gp", "waypoints"), None);
        let cell = table_3("gp-dp", "sin-forward").map(in_words);
        assert_eq!(cell.as_deref(), Some("0.3469 ± 0.0052"));
    }
}
