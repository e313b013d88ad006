"""A round is a time: what is forecast together, and when it is learned."""

import dataclasses
import math

import numpy as np
import pandas as pd
import pytest

import naive_forecasts as naive
import regretless as rg
from regretless.forecasts import Mixture, combine, compare, load_mixture

NAN = math.nan


def many_places(seed, times=30, places=4, k=3, missing=0.0, unknown=0.0):
    """Forecasts of numbers at some times and places, with gaps."""
    rng = np.random.default_rng(seed)
    when = np.repeat(np.arange(times), rng.integers(1, places + 1, times))
    n = len(when)
    shock = rng.normal(size=times)[when]
    y = shock + rng.normal(size=n)
    F = y[:, None] + rng.normal(size=(n, k)) * np.linspace(0.5, 2, k)
    F[rng.random((n, k)) < missing] = NAN
    y[rng.random(n) < unknown] = NAN
    return F, y, when


RULES = {
    "ml-poly": (naive.NaiveMLPoly, "ml-poly", True),
    "hedge": (naive.NaiveHedge, rg.Hedge(eta=0.3), False),
}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("missing", [0.0, 0.4])
@pytest.mark.parametrize("how", ["lag 1", "lag 3", "horizon", "known_at"])
def test_the_loop_equals_a_naive_one(rule, missing, how):
    make, by, slopes = RULES[rule]
    F, y, when = many_places(3, missing=missing, unknown=missing / 4)
    rng = np.random.default_rng(7)
    options = {"time": when}
    if how.startswith("lag"):
        options["lag"] = int(how[4:])
        known = when + options["lag"]
    elif how == "horizon":
        options["horizon"] = rng.integers(1, 5, len(y))
        known = when + options["horizon"]
    else:
        options["known_at"] = when + rng.uniform(0.1, 6, len(y)).round(1)
        known = np.ceil(options["known_at"]).astype(int)
    found = combine(F, y, by, "squared", **options)
    slow, _ = naive.rounds_with_delay(make(3), F, y, when, known, slopes)
    np.testing.assert_allclose(found.forecasts, slow, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(np.isnan(found.losses), np.isnan(y) | np.isnan(slow))


@pytest.mark.parametrize("lag", [1, 2, 5])
@pytest.mark.parametrize("by", ["auto", "ml-poly", "boa", "adahedge"])
def test_nothing_is_learned_before_it_is_known(by, lag):
    F, y, when = many_places(1)
    found = combine(F, y, by, "squared", time=when, lag=lag)
    for t in (0, 7, 20):
        other = np.where(when == t, y + 10, y)
        again = combine(F, other, by, "squared", time=when, lag=lag)
        before = when < t + lag
        np.testing.assert_array_equal(again.forecasts[before], found.forecasts[before])
        after = (when >= t + lag) & (when < t + lag + 3)
        assert (again.forecasts[after] != found.forecasts[after]).any()


def test_a_coin_that_is_copied_cannot_be_forecast():
    rng = np.random.default_rng(0)
    days, copies = 100, 50
    y = np.repeat(rng.integers(0, 2, days), copies).astype(float)
    F = rng.random((len(y), 5))
    F[:, 0], F[:, 1] = 0.1, 0.9  # whom a peeking mixture would follow within the day
    when = np.repeat(np.arange(days), copies)
    peeking, honest = combine(F, y), combine(F, y, time=when)
    assert peeking.losses.mean() < 0.2
    assert honest.losses.mean() > 0.25
    assert any("5,000 rows are 100 times" in note for note in honest.notes)


def shocked(seed, times, places):
    """Two forecasters, equally good, at many places that share a shock."""
    rng = np.random.default_rng(seed)
    shape = (times, places)
    base, shock = rng.normal(size=shape), rng.normal(size=(times, 1))
    y = base + shock + 0.3 * rng.normal(size=shape)
    a, b = base - 0.5, base + 0.5
    return a.ravel(), b.ravel(), y.ravel(), np.repeat(np.arange(times), places)


def test_equal_forecasters_under_common_shocks():
    ignored = 0
    for seed in range(25):
        a, b, y, when = shocked(seed, 60, 50)
        ignored += compare(a, b, y, loss="absolute").first is not None
        assert compare(a, b, y, loss="absolute", time=when).first is None
    assert ignored > 20  # the test can fail


def test_comparing_is_about_means_of_rounds():
    F, y, when = many_places(2, missing=0.2)
    found = compare(F[:, 0], F[:, 1], y, loss="absolute", time=when, method="ranges")
    both = ~np.isnan(F[:, :2]).any(axis=1)
    frame = pd.DataFrame(
        {
            "t": when,
            "d": np.abs(F[:, 0] - y) - np.abs(F[:, 1] - y),
            "w": np.abs(F[:, 0] - F[:, 1]),
        }
    )[both]
    means = frame.groupby("t").mean()
    V = np.cumsum(means["w"].to_numpy() ** 2)
    rho = 100 * V[0]
    wide = np.sqrt((V + rho) * (np.log1p(V / rho) + 2 * np.log(20)))
    n = np.arange(1, len(means) + 1)
    total = np.cumsum(means["d"].to_numpy())
    limit = np.cumsum(means["w"].to_numpy())
    np.testing.assert_allclose(found.estimates, total / n)
    np.testing.assert_allclose(found.lcb, np.maximum(total - wide, -limit) / n)
    assert found.rounds == len(means)
    assert found.rows == len(frame)


def test_lags_by_known_at_are_those_of_the_latest():
    F, y, when = many_places(4)
    late = compare(F, y=y, loss="absolute", time=when, known_at=when + 2.5)
    plain = compare(F, y=y, loss="absolute", time=when, lag=3)
    assert late["A", "B"].lag == 3
    np.testing.assert_array_equal(late["A", "B"].lcb, plain["A", "B"].lcb)


# Theorems, with rounds and delays.


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("by", ["auto", "ml-poly", "safe-boa", "eg", "adahedge"])
def test_bounds_hold_with_rounds_and_delays(by, seed):
    F, y, when = many_places(seed, times=40, missing=0.3 * (seed % 2))
    if seed % 3 == 0:
        F[::2] = F[::2, ::-1]
    found = combine(F, y, by, "absolute", time=when, lag=1 + seed % 4)
    told = found.theorems()  # raises where one is violated
    assert any("best forecaster" in v.theorem.name for v in told.applying)
    for mixer in found.mixture.layers:
        late = np.abs(mixer.apart).max()
        assert (late > 1e-9) or found.lag == 1 or mixer.many == 2


# Typing errors, gaps, tomorrow.


def test_a_typo_does_not_cost_much_afterwards():
    worst = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        y = rng.normal(10, 3, 300)
        F = y[:, None] + rng.normal(size=(300, 5)) * [0.5, 1.5, 1.5, 2, 2]
        G = F.copy()
        G[150, 0] *= 10
        clean, dirty = (combine(X, y, loss="absolute").losses for X in (F, G))
        worst.append(dirty[151:].mean() / clean[151:].mean())
    assert max(worst) < 1.15


def test_when_all_that_are_ahead_sleep():
    rng = np.random.default_rng(0)
    y = rng.normal(size=200)
    F = y[:, None] + rng.normal(size=(200, 3)) * [0.1, 1.0, 10.0]
    F[100:, 0] = NAN
    for by in ("auto", "ml-poly"):
        found = combine(F, y, by, "absolute")
        assert found.mixture.predict([NAN, 0.0, 100.0]) < 5.0
        assert found.losses[100:120].mean() < 3.0


def test_tomorrow_and_silence():
    F, y, when = many_places(5)
    F[7] = NAN
    truth = np.where(when >= 28, NAN, y)
    found = combine(F, truth, loss="absolute", time=when)
    assert found.unknown == (when >= 28).sum()
    assert found.silent == 1
    assert np.isnan(found.forecasts[7])
    short = combine(F[when < 28], y[when < 28], loss="absolute", time=when[when < 28])
    last = found.forecasts[when == 28]
    np.testing.assert_allclose(short.predict(F[when == 28]), last)
    np.testing.assert_array_equal(found.weights, short.weights)
    assert any("forecast only" in note for note in found.notes)
    assert any("without any forecast" in note for note in found.notes)


@pytest.mark.parametrize("by", ["auto", "boa", "adahedge", rg.Hedge(eta=0.2)])
def test_live_equals_the_table_and_survives_a_file(by, tmp_path):
    F, y, when = many_places(6)
    found = combine(F, y, by, "absolute", time=when)
    live = Mixture(("A", "B", "C"), rg.Absolute(), by)
    for t in range(30):
        rows = when == t
        np.testing.assert_allclose(live.predict(F[rows]), found.forecasts[rows])
        live.learn(F[rows], y[rows])
        if t == 15:
            live.save(tmp_path / "mix.rgl")
            live = load_mixture(tmp_path / "mix.rgl")
    np.testing.assert_array_equal(live.weights, found.weights)
    found.save(tmp_path / "again.rgl")
    again = load_mixture(tmp_path / "again.rgl")
    np.testing.assert_array_equal(again.weights, found.weights)
    assert again.names == ("A", "B", "C")


def test_names_are_minded():
    F, y = rg.forecasts.simulate_panel(rounds=200, seed=0)
    mix = combine(F, y)
    row = {name: F[name][5] for name in F}
    told = mix.mix(list(row.values()))
    turned = pd.Series(dict(reversed(row.items())))
    assert mix.mix(turned) == mix.mix(row) == told
    assert mix.predict(pd.DataFrame([turned, turned])).tolist() == [told, told]
    less = {name: value for name, value in row.items() if name != "fog"}
    assert mix.mix(less) == mix.mix({**row, "fog": NAN})
    with pytest.raises(ValueError, match="'smog' is not one of north, south"):
        mix.mix({**row, "smog": 0.5})
    with pytest.raises(ValueError, match="not a probability"):
        mix.mix({**row, "fog": 7})


def test_pairs_that_never_meet():
    rng = np.random.default_rng(0)
    F = rng.random((60, 3))
    F[:30, 1], F[30:, 2] = NAN, NAN
    found = compare(F, y=rng.integers(0, 2, 60))
    assert found.never == (("B", "C"),)
    assert "B vs C" in str(found)
    assert "?  (never together)" in str(found)
    with pytest.raises(KeyError, match="never forecast the same row"):
        found["B", "C"]


def test_places_may_come_one_after_the_other():
    F, y, when = many_places(8)
    places = np.concatenate([np.arange((when == t).sum()) for t in range(30)])
    order = np.lexsort((when, places))
    sorted_by_place = combine(
        F[order], y[order], loss="absolute", time=when[order], group=places[order]
    )
    found = combine(F, y, loss="absolute", time=when)
    np.testing.assert_allclose(sorted_by_place.forecasts, found.forecasts[order])
    with pytest.raises(rg.BadRow, match="time goes backwards"):
        combine(F[order], y[order], loss="absolute", time=when[order])


def test_weights_of_their_own():
    F, y, when = many_places(9, times=60)
    places = (np.arange(len(y)) % 2).astype(str)
    apart = combine(
        F, y, "ml-poly", "absolute", time=when, group=places, separate="group", lag=2
    )
    assert set(apart.parts) == {("0",), ("1",)}
    alone = places == "0"
    # rounds in which the place does not speak still count for the lag
    table = dataclasses.replace(apart.table)
    assert table.rounds == 60
    one = combine(
        np.where(alone[:, None], F, NAN), y, "ml-poly", "absolute", time=when, lag=2
    )
    np.testing.assert_allclose(apart.forecasts[alone], one.forecasts[alone], rtol=1e-9)
    with pytest.raises(ValueError, match="several mixtures"):
        apart.predict([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="separate='town' is not one of"):
        combine(F, y, loss="absolute", separate="town")
