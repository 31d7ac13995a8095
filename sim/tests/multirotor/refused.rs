//! Refused: every way in which rotors can be wrong, by name.

use super::omac_as;
use sim::Airframe;

/// What makes a vehicle wrong.
type Spoil = fn(&mut Airframe);

#[test]
fn rotors_that_are_wrong_are_refused_by_the_name_of_what_is_wrong() {
    let wrong: [(&str, Spoil); 14] = [
        (
            "number of rotors.positions_m is 2; it must be 4 to 12",
            |a| {
                a.rotors.positions_m.truncate(2);
            },
        ),
        (
            "number of rotors.positions_m is 13; it must be 4 to 12",
            |a| {
                a.rotors.positions_m = vec![[0.1, 0.2, 0.0]; 13];
            },
        ),
        (
            "number of rotors.yaw_torque_signs is 5; it must be one for each of rotors.positions_m",
            |a| a.rotors.yaw_torque_signs.truncate(5),
        ),
        ("number of rotors.directions is 5; ", |a| {
            a.rotors.directions = vec![[0.0, 0.0, 1.0]; 5];
        }),
        ("number of rotors.thrust_factors is 7; ", |a| {
            a.rotors.thrust_factors = vec![1.0; 7];
        }),
        ("number of rotors.torque_factors is 1; ", |a| {
            a.rotors.torque_factors = vec![1.0];
        }),
        (
            "distance between two of rotors.positions_m is 0; it must be above 1e-4 m",
            |a| a.rotors.positions_m[4] = a.rotors.positions_m[1],
        ),
        ("length of rotors.directions is 0; ", |a| {
            a.rotors.directions = vec![[0.0; 3]; 6];
        }),
        ("upward part of rotors.directions is -1; ", |a| {
            a.rotors.directions = vec![[0.0, 0.0, -1.0]; 6];
        }),
        ("rotors.thrust_factors is 0; ", |a| {
            a.rotors.thrust_factors = vec![0.0; 6];
        }),
        ("rotors.torque_factors is 0; ", |a| {
            a.rotors.torque_factors = vec![0.0; 6];
        }),
        (
            "centre_of_mass_m is 5; it must be finite, at most 1 m",
            |a| {
                a.centre_of_mass_m = Some([0.0, 5.0, 0.0]);
            },
        ),
        // The geometry names both keys that may be to blame.
        ("the rotor geometry cannot be mixed", |a| {
            a.rotors.yaw_torque_signs = vec![-1.0; 6];
        }),
        ("the rotor geometry cannot be mixed", |a| {
            for (i, hub) in a.rotors.positions_m.iter_mut().enumerate() {
                *hub = [0.1 * i as f64 - 0.25, 0.0, 0.0];
            }
        }),
    ];
    for (begin, spoil) in wrong {
        let mut airframe = omac_as("hexa-x");
        spoil(&mut airframe);
        let message = airframe.check().expect_err(begin).to_string();
        assert!(message.starts_with(begin), "{message}, not {begin}");
        // A file of the same is refused in the same words.
        let text = toml::to_string(&airframe).expect("an airframe is TOML");
        let read = Airframe::from_toml(&text).expect_err(begin).to_string();
        assert_eq!(read, message);
        let keys = ["rotors.positions_m", "rotors.yaw_torque_signs"];
        let names_both = keys.iter().all(|key| message.contains(key));
        assert!(!begin.starts_with("the rotor") || names_both, "{message}");
    }
}

#[test]
fn rotors_that_lift_more_than_the_weight_at_their_least_speed_are_refused() {
    let mut airframe = omac_as("hexa-x");
    let hover = airframe.hover_speed_rad_s();
    airframe.rotors.min_speed_rad_s = 0.99 * hover;
    airframe.check().expect("it can come down");
    airframe.rotors.min_speed_rad_s = 1.01 * hover;
    let message = airframe.check().expect_err("it cannot").to_string();
    let begin = "thrust at rotors.min_speed_rad_s over weight is 1.0201";
    assert!(message.starts_with(begin), "{message}");
}

#[test]
fn a_vehicle_of_another_program_is_named_with_the_command_that_reads_it() {
    let message = Airframe::from_toml("<sdf version=\"1.9\"/>").expect_err("XML");
    assert!(
        message.to_string().contains("sim airframe FILE"),
        "{message}"
    );
}
