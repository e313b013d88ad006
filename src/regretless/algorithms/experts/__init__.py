"""Experts: learners that combine what others say. One small file each.

Rows are rounds and columns are experts, who vote, predict, or are given by their
losses; nan is asleep. And the mean game, where the leader is the mean of the past.
Nothing here loops over rounds. A learner is found by the name of its file
(:mod:`regretless.algorithms.discovery`); nothing lists it.
"""

from __future__ import annotations

from ..discovery import discovered

__getattr__, __dir__ = discovered(__name__)
