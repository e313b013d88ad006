"""``regretless warmup``: compile now what commands would compile when they need it."""

from __future__ import annotations

from typing import Annotated

from ..declared import Argument
from . import options as o
from .console import print_json, say, show
from .layout import Words
from .usage import checking_usage


def warmup(
    learners: Annotated[
        list[str] | None,
        Argument(
            text="Learners, by name; default: all of them.", metavar="[LEARNER]..."
        ),
    ] = None,
    quiet: o.Quiet = False,
    json: o.Json = False,
) -> None:
    """Compile the machine code of learners in advance, for an image or a checkout.

    A wheel brings it. It is kept in the folder that REGRETLESS_STORE names, or in the
    user's cache folder.

    Example: regretless warmup panel perceptron
    """
    from .. import warmup as compile_all
    from ..engine.machine import store
    from .grammar import expert_names, learner_names, parse_learner

    folder = store.folder()
    if folder is None:
        raise ValueError(
            "there is no folder to keep machine code in: "
            "set REGRETLESS_STORE to one of your own"
        )
    before = len(list(folder.glob("*.o")))
    with checking_usage():
        known = {**learner_names(), **expert_names()}
        asked = [parse_learner(text, known) for text in learners or []]
    compile_all(*asked, tell=None if quiet or json else say)
    made = len(list(folder.glob("*.o"))) - before
    if json:
        print_json({"folder": str(folder), "compiled": made, "kept": before + made})
    elif not quiet:
        show(Words(f"{made:,} compiled, {before + made:,} kept in {folder}"))
