"""The theorems of the experts hold, on random and on adversarial sequences."""

import math

import numpy as np
import pytest

import naive_experts as naive
import regretless as rg

SLACK = 1e-9
SEEDS = range(12)


def losses_for(seed, rounds=300):
    """Random losses in [0, 1] of several kinds, some with sleepers."""
    rng = np.random.default_rng(seed)
    n = int(rng.choice([1, 2, 3, 10, 50]))
    kind = seed % 4
    if kind == 0:
        L = rng.random((rounds, n))
    elif kind == 1:
        L = (rng.random((rounds, n)) < rng.random(n)).astype(float)
    elif kind == 2:  # experts take turns at being good
        L = (np.arange(n) != (np.arange(rounds) // 7 % n)[:, None]).astype(float)
    else:
        L = np.clip(
            rng.normal(0.5, 0.05, (rounds, n)) - 0.1 * (np.arange(n) == 0), 0, 1
        )
    if seed % 3 == 0:
        asleep = rng.random(L.shape) < 0.4
        asleep[np.arange(rounds), rng.integers(0, n, rounds)] = False
        L[asleep] = math.nan
    return L


def alternating(rounds, n):
    """Alternate halves, then all but one lose."""
    return rg.games.AlternatingHalves(n, rounds).take(rounds)["losses"]


def greedy(learner, rounds, n):
    """Each round the heavier half of the experts loses."""
    return rg.games.HeavierHalf(n).take(rounds, learner=learner)["losses"]


@pytest.mark.parametrize("seed", SEEDS)
def test_hedge_of_a_fixed_rate(seed):
    L = losses_for(seed)
    T, n = L.shape
    for eta in (0.01, 0.3, 2.0):
        ledger = rg.play(rg.Hedge(eta=eta), losses=L).ledger
        assert ledger.regrets.max() <= math.log(n) / eta + eta * T / 8 + SLACK
    ledger = rg.play(rg.Hedge(horizon=T), losses=L).ledger
    assert ledger.regrets.max() <= math.sqrt(T * math.log(n) / 2) + SLACK


@pytest.mark.parametrize("seed", SEEDS)
def test_hedge_at_any_time(seed):
    L = losses_for(seed)
    n = L.shape[1]
    for T in (1, 2, 10, len(L)):
        ledger = rg.play(rg.Hedge(), losses=L[:T]).ledger
        assert ledger.regrets.max() <= math.sqrt(T * math.log(n)) + SLACK


def mean_of_powers(losses, eta):
    """-(1/eta) ln((1/N) sum_k exp(-eta L_k))."""
    least = losses.min()
    return least - math.log(np.exp(-eta * (losses - least)).mean()) / eta


@pytest.mark.parametrize("seed", [1, 2, 5, 7, 10])  # no expert sleeps
def test_the_proof_of_hedge_at_any_time(seed):
    """Every step of it: Hoeffding, the falling rate, the sum, the closed form."""
    L = losses_for(seed)
    T, n = L.shape
    eta = 2.0 * np.sqrt(max(math.log(n), 1e-9) / np.arange(1, T + 1))
    run = rg.play(rg.Hedge(), losses=L, trace=True)
    so_far, mixed = np.zeros(n), 0.0
    for t in range(T):
        before = mean_of_powers(so_far, eta[t])
        weights = np.exp(-eta[t] * (so_far - so_far.min()))
        so_far = so_far + L[t]
        mix = mean_of_powers(so_far, eta[t]) - before
        assert run.losses[t] == pytest.approx(weights @ L[t] / weights.sum())
        assert run.losses[t] <= mix + eta[t] / 8 + SLACK
        mixed += mix
        assert mixed <= mean_of_powers(so_far, eta[t]) + SLACK
        assert mixed <= so_far.min() + math.log(n) / eta[t] + SLACK
    assert math.log(n) / eta[-1] + eta.sum() / 8 <= math.sqrt(T * math.log(n)) + SLACK


@pytest.mark.parametrize("n", [2, 7, 64])
def test_hedge_against_adversaries(n):
    T = 400
    for L in (alternating(T, n), greedy(rg.Hedge(), T, n)):
        assert rg.play(rg.Hedge(), losses=L).ledger.regret <= math.sqrt(T * math.log(n))
        tuned = rg.play(rg.Hedge(horizon=T), losses=L).ledger
        assert tuned.regret <= math.sqrt(T * math.log(n) / 2)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("seed", SEEDS)
def test_adahedge(seed, scale):
    L = losses_for(seed) * scale - 3 * scale
    n = L.shape[1]
    ledger = rg.play(rg.AdaHedge(), losses=L).ledger
    regret = ledger.regrets.max()
    assert regret <= 2 * ledger.mixability_gap + SLACK * scale
    s = ledger.max_range
    root = math.sqrt(ledger.sum_squared_ranges * math.log(n))
    assert regret <= root + s * (4 / 3 * math.log(n) + 2) + SLACK * scale


@pytest.mark.parametrize("n", [2, 9])
def test_adahedge_against_adversaries(n):
    for L in (alternating(300, n), greedy(rg.AdaHedge(), 300, n)):
        ledger = rg.play(rg.AdaHedge(), losses=L).ledger
        assert ledger.regret <= 2 * ledger.mixability_gap + SLACK


SECOND_ORDER = [rg.SafeBOA(), rg.MLPoly()]


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("learner", SECOND_ORDER, ids=repr)
def test_second_order_rules(learner, seed, scale):
    L = losses_for(seed) * scale - 3 * scale
    for T in (1, 2, 10, len(L)):
        ledger = rg.play(learner, losses=L[:T]).ledger
        assert (ledger.regrets <= ledger.regret_bounds + SLACK * scale).all()


@pytest.mark.parametrize("n", [2, 9])
@pytest.mark.parametrize("learner", SECOND_ORDER, ids=repr)
def test_second_order_rules_against_adversaries(learner, n):
    for L in (alternating(300, n), greedy(learner, 300, n)):
        run = rg.play(learner, losses=L)
        assert (run.ledger.regrets <= run.ledger.regret_bounds + SLACK).all()
        assert 0 < run.theorems().applying[0].ratio <= 1
        assert run.ledger.regret_bounds.max() <= 5 * math.sqrt(300 * n * math.log(300))


@pytest.mark.parametrize("learner", SECOND_ORDER, ids=repr)
def test_second_order_bounds_survive_a_search(learner):
    # Climb towards the bound from random starts, with gaps that grow without end.
    rng = np.random.default_rng(0)
    worst = 0.0
    for _ in range(30):
        n, T = int(rng.integers(2, 5)), int(rng.integers(2, 25))
        L = rng.choice([0.0, 1.0], (T, n)) * 10.0 ** rng.uniform(-1, 1, (T, 1))
        best = -math.inf
        for _ in range(60):
            M = L.copy()
            M[rng.integers(T), rng.integers(n)] *= rng.normal() * 3
            ledger = rg.play(learner, losses=M).ledger
            bounds = np.maximum(ledger.regret_bounds, 1e-300)
            ratio = float((ledger.regrets / bounds).max())
            if ratio >= best:
                best, L = ratio, M
        worst = max(worst, best)
    assert 0.1 < worst <= 1 + SLACK


@pytest.mark.parametrize("seed", SEEDS)
def test_fixed_share(seed):
    L = np.nan_to_num(losses_for(seed, rounds=120), nan=0.5)
    T, n = L.shape
    for eta, share in ((0.5, 0.02), (1.0, 0.2)):
        loss = rg.play(rg.FixedShare(eta, share), losses=L).loss
        for m, best in enumerate(naive.best_sequence(L, 20)):
            logs = (m + 1) * math.log(n) + m * math.log(1 / share)
            logs += (T - 1 - m) * math.log(1 / (1 - share))
            assert loss - best <= logs / eta + eta * T / 8 + SLACK


@pytest.mark.parametrize("seed", SEEDS)
def test_squint(seed):
    L = losses_for(seed)
    n = L.shape[1]
    ledger = rg.play(rg.Squint(), losses=L).ledger
    for i, pi in enumerate(naive.squint_prior(), 1):
        eta = 2.0**-i
        bound = eta * ledger.squared_gaps + math.log(n / pi) / eta
        assert (ledger.regrets <= bound + SLACK).all()


def test_squint_against_a_greedy_adversary():
    L = greedy(rg.Squint(), 300, 6)
    ledger = rg.play(rg.Squint(), losses=L).ledger
    etas = 2.0 ** -np.arange(1, 21)
    logs = np.log(6 / naive.squint_prior())
    bound = (np.outer(ledger.squared_gaps, etas) + logs / etas).min(axis=1)
    assert (ledger.regrets <= bound).all()


# Votes.


@pytest.mark.parametrize("n", [1, 2, 3, 8, 13, 64, 100])
def test_halving_meets_its_bound_exactly(n):
    learner = rg.Halving()
    alive = np.arange(n)
    mistakes = 0
    while len(alive) > 1:
        row = np.zeros(n)
        row[alive[: len(alive) // 2]] = 1.0  # the smaller half votes 1
        y = 1 - learner.predict_one(row)
        if n_right := int((row[alive] == y).sum()):
            learner.learn_one(row, y)
            alive = alive[row[alive] == y]
            assert len(alive) == n_right
            mistakes += 1
    floor = int(math.log2(n))
    assert mistakes <= floor
    assert learner.live.rounds == mistakes
    if n > 1:
        assert learner.ledger.mistakes == mistakes
        assert n != 2**floor or mistakes == floor


@pytest.mark.parametrize("n", [2, 3, 8, 13, 64, 100])
def test_a_splitting_adversary_forces_the_floor_of_log2(n):
    floor = int(math.log2(n))
    data = rg.games.Splitting(n).take(floor, learner=rg.Halving())
    assert rg.play(rg.Halving(), **data).mistakes == floor


def ballots_for(seed, rounds=200):
    rng = np.random.default_rng(seed)
    n = int(rng.choice([2, 5, 30]))
    y = rng.integers(0, 2, rounds)
    right = rng.random((rounds, n)) < rng.random(n) * 0.5 + 0.5
    votes = np.where(right, y[:, None], 1 - y[:, None]).astype(float)
    if seed % 2:
        asleep = rng.random(votes.shape) < 0.5
        asleep[np.arange(rounds), rng.integers(0, n, rounds)] = False
        votes[asleep] = math.nan
    return votes, y


@pytest.mark.parametrize("beta", [0.05, 0.5, 0.9, 0.999])
@pytest.mark.parametrize("seed", SEEDS)
def test_weighted_majority(seed, beta):
    votes, y = ballots_for(seed)
    ledger = rg.play(rg.WeightedMajority(beta), votes, y).ledger
    n = votes.shape[1]
    bound = math.log(n) + ledger.expert_losses * math.log(1 / beta)
    bound /= math.log(2 / (1 + beta))
    assert (ledger.learner_losses <= bound + SLACK).all()


@pytest.mark.parametrize("beta", [0.05, 0.5, 0.9])
@pytest.mark.parametrize("seed", SEEDS)
def test_randomized_weighted_majority(seed, beta):
    votes, y = ballots_for(seed)
    ledger = rg.play(rg.RandomizedWeightedMajority(beta, seed), votes, y).ledger
    n = votes.shape[1]
    bound = (ledger.expert_losses * math.log(1 / beta) + math.log(n)) / (1 - beta)
    assert (ledger.learner_losses <= bound + SLACK).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_halving_with_sleepers(seed):
    votes, y = ballots_for(2 * seed + 1)
    n = votes.shape[1]
    votes[:, 0] = np.where(np.isnan(votes[:, 0]), math.nan, y)
    votes[np.isnan(votes).all(axis=1), 1] = 1.0
    ledger = rg.play(rg.Halving(), votes, y).ledger
    assert ledger.expert_losses[0] == 0
    assert ledger.learner_losses[0] <= math.log2(n) + SLACK


@pytest.mark.parametrize("beta", [0.3, 0.5])
def test_weighted_majority_against_an_adversary(beta):
    # Answer against the vote, with experts split by weight, for as long as we like.
    learner = rg.WeightedMajority(beta)
    rng = np.random.default_rng(0)
    for _ in range(60):
        row = rng.integers(0, 2, 9).astype(float)
        row[int(rng.integers(0, 9))] = 1.0
        learner.learn_one(row, 1 - learner.predict_one(row))
    ledger = learner.ledger
    assert ledger.mistakes == 60
    bound = math.log(9) + ledger.expert_losses.min() * math.log(1 / beta)
    assert ledger.mistakes <= bound / math.log(2 / (1 + beta))


def test_sampled_mistakes_average_to_their_probabilities():
    votes, y = ballots_for(0)
    sampled = [
        rg.play(rg.RandomizedWeightedMajority(0.5, seed), votes, y).mistakes
        for seed in range(200)
    ]
    expected = rg.play(rg.RandomizedWeightedMajority(0.5), votes, y).loss
    assert np.mean(sampled) == pytest.approx(
        expected, abs=4 * np.sqrt(len(y) / 4 / 200)
    )


# The mean game.


@pytest.mark.parametrize("seed", SEEDS)
def test_the_identity_of_the_mean_game(seed):
    rng = np.random.default_rng(seed)
    T = int(rng.choice([1, 2, 50, 5000]))
    y = [rng.random(T), (rng.random(T) < 0.3) * 1.0, np.arange(T) % 2.0][seed % 3]
    ledger = rg.play(rg.FollowTheLeader(first=rng.random()), y=y).ledger
    hindsight = ledger.sum_squared_labels - ledger.sum_labels**2 / T
    assert ledger.loss - hindsight == pytest.approx(ledger.harmonic_loss, abs=1e-9)
    assert ledger.regret == pytest.approx(ledger.harmonic_loss, abs=1e-10)
    assert ledger.best_loss == pytest.approx(((y - y.mean()) ** 2).sum(), abs=1e-10)
    assert ledger.harmonic_loss <= 1 + math.log(T) + SLACK
    # The lemma: be the leader.
    assert ledger.regret <= ledger.loss - ledger.leader_loss + SLACK


def test_the_mean_game_against_an_adversary():
    data = rg.games.Farthest().take(2000, learner=rg.FollowTheLeader())
    regret = rg.play(rg.FollowTheLeader(), **data).ledger.harmonic_loss
    assert 0.2 * math.log(2000) <= regret <= 1 + math.log(2000)


def test_the_mean_stays_exact_far_from_zero():
    y = 1e8 + np.random.default_rng(0).random(100_000)
    run = rg.play(rg.FollowTheLeader(0, 2e8), y=y)
    assert run.weights[0] == pytest.approx(math.fsum(y) / len(y), rel=1e-15)
    assert run.ledger.sum_labels == pytest.approx(math.fsum(y), rel=1e-16)
