"""Reads a parameter file with the packages of others and prints its values as JSON.

usage: read_back.py ardupilot|crazyflie|px4 FILE

ardupilot: pymavlink's MAVParmDict. crazyflie: cflib's ParamFileManager. px4: no public reader of
the form is packaged, but an independent writer is: the values go into a ULog, of which pyulog's
`ulog_params -f qgc` makes the same form; its text is compared line by line.
"""

import contextlib
import io
import json
import struct
import sys
import tempfile


def ardupilot(path):
    from pymavlink.mavparm import MAVParmDict

    parameters = MAVParmDict()
    with contextlib.redirect_stdout(io.StringIO()) as said:
        read = parameters.load(path)
    if not read or "Invalid line" in said.getvalue():
        sys.exit("pymavlink: " + said.getvalue())
    return dict(parameters)


def crazyflie(path):
    from cflib.localization import ParamFileManager

    states = ParamFileManager.read(path)
    if not all(state.is_stored for state in states.values()):
        sys.exit("cflib: a parameter is not stored")
    return {name: state.stored_value for name, state in states.items()}


def px4(path):
    from pyulog import params

    lines = [line for line in open(path, encoding="utf-8") if not line.startswith("#")]
    values = {}
    log = b"\x55\x4c\x6f\x67\x01\x12\x35\x01" + struct.pack("<Q", 0)
    log += struct.pack("<HB", 40, ord("B")) + bytes(40)
    for line in lines:
        _, _, name, value, kind = line.rstrip("\n").split("\t")
        assert kind == "9", line
        values[name] = float(value)
        key = f"float {name}".encode()
        body = struct.pack("<B", len(key)) + key + struct.pack("<f", float(value))
        log += struct.pack("<HB", len(body), ord("P")) + body
    with tempfile.NamedTemporaryFile(suffix=".ulg") as file:
        file.write(log)
        file.flush()
        sys.argv = ["ulog_params", "-i", "-f", "qgc", file.name]
        with contextlib.redirect_stdout(io.StringIO()) as written:
            params.main()

    def fields(line):
        vehicle, component, name, value, kind = line.rstrip("\n").split("\t")
        # Python writes small numbers with an exponent; the digits are the same.
        return vehicle, component, name, repr(float(value)), kind

    ours = sorted(map(fields, lines))
    theirs = sorted(map(fields, written.getvalue().splitlines()))
    if ours != theirs:
        sys.exit(f"ulog_params writes {theirs}, the file has {ours}")
    return values


kind, path = sys.argv[1:]
print(json.dumps({"ardupilot": ardupilot, "crazyflie": crazyflie, "px4": px4}[kind](path)))
