"""What the Winnows share: features within a range, and the step that suits a margin."""

from __future__ import annotations

import math

__all__ = ["check_domain", "entry_range", "step_for_margin"]

LARGEST_STEP = 20.0  # exp(-2 * 20): as good as dropping a feature at once


def check_domain(domain: str) -> None:
    """Raise ``ValueError`` unless `domain` is one of the two words."""
    if domain not in ("check", "allow"):
        raise ValueError(f'domain={domain!r} must be "check" or "allow"')


def entry_range(domain: str, low: float, high: float) -> tuple[float, float]:
    """The entries that are learned from."""
    return (low, high) if domain == "check" else (-math.inf, math.inf)


def step_for_margin(margin: float) -> float:
    """Eta = (1/2) ln((1 + margin)/(1 - margin)), capped where it becomes infinite."""
    if isinstance(margin, str) or not 0 < margin <= 1:
        raise ValueError(f"margin={margin!r} must be in (0, 1]")
    if margin >= math.tanh(LARGEST_STEP):
        return LARGEST_STEP
    return math.atanh(margin)
