"""Compares the logs of a flight with its CSV, read with the packages mcap and pyulog.

usage: read_logs.py FOLDER [KP]   with the gain position_xy.kp of the flight [6.0]
"""

import csv
import json
import sys
from pathlib import Path

import numpy as np
from mcap.reader import make_reader
from pyulog import ULog

MCAP = {
    "/vehicle/pose": {
        "x_m": ["pose", "position", "x"],
        "y_m": ["pose", "position", "y"],
        "z_m": ["pose", "position", "z"],
        "qw": ["pose", "orientation", "w"],
        "qx": ["pose", "orientation", "x"],
        "qy": ["pose", "orientation", "y"],
        "qz": ["pose", "orientation", "z"],
    },
    "/reference/pose": {"ref_x_m": ["pose", "position", "x"]},
    "/vehicle/motion": {"vz_m_s": ["velocity", "z"], "wy_rad_s": ["rates", "y"]},
    "/wind": {"wind_x_m_s": ["x"], "wind_z_m_s": ["z"]},
    "/motors": {"n2_rad_s": ["speed_rad_s", 1], "command4_rad_s": ["command_rad_s", 3]},
}

ULOG = {
    "vehicle_local_position": {"x_m": ("x", 1), "y_m": ("y", -1), "vz_m_s": ("vz", -1)},
    "vehicle_local_position_setpoint": {"ref_x_m": ("x", 1), "ref_y_m": ("y", -1)},
    "vehicle_attitude": {
        "qw": ("q[0]", 1),
        "qx": ("q[1]", 1),
        "qy": ("q[2]", -1),
        "qz": ("q[3]", -1),
    },
    "vehicle_angular_velocity": {"wx_rad_s": ("xyz[0]", 1), "wy_rad_s": ("xyz[1]", -1)},
    "wind": {"wind_y_m_s": ("windspeed_east", -1), "wind_z_m_s": ("windspeed_down", -1)},
}


def main():
    folder = Path(sys.argv[1])
    with open(folder / "samples.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    columns = {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}

    messages = {}
    with open(folder / "flight.mcap", "rb") as file:
        reader = make_reader(file, validate_crcs=True)
        for schema, channel, message in reader.iter_messages():
            assert schema.encoding == "jsonschema" and channel.message_encoding == "json"
            messages.setdefault(channel.topic, []).append(json.loads(message.data))
    compared_mcap = 0
    for topic, fields in MCAP.items():
        for column, path in fields.items():
            values = []
            for value in messages[topic]:
                for key in path:
                    value = value[key]
                values.append(value)
            assert np.array_equal(values, columns[column]), (topic, column)
            compared_mcap += 1

    log = ULog(str(folder / "flight.ulg"))
    assert not log.file_corruption
    compared_ulog = 0
    for topic, fields in ULOG.items():
        data = log.get_dataset(topic).data
        assert np.array_equal(data["timestamp"], np.round(columns["t_s"] * 1e6)), topic
        for column, (field, sign) in fields.items():
            expected = (sign * columns[column]).astype(np.float32)
            assert np.array_equal(data[field], expected), (topic, column)
            compared_ulog += 1
    kp = np.float32(sys.argv[2] if len(sys.argv) > 2 else 6.0)
    assert log.initial_parameters["POS_XY_KP"] == kp
    assert log.msg_info_dict["sys_name"] == "Windhover"
    assert [message.message for message in log.logged_messages][1] == "completed"
    # The setpoint is what the attitude loop asks for; the vehicle follows it within its limits.
    control = log.get_dataset("actuator_motors").data["control[3]"]
    assert 0.0 <= control.min() and control.max() <= 1.0
    print(
        f"{len(rows)} samples agree in {compared_mcap} mcap and {compared_ulog} ulog columns"
    )


main()
