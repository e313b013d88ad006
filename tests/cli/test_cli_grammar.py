"""Learners in words: every learner can be named, every mistake is answered."""

from __future__ import annotations

import pytest

import regretless as rg
from regretless.cli.app import folded
from regretless.cli.grammar import learner_names, parse_learner, signature_of

NEEDED = {
    "pegasos": "strength=0.1",
    "normalizedwinnow": "eta=0.5",
    "balancedwinnow": "eta=0.5",
}


@pytest.mark.parametrize("name", sorted(learner_names()))
def test_every_learner_has_a_name_and_repeats_its_signature(name: str) -> None:
    learner = parse_learner(f"{name} {NEEDED.get(name, '')}")
    assert type(learner) is learner_names()[name]
    kept = [
        word
        for word in signature_of(type(learner)).split()[1:]
        if not word.endswith("=...")
    ]
    again = parse_learner(" ".join([name, NEEDED.get(name, ""), *kept]))
    assert again == learner


def test_words_become_parts() -> None:
    found = parse_learner("OGD loss=pinball(0.9) step=inverse-sqrt(2) domain=box(-1,1)")
    expected = rg.OGD(
        loss=rg.Pinball(0.9), step=rg.InverseSqrt(2), domain=rg.Box(-1, 1)
    )
    assert found == expected
    assert parse_learner("ogd eta=0.25") == rg.OGD(step=rg.Constant(0.25))
    assert parse_learner("p-norm-perceptron p=4") == rg.PNormPerceptron(p=4.0)
    assert parse_learner("ogd step=theorem radius=2 max_norm=1") == rg.OGD(
        step="theorem", radius=2.0, max_norm=1.0
    )


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("perceptorn", r"no learner 'perceptorn' \(did you mean 'perceptron'\?\)"),
        ("ogd losss=hinge", r"no parameter 'losss' \(did you mean 'loss'\?\)"),
        ("ogd loss", r"'loss': settings of ogd are written key=value"),
        ("ogd eta=0.1 step=0.2", r"step is set twice"),
        ("pegasos", r"pegasos needs strength=: pegasos strength=\.\.\."),
        ("ogd loss=hunge(1)", r"no part 'hunge' \(did you mean 'hinge'\?\)"),
        ("ogd step=constant(1,2)", r"'constant\(1,2\)': it is written constant\(eta\)"),
        ("ogd eta=-1", r"eta.*positive"),
        ("winnow eta=0.25 threshold=abc", r"threshold"),
        ("ogd loss=logistix", r"no loss 'logistix' \(did you mean 'logistic'\?\)"),
        ("ogd step=theorm", r"\(did you mean 'theorem'\?\): choose among a number"),
        ("kernelperceptron kernel=rfb", r"no kernel 'rfb' \(did you mean 'rbf'\?\)"),
    ],
)
def test_mistakes_are_answered(text: str, answer: str) -> None:
    with pytest.raises(ValueError, match=answer):
        parse_learner(text)


def test_settings_follow_the_learner() -> None:
    given = ["train", "a.svm", "--learner", "ogd", "eta=1", "b=2", "--json", "c=3"]
    assert folded(given) == [
        "train",
        "a.svm",
        "--learner",
        "ogd eta=1 b=2",
        "--json",
        "c=3",
    ]
    assert folded(["--learner=ogd", "eta=1"]) == ["--learner=ogd eta=1"]
    assert folded(["-l", "ogd eta=1", "x=y"]) == ["-l", "ogd eta=1 x=y"]
