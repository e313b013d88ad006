"""Certificates of amounts: the squared error, cut, and quantiles of the error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

import regretless as rg
from regretless import certify
from regretless.cli import main
from regretless.data.row_content import table_keys
from regretless.data.sealed_rows import Seal
from regretless.evidence.certify import Certificate
from regretless.evidence.claims.amount_errors import SHARES, within

SEED = 4
N, SHARE = 600, 0.3


def problem(n: int = N) -> tuple[Any, Any]:
    rng = np.random.default_rng(3)
    X = np.round(rng.normal(size=(n, 4)), 3)
    return X, np.round(X @ [1.0, -1.0, 0.5, 0.25] + rng.standard_t(3.0, size=n), 3)


@given(st.integers(1, 400), st.sampled_from([0.01, 0.05, 0.1, 0.3]))
def test_a_quantile_is_the_least_order_statistic_that_holds(
    n: int, delta: float
) -> None:
    errors = np.random.default_rng(n).permutation(np.arange(1.0, n + 1.0))
    expected: list[tuple[float, float]] = []
    for share in SHARES:
        # e_(k) is too small with probability P(fewer than n - k + 1 are above it).
        wrong = binom.cdf(n - np.arange(1, n + 1), n, 1.0 - share)
        good = np.flatnonzero(wrong <= delta)
        if good.size:
            expected.append((share, float(good[0] + 1)))
    assert within(errors, delta) == tuple(expected)


def test_a_row_without_an_answer_is_the_largest_error() -> None:
    errors = np.r_[np.ones(50), np.full(50, np.inf)]
    assert within(errors, 0.05) == ()
    assert within(errors[:60], 0.05) == ((0.5, 1.0),)


def test_the_certificate_is_that_of_the_sealed_errors() -> None:
    X, y = problem()
    out = Seal(SHARE, SEED).reserved(table_keys(X))
    model = rg.play(rg.RegressionPanel(), X, y, seal=SHARE, seal_seed=SEED).model(
        None, 0.1
    )
    found: Any = model.certificate
    alone = rg.play(rg.RegressionPanel(), X[~out], y[~out])
    errors = np.abs(y[out] - alone.model().scores(X[out]))
    ledger = alone.ledger
    cut = min(10.0 * np.sqrt(ledger.squared_error / alone.rounds), np.ptp(y[~out]))
    assert found.cut == pytest.approx(cut)
    losses = np.minimum(errors, cut) ** 2 / cut**2
    value = cut**2 * certify.betting(losses, 0.1, float(losses.size))
    assert found.value == pytest.approx(value)
    assert found.measured == pytest.approx(np.mean(np.minimum(errors, cut) ** 2))
    assert np.allclose(found.within, within(errors, 0.1))
    assert Certificate.from_dict(json.loads(json.dumps(found.as_dict()))) == found


def test_sealed_labels_do_not_move_where_errors_are_cut() -> None:
    X, y = problem()
    out = Seal(SHARE, SEED).reserved(table_keys(X))
    wild = np.where(out, 1e6 * y, y)
    cuts = [
        rg.play(rg.VAW(), X, labels, seal=SHARE, seal_seed=SEED).model().certificate.cut
        for labels in (y, wild)
    ]
    assert cuts[0] == cuts[1]


def test_groups_are_the_unit() -> None:
    X, y = problem()
    users = np.arange(N) // 3
    run = rg.play(rg.VAW(), X, y, seal=SHARE, seal_seed=SEED, group=users)
    found: Any = run.model().certificate
    out = Seal(SHARE, SEED).reserved_groups([str(user) for user in users])
    errors = np.minimum(np.abs(y[out] - run.model().scores(X[out])), found.cut) ** 2
    means = [errors[users[out] == user].mean() for user in np.unique(users[out])]
    assert found.n == len(means)
    assert found.within == ()
    assert found.measured == pytest.approx(np.mean(means))
    assert "groups are independent" in str(found)


def test_files_events_and_the_command_line_agree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    X, y = problem()
    whole: Any = (
        rg.play(rg.RegressionPanel(), X, y, seal=SHARE, seal_seed=SEED)
        .model()
        .certificate
    )
    pairs = list(zip(X, y.tolist(), strict=True))
    listed = (
        rg.play(rg.RegressionPanel(), pairs, seal=SHARE, seal_seed=SEED)
        .model()
        .certificate
    )
    assert listed == whole
    rows = tmp_path / "rows.csv"
    table = np.column_stack([X, y])
    np.savetxt(rows, table, "%.3f", ",", header="a,b,c,d,price", comments="")
    saved = tmp_path / "saved.model"
    common = [
        "train",
        str(rows),
        "--label",
        "price",
        "--seal",
        "30%",
        "--seal-seed",
        str(SEED),
    ]
    assert main([*common, "-o", str(saved)]) == 0
    screen = " ".join(capsys.readouterr().out.split())
    found: Any = rg.load(saved).certificate
    bound = f"{np.sqrt(found.value):.4g}"
    assert f"RMSE on new data: at most {bound} (95% confidence)" in screen
    assert f"counted as that; 50% of errors at most {found.within[0][1]:.4g}" in screen
    assert found.n == whole.n
    assert found.value == pytest.approx(whole.value)
    assert np.allclose(found.within, whole.within)
    assert main([*common, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["held_out"]["cut"] == pytest.approx(found.cut)
    assert main([*common, "--verbose"]) == 0
    words = " ".join(capsys.readouterr().out.split())
    assert f"is at most {np.sqrt(found.value):.4g}, errors above" in words
