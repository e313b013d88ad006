"""Tags of Vowpal Wabbit text stand beside predictions, wherever these are written."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from command_files import table
from killing import KilledError, dies_after
from regretless.cli import main
from regretless.data.formats.vw_tags import tags_of

N = 60


def lines(labels: list[str]) -> tuple[list[str], list[str]]:
    """Rows in every form that has a tag or none, and the tags."""
    rng = np.random.default_rng(0)
    rows: list[str] = []
    tags: list[str] = []
    for k in range(N):
        tag, front = [
            (f"t{k}", f"{{}} 't{k}|"),
            (f"t{k}", f"{{}} 't{k} |"),
            (f"{k}", f"{{}} 1 {k}|"),
            (f"'{k}é", f"{{}}\t2 0.5 ''{k}é|"),
            ("", "{} |"),
            ("", "{} 1.5 |"),
            (f"a'{k}", f" 'a'{k}|"),
        ][k % 7]
        x = rng.normal()
        label = labels[int(np.clip((x + 1) * len(labels) / 2, 0, len(labels) - 1))]
        rows.append(f"{front.format(label)}a x:{x:.3f} y:{rng.normal():.3f} |b z'{k}")
        tags.append(tag)
    return rows, tags


BINARY, TAGS = lines(["-1", "1"])


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("a.vw").write_text("\n".join(BINARY) + "\n")
    return tmp_path


def written(*, predicted: bool = False) -> list[str]:
    """The tags of the predictions; or of those that say something."""
    rows = table(Path("p.txt").read_text())
    return [row["tag"] for row in rows if not (predicted and row["reason"])]


def said(text: bytes) -> list[str] | None:
    rows = [k for k, line in enumerate(text.split(b"\n"), 1) if b"|" in line]
    found = tags_of(memoryview(text), np.array(rows, np.int64))
    return None if found is None else found.tolist()


def test_tags_of_a_block() -> None:
    text = ("\n".join(BINARY) + "\n").encode()
    assert said(text) == TAGS
    assert said(b"\xef\xbb\xbf'a|x\r\n\n1 2 b|x y|z") == ["a", "b"]
    assert said(b"1 |x\n |y\n") is None
    assert said(b"") is None


def test_tags_are_those_of_vowpal_wabbit() -> None:
    vowpalwabbit = pytest.importorskip("vowpalwabbit")
    vowpalwabbit.Workspace("-d a.vw -p vw.txt --quiet").finish()
    theirs = [
        line.partition(" ")[2] for line in Path("vw.txt").read_text().splitlines()
    ]
    assert theirs == TAGS


@pytest.mark.parametrize(
    "more",
    [
        [],
        ["-l", "panel"],
        ["--passes", "2"],
        ["--class-weight", "1=2"],
        ["--threads", "3", "-q", "ab"],
    ],
    ids=" ".join,
)
def test_train(more: list[str], capsys: Any) -> None:
    learner = [] if "-l" in more else ["-l", "perceptron"]
    options = [*learner, "--bits", "8", "-p", "p.txt", "--quiet"]
    assert main(["train", "a.vw", *options, *more]) == 0
    assert written() == TAGS
    capsys.readouterr()


def test_rows_that_are_left_out_take_their_tags_with_them(capsys: Any) -> None:
    rows = [*BINARY[:10], "1 x |", *BINARY[10:20], "", *BINARY[20:]]
    Path("b.vw").write_text("\n".join(rows) + "\n")
    options = ["-l", "perceptron", "--bits", "8", "-p", "p.txt", "--quiet"]
    assert main(["train", "b.vw", *options, "--on-bad-rows", "skip"]) == 0
    assert written(predicted=True) == TAGS
    assert main(["train", "a.vw", *options, "--holdout", "5"]) == 0
    kept = [tag for k, tag in enumerate(TAGS, 1) if k % 5]
    assert written(predicted=True) == kept
    assert main(["train", "a.vw", *options, "--seal", "20%"]) == 0
    kept = written(predicted=True)
    assert 30 < len(kept) < N
    assert set(kept) <= set(TAGS)
    capsys.readouterr()


@pytest.mark.parametrize(
    ("labels", "task"),
    [(["1", "2", "3"], "multiclass"), (["0.5", "2.25"], "regression")],
)
def test_the_other_tasks(labels: list[str], task: str, capsys: Any) -> None:
    rows, tags = lines(labels)
    Path("b.vw").write_text("\n".join(rows) + "\n")
    options = [
        "--task",
        task,
        "--bits",
        "8",
        "-p",
        "p.txt",
        "-o",
        "m.rgl",
        "--quiet",
    ]
    assert main(["train", "b.vw", *options]) == 0
    assert written() == tags
    capsys.readouterr()
    assert main(["predict", "m.rgl", "b.vw", "--jsonl", "--quiet"]) == 0
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["tag"] or "" for one in objects] == tags


def test_a_resumed_training(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr("regretless.data.lines.BLOCK", 500)
    kept = ["--checkpoint", "c.ckpt", "--every", "1rows"]
    options = ["-l", "perceptron", "--bits", "8", "-p", "p.txt", "--quiet"]
    assert main(["train", "a.vw", *options]) == 0
    whole = Path("p.txt").read_bytes()
    with pytest.MonkeyPatch.context() as patch:
        dies_after(patch, 3)
        with pytest.raises(KilledError):
            main(["train", "a.vw", *options, *kept])
    assert main(["train", "--resume", "c.ckpt", "-p", "p.txt", "--quiet"]) == 0
    assert Path("p.txt").read_bytes() == whole
    capsys.readouterr()


def test_predict(capsys: Any) -> None:
    options = ["-l", "panel", "--bits", "8", "-o", "m.rgl", "--quiet"]
    assert main(["train", "a.vw", *options]) == 0
    Path("a.vw.gz").write_bytes(gzip.compress(Path("a.vw").read_bytes()))
    for name in ("a.vw", "a.vw.gz"):
        for more in ([], ["--scores"]):
            assert main(["predict", "m.rgl", name, *more, "--quiet"]) == 0
            found = table(capsys.readouterr().out)
            assert [row["tag"] for row in found] == TAGS
    assert main(["predict", "m.rgl", "a.vw", "-o", "p.txt", "--quiet"]) == 0
    assert written() == TAGS
    capsys.readouterr()
    assert main(["predict", "m.rgl", "a.vw", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["predictions"]
    assert [row.get("tag", "") for row in rows] == TAGS
    reading, writing = os.pipe()
    os.write(writing, Path("a.vw").read_bytes())
    os.close(writing)
    assert main(["predict", "m.rgl", f"/dev/fd/{reading}", "--jsonl", "--quiet"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["tag"] or "" for row in rows] == TAGS
    os.close(reading)
