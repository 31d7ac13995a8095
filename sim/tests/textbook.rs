//! The integrator against a textbook one: the published formulas in nalgebra, with `powf` and
//! `asin`, evaluated in full at every stage of every step, along whole closed-loop flights.
//!
//! The difference of two whole flights cannot be the yardstick. On the figure-8 the default vehicle
//! loses its heading for seconds, and a change of the wind by one part in 2⁵² moves the position by
//! 5e-8 m within 20 s (median of 40 winds; 7e-4 m at worst). So every step of a flight is taken
//! both ways from the same state, and what the steps differ by is added up: the position as it is,
//! the velocity as if it lasted for the whole flight.

use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use sim::{
    Airframe, Domain, Dryden, Instructions, Integrator, Multirotor, PerRotor, Setup, State, fly,
};
use std::f64::consts::FRAC_PI_2;
use trajectories::by_name;

type Rate = (Vector3<f64>, Vector3<f64>, Quaternion<f64>, Vector3<f64>);

/// Velocity, acceleration, quaternion rate and angular acceleration.
fn rate(vehicle: &Airframe, state: &State, wind: &Vector3<f64>) -> Rate {
    let rotors = &vehicle.rotors;
    let attitude = state.attitude;
    let v = attitude.inverse_transform_vector(&(wind - state.velocity_m_s));
    let (speed, crosswind) = (v.norm(), v.xy().norm());
    let side = vehicle.side_force.expect("omac has one");
    let angle = (v.z.abs() / speed).min(1.0).asin();
    let (mut force, mut moment) = (Vector3::zeros(), Vector3::zeros());
    for (i, hub) in rotors.positions().enumerate() {
        let n = state.rotors_rad_s[i];
        let mut of_rotor = Vector3::z() * (rotors.thrust_n_s2_per_rad2 * n * n);
        if crosswind >= 1e-4 {
            let strength = side.coefficient
                * side.air_density_kg_m3
                * (n / rotors.thrust_n_s2_per_rad2)
                    .sqrt()
                    .powf(side.speed_exponent)
                * speed.powf(2.0 - side.speed_exponent)
                * side.propeller_diameter_m.powf(2.0 + side.speed_exponent)
                * (FRAC_PI_2 * FRAC_PI_2 - angle * angle)
                * (angle + side.angle_offset_rad);
            of_rotor += Vector3::new(v.x, v.y, 0.0) * (strength / crosswind);
        }
        force += of_rotor;
        moment += hub.cross(&of_rotor);
        moment.z += rotors.yaw_torque_signs[i] * rotors.torque_n_m_s2_per_rad2 * n * n;
    }
    let inertia = vehicle.inertia();
    let rates = state.rates_rad_s;
    let turning = moment - rates.cross(&(inertia * rates));
    (
        state.velocity_m_s,
        attitude * force / vehicle.mass_kg - Vector3::z() * 9.81,
        attitude.into_inner() * Quaternion::from_parts(0.0, rates) * 0.5,
        inertia.try_inverse().expect("regular") * turning,
    )
}

fn advanced(state: &State, k: &Rate, h: f64, rotors: [f64; 4]) -> State {
    let attitude = state.attitude.into_inner() + k.2 * h;
    State {
        position_m: state.position_m + k.0 * h,
        velocity_m_s: state.velocity_m_s + k.1 * h,
        attitude: UnitQuaternion::new_unchecked(attitude),
        rates_rad_s: state.rates_rad_s + k.3 * h,
        rotors_rad_s: rotors.into(),
    }
}

/// One step of the classical Runge-Kutta method; the rotors by their exact solution.
fn step(vehicle: &Airframe, state: &State, command: &PerRotor, wind: &Vector3<f64>) -> State {
    let h = 1e-3;
    let rotors_after = |t: f64| -> [f64; 4] {
        let left = (-t / vehicle.rotors.lag_s).exp();
        std::array::from_fn(|i| command[i] + (state.rotors_rad_s[i] - command[i]) * left)
    };
    let (middle, end) = (rotors_after(0.5 * h), rotors_after(h));
    let k1 = rate(vehicle, state, wind);
    let k2 = rate(vehicle, &advanced(state, &k1, 0.5 * h, middle), wind);
    let k3 = rate(vehicle, &advanced(state, &k2, 0.5 * h, middle), wind);
    let k4 = rate(vehicle, &advanced(state, &k3, h, end), wind);
    let sum = (
        k1.0 + (k2.0 + k3.0) * 2.0 + k4.0,
        k1.1 + (k2.1 + k3.1) * 2.0 + k4.1,
        k1.2 + (k2.2 + k3.2) * 2.0 + k4.2,
        k1.3 + (k2.3 + k3.3) * 2.0 + k4.3,
    );
    let mut moved = advanced(state, &sum, h / 6.0, end);
    moved.attitude = UnitQuaternion::new_normalize(moved.attitude.into_inner());
    moved
}

#[test]
fn the_steps_of_a_figure_8_differ_from_the_textbook_by_less_than_a_nanometre_in_all() {
    let mut setup = Setup::new(Airframe::omac());
    setup.record_every = 1;
    let fig8 = by_name("fig8").expect("legal");
    for (domain, seed, instructions) in [
        (Domain::gusty(), 1, Instructions::best()),
        (Domain::gusty(), 2, Instructions::best()),
        (Domain::steady(), 1, Instructions::best()),
        (Domain::gusty(), 1, Instructions::Portable),
    ] {
        setup.instructions = instructions;
        let vehicle = &setup.airframe;
        let mut wind = Dryden::new(&domain, seed);
        let flight = fly(&setup, fig8.as_ref(), &vehicle.gains, &mut wind, seed);
        assert_eq!(flight.samples.len(), 20_000);
        let (mut added_m, mut turned) = (0.0, 0.0f64);
        for two in flight.samples.windows(2) {
            let (now, ours) = (&two[0], &two[1].state);
            let command = &now.command.speeds_rad_s;
            let textbook = step(vehicle, &now.state, command, &now.wind_m_s);
            added_m += (ours.position_m - textbook.position_m).norm()
                + 20.0 * (ours.velocity_m_s - textbook.velocity_m_s).norm();
            turned = turned.max((ours.rates_rad_s - textbook.rates_rad_s).norm());
        }
        let name = &domain.name;
        println!("{name} {seed} {instructions}: {added_m:e} m, {turned:e} rad/s");
        assert!(added_m < 1e-9, "{name} {seed}: {added_m:e} m");
        assert!(
            turned < 1e-13,
            "{name} {seed}: {turned:e} rad/s in one step"
        );
    }
}

#[test]
fn the_public_integrator_replays_a_portable_flight_bit_for_bit() {
    let mut setup = Setup::new(Airframe::omac());
    (setup.record_every, setup.instructions) = (1, Instructions::Portable);
    let vehicle = &setup.airframe;
    let fig8 = by_name("fig8").expect("legal");
    let mut wind = Dryden::new(&Domain::gusty(), 3);
    let flight = fly(&setup, fig8.as_ref(), &vehicle.gains, &mut wind, 3);
    let multirotor = Multirotor::new(vehicle);
    let mut integrator = Integrator::new(&multirotor, 1e-3);
    let mut state = flight.samples[0].state;
    for sample in &flight.samples {
        assert_eq!(state, sample.state);
        integrator.step(&mut state, &sample.command.speeds_rad_s, &sample.wind_m_s);
    }
}
