//! What the paper reports for its quadrotor experiment (Table 3), for printing beside ours.

/// The range that the average control errors in Table 3 of Zhao et al. (AAAI 2024) span [m]. Its
/// single cells are not held here, so that no figure is quoted that was not read.
pub const TABLE_3_RANGE_M: [f64; 2] = [0.33, 0.47];
