"""Receipts of a learner that nobody has found a comparator for: its ledger alone."""

from __future__ import annotations

from .task_types import Kind, unsolved

REFUSE = unsolved("the best comparator of this learner is not solved for")

KIND = Kind(REFUSE, REFUSE, REFUSE)
