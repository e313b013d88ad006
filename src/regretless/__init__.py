"""Online learning with receipts: the model, the ledger, the certificate.

>>> import regretless as rg
>>> run = rg.play(rg.Perceptron(), [[1, 2], [2, 1], [-1, 1]], [1, 1, -1])
>>> run.mistakes
2

Importing this package loads nothing heavy; every public name is fetched when it is
used.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .lazy import homes_of, lazily, provide
from .version import __version__ as __version__

_WHERE = {
    "evidence.certify": "Certificate",
    "engine.coverage_ledger": "Coverage",
    "algorithms.covered_learner": "intervals",
    "errors": "BadRow",
    "engine.expert_ledger": "ExpertLedger",
    "algorithms.saved_learners": "load_learner",
    "parts.generic": "implement",
    "engine.ledger": "Ledger",
    "engine.mean_ledger": "MeanLedger",
    "models": "load",
    "parts.composition": "Composition",
    "parts.domains": "Ball Box Everywhere Simplex",
    "parts.prediction_rules": "AsItStands Clipped Foreseen",
    "parts.geometries": "Betting CoordinateBetting Diagonal DiagonalMatrix Entropy "
    "Euclidean FullMatrix PNorm Proximal SignedEntropy SimplexEntropy",
    "parts.losses": "Absolute EpsilonInsensitive Exponential Hinge Huber Logistic "
    "Pinball Squared SquaredHinge ZeroOne slope value",
    "parts.penalties": "L2 NoPenalty",
    "parts.similarities": "RBF LinearKernel Polynomial similarity",
    "parts.steps": "Adaptive Constant InverseSqrt InverseTime",
    "parts.triggers": "Always OnMargin OnMistake",
    "parts.updates": "Explicit Implicit LeastSquares Polyak Projected",
    "parts.views": "AsIs RunningMax RunningRMS",
    "lab.arena": "arena",
    "runs.play": "play",
    "runs.run": "Run",
    "runs.many_runs": "Runs",
    "data.read_options": "ReadOptions",
    "data.schema": "Schema",
    "evidence.theorems": "Theorems TheoremViolated",
    "cli.warming": "warmup",
}
_MODULES = (
    *("certify", "cluster", "events", "experiments", "forecasts", "games"),
    *("metrics", "report"),
    *("river", "sklearn"),
)
_find, _ = lazily(__name__, _WHERE)


def _run_of_events(learner: Any) -> Any:
    from .integrations.events import run

    return run(learner)


def _learner_of_a_state(*given: Any) -> object:
    from .runs.events_after import learner_of_state

    return learner_of_state(*given)


provide("run of events", _run_of_events)  # learners give snapshots and certificates
provide("learner of a state", _learner_of_a_state)  # load_learner opens trainings


def _homes() -> dict[str, str]:
    """Where every public name is that is no module; learners are found."""
    from .algorithms.discovery import all_learners

    homes = homes_of(_WHERE)
    for kind in all_learners():
        homes[kind.__name__] = kind.__module__.split(".", 1)[1].rpartition(".")[0]
    return homes


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    if name == "__all__":
        return sorted({*_homes(), *_MODULES} - {"river", "sklearn"})  # extras
    if name[:1].isupper() and name not in homes_of(_WHERE):
        from .algorithms import experts, learners

        for package in (learners, experts):
            if hasattr(package, name):
                return getattr(package, name)
    return _find(name)


def __dir__() -> list[str]:
    return sorted({*_homes(), *_MODULES, *globals()})
