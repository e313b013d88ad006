"""Anytime bounds: mixtures of bets, read at any moment and as often as one likes.

Each bet theta makes a process that starts at 1 and is not expected to grow when m is
the true mean. A mixture of them is one too, and exceeds 1/delta at some time with
probability at most delta (Ville). The certificate is the largest m it does not refute.

The bets: theta = 1; theta = e^(-j/4) for j = 1..J, where J suits a sample of n_opt
rounds; and a thin tail of smaller ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ...parts.state import Floats
from .checks import checked_delta, checked_guess, checked_losses, checked_sums

SMALLEST = 14.0  # bets go down to e^-14
STEPS = 60  # of bisection: far below rounding
BLOCK = 4096  # numbers of rounds that are bisected side by side


def bets(n_opt: float, delta: float) -> tuple[Floats, Floats]:
    """The bets theta_k and the logarithms of their weights.

    `n_opt` is a guess of the number of rounds, made before the data.
    """
    return _grid(_reach(n_opt, delta))


def _reach(n_opt: float, delta: float) -> int:
    """J, the number of bets that suit a sample of n_opt rounds."""
    width = max(n_opt / (8.0 * math.log(1.0 / delta)), 1.0)
    return int(4.0 * (0.5 * math.log(width) + 0.5))


@cache
def _grid(reach: int) -> tuple[Floats, Floats]:
    main = np.arange(1, reach + 1) / 4.0
    tail = np.arange(main.size + 1, int(4.0 * SMALLEST)) / 4.0
    thin = (1.0 + tail) ** -2.0
    logs = np.concatenate([[0.0], main, tail])
    weights = np.concatenate(
        [[0.05], np.full(main.size, 0.90 / main.size), 0.05 * thin / thin.sum()]
    )
    return np.exp(-logs), np.log(weights)


def kl_mixture(
    n: npt.ArrayLike, S: npt.ArrayLike, delta: float = 0.05, n_opt: float | None = None
) -> Any:
    """The anytime bound from two numbers: rounds n and the sum S of their losses.

    ``sum_k w_k (1 - theta_k)^S (1 - theta_k m)^(-n)`` at m = mubar is an e-process: the
    largest m at which it is at most 1/delta bounds mubar at every stopping time, for a
    learner that changes as it likes and losses in [0, 1] (the default for errors).

    Parameters
    ----------
    n : int or array
        Rounds.
    S : float or array
        The sum of their losses.
    delta : float
        The probability of ever being wrong.
    n_opt : float or None
        A guess of the number of rounds, fixed before the data. None means n_opt = n:
        that is valid for ONE n fixed in advance only, not at any stopping time.

    Returns
    -------
    float or ndarray
        An upper bound on mubar.

    Examples
    --------
    >>> from regretless import certify
    >>> round(certify.kl_mixture(1000, 50), 6)
    0.072097
    """
    rounds, sums = checked_sums(n, S)
    delta = checked_delta(delta)
    guesses = rounds.ravel() if n_opt is None else np.full(1, checked_guess(n_opt))
    reaches = np.array([_reach(guess, delta) for guess in guesses.tolist()])
    reaches = np.broadcast_to(reaches, rounds.size)
    found: Floats = np.empty(rounds.size)
    for reach in sorted(set(reaches.tolist())):  # np.unique imports much
        same = np.flatnonzero(reaches == reach)
        for start in range(0, same.size, BLOCK):
            some = same[start : start + BLOCK]
            found[some] = _kl_block(
                rounds.ravel()[some], sums.ravel()[some], delta, _grid(int(reach))
            )
    return float(found[0]) if rounds.ndim == 0 else found.reshape(rounds.shape)


def _kl_block(
    n: Floats, total: Floats, delta: float, grid: tuple[Floats, Floats]
) -> Floats:
    """Bisect for many (n, S) side by side: a row each, a column a bet."""
    theta, log_weights = grid
    count, limit = n[:, None], math.log(1.0 / delta)
    with np.errstate(divide="ignore", invalid="ignore"):
        won = log_weights + total[:, None] * np.log1p(-theta)
        won[total == 0.0, 0] = log_weights[0]  # theta = 1 is lost with the first loss

        def refuted(m: Floats) -> npt.NDArray[np.bool_]:
            grown: Floats = won - count * np.log1p(-theta * m[:, None])
            grown[total > 0.0, 0] = -np.inf
            top = grown.max(axis=1, keepdims=True)
            sums = np.log(np.exp(grown - top).sum(axis=1)) + top[:, 0]
            return np.where(np.isinf(top[:, 0]), True, sums > limit)

        low, high = total / n, np.ones(n.size)
        free = ~refuted(high)
        for _ in range(STEPS):
            middle = 0.5 * (low + high)
            worse = refuted(middle)
            high = np.where(worse, middle, high)
            low = np.where(worse, low, middle)
    return np.where(free, 1.0, high)


def betting(
    losses: npt.ArrayLike, delta: float = 0.05, n_opt: float | None = None
) -> float:
    """The anytime bound for real losses: bets against a running guess of the loss.

    ``sum_k w_k exp(theta_k sum(mu_t - l_t)) prod(1 + theta_k(l_t - L_t))``, where l_t,
    the mean of 1/2 and the losses before t, is known in advance. It is linear in the
    sum of mu_t, so it bounds their mean. Valid for a learner that changes and at any
    stopping time, if n_opt was fixed before the data; it adapts to the variance.

    Parameters
    ----------
    losses : array
        In [0, 1], in order.
    delta : float
        The probability of ever being wrong.
    n_opt : float or None
        As in :func:`kl_mixture`.

    Examples
    --------
    >>> from regretless import certify
    >>> round(certify.betting([0.2, 0.3] * 500), 4)
    0.2563
    """
    values, guesses, theta, log_weights = _prepared(losses, delta, n_opt)
    won = log_weights.copy()
    with np.errstate(divide="ignore"):
        for k in range(theta.size):
            won[k] += float(np.log1p(theta[k] * (guesses - values)).sum())
    return _linear(won, theta, guesses.sum(), values, delta)


def empirical_bernstein(
    losses: npt.ArrayLike, delta: float = 0.05, n_opt: float | None = None
) -> float:
    """The anytime bound that shows the variance: a mixture of Bernstein's inequality.

    ``sum_k w_k exp(theta_k sum(mu_t - L_t) - psi(theta_k) sum(L_t - l_t)^2)`` with
    psi(theta) = -ln(1 - theta) - theta and l_t as in :func:`betting`. Valid where that
    is, and never tighter.

    Parameters
    ----------
    losses : array
        In [0, 1], in order.
    delta : float
        The probability of ever being wrong.
    n_opt : float or None
        As in :func:`kl_mixture`.

    Examples
    --------
    >>> from regretless import certify
    >>> round(certify.empirical_bernstein([0.2, 0.3] * 500), 4)
    0.258
    """
    values, guesses, theta, log_weights = _prepared(losses, delta, n_opt)
    spread = float(((values - guesses) ** 2).sum())
    theta, log_weights = theta[1:], log_weights[1:]  # psi(1) is infinite
    psi = -np.log1p(-theta) - theta
    won = log_weights - psi * spread
    return _linear(won, theta, values.sum(), values, delta)


def _prepared(
    losses: npt.ArrayLike, delta: float, n_opt: float | None
) -> tuple[Floats, Floats, Floats, Floats]:
    values = checked_losses(losses)
    before = np.concatenate([[0.0], np.cumsum(values)[:-1]])
    guesses = (before + 0.5) / np.arange(1.0, values.size + 1)
    guess = values.size if n_opt is None else checked_guess(n_opt)
    theta, log_weights = bets(guess, checked_delta(delta))
    return values, guesses, theta, log_weights


def _linear(
    won: Floats, theta: Floats, center: float, values: Floats, delta: float
) -> float:
    """The largest m with log sum exp(won + theta (n m - center)) <= ln(1/delta)."""

    def refuted(m: float) -> bool:
        logs = won + theta * (values.size * m - center)
        return _log_sum(logs) > math.log(1.0 / delta)

    return _largest(refuted, float(values.mean()))


def _log_sum(logs: Floats) -> float:
    top = float(logs.max())
    if math.isinf(top):
        return top
    return top + math.log(float(np.exp(logs - top).sum()))


def _largest(refuted: Callable[[float], bool], low: float) -> float:
    """The largest m in [low, 1] that is not refuted."""
    high = 1.0
    if not refuted(high):
        return 1.0
    for _ in range(STEPS):
        middle = 0.5 * (low + high)
        if refuted(middle):
            high = middle
        else:
            low = middle
    return high
