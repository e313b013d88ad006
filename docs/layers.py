"""The picture of the layers, drawn from the import contract of pyproject.toml.

What a folder is for is the first sentence of its docstring.
"""

from __future__ import annotations

import ast
import html
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
WIDTH, ROW, GAP = 720, 40, 8


def layers() -> list[list[str]]:
    """The folders of each layer, from the outside in."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts = settings["tool"]["importlinter"]["contracts"]
    (contract,) = (one for one in contracts if one["type"] == "layers")
    rows = [line.replace("|", ":").split(":") for line in contract["layers"]]
    return [[name.strip() for name in row if folder(name.strip())] for row in rows]


def folder(name: str) -> Path | None:
    """The folder of that name in the package."""
    found = ROOT / "src" / "regretless" / name
    return found if found.is_dir() else None


def purpose(name: str) -> str:
    """The first sentence of the folder's docstring."""
    source = (ROOT / "src" / "regretless" / name / "__init__.py").read_text()
    said = " ".join((ast.get_docstring(ast.parse(source)) or "").split())
    sentence = said.partition(". ")[0].rstrip(".").replace("``", "")
    head, colon, rest = sentence.partition(": ")
    return rest if colon and head.lower() in (name, f"the {name}") else sentence


def svg() -> str:
    """A box a folder, a row a layer; each layer imports those below it."""
    rows = layers()
    height = len(rows) * (ROW + GAP)
    label = "The layers of the package: each imports those below it"
    size = f'viewBox="0 0 {WIDTH} {height}"'
    parts = [f'<svg class="layers" {size} role="img" aria-label="{label}">']
    for number, names in enumerate(rows):
        top = number * (ROW + GAP)
        wide = (WIDTH - GAP * (len(names) - 1)) / len(names)
        for place, name in enumerate(names):
            left = place * (wide + GAP)
            parts.append(
                f'<rect x="{left:.0f}" y="{top}" width="{wide:.0f}" height="{ROW}" '
                'rx="4" fill="none" stroke="var(--blue)"/>'
                f'<text x="{left + 12:.0f}" y="{top + 25}" font-size="14" '
                f'font-weight="600" fill="var(--ink)">{name}</text>'
            )
            if len(names) == 1:
                parts.append(
                    f'<text x="120" y="{top + 25}" font-size="12.5" '
                    f'fill="var(--soft)">{html.escape(purpose(name)[:92])}</text>'
                )
    return "".join([*parts, "</svg>"])
