"""The bad rows that a stream went past: how many, and what was wrong with some."""

from __future__ import annotations

SHOWN = 10  # messages kept of the rows that were skipped


class Skipped:
    """The bad rows that were skipped.

    Attributes
    ----------
    count : int
        How many.
    messages : list of str
        What was wrong with the first ten.
    """

    def __init__(self) -> None:
        self.count = 0
        self.messages: list[str] = []

    def add(self, message: str) -> None:
        """One more."""
        self.count += 1
        if len(self.messages) < SHOWN:
            self.messages.append(message)

    def remarks(self) -> list[str]:
        """What is said of them; nothing where there are none."""
        if not self.count:
            return []
        head = f"{self.count:,} bad rows were skipped; the first:"
        return [head, *(f"  {message}" for message in self.messages)]
