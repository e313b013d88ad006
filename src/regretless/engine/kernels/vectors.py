"""Eight learners at once: the weights of one feature side by side, as one vector.

A loop over eight lanes would be unrolled before LLVM thinks of vectors, so the two
operations that a row needs are written as vector instructions. They allocate nothing
and look at no bounds.
"""

from __future__ import annotations

from typing import Any

from ...parts.generic import instruction
from .llvm import cgutils, ir, make_array, types

LANES = 8


@instruction
def collect(typingctx: Any, sums: Any, at: Any, weights: Any, j: Any, x: Any) -> Any:
    """``sums[at] += weights[j] * x``, both arrays counted in vectors of eight lanes.

    Multiplication and addition may be one instruction, as in ``measure``.
    """
    return types.void(sums, at, weights, j, x), _accumulate(("contract",))


@instruction
def spread(typingctx: Any, weights: Any, j: Any, steps: Any, at: Any, x: Any) -> Any:
    """``weights[j] += steps[at] * x``, rounded after each operation, as in ``move``."""
    return types.void(weights, j, steps, at, x), _accumulate(())


@instruction
def total(typingctx: Any, terms: Any, n: Any) -> Any:
    """The sum of the first `n` vectors of terms.

    There are eight sums, and then one: first halves, then quarters, then the last two.
    """
    return types.float64(terms, n), _sum_up


def _sum_up(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    kind, n_type = signature.args
    terms, n = arguments
    vector = ir.VectorType(ir.DoubleType(), LANES)
    n = context.cast(builder, n, n_type, types.intp)
    sums = cgutils.alloca_once_value(builder, ir.Constant(vector, [0.0] * LANES))
    with cgutils.for_range(builder, n) as loop:
        where = _vector_at(context, builder, kind, terms, loop.index, vector)
        found = builder.load(where, align=8)
        builder.store(builder.fadd(builder.load(sums), found), sums)
    lanes = builder.load(sums)
    word = ir.IntType(32)
    parts = [builder.extract_element(lanes, word(k)) for k in range(LANES)]
    while len(parts) > 1:
        half = len(parts) // 2
        parts = [builder.fadd(parts[k], parts[k + half]) for k in range(half)]
    return parts[0]


def _accumulate(flags: tuple[str, ...]) -> Any:
    """Code for ``target[i] += source[k] * x`` on vectors."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target_type, i_type, source_type, k_type, x_type = signature.args
        target, i, source, k, x = arguments
        vector = ir.VectorType(ir.DoubleType(), LANES)
        i = context.cast(builder, i, i_type, types.intp)
        k = context.cast(builder, k, k_type, types.intp)
        x = context.cast(builder, x, x_type, types.float64)
        where = _vector_at(context, builder, target_type, target, i, vector)
        other = _vector_at(context, builder, source_type, source, k, vector)
        lanes = _repeated(builder, x, vector)
        product = builder.fmul(builder.load(other, align=8), lanes, flags=flags)
        total = builder.fadd(builder.load(where, align=8), product, flags=flags)
        builder.store(total, where, align=8)
        return context.get_dummy_value()

    return generate


def _vector_at(
    context: Any, builder: Any, kind: Any, array: Any, i: Any, vector: Any
) -> Any:
    """A pointer to the i-th vector of an array."""
    data = make_array(kind)(context, builder, array).data
    start = builder.bitcast(data, vector.as_pointer())
    return builder.gep(start, [i])


def _repeated(builder: Any, x: Any, vector: Any) -> Any:
    """The number `x` in all lanes."""
    none = ir.Constant(vector, ir.Undefined)
    first = builder.insert_element(none, x, cgutils.int32_t(0))
    zeros = ir.Constant(ir.VectorType(cgutils.int32_t, LANES), [0] * LANES)
    return builder.shuffle_vector(first, none, zeros)
