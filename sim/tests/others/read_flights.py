"""Compares the samples that were read of flight logs with what the packages of others read of the same files.

usage: read_flights.py LOG SAMPLES [LOG SAMPLES ...]

SAMPLES has a line a sample: kind, time [s], numbers; a kind that this script makes nothing of counts as a difference.
"""

import importlib.util
import math
import struct
import sys
from pathlib import Path

import numpy as np

G = 9.80665


def up(columns):
    """Forward, right, down or north, east, down turned to forward, left, up or north, west, up."""
    return [sign * np.asarray(c, dtype=float) for sign, c in zip((1, -1, -1), columns)]


def ulog(path):
    from pyulog import ULog

    log = ULog(str(path))
    topics = {}
    for data in log.data_list:
        if data.name not in topics or data.multi_id < topics[data.name].multi_id:
            topics[data.name] = data
    found = {}

    def take(kind, topic, names, turn=lambda c: c, sampled=True):
        if topic not in topics or kind in found:
            return
        data = topics[topic].data
        if not all(name in data for name in names):
            return
        time = "timestamp_sample" if sampled and "timestamp_sample" in data else "timestamp"
        found[kind] = (data[time] * 1e-6, turn([data[name] for name in names]))

    parameters = log.initial_parameters
    rotors = parameters.get("CA_ROTOR_COUNT") or {2: 4, 13: 6, 14: 8}.get(parameters.get("MAV_TYPE"), 4)

    def commands(columns):
        asked = [np.nan_to_num(np.asarray(c, dtype=float)) for c in columns]
        f = parameters.get("THR_MDL_FAC", 0)
        if f > 0:
            # FunctionMotors: the signal s of what is asked, f s^2 + (1 - f) s.
            asked = [(np.sqrt((1 - f) ** 2 + 4 * f * np.maximum(u, 0)) - (1 - f)) / (2 * f) for u in asked]
        return [np.clip(u, 0, 1) for u in asked]

    def outputs(columns):
        def limit(i, end, otherwise):
            own = parameters.get(f"PWM_MAIN_{end}{i + 1}")
            return own if own is not None else parameters.get(f"PWM_{end}", otherwise)

        shares = []
        for i, c in enumerate(columns):
            least, most = limit(i, "MIN", 1000), limit(i, "MAX", 2000)
            shares.append(np.clip((np.asarray(c, dtype=float) - least) / (most - least), 0, 1))
        return shares

    xyz = [f"xyz[{i}]" for i in range(3)]
    take("motors", "actuator_motors", [f"control[{i}]" for i in range(rotors)], commands, False)
    take("motors", "actuator_outputs", [f"output[{i}]" for i in range(rotors)], outputs, False)
    take("gyro", "sensor_combined", [f"gyro_rad[{i}]" for i in range(3)], up)
    take("gyro", "vehicle_angular_velocity", xyz, up)
    take("accelerometer", "sensor_combined", [f"accelerometer_m_s2[{i}]" for i in range(3)], up)
    take("accelerometer", "vehicle_acceleration", xyz, up)
    take("attitude", "vehicle_attitude", [f"q[{i}]" for i in range(4)], lambda q: [q[0], *up(q[1:])])
    take("velocity", "vehicle_local_position", ["vx", "vy", "vz"], up)
    take("battery", "battery_status", ["voltage_v"])
    if "esc_status" in topics:
        count = int(topics["esc_status"].data["esc_count"][0])
        names = [f"esc[{i}].esc_rpm" for i in range(count)]
        take("rotor speeds", "esc_status", names, lambda c: [one * (2 * math.pi / 60) for one in c])
    return found


def dataflash(path):
    from pymavlink import DFReader

    log = DFReader.DFReader_binary(str(path), zero_time_base=True)
    rows, parameters, speeds = {}, {}, []
    while True:
        message = log.recv_msg()
        if message is None:
            break
        kind = message.get_type()
        if kind == "PARM":
            parameters[message.Name] = message.Value
            continue
        fields = message._fieldnames
        instance = [getattr(message, name) for name in ("I", "C", "Inst", "Instance") if name in fields]
        if kind == "ESC":
            speeds.append((message.TimeUS, message.Instance, message.RPM))
        elif not instance or instance[0] == 0:
            rows.setdefault(kind, []).append(message)
    found = {}

    def take(kind, name, columns, turn=lambda c: c, time="TimeUS"):
        messages = rows.get(name, [])
        if kind in found or not messages:
            return
        if any(column not in messages[0]._fieldnames for column in columns):
            return
        values = [np.array([float(getattr(m, column)) for m in messages]) for column in columns]
        found[kind] = (np.array([getattr(m, time) for m in messages]) * 1e-6, turn(values))

    def quaternion(angles):
        roll, pitch, yaw = [np.radians(a) / 2 for a in angles]
        sr, cr, sp, cp = np.sin(roll), np.cos(roll), np.sin(pitch), np.cos(pitch)
        sy, cy = np.sin(yaw), np.cos(yaw)
        w = cr * cp * cy + sr * sp * sy
        x = sr * cp * cy - cr * sp * sy
        y = cr * sp * cy + sr * cp * sy
        z = cr * cp * sy - sr * sp * cy
        return [w, *up([x, y, z])]

    functions = {parameters.get(f"SERVO{n}_FUNCTION"): n for n in range(14, 0, -1)}
    motors = []
    for function in [*range(33, 41), *range(82, 86)]:
        if function not in functions:
            break
        motors.append(functions[function])
    motors = motors or list(range(1, {1: 4, 2: 6, 3: 8}.get(parameters.get("FRAME_CLASS"), 4) + 1))
    least, most = parameters.get("MOT_PWM_MIN") or 1000, parameters.get("MOT_PWM_MAX") or 2000

    def shares(columns):
        return [np.clip((c - least) / (most - least), 0, 1) for c in columns]

    gyro, force = ["GyrX", "GyrY", "GyrZ"], ["AccX", "AccY", "AccZ"]
    take("gyro", "GYR", gyro, up, "SampleUS")
    take("gyro", "IMU", gyro, up)
    take("accelerometer", "ACC", force, up, "SampleUS")
    take("accelerometer", "IMU", force, up)
    take("motors", "RCOU", [f"C{n}" for n in motors], shares)
    take("attitude", "ATT", ["Roll", "Pitch", "Yaw"], quaternion)
    take("velocity", "XKF1", ["VN", "VE", "VD"], up)
    take("velocity", "NKF1", ["VN", "VE", "VD"], up)
    # Whole numbers come out as they were written; the log says that these are hundredths.
    whole = "BAT" in rows and isinstance(rows["BAT"][0].Volt, int)
    take("battery", "BAT", ["Volt"], lambda c: [one * (0.01 if whole else 1) for one in c])
    if speeds:
        # A round is known to be whole when the next begins; motors are told apart by their channels.
        rounds = [speeds[i : i + len(motors)] for i in range(0, len(speeds), len(motors))][:-1]
        times = np.array([reports[-1][0] for reports in rounds]) * 1e-6
        rpm = [{channel: value for _, channel, value in reports} for reports in rounds]
        columns = [np.array([one[n - 1] for one in rpm]) * (2 * math.pi / 60) for n in motors]
        found["rotor speeds"] = (times, columns)
    return found


def blackbox(path):
    from orangebox import Parser

    parser = Parser.load(str(path))
    parts, shift, end = {}, 0, None
    for index in range(1, parser.reader.log_count + 1):
        parser.set_log_index(index)
        headers = parser.headers
        names = parser.field_names
        (scale,) = struct.unpack("<f", struct.pack("<I", headers["gyro_scale"]))
        least, most = headers["motorOutput"]
        frames = [frame.data for frame in parser.frames() if frame.type.name in ("INTRA", "INTER")]
        # Fields of other frames follow those of the main ones.
        main = [(i, name) for i, name in enumerate(names) if frames[0][i] != ""]
        column = {name: np.array([frame[i] for frame in frames], dtype=float) for i, name in main}
        time = column["time"]
        if end is not None and time[0] + shift <= end:
            shift = end + 1e6 - time[0]
        time = time + shift
        end = time[-1]

        def take(kind, stem, count, turn):
            if all(f"{stem}[{i}]" in column for i in range(count)):
                values = [turn(column[f"{stem}[{i}]"]) for i in range(count)]
                parts.setdefault(kind, []).append((time * 1e-6, values))

        motors = sum(name.startswith("motor[") for name in column)
        take("motors", "motor", motors, lambda c: np.clip((c - least) / (most - least), 0, 1))
        take("gyro", "gyroADC", 3, lambda c: c * scale * math.pi / 180)
        take("accelerometer", "accSmooth", 3, lambda c: c * G / headers["acc_1G"])
        poles = headers.get("motor_poles", 14)
        speeds = sum(name.startswith("eRPM[") for name in column)
        if speeds:
            take("rotor speeds", "eRPM", speeds, lambda c: c * 100 / (poles / 2) * 2 * math.pi / 60)
        parts.setdefault("battery", []).append((time * 1e-6, [column["vbatLatest"] * 0.01]))
    found = {}
    for kind, each in parts.items():
        columns = [np.concatenate([part[1][i] for part in each]) for i in range(len(each[0][1]))]
        found[kind] = (np.concatenate([part[0] for part in each]), columns)
    return found


def crazyflie(path):
    data = Path(path).read_bytes()
    at = 5
    version, count = struct.unpack_from("<HH", data, 1)

    def text():
        nonlocal at
        end = data.index(0, at)
        start, at = at, end + 1
        return data[start:end].decode()

    kinds = {}
    for _ in range(count):
        (number,) = struct.unpack_from("<H", data, at)
        at += 2
        text()
        (variables,) = struct.unpack_from("<H", data, at)
        at += 2
        named = [text() for _ in range(variables)]
        kinds[number] = ([name[:-3] for name in named], "<" + "".join(name[-2] for name in named))
    rows = {number: [] for number in kinds}
    head = "<HI" if version == 1 else "<HQ"
    while at < len(data) - 4:
        number, time = struct.unpack_from(head, data, at)
        at += struct.calcsize(head)
        rows[number].append((time * (1e-3 if version == 1 else 1e-6), struct.unpack_from(kinds[number][1], data, at)))
        at += struct.calcsize(kinds[number][1])
    found = {}
    wanted = {
        "motors": (["motor.m1", "motor.m2", "motor.m3", "motor.m4"], 1 / 65535),
        "gyro": (["gyro.x", "gyro.y", "gyro.z"], math.pi / 180),
        "accelerometer": (["acc.x", "acc.y", "acc.z"], G),
        "battery": (["pm.vbat"], 1),
    }
    for kind, (names, unit) in wanted.items():
        for number, (variables, _) in kinds.items():
            if all(name in variables for name in names):
                places = [variables.index(name) for name in names]
                time = np.array([row[0] for row in rows[number]])
                columns = [np.array([row[1][i] for row in rows[number]]) * unit for i in places]
                found[kind] = (time, columns)
    return found


def reader(path):
    start = Path(path).read_bytes()[:18]
    if start.startswith(b"ULog"):
        return ulog
    if start.startswith(b"\xa3\x95"):
        return dataflash
    return crazyflie if start.startswith(b"\xbc") else blackbox


def compare(path, samples):
    expected = reader(path)(path)
    ours = {}
    for line in Path(samples).read_text().splitlines():
        kind, *numbers = line.split(",")
        ours.setdefault(kind, []).append([float(number) for number in numbers])
    assert set(ours) == set(expected), (path, sorted(ours), sorted(expected))
    # Times count from the first sample in the file, which no other reader names: the kinds share one beginning.
    kind = min(ours)
    start = expected[kind][0][0] - ours[kind][0][0]
    count = 0
    for kind, (time, columns) in expected.items():
        table = np.array(ours[kind])
        fresh = np.concatenate([[True], np.diff(time) > 0])
        assert len(table) == fresh.sum(), (path, kind, len(table), fresh.sum())
        apart = np.abs(table[:, 0] - (np.asarray(time)[fresh] - start)).max()
        assert apart < 1e-6, (path, kind, "time", apart)
        assert table.shape[1] == 1 + len(columns), (path, kind, table.shape, len(columns))
        for i, column in enumerate(columns):
            column = np.asarray(column, dtype=float)[fresh]
            apart = np.abs(table[:, 1 + i] - column) / np.maximum(1.0, np.abs(column))
            assert apart.max() < 1e-12, (path, kind, i, apart.argmax(), apart.max())
            count += len(column)
    return count


def main():
    arguments = sys.argv[1:]
    for path, samples in zip(arguments[::2], arguments[1::2]):
        if reader(path) is blackbox and not importlib.util.find_spec("orangebox"):
            print(f"{Path(path).name}: skipped, orangebox is not installed")
            continue
        print(f"{Path(path).name}: {compare(path, samples)} numbers agree")


main()
