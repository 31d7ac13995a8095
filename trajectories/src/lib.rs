//! Where the quadrotor should be at time t.
