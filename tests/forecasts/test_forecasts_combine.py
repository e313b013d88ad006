"""Combining forecasters: equal to the slow version, within bounds, never peeking."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize

import naive_experts
import naive_forecasts as naive
import regretless as rg
from regretless.forecasts import Brier, Log, Spherical, combine
from regretless.forecasts.checking import checked
from regretless.forecasts.given import as_table
from regretless.forecasts.mixture import _learner
from regretless.forecasts.oracles import best_mix, best_path
from regretless.forecasts.scores import as_score, losses_of
from regretless.parts.losses import slope, value
from regretless.parts.scores import class_slope, class_value

NAN = math.nan


def game(name, seed=0, n=40, k=4, outcomes=2, missing=0.0):
    """Forecasters of some worth, and what happened."""
    rng = np.random.default_rng(seed)
    if name in ("absolute", "squared", "pinball"):
        y = rng.normal(size=n).round(2)
        F = y[:, None] + rng.normal(size=(n, k)) * np.linspace(0.5, 2, k)
    elif outcomes == 2:
        p = rng.random(n)
        y = (rng.random(n) < p).astype(float)
        F = np.clip(p[:, None] + rng.normal(0, 0.3, (n, k)), 0.01, 0.99)
    else:
        p = rng.dirichlet(np.ones(outcomes), n)
        y = np.array([rng.choice(outcomes, p=row) for row in p]).astype(float)
        F = p[:, None, :] + rng.random((n, k, outcomes))
        F /= F.sum(axis=2, keepdims=True)
    silent = rng.random((n, k)) < missing
    silent[np.arange(n), rng.integers(0, k, n)] = False
    F[silent] = NAN
    return F, y


RULES = {
    "ml-poly": lambda L: naive_experts.ml_poly(L)[1],
    "boa": lambda L: naive_experts.boa(L)[1],
    "safe-boa": lambda L: naive_experts.safe_boa(L)[1],
    "adahedge": lambda L: naive_experts.adahedge(L)[1],
    "eg": lambda L: naive_experts.adahedge(L)[1],
}


@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize(
    ("by", "name", "outcomes"),
    [
        ("ml-poly", "brier", 2),
        ("ml-poly", "absolute", 2),
        ("boa", "log", 3),
        ("safe-boa", "log", 3),
        ("adahedge", "spherical", 3),
        ("eg", "brier", 3),
    ],
)
def test_equals_the_slow_version(by, name, outcomes, missing):
    F, y = game(name, n=60, outcomes=outcomes, missing=missing)
    found = combine(F, y, by, name)
    L = naive.charges(name, F, y, found.forecasts, found.slopes)
    if name == "absolute":  # differences know no slope at the kink, and are exact else
        L = np.sign(found.forecasts - y)[:, None] * (F - found.forecasts[:, None])
    path = RULES[by](L)
    np.testing.assert_allclose(
        naive.mixed(F, path[:-1]), found.forecasts, rtol=1e-5, atol=1e-7
    )
    np.testing.assert_allclose(found.weights, path[-1], rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(found.weight_path.sum(axis=1), 1.0)
    lost = [naive.loss(name, f, o) for f, o in zip(found.forecasts, y, strict=True)]
    np.testing.assert_allclose(found.losses, lost, rtol=1e-9)
    silent = np.isnan(F) if F.ndim == 2 else np.isnan(F).any(axis=2)
    own = np.where(silent, 0.0, found.losses[:, None]).sum(axis=0)
    np.testing.assert_allclose(found.own, own)
    np.testing.assert_allclose(found.totals, np.nansum(found.expert_losses, axis=0))
    assert found.heard.tolist() == (~silent).sum(axis=0).tolist()


def test_nobody_peeks():
    F, y = game("brier", n=50)
    found = combine(F, y)
    for t in (0, 10, 49):
        other = y.copy()
        other[t:] = 1 - other[t:]
        again = combine(F, other)
        np.testing.assert_array_equal(
            again.forecasts[: t + 1], found.forecasts[: t + 1]
        )


def test_the_order_of_forecasters_is_nothing():
    F, y = game("brier", n=80, missing=0.2)
    found, turned = combine(F, y), combine(F[:, ::-1], y)
    np.testing.assert_allclose(found.forecasts, turned.forecasts, rtol=1e-9)


def test_a_part_of_a_forecast_is_none():
    F, y = game("brier", outcomes=3)
    whole, part = F.copy(), F.copy()
    whole[5:9, 1] = NAN
    part[5:9, 1, 2] = NAN
    np.testing.assert_array_equal(
        combine(whole, y, "eg").forecasts, combine(part, y, "eg").forecasts
    )


# What is proved.


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(
    ("by", "name"),
    [
        ("ml-poly", "brier"),
        ("ml-poly", "absolute"),
        ("safe-boa", "log"),
        ("eg", "brier"),
    ],
)
def test_no_bound_is_ever_violated(by, name, seed):
    outcomes = 3 if (by, name) in (("safe-boa", "log"), ("eg", "brier")) else 2
    missing = 0.3 if seed % 4 == 3 else 0.0
    k = 2 + seed % 4
    F, y = game(name, seed, n=10 + 40 * seed, k=k, outcomes=outcomes, missing=missing)
    if seed % 2:  # forecasters take turns at being good
        F[::2] = F[::2, ::-1]
    found = combine(F, y, by, name)
    told = found.theorems()  # raises where one is violated
    against = [verdict.theorem.name for verdict in told.applying]
    assert any("best forecaster" in one for one in against)
    assert any("best convex mix" in one for one in against) == (missing == 0.0)
    # every forecaster and random mixes, not the best ones alone
    bounds = found.ledger.regret_bounds
    if bounds is None:
        bounds = np.full(k, 2 * found.ledger.mixability_gap)
    assert (found.own - found.totals <= bounds + 1e-9).all()
    if missing == 0.0:
        rng = np.random.default_rng(seed)
        for u in rng.dirichlet(np.full(k, 0.5), 20):
            score = as_score(name)
            mean = np.einsum("k,tk...->t...", u, F)[:, None]
            paid = losses_of(score, mean, y).sum()
            assert found.loss - paid <= u @ bounds + 1e-6
            assert found.best_mix.lower_bound <= paid * (1 + 1e-12) + 1e-9


def test_fixed_share_against_sequences():
    F, y = game("brier", n=400)
    F[200:] = F[200:, ::-1]
    found = combine(F, y, "fixed-share", switches=3)
    told = found.theorems()
    assert told["fixed-share / best sequence"].applies
    assert not told["fixed-share / best convex mix"].applies
    assert found.by.share == pytest.approx(3 / 399)
    missing = F.copy()
    missing[3, 1] = NAN
    assert not combine(missing, y, found.by).theorems().applying


def test_a_mix_is_better_than_its_best_part():
    F, y = rg.forecasts.simulate_panel(seed=3)
    found = combine(F, y)
    assert found.regret < 0
    assert found.loss < found.best_loss
    assert found.best_mix.loss < found.loss < found.best_mix.loss * 1.05
    assert found.best_mix.loss <= found.totals.min()
    assert found.best_sequence.loss <= found.best_loss


# Scores as parts.


@pytest.mark.parametrize("part", [Brier(), Log(), Spherical()], ids=repr)
def test_slopes_are_derivatives(part, rng):
    name = part.name.lower()
    for _ in range(20):
        p, y = rng.uniform(0.05, 0.95), float(rng.integers(0, 2))
        assert value(part, p, y) == pytest.approx(naive.loss(name, p, y))
        told = naive.numeric_slopes(name, p, y)[0]
        assert slope(part, p, y) == pytest.approx(told, rel=1e-5, abs=1e-7)
        row, o = np.r_[9.0, rng.dirichlet(np.ones(3)) * 0.9 + 0.1 / 3], int(y) + 1
        out = np.zeros(3)
        class_slope(part, row, 1, 3, float(o), out)
        np.testing.assert_allclose(
            out, naive.numeric_slopes(name, row[1:], o), rtol=1e-5, atol=1e-7
        )
        assert class_value(part, row, 1, 3, float(o)) == pytest.approx(
            naive.loss(name, row[1:], o)
        )


@pytest.mark.parametrize(
    "name", ["brier", "log", "spherical", "absolute", "squared", "pinball"]
)
def test_tables_of_losses(name):
    for outcomes in (2, 3):
        F, y = game(name, outcomes=outcomes, missing=0.2)
        found = losses_of(as_score(name), F, y)
        for t in range(len(y)):
            for k in range(F.shape[1]):
                if np.isnan(F[t, k]).any():
                    assert np.isnan(found[t, k])
                else:
                    assert found[t, k] == pytest.approx(naive.loss(name, F[t, k], y[t]))


# In hindsight.


@pytest.mark.parametrize(
    ("name", "outcomes"),
    [("brier", 2), ("brier", 3), ("log", 2), ("log", 3), ("squared", 2)],
)
def test_the_best_mix(name, outcomes):
    F, y = game(name, 5, n=120, outcomes=outcomes)
    score = as_score(name)
    panel = checked(as_table(F, y), score)

    def paid(u):
        mean = np.einsum("k,tk...->t...", u, panel.values)[:, None]
        return float(losses_of(score, mean, y).sum())

    found = best_mix(panel, score, 1e-9)
    assert found.loss == pytest.approx(paid(found.u))
    assert found.lower_bound <= found.loss
    assert found.relative_gap <= 1e-9
    k = F.shape[1]
    slow = minimize(
        paid,
        np.full(k, 1 / k),
        bounds=[(0, 1)] * k,
        constraints={"type": "eq", "fun": lambda u: u.sum() - 1},
        options={"ftol": 1e-12},
    )
    assert found.loss <= slow.fun + 1e-6
    rough = best_mix(panel, score, 0.9)  # far from solved, and its bound true
    assert rough.lower_bound <= found.loss <= rough.loss


def test_the_best_mix_of_numbers_with_kinks():
    F, y = game("absolute", 5, n=120)
    panel = checked(as_table(F, y), as_score("absolute"))
    found = best_mix(panel, as_score("absolute"))
    assert found.relative_gap <= 1e-4
    assert found.loss == pytest.approx(np.abs(F @ found.u - y).sum())


def test_the_best_sequence_goes_round_gaps():
    rng = np.random.default_rng(0)
    L = rng.random((60, 3))
    naive_losses = naive_experts.best_sequence(L, 4)
    assert best_path(L, 4).loss == pytest.approx(naive_losses[4])
    L[:20, 0] = NAN
    L[30:, 1] = NAN
    L[10:40, 2] = NAN
    found = best_path(L, 2)
    assert not np.isnan(L[np.arange(60), found.path]).any()
    assert found.loss == pytest.approx(L[np.arange(60), found.path].sum())
    with pytest.raises(ValueError, match="no sequence with 0 switches has a forecast"):
        best_path(L, 0)


# What a user sees.


def test_it_prints_a_table():
    F, y = game("brier", n=100)
    found = combine(pd.DataFrame(F, columns=list("abcd")), y)
    text = str(found)
    for what in ("mixture", "best forecaster: ", "best convex mix", "10 changes"):
        assert what in text
    for what in ("mean of all", "median of all", "relative", "weight", "bias"):
        assert what in text
    assert "rule: auto, learning from gradients" in text
    assert found.headline in text
    plain = json.loads(json.dumps(found.as_dict()))
    assert plain["mixture_loss"] == found.loss
    assert set(plain["weights"]) == {*"abcd", "mean", "median"}
    assert sum(plain["weights"].values()) == pytest.approx(1)
    assert [one["name"] for one in plain["forecasters"]] == list("abcd")
    assert plain["best_mix"]["loss"] == pytest.approx(found.best_mix.loss)
    assert "best_mix" not in found.as_dict(oracles=False)


def test_missing_forecasts_leave_no_best_mix():
    F, y = game("brier", n=100, missing=0.2)
    found = combine(F, y)
    assert found.best_mix is None
    assert "some forecasts are missing" in str(found)
    assert found.as_dict()["best_mix"] is None
    assert found.regret == (found.own - found.totals).max()
    F, y = game("spherical", n=100, outcomes=3)
    bent = combine(F, y, "adahedge", "spherical")
    assert not _learner("ml-poly", None, Spherical())[1]
    assert "is not convex" in str(bent)
    assert not bent.theorems().applying


def test_the_next_row():
    F, y = game("brier", n=100)
    found = combine(F, y, "ml-poly")
    assert found.mix(F[0]) == pytest.approx(found.weights @ F[0])
    longer = combine(np.vstack([F, F[:1]]), np.append(y, 1.0), "ml-poly")
    assert found.mix(F[0]) == pytest.approx(longer.forecasts[-1])
    gone = np.where(found.weights > 0, NAN, 0.25)
    gone[0] = 0.75 if np.isnan(gone).all() else gone[0]
    assert 0 <= found.mix(gone) <= 1
    with pytest.raises(ValueError, match="all 4 forecasters are missing"):
        found.mix([NAN] * 4)
    with pytest.raises(ValueError, match="the forecasts of 4 forecasters"):
        found.mix([0.5])


def test_plots(tmp_path):
    pytest.importorskip("vl_convert")
    F, y = game("brier", n=100, missing=0.1)
    figure = combine(F, y).plot(tmp_path / "mix.html")
    # four lines above, and six areas below: the forecasters, their mean and median
    above, below = figure.panels
    assert [mark.kind for mark in above.marks] == ["line"] * 4 + ["rule"]
    assert [mark.kind for mark in below.marks] == ["area"] * 6
    assert (tmp_path / "mix.html").stat().st_size > 10_000


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"by": "ml-pol"}, ValueError, "did you mean 'ml-poly'"),
        ({"by": rg.Halving()}, TypeError, "Halving counts votes"),
        ({"by": rg.Perceptron()}, TypeError, "is not a learner of experts"),
        ({"loss": "spherical", "slopes": True}, ValueError, "needs a convex loss"),
        ({"loss": rg.Hinge()}, TypeError, "is not one of 'brier'"),
    ],
)
def test_refusals(options, error, message):
    F, y = game("brier")
    with pytest.raises(error, match=message):
        combine(F, y, **options)


def test_bad_rows_are_named():
    F, y = game("brier")
    silent = F.copy()
    silent[7] = NAN
    assert combine(silent, y).silent == 1
    with pytest.raises(rg.BadRow, match="all 4 forecasters are missing, in all rows"):
        combine(np.full_like(F, NAN), y)
    wrong = F.copy()
    wrong[3, 2] = 1.5
    with pytest.raises(rg.BadRow, match=r"row 3: column 'C': 1\.5 is not a prob"):
        combine(wrong, y)
    with pytest.raises(ValueError, match="at least two forecasters"):
        combine(F[:, :1], y)
    with pytest.raises(rg.BadRow, match="row 0: a loss is not a finite number"):
        combine(np.array([[1.7e308, 1.0]]), [-1.7e308], loss="absolute")
