"""The options of a session: what is learned from what, and what may be said of it.

The command line, ``play`` and checkpoints share them. A checkpoint keeps all that
decide what is learned and said; to resume it give the same, or leave them out.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from ..data.sealed_rows import Seal, checked_share, drawn_seed
from ..errors import OptionError
from ..parts.documents import Document
from .watchers import parse_every

UNSEALABLE = ("validated", "random", "vote")  # models that learned no row at the end
PASSING = ("checkpoint", "every", "resume")
"""What decides nothing that is learned: no checkpoint keeps it."""


@dataclass
class SessionOptions:
    """What a session is asked for; the names are those of the command line.

    Attributes
    ----------
    data : list of str
        The files; empty where rows come from elsewhere.
    learner : str or None
        The learner, as the command line was given it.
    task : str or None
        "binary", "multiclass" or "regression"; "auto": as the labels suggest; None:
        the learner's own.
    fast : bool
        Whether a panel plays without its forest.
    delta : float
        The probability that a certificate is wrong.
    features : int or None
        The number of features, for learners that need it.
    class_weights : dict or "balanced"
        How much the rows of each class count.
    initial_model : str or None
        The file to go on from: with its state, else at its weights.
    again : bool
        Whether files may be learned that were learned before.
    passes : int
        How often the rows are learned; only the first pass is online.
    holdout : int or None
        Test on every so many-th row instead of learning it.
    seal : float, str or None
        The share of the rows that is reserved to certify by.
    seal_seed : int or None
        Of the coins that choose these rows; None: it is drawn.
    threshold : str or None
        What the threshold of a model of two classes is for.
    interval : float, str or None
        The level of prediction sets.
    model : str or None
        Which model is wanted; None: the one that has learned every row.
    reading : dict
        How files are read, as :class:`~regretless.ReadOptions` takes it.
    checkpoint : str or None
        The file to save everything in.
    every : str or int
        How often: "30s", "5min", "100000rows"; a number counts rows.
    resume : str or None
        The checkpoint to go on from.
    """

    data: list[str] = field(default_factory=list[str])
    learner: str | None = None
    task: str | None = "auto"
    fast: bool = False
    delta: float = 0.05
    features: int | None = None
    class_weights: dict[str, float] | str = field(default_factory=dict[str, float])
    initial_model: str | None = None
    again: bool = False
    passes: int = 1
    holdout: int | None = None
    seal: float | str | None = None
    seal_seed: int | None = None
    threshold: str | None = None
    interval: float | str | None = None
    model: str | None = None
    reading: Document = field(default_factory=dict[str, Any])
    checkpoint: str | None = None
    every: str | int = "30s"
    resume: str | None = None

    @property
    def tested(self) -> bool:
        """Whether rows are set aside to judge the model by."""
        return self.holdout is not None or self.seal is not None

    def check(self) -> None:
        """Refuse what does not go together, before anything is read.

        Raises
        ------
        OptionError
            In one line.
        """
        parse_every(self.every)
        if self.passes < 1:
            raise OptionError(f"--passes {self.passes}: from 1 on")
        if self.holdout is not None and self.holdout < 2:
            raise OptionError(f"--holdout {self.holdout}: hold out every k-th, k >= 2")
        if not 0.0 < self.delta < 1.0:
            raise OptionError(f"--delta {self.delta:g}: it is between 0 and 1")
        for name in ("checkpoint", "resume", "initial_model"):
            if getattr(self, name) is not None and not self.data:
                option = name.replace("_", "-")
                raise OptionError(
                    f"--{option} goes with files, and these rows are none"
                )
        if self.seal is not None:
            self._check_seal()
            self.seal_seed = drawn_seed() if self.seal_seed is None else self.seal_seed
        elif self.seal_seed is not None:
            raise OptionError("--seal-seed goes with --seal")
        elif self.reading.get("group") is not None:
            raise OptionError("--group goes with --seal: rows are sealed by group")
        if self.threshold is not None:
            self._check_threshold()

    @property
    def coins(self) -> Seal | None:
        """The coins that choose the rows to seal; None where none are."""
        return None if self.seal is None else Seal(self.seal, self.seal_seed or 0)

    def remembered(self) -> Document:
        """What a checkpoint keeps, as plain data."""
        everything = asdict(self)
        return {name: everything[name] for name in _kept()}

    def recall(self, kept: Document) -> None:
        """Take from a checkpoint what was not given again.

        What was given again must be the same: another learner, or other data, would
        make one model out of two runs.
        """
        fresh = SessionOptions()
        for name in _kept():
            now, unset = getattr(self, name), getattr(fresh, name)
            then = kept.get(name, unset)
            if name == "reading":
                continue
            if now == unset or now is None:
                setattr(self, name, then)
            elif now != then and not (name == "learner" and then is None):
                raise ValueError(
                    f"{self.resume}: it was made with {name}={then!r}, not {now!r}: "
                    "give the same, or leave it out"
                )
        self.reading = kept["reading"]

    def _check_seal(self) -> None:
        try:
            checked_share(self.seal)
        except (TypeError, ValueError) as error:
            raise OptionError(str(error)) from None
        if self.holdout is not None:
            raise OptionError(
                "--seal and --holdout both set rows aside: give one of them"
            )
        if self.model in UNSEALABLE:
            raise OptionError(
                f"--seal certifies the last model, not --model {self.model}"
            )

    def _check_threshold(self) -> None:
        from ..evidence.claims.operating_point import parse_goal

        try:
            parse_goal(self.threshold or "")
        except ValueError as error:
            raise OptionError(str(error)) from None
        if self.holdout is not None:
            raise OptionError("--threshold is certified by --seal, not by --holdout")
        if self.reading.get("group") is not None:
            raise OptionError("--threshold needs rows sealed one by one, no --group")


def _kept() -> list[str]:
    """The names of the options that a checkpoint keeps."""
    names = SessionOptions.__dataclass_fields__
    return [name for name in names if name not in PASSING]
