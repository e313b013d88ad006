"""What there is to say about a run, gathered once, and its document.

The command line, pages and files of JSON take it from here: the words of a certificate,
why there is none, and every document of a run, of a model and of many runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ..engine.ledger import curve_columns
from ..evidence.claims.doubts import compared, missing_of, too_few, why_not
from ..evidence.judged_run import JudgedRun
from ..evidence.summary import certified, features_of
from ..parts.documents import Document

if TYPE_CHECKING:
    from ..evidence.certify import Certificate
    from ..evidence.metrics import Metrics
    from ..evidence.theorems import Theorems
    from ..models.model import Model
    from .reported_runs import ReportedRuns

LONGEST = 200  # characters of the labels that are shown


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Receipts:
    """What a run came to.

    Attributes
    ----------
    run : Run
        The first pass: the only one that is online.
    delta : float
        The probability that a certificate is wrong.
    certificate : Certificate or None
        Of the randomized hypothesis of the first pass, to be read at any time. None
        where the rows changed on the way.
    model : model or None
        The model that all of this is about, with its own certificate.
    saved : str or None
        Where the model was saved.
    theorems : Theorems or None
        Evaluated on the data.
    held_out : Certificate or None
        What rows held out say about the model.
    set_certificate : Certificate or None
        What they say about its prediction sets.
    """

    run: JudgedRun
    delta: float = 0.05
    certificate: Certificate | None = None
    model: Model | None = None
    saved: str | None = None
    theorems: Theorems | None = None
    held_out: Certificate | None = None
    set_certificate: Certificate | None = None

    @property
    def metrics(self) -> Metrics | None:
        """How good the predictions were, as it was kept on the way."""
        return self.run.measured

    @property
    def certified(self) -> Certificate | None:
        """What is certified: of the model, or of the run where there is none."""
        if self.model is not None:
            return self.model.certificate
        return self.held_out or self.certificate

    @property
    def why_not(self) -> str:
        """Why nothing is certified; "" where something is."""
        if self.model is not None:
            return missing_of(self.model)
        found = self.certified
        return why_not(self.run) if found is None else too_few(found)

    @property
    def at_threshold(self) -> str:
        """What holds at the threshold of the model, where rows were sealed for it."""
        model = self.model
        if model is None or model.operating_point is None:
            return ""
        if not model.operating_point.certificates:
            return model.why_not.partition(". ")[0].removesuffix(".")
        said = str(model.operating_point)
        return f"{said[:1].upper()}{said[1:]}"

    @property
    def promise(self) -> str:
        """What is certified about new data, in one sentence; "" where nothing is."""
        found = self.certified
        if found is None or (self.why_not and not self.at_threshold):
            return ""
        of_model = self.model is not None or self.held_out is not None
        passes = 1 + len(self.run.later_passes)
        weighted = self.run.weighted
        return certified(found, model=of_model, passes=passes, weighted=weighted)

    def as_dict(self) -> Document:
        """The whole as plain data, for JSON."""
        run, metrics = self.run, self.metrics
        curve = curve_columns(run.ledger.curve)
        return {
            "learner": repr(run.learner),
            "rows": run.rounds,
            "features": features_of(run),
            "classes": listed(run.classes),
            "ledger": {**run.ledger.as_dict(), "curve": curve},
            "metrics": plain(metrics),
            "today": plain(run.today),
            "rolling": None if metrics is None else plain(metrics.rolling),
            "certificate": plain(self.certificate),
            "why_not": self.why_not,
            "coverage": plain(run.coverage),
            "set_certificate": plain(self.set_certificate),
            "doubts": run.doubts._asdict(),
            "changed": plain(run.change),
            "model": None if self.model is None else judged(self.model, self.saved),
            "theorems": None if self.theorems is None else self.theorems.as_dicts(),
            "later_passes": run.later_passes,
            "held_out": plain(self.held_out),
            "seconds_learning": run.seconds,
        }


def label_lines(
    classes: tuple[object, ...] | None, *, many: bool
) -> list[tuple[str, str]]:
    """What labels there are, as (what, how much); of amounts nothing."""
    if classes is None:
        return []
    if not many:
        negative, positive = classes
        return [("labels", f"{negative} (-1) and {positive} (+1)")]
    shown = ", ".join(map(str, classes))
    if len(shown) > LONGEST:
        shown = f"{shown[:LONGEST].rpartition(', ')[0] or shown[:LONGEST]}, ..."
    return [("labels", f"{len(classes):,} classes: {shown}")]


def reading_lines(reading: Document) -> list[tuple[str, str]]:
    """How data were read: the options, and the columns of each kind."""
    options = {name: reading[name] for name in reading if name != "columns"}
    said = ", ".join(f"{name}={value}" for name, value in options.items())
    said = said.replace("['", "").replace("']", "").replace("', '", " ")  # of lists
    kinds: dict[str, list[str]] = {}
    for name, kind in reading.get("columns") or ():
        kinds.setdefault(f"{kind.partition(':')[0]}s", []).append(name)
    columns = [(kind, f"{', '.join(names):.300}") for kind, names in kinds.items()]
    return [("read as", said or "arrays"), *columns]


class Plainly(Protocol):
    """What can be written as plain data."""

    def as_dict(self) -> Document:
        """All of it."""
        ...


def plain(found: Plainly | None) -> Document | None:
    """Anything as plain data, where it is there."""
    return None if found is None else found.as_dict()


def listed(classes: tuple[object, ...] | None) -> list[object] | None:
    """Labels as a list."""
    return None if classes is None else list(classes)


def judged(model: Model, path: str | None) -> Document:
    """A model and what is certified about it."""
    return {
        "path": path,
        "kind": model.kind,
        "learner": repr(model.learner),
        "about": model.about,
        "certificate": plain(model.certificate),
        "why_not": model.why_not,
        "threshold": plain(model.operating_point),
    }


def model_document(model: Model, path: str, top: int) -> Document:
    """A model from a file: who made it, what is certified, what moves it most."""
    made: Document = {} if model.provenance is None else vars(model.provenance)
    return {
        **judged(model, path),
        "type": model.stored_as,
        "learner": made.get("made_by"),
        "parameters": made.get("recipe", {}).get("parameters"),
        "date": made.get("date"),
        "rows": made.get("rounds"),
        "reading": made.get("reading"),
        "features": model.n_features,
        "classes": listed(model.classes),
        "ledger": plain(model.ledger),
        "coverage": plain(model.coverage),
        "explanation": {
            title: [list(line) for line in lines]
            for title, lines in model.explanation(top)
        },
    }


def many_document(runs: ReportedRuns, best: Receipts) -> Document:
    """Many runs over the same rows: the table, and what is certified of the best."""
    return {
        "runs": runs.rows(best.delta),
        "best_by": runs.measure.name,
        "baseline": compared(runs.best.ledger)[1],
        "delta_each": best.delta / len(runs),
        "why_not": why_not(runs.best),
        "model": best.model and judged(best.model, best.saved),
    }
