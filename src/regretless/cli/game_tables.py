"""Games on the screen: the list, a bout with its chart, the table of an experiment."""

from __future__ import annotations

import inspect
from typing import Any

from ..evidence.theorems.showing import screen_table
from ..lab.experiments import EXPERIMENTS, Results
from ..lab.games import GAMES, LINEUP, Bout, Bouts, Game, name_of, parameters_of, sketch
from ..parts.documents import Document
from .console import show
from .layout import Drawing, TextTable, Words, facts_table, section, table_of, words

COLORS = (("[▁▂▃▄▅▆▇█]+", "blue"), ("•+", "orange"))


def show_found(found: Any) -> None:
    """Whatever was played."""
    if isinstance(found, Bout):
        _show_bout(found)
    elif isinstance(found, Bouts):
        _show_bouts(found)
    elif isinstance(found, Results):
        show(section(found.title, table_of(found.table(brief=True))))


def _show_bout(bout: Bout) -> None:
    show(
        section(bout.title, words(_summary(type(bout.game))), facts_table(_facts(bout)))
    )
    if not bout.theorems.applying:
        reasons = [one.reason for one in bout.theorems]
        show(section("no theorem applies", *(words(one) for one in reasons)))
        return
    show(section("theorems", screen_table(bout.theorems.applying)))
    curve = bout.curve
    if curve is not None:
        chart = Drawing(sketch(curve), COLORS)
        show(section(f"{curve.name}: {curve.statement}", chart))


def _show_bouts(bouts: Bouts) -> None:
    lines: list[tuple[str, ...]] = [("seed", "mistakes", "happened", "bound", "share")]
    for bout in bouts:
        head = bout.headline
        mistakes = "" if bout.run.mistakes is None else f"{bout.run.mistakes:,}"
        judged = ("", "", "")
        if head is not None:
            judged = (
                f"{head.happened:,.6g}",
                f"{head.value:,.6g}",
                f"{head.ratio:.3f}",
            )
        lines.append((str(bout.seed), mistakes, *judged))
    title, *rest = str(bouts).splitlines()
    show(section(title, table_of(lines), Words("\n".join(rest))))


def _facts(bout: Bout) -> list[tuple[str, str]]:
    run, head = bout.run, bout.headline
    facts = [("rounds", f"{run.rounds:,}")]
    if run.mistakes is not None:
        facts.append(("mistakes", f"{run.mistakes:,}"))
    facts.append(("loss", f"{run.loss:,.6g}"))
    if head is not None:
        share = f"{head.ratio:.1%} of {head.theorem.name}"
        facts.append(("reached", share))
    return facts


def _summary(kind: type) -> str:
    """The first line of a docstring."""
    return (inspect.getdoc(kind) or "").split("\n", 1)[0]


def show_games() -> None:
    """Who can play, and all games there are."""
    players = [
        (name_of(kind), name_of(pairing.worst), name_of(pairing.friendly))
        for kind, pairing in LINEUP.items()
    ]
    head = ("learner", "hardest game", "friendly game")
    show(section("learners", TextTable(head, players)))
    for of in dict.fromkeys(kind.kind for kind in GAMES.values()):
        games = [
            (name, f"{_summary(kind)}\n{_parameters(kind)}")
            for name, kind in GAMES.items()
            if kind.kind == of
        ]
        show(section(f"games of {of}", TextTable((), games, whole={0})))
    show(
        words("Play one: regretless game LEARNER [--adversary GAME] [--experts N] ..."),
        words(f"Or many: regretless game --experiment {'|'.join(EXPERIMENTS)}"),
    )


def _parameters(kind: type[Game]) -> str:
    return " ".join(f"{key}={value}" for key, value in parameters_of(kind).items())


def games_as_dict() -> Document:
    """The same for machines."""
    return {
        "learners": {
            name_of(kind): {
                "worst": name_of(pairing.worst),
                "friendly": name_of(pairing.friendly),
            }
            for kind, pairing in LINEUP.items()
        },
        "games": {
            name: {
                "kind": kind.kind,
                "adaptive": kind.adaptive,
                "parameters": parameters_of(kind),
                "summary": _summary(kind),
            }
            for name, kind in GAMES.items()
        },
        "experiments": list(EXPERIMENTS),
    }
