//! What happens when a quadrotor tries to follow a trajectory in wind.
