use super::links::{Link, whole};
use super::translate;
use crate::Airframe;
use nalgebra::{Isometry3, Matrix3, Vector3};
use proptest::prelude::*;

const IRIS: &str = include_str!("../../../tests/vehicles/iris.sdf");
const X500: &str = include_str!("../../../tests/vehicles/x500.sdf");
const PROPS: &str = include_str!("../../../tests/vehicles/props.urdf");
const ROTORPY: &str = include_str!("../../../tests/vehicles/rotorpy.json");
const ARDUPILOT: &str = include_str!("../../../tests/vehicles/ardupilot.json");

/// Each number within 1e-12 of what it should be, or of a metre where it should be 0.
fn near(found: &[f64], wanted: &[f64]) {
    assert_eq!(found.len(), wanted.len());
    for (x, y) in found.iter().zip(wanted) {
        let size = if *y == 0.0 { 1.0 } else { y.abs() };
        assert!((x - y).abs() <= 1e-12 * size, "{found:?} {wanted:?}");
    }
}

fn whole_airframe(text: &str) -> Airframe {
    let translated = translate(text, "nameless", &|_| None).expect("legal");
    assert!(translated.missing.is_empty(), "{:?}", translated.missing);
    Airframe::from_toml(&translated.toml).expect("an airframe")
}

fn diagonal(airframe: &Airframe, moments: [f64; 3]) {
    let wanted = Matrix3::from_diagonal(&moments.into());
    near(airframe.inertia().as_slice(), wanted.as_slice());
}

/// Positions, signs, thrust, torque, lag, least and greatest speed, and drag in the disc.
fn rotors(airframe: &Airframe, positions: [[f64; 3]; 4], numbers: [f64; 6]) {
    let rotors = &airframe.rotors;
    near(rotors.positions_m.as_flattened(), positions.as_flattened());
    near(&rotors.yaw_torque_signs, &[1.0, -1.0, 1.0, -1.0]);
    let drag = airframe.rotor_drag.expect("stated").in_plane_n_s2_per_rad_m;
    let (thrust, torque) = (rotors.thrust_n_s2_per_rad2, rotors.torque_n_m_s2_per_rad2);
    let (least, most) = (rotors.min_speed_rad_s, rotors.max_speed_rad_s);
    near(&[thrust, torque, rotors.lag_s, least, most, drag], &numbers);
}

#[test]
fn iris_is_the_vehicle_that_was_made_of_it_by_hand() {
    let iris = whole_airframe(IRIS);
    assert_eq!(iris.name, "iris");
    near(&[iris.mass_kg], &[1.545]);
    diagonal(&iris, [0.029125, 0.029125, 0.055225]);
    let (front, rear, z) = ((0.13, 0.22), (-0.13, 0.20), 0.023);
    let places = [
        [front.0, front.1, z],
        [front.0, -front.1, z],
        [rear.0, -rear.1, z],
        [rear.0, rear.1, z],
    ];
    rotors(
        &iris,
        places,
        [5.84e-6, 3.504e-7, 0.0125, 100.0, 1100.0, 1.75e-4],
    );
    let full_n = 4.0 * 5.84e-6 * 1100.0f64.powi(2);
    assert!((iris.controller.max_thrust_n - 0.9 * full_n).abs() < 0.1);
    assert!((iris.gains.rate_kp[0] - 20.0 * 0.029125).abs() < 0.01);
}

#[test]
fn x500_is_the_vehicle_that_was_made_of_it_by_hand() {
    let x500 = whole_airframe(X500);
    near(&[x500.mass_kg], &[2.064]);
    diagonal(&x500, [0.02166667, 0.02166667, 0.04]);
    let (a, z) = (0.174, 0.0);
    // The rotors hang 0.24 m above the frame that the poses are relative to, as the base does.
    let places = [[a, a, z], [a, -a, z], [-a, -a, z], [-a, a, z]];
    rotors(
        &x500,
        places,
        [8.54858e-6, 1.3678e-7, 0.0125, 0.0, 1000.0, 8.06e-5],
    );
}

#[test]
fn constants_for_turns_a_minute_are_converted() {
    let toml = translate(PROPS, "", &|_| None).expect("legal");
    assert_eq!(toml.missing, ["rotors.lag_s"]);
    let missing = "# lag_s = ?  # not found: there rotors follow at once";
    assert!(toml.toml.contains(missing), "{}", toml.toml);
    let props = Airframe::from_toml(&toml.toml.replace(missing, "lag_s = 0.02")).expect("legal");
    near(&[props.mass_kg], &[0.027]);
    diagonal(&props, [1.4e-5, 1.5e-5, 2.17e-5]);
    let a = 0.03;
    near(
        props.rotors.positions_m.as_flattened(),
        &[a, a, 0.0, a, -a, 0.0, -a, -a, 0.0, -a, a, 0.0],
    );
    assert_eq!(props.rotors.yaw_torque_signs, [-1.0, 1.0, -1.0, 1.0]);
    let per_rpm2 = (30.0 / std::f64::consts::PI).powi(2);
    near(&[props.rotors.thrust_n_s2_per_rad2], &[3.16e-10 * per_rpm2]);
    near(
        &[props.rotors.torque_n_m_s2_per_rad2],
        &[7.94e-12 * per_rpm2],
    );
    let full_n = 4.0 * props.rotors.thrust_n_s2_per_rad2 * props.rotors.max_speed_rad_s.powi(2);
    near(&[full_n], &[2.25 * 0.027 * 9.81]);
}

#[test]
fn rotorpy_has_every_number() {
    let bird = whole_airframe(ROTORPY);
    assert_eq!((bird.name.as_str(), bird.mass_kg), ("nameless", 0.5));
    let rows = [
        [3.65e-3, 1e-5, 0.0],
        [1e-5, 3.68e-3, 0.0],
        [0.0, 0.0, 7.03e-3],
    ];
    assert_eq!(bird.inertia_kg_m2, rows);
    let a = 0.12;
    let places = [[a, a, 0.0], [a, -a, 0.0], [-a, -a, 0.0], [-a, a, 0.0]];
    rotors(
        &bird,
        places,
        [5.57e-6, 1.36e-7, 0.005, 0.0, 1500.0, 1.19e-4],
    );
    let drag = bird.rotor_drag.expect("stated");
    assert_eq!(drag.translational_lift_n_s2_per_m2, 3.39e-3);
    let body = bird.body_drag.expect("stated");
    assert_eq!(body.quadratic_n_s2_per_m2, [5e-3, 5e-3, 1e-2]);
    // Directions are in the order of the file, not of the names.
    let renamed = [
        ("r1", "front_left"),
        ("r2", "front_right"),
        ("r3", "b"),
        ("r4", "a"),
    ];
    let renamed = renamed.iter().fold(ROTORPY.to_owned(), |text, (from, to)| {
        text.replace(from, to)
    });
    assert_eq!(whole_airframe(&renamed).rotors, bird.rotors);
}

#[test]
fn ardupilot_leaves_what_needs_speeds_to_the_user() {
    let found = translate(ARDUPILOT, "freestyle", &|_| None).expect("legal");
    let missing = "thrust_n_s2_per_rad2 torque_n_m_s2_per_rad2 lag_s min_speed_rad_s max_speed_rad_s max_thrust_n torque_setpoint_limit_n_m";
    let last = |key: &&'static str| key.rsplit('.').next().unwrap_or_default();
    let keys: Vec<&str> = found.missing.iter().map(last).collect();
    assert_eq!(keys.join(" "), missing);
    // Where it says where the motors are, none are assumed.
    let stated = ARDUPILOT.replacen(
        "\"mass\"",
        "\"motor1_position\": [0.1, 0.3, 0], \"mass\"",
        1,
    );
    let stated = translate(&stated, "freestyle", &|_| None).expect("legal");
    assert!(
        stated.missing.contains(&"rotors.positions_m"),
        "{:?}",
        stated.missing
    );
    assert!(
        stated
            .toml
            .contains("motor1_position and those like it say it")
    );
    let full_n = 0.8 * 9.81 / 0.125 / 4.0;
    assert!(
        found.toml.contains(&format!("{full_n:.4} N")),
        "{}",
        found.toml
    );
    let mut text = found.toml;
    for (key, value) in [
        ("rotors.thrust_n_s2_per_rad2", "1.5e-6"),
        ("torque_n_m_s2_per_rad2", "2e-8"),
        ("lag_s", "0.03"),
        ("min_speed_rad_s", "100.0"),
        ("max_speed_rad_s", "3000.0"),
        ("max_thrust_n", "40.0"),
        ("torque_setpoint_limit_n_m", "[0.5, 0.5, 0.1]"),
    ] {
        let key = key.rsplit('.').next().unwrap_or(key);
        text = text.replace(&format!("# {key} = ?"), &format!("{key} = {value}"));
    }
    let airframe = Airframe::from_toml(&text).expect("legal");
    let flat = 0.8 * 0.125f64.powi(2) / 4.0;
    diagonal(&airframe, [flat, flat, 2.0 * flat]);
    near(&airframe.rotors.positions_m[0][..1], &[0.125 / 2f64.sqrt()]);
    // At 20 m/s and 45 degrees the weight is balanced, by the body but for what the rotors take.
    let drag = airframe.body_drag.expect("derived").quadratic_n_s2_per_m2[0];
    assert!(
        drag > 0.5 * 0.8 * 9.81 / 400.0 && drag < 0.8 * 9.81 / 400.0,
        "{drag}"
    );
}

#[test]
fn six_rotors_and_pairs_stand_clockwise_with_factors_and_directions() {
    let place = |k: usize| {
        let angle = (k as f64 * 120.0 + 60.0).to_radians();
        format!("{} {} {}", angle.cos(), angle.sin(), [0.05, -0.05][k / 3])
    };
    let mut text = "<sdf><model name='y6'><link name='b'><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>".to_owned();
    for k in 0..6 {
        let (tilt, thrust) = ([0.1, 0.0][k % 2], [1e-5, 2e-5][k / 3]);
        text += &format!(
            "<link name='r{k}'><pose>{} {tilt} 0 0</pose><inertial><mass>0</mass><inertia><ixx>0</ixx><iyy>0</iyy><izz>0</izz></inertia></inertial></link>",
            place(k)
        );
        text += &format!(
            "<plugin filename='libgazebo_motor_model.so'><linkName>y6::r{k}</linkName><turningDirection>cw</turningDirection><motorConstant>{thrust}</motorConstant></plugin>"
        );
    }
    let toml = translate(&(text + "</model></sdf>"), "", &|_| None)
        .expect("legal")
        .toml;
    let table: toml::Table = toml.parse().expect("TOML");
    let list = |key: &str| table["rotors"][key].as_array().expect("a list").clone();
    let number = |value: &toml::Value| value.as_float().expect("a number");
    let heights: Vec<f64> = list("positions_m")
        .iter()
        .map(|place| number(&place[2]))
        .collect();
    assert_eq!(heights, [0.05, -0.05, 0.05, -0.05, 0.05, -0.05]);
    // Front left, front right, rear.
    let lefts: Vec<f64> = list("positions_m")
        .iter()
        .map(|place| number(&place[1]).signum())
        .collect();
    assert_eq!(
        (lefts[0], lefts[1], lefts[2], lefts[3]),
        (1.0, 1.0, -1.0, -1.0)
    );
    let factors: Vec<f64> = list("thrust_factors").iter().map(number).collect();
    assert_eq!(factors, [0.5, 1.0, 0.5, 1.0, 0.5, 1.0]);
    assert_eq!(list("directions").len(), 6);
}

#[test]
fn parts_together_are_as_a_dumbbell_and_a_turned_rod_are() {
    let link = |mass_kg: f64, centre_m: Vector3<f64>, inertia_kg_m2| Link {
        name: "",
        pose: Isometry3::identity(),
        mass_kg,
        centre_m,
        inertia_kg_m2,
    };
    // Two points of 2 and 3 kg, 1 m apart: the reduced mass is 1.2 kg.
    let ends = [(2.0, 0.7), (3.0, 1.7)]
        .map(|(mass, x)| link(mass, Vector3::new(x, 5.0, -1.0), Matrix3::zeros()));
    let (mass, centre, inertia) = whole(&ends);
    near(&[mass, centre.x, centre.y], &[5.0, 1.3, 5.0]);
    near(
        inertia.as_slice(),
        &[0.0, 0.0, 0.0, 0.0, 1.2, 0.0, 0.0, 0.0, 1.2],
    );
    // A rod along x of a link that is turned by a quarter about z lies along y.
    let rod = "<ixx>0</ixx><iyy>3</iyy><izz>3</izz>";
    let text = IRIS.replace(
        "<pose>0 0 0.1 0 0 0</pose>",
        "<pose>0 0 0.1 0 0 1.5707963267948966</pose>",
    );
    let from = text.find("<ixx>").expect("there");
    let to = text.find("</izz>").expect("there") + 6;
    let turned = text[..from].to_owned() + rod + &text[to..];
    let inertia = whole_airframe(&turned).inertia();
    assert!(inertia[(0, 0)] > 3.0 && inertia[(1, 1)] < 0.1, "{inertia}");
}

#[test]
fn what_no_vehicle_can_be_is_refused_and_named() {
    let iris = |from: &str, to: &str| {
        assert!(IRIS.contains(from), "{from}");
        IRIS.replacen(from, to, 1)
    };
    let bomb = "<!DOCTYPE a [<!ENTITY b \"bbbb\">]><sdf>&b;</sdf>";
    for (text, said) in [
        ("nonsense".to_owned(), "neither XML nor JSON"),
        ("{\"a\": 1}".to_owned(), "neither rotor_pos nor hoverThrOut"),
        ("<sdf><model>".to_owned(), "no XML"),
        (bomb.to_owned(), "DTD"),
        ("<html/>".to_owned(), "the root is `html`"),
        (
            iris(
                "<link name=\"rotor_0\">",
                "<include><uri>model://gps</uri></include><link name=\"rotor_0\">",
            ),
            "`model://gps`; it must be in the folder beside",
        ),
        (
            PROPS
                .replace(
                    "<robot ",
                    "<robot xmlns:xacro=\"http://ros.org/wiki/xacro\" ",
                )
                .replace("<properties", "<xacro:include filename=\"a\"/><properties"),
            "xacro:include is a macro",
        ),
        (
            IRIS.replace("libgazebo_motor_model.so", "other.so"),
            "the number of rotors is 0",
        ),
        (
            PROPS
                .replace("prop", "bar")
                .replace("barerties", "properties"),
            "the number of rotors is 0",
        ),
        (
            iris("0.13 0.22 0.023 0 0 0", "0.13 -0.22 0.0235 0 0 0"),
            "0.0005 m from rotor_0",
        ),
        (
            iris("0.13 0.22 0.023 0 0 0", "0.13 0.22 0.023 0 0 90"),
            "an angle in model[iris]/link[rotor_2]/pose is 90",
        ),
        (
            iris("0.13 0.22 0.023 0 0 0", "0.13 0.22 0.023"),
            "six numbers",
        ),
        (
            IRIS.replace("<maxRotVelocity>1100", "<maxRotVelocity>207000"),
            "rotors.max_speed_rad_s is 207000",
        ),
        (
            ROTORPY.replace("\"mass\": 0.5", "\"mass\": 0"),
            "mass_kg is 0; it must be positive",
        ),
        (
            ROTORPY.replace("\"mass\": 0.5", "\"mass\": \"0.5\""),
            "mass is \"0.5\"; it must be a number",
        ),
        (
            PROPS.replace("0.027", "0"),
            "mass_kg is 0; it must be positive",
        ),
        (
            iris("<turningDirection>ccw", "<turningDirection>left"),
            "plugin[motor_0, rotor_0]/turningDirection is `left`; it must be cw or ccw",
        ),
        (
            IRIS.replace("<linkName>", "<motorNumber>1</motorNumber><linkName>"),
            "plugin[motor_1, rotor_1]/motorNumber is 1, as of rotor_0; it must be another number for each motor",
        ),
        (
            iris("<linkName>rotor_0", "<linkName>rotor_9"),
            "linkName is `rotor_9`; it must be the name of a link",
        ),
        (
            iris("<mass>1.5<", "<mass>1,5<"),
            "model[iris]/link[base_link]/inertial/mass is `1,5`; it must be a number",
        ),
        (iris("<mass>1.5</mass>", ""), "inertial/mass is missing"),
        (
            X500.replace("relative_to=\"middle\"", "relative_to=\"nowhere\""),
            "relative to `nowhere`",
        ),
        (
            X500.replace("attached_to=\"base_link\"", "attached_to=\"middle\""),
            "in no circle",
        ),
        (
            ROTORPY.replace("[1, -1, 1, -1]", "[1, -1, 1]"),
            "rotor_directions is [1.0, -1.0, 1.0]",
        ),
    ] {
        let error = translate(&text, "x", &|_| None)
            .expect_err(said)
            .to_string();
        assert!(error.contains(said), "{error}, not {said}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

#[test]
fn a_model_that_includes_another_is_both_and_one_that_includes_itself_is_refused() {
    let outer = "<sdf><model name=\"iris\"><include merge=\"true\"><uri>model://base</uri></include></model></sdf>";
    let base = |uri: &str| (uri == "model://base").then(|| IRIS.to_owned());
    let both = translate(outer, "", &base).expect("legal").toml;
    assert_eq!(both, translate(IRIS, "", &base).expect("legal").toml);
    // A metre higher as a whole: the same about its own centre of mass.
    let raised = outer
        .replace(" merge=\"true\"", "")
        .replace("<uri>", "<pose>0 0 1 0 0 0</pose><uri>");
    let raised = translate(&raised, "", &base).expect("legal").toml;
    let places = |toml: &str| {
        toml.lines()
            .find(|line| line.starts_with("positions_m"))
            .map(str::to_owned)
    };
    assert_eq!(places(&raised), places(&both));
    let circle = |_: &str| Some(outer.to_owned());
    assert!(translate(outer, "", &circle).is_err());
}

/// A payload of .4 kg, .12 m ahead of a frame of 1.5 kg and .1 m below it, by a merged include, in a merged model, relative
/// to a link of another, and as a link with a comment in its pose.
#[test]
fn merged_models_stand_where_their_includes_say() {
    let payload = "<link name=\"box\"><inertial><mass>0.4</mass><inertia><ixx>1e-4</ixx><iyy>1e-4</iyy><izz>1e-4</izz></inertia></inertial></link>";
    let at = |pose: &str| payload.replace("name=\"box\">", &format!("name=\"box\">{pose}"));
    let plain = IRIS.replace(
        "</model>",
        &(at("<pose>0.12 0 -0.1 0 0 0</pose>") + "</model>"),
    );
    let plain = translate(&plain, "", &|_| None).expect("legal").toml;
    let parts = |uri: &str| match uri {
        "iris" => Some(IRIS.to_owned()),
        "box" => Some(format!(
            "<sdf><model name=\"payload\">{payload}</model></sdf>"
        )),
        "placed" => Some(format!(
            "<sdf><model name=\"payload\"><pose>0.12 0 -0.1 0 0 0</pose>{payload}</model></sdf>"
        )),
        "broken" => Some("<sdf><gz:a/></sdf>".to_owned()),
        _ => None,
    };
    let merged = |include: &str| {
        format!(
            "<sdf><model name=\"iris\"><include merge=\"true\"><uri>iris</uri></include>{include}</model></sdf>"
        )
    };
    for text in [
        merged("<include merge=\"true\"><uri>box</uri><pose>0.12 0 -0.1 0 0 0</pose></include>"),
        merged(
            "<include merge=\"true\"><uri>box</uri><pose relative_to=\"base_link\">0.12 0 -0.2 0 0 0</pose></include>",
        ),
        merged("<include merge=\"true\"><uri>placed</uri></include>"),
        merged(&at(
            "<pose relative_to=\"base_link\">0.12 0 -0.2 0 0 0</pose>",
        )),
        merged(
            &at("<pose><!-- x y z, then angles --> 0.1<!-- m -->2 0\n -0.1 0 0 0</pose>")
                .replace("0.1<!-- m -->2", "0.12<!-- m -->"),
        ),
    ] {
        let found = translate(&text, "", &parts).expect("legal").toml;
        assert_eq!(found, plain, "{text}");
    }
    for (include, said) in [
        (
            "<uri>box</uri><placement_frame>a</placement_frame>",
            "a placement_frame, of `box`",
        ),
        (
            "<uri>broken</uri>",
            "the included `broken` is no XML that is read",
        ),
    ] {
        let text = merged(&format!("<include merge=\"true\">{include}</include>"));
        let Err(refused) = translate(&text, "", &parts) else {
            panic!("{text} is taken")
        };
        assert!(refused.to_string().contains(said), "{refused}");
    }
}

#[test]
fn what_moves_or_lifts_beside_rotors_is_named() {
    let plain = translate(IRIS, "", &|_| None).expect("legal").remarks;
    for (plugin, said) in [
        (
            "<plugin name=\"wing\" filename=\"libLiftDragPlugin.so\"/>",
            "LiftDrag: an airframe has no wings",
        ),
        (
            "<plugin name=\"gz::sim::systems::JointPositionController\" filename=\"gz-sim-joint-position-controller-system\"/>",
            "JointPositionController: joints stand where they begin",
        ),
    ] {
        let text = IRIS.replace("</model>", &format!("{plugin}</model>"));
        let found = translate(&text, "", &|_| None).expect("legal").remarks;
        let has = |lines: &[String]| lines.iter().any(|line| line.contains(said));
        assert!(!has(&plain) && has(&found), "{found:?}");
    }
}

#[test]
fn a_deep_document_is_an_answer() {
    let deep = "<model>".repeat(20_000) + "<link/>" + &"</model>".repeat(20_000);
    assert!(translate(&format!("<sdf>{deep}</sdf>"), "x", &|_| None).is_err());
}

proptest! {
    #[test]
    fn no_text_panics(noise in "[ -~]{0,40}", which in 0usize..5, at in 0.0..1.0f64) {
        let text = [IRIS, X500, PROPS, ROTORPY, ARDUPILOT][which];
        let mut place = (at * text.len() as f64) as usize;
        while !text.is_char_boundary(place) {
            place -= 1;
        }
        let skipped = &text[place..];
        for changed in [noise.clone(), text[..place].to_owned() + &noise + skipped, text[..place].to_owned() + &noise] {
            if let Ok(found) = translate(&changed, &noise, &|_| None) {
                prop_assert!(toml::from_str::<toml::Table>(&found.toml).is_ok(), "{}", found.toml);
            }
        }
    }
}
