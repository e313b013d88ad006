"""The kernel Perceptron: the dual form, and a budget for what it remembers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ...data.schema import Schema
from ...engine.players.kernel import KernelPlayer
from ...parts.generic import canonical, implemented
from ...parts.part_types import Part
from ...parts.similarities import RBF, similarity
from ..estimator_spec import EstimatorSpec
from .event_learner import EventLearner
from .linear_learner import check_whole
from .live_game import Live

__all__ = ["KernelPerceptron"]


@dataclass(repr=False)
class KernelPerceptron(EventLearner):
    r"""The Perceptron in the space of a kernel: it remembers the rows it erred on.

    The Perceptron's w is a sum of the rows it erred on, so its score needs nothing but
    inner products, and those may be of any space::

        score = sum_i alpha_i K(x_i, x)
        on a mistake, y * score <= 0:  keep x, with alpha = y

    With a budget, when one row too many is kept the oldest is forgotten: it was right
    about the past, and what is left is the Perceptron of the last `budget` mistakes.

    **Theorem.** Until the first row is forgotten this is the Perceptron, so for every u
    of the kernel's space, with h_t(u) = max(0, 1 - y_t u(x_t)), R^2 = max K(x_t, x_t),
    b = R |u| and c = sum_t h_t(u), the mistakes M up to then (the one that made the
    first row be forgotten included) satisfy ::

        M <= c + b^2/2 + b sqrt(b^2/4 + c)
        M <= R^2 |u|^2 = (R/margin)^2               if u separates: y u(x) >= 1
        M <= sum over mistakes of h_t(u) + |u| |w|,   |w|^2 = alpha' K alpha

    ``run.ledger.first_eviction`` is the round (from 1) when that was; norms in the
    ledger are those of the kernel's space. Of the rounds after it nothing is proven
    here.

    Parts: a kernel of rows, that is a similarity; hinge loss; updates on mistakes only.

    Parameters
    ----------
    kernel : part
        :class:`~regretless.RBF`, :class:`~regretless.Polynomial`,
        :class:`~regretless.LinearKernel`, or your own: a NamedTuple with an
        implementation of :func:`~regretless.similarity`.
    budget : int or None
        How many rows to remember at most; None: all, so that a prediction takes ever
        longer.
    n_features : int or None
        At most so many names, where events are learned one at a time.
    schema : Schema or None
        What the fields of rows mean; None: what their values are.

    Notes
    -----
    A round takes time proportional to all nonzeros of the rows that are remembered.
    There is no bias: a kernel has its own (the `c` of a polynomial).

    References
    ----------
    Aizerman, Braverman, Rozonoer (1964); Freund, Schapire (1999); Mansour, lecture 5;
    on forgetting the oldest, Dekel, Shalev-Shwartz, Singer (2008), "The Forgetron".

    Examples
    --------
    No line separates the corners of a square, taken crosswise:

    >>> import regretless as rg
    >>> corners, y = [[0, 0], [1, 1], [0, 1], [1, 0]] * 25, [-1, -1, 1, 1] * 25
    >>> rg.play(rg.Perceptron(bias=True), corners, y).mistakes > 50
    True
    >>> run = rg.play(rg.KernelPerceptron(rg.Polynomial(2)), corners, y)
    >>> run.mistakes, run.ledger.supports
    (21, 21)
    """

    kernel: Part = RBF()
    budget: int | None = None
    n_features: int | None = field(default=None, kw_only=True)
    schema: Schema | None = field(default=None, kw_only=True)
    _live: Live | None = field(default=None, init=False, repr=False, compare=False)

    theorems = "kernel_perceptron.KERNEL_PERCEPTRON"
    comparators: ClassVar[str] = "kernel_perceptron"
    classifier = EstimatorSpec(
        notes="""
        Of two classes. For more of them take scikit-learn's ``OneVsRestClassifier``.
        """,
        example="""
        No line separates the corners of a square, taken crosswise:

        >>> import regretless as rg
        >>> X, y = [[0, 0], [1, 1], [0, 1], [1, 0]], ["even", "even", "odd", "odd"]
        >>> model = rg.sklearn.KernelPerceptronClassifier(passes=2, random_state=0)
        >>> model = model.fit(X, y)
        >>> model.predict(X)
        array(['even', 'even', 'odd', 'odd'], dtype='<U4')
        >>> model.ledger_.supports
        4
        """,
    )

    bias: ClassVar[bool] = False
    fixed: ClassVar[bool] = False
    task: ClassVar[str] = "binary"
    binary: ClassVar[bool] = True

    def __post_init__(self) -> None:
        given: object = self.kernel
        if isinstance(given, type) or not hasattr(given, "_fields"):
            raise ValueError(f"kernel={given!r:.60} is not a part: give one, RBF(0.5)")
        if not implemented(similarity, given):
            kind = type(given).__name__
            raise ValueError(
                f"kernel={given!r:.40} is not a kernel of rows: there is no "
                f"@implement(similarity, {kind})"
            )
        canonical(given)
        check_whole("budget", self.budget)
        check_whole("n_features", self.n_features)

    @property
    def averages(self) -> bool:
        """An average of machines would remember all rows."""
        return False

    @property
    def whole(self) -> bool:
        """It is a kernel machine."""
        return True

    def player(self, n_features: int | None) -> KernelPlayer:
        """A player at the start of a game."""
        known = n_features if n_features is not None else self.n_features
        return KernelPlayer(self.kernel, self.budget, known or 0)
