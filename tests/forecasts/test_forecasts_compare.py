"""Comparing forecasters: equal to the slow version, clear in words and in errors."""

import json
import math
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_forecasts as naive
import regretless as rg
from regretless.forecasts import Log, Pinball, compare

NAN = math.nan
EVENTS = ["brier", "log", "spherical"]
NUMBERS = ["absolute", "squared", "pinball"]


def make(name, rng, n=40, outcomes=2, missing=0.0):
    """Two forecasters and what happened."""
    if name in NUMBERS:
        A, B, y = rng.normal(size=(3, n)).clip(-3, 3)
    elif outcomes == 2:
        A, B = rng.random((2, n)).round(2)
        y = (rng.random(n) < A).astype(float)
    else:
        A, B = rng.dirichlet(np.ones(outcomes), (2, n))
        y = rng.integers(0, outcomes, n).astype(float)
    A[rng.random(n) < missing] = NAN
    B[rng.random(n) < missing] = NAN
    return A, B, y


@pytest.mark.parametrize("lag", [1, 3])
@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize(
    ("name", "outcomes"),
    [*((n, 2) for n in EVENTS + NUMBERS), *((n, 4) for n in EVENTS)],
)
def test_equals_the_slow_version(name, outcomes, missing, lag, rng):
    A, B, y = make(name, rng, n=120, outcomes=outcomes, missing=missing)
    ends = {"low": -3.0, "high": 3.0} if name == "squared" else {}
    found = compare(A, B, y, 0.1, loss=name, rho=0.2, lag=lag, method="ranges", **ends)
    slow = naive.compare(name, A, B, y, 0.1, rho=0.2, lag=lag, **ends)
    assert found.rounds == len(slow)
    assert found.skipped == len(y) - len(slow)
    np.testing.assert_allclose(found.estimates, slow[:, 0], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found.lcb, slow[:, 1], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found.ucb, slow[:, 2], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(np.exp(found.log_e_pq), slow[:, 3], rtol=1e-5)
    np.testing.assert_allclose(np.exp(found.log_e_qp), slow[:, 4], rtol=1e-5)


def test_the_intervals_of_theory():
    rng = np.random.default_rng(1)
    A, B, y = make("brier", rng, 500)
    found = compare(A, B, y)
    V = np.cumsum((A - B) ** 2)
    wide = np.sqrt((V + 1) * (np.log(1 + V) + 2 * np.log(20))) / np.arange(1, 501)
    D = np.cumsum((A - y) ** 2 - (B - y) ** 2) / np.arange(1, 501)
    late = slice(100, None)
    np.testing.assert_allclose(found.lcb[late], (D - wide)[late], rtol=1e-9)
    np.testing.assert_allclose(found.ucb[late], (D + wide)[late], rtol=1e-9)


@given(st.integers(0, 2**20), st.sampled_from([*EVENTS, "absolute", "pinball"]))
def test_laws(seed, name):
    rng = np.random.default_rng(seed)
    A, B, y = make(name, rng, 60, outcomes=2 + seed % 2, missing=0.1)
    found = compare(A, B, y, loss=name, rho=1.0, method="ranges")
    # swapping the two swaps everything
    other = compare(B, A, y, loss=name, rho=1.0, method="ranges")
    np.testing.assert_allclose(found.lcb, -other.ucb, atol=1e-12)
    np.testing.assert_allclose(found.log_e_pq, other.log_e_qp, atol=1e-9)
    # the interval excludes 0 exactly where the mean of both e-values reaches 1/delta
    mixture = np.logaddexp(found.log_e_pq, found.log_e_qp) - math.log(2)
    clear = np.abs(mixture - math.log(20)) > 1e-9
    assert ((found.signs != 0) == (mixture > math.log(20)))[clear].all()
    # what one sees in a round does not depend on what comes after it
    short = compare(A[:30], B[:30], y[:30], loss=name, rho=1.0, method="ranges")
    np.testing.assert_array_equal(found.lcb[: short.rounds], short.lcb)
    # a forecaster against itself: nothing to tell, for ever
    same = compare(A, A, y, loss=name, method="ranges")
    assert same.better is None
    assert math.isinf(same.more)
    assert (same.interval, same.e_pq, same.e_qp) == ((0.0, 0.0), 1.0, 1.0)


@pytest.mark.parametrize("name", ["brier", "log", "absolute"])
def test_bernstein_equals_the_slow_version(name, rng):
    A, B, y = make(name, rng, n=80)
    found = compare(A, B, y, 0.1, loss=name, rho=0.5, method="bernstein")
    D = np.diff(found.estimates * np.arange(1, 81), prepend=0.0)
    least, most = np.array(
        [naive.ends(name, a, b) for a, b in zip(A, B, strict=True)]
    ).T
    if name == "absolute":
        share = np.r_[0, np.cumsum(D)[:-1]] / np.r_[1, np.cumsum(np.abs(A - B))[:-1]]
        guess = share * np.abs(A - B)
    else:
        at = np.array(
            [
                [naive.loss(name, a, o) - naive.loss(name, b, o) for o in (0, 1)]
                for a, b in zip(A, B, strict=True)
            ]
        )
        if name == "log":
            A, B = np.clip(A, 1e-3, 1 - 1e-3), np.clip(B, 1e-3, 1 - 1e-3)
        p = (A + B) / 2
        guess = (1 - p) * at[:, 0] + p * at[:, 1]
    up = naive.bernstein(D, guess, guess - least, most - least, 0.5, 0.05)
    down = naive.bernstein(-D, -guess, most - guess, most - least, 0.5, 0.05)
    np.testing.assert_allclose(found.log_e_qp, up[:, 0], rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(found.log_e_pq, down[:, 0], rtol=1e-6, atol=1e-9)
    n = np.arange(1, 81)
    lcb = np.maximum(found.estimates - up[:, 1] / n, np.cumsum(least) / n)
    ucb = np.minimum(found.estimates + down[:, 1] / n, np.cumsum(most) / n)
    assert (found.lcb <= lcb + 1e-9).all()  # Newton's steps end on the safe side
    assert (found.ucb >= ucb - 1e-9).all()
    np.testing.assert_allclose(found.lcb, lcb, atol=1e-3)
    np.testing.assert_allclose(found.ucb, ucb, atol=1e-3)


@pytest.mark.parametrize("lag", [1, 3])
def test_laws_of_bernstein(lag, rng):
    for name, outcomes in (("brier", 2), ("log", 3), ("pinball", 2)):
        A, B, y = make(name, rng, 60, outcomes=outcomes, missing=0.1)
        options = {"loss": name, "rho": 1.0, "lag": lag, "method": "bernstein"}
        found, other = compare(A, B, y, **options), compare(B, A, y, **options)
        np.testing.assert_allclose(found.lcb, -other.ucb, atol=1e-12)
        np.testing.assert_allclose(found.log_e_pq, other.log_e_qp, atol=1e-9)
        short = compare(A[:30], B[:30], y[:30], **options)
        np.testing.assert_allclose(found.lcb[: short.rounds], short.lcb, atol=1e-12)
        same = compare(A, A, y, **options)
        assert (same.interval, same.better) == ((0.0, 0.0), None)
        assert math.isinf(same.more)


def test_rare_events_are_told_apart_sooner_by_their_variance():
    y = np.random.default_rng(0).random(4000) < 0.01
    plain, learned = (
        compare([0.02] * 4000, [0.06] * 4000, y, method=method)
        for method in ("ranges", "bernstein")
    )
    assert learned.better == "A"
    assert learned.first < 1000 < (plain.first or math.inf)
    assert learned.method == learned.as_dict()["method"] == "bernstein"


def test_alice_and_bob():
    rain = np.random.default_rng(5).random(400) < 0.9
    found = compare([0.7] * 400, [0.8] * 400, rain, names=("Alice", "Bob"), unit="day")
    assert found.better == "Bob"
    assert found.first == found.since == 127
    assert found.verdict == (
        "Bob is closer to the truth than Alice, with 95% confidence, since day 127"
    )
    assert found.signs[125] == 0
    assert found.more == 0.0
    assert found._repr_html_().startswith("<pre>Bob is closer")
    text = str(found)
    for what in ("mean Brier loss: Alice", "400 days", "evidence", "all days at once"):
        assert what in text
    early = compare([0.7] * 90, [0.8] * 90, rain[:90])
    assert early.better is early.since is early.first is None
    assert 0 < early.more < 1000
    assert "cannot tell A and B apart yet; at this rate about" in early.verdict
    # the outlook is where the average would be told from nothing
    n = 90 + early.more
    V, total = n * 0.01, n * early.difference
    assert total == pytest.approx(
        math.sqrt((V + 1) * (math.log(1 + V) + 2 * math.log(20))), rel=1e-2
    )


def test_since_is_where_the_last_stretch_begins():
    y = np.array([1.0] * 200 + [0.0] * 400 + [1.0] * 800)
    found = compare(np.full(1400, 0.2), np.full(1400, 0.8), y)
    assert found.first < 100
    assert found.since > 700
    assert found.better == "B"
    assert set(found.signs) == {-1, 0, 1}


def test_times_of_ones_own():
    days = pd.date_range("2024-01-01", periods=300)
    y = np.ones(300)
    found = compare([0.2] * 300, [0.8] * 300, y, time=days)
    assert re.fullmatch(r"2024-01-\d\d", found.since)
    hours = compare([0.2] * 99, [0.8] * 99, y[:99], time=days[:99] + pd.Timedelta("1h"))
    assert re.fullmatch(r"2024-01-\d\dT01:00:00", hours.since)
    assert "since 2024-01" in found.verdict
    assert json.loads(json.dumps(found.as_dict()))["since"] == found.since
    words = compare([0.2] * 3, [0.8] * 3, [1, 1, 1], time=["a", "b", "b"])
    assert (words.rounds, words.rows) == (2, 3)
    years = range(2000, 2040)
    numbers = compare([0.0] * 40, [1.0] * 40, [1] * 40, time=years)
    assert numbers.since > 2000
    assert f"confidence, since {numbers.since}" in numbers.verdict
    many = compare([0.5], [0.6], [1], unit="match")
    assert "1 matches" in str(many)
    assert words.table()["time"].to_pylist() == ["a", "b"]


def test_as_plain_data():
    y = np.random.default_rng(0).random(1000) < 0.5
    found = compare(np.full(1000, 0.5), np.full(1000, 0.9), y)
    plain = json.loads(json.dumps(found.as_dict()))
    assert list(plain["curve"]) == ["time", "lcb", "ucb", "e_pq", "e_qp"]
    assert len(plain["curve"]["time"]) == 256
    assert plain["curve"]["time"][-1] == 1000
    assert plain["curve"]["ucb"][-1] == found.ucb[-1] == plain["ucb"]
    assert plain["better"] == "A"
    assert len(found.as_dict(points=None)["curve"]["lcb"]) == 1000
    assert found.table().column_names == ["time", "lcb", "ucb", "e_pq", "e_qp"]
    sure = compare(np.zeros(20_000), np.ones(20_000), np.zeros(20_000))
    assert math.isfinite(sure.as_dict()["e_pq"])


# Several.


def four(rng, n=3000):
    p = rng.beta(2, 2, n)
    y = (rng.random(n) < p).astype(float)
    F = {
        "good": p,
        "also": np.clip(p + rng.normal(0, 0.02, n), 0, 1),
        "poor": 0.5 * np.ones(n),
        "bad": 1 - p,
    }
    return F, y


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame])
def test_all_pairs(make, rng):
    F, y = four(rng)
    found = compare(make(F), y=y)
    assert len(found) == 6
    assert found.names == ("good", "also", "poor", "bad")
    assert found.unbeaten == ("good", "also")
    assert found.beaten["poor"] == ("good", "also")
    assert found.verdict == (
        "the best is among good and also; 2 others are worse, with 95% confidence"
    )
    one = found["bad", "good"]
    assert one.better == "good"
    # each pair pays for all of them
    alone = compare(F["good"], F["bad"], y, 0.05 / 6, names=("good", "bad"))
    np.testing.assert_array_equal(one.lcb, alone.lcb)
    assert json.loads(json.dumps(found.as_dict()))["unbeaten"] == ["good", "also"]
    assert "good vs poor" in str(found)
    with pytest.raises(KeyError, match="is not a pair of good, also"):
        found["good", "nobody"]


def test_what_a_stranger_tries(rng):
    F, y = four(rng, 300)
    frame = pd.DataFrame(F)
    whole = compare(frame, y=y)
    assert str(compare(frame, y)) == str(whole)
    assert str(compare(frame.assign(rain=y), y="rain")) == str(whole)
    pair = compare(frame["good"], frame["bad"], y)
    assert pair.names == ("good", "bad")
    with pytest.raises(TypeError, match=r"outcomes are missing: compare\(a, b, y\)"):
        compare(F["good"], F["bad"])
    with pytest.raises(ValueError, match="no column 'snow'; there is 'good', 'also'"):
        compare(frame, y="snow")
    with pytest.raises(ValueError, match="70 is not a probability; percent"):
        compare([70.0], [80.0], [1])


def test_a_winner_and_nobody(rng):
    F, y = four(rng)
    del F["also"]
    assert compare(F, y=y).verdict.startswith("good is better than all 2 others")
    assert "cannot tell any of 3" in compare(np.full((9, 3), 0.5), y=y[:9]).verdict


def test_pairs_skip_their_own_gaps(rng):
    F, y = four(rng, 100)
    F["also"][:30] = NAN
    F["poor"][20:50] = NAN
    found = compare(F, y=y)
    assert found["good", "bad"].skipped == 0
    assert found["good", "also"].skipped == 30
    assert found["also", "poor"].skipped == 50
    assert found["also", "poor"].times[0] == 51


def test_losses_with_numbers_of_their_own(rng):
    A, B, y = make("log", rng)
    loose, tight = (compare(A, B, y, loss=Log(c)) for c in (1e-6, 0.2))
    assert loose.loss == "log (clipped at 1e-06)"
    assert tight.interval != loose.interval
    A, B, y = make("absolute", rng)
    nine = compare(A, B, y, loss=Pinball(0.9))
    paid = np.maximum(0.9 * (y - A), -0.1 * (y - A)).mean()
    assert nine.mean_losses[0] == pytest.approx(paid)
    # its range has the width |a - b| at every quantile
    half = compare(A, B, y, loss=Pinball(0.5), rho=1.0)
    nine = compare(A, B, y, loss=Pinball(0.9), rho=1.0)
    assert nine.more > 0
    wide = [one.interval[1] - one.interval[0] for one in (half, nine)]
    assert wide[0] == pytest.approx(wide[1])


# Errors.

OK = [0.5, 0.5, 0.5]


@pytest.mark.parametrize(
    ("a", "b", "y", "options", "message"),
    [
        ([0.5, 1.2, 0.5], OK, [0, 1, 1], {}, "row 1: column 'A': 1.2 is not a prob"),
        (OK, [0.5, 0.5, -1], [0, 1, 1], {}, "row 2: column 'B': -1 is not a prob"),
        (OK, OK, [0, 2, 1], {}, "row 1: the outcome 2 is not 0 or 1"),
        (OK, OK, [0, 0.5, 1], {}, "row 1: the outcome 0.5 is not 0 or 1"),
        (OK, OK, [NAN] * 3, {}, "no outcome is known"),
        (OK, OK, [0, 1], {}, "3 rounds of forecasts and 2 outcomes"),
        (OK, [0.5], [0, 1, 1], {}, r"a and b must be alike: .*\(3,\) and \(1,\)"),
        (OK, OK, [0, 1, 1], {"time": [1, 3, 2]}, "row 2: time goes backwards, from 3"),
        (OK, OK, [0, 1, 1], {"time": [1, 2]}, "3 rounds and 2 times"),
        (OK, [NAN] * 3, [0, 1, 1], {}, "no round in which both 'A' and 'B'"),
        (OK, OK, [0, 1, 1], {"loss": "brie"}, "did you mean 'brier'"),
        (OK, OK, [0, 1, 1], {"loss": "squared"}, "needs low= and high="),
        (OK, OK, [0, 1, 9], {"loss": "squared", "low": 0, "high": 1}, "row 2: .*9 is"),
        (OK, OK, [0, 1, 1], {"delta": 0}, "delta"),
        (OK, OK, [0, 1, 1], {"lag": 0}, "lag=0 must be a number of rounds"),
        (OK, OK, [0, 1, 1], {"method": "magic"}, "method='magic' is not one of ranges"),
        (OK, OK, [0, 1, 1], {"rho": -1.0}, "rho=-1.0 must be positive"),
        (OK, OK, [0, 1, 1], {"names": ("x", "x")}, "different names"),
        (OK, [1, math.inf, 0], [0, 1, 1], {"loss": "absolute"}, "row 1: column 'B'"),
        (["x"] * 3, OK, [0, 1, 1], {}, "row 0: column 'A': 'x' is not a number"),
        ([OK] * 3, [OK] * 3, [0, 1, 1], {}, "row 0: column 'A': .*add up to 1.5"),
        ([OK] * 3, [OK] * 3, [0, 1, 1], {"loss": "absolute"}, "score of probabil"),
    ],
)
def test_refusals(a, b, y, options, message):
    with pytest.raises(ValueError, match=message):
        compare(a, b, y, **options)


def test_more_refusals():
    with pytest.raises(ValueError, match="at least two forecasters, and there is 1"):
        compare({"only": OK}, y=[0, 1, 1])
    with pytest.raises(ValueError, match="same number of rounds: 'a' has 3, 'b' has 1"):
        compare({"a": OK, "b": [0.5]}, y=[0, 1, 1])
    with pytest.raises(ValueError, match="row 0: column 'b': 'x' is not a number"):
        compare(pd.DataFrame({"a": OK, "b": ["x", "y", "z"]}), y=[0, 1, 1])
    with pytest.raises(ValueError, match="1 dimension: they need two"):
        compare(OK, y=[0, 1, 1])
    with pytest.raises(ValueError, match="there are no rounds"):
        compare(np.zeros((0, 2)), y=[])
    with pytest.raises(TypeError, match="is not one of 'brier', 'log'"):
        compare(OK, OK, [0, 1, 1], loss=rg.Hinge())


def test_plots(tmp_path, rng):
    pytest.importorskip("vl_convert")
    F, y = four(rng, 300)
    page = tmp_path / "pair.html"
    figure = compare(F["good"], F["bad"], y).plot(page)
    assert "closer to the truth" in figure.title
    named = [mark.name for mark in figure.marks if mark.name]
    assert named == ["interval", "mean difference", "A is better", "B is better"]
    assert len(figure.marks) == 6  # and two rules: no difference, the alarm
    assert "closer to the truth" in page.read_text()
    compare(F, y=y).plot(tmp_path / "all.html")
    assert (tmp_path / "all.html").stat().st_size > 10_000


def test_no_vl_convert_is_one_clear_line(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'regretless\[report"):
        compare([0.5], [0.6], [1]).plot()
