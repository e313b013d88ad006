"""Play on a cluster: shards at the same time, averaged; or many learners at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...algorithms.learners.linear_learner import LinearLearner, check_whole
from ...algorithms.learners.row_learner import RowLearner
from ...algorithms.played import played_by
from ...data.read_options import ReadOptions
from ...errors import checked_count
from ...parts.geometries import Euclidean
from ...parts.penalties import strength
from ...parts.steps import Constant
from ...parts.views import AsIs
from ...runs.many_runs import Runs
from . import connection
from .cluster_run import ClusterRun, conclude
from .connection import connected
from .job_spec import agree
from .many_learners import play_many
from .shard_rounds import Progress, play_rounds
from .shards import in_rounds, plan_shards
from .task_pool import TaskPool


def play(  # noqa: PLR0913 - all but two are options
    learner: RowLearner | Sequence[RowLearner],
    files: object,
    *,
    shards: int | None = None,
    shard_size: int | str | None = None,
    synchronizations: int = 1,
    workers: int | None = None,
    address: str = "auto",
    n_features: int | None = None,
    models: Sequence[str] = (),
    options: ReadOptions | None = None,
    watch: Callable[[Progress], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> ClusterRun | Runs:
    """Play `learner` over files on every core of a Ray cluster.

    The files are laid end to end and cut into shards. Each shard is played online on
    its own, all at the same time, and the shards' weights are averaged by their rounds.

    **Theorem.** (Shard and average.) Every row is predicted by a hypothesis that has
    not seen it, so the mistakes of all shards, laid end to end, certify the randomized
    hypothesis as those of one stream do. Under a convex loss the mean of all hypotheses
    pays on fresh data at most what they pay on average (Jensen), whatever made them. ::

        sum over shards of R_i(u) <= sum over shards of the learner's own bound

    **Theorem.** (Mixing, ``synchronizations=r > 1``.) The data are played in r rounds
    one after the other; each round starts from the average of the last. With w the
    final weights and each row weighted by the share of its shard in its round, for
    every u, as for one Perceptron, ::

        M <= c + b^2/2 + b sqrt(b^2/4 + c),    M <= (R |u| / margin)^2

    What is lost: every shard starts anew, so S shards pay for S starts (once a round,
    where weights are mixed).

    Parameters
    ----------
    learner : learner, or a list of learners
        Who plays. A list: each learner plays all of the data in one stream, many at
        the same time, and the runs come back as one table.
    files : path, glob, URI, or a list of them
        What every machine of the cluster can read under the same name.
    shards : int or None
        How many shards (of every round) there are.
    shard_size : int, "file" or None
        Or how large they are, in bytes as stored: 128 MB by default. "file": no file is
        cut, and none joined to another.
    synchronizations : int
        How often weights are averaged, the end included. More than once is for learners
        whose whole state is their weights: Perceptron, PassiveAggressive, OGD with a
        constant step.
    workers : int or None
        How many shards are played at a time, at most. Nothing that is learned depends
        on it.
    address : str
        "auto": the cluster that is there, or a local one that lives as long as the
        call; "local": always a local one; host:port.
    n_features : int or None
        The number of features, for learners whose start depends on it.
    models : sequence of str
        For a list of learners: what to keep, as in :func:`regretless.play`.
    options : ReadOptions
        How to read files.
    watch : callable
        Called with a :class:`~regretless.cluster.Progress` whenever a shard ends.
    stop : callable
        Asked a few times a second whether to stop. What has ended is kept, as it is on
        Ctrl-C.

    Returns
    -------
    ClusterRun, or Runs of a list of learners
        With its ledger, its certificate, its models. Same files, same shards: the same
        bits, however many workers there are and whichever of them die.

    Examples
    --------
    ::

        import regretless as rg

        run = rg.cluster.play(rg.AdaGrad(), "logs/*.svm", shards=16)
        run.model("validated").save("logs.rgl")
    """
    options = ReadOptions() if options is None else options
    stop = stop or (lambda: False)
    if workers is not None:
        checked_count("workers", workers)
    if isinstance(learner, list | tuple):
        with connected(address, workers) as ray:
            pool = TaskPool(ray, workers, stop, lambda: None)
            return play_many(pool, learner, files, n_features, tuple(models), options)
    synchronizations = checked_count("synchronizations", synchronizations)
    linear = _averaging(learner, synchronizations, models)
    check_whole("n_features", n_features)
    connection.import_ray(address)  # before files are looked at, which may take longer
    declared = n_features if n_features is not None else linear.n_features
    terms, places = agree(linear, files, options, declared)
    wanted = (
        None if shards is None else checked_count("shards", shards) * synchronizations
    )
    cut = plan_shards(
        places, terms.options.format or "", shards=wanted, size=shard_size
    )
    rounds = in_rounds(cut, synchronizations)
    with connected(address, workers) as ray:
        pool = TaskPool(ray, workers, stop, lambda: None)
        played = play_rounds(pool, terms, rounds, watch or (lambda progress: None))
    return conclude(linear, terms, played, address, workers)


def _averaging(
    learner: Any, synchronizations: int, models: Sequence[str]
) -> LinearLearner:
    """The learner, if averages of its weights mean something; else it raises."""
    rows = played_by(learner) == "rows"
    if rows and learner.one_versus_rest:
        raise ValueError(
            "an average of panels is not a panel: name a linear learner (--learner "
            "adagrad), or give a list of learners, each of which plays all of the data"
        )
    if not (rows and learner.linear):
        hint = "; did you forget the ()?" if isinstance(learner, type) else ""
        raise TypeError(f"{learner!r:.60} cannot be played in shards{hint}")
    if models:
        raise TypeError("models= goes with a list of learners: model() needs nothing")
    if synchronizations == 1:
        return learner
    parts = learner.composition(learner.n_features or 2)
    plain = isinstance(parts.geometry, Euclidean) and isinstance(parts.step, Constant)
    if not plain or strength(parts.penalty) or not isinstance(parts.view, AsIs):
        raise ValueError(
            f"{learner!r} keeps more than its weights (steps, scales), so it cannot go "
            "on from an average: synchronizations=1, or Perceptron, PassiveAggressive, "
            "OGD with a constant step"
        )
    return learner
