"""The best fixed combination of a regression panel's members, as its stack knows it.

A stack that does ridge regression on what the members say has, after the last round,
solved for its own best comparator; what that pays it has summed on the way.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...parts.notebook_html import Printed
from ...parts.state import Floats


@dataclass(frozen=True, repr=False, eq=False)
class BestShares(Printed):
    """Fixed shares of what the members, and at last the running mean, say.

    Attributes
    ----------
    u : ndarray
        One share a member.
    objective : float
        L(u) + s^2 |u - u_0|^2: no u has less.
    """

    u: Floats
    objective: float

    def describe(self) -> str:
        """The comparator in words."""
        shares = ", ".join(f"{share:.3g}" for share in np.asarray(self.u).tolist())
        return (
            f"the best fixed shares of the members ({shares}), loss and distance "
            f"{self.objective:,.6g}"
        )

    __str__ = describe
