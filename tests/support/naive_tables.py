"""Slow, obvious versions of what tables become, to compare the fast ones with."""

from __future__ import annotations

MASK64 = 2**64 - 1


def naive_hash(text: str) -> int:
    """FNV-1a of the bytes, mixed."""
    state = 0xCBF29CE484222325
    for letter in text.encode():
        state = ((state ^ letter) * 0x100000001B3) & MASK64
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        state = ((state ^ (state >> 33)) * factor) & MASK64
    return state ^ (state >> 33)


def naive_row(row: dict, numbers: list[str], words: list[str], bits: int) -> dict:
    """Column to value: numbers that are not 0, and a 1 for each word."""
    found: dict[int, float] = {}
    for j, name in enumerate(numbers):
        if row[name]:
            found[j] = float(row[name])
    for name in words:
        slot = len(numbers) + naive_hash(f"{name}={row[name] or ''}") % 2**bits
        found[slot] = found.get(slot, 0.0) + 1.0
    return found
