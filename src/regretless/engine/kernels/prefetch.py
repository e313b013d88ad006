"""Memory asked for before it is needed, so that nobody waits for it."""

from __future__ import annotations

from typing import Any

from ...parts.generic import instruction
from .llvm import ir, make_array, types

__all__ = ["prefetch"]

FOR_WRITING = 0  # of no use: most of it is only read
NEAREST = 3  # into the nearest cache
DATA = 1


@instruction
def prefetch(typingctx: Any, table: Any, i: Any) -> Any:
    """Bring the cache line where row `i` of `table` begins; nothing else changes."""
    return types.void(table, i), _generate


def _generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    kind, i_type = signature.args
    array = make_array(kind)(context, builder, arguments[0])
    i = context.cast(builder, arguments[1], i_type, types.intp)
    stride = builder.extract_value(array.strides, 0)
    byte = ir.IntType(8).as_pointer()
    start = builder.bitcast(array.data, byte)
    where = builder.gep(start, [builder.mul(i, stride)])
    word = ir.IntType(32)
    kind_of = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
    ask = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind_of)
    numbers = [ir.Constant(word, c) for c in (FOR_WRITING, NEAREST, DATA)]
    builder.call(ask, [where, *numbers])
    return context.get_dummy_value()
