"""``python -m benchmarks.fuzz [--inputs N] libsvm|vw``: text that went wrong.

Lines are mutated at random and parsed twice, by the compiled parser from memory with a
forbidden page behind it, and by the slow one of the tests. Every row that is accepted
must be the same to the last bit, and the lines that are refused the same lines.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from functools import partial
from pathlib import Path

from regretless.data.encoding.hash_index import HashIndex
from regretless.data.formats.libsvm import LibsvmParser
from regretless.data.formats.vw import VwParser

sys.path.append(str(Path(__file__).parents[1] / "tests" / "support"))

import mutants
import naive_text
from guarded import Guarded

BLOCK = 2000
MARK = b"\xef\xbb\xbf"


def main() -> int:
    """Fuzz until the inputs are used up; the first difference ends in a traceback."""
    arguments = parse()
    check = {"libsvm": libsvm, "vw": vw}[arguments.format]
    began = time.perf_counter()
    memory = Guarded(1 << 24)
    rows = refused = done = 0
    while done < arguments.inputs:
        n = min(BLOCK, arguments.inputs - done)
        seed = arguments.seed * 1_000_003 + done
        rng = random.Random(seed)
        lines = mutants.mutated(mutants.SEEDS[arguments.format], n, seed)
        block = b"\n".join(lines) + rng.choice((b"", b"\n", b"\r\n"))
        try:
            chunk = check(memory.put(block), block.removeprefix(MARK), rng)
        except BaseException:
            print(f"differs in the block of seed {seed}", file=sys.stderr)
            raise
        rows += chunk.labels.size
        refused += len(chunk.problems)
        done += n
    seconds = time.perf_counter() - began
    print(
        f"{arguments.format}: {done} mutated inputs, {rows} rows accepted and "
        f"{refused} lines refused by both parsers alike, in {seconds:.0f} s"
    )
    return 0


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz")
    parser.add_argument("format", choices=("libsvm", "vw"))
    parser.add_argument("--inputs", type=int, default=1_000_000, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="S")
    return parser.parse_args()


def libsvm(place, block, rng):
    """One block of LIBSVM text, read by one of three parsers."""
    zero_based, bits = rng.choice(((False, None), (True, None), (False, 3)))
    chunk = LibsvmParser(zero_based=zero_based, bits=bits).parse(place)
    read = partial(naive_text.libsvm, base=0 if zero_based else 1, bits=bits)
    naive_text.same_chunk(chunk, block, read)
    return chunk


def vw(place, block, rng):
    """One block of Vowpal Wabbit text, with and without interactions; and its names."""
    bits, groups = rng.choice(((18, ()), (4, ("ab", "aa", " a", "abb"))))
    parser = VwParser(bits=bits, interactions=tuple(map("*".join, groups)))
    chunk = parser.parse(place, HashIndex(parser.bits))
    named = chunk.names
    read = partial(naive_text.vw, bits=bits, groups=groups)
    rows = naive_text.same_chunk(chunk, block, read)
    if naive_text.first_of(named) != naive_text.first_names(rows):
        raise AssertionError("names differ")
    return chunk


if __name__ == "__main__":
    sys.exit(main())
