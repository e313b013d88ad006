"""Receipts of one-versus-rest: its theorem counts mistakes, and needs no comparator."""

from __future__ import annotations

from ..played_run import RowRun
from ..theorems.multiclass import ClassFacts
from .multiclass import KIND as MANY_CLASSES


def counted_facts(run: RowRun[object], u: object = None) -> list[ClassFacts]:
    """What the ledger has counted."""
    if u is not None:
        raise ValueError("the theorem about one-versus-rest needs no comparator u")
    return [ClassFacts(run.ledger, len(run.classes or ()))]


KIND = MANY_CLASSES._replace(facts=counted_facts, counted=True)
