"""Panels of a crowd of classes: a row is played by those that are listed for it.

    views -> ranks -> the listed score -> the mixture of them predicts
    then y: the listed, the rest and the class of the label learn; so does the ranking

Of naive Bayes, and of all that only counts rounds, every class takes every row for one
of the rest that is not its own. Nothing else of a class changes while it is not listed.
"""

from __future__ import annotations

from typing import Any

from ...parts.generic import compiled
from ...parts.panel.class_mixture import learn_mixture, mix
from ...parts.panel.shortlist import (
    MISSED,
    SEEN,
    learn_ranks,
    list_classes,
    rank_classes,
    say_odds,
)
from ...parts.panel.state import (
    COUNT,
    CURVE_SQUARE,
    FIRST,
    LENGTHS,
    NEGATIVES,
    POSITIVES,
    ROUNDS,
    filled,
)
from .class_panels import learn_lanes, score_lanes, to_records
from .compiled import kernel
from .multiclass import tell
from .panel import lengths_of, one_row, prepare, survey


@compiled
def catch_up(numbers: Any, rounds: float, lengths: float) -> None:
    """Let a lane have seen so many rounds, of rows of such lengths together."""
    numbers[ROUNDS] = rounds
    numbers[NEGATIVES] = rounds - numbers[POSITIVES]
    numbers[LENGTHS] = lengths


@compiled
def place_of(listed: Any, count: int, label: int) -> int:
    """Where a class is on the list; its length where it is not."""
    for at in range(count):
        if listed[at] == label:
            return at
    return count


@kernel
def play_shortlist(
    view: Any,
    constants: Any,
    panels: Any,
    tile: Any,
    forest: tuple[Any, Any, Any, Any],
    hearing: tuple[Any, Any, Any, Any],
    rows: Any,
    targets: Any,
    importance: Any,
    lanes: tuple[int, int, int],
) -> int:
    """Play rows with the lanes that are listed for them; how many were played.

    Parameters
    ----------
    forest : tuple
        One that is not live: a crowd has none.
    hearing : tuple
        The mixture, an observer, a table of confusions, a trace.
    rows : rows
        With features as the lanes number them.
    lanes : (int, int, int)
        How many classes may be predicted on the first row, how many there are, and how
        many lanes: the last one may be that of the rest.
    """
    prepare(constants, tile)
    mixture, observer, confusion, trace = hearing
    facts, listed, numbers = tile.facts, panels.shortlist, panels.numbers
    candidates, classes, active = lanes
    rounds, sum_of_lengths = numbers[0, ROUNDS], numbers[0, LENGTHS]
    played = targets.size
    for i in range(targets.size):
        # One row at a time: the tile holds what its features have seen before.
        if survey(view, constants, panels, tile, rows, targets[: i + 1], i) == 0:
            played = i
            break
        label = int(targets[i])
        c = importance[i] if importance.size > 0 else 1.0
        n = int(facts[0, COUNT])
        row = one_row(tile, int(facts[0, FIRST]), filled(n))
        to_records(view, row.columns, row.places, filled(n), panels.scores.size)
        lengths = lengths_of(facts[0])

        rank_classes(panels, row, n, lengths[0], classes)
        count = list_classes(panels, candidates)
        at = place_of(listed, count, label)
        playing = count
        if active > classes:
            listed[playing] = classes  # the rest
            playing += 1
        if at == count:
            listed[playing] = label
            playing += 1
        for k in range(playing):
            catch_up(numbers[listed[k]], rounds, sum_of_lengths)
        some = listed[:playing]
        if not score_lanes(view, constants, panels, row, n, lengths, some, 0, True):
            played = i
            break
        odds, said = panels.odds[0], panels.odds[1]
        mix(constants, mixture, panels.margins, panels.scores, count, odds)
        say_odds(panels, odds, count, candidates, said)
        paid = learn_lanes(
            view,
            constants,
            panels,
            row,
            facts[0],
            forest,
            (label, c, 0.0),
            some,
            0,
            classes,
        )
        tell(observer, confusion, trace, i, targets[i], (said, candidates), paid)
        if c > 0.0:
            learn_ranks(panels, row, n, lengths[0], label, count)
        if at < count:
            learn_mixture(constants, mixture, count, at, c)
        if label < candidates:
            panels.listing[SEEN] += 1.0
            panels.listing[MISSED] += at == count
        rounds += 1.0
        sum_of_lengths += facts[0, CURVE_SQUARE]
        candidates = classes
    for lane in range(active):
        catch_up(numbers[lane], rounds, sum_of_lengths)
    return played
