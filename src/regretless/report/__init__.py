"""A run as one self-contained page, and its main chart in notebooks.

``receipts`` gathers what there is to say about a run, for every output; ``facts`` adds
what charts are drawn of, as data; ``write`` shows it. :mod:`.charts` is all that draws,
here and elsewhere. No number is made here that is not in the facts, and nothing here
learns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import lazily

if TYPE_CHECKING:
    from .many import ManyFacts, facts_of_many
    from .page_facts import PageFacts, facts
    from .writing import plot, write

__all__ = [
    "ManyFacts",
    "PageFacts",
    "facts",
    "facts_of_many",
    "plot",
    "write",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "many": "ManyFacts facts_of_many",
        "page_facts": "PageFacts facts",
        "writing": "plot write",
    },
)
