"""Any sampler of Optuna as a method of `bo compare`: the name of its class is the argument, TPESampler without one.

    bo compare --traj hover --surrogates gp --seeds 5 \
        --method cma='python3 bo/python/compare_optuna.py CmaEsSampler'

Optuna recommends nothing but the best trial, and its answer to `recommend` says so.
"""

import json
import sys

import optuna
from optuna.distributions import FloatDistribution

optuna.logging.set_verbosity(optuna.logging.WARNING)
name = sys.argv[1] if len(sys.argv) > 1 else "TPESampler"
trial = None
for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    if kind == "init":
        lost = message["lost_value"]
        space = {p["name"]: FloatDistribution(p["low"], p["high"]) for p in message["space"]}
        sampler = getattr(optuna.samplers, name)(seed=message["seed"] % 2**32)
        study = optuna.create_study(sampler=sampler, direction="minimize")
    elif kind == "tell":
        value = message.get("y", lost)
        if trial is not None:
            study.tell(trial, value)
            trial = None
        else:  # of the initial design, for which nobody asked
            params = dict(zip(space, message["x"]))
            made = optuna.create_trial(params=params, distributions=space, value=value)
            study.add_trial(made)
    elif kind == "ask":
        trial = study.ask(space)
        print(json.dumps({"x": [trial.params[name] for name in space]}), flush=True)
    elif kind == "recommend":
        print(json.dumps({"error": "the best trial is all that Optuna recommends"}), flush=True)
    elif kind == "quit":
        break
