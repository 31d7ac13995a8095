"""Lets an Optuna study ask Windhover's optimiser, with Optuna's storage, callbacks and dashboard.

    bo serve --listen unix:tune.sock --journal my-study        # in another terminal
    python optuna_sampler.py unix:tune.sock my-study/token     # an example of 30 trials

    sampler = WindhoverSampler("unix:tune.sock", "my-study/token", space={
        "kp": optuna.distributions.FloatDistribution(0.1, 30, log=True)}, seed=3)
    optuna.create_study(sampler=sampler, storage="sqlite:///tune.db").optimize(objective, n_trials=30)

The space is stated beforehand; a parameter that is not in it is drawn at random. What Optuna really
evaluated is told: steps and ranges of the objective, fixed, enqueued and added trials; of a parameter
that a trial did not ask for, what was suggested. Studies of several processes or threads share a server,
which has one study: each trial is a lease of its own. A trial that fails or is pruned is told as a crash.
"""

import sys
import threading
import warnings

import optuna
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.trial import TrialState

from windhover_client import Client, Refused


class WindhoverSampler(optuna.samplers.BaseSampler):
    """Asks the server at `address`; `settings` go into its `init` (seed, noise, surrogate, ...)."""

    def __init__(self, address, token_file, space, lease_s=None, **settings):
        self._address, self._token_file = address, token_file
        # Of what has one value nothing is to be learnt.
        self._space = {name: kind for name, kind in space.items() if not kind.single()}
        self._settings, self._lease_s = settings, lease_s
        self._described = [_described(name, kind) for name, kind in self._space.items()]
        self._other = optuna.samplers.RandomSampler(seed=settings.get("seed"))
        self._clients, self._leases, self._known = threading.local(), {}, set()

    def infer_relative_search_space(self, study, trial):
        return dict(self._space)

    def sample_relative(self, study, trial, search_space):
        client = self._client(study)
        self._tell_finished(study, client)
        lease = next(client.leases(self._lease_s), None)
        if lease is None:
            study.stop()  # the budget is spent
            return {}
        self._leases[trial._trial_id] = lease
        study._storage.set_trial_system_attr(trial._trial_id, "windhover:id", lease["id"])
        point = self._by_name(lease["x"])
        return {name: point[name] for name in search_space if name in point}

    def sample_independent(self, study, trial, param_name, param_distribution):
        lease = self._leases.get(trial._trial_id)
        point = {} if lease is None else self._by_name(lease["x"])
        if param_name in point and not isinstance(param_distribution, CategoricalDistribution):
            # The objective asks for other steps or another range than the space has.
            return _nearest(param_distribution, point[param_name])
        return self._other.sample_independent(study, trial, param_name, param_distribution)

    def after_trial(self, study, trial, state, values):
        value = values[0] if state == TrialState.COMPLETE and values else None
        lease = self._leases.pop(trial._trial_id, None)
        if lease is None:
            self._tell_other(self._client(study), trial, value)
            return
        point = self._by_name(lease["x"])
        point.update((name, trial.params[name]) for name in self._space if name in trial.params)
        try:
            self._client(study).tell(lease, value, x=point)
        except Refused as why:
            warnings.warn(f"trial {trial.number} cannot be learnt: {why}")
            self._client(study).give_up(lease)

    def recommend(self, study):
        """The parameters that the optimiser would deploy: under noise not those of the best trial.

        Those that the nearest trial did not ask for are left out.
        """
        point = self._by_name(self._client(study).recommend())
        trials = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
        nearest = min(trials, key=lambda trial: self._distance(trial, point), default=None)
        asked = point if nearest is None else nearest.params
        return {name: value for name, value in point.items() if name in asked}

    def reseed_rng(self):
        self._other.reseed_rng()

    def _tell_finished(self, study, client):
        """Tells what was not asked here: added trials, and those of other samplers."""
        for trial in study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,)):
            if trial.number not in self._known and "windhover:id" not in trial.system_attrs:
                self._tell_other(client, trial, trial.value)
            self._known.add(trial.number)

    def _tell_other(self, client, trial, value):
        if not all(name in trial.params for name in self._space):
            return
        point = {name: trial.params[name] for name in self._space}
        try:
            client.tell(None, value, x=point, once=f"trial {trial.number}")
        except Refused as why:
            warnings.warn(f"trial {trial.number} cannot be learnt: {why}")

    def _by_name(self, x):
        """The point with each choice as Optuna has it."""
        pairs = zip(self._space.items(), x)
        return {name: _own(kind, value) for (name, kind), value in pairs}

    def _distance(self, trial, point):
        """How far a trial is from a point, in the parameters that it asked for."""

        def apart(name, kind):
            if isinstance(kind, CategoricalDistribution):
                return float(trial.params[name] != point[name])
            return abs(trial.params[name] - point[name]) / ((kind.high - kind.low) or 1)

        known = [(name, kind) for name, kind in self._space.items() if name in trial.params]
        return sum(apart(name, kind) for name, kind in known)

    def _client(self, study):
        client = getattr(self._clients, "client", None)
        if client is None:
            if len(study.directions) != 1:
                raise ValueError("Windhover's sampler has one objective")
            client = Client(self._address, self._token_file)
            maximise = study.direction == optuna.study.StudyDirection.MAXIMIZE
            direction = "max" if maximise else "min"
            client.init(
                name=study.study_name, space=self._described, direction=direction, **self._settings
            )
            self._clients.client = client
        return client


def _described(name, kind):
    """A parameter as the server takes it."""
    if isinstance(kind, CategoricalDistribution):
        return {"name": name, "choices": list(kind.choices)}
    integer = isinstance(kind, IntDistribution)
    described = {"name": name, "low": kind.low, "high": kind.high, "integer": integer}
    if kind.log:
        return {**described, "log": True}
    if kind.step and not (integer and kind.step == 1):
        return {**described, "step": kind.step}
    return described


def _own(kind, value):
    """A value of the server's as Optuna has it: of choices that are equal, that of the same type."""
    if not isinstance(kind, CategoricalDistribution):
        return int(value) if isinstance(kind, IntDistribution) else float(value)
    same = [one for one in kind.choices if one == value]
    return next((one for one in same if isinstance(one, bool) == isinstance(value, bool)), value)


def _nearest(kind, value):
    """The value of a distribution that is nearest to another."""
    value = min(max(value, kind.low), kind.high)
    if kind.step:
        value = min(kind.low + round((value - kind.low) / kind.step) * kind.step, kind.high)
    return int(value) if isinstance(kind, IntDistribution) else float(value)


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
