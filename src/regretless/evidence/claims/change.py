"""What the tests of exchangeability found, in words, to be read beside a certificate.

The tests are in a fixed order. The labels may raise a half of the false alarms, |x| a
sixth, and the later losses of the j-th frozen hypothesis a share 1/(3j(j+1)). So
together they raise at most alpha, however many there are and whenever one looks.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ...parts.documents import Document
from ...parts.notebook_html import as_text
from ...parts.state import Floats
from ..played_run import PlayedRun
from ..snapshots import Recorder

ALARM = 20.0  # evidence of 1/alpha at alpha = 5%
SHARES = (1 / 2, 1 / 6)
AGAIN = 3  # turns of the ranks from which on a change comes and goes
POWER, FEWEST = 16.0, 40.0
"""A rate q that changes halfway through n rows by POWER sqrt(q(1-q)/n) + FEWEST/n is
noticed nine times in ten: simulated (``python -m benchmarks.guard --change``)."""


class Tested(NamedTuple):
    """One test of exchangeability: of what, what it found, and when it found it."""

    of: str
    evidence: float  # its share of it
    round: int
    since: int = 0  # from about which round on rows are others
    turns: int = 0  # how often they turned back


class Change(NamedTuple):
    """Rows that are not exchangeable, and how the learner did on the last of them.

    Attributes
    ----------
    test : Tested
        What has raised the alarm.
    rows : int
        How long the last stretch is: about a tenth of the rows.
    error : float or None
        The portion of mistakes there, each row predicted before it was learned; None
        where nothing can be mistaken.
    loss : float
        The mean loss there.
    by_label : bool
        Whether rows come sorted by label.
    date : str
        A column of dates, where there is one.
    """

    test: Tested
    rows: int
    error: float | None
    loss: float
    by_label: bool = False
    date: str = ""

    def __str__(self) -> str:
        """Why there is no bound, and what there is instead."""
        return (
            f"No bound about the future: {self._what} (seen in the {self.test.of} by "
            f"round {self.test.round:,}; evidence {self.test.evidence:,.3g}, alarm at "
            f"{ALARM:g}). {self.latest}{self._advice}"
        )

    _repr_html_ = as_text

    @property
    def recurs(self) -> bool:
        """Whether the change comes and goes, as that of day and night does."""
        return self.test.turns >= AGAIN

    @property
    def brief(self) -> str:
        """The same in one line."""
        return (
            f"no bound about the future: {self._what}; {self.recent} on the last "
            f"{self.rows:,} rows{';' * bool(self._advice)}"
            f"{self._advice[:2].lower()}{self._advice[2:].removesuffix('.')}"
        )

    @property
    def latest(self) -> str:
        """The last rows in a sentence."""
        return (
            f"On the last {self.rows:,} rows, each predicted before it was learned: "
            f"{self.recent}."
        )

    @property
    def recent(self) -> str:
        """How it did on the last rows."""
        if self.error is None:
            return f"mean loss {self.loss:.6g}"
        return f"error {self.error:.2%}"

    @property
    def _what(self) -> str:
        if self.by_label:
            return "the rows come sorted by label"
        if self.recurs:
            return "the rows change again and again"
        return "the rows seem to have changed on the way"

    @property
    def _advice(self) -> str:
        if self.by_label:
            return " Shuffle them, and learn again."
        if not self.recurs or not self.date:
            return ""
        return (
            " For a bound whose units are whole days, seal by day: --seal 10% --group "
            f"{self.date}:day."
        )

    def as_dict(self) -> Document:
        """Plain data for JSON."""
        return {
            **self.test._asdict(),
            "recurs": self.recurs,
            "rows": self.rows,
            "error": self.error,
            "loss": self.loss,
        }


def change_tests(run: PlayedRun, recorder: Recorder | None = None) -> list[Tested]:
    """All tests of the rows of a run: labels, |x|, and losses of frozen hypotheses."""
    recorder = recorder or run.recorder
    record = run.record
    if record is None or record.rows <= record.drawn:
        return []
    shards = max(1, len(record.shards))
    found = [
        Tested(name, share * test.evidence / shards, test.round, test.since, test.turns)
        for share, (name, test) in zip(SHARES, record.tests.items(), strict=True)
    ]
    if shards > 1:
        found[0] = found[0]._replace(evidence=found[0].evidence / 2.0)
        apart = SHARES[0] * record.between_shards() / 2.0
        found.append(Tested("labels of the shards", apart, run.rounds))
    if recorder is not None:
        for test in recorder.snapshots.tests():
            name = f"losses of the classifier frozen after round {test.position:,}"
            share = 1.0 / (3.0 * test.number * (test.number + 1))
            when = (test.position + test.round, test.position + test.since)
            found.append(Tested(name, share * test.evidence, *when, test.turns))
    return found


def change_of(run: PlayedRun, recorder: Recorder | None = None) -> Change | None:
    """That the rows have changed on the way, where a test has raised the alarm."""
    found = change_tests(run, recorder)
    loudest = max(found, key=lambda test: test.evidence, default=None)
    if loudest is None or loudest.evidence < ALARM:
        return None
    rows, mistakes, loss = last_tenth(run)
    error = None if mistakes is None else mistakes / max(rows, 1)
    columns = run.reading.get("columns") or ()
    return Change(
        loudest,
        rows,
        error,
        loss / max(rows, 1),
        run.record is not None and run.record.by_label,
        next((str(name) for name, kind in columns if kind == "date"), ""),
    )


def last_tenth(run: PlayedRun) -> tuple[int, int | None, float]:
    """Rows, mistakes and loss of about the last tenth of a run."""
    curve: Floats = run.ledger.curve
    before = curve[10 * curve[:, 0] <= 9 * run.rounds]
    rounds, mistakes, loss = before[-1].tolist() if len(before) else (0.0, 0.0, 0.0)
    wrong = None if run.mistakes is None else run.mistakes - int(mistakes)
    return run.rounds - int(rounds), wrong, run.loss - loss


def evidence_of(run: PlayedRun, recorder: Recorder | None = None) -> str:
    """The evidence that tests have found, in a sentence; "" where none were made."""
    found = change_tests(run, recorder)
    if not found:
        return ""
    overall = max(test.evidence for test in found)
    what = "labels, |x| and losses" if len(found) > 2 else "labels and |x|"
    return f"No change detected in {what} (evidence {overall:.2g}, alarm at {ALARM:g})."


def noticed(rounds: int, rate: float) -> float:
    """The change of a rate, halfway through so many rows, that is noticed."""
    n = max(rounds, 1)
    return POWER * math.sqrt(rate * (1.0 - rate) / n) + FEWEST / n


def power_of(rounds: int, rate: float | None = None) -> str:
    """What the test of the labels could have noticed on so many rows, in a sentence.

    Parameters
    ----------
    rounds : int
        How many rows there are.
    rate : float or None
        The share of a label; None where labels are no two classes.

    Examples
    --------
    >>> from regretless.evidence.claims.change import power_of
    >>> print(power_of(100_000, 0.025)[:60])
    On 100,000 rows the test notices nine times in ten when the
    """
    q = 0.5 if rate is None else min(max(rate, 0.0), 1.0)
    step = noticed(rounds, q)
    if rounds < 100 or step > 0.8 or (step >= 1.0 - q + 1e-9 and step >= q):
        return f"On {rounds:,} rows the test notices hardly any change."
    what = "the share of a label" if rate is None else f"a share of {q:.3g}"
    if rate is not None:
        what = f"the share of a label, {100 * q:.3g}% here,"
    return (
        f"On {rounds:,} rows the test notices nine times in ten when {what} changes "
        f"halfway by {100 * step:.2g} points ({step / max(q, 1e-9):.0%} of it). A "
        "smaller or slower change may pass unnoticed."
    )
