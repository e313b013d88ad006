"""What ``train`` prints: what was learned, how good it is, what to type next.

At most LINES lines, each useful without knowing any theory; the first warning is
shown in any case. ``--verbose`` prints the ledger, the theorems and the certificates in
full (:mod:`.receipts`).
"""

from __future__ import annotations

from collections.abc import Sequence

from ..evidence.summary import summary_of
from .cautions import cautions_of
from .conclusion import Conclusion, data_words, later_lines
from .console import show
from .layout import Drawing, Shown, TextTable, Words, first_sentence, words
from .progress import clock_fine

LINES = 15
WIDTH = 88  # what lines are counted at
AT = ("precision", "recall")  # which a threshold tells of as well


def print_first_screen(conclusion: Conclusion) -> None:
    """The summary of a training."""
    top = [*head_lines(conclusion), *_certificates(conclusion)]
    end = end_lines(conclusion)
    if _height([*top, *end]) > LINES and conclusion.at_threshold:
        top = [*head_lines(conclusion, without=AT), *_certificates(conclusion)]
    for line in _sets(conclusion):
        if _height([*top, line, *end]) <= LINES:
            top.append(line)
    warnings = warning_lines(conclusion)
    left = LINES - _height(top) - _height(end)
    kept = _fitting(warnings, left)
    if len(kept) < len(warnings):
        kept = _fitting(warnings, left - 1) or warnings[:1]
        more = len(warnings) - len(kept)
        if more:
            kept.append(f"{more} more warning{'s' * (more > 1)}: --verbose")
    show(*top, *(Words(line, style="bold yellow") for line in kept), *end)


def warning_lines(conclusion: Conclusion) -> list[str]:
    """What the user should know, a line each."""
    return [f"warning: {line}" for line in cautions_of(conclusion)]


def head_lines(conclusion: Conclusion, without: Sequence[str] = ()) -> list[Shown]:
    """Who learned what, and how good it was; some measures may be left out."""
    found = summary_of(conclusion.run, data_words(conclusion.request.data))
    learned = f"{found.title} in {clock_fine(conclusion.seconds)}"
    if conclusion.run.sealed is not None:
        units = "groups" if conclusion.run.sealed.grouped else "rows"
        learned += f"; {conclusion.request.seal} of the {units} are sealed"
        learned += f" (seed {conclusion.request.seal_seed})"
    if conclusion.run.warm:
        learned += f", from the weights of {conclusion.request.initial_model} on"
    parts: list[Shown] = [words(learned)]
    if found.labels:
        again = ""
        if (replay := conclusion.run.seen and conclusion.run.seen.replay) is not None:
            again = (
                f"; the rows from about {replay.since:,} on were learned before: no "
                "certificate"
            )
        parts.append(words(f"{found.labels}; each predicted, then learned{again}"))
    if "; " in conclusion.choice.why:  # it might be another task
        parts.append(words(_reason(conclusion.choice.why)))
    rows = [(f"  {one.name}", *one[1:]) for one in found.compared]
    rows = [row for row in rows if row[0].strip() not in without]
    parts.append(TextTable((), rows, right={1}, whole={0, 1}, dim={2}))
    return parts


def _certificates(conclusion: Conclusion) -> list[Shown]:
    """What holds on fresh data, in a sentence; of sets it does whatever came."""
    coverage = conclusion.run.coverage
    more = [conclusion.at_threshold, "" if coverage is None else coverage.brief]
    return [
        *([Words(conclusion.promise, "bold green")] if conclusion.promise else []),
        *(words(line) for line in more if line),
    ]


def _sets(conclusion: Conclusion) -> list[Shown]:
    """What is certified about the sets of the saved model, if there is room for it."""
    if conclusion.run.coverage is None or conclusion.set_certificate is None:
        return []
    return [words(first_sentence(str(conclusion.set_certificate)))]


def end_lines(conclusion: Conclusion) -> list[Shown]:
    """What was saved, and what to type next."""
    request = conclusion.request
    lines: list[str] = []
    if conclusion.unlabeled:
        lines.append(f"{conclusion.unlabeled:,} rows without a label, predicted only")
    last = later_lines(conclusion.run)[-1:]  # --verbose has the others
    lines += [f"{number}: {paid}" for number, paid in last]
    if conclusion.skipped:
        bad = f"{conclusion.skipped:,} bad rows were skipped; the first: "
        lines.append(f"{bad}{conclusion.problems[0] if conclusion.problems else ''}")
    if conclusion.interrupted:
        return [words(line) for line in lines]
    if request.report is not None:
        lines.append(f"all receipts are on one page: {request.report}")
    if request.output is None:
        lines.append("no model was saved: -o FILE saves one with its certificate")
        return [words(line) for line in lines]
    lines.append(f"saved to {request.output}")
    parts: list[Shown] = [words(line) for line in lines]
    new = "NEW_ROWS" if "-" in request.data else _new_name(request.data[0])
    parts.append(Drawing([f"next: regretless predict {request.output} {new}"]))
    return parts


def _reason(labels: str) -> str:
    """Why labels were taken for what they are, and what to say if they are not."""
    why, _, otherwise = labels.partition("; ")
    return f"{why.partition(', ')[0].rstrip(')')}); {otherwise}"


def _new_name(data: str) -> str:
    """A name for new rows of the same format: ``new.csv.gz``."""
    from pathlib import PurePath

    suffixes = [s for s in PurePath(data).suffixes[-2:] if s[1:].isalnum()]
    return f"new{''.join(suffixes)}"


def _height(parts: list[Shown]) -> int:
    return sum(len(part.lines(WIDTH, color=False)) for part in parts)


def _fitting(lines: list[str], room: int) -> list[str]:
    """As many of the first lines as there is room for."""
    kept: list[str] = []
    for line in lines:
        room -= _height([words(line)])
        if room < 0:
            break
        kept.append(line)
    return kept
