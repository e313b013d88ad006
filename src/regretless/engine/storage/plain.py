"""Results as JSON: what is not a number there is null."""

from __future__ import annotations

import math
from typing import Any, cast


def finite(value: object) -> Any:
    """The same as plain data, nan and infinities as None: JSON has no word for them.

    Examples
    --------
    >>> from regretless.engine.storage import finite
    >>> finite({"a": (1.5, float("nan"))})
    {'a': [1.5, None]}
    """
    plain = getattr(value, "tolist", None)  # of numpy's arrays and numbers
    if plain is not None:
        value = plain()
    if isinstance(value, dict):
        items = cast("dict[object, object]", value)
        return {str(key): finite(item) for key, item in items.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in cast("list[object]", value)]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
