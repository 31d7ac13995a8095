//! Optuna studies that ask the server: a value belongs to the point that Optuna evaluated. Skipped where Python has no
//! Optuna; `WINDHOVER_PYTHON` names another Python.

use super::served_workers::{python_with, ran};
use super::server::Server;

/// Begins every script: a study with a sampler, and what the server was told.
const HEAD: &str = r#"
import json, math, optuna, warnings
from optuna.distributions import CategoricalDistribution as C, FloatDistribution as F, IntDistribution as I
from optuna_sampler import WindhoverSampler
optuna.logging.set_verbosity(optuna.logging.ERROR)
warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
def begun(space, **settings):
    sampler = WindhoverSampler("unix:s", "j/token", space, seed=1, **settings)
    return sampler, optuna.create_study(sampler=sampler, study_name="one")
def told(sampler, study):
    return sampler._client(study).history()
"#;

fn study(script: &str) -> Option<String> {
    let python = python_with("optuna")?;
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    let _server = Server::start(folder.path(), &[]).listening();
    Some(ran(
        &python,
        folder.path(),
        &["-c", &format!("{HEAD}{script}")],
    ))
}

#[test]
fn steps_and_ranges_of_the_objective_are_what_is_told() {
    let said = study(
        r#"
f = lambda x, y: (x - 3) ** 2 + (y + 2) ** 2
sampler, study = begun({"x": F(-5, 5), "y": F(-5, 5)}, noise=False)
def objective(trial):
    step, high = (0.5, 5) if trial.number < 15 else (None, 7)
    return f(trial.suggest_float("x", -5, high, step=step), trial.suggest_float("y", -5, 5))
study.optimize(objective, n_trials=30)
same = [list(trial.params.values()) == one["x"] and trial.value == one["y"] for trial, one in zip(study.trials, told(sampler, study))]
best = sampler.recommend(study)
print(len(same), all(same), f(**best) <= study.best_value)
"#,
    );
    assert!(said.is_none_or(|said| said == "30 True True\n"));
}

#[test]
fn a_parameter_that_is_held_keeps_the_others_in_their_places() {
    let said = study(
        r#"
sampler, study = begun({"x": F(-5, 5), "y": F(0.1, 100, log=True)}, noise=False)
study.sampler = optuna.samplers.PartialFixedSampler({"x": 3.0}, sampler)
def objective(trial):
    return trial.suggest_float("x", -5, 5) ** 2 + math.log(trial.suggest_float("y", 0.1, 100, log=True)) ** 2
study.optimize(objective, n_trials=20)
held = all(one["x"][0] == 3.0 and one["x"][1] == trial.params["y"] for trial, one in zip(study.trials, told(sampler, study)))
print(held, abs(math.log(sampler.recommend(study)["y"])) < 0.1)
"#,
    );
    assert!(said.is_none_or(|said| said == "True True\n"));
}

#[test]
fn enqueued_and_added_trials_are_known_once() {
    let said = study(
        r#"
names = [f"x{k}" for k in range(4)]
f = lambda x: sum(100 * (b - a * a) ** 2 + (1 - a) ** 2 for a, b in zip(x, x[1:]))
space, good = {name: F(-2, 2) for name in names}, dict(zip(names, [0.9, 0.8, 0.7, 0.5]))
sampler, study = begun(space)
added = optuna.trial.create_trial(params=good, distributions=space, value=f(list(good.values())))
study.add_trial(added)
study.enqueue_trial({name: 0.5 for name in names})
objective = lambda trial: f([trial.suggest_float(name, -2, 2) for name in names])
study.optimize(objective, n_trials=12)
study.optimize(objective, n_trials=3)
other = WindhoverSampler("unix:s", "j/token", space, seed=1)
study.sampler = other
study.optimize(objective, n_trials=2)
print(len(study.trials), len(told(other, study)), f(list(other.recommend(study).values())) <= f([0.5] * 4))
"#,
    );
    assert!(said.is_none_or(|said| said == "18 18 True\n"));
}

#[test]
fn kinds_of_parameters_come_back_as_they_are_and_inactive_ones_are_left_out() {
    let said = study(
        r#"
sampler, study = begun({"kind": C(["line", "tree", None]), "c": F(1e-3, 1e3, log=True), "depth": I(1, 20), "leaf": I(2, 20, step=2), "one": I(3, 3)}, noise=False)
def objective(trial):
    kind = trial.suggest_categorical("kind", ["line", "tree", None])
    if kind is None:
        return 2.0
    if kind == "line":
        return 1.0 + (math.log10(trial.suggest_float("c", 1e-3, 1e3, log=True)) - 1) ** 2 / 9
    depth, leaf = trial.suggest_int("depth", 1, 20), trial.suggest_int("leaf", 2, 20, step=2)
    return 0.2 + (depth - 7) ** 2 / 99 + (leaf - 4) ** 2 / 99
study.optimize(objective, n_trials=50)
best = sampler.recommend(study)
print(sorted(best), type(best["depth"]).__name__, study.best_value < 0.5)
"#,
    );
    assert!(said.is_none_or(|said| said == "['depth', 'kind', 'leaf'] int True\n"));
}

#[test]
fn a_second_study_is_refused_and_a_spent_budget_ends_the_study() {
    let said = study(
        r#"
sampler, study = begun({"x": F(-5, 5)}, budget=12)
objective = lambda trial: (trial.suggest_float("x", -5, 5) + 4) ** 2
study.optimize(objective, n_trials=40)
print(12 <= len(study.trials) <= 13)
other = optuna.create_study(sampler=WindhoverSampler("unix:s", "j/token", {"x": F(-5, 5)}, seed=1, budget=12), study_name="two")
try:
    other.optimize(objective, n_trials=2)
except Exception as why:
    print(why)
"#,
    );
    let expected = "True\nthis server has the study `one`, not the study `two`; start another server for another study\n";
    assert!(said.is_none_or(|said| said == expected));
}
