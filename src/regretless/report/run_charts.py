"""The charts of a run, as data.

Each has a title that says what to look for and a sentence that says what one sees, for
those who do not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from ..evidence.claims import ALARM
from ..evidence.verdicts import BoundCurve
from ..parts.state import Floats
from .charts import DASHES, HUES, Axis, Figure, Mark, area, line, rule
from .charts.lines import bars_figure, lines_figure
from .numbers import brief, counted, percent
from .page_facts import PageFacts
from .weights import Bars

Bounded: TypeAlias = tuple[Floats, BoundCurve]  # rounds, and a bound at each
FROZEN = "losses of the classifier frozen after"  # too long for an axis
DASHED = tuple(DASHES)
FAR = 8.0  # a bound this many times what happened is drawn on a log scale


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
    figure : Figure
        Its marks.
    """

    name: str
    title: str
    seen: str
    figure: Figure


def error_chart(facts: PageFacts) -> Chart:
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
    marks = [
        line(ends, local, f"{what} in each stretch", "sky", width=1.4, steps=True),
        line(progress.rounds, progress.means, f"{what} so far", width=2.4),
    ]
    title = "How it learned" if binary else "What it paid, round by round"
    return Chart("error", title, seen, lines_figure(marks, "round", what, share=binary))


def loss_chart(facts: PageFacts) -> Chart:
    """The loss so far, beside that of the comparator."""
    progress = facts.progress
    marks = [line(progress.rounds, progress.loss, "the learner", width=2.4)]
    total = brief(float(progress.loss[-1]))
    seen = f"The loss adds up to {total}."
    if facts.courses:
        course = facts.courses[0]
        own = np.interp(course.rounds, progress.rounds, progress.loss)
        paid = own - course.regret
        marks.append(line(course.rounds, paid, "the best in hindsight", "blue", "dash"))
        seen = (
            f"The loss adds up to {total}, that of the comparator to "
            f"{brief(float(paid[-1]))}: {course.against}."
        )
    figure = lines_figure(marks, "round", "loss so far")
    return Chart("loss", "Loss over time", seen, figure)


def certificate_chart(facts: PageFacts) -> Chart:
    """The certificate narrowing, with Hoeffding's line beside it."""
    progress = facts.progress
    assert progress.certified is not None
    assert progress.hoeffding is not None
    begin = _from(progress.certified)
    x = progress.rounds[begin:]
    certified, plain = progress.certified[begin:], progress.hoeffding[begin:]
    error = progress.means[begin:]
    marks = [
        area(x, error, certified, "", "sky"),
        line(x, certified, "certified, at any time", "blue", width=2.6),
        line(x, plain, "Hoeffding, one time fixed in advance", "vermillion", "dash"),
        line(x, error, "measured", width=2.0),
    ]
    gap, other = certified[-1] - error[-1], plain[-1] - error[-1]
    closer = "closer to" if gap < other else "farther from"
    seen = (
        f"The certificate falls from {percent(float(certified[0]))} after "
        f"{counted(int(x[0]), 'round')} to {percent(float(certified[-1]))} at the end, "
        f"{closer} the measured {percent(float(error[-1]))} than Hoeffding's "
        f"{percent(float(plain[-1]))}, which may be read once only."
    )
    top = min(1.0, 1.04 * float(max(certified.max(), plain.max())))
    span = (max(0.0, float(error.min()) - 0.1 * top), top)
    rounds = Axis("round, log scale", "log", form="~s")
    figure = lines_figure(marks, rounds, "error", share=True, span=span)
    return Chart("certificate", "The certificate narrows", seen, figure)


def bound_charts(facts: PageFacts) -> list[Chart]:
    """Mistakes beside every bound on them; then what else theorems are about."""
    groups: dict[str, list[Bounded]] = {}
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


def _mistakes(facts: PageFacts, group: list[Bounded]) -> Chart:
    progress = facts.progress
    assert progress.mistakes is not None
    own = line(progress.rounds, progress.mistakes, "mistakes", width=2.8)
    chart = _with_bounds(own, group, "mistakes so far")
    title = "Mistakes and what was promised" if group else "Mistakes over time"
    return Chart("mistakes", title, *chart)


def _beside(facts: PageFacts, what: str, group: list[Bounded]) -> Chart:
    rounds, first = group[0]
    own = line(rounds, first.happened, "what happened", width=2.8)
    chart = _with_bounds(own, group, f"{what} so far")
    name = f"bound-{group[0][1].name.replace('/', '-')}"
    return Chart(name, f"{what.capitalize()} and what was promised", *chart)


def regret_charts(facts: PageFacts) -> list[Chart]:
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
        own = line(course.rounds, course.regret, "regret", width=2.8)
        seen, figure = _with_bounds(own, group, "regret so far")
        seen += f" The comparator: {course.against}."
        title = "Regret and what was promised" if group else "Regret over time"
        made.append(Chart(f"regret-{k}", title, seen, figure))
    return made


def _with_bounds(own: Mark, group: list[Bounded], title: str) -> tuple[str, Figure]:
    """What happened, every bound beside it, and what one sees."""
    marks = [own]
    last = _numbers(own, "y")[-1]
    said: list[str] = []
    highest = 0.0
    for k, (rounds, bound) in enumerate(group):
        value = float(bound.bound[-1])
        silent = bool(np.isnan(bound.bound[:-1]).any())
        y = np.full(bound.bound.size, value) if silent else bound.bound
        name = bound.name + " (at the end)" * silent
        marks.append(line(rounds, y, name, HUES[k % 6], DASHED[(k + 1) % 4]))
        said.append(f"{brief(value)} ({bound.name})")
        highest = max(highest, float(np.nanmax(y)))
    far = last > 0.0 and highest > FAR * last
    if far:
        marks = [_positive(mark) for mark in marks]
    scale = ", log scale" if far else ""
    figure = lines_figure(marks, "round", f"{title}{scale}", log=far)
    rounds = _numbers(own, "x")[-1]
    seen = f"{own.name.capitalize()} after {rounds:,.0f} rounds: {brief(last)}."
    if len(said) == 1:
        seen += f" The bound is {said[0]}."
    elif said:
        seen += f" The bounds are {', '.join(said[:-1])} and {said[-1]}."
    return seen, figure


def _numbers(mark: Mark, name: str) -> list[float]:
    """Those of a line, gaps as nan."""
    found = mark.data[name]
    return [float(one) if isinstance(one, int | float) else np.nan for one in found]


def _positive(mark: Mark) -> Mark:
    """A line without what a logarithm cannot show."""
    y = [one if one > 0.0 else None for one in _numbers(mark, "y")]
    return replace(mark, data={**mark.data, "y": y})


def tests_chart(facts: PageFacts) -> Chart:
    """The evidence of every test of exchangeability, beside the alarm."""
    tests = facts.tests
    loudest = max(tests, key=lambda test: test.evidence)
    names = [test.of.replace(FROZEN, "losses after") for test in tests]
    values = [max(test.evidence, 1e-3) for test in tests]
    alarmed = [test.evidence >= ALARM for test in tests]
    unit = Axis(
        "evidence against exchangeability, log scale",
        "log",
        (1e-3, max(100.0, 3.0 * max(values))),
        form="~g",
        grid=True,
    )
    colors = ["vermillion" if one else "blue" for one in alarmed]
    alarm = rule(x=ALARM, name="alarm", dash="dash")
    figure = bars_figure(names, values, colors, unit, "test of", alarm)
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
    return Chart("exchangeability", "Are the rows alike?", seen, figure)


def bars_chart(bars: Bars, name: str) -> Chart:
    """Numbers by name."""
    colors = ["blue" if value > 0.0 else "vermillion" for value in bars.values]
    unit = Axis(bars.unit, zero=True, form=",.4~g", grid=True)
    figure = bars_figure(bars.names, bars.values, colors, unit, bars.kind)
    seen = "None is nonzero."
    if bars.names:
        told = [
            f"{each} ({brief(value)})"
            for each, value in zip(bars.names[:3], bars.values[:3], strict=True)
        ]
        seen = f"First: {', '.join(told)}. {bars.note}"
    return Chart(name, bars.title, seen.strip(), figure)


def _what(facts: PageFacts, name: str) -> str:
    """What a theorem bounds, in words."""
    assert facts.theorems is not None
    return facts.theorems[name].theorem.what


def _from(certified: Floats) -> int:
    """The first checkpoint at which the certificate says something."""
    informative = np.flatnonzero(certified < 0.999)
    return int(informative[0]) if informative.size > 1 else 0
