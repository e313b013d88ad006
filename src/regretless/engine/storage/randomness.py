"""The state of a random generator as plain data: its next draw is the same."""

from __future__ import annotations

import numpy as np

from ...parts.documents import Document


def generator_state(rng: np.random.Generator) -> Document:
    """Where a generator stands."""
    state: Document = dict(rng.bit_generator.state)
    if state["bit_generator"] != "PCG64" or state["has_uint32"]:
        raise ValueError("only PCG64 generators of whole draws can be stored")
    return {"pcg64": str(state["state"]["state"]), "stream": str(state["state"]["inc"])}


def generator_from(stored: Document) -> np.random.Generator:
    """A generator that stands where :func:`generator_state` says."""
    bits = np.random.PCG64(0)
    bits.state = {
        "bit_generator": "PCG64",
        "state": {"state": _word(stored["pcg64"]), "inc": _word(stored["stream"])},
        "has_uint32": 0,
        "uinteger": 0,
    }
    return np.random.Generator(bits)


def _word(text: str) -> int:
    """A 128 bit number; as text, because few readers of JSON keep so many digits."""
    number = int(text)
    if not 0 <= number < 2**128:
        raise ValueError("the state of a random generator is out of range")
    return number
