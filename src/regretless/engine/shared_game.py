"""Games that several threads may share: one event at a time, each of them whole.

To learn an event takes several calls, and kernels let go of the interpreter's lock. So
every game has a lock of its own, held from the first look at an event to the last.

A handler of a signal runs between any two lines of Python, in the middle of an event.
If it raises, the event is whole all the same: who plays one writes down what was before
it (``begun``), changes all that is learned in one call of machine code, and settles:
forwards where the player has learned it, else back. What was broken off even there is
settled by the next call. If the handler uses the learner that it interrupts, it is
refused: what it would read is neither before the event nor after it.
"""

from __future__ import annotations

import abc
import copy
from collections.abc import Callable
from threading import RLock
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from ..parts.documents import Document
from .memory import owned
from .storage import Stored

if TYPE_CHECKING:
    from .expert_ledger import ExpertLedger
    from .ledger import Ledger
    from .mean_ledger import MeanLedger

INNER = (
    "the learner is in the middle of an event: what interrupts it, as a handler of a "
    "signal does, cannot use it (let it set a flag, and look at that after the event)"
)
_beginning = RLock()


class SharedGame(Stored, abc.ABC):
    """A game with a lock, and with copies that are of one moment.

    Attributes
    ----------
    lock : RLock
        Held while an event is learned or predicted. To read several things of one
        moment takes it too, after :meth:`refuse_inner`, and settles.
    begun : object or None
        What is known of the event that is being played.
    """

    begun: object = None

    constant: ClassVar[tuple[str, ...]] = ()
    """The attributes that stay as they are, which a copy shares."""
    changing: ClassVar[tuple[str, ...]]
    """The attributes that events change, which a copy has for itself."""

    @property
    @abc.abstractmethod
    def rounds(self) -> int:
        """Rounds played so far."""

    @abc.abstractmethod
    def ledger(self) -> Ledger | ExpertLedger | MeanLedger:
        """What has been met and paid so far."""

    def settle(self) -> None:
        """Make an event that was broken off whole, or undo it; the lock is held."""
        self.begun = None

    @property
    def owned(self) -> bool:
        """Whether this thread has the lock."""
        return getattr(self.lock, "_is_owned")()  # noqa: B009 - as conditions ask

    def refuse_inner(self) -> None:
        """Refuse a call that interrupts an event of its own thread."""
        if self.begun is not None and self.owned:
            raise RuntimeError(INNER)

    def _start(self) -> None:
        """Make what is not copied."""
        self.lock = RLock()

    def __getstate__(self) -> Document:
        """What a copy needs."""
        state = {name: getattr(self, name) for name in self.constant}
        self.refuse_inner()
        with self.lock:
            self.settle()
            changing = {name: getattr(self, name) for name in self.changing}
            return state | copy.deepcopy(changing)

    def __setstate__(self, state: Document) -> None:
        vars(self).update(owned(state))
        self._start()


class _Learner(Protocol):
    _live: Any


Game = TypeVar("Game", bound=SharedGame)


def begun(learner: _Learner, make: Callable[[], Game]) -> Game:
    """The game of a learner: one, whichever thread asks for it first."""
    with _beginning:
        if learner._live is None:  # pyright: ignore[reportPrivateUsage]
            learner._live = make()  # pyright: ignore[reportPrivateUsage]
        return learner._live  # pyright: ignore[reportPrivateUsage]
