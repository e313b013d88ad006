"""Flags of other tools: each is answered with something that works here."""

from __future__ import annotations

import shlex

import pytest

from paths import DOCS
from regretless.cli import main
from regretless.cli.app import app, folded
from regretless.cli.grammar import parse_learner
from regretless.cli.other_tools import HINTS, Hint, hint_for, markdown

PAGE = DOCS / "comparison" / "vowpal-wabbit.md"


def named(hint: Hint) -> str:
    return hint.flags


def test_there_are_forty_flags_or_more() -> None:
    assert len({name for hint in HINTS for name in hint.names()}) >= 40


@pytest.mark.parametrize("hint", HINTS, ids=named)
def test_a_flag_is_answered(hint: Hint, capsys: pytest.CaptureFixture[str]) -> None:
    for flag in hint.names():
        if flag in ("-l", "-f"):  # they mean something else
            continue
        value = hint.flags.split(", ")[0].partition(" ")[2]
        assert main(["train", "data.vw", flag, value]) == 2
        line = capsys.readouterr().err
        assert line.startswith(f"there is no option {flag} here: ")
        assert line.count("\n") == 1
        assert line.strip().endswith(hint_for(flag, value))


@pytest.mark.parametrize(
    "hint", [hint for hint in HINTS if hint.here.startswith("-")], ids=named
)
def test_what_is_written_instead_is_understood(hint: Hint) -> None:
    given = folded(["train", "data.vw", *shlex.split(hint.here)])
    command = app.get_command(app.make_context("regretless", ["--", "train"]), "train")
    assert command is not None
    found = command.make_context("train", given[1:]).params
    if found["learner"]:
        parse_learner(found["learner"][0])


def test_a_step_given_as_a_learner_is_understood(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["train", "data.vw", "-l", "0.5"]) == 2
    assert "--learner ogd step=0.5" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("flag", "value", "here"),
    [
        ("--learning_rate", "0.3", "--learner ogd step=0.3"),
        ("--quantile_tau", ".25", "--learner ogd loss=pinball(.25)"),
        ("--l1", "1e-7", "--learner ftrlproximal l1=1e-7"),
        ("--bit_precision", "18", "-b 18"),
        ("--bit_precision", "many", "-b 22"),
    ],
)
def test_the_number_that_was_given_is_kept(flag: str, value: str, here: str) -> None:
    assert hint_for(flag, value).partition(" (")[0] == f"write {here}"
    if "--learner" in here:
        parse_learner(here.removeprefix("--learner "))


def test_no_exponent_is_taken_for_a_scale() -> None:
    assert hint_for("--power_t", "0.7") == (
        "there is no exponent: steps fall as 1/sqrt(t) with --learner ogd "
        "step=inversesqrt(SCALE)"
    )


def test_an_option_that_nobody_has_is_told_as_before(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["train", "data.vw", "--nonsense"]) == 2
    assert "no such option" in capsys.readouterr().err
    assert hint_for("--nonsense") == ""


def test_the_page_has_the_same_table() -> None:
    assert markdown() in PAGE.read_text()
