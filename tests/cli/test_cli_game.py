"""``regretless game``: what it plays, what it draws, what it answers to mistakes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from regretless.cli import main
from regretless.games import GAMES, LINEUP, name_of


def said(capsys: Any, *arguments: str, code: int = 0) -> str:
    """What is printed; the one line on standard error, where it fails."""
    assert main(["game", *arguments]) == code
    captured = capsys.readouterr()
    if code == 0:
        assert captured.err == ""
        return captured.out
    assert captured.out == ""
    assert captured.err.count("\n") == 1, captured.err
    return captured.err.strip()


def test_the_example_of_the_help(capsys):
    text = said(capsys, "halving", "--adversary", "splitting", "--experts", "1024")
    assert "Halving() against Splitting(experts=1024): 20 rounds" in text
    assert "1  M <= floor(log2 N)" in text
    assert "█ mistakes 10   • bound 10" in text
    assert max(map(len, text.splitlines())) <= 88


def test_the_list(capsys):
    text = said(capsys)
    for name in (*GAMES, *map(name_of, LINEUP)):
        assert name in text
    listed = json.loads(said(capsys, "--json"))
    assert set(listed["games"]) == set(GAMES)
    assert listed["games"]["splitting"]["parameters"] == {"experts": 1024}


def test_json(capsys):
    found = json.loads(said(capsys, "halving", "--json"))
    assert found["mistakes"] == 10
    assert found["theorems"][0]["ratio"] == 1.0
    assert found["curves"][0]["bound"][-1] == 10


@pytest.mark.parametrize(
    ("words", "title"),
    [
        (["hedge"], "Hedge(eta=None, horizon=1000) against AlternatingHalves"),
        (["hedge", "--rounds", "50"], "horizon=50) against AlternatingHalves(experts"),
        (["hedge", "eta=0.5", "-a", "seesaw"], "Hedge(eta=0.5, horizon=None) against"),
        (["hedge", "-a", "alternating-halves", "experts=4"], "Halves(experts=4, hor"),
        (["hedge", "-a", "alternating_halves experts=4"], "Halves(experts=4, hor"),
        (["weighted-majority"], "WeightedMajority(beta=0.5) against Balancing"),
        (["normalizedwinnow", "--experts", "51"], "HungPanel(voters=51, k=3)"),
        (["perceptron", "-a", "separable", "--margin", "0.5"], "margin=0.5): 1,000"),
        (["vaw", "--rounds", "30"], "VAW() against Quadratic(): 30 rounds"),
        (["ogd", "loss=squared", "--rounds", "30"], "against Quadratic(): 30 rounds"),
        (["FollowTheLeader", "--rounds", "30"], "Farthest(low=0.0, high=1.0): 30 r"),
    ],
)
def test_words_and_options(words, title, capsys):
    text = " ".join(said(capsys, *words).split())
    assert title in text


def test_several_seeds(capsys):
    text = said(capsys, "perceptron", "-a", "separable", "--seeds", "3", "--seed", "4")
    assert "3 seeds" in text
    assert [line.split()[0] for line in text.splitlines()[2:5]] == ["4", "5", "6"]


def test_pictures(capsys, tmp_path):
    pytest.importorskip("vl_convert")
    for option in ("--report", "--plot"):
        page = tmp_path / f"{option}.html"
        assert str(page.name) in said(capsys, "halving", option, str(page)).replace(
            "\n", ""
        )
        assert "<!DOCTYPE html>" in page.read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["halvin"], "there is no learner 'halvin' (did you mean 'halving'?)"),
        (["halving", "-a", "spliting"], "no game 'spliting' (did you mean 'splitting'"),
        (["halving", "-a", "seesaw"], "halving cannot play seesaw: it plays splitting"),
        (["kernel-perceptron"], "there is no game for kernel-perceptron"),
        (["halving", "--experts", "1"], "experts=1 must be a whole number from 2 on"),
        (["halving", "--features", "3"], "--features: splitting has no such thing"),
        (["halving", "--rounds", "0"], "rounds=0 must be a whole number from 1 on"),
        (["halving", "extra"], "'extra': settings of halving are written key=value"),
        (["halving", "-a", "splitting expert=3"], "has no parameter 'expert'"),
        (["halving", "-a", "splitting 3"], "settings of splitting are written key="),
        (["halving", "-a", ""], "there is no game ''"),
        (
            ["normalized-winnow", "-a", "schapire-panel", "--k", "4", "--experts", "9"],
            "k=4 must be odd and at most voters=9",
        ),
        (["hedge", "eta=-1"], "eta must be positive"),
        (["--adversary", "splitting"], "who plays? regretless game LEARNER"),
        (["--adversary", "spliting"], "did you mean 'splitting'"),
        (["--experiment", "panel-grow"], "did you mean 'panel-growth'"),
        (["halving", "--experiment", "panel-growth"], "brings its own learners"),
    ],
)
def test_usage_is_one_line_and_exit_code_2(words, message, capsys):
    assert message in said(capsys, *words, code=2)


def test_a_page_that_cannot_be_written_is_refused_before_the_game(capsys, tmp_path):
    page = tmp_path / "none" / "a.html"
    text = said(capsys, "halving", "--report", str(page), code=2)
    assert text == f"--report {page}: there is no such folder"
    text = said(capsys, "halving", "--report", str(tmp_path), code=2)
    assert "that is a directory" in text


def test_what_fails_is_one_line_and_exit_code_1(capsys):
    assert "outside [0, 1]" in said(capsys, "winnow", "-a", "separable", code=1)
    assert "every expert has been wrong" in said(
        capsys, "halving", "-a", "balancing", code=1
    )


def test_failures_in_json(capsys):
    assert main(["game", "halvin", "--json"]) == 2
    assert "did you mean" in json.loads(capsys.readouterr().out)["error"]


@pytest.mark.slow
def test_an_experiment(capsys):
    found = json.loads(said(capsys, "--experiment", "every-learner", "--json"))
    assert {row["contest"] for row in found["rows"]} >= {"Halving, worst"}
    assert "Every learner" in said(capsys, "--experiment", "every-learner")
