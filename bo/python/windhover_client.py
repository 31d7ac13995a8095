"""A client of `bo serve --listen`, for Python 3.8 and later, without anything else.

    from windhover_client import Client
    server = Client("unix:tune.sock", "my-study/token")
    server.init(space=[{"name": "kp", "low": 0.1, "high": 30, "log": True}], budget=40, seed=3)
    for lease in server.leases():              # until the budget is spent
        server.tell(lease, rig(*lease["x"]))   # a number; None or NaN where it crashed
    print(server.recommend())

A server that is killed and started again is waited for, and what it did not answer is said again:
an evaluation is told once, whatever happens. A thread renews the leases that are not yet told, so
that an evaluation may take longer than its lease; it ends with the program.
"""

import json
import math
import os
import socket
import stat
import threading
import time


class Refused(Exception):
    """What the server refuses, in its words."""


class Client:
    """One connection to the server at `address`: "unix:PATH" or "127.0.0.1:PORT".

    `patience` is how many seconds the server may be away. With `renew=False` an evaluation that takes
    longer than its lease is lent to the next client that asks.
    """

    def __init__(self, address, token_file, patience=60.0, renew=True):
        if os.name == "posix" and stat.S_IMODE(os.stat(token_file).st_mode) & 0o077:
            raise Refused(f"{token_file} may be read by others; it holds a secret: chmod 600 it")
        with open(token_file, encoding="ascii") as file:
            self._token = file.read().strip()
        self._address, self._patience, self._stream = address, patience, None
        self._renewal = _Renewal(address, token_file) if renew else None

    def init(self, covariates=None, **settings):
        """Says what is searched, and how; every client of a study says the same.

        `covariates` are what is measured of each evaluation and was not chosen, with what is expected
        of it: [{"name": "wind_rms", "mean": 4.0, "deviation": 1.5}].
        """
        declared = {} if covariates is None else {"covariates": list(covariates)}
        self.say(type="init", **settings, **declared)

    def ask(self, lease_s=None):
        """A lease: `id`, `key`, `lease_s` and the point `x`; or {"wait": True} or {"done": True}.

        It is renewed until it is told or given up.
        """
        lease = self.say(type="ask", **({} if lease_s is None else {"lease_s": lease_s}))
        if self._renewal and "lease_s" in lease:
            self._renewal.hold(lease)
        return lease

    def leases(self, lease_s=None, every_s=0.2):
        """Leases until the budget is spent; waits while every evaluation is with somebody else.

        One that was not told when the next is asked for is given up: it goes to another client once it
        has run out.
        """
        while True:
            lease = self.ask(lease_s)
            if lease.get("done"):
                return
            if lease.get("wait"):
                time.sleep(every_s)
            else:
                yield lease
                self.give_up(lease)

    def give_up(self, lease):
        """Renews a lease no longer."""
        if self._renewal:
            self._renewal.drop(lease["id"])

    def tell(self, lease, y, covariates=None, **more):
        """Answers a lease; a value that is None or not finite is a crash.

        `covariates` are those that `init` declares, in its order; a crash may leave them out. `more` may
        be what was really evaluated, `x`, as a list or by name; `sem`, the standard error of the value;
        `outputs`. Without a lease (None), `x` is an evaluation from elsewhere, which counts once for
        each `once`, a text.
        """
        crashed = y is None or not math.isfinite(y)
        value = {"crashed": True} if crashed else {"y": float(y)}
        if covariates is not None:
            value["covariates"] = [float(one) for one in covariates]
        of = {} if lease is None else {"id": lease["id"], "key": lease["key"]}
        answer = self.say(type="tell", **of, **value, **more)
        if lease is not None:
            self.give_up(lease)
        return answer

    def predict(self, points):
        """Mean, standard deviation, median and 95 % interval of the value at each point."""
        return self.say(type="predict", x=list(points))

    def importance(self):
        """The share, 0 to 1, of the variance of the predicted median that each parameter takes part in."""
        return self.say(type="importance")["importance"]

    def history(self):
        """All evaluations: `x`, `y` (None of a crash), and `outputs` and `covariates` where there are some."""
        return self.say(type="history")["history"]

    def front(self):
        """Evaluations that no other betters in value and traded output: `x`, `y`, `outputs`.

        In noise `y` and `outputs` are predicted, with `std` and `outputs_std`; `told` has what was measured.
        """
        return self.say(type="front")["front"]

    def note(self, id, text):
        """Remembers a text of evaluation `id`, as `history` numbers them."""
        return self.say(type="note", id=id, text=text)

    def withdraw(self, id, why):
        """Takes evaluation `id` back: from now on it is no data."""
        return self.say(type="withdraw", id=id, why=why)

    def recommend(self):
        """The point to deploy."""
        return self.say(type="recommend")["x"]

    def status(self):
        """How many evaluations are told, out, waiting to be lent again, lost."""
        return self.say(type="status")

    def say(self, **message):
        """The server's answer to `message`; raises Refused where it is an error."""
        began = time.monotonic()
        while True:
            try:
                if self._stream is None:
                    self._connect()
                answer = self._exchange(message)
                break
            except (OSError, ValueError) as error:
                self.close()
                if time.monotonic() - began > self._patience:
                    raise ConnectionError(f"no server answers at {self._address}: {error}") from error
                time.sleep(0.1)
        if "error" in answer:
            raise Refused(answer["error"])
        return answer

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


class _Renewal:
    """Renews leases from a thread of its own, over a connection of its own."""

    def __init__(self, address, token_file):
        self._client = (address, token_file)
        self._held, self._lock, self._thread = {}, threading.Lock(), None
        self._changed = threading.Event()

    def hold(self, lease):
        with self._lock:
            self._held[lease["id"]] = (lease, time.monotonic() + lease["lease_s"] / 3)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True)
                self._thread.start()
        self._changed.set()

    def drop(self, id):
        with self._lock:
            self._held.pop(id, None)

    def _run(self):
        client = Client(*self._client, patience=0.0, renew=False)
        while True:
            with self._lock:
                due = min(self._held.values(), key=lambda held: held[1], default=None)
            wait = None if due is None else due[1] - time.monotonic()
            if wait is None or wait > 0:
                self._changed.wait(wait)
                self._changed.clear()
                continue
            lease = due[0]
            try:
                renewed = client.say(type="renew", id=lease["id"], key=lease["key"])["renewed"]
            except Refused:
                renewed = False
            except OSError:
                renewed = None  # the server is away; in a moment again
            after = 0.2 if renewed is None else lease["lease_s"] / 3
            with self._lock:
                if renewed is False:
                    self._held.pop(lease["id"], None)
                elif lease["id"] in self._held:
                    self._held[lease["id"]] = (lease, time.monotonic() + after)
