"""The book holds together: its figures are drawn, its site is whole and asks nobody."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import regretless as rg

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
ASKED = re.compile(r"^!\[.+\]\(figure:(\w+\.\w+)\)$", re.MULTILINE)
FOREIGN = re.compile(r"""<(?:script|link|img|iframe)\b[^>]*(?:src|href)=["']?https?:""")


def drawable() -> set[str]:
    """Every function of docs/figures that takes nothing it must be given."""
    found: set[str] = set()
    for path in (DOCS / "figures").glob("*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef) and path.stem != "chart":
                given = len(node.args.args) - len(node.args.defaults)
                found |= {f"{path.stem}.{node.name}"} if given == 0 else set()
    return found


def test_every_figure_is_shown_once() -> None:
    asked = Counter(
        name for page in DOCS.rglob("*.md") for name in ASKED.findall(page.read_text())
    )
    assert set(asked) == drawable()
    assert set(asked.values()) == {1}


@pytest.mark.slow
def test_the_site_is_whole_and_asks_nobody(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    pytest.importorskip("plotly")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(tmp_path)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    pages = {page: page.read_text() for page in tmp_path.rglob("*.html")}
    assert not [page for page, text in pages.items() if FOREIGN.search(text)]
    assert sum(text.count('class="chart') for text in pages.values()) == len(drawable())
    assert (tmp_path / "assets" / "plotly.min.js").stat().st_size > 1_000_000
    told = "".join(text for page, text in pages.items() if page.parent.name == "api")
    assert not [name for name in rg.__all__ if f'id="regretless.{name}"' not in told]
