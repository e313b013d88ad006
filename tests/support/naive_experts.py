"""Slow, obvious versions of the experts' algorithms, written from the theory.

Each takes a list of rows and returns what was paid each round and the weights before
every round and after the last. An expert asleep is nan.
"""

import math

import numpy as np

GOLDEN = 0x9E3779B97F4A7C15
WORD = 2**64


def softmax(logs):
    """Normalized exponentials, of the finite entries alone."""
    logs = np.asarray(logs, float)
    top = logs[np.isfinite(logs)].max()
    w = np.where(np.isfinite(logs), np.exp(logs - top), 0.0)
    return w / w.sum()


def complete(row, w):
    """What is paid, and the losses with those asleep charged that."""
    awake = ~np.isnan(row)
    share = np.where(awake, w, 0.0)
    paid = float(np.nansum(share * np.nan_to_num(row)) / share.sum())
    return paid, np.where(awake, row, paid)


def hedge(L, rate):
    """Weights exp(-rate(t) * loss so far), t from 1."""
    L = np.asarray(L, float)
    total = np.zeros(L.shape[1])
    paid, path = [], []
    for t, row in enumerate(L, 1):
        logs = -rate(t) * total
        path.append(softmax(logs))
        awake = ~np.isnan(row)
        loss, charged = complete(row, softmax(np.where(awake, logs, -np.inf)))
        paid.append(loss)
        total += charged
    path.append(softmax(-rate(len(L) + 1) * total))
    return np.array(paid), np.array(path)


def leaders(total):
    w = (total == total.min()).astype(float)
    return w / w.sum()


def mix_total(total, eta):
    """The cumulative mix loss -ln(mean exp(-eta total))/eta, at any eta."""
    if eta == math.inf:
        return total.min()
    low = total.min()
    return low - math.log(np.mean(np.exp(-eta * (total - low)))) / eta


def adahedge(L):
    """Paid, the weights, and the sum of mixability gaps."""
    L = np.asarray(L, float)
    n = L.shape[1]
    total = np.zeros(n)
    delta = 0.0
    paid, path = [], []

    def weights(awake):
        if delta == 0.0:
            w = np.zeros(n)
            w[awake] = leaders(total[awake])
            return w
        return softmax(np.where(awake, -math.log(n) / delta * total, -np.inf))

    for row in L:
        path.append(weights(np.ones(n, bool)))
        loss, charged = complete(row, weights(~np.isnan(row)))
        eta = math.log(n) / delta if delta > 0 else math.inf
        mix = mix_total(total + charged, eta) - mix_total(total, eta)
        delta += max(0.0, loss - mix)
        total += charged
        paid.append(loss)
    path.append(weights(np.ones(n, bool)))
    return np.array(paid), np.array(path), delta


def fixed_share(L, eta, share):
    L = np.asarray(L, float)
    n = L.shape[1]
    w = np.full(n, 1 / n)
    paid, path = [], [w]
    for row in L:
        loss, charged = complete(row, w)
        v = w * np.exp(-eta * (charged - charged.min()))
        w = (1 - share) * v / v.sum() + share / n
        paid.append(loss)
        path.append(w)
    return np.array(paid), np.array(path)


def squint_prior(depth=20):
    pi = np.array([1 / (i * (i + 1)) for i in range(1, depth + 1)])
    return pi / pi.sum()


def squint(L, depth=20):
    """Paid, the weights, R and V."""
    L = np.asarray(L, float)
    n = L.shape[1]
    pi = squint_prior(depth)
    eta = 2.0 ** -np.arange(1, depth + 1)
    R, V = np.zeros(n), np.zeros(n)
    paid, path = [], []

    def weights(awake):
        logs = np.log(pi * eta) + np.outer(R, eta) - np.outer(V, eta**2)
        top = logs[awake].max()
        w = np.where(awake, np.exp(logs - top).sum(axis=1), 0.0)
        return w / w.sum()

    for row in L:
        path.append(weights(np.ones(n, bool)))
        loss, charged = complete(row, weights(~np.isnan(row)))
        r = loss - charged
        R, V = R + r, V + r * r
        paid.append(loss)
    path.append(weights(np.ones(n, bool)))
    return np.array(paid), np.array(path), R, V


def ml_poly(L):
    """Paid, the weights, and the bound on the regret against each expert."""
    L = np.asarray(L, float)
    n = L.shape[1]
    R, V, Q = np.zeros(n), np.zeros(n), np.zeros(n)
    B = 0.0
    paid, path = [], []

    def weights(awake):
        w = np.where(awake & (R > 0), R, 0.0)
        if w.sum() == 0.0 and (R > 0).any():  # all that are ahead sleep
            return softmax(np.where(awake, R / np.sqrt(B + V), -np.inf))
        if w.sum() == 0.0:
            return awake / awake.sum()
        w = w / (B + V)
        return w / w.sum()

    for row in L:
        path.append(weights(np.ones(n, bool)))
        loss, charged = complete(row, weights(~np.isnan(row)))
        r = loss - charged
        new = max(B, (r * r).max())
        if new > 0:
            Q += r * r / (B + V if B > 0 else new + r * r)
        R, V, B = R + r, V + r * r, new
        paid.append(loss)
    path.append(weights(np.ones(n, bool)))
    return np.array(paid), np.array(path), np.sqrt((B + V) * Q.sum())


def safe_boa(L):
    """Paid, the weights, and the bound on the regret against each expert."""
    L = np.asarray(L, float)
    n = L.shape[1]
    log_n = math.log(n)
    Y, V, Q = np.zeros(n), np.zeros(n), np.zeros(n)
    B = first = drift = 0.0
    paid, path = [], []

    def rates(B, V):
        own = [math.sqrt(log_n / v) if v > 0 else math.inf for v in V]
        return np.minimum(1 / (2 * B), own)

    def weights(awake):
        if B == 0.0:
            return awake / awake.sum()
        eta = rates(B, V)
        logs = np.log(eta) + eta * (Y - log_n * 2 * first)
        return softmax(np.where(awake, logs, -np.inf))

    for row in L:
        path.append(weights(np.ones(n, bool)))
        loss, charged = complete(row, weights(~np.isnan(row)))
        r = loss - charged
        new = max(B, np.abs(r).max())
        if B == 0.0:
            first = new
        else:
            r = r * B / new
            eta = rates(B, V)
            Y, Q, V = Y + r - eta * r * r, Q + eta * r * r, V + r * r
            drift += (eta / rates(new, V) - 1).sum()
        B = new
        paid.append(loss)
    path.append(weights(np.ones(n, bool)))
    bounds = np.zeros(n)
    if B > 0:
        grown = math.log(1 + drift / math.e)
        bounds = B + Q + 2 * first * log_n + grown / rates(B, V)
    return np.array(paid), np.array(path), bounds


def halving(votes, outcomes):
    """Predictions, from the set of those never wrong; nobody may sleep."""
    alive = set(range(len(votes[0])))
    predictions = []
    for row, y in zip(votes, outcomes, strict=True):
        ones = sum(row[k] == 1 for k in alive)
        predictions.append(int(ones > len(alive) - ones))
        alive = {k for k in alive if row[k] == y}
        if not alive:
            return predictions, None
    return predictions, alive


def majority(votes, outcomes, beta):
    """Scores, and the share of weight wrong, of specialists; weights multiply."""
    votes = np.asarray(votes, float)
    n = votes.shape[1]
    w = np.full(n, 1 / n)
    scores, wrong_shares, path = [], [], [w]
    for row, y in zip(votes, outcomes, strict=True):
        awake = ~np.isnan(row)
        before = w[awake].sum()
        scores.append(w[row == 1].sum() / before)
        wrong = awake & (row != y)
        wrong_shares.append(w[wrong].sum() / before)
        new = np.where(wrong, beta * w, w)
        after = new[awake].sum()
        if after > 0:
            new[~awake] *= after / before
        w = new / new.sum()
        path.append(w)
    return np.array(scores), np.array(wrong_shares), np.array(path)


def conservative_majority(votes, outcomes, beta):
    """Weighted majority of +-1 experts that learns only when the master errs.

    A tie is a mistake, as in the linear learners.
    """
    w = np.full(len(votes[0]), 1 / len(votes[0]))
    path, mistakes = [w], []
    for row, y in zip(np.asarray(votes, float), outcomes, strict=True):
        mistaken = y * (w @ row) <= 0
        if mistaken:
            w = np.where(row == y, w, beta * w)
            w = w / w.sum()
        mistakes.append(mistaken)
        path.append(w)
    return np.array(mistakes), np.array(path)


def scramble(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) % WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) % WORD
    return z ^ (z >> 31)


def coin(seed, t):
    """splitmix64: a number in [0, 1) for the seed and the round from 0."""
    start = scramble((seed + GOLDEN) % WORD)
    return (scramble((start + (t + 1) * GOLDEN) % WORD) >> 11) / 2**53


def best_sequence(L, switches):
    """The least loss of a sequence of experts that changes at most `switches` times."""
    L = np.asarray(L, float)
    best = np.full((switches + 1, L.shape[1]), np.inf)
    best[:, :] = L[0]
    for row in L[1:]:
        new = best.copy()
        for m in range(1, switches + 1):
            new[m] = np.minimum(best[m], best[m - 1].min())
        best = new + row
    return best.min(axis=1)


def follow_the_leader(y, first):
    """Predictions x_1 .. x_T."""
    return [first if t == 0 else math.fsum(y[:t]) / t for t in range(len(y))]


def boa(L):
    """Paid and the weights of opera 1.2's BOA, written after its published R code.

    An expert whose V is 0 (it never differed from the mixture) weighs the mean weight.
    """
    L = np.asarray(L, float)
    n = L.shape[1]
    Y, V, B, eta = np.zeros(n), np.zeros(n), np.full(n, 2.0**-20), np.ones(n)
    paid, path = [], []

    def weights(awake):
        old = awake & (V > 0)
        if not old.any():
            return awake / awake.sum()
        w = softmax(np.where(old, np.log(eta) + eta * Y, -np.inf))
        w = np.where(awake & ~old, w[old].mean(), w)
        return w / w.sum()

    for row in L:
        path.append(weights(np.ones(n, bool)))
        loss, charged = complete(row, weights(~np.isnan(row)))
        r = loss - charged
        B = np.maximum(B, np.abs(r))
        two = 2.0 ** np.ceil(np.log2(B))
        V = V + r * r
        own = [math.sqrt(math.log(n) / v) if v > 0 else 1.0 for v in V]
        eta = np.where(V > 0, np.minimum(1 / two, own), 1.0)
        Y = Y + 0.5 * (r - eta * r * r + two * (eta * r > 0.5)) * (V > 0)
        paid.append(loss)
    path.append(weights(np.ones(n, bool)))
    return np.array(paid), np.array(path), None
