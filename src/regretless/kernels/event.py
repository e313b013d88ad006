"""A dict of features to a row: the one loop over Python's own objects.

Taking a dict apart in Python costs 30 ns a feature and more, several times what all the
learning costs. So this kernel asks the interpreter itself, through a few functions of
its stable C interface and while it holds the interpreter's lock: which names the event
has, which columns those have, and which numbers stand there. Objects are addresses.

It only reads. Whatever it does not expect (a name without a column, a value that is no
number) it leaves to Python, which decides or complains.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir  # pyright: ignore[reportMissingTypeStubs]
from numba import types

from .compiled import kernel
from .words import address, instruction

__all__ = ["CROWDED", "STRANGE", "UNKNOWN", "read_event"]

UNKNOWN, STRANGE, CROWDED = -1, -2, -3
"""Why there is no row: a name has no column; a value is not a number; there are more
features than there is room for."""

POSITION, NAME, VALUE = range(3)
_WORD, _FLAG, _REAL = ir.IntType(64), ir.IntType(32), ir.DoubleType()


def _call(builder: Any, name: str, result: Any, arguments: list[Any]) -> Any:
    """Call this function of Python's C interface."""
    kinds = [argument.type for argument in arguments]
    function = builder.module.globals.get(name)
    if function is None:
        function = ir.Function(builder.module, ir.FunctionType(result, kinds), name)
    return builder.call(function, arguments)


@instruction
def next_item(typing_context: Any, event: Any, cell: Any) -> Any:
    """Put the next name and value of a dict into the cell; whether there was one."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        places = [
            address(context, builder, signature.args[1], given[1], _WORD(k))
            for k in (POSITION, NAME, VALUE)
        ]
        return _call(builder, "PyDict_Next", _FLAG, [given[0], *places])

    return types.int32(types.int64, cell), generate


@instruction
def item_of(typing_context: Any, numbers: Any, name: Any) -> Any:
    """What a dict holds for this name; 0 for none, or if comparing names failed."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return _call(builder, "PyDict_GetItemWithError", _WORD, list(given))

    return types.int64(types.int64, types.int64), generate


@instruction
def whole_number(typing_context: Any, number: Any) -> Any:
    """The value of an int."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return _call(builder, "PyLong_AsLongLong", _WORD, list(given))

    return types.int64(types.int64), generate


@instruction
def real_number(typing_context: Any, value: Any) -> Any:
    """The value of a number; -1 may mean that it is none."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return _call(builder, "PyFloat_AsDouble", _REAL, list(given))

    return types.float64(types.int64), generate


@instruction
def failed(typing_context: Any) -> Any:
    """Whether the last call raised an exception, which is put aside."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        raised = _call(builder, "PyErr_Occurred", _WORD, [])
        function = builder.module.globals.get("PyErr_Clear")
        if function is None:
            kind = ir.FunctionType(ir.VoidType(), [])
            function = ir.Function(builder.module, kind, "PyErr_Clear")
        builder.call(function, [])
        return builder.icmp_unsigned("!=", raised, _WORD(0))

    return types.boolean(), generate


def read_event(mark: str) -> Any:
    """Build ``read_event(numbers, cell, names, starts, columns, values, event)``.

    `numbers` and `event` are the addresses of dicts: of columns by name, and of values
    by name. `names` holds the names of the row that was written last: where a name is
    the very same object, its column is still there. (Whoever calls keeps those objects
    alive, and forgets them after a failure.) The row is written to the first
    entries of `columns` and `values`; the kernel returns how many names are others than
    before, or why there is no row.
    """

    @kernel(mark, nogil=False)
    def read_event(
        numbers: int,
        cell: Any,
        names: Any,
        starts: Any,
        columns: Any,
        values: Any,
        event: int,
    ) -> int:
        k = 0
        others = 0
        last = starts[1]
        cell[POSITION] = 0
        while next_item(event, cell) != 0:
            if k == values.size:
                return CROWDED
            name = cell[NAME]
            value = real_number(cell[VALUE])
            if value == -1.0 and failed():
                return STRANGE
            if name != names[k]:
                number = item_of(numbers, name)
                if number == 0:
                    failed()
                    return UNKNOWN
                columns[k] = whole_number(number)
                names[k] = name
                others += 1
            values[k] = value
            k += 1
        starts[1] = k
        for j in range(k, last):
            names[j] = 0
        return others

    return read_event
