"""Reference simulation of multirotors, written from the equations alone (no simulator source was looked at).
Usage: reference.py > cases.json     three cases, 2 s at 1 ms      reference.py --check     order of convergence

SI units. World and body axes x forward, y left, z up; quaternion w x y z, body to world; rates in body axes. Position and
velocity are those of the centre of mass; hub = position - centre_of_mass; inertia about the centre of mass, its matrix as
written, tau = J dw/dt + w x J w. Step k covers t = k dt .. (k+1) dt: u_i = hover (1 + 0.03 sin(2 pi (0.7 + 0.1 i) t + i)) at
t = k dt (i from 0), clamped to the rotors' range, held over the step. Rotor speeds: start s, middle u + (s - u) exp(-dt/2/lag),
end u + (s - u) exp(-dt/lag). Runge-Kutta: stage 1 uses the start, stages 2 and 3 the middle, stage 4 the end speeds, and dw_i/dt
= (u_i - w_i)/lag at the same instant. Stage quaternions are not normalised, rotated with R(q), the polynomial in q of
rotation(); the quaternion is normalised after the step. Torque of rotor i: s_i (q_i C_Q w_i^2 + J_r dw_i/dt) along its axis.
"""
import json
import sys

import numpy as np

G = 9.80665


def rotation(q):
    """Matrix of the quaternion; for a stage quaternion that is not quite of unit length it is this polynomial."""
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def derivative(p, y, n, dn, wind):
    """Time derivative of the state y = position, velocity, quaternion, rates at rotor speeds n and accelerations dn."""
    v, q, w = y[3:6], y[6:10], y[10:13]
    R, J = rotation(q), p["inertia"]
    hub = p["positions"] - p["centre_of_mass"]
    thrust = (p["thrust_factors"] * p["c_t"] * n ** 2)[:, None] * p["directions"]
    about_axis = p["yaw_torque_signs"] * (p["torque_factors"] * p["c_q"] * n ** 2 + p["rotor_inertia"] * dn)
    air = R.T @ (v - wind)                                  # velocity through the air, body axes
    body_drag = -np.linalg.norm(air) * p["body_drag"] * air
    local = air + np.cross(w, hub)                          # at each hub
    drag = -n[:, None] * np.array([p["k_d"], p["k_d"], p["k_z"]]) * local
    drag[:, 2] += p["k_h"] * (local[:, 0] ** 2 + local[:, 1] ** 2)
    flapping = -p["k_flap"] * n[:, None] * np.cross(local, [0.0, 0.0, 1.0])
    force = (thrust + drag).sum(axis=0) + body_drag
    moment = (np.cross(hub, thrust + drag) + about_axis[:, None] * p["directions"] + flapping).sum(axis=0)
    dq = 0.5 * np.concatenate(([-q[1:] @ w], q[0] * w + np.cross(q[1:], w)))
    return np.concatenate((v, R @ force / p["mass"] - [0.0, 0.0, G], dq, np.linalg.solve(J, moment - np.cross(w, J @ w))))


def step(p, y, n, u, wind, dt):
    """One Runge-Kutta step; returns the state and the rotor speeds at its end."""
    u = np.clip(u, p["min_speed"], p["max_speed"])
    speeds = [u + (n - u) * np.exp(-t / p["lag"]) for t in (0.0, dt / 2, dt)]
    f = lambda y, k: derivative(p, y, speeds[k], (u - speeds[k]) / p["lag"], wind)
    k1 = f(y, 0)
    k2 = f(y + dt / 2 * k1, 1)
    k3 = f(y + dt / 2 * k2, 1)
    k4 = f(y + dt * k3, 2)
    y = y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    y[6:10] /= np.linalg.norm(y[6:10])
    return y, speeds[2]


def vehicle(name, angles, mass, c_t, c_q, inertia, coaxial=False, **more):
    """Arms at the given degrees clockwise from forward; signs alternate along the arms, a lower rotor's is opposite."""
    arms = [0.35 * np.array([np.cos(np.radians(a)), -np.sin(np.radians(a)), 0.0]) for a in angles]
    levels = (0.03, -0.03) if coaxial else (0.0,)
    n = len(angles) * len(levels)
    factors = lambda lower: np.tile([1.0, lower], len(angles)) if coaxial else np.ones(n)
    p = dict(name=name, mass=mass, inertia=np.array(inertia), c_t=c_t, c_q=c_q, lag=0.04, min_speed=0.0, max_speed=900.0,
             positions=np.array([a + [0.0, 0.0, z] for a in arms for z in levels]), directions=np.tile([0.0, 0.0, 1.0], (n, 1)),
             yaw_torque_signs=np.array([(-1.0) ** (i + j) for i in range(len(angles)) for j in range(len(levels))]),
             thrust_factors=factors(0.85), torque_factors=factors(1.05), centre_of_mass=np.zeros(3), rotor_inertia=0.0,
             body_drag=np.array([0.02, 0.03, 0.04]), k_d=1.2e-4, k_z=2.3e-4, k_h=2e-3, k_flap=3e-6) | more
    p["hover_speed"] = float(np.sqrt(mass * G / (c_t * p["thrust_factors"].sum())))
    return p


def start(p, velocity, quaternion, rates):
    q = np.array(quaternion) / np.linalg.norm(quaternion)
    return (np.concatenate(([1.0, -2.0, 10.0], velocity, q, rates)),
            p["hover_speed"] * (0.9 + 0.02 * np.arange(len(p["positions"]))))


CASES = [
    (vehicle("hexa_x", [-30, 30, 90, 150, 210, 270], 2.4, 1.5e-5, 2.5e-7,
             [[0.045, 0.002, -0.001], [0.002, 0.05, 0.0015], [-0.001, 0.0015, 0.08]]),
     [1.5, -0.7, 0.4], [0.95, 0.1, -0.2, 0.15], [0.4, -0.3, 0.6]),
    (vehicle("octo_plus", [45 * i for i in range(8)], 3.6, 1.4e-5, 2.2e-7,
             [[0.08, -0.003, 0.002], [-0.003, 0.085, 0.001], [0.002, 0.001, 0.15]]),
     [-2.0, 1.0, 0.5], [0.9, -0.15, 0.25, 0.3], [-0.5, 0.2, 0.8]),
    (vehicle("coaxial_x8", [-45, 45, 135, 225], 5.0, 1.8e-5, 3e-7,
             [[0.14, 0.004, 0.003], [0.004, 0.16, -0.002], [0.003, -0.002, 0.24]], coaxial=True,
             rotor_inertia=2e-5, centre_of_mass=np.array([0.01, -0.02, 0.005])),
     [0.8, 2.0, -0.6], [0.92, 0.2, 0.1, -0.3], [0.3, 0.5, -0.7])]
tilted = CASES[0][0] | dict(name="hexa_x_tilted", rotor_inertia=2e-5)  # each rotor leans along its arm's side, in turn
lean = np.cross([0.0, 0.0, 1.0], tilted["positions"]) * tilted["yaw_torque_signs"][:, None] + [0.0, 0.0, 1.0]
tilted["directions"] = lean / np.linalg.norm(lean, axis=1)[:, None]
CASES.append((tilted, *CASES[0][1:]))
WIND = np.array([3.0, -2.0, 0.5])


def run(p, y, n, steps, dt, hold=1):
    """States at 0 .. steps; the command is evaluated anew every `hold` steps (1 except in the convergence check)."""
    i, states = np.arange(len(n)), [(y, n)]
    for k in range(steps):
        t = k // hold * hold * dt
        u = p["hover_speed"] * (1 + 0.03 * np.sin(2 * np.pi * (0.7 + 0.1 * i) * t + i))
        y, n = step(p, y, n, u, WIND, dt)
        states.append((y, n))
    return states


def named(y, n):
    return dict(position=y[:3], velocity=y[3:6], quaternion=y[6:10], rates=y[10:13], rotor_speeds=n)


if sys.argv[1:] == ["--check"]:                             # commands held 40 ms; error against 0.3125 ms
    for p, *initial in CASES:
        end = lambda m: run(p, *start(p, *initial), 25 * m, 0.04 / m, m)[-1][0]
        exact = end(128)
        e = [np.abs(end(m) - exact).max() for m in (2, 4, 8, 16)]
        print(p["name"], "errors", [f"{x:.3g}" for x in e], "ratios", [f"{a / b:.3f}" for a, b in zip(e, e[1:])])
else:
    plain = lambda d: {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in d.items()}
    cases = []
    for p, *initial in CASES:
        states = run(p, *start(p, *initial), 2000, 1e-3)
        p = {k: v for k, v in p.items() if k != "directions" or v[0][2] < 1}   # where not all pull upwards
        after = ",\n  ".join(json.dumps([k, plain(named(*states[k]))]) for k in (500, 1000, 2000))
        cases.append(json.dumps(plain(p))[:-1] + f""",
 "wind": {WIND.tolist()}, "gravity": {G},
 "initial": {json.dumps(plain(named(*states[0])))},
 "after": [{after}]}}""")
    print("[" + ",\n".join(cases) + "]")
