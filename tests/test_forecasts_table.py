"""Tables of forecasts in files, and the two commands that read them."""

import contextlib
import gzip
import io
import json
import math
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

from regretless.cli import main
from regretless.forecasts import read_forecasts, simulate_panel


class Told(NamedTuple):
    """How a command ended, and all that it said."""

    exit_code: int
    output: str


def run(*words):
    """The command as people run it, its output and its errors together."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = main([str(word) for word in words])
    return Told(code, said.getvalue())


@pytest.fixture
def wide(tmp_path):
    F, y = simulate_panel(rounds=300, seed=2)
    days = pd.date_range("2024-01-01", periods=300).strftime("%Y-%m-%d")
    frame = pd.DataFrame({"date": days, **F, "rain": y.astype(int)})
    path = tmp_path / "wide.csv"
    frame.to_csv(path, index=False)
    return path


def test_wide_and_long_and_parquet_are_the_same(wide, tmp_path):
    a = read_forecasts(wide, "rain")
    assert a.names == ("north", "south", "fog", "bold", "climate")
    assert a.values.shape == (300, 5)
    assert str(a.times[0]).startswith("2024-01-01")
    frame = pd.read_csv(wide)
    frame.to_parquet(tmp_path / "wide.parquet")
    with gzip.open(tmp_path / "wide.csv.gz", "wt") as file:
        frame.to_csv(file, index=False)
    long = frame.melt(["date", "rain"], var_name="forecaster", value_name="forecast")
    long = long.sort_values("date", kind="stable")
    long.to_csv(tmp_path / "long.csv", index=False)
    for name in ("wide.parquet", "wide.csv.gz", "long.csv"):
        b = read_forecasts(tmp_path / name, "rain")
        np.testing.assert_allclose(b.values, a.values)
        np.testing.assert_array_equal(b.y, a.y)
        assert b.names == a.names


def test_long_tables_may_have_gaps(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text(
        "time,forecaster,forecast,truth\n1,ann,.2,0\n1,bob,.3,0\n2,bob,.5,1\n"
        "3,ann,.9,1\n3,bob,,1\n"
    )
    found = read_forecasts(path)
    nan = math.nan
    np.testing.assert_array_equal(found.values, [[0.2, 0.3], [nan, 0.5], [0.9, nan]])
    assert found.y.tolist() == [0, 1, 1]
    assert found.times.tolist() == [1, 2, 3]
    assert found.place(2) == f"{path}:5"


def test_several_outcomes(tmp_path):
    path = tmp_path / "football.csv"
    rows = ["ann_H,ann_D,ann_A,bob_H,bob_D,bob_A,result"]
    rows += [".5,.3,.2,.6,.2,.2,H", ".1,.2,.7,.2,.2,.6,A", ".4,.3,.3,.4,.2,.4,D"]
    path.write_text("\n".join(rows) + "\n")
    found = read_forecasts(path, "result", outcomes=["H", "D", "A"])
    assert found.names == ("ann", "bob")
    assert found.values[1, 0].tolist() == [0.1, 0.2, 0.7]
    assert found.y.tolist() == [0, 2, 1]
    told = run("compare", path, "--truth", "result", "--outcomes", "H,D,A", "--json")
    assert told.exit_code == 0
    assert json.loads(told.output)["rounds"] == 3
    path.write_text(path.read_text().replace("A\n", "X\n"))
    told = run("compare", path, "--truth", "result", "--outcomes", "H,D,A")
    assert told.exit_code == 1
    assert f"{path}:3: column 'result': 'X' is not one of H, D, A" in told.output


def test_compare_shows_a_verdict_and_a_table(wide):
    told = run("compare", wide, "--truth", "rain", "--unit", "day")
    assert told.exit_code == 0
    assert "with 95% confidence" in " ".join(told.output.split())
    for what in ("north", "climate", "lcb", "e_qp", "better"):
        assert what in told.output
    two = run("compare", wide, "--truth", "rain", "--forecasters", "fog,climate")
    assert "fog and climate apart" in two.output or "closer to the truth" in two.output


def test_compare_for_machines(wide, tmp_path):
    told = run("compare", wide, "--truth", "rain", "--json")
    plain = json.loads(told.output)
    assert len(plain["pairs"]) == 10
    pytest.importorskip("plotly")
    page = tmp_path / "page.html"
    assert run("compare", wide, "--truth", "rain", "--report", page).exit_code == 0
    assert page.stat().st_size > 10_000


def test_combine_shows_four_rows(wide, tmp_path):
    out = tmp_path / "mix.csv"
    told = run("combine", wide, "--truth", "rain", "-o", out, "--theorems")
    assert told.exit_code == 0
    for what in ("mixture", "best forecaster", "best convex mix", "best sequence"):
        assert what in told.output
    for what in ("mean of all", "median of all", "relative", "weights of their ens"):
        assert what in told.output
    assert "safe-boa / best convex mix" in told.output
    mixed = pd.read_csv(out)
    assert len(mixed) == 300
    assert mixed["mixture"].between(0, 1).all()
    plain = json.loads(run("combine", wide, "--truth", "rain", "--json").output)
    assert plain["mixture_loss"] == pytest.approx(mixed["loss"].sum())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b,truth\n.5,.5,1\n.5,1.5,0\n", ":3: column 'b': 1.5 is not a probability"),
        ("a,b,truth\n.5,.5,1\n.5,.5,7\n", ":3: the outcome 7 is not 0 or 1"),
        ("a,b,truth\n.5,.5,1\n.5,x,0\n", ":3: column 'b': 'x' is not a number"),
        ("a,b,truth\n.5,.5,\n.5,.5,inf\n", ":3: the outcome is inf"),
        ("a,truth\n.5,1\n", "at least two forecasters, and there is 1"),
        ("a,b,c\n.5,.5,1\n", "no column 'truth' with the truth; the columns are 'a'"),
        ("time,a,b,truth\n2,.5,.5,1\n1,.5,.5,1\n", ":3: time goes backwards, from 2"),
        ("a,b,truth\n", "there are no rows"),
        ("town,a,b,truth\nUlm,.5,.5,1\n", ":2: column 'town': 'Ulm' is not a number"),
        (
            "time,forecaster,forecast,truth\n1,a,.5,1\n1,a,.5,1\n",
            ":3: 'a' forecasts twice at 1",
        ),
        (
            "time,forecaster,forecast,truth\n1,a,.5,1\n1,b,.5,0\n",
            ":3: the truth is 0, and was 1 before, at 1",
        ),
        ("forecaster,forecast,truth\na,.5,1\n", "needs a column with the time"),
        ("a,b,truth\n.5,.5\n", "Expected 3 columns"),
    ],
)
def test_errors_are_one_line(text, message, tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text(text)
    for command in ("compare", "combine"):
        told = run(command, path)
        assert told.exit_code == 1
        assert message in told.output
        assert len(told.output.strip().splitlines()) == 1
        assert str(path) in told.output or "forecasters" in message


def test_everybody_missing_is_counted(tmp_path):
    path = tmp_path / "gap.csv"
    path.write_text("a,b,truth\n.5,.5,1\n,,0\n.5,.5,1\n")
    told = run("combine", path)
    assert told.exit_code == 0
    assert "1 rows in which nobody spoke were left out" in told.output


def test_usage(tmp_path, wide):
    gone = run("compare", tmp_path / "gone.csv")
    assert gone.exit_code == 1
    assert "there is no such file" in gone.output
    assert run("compare").exit_code == 2
    assert run("compare", wide, "--loss", "log:2", "--truth", "rain").exit_code == 2
    fine = run("compare", wide, "--loss", "log:0.01", "--truth", "rain", "--json")
    assert json.loads(fine.output)["pairs"][0]["loss"] == "log (clipped at 0.01)"
    told = run("compare", wide, "--loss", "bried", "--truth", "rain")
    assert told.exit_code == 2
    assert "did you mean 'brier'" in told.output


def test_a_stray_quotation_mark(tmp_path):
    path = tmp_path / "f.csv"
    path.write_text('truth,ann\n1,0.5\n0,"0.5\n1,0.5\n')
    with pytest.raises(ValueError, match=r"f\.csv:3: a quotation mark is opened"):
        read_forecasts(path)
