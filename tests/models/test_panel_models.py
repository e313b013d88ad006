"""What a run of a panel hands over: receipts, models, explanations."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import regretless as rg
from panels import problem
from regretless.data import open_source
from regretless.evidence.snapshots.hypotheses import FrozenHypotheses
from regretless.evidence.verdicts.panel import stack_rounds
from regretless.models.rows_to_predict import rows_of
from regretless.parts.rows import Dense


@pytest.fixture(scope="module", params=[True, False], ids=["forest", "no forest"])
def finished(request):
    """One run for all that is asked of runs; and one without a forest."""
    X, y = problem(np.random.default_rng(5), n=1500, noise=0.3)
    panel = rg.Panel(forest=request.param)
    return rg.play(panel, X, y, models=["validated", "random"], trace=True), X, y


def starts(run) -> np.ndarray:
    """Where the last stack of a panel begins."""
    return np.zeros(7) if run.learner.forest else np.r_[np.full(16, 1 / 16), 0.0]


def test_the_theorem_is_measured_and_not_asserted(finished):
    run, _, _ = finished
    (verdict,) = run.theorems()
    assert not verdict.applies
    assert "rank-one" in verdict.reason
    assert "(kept)" in verdict.reason
    best = run.hindsight()
    assert best.gap < 1e-6
    regret = run.regret()
    assert regret.low == pytest.approx(run.loss - best.loss)
    # Any other combination pays more, distance included; so does the start.
    start = starts(run)
    for other in (start, best.u + 0.01, np.full(start.size, 0.02)):
        loss = run.loss - run.regret(other).low
        far = ((other - start) ** 2).sum() / 2
        assert loss + far > best.loss + best.distance / 2
    with pytest.raises(ValueError, match=f"{start.size} inputs"):
        run.regret([1.0, 2.0])


def test_the_inputs_are_those_that_made_the_scores(finished):
    run, _, y = finished
    rounds, start = stack_rounds(run), starts(run)
    inputs, size = rounds.inputs, start.size
    assert inputs.shape == (1500, size)
    assert np.array_equal(rounds.y, y)
    assert np.array_equal(rounds.start, start)
    assert run.scores[0] == rounds.added_to[0] + inputs[0] @ start
    half = size // 2
    forest = run.learner.forest
    unit, far = (np.sqrt(0.1), 4.0) if forest else (1.0, 12.0)
    assert np.all(np.abs(inputs[:, :half]) <= unit)
    assert np.all(np.abs(inputs[:, half:-1]) <= far * unit)
    assert np.all(inputs[:, -1] == unit)


def test_models_of_a_panel(finished):
    run, X, y = finished
    last = run.model("last")
    assert np.array_equal(run.model("last").scores(X), last.scores(X[:]))
    chances = last.predict_proba(X)
    np.testing.assert_allclose(chances.sum(axis=1), 1.0)
    assert np.array_equal(last.predict(X), np.where(chances[:, 1] > 0.5, 1, -1))
    assert np.array_equal(last.scores(sparse.csr_array(X)), last.scores(X))
    assert np.array_equal(last.scores(X[::-1]), last.scores(X)[::-1])
    assert (last.predict(X) != y).mean() < run.mistakes / run.rounds
    assert last.certificate is None
    assert "not certified" in str(last)
    validated = run.model("validated")
    assert "4 frozen" in validated.certificate.method
    again = rg.play(run.learner, X, y)
    assert np.array_equal(again.model("validated").scores(X), validated.scores(X))
    assert np.array_equal(again.model("last").scores(X), last.scores(X))
    position = int(validated.about.split()[-1].rstrip(")").replace(",", ""))
    frozen = rg.play(run.learner, X[:position], y[:position]).model("last")
    assert np.array_equal(frozen.scores(X), validated.scores(X))
    wrong = (validated.predict(X[position:]) != y[position:]).sum()
    assert validated.certificate.total == wrong
    assert run.model("random").certificate.value == run.certificate().value


@pytest.mark.parametrize("kind", ["mean", "last-half", "vote"])
def test_averages_of_panels_are_refused(finished, kind):
    run, X, y = finished
    with pytest.raises(ValueError, match="an average of panels"):
        run.model(kind)
    with pytest.raises(ValueError, match="an average of panels"):
        rg.play(rg.Panel(), X, y, models=[kind])


def test_checking_proofs_of_a_panel_is_refused():
    with pytest.raises(TypeError, match="Panel does not take check="):
        rg.play(rg.Panel(), [[1.0], [2.0]], [1, -1], check=True)


@pytest.mark.parametrize("kind", ["last", "validated", "random"])
def test_a_model_comes_back_from_its_file(finished, tmp_path, kind):
    run, X, _ = finished
    model = run.model(kind)
    model.save(tmp_path / "panel.rgl")
    same = rg.load(tmp_path / "panel.rgl")
    assert np.array_equal(same.scores(X), model.scores(X))
    assert same.about == model.about
    assert same.learner == run.learner
    assert same.explanation(3) == model.explanation(3)
    if kind != "last":
        assert same.certificate.value == model.certificate.value


def test_importance_weights(finished):
    _, X, y = finished
    plain, ones, heavy = (rg.Panel().player(X.shape[1]) for _ in range(3))
    (batch,) = open_source(X, y, binary=True).batches()
    n = batch.targets.size
    plain.play(batch.rows, batch.targets)
    ones.play(batch.rows, batch.targets, weights=np.ones(n))
    heavy.play(
        batch.rows, batch.targets, weights=np.where(batch.targets > 0.0, 5.0, 1.0)
    )
    assert ones.ledger() == plain.ledger()
    assert heavy.ledger().false_negatives < plain.ledger().false_negatives
    # A row of weight 0 moves no member and no weight of the stack.
    still = rg.Panel().player(X.shape[1])
    still.play(batch.rows, batch.targets, weights=np.zeros(n))
    assert not still.state_dict()["rows"].any()
    assert np.array_equal(still.state.stack, rg.Panel().player(3).state.stack)
    assert not still.forest.stack.any()
    assert not still.forest.outputs[:, :, :2].any()


def test_an_explanation_adds_up(finished):
    run, X, _ = finished
    model = run.model("last")
    told = model.explain(X, top=3)
    assert [name for name, *_ in told.members] == [
        "hinge 40 on A",
        "hinge 0.3 on A",
        "logistic 0.1 on A",
        "logistic 1 on A",
        "hinge 4 on H",
        "hinge 1 on H",
        "coin on H",
        "naive Bayes",
        *(["panel, again"] if run.learner.forest else []),
        *(["forest, eta 3", "forest, mean"] if run.learner.forest else []),
    ]
    assert sum(share for *_, share in told.members) == pytest.approx(1.0)
    assert len(told.features) == 3
    effects, sizes = np.zeros((2, X.shape[1]))
    for j in range(X.shape[1]):
        without = X.copy()
        without[:, j] = 0.0
        effect = model.scores(X) - model.scores(without)
        effects[j], sizes[j] = effect.mean(), np.abs(effect).mean()
    largest = int(sizes.argmax())  # in the mean a large effect may be nothing
    assert told.features[0] == (largest, pytest.approx(effects[largest], abs=1e-9))
    assert told.sizes[0] == pytest.approx(sizes[largest], abs=1e-9)
    margins = model.hypothesis.margins(*rows_of(X))
    stack = model.hypothesis.state.stack
    near = np.array([near for _, near, _, _ in told.members])
    far = np.array([far for _, _, far, _ in told.members])
    limits = np.where(np.arange(near.size) < 8, 12.0, 4.0)
    score = np.clip(margins, -1, 1) @ near + np.clip(margins, -limits, limits) @ far
    score += stack[16] + (
        model.hypothesis.forest.stack[0, 6] if run.learner.forest else 0.0
    )
    np.testing.assert_allclose(score, model.scores(X), atol=1e-12)
    assert "share at most" in str(model.explain())


def test_names_reach_the_explanation():
    events = [({"cheap": 1.0}, 1), ({"meeting": 2.0}, 0)] * 100
    model = rg.play(rg.Panel(), events, keep=True).model("last")
    assert {name for name, _ in model.explain().features} == {"cheap", "meeting"}
    assert model.predict(
        [{"cheap": 1.0}, {"meeting": 2.0, "unknown": 1.0}]
    ).tolist() == [1, 0]


def test_a_frozen_panel_that_ties_errs():
    player = rg.Panel().player(2)
    frozen = FrozenHypotheses(player)
    frozen.put(0, player.hypothesis())
    rows = Dense(np.array([1.0, 2.0, 0.0, 1.0]), 2)
    (found,) = frozen.wrong(rows, np.array([1.0, -1.0]), [0])
    assert found.tolist() == [True, True]
