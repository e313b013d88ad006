"""A theorem is about certain parts, and says nothing of a learner with others."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import regretless as rg
from games import make_game
from learners import CASES, FORESEEN_CASES, SCALED_CASES, Case
from letters import WORDS, letters
from regretless.evidence.theorems import LEGEND, Theorem, theorems_about
from regretless.evidence.theorems.experts import ExpertFacts
from regretless.evidence.theorems.facts import Facts
from regretless.evidence.theorems.made_of import ANY, MadeOf
from regretless.evidence.theorems.mixing import MIXED_OGD, MIXED_PERCEPTRON
from regretless.evidence.verdicts.task_types import kind_of
from theorems import all_theorems

# One part of every kind, and more where fields matter; each is wrong for somebody.
PARTS: dict[str, list[Any]] = {
    "loss": [
        rg.Hinge(),
        rg.Hinge(0.0),
        rg.Hinge(gain=3.0),
        rg.Logistic(),
        rg.Squared(),
    ],
    "geometry": [rg.Euclidean(), rg.Entropy(), rg.PNorm(3.0), rg.Diagonal(1.0)],
    "step": [rg.Constant(1.0), rg.InverseSqrt(1.0), rg.InverseTime(1.0)],
    "trigger": [rg.Always(), rg.OnMistake(), rg.OnMargin(0.5)],
    "domain": [rg.Everywhere(), rg.Ball(3.0), rg.Box(-3, 3), rg.Simplex(3.0)],
    "penalty": [rg.NoPenalty(), rg.L2(0.3)],
    "update": [rg.Explicit(), rg.Implicit(), rg.Polyak(), rg.LeastSquares()],
    "prediction_rule": [rg.AsItStands(), rg.Foreseen(), rg.Clipped(1.0)],
    "threshold": [0.0, 0.5, 2.0],
}
LINEAR = CASES + SCALED_CASES + FORESEEN_CASES


def facts_of(case: Case, seed: int = 3) -> Facts:
    game = make_game(case, seed, n=30, d=4, style="normal")
    run = rg.play(case.learner, game.X, game.y)
    return kind_of(run).facts(run, np.full(4, 0.1))[0]


def made(theorem: Theorem[Any]) -> MadeOf:
    (found,) = [one for one in theorem.assumptions if isinstance(one, MadeOf)]
    return found


def allowed(part: Any, wanted: Any) -> bool:
    """The same as the code under test, written the other way round."""
    if wanted is ANY:
        return True
    several = wanted if type(wanted) is tuple else (wanted,)
    same = [one for one in several if not isinstance(one, type) and one == part]
    return bool(same) or isinstance(
        part, tuple(one for one in several if isinstance(one, type))
    )


def test_every_linear_theorem_says_what_each_part_must_be() -> None:
    for case in LINEAR:
        for theorem in theorems_about(case.learner):
            assert isinstance(theorem.assumptions[0], MadeOf), theorem.name
            assert set(made(theorem).parts) == set(PARTS)


@pytest.mark.parametrize("case", LINEAR, ids=lambda case: repr(case.learner))
def test_a_wrong_part_is_refused(case: Case) -> None:
    facts = facts_of(case)
    refused = 0
    for theorem in theorems_about(case.learner):
        for kind, parts in PARTS.items():
            for part in parts:
                if allowed(part, made(theorem).parts[kind]):
                    continue
                other = facts.parts._replace(**{kind: part})
                verdict = theorem.judge(dataclasses.replace(facts, parts=other))
                assert not verdict.applies, (theorem.name, part)
                refused += 1
    assert refused > 5


def test_a_wrong_rule_is_refused(rng) -> None:
    rules = [
        rg.Halving(),
        rg.WeightedMajority(0.3),
        rg.ConservativeWeightedMajority(0.3),
        rg.RandomizedWeightedMajority(0.3),
        rg.Hedge(0.2),
        rg.Hedge(),
        rg.AdaHedge(),
        rg.FixedShare(0.2, 0.1),
        rg.Squint(),
        rg.BOA(),
        rg.MLPoly(),
    ]
    votes = rng.integers(0, 2, size=(20, 4))
    votes[:, 1] = 1
    played = {
        type(one).__name__ + repr(one): rg.play(one, votes, np.ones(20, int))
        if one.votes
        else rg.play(one, losses=rng.random((20, 4)))
        for one in rules
    }
    names = {"Hedge", "FixedShare"}  # both play exponential weights
    for run in played.values():
        facts = kind_of(run).facts(run, None)[0]
        for theorem in theorems_about(run.learner):
            for other in rules:
                kinds = {type(other).__name__, type(run.learner).__name__}
                majority = {"Halving", "WeightedMajority"}
                if len(kinds) == 1 or kinds in (names, majority):
                    continue
                wrong = ExpertFacts(other, facts.ledger, facts.expert)
                assert not theorem.judge(wrong).applies, (theorem.name, other)


# The steps of lecture 1: any constant step, and no other.


@dataclass(repr=False)
class Stepping(rg.Perceptron):
    step: Any = rg.Constant(1.0)

    def composition(self, n_weights: int) -> Any:
        return super().composition(n_weights)._replace(step=self.step)


@pytest.mark.parametrize("eta", [1e-3, 1.0, 64.0])
def test_a_constant_step_only_scales_the_perceptron(eta: float, rng) -> None:
    X = rng.normal(size=(300, 5))
    y = np.sign(X @ rng.normal(size=5) + rng.normal(size=300))
    plain = rg.play(rg.Perceptron(), X, y).theorems()
    stepping = Stepping(rg.Constant(eta))
    found = rg.play(stepping, X, y, check=True, u=np.ones(5)).theorems()
    for name in ("data", "norms", "root", "oracle", "agnostic"):
        value = plain[f"perceptron/{name}"].value
        assert found[f"perceptron/{name}"].value == pytest.approx(value, rel=1e-9)
    falling = rg.play(Stepping(rg.InverseSqrt(1.0)), X, y).theorems()
    assert not falling.applying


# Every letter of a statement is defined where it is printed.

ALL = {
    theorem.name: theorem
    for theorems in [*all_theorems(), MIXED_PERCEPTRON, MIXED_OGD]
    for theorem in theorems
}


@pytest.mark.parametrize("name", ALL)
def test_every_letter_is_defined(name: str) -> None:
    theorem = ALL[name]
    known = letters(LEGEND) | WORDS
    for symbol in theorem.symbols:
        known |= letters(symbol.name) | letters(symbol.meaning)
    assert not letters(theorem.statement) - known, theorem.statement


def test_letters_have_their_values(rng) -> None:
    X = rng.normal(size=(100, 3))
    y = np.sign(X @ np.ones(3) + rng.normal(size=100))
    run = rg.play(rg.Perceptron(), X, y)
    verdict = run.theorems(u=[1.0, 2.0, 2.0])["perceptron/root"]
    longest = float(np.linalg.norm(X, axis=1).max())
    hinge = float(np.maximum(0, 1 - y * (X @ [1.0, 2.0, 2.0])).sum())
    assert f"b = R |u| = {3 * longest:,.6g}" in verdict.where
    assert f"c = sum h_t(u) = {hinge:,.6g}" in verdict.where
    assert f"M = mistakes = {run.mistakes}" in str(verdict)


# A true declared constant is accepted, a false one is not.


def table(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, float, float]:
    X = rng.normal(size=(200, 4))
    longest = float(np.linalg.norm(X, axis=1).max())
    return X, np.sign(X @ rng.normal(size=4)), longest, float(np.abs(X).max())


@pytest.mark.parametrize(("share", "applies"), [(1.0, True), (1.3, True), (0.9, False)])
def test_declared_constants(share: float, applies: bool, rng) -> None:
    X, y, longest, largest = table(rng)
    T = 200
    cases = {
        "ogd/lecture": rg.OGD(
            step="theorem", radius=2.0, max_norm=share * longest, horizon=T
        ),
        "ogd/anytime": rg.OGD(step="theorem", radius=2.0, max_norm=share * longest),
        "eg/lecture": rg.EG(step="theorem", max_entry=share * largest, horizon=T),
    }
    for name, learner in cases.items():
        verdict = rg.play(learner, X, y).theorems()[name]
        if applies or name != "ogd/anytime":  # which looks at the gradients alone
            assert verdict.applies == applies, verdict
    lecture = rg.play(cases["ogd/lecture"], X, y).theorems()["ogd/lecture"]
    if applies:
        assert lecture.value == pytest.approx(share * longest * 2.0 * math.sqrt(T))
        assert f"= {share * longest:,.6g}" in lecture.where
    else:
        assert "|x_t| <= X" in lecture.reason
    square = rg.OGD(
        loss=rg.Squared(), step="theorem", radius=2.0, max_norm=share * longest
    )
    verdict = rg.play(square, X, X[:, 0]).theorems()["ogd/square"]
    assert verdict.applies == applies
    if applies:
        reach = 2.0 * share * longest
        assert verdict.value == pytest.approx(8 * reach**2 * math.sqrt(2 * T))


@pytest.mark.parametrize("kind", [rg.NormalizedWinnow, rg.BalancedWinnow])
def test_declared_margins(kind: Any, rng) -> None:
    votes = rng.choice([-1.0, 1.0], size=(400, 15))
    votes = votes[np.abs(votes[:, :5].sum(axis=1)) >= 3]  # margin 3/5 of a panel of 5
    y = np.sign(votes[:, :5].sum(axis=1))
    panel = np.r_[np.ones(5), np.zeros(10)] / 5
    prefix = "normalized-winnow" if kind is rg.NormalizedWinnow else "balanced-winnow"
    for margin, tuned, by_panel in (
        (0.2, True, True),  # what Schapire declares for a panel of 5
        (0.6, True, True),  # what it is here
        (0.1, True, False),  # true, but not enough for 2 k^2 ln N
        (0.7, False, False),
    ):
        found = rg.play(kind.for_margin(margin), votes, y).theorems(u=panel)
        assert found[f"{prefix}/tuned"].applies == tuned
        assert found[f"{prefix}/panel"].applies == by_panel
        assert found[f"{prefix}/margin"].applies == tuned
        if tuned:
            sides = 1 if kind is rg.NormalizedWinnow else 2
            bound = 2 * math.log(15 * sides) / margin**2
            assert found[f"{prefix}/tuned"].value == pytest.approx(bound)
            assert found[f"{prefix}/margin"].value == pytest.approx(bound)


def test_a_margin_of_rows_in_other_units(rng) -> None:
    """The remark of Mansour: |u|_1 X/gamma does not care for units."""
    X = rng.uniform(-4, 4, size=(500, 6))
    u = np.array([2.0, 1.0, 0.0, 0.0, 0.0, 0.0])
    X = X[np.abs(X @ u) >= 3.0]
    y, top = np.sign(X @ u), float(np.abs(X).max())
    gamma = float((y * (X @ u)).min())
    eta = math.atanh(gamma / (3.0 * top)) / top
    run = rg.play(rg.NormalizedWinnow(eta, domain="allow"), X, y)
    verdict = run.theorems(u=u)["normalized-winnow/margin"]
    assert verdict.value == pytest.approx(2 * math.log(6) * (3 * top / gamma) ** 2)


# What the lectures state beyond that.


def test_the_perceptron_on_lifted_rows(rng) -> None:
    from scipy import sparse

    X = (rng.random((300, 12)) < 0.3).astype(float)
    y = np.where(X[:, :3].any(axis=1), 1, -1)
    rows = np.column_stack([2 * X, -np.ones(300)])
    u = np.r_[np.ones(3), np.zeros(9), 1.0]
    bound = (3 + 1) * (4 * X.sum(axis=1).max() + 1)
    for given in (rows, sparse.csr_array(rows)):
        run = rg.play(rg.Perceptron(), given, y)
        assert run.theorems(u=u)["perceptron/disjunction"].value == bound
    for other in (rows * 2, np.column_stack([3 * X, -np.ones(300)]), rows[:, ::-1]):
        run = rg.play(rg.Perceptron(), np.ascontiguousarray(other), y)
        found = run.theorems(u=u)["perceptron/disjunction"]
        assert "rows are others" in found.reason


def test_winnow_of_a_disjunction_that_errs(rng) -> None:
    X = (rng.random((600, 10)) < 0.3).astype(float)
    y = np.where(X[:, :2].any(axis=1), 1, -1)
    y[rng.random(600) < 0.05] *= -1
    run = rg.play(rg.Winnow(), X, y)
    u = np.r_[np.ones(2), np.zeros(8)]
    found = run.theorems(u=u)
    f = np.maximum(0, 1 - y * (2 * X @ u - 1)).sum()
    bound = 2 * (3 * math.log(10) / 0.25 + f)
    assert found["winnow/erring-disjunction"].value == pytest.approx(bound)
    assert not found["winnow/disjunction"].applies
    assert found["winnow/regret"].applies


def test_local_norms_are_summed_by_hand(rng) -> None:
    X = rng.uniform(0, 1, size=(50, 4))
    y = np.sign(X[:, 0] - 0.4)
    run = rg.play(rg.Winnow(), X, y, trace=True)
    moved = run.mistake_rounds
    z = 2.0 * X[moved]
    by_hand = float((run.weight_path[moved] * z * z).sum())
    found = run.theorems(u=np.ones(4))["winnow/regret"].facts.comparison
    assert found.tallies["local"] == pytest.approx(by_hand, rel=1e-12)
    steep = rg.UnnormalizedEG(rg.Squared(), rg.Constant(5.0))
    verdict = rg.play(steep, X[:3], y[:3]).theorems(u=np.ones(4))
    assert "eta |z" in verdict["unnormalized-eg/regret"].reason


def test_the_first_surrogate_is_the_perceptron_bit_for_bit(rng) -> None:
    X = rng.normal(size=(500, 6))
    y = np.sign(X @ rng.normal(size=6) + rng.normal(size=500))
    descent = rg.OGD(loss=rg.Hinge(margin=0.0), step=rg.Constant(1.0))
    one, two = rg.play(rg.Perceptron(), X, y), rg.play(descent, X, y)
    assert np.array_equal(one.weights, two.weights)
    assert one.mistakes == two.mistakes


def test_conservative_weighted_majority_is_normalized_winnow(rng) -> None:
    eta = 0.3
    votes = rng.integers(0, 2, size=(300, 9))
    y = np.where(rng.random(300) < 0.8, votes[:, 2], 1 - votes[:, 2])
    learner = rg.ConservativeWeightedMajority(math.exp(-2 * eta))
    run = rg.play(learner, votes, y, trace=True)
    winnow = rg.play(rg.NormalizedWinnow(eta), 2.0 * votes - 1, 2 * y - 1, trace=True)
    np.testing.assert_allclose(run.weight_path, winnow.weight_path, rtol=1e-9)
    assert run.mistakes == winnow.mistakes


# What is said of them.


def test_ratios_mean_something(rng) -> None:
    run = rg.play(rg.FollowTheLeader(first=0.3), y=[0.3, 0.3, 0.3])
    verdict = run.theorems()["mean/identity"]
    assert verdict.value == 0.0
    assert verdict.ratio is None


def test_the_mean_game_uses_u(rng) -> None:
    y = rng.random(50)
    run = rg.play(rg.FollowTheLeader(), y=y)
    found = run.theorems(u=0.3)
    regret = run.loss - float(((y - 0.3) ** 2).sum())
    assert not found["mean/identity"].applies
    for name in ("mean/be-the-leader", "mean/log"):
        assert found[name].happened == pytest.approx(regret)
    rg.play(rg.FollowTheLeader(), y=y, check=True, u=0.3)
    with pytest.raises(ValueError, match="must be a number"):
        run.theorems(u=[1, 2])


def test_a_bound_for_every_u_needs_none(rng) -> None:
    X, y, longest, _ = table(rng)
    run = rg.play(rg.OGD(step="theorem", radius=2.0, max_norm=longest), X, y)
    alone, found = run.theorems(hindsight=False), run.theorems()
    names = {one.theorem.name for one in alone.applying}
    assert names == {"ogd/anytime-data", "ogd/anytime"}
    for one in alone.applying:
        assert one.happened is None
        assert one.value == pytest.approx(found[one.theorem.name].value)
    perceptron = rg.play(rg.Perceptron(), X, y).theorems(hindsight=False)
    assert not perceptron.applying
    assert {one.theorem.name for one in perceptron.waiting} >= {"perceptron/root"}
