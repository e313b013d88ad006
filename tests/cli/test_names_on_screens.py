"""Names may hold anything: screens and pages show an escape of what they cannot."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import regretless as rg
from regretless.cli import main
from regretless.cli.console import StandardOutput
from regretless.cli.status import StatusLine
from regretless.parts.text_tables import TextTable
from regretless.parts.visible import visible
from regretless.report import markup
from regretless.report.charts import Axis, ChartPanel, Figure, bars

ODD = "\x1b[31m\x01\x9b\x7f\uffff\u202e\ufdd0"
FORBIDDEN = re.compile("[^\n\t -~\xa0-\u2029\u202f-\u2065\u206a-\ud7ff\ue000-\ufdcf]")
COMMANDS = (
    "train a.csv --label y -l perceptron -o m.rgl --again",
    "train a.csv --label y -l perceptron,ogd --again",
    "train a.csv --label y -l perceptron -p p.csv --verbose --again",
    "inspect m.rgl",
    "predict m.rgl a.csv -o p.csv",
    "compare f.csv --truth t",
    "combine f.csv --truth t --all",
    "calibration f.csv --truth t",
    f"train none{ODD}.csv",
    f"predict m.rgl none{ODD}.csv",
    f"game {ODD}",
    f"game halving --{ODD}",
    f"convert a{ODD}.csv b.arrow",
    f"train a.csv -l perceptron -o no{ODD}/m.rgl",
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = [f"{k % 3},{k % 7},{f'no{ODD}' if k % 2 else 'yes'}" for k in range(60)]
    Path("a.csv").write_text("\n".join([f"a{ODD},b{ODD},y", *rows]) + "\n")
    told = ["0.7,0.8,1", "0.2,0.4,0", "0.6,0.9,1"] * 20
    Path("f.csv").write_text("\n".join([f"ann{ODD},bob{ODD},t", *told]) + "\n")
    return tmp_path


def test_no_command_sends_a_code_to_the_screen(folder: Path, capsys: Any) -> None:
    for command in COMMANDS:
        main([word for word in command.split(" ") if word])
        told = capsys.readouterr()
        assert told.out or told.err
        for text in (told.out, told.err):
            assert not FORBIDDEN.findall(text), (command, text)
    for command in ("inspect m.rgl", "compare f.csv --truth t"):
        assert main([*command.split(), "--json"]) == 0
        out = capsys.readouterr().out
        assert not FORBIDDEN.findall(out)
        assert any(ODD in text for text in _texts(json.loads(out))), "as it was"
    assert ODD in Path("p.csv").read_text(), "data are as they were"


def _texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for pair in value.items() for one in pair for text in _texts(one)]
    if isinstance(value, list):
        return [text for one in value for text in _texts(one)]
    return [value] if isinstance(value, str) else []


class Terminal:
    """A terminal that remembers what it was sent."""

    encoding, errors = "utf-8", "strict"

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return True


def test_colors_and_lines_that_change_send_only_our_codes() -> None:
    (line,) = TextTable((), [[ODD, "x"]], dim={0}).lines(88, color=True)
    assert line == f"\x1b[2m{visible(ODD)}\x1b[0m  x"
    screen = Terminal()
    with StatusLine(stream=screen) as status:  # pyright: ignore[reportArgumentType]
        status.draw(ODD)
        status.above(ODD)
    assert "\x1b[31m" not in screen.text
    assert screen.text.count(visible(ODD)) == 2
    screen = Terminal()
    StandardOutput(screen, None).write_bytes(f"{ODD}\n".encode())  # pyright: ignore[reportArgumentType]
    assert screen.text == f"{visible(ODD)}\n"


def test_every_character_that_xml_forbids_is_drawn_as_its_escape() -> None:
    pytest.importorskip("vl_convert")
    odd = [
        chr(k) for k in (*range(32), *range(127, 160), 0xD800, 0xDFFF, 0xFFFE, 0xFFFF)
    ]
    names = [f"n{each}" for each in odd if each not in "\t\n"]
    figure = Figure(
        [ChartPanel([bars(names, [1.0] * len(names))], Axis("x"), Axis("y"))]
    )
    drawn = figure.svg()
    assert not FORBIDDEN.findall(drawn)


def test_a_page_shows_odd_names(folder: Path, capsys: Any) -> None:
    pytest.importorskip("vl_convert")
    train = "train a.csv --label y -l perceptron --report r.html --json"
    assert main(train.split()) == 0
    page = Path("r.html").read_text()
    assert not FORBIDDEN.findall(page)
    assert visible(ODD) in page
    assert json.loads(capsys.readouterr().out)["report"] == "r.html"
    run = rg.play(rg.Perceptron(), np.eye(3), [1, -1, 1])
    assert not FORBIDDEN.findall(markup.text("\ud800\x00") + run._repr_html_())


def test_a_chart_that_fails_is_a_line(
    folder: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("vl_convert")

    def fail(*_: Any) -> str:
        raise ValueError("Vega-Lite said\n  no")

    monkeypatch.setattr(Figure, "drawing", fail)
    run = rg.play(rg.Perceptron(), np.eye(3), [1, -1, 1])
    with pytest.warns(RuntimeWarning) as told:
        rg.report.write(run, "p.html")
    assert "it could not be drawn: Vega-Lite said no" in str(told[0].message)
    assert "It could not be drawn" in Path("p.html").read_text()
