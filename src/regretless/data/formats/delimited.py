"""CSV and TSV through Arrow, a block of lines at a time.

The first block decides what every column is, and a column stays what it is: numbers,
where half of its fields or more are; flags, where all are true or false; else words.
What is no number in a column of numbers makes a bad row.

Fields of a CSV file may be quoted, and may then hold line ends. A quotation mark that
is never closed is an error: it would swallow the rest of the file. In a TSV file it is
a letter like any other.
Empty fields, NA, null and nan are missing numbers. Lines that are empty are no rows.
"""

from __future__ import annotations

import csv
from collections.abc import Generator, Iterable
from contextlib import closing, suppress
from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING

import numpy as np

from ..chunk import Broken, Chunk, Lines, Piece, Problem
from ..encoding.spelled import is_number
from ..input_files import InputFile
from ..lines import blocks, filled, skip_empty
from ..pyarrow_import import ArrowType, RecordBatch, arrow
from ..row_errors import with_problems
from . import wide
from .arrow_csv import joined, read_csv
from .column_names import find_columns
from .columns import TableNumbers
from .field_faults import is_text, row_fault
from .field_kinds import plain_kinds, refuse_one_column, typed_columns
from .row_lines import LineBlock, RowLines, count_lines, find_rows
from .table_reader import TableReader

if TYPE_CHECKING:
    from _csv import Reader as CsvReader

BOM = b"\xef\xbb\xbf"
FEW = 256  # rows that are read one by one where one of them is bad


class DelimitedReader(TableReader):
    """CSV and TSV."""

    lined = True

    def start(self) -> None:
        """Choose what separates fields, and whether they may be quoted."""
        super().start()
        self._quoted = self.options.format != "tsv"
        self._delimiter = self.options.delimiter or ("," if self._quoted else "\t")
        self.options = replace(self.options, delimiter=self._delimiter)
        self._known_kinds: dict[str, str] = {}
        self._planned: tuple[tuple[str, ...], wide.WidePlan | None] | None = None

    def pieces(self, place: InputFile, at: int) -> Generator[Piece]:
        """Blocks of lines, of which the first begins with the header, if any."""
        names = self._begin(place) if at else ()
        begun, above = bool(names), 0
        marked = self._delimiter if self._quoted else None
        place.quoted = self._quoted
        with closing(place.open(at)) as stream:
            try:
                for piece in filled(blocks(stream, at=at, delimiter=marked)):
                    fields, above = LineBlock(piece.data, names), above + piece.above
                    if not names:
                        fields, header = self._open(fields.text, place, above)
                        names, above = fields.names, above + header
                    if not fields.text:
                        continue  # a header that is a block of its own
                    found = piece._replace(data=fields, above=above)
                    if not begun:
                        begun = True
                        self._decide(found, place)
                    yield found
                    above = 0
            except Broken as error:
                error.below += above
                raise
        if not begun:
            missing = "there is a header but no rows"
            if not names:
                missing = "there are no lines but empty ones"
            raise ValueError(f"{place.name}: {missing}")

    def _begin(self, place: InputFile) -> tuple[str, ...]:
        """The names of the columns of a file that is to be read from the middle."""
        with closing(self.pieces(place, 0)) as pieces:
            return next(pieces).data.names

    def columns(self, place: InputFile) -> Generator[tuple[RecordBatch, Lines]]:
        """Blocks whose fields are all words, and the first line of each row."""
        above = 0
        try:
            with closing(self.pieces(place, 0)) as pieces:
                for piece in pieces:
                    above += piece.above
                    yield self._as_words(piece.data, place, above)
                    above += count_lines(piece.data.text)
        except Broken as error:
            where = place.where(error.line_after(above), lined=True)
            raise ValueError(f"{where}: {error}") from None

    def _as_words(
        self, fields: LineBlock, place: InputFile, above: int
    ) -> tuple[RecordBatch, Lines]:
        lines, names = self._lines(fields), fields.names
        kinds: dict[str, ArrowType] = {name: arrow().string() for name in names}
        try:
            return self._read(fields.text, names, kinds), lines + above
        except ValueError as error:
            self._refuse(fields, place, above, dict.fromkeys(names, "word"))
            raise ValueError(f"{place.name}: {error}") from None

    def parse(self, piece: Piece) -> Chunk:
        """The rows of a block."""
        fields: LineBlock = piece.data
        problems: list[Problem] = []
        n_lines = count_lines(fields.text)
        lines: Lines | None = None
        numbers: TableNumbers | None = None
        try:
            batch, numbers = self._convert_wide(fields)
            if batch.num_rows != n_lines:
                lines = self._lines(fields)
        except ValueError:
            batch, lines, problems = self._carefully(fields)
        chunk = with_problems(self.chunk_of(batch, lines, numbers), problems)
        return chunk._replace(n_lines=n_lines)

    def _open(
        self, text: memoryview, place: InputFile, above: int
    ) -> tuple[LineBlock, int]:
        """Take the header, if there is one, off the first block of a file.

        And the empty lines behind it; how many lines that are.
        """
        passed = 0

        def lines() -> Generator[str]:
            nonlocal passed
            whole = StringIO(str(text, "utf-8", "surrogateescape"), newline="")
            for line in whole:
                passed += len(line.encode("utf-8", "surrogateescape"))
                yield line

        first = next((row for row in self._csv(lines()) if row), None)
        if first is None:  # of line ends of another kind
            raise ValueError(f"{place.name}: there are no lines but empty ones")
        header = self.options.header
        if header is None:
            header = not any(is_number(field) for field in first)
        self.options = replace(self.options, header=header)
        if not header:
            return LineBlock(text, tuple(str(k) for k in range(len(first)))), 0
        taken = bytes(text[:passed]).count(b"\n")
        if not all(is_text(name) for name in first):
            raise ValueError(f"{place.name}:{above + taken}: it is not UTF-8 text")
        refuse_one_column(first, place.name)
        rows, empty = skip_empty(text[passed:])
        return LineBlock(rows, tuple(name.strip() for name in first)), taken + empty

    def _decide(self, piece: Piece, place: InputFile) -> None:
        """What the columns are, from the first block of the first file."""
        fields: LineBlock = piece.data
        if self.layout is not None:
            find_columns(fields.names, list(self._kinds()), place.name)
            return
        try:
            batch = self._first(fields)
        except ValueError as error:
            raise ValueError(f"{place.name}: {error}") from None
        if not batch.num_rows:
            self._refuse(fields, place, piece.above, {})
            raise ValueError(f"{place.name}: there is a header but no rows")
        header = bool(self.options.header)
        label = self.decide(batch, place.name, header=header).label
        if label is not None and arrow("types").is_boolean(batch.column(label).type):
            # True and false are two words like any other.
            words_too = (*self.options.categorical, label)
            self.options = replace(self.options, categorical=words_too)

    def _first(self, fields: LineBlock) -> RecordBatch:
        """The first block as columns of numbers, flags or words; bad rows left out."""
        worded = (*self.options.categorical, *self.options.text)
        if len(fields.names) < wide.WIDE:
            words = {name: arrow().string() for name in worded}
            with suppress(ValueError):
                batch = self._read(fields.text, fields.names, words)
                return plain_kinds(batch, worded)
        rows = [row for _, row in self._rows(fields)]
        return typed_columns(rows, fields.names, worded)

    def _refuse(
        self, fields: LineBlock, place: InputFile, above: int, kinds: dict[str, str]
    ) -> None:
        """Raise what is wrong with the first row that is no row of these kinds."""
        for line, row in self._rows(fields):
            if fault := row_fault(row, fields.names, kinds, None, labelled=False):
                where = place.where(above + line, lined=True)
                raise ValueError(f"{where}: {fault}") from None

    def _kinds(self) -> dict[str, str]:
        """The columns that are read, and their kinds."""
        layout = self.layout
        assert layout is not None
        if not self._known_kinds:
            kinds = dict(layout.columns)
            for name in (layout.label, layout.weight):
                if name is not None:
                    words = name in self.options.categorical
                    kinds[name] = "word" if words else "number"
            if layout.group is not None:
                kinds[layout.group] = "word"
            if layout.id is not None:
                kinds.setdefault(layout.id, "word")
            self._known_kinds = kinds
        return self._known_kinds

    def _convert_wide(
        self, fields: LineBlock
    ) -> tuple[RecordBatch, TableNumbers | None]:
        """As :meth:`_convert`; of a wide table the numbers are parsed apart."""
        names = fields.names
        plan = self._plan(names) if self.wanted.by_name is None else None
        if plan is None:
            return self._convert(fields.text, names), None
        cut = wide.cut_fields(fields.text, len(names), self._delimiter)
        numbers = cut and wide.parse_numbers(cut, plan)
        if cut is None or numbers is None:
            return self._convert(fields.text, names), None
        kinds = self._kinds()
        few = [names[j] for j in plan.others]
        batch = self._read(
            cut.lines_of(plan.others, self._delimiter),
            ("", *few),
            {name: self._type(kinds[name]) for name in few if name in kinds},
        )
        return batch, wide.with_flags(numbers, plan, batch)

    def _plan(self, names: tuple[str, ...]) -> wide.WidePlan | None:
        """Which columns of a wide table are parsed how: the same for all of a file."""
        if self._planned is None or self._planned[0] is not names:
            assert self.layout is not None
            self._planned = names, wide.plan_columns(self.layout, names)
        return self._planned[1]

    @staticmethod
    def _type(kind: str) -> ArrowType:
        pa = arrow()
        return {"number": pa.float64(), "flag": pa.bool_()}.get(kind, pa.string())

    def _convert(self, text: bytes | memoryview, names: tuple[str, ...]) -> RecordBatch:
        """The columns of the layout; ``ValueError`` if a field is not of its kind."""
        pa = arrow()
        kinds = {name: self._type(kind) for name, kind in self._kinds().items()}
        if not bytes(text[:1]):
            return pa.RecordBatch.from_pylist([], schema=pa.schema(kinds.items()))
        return self._read(text, names, kinds, only=list(kinds))

    def _read(
        self,
        text: bytes | memoryview,
        names: tuple[str, ...],
        kinds: dict[str, ArrowType],
        *,
        only: list[str] | None = None,
    ) -> RecordBatch:
        if bytes(text[:3]) == BOM:
            text = BOM + bytes(text)  # Arrow drops one, wherever a block begins
        return read_csv(
            text,
            names,
            kinds,
            delimiter=self._delimiter,
            quoted=self._quoted,
            only=only,
        )

    def _csv(self, lines: Iterable[str]) -> CsvReader:
        quoting = csv.QUOTE_MINIMAL if self._quoted else csv.QUOTE_NONE
        return csv.reader(lines, delimiter=self._delimiter, quoting=quoting)

    def _rows(self, fields: LineBlock) -> Generator[tuple[int, list[str]]]:
        """The rows of a block and their lines, as Python reads them."""
        text = StringIO(str(fields.text, "utf-8", "surrogateescape"), newline="")
        rows = self._csv(text)
        line = 1
        try:
            for row in rows:
                if row:
                    yield line, row
                line = rows.line_num + 1
        except csv.Error as error:
            raise Broken(f"near line {line} of the block: {error}") from None

    def _lines(self, fields: LineBlock) -> Lines:
        found = self._find_rows(fields)
        if found is not None:
            return found.lines
        return np.array([line for line, _ in self._rows(fields)], np.int64)

    def _find_rows(self, fields: LineBlock) -> RowLines | None:
        return find_rows(fields.text, self._delimiter, quoted=self._quoted)

    def _carefully(self, fields: LineBlock) -> tuple[RecordBatch, Lines, list[Problem]]:
        """The good rows of a block that has bad ones, and what is wrong with those.

        Halves of it are read as a whole, and halves of those that have bad rows. What
        comes behind a bad row that ends the stream is left out.
        """
        found = self._find_rows(fields)
        if found is None:
            return self._one_by_one(fields)
        batches: list[RecordBatch] = []
        lines: list[Lines] = []
        problems: list[Problem] = []
        parts = [(0, found.lines.size)]
        while parts:
            first, last = parts.pop()
            begin, end = found.starts[[first, last]].tolist()
            part = LineBlock(fields.text[begin:end], fields.names)
            try:
                own = found.lines[first:last]
                batch = self._convert(part.text, part.names)
                if batch.num_rows != own.size:
                    return self._one_by_one(fields)
            except ValueError:
                if last - first > FEW:
                    middle = (first + last) // 2
                    parts += [(middle, last), (first, middle)]
                    continue
                batch, own, faults = self._one_by_one(part)
                above = int(found.lines[first]) - 1
                own = own + above
                problems += [one._replace(line=one.line + above) for one in faults]
                if faults and self.options.on_bad_rows == "stop":
                    parts.clear()
            batches.append(batch)
            lines.append(own)
        return joined(batches), np.concatenate(lines), problems

    def _one_by_one(
        self, fields: LineBlock
    ) -> tuple[RecordBatch, Lines, list[Problem]]:
        """The same, each row read by Python."""
        good = StringIO(newline="")
        writer = csv.writer(good, delimiter=self._delimiter)
        lines: list[int] = []
        problems: list[Problem] = []
        for line, row in self._rows(fields):
            fault = self._fault(fields.names, row)
            if fault is None:
                writer.writerow(row)
                lines.append(line)
            else:
                problems.append(Problem(0, line, fault, self._id(fields.names, row)))
        try:
            batch = self._convert(good.getvalue().encode(), fields.names)
        except ValueError as error:
            raise Broken(str(error)) from None
        return batch, np.array(lines, np.int64), problems

    def _id(self, names: tuple[str, ...], row: list[str]) -> str:
        """What a bad row is called, as far as that can be read."""
        name = self.options.id
        if name not in names or len(row) != len(names):
            return ""
        return row[names.index(name)].encode("utf-8", "replace").decode()

    def _fault(self, names: tuple[str, ...], row: list[str]) -> str | None:
        """What keeps a row from being converted."""
        return row_fault(
            row, names, self._kinds(), self.options.label, labelled=self.wanted.labelled
        )
