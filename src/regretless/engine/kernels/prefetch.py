"""Memory asked for before it is needed, so that no kernel waits for it."""

from __future__ import annotations

from typing import Any

from ...parts.generic import instruction
from .llvm import cgutils, ir, make_array, types

FOR_WRITING = 0  # of no use: most of it is only read
NEAREST = 3  # into the nearest cache
DATA = 1
LINE = 64  # bytes


@instruction
def prefetch(typingctx: Any, table: Any, i: Any) -> Any:
    """Bring the cache line where row `i` of `table` begins; nothing else changes."""
    return types.void(table, i), _generate


@instruction
def prefetch_lines(typingctx: Any, table: Any, i: Any, lines: Any) -> Any:
    """The same of so many cache lines, from the beginning of row `i` on."""
    return types.void(table, i, lines), _generate_lines


def _generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    _ask(builder, _row(context, builder, signature, arguments))
    return context.get_dummy_value()


def _generate_lines(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    start = _row(context, builder, signature, arguments)
    lines = context.cast(builder, arguments[2], signature.args[2], types.intp)
    with cgutils.for_range(builder, lines) as loop:
        _ask(builder, builder.gep(start, [builder.mul(loop.index, lines.type(LINE))]))
    return context.get_dummy_value()


def _row(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """A pointer to the row."""
    array = make_array(signature.args[0])(context, builder, arguments[0])
    i = context.cast(builder, arguments[1], signature.args[1], types.intp)
    stride = builder.extract_value(array.strides, 0)
    start = builder.bitcast(array.data, ir.IntType(8).as_pointer())
    return builder.gep(start, [builder.mul(i, stride)])


def _ask(builder: Any, where: Any) -> None:
    word = ir.IntType(32)
    kind_of = ir.FunctionType(ir.VoidType(), [where.type, word, word, word])
    ask = builder.module.declare_intrinsic("llvm.prefetch", [where.type], kind_of)
    numbers = [ir.Constant(word, c) for c in (FOR_WRITING, NEAREST, DATA)]
    builder.call(ask, [where, *numbers])
