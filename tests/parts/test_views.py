"""Views: causal, learned from accepted rows only, honest in the models they give."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy import sparse

import regretless as rg
from games import make_game
from learners import SCALED_CASES, label
from naive import play as play_naively
from regretless.evidence.verdicts.seen_rows import seen_by
from regretless.parts.views import AsIs, RunningMax, RunningRMS, rescale, scales

each = pytest.mark.parametrize("case", SCALED_CASES, ids=label)


def test_the_scale_of_the_first_entry_is_its_size():
    for view in (RunningRMS(), RunningMax()):
        assert rescale(view, np.zeros(4), 1, -3.0) == 3.0
        assert scales(view, np.zeros(2 * view.width), 2).tolist() == [1.0, 1.0]
    assert scales(AsIs(), np.zeros(0), 2).tolist() == [1.0, 1.0]


def test_a_feature_of_one_value_is_seen_as_its_sign():
    X = np.array([[5.0, -7.0], [5.0, 0.0], [5.0, -7.0]])
    for scale in ("rms", "max"):
        learner = rg.AdaGrad(scale=scale)
        (batch,) = seen_by(
            learner, rg.play(learner, X, [1, -1, 1]).game.source
        ).batches()
        assert batch.rows.values.tolist() == [1.0, -1.0, 1.0, 0.0, 1.0, -1.0]


@each
def test_rows_as_they_were_seen(case):
    game = make_game(case, 3, 40, 5, "sparse")
    played = play_naively(case.twin(5), *game)
    for form in (np.array, sparse.csr_array):
        run = rg.play(case.learner, form(game.X), game.y)
        found = [
            batch.rows for batch in seen_by(case.learner, run.game.source).batches()
        ]
        values = np.concatenate([rows.values for rows in found])
        if form is np.array:
            np.testing.assert_allclose(values.reshape(40, 5), played.rows, rtol=1e-12)
        else:
            nonzero = np.array(played.rows)[game.X != 0]
            np.testing.assert_allclose(values, nonzero, rtol=1e-12)


@each
def test_regret_is_against_u_on_the_same_rows(case):
    game = make_game(case, 4, 50, 4, "scales")
    played = play_naively(case.twin(4), *game)
    run = rg.play(case.learner, *game)
    u = np.array([0.3, -0.2, 0.1, 0.5])
    loss = case.learner.composition(4).loss
    paid = [
        rg.value(loss, float(x @ u), float(y))
        for x, y in zip(played.rows, game.y, strict=True)
    ]
    assert run.regret(u=u).low == pytest.approx(run.loss - sum(paid), rel=1e-9)
    assert run.hindsight().loss <= sum(paid) * (1 + 1e-3)


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e200])
@each
def test_a_refused_row_is_not_remembered(case, bad):
    game = make_game(case, 5, 30, 3, "normal")
    learner, other = (dataclasses.replace(case.learner) for _ in range(2))
    for t, (x, y) in enumerate(zip(game.X.tolist(), game.y.astype(int), strict=True)):
        event = dict(enumerate(x))
        learner.learn_one(event, int(y))
        other.learn_one(event, int(y))
        if t % 7 == 3:
            with pytest.raises(rg.BadRow):
                learner.learn_one({0: 50.0, 1: bad}, 1)
        learner.score_one({0: 1e3, 2: -5.0})
    assert learner.weights == other.weights
    assert learner.ledger == other.ledger
    seen = learner.live.player.state.seen, other.live.player.state.seen
    assert np.array_equal(*seen)


@each
def test_a_score_is_what_the_next_round_would_predict(case):
    game = make_game(case, 6, 40, 3, "normal")
    run = rg.play(case.learner, *game, trace=True)
    learner = dataclasses.replace(case.learner)
    for x, y, score in zip(game.X.tolist(), game.y, run.scores, strict=True):
        event = dict(enumerate(x))
        assert learner.score_one(event) == pytest.approx(score, rel=1e-9, abs=1e-12)
        learner.learn_one(event, int(y))


@each
def test_means_are_taken_of_what_the_learner_holds(case):
    game = make_game(case, 7, 200, 4, "scales")
    run = rg.play(case.learner, *game)
    twin = case.twin(4)
    played = play_naively(twin, *game)
    expected = np.mean(played.path[:-1], axis=0) / twin.scales()
    np.testing.assert_allclose(run.model("mean").weights, expected, rtol=1e-8)


@each
def test_models_that_did_not_predict_are_not_certified_by_what_did(case):
    game = make_game(case, 9, 300, 4, "normal")
    run = rg.play(case.learner, *game)
    for kind in ("random", "vote"):
        model = run.model(kind)
        assert model.certificate is None
        assert "scales of one moment" in " ".join(str(model).split())
    assert run.certificate().value < 1.0
    model = run.model("validated")
    assert 0.0 < model.certificate.value < 1.0


def test_scales_have_names():
    with pytest.raises(ValueError, match='must be None, "rms" or "max"'):
        rg.AdaGrad(scale="std")
    with pytest.raises(ValueError, match='must be None, "rms" or "max"'):
        rg.CoinBetting(scale=2)
