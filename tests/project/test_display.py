"""One place draws, one place aligns, and logic does not read what is shown."""

from __future__ import annotations

import re
from pathlib import Path

import regretless

PACKAGE = Path(regretless.__file__).parent
SOURCES = {
    path.relative_to(PACKAGE).as_posix(): path.read_text()
    for path in sorted(PACKAGE.rglob("*.py"))
}
# Cells are padded by parts/text_tables.py. The other two draw a chart of letters, and
# write over a line.
PADDING = re.compile(r"\.[lr]just\(|\{[^{}\n]*:[<>](?:\{|\d)")
PADS = {"parts/text_tables.py", "lab/games/sketch.py", "parts/waiting.py"}
READS = re.compile(
    r"\.(?:statement|verdict|headline|words|seen|title)\.(?:startswith|endswith)\("
    r"|\"<=\" in |in \w+(?:\.\w+)*\.statement\b"
)


def who(pattern: re.Pattern[str]) -> set[str]:
    return {name for name, text in SOURCES.items() if pattern.search(text)}


def test_one_place_aligns() -> None:
    assert who(PADDING) <= PADS


def test_one_place_draws() -> None:
    assert who(
        re.compile(
            r"\b(?:vl_convert|plotly|matplotlib|altair)\b.*import|import "
            r"(?:vl_convert|plotly|matplotlib|altair)\b"
        )
    ) == {"report/charts/figure.py"}
    by_hand = {"report/charts/page.py", "report/charts/sparkline.py"}
    assert who(re.compile("<svg")) == by_hand  # samples of a legend, and one line


def test_logic_does_not_read_statements() -> None:
    assert who(READS) == set()
