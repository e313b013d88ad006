"""A run as one self-contained page, and its main chart in notebooks.

``facts`` gathers what is shown, as data; ``write`` shows it. :mod:`.charts` is all that
draws, here and elsewhere. No number is made here that is not in the facts, and nothing
here learns.
"""

from .facts import PageFacts, facts
from .many import ManyFacts, facts_of_many
from .writing import plot, write

__all__ = [
    "ManyFacts",
    "PageFacts",
    "facts",
    "facts_of_many",
    "plot",
    "write",
]
