//! Windhover: tune quadrotor gains for the wind they will meet.
