"""Slow, obvious versions of the comparison of forecasters, written from the theory."""

import math

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq


def loss(name, f, y):
    """What one forecast costs: a number, a probability, or a list of probabilities."""
    if name in ("absolute", "pinball"):
        return abs(f - y) * (0.5 if name == "pinball" else 1.0)
    if name == "squared" or (np.ndim(f) == 0 and name == "brier"):
        return (f - y) ** 2
    p = np.array([1 - f, f]) if np.ndim(f) == 0 else np.array(f, float)
    y = int(y)
    if name == "brier":
        return sum((p[c] - (c == y)) ** 2 for c in range(len(p)))
    if name == "log":
        p = np.clip(p, 1e-3, 1 - 1e-3 if np.ndim(f) == 0 else 1)
        return -math.log(p[y] / p.sum())
    return 1 - p[y] / math.sqrt(sum(x * x for x in p))


def ends(name, a, b, low=None, high=None):
    """The least and largest difference of two losses over all outcomes, by trying."""
    if name in ("absolute", "pinball"):
        tries = [min(a, b) - 1, a, b, max(a, b) + 1]
    elif name == "squared":
        tries = [low, high]
    else:
        tries = range(2 if np.ndim(a) == 0 else len(a))
    found = [loss(name, a, y) - loss(name, b, y) for y in tries]
    return min(found), max(found)


def evidence(S, V, rho):
    """The one-sided mixture, by numerical integration over the bets."""

    def mixed(c):
        density = math.sqrt(2 * rho / math.pi) * math.exp(-c * c * rho / 2)
        return density * math.exp(c * S - c * c * V / 2)

    return quad(mixed, 0, np.inf, limit=200)[0]


def adjust(log):
    """The adjuster of a running maximum: the mixture of k m^(1-k) over k in (0, 1)."""
    return quad(lambda k: k * math.exp(log * (1 - k)), 0, 1)[0]


def compare(name, A, B, y, delta, rho=1.0, lag=1, low=None, high=None):
    """Mean differences, lcb, ucb and both e-values, by round."""
    S, V = [0.0] * lag, [0.0] * lag
    top = [[1.0, 1.0] for _ in range(lag)]
    rows = []
    n = total = 0
    possible = np.zeros(2)
    for t, (a, b, o) in enumerate(zip(A, B, y, strict=True)):
        if np.isnan(a).any() or np.isnan(b).any():
            continue
        n += 1
        k = t % lag
        D = loss(name, a, o) - loss(name, b, o)
        total += D
        S[k] += D
        least, most = ends(name, a, b, low, high)
        possible += np.array([least, most])
        V[k] += ((most - least) / 2) ** 2
        r = rho / lag
        wide = sum(
            math.sqrt((v + r) * (math.log(1 + v / r) + 2 * math.log(lag / delta)))
            for v in V
            if v > 0
        )
        e = [[evidence(-s, v, r), evidence(s, v, r)] for s, v in zip(S, V, strict=True)]
        if lag > 1:
            top = np.maximum(top, e)
            e = np.mean([[adjust(math.log(m)) for m in two] for two in top], axis=0)
        else:
            e = e[0]
        lcb, ucb = max(total - wide, possible[0]), min(total + wide, possible[1])
        rows.append((total / n, lcb / n, ucb / n, *e))
    return np.array(rows)


def bernstein(D, guess, fall, width, rho, delta):
    """Log evidence that means are positive, and how far sums may be above, by round."""
    bets = [math.exp(j / 2) / math.sqrt(rho) for j in range(-16, 9)]
    weights = np.array([c * math.exp(-rho * c * c / 50) for c in bets])
    logs = np.log(weights / weights.sum())
    prices = np.zeros(len(bets))
    S, rows = 0.0, []
    for d, g, f, w in zip(D, guess, fall, width, strict=True):
        S += d
        for k, c in enumerate(bets):
            if c * f > 0.9:
                prices[k] += c * c * w * w / 8
            elif f > 0:
                prices[k] += c * (d - g) - math.log(1 + c * (d - g))

        def log_mixture(x, prices=prices.copy()):
            return np.logaddexp.reduce(logs + np.array(bets) * x - prices)

        root = brentq(lambda x: log_mixture(x) - math.log(1 / delta), -1e4, 1e4)
        rows.append((log_mixture(S), root))
    return np.array(rows)


def numeric_slopes(name, x, y, step=1e-6):
    """The slopes of the loss at `x`, by differences; rows need not add up to one."""
    x = np.atleast_1d(np.asarray(x, float))
    if len(x) == 1:
        return np.array(
            [
                (free_loss(name, x[0] + step, y) - free_loss(name, x[0] - step, y))
                / (2 * step)
            ]
        )
    found = []
    for c in range(len(x)):
        up, down = x.copy(), x.copy()
        up[c] += step
        down[c] -= step
        found.append((free_loss(name, up, y) - free_loss(name, down, y)) / (2 * step))
    return np.array(found)


def free_loss(name, f, y):
    """The loss without any clipping, wherever its formula makes sense."""
    if name != "log":
        return loss(name, f, y)
    if np.ndim(f) == 0:
        return -math.log(f if y else 1 - f)
    return -math.log(f[int(y)])


def charges(name, F, y, mixtures, slopes):
    """What each forecaster is charged in each round, given what was played."""
    rows = []
    for said, o, x in zip(F, y, mixtures, strict=True):
        g = numeric_slopes(name, x, o) if slopes else None
        row = []
        for f in said:
            if np.isnan(f).any():
                row.append(math.nan)
            elif slopes:
                row.append(float(np.sum(g * (np.atleast_1d(f) - np.atleast_1d(x)))))
            else:
                row.append(loss(name, f, o))
        rows.append(row)
    return np.array(rows)


def mixed(F, path):
    """The mean forecasts under weights `path`, of those who speak."""
    silent = np.isnan(F) if F.ndim == 2 else np.isnan(F).any(axis=2)
    w = np.where(silent, 0.0, path)
    w = w / w.sum(axis=1, keepdims=True)
    return np.einsum("tk,tk...->t...", w, np.nan_to_num(F))


class NaiveMLPoly:
    """ML-Poly round by round: weights of those awake, and learning of charges."""

    def __init__(self, n):
        self.R, self.V, self.B = np.zeros(n), np.zeros(n), 0.0

    def weights(self, awake):
        w = np.where(awake & (self.R > 0), self.R, 0.0)
        if w.sum() == 0 and (self.R > 0).any():
            z = np.where(awake, self.R / np.sqrt(self.B + self.V), -np.inf)
            w = np.exp(z - z.max())
        elif w.sum() == 0:
            w = awake.astype(float)
        else:
            w = w / (self.B + self.V)
        return w / w.sum()

    def learn(self, charges):
        awake = ~np.isnan(charges)
        mixed = self.weights(awake) @ np.nan_to_num(charges)
        r = np.where(awake, mixed - np.nan_to_num(charges), 0.0)
        self.R, self.V = self.R + r, self.V + r * r
        self.B = max(self.B, (r * r).max())


class NaiveHedge:
    """Exponential weights at a fixed rate, those asleep charged the mixture."""

    def __init__(self, n, eta=0.3):
        self.L, self.eta = np.zeros(n), eta

    def weights(self, awake):
        w = np.where(awake, np.exp(-self.eta * (self.L - self.L.min())), 0.0)
        return w / w.sum()

    def learn(self, charges):
        awake = ~np.isnan(charges)
        mixed = self.weights(awake) @ np.nan_to_num(charges)
        self.L = self.L + np.where(awake, np.nan_to_num(charges), mixed)


def rounds_with_delay(rule, F, y, times, known, slopes):
    """Mix squared losses, time by time. `known`: when each row's outcome is known.

    Returns the mixtures and, for every row, the times of the rows learned before it.
    """
    mixtures, seen = np.full(len(y), math.nan), [None] * len(y)
    waiting, learned = [], []
    for now in sorted(set(times)):
        due = [one for one in waiting if one[0] <= now]
        for one in sorted(due, key=lambda one: (one[0], one[1])):
            rule.learn(one[2])
            learned.append((one[1], one[0]))
        waiting = [one for one in waiting if one[0] > now]
        for when in sorted({known[i] for i in range(len(y)) if times[i] == now}):
            rows = [i for i in range(len(y)) if times[i] == now and known[i] == when]
            charges = []
            for i in rows:
                seen[i] = list(learned)
                awake = ~np.isnan(F[i])
                if not awake.any():
                    continue
                w = rule.weights(awake)
                x = w @ np.nan_to_num(F[i])
                mixtures[i] = x
                if math.isnan(y[i]):
                    continue
                if slopes:
                    charge, own = 2 * (x - y[i]) * (F[i] - x), 0.0
                else:
                    charge = (F[i] - y[i]) ** 2
                    own = w @ np.nan_to_num(charge)
                charges.append((charge, own))
            if charges:
                said = np.any([~np.isnan(c) for c, _ in charges], axis=0)
                mean = np.mean([np.where(np.isnan(c), own, c) for c, own in charges], 0)
                waiting.append((when, now, np.where(said, mean, math.nan)))
    return mixtures, seen
