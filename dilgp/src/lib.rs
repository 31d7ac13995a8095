//! Ways to learn y from x with uncertainty: DIL-GP and the surrogates beside it.
