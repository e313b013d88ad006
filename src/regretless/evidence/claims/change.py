"""What the tests of exchangeability found, in words, to be read beside a certificate.

The tests are in a fixed order: the labels, |x|, then the later losses of every frozen
hypothesis as it was taken. The j-th may raise a share 1/(j(j+1)) of the false alarms,
so together they raise at most alpha, however many there are and whenever one looks.
"""

from __future__ import annotations

from typing import NamedTuple

from ...engine.storage import Stored
from ...parts.notebook_html import as_text
from ...parts.state import Floats
from ..played_run import PlayedRun
from ..snapshots import Recorder

__all__ = [
    "ALARM",
    "Change",
    "Tested",
    "change_of",
    "evidence_of",
    "power_of",
    "tests_of",
]

ALARM = 20.0  # evidence of 1/alpha at alpha = 5%
POWER = (
    (200, 0.42),
    (500, 0.28),
    (1_000, 0.22),
    (2_000, 0.18),
    (5_000, 0.16),
    (10_000, 0.14),
)
"""From so many rows on, a share that changes halfway by so much is noticed nine times
in ten: simulated (``python -m benchmarks.exchangeability``). Beyond, it hardly falls:
the bets of the test are too bold for smaller changes."""


class Tested(NamedTuple):
    """One test of exchangeability: of what, what it found, and when it found it."""

    of: str
    evidence: float  # its share of it
    round: int


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
    """

    test: Tested
    rows: int
    error: float | None
    loss: float

    def __str__(self) -> str:
        """Why there is no bound, and what there is instead."""
        return (
            "No bound about the future: the rows seem to have changed on the way (seen "
            f"in the {self.test.of} by round {self.test.round:,}; evidence "
            f"{self.test.evidence:,.3g}, alarm at {ALARM:g}). {self.latest}"
        )

    _repr_html_ = as_text

    @property
    def brief(self) -> str:
        """The same in one line."""
        return (
            "no bound about the future: the rows seem to have changed on the way; "
            f"{self.recent} on the last {self.rows:,} rows"
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

    def as_dict(self) -> Stored:
        """Plain data for JSON."""
        test = self.test._asdict()
        return {**test, "rows": self.rows, "error": self.error, "loss": self.loss}


def tests_of(recorder: Recorder | None) -> list[Tested]:
    """All tests that a recorder has made; none where none were asked for."""
    if recorder is None or not recorder.tests:
        return []
    found = [
        Tested(name, test.evidence / (j * (j + 1)), test.round)
        for j, (name, test) in enumerate(recorder.tests.items(), 1)
    ]
    snapshots, before = recorder.snapshots, len(found)
    for number, position, evidence, when in snapshots.tests():
        j = before + number
        name = f"losses of the classifier frozen after round {position:,}"
        found.append(Tested(name, evidence / (j * (j + 1)), when))
    return found


def change_of(run: PlayedRun, recorder: Recorder | None) -> Change | None:
    """That the rows have changed on the way, where a test has raised the alarm."""
    loudest = max(tests_of(recorder), key=lambda test: test.evidence, default=None)
    if loudest is None or loudest.evidence < ALARM:
        return None
    curve: Floats = run.ledger.curve
    before = curve[10 * curve[:, 0] <= 9 * run.rounds]
    rounds, mistakes, loss = before[-1] if len(before) else (0, 0, 0.0)
    error: float | None = None
    if run.mistakes is not None:
        error = (run.mistakes - int(mistakes)) / (run.rounds - int(rounds))
    mean = (run.loss - float(loss)) / (run.rounds - int(rounds))
    return Change(loudest, run.rounds - int(rounds), error, mean)


def evidence_of(recorder: Recorder | None) -> str:
    """The evidence that a recorder has, in a sentence; nothing where none was asked."""
    found = tests_of(recorder)
    if not found:
        return ""
    strongest = max(found, key=lambda test: (test.evidence, test.of))
    overall = strongest.evidence
    if overall >= ALARM:
        return (
            "But this stream is not exchangeable: the certificate speaks about the "
            f"past, not the future (evidence {overall:,.3g}, in the {strongest.of})."
        )
    return f"No change detected (evidence {overall:.2g}, alarm at {ALARM:g})."


def power_of(rounds: int) -> str:
    """What the test of the labels could have noticed on so many rows, in a sentence."""
    known = [share for rows, share in POWER if rows <= rounds]
    if not known:
        return f"On {rounds:,} rows the test notices hardly any change."
    half = 50.0 * known[-1]
    return (
        f"On {rounds:,} rows the test notices nine times in ten when the share of a "
        f"label changes halfway by {2 * half:.0f} points, say from {50 - half:.0f}% to "
        f"{50 + half:.0f}%. A smaller or slower change may pass unnoticed."
    )
