"""Lets an Optuna study ask Windhover's optimiser, with Optuna's storage, callbacks and dashboard.

    bo serve --listen unix:tune.sock --journal my-study        # in another terminal
    python optuna_sampler.py unix:tune.sock my-study/token     # an example of 30 trials

    sampler = WindhoverSampler("unix:tune.sock", "my-study/token", space={
        "kp": optuna.distributions.FloatDistribution(0.1, 30, log=True)}, seed=3)
    optuna.create_study(sampler=sampler, storage="sqlite:///tune.db").optimize(objective, n_trials=30)

The space is stated beforehand; a parameter that is not in it is drawn at random. Studies of several
processes or threads share a server: each trial is a lease of its own. A trial that fails or is pruned
is told as a crash.
"""

import sys
import threading

import optuna
from optuna.distributions import FloatDistribution, IntDistribution
from optuna.trial import TrialState

from windhover_client import Client


class WindhoverSampler(optuna.samplers.BaseSampler):
    """Asks the server at `address`; `settings` go into its `init` (seed, noise, surrogate, ...)."""

    def __init__(self, address, token_file, space, lease_s=None, **settings):
        self._address, self._token_file = address, token_file
        self._space, self._settings, self._lease_s = dict(space), settings, lease_s
        self._described = [_described(name, kind) for name, kind in self._space.items()]
        self._other = optuna.samplers.RandomSampler(seed=settings.get("seed"))
        self._clients, self._leases = threading.local(), {}

    def infer_relative_search_space(self, study, trial):
        return self._space

    def sample_relative(self, study, trial, search_space):
        if len(study.directions) != 1:
            raise ValueError("Windhover's optimiser has one objective")
        lease = next(self._client(study).leases(self._lease_s))
        self._leases[trial._trial_id] = lease
        study._storage.set_trial_system_attr(trial._trial_id, "windhover:id", lease["id"])
        pairs = zip(self._space.items(), lease["x"])
        return {name: int(x) if isinstance(kind, IntDistribution) else x for (name, kind), x in pairs}

    def sample_independent(self, study, trial, param_name, param_distribution):
        return self._other.sample_independent(study, trial, param_name, param_distribution)

    def after_trial(self, study, trial, state, values):
        lease = self._leases.pop(trial._trial_id, None)
        if lease is not None:
            value = values[0] if state == TrialState.COMPLETE and values else None
            self._client(study).tell(lease, value)

    def recommend(self, study):
        """The parameters that the optimiser would deploy: under noise not those of the best trial."""
        return dict(zip(self._space, self._client(study).recommend()))

    def reseed_rng(self):
        self._other.reseed_rng()

    def _client(self, study):
        client = getattr(self._clients, "client", None)
        if client is None:
            client = self._clients.client = Client(self._address, self._token_file)
            maximise = study.direction == optuna.study.StudyDirection.MAXIMIZE
            direction = "max" if maximise else "min"
            client.init(space=self._described, direction=direction, **self._settings)
        return client


def _described(name, kind):
    """A parameter as the server takes it."""
    if not isinstance(kind, (FloatDistribution, IntDistribution)):
        raise ValueError(f"{name}: Windhover's optimiser has no categorical parameters")
    if kind.step not in (None, 1) or (isinstance(kind, FloatDistribution) and kind.step):
        raise ValueError(f"{name}: Windhover's optimiser has no steps")
    integer = isinstance(kind, IntDistribution)
    return {"name": name, "low": kind.low, "high": kind.high, "log": kind.log, "integer": integer}


def _example(address, token_file):
    space = {"kp": FloatDistribution(0.1, 30, log=True), "n": IntDistribution(1, 9)}

    def objective(trial):
        kp = trial.suggest_float("kp", 0.1, 30, log=True)
        n = trial.suggest_int("n", 1, 9)
        return (kp - 2.7) ** 2 + 0.1 * (n - 6) ** 2

    sampler = WindhoverSampler(address, token_file, space, seed=3, noise=False)
    study = optuna.create_study(sampler=sampler)
    study.optimize(objective, n_trials=30, n_jobs=2)
    print(study.best_params, sampler.recommend(study))


if __name__ == "__main__":
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    _example(*sys.argv[1:3])
