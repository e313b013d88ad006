"""Charts of many forecasters stay readable."""

import numpy as np
import pytest

from regretless.forecasts import calibrations, combine, compare


def test_charts_of_many_name_the_few_that_matter():
    """Colors on top of gray, a short legend, the best in the first row."""
    pytest.importorskip("vl_convert")
    rng = np.random.default_rng(0)
    p = rng.uniform(0.1, 0.9, 200)
    y = (rng.random(200) < p).astype(float)
    noise = rng.normal(size=(200, 24)) * np.linspace(0.01, 0.4, 24)
    F = {
        f"a group with a long name, number {7 * k % 24:02d}": np.clip(
            p + noise[:, k], 0.01, 0.99
        )
        for k in rng.permutation(24)
    }
    asked = calibrations(F, y)
    worst = max(asked.each, key=lambda name: asked.each[name].reliability)
    charts = (combine(F, y).plot(), asked.plot())
    assert any(mark.name.endswith(worst[-9:]) for mark in charts[1].marks)
    for figure in charts:
        listed = [mark.name for mark in figure.keys]
        assert len(listed) <= 10
        assert max(len(name) for name in listed) <= 28
        lines = [mark.color == "faint" for mark in figure.marks if mark.kind == "line"]
        assert lines == sorted(lines, reverse=True)  # gray ones are drawn first
        assert any(name.endswith(" others") for name in listed)
    tournament = compare(F, y=y)
    matrix = tournament.plot()
    (tiles,) = matrix.marks
    value = {"@blue": 1, "@vermillion": -1, "@grid": 0, "@paper": 0}
    cells = np.array([value[color] for color in tiles.data["color"]]).reshape(24, 24)
    assert tiles.data["x"][:24] == list(range(1, 25))
    assert (cells == -cells.T).all()
    wins, beaten = (cells > 0).sum(axis=1), (cells < 0).sum(axis=1)
    assert wins.sum() > 0
    assert (np.diff(beaten) >= 0).all()
    assert (np.diff(wins)[np.diff(beaten) == 0] <= 0).all()
    by_noise = [7 * int(name[-2:]) % 24 for name in tournament.order]  # 7 * 7 = 1
    assert np.corrcoef(by_noise, np.arange(24))[0, 1] > 0.9
    assert tiles.data["y"][0].endswith(f"{tournament.order[0][-2:]} 1")
    assert tournament.order[0] in tournament.verdict


@pytest.mark.parametrize("separate", [(), "group", "horizon", "quantile"])
def test_weights_of_one_part_say_so(separate):
    pytest.importorskip("vl_convert")
    rng = np.random.default_rng(0)
    F, y = rng.normal(size=(60, 3, 3)), rng.normal(size=60)
    group, horizon = np.tile(["b", "a"], 30), np.repeat([1, 2], 30)
    asked = {"group": group, "horizon": horizon, "levels": [0.25, 0.5, 0.75]}
    found = combine(F, y, separate=separate, **asked)
    detail = found.plot().detail
    about = "weights are means over" in " ".join(found.notes)
    if not separate:
        assert (detail, about, found.weight_part) == ("", False, ())
        return
    part = {"group": "b", "horizon": "1", "quantile": "0.5"}[separate]
    many = 3 if separate == "quantile" else 2
    assert detail == f"weights: of part {part}, one of {many}; losses: of all parts"
    assert about
    weights = found.parts[found.weight_part].weights
    rows = (
        np.arange(60)
        if separate == "quantile"
        else np.flatnonzero(
            (group if separate == "group" else horizon).astype(str) == part
        )
    )
    assert (found.weight_rounds[:-1] < found.weight_rounds[1:]).all()
    assert set(found.weight_rounds.tolist()) <= set(rows.tolist())
    assert np.abs(weights - found.weight_path[-1]).max() < 0.2  # one round later


def test_a_curve_ends_at_what_was_lost_above_the_mixture():
    """In the rows in which a forecaster spoke; the others count as nothing."""
    pytest.importorskip("vl_convert")
    rng = np.random.default_rng(0)
    y = rng.normal(size=60)
    F = {name: y + rng.normal(size=60) for name in "abc"}
    F["c"][rng.random(60) < 0.7] = np.nan
    found = combine(F, y, loss="absolute", time=np.repeat(np.arange(20), 3))
    ends = {
        mark.name: mark.data["y"][-1]
        for mark in found.plot().marks
        if mark.kind == "line" and mark.name in F
    }
    lost = (found.totals - found.own) / 3
    assert ends == pytest.approx(dict(zip(found.names, lost, strict=True)), rel=1e-3)
