"""A client of `bo serve --listen`, for Python 3.8 and later, without anything else.

    from windhover_client import Client
    server = Client("unix:tune.sock", "my-study/token")
    server.init(space=[{"name": "kp", "low": 0.1, "high": 30, "log": True}], budget=40, seed=3)
    for lease in server.leases():              # until the budget is spent
        server.tell(lease, rig(*lease["x"]))   # a number; None or NaN where it crashed
    print(server.recommend())

A server that is killed and started again is waited for, and what it did not answer is said again:
an evaluation is told once, whatever happens.
"""

import json
import math
import os
import socket
import stat
import time


class Refused(Exception):
    """What the server refuses, in its words."""


class Client:
    """One connection to the server at `address`: "unix:PATH" or "127.0.0.1:PORT".

    `patience` is how many seconds the server may be away.
    """

    def __init__(self, address, token_file, patience=60.0):
        if os.name == "posix" and stat.S_IMODE(os.stat(token_file).st_mode) & 0o077:
            raise Refused(f"{token_file} may be read by others; it holds a secret: chmod 600 it")
        with open(token_file, encoding="ascii") as file:
            self._token = file.read().strip()
        self._address, self._patience, self._stream = address, patience, None

    def init(self, covariates=None, **settings):
        """Says what is searched, and how; every client of a study says the same.

        `covariates` are what is measured of each evaluation and was not chosen, with what is expected
        of it: [{"name": "wind_rms", "mean": 4.0, "deviation": 1.5}].
        """
        declared = {} if covariates is None else {"covariates": list(covariates)}
        self.say(type="init", **settings, **declared)

    def ask(self, lease_s=None):
        """A lease: `id`, `key`, `lease_s` and the point `x`; or {"wait": True} or {"done": True}."""
        return self.say(type="ask", **({} if lease_s is None else {"lease_s": lease_s}))

    def leases(self, lease_s=None, every_s=0.2):
        """Leases until the budget is spent; waits while every evaluation is with somebody else."""
        while True:
            lease = self.ask(lease_s)
            if lease.get("done"):
                return
            if lease.get("wait"):
                time.sleep(every_s)
            else:
                yield lease

    def tell(self, lease, y, covariates=None, **more):
        """Answers a lease; a value that is None or not finite is a crash.

        `covariates` are those that `init` declares, in its order; a crash may leave them out.
        """
        crashed = y is None or not math.isfinite(y)
        value = {"crashed": True} if crashed else {"y": float(y)}
        if covariates is not None:
            value["covariates"] = [float(one) for one in covariates]
        return self.say(type="tell", id=lease["id"], key=lease["key"], **value, **more)

    def recommend(self):
        """The point to deploy."""
        return self.say(type="recommend")["x"]

    def status(self):
        """How many evaluations are told, out, waiting to be lent again, lost."""
        return self.say(type="status")

    def say(self, **message):
        """The server's answer to `message`; raises Refused where it is an error."""
        began, again = time.monotonic(), False
        while True:
            try:
                if self._stream is None:
                    self._connect()
                answer = self._exchange(message)
                break
            except (OSError, ValueError) as error:
                self.close()
                again = True
                if time.monotonic() - began > self._patience:
                    raise ConnectionError(f"no server answers at {self._address}: {error}") from error
                time.sleep(0.1)
        if "error" not in answer:
            return answer
        if again and "told" in answer:
            # The first answer was lost on its way, not what was told.
            return {"id": answer["told"], "told": True}
        raise Refused(answer["error"])

    def close(self):
        """Ends the connection; the next thing said makes another."""
        stream, self._stream = self._stream, None
        if stream is not None:
            try:
                stream.close()
            except OSError:
                pass

    def _connect(self):
        kind, _, path = self._address.partition(":")
        if kind == "unix":
            plug = socket.socket(socket.AF_UNIX)
            where = path
        else:
            host, _, port = self._address.rpartition(":")
            plug = socket.socket(socket.AF_INET6 if host.startswith("[") else socket.AF_INET)
            where = (host.strip("[]"), int(port))
        with plug:
            plug.settimeout(600.0)
            plug.connect(where)
            self._stream = plug.makefile("rwb")
        answer = self._exchange({"type": "hello", "token": self._token})
        if "error" in answer:
            self.close()
            raise Refused(answer["error"])

    def _exchange(self, message):
        self._stream.write(json.dumps(message).encode() + b"\n")
        self._stream.flush()
        line = self._stream.readline()
        if not line.endswith(b"\n"):
            raise ConnectionError("the server went away")
        return json.loads(line)
