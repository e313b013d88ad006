"""What every learner of rows can do: learn, predict and score one event at a time."""

from __future__ import annotations

import abc
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, ClassVar

from ...data.schema import Schema
from ...engine.ledger import Ledger
from ...engine.shared_game import begun
from ...lazy import provided
from ...parts.documents import Document
from ...parts.reprs import call
from ..estimator_spec import EstimatorSpec
from ..live_learner import LiveLearner
from .event_row import Event
from .live_game import Live
from .probabilities import NO_PROBABILITIES, probability

if TYPE_CHECKING:
    pass

__all__ = ["Event", "EventLearner"]


class EventLearner(LiveLearner[Live]):
    """A learner of rows: a dataclass of parameters that can make a player."""

    n_features: int | None
    schema: Schema | None = None
    _live: Live | None
    _stopped: Callable[[], Document] | None = None  # of a run: where its game stands

    classifier: ClassVar[EstimatorSpec | None] = None
    """Its estimator of classes for scikit-learn; None if there is none."""
    regressor: ClassVar[EstimatorSpec | None] = None
    """Its estimator of numbers."""
    plays: ClassVar[str] = "rows"
    comparators: ClassVar[str] = "none"
    linear: ClassVar[bool] = False
    """Whether it is a composition of parts that moves one vector of weights."""
    one_versus_rest: ClassVar[bool] = False
    """Whether one of it a class learns many classes, without being asked to."""
    class_by_class: ClassVar[bool] = False
    """Whether one of it a class can learn many classes."""

    @property
    def binary_learner(self) -> EventLearner | None:
        """The learner that plays each class against the rest, where one does."""
        return None

    @abc.abstractmethod
    def player(self, n_features: int | None) -> Any:
        """A player at the start of a game."""

    def learn_one(self, x: Event, y: Hashable, weight: float = 1.0) -> None:
        """Learn from one event: see x, predict, see y, pay, update.

        A bad event raises ``ValueError`` and leaves the learner exactly as it was.

        Parameters
        ----------
        x : dict, or str
            Features by name, of which new ones may appear at any time. A number is
            itself, True is 1; a string is a category, the feature ``name=string``;
            None is missing; the learner's schema may say otherwise. A text in place of
            a dict is the counts of its words.
        y : label or number
            What was to be predicted: of two classes 0/1, -1/+1, booleans, words, or any
            two numbers, of which the smaller is the negative one.
        weight : float
            How important the event is: its loss is multiplied by it.
        """
        (self._live or self.live).learn(x, y, weight)

    def score_one(self, x: Event) -> float:
        """The real-valued prediction for one event, before any sign."""
        return (self._live or self.live).score(x)

    def predict_one(self, x: Event) -> Any:
        """The predicted label (the negative class at score 0), or number.

        A label that has not come is not predicted: None before the first label, and
        before the second one the first, whatever the score. So it is of two classes
        and of many.
        """
        return (self._live or self.live).predict(x)

    @property
    def views_rows(self) -> bool:
        """Whether its weights are of rows as seen through a view that changes."""
        return False

    @property
    def averages(self) -> bool:
        """Whether its hypotheses are weights, such that a mean of them is one."""
        return True

    @property
    def whole(self) -> bool:
        """Whether what predicts is more than one vector of weights."""
        return False

    @property
    def probabilistic(self) -> bool:
        """Whether scores are log-odds, so that there are probabilities."""
        return False

    def predict_proba_one(self, x: Event) -> Any:
        """The probability that one event is of the positive class.

        Of many classes: that of each class that has come, by its label.

        Raises
        ------
        ValueError
            Where the learner has none; it says which learners have them.
        """
        if not self.probabilistic:
            raise ValueError(NO_PROBABILITIES.format(repr(self)))
        return probability(self.score_one(x))

    def resume(self, stored: Document) -> None:
        """Go on from the state of a game (see :func:`~regretless.load_learner`)."""
        self._live = self._resumed(stored)

    def forget(self) -> None:
        """Return to the start: forget every event learned one at a time."""
        self._live = self._stopped = None

    @property
    def live(self) -> Live:
        """The game that ``learn_one`` plays."""
        return self._live or begun(self, self._began)

    def _began(self) -> Live:
        """A game at its start, or where the run has stopped that it goes on from."""
        if self._stopped is not None:
            return self._resumed(self._stopped())
        return self._begin()

    def _resumed(self, stored: Document) -> Live:
        live: Live = self._begin()
        live.resume(stored, self.player)
        return live

    def _begin(self) -> Any:
        return Live(self.player(self._hashed()), self.n_features, self.schema)

    def _hashed(self) -> int | None:
        """The columns of hashed names."""
        bits = None if self.schema is None else self.schema.bits
        return None if bits is None else 2**bits

    @property
    def weights(self) -> dict[Hashable, float]:
        """The weights learned from events so far, by name."""
        return self.live.named_weights()

    def snapshot(self) -> Any:
        """A model of what was learned so far: it stays as it is, and can be saved.

        Nothing is certified of the last hypothesis; :meth:`certificate` is about all
        of them.
        """
        return _run_of(self).model("last")

    def certificate(self, delta: float = 0.05) -> Any:
        """An upper bound on the error of the randomized hypothesis, at any time.

        It may be read after every event: it holds for all of them at once with
        probability 1 - `delta`, if events are drawn independently from one source.
        """
        return _run_of(self).certificate(delta)

    @property
    def ledger(self) -> Ledger:
        """The ledger of the events learned so far."""
        return self.live.ledger()

    def __repr__(self) -> str:
        """The call that makes this learner: only what is not a default."""
        return call(self)


def _run_of(learner: EventLearner) -> Any:
    """The run so far, which an outer layer makes."""
    return provided("run of events")(learner)
