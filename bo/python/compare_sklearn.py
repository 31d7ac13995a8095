"""A method of your own for `bo compare`: a Gaussian process of scikit-learn with expected improvement.

    bo compare --traj hover --surrogates gp --method sklearn='python3 bo/python/compare_sklearn.py' --seeds 5

A message is a line of standard input, an answer a line of standard output; what goes to standard error is kept in
the folder of the comparison. Points lie in the unit cube.
"""

import json
import sys

import numpy as np
from scipy.stats import norm
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

points, values = [], []
for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    if kind == "init":
        dimensions, lost = len(message["space"]), message["lost_value"]
        random = np.random.default_rng(message["seed"])
        kernel = ConstantKernel() * Matern(np.full(dimensions, 0.5), (0.05, 20), nu=2.5) + WhiteKernel(0.1)
        process = GaussianProcessRegressor(kernel, normalize_y=True)
    elif kind == "tell":  # one evaluation: its point and its cost, or that it was lost
        points.append(message["x"])
        values.append(np.log(message.get("y", lost)))
    elif kind == "ask":
        process.fit(points, values)
        candidates = random.random((4096, dimensions))
        mean, std = process.predict(candidates, return_std=True)
        better = process.predict(points).min() - mean
        improvement = better * norm.cdf(better / std) + std * norm.pdf(better / std)
        print(json.dumps({"x": candidates[improvement.argmax()].tolist()}), flush=True)
    elif kind == "recommend":  # the evaluated point of the least posterior mean
        process.fit(points, values)
        print(json.dumps({"x": points[process.predict(points).argmin()]}), flush=True)
    elif kind == "quit":
        break
