"""Play a game: see x, predict, see y, pay, update; over all of the data, once.
"""
# Made by `make stubs`.

import collections.abc
import os
from collections.abc import Callable, Iterable, Sequence
from typing import overload

import numpy.typing as npt

from ..algorithms.learners.mixture import Mixture
from ..algorithms.learners.row_learner import RowLearner
from ..data import ReadOptions, Schema
from .many_runs import Runs
from .mixture_game import MixtureRun
from .run import Run
from .session import Session

@overload
def play(# pyright: ignore[reportOverlappingOverload]
    learner: Mixture,
    X: object = ...,
    y: object = ...,
    *,
    losses: object = ...,
    loss: object = ...,
    trace: bool = ...,
    keep: bool = ...,
    check: bool = ...,
    u: npt.ArrayLike | None = ...,
    models: Iterable[str] = ...,
    length: int | None = ...,
    schema: Schema | None = ...,
    options: ReadOptions | None = ...,
    group: object = ...,
    on_batch: Callable[[Session], object] | None = ...,
    task: str | None = ...,
    n_features: int | None = ...,
    class_weight: collections.abc.Mapping[collections.abc.Hashable, float] | str | None = ...,
    initial_model: str | None | os.PathLike[str] = ...,
    passes: int = ...,
    holdout: int | None = ...,
    seal: str | float | None = ...,
    seal_seed: int | None = ...,
    again: bool = ...,
    threshold: str | float | None = ...,
    checkpoint: str | None | os.PathLike[str] = ...,
    every: str | int = ...,
    resume: str | None | os.PathLike[str] = ...,
) -> MixtureRun: ...
@overload
def play(
    learner: Sequence[RowLearner],
    X: object = ...,
    y: object = ...,
    *,
    losses: object = ...,
    loss: object = ...,
    trace: bool = ...,
    keep: bool = ...,
    check: bool = ...,
    u: npt.ArrayLike | None = ...,
    models: Iterable[str] = ...,
    length: int | None = ...,
    schema: Schema | None = ...,
    options: ReadOptions | None = ...,
    group: object = ...,
    on_batch: Callable[[Session], object] | None = ...,
    task: str | None = ...,
    n_features: int | None = ...,
    class_weight: collections.abc.Mapping[collections.abc.Hashable, float] | str | None = ...,
    initial_model: str | None | os.PathLike[str] = ...,
    passes: int = ...,
    holdout: int | None = ...,
    seal: str | float | None = ...,
    seal_seed: int | None = ...,
    again: bool = ...,
    threshold: str | float | None = ...,
    checkpoint: str | None | os.PathLike[str] = ...,
    every: str | int = ...,
    resume: str | None | os.PathLike[str] = ...,
) -> Runs: ...
@overload
def play(
    learner: object,
    X: object = ...,
    y: object = ...,
    *,
    losses: object = ...,
    loss: object = ...,
    trace: bool = ...,
    keep: bool = ...,
    check: bool = ...,
    u: npt.ArrayLike | None = ...,
    models: Iterable[str] = ...,
    length: int | None = ...,
    schema: Schema | None = ...,
    options: ReadOptions | None = ...,
    group: object = ...,
    on_batch: Callable[[Session], object] | None = ...,
    task: str | None = ...,
    n_features: int | None = ...,
    class_weight: collections.abc.Mapping[collections.abc.Hashable, float] | str | None = ...,
    initial_model: str | None | os.PathLike[str] = ...,
    passes: int = ...,
    holdout: int | None = ...,
    seal: str | float | None = ...,
    seal_seed: int | None = ...,
    again: bool = ...,
    threshold: str | float | None = ...,
    checkpoint: str | None | os.PathLike[str] = ...,
    every: str | int = ...,
    resume: str | None | os.PathLike[str] = ...,
) -> Run: ...
