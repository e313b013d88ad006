"""Text as a page or a screen can show it: what neither takes is shown as its escape.

Names come from files, and a file may hold anything: codes that steer a terminal,
letters that XML forbids, halves of letters. All that is drawn or printed passes here.
"""

from __future__ import annotations

import re

# Control characters but tab and newline, halves of letters, what is no character, and
# what turns the direction of the rest of a line.
HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069"
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)


def visible(text: str) -> str:
    r"""The text with an escape for each character that cannot be shown.

    Examples
    --------
    >>> from regretless.parts.visible import visible
    >>> print(visible("na\x1b[31mme"), visible("\uffff"), visible("Zürich"))
    na\x1b[31mme \uffff Zürich
    """
    return HIDDEN.sub(_escape, text) if HIDDEN.search(text) else text


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
