"""A panel that owns its state and predicts; a ``PanelPlayer`` also plays."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
import numpy.typing as npt

from ...parts.documents import Document
from ...parts.generic import canonical
from ...parts.panel.forest import (
    INPUTS,
    LIVE,
    SETTINGS,
    Forest,
    ForestRow,
    Settings,
    new_forest,
    new_row,
)
from ...parts.panel.row_views import slots
from ...parts.panel.stack import new_stack, new_stack_row
from ...parts.panel.state import (
    COINS,
    EXACT,
    FACTS,
    LANES,
    LINE,
    MOMENTS,
    SCALARS,
    SPREAD,
    TILE,
    TILE_ROWS,
    Constants,
    PanelState,
    Tile,
)
from ...parts.panel.trials import Signs
from ...parts.panel.variants import PANELS, VIEWS, name_of_view
from ...parts.part_types import Part
from ...parts.rows import longest_of
from ...parts.state import Floats
from ..memory import SHARE, physical_memory, zeros
from ..storage import SIZES, checked_array
from .feature_effects import Effects, effects_of, from_moments
from .forest_state import forest_arrays, forest_from
from .hypothesis import Hypothesis, Rows
from .met_features import PlainColumns, features_for, features_from
from .panel_members import Member, members_of, plainly

if TYPE_CHECKING:
    from ..players.row_player import Call


PER_FEATURE = ("moments", "rows", "curves")
EXACTLY = np.dtype(np.float64)


class FrozenPanel(Hypothesis, stored_as="panel"):
    """A panel as it stands: it predicts, and does not move.

    Parameters
    ----------
    view : Hats or Lines
        How members on the curves see a number.
    constants : Constants
        Of the recipe.
    n_features : int
        Features that have appeared, or may.
    dtype : numpy type
        Of the weights: float32, or float64 where the last digits matter.
    forest : bool
        Whether an online forest learns on top of its score, while rows are narrow.

    Attributes
    ----------
    met : PlainColumns
        The numbers of features, in the state and the forest.
    """

    noun: ClassVar[str] = "panel"
    log_odds = True
    weighs = True
    effect_of = "typical row"
    two_classes: ClassVar[bool] = True

    def __init__(
        self,
        view: Part,
        constants: Constants,
        n_features: int = 0,
        *,
        dtype: npt.DTypeLike = np.float32,
        forest: bool = True,
    ) -> None:
        self.view = view
        self.constants: Constants = canonical(constants)
        self.met = features_for(n_features)
        self.dtype = np.dtype(dtype)
        self.state = self.new_state(self._room)
        self.tile = self.new_tile(64)
        self.forest = new_forest(SETTINGS, live=forest)
        self.forest_row = self.new_forest_row(64)

    @property
    def n_features(self) -> int:
        """How many features have appeared, or may."""
        return self.met.room

    @n_features.setter
    def n_features(  # pyright: ignore[reportIncompatibleVariableOverride]
        self, known: int
    ) -> None:
        self.met.room = known

    def scores(self, rows: Rows, n: int) -> Floats:
        """The log-odds of +1 of `n` rows, learning nothing."""
        out = np.empty(n)
        self._compute(rows, out, np.empty((0, 0)))
        return out

    def margins(self, rows: Rows, n: int) -> Floats:
        """The margin of every member, one row of data a row.

        With a forest, there follow the panel's score, the leaf weights and the mean.
        """
        more = INPUTS if self.has_forest else 0
        out = np.empty((n, self.constants.members + more))
        self._compute(rows, np.empty(n), out)
        return out

    @property
    def has_forest(self) -> bool:
        """Whether a forest plays: rows have been narrow so far."""
        return bool(self.forest.numbers[LIVE])

    def weights(self) -> Floats:
        """What view A of each feature weighs: the panel's linear part.

        The stacks' weights of the members on view A times their own: what one more
        root mean square of the feature adds to the score, before rows are scaled to
        length one and while no margin is clipped.
        """
        return self.all_weights()[1:]

    def all_weights(self) -> Floats:
        """The same, the bias first."""
        lanes = len(self.constants.row_steps)
        members = self.constants.members
        stack = self.state.stack
        share = stack[:lanes] + stack[members : members + lanes]
        if self.has_forest:
            added = self.forest.stack[0]
            share = share * (1.0 + added[0] + added[INPUTS])
        rows = self.named(self.state)["rows"][: self.met.count + 1, :lanes]
        return self.met.spread(rows.astype(np.float64) @ share)

    def bias_weight(self) -> float:
        """The weight of the bias in view A."""
        return float(self.all_weights()[0])

    def hypothesis(self) -> FrozenPanel:
        """A copy that will not move."""
        panel = FrozenPanel(self.view, self.constants, dtype=self.dtype, forest=False)
        forest = forest_from(forest_arrays(self.forest), SETTINGS, self.met.count)
        panel.set_state(self._widened(self._room), forest, self.met.copy())
        return panel

    def effects(self) -> Effects:
        """What each feature does to the score of a typical row."""
        columns, places = self.met.numbers()
        moments = self.state.moments[np.r_[0, places + 1]]
        known = from_moments(moments, columns)
        return effects_of(self.scores, known, self.n_features)

    def members(self, rows: Rows | None, n: int) -> tuple[Member, ...]:
        """Which member carries how much of the score, on rows or at most."""
        return members_of(self, rows, n)

    def notes(self) -> list[tuple[str, list[tuple[str, ...]]]]:
        """Which member carries how much of the score, at most."""
        each = self.members(None, 0)
        shares: list[tuple[str, ...]] = [
            (plainly(name), f"{share:.1%}") for name, *_, share in each
        ]
        return [("shares of the members", shares)]

    def describe(self) -> str:
        """How many members, on how many features."""
        forest = " and a forest" if self.has_forest else ""
        members = f"a panel of {self.constants.members}{forest}"
        return f"{members} on {self.n_features:,} features"

    def like(self, stored: Document) -> FrozenPanel:
        """A frozen panel of this kind, whose state this is."""
        panel = FrozenPanel(self.view, self.constants, dtype=self.dtype, forest=False)
        panel.load_state(stored)
        return panel

    def facts(self) -> Document:
        """Which panel it is."""
        view, dtype = name_of_view(self.view), self.dtype.name
        return {"members": self.constants.members, "view": view, "dtype": dtype}

    @classmethod
    def blank(cls, facts: Document) -> Self:
        """A panel that has learned nothing."""
        view, constants = VIEWS[facts["view"]], PANELS[facts["members"]]
        dtype = np.dtype(facts["dtype"])
        if dtype.name not in ("float32", "float64"):
            raise ValueError(f"a panel has no numbers of kind {dtype}")
        return cls(view, constants, dtype=dtype, forest=False)

    def state_dict(self) -> Document:
        """Everything that the panel remembers, by name; these are no copies."""
        found = super().state_dict() | forest_arrays(self.forest) | self.met.arrays()
        for name, array in self.named(self.state).items():
            found[name] = array[: (self.met.count + 1) * self._rows_of(name) or None]
        return found

    def prepare_state(self, stored: Document, /) -> None:
        """Become the panel that :meth:`state_dict` wrote down."""
        moments = checked_array(stored, "moments", shape=(None, MOMENTS))
        known = len(moments) - 1
        if known < 0:
            raise ValueError("the state knows nothing of a bias")
        met = features_from(stored, known)
        if SIZES.refusal(moments[:, SPREAD:MOMENTS]):
            raise ValueError("the moments of its features are out of range")
        wanted = self.new_state(known + 2)
        for name, array in self.named(wanted).items():
            place = array[: (known + 1) * self._rows_of(name) or None]
            place[:] = checked_array(stored, name, array.dtype, place.shape)
        self.set_state(wanted, forest_from(stored, SETTINGS, known), met)

    def set_state(self, state: PanelState, forest: Forest, met: PlainColumns) -> None:
        """Let this be what the panel knows, its forest, and the features' numbers."""
        self.forest, self.state, self.met = forest, state, met
        self.forest_row = self.new_forest_row(0)

    def grow(self, n_features: int) -> None:
        """Let more features come, of which nothing is known."""
        before = self.met.room
        self.met.grow(n_features)
        try:
            self._make_room()
        except ValueError:
            self.met.room = before
            raise

    def meet(self, rows: Rows) -> Rows:
        """Rows to play, with numbers; ValueError if new ones have no room."""
        if not self.met.blank:
            return rows
        before = self.met.count
        found = self.met.meet(rows)
        try:
            self._make_room()
        except ValueError:
            self.met.return_to(before)
            raise
        return found

    @property
    def _room(self) -> int:
        """How many rows the state has at least: the last knows nothing.

        It stands for the features of a row that were never met.
        """
        return 2 + self.met.count

    def _make_room(self) -> None:
        """Make room for all features that have a number; the arrays double."""
        room = len(self.state.moments)
        if self._room > room:
            larger = self._widened(max(self._room, 2 * room))
            longest = self.forest_row.features.size
            row = self.new_forest_row(longest, len(larger.moments))
            self.state, self.forest_row = larger, row  # of one size

    def _widened(self, room: int) -> PanelState:
        """The state with so much room; a copy."""
        state = self.new_state(room)
        into = self.named(state)
        for name, array in self.named(self.state).items():
            size = min(len(array), len(into[name]))
            into[name][:size] = array[:size]
        return state

    def make_tile(self, longest: int) -> None:
        """Make the tile hold `longest` features and the bias."""
        if longest + LINE > self.tile.exact.shape[1]:
            self.tile = self.new_tile(2 * longest)
        if self.has_forest and longest > self.forest_row.features.size:
            self.forest_row = self.new_forest_row(2 * longest)

    def scoring(self, rows: Rows, out: Floats) -> Call:
        """The machine code that scores `rows` into `out`, and its arguments."""
        if self.met.blank:  # rows get their numbers anew each time
            return super().scoring(rows, out)
        return self._scoring(rows, out, np.empty((0, 0)), rows.values.size)

    def asking(self, rows: Rows, out: Floats) -> list[Call]:
        """What scores the row in these buffers into `out`, in room of its own."""
        calls, found = self.met.numbering(rows, learned=False)
        return [*calls, self._scoring(found, out, np.empty((0, 0)), rows.values.size)]

    def _compute(self, rows: Rows, out: Floats, margins: Floats) -> None:
        rows = self.met.find(rows)
        kernel, arguments = self._scoring(rows, out, margins, longest_of(rows))
        kernel(*arguments)

    def _scoring(self, rows: Rows, out: Floats, margins: Floats, longest: int) -> Call:
        from ..kernels.compiled import entry
        from ..kernels.panel import score_panel

        tile = self.new_tile(longest)  # threads may predict at once
        trees = self._trees(self.new_forest_row(longest))
        panel = (self.view, self.constants, self.state, tile, trees)
        arguments = (*panel, rows, out, margins)
        return entry(score_panel, arguments), arguments

    def _trees(
        self, forest_row: ForestRow
    ) -> tuple[Signs, Settings, Forest, ForestRow]:
        """The forest as kernels take it."""
        return (Signs(), SETTINGS, self.forest, forest_row)

    def new_forest_row(self, longest: int, room: int | None = None) -> ForestRow:
        """Room for a row of up to `longest` of all features, if there is a forest."""
        room = len(self.state.moments) if room is None else room
        return new_row(SETTINGS, self.forest, room if self.has_forest else 0, longest)

    def named(self, state: PanelState) -> Document:
        """The arrays of a state, none of which overlap."""
        lanes = len(self.constants.row_steps)
        moments, rows = state.moments[:, :MOMENTS], state.rows[:, -2 * lanes :]
        return state._replace(moments=moments, rows=rows)._asdict()

    def _rows_of(self, name: str) -> int:
        """How many rows of the array `name` a feature takes; 0: it is of no feature."""
        if name not in PER_FEATURE:
            return 0
        return slots(self.view) if name == "curves" else 1

    def new_state(self, room: int) -> PanelState:
        """The state before the first round, of the bias and `room` - 1 features."""
        self._refuse_size(room)
        constants, real = self.constants, self.dtype
        rows, curves = len(constants.row_steps), len(constants.curve_steps)
        places = room * slots(self.view)
        columns = MOMENTS + 2 * rows * real.itemsize // 8
        record = zeros((room, columns), EXACTLY)
        return PanelState(
            moments=record,
            rows=record.view(real),
            curves=zeros((places, 2 * curves + 1 + COINS), real),
            **new_stack(constants, constants.members)._asdict(),
        )

    def _refuse_size(self, room: int) -> None:
        """Raise ValueError where so many features would not fit into memory."""
        rows, curves = len(self.constants.row_steps), len(self.constants.curve_steps)
        lanes = 2 * rows + slots(self.view) * (2 * curves + 1 + COINS)
        size = room * (8 * MOMENTS + lanes * self.dtype.itemsize)
        if size > SHARE * physical_memory():
            raise ValueError(
                f"a panel on {room:,} features would take {size / 1e9:.0f} GB: hash "
                "them (-b 20, bits=20), or take a linear learner"
            )

    def new_tile(
        self, longest: int, entries: int = TILE, rows: int = TILE_ROWS
    ) -> Tile:
        """Room for a tile of rows with up to `longest` features and the bias."""
        # An odd number of cache lines: a power of two of them would put the numbers of
        # a feature where the cache has few places for them all.
        scratch = ((longest + 2 * LINE) // LINE | 1) * LINE
        length = max(entries, scratch)
        return Tile(
            columns=np.zeros(length, np.int64),
            values=np.zeros(length, self.dtype),
            places=np.zeros(length, np.int64),
            lefts=np.zeros(length, self.dtype),
            rights=np.zeros(length, self.dtype),
            facts=np.zeros((rows, FACTS)),
            exact=np.zeros((EXACT, scratch)),
            lanes=np.zeros((LANES, scratch), self.dtype),
            scalars=np.zeros(SCALARS, self.dtype),
            **new_stack_row(self.constants.members)._asdict(),
        )
