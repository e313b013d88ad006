"""Whatever has words for people has them in a notebook too, and nothing is markup."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import numpy as np
import pytest

import regretless
import regretless as rg
from regretless.algorithms.learners import EventLearner

ELSEWHERE = (
    "regretless.cli",
    "regretless.__main__",
    "regretless.integrations.ray.shards",  # only in messages
    "regretless.report.bibliography",  # only in pages
    "regretless.parts.text_tables",  # on screens
)


def shown() -> list[type]:
    """Every class of the package that says how it is printed."""
    found = set()
    for module in pkgutil.walk_packages(regretless.__path__, "regretless."):
        if module.name.startswith(ELSEWHERE):
            continue
        for kind in vars(importlib.import_module(module.name)).values():
            if not inspect.isclass(kind) or kind.__module__ != module.name:
                continue
            own = [vars(kind).get(name) for name in ("__str__", "lines")]
            says = any(inspect.isfunction(each) for each in own)
            shape = getattr(kind, "_is_protocol", False)
            if says and not shape and not issubclass(kind, BaseException):
                found.add(kind)
    return sorted(found, key=lambda kind: kind.__qualname__)


@pytest.mark.parametrize("kind", shown(), ids=lambda kind: kind.__name__)
def test_what_is_printed_is_shown(kind):
    assert hasattr(kind, "_repr_html_")


def run():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    events = [({"<b>": a, "&": b}, a > b) for a, b in X.tolist()]
    return rg.play(rg.Perceptron(), events, keep=True), events


def test_results_are_escaped():
    played, _ = run()
    model = played.model("last")
    theorems = played.theorems()
    for result in (
        played,
        played.ledger,
        played.certificate(),
        played.certificate().watch(),
        played.hindsight(),
        played.regret(),
        theorems,
        theorems.verdicts[0],
        model,
        model.provenance,
    ):
        page = result._repr_html_()
        assert page.startswith(("<table", "<pre>", "<div>"))
        assert "<b>" not in page
    assert "&lt;=" in played.certificate().watch()._repr_html_()
    assert "300" in played.ledger._repr_html_()


def test_a_learner_of_events_shows_its_ledger():
    _, events = run()
    learner = rg.Perceptron(bias=True)
    assert learner._repr_html_() == "<pre>Perceptron(bias=True)</pre>"
    for x, y in events[:7]:
        learner.learn_one(x, y)
    page = learner._repr_html_()
    assert page.startswith('<table class="facts"><caption>Perceptron(bias=True)<')
    assert "style='text-align:left'>rounds</th>" in page
    hedge = rg.Hedge()
    assert hedge._repr_html_().startswith("<pre>Hedge(")
    hedge.learn_one([0.0, 1.0])
    assert "rounds" in hedge._repr_html_()
    assert issubclass(rg.Panel, EventLearner)
