use super::*;

const PILLAR: &str = "[[boxes]]\nname = \"pillar\"\ncentre_m = [4.0, 0.0, 0.0]\n";

fn refused(text: &str) -> String {
    World::from_toml(text).expect_err("not legal").to_string()
}

#[test]
fn a_world_is_what_it_was_after_being_written() {
    let text = format!("ground_z_m = -2.0\n{PILLAR}size_m = [1.0, 2.0, 3.0]\nyaw_deg = 90.0");
    for world in [
        World::ground(),
        World::empty(),
        World::from_toml(&text).expect("legal"),
    ] {
        let json = serde_json::to_string(&world).expect("finite numbers");
        assert_eq!(serde_json::from_str::<World>(&json).expect("legal"), world);
    }
    let error = serde_json::from_str::<World>(r#"{"boxes":[{"name":"a"}]}"#);
    assert!(
        error
            .expect_err("no centre")
            .to_string()
            .contains("centre_m")
    );
}

#[test]
fn a_file_says_what_the_constructors_say() {
    let text = format!("ground_z_m = -2.0\n{PILLAR}size_m = [1.0, 2.0, 3.0]\nyaw_deg = 90.0");
    let built = World::empty()
        .with_ground_at(-2.0)
        .and_then(|world| {
            world.with_obstacle(Obstacle {
                name: "pillar".into(),
                centre_m: Vector3::new(4.0, 0.0, 0.0),
                size_m: Vector3::new(1.0, 2.0, 3.0),
                yaw_deg: 90.0,
            })
        })
        .expect("legal");
    let read = World::from_toml(&text).expect("legal");
    assert_eq!(read, built);
    // Turned by a right angle, the 2 m edge lies along x: the face is at 3 m.
    assert!((read.clearance_m(&Vector3::new(1.5, 0.0, 0.0)) - 1.5).abs() < 1e-12);
    assert!((read.clearance_m(&Vector3::new(4.0, 0.0, 0.0)) + 0.5).abs() < 1e-12);
}

#[test]
fn the_ground_is_there_unless_it_is_left_out() {
    assert_eq!(World::from_toml("").expect("legal"), World::ground());
    let open = World::from_toml("ground = false").expect("legal");
    assert_eq!(open, World::empty());
    assert_eq!(open.clearance_m(&Vector3::zeros()), f64::INFINITY);
    assert_eq!(World::ground().clearance_m(&Vector3::zeros()), 3.048);
}

#[test]
fn every_error_names_line_number_and_range() {
    let sized = |size: &str| refused(&format!("# a comment\n{PILLAR}size_m = {size}"));
    assert_eq!(
        sized("[1.0, 0.0, 1.0]"),
        "line 2 of the world: obstacle 1 (`pillar`): size_m is 0; it must be between 1e-3 and 1e5 m"
    );
    assert!(sized("[1.0, nan, 1.0]").contains("size_m is NaN"));
    let turned = refused(&format!("{PILLAR}size_m = [1.0, 1.0, 1.0]\nyaw_deg = 1e3"));
    assert!(turned.ends_with("yaw_deg is 1000; it must be between -360 and 360"));
    let far =
        refused("[[boxes]]\nname = \"far\"\ncentre_m = [inf, 0.0, 0.0]\nsize_m = [1.0, 1.0, 1.0]");
    assert!(far.ends_with("(`far`): centre_m is inf; it must be finite, at most 1e5 m"));
    assert_eq!(
        refused("\nground_z_m = nan"),
        "line 2 of the world: ground_z_m is NaN; it must be finite, at most 1e5 m"
    );
    assert_eq!(
        refused("ground = false\nground_z_m = -1.0"),
        "line 2 of the world: the ground is at ground_z_m = -1, yet `ground = false`; it must be one or the other"
    );
    let unknown = refused("grund_z_m = 1.0");
    assert!(unknown.starts_with("the world cannot be read: line 1, column "));
    assert!(unknown.contains("ground_z_m"), "{unknown}");
}

#[test]
fn the_number_of_obstacles_is_limited() {
    let one = format!("{PILLAR}size_m = [1.0, 1.0, 1.0]\n");
    let message = "the world has 1001 obstacles; it must be at most 1000";
    assert_eq!(refused(&one.repeat(1_001)), message);
    let full = World::from_toml(&one.repeat(1_000)).expect("legal");
    let more = full.obstacles()[0].clone();
    assert_eq!(
        full.with_obstacle(more).expect_err("full").to_string(),
        message
    );
}
