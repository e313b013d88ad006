"""One file: safetensors, with a JSON document in its header, all of it checksummed.

``__metadata__`` holds two strings: ``regretless``, a JSON document, and ``sha256``, the
digest of its UTF-8. The document says what the file is and what every tensor must be::

    {
        "what": "model",
        "format": 2,
        "version": "0.3.0",
        "tensors": {"weights": {"dtype": "F64", "shape": [3], "crc32": 1234}},
        "content": {...},
    }

so a file that was cut, flipped or edited is refused, not misread.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from pathlib import Path
from typing import Any, cast

import numpy as np

from ...parts.documents import Document
from ...parts.state import Array
from ...version import __version__
from .atomic import Draft
from .trees import DTYPES, Arrays, from_plain, to_plain

FORMATS = {"model": 2, "checkpoint": 2, "mixture": 2, "learner": 2}
"""What a file can be, and the format of each that this version reads."""

LONGEST_HEADER = 100_000_000  # of safetensors

# What damaged or hostile content runs into while it is taken apart.
MALFORMED = (
    ArithmeticError,
    AttributeError,
    LookupError,
    MemoryError,
    RecursionError,
    TypeError,
    ValueError,
)


def write_file(path: str | os.PathLike[str], what: str, content: Document) -> None:
    """Write a tree as a file of kind `what`, whole or not at all."""
    tensors = Arrays()
    pieces = encoded(what, to_plain(content, tensors), tensors)
    if len(pieces[1]) > LONGEST_HEADER:
        raise ValueError(f"{path}: not saved: its facts take {len(pieces[1]):,} bytes")
    with Draft(path) as draft:
        draft.stream.writelines(pieces)
        draft.stream.flush()
        _read_back(draft.path, path, what)
        draft.commit()


def _read_back(draft: Path, path: str | os.PathLike[str], what: str) -> None:
    """Raise OSError where what was written is not a file that can be read.

    Its header and the places of its tensors are looked at, not their numbers.
    """
    import safetensors

    try:
        with _safe_open(draft) as file:
            document = _document(draft, what, file.metadata() or {})
            if set(file.keys()) != set(document["tensors"]):
                raise ValueError("its tensors are not those that were written")
    except (safetensors.SafetensorError, *MALFORMED) as error:
        raise OSError(f"{path}: what was written cannot be read: {error}") from error


def encoded(what: str, plain: object, tensors: Arrays) -> list[bytes | memoryview]:
    """The bytes of a file, piece by piece: its header is the second of them."""
    # As safetensors does: the widest first, so that all are aligned.
    order = sorted(tensors, key=lambda name: (-tensors[name].itemsize, name))
    table = {name: _described(tensors[name]) for name in order}
    document = {
        "what": what,
        "format": FORMATS[what],
        "version": __version__,
        "tensors": table,
        "content": plain,
    }
    text = json.dumps(document, allow_nan=False, separators=(",", ":"))
    head = _head(text, {name: tensors[name] for name in order})
    bodies = [_bytes(tensors[name]) for name in order]
    return [len(head).to_bytes(8, "little"), head, *bodies]


def _head(text: str, tensors: Document) -> bytes:
    """The header that safetensors wants, for tensors in this order."""
    header: Document = {"__metadata__": {"regretless": text, "sha256": _digest(text)}}
    end = 0
    for name, array in tensors.items():
        begin, end = end, end + array.nbytes
        header[name] = {
            "dtype": _code(array),
            "shape": list(array.shape),
            "data_offsets": [begin, end],
        }
    head = json.dumps(header, separators=(",", ":")).encode()
    return head + b" " * (-len(head) % 8)


def read_file(path: str | os.PathLike[str], what: str) -> tuple[Document, str]:
    """The tree in a file of kind `what`, and the version that wrote it.

    Raises
    ------
    OSError
        Where the file cannot be opened.
    ValueError
        Where it is not such a file, in one line. Nothing of it is ever run.
    """
    document, tensors = _open(path, what)
    try:
        content = from_plain(document["content"], tensors)
        if not isinstance(content, dict):
            raise ValueError("its content is not a table")
        return cast("Document", content), str(document["version"])
    except MALFORMED as error:
        raise refusal(path, what, error) from None


def what_is(path: str | os.PathLike[str]) -> str:
    """What a file of this package is: "model" or "checkpoint"; "" of any other.

    Raises
    ------
    OSError
        Where the file cannot be opened.
    """
    import safetensors

    try:
        with _safe_open(path) as file:
            told: dict[str, str] = file.metadata() or {}
        return str(json.loads(told.get("regretless", "{}")).get("what", ""))
    except (safetensors.SafetensorError, *MALFORMED):
        return ""


def refusal(
    path: str | os.PathLike[str], what: str, why: BaseException | str
) -> ValueError:
    """The error to raise of a file that is not what it should be."""
    if isinstance(why, KeyError):
        text = f"it has no {why}"
    elif isinstance(why, str | ValueError | MemoryError):
        text = " ".join(str(why).split())
    else:  # in Python's words, which say nothing about the file
        text = "its content makes no sense"
    return ValueError(f"{os.fspath(path)}: not a regretless {what}: {text:.300}")


def _open(path: str | os.PathLike[str], what: str) -> tuple[Document, Arrays]:
    """The document and the tensors, both as they were written."""
    import safetensors

    try:
        with _safe_open(path) as file:
            document = _document(path, what, file.metadata() or {})
            return document, _tensors(file, document["tensors"])
    except safetensors.SafetensorError as error:
        why = f"cut short, or not safetensors ({str(error).rpartition(': ')[2]})"
        if not _begins_as_one(path):
            saves = "learner.save" if what == "learner" else "train -o"
            why = f"it holds something else, such as data; {saves} writes a {what}"
        raise refusal(path, what, why) from None
    except _Refused:
        raise
    except MALFORMED as error:
        raise refusal(path, what, error) from None


def _begins_as_one(path: str | os.PathLike[str]) -> bool:
    """Whether a file begins as safetensors do: the length of the header, then it."""
    with Path(path).open("rb") as file:
        first = file.read(9)
    length = int.from_bytes(first[:8], "little")
    return length < LONGEST_HEADER or first[8:] == b"{"


class _Refused(ValueError):  # noqa: N818 - it is the file that is
    """A refusal that is already in its last words."""


def _document(
    path: str | os.PathLike[str], what: str, metadata: dict[str, str]
) -> Document:
    """The document in the header, if it is one that this version reads."""
    text = metadata.get("regretless")
    if text is None:
        raise ValueError("a safetensors file of something else")
    if metadata.get("sha256") != _digest(text):
        raise ValueError("damaged: its header is not what was written")
    document: Document = json.loads(text)
    if not isinstance(document, dict):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError("its header is not a table")
    found, written = document["what"], document["format"]
    if found != what:
        raise ValueError(f"it is a {found!s:.40}")
    if type(written) is not int:
        raise ValueError(f"its format is {written!r:.40}")
    if written != FORMATS[what]:
        when = "a newer" if written > FORMATS[what] else "an older"
        raise _Refused(
            f"{os.fspath(path)}: written by {when} version (format {written}; this one "
            f"reads {FORMATS[what]})"
        )
    return document


def _safe_open(path: str | os.PathLike[str]) -> Any:
    """The file as safetensors opens it, which has no types."""
    import safetensors

    with Path(path).open("rb"):  # says in the usual words that there is none
        pass
    opened: Any = safetensors.safe_open
    return opened(path, framework="np")


def _tensors(file: Any, table: Document) -> Arrays:
    """All tensors, each as the document describes it."""
    names = set(file.keys())
    if names != set(table):
        raise ValueError("damaged: its tensors are not those that were written")
    found = Arrays()
    for name in names:
        described, part = table[name], file.get_slice(name)
        dtype, shape = part.get_dtype(), list(part.get_shape())
        if described["dtype"] != dtype or described["shape"] != shape:
            raise ValueError(f"damaged: {name!r} has changed its shape")
        if dtype not in DTYPES:
            raise ValueError(f"{name!r} holds numbers of kind {dtype}")
        array = file.get_tensor(name)
        if zlib.crc32(_bytes(array)) != described["crc32"]:
            raise ValueError(f"damaged: the bytes of {name!r} have changed")
        found[name] = array
    return found


def _described(array: Array) -> Document:
    crc = zlib.crc32(_bytes(array))
    return {"dtype": _code(array), "shape": list(array.shape), "crc32": crc}


def _code(array: Array) -> str:
    return next(code for code, kind in DTYPES.items() if array.dtype == kind)


def _bytes(array: Array) -> memoryview:
    """The bytes of an array in little endian, without a copy where they are so."""
    little = array.astype(array.dtype.newbyteorder("<"), copy=False)
    return little.reshape(-1).view(np.uint8).data


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
