//! Mixer: from thrust and three moments to rotor speeds, with saturation handled in a stated
//! order instead of by clipping.

use crate::error::Error;
use crate::lanes::Real;
use crate::lanes::axes::Axes;
use crate::vehicle::per_rotor::{MOST_ROTORS, PerRotor};
use crate::vehicle::rotors::{Rotors, of_lane, taken};
use nalgebra::{Vector3, Vector4};

/// Collective thrust and moments about the centre of mass, in body axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wrench {
    /// Sum of the rotor thrusts [N].
    pub thrust_n: f64,
    /// Moment about the centre of mass [N m].
    pub moment_n_m: Vector3<f64>,
}

/// How an autopilot spreads a wrench over the rotors, which are at most `N`; it gives exactly what is wanted
/// where the airframe's numbers are those of the vehicle. Saturation is handled on the understanding that every
/// rotor's share of a pure thrust is positive, which [`Airframe::check`](crate::Airframe::check) sees to.
#[derive(Debug, Clone)]
pub struct Mixer<const N: usize = MOST_ROTORS> {
    /// How many rotors there are.
    pub(super) count: usize,
    /// Thrust of each rotor for thrust and moments.
    rows: [[f64; 4]; N],
    thrust_range_n: [f64; 2],
    thrust_coefficient: f64,
}

impl Mixer {
    /// The mixer of `rotors`.
    ///
    /// # Errors
    /// [`Error::Geometry`] when thrust and moments cannot be commanded independently.
    ///
    /// # Panics
    /// When the lists of `rotors` differ in length, which [`Airframe::check`](crate::Airframe::check) excludes.
    pub fn new(rotors: &Rotors) -> Result<Mixer, Error> {
        Mixer::of(rotors, 1.0)
    }

    /// Rotor thrusts [N] that give `wanted` exactly, whether a rotor can produce them or not; of unlike rotors
    /// over their factors.
    pub fn allocate(&self, wanted: &Wrench) -> PerRotor {
        let m = &wanted.moment_n_m;
        let wrench = Vector4::new(wanted.thrust_n, m.x, m.y, m.z);
        PerRotor::new(self.count, |i| Vector4::from(self.rows[i]).dot(&wrench))
    }

    /// Rotor speeds [rad/s] for `wanted`, and whether the rotors' range forced a compromise. Roll
    /// and pitch come first, for they keep the vehicle in the air: the collective thrust moves to
    /// make room for them, yaw gets what is left, and only moments whose spread exceeds the whole
    /// range are scaled down.
    pub fn speeds(&self, wanted: &Wrench) -> (PerRotor, bool) {
        let (speeds, unsaturated) = self.mix(wanted.thrust_n, Axes::from(&wanted.moment_n_m));
        (of_lane(&speeds, self.count, 0), !unsaturated)
    }
}

#[allow(clippy::needless_range_loop)] // closures over arrays are not inlined here
impl<const N: usize> Mixer<N> {
    /// As [`Mixer::new`], of rotors that are commanded that share of their top speed at most.
    pub(super) fn of(rotors: &Rotors, speed_share: f64) -> Result<Mixer<N>, Error> {
        let mixing = rotors.mixing()?;
        let thrust_coefficient = rotors.thrust_n_s2_per_rad2;
        Ok(Mixer {
            count: rotors.count(),
            rows: std::array::from_fn(|i| std::array::from_fn(|j| mixing[(i, j)])),
            thrust_range_n: [rotors.min_speed_rad_s, rotors.max_speed_rad_s * speed_share]
                .map(|speed| thrust_coefficient * speed * speed),
            thrust_coefficient,
        })
    }

    /// As [`Mixer::speeds`] for one vehicle a lane; the mask holds where no compromise was needed.
    #[inline(always)]
    pub(super) fn mix<R: Real>(&self, thrust_n: R, moment_n_m: Axes<R>) -> ([R; N], R::Mask) {
        let count = taken::<N>(self.count);
        let [least, greatest] = self.thrust_range_n;
        let zero = thrust_n.like(0.0);
        let mut thrusts = [zero; N];
        for i in 0..count {
            let [t, x, y, z] = self.rows[i];
            thrusts[i] = thrust_n * t + moment_n_m.x * x + moment_n_m.y * y + moment_n_m.z * z;
        }
        let mut unsaturated = thrusts[0].within(least, greatest);
        for i in 1..count {
            unsaturated = R::both(unsaturated, thrusts[i].within(least, greatest));
        }
        if !thrust_n.all(unsaturated) {
            let within = self.within_range(thrust_n, moment_n_m);
            for i in 0..count {
                thrusts[i] = R::pick(unsaturated, thrusts[i], within[i]);
            }
        }
        let per_coefficient = 1.0 / self.thrust_coefficient;
        for i in 0..count {
            thrusts[i] = (thrusts[i] * per_coefficient).greater(zero).sqrt();
        }
        (thrusts, unsaturated)
    }

    /// Thrusts within the rotors' range.
    #[inline(always)]
    fn within_range<R: Real>(&self, thrust_n: R, moment_n_m: Axes<R>) -> [R; N] {
        let count = taken::<N>(self.count);
        let [least, greatest] = self.thrust_range_n;
        let (zero, one) = (thrust_n.like(0.0), thrust_n.like(1.0));
        let rows = &self.rows;
        let (mut tilt, mut yaw) = ([zero; N], [zero; N]);
        let (mut lowest, mut highest) = (zero + f64::INFINITY, zero + f64::NEG_INFINITY);
        for i in 0..count {
            let [_, x, y, z] = rows[i];
            tilt[i] = moment_n_m.x * x + moment_n_m.y * y;
            yaw[i] = moment_n_m.z * z;
            (lowest, highest) = (lowest.lesser(tilt[i]), highest.greater(tilt[i]));
        }
        let spread = highest - lowest;
        let range = zero + (greatest - least);
        let kept = R::pick(range.below(spread), range / spread, one);
        // Collective thrust interval in which every rotor stays inside its range.
        let (mut low, mut high) = (zero + f64::NEG_INFINITY, zero + f64::INFINITY);
        for i in 0..count {
            tilt[i] = tilt[i] * kept;
            let per_share = 1.0 / rows[i][0];
            low = low.greater((-tilt[i] + least) * per_share);
            high = high.lesser((-tilt[i] + greatest) * per_share);
        }
        let collective = thrust_n.lesser(high).greater(low);
        let (mut thrusts, mut room) = (tilt, one);
        for i in 0..count {
            thrusts[i] = tilt[i] + collective * rows[i][0];
            let bound = R::pick(zero.below(yaw[i]), zero + greatest, zero + least);
            let left = ((bound - thrusts[i]) / yaw[i]).greater(zero);
            room = R::pick(zero.below(yaw[i].abs()), left, one).lesser(room);
        }
        for i in 0..count {
            thrusts[i] = (thrusts[i] + yaw[i] * room)
                .greater(zero + least)
                .lesser(zero + greatest);
        }
        thrusts
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_rotor_is_commanded_more_than_its_share_of_the_top_speed() {
        let rotors = crate::Airframe::omac().rotors;
        let top_rad_s = rotors.max_speed_rad_s;
        for share in [0.7, 0.95, 1.0] {
            let mixer = Mixer::<MOST_ROTORS>::of(&rotors, share).expect("shipped");
            for moment in [0.0, 3.0, 50.0] {
                let wanted = Wrench {
                    thrust_n: 1e3,
                    moment_n_m: Vector3::new(moment, -moment, 0.1 * moment),
                };
                let (speeds, _) = mixer.speeds(&wanted);
                let most = speeds.iter().copied().fold(0.0, f64::max);
                assert!(
                    (most / top_rad_s - share).abs() < 1e-12,
                    "{share} {moment}: {most}"
                );
            }
        }
    }

    use super::*;
    use crate::Airframe;
    use proptest::prelude::*;

    fn produced(rotors: &Rotors, speeds: &[f64]) -> Wrench {
        let mut wrench = Wrench {
            thrust_n: 0.0,
            moment_n_m: Vector3::zeros(),
        };
        for (i, n) in speeds.iter().enumerate() {
            let f = rotors.thrust_n_s2_per_rad2 * n * n;
            let hub = Vector3::from(rotors.positions_m[i]);
            wrench.thrust_n += f;
            wrench.moment_n_m += hub.cross(&(Vector3::z() * f));
            wrench.moment_n_m.z +=
                rotors.yaw_torque_signs[i] * rotors.torque_n_m_s2_per_rad2 * n * n;
        }
        wrench
    }

    proptest! {
        #[test]
        fn the_mixer_inverts_the_rotors_wherever_none_saturates(
            speeds in prop::array::uniform4(0.0f64..1000.0),
        ) {
            let rotors = Airframe::omac().rotors;
            let mixer = Mixer::new(&rotors).expect("shipped");
            let (back, saturated) = mixer.speeds(&produced(&rotors, &speeds));
            for (a, b) in speeds.iter().zip(back) {
                prop_assert!((a * a - b * b).abs() < 1e-7, "{speeds:?} {back:?} {saturated}");
            }
        }

        #[test]
        fn whatever_is_wanted_the_rotors_stay_in_range_and_roll_and_pitch_come_first(
            thrust in -50.0f64..400.0, x in -30.0f64..30.0, y in -30.0f64..30.0, z in -5.0f64..5.0,
        ) {
            let rotors = Airframe::omac().rotors;
            let mixer = Mixer::new(&rotors).expect("shipped");
            let wanted = Wrench { thrust_n: thrust, moment_n_m: Vector3::new(x, y, z) };
            let (speeds, saturated) = mixer.speeds(&wanted);
            for n in speeds {
                prop_assert!((0.0..=1000.0 + 1e-9).contains(&n));
            }
            let got = produced(&rotors, &speeds);
            let error = (got.moment_n_m - wanted.moment_n_m).xy().norm();
            // The spread of the rotor thrusts for a pure tilt is at most (|Mx| + |My|) / 0.6 m.
            if (x.abs() + y.abs()) / 0.6 < 73.9 {
                prop_assert!(error < 1e-6, "{error}");
            }
            prop_assert!(got.moment_n_m.z * z >= -1e-6, "yaw is never reversed");
            if !saturated {
                prop_assert!((got.thrust_n - thrust).abs() < 1e-6);
            }
        }

        /// The stated order worked out by hand on a square of rotors, where every rotor carries a
        /// quarter of the thrust and deviates by (±M_x ± M_y) / 4 arm for the tilt and by
        /// ±M_z C_T / 4 C_q for the yaw. What all rotors can give as it is wanted is given so, also
        /// where the yaw brings a rotor back into its range.
        #[test]
        fn what_a_saturated_square_of_rotors_gives_is_tilt_then_thrust_then_all_the_yaw_that_fits(
            thrust in -50.0f64..400.0, x in -30.0f64..30.0, y in -30.0f64..30.0, z in -2.0f64..2.0,
        ) {
            let rotors = Rotors { min_speed_rad_s: 200.0, ..Airframe::omac().rotors };
            let arm_m = rotors.positions_m[0][0];
            let yaw_arm_m = rotors.torque_n_m_s2_per_rad2 / rotors.thrust_n_s2_per_rad2;
            let least = rotors.thrust_n_s2_per_rad2 * 200.0 * 200.0;
            let greatest = rotors.thrust_n_s2_per_rad2 * 1000.0 * 1000.0;

            let tilt = (x.abs() + y.abs()) / (4.0 * arm_m);
            let kept = (0.5 * (greatest - least) / tilt).min(1.0);
            let collective = thrust.min(4.0 * (greatest - kept * tilt)).max(4.0 * (least + kept * tilt));
            let mut yaw = z.abs() / (4.0 * yaw_arm_m);
            let mut feasible = true;
            for (hub, sign) in rotors.positions_m.iter().zip(&rotors.yaw_torque_signs) {
                let deviation = (x * hub[1].signum() - y * hub[0].signum()) / (4.0 * arm_m);
                let alone = 0.25 * thrust + deviation + sign * z / (4.0 * yaw_arm_m);
                feasible &= (least..=greatest).contains(&alone);
            }
            for (hub, sign) in rotors.positions_m.iter().zip(&rotors.yaw_torque_signs) {
                let deviation = (x * hub[1].signum() - y * hub[0].signum()) / (4.0 * arm_m);
                let without = 0.25 * collective + kept * deviation;
                let room = if sign * z > 0.0 { greatest - without } else { without - least };
                yaw = yaw.min(room.max(0.0));
            }
            let limited = Vector3::new(x * kept, y * kept, 4.0 * yaw_arm_m * yaw * z.signum());

            let wanted = Wrench { thrust_n: thrust, moment_n_m: Vector3::new(x, y, z) };
            let (collective, expected) = match feasible {
                true => (thrust, wanted.moment_n_m),
                false => (collective, limited),
            };
            let (speeds, saturated) = Mixer::new(&rotors).expect("a square").speeds(&wanted);
            let got = produced(&rotors, &speeds);
            prop_assert!((got.thrust_n - collective).abs() < 1e-9, "{got:?} {collective}");
            prop_assert!((got.moment_n_m - expected).norm() < 1e-9, "{got:?} {expected:?}");
            prop_assert_eq!(saturated, !feasible);
        }
    }

    /// Rotors whose centre of mass lies off their middle carry unequal shares: none leaves its
    /// range, and none could be moved further towards the thrust that is wanted.
    #[test]
    fn unequal_shares_meet_the_end_of_the_range_one_rotor_at_a_time() {
        let mut rotors = Airframe::omac().rotors;
        for hub in &mut rotors.positions_m {
            hub[0] += 0.06;
        }
        let mixer = Mixer::new(&rotors).expect("they span a plane");
        // Moments about y balance: the front pair at 0.36 m carries 0.24 / 0.6 of the whole.
        for (row, by_hand) in mixer.rows.iter().zip([0.2, 0.2, 0.3, 0.3]) {
            assert!((row[0] - by_hand).abs() < 1e-12, "{row:?} {by_hand}");
        }
        let too_much = Wrench {
            thrust_n: 1e3,
            moment_n_m: Vector3::zeros(),
        };
        let (speeds, saturated) = mixer.speeds(&too_much);
        let got = produced(&rotors, &speeds);
        let greatest = rotors.thrust_n_s2_per_rad2 * rotors.max_speed_rad_s.powi(2);
        assert!(saturated);
        assert!((got.thrust_n - greatest / 0.3).abs() < 1e-9, "{got:?}");
        assert!(got.moment_n_m.norm() < 1e-9, "{got:?}");
    }

    #[test]
    fn coefficients_that_overflow_are_refused_and_do_not_take_for_ever() {
        let mut rotors = Airframe::omac().rotors;
        rotors.torque_n_m_s2_per_rad2 = 1e308;
        let message = Mixer::new(&rotors).expect_err("infinite").to_string();
        assert!(
            message.starts_with("the rotor geometry cannot be mixed"),
            "{message}"
        );
    }

    #[test]
    fn rotors_in_a_line_cannot_be_mixed() {
        let mut rotors = Airframe::omac().rotors;
        for hub in &mut rotors.positions_m {
            hub[1] = 0.0;
        }
        let message = Mixer::new(&rotors).expect_err("no roll moment").to_string();
        assert!(
            message.starts_with("the rotor geometry cannot be mixed"),
            "{message}"
        );
    }
}
