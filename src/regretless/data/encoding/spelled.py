"""What a field of text spells: a number, a truth, or nothing."""

import re

MISSING = ("", "NA", "N/A", "n/a", "#N/A", "NULL", "null", "NaN", "nan", "-NaN", "-nan")
ENDLESS = ("inf", "infinity")
TRUE = frozenset(("true", "True", "TRUE"))
FALSE = frozenset(("false", "False", "FALSE"))
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def is_number(field: str) -> bool:
    """Whether a field is a number or a missing one."""
    bare = field.strip(" \t")
    if bare in MISSING or bare.lstrip("+-").lower() in ENDLESS:
        return True
    return NUMBER.fullmatch(bare) is not None
