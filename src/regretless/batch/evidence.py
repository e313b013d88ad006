"""What the tests of exchangeability found, in words, to be read beside a certificate.

The tests are in a fixed order: the labels, |x|, then the later losses of every frozen
hypothesis as it was taken. The j-th may raise a share 1/(j(j+1)) of the false alarms,
so together they raise at most alpha, however many there are and whenever one looks.
"""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["ALARM", "Tested", "evidence_of", "tests_of"]

ALARM = 20.0  # evidence of 1/alpha at alpha = 5%


class Tested(NamedTuple):
    """One test of exchangeability: of what, what it found, and when it found it."""

    of: str
    evidence: float  # its share of it
    round: int


def tests_of(recorder: Any) -> list[Tested]:
    """All tests that a recorder has made; none where none were asked for."""
    if recorder is None or not recorder.tests:
        return []
    found = [
        Tested(name, test.evidence / (j * (j + 1)), test.round)
        for j, (name, test) in enumerate(recorder.tests.items(), 1)
    ]
    order = sorted(recorder.snapshots, key=lambda snapshot: snapshot.position)
    first = len(found) + 1 + recorder.taken - len(order)
    for j, snapshot in enumerate(order, first):
        name = f"losses of the classifier frozen after round {snapshot.position:,}"
        test = snapshot.evidence
        when = snapshot.position + test.round
        found.append(Tested(name, test.evidence / (j * (j + 1)), when))
    return found


def evidence_of(recorder: Any) -> str:
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
    return (
        "Nothing speaks against that: evidence against exchangeability "
        f"{overall:.3g}, where {ALARM:g} would be an alarm."
    )
