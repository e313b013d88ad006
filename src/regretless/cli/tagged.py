"""Predictions with the tags of their rows, last as Vowpal Wabbit writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..parts.documents import Document

if TYPE_CHECKING:
    from ..data.chunk import Array

__all__ = ["tagged_lines", "tagged_objects"]


def tagged_lines(lines: str, tags: Array | None) -> str:
    """Whole lines, one a row, each with its tag behind it where it has one."""
    if tags is None or not lines:
        return lines
    rows = zip(lines.removesuffix("\n").split("\n"), tags.tolist(), strict=True)
    return "".join(f"{line} {tag}\n" if tag else f"{line}\n" for line, tag in rows)


def tagged_objects(rows: list[Document], tags: Array | None) -> list[Document]:
    """One object a row, with its "tag" where it has one."""
    if tags is not None:
        for row, tag in zip(rows, tags.tolist(), strict=True):
            if tag:
                row["tag"] = tag
    return rows
