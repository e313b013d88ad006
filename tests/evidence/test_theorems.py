"""No theorem is ever violated, the exact ones are met exactly, and lies are noticed."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import Any

import numpy as np
import pytest

import regretless as rg
from games import STYLES, make_game
from learners import CASES, FORESEEN_CASES, SCALED_CASES, Case
from regretless.evidence.theorems import TheoremViolated, theorems_about
from regretless.parts.reprs import number

GAMES = 40  # for each learner; each is judged against three comparators
# Learners (or steps) that nothing is proved about in general: their theorems need data
# with a margin, or constants that these games do not declare.
UNPROVED = (rg.NormalizedWinnow, rg.BalancedWinnow, rg.EG, rg.OGD)


def comparators(case: Case, d: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Three weight vectors of the class that a learner competes with."""
    found: list[np.ndarray] = []
    for size in (0.1, 1.0, 10.0):
        u = size * rng.normal(size=d)
        learner: Any = case.learner
        if isinstance(learner, rg.Winnow | rg.NormalizedWinnow | rg.UnnormalizedEG):
            u = np.abs(u)
        if isinstance(learner, rg.EG):
            u = np.abs(u) if not learner.signed else u
            u *= learner.radius / np.abs(u).sum()
        radius = getattr(learner, "radius", None) or getattr(
            getattr(learner, "domain", None), "radius", None
        )
        if isinstance(learner, rg.OGD) and radius is not None:
            u *= min(1.0, radius / np.linalg.norm(u))
        if isinstance(learner, rg.OGD) and isinstance(learner.domain, rg.Simplex):
            u = np.abs(u) * learner.domain.radius / np.abs(u).sum()
        domain = learner.composition(d).domain
        if isinstance(domain, rg.Box):
            u = np.clip(u, domain.low, domain.high)
        found.append(u)
    return found


@pytest.mark.parametrize(
    "case", CASES + SCALED_CASES + FORESEEN_CASES, ids=lambda case: repr(case.learner)
)
def test_no_bound_is_ever_violated(case: Case) -> None:
    rng = np.random.default_rng(7)
    applied = 0
    for seed in range(GAMES):
        style = STYLES[seed % len(STYLES)]
        game = make_game(case, seed, n=5 + seed, d=2 + seed % 7, style=style)
        run = rg.play(case.learner, game.X, game.y)
        for u in comparators(case, game.X.shape[1], rng):
            found = run.theorems(u=u)  # raises where one is violated
            assert len(found) == len(theorems_about(case.learner))
            applied += len(found.applying)
    proved = not isinstance(case.learner, UNPROVED)
    if isinstance(case.learner, rg.Winnow):
        proved = case.learner.threshold == 0.5
    assert applied > 0 or not proved


def separable(rng: np.random.Generator, n: int, d: int) -> tuple[np.ndarray, Any, Any]:
    X = rng.normal(size=(n, d))
    u = rng.normal(size=d)
    return X, np.sign(X @ u), u


def test_best_in_hindsight_makes_bounds_tighter_than_a_random_u(rng) -> None:
    X, y, _ = separable(rng, 400, 5)
    run = rg.play(rg.Perceptron(), X, y)
    best = run.theorems()
    for _ in range(5):
        other = run.theorems(u=rng.normal(size=5))
        for name in ("perceptron/root", "perceptron/oracle", "perceptron/agnostic"):
            assert best[name].value <= other[name].value * (1 + 1e-2)


def test_separable_data_get_nearly_the_largest_margin(rng) -> None:
    X, _, u = separable(rng, 800, 6)
    score = X @ u
    X, y = X[abs(score) > 0.4], np.sign(score[abs(score) > 0.4])
    run = rg.play(rg.Perceptron(), X, y)
    name = "perceptron/separable"
    assert run.theorems()[name].value <= run.theorems(u=u)[name].value * 1.01


def test_data_forms_are_taken_at_the_comparator_of_the_root(rng) -> None:
    X, y, _ = separable(rng, 400, 5)
    found = rg.play(rg.Perceptron(), X, y).theorems()
    assert found["perceptron/data"].facts.norm == found["perceptron/root"].facts.norm


def test_a_switching_comparator_is_for_fixed_share_only(rng) -> None:
    losses = rng.random((200, 4))
    best = losses.argmin(axis=1)
    for learner in (rg.Hedge(), rg.AdaHedge(), rg.Squint()):
        found = rg.play(learner, losses=losses).theorems(u=best)
        assert not found.applying
        assert any("one expert" in verdict.reason for verdict in found)


def test_what_cannot_be_solved_is_listed_not_raised(rng) -> None:
    X, y, _ = separable(rng, 60, 3)
    found = rg.play(rg.OGD(loss=rg.ZeroOne()), X, y).theorems()
    assert not found.applying
    assert "ZeroOne is not convex" in found.verdicts[0].reason
    run = rg.play(rg.OGD(domain=rg.Box(-1, 1)), X, y)
    with pytest.raises(ValueError, match="the best u in a Box is not solved for"):
        run.hindsight()
    verdict = run.theorems()["ogd/data"]  # a good u in the box is enough for a theorem
    assert verdict.applies
    assert "cut to the box" in verdict.facts.problem


def test_data_that_changed_are_noticed(rng) -> None:
    X, y, u = separable(rng, 200, 3)
    run = rg.play(rg.Perceptron(), X, y)
    X *= -rng.random(X.shape)
    with pytest.raises(ValueError, match="have changed"):
        run.theorems(u=u)


def test_comparators_by_name() -> None:
    events = [({"a": 1.0}, 1), ({"b": 1.0}, -1)]
    run = rg.play(rg.Perceptron(), events)
    found = run.theorems(u={"a": 1.0, "b": -1.0})["perceptron/separable"]
    assert found.value == pytest.approx(2.0)
    with pytest.raises(ValueError, match="'c'"):
        run.theorems(u={"c": 1.0})


def test_unit_vectors_meet_the_perceptron_bound_exactly() -> None:
    d = 12
    run = rg.play(rg.Perceptron(), np.eye(d), np.ones(d))
    verdict = run.theorems(u=np.ones(d))["perceptron/separable"]
    assert verdict.happened == d
    assert verdict.value == pytest.approx(d, rel=1e-9)
    data = run.theorems(u=np.ones(d))["perceptron/data"]
    assert data.ratio == pytest.approx(1.0, abs=1e-9)


def test_orthogonal_gradients_meet_the_ogd_bound_exactly() -> None:
    # Unit gradients, each orthogonal to their sum: |w|^2 grows by eta^2 a round, and
    # u = w makes the bound an equality (linear losses: labels far beyond every score).
    d, eta = 9, 0.1
    X = np.eye(d)
    run = rg.play(rg.OGD(loss=rg.Absolute(), step=rg.Constant(eta)), X, np.full(d, 1e3))
    verdict = run.theorems(u=run.weights)["ogd/data"]
    assert verdict.ratio == pytest.approx(1.0, abs=1e-9)


def test_strongly_convex_data_form_is_met_exactly(rng) -> None:
    # (w - z)^2 is 2-strongly convex: with steps 1/(2t) the regret is sum g^2/(4t).
    z = rng.normal(size=200)
    run = rg.play(
        rg.OGD(loss=rg.Squared(), step=rg.InverseTime(2.0)), np.ones((200, 1)), z
    )
    regret = run.loss - ((z - z.mean()) ** 2).sum()
    assert run.ledger.sum_rated_gradients / 2 == pytest.approx(regret, rel=1e-9)


def test_mean_identity_is_met_exactly(rng) -> None:
    run = rg.play(rg.FollowTheLeader(), y=rng.random(500))
    assert run.theorems()["mean/identity"].ratio == pytest.approx(1.0, abs=1e-9)


def test_splitting_adversary_meets_halving_exactly() -> None:
    data = rg.games.Splitting(experts=64).take(6, learner=rg.Halving())
    verdict = rg.play(rg.Halving(), **data).theorems()["halving"]
    assert verdict.happened == verdict.value == 6


def test_the_lecture_steps_make_the_lecture_theorems_apply(rng) -> None:
    X, y, _ = separable(rng, 300, 4)
    longest = float(np.linalg.norm(X, axis=1).max())
    fixed = rg.OGD(step="theorem", radius=2.0, max_norm=longest, horizon=300)
    assert rg.play(fixed, X, y).theorems()["ogd/lecture"].applies
    anytime = rg.OGD(step="theorem", radius=2.0, max_norm=longest)
    assert rg.play(anytime, X, y).theorems()["ogd/anytime"].applies
    square = rg.OGD(loss=rg.Squared(), step="theorem", radius=2.0, max_norm=longest)
    assert rg.play(square, X, X[:, 0]).theorems()["ogd/square"].applies
    largest = float(np.abs(X).max())
    for signed in (False, True):
        eg = rg.EG(step="theorem", max_entry=largest, horizon=300, signed=signed)
        assert rg.play(eg, X, y).theorems()["eg/lecture"].applies


def test_a_wrong_horizon_is_measured_not_believed(rng) -> None:
    X, y, _ = separable(rng, 300, 4)
    longest = float(np.linalg.norm(X, axis=1).max())
    learner = rg.OGD(step="theorem", radius=2.0, max_norm=longest, horizon=100)
    verdict = rg.play(learner, X, y).theorems()["ogd/lecture"]
    assert not verdict.applies
    assert "horizon = 100, m = 300" in verdict.reason


def test_features_out_of_range_switch_the_theorem_off(rng) -> None:
    X = rng.uniform(0, 3, size=(50, 4))
    y = np.where(X[:, 0] > 1.5, 1, -1)
    run = rg.play(rg.Winnow(domain="allow"), X, y)
    verdict = run.theorems(u=np.ones(4))["winnow/agnostic"]
    assert not verdict.applies
    assert "x in [0, 1]^d" in verdict.reason


def test_a_disjunction_is_found_and_its_theorem_applies(rng) -> None:
    X = (rng.random((500, 20)) < 0.2).astype(float)
    y = np.where(X[:, :3].any(axis=1), 1, -1)
    found = rg.play(rg.Winnow(), X, y).theorems()
    assert found["winnow/disjunction"].applies
    assert found["winnow/disjunction"].value == pytest.approx(
        8 * (1 + 3 * (math.log(20) - 1))
    )


def test_the_panel_of_schapire(rng) -> None:
    votes = rng.choice([-1.0, 1.0], size=(800, 21))
    y = np.sign(votes[:, :3].sum(axis=1))
    panel = np.r_[np.ones(3), np.zeros(18)]
    perceptron = rg.play(rg.Perceptron(), votes, y).theorems(u=panel)
    assert perceptron["perceptron/panel"].value == 63
    winnow = rg.play(rg.NormalizedWinnow.for_margin(1 / 3), votes, y).theorems(u=panel)
    assert winnow["normalized-winnow/panel"].value == pytest.approx(18 * math.log(21))


def test_a_violated_theorem_is_loud(rng) -> None:
    X, y, u = separable(rng, 60, 3)
    run = rg.play(rg.Perceptron(), X, y)
    lie = dataclasses.replace(
        run, ledger=dataclasses.replace(run.ledger, mistakes=10**6)
    )
    with pytest.raises(TheoremViolated, match=r"perceptron/data .* after round 60"):
        lie.theorems(u=u)
    with pytest.raises(TheoremViolated, match="declared constant"):
        lie.theorems(u=u)


@pytest.mark.parametrize(
    "learner",
    [
        rg.OGD(radius=1.5),
        rg.OGD(),
        rg.Perceptron(),
        rg.Pegasos(0.1),
        rg.EG(radius=2.0),
        rg.EG(signed=True),
    ],
    ids=repr,
)
def test_regret_is_an_interval_around_the_truth(learner: Any, rng) -> None:
    X, y, _ = separable(rng, 80, 3)
    run = rg.play(learner, X, y)
    regret = run.regret()
    assert regret.low <= regret.high
    for _ in range(200):  # nobody in the class beats the upper end
        u = rng.normal(size=3)
        if isinstance(learner, rg.EG):
            u = u if learner.signed else np.abs(u)
            u *= learner.radius / np.abs(u).sum()
        elif isinstance(learner, rg.OGD) and learner.radius is not None:
            u *= 1.5 * rng.random() / np.linalg.norm(u)
        assert float(run.regret(u)) <= regret.high + 1e-9


def test_without_hindsight_nothing_is_solved(rng) -> None:
    X, y, _ = separable(rng, 60, 3)
    run = rg.play(rg.Perceptron(), iter(list(zip(X, y, strict=True))))
    found = run.theorems(hindsight=False)
    assert not found.applying
    assert all("comparator" in verdict.reason for verdict in found.waiting)
    assert "perceptron/root" in {verdict.theorem.name for verdict in found.waiting}
    assert all("keep=True" in verdict.reason for verdict in run.theorems().waiting)
    with pytest.raises(ValueError, match="keep=True"):
        run.hindsight()
    kept = rg.play(rg.Perceptron(), iter(list(zip(X, y, strict=True))), keep=True)
    assert kept.theorems()["perceptron/root"].applies


def test_bias_is_one_of_the_weights(rng) -> None:
    X, y, u = separable(rng, 200, 3)
    y = np.where(X @ u + 0.5 > 0, 1, -1)
    run = rg.play(rg.Perceptron(bias=True), X, y)
    verdict = run.theorems(u=np.r_[0.5, u])["perceptron/separable"]
    assert verdict.applies
    assert run.theorems()["perceptron/root"].applies


def test_results_are_plain_data_and_readable(rng) -> None:
    X, y, u = separable(rng, 60, 3)
    found = rg.play(rg.Perceptron(), X, y).theorems(u=u)
    assert json.loads(json.dumps(found.as_dicts()))[0]["name"] == "perceptron/data"
    assert "perceptron/root" in str(found)
    assert "Cesa-Bianchi" in found._repr_html_()
    with pytest.raises(KeyError, match="did you mean 'perceptron/root'"):
        found["perceptron/rot"]


@pytest.mark.parametrize(
    ("u", "message"),
    [
        ([1.0, 2.0], "u must be 3 numbers"),
        ([1.0, math.nan, 0.0], r"u\[1\] = nan"),
        ([[1.0, 2.0, 3.0]], "shape"),
    ],
)
def test_bad_comparators_are_refused(u: Any, message: str, rng) -> None:
    X, y, _ = separable(rng, 60, 3)
    run = rg.play(rg.Perceptron(), X, y)
    for ask in (run.theorems, run.regret):
        with pytest.raises(ValueError, match=message):
            ask(u=u)


def test_a_loss_that_is_not_convex_has_no_hindsight(rng) -> None:
    X, y, _ = separable(rng, 60, 3)
    with pytest.raises(ValueError, match="not convex"):
        rg.play(rg.OGD(loss=rg.ZeroOne()), X, y).hindsight()


def test_experts_against_one_another_and_sequences(rng) -> None:
    losses = rng.random((200, 4))
    run = rg.play(rg.FixedShare(0.2, 0.02), losses=losses)
    best = run.hindsight(switches=2)
    verdict = run.theorems(u=best.path)["fixed-share"]
    assert verdict.applies
    assert verdict.happened == pytest.approx(run.loss - best.loss)
    for expert in range(4):
        assert float(run.regret(expert)) == pytest.approx(
            run.loss - losses[:, expert].sum()
        )
    with pytest.raises(ValueError, match="from 0 to 3"):
        run.theorems(u=4)
    with pytest.raises(ValueError, match="one expert for each"):
        run.theorems(u=[0, 1])


def test_sums_that_overflowed_are_printed_too() -> None:
    found = [number(one) for one in (np.inf, -np.inf, np.nan, 1e300, 12.0, None)]
    assert found == ["inf", "-inf", "nan", "1e+300", "12", ""]
