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
fn a_thrust_limit_that_does_not_carry_the_weight_is_refused() {
    let heavy = |limit_n: f64| {
        refused(|a| {
            a.mass_kg = 1.5;
            a.controller.max_thrust_n = limit_n;
        })
    };
    assert_eq!(
        heavy(5.0),
        "controller.max_thrust_n is 5; it must be above the weight, 14.7150 N, or it cannot hover"
    );
    let weight_n = 1.5 * sim::GRAVITY_M_S2;
    assert!(
        heavy(weight_n).contains("above the weight"),
        "exactly the weight leaves nothing"
    );
    let mut light = Airframe::omac();
    light.mass_kg = 1.5;
    light.controller.max_thrust_n = 14.8;
    light.check().expect("above the weight");
}

#[test]
fn a_centre_of_mass_outside_of_the_rotors_is_refused() {
    // The rotors of an X frame, seen from a centre of mass at (0.2, 0.2) m of it.
    let off = |by: f64| {
        move |a: &mut Airframe| {
            for hub in &mut a.rotors.positions_m {
                (hub[0], hub[1]) = (hub[0] - by, hub[1] - by);
            }
        }
    };
    // Half an arm of 0.3 m on both axes leaves the rear right rotor nothing.
    assert_eq!(
        refused(off(0.2)),
        "rotor 3 would carry -0.083 of the weight in hover; each share must be positive, or it cannot hover (rotors.positions_m are from the centre of mass, or centre_of_mass_m says where that is)"
    );
    let mut inside = Airframe::omac();
    off(0.1)(&mut inside);
    inside.check().expect("every rotor carries something");
    // The rotor that carries most decides whether it can hover at all: 5/12 of the weight here,
    // so that 73.9 N of one rotor carry 18.1 kg.
    inside.controller.max_thrust_n = 300.0;
    inside.mass_kg = 18.2;
    let message = inside
        .check()
        .expect_err("one rotor is at its end")
        .to_string();
    assert!(message.contains("above 1, or it cannot hover"), "{message}");
    inside.mass_kg = 18.0;
    inside.check().expect("18 kg are carried");
}

#[test]
fn names_that_cannot_stand_in_titles_and_logs_are_refused() {
    let long = "a".repeat(65);
    for name in [&long, "", "a b", "a\u{1b}[31m", "é"] {
        let message = refused(|a| a.name = (*name).to_owned());
        assert!(message.starts_with("the name `"), "{message}");
        assert!(
            message.contains("of the airframe cannot be used"),
            "{message}"
        );
        assert!(message.len() < 250, "{message}");
        let domain = Domain {
            name: (*name).to_owned(),
            ..Domain::gusty()
        };
        let message = domain.check().expect_err("refused").to_string();
        assert!(
            message.contains("of the wind domain cannot be used"),
            "{message}"
        );
    }
    let mut longest = Airframe::omac();
    longest.name = "A.b_c-9".repeat(9);
    longest.check().expect("63 legal letters");
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
fn numbers_with_which_nothing_can_be_computed_are_refused() {
    assert!(refused(|a| a.inertia_kg_m2[0][0] = 1e-320).starts_with("the inertia has principal"));
    assert_eq!(
        refused(|a| a.mass_kg = 1e-320)
            .split_once("; ")
            .map(|(_, wanted)| wanted.to_owned()),
        Some("it must be between 1e-6 and 1e6".to_owned())
    );
    let overflowing = refused(|a| a.rotors.torque_n_m_s2_per_rad2 = 1e308);
    assert!(
        overflowing.ends_with("it must be between 1e-20 and 1e6"),
        "{overflowing}"
    );
    let strong = refused(|a| a.rotors.thrust_n_s2_per_rad2 = 1e3);
    assert!(strong.ends_with("it must be at most 1e6"), "{strong}");
}

#[test]
fn rotors_that_cannot_be_mixed_are_refused() {
    let message = refused(|a| a.rotors.yaw_torque_signs = vec![1.0; 4]);
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
fn a_key_that_an_airframe_lacks_is_named_with_its_table() {
    let text = include_str!("../templates/airframe.toml");
    let without = |key: &str| {
        let lines = text.lines().filter(|line| !line.starts_with(key));
        let text: Vec<&str> = lines.collect();
        let error = Airframe::from_toml(&text.join("\n"));
        error.expect_err("it lacks a key").to_string()
    };
    assert_eq!(
        without("inertia_kg_m2"),
        "the airframe cannot be read: missing field `inertia_kg_m2` above the first table"
    );
    let said = without("positions_m");
    assert!(
        said.starts_with("the airframe cannot be read: line "),
        "{said}"
    );
    assert!(
        said.ends_with(": missing field `positions_m` in [rotors]"),
        "{said}"
    );
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
        (60.0, 500.0, 20.0),
        (60.0, f64::NAN, 20.0),
        (60.0, 30.0, 0.0),
    ] {
        let error =
            Domain::low_altitude("x", altitude_m, wind_kt, speed, None).expect_err("illegal");
        assert!(matches!(error, Error::OutOfRange { .. }), "{error}");
    }
}
