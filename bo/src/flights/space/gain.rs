//! Gain: one gain of the cascade by its name, how it is read and written, and its usual bounds.

use search::{Parameter, Range, Refusal, Span};
use sim::Gains;

/// One gain of the cascade, or the same gain of two axes. A name that ends in `.xy` turns two axes:
/// the first takes the value, the second keeps its ratio to the first.
#[derive(Debug)]
pub struct Gain {
    /// Name, as in a gains file.
    pub name: &'static str,
    /// Unit.
    pub unit: &'static str,
    usual: Option<[f64; 2]>,
    read: fn(&Gains) -> f64,
    write: fn(&mut Gains, f64),
}

/// A gain that is tuned, as a parameter of the search.
#[derive(Debug, Clone)]
pub struct Knob {
    /// What it turns.
    pub gain: &'static Gain,
    /// Its bounds, and the cube's coordinate of a value.
    pub parameter: Parameter,
}

impl Gain {
    /// The gain of that name.
    pub fn by_name(name: &str) -> Option<&'static Gain> {
        GAINS.iter().find(|gain| gain.name == name)
    }

    /// Its value in `gains`.
    pub fn value(&self, gains: &Gains) -> f64 {
        (self.read)(gains)
    }

    /// Turns it in `gains` to `value`.
    pub fn set(&self, gains: &mut Gains, value: f64) {
        (self.write)(gains, value);
    }

    /// Its usual bounds, by equal ratios. For the position loop, whose gains are accelerations, they
    /// hold for every vehicle: 1..30 1/s², 0.02..10 1/s³, 1..12 1/s. For the attitude and rate loops
    /// they are a quarter of the gain in `base` and four times it; nothing lies between them where
    /// that gain is 0.
    pub fn usual(&self, base: &Gains) -> Span {
        let value = self.value(base);
        let [low, high] = self.usual.unwrap_or([value / 4.0, value * 4.0]);
        Span::log(low, high)
    }

    /// This gain, tuned within `span`.
    ///
    /// # Errors
    /// Those of [`Parameter::new`].
    pub fn within(&'static self, span: Span) -> Result<Knob, Refusal> {
        Ok(Knob {
            gain: self,
            parameter: Parameter::new(self.name, Range::Real(span))?,
        })
    }
}

impl Knob {
    /// The bounds between which it is tuned.
    pub fn span(&self) -> Span {
        self.parameter.range().span()
    }
}

/// The gains of the whole cascade.
pub const CASCADE: [&str; 14] = [
    "position_xy.kp",
    "position_xy.ki",
    "position_xy.kd",
    "position_z.kp",
    "position_z.ki",
    "position_z.kd",
    "attitude_kp.xy",
    "attitude_kp.z",
    "rate_kp.xy",
    "rate_kp.z",
    "rate_ki.xy",
    "rate_ki.z",
    "rate_kd.xy",
    "rate_kd.z",
];

/// The gains of the position loop.
pub const POSITION: [&str; 6] = *CASCADE.first_chunk().expect("six of fourteen");

/// The gains of `loops` that are tuned where a study names no single ones: those that are not 0 in `base`, around which
/// there is nothing to search, and those that are `bounded`.
pub fn kept(
    loops: &[&'static str],
    base: &Gains,
    bounded: &dyn Fn(&str) -> bool,
) -> Vec<&'static str> {
    let zero = |gain: &Gain| gain.value(base) == 0.0;
    let kept = |name: &&'static str| bounded(name) || !Gain::by_name(name).is_some_and(zero);
    loops.iter().copied().filter(kept).collect()
}

/// Whether `tuned` are all gains of `loops` but for those that are 0 in `base`; and which those are.
fn all_but(loops: &[&'static str], tuned: &[&str], base: &Gains) -> Option<Vec<&'static str>> {
    let is_tuned = |name: &str| tuned.contains(&name);
    let whole = kept(loops, base, &is_tuned)
        .iter()
        .all(|name| is_tuned(name));
    let left_out = loops.iter().copied().filter(|name| !is_tuned(name));
    (whole && tuned.iter().all(|name| loops.contains(name))).then(|| left_out.collect())
}

/// Whether `tuned` is the whole cascade of a vehicle with the gains `base`, but for gains that are 0 there.
pub fn is_whole_cascade(tuned: &[&str], base: &Gains) -> bool {
    all_but(&CASCADE, tuned, base).is_some()
}

/// The gains that are not among the `tuned` ones, the whole position loop's or cascade's else, because they are 0 in
/// `base`.
pub fn left_out(tuned: &[&str], base: &Gains) -> Vec<&'static str> {
    let found = all_but(&CASCADE, tuned, base).or_else(|| all_but(&POSITION, tuned, base));
    found.unwrap_or_default()
}

const fn gain(
    name: &'static str,
    unit: &'static str,
    usual: Option<[f64; 2]>,
    read: fn(&Gains) -> f64,
    write: fn(&mut Gains, f64),
) -> Gain {
    Gain {
        name,
        unit,
        usual,
        read,
        write,
    }
}

const KP: Option<[f64; 2]> = Some([1.0, 30.0]);
const KI: Option<[f64; 2]> = Some([0.02, 10.0]);
const KD: Option<[f64; 2]> = Some([1.0, 12.0]);

/// Every gain there is, in the order of [`CASCADE`].
#[rustfmt::skip]
static GAINS: [Gain; 14] = [
    gain("position_xy.kp", "1/s²", KP, |g| g.position_xy.kp, |g, v| g.position_xy.kp = v),
    gain("position_xy.ki", "1/s³", KI, |g| g.position_xy.ki, |g, v| g.position_xy.ki = v),
    gain("position_xy.kd", "1/s", KD, |g| g.position_xy.kd, |g, v| g.position_xy.kd = v),
    gain("position_z.kp", "1/s²", KP, |g| g.position_z.kp, |g, v| g.position_z.kp = v),
    gain("position_z.ki", "1/s³", KI, |g| g.position_z.ki, |g, v| g.position_z.ki = v),
    gain("position_z.kd", "1/s", KD, |g| g.position_z.kd, |g, v| g.position_z.kd = v),
    gain("attitude_kp.xy", "1/s", None, |g| g.attitude_kp[0], |g, v| both(&mut g.attitude_kp, v)),
    gain("attitude_kp.z", "1/s", None, |g| g.attitude_kp[2], |g, v| g.attitude_kp[2] = v),
    gain("rate_kp.xy", "N m s/rad", None, |g| g.rate_kp[0], |g, v| both(&mut g.rate_kp, v)),
    gain("rate_kp.z", "N m s/rad", None, |g| g.rate_kp[2], |g, v| g.rate_kp[2] = v),
    gain("rate_ki.xy", "N m/rad", None, |g| g.rate_ki[0], |g, v| both(&mut g.rate_ki, v)),
    gain("rate_ki.z", "N m/rad", None, |g| g.rate_ki[2], |g, v| g.rate_ki[2] = v),
    gain("rate_kd.xy", "N m s²/rad", None, |g| g.rate_kd[0], |g, v| both(&mut g.rate_kd, v)),
    gain("rate_kd.z", "N m s²/rad", None, |g| g.rate_kd[2], |g, v| g.rate_kd[2] = v),
];

/// Turns x to `value` and keeps y's ratio to it; where x was 0 they become equal.
fn both(axes: &mut [f64; 3], value: f64) {
    let ratio = if axes[0] == 0.0 {
        1.0
    } else {
        axes[1] / axes[0]
    };
    axes[1] = value * ratio;
    axes[0] = value;
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::Airframe;

    fn gain(name: &str) -> &'static Gain {
        Gain::by_name(name).expect("listed")
    }

    #[test]
    fn every_gain_turns_what_it_reads_and_the_base_lies_between_its_bounds() {
        for airframe in sim::AIRFRAME_NAMES {
            let base = Airframe::by_name(airframe).expect("shipped").gains;
            for name in CASCADE {
                let turned = gain(name);
                let value = turned.value(&base);
                if value > 0.0 && !name.starts_with("position") {
                    assert!(turned.usual(&base).contains(value), "{airframe} {name}");
                }
                let mut gains = base;
                turned.set(&mut gains, 0.125);
                assert_eq!(turned.value(&gains), 0.125, "{name}");
                let others = CASCADE.into_iter();
                let changed = others.filter(|n| gain(n).value(&gains) != gain(n).value(&base));
                assert_eq!(changed.collect::<Vec<_>>(), [name], "only itself");
            }
        }
        assert!(Gain::by_name("position_xy.kq").is_none());
    }

    #[test]
    fn the_second_axis_of_a_pair_keeps_its_ratio() {
        let mut gains = Airframe::omac().gains;
        gains.rate_kp = [0.4, 0.6, 0.1];
        gain("rate_kp.xy").set(&mut gains, 0.8);
        assert!((gains.rate_kp[1] - 1.2).abs() < 1e-12);
        assert_eq!((gains.rate_kp[0], gains.rate_kp[2]), (0.8, 0.1));
    }

    #[test]
    fn a_gain_of_0_has_no_usual_bounds() {
        let mut base = Airframe::omac().gains;
        base.rate_kd = [0.0; 3];
        let gain = gain("rate_kd.z");
        assert!(gain.within(gain.usual(&base)).is_err());
    }
}
