"""The charts of a page, as plain plotly figures: data and layout, colors by role.

Each has a title that says what to look for and a sentence that says what one sees, for
those who do not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..evidence.claims import ALARM
from .facts import Facts
from .figures import bars_figure, escaped, filled, line, lines_figure
from .numbers import brief, counted, percent
from .palette import BOUNDS, DASHES
from .weights import Bars

__all__ = [
    "Chart",
    "Key",
    "bars_chart",
    "bound_charts",
    "certificate_chart",
    "error_chart",
    "loss_chart",
    "regret_charts",
    "tests_chart",
]

FROZEN = "losses of the classifier frozen after"  # too long for an axis
FAR = 8.0  # a bound this many times what happened is drawn on a log scale


@dataclass(frozen=True)
class Key:
    """One entry of a legend."""

    label: str
    color: str
    dash: str = "solid"


@dataclass(frozen=True)
class Chart:
    """A figure, and what is said about it.

    Attributes
    ----------
    name : str
        Unique on the page.
    title : str
        What it is.
    seen : str
        What one sees, in a sentence.
    figure : dict
        Plotly's data and layout.
    keys : tuple of Key
        The legend.
    """

    name: str
    title: str
    seen: str
    figure: dict[str, Any]
    keys: tuple[Key, ...] = ()


def error_chart(facts: Facts) -> Chart:
    """The mean error (or loss) so far, and in every stretch of the run."""
    progress = facts.progress
    ends, local = progress.stretches()
    binary = progress.mistakes is not None and facts.kind == "rows"
    what = "error" if binary else "mean loss"
    shown = percent if binary else brief
    first, last = shown(float(local[0])), shown(float(local[-1]))
    worst = int(np.argmax(local))
    seen = (
        f"The {what} in the first {counted(int(ends[0]), 'round')} was {first}, in the "
        f"last stretch {last}, and over the whole run "
        f"{shown(float(progress.means[-1]))}."
    )
    if 0 < worst < local.size - 1:
        seen += (
            f" It was highest, {shown(float(local[worst]))}, shortly before round "
            f"{brief(float(ends[worst]))}."
        )
    lines = [
        line(ends, local, f"{what} in each stretch", "@sky", shape="vh", width=1.4),
        line(progress.rounds, progress.means, f"{what} so far", "@ink", width=2.4),
    ]
    return Chart(
        "error",
        "How it learned" if binary else "What it paid, round by round",
        seen,
        lines_figure(lines, "round", what, share=binary),
        (Key(f"{what} so far", "ink"), Key(f"{what} in each stretch", "sky")),
    )


def loss_chart(facts: Facts) -> Chart:
    """The loss so far, beside that of the comparator."""
    progress = facts.progress
    lines = [line(progress.rounds, progress.loss, "the learner", "@ink", width=2.4)]
    keys = [Key("the learner", "ink")]
    total = brief(float(progress.loss[-1]))
    seen = f"The loss adds up to {total}."
    if facts.courses:
        course = facts.courses[0]
        own = np.interp(course.rounds, progress.rounds, progress.loss)
        paid = own - course.regret
        lines.append(line(course.rounds, paid, "the comparator", "@blue", "dash"))
        keys.append(Key("the best in hindsight", "blue", "dash"))
        seen = (
            f"The loss adds up to {total}, that of the comparator to "
            f"{brief(float(paid[-1]))}: {course.against}."
        )
    return Chart(
        "loss",
        "Loss over time",
        seen,
        lines_figure(lines, "round", "loss so far"),
        tuple(keys),
    )


def certificate_chart(facts: Facts) -> Chart:
    """The certificate narrowing, with Hoeffding's line beside it."""
    progress = facts.progress
    assert progress.certified is not None
    assert progress.hoeffding is not None
    begin = _from(progress.certified)
    x = progress.rounds[begin:]
    certified, plain = progress.certified[begin:], progress.hoeffding[begin:]
    error = progress.means[begin:]
    lines = [
        line(x, error, "measured", "@ink", width=2.0),
        {**line(x, certified, "certified", "@blue", width=2.6), **filled()},
        line(x, plain, "Hoeffding", "@vermillion", "dash"),
    ]
    gap, other = certified[-1] - error[-1], plain[-1] - error[-1]
    closer = "closer to" if gap < other else "farther from"
    seen = (
        f"The certificate falls from {percent(float(certified[0]))} after "
        f"{counted(int(x[0]), 'round')} to {percent(float(certified[-1]))} at the end, "
        f"{closer} the measured {percent(float(error[-1]))} than Hoeffding's "
        f"{percent(float(plain[-1]))}, which may be read once only."
    )
    figure = lines_figure(lines, "round, log scale", "error", share=True)
    figure["layout"]["xaxis"] |= {"type": "log", "dtick": "D2", "minor": {}}
    top = min(1.0, 1.04 * float(max(certified.max(), plain.max())))
    low = max(0.0, float(error.min()) - 0.1 * top)
    figure["layout"]["yaxis"]["range"] = [low, top]
    keys = (
        Key("certified, at any time", "blue"),
        Key("Hoeffding, one time fixed in advance", "vermillion", "dash"),
        Key("measured", "ink"),
    )
    return Chart("certificate", "The certificate narrows", seen, figure, keys)


def bound_charts(facts: Facts) -> list[Chart]:
    """Mistakes beside every bound on them; then what else theorems are about."""
    groups: dict[str, list[Any]] = {}
    for course in facts.courses:
        for bound in course.bounds:
            what = _what(facts, bound.name)
            if what != "regret":
                groups.setdefault(what, []).append((course.rounds, bound))
    if "mistakes" not in groups and facts.progress.mistakes is not None:
        groups = {"mistakes": [], **groups}
    return [
        _mistakes(facts, group) if what == "mistakes" else _beside(facts, what, group)
        for what, group in groups.items()
    ]


def _mistakes(facts: Facts, group: list[Any]) -> Chart:
    progress = facts.progress
    assert progress.mistakes is not None
    own = line(progress.rounds, progress.mistakes, "mistakes", "@ink", width=2.8)
    chart = _with_bounds(facts, own, group, "mistakes so far", "mistakes")
    title = "Mistakes and what was promised" if group else "Mistakes over time"
    return Chart("mistakes", title, *chart)


def _beside(facts: Facts, what: str, group: list[Any]) -> Chart:
    rounds, first = group[0]
    own = line(rounds, first.happened, "happened", "@ink", width=2.8)
    chart = _with_bounds(facts, own, group, f"{what} so far", "what happened")
    name = f"bound-{group[0][1].name.replace('/', '-')}"
    return Chart(name, f"{what.capitalize()} and what was promised", *chart)


def regret_charts(facts: Facts) -> list[Chart]:
    """The regret against each comparator that a theorem about regret speaks of."""
    speaking = [
        course
        for course in facts.courses
        if any(_what(facts, bound.name) == "regret" for bound in course.bounds)
    ]
    made: list[Chart] = []
    for k, course in enumerate(speaking or facts.courses[:1]):
        group = [
            (course.rounds, bound)
            for bound in course.bounds
            if _what(facts, bound.name) == "regret"
        ]
        own = line(course.rounds, course.regret, "regret", "@ink", width=2.8)
        seen, figure, keys = _with_bounds(facts, own, group, "regret so far", "regret")
        seen += f" The comparator: {course.against}."
        title = "Regret and what was promised" if group else "Regret over time"
        made.append(Chart(f"regret-{k}", title, seen, figure, keys))
    return made


def _with_bounds(
    facts: Facts, own: dict[str, Any], group: list[Any], title: str, what: str
) -> tuple[str, dict[str, Any], tuple[Key, ...]]:
    """What happened, every bound beside it, and what one sees."""
    lines, keys = [own], [Key(what, "ink")]
    last = float(own["y"][-1])
    said: list[str] = []
    highest = 0.0
    for k, (rounds, bound) in enumerate(group):
        color, dash = BOUNDS[k % len(BOUNDS)], DASHES[(k + 1) % len(DASHES)]
        value = float(bound.bound[-1])
        silent = np.isnan(bound.bound[:-1]).any()
        y = np.full(bound.bound.size, value) if silent else bound.bound
        lines.append(line(rounds, y, bound.name, f"@{color}", dash))
        keys.append(Key(bound.name + " (at the end)" * bool(silent), color, dash))
        said.append(f"{brief(value)} ({bound.name})")
        highest = max(highest, float(np.nanmax(y)))
    figure = lines_figure(lines, "round", title)
    if last > 0.0 and highest > FAR * last:
        figure["layout"]["yaxis"] |= {
            "type": "log",
            "title": {"text": f"{title}, log scale"},
        }
        for each in lines:
            each["y"] = [one if one is None or one > 0.0 else None for one in each["y"]]
    rounds = counted(int(own["x"][-1]), "round")
    seen = f"{what.capitalize()} after {rounds}: {brief(last)}."
    if len(said) == 1:
        seen += f" The bound is {said[0]}."
    elif said:
        seen += f" The bounds are {', '.join(said[:-1])} and {said[-1]}."
    return seen, figure, tuple(keys)


def tests_chart(facts: Facts) -> Chart:
    """The evidence of every test of exchangeability, beside the alarm."""
    tests = facts.tests
    loudest = max(tests, key=lambda test: test.evidence)
    names = [escaped(test.of.replace(FROZEN, "losses after")) for test in tests]
    values = [max(test.evidence, 1e-3) for test in tests]
    alarmed = [test.evidence >= ALARM for test in tests]
    colors = ["@vermillion" if one else "@blue" for one in alarmed]
    figure = bars_figure(names, values, colors)
    layout = figure["layout"]
    layout["yaxis"] |= {"title": {"text": "test of"}}
    top = max(100.0, 3.0 * max(values))
    layout["xaxis"] |= {
        "type": "log",
        "title": {"text": "evidence against exchangeability, log scale"},
        "range": [-3.0, float(np.log10(top))],
        "dtick": max(1, round(float(np.log10(top) + 3.0) / 6.0)),
        "exponentformat": "power",
        "tickformat": "",
    }
    layout["shapes"] = [
        {
            "type": "line",
            "x0": ALARM,
            "x1": ALARM,
            "y0": 0,
            "y1": 1,
            "yref": "paper",
            "line": {"color": "@ink", "width": 1.5, "dash": "dash"},
        }
    ]
    verdict = (
        f"The alarm, at {ALARM:g}, is passed"
        if any(alarmed)
        else f"None reaches the alarm, at {ALARM:g}"
    )
    seen = (
        f"{verdict}: the largest evidence is {loudest.evidence:.3g}, in the "
        f"{loudest.of}. On exchangeable rows all of them together pass it with "
        "probability 5% at most, however long one looks."
    )
    keys = (Key("alarm", "ink", "dash"),)
    return Chart("exchangeability", "Are the rows alike?", seen, figure, keys)


def bars_chart(bars: Bars, name: str) -> Chart:
    """Numbers by name."""
    colors = ["@blue" if value > 0.0 else "@vermillion" for value in bars.values]
    figure = bars_figure([escaped(each) for each in bars.names], bars.values, colors)
    figure["layout"]["xaxis"] |= {"title": {"text": bars.unit}}
    figure["layout"]["yaxis"] |= {"title": {"text": bars.kind}}
    seen = "None is nonzero."
    if bars.names:
        told = [
            f"{each} ({brief(value)})"
            for each, value in zip(bars.names[:3], bars.values[:3], strict=True)
        ]
        seen = f"First: {', '.join(told)}. {bars.note}"
    return Chart(name, bars.title, seen.strip(), figure)


def _what(facts: Facts, name: str) -> str:
    """What a theorem bounds, in words."""
    assert facts.theorems is not None
    return facts.theorems[name].theorem.what


def _from(certified: Any) -> int:
    """The first checkpoint at which the certificate says something."""
    informative = np.flatnonzero(certified < 0.999)
    return int(informative[0]) if informative.size > 1 else 0
