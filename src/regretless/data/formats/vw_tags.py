"""The tags of Vowpal Wabbit text: what a row is called, for its prediction's sake.

A tag touches the first bar, or begins with a quotation mark, which is not part of it.
Kernels read past it; only who writes predictions asks for it.
"""

from __future__ import annotations

import numpy as np

from ..chunk import Array, Lines
from .text_blocks import BOM, Text
from .vw_line import split_tag, text


def tags_of(block: Text, lines: Lines) -> Array | None:
    r"""The tags of the rows on these lines of a block, counted from 1.

    Returns
    -------
    ndarray of objects, or None
        One text a row, empty where it has no tag; None where none has.

    Examples
    --------
    >>> import numpy as np
    >>> from regretless.data.formats.vw_tags import tags_of
    >>> tags_of(b"1 'ann|a x\n\n-1 |a y\n1 2 bob|a z\n", np.array([1, 3, 4]))
    array(['ann', '', 'bob'], dtype=object)
    """
    data = bytes(block).removeprefix(bytes(BOM))
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    starts = np.concatenate([[0], ends + 1])[lines - 1].tolist()
    found = np.empty(len(starts), object)
    some = False
    for row, start in enumerate(starts):
        front = data[start : data.index(b"|", start)]
        tag = b""
        if front[-1:] not in (b"", b" ", b"\t") or b"'" in front:
            tag = split_tag(front)[1].removeprefix(b"'")
        some |= bool(tag)
        found[row] = text(tag)
    return found if some else None
