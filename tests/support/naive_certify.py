"""The bounds of THEORY 8 once more: slow, obvious, written from the formulas.

Nothing here is shared with the package. ``*_process`` are the processes themselves, at
the true mean of every round; a bound misses exactly where its process exceeds 1/delta.
"""

from __future__ import annotations

import math

import numpy as np


def grid(n_opt, delta):
    """The bets and their weights, one at a time."""
    reach = math.floor(
        4 * (0.5 * math.log(max(n_opt / (8 * math.log(1 / delta)), 1.0)) + 0.5)
    )
    bets = [(1.0, 0.05)]
    bets += [(math.exp(-j / 4), 0.90 / reach) for j in range(1, reach + 1)]
    rest = [j / 4 for j in range(reach + 1, 57) if j / 4 < 14]
    thin = sum((1 + s) ** -2.0 for s in rest)
    bets += [(math.exp(-s), 0.05 * (1 + s) ** -2.0 / thin) for s in rest]
    return bets


def bound(value_at, low, delta, steps=40):
    """The largest m in [low, 1] with value_at(m) <= 1/delta."""
    if value_at(1.0) <= 1 / delta:
        return 1.0
    high = 1.0
    for _ in range(steps):
        middle = (low + high) / 2
        if value_at(middle) > 1 / delta:
            high = middle
        else:
            low = middle
    return high


def kl_value(n, total, m, bets):
    """sum_k w_k (1-theta)^S (1 - theta m)^-n."""
    value = 0.0
    for theta, weight in bets:
        if theta == 1.0:
            if total == 0:
                value += weight * (1 - m) ** -n if m < 1 else math.inf
            continue
        logs = total * math.log(1 - theta) - n * math.log(1 - theta * m)
        value += weight * math.exp(min(logs, 700.0))
    return value


def guesses(losses):
    """The mean of 1/2 and the losses before each round."""
    return [(0.5 + sum(losses[:t])) / (t + 1) for t in range(len(losses))]


def betting_value(losses, m, bets):
    """sum_k w_k exp(theta sum(m - l_t)) prod(1 + theta(l_t - L_t))."""
    value, ahead = 0.0, guesses(losses)
    for theta, weight in bets:
        wealth = 1.0
        for loss, guess in zip(losses, ahead, strict=True):
            wealth *= math.exp(theta * (m - guess)) * (1 + theta * (guess - loss))
        value += weight * wealth
    return value


def bernstein_value(losses, m, bets):
    """sum_k w_k exp(theta sum(m - L_t) - psi(theta) sum (L_t - l_t)^2)."""
    value, ahead = 0.0, guesses(losses)
    for theta, weight in bets:
        if theta == 1.0:
            continue
        psi = -math.log(1 - theta) - theta
        logs = 0.0
        for loss, guess in zip(losses, ahead, strict=True):
            logs += theta * (m - loss) - psi * (loss - guess) ** 2
        value += weight * math.exp(min(logs, 700.0))
    return value


# The processes at the true means, for many runs at once: a row a run.


def _log_sum(parts):
    total = np.zeros(parts[0].shape)
    for part in parts:
        total += np.exp(np.minimum(part, 600.0))
    return np.log(total)


def kl_process(losses, risks, n_opt, delta):
    """ln of the KL mixture at mubar, after every round."""
    t = np.arange(1, losses.shape[1] + 1)
    total, mean = np.cumsum(losses, axis=1), np.cumsum(risks, axis=1) / t
    parts = []
    with np.errstate(divide="ignore"):
        for theta, weight in grid(n_opt, delta):
            lost = total * math.log(1 - theta) if theta < 1 else np.log(total == 0)
            parts.append(math.log(weight) + lost - t * np.log1p(-theta * mean))
    return _log_sum(parts)


def _guesses(losses):
    t = np.arange(1, losses.shape[1] + 1)
    return (0.5 + np.cumsum(losses, axis=1) - losses) / t


def betting_process(losses, risks, n_opt, delta):
    """ln of the betting mixture at the true means, after every round."""
    guess, parts = _guesses(losses), []
    for theta, weight in grid(n_opt, delta):
        with np.errstate(divide="ignore"):
            gains = theta * (risks - guess) + np.log1p(theta * (guess - losses))
        parts.append(math.log(weight) + np.cumsum(gains, axis=1))
    return _log_sum(parts)


def bernstein_process(losses, risks, n_opt, delta):
    """ln of the mixture of Bernstein's inequality, after every round."""
    guess, parts = _guesses(losses), []
    for theta, weight in grid(n_opt, delta)[1:]:
        psi = -math.log1p(-theta) - theta
        gains = theta * (risks - losses) - psi * (losses - guess) ** 2
        parts.append(math.log(weight) + np.cumsum(gains, axis=1))
    return _log_sum(parts)
