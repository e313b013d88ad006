"""Put together what shards played: sums, maxima and weighted means, in shard order.

Means are merged pairwise, m = a + (b - a) n_b/(n_a + n_b), so that a single shard is
itself to the last bit. The order is that of the shards and nothing else decides it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...engine.ledger import Ledger
from ...parts.documents import Document
from ...parts.state import Floats

POINTS = 256  # of a curve, at most
SUMS = (
    "rounds",
    "mistakes",
    "false_positives",
    "false_negatives",
    "updates",
    "loss",
    "mistake_loss",
    "sum_squared_norms",
    "sum_squared_gradients",
    "sum_dual_gradients",
    "sum_rated_gradients",
    "squared_error",
    "running_mean_error",  # each shard begins its own
    "majority_mistakes",
)
LEAST = ("min_entry", "min_label")


class Weights(NamedTuple):
    """What is kept of the hypotheses of some shards.

    Attributes
    ----------
    rounds : int
        How many hypotheses have predicted.
    mean : ndarray
        Their mean, the bias first where there is one.
    last : ndarray
        The last ones of the shards, averaged by their rounds.
    bias : int
        1 where there is a bias.
    named : mapping
        The names of features, where they have any.
    by_name : bool
        Whether a feature's number depends on the order in which names appear, so that
        other shards number otherwise.
    """

    rounds: int
    mean: Floats
    last: Floats
    bias: int
    named: Mapping[int, str]
    by_name: bool = False


def merged_weights(parts: Sequence[Weights]) -> Weights:
    """The weights of several shards, in this order; those without rounds count not."""
    merged = parts[0]
    for part in parts[1:]:
        merged = _merge(merged, part)
    return merged


def renumbered(weights: Weights, named: Mapping[int, str]) -> Weights:
    """The same weights under other numbers: those that `named` gives to the names."""
    numbers = {name: k for k, name in named.items()}
    width = len(numbers)
    places = [numbers[weights.named[k]] for k in range(len(weights.named))]

    def moved(values: Floats) -> Floats:
        out = np.zeros(weights.bias + width)
        out[: weights.bias] = values[: weights.bias]
        out[weights.bias + np.array(places, np.int64)] = values[weights.bias :]
        return out

    return weights._replace(
        mean=moved(weights.mean), last=moved(weights.last), named=dict(named)
    )


def _merge(a: Weights, b: Weights) -> Weights:
    named = dict(a.named)
    if b.by_name:
        known = set(named.values())
        fresh = [name for name in b.named.values() if name not in known]
        named.update(enumerate(fresh, len(named)))
        a, b = renumbered(a, named), renumbered(b, named)
    else:
        named = {**b.named, **named}  # the first to meet a feature names it
    n = a.rounds + b.rounds
    share = b.rounds / n if n else 0.0
    return Weights(
        n,
        _between(a.mean, b.mean, share),
        _between(a.last, b.last, share),
        a.bias,
        named,
        a.by_name,
    )


def _between(a: Floats, b: Floats, share: float) -> Floats:
    """The point `share` of the way from a to b; what is missing is zero."""
    out = np.zeros(max(a.size, b.size))
    out[: a.size] = a
    reach = -out
    reach[: b.size] += b
    if share == 1.0:
        return np.pad(b, (0, out.size - b.size))
    return out + share * reach


def merged_ledger(ledgers: Sequence[Ledger], weight_norm: float) -> Ledger:
    """The statistics of several shards as one, laid end to end in this order."""
    played = [ledger for ledger in ledgers if ledger.rounds] or list(ledgers[:1])
    values: Document = {}
    for field in dataclasses.fields(Ledger):
        found = [getattr(ledger, field.name) for ledger in played]
        if field.name == "curve" or found[0] is None:
            values[field.name] = None
        elif field.name in SUMS:
            values[field.name] = sum(found)
        elif field.name in LEAST:
            values[field.name] = min(found)
        else:
            values[field.name] = max(found)
    values["curve"] = _curve(played)
    values["weight_norm"] = weight_norm
    return Ledger(**values)


def _curve(ledgers: Sequence[Ledger]) -> Floats:
    """Curves one after the other, each from where the one before ended."""
    pieces: list[Floats] = []
    before = np.zeros(3)
    for ledger in ledgers:
        pieces.append(ledger.curve + before)
        before += (ledger.rounds, ledger.mistakes or 0, ledger.loss)
    whole = np.concatenate(pieces)
    while len(whole) > POINTS:
        whole = whole[1::2]
    return whole
