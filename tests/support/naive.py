"""Every linear algorithm once more: slow, obvious, written from the theory.

Nothing here is shared with the package. An algorithm knows its weights, what it pays,
and how it moves; ``play`` is the protocol; ``recount`` is the ledger by hand. The
weights of multiplicative algorithms are kept as logarithms: they never under- or
overflow.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

# Losses: name -> (value, slope), both of (score, y, fields of the loss).


def hinge(s, y, margin=1.0, gain=1.0):
    return max(0.0, margin - gain * y * s)


def hinge_slope(s, y, margin=1.0, gain=1.0):
    return -gain * y if gain * y * s <= margin else 0.0


def logistic(s, y):
    return np.logaddexp(0.0, -y * s)


def logistic_slope(s, y):
    m = y * s
    if m < 0:
        return -y / (1.0 + math.exp(m))
    return -y * math.exp(-m) / (1.0 + math.exp(-m))  # zero, if m is large


LOSSES = {
    "ZeroOne": (lambda s, y: float(y * s <= 0), lambda s, y: 0.0),
    "Hinge": (hinge, hinge_slope),
    "SquaredHinge": (
        lambda s, y, margin=1.0: max(0.0, margin - y * s) ** 2,
        lambda s, y, margin=1.0: -2 * y * max(0.0, margin - y * s),
    ),
    "Logistic": (logistic, logistic_slope),
    "Squared": (lambda s, y: (s - y) ** 2, lambda s, y: 2 * (s - y)),
    "Absolute": (lambda s, y: abs(s - y), lambda s, y: float(np.sign(s - y))),
    "Huber": (
        lambda s, y, width=1.0: (
            (s - y) ** 2 / 2
            if abs(s - y) <= width
            else width * abs(s - y) - width**2 / 2
        ),
        lambda s, y, width=1.0: float(np.clip(s - y, -width, width)),
    ),
    "EpsilonInsensitive": (
        lambda s, y, eps=0.1: max(0.0, abs(s - y) - eps),
        lambda s, y, eps=0.1: 0.0 if abs(s - y) <= eps else float(np.sign(s - y)),
    ),
    "Pinball": (
        lambda s, y, q=0.5: max(q * (y - s), (q - 1) * (y - s)),
        lambda s, y, q=0.5: 0.0 if s == y else (-q if s < y else 1 - q),
    ),
    "Exponential": (
        lambda s, y: math.exp(-y * s),
        lambda s, y: -y * math.exp(-y * s),
    ),
}


def kinks(name, s, y, fields=()):
    """How far a score is from a point where the slope jumps."""
    if name == "Hinge":
        margin, gain = (*fields, 1.0, 1.0)[:2] if len(fields) < 2 else fields
        return abs(margin - gain * y * s)
    if name in ("Absolute", "Pinball"):
        return abs(s - y)
    if name == "EpsilonInsensitive":
        return abs(abs(s - y) - (fields[0] if fields else 0.1))
    if name == "ZeroOne":
        return abs(s)
    return math.inf


# Steps: name -> eta of (t, sum of squared dual norms, this one included, parameter).

STEPS = {
    "Constant": lambda t, squares, c: c,
    "InverseSqrt": lambda t, squares, c: c / math.sqrt(t),
    "InverseTime": lambda t, squares, c: 1.0 / (c * t),
    "Adaptive": lambda t, squares, c: c / math.sqrt(squares) if squares > 0 else 0.0,
}


# Domains: the nearest point of the set.


def everywhere(w):
    return w


def ball(radius):
    def project(w):
        norm = np.linalg.norm(w)
        return w if norm <= radius else w * (radius / norm)

    return project


def box(low, high):
    return lambda w: np.clip(w, low, high)


def simplex(radius):
    def project(w):
        # Sort, and find how many coordinates stay positive (Held, Wolfe, Crowder).
        ordered = np.sort(w)[::-1]
        excess = np.cumsum(ordered) - radius
        keep = np.flatnonzero(ordered * np.arange(1, w.size + 1) > excess)[-1]
        return np.maximum(w - excess[keep] / (keep + 1), 0.0)

    return project


class Algorithm:
    """What ``play`` asks of an algorithm. A loss or a step is (name, fields)."""

    threshold = 0.0
    conservative = False
    eager = False  # whether a row is taken in where the slope is zero, too
    sigma = 0.0
    loss = ("Hinge", ())
    step = ("Constant", (1.0,))

    def weights(self):
        raise NotImplementedError

    def see(self, x):
        """The row as the algorithm sees it."""
        return x

    def foresee(self, x, standing):
        """What is said of a row that has this score."""
        return standing

    def scales(self):
        """What entries are divided by at present."""
        return 1.0

    def observe_gradient(self, x, score, y, gradient):
        """Learn of a gradient before the step is taken."""

    def move(self, w, gradient, eta):
        raise NotImplementedError

    def dual_norm(self, x):
        return float(np.linalg.norm(x))


class Perceptron(Algorithm):
    conservative = True

    def __init__(self, d, eta=1.0):
        self.w = np.zeros(d)
        self.step = ("Constant", (eta,))

    def weights(self):
        return self.w.copy()

    def move(self, w, gradient, eta):
        self.w = w - eta * gradient


class PNormPerceptron(Algorithm):
    conservative = True

    def __init__(self, d, p=None):
        self.p = max(2.0, 2.0 * math.log(d)) if p is None else p
        self.theta = np.zeros(d)

    def weights(self):
        top = np.max(np.abs(self.theta))
        if top == 0:
            return np.zeros_like(self.theta)
        unit = np.abs(self.theta) / top
        norm = np.sum(unit**self.p) ** (1 / self.p)
        return top * np.sign(self.theta) * unit ** (self.p - 1) / norm ** (self.p - 2)

    def move(self, w, gradient, eta):
        self.theta = self.theta - eta * gradient

    def dual_norm(self, x):
        top = np.max(np.abs(x), initial=0.0)
        return top and float(top * np.sum((np.abs(x) / top) ** self.p) ** (1 / self.p))


class Winnow(Algorithm):
    conservative = True

    def __init__(self, d, eta=0.25, threshold=0.5):
        self.log_w = np.full(d, -math.log(d))
        self.threshold = threshold
        self.loss = ("Hinge", (1.0, 1.0 / threshold))
        self.step = ("Constant", (eta,))

    def weights(self):
        return np.exp(self.log_w)

    def move(self, w, gradient, eta):
        self.log_w = self.log_w - eta * gradient

    def dual_norm(self, x):
        return float(np.max(np.abs(x), initial=0.0))


class UnnormalizedEG(Winnow):
    conservative = False

    def __init__(self, d, loss, step):
        super().__init__(d)
        self.loss, self.step, self.threshold = loss, step, 0.0


class EG(Algorithm):
    def __init__(self, d, loss, step, radius=1.0):
        self.log_w = np.full(d, -math.log(d))
        self.loss, self.step, self.radius = loss, step, radius

    def weights(self):
        return self.radius * np.exp(self.log_w - np.logaddexp.reduce(self.log_w))

    def move(self, w, gradient, eta):
        self.log_w = self.log_w - eta * self.radius * gradient

    def dual_norm(self, x):
        return self.radius * float(np.max(np.abs(x), initial=0.0))


class SignedEG(EG):
    """EG on (x, -x): two weights a feature, normalised together."""

    def __init__(self, d, loss, step, radius=1.0):
        super().__init__(2 * d, loss, step, radius)

    def weights(self):
        plus, minus = np.split(super().weights(), 2)
        return plus - minus

    def move(self, w, gradient, eta):
        super().move(w, np.concatenate([gradient, -gradient]), eta)


class NormalizedWinnow(EG):
    conservative = True

    def __init__(self, d, eta):
        super().__init__(d, ("Hinge", ()), ("Constant", (eta,)))


class BalancedWinnow(SignedEG):
    conservative = True

    def __init__(self, d, eta):
        super().__init__(d, ("Hinge", ()), ("Constant", (eta,)))


class OGD(Algorithm):
    def __init__(self, d, loss, step, project=everywhere):
        self.loss, self.step, self.project = loss, step, project
        self.w = project(np.zeros(d))

    def weights(self):
        return self.w.copy()

    def move(self, w, gradient, eta):
        self.w = self.project(w - eta * gradient)


class Pegasos(OGD):
    def __init__(self, d, strength):
        super().__init__(d, ("Hinge", ()), ("InverseTime", (strength,)))
        self.sigma = strength


@dataclass
class Played:
    """The record of a naive game; one entry a round, and one more in ``path``."""

    scores: list = field(default_factory=list)
    losses: list = field(default_factory=list)
    mistakes: list = field(default_factory=list)
    path: list = field(default_factory=list)
    gradients: list = field(default_factory=list)  # None where nothing moved
    duals: list = field(default_factory=list)  # dual norms of gradients, 0 likewise
    x_duals: list = field(default_factory=list)
    etas: list = field(default_factory=list)
    gaps: list = field(default_factory=list)  # distance to the nearest branch
    rows: list = field(default_factory=list)  # as the algorithm saw them
    raw_path: list = field(default_factory=list)  # path, for rows as they came

    def clear_rounds(self, gap=1e-9):
        """How many rounds pass before one that rounding alone could decide."""
        close = np.flatnonzero(np.asarray(self.gaps) < gap)
        return int(close[0]) if close.size else len(self.gaps)


def play(algorithm, X, y):
    """See x, predict, see y, pay, update."""
    value, slope = LOSSES[algorithm.loss[0]]
    fields = algorithm.loss[1]
    rate, parameter = STEPS[algorithm.step[0]], algorithm.step[1][0]
    sigma = algorithm.sigma
    out = Played(path=[algorithm.weights()])
    out.raw_path.append(out.path[0] / algorithm.scales())
    start = out.path[0]
    touched = np.zeros(start.size, bool)
    squares = 0.0
    for t, (row, target) in enumerate(zip(np.asarray(X, float), y, strict=True), 1):
        w = out.path[-1]
        x = algorithm.see(row)
        out.rows.append(x)
        score = algorithm.foresee(x, float(w @ x) - algorithm.threshold)
        mistake = bool(target * score <= 0)
        out.scores.append(score)
        out.mistakes.append(mistake)
        out.losses.append(value(score, target, *fields) + sigma / 2 * float(w @ w))
        untouched = not (x[touched].any() or start[x != 0].any())
        out.gaps.append(_gap(algorithm, score, target, untouched))
        lean = slope(score, target, *fields)
        idle = lean == 0 and sigma == 0 and not algorithm.eager
        if (algorithm.conservative and not mistake) or idle:
            out.gradients.append(None)
            out.duals.append(0.0)
            out.x_duals.append(0.0)
            out.etas.append(0.0)
        else:
            gradient = lean * x + sigma * w
            algorithm.observe_gradient(x, score, target, gradient)
            dual = abs(lean) * algorithm.dual_norm(x)
            if sigma > 0:
                dual = float(np.linalg.norm(gradient))
            squares += dual**2
            eta = rate(t, squares, parameter)
            algorithm.move(w, gradient, eta)
            touched |= x != 0
            out.gradients.append(gradient)
            out.duals.append(dual)
            out.x_duals.append(algorithm.dual_norm(x))
            out.etas.append(eta)
        out.path.append(algorithm.weights())
        out.raw_path.append(out.path[-1] / algorithm.scales())
    return out


def _gap(algorithm, score, target, untouched):
    """How far a round is from being decided the other way."""
    if untouched and algorithm.threshold == 0:
        return math.inf  # the score is exactly zero, however it is computed
    return min(abs(score), kinks(algorithm.loss[0], score, target, algorithm.loss[1]))


def _scale(scores, y, binary):
    """What those pay who never look at x."""
    if binary:
        wrong = [label * sum(y[:t]) <= 0 for t, label in enumerate(y)]
        majority = int(sum(wrong))
        return {
            "squared_error": None,
            "running_mean_error": None,
            "majority_mistakes": majority,
        }
    means = np.array([y[:t].mean() if t else 0.0 for t in range(len(y))])
    return {
        "squared_error": np.sum((scores - y) ** 2),
        "running_mean_error": np.sum((means - y) ** 2),
        "majority_mistakes": None,
    }


def recount(played, y, *, binary):
    """Every field of the ledger, counted again from the record."""
    X, y = np.array(played.rows), np.asarray(y, float)
    moved = [t for t, g in enumerate(played.gradients) if g is not None]
    wrong = np.array(played.mistakes, bool)
    losses = np.array(played.losses)
    norms = np.sqrt(np.sum(X * X, axis=1))
    squared = [float(played.gradients[t] @ played.gradients[t]) for t in moved]
    rated = [played.etas[t] * played.duals[t] ** 2 for t in moved]
    return {
        "rounds": len(y),
        "mistakes": int(wrong.sum()) if binary else None,
        "false_positives": int((wrong & (y < 0)).sum()) if binary else None,
        "false_negatives": int((wrong & (y > 0)).sum()) if binary else None,
        "updates": len(moved),
        "loss": losses.sum(),
        "mistake_loss": losses[wrong].sum(),
        "max_norm": norms.max(),
        "min_entry": min(0.0, X.min()),
        "max_entry": max(0.0, X.max()),
        "max_dual_norm": max((played.x_duals[t] for t in moved), default=0.0),
        "sum_squared_norms": sum(norms[t] ** 2 for t in moved),
        "sum_squared_gradients": sum(squared),
        "sum_dual_gradients": sum(played.duals[t] ** 2 for t in moved),
        "sum_rated_gradients": sum(rated),
        "max_gradient": math.sqrt(max(squared, default=0.0)),
        "min_label": y.min(),
        "max_label": y.max(),
        "max_score": np.abs(played.scores).max(),
        "weight_norm": float(np.linalg.norm(played.path[-1])),
        **_scale(np.array(played.scores), y, binary),
    }
