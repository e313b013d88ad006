"""Eight learners at once: the weights of one feature side by side, as one vector.

A loop over eight lanes would be unrolled before LLVM thinks of vectors, so the two
operations that a row needs are written as vector instructions. They allocate nothing
and look at no bounds.
"""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false
# pyright: reportMissingParameterType=false, reportUntypedFunctionDecorator=false
# pyright: reportMissingTypeStubs=false, reportAttributeAccessIssue=false

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

__all__ = ["LANES", "collect", "spread", "total"]

LANES = 8
BYTES = 8 * LANES


@intrinsic
def collect(typingctx: Any, sums: Any, at: Any, weights: Any, j: Any, x: Any) -> Any:
    """``sums[at] += weights[j] * x``, both arrays counted in vectors of eight lanes.

    Multiplication and addition may be one instruction, as in ``measure``.
    """
    return types.void(sums, at, weights, j, x), _accumulate(("contract",))


@intrinsic
def spread(typingctx: Any, weights: Any, j: Any, steps: Any, at: Any, x: Any) -> Any:
    """``weights[j] += steps[at] * x``, rounded after each operation, as in ``move``."""
    return types.void(weights, j, steps, at, x), _accumulate(())


@intrinsic
def total(typingctx: Any, u: Any, x: Any, v: Any, w: Any, n: Any) -> Any:
    """The sum of ``(u[k] * x + v[k] * w[k])`` over the first `n` vectors.

    There are eight sums, and then one: first halves, then quarters, then the last two.
    Multiplication and addition may be one instruction.
    """
    return types.float64(u, x, v, w, n), _sum_up


def _sum_up(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    u_type, x_type, v_type, w_type, n_type = signature.args
    u, x, v, w, n = arguments
    vector = ir.VectorType(ir.DoubleType(), LANES)
    n = context.cast(builder, n, n_type, types.intp)
    factor = _repeated(builder, context.cast(builder, x, x_type, types.float64), vector)
    sums = cgutils.alloca_once_value(builder, ir.Constant(vector, [0.0] * LANES))
    fused = ("contract",)
    with cgutils.for_range(builder, n) as loop:
        found: list[Any] = []
        for kind, array in ((u_type, u), (v_type, v), (w_type, w)):
            where = _vector_at(context, builder, kind, array, loop.index, vector)
            found.append(builder.load(where, align=8))
        first = builder.fmul(found[0], factor, flags=fused)
        so_far = builder.fadd(builder.load(sums), first, flags=fused)
        second = builder.fmul(found[1], found[2], flags=fused)
        builder.store(builder.fadd(so_far, second, flags=fused), sums)
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
