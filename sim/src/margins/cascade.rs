//! Cascade: the linear vehicle and all its loops, one control period after the other.

use super::POSITION_PERIOD_S;
use super::linear::{INPUTS, OUTPUTS, STATES, Sampled, moments};
use super::trim::Trim;
use crate::control::{VerticalBalance, low_pass_decay, small_errors};
use crate::vehicle::airframe::{Gains, VerticalLoop};
use crate::{Airframe, CONTROL_PERIOD_S, GRAVITY_M_S2, POSITION_TICKS};
use nalgebra::{Complex, DMatrix, DVector, Hessenberg, Matrix3, SMatrix, Vector3};

/// The states of the loops: integrals of rate and position, the filter, what is
/// held, the shaped setpoint, climb, error, integral and held wish of the vertical loop, the filtered torque and the filtered thrust;
/// then the commands that have not yet come through.
const OF_LOOPS: usize = 24;

/// No vehicle is taken to ask for a smaller vertical force over its mass [m/s²].
const LEAST_LIFT_M_S2: f64 = 1.0;

/// The vehicle about one point, and what is fed back.
#[derive(Debug, Clone)]
pub(super) struct Cascade {
    pub(super) plant: Sampled,
    /// Turn (three rows) and thrust by wanted acceleration.
    pub(super) aim: SMatrix<f64, 4, 3>,
    pub(super) gains: LoopGains,
    /// Attitude errors by small turns about the body axes.
    pub(super) errors: Matrix3<f64>,
    /// The thrust over the mass by its vertical part: of what the position loop asks for, and of what a loop on the
    /// vertical acceleration does.
    pub(super) lean: [f64; 2],
    /// The vertical part [m/s²].
    lift_m_s2: f64,
    pub(super) delay_periods: u32,
}

impl Cascade {
    pub(super) fn about(
        trim: &Trim,
        airframe: &Airframe,
        gains: &Gains,
        delay_periods: u32,
    ) -> Cascade {
        let force = trim.specific_force_m_s2;
        Cascade {
            plant: Sampled::of(airframe, trim),
            aim: trim.aim(),
            gains: LoopGains::of(airframe, gains),
            errors: small_errors(&airframe.controller.law(), &trim.state.attitude),
            lean: [force.norm() / force.z; 2],
            lift_m_s2: force.z,
            delay_periods,
        }
    }

    /// The same at hover where the autopilot takes the vehicle for `over` times as heavy as it is. Its position loop asks
    /// for a smaller force than is there, which an acceleration then leans by more; what a loop on the vertical acceleration
    /// holds, the position loop need not ask for.
    pub(super) fn taken_for(&self, over: f64) -> Cascade {
        let law = self.gains.vertical.map(|(law, _)| law);
        let held = VerticalBalance::of(law.as_ref(), self.lift_m_s2 / over);
        let asked_m_s2 = (GRAVITY_M_S2 + held.error_m_s2).max(LEAST_LIFT_M_S2);
        let wish = self.lift_m_s2 / asked_m_s2;
        let mut other = self.clone();
        other.aim *= wish;
        other.lean = [self.lean[0] * wish, self.lean[1] * over];
        other
    }

    /// How many numbers its state has.
    pub(super) fn size(&self) -> usize {
        STATES + OF_LOOPS + INPUTS * self.delay_periods as usize
    }

    /// One control period of the linear cascade.
    pub(super) fn step(&self, all: &mut DVector<f64>, positions: bool) {
        self.step_towards(all, positions, &Setpoint::default());
    }

    /// The same where something is asked for.
    pub(super) fn step_towards(&self, all: &mut DVector<f64>, positions: bool, to: &Setpoint) {
        let vehicle = all.fixed_rows::<STATES>(0).into_owned();
        let seen = vehicle.fixed_rows::<OUTPUTS>(0).into_owned();
        let at = |from: usize| seen.fixed_rows::<3>(from).into_owned();
        let [kp, ki, kd] = self.gains.position;
        if positions {
            let off = at(0) - to.position;
            let integral = (memory(all, 6) - off * POSITION_PERIOD_S).zip_map(&ki, used);
            keep(all, 6, &integral);
            let wanted =
                ki.component_mul(&integral) - kp.component_mul(&off) - kd.component_mul(&at(3));
            all.fixed_rows_mut::<4>(STATES + 9)
                .copy_from(&(self.aim * wanted));
            all[STATES + 19] = wanted.z;
        }
        let held = all.fixed_rows::<4>(STATES + 9).into_owned();
        let errors = self.errors * (held.fixed_rows::<3>(0) + to.attitude - at(6));
        let by_attitude = errors.component_mul(&self.gains.attitude);
        let asked = to.rate.unwrap_or(by_attitude);
        let before = memory(all, 13);
        let setpoint = asked + (before - asked).component_mul(&self.gains.setpoint_decay);
        keep(all, 13, &setpoint);
        let [kp, ki, kd] = self.gains.rate;
        let error = setpoint - at(9);
        let integral = (memory(all, 0) + error * CONTROL_PERIOD_S).zip_map(&ki, used);
        let moved = (at(9) - memory(all, 3)) * (1.0 - self.gains.filter_decay);
        let filtered = memory(all, 3) + moved;
        keep(all, 0, &integral);
        keep(all, 3, &filtered);
        let [on_setpoint, on_change] = self.gains.feedforward;
        let feedforward = on_setpoint.component_mul(&setpoint)
            + on_change.component_mul(&(setpoint - before)) / CONTROL_PERIOD_S;
        let torque = kp.component_mul(&error) + ki.component_mul(&integral)
            - kd.component_mul(&moved) / CONTROL_PERIOD_S
            + feedforward;
        let decay = &self.gains.torque_decay;
        let torque = torque + (memory(all, 20) - torque).component_mul(decay);
        keep(all, 20, &torque.zip_map(decay, used));
        let thrust = held[3] + self.lift(all, at(3).z);
        let input = nalgebra::SVector::<f64, INPUTS>::new(thrust, torque.x, torque.y, torque.z);
        let input = self.delayed(all, input);
        let moved = self.plant.phi * vehicle + self.plant.gamma * input;
        all.fixed_rows_mut::<STATES>(0).copy_from(&moved);
    }

    /// What the loop on the vertical acceleration adds to the thrust over the mass.
    fn lift(&self, all: &mut DVector<f64>, climb: f64) -> f64 {
        let Some((law, [of_error, of_thrust])) = self.gains.vertical else {
            // The state holds only what is used.
            all.fixed_rows_mut::<3>(STATES + 16).fill(0.0);
            all[STATES + 23] = 0.0;
            return 0.0;
        };
        let wanted = all[STATES + 19];
        let felt = (climb - all[STATES + 16]) / CONTROL_PERIOD_S;
        all[STATES + 16] = climb;
        let error = wanted - felt;
        all[STATES + 17] = error + (all[STATES + 17] - error) * of_error;
        let integral = all[STATES + 18] + all[STATES + 17] * CONTROL_PERIOD_S;
        all[STATES + 18] = used(integral, law.ki);
        let force = law.kp * all[STATES + 17] + law.ki * all[STATES + 18];
        let filtered = force + (all[STATES + 23] - force) * of_thrust;
        all[STATES + 23] = used(filtered, of_thrust);
        self.lean[1] * filtered - self.lean[0] * wanted
    }

    /// The command that comes through now; newest last. What is fed back is late by so much, and it is the
    /// same where the commands are, but for the shift of the loops' clocks: a third of the memory does.
    fn delayed(
        &self,
        all: &mut DVector<f64>,
        now: nalgebra::SVector<f64, INPUTS>,
    ) -> nalgebra::SVector<f64, INPUTS> {
        if self.delay_periods == 0 {
            return now;
        }
        let (from, end) = (STATES + OF_LOOPS, all.len());
        let through = all.fixed_rows::<INPUTS>(from).into_owned();
        all.as_mut_slice().copy_within(from + INPUTS..end, from);
        all.fixed_rows_mut::<INPUTS>(end - INPUTS).copy_from(&now);
        through
    }
}

/// What is asked for, as a small change; the vehicle is at rest where nothing is.
#[derive(Debug, Clone, Default)]
pub(super) struct Setpoint {
    pub(super) position: Vector3<f64>,
    /// A turn about the body axes.
    pub(super) attitude: Vector3<f64>,
    /// In place of what the attitude loop asks for.
    pub(super) rate: Option<Vector3<f64>>,
}

/// What is remembered with no gain on it stays out of the state.
fn used(integral: f64, gain: f64) -> f64 {
    if gain == 0.0 { 0.0 } else { integral }
}

fn memory(all: &DVector<f64>, from: usize) -> Vector3<f64> {
    all.fixed_rows::<3>(STATES + from).into_owned()
}

fn keep(all: &mut DVector<f64>, from: usize, values: &Vector3<f64>) {
    all.fixed_rows_mut::<3>(STATES + from).copy_from(values);
}

// Gains: what each loop multiplies its errors with, as a function of frequency.

/// The gains of the cascade, each by axis.
#[derive(Debug, Clone)]
pub(super) struct LoopGains {
    /// On position, its integral and velocity.
    pub(super) position: [Vector3<f64>; 3],
    /// On the attitude error.
    pub(super) attitude: Vector3<f64>,
    /// Feedforward of the rate setpoint, and of its derivative, over the moments of inertia.
    pub(super) feedforward: [Vector3<f64>; 2],
    /// What is left after a period of the filtered setpoint, and of the filtered torque.
    pub(super) setpoint_decay: Vector3<f64>,
    pub(super) torque_decay: Vector3<f64>,
    /// The loop on the vertical acceleration, and what is left of its filtered error and of its filtered
    /// thrust after a period.
    pub(super) vertical: Option<(VerticalLoop, [f64; 2])>,
    /// On the rate error, its integral and the derivative, over the moments of inertia.
    pub(super) rate: [Vector3<f64>; 3],
    /// What is left of the rate filter's state after a period.
    pub(super) filter_decay: f64,
}

impl LoopGains {
    pub(super) fn of(airframe: &Airframe, gains: &Gains) -> LoopGains {
        let (xy, z) = (gains.position_xy, gains.position_z);
        let moments = moments(airframe);
        let rate = |gain: [f64; 3]| Vector3::from(gain).component_div(&moments);
        let law = airframe.controller.law();
        let decay = |hz: f64| low_pass_decay(hz, CONTROL_PERIOD_S);
        LoopGains {
            position: [
                Vector3::new(xy.kp, xy.kp, z.kp),
                Vector3::new(xy.ki, xy.ki, z.ki),
                Vector3::new(xy.kd, xy.kd, z.kd),
            ],
            attitude: Vector3::from(gains.attitude_kp),
            feedforward: [law.rate_feedforward, law.rate_feedforward_derivative].map(rate),
            setpoint_decay: Vector3::from(law.rate_setpoint_filter_hz.map(decay)),
            torque_decay: Vector3::from(law.torque_filter_hz.map(decay)),
            vertical: law
                .vertical
                .map(|law| (law, [law.filter_hz, law.thrust_filter_hz].map(decay))),
            rate: [gains.rate_kp, gains.rate_ki, gains.rate_kd].map(rate),
            filter_decay: (-CONTROL_PERIOD_S / airframe.controller.rate_filter_s).exp(),
        }
    }

    /// On position and velocity.
    pub(super) fn outer(&self, frequency: f64) -> [Vector3<Complex<f64>>; 2] {
        let [kp, ki, kd] = self.position;
        let turned = Complex::from_polar(1.0, frequency * POSITION_PERIOD_S);
        let integral = summed(turned) * POSITION_PERIOD_S;
        let on_position = kp.zip_map(&ki, |kp, ki| integral * ki + kp);
        [on_position, kd.map(Complex::from)]
    }

    /// On the rate setpoint, and on the rate itself, the derivative with it.
    pub(super) fn inner(&self, z: Complex<f64>) -> [Vector3<Complex<f64>>; 2] {
        let [kp, ki, kd] = self.rate;
        let integral = summed(z) * CONTROL_PERIOD_S;
        let change = Complex::from(1.0) - z.inv();
        let moved = change * low_pass(self.filter_decay, z);
        let on_error = kp.zip_map(&ki, |kp, ki| integral * ki + kp);
        let on_rate = on_error.zip_map(&kd, |e, kd| e + moved * (kd / CONTROL_PERIOD_S));
        let [on_setpoint, on_change] = self.feedforward;
        let feedforward =
            on_setpoint.zip_map(&on_change, |s, c| change * (c / CONTROL_PERIOD_S) + s);
        let shaped = self.setpoint_decay.map(|decay| low_pass(decay, z));
        let on_setpoint = (on_error + feedforward).component_mul(&shaped);
        let passed = self.torque_decay.map(|decay| low_pass(decay, z));
        [on_setpoint, on_rate].map(|on| on.component_mul(&passed))
    }

    /// What the loop on the vertical acceleration adds to the thrust over the mass for its error, and the
    /// acceleration that is felt for a climb.
    pub(super) fn vertical(&self, z: Complex<f64>) -> Option<[Complex<f64>; 2]> {
        let (law, [of_error, of_thrust]) = self.vertical?;
        let on_error = summed(z) * (law.ki * CONTROL_PERIOD_S) + law.kp;
        let felt = (Complex::from(1.0) - z.inv()) / CONTROL_PERIOD_S;
        let passed = low_pass(of_error, z) * low_pass(of_thrust, z);
        Some([on_error * passed, felt])
    }
}

/// A low-pass of first order of which `decay` is left after a period.
fn low_pass(decay: f64, z: Complex<f64>) -> Complex<f64> {
    Complex::from(1.0 - decay) / (Complex::from(1.0) - z.inv() * decay)
}

/// The sum of all samples up to now, over the sample.
fn summed(z: Complex<f64>) -> Complex<f64> {
    (Complex::from(1.0) - z.inv()).inv()
}

// Lifted: the vehicle with its inner loops closed, from one sample of the position loop to the next.
//
// It says in one go what the frequencies that look alike at the position loop's samples add up to. What
// the sensors have not yet shown is part of its state, of which the space is kept that held accelerations reach.
// In Hessenberg form a frequency costs the square of the number of states, not the cube.

/// Most states: with more, the frequencies that look alike are summed for less.
const MOST_STATES: usize = 100;

/// Rows of the state that a sample of the position loop makes anew, and its integrals.
const OF_THE_SAMPLE: [usize; 8] = [6, 7, 8, 9, 10, 11, 12, 19];

/// What is left of a direction beside those known from which on it counts as one of them.
const REACHED: f64 = 1e-12;

/// Q'x' = H Q'x + Q'Γ a over one period of the position loop, with the wanted acceleration a held.
#[derive(Debug, Clone)]
pub(super) struct Lifted {
    hessenberg: DMatrix<f64>,
    input: DMatrix<f64>,
    /// Position and velocity.
    output: DMatrix<f64>,
}

impl Lifted {
    /// That of `system`; `None` if it has too many states.
    pub(super) fn of(system: &Cascade) -> Option<Lifted> {
        let size = system.size();
        if size > MOST_STATES {
            return None;
        }
        let after = |mut all: DVector<f64>| {
            for _ in 0..POSITION_TICKS {
                system.step(&mut all, false);
            }
            OF_THE_SAMPLE.iter().for_each(|row| all[STATES + row] = 0.0);
            all
        };
        let inputs = [0, 1, 2].map(|axis| {
            let mut all = DVector::zeros(size);
            let asked = system.aim.column(axis);
            all.fixed_rows_mut::<4>(STATES + 9).copy_from(&asked);
            all[STATES + 19] = f64::from(u8::from(axis == 2));
            after(all)
        });
        // Each state in a unit of its own, so that none is lost beside another.
        let next = [0, 1, 2].map(|axis| after(inputs[axis].clone()));
        let unit = DVector::from_fn(size, |k, _| {
            let greatest = inputs.iter().chain(&next).map(|all| all[k].abs());
            Some(greatest.fold(0.0, f64::max))
                .filter(|g| *g > 0.0)
                .unwrap_or(1.0)
        });
        let mut basis: Vec<DVector<f64>> = Vec::new();
        let shares = |mut vector: DVector<f64>, basis: &mut Vec<DVector<f64>>| {
            vector.component_div_assign(&unit);
            let norm = vector.norm();
            let mut shares = vec![0.0; basis.len()];
            for _ in 0..2 {
                for (share, known) in shares.iter_mut().zip(basis.iter()) {
                    let along = known.dot(&vector);
                    *share += along;
                    vector.axpy(-along, known, 1.0);
                }
            }
            let left = vector.norm();
            if left > REACHED * norm && basis.len() < size {
                shares.push(left);
                basis.push(vector / left);
            }
            shares
        };
        let inputs = inputs.map(|input| shares(input, &mut basis));
        let mut columns: Vec<Vec<f64>> = Vec::new();
        while columns.len() < basis.len() {
            let vector = basis[columns.len()].component_mul(&unit);
            columns.push(shares(after(vector), &mut basis));
        }
        let count = basis.len();
        let entry = |column: &[f64], row: usize| column.get(row).copied().unwrap_or(0.0);
        let phi = DMatrix::from_fn(count, count, |i, j| entry(&columns[j], i));
        let gamma = DMatrix::from_fn(count, 3, |i, j| entry(&inputs[j], i));
        let seen = DMatrix::from_fn(6, count, |i, j| basis[j][i] * unit[i]);
        let (rotation, hessenberg) = Hessenberg::new(phi).unpack();
        Some(Lifted {
            hessenberg,
            input: rotation.transpose() * gamma,
            output: seen * rotation,
        })
    }

    /// Position and velocity at the samples for wanted accelerations that go as zᵏ from one to the next.
    ///
    /// A margin takes a hundred of these, so that loops over plain numbers stand in place of a library's.
    pub(super) fn at(&self, z: Complex<f64>) -> SMatrix<Complex<f64>, 6, 3> {
        let count = self.hessenberg.nrows();
        // Rows of z - H, and the inputs behind them.
        let wide = count + 3;
        let mut rows = vec![Complex::new(0.0, 0.0); count * wide];
        for (j, column) in self.hessenberg.column_iter().enumerate() {
            for (i, entry) in column.iter().enumerate().take(j + 2) {
                rows[i * wide + j].re = -entry;
            }
            rows[j * wide + j] += z;
        }
        for (j, column) in self.input.column_iter().enumerate() {
            for (i, entry) in column.iter().enumerate() {
                rows[i * wide + count + j].re = *entry;
            }
        }
        for k in 0..count - 1 {
            let (above, below) = rows.split_at_mut((k + 1) * wide);
            let (above, below) = (&mut above[k * wide + k..], &mut below[k..wide]);
            // Below the diagonal stands one entry alone.
            if below[0].norm_sqr() > above[0].norm_sqr() {
                above.swap_with_slice(below);
            }
            let factor = below[0] / above[0];
            subtract(&mut below[1..], factor, &above[1..]);
        }
        let mut states = vec![[Complex::new(0.0, 0.0); 3]; count];
        for k in (0..count).rev() {
            let row = &rows[k * wide..(k + 1) * wide];
            let mut sums = [row[count], row[count + 1], row[count + 2]];
            for j in k + 1..count {
                let (entry, known) = (row[j], &states[j]);
                for input in 0..3 {
                    sums[input].re -= entry.re * known[input].re - entry.im * known[input].im;
                    sums[input].im -= entry.re * known[input].im + entry.im * known[input].re;
                }
            }
            let scale = row[k].inv();
            states[k] = sums.map(|sum| sum * scale);
        }
        SMatrix::from_fn(|row, input| {
            let mut sum = Complex::new(0.0, 0.0);
            for (share, state) in self.output.row(row).iter().zip(&states) {
                sum.re += share * state[input].re;
                sum.im += share * state[input].im;
            }
            sum
        })
    }
}

/// `row` less `factor` times `pivot`.
fn subtract(row: &mut [Complex<f64>], factor: Complex<f64>, pivot: &[Complex<f64>]) {
    let pivot = &pivot[..row.len()];
    for j in 0..row.len() {
        row[j].re -= factor.re * pivot[j].re - factor.im * pivot[j].im;
        row[j].im -= factor.re * pivot[j].im + factor.im * pivot[j].re;
    }
}
