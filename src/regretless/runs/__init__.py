"""Runs: see x, predict, see y, pay, update; and what comes out of it.

``play`` is the entry; there is one file for each kind of game, and ``session`` is a
learner on its way through a stream. ``Run`` and ``Runs`` hold what came out. Nothing
here is mathematics.
"""
