"""The panel: eight cheap members on one pass over a row, and a stack that weighs them.

The default learner: it has nothing to tune.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from ...data.schema import Schema
from ...engine.players.panel import PanelPlayer
from ...parts.panel.variants import PANELS, VIEWS
from ..estimator_spec import EstimatorSpec
from .event_learner import EventLearner
from .linear_learner import check_flag, check_whole
from .live_game import Live

__all__ = ["Panel"]


@dataclass(repr=False)
class Panel(EventLearner):
    """A panel of members and a stack of them, for two classes. Nothing to tune.

    A bias is one more feature, 1 in every row. Means, deviations and counts are over a
    feature's nonzeros so far, the present one included, so that no prediction depends
    on the unit of any column. A row is seen in two ways::

        A:  a = clip(x / sqrt(mean of x^2), -5, 5), the row scaled to length one
        H:  z = clip((x - mean)/deviation, -3, 3), spread linearly over the two nearest
            of seven knots -3..3, the row scaled to length one

    and eight members, all starting from zero, predict a margin m for it::

        hinge 40, hinge 0.3, logistic 0.1, logistic 1    on A, AdaGrad, implicit steps
        hinge 4, hinge 1                                 on H, the same
        a coin bettor                                    on H, not scaled, with no rate
        naive Bayes                                      on which features are present

    (hinge 40 follows whatever changes, logistic 0.1 averages what stays; the others lie
    between.) AdaGrad with an implicit step, for the values v of a view::

        G_j += g^2 v_j^2;   w_j += y u v_j/sqrt(G_j)
        hinge:     g = 1,             u = min(eta, (1 - ym)/sum v_j^2/sqrt(G_j))
        logistic:  g = sigma(-ym),    u = eta sigma(-(ym + u sum v_j^2/sqrt(G_j)))

    The stack is Bayesian logistic regression with a full covariance on all margins,
    clipped at 1 and at 12, and a constant; its score is the log-odds of +1, so a
    probability is ``sigma(score)``. Who has a hinge loss of at most 0.03 does not move.
    Whose gradient g is below 0.03 learns from a share g/0.03 of such rounds, each of
    which then counts 0.03/g times: most of them cost nothing, and probabilities have no
    floor.

    **Forest.** While rows have had at most 200 different features in all, 20 trees grow
    on top of that score s. A leaf compares each row with the one before, tries splits
    between their values, and takes one whose chi-square reaches 8. A weight of each
    leaf learns what s leaves over, at rate 3, as members do; the second output is the
    share of +1 in the leaves. A second stack, by implicit steps, learns what of s and
    these two, clipped at 1 and 4, to add to s: nothing, at first. A row with more
    features ends the forest for good. Which splits are tried is drawn from a generator
    that counts rounds, so the same rows give the same bits.

    **Theorem.** Of the exact posterior with prior N(w_0, I) on D inputs in: for every
    fixed combination u of them, with c the largest of |in|^2/4, ::

        log loss <= log loss of u + |u - w_0|^2/2 + (D/2) ln(1 + T c/D)

    The stack keeps that posterior by rank-one steps, an approximation, and predicts
    with its mean. So nothing is asserted: ``run.theorems()`` shows both sides as
    measured.

    Parameters
    ----------
    members : 8 or 4
        Four keep most of it, at half the time: hinge 40, hinge 4, the coin, Bayes.
    view : "hat" or "linear"
        "linear" puts (1, z) in place of the seven hats: a third of the memory, as good
        on text, worse where a number matters other than linearly.
    forest : bool
        Whether the forest plays: fewer errors on narrow tables, three times the time.
        It takes at most 20 MB, in memory and in files.
    n_features : int or None
        At most so many names, where events are learned one at a time.
    schema : Schema or None
        What the fields of rows mean; None: what their values are.

    References
    ----------
    Duchi, Hazan, Singer (2011); Kulis, Bartlett (2010), implicit steps; Orabona, Pal
    (2016), coin betting; Kakade, Ng (2004), the theorem; Schapire, lecture 15, who
    calls the voters behind a perfect majority a panel.

    Examples
    --------
    >>> import numpy as np, regretless as rg
    >>> X = np.random.default_rng(0).normal(size=(2000, 5))
    >>> X[:, 3] *= 1e6  # units do not matter
    >>> y = np.abs(X[:, 0]) + X[:, 1] > 1.0
    >>> run = rg.play(rg.Panel(), X, y)
    >>> run.mistakes < 0.12 * run.rounds < rg.play(rg.Perceptron(), X, y).mistakes
    True
    """

    members: int = 8
    view: Literal["hat", "linear"] = "hat"
    forest: bool = field(default=True, kw_only=True)
    n_features: int | None = field(default=None, kw_only=True)
    schema: Schema | None = field(default=None, kw_only=True)
    _live: Live | None = field(default=None, init=False, repr=False, compare=False)

    theorems = "panel.PANEL"
    comparators: ClassVar[str] = "panel"
    classifier = EstimatorSpec(
        example="""
        >>> import numpy as np, regretless as rg
        >>> X = np.random.default_rng(0).normal(size=(2000, 5)) * [1, 1, 1, 1e6, 1]
        >>> y = np.abs(X[:, 0]) + X[:, 1] > 1.0
        >>> model = rg.sklearn.PanelClassifier(random_state=0).fit(X, y)
        >>> model.score(X, y) > 0.9
        True
        """
    )

    class_by_class: ClassVar[bool] = True
    one_versus_rest: ClassVar[bool] = True
    bias: ClassVar[bool] = True
    fixed: ClassVar[bool] = False
    task: ClassVar[str] = "binary"
    binary: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.members not in PANELS:
            raise ValueError(f"members={self.members!r} must be 8 or 4")
        if self.view not in VIEWS:
            raise ValueError(f'view={self.view!r} must be "hat" or "linear"')
        check_flag("forest", self.forest)
        check_whole("n_features", self.n_features)

    @property
    def probabilistic(self) -> bool:
        """Its scores are log-odds."""
        return True

    @property
    def averages(self) -> bool:
        """An average of panels is no panel."""
        return False

    @property
    def whole(self) -> bool:
        """It is a panel."""
        return True

    def player(self, n_features: int | None) -> PanelPlayer:
        """A player at the start of a game."""
        known = n_features if n_features is not None else self.n_features
        view, constants = VIEWS[self.view], PANELS[self.members]
        return PanelPlayer(view, constants, known or 0, forest=self.forest)
