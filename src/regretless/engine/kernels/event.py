"""A dict of features to a row: the one loop over Python's own objects.

Taking a dict apart in Python costs 30 ns a feature and more, several times what all the
learning costs. So this kernel asks the interpreter itself, through a few functions of
its stable C interface and while it holds the interpreter's lock: which names the event
has, which columns those have, and which numbers stand there. Objects are addresses.

It only reads the event. Whatever it does not expect (a name without a column, a value
of another type than those of `PLAIN`) it leaves to Python, which decides. Addresses
are borrowed, so nothing may run here that could take the event apart meanwhile. Numbers
of a plain type run none of the user's code. Names may (their hash, their equality), so
each is held while it is looked up, and in the end they must still be the event's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...parts.generic import compiled, instruction
from .compiled import kernel
from .llvm import ir, types
from .merge import fold, forget
from .words import address

UNKNOWN, STRANGE, CROWDED = -1, -2, -3
"""Why there is no row: a name has no column; a value is not a plain finite number, or
names have changed meanwhile; there are more features than there is room for."""

PLAIN = (
    *(float, int, bool),
    *(np.float64, np.float32, np.float16),
    *(np.int64, np.int32, np.int16, np.int8),
    *(np.uint64, np.uint32, np.uint16, np.uint8),
)
"""The types of values that are read here, the usual ones first."""

POSITION, NAME, VALUE = range(3)
_TYPE = object.__basicsize__ - 8  # the last word of every object's head
_FLOAT = float.__basicsize__ - 8


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
            address(context, builder, signature.args[1], given[1], ir.IntType(64)(k))
            for k in (POSITION, NAME, VALUE)
        ]
        return _call(builder, "PyDict_Next", ir.IntType(32), [given[0], *places])

    return types.int32(types.int64, cell), generate


@instruction
def item_of(typing_context: Any, numbers: Any, name: Any) -> Any:
    """What a dict holds for this name; 0 for none, or if comparing names failed."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return _call(builder, "PyDict_GetItemWithError", ir.IntType(64), list(given))

    return types.int64(types.int64, types.int64), generate


@instruction
def type_of(typing_context: Any, thing: Any) -> Any:
    """The type of an object."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        place = builder.add(given[0], ir.IntType(64)(_TYPE))
        return builder.load(builder.inttoptr(place, ir.IntType(64).as_pointer()))

    return types.int64(types.int64), generate


@instruction
def hold(typing_context: Any, thing: Any) -> Any:
    """Keep an object alive."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        _call(builder, "Py_IncRef", ir.VoidType(), list(given))
        return context.get_dummy_value()

    return types.void(types.int64), generate


@instruction
def keep(typing_context: Any, list_of: Any, k: Any, thing: Any) -> Any:
    """Put an object that is held into entry `k` of a list, which holds it then."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        _call(builder, "PyList_SetItem", ir.IntType(32), list(given))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), generate


@instruction
def release(typing_context: Any, thing: Any) -> Any:
    """Keep it alive no longer."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        _call(builder, "Py_DecRef", ir.VoidType(), list(given))
        return context.get_dummy_value()

    return types.void(types.int64), generate


@instruction
def whole_number(typing_context: Any, number: Any) -> Any:
    """The value of an int."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return _call(builder, "PyLong_AsLongLong", ir.IntType(64), list(given))

    return types.int64(types.int64), generate


@instruction
def real_number(typing_context: Any, value: Any) -> Any:
    """The value of a number; -1 may mean that it is none."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return _call(builder, "PyFloat_AsDouble", ir.DoubleType(), list(given))

    return types.float64(types.int64), generate


@instruction
def float_of(typing_context: Any, value: Any) -> Any:
    """The value of a float, which stands in the last word of the object."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        place = builder.add(given[0], ir.IntType(64)(_FLOAT))
        return builder.load(builder.inttoptr(place, ir.DoubleType().as_pointer()))

    return types.float64(types.int64), generate


@instruction
def failed(typing_context: Any) -> Any:
    """Whether the last call raised an exception, which is put aside."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        raised = _call(builder, "PyErr_Occurred", ir.IntType(64), [])
        function = builder.module.globals.get("PyErr_Clear")
        if function is None:
            kind = ir.FunctionType(ir.VoidType(), [])
            function = ir.Function(builder.module, kind, "PyErr_Clear")
        builder.call(function, [])
        return builder.icmp_unsigned("!=", raised, ir.IntType(64)(0))

    return types.boolean(), generate


@compiled
def is_plain(kinds: Any, value: int) -> bool:
    """Whether the value has one of these types."""
    kind = type_of(value)
    for j in range(kinds.size):  # noqa: SIM110 - any() is more than machine code needs
        if kinds[j] == kind:
            return True
    return False


@compiled
def has_names(event: int, cell: Any, names: Any, n: int) -> bool:
    """Whether the names of the event are, in this order, the first `n` of these."""
    k = 0
    cell[POSITION] = 0
    while next_item(event, cell) != 0:
        if k == n or names[k] != cell[NAME]:
            return False
        k += 1
    return k == n


@kernel
def fold_event(read: Any, seen: Any, row: Any, done: int) -> int:
    """Write the row that was read, each column once; `done`, or -1 if it cannot be.

    Hashed names may share a column. `seen` has a power of two places, at least four for
    each entry that may come.
    """
    n = int(read.starts[1])
    for k in range(n):
        row.columns[k] = read.columns[k]
        row.values[k] = read.values[k]
    size = 4
    while size < 4 * n:
        size *= 2
    places = seen[:size]
    forget(places)
    folded = fold(row.columns, row.values, 0, n, places)
    row.starts[1] = max(folded, 0)
    return done if folded >= 0 else -1


@kernel(nogil=False)
def read_event(
    event: int,
    kinds: Any,
    numbers: int,
    alive: int,
    cell: Any,
    names: Any,
    starts: Any,
    columns: Any,
    values: Any,
) -> int:
    """Write a dict of features as a row.

    `kinds` are the addresses of the `PLAIN` types, float first. `numbers` and `event`
    are those of dicts: of columns by name, and of values by name. `names` holds the
    names of the row that was written last: where a name is the very same object, its
    column is still there. The list at the address `alive` keeps those objects alive.
    The row is written to the first entries of `columns` and `values`; what is returned
    is how many names are others than before, or why there is no row.
    """
    k = 0
    others = 0
    last = starts[1]
    cell[POSITION] = 0
    while next_item(event, cell) != 0:
        if k == values.size:
            return CROWDED
        name = cell[NAME]
        if type_of(cell[VALUE]) == kinds[0]:
            value = float_of(cell[VALUE])
        else:
            if not is_plain(kinds, cell[VALUE]):
                return STRANGE
            value = real_number(cell[VALUE])
            if value == -1.0 and failed():
                value = np.nan
        if not abs(value) < np.inf:
            return STRANGE
        if name != names[k]:
            hold(name)
            number = item_of(numbers, name)
            if number == 0:
                release(name)
                failed()
                return UNKNOWN
            columns[k] = whole_number(number)
            names[k] = name
            keep(alive, k, name)
            others += 1
        values[k] = value
        k += 1
    starts[1] = k
    for j in range(k, last):
        names[j] = 0
    if others > 0 and not has_names(event, cell, names, k):
        return STRANGE
    return others
