"""Files that were learned before: a retried night repeats the last file, not the first.

A run remembers what it has read by size and digest, whatever the files are called. One
that comes again, in one command or for a model that goes on, would count twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import OptionError

if TYPE_CHECKING:
    from ..data.input_files import InputFile
    from ..models.model import Model
    from .checkpoints import Checkpoint


def refuse_learned(
    places: Sequence[InputFile],
    path: str | None,
    state: Checkpoint | None,
    model: Model | None,
) -> None:
    """Refuse files that are there twice, or that the start of the run has learned.

    Parameters
    ----------
    places : sequence of InputFile
        What is to be read.
    path : str or None
        The file that the run goes on from.
    state, model : Checkpoint or None, model or None
        What is in it.

    Raises
    ------
    OptionError
        In one line.
    """
    known = dict.fromkeys(_learned(state, model), f"by {path}")
    if len(places) < 2 and not known:
        return
    for place in places:
        digest = place.digest()
        if digest is None:
            continue
        if digest in known:
            raise OptionError(
                f"{place.name} was learned before, {known[digest]}: its rows would "
                "count twice. --again learns it all the same"
            )
        known[digest] = f"in this command as {place.name}"


def _learned(state: Checkpoint | None, model: Model | None) -> Sequence[str]:
    """The digests of the files that were learned."""
    if state is not None:
        return state.learned_files
    provenance = None if model is None else model.provenance
    seen = None if provenance is None else provenance.seen
    return () if seen is None else seen.files
