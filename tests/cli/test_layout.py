"""Words, tables and sections: nothing is lost, nothing is too wide."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regretless.cli import status
from regretless.cli.layout import (
    Drawing,
    Section,
    TextTable,
    Words,
    facts_table,
)
from regretless.cli.status import StatusLine
from regretless.parts.text_tables import breadth, wrapped
from regretless.report.receipts import label_lines

TEXT = st.text(alphabet=list("ab \n日é"), max_size=60)
CODES = re.compile(r"\x1b\[[0-9;]*m")


@given(TEXT, st.integers(2, 20))
def test_wrapped_words_are_all_there_and_fit(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(breadth(line) <= width for line in lines)
    if breadth(text) <= width and "\n" not in text:
        assert lines == [text.rstrip()]


@given(st.lists(st.tuples(TEXT, TEXT, TEXT), max_size=5), st.integers(10, 60))
def test_a_table_fits_and_holds_every_cell(
    rows: list[tuple[str, ...]], width: int
) -> None:
    table = TextTable(("one", "two", "three"), rows, right={1}, dim={2})
    lines = table.lines(width, False)
    assert all(breadth(line) <= width for line in lines)
    shown = sorted("".join("".join(lines).split()))
    told = "onetwothree" + "".join(cell for row in rows for cell in row)
    assert shown == sorted("".join(told.split()))
    painted = table.lines(width, True)
    assert [CODES.sub("", line).rstrip() for line in painted] == lines


def test_columns_are_aligned() -> None:
    table = TextTable(
        ("name", "much", ""), [("日本", "1", "x"), ("b", "22", "")], right={1}
    )
    assert table.lines(80, False) == ["name  much", "日本     1  x", "b       22"]


def test_the_widest_column_gives_way_unless_it_is_whole() -> None:
    rows = [("a name", "some longer words")]
    assert TextTable((), rows).lines(15, False) == [
        "a name  some",
        "        longer",
        " " * 8 + "words",
    ]
    assert TextTable((), rows, whole={1}).lines(21, False) == [
        "a   some longer words",
        "na",
        "me",
    ]


def test_a_section_is_indented_and_ends_with_an_empty_line() -> None:
    body = (facts_table([("rows", "5")]), Words("to be or not"), Drawing(["┤•"]))
    assert Section("title", body).lines(9, False) == [
        "title",
        "  rows  5",
        "  to be",
        "  or not",
        "  ┤•",
        "",
    ]


def test_color_is_around_what_it_is_of() -> None:
    chart = Drawing(["┤•• █"], (("•+", "orange"), ("█+", "blue")))
    assert chart.lines(9, True) == ["┤\x1b[38;5;166m••\x1b[0m \x1b[34m█\x1b[0m"]
    assert Words("so", "bold").lines(9, True) == ["\x1b[1mso\x1b[0m"]
    assert Words("", "bold").lines(9, True) == [""]


def test_a_status_line_fits_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "10")
    monkeypatch.delenv("NO_COLOR", raising=False)
    screen = io.StringIO()
    with StatusLine(stream=screen) as line:
        line.draw("a line that is long")
        line.above("kept", "bold")
        line.draw("short")
    clear = status.CLEAR
    assert screen.getvalue().split(clear)[1:] == [
        "a line t…",
        "\x1b[1mkept\x1b[0m\n",
        "short",
        "",
    ]


def test_a_status_line_is_drawn_again_by_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(StatusLine, "EVERY", 0.001)
    screen = io.StringIO()
    with StatusLine(lambda: "now", screen):
        while screen.getvalue().count("now") < 2:
            pass
    assert screen.getvalue().endswith(status.CLEAR)


def test_no_name_of_a_class_is_cut() -> None:
    names = [f"city {k}" for k in range(200)]
    ((what, told),) = label_lines(tuple(names), many=True)
    assert what == "labels"
    shown = told.removeprefix("200 classes: ")
    assert shown.endswith(", ...")
    assert set(shown.removesuffix(", ...").split(", ")) <= set(names)
    cut = f"2 classes: {'a' * 200}, ..."
    told = {("a" * 300, "b"): cut, ("a", "b", "c"): "3 classes: a, b, c"}
    for labels, said in told.items():
        assert label_lines(labels, many=True) == [("labels", said)]
