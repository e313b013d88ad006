"""Products of the features of a row's fields (:mod:`..interactions`), by name."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from ..interactions import Groups
from .fault import Fault

LARGEST = 1e300  # sums of products must stay finite
MOST = 2**16  # products of a row: more would fill the memory
TOO_LARGE = "feature {!r}: the product {} is too large"
TOO_MANY = f"the row has more than {MOST:,} products of fields"


def products(
    groups: Groups, parts: Mapping[str, Mapping[Hashable, float]]
) -> dict[str, float]:
    """The products of a row, where these are the features of each of its fields."""
    found: dict[str, float] = {}
    count = 0
    for group in groups:
        # Names, values, and which feature of the last field it is that was taken.
        some: list[tuple[str, float, int]] = [("", 1.0, 0)]
        for k, field in enumerate(group):
            features = list(parts.get(field, {}).items())
            first = 0 if k and field == group[k - 1] else MOST
            if count + len(some) * len(features) > MOST:
                raise Fault(TOO_MANY)
            some = [
                (f"{name}*{other}" if k else f"{other}", value * factor, j)
                for name, value, last in some
                for j, (other, factor) in enumerate(features)
                if value * factor and j + first >= last
            ]
        count += len(some)
        for name, value, _ in some:
            if not -LARGEST <= value <= LARGEST:
                raise Fault(TOO_LARGE.format(name, value))
            found[name] = found[name] + value if name in found else value
    return found
