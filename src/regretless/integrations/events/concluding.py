"""The receipts of a learner that was fed one event at a time."""

from __future__ import annotations

import copy

from ...algorithms.learners.row_learner import RowLearner
from ...algorithms.played import played_by
from ...runs.run import Run


def run(learner: RowLearner) -> Run:
    """A run of all that ``learn_one`` has taught `learner` so far, as it stands now.

    What needs the events again (theorems with a comparator, a mean or a validated
    model) says so: events are not kept. ``play`` over the same events gives the same
    run, bit for bit, with all of it.

    Parameters
    ----------
    learner : learner
        It learns on; the run does not change.

    Examples
    --------
    >>> import regretless as rg
    >>> learner = rg.Perceptron()
    >>> for x, y in [({"cheap": 1}, 1), ({"meeting": 1}, 0)] * 100:
    ...     learner.learn_one(x, y)
    >>> run = rg.events.run(learner)
    >>> run.mistakes, run.certificate().value < 0.1
    (2, True)
    >>> model = run.model("last")  # model.save(path)
    >>> model.predict([{"cheap": 1}, {"meeting": 1}])
    array([1, 0])
    """
    if played_by(learner) != "rows":
        raise TypeError(f"{learner!r:.60} does not learn one event at a time")
    live = learner.live
    player = live.player
    live.refuse_inner()
    with live.lock:
        live.settle()
        if not player.rounds:
            raise ValueError("there are no events that were learned yet")
        return Run(
            learner=learner,
            ledger=player.ledger(),
            weights=player.weights(),
            bias=player.bias_weight(),
            names=live.encoder.names,
            reading=live.encoder.schema.as_dict(),
            classes=live.labels.classes,
            seconds=player.seconds,
            weighted=live.weighted,
            record=live.record.now(),
            player=copy.deepcopy(player),
        )
