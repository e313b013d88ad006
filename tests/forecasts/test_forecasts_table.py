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
from regretless.forecasts import combine, compare, read_forecasts, simulate_panel
from regretless.forecasts.scores import losses_of


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
    pytest.importorskip("vl_convert")
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
        ("a,b,truth\n.5,.5,\n.5,.5,inf\n", ":3: the outcome inf is not finite"),
        ("a,truth\n.5,1\n", "at least two forecasters, and there is 1"),
        (
            "a,b,c\n.5,.5,1\n",
            "no column 'truth' with the truth: say --truth (truth=), one of 'a'",
        ),
        ("time,a,b,truth\n2,.5,.5,1\n1,.5,.5,1\n", ":3: time goes backwards, from 2"),
        ("a,b,truth\n", "there is a header but no rows"),
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
        ("a,b,truth\n.5,.5\n", ":2: it has 2 fields, but there are 3 columns"),
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
    assert "1 rows without any forecast were left out" in told.output


def test_a_table_in_several_files(wide, tmp_path):
    header, *rows = wide.read_text().splitlines(keepends=True)
    (tmp_path / "a.csv").write_text("".join([header, *rows[:100]]))
    (tmp_path / "b.csv").write_text("".join([header, *rows[100:]]))
    names = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for command in ("compare", "combine", "calibration"):
        whole = run(command, wide, "--truth", "rain", "--json")
        assert run(command, *names, "--truth", "rain", "--json") == whole
        assert whole.exit_code == 0


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


# Roles of columns, dates, hubs.


def test_metadata_are_no_forecasters(tmp_path):
    path = tmp_path / "weather.csv"
    rows = ["date,station,latitude,ann,bob,truth"]
    rows += [
        f"2024-01-{day:02d},{place},4{place},1{day},2{day},{day}"
        for day in range(1, 9)
        for place in "12"
    ]
    path.write_text("\n".join(rows) + "\n")
    found = read_forecasts(path)
    assert found.names == ("ann", "bob")
    assert found.rounds == 8
    assert found.groups.tolist()[:2] == ["1", "2"]
    assert found.notes[0] == "not forecasters: latitude"
    assert "16 rows are 8 times" in found.notes[1]
    told = run("combine", path, "--loss", "absolute")
    assert told.exit_code == 0
    assert "note: 16 rows are 8 times" in told.output
    assert "16 rows" in told.output
    frame = pd.read_csv(path)
    again = combine(frame, "truth", loss="absolute")
    assert again.names == ("ann", "bob")
    assert again.rounds == 8


def test_a_column_far_from_all_others_is_doubted():
    rng = np.random.default_rng(0)
    y = rng.normal(270, 5, 100)
    F = {"ann": y + 1, "bob": y - 2, "height": rng.normal(9000, 1, 100)}
    assert any(
        "height: far from all others" in n for n in combine(F, y, loss="absolute").notes
    )


def test_many_places_without_a_time_are_noticed(tmp_path):
    path = tmp_path / "places.csv"
    rows = [f"{place},.{t}1,.{t}2,{t % 2}" for t in range(1, 9) for place in "abc"]
    path.write_text("\n".join(["station,ann,bob,truth", *rows]) + "\n")
    told = run("compare", path)
    assert "there are 3 places and no time" in told.output


def test_a_date_index_is_used():
    F, y = simulate_panel(rounds=60, seed=2)
    days = pd.date_range("2024-01-01", periods=30).repeat(2)
    found = compare(pd.DataFrame(F, index=days), y=y)
    assert found["north", "south"].rounds == 30


@pytest.mark.parametrize(
    ("dates", "first", "iso"),
    [
        (["31.12.2023", "01.02.2024"], None, "2024-02-01"),
        (["12/31/2023", "02/01/2024"], None, "2024-02-01"),
        (["31/12/2023", "01/02/2024"], None, "2024-02-01"),
        (["01/02/2024", "01/03/2024"], "day", "2024-03-01"),
        (["01/02/2024", "01/03/2024"], "month", "2024-01-03"),
        (["2024-01-31T06:00", "2024-02-01T06:00"], None, "2024-02-01T06:00"),
    ],
)
def test_dates_as_people_write_them(dates, first, iso, tmp_path):
    path = tmp_path / "dates.csv"
    rows = [f"{day},.5,.6,1" for day in dates]
    path.write_text("\n".join(["date,ann,bob,truth", *rows]) + "\n")
    found = read_forecasts(path, date_first=first)
    assert found.times[1] == np.datetime64(iso)


def test_dates_that_may_be_either_are_refused(tmp_path):
    path = tmp_path / "dates.csv"
    path.write_text("date,ann,bob,truth\n1/2/2024,.5,.5,1\n1/3/2024,.5,.5,1\n")
    told = run("compare", path)
    assert told.exit_code == 1
    assert "may be day/month or month/day" in told.output
    assert run("compare", path, "--date-first", "day").exit_code == 0


def test_a_hub_in_any_order(tmp_path):
    rng = np.random.default_rng(0)
    rows = []
    for model in ("m1", "m2", "m3"):  # sorted by forecaster, as hubs are
        for week in range(12):
            for place in ("AL", "AK"):
                for ahead in (1, 2):
                    for level in (0.1, 0.5, 0.9):
                        q = week + (level - 0.5) * 4 + rng.normal()
                        day = np.datetime64("2024-01-06") + np.timedelta64(week, "W")
                        end = day + np.timedelta64(ahead, "W")
                        truth = week if week < 10 else ""
                        rows.append((day, place, ahead, end, model, level, q, truth))
    names = (
        "reference_date,location,horizon,known_at,model_id,output_type_id,value,truth"
    )
    frame = pd.DataFrame(rows, columns=names.split(","))
    path = tmp_path / "hub.csv"
    frame.to_csv(path, index=False)
    found = read_forecasts(path)
    assert found.values.shape == (48, 3, 3)
    assert found.levels.tolist() == [0.1, 0.5, 0.9]
    assert found.rounds == 12
    assert int(np.isnan(found.y).sum()) == 8
    out = tmp_path / "mix.csv"
    told = run("combine", path, "--loss", "wis", "--separate", "horizon", "-o", out)
    assert told.exit_code == 0
    assert "8 rows without outcome were forecast only" in told.output
    mixed = pd.read_csv(out)
    assert list(mixed.columns[:3]) == ["time", "group", "horizon"]
    columns = ["mixture_q0.1", "mixture_q0.5", "mixture_q0.9"]
    assert (np.diff(mixed[columns].to_numpy(), axis=1) >= 0).all()
    assert mixed["loss"].isna().sum() == 8
    assert run("compare", path, "--loss", "crps").exit_code == 0
    frame.loc[0, "model_id"] = "m2"
    frame.to_csv(path, index=False)
    assert "'m2' forecasts twice" in run("compare", path, "--loss", "wis").output


def test_odds_and_words(tmp_path):
    path = tmp_path / "odds.csv"
    path.write_text(
        "ann_H,ann_A,bob_H,bob_A,result\n2,2,4,1.3333333,H\n1.5,3,2,2,A\n4,4,1,5,\n"
    )
    found = read_forecasts(path, "result", outcomes=["H", "A"], odds=True)
    np.testing.assert_allclose(found.values[0], [[0.5, 0.5], [0.25, 0.75]])
    assert np.isnan(found.y[2])
    told = run("combine", path, "--truth", "result", "--outcomes", "H,A")
    assert "2 is not a probability; odds? say so: odds=True, --odds" in told.output
    yes = tmp_path / "yes.csv"
    yes.write_text("ann,bob,truth\n.5,.6,yes\n.2,.3,No\n.1,.1,\n")
    assert read_forecasts(yes).y[:2].tolist() == [1.0, 0.0]


def test_calibration_of_several(wide, tmp_path):
    told = run("calibration", wide, "--truth", "rain")
    assert told.exit_code == 0
    assert "came true" in told.output
    plain = json.loads(run("calibration", wide, "--truth", "rain", "--json").output)
    assert set(plain["forecasters"]) == {"north", "south", "fog", "bold", "climate"}
    pytest.importorskip("vl_convert")
    page = tmp_path / "page.html"
    run("calibration", wide, "--truth", "rain", "--report", page)
    assert page.stat().st_size > 10_000


def test_eighty_four_forecasters_fit_a_screen(tmp_path):
    pytest.importorskip("vl_convert")
    rng = np.random.default_rng(0)
    y = rng.normal(size=300)
    F = y[:, None] + rng.normal(size=(300, 84)) * np.linspace(0.3, 3, 84)
    found = combine(F, y, loss="absolute")
    assert len(str(found).splitlines()) < 30
    assert "... and 72 others" in str(found)
    figure = found.plot()
    assert len(figure.keys) <= 10
    tournament = compare(F, y=y, loss="absolute")
    assert max(map(len, str(tournament).splitlines())) < 100
    assert len(tournament.plot().marks) == 1
    path = tmp_path / "many.csv"
    pd.DataFrame(F).assign(truth=y).to_csv(path, index=False)
    told = run("combine", path, "--loss", "absolute")
    assert len(told.output.splitlines()) < 35
    assert max(map(len, told.output.splitlines())) < 100


def test_recalibration_keeps_its_bound():
    rng = np.random.default_rng(0)
    for seed in range(4):
        rng = np.random.default_rng(seed)
        p = rng.uniform(0.05, 0.95, 400)
        y = (rng.random(400) < p).astype(float)
        timid = np.stack([0.5 + (p - 0.5) / 3, 0.5 + (p - 0.5) / 2.5], axis=1)
        for loss in ("brier", "log"):
            plain = combine(timid, y, loss=loss)
            again = combine(timid, y, loss=loss, recalibrate=True)
            moved = again.mixture.recalibrator
            every = moved.moved(plain.forecasts)
            best = losses_of(again.score, every, y).sum(axis=0).min()
            assert again.loss <= best + moved.bound
            assert again.loss < plain.loss
            again.theorems()
    with pytest.raises(ValueError, match="recalibration is for probabilities"):
        combine(timid, y, loss="absolute", recalibrate=True)
