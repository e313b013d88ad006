"""Open a session: the rows, the task, the learner, and where an earlier run stopped.

Files, tables and iterables go the same way. Files are opened once, and their first
labels looked at on the way: what comes through a pipe cannot be read again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ..algorithms.learners.linear_learner import check_whole
from ..data import FileSource, Source, open_source
from ..data.class_weights import WeightedClasses
from ..data.encoding.hash_index import NARROW
from ..data.encoding.input_kind import are_files
from ..data.formats.readers import Wanted
from ..data.holdout import HeldOut
from ..data.input_files import find_places
from ..data.read_options import ReadOptions
from ..data.sealed_rows import SealFilter
from ..engine.feature_names import Names
from ..errors import OptionError
from .learned_files import refuse_learned
from .session_options import SessionOptions
from .task_choice import TASK_OF, Choice, choose_learner, labels_of, needs_labels

if TYPE_CHECKING:
    from ..algorithms.learners.row_learner import RowLearner
    from ..data.chunk import Array
    from ..evidence.claims.sealed import Sealed
    from ..models.model import Model
    from .checkpoints import Checkpoint


NO_LABELS: Array = np.empty(0)


@dataclass(frozen=True)
class OpenedRows:
    """The rows of a session, and who plays them.

    Attributes
    ----------
    learners : list of RowLearner
        Who plays: one, or several beside each other.
    choice : Choice
        The task, and why; of the first learner.
    rows : Source
        The rows as they were opened, before any is held out or weighted.
    source : Source
        The rows that are learned.
    options : SessionOptions
        What was asked for.
    initial : model or None
        Where the weights start.
    state : Checkpoint or None
        Where the run goes on: after rows of other files.
    sealed : Sealed or None
        The sealed rows.
    lost : str
        A warning of what the earlier training had and this one does not.
    """

    learners: list[RowLearner]
    choice: Choice
    rows: Source
    source: Source
    options: SessionOptions
    initial: Model | None = None
    state: Checkpoint | None = None
    sealed: Sealed | None = None
    lost: str = ""

    @property
    def files(self) -> FileSource:
        """The rows, which are those of files."""
        assert isinstance(self.rows, FileSource)
        return self.rows

    @property
    def skip(self) -> bool:
        """Whether bad rows are skipped."""
        read: ReadOptions | None = getattr(self.rows, "options", None)
        return read is not None and read.on_bad_rows == "skip"

    @property
    def held_out(self) -> HeldOut | None:
        """The rows held out."""
        if self.options.holdout is None:
            return None
        return HeldOut(self.rows, self.options.holdout, test=True)

    @property
    def counts(self) -> list[int] | None:
        """How many rows of each class have come, where classes are balanced."""
        source = self.source
        return source.counts if isinstance(source, WeightedClasses) else None

    def count_on(self, counts: list[int] | None) -> None:
        """Let balanced classes go on with the counts of a state."""
        if isinstance(self.source, WeightedClasses):
            self.source.go_on(counts)


def open_rows(
    options: SessionOptions,
    learners: Sequence[RowLearner | None],
    X: object,
    y: object = None,
    *,
    read: ReadOptions | None = None,
    group: object = None,
    checkpoint: Checkpoint | None = None,
    tagged: bool = False,
) -> OpenedRows:
    """Check the options, open the rows, look at their labels, choose the learners.

    Parameters
    ----------
    options : SessionOptions
        What is asked for.
    learners : sequence of RowLearner or None
        Who plays; None: the default for the labels.
    X, y, group
        As :func:`regretless.play` takes them.
    read : ReadOptions or None
        How to read texts; of files ``options.reading`` says so.
    checkpoint : Checkpoint or None
        Where the session goes on, in the same files.
    tagged : bool
        Whether batches say which rows of the files they stand for.

    Raises
    ------
    OptionError
        Where an option cannot be used with these rows, or with this learner.
    """
    options.check()
    check_whole("n_features", options.n_features)
    if not are_files(X, y):
        return _open_table(options, learners, X, y, read, group)
    if group is not None and options.reading.get("group") is None:
        raise TypeError('of files, ReadOptions(group="column") names the group')
    state = initial = None
    lost = ""
    data: object = X
    if options.initial_model is not None:
        from .continuing import lost_threshold, start

        state, initial, options.reading, data = start(options, X)
        lost = lost_threshold(options, state, initial)
    read = _reading(options, y)
    data = find_places(data)
    if not options.again:
        refuse_learned(data, options.initial_model, state, initial)
    rows = _open_files(options, learners, data, read, (state, initial), tagged)
    begun = None if state is None else state.began(learners[0])
    task = options.task if begun is None else TASK_OF[begun.task]
    labels = NO_LABELS
    if any(needs_labels(one, task) for one in learners):
        labels = rows.first_labels()
        if options.initial_model is not None and isinstance(read.label, int):
            from .continuing import check_label

            check_label(options.initial_model, state, initial, rows.options.label)
    earlier = initial or checkpoint
    default = None if earlier is None else earlier.learner
    try:
        choices = [
            _refused_later(one, begun)
            or choose_learner(
                one or begun, labels, task, default=default, fast=options.fast
            )
            for one in learners
        ]
    except OptionError:
        rows.close()
        raise
    choice = choices[0]
    rows.code_labels(binary=choice.task == "binary", many=choice.many)
    if state is not None:
        rows.go_on(state.facts["mark"])
    sealed: Sealed | None = None
    if options.coins is not None:
        from .sealing import sealed_files

        sealed = sealed_files(data, rows, options.coins)
    return OpenedRows(
        [one.learner for one in choices],
        choice,
        rows,
        _learned(options, rows, choice),
        options,
        initial,
        state,
        sealed,
        lost,
    )


def _open_table(
    options: SessionOptions,
    learners: Sequence[RowLearner | None],
    X: object,
    y: object,
    read: ReadOptions | None,
    group: object,
) -> OpenedRows:
    """Rows that are no files."""
    sealed: Sealed | None = None
    table, labels = X, y
    if options.coins is not None:
        from .sealing import sealed_off

        table, labels, sealed = sealed_off(X, y, options.coins, group)
    found = NO_LABELS
    if any(needs_labels(one, options.task) for one in learners):
        found = labels_of(table, labels)
    choices = [choose_learner(one, found, options.task) for one in learners]
    choice = choices[0]
    rows = open_source(
        table,
        labels,
        binary=choice.task == "binary",
        many=choice.many,
        n_features=_declared(options, [choice.learner]),
        options=read,
        direct=direct_for(learners),
    )
    if not rows.rereadable:
        for name in ("passes", "holdout"):
            if getattr(options, name) not in (None, 1):
                raise OptionError(
                    f"an iterator can be read once, and --{name} reads the rows again: "
                    "give a list"
                )
    return OpenedRows(
        [one.learner for one in choices],
        choice,
        rows,
        _learned(options, rows, choice),
        options,
        sealed=sealed,
    )


def _learned(options: SessionOptions, rows: Source, choice: Choice) -> Source:
    """The rows that are learned, with the weights of their classes."""
    source = rows
    if options.holdout is not None:
        source = HeldOut(source, options.holdout, test=False)
    if options.class_weight:
        source = WeightedClasses(source, options.class_weight, many=choice.many)
    return source


def _refused_later(
    learner: RowLearner | None, begun: RowLearner | None
) -> Choice | None:
    """Another learner than the one that began: its state says why it cannot go on."""
    if learner is None or begun is None or learner.task in ("binary", begun.task):
        return None
    return Choice(learner, TASK_OF[begun.task])


def _reading(options: SessionOptions, y: object) -> ReadOptions:
    """How to read the files; `y` names their label."""
    if y is not None and not isinstance(y, str | int):
        raise TypeError("files bring their own labels: y may name their column")
    try:
        read = ReadOptions.of(options.reading)
    except (TypeError, ValueError) as error:
        raise OptionError(str(error)) from None
    return read if y is None else replace(read, label=y)


def _open_files(
    options: SessionOptions,
    learners: Sequence[RowLearner | None],
    X: object,
    read: ReadOptions,
    start: tuple[Checkpoint | None, Model | None],
    tagged: bool,
) -> FileSource:
    coins, words = options.coins, None
    if options.initial_model is not None:
        from .continuing import check_label, words_of

        check_label(options.initial_model, *start, read.label)
        words = words_of(start[1])
    names, direct = _known_names(*start), direct_for(learners)
    wanted = Wanted(names, grows=True, direct=direct, tagged=tagged)
    files = FileSource(
        X,
        read,
        wanted,
        binary=False,
        n_features=_declared(options, learners),
        classes=words,
        side=None
        if coins is None
        else SealFilter(coins, reserved=False, unit=read.group_unit),
    )
    twice = {
        "--passes": options.passes > 1,
        "--holdout": options.holdout is not None,
        "--seal": coins is not None,
    }
    for place in files.places:
        if any(twice.values()) and not place.rereadable:
            files.close()
            option = next(name for name, given in twice.items() if given)
            raise OptionError(
                f"{place.name}: a pipe can be read once, and {option} reads the rows "
                "again: give files"
            )
    return files


def _declared(
    options: SessionOptions, learners: Iterable[RowLearner | None]
) -> int | None:
    """The number of features, as it was declared."""
    if options.n_features is not None:
        return options.n_features
    known = {one.n_features for one in learners if one is not None}
    return known.pop() if len(known) == 1 else None


def direct_for(learners: Iterable[RowLearner | None]) -> int:
    """Bits of hashes, where a learner must know how many features there may be."""
    return NARROW * any(one is not None and one.fixed for one in learners)


def _known_names(state: Checkpoint | None, initial: Model | None) -> Names | None:
    """The features that had names when the state, or the model, was saved."""
    if state is None:
        return None if initial is None else initial.names
    from .continuing import known_names

    return known_names(state)
