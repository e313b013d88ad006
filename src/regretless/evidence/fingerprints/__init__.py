"""Fingerprints: a small sample of the rows that were learned, to know them again.

Rows seen before certify nothing. What is kept are hashes of some rows, never the rows.
"""

from .rows import Fingerprints, Replay

__all__ = ["Fingerprints", "Replay"]
