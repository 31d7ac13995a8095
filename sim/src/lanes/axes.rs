//! Axes: vectors, quaternions and matrices of [`Real`] numbers, with no more than flight needs.

use crate::lanes::Real;
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use std::ops::{Add, Mul, Neg, Sub};

/// A vector.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Axes<R> {
    pub(crate) x: R,
    pub(crate) y: R,
    pub(crate) z: R,
}

impl<R: Real> Axes<R> {
    #[inline(always)]
    pub(crate) fn new(x: R, y: R, z: R) -> Axes<R> {
        Axes { x, y, z }
    }

    /// v(k) in lane k.
    #[inline(always)]
    pub(crate) fn fill(like: R, mut v: impl FnMut(usize) -> Vector3<f64>) -> Axes<R> {
        Axes {
            x: like.fill(|k| v(k).x),
            y: like.fill(|k| v(k).y),
            z: like.fill(|k| v(k).z),
        }
    }

    #[inline(always)]
    pub(crate) fn lane(&self, k: usize) -> Vector3<f64> {
        Vector3::new(self.x.lane(k), self.y.lane(k), self.z.lane(k))
    }

    #[inline(always)]
    pub(crate) fn dot(self, other: Axes<R>) -> R {
        self.z
            .times_plus(other.z, self.y.times_plus(other.y, self.x * other.x))
    }

    #[inline(always)]
    pub(crate) fn cross(self, other: Axes<R>) -> Axes<R> {
        Axes {
            x: self.y.times_plus(other.z, -(self.z * other.y)),
            y: self.z.times_plus(other.x, -(self.x * other.z)),
            z: self.x.times_plus(other.y, -(self.y * other.x)),
        }
    }

    /// self × by + plus.
    #[inline(always)]
    pub(crate) fn times_plus(self, by: R, plus: Axes<R>) -> Axes<R> {
        Axes {
            x: self.x.times_plus(by, plus.x),
            y: self.y.times_plus(by, plus.y),
            z: self.z.times_plus(by, plus.z),
        }
    }

    #[inline(always)]
    pub(crate) fn pick(mask: R::Mask, yes: Axes<R>, no: Axes<R>) -> Axes<R> {
        Axes {
            x: R::pick(mask, yes.x, no.x),
            y: R::pick(mask, yes.y, no.y),
            z: R::pick(mask, yes.z, no.z),
        }
    }

    /// Component by component.
    #[inline(always)]
    pub(crate) fn scaled(self, by: Axes<R>) -> Axes<R> {
        Axes::new(self.x * by.x, self.y * by.y, self.z * by.z)
    }

    /// Each component limited to ± that of `most`.
    #[inline(always)]
    pub(crate) fn clamped(self, most: &Vector3<f64>) -> Axes<R> {
        Axes {
            x: self.x.clamped(most.x),
            y: self.y.clamped(most.y),
            z: self.z.clamped(most.z),
        }
    }
}

impl From<&Vector3<f64>> for Axes<f64> {
    #[inline(always)]
    fn from(v: &Vector3<f64>) -> Axes<f64> {
        Axes::new(v.x, v.y, v.z)
    }
}

impl From<Axes<f64>> for Vector3<f64> {
    #[inline(always)]
    fn from(v: Axes<f64>) -> Vector3<f64> {
        Vector3::new(v.x, v.y, v.z)
    }
}

impl<R: Real> Add for Axes<R> {
    type Output = Axes<R>;
    #[inline(always)]
    fn add(self, other: Axes<R>) -> Axes<R> {
        Axes::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

impl<R: Real> Sub for Axes<R> {
    type Output = Axes<R>;
    #[inline(always)]
    fn sub(self, other: Axes<R>) -> Axes<R> {
        Axes::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl<R: Real> Neg for Axes<R> {
    type Output = Axes<R>;
    #[inline(always)]
    fn neg(self) -> Axes<R> {
        Axes::new(-self.x, -self.y, -self.z)
    }
}

impl<R: Real> Mul<R> for Axes<R> {
    type Output = Axes<R>;
    #[inline(always)]
    fn mul(self, by: R) -> Axes<R> {
        Axes::new(self.x * by, self.y * by, self.z * by)
    }
}

/// A quaternion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Turn<R> {
    pub(crate) w: R,
    pub(crate) i: Axes<R>,
}

impl<R: Real> Turn<R> {
    /// q(k) in lane k.
    #[inline(always)]
    pub(crate) fn fill(like: R, mut q: impl FnMut(usize) -> Quaternion<f64>) -> Turn<R> {
        Turn {
            w: like.fill(|k| q(k).w),
            i: Axes::fill(like, |k| q(k).imag()),
        }
    }

    #[inline(always)]
    pub(crate) fn lane(&self, k: usize) -> Quaternion<f64> {
        Quaternion::from_parts(self.w.lane(k), self.i.lane(k))
    }

    #[inline(always)]
    pub(crate) fn normalised(self) -> Turn<R> {
        let norm_squared = self.w * self.w + self.i.dot(self.i);
        self * (self.w.like(1.0) / norm_squared.sqrt())
    }

    /// self ⊗ (0, v)
    #[inline(always)]
    pub(crate) fn times_vector(self, v: Axes<R>) -> Turn<R> {
        Turn {
            w: -self.i.dot(v),
            i: v.times_plus(self.w, self.i.cross(v)),
        }
    }

    /// The conjugate of self ⊗ `other`.
    #[inline(always)]
    pub(crate) fn conjugate_times(self, other: Turn<R>) -> Turn<R> {
        Turn {
            w: self.w * other.w + self.i.dot(other.i),
            i: other.i * self.w - self.i * other.w - self.i.cross(other.i),
        }
    }

    /// The rotation as a matrix, I + 2 w Q + 2 Q² with Q the cross product by the vector part.
    #[inline(always)]
    pub(crate) fn matrix(self) -> Rotation<R> {
        let Turn { w, i } = self;
        let twice = i + i;
        let one = w.like(1.0);
        let minus = -twice;
        // 1 − 2 y², and so on.
        let (y, z) = (i.y.times_plus(minus.y, one), i.z * minus.z);
        let x = i.x * minus.x;
        let (wx, wy, wz) = (w * twice.x, w * twice.y, w * twice.z);
        Rotation {
            columns: [
                Axes::new(
                    y + z,
                    i.x.times_plus(twice.y, wz),
                    i.x.times_plus(twice.z, -wy),
                ),
                Axes::new(
                    i.x.times_plus(twice.y, -wz),
                    (x + one) + z,
                    i.y.times_plus(twice.z, wx),
                ),
                Axes::new(
                    i.x.times_plus(twice.z, wy),
                    i.y.times_plus(twice.z, -wx),
                    y + x,
                ),
            ],
        }
    }
}

impl From<&UnitQuaternion<f64>> for Turn<f64> {
    #[inline(always)]
    fn from(q: &UnitQuaternion<f64>) -> Turn<f64> {
        Turn {
            w: q.w,
            i: Axes::new(q.i, q.j, q.k),
        }
    }
}

impl<R: Real> Turn<R> {
    /// self × by + plus.
    #[inline(always)]
    pub(crate) fn times_plus(self, by: R, plus: Turn<R>) -> Turn<R> {
        Turn {
            w: self.w.times_plus(by, plus.w),
            i: self.i.times_plus(by, plus.i),
        }
    }
}

impl<R: Real> Add for Turn<R> {
    type Output = Turn<R>;
    #[inline(always)]
    fn add(self, other: Turn<R>) -> Turn<R> {
        Turn {
            w: self.w + other.w,
            i: self.i + other.i,
        }
    }
}

impl<R: Real> Mul<R> for Turn<R> {
    type Output = Turn<R>;
    #[inline(always)]
    fn mul(self, by: R) -> Turn<R> {
        Turn {
            w: self.w * by,
            i: self.i * by,
        }
    }
}

/// A rotation from body to world axes, by its columns: the body's axes in the world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rotation<R> {
    columns: [Axes<R>; 3],
}

impl<R: Real> Rotation<R> {
    #[inline(always)]
    pub(crate) fn to_world(self, v: Axes<R>) -> Axes<R> {
        let [x, y, z] = self.columns;
        z.times_plus(v.z, y.times_plus(v.y, x * v.x))
    }

    #[inline(always)]
    pub(crate) fn to_body(self, v: Axes<R>) -> Axes<R> {
        let [x, y, z] = self.columns;
        Axes::new(x.dot(v), y.dot(v), z.dot(v))
    }
}

/// A symmetric matrix, as inertias are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Symmetric<R> {
    diagonal: Axes<R>,
    /// xy, xz, yz; absent where all are zero.
    others: Option<[R; 3]>,
}

impl Symmetric<f64> {
    pub(crate) fn of(m: &Matrix3<f64>) -> Symmetric<f64> {
        let others = [m[(0, 1)], m[(0, 2)], m[(1, 2)]];
        Symmetric {
            diagonal: Axes::new(m[(0, 0)], m[(1, 1)], m[(2, 2)]),
            others: others.iter().any(|x| *x != 0.0).then_some(others),
        }
    }
}

impl<R: Real> Symmetric<R> {
    /// m(k) in lane k. Matrices of one vehicle: all have other than diagonal entries, or none.
    pub(crate) fn fill(like: R, m: impl Fn(usize) -> Symmetric<f64>) -> Symmetric<R> {
        let entry = |at: usize| like.fill(|k| m(k).others.map_or(0.0, |others| others[at]));
        Symmetric {
            diagonal: Axes::fill(like, |k| m(k).diagonal.into()),
            others: m(0).others.map(|_| [entry(0), entry(1), entry(2)]),
        }
    }

    #[inline(always)]
    pub(crate) fn times(&self, v: Axes<R>) -> Axes<R> {
        let d = self.diagonal;
        let straight = Axes::new(d.x * v.x, d.y * v.y, d.z * v.z);
        match self.others {
            None => straight,
            Some([xy, xz, yz]) => {
                straight
                    + Axes::new(
                        xy * v.y + xz * v.z,
                        xy * v.x + yz * v.z,
                        xz * v.x + yz * v.y,
                    )
            }
        }
    }
}
