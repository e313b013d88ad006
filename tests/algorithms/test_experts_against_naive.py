"""Every learner of experts does what its slow, obvious version does."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import naive_experts as naive
import regretless as rg

ROUNDS = st.integers(1, 12)
EXPERTS = st.integers(1, 6)
LOSS = st.integers(0, 8).map(lambda k: k / 8)
ASLEEP_OR_LOSS = st.one_of(st.just(math.nan), LOSS, LOSS)


@st.composite
def tables(draw, entries=ASLEEP_OR_LOSS):
    """Rows in which somebody is awake."""
    table = draw(arrays(float, (draw(ROUNDS), draw(EXPERTS)), elements=entries))
    for row in table:
        if np.isnan(row).all():
            row[draw(st.integers(0, row.size - 1))] = draw(st.sampled_from([0.0, 1.0]))
    return table


@st.composite
def ballots(draw):
    """Votes with sleepers, and outcomes."""
    votes = draw(tables(st.sampled_from([0.0, 1.0, 0.0, 1.0, math.nan])))
    outcomes = draw(
        st.lists(st.integers(0, 1), min_size=len(votes), max_size=len(votes))
    )
    return votes, outcomes


def check(run, paid, path):
    np.testing.assert_allclose(run.losses, paid, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(run.weight_path, path, rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(run.weights, path[-1], rtol=1e-8, atol=1e-12)
    assert run.loss == pytest.approx(paid.sum(), rel=1e-9, abs=1e-12)


@given(tables(), st.sampled_from([0.1, 1.0, 7.0]))
def test_hedge_fixed(L, eta):
    run = rg.play(rg.Hedge(eta=eta), losses=L, trace=True)
    check(run, *naive.hedge(L, lambda t: eta))


@given(tables())
def test_hedge_anytime(L):
    n = L.shape[1]
    run = rg.play(rg.Hedge(), losses=L, trace=True)
    check(run, *naive.hedge(L, lambda t: 2 * math.sqrt(math.log(n) / t)))


@given(tables(), st.integers(1, 100))
def test_hedge_horizon(L, horizon):
    n = L.shape[1]
    run = rg.play(rg.Hedge(horizon=horizon), losses=L, trace=True)
    check(run, *naive.hedge(L, lambda t: math.sqrt(8 * math.log(n) / horizon)))


@given(tables())
def test_adahedge(L):
    # Losses in eighths, and nobody asleep, make ties of leaders exact on both sides.
    L = np.nan_to_num(L, nan=0.5)
    run = rg.play(rg.AdaHedge(), losses=L, trace=True)
    paid, path, delta = naive.adahedge(L)
    check(run, paid, path)
    assert run.ledger.mixability_gap == pytest.approx(delta, rel=1e-8, abs=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_adahedge_with_sleepers(seed):
    rng = np.random.default_rng(seed)
    L = rng.normal(size=(40, 5)) * 10.0 ** rng.integers(-3, 4)
    L[rng.random(L.shape) < 0.3] = math.nan
    L[np.isnan(L).all(axis=1), 0] = 1.0
    run = rg.play(rg.AdaHedge(), losses=L, trace=True)
    paid, path, delta = naive.adahedge(L)
    check(run, paid, path)
    assert run.ledger.mixability_gap == pytest.approx(delta, rel=1e-8)


@given(tables(), st.sampled_from([0.3, 2.0]), st.sampled_from([0.01, 0.5, 1.0]))
def test_fixed_share(L, eta, share):
    run = rg.play(rg.FixedShare(eta, share), losses=L, trace=True)
    check(run, *naive.fixed_share(L, eta, share))


@given(tables())
def test_fixed_share_of_nothing_is_hedge(L):
    a = rg.play(rg.FixedShare(0.7, 0), losses=L)
    b = rg.play(rg.Hedge(eta=0.7), losses=L)
    assert a.ledger == b.ledger
    assert (a.weights == b.weights).all()


@given(tables())
def test_squint(L):
    run = rg.play(rg.Squint(), losses=L, trace=True)
    paid, path, R, V = naive.squint(L)
    check(run, paid, path)
    np.testing.assert_allclose(run.ledger.regrets, R, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(run.ledger.squared_gaps, V, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize(
    ("learner", "slow"),
    [
        (rg.MLPoly(), naive.ml_poly),
        (rg.SafeBOA(), naive.safe_boa),
        (rg.BOA(), naive.boa),
    ],
    ids=["MLPoly", "SafeBOA", "BOA"],
)
def test_second_order_rules(learner, slow, seed):
    # Real losses: where a regret is 0 up to rounding, either side may be positive.
    rng = np.random.default_rng(seed)
    n = int(rng.choice([1, 2, 5, 600]))
    L = rng.normal(size=(40, n)) * 10.0 ** rng.integers(-3, 4)
    L[20] *= rng.choice([1.0, 30.0])
    if seed % 2:
        L[rng.random(L.shape) < 0.3] = math.nan
        L[np.isnan(L).all(axis=1), 0] = 1.0
    run = rg.play(learner, losses=L, trace=True)
    paid, path, bounds = slow(L)
    check(run, paid, path)
    if bounds is None:
        assert run.ledger.regret_bounds is None
        return
    np.testing.assert_allclose(run.ledger.regret_bounds, bounds, rtol=1e-8, atol=1e-12)


@given(tables(st.sampled_from([0.0, 1.0])), st.data())
def test_halving(votes, data):
    perfect = data.draw(st.integers(0, votes.shape[1] - 1))
    outcomes = votes[:, perfect]
    run = rg.play(rg.Halving(), votes, outcomes, trace=True)
    predictions, alive = naive.halving(votes, outcomes)
    assert (
        run.mistake_rounds.tolist() == np.flatnonzero(predictions != outcomes).tolist()
    )
    assert set(np.flatnonzero(run.weights)) == alive
    assert len(set(run.weights[run.weights > 0])) == 1


@given(ballots(), st.sampled_from([0.3, 0.5, 0.9]))
def test_weighted_majority(ballot, beta):
    votes, outcomes = ballot
    run = rg.play(rg.WeightedMajority(beta), votes, outcomes, trace=True)
    scores, _, path = naive.majority(votes, outcomes, beta)
    np.testing.assert_allclose(run.scores, scores, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(run.weight_path, path, rtol=1e-8, atol=1e-12)
    clear = np.abs(scores - 0.5) > 1e-9
    mistaken = (scores > 0.5) != (np.array(outcomes) == 1)
    assert (run.losses[clear] == mistaken[clear]).all()
    assert run.loss == run.mistakes == run.mistake_rounds.size


@given(ballots(), st.sampled_from([0.0, 0.5, 0.9]), st.integers(0, 2**63 - 1))
def test_randomized_weighted_majority(ballot, beta, seed):
    votes, outcomes = ballot
    if beta == 0.0:
        votes[:, 0] = outcomes
    learner = rg.RandomizedWeightedMajority(beta, seed)
    run = rg.play(learner, votes, outcomes, trace=True)
    scores, wrong, path = naive.majority(votes, outcomes, beta)
    np.testing.assert_allclose(run.scores, scores, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(run.losses, wrong, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(run.weight_path, path, rtol=1e-8, atol=1e-12)
    coins = np.array([naive.coin(seed, t) for t in range(len(votes))])
    guesses = coins < run.scores
    assert run.mistake_rounds.tolist() == np.flatnonzero(guesses != outcomes).tolist()


@given(ballots(), st.sampled_from([0.05, 0.3, 1.0]))
def test_conservative_majority_is_normalized_winnow(ballot, eta):
    votes, outcomes = ballot
    signs = np.where(np.nan_to_num(votes) > 0, 1.0, -1.0)
    y = np.where(np.array(outcomes) > 0, 1.0, -1.0)
    mistakes, path = naive.conservative_majority(signs, y, math.exp(-2 * eta))
    run = rg.play(rg.NormalizedWinnow(eta), signs, y, trace=True)
    clear = np.abs([w @ x for w, x in zip(path, signs, strict=False)]) > 1e-9
    if clear.all():  # a tie up to rounding may go either way
        assert run.mistake_rounds.tolist() == np.flatnonzero(mistakes).tolist()
        np.testing.assert_allclose(run.weight_path, path, rtol=1e-9, atol=1e-12)


@given(tables(), st.sampled_from([rg.Absolute(), rg.Squared(), rg.Pinball(0.3)]))
def test_predictions_are_losses_of_predictions(P, loss):
    y = np.linspace(0, 1, len(P))
    L = np.array(
        [[rg.value(loss, p, o) for p in row] for row, o in zip(P, y, strict=True)]
    )
    a = rg.play(rg.Hedge(), P, y, loss=loss, trace=True)
    b = rg.play(rg.Hedge(), losses=L, trace=True)
    np.testing.assert_allclose(a.losses, b.losses, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(a.weights, b.weights, rtol=1e-9, atol=1e-15)
    W = np.where(np.isnan(P), 0.0, a.weight_path[:-1])
    mean = (W * np.nan_to_num(P)).sum(axis=1) / W.sum(axis=1)
    np.testing.assert_allclose(a.scores, mean, rtol=1e-9, atol=1e-12)
    paid = [rg.value(loss, p, o) for p, o in zip(mean, y, strict=True)]
    assert a.ledger.mean_loss == pytest.approx(sum(paid), rel=1e-9, abs=1e-12)
    assert a.ledger.mean_loss <= a.loss + 1e-12
    assert b.ledger.mean_loss is None


@given(st.lists(st.floats(-3, 5), min_size=1, max_size=40))
def test_follow_the_leader(values):
    run = rg.play(rg.FollowTheLeader(-3, 5), y=values, trace=True)
    x = naive.follow_the_leader(values, 1.0)
    np.testing.assert_allclose(run.scores, x, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(run.losses, (np.array(x) - values) ** 2, atol=1e-12)
    assert run.weight_path[:, 0] == pytest.approx([*x, np.mean(values)], abs=1e-12)
