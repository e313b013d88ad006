"""Linear learners: one small file each, which says which parts it is made of and why.

Nothing here loops. A learner is a set of parameters, a composition of parts, and a
docstring with its update rule, its theorem and an example. It is found by the name of
its file (:mod:`regretless.algorithms.discovery`); nothing lists it.
"""

from __future__ import annotations

from ..discovery import discovered

__getattr__, __dir__ = discovered(__name__)
