"""Flags of Vowpal Wabbit, and what is written here in their place.

One table for the hint behind "no such option" and for the page that compares both. Only
what is never given here is looked up: ``-i``, ``-p``, ``-b``, ``-q``, ``--passes`` and
``--quiet`` mean the same, ``-l`` and ``-f`` something else.
"""

from __future__ import annotations

import re
from typing import NamedTuple

NUMBER = re.compile(r"(?<![\w.])\d*\.?\d+(e-?\d+)?(?!\w)")


class Hint(NamedTuple):
    """What stands here for a flag.

    Attributes
    ----------
    flags : str
        One or more, as they are written there; the first word of each is the flag.
    here : str
        What is written here; empty where nothing is needed, or there is nothing.
    why : str
        What more there is to know.
    """

    flags: str
    here: str
    why: str = ""

    def names(self) -> list[str]:
        """The flags alone."""
        return [each.split()[0] for each in self.flags.split(", ")]


HINTS = (
    Hint("-d FILE, --data FILE", "FILE", "several, globs, URIs, `-`"),
    Hint("-f MODEL, --final_regressor MODEL", "-o MODEL", "`-f` is the format here"),
    Hint("--initial_regressor MODEL", "-i MODEL"),
    Hint("-t, --testonly", "regretless predict MODEL FILE"),
    Hint("-r FILE, --raw_predictions FILE", "regretless predict MODEL FILE --scores"),
    Hint("--loss_function logistic", "--learner ogd loss=logistic"),
    Hint("--loss_function hinge", "--learner ogd loss=hinge"),
    Hint("--loss_function squared", "--learner ogd loss=squared"),
    Hint(
        "--loss_function quantile, --quantile_tau 0.9",
        "--learner ogd loss=pinball(0.9)",
    ),
    Hint(
        "-l 0.5, --learning_rate 0.5",
        "--learner ogd step=0.5",
        "`-l` is the learner here; the default one has no step to tune",
    ),
    Hint(
        "--power_t P",
        "",
        "there is no exponent: steps fall as 1/sqrt(t) with "
        "`--learner ogd step=inversesqrt(SCALE)`",
    ),
    Hint("--initial_t T", "", "steps here begin at the first row"),
    Hint("--decay_learning_rate R", "", "the step goes on from pass to pass"),
    Hint("--sgd", "--learner ogd step=0.5"),
    Hint("--adaptive", "--learner adagrad"),
    Hint("--invariant", "--learner adagrad implicit=true"),
    Hint("--normalized", "--learner adagrad scale=max"),
    Hint("--ftrl", "--learner ftrlproximal"),
    Hint("--ftrl_alpha A, --ftrl_beta B", "--learner ftrlproximal alpha=0.1 beta=1"),
    Hint("--l1 1e-6", "--learner ftrlproximal l1=0.000001"),
    Hint("--l2 1e-6", "--learner ftrlproximal l2=0.000001"),
    Hint("--coin", "--learner coinbetting per_coordinate=true"),
    Hint("--bfgs, --conjugate_gradient", "", "every learner here is online"),
    Hint("--ksvm", "--learner kernelperceptron"),
    Hint("--nn N, --boosting N", "", "the default learner sees curves by itself"),
    Hint("--bit_precision 22", "-b 22"),
    Hint("--ngram 2", "--ngrams 2", "of text; of a text column too"),
    Hint("--noconstant", "--learner ogd bias=false", "a bias is off unless asked for"),
    Hint("--hash all", "-b 22", "hashed as `vw` does it"),
    Hint("-c, --cache_file FILE", "", "'regretless convert DATA DATA.arrow', once"),
    Hint("-k, --kill_cache", "", "there is no cache beside a file"),
    Hint("--holdout_off", "", "no row is held out unless --holdout says so"),
    Hint("--holdout_period K", "--holdout 10"),
    Hint("--early_terminate N", "", "every pass is played to its end"),
    Hint("--oaa K, --ect K", "", "labels with more than two values are classes"),
    Hint("--csoaa K, --wap K", "--class-weight spam=2", "costs of each row: no"),
    Hint("--binary", "", "a prediction is a label already"),
    Hint(
        "--link logistic",
        "",
        "probabilities are written where a learner has any, as with loss=logistic",
    ),
    Hint(
        "--save_resume",
        "-o MODEL --resumable",
        "then `-i MODEL`: bit for bit as one file",
    ),
    Hint("-P N, --progress N", "", "a terminal shows the progress by itself"),
    Hint("--invert_hash FILE", "regretless inspect MODEL", "names are kept"),
    Hint("--readable_model FILE", "regretless inspect MODEL --json"),
    Hint("-a, --audit", "regretless inspect MODEL"),
    Hint("--random_seed N", "", "nothing is drawn at random while learning"),
    Hint("--strict_parse", "", "a bad line stops the run; --on-bad-rows skip does not"),
    Hint("--daemon, --port N", "", "`learn_one`, `predict_one` in your own service"),
    Hint("--cb K, --cb_explore K, --cb_adf", "", "no bandits here"),
    Hint("--lda K, --rank K, --lrq ab2, --search K", "", "no such reduction here"),
)


def hint_for(flag: str, value: str = "") -> str:
    """What to say of a flag that there is not; "" where nothing is known of it.

    Examples
    --------
    >>> hint_for("--loss_function", "logistic")
    'write --learner ogd loss=logistic'
    >>> hint_for("--bit_precision", "18")
    'write -b 18'
    """
    known = [hint for hint in HINTS if flag in hint.names()]
    exact = [hint for hint in known if f"{flag} {value}" in hint.flags.split(", ")]
    if not known:
        return ""
    hint = (exact or known)[0]
    here, why = _with(hint, flag, value), hint.why
    why = why.replace("`", "")
    if not here:
        return why
    return f"write {here} ({why})" if why else f"write {here}"


def _with(hint: Hint, flag: str, value: str) -> str:
    """What is written here, with the number that was given in place of the example."""
    shown = {each.split()[0]: each.split()[-1] for each in hint.flags.split(", ")}
    if not (NUMBER.fullmatch(shown[flag]) and NUMBER.fullmatch(value)):
        return hint.here
    example = float(shown[flag])

    def swap(found: re.Match[str]) -> str:
        return value if float(found[0]) == example else found[0]

    return NUMBER.sub(swap, hint.here)


def markdown() -> str:
    """The table of the page that compares both."""
    lines = ["| vw | regretless |", "|---|---|"]
    for hint in HINTS:
        flags = ", ".join(f"`{each}`" for each in hint.flags.split(", "))
        here = f"`{hint.here}`" if hint.here else ""
        why = f"; {hint.why}" if here and hint.why else hint.why
        lines.append(f"| {flags} | {here}{why} |")
    return "\n".join(lines) + "\n"
