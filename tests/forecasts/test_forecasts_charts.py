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
