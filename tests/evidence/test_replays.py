"""Rows seen before certify nothing, in whatever way they come again.

The rows are pure noise: whatever is certified below an error of 50% is false.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import regretless as rg
from regretless import sklearn
from regretless.algorithms.learners import Mixture
from regretless.cli import main
from regretless.errors import NotCertified
from regretless.evidence.claims.guard import UNKNOWN_START
from regretless.evidence.fingerprints import Fingerprints
from regretless.parts.rows import Dense

N, WIDTH = 400, 12
RNG = np.random.default_rng(7)
X = RNG.normal(size=(N, WIDTH)).round(3)
Y = RNG.integers(0, 2, N)
SHUFFLED = RNG.permutation(N)
NAMES = [f"c{j}" for j in range(WIDTH)]


def svm(order) -> str:
    return "".join(
        f"{Y[i]} " + " ".join(f"{j + 1}:{X[i, j]}" for j in range(WIDTH)) + "\n"
        for i in order
    )


def csv(order) -> str:
    body = "".join(f"{Y[i]}," + ",".join(map(str, X[i])) + "\n" for i in order)
    return ",".join(["y", *NAMES]) + "\n" + body


def jsonl(order) -> str:
    return "".join(
        json.dumps(
            {
                "y": int(Y[i]),
                **{NAMES[(i + j) % WIDTH]: X[i, (i + j) % WIDTH] for j in range(WIDTH)},
            }
        )
        + "\n"
        for i in order
    )


FORMATS = {"svm": svm, "csv": csv, "jsonl": jsonl}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the rows in every format, in order and shuffled."""
    monkeypatch.chdir(tmp_path)
    for ending, written in FORMATS.items():
        Path(f"a.{ending}").write_text(written(range(N)))
        Path(f"b.{ending}").write_text(written(SHUFFLED))
    return tmp_path


def twice(shuffled: bool):
    order = SHUFFLED if shuffled else np.arange(N)
    return np.concatenate([X, X[order]]), np.concatenate([Y, Y[order]])


def refused(run) -> None:
    """Nothing is certified about the run, nor about any model of it."""
    with pytest.raises(NotCertified, match="rows came again from about round 401 on"):
        run.certificate()
    assert run.replay
    for kind in ("last", "random"):
        model = run.model(kind)
        assert model.certificate is None
        assert model.why_not == run.replay
        assert run.replay[:60] in str(model).replace("\n", " ")


LEARNERS = [rg.Perceptron(), rg.Panel(), rg.OneVersusRest(rg.Perceptron())]


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_an_array_that_holds_its_rows_twice(learner, shuffled) -> None:
    once = rg.play(learner, X, Y, models=["random"])
    assert once.replay == ""
    assert once.certificate().value > 0.45
    refused(rg.play(learner, *twice(shuffled), models=["random"]))


def test_a_pass_is_certified_again_where_its_rows_are_fresh() -> None:
    assert rg.play(rg.Perceptron(), X, Y).replay == ""


@pytest.mark.parametrize("shuffled", [False, True])
def test_many_learners_and_mixtures(shuffled) -> None:
    learners = [rg.Perceptron(), rg.OGD(), rg.Panel()]
    runs = rg.play(learners, *twice(shuffled))
    assert all(run.replay for run in runs)
    assert {row["certified"] for row in runs.rows()} == {None}
    with pytest.raises(NotCertified):
        runs.certificate(runs.best)
    with pytest.raises(NotCertified):
        rg.play(Mixture(learners[:2]), *twice(shuffled)).certificate()


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_events(learner, shuffled) -> None:
    learner = replace(learner)
    for number, (x, y) in enumerate(zip(*twice(shuffled), strict=True)):
        learner.learn_one(dict(zip(NAMES, x.tolist(), strict=True)), int(y))
        if number == N - 1:
            assert learner.certificate().value > 0.45
    with pytest.raises(NotCertified, match="rows came again from about round 401 on"):
        learner.certificate()
    refused_model = learner.snapshot()
    assert refused_model.certificate is None
    assert "rows came again" in refused_model.why_not
    learner.forget()
    learner.learn_one({"c0": 1.0}, 1)
    assert learner.certificate().n == 1


@pytest.mark.parametrize("calls", [1, 8])
@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("kind", ["Perceptron", "Panel"])
def test_partial_fit(kind, shuffled, calls) -> None:
    estimator = getattr(sklearn, f"{kind}Classifier")()
    rows, labels = twice(shuffled)
    for part in np.array_split(np.arange(2 * N), 2 * calls):
        estimator.partial_fit(rows[part], labels[part], classes=[0, 1])
        if part[-1] == N - 1:
            assert estimator.certificate_.value > 0.45
    with pytest.raises(AttributeError, match="rows came again"):
        estimator.certificate_  # noqa: B018
    assert not hasattr(estimator, "certificate_")


def document(capsys, *arguments: str):
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def declined(capsys, *arguments: str) -> None:
    assert main([*arguments, "--json"]) == 2
    told = json.loads(capsys.readouterr().out)["error"]
    assert "was learned before, " in told
    assert "--again" in told


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("other", ["a", "b"])
def test_a_file_named_twice(folder, capsys, ending, other) -> None:
    files = (f"a.{ending}", f"{other}.{ending}", "--label", "y")
    if ending == "svm":
        files = files[:2]
    command = ("train", *files, "-l", "perceptron", "-o", "m.rgl")
    if other == "a":
        declined(capsys, *command)
    found = document(capsys, *command, "--again")
    assert found["certificate"] is None
    assert found["why_not"].startswith("Nothing is certified: rows came again")
    assert found["model"]["certificate"] is None
    assert found["model"]["why_not"] == found["why_not"]
    assert document(capsys, "inspect", "m.rgl")["why_not"] == found["why_not"]


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("other", ["a", "b"])
def test_an_initial_model_that_has_learned_the_rows(
    folder, capsys, ending, other
) -> None:
    label = () if ending == "svm" else ("--label", "y")
    first = document(
        capsys, "train", f"a.{ending}", "-l", "perceptron", "-o", "m.rgl", *label
    )
    assert first["certificate"]["value"] > 0.45
    again = ("train", f"{other}.{ending}", "-i", "m.rgl", *label)
    for number in range(2):  # a model that has learned them twice knows them, too
        if number or other == "a":
            declined(capsys, *again, "-o", "m.rgl")
        found = document(capsys, *again, "-o", "m.rgl", "--again")
        assert found["certificate"] is None
        assert "by the model that the run started from" in found["why_not"]
        assert found["model"]["certificate"] is None


def test_an_initial_model_of_other_rows(folder, capsys) -> None:
    half = N // 2
    Path("first.svm").write_text(svm(range(half)))
    Path("rest.svm").write_text(svm(range(half, N)))
    document(capsys, "train", "first.svm", "-l", "perceptron", "-o", "m.rgl")
    found = document(capsys, "train", "rest.svm", "-i", "m.rgl", "-o", "m2.rgl")
    assert found["why_not"] == ""
    assert len(found["certificate"]["assumptions"]) == 1
    # The rows of both are known now.
    for name in ("first.svm", "rest.svm"):
        declined(capsys, "train", name, "-i", "m2.rgl")
        again = document(capsys, "train", name, "-i", "m2.rgl", "--again")
        assert again["certificate"] is None


def test_an_array_and_a_file_hold_the_same_rows(folder, capsys) -> None:
    rg.play(rg.Perceptron(), X.astype(np.float32), Y).model("last").save("m.rgl")
    for ending in ("svm", "csv"):
        label = () if ending == "svm" else ("--label", "y")
        found = document(capsys, "train", f"b.{ending}", "-i", "m.rgl", *label)
        assert found["certificate"] is None


def test_a_model_that_keeps_no_sample_is_said_to_be_trusted(folder, capsys) -> None:
    model = rg.play(rg.Perceptron(), X, Y).model("last")
    assert model.provenance is not None
    old = replace(model, provenance=replace(model.provenance, seen=None))
    old.save("old.rgl")
    options = ("-o", "m.rgl", "--model", "random")
    found = document(capsys, "train", "a.svm", "-i", "old.rgl", *options)
    assert UNKNOWN_START in found["certificate"]["assumptions"]
    assert UNKNOWN_START in found["model"]["certificate"]["assumptions"]


def test_the_screen_and_the_report_say_why(folder, capsys) -> None:
    pytest.importorskip("vl_convert")
    assert main(["train", "a.svm", "b.svm", "-o", "m.rgl", "--report", "r.html"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert shown.count("warning: nothing is certified: rows came again from about") == 1
    assert "error on fresh data" not in shown
    assert "rows came again from about" in Path("r.html").read_text()
    assert main(["train", "a.svm", "b.svm", "-l", "perceptron,ogd", "-o", "m.rgl"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "rows came again from about" in shown
    assert "<=" not in shown


def test_later_passes_leave_the_first_certified(folder, capsys) -> None:
    found = document(capsys, "train", "a.svm", "-l", "perceptron", "--passes", "3")
    assert found["certificate"]["n"] == N
    assert found["why_not"] == ""


def test_a_run_that_is_resumed_knows_its_rows(folder, capsys) -> None:
    options = ("-l", "perceptron", "--checkpoint", "c.rgl", "--every", "1rows")
    document(capsys, "train", "a.svm", "b.svm", *options, "-o", "whole.rgl")
    resumed = document(capsys, "train", "--resume", "c.rgl", "-o", "m.rgl")
    assert resumed["certificate"] is None
    kept, whole = (rg.load(name).provenance.seen for name in ("m.rgl", "whole.rgl"))
    assert str(kept.state_dict()) == str(whole.state_dict())


@pytest.mark.parametrize("n", [2_000, 50_000])
@pytest.mark.parametrize("scattered", [False, True])
def test_a_part_of_the_rows_is_noticed(n: int, scattered: bool) -> None:
    """As docs/certificates.md says: 5% of what was learned, and 50 at least."""
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, 3))
    seen = Fingerprints()
    seen.feed(Dense(X.reshape(-1), 3), n)
    part = n // 20 + 50
    for at in rng.integers(0, n - part, 5).tolist():
        rows = np.concatenate([rng.normal(size=(1_000, 3)), X[at : at + part]])
        rows = rng.permutation(rows) if scattered else rows
        tomorrow = seen.continued()
        tomorrow.feed(Dense(rows.reshape(-1), 3), len(rows))
        assert tomorrow.replay is not None
        assert tomorrow.replay.earlier
