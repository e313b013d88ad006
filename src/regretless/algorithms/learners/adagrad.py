"""AdaGrad: gradient descent in which every feature has a step of its own."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Self

from ...parts.composition import Composition
from ...parts.domains import Box, Everywhere
from ...parts.geometries import Diagonal
from ...parts.losses import Hinge
from ...parts.part_types import Domain, Loss
from ...parts.spelled import spelled
from ...parts.steps import Constant
from ...parts.updates import Explicit, Implicit
from ..estimator_spec import EstimatorSpec
from ..played import GameKind
from .linear_learner import LinearLearner
from .scaling import view_named

__all__ = ["AdaGrad"]


@dataclass(repr=False)
class AdaGrad(LinearLearner):
    """Diagonal AdaGrad with any loss, free or in a box, explicit or implicit.

    Start at w = 0, G = 0. Every round, with g the gradient of the loss of w::

        G_i += g_i^2,    w_i = clip(w_i - eta g_i/sqrt(G_i), low, high)

    A feature that is rare keeps its steps large. The implicit update takes, in place of
    the slope where it stands, the slope where it arrives: w' minimizes ::

        loss(w'.x) + sum_i sqrt(G_i) (w'_i - w_i)^2/(2 eta)

    which is one equation in one number, and never overshoots.

    **Theorem.** For every u (in the box), with D the width of the box, or
    max_t |w_t|_inf + |u|_inf where there is none, explicit and implicit alike ::

        R(u) <= (D^2/(2 eta) + eta) sum_i sqrt(sum_t g_{t,i}^2)
        R(u) <= sqrt(2) D sum_i sqrt(sum_t g_{t,i}^2)             eta = D/sqrt(2)

    Parts: the given loss, :class:`~regretless.Diagonal` geometry, constant step,
    always, :class:`~regretless.Box`; :class:`~regretless.Implicit` updates on request.

    Parameters
    ----------
    loss : a loss
        :class:`~regretless.Hinge`, :class:`~regretless.Logistic`,
        :class:`~regretless.Squared`, ... or your own.
    eta : float or None
        None stands for D/sqrt(2), which is the theorem's, in a box, and else for 1.
    radius : float or None
        Keep every weight within [-radius, radius].
    domain : Box or None
        Another box.
    implicit : bool
        Take implicit updates.
    scale : "rms", "max" or None
        Divide every entry by the running root mean square, or the running maximum, of
        its feature (nonzeros only, this one included). Then the learner is scale-free:
        the units of a feature do not matter. Without, they do. Theorems are then about
        rows as they are seen.

    References
    ----------
    Duchi, Hazan, Singer (2011); McMahan, Streeter (2010). Implicit updates: Kulis,
    Bartlett (2010); Campolongo, Orabona (2020).

    Examples
    --------
    >>> import regretless as rg
    >>> run = rg.play(rg.AdaGrad(), [[1, 0], [0, 9], [1, 9]], [1, -1, -1])
    >>> run.mistakes, run.weights.round(3)
    (2, array([ 1., -1.]))
    >>> run = rg.play(rg.AdaGrad(implicit=True), [[1.0, 9.0]], [1])
    >>> run.weights  # w.x = 1, not 10: just enough
    array([0.1, 0.1])
    """

    theorems = "adaptive.ADAGRAD"
    games = ("unit-vectors", "noisy-labels")
    scales_columns: ClassVar[bool] = True

    loss: Loss | str = Hinge()
    eta: float | None = None
    radius: float | None = None
    domain: Domain | str | None = None
    implicit: bool = False
    scale: str | None = None

    classifier = EstimatorSpec()
    regressor = EstimatorSpec({"loss": "squared"})

    @classmethod
    def for_game(cls, game: GameKind, rounds: int) -> Self:
        """The learner with the parameters of its theorem."""
        return cls(radius=1.0)

    def composition(self, n_weights: int) -> Composition:
        """The given loss, diagonal, constant, always, a box."""
        domain = self._domain()
        if self.eta is not None:
            eta = self.eta
        elif isinstance(domain, Box) and domain.high > domain.low:
            eta = (domain.high - domain.low) / math.sqrt(2.0)
        else:
            eta = 1.0
        return Composition(
            loss=spelled("loss", self.loss),
            geometry=Diagonal(eta),
            step=Constant(1.0),
            domain=domain,
            update=Implicit() if self.implicit else Explicit(),
            view=view_named(self.scale),
        )

    def _domain(self) -> Box | Everywhere:
        if self.radius is not None and self.domain is not None:
            raise ValueError("give radius or domain, not both")
        if self.radius is not None:
            if not 0 < self.radius < math.inf:
                raise ValueError(f"radius={self.radius!r} must be positive and finite")
            return Box(-self.radius, self.radius)
        if self.domain is None:
            return Everywhere()
        if not isinstance(self.domain, Box):
            raise ValueError(f"domain={self.domain!r:.60} must be a Box")
        return self.domain
