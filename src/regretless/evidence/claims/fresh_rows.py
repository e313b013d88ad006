"""Rows seen before certify nothing: what is left of a claim about a run.

A run knows by its fingerprints whether rows came that it (or the model that it started
from) had learned. Where a model has none, the certificate says what it assumes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from ...errors import NotCertified
from ...parts.documents import Document
from ..certify import Certificate
from ..played_run import PlayedRun

__all__ = ["UNKNOWN_START", "claims", "fresh"]

UNKNOWN_START = (
    "the model that it started from has learned none of these rows (its file keeps no "
    "sample of its own to compare them with)"
)


def fresh(run: PlayedRun, found: Certificate) -> Certificate:
    """The certificate with what it assumes about the rows; or :class:`NotCertified`."""
    if run.replay:
        raise NotCertified(run.replay)
    known = run.seen is not None and run.seen.earlier > 0
    if not run.warm or known or UNKNOWN_START in found.assumptions:
        return found
    return replace(found, assumptions=(*found.assumptions, UNKNOWN_START))


class Certified(Protocol):
    """A model, and what is certified about it."""

    @property
    def certificate(self) -> Certificate | None:
        """What; None if nothing is."""
        ...


def claims(run: PlayedRun, model: Certified) -> Document:
    """What a model of the run says about itself: its certificate, or why not."""
    if run.replay:
        return {"certificate": None, "why_not": run.replay}
    if model.certificate is None:
        return {}
    return {"certificate": fresh(run, model.certificate)}
