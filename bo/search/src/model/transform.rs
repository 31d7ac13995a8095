//! Transform: values as the surrogate sees them.

use super::warp::Warp;

/// How values are changed before a surrogate learns them; the order of values stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transform {
    /// Their logarithm: for costs, which are positive.
    Log,
    /// The power transform under which they are most nearly normal ([`Warp`]).
    Warp,
    /// Standardised and nothing else.
    Linear,
}

/// Legal names.
pub const TRANSFORMS: [(&str, Transform); 3] = [
    ("log", Transform::Log),
    ("warp", Transform::Warp),
    ("linear", Transform::Linear),
];

/// The transform as some values made it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FittedTransform {
    /// The logarithm.
    Log,
    /// A power transform; a linear one among them.
    Power(Warp),
}

impl Transform {
    /// The image that suits `values`, which are finite: exact ones, or `noisy` ones.
    pub fn of(self, values: &[f64], noisy: bool) -> FittedTransform {
        match self {
            Transform::Log => FittedTransform::Log,
            Transform::Warp => FittedTransform::Power(Warp::fit(values, noisy)),
            Transform::Linear => FittedTransform::Power(Warp::linear(values)),
        }
    }
}

impl FittedTransform {
    /// The image of `value`.
    pub fn apply(&self, value: f64) -> f64 {
        match self {
            FittedTransform::Log => value.ln(),
            FittedTransform::Power(warp) => warp.apply(value),
        }
    }

    /// The derivative of the image at `value`, not negative.
    pub fn slope(&self, value: f64) -> f64 {
        match self {
            FittedTransform::Log => 1.0 / value,
            FittedTransform::Power(warp) => warp.slope(value),
        }
    }

    /// The standard error of the image of a `value` that has the standard error `error`.
    pub fn error(&self, value: f64, error: f64) -> f64 {
        match error > 0.0 {
            true => error * self.slope(value),
            false => 0.0,
        }
    }

    /// The value whose image is `image`: infinite beyond the images of finite values.
    pub fn invert(&self, image: f64) -> f64 {
        match self {
            FittedTransform::Log => image.exp(),
            FittedTransform::Power(warp) => warp.invert(image),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_transform_keeps_the_order_of_values() {
        let values = [0.02, 0.3, 0.31, 1.9, 45.0];
        for transform in [Transform::Log, Transform::Warp, Transform::Linear] {
            let image = transform.of(&values, true);
            let images = values.map(|value| image.apply(value));
            assert!(images.is_sorted_by(|a, b| a < b), "{transform:?}");
            for value in values {
                let h = 1e-6 * value;
                let ends = [value - h, value + h].map(|value| image.apply(value));
                let difference = (ends[1] - ends[0]) / (2.0 * h);
                let slope = image.slope(value);
                // The slope has a kink at the median.
                assert!(
                    (slope / difference - 1.0).abs() < 1e-4,
                    "{transform:?} at {value}"
                );
                let back = image.invert(image.apply(value));
                assert!((back - value).abs() < 1e-9 * value, "{transform:?}: {back}");
            }
        }
        assert_eq!(Transform::Log.of(&values, true).apply(0.25), 0.25f64.ln());
    }
}
