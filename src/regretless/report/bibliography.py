"""BibTeX for exactly what a page uses: a theorem names its source, this knows the rest.

A source is read by what it cites ("Gentile (2003)", "Mansour, lecture 5"), wherever in
the text that stands. One that cites nothing known here becomes an entry of its own
words, so that no theorem goes without.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

REFERENCES = Path(__file__).with_name("references.bib")
ENTRY = re.compile(r"^@(\w+)\{([\w-]+),\n(.*?)\n\}$", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^  (\w+) = \{(.*)\},?$", re.MULTILINE)


class Entry(NamedTuple):
    """One BibTeX entry, and how sources cite it."""

    key: str
    cite: str  # a regular expression
    kind: str
    fields: dict[str, str]

    def __str__(self) -> str:
        """The entry as BibTeX."""
        inside = ",\n".join(
            f"  {name} = {{{text}}}" for name, text in self.fields.items()
        )
        return f"@{self.kind}{{{self.key},\n{inside}\n}}"


@cache
def entries() -> list[Entry]:
    """All that ``references.bib`` holds, where ``cite`` is how sources cite it."""
    found: list[Entry] = []
    for kind, key, inside in ENTRY.findall(REFERENCES.read_text(encoding="utf-8")):
        fields = dict(FIELD.findall(inside))
        found.append(Entry(key, fields.pop("cite"), kind, fields))
    return found


def cited(sources: Iterable[str]) -> list[Entry]:
    """The entries that these sources cite, in the order in which they are met."""
    found: dict[str, Entry] = {}
    for source in sources:
        known = [entry for entry in entries() if re.search(entry.cite, source)]
        for entry in known or [_unknown(source)]:
            found.setdefault(entry.key, entry)
    return list(found.values())


def _unknown(source: str) -> Entry:
    """A source that only its own words describe."""
    key = re.sub(r"[^a-z0-9]+", "-", source.lower()).strip("-")[:40]
    plain = re.sub(r"([{}\\%&#$_])", "", source)
    return Entry(key or "unknown", "", "misc", {"note": plain})
