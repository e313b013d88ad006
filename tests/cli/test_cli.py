"""The command line: what people type, what they see, what it answers to mistakes."""

from __future__ import annotations

import gzip
import json
import random
import re
import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import regretless as rg
from command_files import rows, table
from regretless.cli import conclusion, main
from regretless.data import lines

ROWS = 1500


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with data, read in blocks of a few rows."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(lines, "BLOCK", 4000)
    (tmp_path / "a.svm").write_text("".join(rows(ROWS, seed=1)))
    (tmp_path / "b.svm").write_text("".join(rows(400, seed=2)))
    return tmp_path


def document(capsys: Any, *arguments: str) -> dict[str, Any]:
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def failure(capsys: Any, *arguments: str) -> str:
    """The one line on standard error."""
    assert main(list(arguments)) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1, captured.err
    return captured.err.strip()


def test_train_tells_what_play_finds(folder: Path, capsys: Any) -> None:
    found = document(capsys, "train", "a.svm", "-l", "perceptron", "-o", "a.rgl")
    kept = ["last-half", "validated"]
    run = rg.play(rg.Perceptron(), "a.svm", models=kept)
    assert found["rows"] == run.rounds == ROWS
    assert found["ledger"]["mistakes"] == run.mistakes
    assert found["certificate"]["value"] == run.certificate().value
    assert found["model"]["path"] == "a.rgl"
    model, expected = rg.load("a.rgl"), run.model()
    assert np.array_equal(model.weights, expected.weights)
    assert model.certificate == expected.certificate
    assert model.certificate.refit
    assert np.array_equal(model.weights, run.model(model.kind).weights)
    main(["train", "a.svm", "-l", "perceptron", "-o", "v.rgl", "--model", "validated"])
    model, expected = rg.load("v.rgl"), run.model("validated")
    assert np.array_equal(model.weights, expected.weights)
    assert not model.certificate.refit
    assert {row["name"] for row in found["theorems"]} >= {"perceptron/root"}


def test_receipts_for_people(folder: Path, capsys: Any) -> None:
    arguments = ["train", "a.svm", "-l", "perceptron", "-o", "a.rgl", "--verbose"]
    assert main(arguments) == 0
    text = capsys.readouterr().out
    for words in (
        "Perceptron() on a.svm",
        "mistakes",
        "perceptron/root",
        "it errs at most",
        "saved to a.rgl",
    ):
        assert words in text
    assert max(map(len, text.splitlines())) <= 88
    assert main(["train", "a.svm", "-l", "perceptron", "--quiet"]) == 0
    captured = capsys.readouterr()
    assert captured.out == captured.err == ""


def test_the_certificate_knows_whether_rows_changed(folder: Path, capsys: Any) -> None:
    Path("sorted.svm").write_text("".join(sorted(rows(ROWS, seed=1))))
    arguments = ["-l", "perceptron", "-o", "a.rgl", "--verbose"]
    assert main(["train", "a.svm", *arguments]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert re.search(
        r"Stopped after \d+% of the rows, it errs at most \d+\.\d\d% on fresh data, "
        r"with probability 0\.95 .* this model has learned the rest as well",
        text,
    )
    assert main(["train", "sorted.svm", *arguments]) == 0
    text = capsys.readouterr().out
    assert "at most" not in text
    change = rg.play(rg.Perceptron(), "sorted.svm", models=["validated"]).change
    assert change.brief in " ".join(text.split())
    found = document(capsys, "train", "sorted.svm", *arguments)
    assert found["certificate"] is found["model"]["certificate"] is None
    assert found["model"]["why_not"] == str(change)
    assert found["changed"]["error"] == change.error
    assert main(["inspect", "a.rgl"]) == 0
    assert "No bound about the future" in capsys.readouterr().out


def test_what_is_counted_needs_no_hindsight(
    folder: Path, capsys: Any, monkeypatch: Any
) -> None:
    """The theorem about one-versus-rest is evaluated on large data too."""
    monkeypatch.setattr(conclusion, "SMALL", 0)
    Path("c.svm").write_text("".join(f"{k % 3} {k % 3 + 1}:1\n" for k in range(60)))
    found = document(capsys, "train", "c.svm", "-l", "perceptron")
    verdict, of_panels = found["theorems"]
    assert not of_panels["applies"]
    assert verdict["happened"] == found["ledger"]["mistakes"] <= verdict["bound"]


def test_predict_reads_as_train_did_and_checks_the_certificate(
    folder: Path, capsys: Any
) -> None:
    main(["train", "a.svm", "-l", "perceptron", "-o", "a.rgl", "--quiet"])
    assert main(["predict", "a.rgl", "b.svm"]) == 0
    captured = capsys.readouterr()
    labels = [row["prediction"] for row in table(captured.out)]
    assert len(labels) == 400
    assert set(labels) == {"-1", "1"}
    wrong = sum(
        float(label) != float(line.split()[0])
        for label, line in zip(labels, rows(400, seed=2), strict=True)
    )
    assert f"400 labeled rows: {wrong} wrong" in captured.err
    assert re.search(r"certified after \d+% of its rows: at most", captured.err)
    found = document(capsys, "predict", "a.rgl", "b.svm")
    assert [str(row["prediction"]) for row in found["predictions"]] == labels
    assert (found["rows"], found["labeled"], found["wrong"]) == (400, 400, wrong)


def test_inspect_names_the_index_of_the_file(folder: Path, capsys: Any) -> None:
    main(["train", "a.svm", "-l", "perceptron", "-o", "a.rgl", "--quiet"])
    found = document(capsys, "inspect", "a.rgl", "--top", "3")
    assert found["learner"] == "Perceptron()"
    assert found["reading"]["format"] == "libsvm"
    said = found["explanation"]["effects of 1, not 0, on the score that say 1"]
    model = rg.load("a.rgl")
    assert said[0][0] == str(int(np.argmax(model.weights)) + 1)
    assert main(["inspect", "a.rgl"]) == 0
    assert "effects of 1, not 0, on the score that say -1" in capsys.readouterr().out


def test_progressive_predictions(folder: Path, capsys: Any) -> None:
    assert main(["train", "a.svm", "-l", "ogd", "-p", "p.csv", "--quiet"]) == 0
    run = rg.play(rg.OGD(), "a.svm", trace=True)
    written = table(Path("p.csv").read_text())
    assert np.array_equal([float(row["score"]) for row in written], run.scores)
    assert [int(row["prediction"]) for row in written] == np.where(
        run.scores > 0, 1, -1
    ).tolist()


def test_rows_without_a_label_are_predicted_only(folder: Path, capsys: Any) -> None:
    text = rows(50, seed=3)
    text[7:7] = ["3:1 40:1\n"]
    Path("c.svm").write_text("".join(text))
    found = document(capsys, "train", "c.svm", "-l", "perceptron", "-p", "p.csv")
    assert found["rows"] == 50
    assert found["unlabeled"] == 1
    assert len(table(Path("p.csv").read_text())) == 51


def test_weights_of_classes(folder: Path, capsys: Any) -> None:
    learner = ["train", "a.svm", "-l", "ogd", "eta=0.1"]
    plain = document(capsys, *learner)
    heavy = document(capsys, *learner, "--class-weight", "1=5")
    assert heavy["ledger"]["false_negatives"] < plain["ledger"]["false_negatives"]
    assert "whatever its importance weight" in heavy["certificate"]["scope"]
    line = failure(capsys, *learner, "--class-weight", "spam=2")
    assert line == "class weights name 'spam', but the labels are -1 and 1"


def test_later_passes_are_not_certified(folder: Path, capsys: Any) -> None:
    arguments = ["train", "a.svm", "-l", "ogd eta=0.05", "--passes", "3", "-o", "m.rgl"]
    found = document(capsys, *arguments)
    assert found["rows"] == ROWS
    assert [later["pass"] for later in found["later_passes"]] == [2, 3]
    assert found["model"]["certificate"]["refit"]  # of the learner in the first pass
    once = document(capsys, *arguments[:4], "-o", "m.rgl")
    assert found["model"]["certificate"] == once["model"]["certificate"]
    kept = document(capsys, *arguments, "--model", "validated")
    assert kept["model"]["certificate"] is not None
    learner = rg.OGD(step=rg.Constant(0.05))
    X, y = matrix()
    thrice = rg.play(learner, np.tile(X, (3, 1)), np.tile(y, 3), trace=True)
    main([*arguments, "--quiet"])
    model = rg.load("m.rgl")
    assert model.about == "the mean of the hypotheses of the last of 3 passes"
    path = thrice.weight_path
    assert np.allclose(model.weights, path[2 * ROWS : -1].mean(axis=0), rtol=1e-9)


def matrix() -> tuple[Any, Any]:
    X, y = np.zeros((ROWS, 60)), np.zeros(ROWS)
    for i, line in enumerate(rows(ROWS, seed=1)):
        label, *entries = line.split()
        y[i] = float(label)
        for entry in entries:
            j, x = entry.split(":")
            X[i, int(j) - 1] = float(x)
    return X, y


def test_rows_held_out(folder: Path, capsys: Any) -> None:
    found = document(
        capsys, "train", "a.svm", "-l", "perceptron", "--holdout", "10", "-o", "h.rgl"
    )
    assert found["rows"] == ROWS - ROWS // 10
    assert found["held_out"]["n"] == ROWS // 10
    X, y = matrix()
    held = np.arange(1, ROWS + 1) % 10 == 0
    run = rg.play(rg.Perceptron(), X[~held], y[~held])
    assert found["ledger"]["mistakes"] == run.mistakes
    scores = rg.load("h.rgl").scores(X[held])
    assert found["held_out"]["total"] == (scores * y[held] <= 0.0).sum()


def test_a_model_to_start_from(folder: Path, capsys: Any) -> None:
    main(
        [
            "train",
            "a.svm",
            "-l",
            "perceptron",
            "-o",
            "a.rgl",
            "--model",
            "last",
            "--quiet",
        ]
    )
    found = document(
        capsys, "train", "b.svm", "-i", "a.rgl", "-o", "ab.rgl", "--model", "last"
    )
    both = rg.play(rg.Perceptron(), ["a.svm", "b.svm"])
    assert np.array_equal(rg.load("ab.rgl").weights, both.weights)
    assert not any(one["applies"] for one in found["theorems"])
    line = failure(
        capsys,
        "train",
        "b.svm",
        "-i",
        "a.rgl",
        "-l",
        "balanced-winnow",
        "eta=0.1",
        "--features",
        "60",
    )
    assert line.startswith(
        "only additive learners can start from the weights of a model"
    )
    for learner, kind, noun in (
        ("perceptron", "vote", "vote"),
        ("kernelperceptron", "last", "machine"),
    ):
        asked = ["-l", learner, "-o", "k.rgl", "--model", kind, "--quiet"]
        assert main(["train", "a.svm", *asked]) == 0
        line = failure(capsys, "train", "b.svm", "-l", "perceptron", "-i", "k.rgl")
        assert line.startswith(f"a {noun} is not one vector of weights to start from")
        assert "--resumable" in line


def test_bad_rows(folder: Path, capsys: Any) -> None:
    text = rows(30, seed=4)
    text[11] = "1 3:1 x:2\n"
    text[20] = "1 3:1 2:1\n"
    Path("bad.svm").write_text("".join(text))
    line = failure(capsys, "train", "bad.svm", "-l", "perceptron", "-o", "bad.rgl")
    assert line.startswith("bad.svm:12: ")
    assert not Path("bad.rgl").exists()
    found = document(
        capsys, "train", "bad.svm", "-l", "perceptron", "--on-bad-rows", "skip"
    )
    assert found["rows"] == 28
    assert found["skipped"]["count"] == 2
    assert [problem.split(": ")[0] for problem in found["skipped"]["first"]] == [
        "bad.svm:12",
        "bad.svm:21",
    ]
    assert main(["train", "bad.svm", "-l", "perceptron", "--on-bad-rows", "skip"]) == 0
    assert "2 bad rows were skipped" in capsys.readouterr().out


def test_rows_that_the_learner_refuses(folder: Path, capsys: Any) -> None:
    learner = ["train", "a.svm", "-l", "winnow", "--features", "60"]
    first = next(i for i, line in enumerate(rows(ROWS, seed=1)) if ":2" in line)
    assert failure(capsys, *learner).startswith(f"a.svm:{first + 1}: column ")
    found = document(capsys, *learner, "--on-bad-rows", "skip")
    good = [line for line in rows(ROWS, seed=1) if ":2" not in line]
    assert found["rows"] == len(good)
    assert len(found["skipped"]["first"]) == 10


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["train", "none.svm"], "none.svm: there is no such file"),
        (["train"], "which data?"),
        (["train", "a.svm", "--delta", "2"], "--delta 2: it is between 0 and 1"),
        (["train", "a.svm", "--task", "clustering"], "--task clustering: one of"),
        (["train", "a.svm", "--model", "best", "-o", "x"], "--model best: one of"),
        (["train", "a.svm", "--model", "last"], "--model says which model is saved"),
        (["train", "a.svm", "--every", "soon"], "--every 'soon': write 30s"),
        (["train", "a.svm", "--format", "xml"], "--format xml: it is one of"),
        (["train", "a.svm", "--resume", "none.ck"], "none.ck"),
        (["train", "a.svm", "-l", "nobody"], "there is no learner 'nobody'"),
        (
            ["train", "a.svm", "-l", "ogd loss=squared", "--task", "binary"],
            "is for regression",
        ),
        (["train", "a.svm", "-l", "winnow"], "declare n_features= (--features)"),
        (["inspect", "a.svm"], "a.svm: not a regretless model"),
        (["predict", "a.svm", "b.svm"], "a.svm: not a regretless model"),
        (["train", "."], "is a directory"),
    ],
)
def test_mistakes_are_one_line(
    folder: Path, capsys: Any, arguments: list[str], answer: str
) -> None:
    usage = arguments[0] == "train" and "directory" not in answer
    usage &= not answer.startswith(("none.", "declare"))
    assert main(arguments) == (2 if usage else 1)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1, captured.err
    assert answer in captured.err


@pytest.mark.parametrize(
    "arguments", [["trian"], ["train", "--nope"], ["train", "a.svm", "--delta", "x"]]
)
def test_wrong_usage_is_exit_code_two(folder: Path, arguments: list[str]) -> None:
    assert main(arguments) == 2


def test_a_model_that_cannot_be_written_leaves_the_old_one(
    folder: Path, capsys: Any
) -> None:
    assert main(["train", "a.svm", "-l", "perceptron", "-o", "no/such/a.rgl"]) == 2
    assert "--output no/such/a.rgl: there is no such folder" in capsys.readouterr().err
    main(["train", "a.svm", "-l", "perceptron", "-o", "a.rgl", "--quiet"])
    before = Path("a.rgl").read_bytes()
    Path("bad.svm").write_text("1 1:1\n-1 2:x\n")
    failure(capsys, "train", "bad.svm", "-l", "perceptron", "-o", "a.rgl")
    assert Path("a.rgl").read_bytes() == before
    assert stat.S_IMODE(Path("a.rgl").stat().st_mode) & stat.S_IRUSR


def test_help_fits_a_screen(folder: Path, capsys: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    for command in ("train", "predict", "inspect", "convert", "demo"):
        assert main([command, "--help"]) == 0
        text = capsys.readouterr().out
        assert f"Example: regretless {command}" in text
        assert len(text.splitlines()) <= 60
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("regretless ")


def test_a_panel_is_explained_by_what_it_does(folder: Path, capsys: Any) -> None:
    dice = random.Random(3)
    lines = ["age,city,bought\n"]
    for _ in range(2500):
        age, city = dice.randint(18, 80), dice.choice(["paris", "rome", "oslo"])
        score = (age - 49) / 10 + (2.0 if city == "paris" else 0.0) + dice.gauss(0, 1)
        lines.append(f"{age},{city},{'yes' if score > 0.5 else 'no'}\n")
    Path("a.csv").write_text("".join(lines))
    assert main(["train", "a.csv", "--label", "bought", "-o", "c.rgl", "--quiet"]) == 0
    explained = document(capsys, "inspect", "c.rgl")["explanation"]
    (title,) = [name for name in explained if name.startswith("effects")]
    assert "+ says yes" in title
    signs = {name: float(effect) for name, effect, _, _ in explained[title]}
    assert signs["age"] > 0.0
    assert signs["city=paris"] > 0.0 > min(signs["city=rome"], signs["city=oslo"])


def test_several_learners(folder: Path, capsys: Any) -> None:
    found = document(
        capsys, "train", "a.svm", "-l", "perceptron,pegasos strength=0.01",
        "--grid", "ogd eta=0.01:1:log3", "-o", "best.rgl",
    )  # fmt: skip
    assert len(found["runs"]) == 5
    assert found["delta_each"] == 0.01
    order = [row["mistakes"] for row in found["runs"]]
    assert order == sorted(order)
    assert found["model"]["certificate"]["delta"] == 0.01
    assert repr(rg.load("best.rgl").learner) == found["runs"][0]["learner"]
    assert main(["train", "a.svm", "--grid", "ogd eta=1:0.1:log3"]) == 2
    assert "the range is empty" in capsys.readouterr().err


def test_convert_and_back(folder: Path, capsys: Any) -> None:
    assert main(["convert", "a.svm", "a.arrow"]) == 0
    assert main(["convert", "a.arrow", "back.svm.gz", "--quiet"]) == 0
    text = gzip.decompress(Path("back.svm.gz").read_bytes()).decode()
    assert text == Path("a.svm").read_text().replace("+1", "1")
    plain = document(capsys, "train", "a.svm", "-l", "perceptron", "-o", "p.rgl")
    rows = document(capsys, "train", "a.arrow", "-l", "perceptron", "-o", "q.rgl")
    assert rows["ledger"] == plain["ledger"]
    assert rg.load("q.rgl").provenance.reading["format"] == "libsvm"
    assert main(["predict", "q.rgl", "b.svm", "--quiet", "-o", "out.txt"]) == 0
    for target, answer in (
        ("a.svm", "that file is read"),
        ("a.xyz", "write FILE.arrow"),
    ):
        assert main(["convert", "a.svm", target]) == 2
        assert answer in capsys.readouterr().err


def test_quotes_in_tables(folder: Path, capsys: Any) -> None:
    Path("q.csv").write_text('a,b,y\n1,"2,0\n3,4,1\n5,6,1\n')
    assert "quotation mark" in failure(capsys, "train", "q.csv", "-l", "perceptron")
    Path("t.tsv").write_text('y\ta\n1\t"x\n-1\tz\n1\tw"\n-1\tz\n')
    assert document(capsys, "train", "t.tsv", "-l", "perceptron")["rows"] == 4


def test_a_model_of_another_format_is_refused(folder: Path, capsys: Any) -> None:
    main(["train", "a.svm", "-l", "perceptron", "-o", "a.rgl", "--quiet"])
    Path("c.vw").write_text("1 | a b\n-1 | c\n")
    assert "the model learned from libsvm" in failure(
        capsys, "predict", "a.rgl", "c.vw"
    )


def test_probabilities_of_a_panel(folder: Path, capsys: Any) -> None:
    main(["train", "a.svm", "-o", "p.rgl", "--quiet"])
    assert main(["predict", "p.rgl", "b.svm", "--quiet"]) == 0
    lines = table(capsys.readouterr().out)
    assert all((float(row["p_1"]) > 0.5) == (row["prediction"] == "1") for row in lines)
    first = document(capsys, "predict", "p.rgl", "b.svm")["predictions"][0]
    assert first["probability"] == float(lines[0]["p_1"])


def test_a_failure_is_json_too(folder: Path, capsys: Any) -> None:
    assert main(["train", "none.svm", "--json"]) == 1
    captured = capsys.readouterr()
    assert json.loads(captured.out) == {
        "command": "train",
        "exit_code": 1,
        "error": captured.err.strip(),
    }


def test_true_and_false_are_labels(folder: Path, capsys: Any) -> None:
    Path("f.csv").write_text("a,y\n1,True\n-2,False\n3,True\n-1,False\n")
    found = document(capsys, "train", "f.csv", "-l", "perceptron")
    assert found["classes"] == ["False", "True"]
    assert found["rows"] == 4
