"""Snapshots: what a run keeps of its hypotheses on the way, in one pass.

Positions are fixed in advance (or drawn in advance), so that what is learned about a
hypothesis after it was frozen is about fresh rows.
"""

from .recorder import KINDS, Recorder, refuse_kinds
from .snapshot import Retired, Snapshot

__all__ = [
    "KINDS",
    "Recorder",
    "Retired",
    "Snapshot",
    "refuse_kinds",
]
