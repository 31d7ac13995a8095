//! Every way in which a vehicle or a domain can be wrong is refused by name.

use sim::{Airframe, Domain, Error};

fn refused(change: impl Fn(&mut Airframe)) -> String {
    let mut airframe = Airframe::omac();
    change(&mut airframe);
    airframe.check().expect_err("must be refused").to_string()
}

#[test]
fn a_number_out_of_range_is_named() {
    assert_eq!(
        refused(|a| a.mass_kg = -1.0),
        "mass_kg is -1; it must be positive"
    );
    assert_eq!(
        refused(|a| a.mass_kg = f64::NAN),
        "mass_kg is NaN; it must be positive"
    );
    assert_eq!(
        refused(|a| a.rotors.lag_s = 0.0),
        "rotors.lag_s is 0; it must be at least 1e-4 s"
    );
    assert_eq!(
        refused(|a| a.gains.position_xy.ki = f64::INFINITY),
        "position_xy.ki is inf; it must be finite and not negative"
    );
    assert_eq!(
        refused(|a| a.controller.max_tilt_deg = 90.0),
        "controller.max_tilt_deg is 90; it must be between 0 and 90"
    );
    assert_eq!(
        refused(|a| a.side_force.as_mut().expect("omac").speed_exponent = 3.0),
        "side_force.speed_exponent is 3; it must be between 0 and 2"
    );
    assert!(refused(|a| a.mass_kg = 500.0).contains("above 1, or it cannot hover"));
}

#[test]
fn an_inertia_that_no_body_has_is_refused() {
    let flat = refused(|a| a.inertia_kg_m2[2][2] = 0.1);
    assert!(
        flat.starts_with("the inertia has principal moments"),
        "{flat}"
    );
    let negative = refused(|a| a.inertia_kg_m2[0][0] = -1e-3);
    assert!(
        negative.starts_with("the inertia has principal moments"),
        "{negative}"
    );
    assert_eq!(
        refused(|a| a.inertia_kg_m2[0][1] = 1e-3),
        "the inertia is not symmetric: entry (1, 2) is 0.001, its mirror image 0 kg m²"
    );
}

#[test]
fn rotors_that_cannot_be_mixed_are_refused() {
    let message = refused(|a| a.rotors.yaw_torque_signs = [1.0; 4]);
    assert!(
        message.starts_with("the rotor geometry cannot be mixed"),
        "{message}"
    );
}

#[test]
fn an_airframe_file_with_a_typo_is_refused_with_its_line() {
    let text = include_str!("../airframes/omac.toml").replace("mass_kg", "mass_lb");
    let message = Airframe::from_toml(&text)
        .expect_err("unknown key")
        .to_string();
    assert!(
        message.contains("mass_lb") && message.contains("line 7"),
        "{message}"
    );
    assert!(message.contains("expected one of"), "{message}");
}

#[test]
fn a_domain_typo_is_answered_with_the_nearest_name() {
    let message = Domain::by_name("gust").expect_err("unknown").to_string();
    assert_eq!(
        message,
        "unknown wind domain `gust`: did you mean `gusty`? Known: gusty, steady"
    );
}

#[test]
fn a_domain_outside_its_model_is_refused() {
    for (altitude_m, wind_kt, speed) in [
        (1.0, 30.0, 20.0),
        (400.0, 30.0, 20.0),
        (60.0, -1.0, 20.0),
        (60.0, 30.0, 0.0),
    ] {
        let error = Domain::low_altitude("x", altitude_m, wind_kt, speed).expect_err("illegal");
        assert!(matches!(error, Error::OutOfRange { .. }), "{error}");
    }
}
