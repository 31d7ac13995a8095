"""Optuna's TPE on the benchmark plant `pid6`, beside `bo bench --functions pid6`.

Usage: python tpe_plant.py [first seed] [seeds]

The plant is written out again here, from its description in bo/src/benchmark/plant.rs; a value is
checked against the Rust one by `--check g1 .. g6`. Crashes are told to TPE as failed trials' worst
value seen so far would be unknown to it, so they are told as 3.0, above every finished value of the
box. Ten scrambled Sobol' points first, as in the benchmark (not the same ones). Needs optuna 4 or
newer and scipy.
"""
import math, statistics, sys
import optuna
from scipy.stats import qmc

GAINS = [("outer_kp", 0.02, 1.0), ("outer_ki", 0.001, 0.2), ("outer_kd", 0.04, 1.0),
         ("inner_kp", 8.0, 300.0), ("inner_ki", 0.1, 30.0), ("inner_kd", 0.8, 30.0)]
CRASH = 3.0


def clamp(value, limit):
    return max(-limit, min(limit, value))


def plant(g):
    dt, steps = 0.002, 3000
    x = v = tilt = rate = act = outer = inner = total = 0.0
    for step in range(steps):
        push = 0.8 if step * dt >= 3.0 else 0.0
        e = 1.0 - x
        outer = clamp(outer + e * dt, 2.0)
        want = clamp(g[0] * e + g[1] * outer - g[2] * v, 0.6)
        te = want - tilt
        inner = clamp(inner + te * dt, 1.0)
        cmd = clamp(g[3] * te + g[4] * inner - g[5] * rate, 30.0)
        act += (cmd - act) * dt / 0.06
        rate += (act + 2.0 * math.sin(tilt)) * dt
        tilt += rate * dt
        v += (9.81 * math.sin(tilt) - 0.2 * v + push) * dt
        x += v * dt
        if abs(tilt) >= 1.0 or abs(x) >= 3.0:
            return math.nan
        total += (1.0 - x) ** 2 + 1e-4 * act * act
    return math.sqrt(total / steps)


def tpe(seed, evaluations=60, multivariate=True):
    sampler = optuna.samplers.TPESampler(seed=seed, multivariate=multivariate)
    study = optuna.create_study(sampler=sampler)
    for u in qmc.Sobol(6, scramble=True, seed=seed).random(16)[:10]:
        study.enqueue_trial({n: lo * (hi / lo) ** t for (n, lo, hi), t in zip(GAINS, u)})

    def objective(trial):
        value = plant([trial.suggest_float(n, lo, hi, log=True) for n, lo, hi in GAINS])
        return CRASH if math.isnan(value) else value

    study.optimize(objective, n_trials=evaluations)
    return study.best_value


if __name__ == "__main__":
    if sys.argv[1:2] == ["--check"]:
        print(plant([float(a) for a in sys.argv[2:]]))
        sys.exit()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    import warnings
    warnings.simplefilter("ignore")
    first, seeds = (int(a) for a in (sys.argv[1:] + ["0", "10"])[:2]) if len(sys.argv) > 2 else (0, 10)
    for multivariate in (True, False):
        best = [tpe(s, multivariate=multivariate) for s in range(first, first + seeds)]
        print("multivariate" if multivariate else "independent", "median", statistics.median(best),
              "all", " ".join(f"{b:.4f}" for b in sorted(best)))
