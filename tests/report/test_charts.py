"""Charts are drawn in every form without a browser, and a page asks nobody."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from regretless.report.charts import (
    Axis,
    ChartPanel,
    Figure,
    area,
    bars,
    line,
    points,
    rule,
    tiles,
    whiskers,
)

pytest.importorskip("vl_convert", reason="charts need vl-convert")
N = np.arange(1, 6)
DAYS = np.datetime64("2024-01-01") + N
NAMES = ["a <b>", "c & d", "e", "f", "g"]
FIGURES = {
    "lines": Figure(
        [
            ChartPanel(
                [area(N, N, 2 * N, "band", "sky"), line(N, N**2, "squares"), rule(y=3)],
                Axis("n"),
                Axis("n squared", zero=True, form=".3~%"),
            )
        ],
        "A title",
    ),
    "log": Figure(
        [ChartPanel([line(N, 10.0**N, "powers")], Axis("n"), Axis("p", "log"))]
    ),
    "days": Figure(
        [ChartPanel([line(DAYS, N, "rise")], Axis("day", "time"), Axis("n"))]
    ),
    "names": Figure(
        [
            ChartPanel(
                [bars(N - 3, NAMES, color="blue")], Axis("w"), Axis("who", "names")
            )
        ]
    ),
    "dots": Figure(
        [
            ChartPanel(
                [
                    whiskers(N - 1, NAMES, "soft", x2=N + 1),
                    points(N, NAMES, "", "blue"),
                ],
                Axis("w"),
                Axis("who", "names"),
            )
        ]
    ),
    "tiles": Figure(
        [
            ChartPanel(
                [tiles(NAMES, NAMES, ["blue"] * 5)],
                Axis("", "names"),
                Axis("", "names"),
            )
        ]
    ),
    "two": Figure([ChartPanel([line(N, N, "n")], Axis("n"), Axis("y"))] * 2, columns=2),
    "square": Figure(
        [
            ChartPanel(
                [line(N, -N, "fall", dots="circle")], Axis("x"), Axis("y"), square=True
            )
        ]
    ),
}
BEGINS = {".svg": b"<svg", ".png": b"\x89PNG", ".pdf": b"%PDF"}


@pytest.mark.parametrize("name", FIGURES)
def test_every_form_without_a_browser(name: str, tmp_path: Path) -> None:
    for ending, begin in BEGINS.items():
        path = FIGURES[name].save(tmp_path / f"chart{ending}")
        made = path.read_bytes()
        assert made.startswith(begin)
        assert len(made) > 2_000
    page = FIGURES[name].save(tmp_path / "chart.html").read_text()
    assert len(page) < 100_000
    assert not re.search(r"""(?:src|href)=|url\((?!#)""", page)
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert {*re.findall(r"url\(#([^)]+)\)", page)} <= {*ids}
    assert "<b>" not in page.partition("<script")[0]
    drawn = page.partition("<figure>")[2].partition("<script")[0]
    assert "@" not in drawn  # every role has a color


def test_a_drawing_follows_the_light_and_a_picture_is_by_day() -> None:
    figure = FIGURES["lines"]
    assert "var(--ink)" in figure.drawing("a", 500)
    assert "#1c1f23" in figure.svg()
    assert "var(" not in figure.svg()
    assert figure._repr_svg_() == figure.svg()
    cut = FIGURES["square"]
    assert cut.drawing("a", 500) == cut.drawing("a", 500)  # whatever came before it
    assert 'id="a0"' in cut.drawing("a", 500)


def test_labels_keep_their_digits() -> None:
    axis = Axis("share", span=(0.0, 0.004), ticks=[0.001, 0.002], form="~g")
    figure = Figure([ChartPanel([line([0.0, 0.004], [1, 2], "a")], axis, Axis("y"))])
    assert ">0.001<" in figure.drawing("a", 500)


def test_lines_are_drawn_as_they_come_and_break_at_gaps() -> None:
    def paths(y: Any) -> list[str]:
        back = line([3, 1, 2, 0], y, "back")
        svg = Figure([ChartPanel([back], Axis("x"), Axis("y"))]).drawing("a", 400)
        found = re.findall(r'<path d="(M[^"]*)"', svg.partition("role-mark")[2])
        return found[:1]

    (whole,) = paths([1, 2, 3, 4])
    x = [float(a) for a in re.findall(r"[ML]([\d.]+),", whole)]
    assert x[0] > x[2] > x[1]
    assert whole.count("M") == 1
    (broken,) = paths([1, np.nan, 3, 4])
    assert broken.count("M") == 2


def test_the_specification_is_plain_vega_lite() -> None:
    import json

    for figure in FIGURES.values():
        spec = json.loads(json.dumps(figure.spec()))
        assert spec["$schema"].startswith("https://vega.github.io/schema/vega-lite/")
        assert "layer" in spec or "concat" in spec
