//! Remark: what a trajectory does that its description does not show.

/// Something that a user may not expect of a trajectory.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Remark {
    /// The heading crosses the seam of a log the shorter way.
    #[error(
        "the heading steps by {step_rad:.3} rad at line {line}, and {turn_rad:.3} rad, the shorter way, is flown there (steps of that kind: {count})"
    )]
    Seam {
        /// Line of the first point behind the seam, from 1.
        line: usize,
        /// The step as it is written [rad].
        step_rad: f64,
        /// The turn that is flown [rad].
        turn_rad: f64,
        /// How many such steps there are.
        count: usize,
    },
    /// The smoothest curve leaves the box of the points about a stretch by far.
    #[error(
        "on the way to line {line} the smoothest curve swings {beyond_m:.2} m out of the box of the points before and behind, whose size is {size_m:.2} m: the times there are too uneven for the distances"
    )]
    Swing {
        /// Line of the point at the end of the stretch, from 1.
        line: usize,
        /// How far it leaves the box [m].
        beyond_m: f64,
        /// The box's diagonal [m].
        size_m: f64,
    },
}
