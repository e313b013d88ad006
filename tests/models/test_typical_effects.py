"""The effect of a feature: the score at its high value less that at its low one."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

import regretless as rg
from regretless.parts.panel.state import ROUNDS
from regretless.report.weights import bars_of

N = 600
DICE = np.random.default_rng(5)


def bit(share: float) -> Any:
    return (DICE.random(N) < share).astype(float)


COLUMNS = {
    "number": DICE.normal(size=N),
    "far from 0": DICE.normal(1000.0, 3.0, N),
    "far from 0, with a gap": DICE.normal(1000.0, 3.0, N) * (np.arange(N) != 7),
    "rare": bit(0.1),
    "half": (np.arange(N) % 2).astype(float),
    "frequent": bit(0.7),
    "nearly always": (np.arange(N) % 50 > 0).astype(float),
    "frequent, below 0": -4.0 * bit(0.8),
    "count": DICE.poisson(0.3, N).astype(float),
    "frequent count": DICE.poisson(1.2, N).astype(float),
    "rare, both signs": np.where(np.arange(N) % 5, 0.0, np.resize([1.0, -1.0, 1.0], N)),
    "constant": np.full(N, 3.0),
    "never": np.zeros(N),
}
X = np.column_stack(list(COLUMNS.values()))
NAMES = list(COLUMNS)
VARIES = [name for name in NAMES if name not in ("constant", "never")]
SIDE = sum(
    (X[:, j] - X[:, j].mean()) / (X[:, j].std() or 1.0) * (-1.0) ** j
    for j in range(len(NAMES))
)
SIDE = SIDE + 0.1 * DICE.normal(size=N)
TWO = np.where(SIDE > 0.0, 1, -1)
THREE = np.where(SIDE > 1.0, "up", np.where(SIDE > -1.0, "even", "down"))
# Many more columns, which are never nonzero but in one row: no curves, no forest.
WIDE = np.column_stack([X, np.eye(N, 250)])

KINDS = {
    "linear": (lambda: rg.Perceptron(bias=True), X, TWO, "score"),
    "logistic": (lambda: rg.OGD(loss=rg.Logistic()), X, TWO, "log-odds"),
    "linear amounts": (
        lambda: rg.OGD(loss=rg.Squared(), step=rg.Constant(1e-7)),
        X,
        SIDE,
        "amount",
    ),
    "classes": (rg.MulticlassPerceptron, X, THREE, "score"),
    "panel": (rg.Panel, X, TWO, "log-odds"),
    "panel without a forest": (lambda: rg.Panel(forest=False), X, TWO, "log-odds"),
    "wide panel": (rg.Panel, WIDE, TWO, "log-odds"),
    "class panels": (lambda: rg.OneVersusRest(rg.Panel()), X, THREE, "log-odds"),
    "amounts": (rg.RegressionPanel, X, SIDE, "amount"),
    "wide amounts": (rg.RegressionPanel, WIDE, SIDE, "amount"),
}
LINEAR = ("linear", "logistic", "linear amounts", "classes")
_MODELS: dict[str, Any] = {}


def model_of(kind: str) -> Any:
    if kind not in _MODELS:
        learner, rows, labels, _ = KINDS[kind]
        _MODELS[kind] = rg.play(learner(), rows, labels).model("last")
    return _MODELS[kind]


def ends_of(column: Any, kind: str) -> tuple[float, float]:
    """The low and the high value, the slow and obvious way."""
    if kind in LINEAR:
        return 0.0, 1.0
    some = column[column != 0.0]
    if not some.size:
        return 0.0, 0.0
    size = np.sqrt((some**2).mean())
    if kind == "wide amounts":  # only sizes are known
        return 0.0, size
    if some.size == N and some.std() == 0.0:
        return some[0], some[0]
    if some.std() > 0.0 and some.size > N * 5 / 6:
        return some.mean() - some.std(), some.mean() + some.std()
    return (0.0, size) if some.mean() > 0.0 else (-size, 0.0)


def typical(rows: Any, kind: str) -> Any:
    """Features that most rows have at their means, all others 0."""
    found = np.zeros(rows.shape[1])
    if kind == "wide amounts":
        return found
    for j, column in enumerate(rows.T):
        some = column[column != 0.0]
        found[j] = some.mean() if some.size > len(rows) / 2 else 0.0
    return found


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_an_effect_is_a_difference_of_two_scores(kind: str, name: str) -> None:
    model, rows, j = model_of(kind), KINDS[kind][1], NAMES.index(name)
    effects = model.effects()
    low, high = ends_of(rows[:, j], kind)
    assert effects.low[j] == pytest.approx(low, rel=1e-6, abs=1e-9)
    assert effects.high[j] == pytest.approx(high, rel=1e-6, abs=1e-9)
    assert effects.unit == KINDS[kind][3]
    two = np.array([typical(rows, kind)] * 2)
    two[:, j] = (effects.low[j], effects.high[j])
    scores = model.scores(two)
    found = effects.values[..., j]
    # Scores of a row whose numbers are near 1000 are rounded.
    np.testing.assert_allclose(found, scores[1] - scores[0], rtol=1e-5, atol=1e-5)
    assert effects.values.shape[:-1] == scores.shape[1:]
    if name in VARIES and "panel" in kind:
        assert np.abs(found).max() > 1e-3
    if name == "never" or (
        name == "constant" and kind not in ("wide amounts", *LINEAR)
    ):
        assert kind in LINEAR or not np.any(found)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_said_has_the_two_values(kind: str) -> None:
    model, effects = model_of(kind), model_of(kind).effects()
    told = model.explain(top=3)
    one = next(iter(told.values())) if model.many else told
    assert len(one.values) == 3
    for (j, _), ends in zip(one.features, one.values, strict=True):
        assert ends == (effects.low[j], effects.high[j])
    assert f"effect on the {effects.unit}" in str(one)
    titles = [title for title, _ in model.explanation(3) if "effects" in title]
    assert titles
    assert all(f"on the {effects.unit}" in title for title in titles)


@pytest.mark.parametrize("kind", ["panel", "class panels", "amounts"])
def test_the_page_has_the_two_values(kind: str) -> None:
    learner, rows, labels, unit = KINDS[kind]
    run = rg.play(learner(), rows, labels)
    model = run.model("last")
    bars = bars_of(run, model)[0]
    values = np.atleast_2d(model.effects().values)[0]
    j = int(np.abs(values).argmax())
    assert bars.unit == f"change of the {unit}"
    assert bars.names[0].startswith(f"{j} (")
    assert " to " in bars.names[0]


@pytest.mark.parametrize("kind", ["panel", "class panels", "amounts"])
def test_an_effect_does_not_depend_on_the_file(kind: str, tmp_path: Any) -> None:
    model = model_of(kind)
    model.save(tmp_path / "a.rgl")
    again = rg.load(tmp_path / "a.rgl").effects()
    for one, other in zip(again, model.effects(), strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("many", [False, True])
def test_a_wide_model_is_explained_at_once(many: bool) -> None:
    from scipy.sparse import random_array

    dice = np.random.default_rng(0)
    rows = random_array((2000, 20_000), density=0.002, rng=dice).tocsr()
    labels = dice.integers(0, 4 if many else 2, 2000)
    learner = rg.OneVersusRest(rg.Panel()) if many else rg.Panel()
    model = rg.play(learner, rows, labels).model("last")
    model.effects()
    began = time.perf_counter()
    model.effects()
    assert time.perf_counter() - began < 1.0


ESTIMATORS = [
    ("PerceptronClassifier", {}, TWO),
    ("OGDClassifier", {"model": "mean"}, TWO),
    ("OGDClassifier", {"model": "last"}, THREE),
    ("OGDRegressor", {"model": "mean"}, SIDE),
    ("PanelClassifier", {}, TWO),
    ("PanelClassifier", {"model": "validated"}, TWO),
    ("PanelClassifier", {}, THREE),
    ("RegressionPanelRegressor", {}, SIDE),
]


@pytest.mark.parametrize(("name", "parameters", "labels"), ESTIMATORS)
def test_estimators_have_the_effects_of_what_predicts(
    name: str, parameters: dict[str, str], labels: Any
) -> None:
    small = X / np.maximum(np.abs(X).max(axis=0), 1.0)
    estimator = getattr(rg.sklearn, name)(**parameters, shuffle=False)
    estimator.fit(small, labels)
    found = estimator.feature_effects_
    if "Panel" not in name:
        weights = estimator.coef_
        assert np.array_equal(found, weights if found.ndim == 2 else np.ravel(weights))
        return
    model = estimator.run_.model(estimator.model)
    effects = model.effects()
    j = NAMES.index("frequent")
    assert (effects.low[j], effects.high[j]) == (0.0, pytest.approx(1.0))
    frozen = small
    if parameters:  # it was frozen on the way
        frozen = small[: int(model.hypothesis.state.numbers[ROUNDS])]
        assert len(frozen) < N
    two = np.array([typical(frozen, "")] * 2)
    two[:, j] = (0.0, 1.0)
    says = getattr(estimator, "decision_function", estimator.predict)(two)
    np.testing.assert_allclose(found[..., j], says[1] - says[0], atol=1e-5)
