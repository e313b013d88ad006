"""Where things are: the project, its pages, and files that older versions wrote."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
GOLDEN = ROOT / "tests" / "golden"
OLD_FILES = Path(__file__).resolve().parent / "old_files"
