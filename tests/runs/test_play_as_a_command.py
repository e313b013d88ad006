"""What ``play`` does with the options of ``train``: the same, to the last bit."""

from __future__ import annotations

import json
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

import regretless as rg
from command_files import rows
from recorded.outcomes import about_arrays
from regretless.cli import main
from regretless.data import lines

PERCEPTRON = ("perceptron bias=true", rg.Perceptron(bias=True))
ADAGRAD = ("adagrad scale=rms", rg.AdaGrad(scale="rms"))
PANEL = ("panel", rg.Panel())
CASES: dict[str, tuple[str, Any, str, dict[str, Any]]] = {
    "passes": ("two.svm", ADAGRAD, "--passes 3", {"passes": 3}),
    "holdout": ("two.svm", PERCEPTRON, "--holdout 5", {"holdout": 5}),
    "seal": ("two.svm", PANEL, "--seal 20%", {"seal": "20%"}),
    "seal of groups": (
        *("two.csv", PERCEPTRON, "--seal 20% --group who"),
        {"seal": 0.2, "options": rg.ReadOptions(group="who")},
    ),
    "balanced": (
        *("two.svm", ADAGRAD, "--class-weight balanced"),
        {"class_weight": "balanced"},
    ),
    "weights": (
        "two.csv",
        ADAGRAD,
        "--class-weight yes=3",
        {"class_weight": {"yes": 3}},
    ),
    "all of it": (
        *("two.csv", PANEL, "--passes 2 --holdout 10 --class-weight balanced"),
        {"passes": 2, "holdout": 10, "class_weight": "balanced"},
    ),
    "recall": (
        *("two.svm", PANEL, "--seal 30% --threshold recall=0.8"),
        {"seal": "30%", "threshold": "recall=0.8"},
    ),
    "a threshold": ("two.svm", PANEL, "--threshold 0.3", {"threshold": 0.3}),
    "many classes": (
        *("three.csv", PERCEPTRON, "--holdout 4 --passes 2"),
        {"holdout": 4, "passes": 2, "task": "auto"},
    ),
    "amounts": ("amounts.csv", (None, None), "--passes 2", {"passes": 2}),
    "as asked": (
        *("three.csv", PANEL, "--task multiclass --seal 20%"),
        {"task": "multiclass", "seal": "20%"},
    ),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Small files, read in several batches."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(lines, "BLOCK", 4000)
    Path("two.svm").write_text("".join(rows(600, seed=1)))
    dice = np.random.default_rng(2)
    X = dice.normal(size=(500, 4)).round(3)
    level = X[:, 0] - X[:, 1] + 0.2 * dice.normal(size=500)
    who = dice.integers(0, 40, 500)
    tables = {
        "two": np.where(level > 0.3, "yes", "no"),
        "three": np.array(["low", "mid", "top"])[(level > -0.5) + (level > 0.5) * 1],
        "amounts": level.round(4),
    }
    for name, labels in tables.items():
        head = "a,b,c,d,who,label"
        body = [
            ",".join(map(str, (*x, f"u{w}", y)))
            for x, w, y in zip(X.tolist(), who, labels, strict=True)
        ]
        Path(f"{name}.csv").write_text("\n".join([head, *body]) + "\n")
    return tmp_path


def commanded(*arguments: str) -> dict[str, Any]:
    """The document of a training that succeeds."""
    with redirect_stdout(StringIO()) as out:
        code = main(["train", *arguments, "--json", "-o", "command.rgl"])
    assert code == 0, out.getvalue()
    return json.loads(out.getvalue())


def alike(run: Any, document: dict[str, Any]) -> None:
    """The run, its model and its receipts are those of the command."""
    model = run.model()
    model.save("play.rgl")
    assert about_arrays("play.rgl") == about_arrays("command.rgl")
    assert document["rows"] == run.rounds
    assert document["ledger"]["loss"] == run.loss
    assert document["ledger"]["mistakes"] == run.mistakes
    assert document["later_passes"] == run.later_passes
    assert document["learner"] == repr(run.learner)
    plain = json.loads(json.dumps(run.metrics.as_dict()))
    assert document["metrics"] == plain
    found = document["model"]
    assert found["about"] == model.about
    assert found["why_not"] == model.why_not
    assert found["certificate"] == _plain(model.certificate)
    assert found["threshold"] == _plain(model.operating_point)
    loaded = rg.load("command.rgl")
    assert loaded.classes == model.classes


def _plain(found: Any) -> Any:
    return None if found is None else json.loads(json.dumps(found.as_dict()))


@pytest.mark.parametrize("name", CASES)
def test_play_is_the_command(name: str) -> None:
    data, (text, learner), options, arguments = CASES[name]
    if "seal" in arguments:
        options, arguments = f"{options} --seal-seed 5", {**arguments, "seal_seed": 5}
    named = [] if text is None else ["-l", text]
    document = commanded(data, *named, *options.split())
    given = [data] if learner is None else [learner, data]
    run = rg.play(*given, **arguments)
    alike(run, document)
    if "holdout" in arguments:
        held = run.held_out()
        assert document["held_out"] == _plain(held)
        assert held.measured == held.total / held.n


def test_files_and_arrays_are_played_alike() -> None:
    """Held out, weighted and learned again: rows of a file, a matrix, a list."""
    X, y = np.zeros((600, 60)), np.zeros(600)
    for i, line in enumerate(Path("two.svm").read_text().splitlines()):
        label, *entries = line.split()
        y[i] = float(label)
        for entry in entries:
            column, value = entry.split(":")
            X[i, int(column) - 1] = float(value)
    given = {"passes": 2, "holdout": 7, "class_weight": "balanced"}
    learner = rg.Perceptron(bias=True)
    first = rg.play(learner, "two.svm", **given)
    for other in (X, csr_array(X)):
        run = rg.play(learner, other, y, **given)
        assert np.array_equal(run.weights, first.weights)
        assert run.later_passes == first.later_passes
        assert run.held_out() == first.held_out()


def test_prediction_sets_are_certified_by_rows_held_out() -> None:
    document = commanded(
        "amounts.csv", "--interval", "90%", "--holdout", "4", "--ignore", "who"
    )
    read = rg.ReadOptions(ignore=("who",))
    learner = rg.intervals(rg.RegressionPanel(), 0.9)
    run = rg.play(learner, "amounts.csv", holdout=4, options=read)
    found = run.set_certificate(run.model())
    assert document["set_certificate"] == _plain(found)


class StoppedError(Exception):
    """Somebody has had enough."""


def _stops_after(batches: int) -> Any:
    def stop(session: Any) -> None:
        nonlocal batches
        batches -= 1
        assert session.run().rounds == session.rounds
        if not batches:
            raise StoppedError

    return stop


def test_a_checkpoint_goes_on_here_and_there() -> None:
    """What ``play`` has saved goes on in ``play`` and in ``train``; and back."""
    whole = rg.play(rg.Perceptron(bias=True), "two.svm", class_weight="balanced")
    whole.model().save("play.rgl")
    for here in (True, False):
        with pytest.raises(StoppedError):
            rg.play(
                rg.Perceptron(bias=True),
                "two.svm",
                class_weight="balanced",
                models=["validated", "last-half"],
                checkpoint="c.ckpt",
                every=100,
                on_batch=_stops_after(6),
            )
        if here:
            run = rg.play(rg.Perceptron(bias=True), "two.svm", resume="c.ckpt")
            assert np.array_equal(run.weights, whole.weights)
            assert run.mistakes == whole.mistakes
            run.model().save("command.rgl")
        else:
            commanded("--resume", "c.ckpt")
        assert about_arrays("play.rgl") == about_arrays("command.rgl")


def test_training_goes_on_with_the_next_file() -> None:
    """A state that ``train`` saved goes on in ``play``."""
    text = Path("two.svm").read_text().splitlines(keepends=True)
    Path("first.svm").write_text("".join(text[:250]))
    Path("second.svm").write_text("".join(text[250:]))
    commanded("first.svm", "-l", "perceptron bias=true", "--resumable")
    run = rg.play(rg.Perceptron(bias=True), "second.svm", initial_model="command.rgl")
    whole = rg.play(rg.Perceptron(bias=True), "two.svm")
    assert np.array_equal(run.weights, whole.weights)
    assert run.rounds == whole.rounds
    assert np.array_equal(run.model().weights, whole.model().weights)


def test_many_learners_and_mixtures_take_class_weights_too() -> None:
    learners = [rg.Perceptron(bias=True), rg.AdaGrad(scale="rms")]
    alone = [rg.play(one, "two.svm", class_weight="balanced") for one in learners]
    batches: list[int] = []
    runs = rg.play(
        learners,
        "two.svm",
        class_weight="balanced",
        on_batch=lambda game: batches.append(game.passes[0].rounds),
    )
    mixture = rg.play(rg.Mixture(learners), "two.svm", class_weight="balanced")
    for one, beside, member in zip(alone, runs, mixture.members, strict=True):
        assert np.array_equal(one.weights, beside.weights)
        assert np.array_equal(one.weights, member.weights)
    assert len(batches) > 2
    assert batches[-1] == 600


PAIRS = [({"a": 1.0}, 1), ({"b": 1.0}, 0)] * 20


@pytest.mark.parametrize(
    ("learner", "given", "message"),
    [
        (
            rg.Perceptron(),
            {"X": PAIRS, "class_weight": "balnced"},
            "class_weight='balnced': give weights, or balanced",
        ),
        (rg.Perceptron(), {"X": PAIRS, "class_weight": {1: "x"}}, "are numbers"),
        (rg.Perceptron(), {"X": iter(PAIRS), "passes": 2}, "passes= reads the rows"),
        (rg.Perceptron(), {"X": iter(PAIRS), "holdout": 2}, "holdout= reads the rows"),
        (rg.Perceptron(), {"X": PAIRS, "checkpoint": "c"}, "checkpoint= goes with fi"),
        (rg.Perceptron(), {"X": PAIRS, "resume": "c"}, "resume= goes with files"),
        (rg.Perceptron(), {"X": PAIRS, "passes": 0}, "passes=0: from 1 on"),
        (rg.Perceptron(), {"X": PAIRS, "holdout": 1}, "holdout=1: hold out"),
        (
            rg.Perceptron(),
            {"X": PAIRS, "holdout": 3, "seal": 0.1},
            "seal= and holdout= both set rows aside",
        ),
        (
            rg.Perceptron(),
            {"X": PAIRS, "threshold": "recall=2"},
            "threshold=recall=2: write recall=0.9",
        ),
        (
            rg.Perceptron(),
            {"X": PAIRS, "threshold": "0.5", "holdout": 5},
            "threshold= is certified by seal=",
        ),
        (rg.Perceptron(), {"X": PAIRS, "task": "regression"}, "task=regression: Perc"),
        (rg.Perceptron(), {"X": PAIRS, "task": "guess"}, "task=guess: one of auto"),
        (rg.Perceptron(), {"X": PAIRS, "every": "soon"}, "every='soon': write 30s"),
        (rg.Perceptron(), {"X": PAIRS, "class_weight": {7: 2}}, "name '7'"),
        (rg.Perceptron(), {"X": PAIRS, "on_batch": 3}, "on_batch=3 cannot be called"),
        (rg.Hedge(), {"losses": [[0, 1]], "passes": 2}, "does not take passes="),
        ([rg.Perceptron()], {"X": PAIRS, "holdout": 2}, "goes with one learner"),
        (
            rg.Mixture([rg.Perceptron(), rg.AROW()]),
            {"X": PAIRS, "checkpoint": "c"},
            "Mixture does not take checkpoint=",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(
    learner: Any, given: dict[str, Any], message: str
) -> None:
    with pytest.raises((TypeError, ValueError), match=message) as error:
        rg.play(learner, **given)
    assert "\n" not in str(error.value)
    assert "--" not in str(error.value)


def test_rows_that_were_not_held_out_are_no_test() -> None:
    with pytest.raises(ValueError, match="no rows were held out"):
        rg.play(rg.Perceptron(), PAIRS).held_out()


def test_several_learners_learn_a_file_again_when_asked(tmp_path: Path) -> None:
    """It is refused otherwise; and rows that came again certify nothing."""
    path = tmp_path / "e.svm"
    path.write_text("".join(f"{i % 2} 1:{i} 2:{i * 7 % 13}\n" for i in range(300)))
    both, twice = [rg.Perceptron(), rg.AdaGrad()], [str(path), str(path)]
    with pytest.raises(ValueError, match="would count twice"):
        rg.play(both, twice)
    for run in rg.play(both, twice, again=True):
        assert run.rounds == 600
        assert "came again" in run.objection
