"""Places: names of files, globs, URIs and ``-`` as an ordered list of what to read."""

from __future__ import annotations

import hashlib
import os
import stat
import warnings
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from difflib import get_close_matches
from glob import glob, has_magic
from io import FileIO
from mmap import ACCESS_READ, mmap
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, cast

from .byte_streams import Readable, Rejoined, fill, skip
from .chunk import Broken
from .compression import Bytes, StoredBytes, compression_of, decompressed
from .file_parts import Limited, Span, count_bytes, line_after
from .pyarrow_import import ArrowSource, arrow

STDIN = "standard input"
SPREAD, SAMPLE = 16, 1 << 12  # places in a file, and bytes there, that are hashed
FIRST = 1 << 16  # bytes looked at to tell compression and format


class InputFile:
    """One file, or standard input.

    Attributes
    ----------
    name : str
        As messages call it.
    size : int or None
        In bytes, as stored; None where that is not known.
    rereadable : bool
        Whether it can be opened a second time.
    bare : str
        The name without the ending of a compression.
    compression : str or None
        How it is compressed.
    portion : float or None
        How much of it was read, where that is not told by where the file stands.
    begin : int
        Where reading begins: a byte of the text, or a row.
    end : int or None
        Where it ends, where that is not the end of the file.
    quoted : bool
        Whether the quotation marks of a part are counted.
    grown, told : bool
        Whether it has become longer since it was found, and whether that was said.
    """

    def __init__(self, name: str, filesystem: Any = None, path: str = "") -> None:
        self.name = name
        self._filesystem = filesystem
        self.path = path or name
        self.rereadable = name != "-" and (filesystem is not None or _is_stored(name))
        self._pipe: FileIO | None = None
        self._kept: object = None
        self.grown = self.told = False
        self._spent = False
        self._raw: StoredBytes | None = None
        self._past = 0
        self._head: bytes | None = None
        self.portion: float | None = None
        self.begin = 0
        self.end: int | None = None
        self.quoted = False
        self._rows = False
        self._before: int | None = None
        self._part: Limited | None = None
        if name == "-":
            self.name = STDIN
        first = self.head()
        self.size = self._measure()
        if self.size is not None and self.size < len(first):
            self.size = None  # a file of the system, which does not say
        if not first:
            raise ValueError(f"{self.name}: the file is empty")
        self.compression, self.bare = compression_of(self.name, first)

    @property
    def local(self) -> bool:
        """Whether it is a plain file of this machine."""
        return self._filesystem is None and self.rereadable

    @property
    def changed(self) -> int | None:
        """When a file of this machine was last written, in nanoseconds."""
        return Path(self.path).stat().st_mtime_ns if self.local else None

    def digest(self) -> str | None:
        """What tells its content from that of others, wherever it lies: not its name.

        Its size, and a hash of its first and last bytes and of some in between, so that
        it costs the same for any size. None of what can be read only once.
        """
        if not self.rereadable or self.size is None:
            return None
        found = hashlib.blake2b(self.head(), digest_size=16)
        if self.size > len(self.head()):
            with closing(self._stored()) as stored:
                for k in range(1, SPREAD + 1):
                    stored.seek((self.size - SAMPLE) * k // SPREAD)
                    found.update(fill(stored, SAMPLE))
        return f"{self.size}-{found.hexdigest()}"

    def head(self) -> bytes:
        """The first bytes as stored, at most 64 KB."""
        if self._head is None:
            raw = self._raw_stream()
            self._head = fill(raw, FIRST)
            if self.rereadable:
                raw.close()
        return self._head

    def beginning(self) -> bytes:
        """The first bytes inside, at most 64 KB."""
        if self.compression is None:
            return self.head()
        inside = decompressed(arrow().BufferReader(self.head()), self.compression)
        buffer = bytearray(FIRST)
        return bytes(buffer[: inside.readinto(buffer) or 0])

    def open(self, at: int = 0) -> Bytes:
        """The decompressed bytes, from the byte `at` on."""
        stored = self._raw = self._stored()
        if self.compression is not None:
            raw = stored
            if self.size is not None:
                raw = Readable(Limited(stored, self.size))
            file = arrow().PythonFile(raw, mode="r")
            stream = decompressed(file, self.compression)
            skip(stream, at)
            return stream
        if at:
            stored.seek(at)
        if self.size is None:
            return stored
        end = self.size if self.end is None or at < self.begin else self.end
        left = max(end - at, 0)
        last = end == self.size
        self._part = Limited(stored, left, counted=self.quoted, last=last)
        return self._part

    def narrow(self, span: Span) -> None:
        """From now on, stand for this part of the file only."""
        self._rows = span.rows
        self.begin, self.end = span.begin, span.end
        if span.rows or span.whole:
            return
        if self.compression is not None or not self.rereadable:
            raise ValueError(
                f"{self.name}: part of a compressed file or a pipe cannot be read alone"
            )
        with closing(self._raw_stream()) as raw:
            self.begin = line_after(raw, span.begin)
            size = self.size or 0
            end = size if span.end is None else span.end
            self.end = max(self.begin, size if end >= size else line_after(raw, end))

    @property
    def before(self) -> int:
        """How many lines (or rows) come before it begins; counted when asked for."""
        if self._before is None:
            self._before = self.begin
            if self.begin and not self._rows:
                with closing(self._raw_stream()) as raw:
                    self._before = count_bytes(raw, self.begin, ord("\n"))
        return self._before

    def begins_quoted(self) -> bool:
        """Whether it begins inside quotation marks."""
        if not self.begin or self._rows:
            return False
        with closing(self._raw_stream()) as raw:
            return count_bytes(raw, self.begin, ord('"')) % 2 == 1

    def ends_quoted(self) -> bool:
        """Whether what was read opened quotation marks that it did not close."""
        return self._part is not None and self._part.marks % 2 == 1

    def close(self) -> None:
        """Let go of a pipe that will not be read."""
        if self._pipe is not None:
            self._pipe.close()

    def _stored(self) -> StoredBytes:
        """The stored bytes from the beginning, with those that were looked at."""
        return self._raw_stream() if self.rereadable else self._once()

    def _once(self) -> Rejoined:
        if self._spent:
            raise ValueError(f"{self.name}: it was read already, and can be read once")
        self._spent = True
        return Rejoined(self.head(), self._raw_stream())

    def arrow_stream(self) -> ArrowSource:
        """The decompressed bytes as pyarrow takes them."""
        return arrow().PythonFile(Readable(self.open()), mode="r")

    def random(self) -> ArrowSource:
        """The stored bytes as a pyarrow file that can be read anywhere."""
        if self.compression is not None:
            raise ValueError(
                f"{self.name}: this format cannot be read through "
                f"{self.compression}: decompress the file"
            )
        if not self.rereadable:
            self._kept = self._kept or self._keep()
            return arrow().BufferReader(self._kept)
        if self._filesystem is not None:
            source = self._filesystem.open_input_file(self.path)
        else:
            # Not mapped: to truncate a file that is mapped ends this process.
            source = arrow().OSFile(self.path)
        self._raw = source
        return source

    def _keep(self) -> object:
        """All of a pipe, in a temporary file without a name that is mapped."""
        try:
            with closing(self._once()) as pipe, TemporaryFile() as file:
                while some := fill(pipe, 1 << 20):
                    file.write(some)
                file.flush()
                return arrow().py_buffer(mmap(file.fileno(), 0, access=ACCESS_READ))
        except OSError as error:
            what = f"it cannot be kept while it is read: {_reason(error)}"
            raise OSError(f"{self.name}: {what}") from None

    def done(self) -> int:
        """How many stored bytes have been read since it was opened."""
        if self.portion is not None:
            return int(self.portion * (self.size or 0))
        with suppress(OSError, ValueError):  # it is closed
            self._past = self._raw.tell() if self._raw else self._past
        return self._past

    def where(self, line: int | None, *, lined: bool) -> str:
        """The name of a line, or of a row where the format has no lines."""
        if line is None:
            return self.name
        line += self.before
        return f"{self.name}:{line}" if lined else f"{self.name}, row {line}"

    def check_size(self) -> None:
        """After reading: raise Broken if it is shorter now, note if it is longer."""
        now = self._measure()
        if self.size is None or now is None or now == self.size:
            return
        if now < self.size:
            raise Broken(
                f"it became shorter: it had {self.size:,} bytes and has {now:,}"
            )
        self.grown = True

    def _measure(self) -> int | None:
        if not self.rereadable:
            return None
        if self._filesystem is not None:
            return self._filesystem.get_file_info(self.path).size
        return Path(self.path).stat().st_size

    def _raw_stream(self) -> StoredBytes:
        if self._filesystem is not None:
            return self._filesystem.open_input_file(self.path)
        if self._pipe is not None:
            return self._pipe
        try:
            # Unbuffered: a buffered one is locked while a thread waits in it, and the
            # interpreter could not shut down.
            own = self.name != STDIN
            raw = FileIO(self.path if own else 0, closefd=own)
        except OSError as error:
            raise type(error)(f"{self.name}: {_reason(error)}") from None
        if not self.rereadable:
            self._pipe = raw
        return raw


def _is_stored(name: str) -> bool:
    """Whether a file can be read again: not a pipe, such as ``<(command)``."""
    return stat.S_ISREG(Path(name).stat().st_mode)


def find_places(given: object) -> list[InputFile]:
    """The files that a name, or a list of names, stands for, in order.

    A glob stands for its matches in alphabetical order. A name with ``://`` is opened
    by ``pyarrow.fs``. A :class:`Span` stands for a part of the file that it names, a
    :class:`InputFile` that was found before for itself.
    """
    items: Iterable[object] = (given,)
    if isinstance(given, Iterable) and not isinstance(given, str | Span):
        items = cast("Iterable[object]", given)
    names = [_named(item) for item in items]
    if not names:
        raise ValueError("there are no files to read")
    if names.count("-") > 1:
        raise ValueError("- is standard input: it can be read once")
    return [place for name in names for place in _places(name)]


def _named(item: object) -> str | Span | InputFile:
    if isinstance(item, Span | InputFile):
        return item
    if not isinstance(item, str | os.PathLike):
        raise TypeError(f"{item!r:.40} is not the name of a file")
    return f"{item}"


def _places(name: str | Span | InputFile) -> list[InputFile]:
    if isinstance(name, InputFile):
        return [name]
    if isinstance(name, Span):
        (place,) = _places(name.name)
        place.narrow(name)
        return [place]
    if name == "-":
        return [InputFile(name)]
    if "://" in name:
        return _remote(name)
    if has_magic(name) and not Path(name).exists():
        matches = sorted(glob(name, recursive=True))  # noqa: PTH207 - names as given
        files = [match for match in matches if not Path(match).is_dir()]
        if not files:
            raise FileNotFoundError(f"{name}: no file matches")
        return [InputFile(match) for match in files]
    if not name:
        raise FileNotFoundError("the name of the file is empty")
    try:
        if Path(name).is_dir():
            raise IsADirectoryError(_directory(name))
        return [InputFile(name)]
    except FileNotFoundError:
        raise FileNotFoundError(_missing(name)) from None


def _remote(name: str) -> list[InputFile]:
    filesystems = arrow("fs")
    try:
        filesystem, path = filesystems.FileSystem.from_uri(name)
        kind = filesystem.get_file_info(path).type
    except (OSError, ValueError) as error:  # as all errors of Arrow are
        said = str(error).splitlines()[0]
        raise OSError(f"{name}: it cannot be opened: {said}") from None
    if kind == filesystems.FileType.NotFound:
        raise FileNotFoundError(f"{name}: there is no such file")
    if kind == filesystems.FileType.Directory:
        raise IsADirectoryError(_directory(name))
    return [InputFile(name, filesystem, path)]


def _directory(name: str) -> str:
    inside = name.rstrip("/")
    return f"{name}: it is a directory; give its files, such as {inside}/*.svm"


def _missing(name: str) -> str:
    path = Path(name)
    what = f"{name}: there is no such file"
    if not path.parent.is_dir():
        return f"{what}: there is no folder {path.parent}"
    beside = [entry.name for entry in path.parent.iterdir()]
    close = get_close_matches(path.name, beside, n=1)
    return f"{what}; did you mean {path.parent / close[0]}?" if close else what


def _reason(error: OSError) -> str:
    if isinstance(error, PermissionError):
        return "you may not read it (permission denied)"
    return (error.strerror or str(error)).lower()


def bytes_read(places: Sequence[InputFile], k: int) -> tuple[int, int | None]:
    """How many bytes, as stored, were read, place `k` being read; of how many."""
    done = sum(place.size or place.done() for place in places[:k])
    done += sum(place.done() for place in places[k : k + 1])
    sizes = [place.size for place in places if place.size is not None]
    return done, sum(sizes) if len(sizes) == len(places) else None


def warn_of_growth(places: Iterable[InputFile]) -> None:
    """Warn, once, of files that have become longer since they were found."""
    for place in places:
        if place.grown and not place.told:
            place.told = True
            warnings.warn(
                f"{place.name}: it grew while it was read: the {place.size:,} bytes "
                "that it had at the start were used",
                stacklevel=2,
            )
