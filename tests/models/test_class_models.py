"""Models of many classes: files, checkpoints, and the command line around them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import naive_classes as naive
import regretless as rg
from class_problems import OVR, ULTRA, problem
from command_files import table
from killing import KilledError, dies_after
from regretless.cli import main
from regretless.data import lines
from regretless.engine.hypotheses.class_probabilities import class_probabilities
from regretless.evidence.claims.validation import validated
from regretless.evidence.snapshots import Recorder
from regretless.parts.rows import Dense
from regretless.runs.checkpoints import read_checkpoint, write_checkpoint

KINDS = ("last", "validated", "random", "mean", "last-half")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Rows of four classes in LIBSVM text, labels 10, 20, 30 and 40."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(lines, "BLOCK", 2000)
    X, y = problem(20, n=900)
    text = [
        f"{10 * c + 10} " + " ".join(f"{j + 1}:{v:g}" for j, v in enumerate(x)) + "\n"
        for x, c in zip(X, y, strict=True)
    ]
    text[30:30] = ["1:1 2:3\n"]  # no label
    (tmp_path / "rows.svm").write_text("".join(text))
    return tmp_path


def outcome(capsys: Any, *arguments: str) -> dict[str, Any]:
    assert main([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    for timed in ("seconds", "seconds_learning"):
        found.pop(timed, None)
    return found


@pytest.mark.parametrize("learner", [OVR, ULTRA], ids=repr)
def test_models_are_saved_whole(learner, tmp_path):
    X, y = (half[100:] for half in problem(21, n=400))  # all classes have come
    words = np.array(["a", "b", "c", "d"])[y]
    run = rg.play(learner, X, words)
    for kind in KINDS:
        model = run.model(kind)
        model.save(tmp_path / "model.rgl")
        loaded = rg.load(tmp_path / "model.rgl")
        assert loaded.stored_as == "classes"
        assert loaded.classes == run.classes
        assert loaded.learner == learner
        assert loaded.ledger == run.ledger
        assert loaded.certificate == model.certificate
        scores = model.scores(X)
        assert np.array_equal(loaded.scores(X), scores)
        chosen = [run.classes[int(np.argmax(row))] for row in scores]
        assert loaded.predict(X).tolist() == chosen
    assert np.array_equal(run.model("last").weights, run.weights)
    assert run.model("validated").certificate.value < 1.0
    assert run.model("last").certificate is None
    assert run.model("mean").named_weights()["a"][0] == run.model("mean").weights[0, 0]


def test_a_frozen_hypothesis_does_not_know_what_came_later():
    X, y = problem(22, n=200)
    y = np.where(np.arange(200) < 190, y % 2, y)  # two more classes at the end
    run = rg.play(OVR, X, y, models=["validated"])
    model = run.model("validated")
    assert model.certificate is None
    assert model.why_not.startswith("No bound about the future: ")
    assert len(model.classes) > 2
    assert np.isneginf(model.scores(X)[:, 2:]).all()
    assert set(model.predict(X).tolist()) <= {0, 1}
    _, frozen = validated(run, run.recorder, 0.05)  # what it would be without
    later = np.arange(200) >= 200 - frozen.n
    scores = model.scores(X[later])[:, :2]
    gap = scores[:, list(model.classes).index(0)] - scores[:, model.classes.index(1)]
    right = np.where(y[later] == 0, gap > 0.0, gap < 0.0) & (y[later] < 2)
    assert frozen.total == frozen.n - right.sum()  # a tie is an error


@pytest.mark.parametrize("learner", [OVR, ULTRA], ids=repr)
@pytest.mark.parametrize("at", [4, 60, 199])
def test_resumed_equals_uninterrupted(learner, at, tmp_path):
    X, y = problem(23, n=300)
    numbers = np.array(naive.numbered(y.tolist())[1], float)
    kinds = ("validated", "mean", "last-half", "random")

    def begun() -> tuple[Any, Any]:
        player = learner.player(5)
        return player, Recorder(player, kinds, 300)

    def feed(recorder: Any, lo: int, hi: int) -> None:
        recorder.play(Dense(X[lo:hi].ravel(), 5), numbers[lo:hi], first=lo)

    player, recorder = begun()
    feed(recorder, 0, 300)
    other, keeper = begun()
    feed(keeper, 0, at)
    path = tmp_path / "run.ckpt"
    write_checkpoint(path, learner=learner, player=other, recorder=keeper)
    other, keeper = read_checkpoint(path).restore()
    feed(keeper, at, 300)
    assert np.array_equal(player.all_weights(), other.all_weights())
    assert player.ledger() == other.ledger()
    assert np.array_equal(recorder.mean(), keeper.mean())
    assert recorder.last_half()[0] == keeper.last_half()[0]
    assert np.array_equal(recorder.last_half()[1], keeper.last_half()[1])
    ours, theirs = recorder.snapshots, keeper.snapshots
    for one, two in zip(ours.held, theirs.held, strict=True):
        assert (one.position, one.errors) == (two.position, two.errors)
        frozen, thawed = ours.hypothesis(one), theirs.hypothesis(two)
        assert np.array_equal(frozen.weights(), thawed.weights())
    assert recorder.random[0] == keeper.random[0]


def test_probabilities_sum_to_one():
    scores = np.array([[3.0, -1.0, -np.inf], [-900.0, -900.0, -900.0], [0.0, 0.0, 0.0]])
    found = class_probabilities(scores)
    assert np.allclose(found.sum(axis=1), 1.0)
    assert found[0, 2] == 0.0
    assert (found[2] == found[2, 0]).all()
    assert np.allclose(found[0, 0] / found[0, 1], (1 + np.e) / (1 + np.exp(-3.0)))


def test_train_wraps_a_binary_learner_and_says_so(folder, capsys):
    arguments = ["train", "rows.svm", "-l", "perceptron", "-o", "m.rgl", "--verbose"]
    assert main(arguments) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "OneVersusRest(learner=Perceptron()) on rows.svm" in text
    assert "more than two values: one learner a class" in text
    assert "predicted as label 10 20 30 40" in text
    found = outcome(capsys, "train", "rows.svm", "-l", "multiclass-perceptron")
    assert found["task"] == "multiclass"
    assert sorted(found["classes"]) == [10, 20, 30, 40]
    assert found["features"] == 5
    assert found["unlabeled"] == 1
    X, y = problem(20, n=900)
    assert found["ledger"]["mistakes"] == rg.play(ULTRA, X, y).mistakes


def test_predict_has_a_column_a_class(folder, capsys):
    main(["train", "rows.svm", "-l", "perceptron", "-o", "m.rgl", "--quiet"])
    assert main(["predict", "m.rgl", "rows.svm", "--scores"]) == 0
    told = capsys.readouterr()
    first = table(told.out)[0]
    model = rg.load("m.rgl")
    X, y = problem(20, n=900)
    labels = [str(label) for label in model.classes]
    found = [float(first[f"score_{label}"]) for label in labels]
    assert found == model.scores(X[:1])[0].tolist()
    wrong = int((model.predict(X) != 10 * y + 10).sum())
    assert f"900 labeled rows: {wrong:,} wrong" in told.err
    assert main(["predict", "m.rgl", "rows.svm", "--json", "--quiet"]) == 0
    row = json.loads(capsys.readouterr().out)["predictions"][0]
    assert str(row["prediction"]) == first["prediction"]
    assert list(row["scores"]) == labels
    chances = [float(first[f"p_{label}"]) for label in labels]
    np.testing.assert_allclose(chances, model.predict_proba(X[:1])[0], rtol=1e-5)
    assert main(["inspect", "m.rgl"]) == 0
    assert "4 classes" in capsys.readouterr().out


@pytest.mark.parametrize("learner", ["panel", "perceptron", "multiclass-perceptron"])
def test_rows_before_the_first_label_are_predicted_too(folder, learner):
    lines = [f"{k % 3} {k % 3 + 1}:1 4:{k % 5}" for k in range(30)]
    Path("late.svm").write_text("\n".join(["1:1", "2:1", *lines]) + "\n")
    options = ["-l", learner, "--task", "multiclass", "-p", "late.txt"]
    assert main(["train", "late.svm", "-f", "libsvm", *options]) == 0
    rows = table(Path("late.txt").read_text())
    predicted = [row["prediction"] for row in rows]
    assert predicted[:3] == [""] * 3
    assert [row["reason"] for row in rows[:3]] == ["no class had come yet"] * 3
    assert len(predicted) == 32
    assert set(predicted[3:]) <= {"0", "1", "2"}


def test_interrupted_and_resumed_is_the_same_file(folder, capsys, monkeypatch):
    options = ["-l", "perceptron", "-o", "m.rgl", "-p", "p.txt"]
    whole = outcome(capsys, "train", "rows.svm", *options, "--holdout", "7")
    predicted, saved = Path("p.txt").read_text(), rg.load("m.rgl")
    assert predicted.splitlines()[1].endswith("no class had come yet")
    more = ["--checkpoint", "c.ckpt", "--every", "200rows", "--holdout", "7"]
    monkeypatch.setattr("regretless.data.lines.BLOCK", 4000)
    with pytest.MonkeyPatch.context() as patch:
        dies_after(patch, 3)
        with pytest.raises(KilledError):
            main(["train", "rows.svm", *options, *more])
    again = ["--resume", "c.ckpt", "-o", "m.rgl", "-p", "p.txt"]
    resumed = outcome(capsys, "train", *again)
    assert resumed == whole
    assert Path("p.txt").read_text() == predicted
    assert np.array_equal(rg.load("m.rgl").weights, saved.weights)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--task", "regression", "-l", "perceptron"], "Perceptron() is for binary"),
        (["--task", "binary", "-l", "perceptron"], "label 30 is a third value"),
        (["-l", "perceptron", "--class-weight", "99=2"], "class weights name '99'"),
        (["--positive", "10"], "is for two classes, not for many"),
        (["-l", "onevsrest"], "there is no learner 'onevsrest'"),
        (["-l", "perceptron", "-o", "x.rgl", "--model", "vote"], "is for two classes"),
    ],
)
def test_mistakes_are_answered(options, message, folder, capsys):
    assert main(["train", "rows.svm", "--quiet", *options]) in (1, 2)
    assert message in " ".join(capsys.readouterr().err.split())


def test_class_weights_and_several_learners(folder, capsys):
    heavy = ["-l", "perceptron", "--class-weight", "10=3"]
    found = outcome(capsys, "train", "rows.svm", *heavy)
    plain = outcome(capsys, "train", "rows.svm", "-l", "perceptron")
    assert found["ledger"]["loss"] != plain["ledger"]["loss"]
    several = outcome(capsys, "train", "rows.svm", "-l", "perceptron,adagrad")
    assert several["runs"][0]["learner"].startswith("OneVersusRest(")
    mistakes = {row["words"]: row["mistakes"] for row in several["runs"]}
    assert plain["ledger"]["mistakes"] in mistakes.values()
