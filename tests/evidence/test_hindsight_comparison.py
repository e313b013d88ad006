"""What a comparator pays beside a learner: against a plain loop over a traced run."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.sparse import csr_array

import regretless as rg
from problems import Chunks
from regretless.data import open_source
from regretless.evidence.hindsight import compare_with
from regretless.parts.losses import slope, value
from regretless.parts.penalties import strength
from regretless.parts.triggers import fires

LEARNERS = (
    rg.Perceptron(),
    rg.Perceptron(bias=True),
    rg.Winnow(domain="allow"),
    rg.NormalizedWinnow(0.3, domain="allow"),
    rg.OGD(loss=rg.Logistic()),
    rg.OGD(loss=rg.Hinge(), radius=1.0),
    rg.EG(loss=rg.SquaredHinge(), step=rg.Constant(0.1)),
    rg.Pegasos(0.1),
    rg.OGD(loss=rg.Squared(), step=rg.Constant(0.01)),
)


def plain(learner, X, y, u, bias):
    """The same numbers, one round at a time."""
    run = rg.play(learner, X, y, trace=True)
    parts = learner.composition(X.shape[1] + learner.bias)
    sigma = strength(parts.penalty)
    found = {"loss": 0.0, "mistakes": 0.0, "updates": 0.0, "n_updates": 0}
    margins, mistaken, largest = [math.inf], [math.inf], 0.0
    for x, t, score in zip(X, y, run.scores, strict=True):
        z = float(x @ u + bias - parts.threshold)
        paid = value(parts.loss, z, t)
        found["loss"] += paid
        margins.append(t * z)
        largest = max(largest, abs(z))
        if t * score <= 0:
            found["mistakes"] += paid
            mistaken.append(t * z)
        if fires(parts.trigger, score, t) and (sigma or slope(parts.loss, score, t)):
            found["updates"] += paid
            found["n_updates"] += 1
    found["penalty"] = 0.5 * sigma * (u @ u + bias**2) * len(y)
    return run, found, min(margins), min(mistaken), largest


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
@pytest.mark.parametrize("form", ["dense", "sparse", "stream"])
def test_against_a_plain_loop(learner, form, rng):
    X = rng.normal(size=(80, 4))
    y = X @ rng.normal(size=4) + rng.normal(size=80)
    binary = learner.composition(4).loss.task == "binary"
    y = np.sign(y) if binary else y
    u, bias = rng.normal(size=4), 0.3 if learner.bias else 0.0
    rows = {
        "dense": lambda: open_source(X, y, binary=binary),
        "sparse": lambda: open_source(csr_array(X), y, binary=binary),
        "stream": lambda: Chunks(X, y, 9),
    }[form]()
    found = compare_with(rows, learner.player, u, bias)
    run, slow, margin, mistaken, largest = plain(learner, X, y, u, bias)
    assert found.rounds == 80
    assert found.mistakes == run.mistakes
    assert found.updates == run.ledger.updates == slow["n_updates"]
    assert found.loss == pytest.approx(slow["loss"])
    assert found.penalty == pytest.approx(slow["penalty"])
    assert found.objective == pytest.approx(slow["loss"] + slow["penalty"])
    assert found.loss_on_updates == pytest.approx(slow["updates"])
    assert found.max_score == pytest.approx(largest)
    if binary:
        assert found.loss_on_mistakes == pytest.approx(slow["mistakes"])
        assert found.min_margin == pytest.approx(margin)
        assert found.min_margin_on_mistakes == pytest.approx(mistaken)
    else:
        assert found.min_margin is None
    everything = np.append(u, bias) if learner.bias else u
    assert found.norm1 == pytest.approx(np.abs(everything).sum())
    assert found.norm == pytest.approx(np.linalg.norm(everything))
    assert found.norm_inf == pytest.approx(np.abs(everything).max())
    assert "a comparator u pays" in str(found)


def test_entropies():
    rows = open_source([[1.0, 0.0, 0.0]], [1], binary=True)
    found = compare_with(rows, rg.Perceptron().player, [0.5, 0.25, 0.0])
    assert found.sum_u_log_u == pytest.approx(
        0.5 * math.log(0.5) + 0.25 * math.log(0.25)
    )
    assert found.entropy == pytest.approx(
        -(2 / 3 * math.log(2 / 3) + math.log(1 / 3) / 3)
    )
    signed = compare_with(rows, rg.Perceptron().player, [0.5, -0.5, 0.0])
    assert signed.sum_u_log_u is None
    assert signed.entropy == pytest.approx(math.log(2))
    assert compare_with(rows, rg.Perceptron().player, [0.0, 0.0, 0.0]).entropy == 0.0


def test_events_whose_features_appear_as_we_go():
    events = [({"a": 1.0}, 1), ({"b": 1.0}, -1), ({"a": 1.0, "c": 1.0}, 1)]
    rows = open_source(events, None, binary=True)
    found = compare_with(rows, rg.Perceptron().player, [1.0, -1.0, 0.0])
    assert (found.loss, found.min_margin, found.mistakes) == (0.0, 1.0, 2)


def test_a_bad_comparator_says_what_is_wrong():
    rows = open_source([[1.0, 2.0]], [1], binary=True)
    player = rg.Perceptron().player
    with pytest.raises(ValueError, match="u has 3 weights, but the data have 2"):
        compare_with(rows, player, [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match=r"u\[1\] is nan"):
        compare_with(rows, player, [1.0, np.nan])
    with pytest.raises(ValueError, match="one dimension"):
        compare_with(rows, player, [[1.0, 2.0]])
    with pytest.raises(ValueError, match="not an array of numbers"):
        compare_with(rows, player, ["a", "b"])
    with pytest.raises(ValueError, match="no bias"):
        compare_with(rows, player, [1.0, 2.0], 1.0)
    with pytest.raises(ValueError, match="bias_weight="):
        compare_with(rows, rg.Perceptron(bias=True).player, [1.0, 2.0], np.inf)
    once = open_source(iter([({"a": 1.0}, 1)]), None, binary=True)
    with pytest.raises(ValueError, match="read only once"):
        compare_with(once, player, [1.0])
