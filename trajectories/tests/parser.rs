//! The reader of waypoints against texts that are nearly right: it does not panic, what it accepts
//! is finite everywhere, and what is wrong is said on one line of a bounded length. How long that
//! goes on is set by `WINDHOVER_FUZZ_SECONDS` (`checks::fuzzing::SECONDS`).

use checks::fuzzing::fuzz;
use trajectories::{FromGround, Trajectory, Waypoints};

const EXAMPLES: [&str; 2] = [
    "t,x,y,z,yaw\n0,0,0,0,0\n3,2,0,0,0.5 # a comment\n6,2,2,1,1\n\n9,0,0,0,3.1\n",
    "0.5,0,0,0\n3.25,2,-1e1,0\n6,2,2,1\n",
];

fn finite_everywhere(trajectory: &dyn Trajectory) {
    let lasts_s = trajectory.duration_s();
    assert!(lasts_s.is_finite() && lasts_s >= 0.0);
    for share in [-0.1, 0.0, 0.1, 0.37, 0.5, 0.99, 1.0, 1.1] {
        let at = trajectory.at(share * lasts_s);
        let numbers = [at.position_m, at.velocity_m_s, at.acceleration_m_s2];
        let finite = numbers.iter().flatten().all(|x| x.is_finite());
        assert!(finite && at.yaw_rad.is_finite(), "{share}: {at:?}");
    }
}

#[test]
fn waypoints() {
    let (mut accepted, mut refused) = (0, 0);
    fuzz(
        "waypoints",
        &EXAMPLES,
        8_000,
        |text| match Waypoints::from_csv("own", text) {
            Ok(waypoints) => {
                accepted += 1;
                finite_everywhere(&waypoints);
                let from_ground = FromGround::new(Box::new(waypoints), -3.0, 0.1);
                if let Ok(journey) = from_ground {
                    finite_everywhere(&journey);
                }
            }
            Err(error) => {
                refused += 1;
                let said = error.to_string();
                assert!(!said.contains('\n') && said.len() < 500, "{said:?}");
            }
        },
    );
    assert!(accepted > 400 && refused > 400, "{accepted} {refused}");
}
