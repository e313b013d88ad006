"""Frames: what a kernel is given through one is what numba gives it.

A wrong layout would be memory corruption, so trees of arguments are made up at random.
"""

from __future__ import annotations

import gc
import struct
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pytest

from regretless.engine.kernels.compiled import entry, kernel
from regretless.engine.machine.by_numba import compile_and_call
from regretless.engine.machine.frame import Format
from regretless.engine.machine.kernel import NOT_WANTED, chained

DTYPES = ("f8", "f4", "i8", "i4", "u8", "u1")


class Pair(NamedTuple):
    first: Any
    second: Any


class Three(NamedTuple):
    a: Any
    b: Any
    c: Any


def leaf(rng: np.random.Generator) -> Any:
    kind = rng.integers(6)
    if kind == 0:
        return float(rng.normal())
    if kind == 1:
        return int(rng.integers(-(2**62), 2**62))
    if kind == 2:
        return bool(rng.integers(2))
    shape = rng.integers(0, 4, rng.integers(1, 4))
    numbers = rng.integers(0, 100, shape)
    return numbers.astype(DTYPES[rng.integers(len(DTYPES))])


def tree(rng: np.random.Generator, depth: int) -> Any:
    kind = rng.integers(5) if depth else 0
    if kind == 1:
        return Pair(tree(rng, depth - 1), tree(rng, depth - 1))
    if kind == 2:
        return Three(*(tree(rng, depth - 1) for _ in range(3)))
    if kind == 3:
        return tuple(tree(rng, depth - 1) for _ in range(rng.integers(1, 4)))
    return leaf(rng)


def reader(arguments: tuple[Any, ...]) -> Any:
    """A kernel that writes everything it is given into `out`, number by number."""
    lines = ["def read(out, arguments):", "    k = 0"]

    def visit(item: Any, name: str) -> None:
        if isinstance(item, np.ndarray):
            for d in range(item.ndim):
                lines.append(f"    out[k] = {name}.shape[{d}]")
                lines.append("    k += 1")
            lines.append(f"    for x in {name}.flat:")
            lines.append("        out[k] = x")
            lines.append("        k += 1")
        elif isinstance(item, tuple):
            names = getattr(item, "_fields", None)
            for j, member in enumerate(item):
                visit(member, f"{name}.{names[j]}" if names else f"{name}[{j}]")
        else:
            lines.append(f"    out[k] = {name}")
            lines.append("    k += 1")

    visit(arguments, "arguments")
    lines.append("    return k")
    space: dict[str, Any] = {"__name__": __name__}
    exec("\n".join(lines), space)
    return kernel(space["read"])


def compare(seed: int) -> None:
    rng = np.random.default_rng(seed)
    arguments = tuple(tree(rng, 3) for _ in range(rng.integers(1, 6)))
    loop = reader(arguments)
    plain, by_frame, bound, by_numba = (np.zeros(2000) for _ in range(4))
    count = loop(plain, arguments)
    machine = entry(loop, (by_frame, arguments))
    assert machine(by_frame, arguments) == count
    assert machine.bind(bound, arguments)() == count
    found = compile_and_call(loop, (by_numba, arguments))
    assert found(by_numba, arguments) == count
    for other in (by_frame, bound, by_numba):
        np.testing.assert_array_equal(other, plain)


@pytest.mark.parametrize("seed", range(3))
def test_random_trees(seed):
    compare(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3, 60))
def test_many_random_trees(seed):
    compare(seed)


@kernel
def give_all(x: float, n: int, flag: bool) -> tuple[Any, ...]:
    return x * 2.0, n - 1, not flag, np.uint64(n)


@kernel
def give_none(numbers: Any) -> None:
    numbers[0] = 1.0


@kernel
def give_one(numbers: Any) -> float:
    return numbers[0]


def test_what_is_returned():
    assert entry(give_all, (1.5, 3, True))(1.5, 3, True) == (3.0, 2, False, 3)
    assert entry(give_all, (1.5, 3, True))(-0.25, -(2**63), False)[1:3] == (
        2**63 - 1,
        True,
    )
    numbers = np.zeros(1)
    assert entry(give_none, (numbers,))(numbers) is None
    assert entry(give_one, (numbers,))(numbers) == 1.0


def test_a_bound_call_keeps_its_arguments_alive():
    numbers = np.full(10**6, 7.0)

    @kernel
    def whole(numbers: Any) -> int:
        return int(numbers[numbers.size - 1])

    bound = entry(whole, (numbers,)).bind(numbers)
    del numbers
    gc.collect()
    filler = [np.zeros(10**6) for _ in range(4)]
    assert bound() == 7
    assert len(filler) == 4


def test_an_array_with_gaps_is_refused():
    numbers = np.arange(10.0)
    found = entry(give_one, (numbers,))
    with pytest.raises(ValueError, match="not contiguous"):
        found(numbers[::2])
    with pytest.raises(Exception, match="pack"):
        found(np.zeros((2, 2)))


def test_a_number_that_does_not_fit_is_refused():
    found = entry(give_all, (1.5, 3, True))
    with pytest.raises(struct.error):
        found(1.5, 2**63, True)
    assert found(1.5, -1, True)[1] == -2


def test_arrays_of_other_classes_are_taken(tmp_path):
    np.save(tmp_path / "x.npy", np.array([5.0, 6.0]))
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    found = entry(give_one, (mapped,))
    assert found(mapped) == 5.0
    assert found(np.array([8.0])) == 8.0


def test_a_failing_kernel_raises():
    @kernel
    def fail(n: int) -> int:
        if n > 3:
            raise ValueError("too large")
        return n

    found = entry(fail, (1,))
    assert found(2) == 2
    with pytest.raises(RuntimeError, match=r"a part raised an exception in .*fail"):
        found(4)
    assert found(3) == 3
    bound = found.bind(5)
    with pytest.raises(RuntimeError):
        bound()


@kernel(nogil=False)
def look_at(thing: int, answer: Any) -> int:
    if answer[0] == 99:
        raise ValueError
    return int(answer[0])


@kernel
def take_down(counts: Any, answer: Any) -> int:
    if answer[1] == 99:
        raise ValueError
    counts[0] += 1
    return int(answer[1])


@pytest.mark.parametrize("by", ["machine code", "calls"])
@pytest.mark.parametrize(
    ("answers", "returned", "ran"),
    [
        ((0, 1), 0, 1),
        ((7, 1), 7, 1),
        ((-2, 1), -2, 0),
        ((7, 0), NOT_WANTED, 1),
        ((99, 1), RuntimeError, 0),
        ((0, 99), RuntimeError, 0),
    ],
)
def test_a_chain_runs_the_second_kernel_if_the_first_one_agrees(
    by, answers, returned, ran
):
    answer, counts = np.array(answers), np.zeros(1, np.int64)
    first = entry(look_at, (0, answer)).bind_rest(answer)
    second = entry(take_down, (counts, answer)).bind(counts, answer)
    if by == "calls":
        chain = chained(partial(first), [partial(second)], 1)
    else:
        chain = chained(first, [second], 1)
        del first, second
        gc.collect()
    if returned is RuntimeError:
        with pytest.raises(RuntimeError):
            chain({})
    else:
        assert chain({}) == returned
    assert counts.tolist() == [ran]


def test_the_format_counts_words():
    layout = Format((np.zeros((2, 3)), (1, 2.0), True), "(if)")
    assert layout.first == 4
    assert layout.words == 4 + 3 + 2 + 1
    assert [letter for letter, _, _ in layout.leaves] == ["a", "i", "f", "i"]
