"""``regretless game``: a learner against an adversary, the bound beside reality."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

from ..declared import Argument, Option
from . import options as o
from .console import print_json, show, tell
from .output_file import check_outputs
from .usage import checking_usage

setting = partial(Option, panel="What is set of the game")


def game(
    learner: Annotated[
        list[str] | None,
        Argument(
            metavar="LEARNER [key=value]",
            text="Who plays: halving, hedge eta=0.1, ... Without: a list of games.",
        ),
    ] = None,
    adversary: Annotated[
        str | None,
        Option(
            "--adversary",
            "-a",
            text="NAME key=value ...; else the learner's hardest.",
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        Option(text="How many; else what the game needs."),
    ] = None,
    seed: Annotated[int, Option(text="Where randomness starts.")] = 0,
    seeds: Annotated[
        int, Option(text="Play from so many seeds, one after the other.", least=1)
    ] = 1,
    experts: Annotated[
        int | None, setting("--experts", text="How many experts, or voters.")
    ] = None,
    features: Annotated[
        int | None, setting("--features", text="How many features.")
    ] = None,
    k: Annotated[int | None, setting("--k", text="How many of them matter.")] = None,
    margin: Annotated[
        float | None, setting("--margin", text="How far apart the classes are.")
    ] = None,
    noise: Annotated[
        float | None, setting("--noise", text="How many labels are wrong, or how far.")
    ] = None,
    experiment: Annotated[
        str | None,
        Option(
            text="A whole experiment: panel-growth, regret-rates or every-learner.",
        ),
    ] = None,
    report: Annotated[
        Path | None,
        Option("--report", "--plot", text="A chart: .html, .svg, .png or .pdf."),
    ] = None,
    json: o.Json = False,
) -> None:
    """Play a learner against an adversary: the bound beside what happened.

    Example: regretless game halving --adversary splitting --experts 1024
    """
    from . import game_request as asked

    flags = {
        "experts": experts,
        "features": features,
        "k": k,
        "margin": margin,
        "noise": noise,
    }
    words = list(learner or ())
    if experiment is None and not words:
        with checking_usage():
            asked.refuse_alone(adversary, rounds, report, flags)
        _list(json=json)
        return
    check_outputs({"--report": report})
    if experiment is not None:
        with checking_usage():
            trial = asked.experiment(experiment, words, adversary)
        found: Any = asked.run(trial)
    else:
        with checking_usage():
            who, whom, many = asked.contest(words, adversary, rounds, flags)
        from ..lab.arena import arena

        chosen = seed if seeds == 1 else range(seed, seed + seeds)
        found = arena(who, whom, many, seed=chosen)
    if json:
        print_json(found.as_dict())
    else:
        from .game_tables import show_found

        show_found(found)
    if report is not None:
        tell()
        found.plot(report)
        if not json:
            from .layout import words

            show(words(f"the picture is in {report}"))


def _list(*, json: bool) -> None:
    from .game_tables import games_as_dict, show_games

    if json:
        print_json(games_as_dict())
    else:
        show_games()
