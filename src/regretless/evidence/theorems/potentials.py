"""Which steps of proofs are checked on every update of a small run.

A proof of a mistake or regret bound watches a potential (a distance, or a divergence
to u) and says how far it moves in one round. Which steps there are depends on the parts
of the learner, like its theorems.
"""

from __future__ import annotations

from ...parts.composition import Composition
from ...parts.geometries import Euclidean, SignedEntropy, SimplexEntropy
from ...parts.penalties import L2, NoPenalty
from ...parts.triggers import OnMistake
from . import additive_steps as additive
from . import multiplicative_steps as multiplicative
from .gradient import SETS
from .identity import Identity, Step, check_step
from .made_of import ANY, made_of
from .perceptron import IS_PERCEPTRON, IS_PNORM
from .winnow import IS_UNNORMALIZED, IS_WINNOW

__all__ = ["Identity", "Step", "check_step", "identities"]

SHARES = (SimplexEntropy, SignedEntropy)
_KNOWN = (
    (IS_PERCEPTRON, additive.PERCEPTRON),
    (IS_PNORM, additive.PNORM),
    (IS_WINNOW, multiplicative.WINNOW),
    (IS_UNNORMALIZED, multiplicative.UNNORMALIZED),
    (
        made_of(
            "a Winnow on the simplex", loss=ANY, geometry=SHARES, trigger=OnMistake
        ),
        multiplicative.PANEL,
    ),
    (made_of("EG", loss=ANY, geometry=SHARES, step=ANY), multiplicative.EG),
    (
        made_of(
            "gradient descent", loss=ANY, geometry=Euclidean, step=ANY, domain=SETS
        ),
        additive.DESCENT,
    ),
    (
        made_of(
            "gradient descent with a penalty",
            loss=ANY,
            geometry=Euclidean,
            step=ANY,
            domain=SETS,
            penalty=(NoPenalty, L2),
        ),
        additive.STRONG,
    ),
)


def identities(parts: Composition) -> tuple[Identity, ...]:
    """The steps of the proofs about a learner made of `parts`."""
    for made, known in _KNOWN:
        if made.fits(parts).holds:
            return known
    return ()
