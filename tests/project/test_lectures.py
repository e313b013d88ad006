"""The table of the five lectures is whole, and every call in it runs."""

from __future__ import annotations

import re
from typing import Any

import pytest

from drawings import drawable
from pages import blocks
from paths import DOCS

PAGE = DOCS / "lectures" / "index.md"
CODE = re.compile(r"`([^`]+)`")
ROW = re.compile(r"^\| ([^|]+) \| (.*) \| ([^|]+|.*`) \|$", re.MULTILINE)
HEAD = re.compile(r"^\| lecture (\d), (\S+) \| what \| the call \|$", re.MULTILINE)

# What carries a number or a name of its own in the lectures.
NAMED = {
    1: "figure 5.1;figure 5.2;algorithm 1;algorithm 2;lemma 5.1;remark;option 2",
    2: "figure 1.1;figure 1.2;figure 1.3;figure 1.4;oracle bound;definition;example",
    3: "algorithm;bound;lemma;theorem;game;iid;definition;example",
    4: "theorem (10);theorem (11);figure 1, (17);(9);example;algorithm;section 7, (18)",
    5: "(1);algorithm 1;algorithm 2;theorem 1;theorem 2;theorem 3;2.3, 1;2.3, 2;2.3, 3",
}


def tables() -> dict[int, list[tuple[str, str, str]]]:
    text = PAGE.read_text()
    heads = list(HEAD.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    return {
        int(head[1]): [
            (found[1], found[2], found[3])
            for found in ROW.finditer(text, head.end(), end)
            if not found[1].startswith("-")
        ]
        for head, end in zip(heads, ends, strict=True)
    }


def test_every_numbered_thing_has_its_row() -> None:
    found = tables()
    assert sorted(found) == [1, 2, 3, 4, 5]
    for lecture, names in NAMED.items():
        missing = set(names.split(";")) - {row[0] for row in found[lecture]}
        assert not missing, (lecture, missing)


def test_every_figure_of_the_pages_is_in_the_table() -> None:
    shown = {
        name
        for rows in tables().values()
        for row in rows
        for name in re.findall(r"figure `([\w.]+)`", row[2])
    }
    of_lectures = {name for name in drawable() if not name.startswith("panel.")}
    assert shown == of_lectures


@pytest.fixture(scope="module")
def session() -> dict[str, Any]:
    """What the page defines before the table."""
    names: dict[str, Any] = {}
    for block in blocks(PAGE.read_text()):
        text = re.findall(r"^(?:>>>|\.\.\.) ?(.*)$", block.text, re.MULTILINE)
        exec("\n".join(text), names)
    return names


@pytest.mark.parametrize("lecture", [1, 2, 3, 4, 5])
def test_every_call_runs(lecture: int, session: dict[str, Any]) -> None:
    for row in tables()[lecture]:
        plain = re.sub(r"figure `[\w.]+`", "", row[2])
        calls = CODE.findall(plain)
        assert calls or "figure" in row[2], row
        for call in calls:
            found = eval(call, session)
            assert found is not False, call
            assert found is not None, call
            if call.endswith(".value"):  # of a theorem that applies
                assert isinstance(found, float), call
