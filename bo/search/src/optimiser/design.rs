//! Design: the scrambled Sobol' points before a surrogate is asked, and in its place where it cannot be.

use super::Optimiser;
use super::allowed::PASSED_OVER;
use super::under_way::close;
use crate::climb::sobol;
use crate::streams::Search;
use shell::seeds::Stream;

/// Points that the design's sequence has.
const MOST_DESIGNED: usize = 65_536;

impl Optimiser {
    /// The next scrambled Sobol' point, snapped, that is not among those told or under way: a
    /// search that was rebuilt by telling goes on with the sequence. In a space of few points,
    /// where all may be taken, any.
    pub(super) fn design_point(&mut self) -> Vec<f64> {
        for _ in 0..self.evaluations() {
            let x = self.next_of_design();
            if !self.any_known(|known| close(known, &x)) {
                return x;
            }
        }
        self.next_of_design()
    }

    /// The next of the sequence that is allowed; after many that are not, a point on the way to the last.
    fn next_of_design(&mut self) -> Vec<f64> {
        self.state.barred = None;
        let mut x = self.next_of_sequence();
        for _ in 0..PASSED_OVER {
            if self.allows(&x) {
                return x;
            }
            self.state.barred = Some(x);
            x = self.next_of_sequence();
        }
        self.nearest_allowed(x)
    }

    fn next_of_sequence(&mut self) -> Vec<f64> {
        let index = self.state.designed % MOST_DESIGNED;
        self.state.designed += 1;
        let seed = Search::Design.of(self.settings.seed);
        let points = sobol::points(self.space.dimensions(), index, 1, seed);
        self.space.snapped(&points[0])
    }
}
