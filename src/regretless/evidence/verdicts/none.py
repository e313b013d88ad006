"""Receipts of a learner that has no comparator: its ledger alone."""

from __future__ import annotations

from .task_types import Kind, unsolved

REFUSE = unsolved("the best comparator of this learner is not solved for")

KIND = Kind(REFUSE, REFUSE, REFUSE)
