"""What all shards agree on before the first row is played.

A stream finds out on the way which column is the label, where counting starts and which
label is +1. Shards are read at the same time, so the first rows of the first file
decide for all, and files with other columns are refused before anybody has learned.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace

from ...algorithms.learners import LinearLearner
from ...data.encoding import label_codec
from ...data.encoding.hash_index import NARROW
from ...data.file_source import FileSource
from ...data.formats.readers import Wanted
from ...data.input_files import InputFile
from ...data.read_options import TABLES, ReadOptions


@dataclass(frozen=True)
class JobSpec:
    """How every shard is read and played.

    Attributes
    ----------
    learner : learner
        Who plays.
    options : ReadOptions
        How files are read, with everything decided.
    labels : list
        The labels for -1 and +1, as far as they are known.
    n_features : int or None
        The number of features, where it was declared.
    names : mapping or None
        Names that features have already.
    frozen : bool
        Whether names that are not among them are left out.
    """

    learner: LinearLearner
    options: ReadOptions
    labels: list[object]
    n_features: int | None = None
    names: Mapping[int, Hashable] | None = None
    frozen: bool = False

    def source(self, given: object) -> FileSource:
        """Files, or parts of files, to be read on these terms."""
        return FileSource(
            given,
            self.options,
            Wanted(self.names, grows=not self.frozen, direct=NARROW),
            binary=self.learner.binary,
            n_features=self.n_features,
            classes=(self.labels[0], self.labels[1]) if self.learner.binary else None,
        )


def agree(
    learner: LinearLearner, given: object, options: ReadOptions, n_features: int | None
) -> tuple[JobSpec, list[InputFile]]:
    """Look at the files and decide; ``ValueError`` where they cannot be one stream."""
    source = FileSource(
        given,
        options,
        Wanted(direct=NARROW),
        binary=learner.binary,
        n_features=n_features,
    )
    for place in source.places:
        if not place.rereadable:
            raise ValueError(f"{place.name}: a cluster reads files, not streams")
    with closing(source):
        targets = label_codec(learner.binary, positive=options.positive)
        found, _ = targets.encode_some(source.first_labels())
        if not found.size:  # the first rows are bad: say so before anything starts
            _refuse_first(source)
    if options.format in TABLES or source.options.format in TABLES:
        _same_columns(source)
    decided = replace(source.options, threads=_threads(source, options.threads))
    return JobSpec(learner, decided, targets.state(), n_features), source.places


def _threads(source: FileSource, wanted: int | None) -> int:
    """How many threads of a task read ahead: a task has one core.

    Beside the one that learns, another one pays where bytes come from afar.
    """
    if wanted is not None:
        return wanted
    return 0 if all(place.local for place in source.places) else 1


def _same_columns(source: FileSource) -> None:
    """Look at the first rows of every file: its columns are those of the first."""
    for place in source.places:
        with closing(source.reader.pieces(place, 0)) as pieces:
            next(pieces, None)


def _refuse_first(source: FileSource) -> None:
    """Raise what is wrong with the first rows, where nothing else is there."""
    for batch in source.batches():
        if batch.failure is not None and not batch.targets.size:
            raise batch.failure
        return
