"""The regression panel: trackers of four speeds, a ridge regression, and a stack.

The default learner of real numbers: it has nothing to tune.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ...data.schema import Schema
from ...engine.players.regression import RegressionPlayer
from ..estimator_spec import EstimatorSpec
from .event_learner import EventLearner
from .linear_learner import check_flag, check_whole
from .live_game import Live

__all__ = ["RegressionPanel"]


@dataclass(repr=False)
class RegressionPanel(EventLearner):
    """A panel for real numbers and the squared loss. Nothing to tune.

    A bias is one more feature, 1 in every row; entries are divided by the running root
    mean square of their feature's nonzeros. Five members predict::

        four trackers, eta = 0.3, 1, 3, 10
            G_j += x_j^2,  w_j += eta x_j/sqrt(G_j) (y - w.x)/(1 + eta sum x^2/sqrt(G))
        ridge regression, strength 0.1, on the first 128 features

    (a large eta follows what changes; a small one and the ridge average what stays) and
    the mean of the labels so far is a sixth. With z all six numbers and s the size of
    the first label that is not zero, the panel says ::

        mean z + VAW on rows z/s of labels (y - mean z)/s

    so the stack begins with the plain mean, and learns how much to believe whom. No
    prediction depends on the unit of any column, or of y; nothing can overshoot; and a
    row costs O(nonzeros), and what a matrix of 128 features costs.

    **Narrow tables.** While rows have had at most 200 different features in all, there
    is more. Three trackers (eta = 0.3, 1, 3) and, up to 24 features, a ridge regression
    see curves: (x - mean)/deviation of every feature, spread over seven hats. VAW on
    what these and the linear panel say gives s1; a forest, grown as that of a
    :class:`~regretless.Panel`, learns y - s1; and a last VAW combines everything.
    Whatever anybody says is cut to the range of the labels so far, and all is counted
    from their mean, in units of the first difference of two of them.

    **Theorem.** For every fixed combination u of the six numbers, with u_0 the plain
    mean, e_t = y_t - mean z_t, and r_t the leverage of z_t, which shrinks like 6/t ::

        L <= min_u (L(u) + s^2 |u - u_0|^2) + sum_t e_t^2 r_t

    so it hardly pays more than its best member, or than never looking at x. On narrow
    tables it is about the last stack, and what cutting cost (where a label was a new
    extreme) is added.

    Parameters
    ----------
    forest : bool
        Whether there are curves and a forest on narrow tables. Without them what it
        says is a linear function of a row, in a fifth of the time.
    n_features : int or None
        At most so many names, where events are learned one at a time.
    schema : Schema or None
        What the fields of rows mean; None: what their values are.

    References
    ----------
    Vovk (2001); Azoury, Warmuth (2001). Trackers: normalized least mean squares with
    AdaGrad's rates; Duchi, Hazan, Singer (2011); Kulis, Bartlett (2010).

    Examples
    --------
    >>> import numpy as np, regretless as rg
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(2000, 5)) * [1, 10, 100, 1e3, 1e4]
    >>> y = 1e6 * (X @ [1, 0.1, 0, 0, -1e-4] + 0.1 * rng.normal(size=2000))
    >>> run = rg.play(rg.RegressionPanel(), X, y)
    >>> run.ledger.r2 > 0.98  # of the variance, from the first row on
    True
    """

    forest: bool = field(default=True, kw_only=True)
    n_features: int | None = field(default=None, kw_only=True)
    schema: Schema | None = field(default=None, kw_only=True)
    _live: Live | None = field(default=None, init=False, repr=False, compare=False)

    theorems = "regression_panel.REGRESSION_PANEL"
    regressor = EstimatorSpec(
        notes="""
        Without its curves and its forest, what it says is at every moment a linear
        function of a row, ``coef_``.
        """,
        example="""
        >>> import numpy as np, regretless as rg
        >>> X = np.random.default_rng(0).normal(size=(1000, 3)) * [1, 1e3, 1e6]
        >>> y = X @ [0.5, 0.0, -1e-6] + 0.1
        >>> model = rg.sklearn.RegressionPanelRegressor(random_state=0).fit(X, y)
        >>> model.score(X, y) > 0.99
        True
        """,
    )

    comparators: ClassVar[str] = "regression_panel"
    bias: ClassVar[bool] = True
    fixed: ClassVar[bool] = False
    task: ClassVar[str] = "real"
    binary: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_flag("forest", self.forest)
        check_whole("n_features", self.n_features)

    @property
    def averages(self) -> bool:
        """No mean of its hypotheses is kept."""
        return False

    @property
    def whole(self) -> bool:
        """With curves and a forest it is more than weights."""
        return self.forest

    def player(self, n_features: int | None) -> RegressionPlayer:
        """A player at the start of a game."""
        known = n_features if n_features is not None else self.n_features
        return RegressionPlayer(known or 0, forest=self.forest)
