"""What the tests of exchangeability found, in words, to be read beside a certificate.

The tests are in a fixed order: the labels, |x|, then the later losses of every frozen
hypothesis as it was taken. The j-th may raise a share 1/(j(j+1)) of the false alarms,
so together they raise at most alpha, however many there are and whenever one looks.
"""

from __future__ import annotations

from typing import Any

__all__ = ["ALARM", "evidence_of"]

ALARM = 20.0  # evidence of 1/alpha at alpha = 5%


def evidence_of(recorder: Any) -> str:
    """The evidence that a recorder has, in a sentence; nothing where none was asked."""
    if recorder is None or not recorder.tests:
        return ""
    found = [
        (test.evidence / (j * (j + 1)), name)
        for j, (name, test) in enumerate(recorder.tests.items(), 1)
    ]
    order = sorted(recorder.snapshots, key=lambda snapshot: snapshot.position)
    first = len(found) + 1 + recorder.taken - len(order)
    for j, snapshot in enumerate(order, first):
        name = f"losses of the classifier frozen after round {snapshot.position:,}"
        found.append((snapshot.evidence.evidence / (j * (j + 1)), name))
    overall, name = max(found)
    if overall >= ALARM:
        return (
            "But this stream is not exchangeable: the certificate speaks about the "
            f"past, not the future (evidence {overall:,.3g}, in the {name})."
        )
    return (
        "Nothing speaks against that: evidence against exchangeability "
        f"{overall:.3g}, where {ALARM:g} would be an alarm."
    )
