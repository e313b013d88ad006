"""What screens say is true, and what matters most is said first, on every one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import regretless as rg
from regretless.cli import main
from regretless.cli.seen_columns import group_column, members_of
from regretless.evidence.summary import certified

N = 400
NOISY = {
    f"day{k}": [f"0{1 + k}/{1 + i % 12:02d}/2024" for i in range(N)] for k in range(3)
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(name: str, columns: dict[str, Any], order: Any = None) -> str:
    rows = list(zip(*columns.values(), strict=True))
    rows = [rows[i] for i in (range(len(rows)) if order is None else order)]
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    Path(name).write_text("\n".join(lines) + "\n")
    return name


def columns(n: int = N, seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    a, b, noise = np.round(rng.normal(size=(3, n)), 4)
    return {"a": a, "b": b, "y": np.where(a + 0.3 * noise > 0.0, "yes", "no")}


def said(capsys: Any, *arguments: str) -> str:
    assert main(["train", *arguments]) == 0
    return capsys.readouterr().out


def document(capsys: Any, *arguments: str) -> dict[str, Any]:
    assert main(["train", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def changed(more: dict[str, Any]) -> list[str]:
    rows = {**more, **columns()}
    order = np.argsort(rows["y"], kind="stable").tolist()
    return [written("rows.csv", rows, order)]


def again(more: dict[str, Any]) -> list[str]:
    return [*[written("rows.csv", {**more, **columns()})] * 2, "--again"]


def amounts(more: dict[str, Any]) -> list[str]:
    rows = columns()
    return [written("rows.csv", {**more, **rows, "y": rows["a"] + rows["b"]})]


def uncertified(more: dict[str, Any]) -> list[str]:
    return [written("rows.csv", {**more, **columns()}), "--model", "last"]


REASONS: dict[str, tuple[Callable[[dict[str, Any]], list[str]], str]] = {
    "changed": (changed, "no bound about the future: the rows come sorted by label"),
    "again": (again, "nothing is certified: rows came again from about round 401 on"),
    "amounts": (amounts, "it predicts numbers"),
    "last": (uncertified, "is not certified: the online average"),
}


@pytest.mark.parametrize("noisy", [False, True], ids=["plain", "crowded"])
@pytest.mark.parametrize("reason", REASONS)
def test_why_nothing_is_certified_comes_first_and_everywhere(
    capsys: Any, reason: str, noisy: bool
) -> None:
    data, why = REASONS[reason]
    command = [*data(NOISY if noisy else {}), "-l", "panel", "--fast", "-o", "m.rgl"]
    if reason == "amounts":
        command = [*command[:1], "--fast", "-o", "m.rgl"]
    command = [*command, "--label", "y"]
    found = document(capsys, *command)
    assert why in found["warnings"][0]
    assert why.lower() in found["why_not"].lower()
    assert found["why_not"] == found["model"]["why_not"]
    for more in ([], ["--verbose"]):
        text = said(capsys, *command, *more)
        flat = " ".join(text.split())
        first = flat.index("warning: ")
        assert flat[first:].startswith(f"warning: {found['warnings'][0]}"), text
        if not more:
            assert len(text.splitlines()) <= 15
            assert "on new data: at most" not in text
    said(capsys, *command, "--report", "r.html")
    page = Path("r.html").read_text()
    if reason != "last":  # the page certifies the run instead
        assert 'class="warning"' in page
    if reason not in ("changed", "last"):  # the page tells of a change at more length
        assert " ".join(found["why_not"].split())[:60] in page
    new = columns(seed=7)
    if reason == "amounts":
        new["y"] = new["a"]
    more = {name: column[:9] * 45 for name, column in NOISY.items()} if noisy else {}
    fresh = {**{name: column[:N] for name, column in more.items()}, **new}
    assert main(["predict", "m.rgl", written("new.csv", fresh), "-o", "p.csv"]) == 0
    told = capsys.readouterr().err
    assert why.lower() in told.lower()
    assert main(["predict", "m.rgl", "new.csv", "-o", "p.csv", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["why_not"] == found["why_not"]


def test_a_bound_of_everything_is_no_certificate(capsys: Any) -> None:
    rows = {name: column[:3] for name, column in columns().items()}
    data = written("rows.csv", {**rows, "y": ["yes", "no", "yes"]})
    text = " ".join(said(capsys, data).split())
    assert "at most 100.00%" not in text
    assert "warning: nothing is certified: 3 rows to judge by are too few" in text
    found = document(capsys, data)
    assert "are too few, the bound would be 100%" in found["why_not"]


def test_a_certificate_leaves_no_reason(capsys: Any) -> None:
    command = [written("rows.csv", columns()), "-o", "m.rgl"]
    found = document(capsys, *command)
    assert found["why_not"] == found["model"]["why_not"] == ""
    assert found["warnings"] == []
    new = written("new.csv", columns(seed=7))
    assert main(["predict", "m.rgl", new, "-o", "p.csv"]) == 0
    assert "certified after" in capsys.readouterr().err


DECLARED = {
    "numbers": [10_000 + k % 50 for k in range(N)],
    "amounts": [f"{k % 50}%" for k in range(N)],
    "dates": [f"{1 + k % 28:02d}/{1 + k % 12:02d}/2024" for k in range(N)],
    "ids": [f"c{k:05d}" for k in range(N)],
    "numbers of rows": list(range(N)),
}


@pytest.mark.parametrize("kind", DECLARED)
def test_a_declared_category_is_not_warned_about(capsys: Any, kind: str) -> None:
    data = written("rows.csv", {"x": DECLARED[kind], **columns()})
    found = document(capsys, data, "--fast", "--categorical", "x")
    assert not [line for line in found["warnings"] if "'x'" in line]
    if kind not in ("numbers", "numbers of rows"):
        found = document(capsys, data, "--fast")
        assert [line for line in found["warnings"] if "'x'" in line]


@pytest.mark.parametrize("bits", [12, 14, 18])
def test_ids_are_seen_however_few_features_there_are(capsys: Any, bits: int) -> None:
    n = 6 * 2**10
    rows = {
        "key": [f"k{k:05d}" for k in range(n)],
        "color": ["red", "green", "blue"] * (n // 3),
        "town": [f"t{k}" for k in np.random.default_rng(1).integers(0, 120, n)],
        **columns(n),
    }
    data = written("rows.csv", rows)
    found = document(capsys, data, "-l", "perceptron", "--bits", str(bits))
    told = [line for line in found["warnings"] if "like ids" in line]
    assert told == ["column 'key' is new in nearly every row, like ids: --ignore key"]


REPEATED = {
    "user_id": "users",
    "userId": "users",
    "customer": "customers",
    "PatientID": "patients",
    "session-id": "sessions",
    "pid": "values of it",
}


@pytest.mark.parametrize("words", [False, True], ids=["numbers", "words"])
@pytest.mark.parametrize("name", REPEATED)
def test_ids_that_repeat_are_named_with_group(
    capsys: Any, name: str, words: bool
) -> None:
    drawn = np.random.default_rng(3).permutation(np.arange(N) % 40)
    values = [f"{'v' * words}{1000 + 37 * k}" for k in drawn.tolist()]
    data = written("rows.csv", {name: values, **columns()})
    command = [data, "--label", "y", "--fast", "-o", "m.rgl"]
    told = (
        f"column '{name}' repeats (40 values, 10 rows each): if new rows will come "
        f"from new {REPEATED[name]}, seal by it: --seal 10% --group {name}"
    )
    assert told in document(capsys, *command)["warnings"]
    grouped = document(capsys, *command, "--seal", "20%", "--group", name)
    assert not [line for line in grouped["warnings"] if "repeats" in line]


ORDINARY = {
    "city": [f"c{k % 40}" for k in range(N)],
    "age": [20 + k % 40 for k in range(N)],
    "paid": [k % 40 for k in range(N)],
    "user_id": [f"u{k % 5}" for k in range(N)],
    "shop_id": [k // 2 * 2.5 for k in range(N)],
}


@pytest.mark.parametrize("name", ORDINARY)
def test_other_columns_are_no_groups(capsys: Any, name: str) -> None:
    data = written("rows.csv", {name: ORDINARY[name], **columns()})
    found = document(capsys, data, "--label", "y", "--fast", "-o", "m.rgl")
    assert not [line for line in found["warnings"] if "repeats" in line]


def test_the_column_of_members_is_the_group() -> None:
    counts = {"campaign_id": 900, "user_id": 100, "city": 2000, "device": 3}
    assert group_column(counts, 10_000) == "user_id"
    assert group_column({"campaign_id": 900, "slot_id": 50}, 10_000) == "campaign_id"
    assert group_column({"user_id": 9_000}, 10_000) is None
    assert members_of("Household") == "households"


@pytest.mark.parametrize("spelled", ["0.1", "10%", " 10% "])
def test_delta_is_a_number_or_a_percentage(capsys: Any, spelled: str) -> None:
    found = document(capsys, written("rows.csv", columns()), "--delta", spelled)
    assert found["certificate"]["delta"] == 0.1


@pytest.mark.parametrize("spelled", ["5", "0", "110%", "x", "nan"])
def test_a_delta_that_is_none(capsys: Any, spelled: str) -> None:
    assert main(["train", written("rows.csv", columns()), "--delta", spelled]) == 2
    assert f"--delta {spelled}: it is between 0 and 1" in capsys.readouterr().err


def rare(n: int = 3000, seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    a, b = np.round(rng.normal(size=(2, n)), 4)
    clicked = rng.random(n) < 1 / (1 + np.exp(4.2 - 1.2 * a))
    return {"a": a, "b": b, "y": clicked.astype(int)}


@pytest.mark.parametrize("learner", ["panel", "perceptron"])
def test_a_rare_class_is_headed_by_auc_and_log_loss(capsys: Any, learner: str) -> None:
    command = [written("rows.csv", rare()), "-l", learner, "-o", "m.rgl"]
    text = said(capsys, *command, "--report", "r.html")
    names = r"(?m)^  (AUC|log loss|wrong|precision|recall) "
    measured = re.findall(names, text)
    expected = ["AUC", "log loss", "wrong", "precision", "recall"]
    if learner == "perceptron":
        expected.remove("log loss")
    assert measured == expected
    page = Path("r.html").read_text()
    tiles = re.findall(r"<li[^>]*><b>([^<]*)</b><span>([^<]*)</span>", page)
    metrics = document(capsys, *command)["metrics"]
    assert tiles[0][1] == "AUC; by chance: 0.5"
    assert float(tiles[0][0]) == pytest.approx(metrics["auc"], abs=1e-3)
    if learner == "panel":
        assert tiles[1][1].startswith("log loss; always answering ")
        assert "(no better)" not in text
        assert "no better than" not in text
        assert "would have been no worse" not in page
    else:  # its mistakes are all there is to compare
        assert "no better than the majority" in " ".join(text.split())


CONSTANT = {
    "two": ["a", "b"],
    "many": ["a", "b", "c"],
    "amounts": None,
}


@pytest.mark.parametrize("useful", [False, True], ids=["noise", "signal"])
@pytest.mark.parametrize("kind", CONSTANT)
def test_predict_says_that_a_constant_is_as_good(
    capsys: Any, kind: str, useful: bool
) -> None:
    def rows(seed: int) -> dict[str, Any]:
        rng = np.random.default_rng(seed)
        x = np.round(rng.normal(size=(2, 2000)), 4)
        seen = x[0] if useful else rng.normal(size=2000)
        if CONSTANT[kind] is None:
            return {"a": x[0], "b": x[1], "y": np.round(seen, 5)}
        cuts = [0.5] if kind == "two" else [-0.6, 0.2]
        return {
            "a": x[0],
            "b": x[1],
            "y": np.array(CONSTANT[kind])[np.digitize(seen, cuts)],
        }

    learner = ["-l", "perceptron"]
    if kind == "amounts":
        learner = ["-l", "ogd", "loss=squared", "step=0.05"]
    said(capsys, written("rows.csv", rows(0)), *learner, "-o", "m.rgl")
    new = written("new.csv", rows(1))
    assert main(["predict", "m.rgl", new, "-o", "p.csv"]) == 0
    told = "the model is no better on these rows than one answer for all of them"
    assert (told in capsys.readouterr().err) is not useful
    assert main(["predict", "m.rgl", new, "-o", "p.csv", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["no_better"] is not useful


LEARNERS = ["panel forest=false", "perceptron", "adagrad", "ftrlproximal l1=50"]


@pytest.mark.parametrize("learner", LEARNERS)
def test_features_are_those_that_were_met(capsys: Any, learner: str) -> None:
    words = {"color": ["red", "green", "blue", "white"] * (N // 4)}
    command = [written("rows.csv", {**words, **columns()}), "-l", learner]
    assert "rows.csv: 400 rows, 6 features, learned" in said(capsys, *command)
    assert document(capsys, *command, "--report", "r.html")["features"] == 6
    found = re.search(r'"features":\s*(\d+)', Path("r.html").read_text())
    assert found is not None
    assert found[1] == "6"


def test_a_certificate_of_groups_speaks_of_groups() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 3))
    run = rg.play(
        rg.Perceptron(), X, X[:, 0] > 0, seal="20%", group=np.arange(2000) // 10
    )
    told = certified(run.model().certificate)
    assert told.startswith("error on new data, in the mean over groups: at most ")
    assert told.endswith("(95% confidence) if new groups come one by one like these")
