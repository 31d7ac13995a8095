"""Scikit-learn's GaussianProcessRegressor on the data of `cargo bench -p dilgp`, timed.

Usage: OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python speed.py [LARGEST]. Processor time, not wall
time, so that other work on the machine counts little. What it printed is in `speed.md`. It is not
part of the tests.
"""

import sys
import time
import warnings

import numpy as np
import sklearn
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

warnings.filterwarnings("ignore")


def spread(n):
    roots = np.sqrt(np.array([2.0, 3.0, 5.0, 7.0, 11.0, 13.0]))
    x = 2 * np.mod(np.arange(1, n + 1)[:, None] * roots, 1) - 1
    y = np.sin(2 * x[:, 0]) + x[:, 1] * x[:, 2] - 0.5 * x[:, 3] + 0.05 * np.cos(3.7 * np.arange(n))
    return x, (y - y.mean()) / y.std()


def timed(work, repeats):
    work()
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return 1e3 * best


def main(largest):
    print("scikit-learn", sklearn.__version__, "numpy", np.__version__)
    for n in [n for n in (100, 500, 1000, 2000) if n <= largest]:
        x, y = spread(n)
        kernel = ConstantKernel(1.0, (1e-4, 1e4)) * RBF([1.2] * 6, (1e-3, 1e3)) + WhiteKernel(0.01, (1e-8, 10))
        small = GaussianProcessRegressor(kernel).fit(*spread(200))
        fixed = GaussianProcessRegressor(small.kernel_, optimizer=None).fit(x, y)
        repeats = 5 if n < 1000 else 2
        theta = small.kernel_.theta
        objective = timed(lambda: fixed.log_marginal_likelihood(theta, eval_gradient=True, clone_kernel=False), repeats)
        test = 0.9 * spread(1000)[0]
        predict = timed(lambda: fixed.predict(test, return_std=True), repeats)
        print(f"n {n}: objective {objective:.2f} ms, predict 1000 {predict:.2f} ms", flush=True)
        if n <= 500:
            start = time.process_time()
            cold = GaussianProcessRegressor(kernel).fit(x, y)
            cold_ms = 1e3 * (time.process_time() - start)
            before = GaussianProcessRegressor(kernel).fit(*spread(n * 9 // 10))
            start = time.process_time()
            GaussianProcessRegressor(before.kernel_).fit(x, y)
            warm_ms = 1e3 * (time.process_time() - start)
            print(f"   cold fit {cold_ms:.1f} ms, warm fit {warm_ms:.1f} ms, "
                  f"log likelihood {cold.log_marginal_likelihood_value_:.4f}", flush=True)


main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
