"""Other optimisers on the problems of `bo bench`: their median regrets stand in
bo/src/comparison/benchmark/report.rs.

Usage: python peers.py BO [--peers tpe,tpe-multivariate,optuna-gp,ngopt,egobox,smac,botorch] [--problems NAMES] [--seeds 10] [--evaluations 60]
       [--workers 1] [--json FILE]

With several workers, which TPE alone takes, so many evaluations are under way at once, as in
`bo bench --workers`, and TPE is told so (constant_liar).

BO is the `bo` program: the ten Sobol' points with which each run begins are asked of
`bo serve --jsonl` with the seed of the run, so that they are those of `bo bench`. Every peer runs
with its defaults (TPE also with `multivariate`) on the unit cube (logarithmic for the plant's gains, as the engine searches them)
and minimises the same values; nothing is told of noise, but to SMAC whether there is any: where there is, it
evaluates promising points again. Regret is the noise-free value, above the
optimum, of the point that the peer itself names best: the best observed of Optuna's and egobox, the
recommendation of NGOpt, the incumbent of SMAC (its facade of hyper-parameter optimisation, a random forest), the visited
point of least posterior mean of BoTorch (its SingleTaskGP with log noisy expected improvement).

The problems are those of `bo bench --values`, named as for `bo bench --functions` (all, test, ...); the plant is written out here a second time, from its
description, to check it (`--check G1 .. G6` prints its value). A crash has no value: egobox is told NaN, the
others 3.0 of the plant, which is above every finished value of it, and of a function with
constraints the worst finished value of the first ten points. A peer that ends with an error, as
egobox does where none of the first points finishes, recommends nothing: its regret is infinite. Needs numpy, optuna,
torch and scipy (optuna-gp), nevergrad, egobox, smac and botorch; one thread. All but Optuna's GP, SMAC and BoTorch
take five minutes together; of those a run of 60 evaluations takes five to fifteen seconds.
"""
import argparse, collections, importlib.metadata, json, math, os, statistics, subprocess, sys, time, warnings

for threads in ("RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(threads, "1")
import numpy as np

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


def problems_of(bo, named):
    """The names of the problems that `bo bench --functions` takes for `named`."""
    asked = [bo, "bench", "--functions", named, "--seeds", "1", "--evaluations", "1", "--format", "json", "--quiet"]
    heard = subprocess.run(asked, stdout=subprocess.PIPE, text=True)
    if heard.returncode:  # it has said why
        sys.exit(heard.returncode)
    return [heat["problem"] for heat in json.loads(heard.stdout)["heats"]]


def problem_of(bo, name):
    """Value, bounds, whether they are logarithmic, noise, optimum, and what a crash counts: where nothing
    is stated as much as the worst finished value of the first ten points."""
    asked = [bo, "bench", "--values", name]
    program = subprocess.Popen(asked, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    noise, optimum, *bounds = map(float, program.stdout.readline().split()[1:])

    def value(x):
        print(*map(repr, map(float, x)), file=program.stdin, flush=True)
        return float(program.stdout.readline())

    is_plant = name == "pid6"
    return value, list(zip(bounds[::2], bounds[1::2])), is_plant, noise, optimum, CRASH if is_plant else None


def natural(unit, bounds, log):
    if log:
        return [low * (high / low) ** u for u, (low, high) in zip(unit, bounds)]
    return [low + (high - low) * u for u, (low, high) in zip(unit, bounds)]


def unit(x, bounds, log):
    if log:
        return [math.log(v / low) / math.log(high / low) for v, (low, high) in zip(x, bounds)]
    return [(v - low) / (high - low) for v, (low, high) in zip(x, bounds)]


def design(bo, bounds, log, seed, count=10):
    space = [{"name": f"x{k}", "low": low, "high": high, "log": log} for k, (low, high) in enumerate(bounds)]
    said = [{"type": "init", "seed": seed, "space": space, "initial": count}] + [{"type": "ask"}] * count
    lines = "".join(json.dumps(line) + "\n" for line in said)
    heard = subprocess.run([bo, "serve", "--jsonl"], input=lines, capture_output=True, text=True, check=True)
    return [unit(json.loads(line)["x"], bounds, log) for line in heard.stdout.splitlines()]


def tpe(observe, first, evaluations, seed, multivariate=False, workers=1):
    import optuna
    sampler = optuna.samplers.TPESampler(seed=seed, multivariate=multivariate, constant_liar=workers > 1)
    return study_of(sampler, observe, first, evaluations, workers)


def optuna_gp(observe, first, evaluations, seed):
    import optuna
    import torch
    torch.set_num_threads(1)
    return study_of(optuna.samplers.GPSampler(seed=seed), observe, first, evaluations)


def study_of(sampler, observe, first, evaluations, workers=1):
    import optuna
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(sampler=sampler)
    names = [f"x{k}" for k in range(len(first[0]))]
    for u in first:
        study.enqueue_trial(dict(zip(names, u)))
    under_way = collections.deque()
    for told in range(evaluations):
        while len(under_way) < min(workers, evaluations - told):
            trial = study.ask()
            under_way.append((trial, [trial.suggest_float(name, 0, 1) for name in names]))
        trial, u = under_way.popleft()
        value = observe(u)
        study.tell(trial, value)
    return [study.best_params[name] for name in names]


def multivariate_tpe(observe, first, evaluations, seed, workers=1):
    return tpe(observe, first, evaluations, seed, multivariate=True, workers=workers)


def ngopt(observe, first, evaluations, seed):
    import nevergrad
    cube = nevergrad.p.Array(shape=(len(first[0]),)).set_bounds(0, 1)
    cube.random_state.seed(seed)
    optimizer = nevergrad.optimizers.NGOpt(parametrization=cube, budget=evaluations)
    for number in range(evaluations):
        if number < len(first):
            optimizer.suggest(np.array(first[number]))
        candidate = optimizer.ask()
        value = observe(candidate.value)
        optimizer.tell(candidate, value)
    return optimizer.provide_recommendation().value


def egobox(observe, first, evaluations, seed):
    import egobox
    box = [[0.0, 1.0]] * len(first[0])
    egor = egobox.Egor(box, x_doe=np.array(first), seed=seed)
    values = lambda points: np.array([[observe(u)] for u in points])
    return egor.minimize(values, max_iters=evaluations - len(first), seed=seed).result.x_opt


def smac(observe, first, evaluations, seed):
    import logging
    import tempfile
    from ConfigSpace import Configuration, ConfigurationSpace
    from smac import HyperparameterOptimizationFacade as Facade
    from smac import Scenario
    names = [f"x{k:02}" for k in range(len(first[0]))]  # it sorts them
    space = ConfigurationSpace({name: (0.0, 1.0) for name in names})
    points = [Configuration(space, dict(zip(names, u))) for u in first]
    place = lambda configuration: [configuration[name] for name in names]
    with tempfile.TemporaryDirectory() as folder:
        scenario = Scenario(space, deterministic=not observe.noisy, n_trials=evaluations, seed=seed,
                            output_directory=folder)
        design = Facade.get_initial_design(scenario, n_configs=0, additional_configs=points)
        value = lambda configuration, seed=0: observe(place(configuration))
        facade = Facade(scenario, value, initial_design=design, overwrite=True, logging_level=logging.ERROR)
        best = facade.optimize()
    return place(best[0] if isinstance(best, list) else best)


def botorch(observe, first, evaluations, seed):
    import torch
    from botorch.acquisition.logei import qLogNoisyExpectedImprovement
    from botorch.fit import fit_gpytorch_mll
    from botorch.models import SingleTaskGP
    from botorch.optim import optimize_acqf
    from gpytorch.mlls import ExactMarginalLogLikelihood
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    x = torch.tensor(np.array(first), dtype=torch.double)
    y = [observe(u) for u in first]
    box = torch.tensor([[0.0] * x.shape[1], [1.0] * x.shape[1]], dtype=torch.double)

    def model():
        told = torch.tensor([[-v] for v in y], dtype=torch.double)
        process = SingleTaskGP(x, told)
        fit_gpytorch_mll(ExactMarginalLogLikelihood(process.likelihood, process))
        return process

    while len(y) < evaluations:
        process = model()
        rule = qLogNoisyExpectedImprovement(process, X_baseline=x, prune_baseline=True)
        u, _ = optimize_acqf(rule, box, q=1, num_restarts=10, raw_samples=512)
        y.append(observe(u[0].tolist()))
        x = torch.cat([x, u])
    process = model()
    return x[process.posterior(x).mean.argmax()].tolist()


#        how it is run, package
PEERS = {
    "tpe": (tpe, "optuna"),
    "tpe-multivariate": (multivariate_tpe, "optuna"),
    "optuna-gp": (optuna_gp, "optuna"),
    "ngopt": (ngopt, "nevergrad"),
    "egobox": (egobox, "egobox"),
    "smac": (smac, "smac"),
    "botorch": (botorch, "botorch"),
}


def run(bo, peer, problem, seed, evaluations, workers):
    value, bounds, log, noise, optimum, crash = problem
    random = np.random.default_rng(seed)
    first = design(bo, bounds, log, seed)
    if crash is None:
        finished = [v for v in (value(natural(u, bounds, log)) for u in first) if not math.isnan(v)]
        crash = max(finished, default=1e3 * (1 + abs(optimum)))
    count = 0

    def observe(u):
        nonlocal count
        count += 1
        found = value(natural(np.clip(u, 0, 1), bounds, log)) + noise * random.standard_normal()
        return crash if math.isnan(found) and peer != "egobox" else found

    observe.noisy = noise > 0
    several = {"workers": workers} if workers > 1 else {}
    try:
        best = PEERS[peer][0](observe, first, evaluations, seed, **several)
    except KeyboardInterrupt:
        raise
    except BaseException as failed:  # a panic of egobox is no Exception
        print(f"    {peer} gave up with seed {seed} after {count} evaluations: {failed}", flush=True)
        return math.inf
    assert count == evaluations or count < evaluations and peer == "egobox", \
        f"{peer} made {count} evaluations, not {evaluations}"
    if count < evaluations:
        print(f"    {peer} stopped with seed {seed} after {count} evaluations", flush=True)
    regret = value(natural(np.clip(best, 0, 1), bounds, log)) - optimum
    return math.inf if math.isnan(regret) else regret


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bo")
    parser.add_argument("--peers", default="tpe,tpe-multivariate,ngopt,egobox,botorch")
    parser.add_argument("--problems", default="all")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--evaluations", type=int, default=60)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--json", help="file to which the regrets are appended, in the order of the seeds")
    args = parser.parse_args()
    problems = problems_of(args.bo, args.problems)
    warnings.simplefilter("ignore")
    for peer in args.peers.split(","):
        package = PEERS[peer][1]
        print(f"{peer} ({package} {importlib.metadata.version(package)}), {args.evaluations} evaluations, "
              f"seeds 0 to {args.seeds - 1}, {args.workers} under way", flush=True)
        for problem in problems:
            started = time.process_time()
            seeds = range(args.seeds)
            stated = problem_of(args.bo, problem)
            regrets = [run(args.bo, peer, stated, s, args.evaluations, args.workers) for s in seeds]
            if args.json:
                with open(args.json, "a") as file:
                    said = {"peer": peer, "problem": problem, "workers": args.workers, "regrets": regrets}
                    print(json.dumps(said), file=file)
            shown = " ".join(f"{r:.3g}" for r in sorted(regrets))
            print(f"  {problem:16} median {statistics.median(regrets):.3g}  all {shown}  "
                  f"({time.process_time() - started:.0f} s)", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--check"]:
        print(plant([float(a) for a in sys.argv[2:]]))
        sys.exit()
    main()
