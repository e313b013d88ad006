"""The options of a session: what is learned from what, and what may be said of it.

Each is declared once, here: ``train`` and ``play`` take what is declared, under these
names. A checkpoint keeps all that decide what is learned and said; to resume it give
the same, or leave them out.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, cast

from ..declared import Argument, Option
from ..errors import OptionError
from ..parts.documents import Document

if TYPE_CHECKING:
    from ..data.sealed_rows import Seal

UNSEALABLE = ("validated", "random", "vote")  # models that learned no row at the end
PASSING = ("checkpoint", "every", "resume")
"""What decides nothing that is learned: no checkpoint keeps it."""
BALANCED = "balanced"

learning = partial(Option, panel="What is learned")
shared = partial(learning, play=True)
alone = partial(shared, goes_with=())
keeping = partial(Option, panel="What is kept")
going_on = partial(keeping, play=True, goes_with=())


@dataclass
class SessionOptions:
    """What a session is asked for.

    Parameters
    ----------
    data : list of str
        The files; empty where rows come from elsewhere.
    learner : str or None
        The learner, as the command line was given it.
    task : str
        "binary", "multiclass" or "regression"; "auto": as the labels suggest. None:
        that of the learner; a panel takes two classes or more.
    fast : bool
        Whether a panel plays without its forest.
    delta : float
        The probability that a certificate is wrong.
    n_features : int
        The number of features, for learners whose start depends on it, where the data
        do not tell.
    class_weight : dict or "balanced"
        How much the rows of each class count: {"spam": 2.0}.
    initial_model : path
        Go on from this file: with its state, if it has one, else at its weights.
    passes : int
        How often the rows are learned. Only the first pass is online: the run is about
        it, ``run.later_passes`` says what others paid; ``run.model()`` learned all.
    holdout : int
        Test on every so many-th row instead of learning it: ``run.held_out()``, and the
        certificate of ``run.model()``.
    seal : float or str
        The share of the rows to seal, such as 0.05 or "5%": reserved by coins, not
        learned, and scored once at the end. ``run.model()`` is then certified itself.
    seal_seed : int or None
        Of these coins; None: it is drawn, and the certificate says which one it was.
    again : bool
        Whether files may be learned that are there twice, or that `initial_model` has
        learned. Nothing is certified then.
    threshold : str
        Of two classes, what ``run.model()`` predicts the positive one by:
        "recall=0.9", "precision=0.8", "cost:fp=1,fn=20", or a number. It is chosen on
        the rows learned last, and certified by sealed ones, with ``seal=``.
    interval : float or str
        The level of prediction sets.
    model : str or None
        Which model is wanted; None: the one that has learned every row.
    checkpoint : path
        Of files: save everything here, every so often, to go on from.
    every : str or int
        How often: "30s", "5min", "100000rows"; a number counts rows.
    resume : path
        Go on from this checkpoint. Options that are left out are as they were.
    reading : dict
        How files are read, as :class:`~regretless.ReadOptions` takes it.
    """

    data: Annotated[
        list[str], Argument(text="Files, globs, URIs, or - for standard input.")
    ] = field(default_factory=list[str])
    learner: str | None = None
    task: Annotated[
        str | None, shared(text="auto, binary, multiclass or regression.")
    ] = None
    fast: Annotated[
        bool, learning(text="No forest: less time, more errors on narrow tables.")
    ] = False
    delta: Annotated[
        float,
        learning(text="The probability that a certificate is wrong; or 5%.", kind=str),
    ] = 0.05
    n_features: Annotated[
        int | None,
        shared("--features", text="The number of features, for learners that need it."),
    ] = None
    class_weight: Annotated[
        Mapping[Hashable, float] | str | None,
        shared(
            text="LABEL=WEIGHT: how much a class counts; balanced.",
            kind=list[str],
            goes_with=("several",),
        ),
    ] = None
    initial_model: Annotated[
        str | None,
        alone(
            *("--initial-model", "-i"),
            text="Go on: with the state of this file, else at its weights.",
            file=True,
        ),
    ] = None
    passes: Annotated[int, alone(text="Passes; only the first is online.", least=1)] = 1
    holdout: Annotated[
        int | None, alone(text="Test on every K-th row instead of learning it.")
    ] = None
    seal: Annotated[
        str | float | None,
        alone(text="Reserve 5% of the rows to certify by; --seal-seed 7."),
    ] = None
    seal_seed: Annotated[
        int | None,
        alone(text="Of the coins that choose sealed rows; else drawn.", hidden=True),
    ] = None
    again: Annotated[
        bool,
        shared(
            text="Learn files that were learned before, too.", goes_with=("several",)
        ),
    ] = False
    threshold: Annotated[
        str | float | None,
        alone(text="recall=0.9, precision=0.8, cost:fp=1,fn=20, or 0.3."),
    ] = None
    interval: Annotated[
        str | float | None,
        learning(
            *("--interval", "--sets"),
            text="Intervals of amounts, sets of classes: 90%, say.",
            goes_with=(),
        ),
    ] = None
    model: Annotated[
        str | None,
        keeping(
            text="validated, last, mean, last-half, random, vote; default: all rows."
        ),
    ] = None
    checkpoint: Annotated[
        str | None, going_on(text="Save all here, --every 30s.", file=True)
    ] = None
    every: Annotated[
        str | int, going_on(text="How often: 30s, 5min, 100000rows.", hidden=True)
    ] = "30s"
    resume: Annotated[
        str | None, going_on(text="Go on from this checkpoint.", file=True)
    ] = None
    reading: Document = field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        for name in ("initial_model", "checkpoint", "resume"):
            if getattr(self, name) is not None:
                setattr(self, name, os.fspath(getattr(self, name)))
        if self.threshold is not None:
            self.threshold = str(self.threshold)
        if self.class_weight is not None:
            self.class_weight = _by_label(self.class_weight)
        self.delta = _probability(self.delta)

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
        from .watchers import parse_every

        parse_every(self.every)
        if self.passes < 1:
            raise OptionError(f"--passes {self.passes}: from 1 on")
        if self.holdout is not None and self.holdout < 2:
            raise OptionError(f"--holdout {self.holdout}: hold out every k-th, k >= 2")
        for name in ("checkpoint", "resume", "initial_model"):
            if getattr(self, name) is not None and not self.data:
                option = name.replace("_", "-")
                raise OptionError(
                    f"--{option} goes with files, and these rows are none"
                )
        if self.seal is not None:
            from ..data.sealed_rows import drawn_seed

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
        from ..data.sealed_rows import Seal

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
        fresh = type(self)()
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
        from ..data.sealed_rows import checked_share

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
            parse_goal(str(self.threshold))
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


def _probability(given: float | str) -> float:
    """Of ``--delta``: a number such as 0.05, or 5%."""
    text = str(given).strip()
    try:
        found = float(text[:-1]) / 100.0 if text.endswith("%") else float(text)
    except ValueError:
        found = float("nan")
    if not 0.0 < found < 1.0:
        raise OptionError(f"--delta {given}: it is between 0 and 1, or 5%")
    return found


def _by_label(
    given: Mapping[Hashable, float] | Iterable[str],
) -> dict[Hashable, float] | str | None:
    """Weights of classes by label, from a mapping or words such as ``spam=2``."""
    if isinstance(given, str):
        if given != BALANCED:
            raise OptionError(f"--class-weight {given!r}: give weights, or balanced")
        return given
    if isinstance(given, Mapping):
        named = cast("Mapping[Hashable, float]", given)
        try:
            return {str(one): float(weight) for one, weight in named.items()} or None
        except (TypeError, ValueError):
            raise OptionError(f"--class-weight {given}: weights are numbers") from None
    if [*given] == [BALANCED]:
        return BALANCED
    found: dict[Hashable, float] = {}
    for setting in given:
        label, equals, number = setting.rpartition("=")
        try:
            found[label] = float(number)
        except ValueError:
            equals = ""
        if not equals or not label:
            raise OptionError(f"{setting!r}: write LABEL=WEIGHT, or balanced alone")
    return found
