"""Flies a figure-8 with RotorPy's SE(3) controller, against RotorPy's own simulator and against
`windhover-sim serve --jsonl`, and prints how far the two flights are apart, as JSON.

usage: figure8.py SIM AIRFRAME FORM WIND_X WIND_Y WIND_Z

SIM is the program, AIRFRAME crazyflie or hummingbird (the two have the same parameters on both
sides; they are checked), FORM rotors (four rotor speeds) or wrench (thrust and moment).
"""

import json
import subprocess
import sys

import numpy as np
from rotorpy.controllers.quadrotor_control import SE3Control
from rotorpy.trajectories.lissajous_traj import TwoDLissajous
from rotorpy.vehicles import crazyflie_params, hummingbird_params
from rotorpy.vehicles.multirotor import Multirotor

DT_S = 0.01
DURATION_S = 20.0
PARAMETERS = {
    "crazyflie": crazyflie_params.quad_params,
    "hummingbird": hummingbird_params.quad_params,
}


class RotorPy:
    """Their plant."""

    def __init__(self, parameters, form, start, wind):
        abstraction = {"rotors": "cmd_motor_speeds", "wrench": "cmd_ctbm"}[form]
        # The integrator's default tolerances leave errors of a millimetre; ours has none such.
        tolerances = {"method": "RK45", "rtol": 1e-9, "atol": 1e-9}
        self.vehicle = Multirotor(
            parameters,
            initial_state=start,
            control_abstraction=abstraction,
            aero=True,
            integrator_kwargs=tolerances,
        )
        self.state = start
        self.wind = wind

    def step(self, control):
        self.state["wind"] = self.wind
        self.state = self.vehicle.step(self.state, control, DT_S)
        return self.state


class Windhover:
    """Ours, over standard streams."""

    def __init__(self, program, airframe, parameters, form, start, wind):
        self.form = form
        self.process = subprocess.Popen(
            [program, "serve", "--jsonl"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        x, y, z, w = start["q"]
        first = self.ask(
            {
                "type": "init",
                "airframe": airframe,
                "dt_s": DT_S,
                "wind": list(wind),
                "start": {
                    "position_m": list(start["x"]),
                    "velocity_m_s": list(start["v"]),
                    "attitude_wxyz": [w, x, y, z],
                    "rates_rad_s": list(start["w"]),
                    "rotors_rad_s": list(start["rotor_speeds"]),
                },
            }
        )
        self.check(first["airframe"], parameters)
        self.state = self.unpack(first)

    def ask(self, request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        reply = json.loads(self.process.stdout.readline())
        if "error" in reply:
            sys.exit(f"{request}: {reply['error']}")
        return reply

    def step(self, control):
        if self.form == "rotors":
            command = {"rotors_rad_s": list(control["cmd_motor_speeds"])}
        else:
            command = {
                "thrust_n": float(control["cmd_thrust"]),
                "moment_n_m": list(control["cmd_moment"]),
            }
        self.state = self.unpack(self.ask({"type": "step", **command}))
        return self.state

    def close(self):
        self.process.stdin.close()
        return self.process.wait(timeout=10)

    @staticmethod
    def unpack(reply):
        w, x, y, z = reply["attitude_wxyz"]
        return {
            "x": np.array(reply["position_m"]),
            "v": np.array(reply["velocity_m_s"]),
            "q": np.array([x, y, z, w]),
            "w": np.array(reply["rates_rad_s"]),
            "rotor_speeds": np.array(reply["rotors_rad_s"]),
        }

    @staticmethod
    def check(airframe, theirs):
        """The same vehicle on both sides, number by number."""
        rotors, drag = airframe["rotors"], airframe["rotor_drag"]
        pairs = [
            (airframe["mass_kg"], theirs["mass"]),
            (airframe["inertia_kg_m2"][0][0], theirs["Ixx"]),
            (airframe["inertia_kg_m2"][1][1], theirs["Iyy"]),
            (airframe["inertia_kg_m2"][2][2], theirs["Izz"]),
            (rotors["thrust_n_s2_per_rad2"], theirs["k_eta"]),
            (rotors["torque_n_m_s2_per_rad2"], theirs["k_m"]),
            (rotors["lag_s"], theirs["tau_m"]),
            (rotors["max_speed_rad_s"], theirs["rotor_speed_max"]),
            (drag["in_plane_n_s2_per_rad_m"], theirs["k_d"]),
            (drag["axial_n_s2_per_rad_m"], theirs["k_z"]),
            (drag["translational_lift_n_s2_per_m2"], theirs["k_h"]),
            (drag["flapping_n_s2_per_rad"], theirs["k_flap"]),
        ]
        body = airframe.get("body_drag", {"quadratic_n_s2_per_m2": [0.0, 0.0, 0.0]})
        pairs += zip(body["quadratic_n_s2_per_m2"], [theirs[f"c_D{axis}"] for axis in "xyz"])
        pairs += zip(rotors["yaw_torque_signs"], theirs["rotor_directions"])
        for ours, hub in zip(rotors["positions_m"], theirs["rotor_pos"].values()):
            pairs += zip(ours, hub)
        for ours, others in pairs:
            if abs(ours - others) > 1e-9 * abs(others):
                sys.exit(f"parameters differ: {ours} and {others}")


def fly(plant, parameters, trajectory):
    """Positions after every step, and the tracking error."""
    controller = SE3Control(parameters)
    state = plant.state
    path, error = [], []
    for k in range(round(DURATION_S / DT_S)):
        control = controller.update(k * DT_S, state, trajectory.update(k * DT_S))
        state = plant.step(control)
        path.append(state["x"])
        error.append(np.linalg.norm(state["x"] - trajectory.update((k + 1) * DT_S)["x"]))
    return np.array(path), float(np.sqrt(np.mean(np.square(error))))


def main():
    program, airframe, form, *wind = sys.argv[1:]
    parameters = {**PARAMETERS[airframe], "motor_noise_std": 0.0}
    wind = np.array([float(x) for x in wind])
    trajectory = TwoDLissajous(A=1.0, B=0.5, a=1.0, b=2.0, height=0.0)
    first = trajectory.update(0.0)
    hover = np.sqrt(parameters["mass"] * 9.81 / 4 / parameters["k_eta"])

    def start():
        return {
            "x": np.array(first["x"], dtype=float),
            "v": np.array(first["x_dot"], dtype=float),
            "q": np.array([0.0, 0.0, 0.0, 1.0]),
            "w": np.zeros(3),
            "wind": wind,
            "rotor_speeds": np.full(4, hover),
        }

    theirs, their_rmse = fly(RotorPy(parameters, form, start(), wind), parameters, trajectory)
    ours_plant = Windhover(program, airframe, parameters, form, start(), wind)
    ours, our_rmse = fly(ours_plant, parameters, trajectory)
    code = ours_plant.close()
    print(
        json.dumps(
            {
                "rmse_rotorpy_m": their_rmse,
                "rmse_windhover_m": our_rmse,
                "greatest_distance_m": float(np.max(np.linalg.norm(ours - theirs, axis=1))),
                "exit_code": code,
                "extent_m": float(np.max(np.ptp(ours, axis=0))),
            }
        )
    )


main()
