//! Model: what rotors, air and gravity make of a vehicle's rates and specific force, in numbers that a log can tell.

use super::super::part::{Instant, Part};
use super::dual::Dual;
use super::rotors::Rotors;
use crate::{Airframe, Rotors as Airframes};
use nalgebra::DVector;

/// How many numbers enter as factors: of the specific force along z (thrust, axial drag, the same quadratic,
/// translational lift, bias), across it (drag, the same quadratic in x and y, biases of x and y), of roll and of pitch
/// (gain, moment by thrust, moment, damping, inflow, gyroscopic, flapping), of yaw (gain, moment, damping, gyroscopic,
/// spin-up, crosswind).
pub(crate) const FACTORS: usize = 30;

/// The numbers that enter other than as factors: logarithm of the lag, delay, delay of the accelerometer behind
/// the gyro, mean wind along the world's x and y, speed of the rotors over the greatest where nothing is commanded, by how
/// much of the battery's voltage the speed grows.
pub(crate) const SHAPE: usize = 7;
pub(crate) const LAG: usize = FACTORS;
pub(crate) const WIND: usize = FACTORS + 3;
pub(crate) const IDLE: usize = FACTORS + 5;
pub(crate) const BATTERY: usize = FACTORS + 6;

/// How much later than it is a command seems: half of the period of the autopilot's loop, which is not logged. It
/// holds so long, and the log seems to say that it ramps up from one sample to the next [s].
pub(crate) const HELD_S: f64 = 0.5e-3;

/// Where the factors of each kind begin.
pub(crate) const THRUST: usize = 0;
pub(crate) const PLANE: usize = 5;
pub(crate) const ROLL: usize = 10;
pub(crate) const PITCH: usize = 17;
pub(crate) const YAW: usize = 24;
pub(crate) const YAW_SPIN_UP: usize = YAW + 4;

/// All numbers: the factors and the shape.
pub(crate) const NUMBERS: usize = FACTORS + SHAPE;

/// The sensors: rates x, y, z, specific forces x, y, z.
pub(crate) const SENSORS: usize = 6;

/// Geometry of the rotors over the mean distance of the hubs from the middle.
#[derive(Debug, Clone)]
pub struct Layout {
    /// Of each rotor: x, y (over the mean distance) and the sign of its reaction torque.
    pub hubs: Vec<[f64; 3]>,
    /// The mean distance [m].
    pub arm_m: f64,
    /// Whether commands are shares of full, of which the speed is a straight line that need not begin at 0; or speeds.
    pub shares: bool,
    /// The mean command, as a share of full.
    pub mean: f64,
    /// Whether there is an accelerometer, which tells the thrust.
    pub felt: bool,
    /// The lowest, the mean and the highest voltage of the battery, where it is logged throughout [V].
    pub battery_v: Option<[f64; 3]>,
}

/// What a sensor shows per unit of each factor.
pub(crate) type Terms = Vec<(usize, Dual)>;

/// One sum over the rotors a term is made of.
#[derive(Default, Clone, Copy)]
struct Sums {
    /// Of thrusts and speeds.
    thrust: Dual,
    speed: Dual,
    /// Thrusts and speeds by the lever about x, by that about y, and by the sign.
    roll: [Dual; 2],
    pitch: [Dual; 2],
    yaw: [Dual; 2],
}

/// The shape among `numbers`.
pub(crate) fn shape(numbers: &[f64]) -> [f64; SHAPE] {
    std::array::from_fn(|i| numbers[FACTORS + i])
}

/// Rotors as the gyro and the accelerometer show them.
pub(crate) fn banks<'a>(part: &'a Part, shape: &[f64; SHAPE]) -> [Rotors<'a>; 2] {
    let [log_lag, delay_s, force_delay_s, _, _, idle, _] = *shape;
    [delay_s, delay_s + force_delay_s].map(|late_s| Rotors::new(part, log_lag.exp(), late_s, idle))
}

impl Layout {
    /// That of `rotors`, where motor k of a log turns rotor `order`[k] and is commanded in `shares` or speeds, as in
    /// `parts`.
    pub(crate) fn new(rotors: &Airframes, order: &[usize], shares: bool, parts: &[Part]) -> Layout {
        let reach = |i: usize| rotors.positions_m[i][0].hypot(rotors.positions_m[i][1]);
        let arm_m = (0..rotors.count()).map(reach).sum::<f64>() / rotors.count() as f64;
        let hub = |i: &usize| {
            let [x, y, _] = rotors.positions_m[*i];
            [x / arm_m, y / arm_m, rotors.yaw_torque_signs[*i]]
        };
        Layout {
            hubs: order.iter().map(hub).collect(),
            arm_m,
            shares,
            mean: Part::mean_command(parts),
            felt: Part::all(parts, |instant| instant.force_m_s2.is_some()),
            battery_v: Part::battery_v(parts).filter(|_| shares),
        }
    }

    /// How the square of a rotor's speed grows with the command, around the mean one: gains are per command, so that
    /// the curve of the thrust, which specific force alone tells, does not move them.
    pub(crate) fn steepness(&self, idle: f64) -> f64 {
        2.0 * (idle + (1.0 - idle) * self.mean) * (1.0 - idle)
    }

    /// The numbers of `airframe`, as far as it has them; `None` where its rotors are not alike.
    pub(crate) fn numbers(&self, airframe: &Airframe) -> Option<DVector<f64>> {
        let rotors = &airframe.rotors;
        if !rotors.thrust_factors.is_empty() || !rotors.directions.is_empty() {
            return None;
        }
        let (mass_kg, top) = (airframe.mass_kg, rotors.max_speed_rad_s);
        let inertia = airframe.inertia();
        let full_n = rotors.thrust_n_s2_per_rad2 * top * top;
        let mut numbers = DVector::from_element(NUMBERS, f64::NAN);
        numbers[THRUST] = full_n / mass_kg;
        let steep = self.steepness(0.0);
        numbers[ROLL] = steep * full_n * self.arm_m / inertia[(0, 0)];
        numbers[PITCH] = steep * full_n * self.arm_m / inertia[(1, 1)];
        numbers[YAW] = steep * rotors.torque_n_m_s2_per_rad2 * top * top / inertia[(2, 2)];
        numbers[YAW_SPIN_UP] = rotors.rotor_inertia_kg_m2 * top / inertia[(2, 2)];
        let drag = airframe.rotor_drag.unwrap_or(crate::RotorDrag::NONE);
        numbers[PLANE] = drag.in_plane_n_s2_per_rad_m * top / mass_kg;
        numbers[THRUST + 1] = drag.axial_n_s2_per_rad_m * top / mass_kg;
        let body = airframe
            .body_drag
            .map_or([0.0; 3], |drag| drag.quadratic_n_s2_per_m2);
        for (at, axis) in [(PLANE + 1, 0), (PLANE + 2, 1), (THRUST + 2, 2)] {
            numbers[at] = body[axis] / mass_kg;
        }
        numbers[LAG] = rotors.lag_s.ln();
        let late_ms = airframe.delay_ms.unwrap_or(f64::NAN);
        numbers[LAG + 1] = 1e-3 * late_ms + HELD_S;
        numbers[IDLE] = 0.0;
        Some(numbers)
    }

    fn sums(&self, rotors: &Rotors, charge: Dual) -> Sums {
        let mut sums = Sums::default();
        for (i, [x, y, sign]) in self.hubs.iter().enumerate().take(rotors.count()) {
            let speed = rotors.share(i) * charge;
            let thrust = speed * speed;
            for (of, [by_thrust, by_speed]) in [
                (*y, &mut sums.roll),
                (-*x, &mut sums.pitch),
                (*sign, &mut sums.yaw),
            ] {
                *by_thrust = *by_thrust + thrust * of;
                *by_speed = *by_speed + speed * of;
            }
            sums.thrust = sums.thrust + thrust;
            sums.speed = sums.speed + speed;
        }
        sums
    }

    /// Thrust at the lowest and the highest voltage of the battery, over that at the mean.
    pub(crate) fn discharged(&self, numbers: &DVector<f64>) -> Option<[f64; 2]> {
        let [low, mean, high] = self.battery_v?;
        let thrust = |volts: f64| (1.0 + numbers[BATTERY] * (volts / mean - 1.0)).powi(2);
        Some([thrust(low), thrust(high)])
    }

    /// Speed of the rotors over that at the mean voltage.
    fn charge(&self, now: &Instant, by_voltage: f64) -> Dual {
        let over = match (now.battery_v, self.battery_v) {
            (Some(volts), Some([_, mean, _])) => volts / mean - 1.0,
            _ => 0.0,
        };
        Dual::new(1.0 + by_voltage * over, [0.0, 0.0, 0.0, 0.0, 0.0, over])
    }

    /// Derivatives of the rates at an instant, and what is added to the rates; then the specific forces.
    pub(crate) fn terms(
        &self,
        banks: &[Rotors; 2],
        now: &Instant,
        shape: &[f64; SHAPE],
        each: &mut [Terms; SENSORS],
    ) {
        let charge = self.charge(now, shape[6]);
        let [fast, slow] = [&banks[0], &banks[1]].map(|bank| self.sums(bank, charge));
        let air: Option<[Dual; 3]> = now.motion.map(|motion| {
            std::array::from_fn(|axis| {
                let [x, y] = motion.level.map(|level| level[axis]);
                let air = motion.velocity_m_s[axis] - shape[3] * x - shape[4] * y;
                Dual::new(air, [0.0, 0.0, -x, -y, 0.0, 0.0])
            })
        });
        let none = Dual::from(0.0);
        let [u, v, w] = air.unwrap_or([none; 3]);
        let [p, q, r] = now.rates_rad_s;
        let one = Dual::from(1.0);
        let per_command = 1.0 / self.steepness(shape[5]);
        let swept = u * u + v * v;
        let airspeed = (swept + w * w).sqrt();
        for terms in each.iter_mut() {
            terms.clear();
        }
        each[0].extend([
            (ROLL, fast.roll[0] * per_command),
            (ROLL + 1, fast.thrust),
            (ROLL + 2, one),
            (ROLL + 3, fast.speed * -p),
            (ROLL + 4, -(fast.roll[1] * w)),
            (ROLL + 5, Dual::from(q * r)),
            (ROLL + 6, fast.speed * v),
        ]);
        each[1].extend([
            (PITCH, fast.pitch[0] * per_command),
            (PITCH + 1, fast.thrust),
            (PITCH + 2, one),
            (PITCH + 3, fast.speed * -q),
            (PITCH + 4, -(fast.pitch[1] * w)),
            (PITCH + 5, Dual::from(p * r)),
            (PITCH + 6, fast.speed * u),
        ]);
        each[2].extend([
            (YAW, fast.yaw[0] * per_command),
            (YAW + 1, one),
            (YAW + 2, fast.speed * -r),
            (YAW + 3, Dual::from(p * q)),
            (YAW_SPIN_UP, fast.yaw[1]),
            (YAW + 5, fast.pitch[1] * v + fast.roll[1] * u),
        ]);
        each[3].extend([
            (PLANE, -(slow.speed * u)),
            (PLANE + 1, -(airspeed * u)),
            (PLANE + 3, one),
        ]);
        each[4].extend([
            (PLANE, -(slow.speed * v)),
            (PLANE + 2, -(airspeed * v)),
            (PLANE + 4, one),
        ]);
        each[5].extend([
            (THRUST, slow.thrust),
            (THRUST + 1, -(slow.speed * w)),
            (THRUST + 2, -(airspeed * w)),
            (THRUST + 3, swept),
            (THRUST + 4, one),
        ]);
    }
}

/// Whether `sensor` shows the integral of what `factor` makes.
pub(crate) fn integrated(sensor: usize, factor: usize) -> bool {
    sensor < 3 && factor != YAW_SPIN_UP
}

/// Usual drag of rotors along their axes and across, at the sum of their greatest speeds [1/s]. What it does to the
/// rates is taken from these and not from what was fitted: in gusts, with which a vehicle moves, that is too little.
const AXIAL: f64 = 0.13;
const ACROSS: f64 = 0.11;

/// Mean and deviation of each number before the log is seen; those of the angular factors are in proportion to
/// the gains found so far, `now`.
pub(crate) fn prior(now: &[f64], layout: &Layout) -> Vec<[f64; 2]> {
    let (arm_m, steep) = (layout.arm_m, layout.steepness(now[IDLE]));
    let mut prior = vec![
        [0.0, 1e3],
        [AXIAL, 0.6 * AXIAL],
        [0.03, 0.03],
        [0.0, 0.01],
        [0.0, 0.2],
        [ACROSS, 0.6 * ACROSS],
        [0.03, 0.03],
        [0.03, 0.03],
        [0.0, 0.2],
        [0.0, 0.2],
    ];
    let thrust = now[THRUST].abs().max(1.0);
    // What turns the vehicle per unit of force along its axis: the arm over the inertia per mass.
    let levers = [ROLL, PITCH].map(|at| now[at].abs().max(10.0) / steep / thrust);
    for (at, lever, sign) in [(ROLL, levers[0], -1.0), (PITCH, levers[1], 1.0)] {
        let gain = now[at].abs().max(10.0) / steep;
        let inflow = AXIAL * lever;
        prior.extend([
            [0.0, 1e5],
            [0.0, 0.05 * gain],
            [0.0, 0.05 * gain],
            [0.5 * inflow * arm_m, 0.35 * inflow * arm_m],
            [inflow, 0.6 * inflow],
            [sign * 0.8, 0.4],
            [0.0, 0.05 * lever],
        ]);
    }
    let gain = now[YAW].abs().max(1.0) / steep;
    // The inertia about z of a flat vehicle is nearly the sum of the two others.
    let cross = ACROSS / 0.93 / (levers[0].recip() + levers[1].recip());
    prior.extend([
        [0.0, 1e5],
        [0.0, 0.1 * gain],
        [cross * arm_m, 0.6 * cross * arm_m],
        [0.0, 0.2],
        [0.0, 5.0],
        [cross, 0.6 * cross],
    ]);
    prior.extend([
        [(0.03f64).ln(), 0.7],
        [0.008, 0.008],
        [0.0, 0.005],
        [0.0, 6.0],
        [0.0, 6.0],
        // Speed controllers idle at some 5 %; what their curve and the battery bend looks like up to 30 %.
        [0.0, if layout.shares { 0.15 } else { 1e-6 }],
        // In proportion where controllers pass the battery on, not at all where they hold the speed.
        [0.5, 0.5],
    ]);
    prior
}
