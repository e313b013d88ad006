"""Names that were never met weigh the same in every entrance, as for the learner.

A table of learners x entrances: the learner that goes on learning says of a row with
new names and words what its frozen copy says, of the row as a dict, in a frame, in a
file, alone or among others.
"""

from __future__ import annotations

import json
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import regretless as rg
from regretless.cli import main

SCHEMA = rg.Schema(categorical=["city"], text=["note"])
DICE = random.Random(7)
WORDS = ["red", "green", "shoe", "hat", "coat", "wool"]


def row(k: int, new: bool) -> dict[str, Any]:
    more = f" zzz{k} unheard{k}" if new else ""
    return {
        "city": f"never{k}" if new else DICE.choice(["rome", "oslo", "bern"]),
        "note": " ".join(DICE.choices(WORDS, k=4)) + more,
        "price": DICE.random(),
    }


TRAIN = [row(k, False) for k in range(300)]
TEST = [row(k, k % 3 > 0) for k in range(30)]
FIRST = [("red" in row["note"]) + row["price"] for row in TRAIN]
LABELS: dict[str, list[Any]] = {
    "two": [int(value > 1.0) for value in FIRST],
    "many": [row["city"] for row in TRAIN],
    "amount": FIRST,
}

LEARNERS: dict[str, tuple[str, Any]] = {
    "ogd": ("two", lambda s: rg.OGD(rg.Logistic(), step=0.1, schema=s)),
    "perceptron": ("two", lambda s: rg.Perceptron(schema=s)),
    "kernel": ("two", lambda s: rg.KernelPerceptron(schema=s)),
    "adagrad": ("two", lambda s: rg.AdaGrad(rg.Logistic(), schema=s)),
    "panel": ("two", lambda s: rg.Panel(schema=s)),
    "without a forest": ("two", lambda s: rg.Panel(forest=False, schema=s)),
    "classes": ("many", lambda s: rg.OneVersusRest(rg.Panel(schema=s))),
    "perceptrons": ("many", lambda s: rg.MulticlassPerceptron(schema=s)),
    "linear classes": ("many", lambda s: rg.OneVersusRest(rg.Perceptron(schema=s))),
    "amounts": ("amount", lambda s: rg.RegressionPanel(schema=s)),
    "linear amounts": ("amount", lambda s: rg.OGD(rg.Squared(), step=0.05, schema=s)),
}
EXACT = ("panel", "without a forest", "classes", "amounts")


def flat(scores: Any) -> np.ndarray:
    return np.array([[*s.values()] if isinstance(s, dict) else [s] for s in scores])


@pytest.mark.parametrize("bits", [None, 20])
@pytest.mark.parametrize("name", LEARNERS)
def test_live_and_frozen_say_the_same(name: str, bits: int | None) -> None:
    task, make = LEARNERS[name]
    learner = make(rg.Schema(categorical=["city"], text=["note"], bits=bits))
    for x, y in zip(TRAIN, LABELS[task], strict=True):
        learner.learn_one(x, y)
    model = learner.snapshot()
    said = learner.predict_one if task == "amount" else learner.score_one
    live = flat([said(x) for x in TEST])
    alone = flat([model.score_one(x) for x in TEST])
    among = model.scores(TEST).reshape(len(TEST), -1)
    assert (alone == among).all()
    if name in EXACT:
        assert (live == alone).all()
    else:  # the learner keeps weights as a sum and its scale
        np.testing.assert_allclose(live, alone, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("learned", ["dicts", "frame"])
@pytest.mark.parametrize("name", LEARNERS)
def test_entrances_say_the_same(
    name: str, learned: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    task, make = LEARNERS[name]
    X = TRAIN if learned == "dicts" else pd.DataFrame(TRAIN)
    model = rg.play(make(None), X, LABELS[task], schema=SCHEMA).model("last")
    expected = model.scores(TEST)
    assert len(np.unique(expected)) > 10
    assert (model.scores(pd.DataFrame(TEST)) == expected).all()
    assert (model.scores(pl.DataFrame(TEST)) == expected).all()
    one = flat([model.score_one(x) for x in TEST])
    assert (one == expected.reshape(len(TEST), -1)).all()
    model.save("m.rgl")
    assert (rg.load("m.rgl").scores(TEST) == expected).all()
    if task == "many":
        return
    pd.DataFrame(TEST).to_csv("t.csv", index=False)
    pd.DataFrame(TEST).to_parquet("t.parquet")
    Path("t.jsonl").write_text("".join(json.dumps(x) + "\n" for x in TEST))
    for form in ("csv", "parquet", "jsonl"):
        asked = ["predict", "m.rgl", f"t.{form}", "-o", "p.jsonl", "--quiet"]
        assert main([*asked, *(["--scores"] * (task == "two"))]) == 0
        told = [json.loads(line) for line in Path("p.jsonl").read_text().splitlines()]
        key = "score" if task == "two" else "prediction"
        assert [found[key] for found in told] == expected.tolist(), form


def test_a_new_name_is_no_effect_of_its_own() -> None:
    model = rg.play(rg.Panel(), TRAIN, LABELS["two"], schema=SCHEMA).model("last")
    names = {*model.explain_one(TEST[1])}
    assert names <= {*model.named_weights()}
    assert "price" in names
    assert str(model.explain(TEST)).count("never") == 0


def test_a_row_of_new_names_alone_is_scored() -> None:
    model = rg.play(rg.Panel(), TRAIN, LABELS["two"], schema=SCHEMA).model("last")
    assert np.isfinite(model.scores([{"other": 1.0, "city": "none of these"}])).all()
    assert model.explain_one({"other": 1.0}) == {}


def test_sparse_columns_beyond_the_last_were_never_met() -> None:
    from scipy import sparse

    X = sparse.random_array((60, 12), density=0.4, rng=np.random.default_rng(3)).tocsr()
    y = (X.sum(axis=1) > 2.0).astype(int)
    wide = sparse.hstack([X, sparse.csr_array(np.full((60, 2), 7.0))]).tocsr()
    for make, same in ((rg.Perceptron, True), (rg.Panel, False)):
        model = rg.play(make(), X, y).model("last")
        assert (model.scores(wide) == model.scores(X)).all() == same
        dicts = [
            dict(zip(part.indices.tolist(), part.data.tolist(), strict=True))
            for part in (wide[[i]] for i in range(60))
        ]
        assert (model.scores(dicts) == model.scores(wide)).all()


def test_the_probability_of_a_row_has_the_same_bits_everywhere() -> None:
    learner = rg.Panel(schema=SCHEMA)
    for x, y in zip(TRAIN, LABELS["two"], strict=True):
        learner.learn_one(x, y)
    model = learner.snapshot()
    many = [row(k, k % 2 > 0) for k in range(500)]
    expected = model.predict_proba(many)[:, 1].tolist()
    assert [model.predict_proba_one(x) for x in many] == expected
    assert [learner.predict_proba_one(x) for x in many] == expected


def test_threads_ask_of_new_names_at_once() -> None:
    model = rg.play(rg.RegressionPanel(), TRAIN, FIRST, schema=SCHEMA).model("last")
    known = model.n_features
    many = [row(k, True) | {f"new{j}": 1.0 for j in range(k)} for k in range(120)]
    expected = [model.score_one(x) for x in many]
    for _ in range(5):
        again = rg.play(rg.RegressionPanel(), TRAIN, FIRST, schema=SCHEMA).model("last")
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(again.score_one, many)) == expected
        assert again.n_features == known
        assert again.hypothesis.state_dict()["panel"]["n_features"] == known
