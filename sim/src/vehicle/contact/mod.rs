//! Contact: the vehicle as a rigid body among surfaces, where free flight ends.
//!
//! The rigid-body engine rapier (double precision) owns the body while it is near a surface:
//! standing, take-off, landing, impact. It is first order in time and has no rotors, so
//! it stays out of flights that come near nothing. Contacts are inelastic (no restitution) with
//! Coulomb friction; the surfaces do not move. The shape that touches is the [`Hull`].
//!
//! A flight loop looks at [`World::clearance_m`] before each step: below [`Hull::take_over_m`] it
//! builds a [`Contact`] from the state and steps that, above [`Hull::give_back_m`] it drops it and
//! flies on from the state. A flight that stays clear computes nothing else, and its samples are
//! those of a flight without a world, bit for bit.
//!
//! What it ignores: elasticity of the landing gear, damage, the air cushion near the ground, and
//! what a turning propeller does to the thing it hits.

mod hull;

pub use hull::{Block, Hull, rest_height_m};

use crate::{Airframe, GRAVITY_M_S2, State, World};
use nalgebra::{Matrix3, Quaternion, Rotation3, SymmetricEigen, Unit, UnitQuaternion, Vector3};
use rapier3d::prelude as rapier;

/// Coefficient of Coulomb friction of every contact: plastic on dry concrete or wood.
pub const FRICTION: f64 = 0.5;

/// How far ahead of the hull contacts are looked for, over the height of the gear. What is met
/// faster than this is caught by the engine's continuous collision detection.
const LOOK_AHEAD_OVER_GEAR: f64 = 0.1;

/// Natural frequency with which a penetration is pushed out, critically damped [Hz].
const CONTACT_HZ: f64 = 500.0;

/// A surface that a vehicle can touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// The ground plane.
    Ground,
    /// The obstacle with this index in [`World::obstacles`].
    Obstacle(usize),
}

/// Which part of the vehicle touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The landing gear, or the body above it.
    Gear,
    /// The slab that covers the propeller discs.
    Rotors,
}

/// What one step's contacts did to the body. Surface, part, point and normal are those of the
/// contact with the greatest impulse.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// Sum of the normal impulses of all contacts over the step [N s].
    pub impulse_n_s: f64,
    /// What was touched.
    pub surface: Surface,
    /// With what.
    pub part: Part,
    /// Where, in the world frame, on the surface [m].
    pub point_m: Vector3<f64>,
    /// Unit normal of the surface there in the world frame, towards the vehicle.
    pub normal: Vector3<f64>,
}

/// A vehicle in contact, or close to it. It carries the body on from the state that it was built
/// with; another flight, or the same one after free flight, needs a new one.
pub struct Contact {
    engine: rapier::PhysicsWorld,
    body: rapier::RigidBodyHandle,
    parts: [(Part, rapier::ColliderHandle); 2],
}

impl Contact {
    /// Takes over the body of `airframe` in `state` among the surfaces of `world`, to be moved on
    /// in steps of `dt_s` [s].
    ///
    /// # Panics
    /// When the inertia is not positive definite, which [`Airframe::check`] excludes, or `dt_s` is
    /// not positive.
    pub fn new(world: &World, airframe: &Airframe, state: &State, dt_s: f64) -> Contact {
        assert!(dt_s > 0.0, "a step of {dt_s} s moves nothing");
        let hull = Hull::of(airframe);
        let mut engine = rapier::PhysicsWorld {
            gravity: rapier::Vector::new(0.0, 0.0, -GRAVITY_M_S2),
            integration_parameters: parameters(dt_s, hull.rest_height_m()),
            ..Default::default()
        };
        insert_surfaces(&mut engine, world);
        let body = engine.insert_body(body_of(airframe, state));
        let parts = [(Part::Gear, hull.gear), (Part::Rotors, hull.rotors)]
            .map(|(part, block)| (part, engine.insert_collider(collider(&block), Some(body))));
        Contact {
            engine,
            body,
            parts,
        }
    }

    /// Moves the body on by one step under a force in world axes [N], which leaves out the weight,
    /// and a moment about the centre of mass in body axes [N m], both held over the step. Writes
    /// position, velocity, attitude and body rates into `state`; the rotor speeds are the
    /// caller's. Returns what was touched during the step, if anything pushed back.
    pub fn step(
        &mut self,
        state: &mut State,
        force_world_n: &Vector3<f64>,
        moment_body_n_m: &Vector3<f64>,
    ) -> Option<Touch> {
        let body = &mut self.engine.bodies[self.body];
        let attitude = *body.rotation();
        // Forces persist in the engine until they are reset.
        body.reset_forces(true);
        body.reset_torques(true);
        body.add_force(vector(force_world_n), true);
        body.add_torque(attitude * vector(moment_body_n_m), true);
        self.engine.step();

        let body = &self.engine.bodies[self.body];
        let q = body.rotation();
        state.position_m = from_vector(body.translation());
        state.velocity_m_s = from_vector(body.linvel());
        state.attitude = UnitQuaternion::new_normalize(Quaternion::new(q.w, q.x, q.y, q.z));
        state.rates_rad_s = state
            .attitude
            .inverse_transform_vector(&from_vector(body.angvel()));
        self.touch()
    }

    /// The contacts of the step just made.
    fn touch(&self) -> Option<Touch> {
        let mut total_n_s = 0.0;
        let mut hardest: Option<Touch> = None;
        for (part, own) in self.parts {
            for pair in self.engine.narrow_phase.contact_pairs_with(own) {
                for manifold in pair.manifolds() {
                    for point in &manifold.points {
                        total_n_s += point.data.impulse;
                        if point.data.impulse > hardest.map_or(0.0, |most| most.impulse_n_s) {
                            hardest = Some(self.touch_at(part, own, pair, manifold, point));
                        }
                    }
                }
            }
        }
        hardest.map(|most| Touch {
            impulse_n_s: total_n_s,
            ..most
        })
    }

    /// One contact point of the hull's collider `own`. The engine orders a pair as it likes; its
    /// normal points from the first collider to the second.
    fn touch_at(
        &self,
        part: Part,
        own: rapier::ColliderHandle,
        pair: &rapier::ContactPair,
        manifold: &rapier::ContactManifold,
        point: &rapier::Contact,
    ) -> Touch {
        let (other, local, sign) = if pair.collider1 == own {
            (pair.collider2, point.local_p2, -1.0)
        } else {
            (pair.collider1, point.local_p1, 1.0)
        };
        let fixed = &self.engine.colliders[other];
        Touch {
            impulse_n_s: point.data.impulse,
            surface: surface_of(fixed.user_data),
            part,
            point_m: from_vector(*fixed.position() * local),
            normal: from_vector(manifold.data.normal) * sign,
        }
    }
}

fn parameters(dt_s: f64, gear_m: f64) -> rapier::IntegrationParameters {
    rapier::IntegrationParameters {
        dt: dt_s,
        // Substeps of the engine: its first-order error is that of dt over this number.
        num_solver_iterations: 4,
        // Sweeps over the contact points in each substep. With the default of one, a light body on
        // wide gear (`omac`: m r² / J = 60 at a sole) is kicked sideways by a level touch-down.
        num_internal_pgs_iterations: 8,
        num_internal_stabilization_iterations: 8,
        // The default of 60 Hz lets `omac` sink 2 mm under its own weight, this 0.03 mm.
        static_contact_softness: rapier::SpringCoefficients::new(CONTACT_HZ, 1.0),
        normalized_prediction_distance: LOOK_AHEAD_OVER_GEAR * gear_m,
        // A small vehicle is no longer than the drift that reuse of stale contacts would tolerate.
        contact_recycling: false,
        contact_clustering: false,
        // No cap: a flight ends by its own rules.
        normalized_max_linear_velocity: f64::MAX,
        // Friction of the four soles as a whole, in every sweep: a level slide then stops within
        // 0.2 % of Coulomb's distance, where friction sole by sole stops 8 to 27 % late.
        friction_model: rapier::FrictionModel::Simplified,
        friction_in_bias_pass: true,
        ..Default::default()
    }
}

/// Ground and obstacles as fixed colliders, marked with what [`surface_of`] reads back.
fn insert_surfaces(engine: &mut rapier::PhysicsWorld, world: &World) {
    if let Some(z_m) = world.ground_z_m() {
        let ground = rapier::ColliderBuilder::halfspace(Unit::new_unchecked(rapier::Vector::Z))
            .translation(rapier::Vector::new(0.0, 0.0, z_m));
        engine.insert_collider(surfaced(ground, 0), None);
    }
    for (mark, obstacle) in (1..).zip(world.obstacles()) {
        let half = obstacle.size_m * 0.5;
        let yaw = rapier::Vector::new(0.0, 0.0, obstacle.yaw_deg.to_radians());
        let cuboid = rapier::ColliderBuilder::cuboid(half.x, half.y, half.z)
            .translation(vector(&obstacle.centre_m))
            .rotation(yaw);
        engine.insert_collider(surfaced(cuboid, mark), None);
    }
}

fn surfaced(collider: rapier::ColliderBuilder, mark: u128) -> rapier::ColliderBuilder {
    collider.friction(FRICTION).restitution(0.0).user_data(mark)
}

fn surface_of(mark: u128) -> Surface {
    match mark {
        0 => Surface::Ground,
        index => Surface::Obstacle(index as usize - 1),
    }
}

/// One box of the hull; it has no mass of its own.
fn collider(block: &Block) -> rapier::ColliderBuilder {
    let half = block.half_m();
    rapier::ColliderBuilder::cuboid(half.x, half.y, half.z)
        .translation(vector(&block.centre_m()))
        .density(0.0)
        .friction(FRICTION)
        .restitution(0.0)
}

/// The body with the airframe's mass and full inertia, in the motion of `state`.
fn body_of(airframe: &Airframe, state: &State) -> rapier::RigidBodyBuilder {
    let q = state.attitude.quaternion();
    let pose = rapier::Pose::from_parts(
        vector(&state.position_m),
        rapier::Rotation::from_xyzw(q.i, q.j, q.k, q.w),
    );
    rapier::RigidBodyBuilder::dynamic()
        .pose(pose)
        .linvel(vector(&state.velocity_m_s))
        .angvel(vector(&(state.attitude * state.rates_rad_s)))
        .additional_mass_properties(mass_properties(airframe.mass_kg, airframe.inertia()))
        .linear_damping(0.0)
        .angular_damping(0.0)
        .can_sleep(false)
        // Else the spin would be cut to an eighth of a turn a step.
        .allow_fast_rotation(true)
}

/// The engine wants principal moments and the rotation from their axes to the body's.
fn mass_properties(mass_kg: f64, inertia: Matrix3<f64>) -> rapier::MassProperties {
    let eigen = SymmetricEigen::new(inertia);
    let mut axes = eigen.eigenvectors;
    if axes.determinant() < 0.0 {
        axes.column_mut(2).neg_mut();
    }
    let frame = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
    let q = frame.quaternion();
    rapier::MassProperties::with_principal_inertia_frame(
        rapier::Vector::ZERO,
        mass_kg,
        vector(&eigen.eigenvalues),
        rapier::Rotation::from_xyzw(q.i, q.j, q.k, q.w),
    )
}

fn vector(v: &Vector3<f64>) -> rapier::Vector {
    rapier::Vector::new(v.x, v.y, v.z)
}

fn from_vector(v: rapier::Vector) -> Vector3<f64> {
    Vector3::new(v.x, v.y, v.z)
}

#[cfg(test)]
mod tests;
