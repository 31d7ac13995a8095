"""How often the interval that `bo check` prints for the probability of a loss holds the truth.

Usage: python interval.py [TESTS [PROBABILITIES]]
       python interval.py --of FLIGHTS LOST [FLIGHTS LOST ...]

The first simulates TESTS (60000) tests at each of PROBABILITIES (.0015,.0066,.007,.03,.1) and prints how many
intervals held the probability, with the standard error, and the median of their widths over that of Clopper and Pearson's
at the same counts. The second prints intervals. A second writing of `bo/src/check/sequential.rs` from its
description: paths to each end are counted once, the probabilities follow from the counts, and tests are
simulated from loss to loss. Needs numpy.
"""
import math, sys
import numpy as np

UP, DOWN, END, MOST = math.log(20), math.log(0.99 / 0.9995), math.log(0.995 / 0.005), 4000

# Flights with which a test of so many losses passes, and the last with which it is refused.
passes = [s + math.ceil((-END - s * UP) / DOWN) for s in range(60)]
refuses = [s + math.floor((END - s * UP) / DOWN) if s * UP >= END else 0 for s in range(60)]


def all_ends():
    """Flights, losses and the logarithm of the number of paths of each end, lowest first."""
    passed, refused, open_ = [], [], {0: 1}
    for n in range(1, MOST + 1):
        step = {}
        for s, paths in open_.items():
            step[s] = step.get(s, 0) + paths
            step[s + 1] = step.get(s + 1, 0) + paths
        open_ = {}
        for s, paths in step.items():
            if n >= passes[s]:
                passed.append((n, s, paths))
            elif n <= refuses[s]:
                refused.append((n, s, paths))
            else:
                open_[s] = paths
    rest = [(MOST, s, paths) for s, paths in sorted(open_.items())]
    ends = passed + rest + refused[::-1]
    n, s = (np.array([end[k] for end in ends], float) for k in (0, 1))
    return n, s, np.array([math.log(end[2]) for end in ends])


N, S, PATHS = all_ends()
INDEX = {(int(n), int(s)): k for k, (n, s) in enumerate(zip(N, S))}


def mass(p):
    return np.exp(PATHS + S * math.log(p) + (N - S) * math.log1p(-p))


def root(rises, tail):
    """Where the increasing function of the logit is `tail`."""
    low, high = -30.0, 30.0
    for _ in range(70):
        middle = (low + high) / 2
        low, high = (low, middle) if rises(1 / (1 + math.exp(-middle))) > tail else (middle, high)
    return 1 / (1 + math.exp(-low))


def interval(n, s):
    k = INDEX[n, s]
    low = root(lambda p: mass(p)[k:].sum(), 0.025) if s else 0.0
    high = root(lambda p: -mass(p)[: k + 1].sum(), -0.025) if s < n else 1.0
    return low, high


def clopper_pearson(n, s):
    j = np.arange(n + 1)
    paths = np.array([math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) for i in j])
    of = lambda p: np.exp(paths + j * math.log(p) + (n - j) * math.log1p(-p))
    low = root(lambda p: of(p)[s:].sum(), 0.025) if s else 0.0
    high = root(lambda p: -of(p)[: s + 1].sum(), -0.025) if s < n else 1.0
    return low, high


def simulated(p, tests, rng):
    """Counts of the ends of so many tests."""
    n, lost = np.zeros(tests, int), 0
    found = {}
    while n.size:
        gap = rng.geometric(p, n.size)
        stop = min(passes[lost], MOST)
        ended = n + gap > stop
        if ended.any():
            found[stop, lost] = found.get((stop, lost), 0) + int(ended.sum())
        n, lost = (n + gap)[~ended], lost + 1
        over = (n <= refuses[lost]) | ((n == MOST) & (n < passes[lost]))
        for at, count in zip(*np.unique(n[over], return_counts=True)):
            found[int(at), lost] = found.get((int(at), lost), 0) + int(count)
        n = n[~over]
    return found


if sys.argv[1:2] == ["--of"]:
    of = [int(word) for word in sys.argv[2:]]
    for n, s in zip(of[::2], of[1::2]):
        print(n, s, *("%.12g" % end for end in interval(n, s)))
    sys.exit()
TESTS, AT = (sys.argv[1:] + ["60000", ".0015,.0066,.007,.03,.1"][len(sys.argv) - 1 :])[:2]
TESTS, known = int(TESTS), {}
for p in (float(word) for word in AT.split(",")):
    held, ratios, counts = 0, [], []
    for end, count in simulated(p, TESTS, np.random.default_rng(1)).items():
        if end not in known:
            low, high = interval(*end)
            least, most = clopper_pearson(*end)
            known[end] = low, high, (high - low) / (most - least)
        low, high, ratio = known[end]
        held += count * (low <= p <= high)
        ratios.append(ratio)
        counts.append(count)
    assert sum(counts) == TESTS
    order = np.argsort(ratios)
    median = np.array(ratios)[order][np.searchsorted(np.cumsum(np.array(counts)[order]), TESTS / 2)]
    share = held / TESTS
    print(f"p {p}: {share:.4f} +- {math.sqrt(share * (1 - share) / TESTS):.4f}, median width {median:.3f} of Clopper-Pearson's")
