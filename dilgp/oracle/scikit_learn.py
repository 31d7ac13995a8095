"""Scikit-learn on the data of the tables, to hold this crate's families against.

Usage: python scikit_learn.py FOLDER, where FOLDER holds ref_syn1d_train.csv, ref_syn1d_test.csv,
the same for 2d, and imports-85.data. What it printed, beside what `dilgp fit` says of the same
files, is in `scikit_learn.md`. It is not part of the tests.
"""

import csv
import sys
import warnings
from pathlib import Path

import numpy as np
import sklearn
from sklearn.ensemble import RandomForestRegressor
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.neural_network import MLPRegressor

warnings.filterwarnings("ignore")
SEEDS = range(10)
WORDS = {2, 3, 4, 5, 6, 7, 8, 14, 15, 17}


def table(path):
    rows = list(csv.reader(open(path)))[1:]
    data = np.array(rows, dtype=float)
    return data[:, :-1], data[:, -1]


def automobile(path):
    rows = [row for row in csv.reader(open(path)) if row and "?" not in row]
    columns = [i for i in range(1, 26) if i not in WORDS]
    first = np.array([row[6] in ("wagon", "hatchback") for row in rows])
    x = np.array([[float(row[i]) for i in columns] for row in rows])
    y = np.array([float(row[0]) for row in rows])
    return (x[first], y[first]), (x[~first], y[~first])


def scores(name, train, test):
    (x, y), (u, v) = train, test
    mean, spread = x.mean(0), x.std(0)
    spread[spread == 0] = 1
    x, u = (x - mean) / spread, (u - mean) / spread
    level, scale = y.mean(), y.std()
    z = (y - level) / scale

    def report(label, make):
        errors = []
        for seed in SEEDS:
            predicted = level + scale * make(seed).fit(x, z).predict(u)
            errors.append(np.sqrt(np.mean((predicted - v) ** 2)))
        print(f"{name} {label:24} RMSE {np.mean(errors):.4f} (sd {np.std(errors, ddof=1):.4f})")

    report("forest, 50 trees", lambda s: RandomForestRegressor(50, random_state=s))
    report("network 100 tanh", lambda s: MLPRegressor(hidden_layer_sizes=(100,), activation="tanh", random_state=s,
                                                       max_iter=400, learning_rate_init=0.01,
                                                       batch_size=len(x)))
    report("network 64-64-64 relu", lambda s: MLPRegressor(hidden_layer_sizes=(64, 64, 64), random_state=s,
                                                           max_iter=400))
    report("network 64-64-64 tanh", lambda s: MLPRegressor(hidden_layer_sizes=(64, 64, 64), activation="tanh",
                                                           random_state=s, max_iter=400, learning_rate_init=0.01,
                                                           batch_size=len(x)))
    kernel = ConstantKernel(1.0, (1e-4, 1e4)) * RBF(1.0, (1e-3, 1e3)) + WhiteKernel(0.1, (1e-8, 10))
    report("process, RBF, ML-II", lambda s: GaussianProcessRegressor(kernel, random_state=s,
                                                                    n_restarts_optimizer=2))


def main(folder):
    print("scikit-learn", sklearn.__version__)
    for size in ("1d", "2d"):
        scores(f"syn{size}", table(folder / f"ref_syn{size}_train.csv"),
               table(folder / f"ref_syn{size}_test.csv"))
    wagons, sedans = automobile(folder / "imports-85.data")
    scores("automobile, code ", wagons, sedans)
    scores("automobile, paper", sedans, wagons)


main(Path(sys.argv[1]))
