"""A mixture of forecasters that goes on: predict, learn, save, load.

``by="auto"`` is two mixtures and a third one of both: SafeBOA over the forecasters,
which learns fast; BOA over the forecasters, their mean and their median, which learns
with care; and SafeBOA over these two. A forecast of which a part is missing is missing.
"""

from __future__ import annotations

import copy
import dataclasses
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from ..algorithms.experts import (
    BOA,
    AdaHedge,
    ExpertLearner,
    FixedShare,
    Hedge,
    MLPoly,
    SafeBOA,
    Squint,
)
from ..algorithms.played import played_by
from ..data.chunk import Mask
from ..engine.storage import checked_int, read_file, write_file
from ..engine.storage.container import MALFORMED, refusal
from ..errors import did_you_mean
from ..parts.documents import Document
from ..parts.pools import Schedule
from ..parts.state import Floats
from .checking import fitted
from .entries import column_of, numbers, outcome
from .mixing import MixedRows, Mixer
from .recalibrating import Recalibrator
from .scores import (
    Score,
    about_events,
    about_quantiles,
    describe_score,
    read_score,
)
from .table import Table

LEARNERS: dict[str, type[ExpertLearner]] = {
    "ml-poly": MLPoly,
    "boa": BOA,
    "safe-boa": SafeBOA,
    "eg": AdaHedge,
    "adahedge": AdaHedge,
    "squint": Squint,
    "hedge": Hedge,
    "fixed-share": FixedShare,
}
NAMES = ("auto", *LEARNERS)
CAP = 2.0  # a typo must not rule for ever: see Mixer


class Mixture:
    """Forecasters mixed by weights that are learned from outcomes, live.

    Parameters
    ----------
    names : sequence of str
        The forecasters.
    score : a loss
        What forecasts are compared by.
    by : str or ExpertLearner
        "auto", or who weighs; see :func:`combine`.
    slopes : bool or None
        Whether forecasters are charged slopes; None: as `by` says.
    recalibrate : bool
        Whether probabilities are recalibrated after they are mixed.
    outcomes : int
        How many outcomes there are, where a forecast is their probabilities; else 0.

    Examples
    --------
    >>> from regretless.forecasts import Brier, Mixture
    >>> mix = Mixture(("ann", "bob"), Brier())
    >>> for rain in (1, 1, 0, 1):
    ...     mix.learn({"ann": 0.8, "bob": 0.4}, rain)
    >>> mix.predict({"ann": 0.9, "bob": 0.5}) > 0.7
    True
    """

    def __init__(
        self,
        names: Sequence[str],
        score: Score,
        by: str | ExpertLearner = "auto",
        *,
        slopes: bool | None = None,
        recalibrate: bool = False,
        outcomes: int = 0,
    ) -> None:
        self.width = score.levels.size if about_quantiles(score) else outcomes
        self.names = tuple(names)
        self.score = score
        self.by = by
        n = len(self.names)
        if by == "auto":
            by_slopes = score.convex if slopes is None else slopes
            self.layers = tuple(
                Mixer(learner, many, score, slopes=by_slopes, cap=CAP)
                for learner, many in ((SafeBOA(), n), (BOA(), n + 2), (SafeBOA(), 2))
            )
        else:
            learner, by_slopes = _learner(by, slopes, score)
            self.layers = (Mixer(learner, n, score, slopes=by_slopes),)
        if by_slopes and not score.convex:
            raise ValueError(f"slopes=True needs a convex loss, and {score} is not")
        self.recalibrator = Recalibrator(score) if recalibrate else None

    @property
    def slopes(self) -> bool:
        """Whether forecasters are charged slopes of the loss at the mixture."""
        return self.layers[0].slopes

    @property
    def members(self) -> tuple[str, ...]:
        """Who is weighed: the forecasters, and by "auto" their mean and median."""
        return self.names if len(self.layers) == 1 else (*self.names, "mean", "median")

    @property
    def weights(self) -> Floats:
        """The weights of the members for the coming round; they add up to one."""
        return self._combined([mixer.weights() for mixer in self.layers])

    @property
    def rounds(self) -> int:
        """How many rounds have been learned."""
        return self.layers[0].player.rounds

    def play(self, values: Floats, y: Floats, schedule: Schedule) -> MixedRows:
        """Forecast rows, and learn their outcomes when the schedule says so."""
        if len(self.layers) == 1:
            played = self.layers[0].play(values, y, schedule)
        else:
            fast, slow, top = self.layers
            one = fast.play(values, y, schedule)
            two = slow.play(with_ensembles(values, self.score), y, schedule)
            both = np.stack([one.forecasts, two.forecasts], axis=1)
            played = top.play(both, y, schedule)
            paths = [one.weight_path, two.weight_path, played.weight_path]
            played = played._replace(weight_path=self._combined(paths))
        if self.recalibrator is not None:
            again = self.recalibrator.play(played, y, schedule)
            played = played._replace(forecasts=again.forecasts, losses=again.losses)
        return played

    def predict(self, forecasts: object) -> Floats | float:
        """Mix new forecasts with the present weights; learn nothing.

        Parameters
        ----------
        forecasts : dict by name, Series, data frame, or array
            One row, or several; nan, or a name that is left out, is missing. A row in
            which all are missing gives nan.
        """
        values, single = self._rows(forecasts)
        rows = len(values)
        unknown = np.full(rows, np.nan)
        values = self._fitted(values, unknown)
        found = self.play(values, unknown, _one_round(rows, learn=False)).forecasts
        if not single:
            return found
        return float(found[0]) if found.ndim == 1 else found[0]

    def learn(self, forecasts: object, y: npt.ArrayLike) -> None:
        """Learn a round: what was forecast (one row, or several), and what happened.

        What :func:`combine` refuses is refused here too, and nothing of it is learned.
        An outcome that is nan is not known, and is not learned.
        """
        values, single = self._rows(forecasts)
        truth = numbers([y] if single else y, outcome)
        if truth.shape != (len(values),):
            raise ValueError(f"{len(values)} forecasts need as many outcomes")
        values = self._fitted(values, truth)
        schedule = _one_round(len(truth), learn=not np.isnan(truth).all())
        # Another one learns, so that what is broken off leaves this one as it was.
        other = copy.deepcopy(self)
        other.play(values, truth, schedule)
        vars(self).update(vars(other))  # in one go

    # In files.

    def save(self, path: str | Path) -> None:
        """Write all that it goes on with to a file that is safe to load."""
        write_file(path, "mixture", self.state())

    def state(self) -> Document:
        """The mixture as plain data and arrays."""
        learner = self.layers[0].learner
        plain = {"name": self.by} if isinstance(self.by, str) else {}
        if not plain:
            kinds = {kind: name for name, kind in reversed(LEARNERS.items())}
            plain = {"name": kinds[type(learner)], **_parameters(learner)}
        return {
            "names": list(self.names),
            "score": describe_score(self.score),
            "by": plain,
            "slopes": self.slopes,
            "outcomes": self.width,
            "layers": [mixer.state_dict() for mixer in self.layers],
            "recalibrator": None
            if self.recalibrator is None
            else self.recalibrator.mixer.state_dict(),
        }

    @classmethod
    def from_state(cls, state: Document) -> Mixture:
        """The mixture that :meth:`state` described; ValueError where it is none."""
        by = dict(state["by"])
        name = by.pop("name")
        names = [str(name) for name in state["names"]]
        made = LEARNERS[name](**by) if by else name
        mixture = cls(
            names,
            read_score(state["score"]),
            made,
            slopes=bool(state["slopes"]),
            recalibrate=state["recalibrator"] is not None,
            outcomes=checked_int(state, "outcomes", 0, 1_000_000),
        )
        for mixer, saved in zip(mixture.layers, state["layers"], strict=True):
            mixer.load_state(saved)
        if mixture.recalibrator is not None:
            mixture.recalibrator.mixer.load_state(state["recalibrator"])
        return mixture

    def __repr__(self) -> str:
        by = repr(self.by) if isinstance(self.by, str) else f"{self.by!r}"
        return f"<Mixture of {len(self.names)} by {by}, {self.rounds:,} rounds>"

    # Inside.

    def _combined(self, weights: Sequence[Floats]) -> Floats:
        """The weights of the members, from those of the layers (last axis)."""
        if len(self.layers) == 1:
            return weights[0]
        fast, slow, top = weights
        blank = np.zeros((*fast.shape[:-1], 2))
        return top[..., :1] * np.concatenate([fast, blank], -1) + top[..., 1:] * slow

    def _rows(self, forecasts: object) -> tuple[Floats, bool]:
        """New forecasts as rows x forecasters, and whether it was a single row."""
        n = len(self.names)
        alone = 2 if self.width else 1  # the dimensions of a single row
        named = _by_name(forecasts)
        if named is not None:
            strangers = [name for name in named if name not in self.names]
            if strangers:
                known = ", ".join(self.names[:8])
                raise ValueError(f"{strangers[0]!r} is not one of {known}")
            shape = next(np.shape(value) for value in named.values()) if named else ()
            nothing = np.full(shape, np.nan)
            parts = [numbers(named.get(k, nothing), column_of(k)) for k in self.names]
            inner = np.stack(parts, axis=-2 if self.width else -1)
        else:
            one = np.ndim(cast("Any", forecasts)) == alone
            inner = numbers([forecasts] if one else forecasts, self._called)
            inner = inner[0] if one else inner
        single = inner.ndim == alone
        values = inner[None] if single else inner
        wanted = (n, self.width) if self.width else (n,)
        if values.shape[1:] != wanted:
            raise ValueError(f"a row holds the forecasts of {n} forecasters")
        return values, single

    def _called(self, column: int) -> str:
        return column_of(self.names[column])(column)

    def _fitted(self, values: Floats, y: Floats) -> Floats:
        """The forecasts as they are scored; BadRow where they, or y, do not fit."""
        levels = self.score.levels if about_quantiles(self.score) else None
        return fitted(Table(values, y, self.names, levels=levels), self.score).values


def load_mixture(path: str | Path) -> Mixture:
    """The mixture in a file, as it was saved.

    Raises ``ValueError`` where the file holds none. Nothing of it is ever run.
    """
    content, _ = read_file(path, "mixture")
    try:
        return Mixture.from_state(content)
    except MALFORMED as error:
        raise refusal(path, "mixture", error) from None


def with_ensembles(values: Floats, score: Score) -> Floats:
    """The forecasters, and the mean and the median of those who speak in a row."""
    gaps: Mask = np.isnan(values)
    missing = gaps if gaps.ndim == 2 else np.any(gaps, axis=2)
    if missing.any():
        import warnings

        gone = missing if values.ndim == 2 else missing[:, :, None]
        whole = np.where(gone, np.nan, values)
        with warnings.catch_warnings():  # a row without any forecast
            warnings.simplefilter("ignore", RuntimeWarning)
            mean = np.nanmean(whole, axis=1, keepdims=True)
            median = np.nanmedian(whole, axis=1, keepdims=True)
    else:
        mean = values.mean(axis=1, keepdims=True)
        median = np.median(values, axis=1, keepdims=True)
    if values.ndim == 3 and about_events(score):
        total = median.sum(axis=2, keepdims=True)
        some = total > 0.0  # no outcome need have a median: then it is the mean
        median = np.where(some, median / np.where(some, total, 1.0), mean)
    return np.concatenate([values, mean, median], axis=1)


def named_learner(by: str, rounds: int, n: int, switches: int) -> str | FixedShare:
    """`by` itself, or for "fixed-share" the one whose bound is least."""
    if by not in NAMES:
        hint = did_you_mean(by, NAMES)
        raise ValueError(f"there is no by={by!r}{hint}: {', '.join(NAMES)}")
    return _fixed_share(rounds, n, switches) if by == "fixed-share" else by


def _learner(
    by: str | ExpertLearner, slopes: bool | None, score: Score
) -> tuple[ExpertLearner, bool]:
    """Who weighs, and whether it learns from slopes."""
    if isinstance(by, str):
        learner = LEARNERS[by]()
    elif played_by(by) == "experts":
        learner = by
    else:
        hint = "; did you forget the ()?" if isinstance(by, type) else ""
        raise TypeError(
            f"by={by!r:.60} is not a learner of experts, nor its name{hint}"
        )
    if learner.votes:
        name = type(learner).__name__
        raise TypeError(f"{name} counts votes: it cannot mix forecasts")
    if slopes is None:
        return learner, (learner.by_slopes or by == "eg") and score.convex
    return learner, slopes


def _fixed_share(rounds: int, n: int, switches: int) -> FixedShare:
    """The share and the rate that make the bound for so many switches least."""
    m = min(max(switches, 1), max(rounds - 2, 1))
    share = m / max(rounds - 1, 2)
    price = (m + 1) * math.log(n) - m * math.log(share)
    price -= (rounds - 1 - m) * math.log1p(-share)
    return FixedShare(math.sqrt(8.0 * price / rounds), share)


def _parameters(learner: ExpertLearner) -> Document:
    fields = [field.name for field in dataclasses.fields(learner) if field.init]
    return {name: getattr(learner, name) for name in fields}


def _by_name(forecasts: Any) -> Document | None:
    """Forecasts by name, where they have names."""
    if isinstance(forecasts, Mapping):
        given = cast("Mapping[Any, Any]", forecasts)
        return {str(name): value for name, value in given.items()}
    if hasattr(forecasts, "columns"):
        return {str(name): np.asarray(forecasts[name]) for name in forecasts.columns}
    index = getattr(forecasts, "index", None)
    if index is None or callable(index):  # a list has a method of that name
        return None
    labels = [str(label) for label in index]
    if labels == [str(k) for k in range(len(labels))]:
        return None
    return dict(zip(labels, np.asarray(forecasts).tolist(), strict=True))


def _one_round(rows: int, *, learn: bool) -> Schedule:
    return Schedule(
        starts=np.array([0, rows], np.int64),
        ahead=np.zeros(1, np.int64),
        order=np.zeros(int(learn), np.int64),
        slots=1,
    )
