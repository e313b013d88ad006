"""Dates are numbers, and gaps may be learned from: alike in all formats."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import regretless as rg
from regretless.cli import main
from regretless.data.encoding.dates import date_features, date_numbers, moments_of
from regretless.data.formats import wide

N = 300
RNG = np.random.default_rng(2)
DAYS = pd.date_range("2023-11-20", periods=N).to_series(index=range(N))
TABLE = pd.DataFrame(
    {
        "when": DAYS.dt.strftime("%Y-%m-%d"),
        "size": np.where(np.arange(N) % 7 == 3, np.nan, RNG.gamma(2.0, size=N)),
        "city": RNG.choice(["Graz", "Lyon"], N),
        "price": DAYS.dt.day_of_week + RNG.normal(size=N).round(6),
    }
)
LEARNER = rg.OGD("squared", 0.001)
Rows = Any


def _write(name: str) -> str:
    writers: dict[str, Callable[[], object]] = {
        "t.csv": lambda: TABLE.to_csv(name, index=False),
        "t.tsv": lambda: TABLE.to_csv(name, index=False, sep="\t"),
        "t.jsonl": lambda: TABLE.to_json(
            name, orient="records", lines=True, double_precision=15
        ),
        "t.parquet": lambda: TABLE.to_parquet(name),
        "dated.parquet": lambda: TABLE.assign(when=DAYS.dt.date).to_parquet(name),
        "t.arrow": lambda: TABLE.assign(when=DAYS).to_feather(name),
    }
    writers[name]()
    return name


FILES = ("t.csv", "t.tsv", "t.jsonl", "t.parquet", "dated.parquet", "t.arrow")
FRAMES: dict[str, Callable[[], Any]] = {
    "words": lambda: TABLE,
    "times": lambda: TABLE.assign(when=DAYS),
    "dates": lambda: TABLE.assign(when=DAYS.dt.date),
    "polars": lambda: pl.DataFrame(TABLE.to_dict("list"), nan_to_null=True),
    "polars dates": lambda: pl.DataFrame(
        TABLE.assign(when=DAYS).to_dict("list"), nan_to_null=True
    ),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _weights(run: Any) -> dict[str, float]:
    named = run.named_weights()
    return {name: round(weight, 6) for name, weight in named.items() if weight}


@pytest.mark.parametrize("missing", ["zero", "indicator"])
@pytest.mark.parametrize("name", [*FILES, *FRAMES])
def test_the_same_is_learned_from_all(name: str, missing: str) -> None:
    options = rg.ReadOptions(missing=missing)
    first = rg.play(LEARNER, _write("t.csv"), y="price", options=options)
    rows = _write(name) if name in FILES else FRAMES[name]()
    run = rg.play(LEARNER, rows, y="price", options=options)
    assert _weights(run) == _weights(first)
    assert {"when", "when weekday", "when month"} <= set(_weights(run))
    assert ("size is missing" in _weights(run)) == (missing == "indicator")
    model = run.model("last")
    model.save("m.rgl")
    assert (
        main(
            ["predict", "m.rgl", rows, "-o", "p.csv", "--quiet"]
            if name in FILES
            else ["inspect", "m.rgl"]
        )
        == 0
    )
    if name in FILES:
        said = pd.read_csv("p.csv")["prediction"].to_numpy()
        np.testing.assert_allclose(said, first.model("last").predict(TABLE), rtol=1e-9)


def test_events_have_dates_too() -> None:
    by_word, by_date = rg.RegressionPanel(), rg.RegressionPanel()
    for row, day in zip(TABLE[:50].itertuples(), DAYS, strict=False):
        by_word.learn_one({"when": row.when}, row.price)
        by_date.learn_one({"when": day.date()}, row.price)
    assert by_word.ledger == by_date.ledger
    assert set(by_word.weights) == {"when", "when weekday", "when month"}


@pytest.mark.parametrize("kind", ["word", "date", "frame"])
def test_one_row_is_read_as_its_table_was(kind: str) -> None:
    options = rg.ReadOptions(missing="indicator")
    model = rg.play(LEARNER, _write("t.csv"), y="price", options=options).model("last")
    row = {"when": "2024-02-29", "size": None, "city": "Graz"}
    known = model.predict(pd.DataFrame([row]).astype({"size": float}))[0]
    if kind == "date":
        row["when"] = dt.date(2024, 2, 29)
    assert model.predict_one(row) == pytest.approx(known, rel=1e-12)
    assert model.predict_one({**row, "size": 0.0}) != pytest.approx(known, rel=1e-6)


def test_what_is_no_date_is_a_bad_row(capsys: pytest.CaptureFixture[str]) -> None:
    TABLE.assign(when=TABLE["when"].where(TABLE.index < 299, "soon")).to_csv(
        "t.csv", index=False
    )
    ask = ["train", "t.csv", "--label", "price"]
    assert main([*ask, "--categorical", "when"]) == 0
    big = pd.concat([TABLE] * 300)  # more than one block of lines
    big.iloc[-1, 0] = "soon"
    big.to_csv("big.csv", index=False)
    capsys.readouterr()
    assert main(["train", "big.csv", "--label", "price", "--fast"]) == 1
    told = f"big.csv:{len(big) + 1}: column 'when': 'soon' is not a date"
    assert told in capsys.readouterr().err


def test_a_label_of_dates_is_a_class() -> None:
    TABLE.assign(half=np.where(np.arange(N) % 2, "2024-01-01", "2024-07-01")).to_csv(
        "t.csv", index=False
    )
    run = rg.play(rg.Perceptron(), "t.csv", y="half")
    assert run.classes == ("2024-01-01", "2024-07-01")


@pytest.mark.parametrize("missing", ["zero", "indicator"])
def test_wide_tables_have_dates_and_gaps(
    missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = rg.ReadOptions(missing=missing, ignore=("city",))
    runs = []
    for width in (1000, 1):
        monkeypatch.setattr(wide, "WIDE", width)
        run = rg.play(LEARNER, _write("t.csv"), y="price", options=options)
        runs.append(run.named_weights())
    assert runs[0] == runs[1]


@pytest.mark.parametrize("options", [None, rg.ReadOptions(missing="indicator")])
def test_a_frame_of_numbers_may_have_gaps(options: rg.ReadOptions | None) -> None:
    numbers = TABLE[["size", "price"]].assign(more=RNG.normal(size=N))
    numbers.to_csv("n.csv", index=False)
    file = rg.play(LEARNER, "n.csv", y="price", options=options)
    run = rg.play(LEARNER, numbers, y="price", options=options)
    assert run.ledger == file.ledger
    model = run.model("last")
    assert np.isfinite(model.predict(numbers)).all()
    refuse = rg.ReadOptions(missing="refuse")
    with pytest.raises(ValueError, match=r"row 3: column 'size' has no value: fill it"):
        rg.play(LEARNER, numbers, y="price", options=refuse)
    with pytest.raises(ValueError, match=r"row 3: column 0: nan .* give a data frame"):
        rg.play(LEARNER, numbers.to_numpy()[:, ::2], numbers["price"])


def test_the_numbers_of_a_date() -> None:
    found = date_features("d", dt.datetime(2024, 12, 25, 18, 30))
    assert found["d weekday"] == 3.0  # a Wednesday
    assert found["d month"] == 12 + 24 / 31
    assert found["d hour"] == 18.5
    years = (
        dt.datetime(2024, 12, 25, 18, 30) - dt.datetime(2000, 1, 1)
    ).total_seconds()
    assert found["d"] == pytest.approx(years / 86400 / 365.2425)
    texts = ["2024-12-25 18:30", "2024-12-25T18:30:00Z", "2024-12-25T20:30+02:00"]
    assert len(np.unique(date_numbers(moments_of(texts)), axis=0)) == 1
    for k in range(1, 8):
        assert date_features("d", dt.date(1999, 3, k))["d weekday"] == (
            dt.date(1999, 3, k).isoweekday()
        )
    assert np.isnat(moments_of(["2024-13-01", "12.3.2024", "", "2024"])).all()
