"""Nothing false at any entrance: each claim is refused where it should be.

``python -m benchmarks.guard`` prints the whole table, entrances x adversities, with
hundreds of runs a cell. Here every cell is asked a few times.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks.adversities import ADVERSITIES, NOT_TOLD, World
from benchmarks.guard import DELTA, ENTRANCES, cell
from scipy.stats import binom

import regretless as rg
from regretless import sklearn
from regretless.cli import main
from regretless.data.time_units import in_units
from regretless.errors import NotCertified
from regretless.evidence.claims.growth import _falling, slope_of, unevenness_of
from regretless.evidence.claims.guard import Counted, guarded
from regretless.evidence.row_record import RowRecord
from regretless.evidence.snapshots.error_course import ErrorCourse
from regretless.integrations.events import Answer
from regretless.parts.rows import Dense

ORDER = ("sorted_by_label", "sorted_by_feature", "last_tenth")
AGAIN = ("retried_first", "retried_last", "retried_shuffled", "rounded_copies")
SHUFFLES = ("estimator", "estimator_sealed")
FAST = ("randomized", "default_model", "sealed", "estimator_in_order", "events")


def asked(entrance: str) -> Any:
    return (
        entrance if entrance in FAST else pytest.param(entrance, marks=pytest.mark.slow)
    )


@pytest.mark.filterwarnings("ignore:rows come sorted by label")
@pytest.mark.parametrize("entrance", [asked(one) for one in ENTRANCES])
@pytest.mark.parametrize("adversity", ADVERSITIES)
def test_no_cell_is_false(entrance: str, adversity: str) -> None:
    """A bound without a caution is true, but for delta of the runs."""
    found = cell(entrance, adversity, 2)
    assert not found.crashes
    if adversity in (*ORDER, *AGAIN) and entrance not in SHUFFLES:
        assert found.bounds == 0
    if adversity not in NOT_TOLD:
        assert found.false <= binom.ppf(0.9999, found.bounds, DELTA)


@pytest.mark.parametrize(
    "runs",
    [
        pytest.param(10, marks=pytest.mark.slow),
        pytest.param(40, marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("entrance", ENTRANCES)
def test_honest_rows_are_certified(entrance: str, runs: int) -> None:
    """And truly so."""
    found = cell(entrance, "honest", runs)
    assert found.refused <= runs // 10
    assert found.false <= binom.ppf(0.9999, found.bounds, DELTA)


def world(name: str, seed: int = 0, rows: int = 4000) -> World:
    return ADVERSITIES[name](np.random.default_rng(seed), rows)


def test_every_claim_of_a_run_has_the_same_reason() -> None:
    X, y, *_ = world("sorted_by_label")
    run = rg.play(rg.Perceptron(), X, y, seal=0.1)
    with pytest.raises(NotCertified) as refused:
        run.certificate()
    assert str(refused.value) == run.objection == run.model().why_not
    assert run.objection.startswith("No bound about the future")
    for kind in ("validated", "vote", "random", "last", "mean"):
        model = run.model(kind)
        assert model.certificate is None
        assert "No bound about the future" in model.why_not
    runs = rg.play([rg.Perceptron(), rg.AdaGrad()], X, y)
    assert [row["certified"] for row in runs.rows()] == [None, None]


@pytest.mark.parametrize("load", ["load_iris", "load_wine"])
def test_tables_sorted_by_label_are_learned(load: str) -> None:
    datasets = pytest.importorskip("sklearn.datasets")
    X, y = getattr(datasets, load)(return_X_y=True)
    found = sklearn.PanelClassifier(random_state=0).fit(X, y)
    assert found.score(X, y) > 0.9
    with pytest.warns(UserWarning, match="shuffle=True"):
        kept = sklearn.PanelClassifier(shuffle=False).fit(X, y)
    with pytest.raises(AttributeError, match="there is no certificate_"):
        _ = kept.certificate_


@pytest.mark.parametrize("times", [2, 3, 10])
def test_rows_that_were_multiplied_certify_nothing_but_by_seal(times: int) -> None:
    X, y, *_ = world("honest", rows=2000)
    order = np.random.default_rng(0).permutation(np.repeat(np.arange(2000), times))
    run = rg.play(rg.Perceptron(), X[order], y[order], holdout=10)
    for refused in (
        run.model().why_not,
        rg.play(rg.Panel(), X[order], y[order]).model().why_not,
    ):
        assert "the rows have been multiplied" in refused
    with pytest.raises(NotCertified, match="the rows have been multiplied"):
        run.certificate()
    sealed = rg.play(rg.Panel(), X[order], y[order], seal=0.2).model().certificate
    fresh, labels = world("honest", seed=5)[:2]
    model = rg.play(rg.Panel(), X[order], y[order]).model()
    assert sealed.value > np.mean(model.predict(fresh) != labels) - 0.02
    assert "copies are counted once" in sealed.cautions[0]


def test_rows_next_to_each_other_that_agree_are_no_draws() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(4000, 3)), rng.choice([-1, 1], 4000)
    parts = np.arange(0, 4000, 20)
    order = np.concatenate([k + np.argsort(y[k : k + 20]) for k in parts])
    run = rg.play(rg.Perceptron(bias=True), X[order], y[order])
    with pytest.raises(NotCertified, match="next to each other have the same label"):
        run.certificate()
    assert abs(rg.play(rg.Perceptron(), X, y).record.neighbors) < 4.0


def test_a_caution_names_copies_and_the_others_error() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, size=(4000, 4)).astype(float)
    y = np.where((X[:, 0] > X[:, 1]) != (rng.random(4000) < 0.1), 1, -1)
    found = rg.play(rg.Panel(forest=False), X, y).model().certificate
    assert found is not None
    assert "of the rows are copies of rows learned before" in found.cautions[0]
    assert "Caution: " in str(found)
    again = type(found).from_dict(json.loads(json.dumps(found.as_dict())))
    assert again == found


def test_copies_that_are_easier_leave_nothing_certified() -> None:
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(3000, 6)), rng.choice([-1, 1], 3000)
    order = rng.integers(0, 3000, 12_000)  # drawn with replacement
    model = rg.play(rg.Panel(), X[order], y[order]).model()
    assert model.certificate is None
    assert "are copies of rows learned before, and the error is" in model.why_not


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kinds", [2, 6, 40])
def test_a_table_of_few_different_rows_is_certified(kinds: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, kinds, size=(5000, 3)).astype(float)
    y = np.where((X[:, 0] > X[:, 1]) != (rng.random(5000) < 0.1), 1, -1)
    model = rg.play(rg.Panel(forest=False), X, y).model()
    assert model.certificate is not None, model.why_not
    assert 0.09 < model.certificate.value < 0.2


def test_a_rare_class_that_is_oversampled_leaves_nothing_certified() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 6))
    y = np.where((X[:, 0] > 1.2) != (rng.random(4000) < 0.08), 1, -1)
    order = rng.permutation(np.repeat(np.arange(4000), np.where(y > 0, 10, 1)))
    model = rg.play(rg.Panel(), X[order], y[order]).model()
    assert model.certificate is None
    assert "are copies of rows learned before" in model.why_not


def test_counts_of_frozen_copies_are_those_of_the_slow_version() -> None:
    rng = np.random.default_rng(1)
    X = rng.integers(0, 30, size=(2000, 2)).astype(float)
    y = np.where(rng.random(2000) < 0.5, 1, -1)
    run = rg.play(rg.Perceptron(), X, y, models=["validated"])
    seen: dict[Any, int] = {}
    first = [seen.setdefault((*x,), i) for i, x in enumerate(X.tolist())]
    for one in run.recorder.snapshots.held:
        scores = run.recorder.snapshots.hypothesis(one).scores(
            Dense(X.reshape(-1), 2), 2000
        )
        wrong = ~(y * scores > 0.0)
        later = np.arange(2000) >= one.position
        alone = later & (np.array(first) == np.arange(2000))
        assert one.rounds == later.sum()
        assert one.errors == wrong[later].sum()
        for side, mine in zip(one.sides, (y < 0, y > 0), strict=True):
            if one.start is not None:
                continue
            all_of, rest = later & mine, alone & mine
            counts = [all_of.sum(), wrong[all_of].sum(), rest.sum(), wrong[rest].sum()]
            assert side.tolist() == counts
        n, errors = one.course.last()
        assert errors == wrong[2000 - n :].sum()
        assert 0.1 * one.rounds <= n <= 0.14 * one.rounds + 1


@pytest.mark.parametrize("cuts", [1, 7, 64, 1000])
def test_the_course_of_errors_does_not_depend_on_cuts(cuts: int) -> None:
    wrong = np.random.default_rng(0).random(3000) < 0.3
    whole, pieces = ErrorCourse(), ErrorCourse()
    whole.feed(wrong)
    for at in range(0, 3000, cuts):
        pieces.feed(wrong[at : at + cuts])
    assert str(whole.state_dict()) == str(pieces.state_dict())
    assert whole.rates().mean() == pytest.approx(wrong[:2944].mean(), abs=0.01)


def test_the_last_rows_above_the_bound_leave_none() -> None:
    X, y, *_ = world("honest")
    run = rg.play(rg.Perceptron(), X, y)
    found = run.certificate()
    calm = Counted(4000, 800, last=400, last_errors=80)
    assert guarded(run, found, calm).last == (400, 0.2)
    some = Counted(4000, 800, last=400, last_errors=round(400 * (found.value + 0.03)))
    assert "above the bound" in guarded(run, found, some).cautions[0]
    many = Counted(4000, 800, last=400, last_errors=round(400 * (found.value + 0.1)))
    with pytest.raises(NotCertified, match="clearly above the"):
        guarded(run, found, many)


def test_a_curve_that_falls_is_the_closest_one() -> None:
    rng = np.random.default_rng(2)
    rows = rng.integers(5, 50, 12).astype(float)
    errors = rng.binomial(rows.astype(int), np.linspace(0.6, 0.2, 12)).astype(float)
    found = _falling(errors, rows)
    assert (np.diff(found) <= 1e-12).all()
    from scipy.optimize import isotonic_regression

    wanted = isotonic_regression(errors / rows, weights=rows, increasing=False).x
    np.testing.assert_allclose(found, wanted)


def test_learning_is_no_unevenness_and_blocks_are() -> None:
    assert unevenness_of(rg.play(rg.Perceptron(), *world("honest")[:2])) < 6.0
    assert unevenness_of(rg.play(rg.Perceptron(), *world("blocks")[:2])) > 6.0
    assert (
        slope_of(np.linspace(0.5, 0.1, 40)) == 0.0
        or slope_of(np.linspace(0.5, 0.1, 40) + 0.01 * np.sin(np.arange(40.0))) < 0.0
    )


def events(n: int, noise: float = 0.1) -> list[tuple[dict[str, float], bool]]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 3))
    y = (X[:, 0] > 0.0) != (rng.random(n) < noise)
    return [
        (dict(zip("abc", x, strict=True)), bool(t))
        for x, t in zip(X.tolist(), y.tolist(), strict=True)
    ]


@pytest.mark.parametrize(
    "learner",
    [rg.Perceptron(), rg.Panel(forest=False), rg.MulticlassPerceptron()],
    ids=repr,
)
def test_what_was_said_is_certified_in_the_order_of_asking(learner: Any) -> None:
    stream = events(600)
    for x, y in stream:
        learner.predict_one(x)
        learner.predict_one(x)  # twice is no other event
        learner.learn_one(dict(x), y)  # nor is an equal one
    assert learner.certificate().n == 600
    learner.forget()
    found = rg.events.progressive(learner, rg.events.delayed(stream, 40))
    assert found.said[:2] == (600, found.mistakes)
    assert found.run().certificate().total == found.mistakes
    with pytest.raises(NotCertified, match="labels came after later events"):
        learner.certificate()
    learner.forget()


def test_questions_without_an_answer_end_what_is_certified() -> None:
    learner, stream = rg.Perceptron(), events(300)
    asked = rg.events.delayed(stream, 10)
    some = [each for each, _ in zip(asked, range(400), strict=False)]
    late = [each for each in some if not isinstance(each, Answer) or each.i != 100]
    found = rg.events.progressive(learner, late)
    assert found.said.rows == 100
    assert found.run().certificate().n == 100


def write(path: Path, X: Any, y: Any) -> str:
    lines = (
        f"{t} " + " ".join(f"{j + 1}:{v}" for j, v in enumerate(x))
        for x, t in zip(X.round(4).tolist(), y.tolist(), strict=True)
    )
    path.write_text("\n".join(lines) + "\n")
    return str(path)


@pytest.mark.parametrize("state", [True, False], ids=["state", "weights"])
def test_a_file_that_was_learned_is_refused(
    state: bool, tmp_path: Path, capsys: Any
) -> None:
    X, y, *_ = world("honest", rows=1200)
    a = write(tmp_path / "a.svm", X[:800], y[:800])
    b = write(tmp_path / "b.svm", X[800:], y[800:])
    other = write(tmp_path / "other name.svm", X[800:], y[800:])
    m, m2 = str(tmp_path / "m.rgl"), str(tmp_path / "m2.rgl")
    common = ["-l", "perceptron", *(["--resumable"] if state else [])]
    assert main(["train", a, "-o", m, *common]) == 0
    assert main(["train", b, "-i", m, "-o", m2, *common]) == 0
    for again in (a, b, other):
        capsys.readouterr()
        before = Path(m2).read_bytes()
        assert main(["train", again, "-i", m2, "-o", m2, *common]) == 2
        said = capsys.readouterr().err
        assert "was learned before, by" in said
        assert said.count("\n") == 1
        assert Path(m2).read_bytes() == before
    assert main(["train", other, "-i", m2, "-o", m2, "--again", *common]) == 0
    assert rg.load(m2).certificate is None
    assert main(["train", a, b, other]) == 2
    assert "was learned before, in this command as" in capsys.readouterr().err
    with pytest.raises(ValueError, match="again= learns it all the same"):
        rg.play(rg.Perceptron(), [a, a])
    assert "came again" in rg.play(rg.Perceptron(), [a, a], again=True).objection


def test_a_digest_belongs_to_the_content(tmp_path: Path) -> None:
    from regretless.data.input_files import find_places

    data = np.random.default_rng(0).integers(48, 57, 400_000).astype(np.uint8).tobytes()
    one, two, three = (tmp_path / name for name in "abc")
    one.write_bytes(data)
    two.write_bytes(data)
    three.write_bytes(data[:-1] + b"x")
    found = [place.digest() for place in find_places([one, two, three])]
    assert found[0] == found[1] != found[2]


def test_an_error_that_jumps_where_a_file_begins(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(6000, 2)), np.ones(6000, int)
    y[:3000] = rng.choice([-1, 1], 3000)  # a coin, then always 1
    y[3000:] = np.where(X[3000:, 0] > 0, 1, -1)
    a, b = write(tmp_path / "a.svm", X[:3000], y[:3000]), tmp_path / "b.svm"
    run = rg.play(rg.Perceptron(), [a, write(b, X[3000:], y[3000:])])
    assert run.seen.seams == [3000]
    assert "No bound about the future" in run.objection


def test_days_are_units(tmp_path: Path, capsys: Any) -> None:
    assert in_units(["2024-05-01T10:30:00", "2024-05-02"], "week").tolist() == [
        "2024-04-25",
        "2024-05-02",
    ]
    with pytest.raises(ValueError, match="--group by day: 'x' is no date"):
        in_units(["x"], "day")
    rng = np.random.default_rng(0)
    n = 4000
    when = np.datetime64("2024-01-01T00:00") + np.arange(n) * np.timedelta64(36, "m")
    X = rng.normal(size=(n, 2))
    light = 0.5 + 0.5 * np.sin(2 * np.pi * np.arange(n) / 40)
    y = np.where(rng.random(n) > 0.2 + 0.8 * light, 0, X[:, 0] > 0).astype(int)
    rows = [f"{w},{a:.4f},{b:.4f},{t}" for w, (a, b), t in zip(when, X, y, strict=True)]
    path = tmp_path / "days.csv"
    path.write_text("\n".join(["when,a,b,label", *rows]) + "\n")
    saved = str(tmp_path / "m.rgl")
    given = ["train", str(path), "-o", saved, "--seal", "20%", "--group", "when:day"]
    assert main([*given, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["model"]["certificate"]
    days = np.unique(when.astype("datetime64[D]")).size
    assert 0.1 * days < found["n"] < 0.3 * days
    assert found["loss"] == "error rate of a group"


def test_shards_of_different_labels_are_a_change() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 3))
    records = []
    mixed = np.where(rng.random(3000) < 0.5, 1.0, -1.0)
    for y in (np.ones(3000), -np.ones(3000), mixed):
        one = RowRecord()
        one.feed(Dense(X.reshape(-1), 3), y)
        X = rng.normal(size=(3000, 3))
        records.append(one)
    whole = RowRecord()
    for one in records:
        whole.join(one)
    assert whole.between_shards() > 1e6
    same = RowRecord()
    for seed in range(3):
        one = RowRecord()
        coins = np.random.default_rng(seed).random(3000) < 0.3
        one.feed(Dense(rng.normal(size=9000), 3), np.where(coins, 1.0, -1.0))
        same.join(one)
    assert same.between_shards() < 20
    assert same.rows == 9000
