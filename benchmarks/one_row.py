"""The same rows by every entrance: features compared, and probabilities of one model.

``python -m benchmarks.one_row`` runs the table of entrances x kinds of field
(``tests/data/test_one_reading.py``) and counts what is the same to the bit. Then
models of 3,000 rows, one by each entrance, predict 1,000 others by every entrance,
with words that never came.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import random
import runpy
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

import regretless as rg
from regretless.cli import main as command

TABLE = Path(__file__).parent.parent / "tests" / "data" / "test_one_reading.py"
SCHEMA = rg.Schema(categorical=["sku"], text=["note"], numbers=["gap"])
FILES = ("csv", "jsonl", "parquet", "arrow")
WORDS = ["red", "green", "blue", "shoe", "hat", "coat", "wool", "silk"]
Row = dict[str, Any]


def rows(n: int, seed: int, cities: list[str]) -> list[Row]:
    """Rows with a field of every kind."""
    dice = random.Random(seed)
    return [
        {
            "note": " ".join(dice.choices(WORDS, k=4)),
            "city": dice.choice(cities),
            "sku": dice.randint(1, 50),
            "price": 10.0 * dice.random(),
            "gift": dice.random() < 0.5,
            "sold": dt.date(2024, 1, 1) + dt.timedelta(days=dice.randint(0, 300)),
            "gap": None if dice.random() < 0.3 else dice.random(),
        }
        for _ in range(n)
    ]


def written(name: str, given: list[Row]) -> None:
    """The rows as a file of every format."""
    frame = pd.DataFrame(given)
    frame.to_csv(f"{name}.csv", index=False)
    lines = [json.dumps(row, default=str) + "\n" for row in given]
    Path(f"{name}.jsonl").write_text("".join(lines))
    frame.to_parquet(f"{name}.parquet")
    pl.DataFrame(given).write_ipc(f"{name}.arrow", compression="uncompressed")


def models(train: list[Row], labels: list[int]) -> Iterator[tuple[str, Any]]:
    """A model of the rows by every entrance."""
    for form in FILES:
        run = rg.play(rg.Panel(), f"train.{form}", y="y", schema=SCHEMA)
        yield form, run.model("last")
    ways: dict[str, Callable[[list[Row]], Any]] = {
        "dicts": list,
        "pandas": pd.DataFrame,
        "polars": pl.DataFrame,
    }
    for name, way in ways.items():
        yield name, rg.play(rg.Panel(), way(train), labels, schema=SCHEMA).model("last")
    learner = rg.Panel(schema=SCHEMA)
    for row, label in zip(train, labels, strict=True):
        learner.learn_one(row, label)
    yield "live", learner.snapshot()


def predicted(model: Any, test: list[Row]) -> Iterator[tuple[str, Any]]:
    """The probabilities of the rows by every entrance."""
    yield "dict", np.array([model.predict_proba([row])[0, 1] for row in test])
    yield "dicts", model.predict_proba(test)[:, 1]
    yield "pandas", model.predict_proba(pd.DataFrame(test))[:, 1]
    yield "polars", model.predict_proba(pl.DataFrame(test))[:, 1]
    model.save("model.rgl")
    for form in FILES:
        command(["predict", "model.rgl", f"test.{form}", "-o", "p.jsonl", "--quiet"])
        lines = Path("p.jsonl").read_text().splitlines()
        yield form, np.array([json.loads(line)["p_1"] for line in lines])


def one_model() -> None:
    """Print the mean probability of the rows, by the entrance of the model."""
    train = rows(3000, 1, ["rome", "paris", "oslo"])
    test = rows(1000, 2, ["rome", "paris", *(f"never {k}" for k in range(100))])
    dice = random.Random(3)
    labels = [int(row["price"] + 3 * (row["city"] == "rome") > 6) for row in train]
    labels = [y if dice.random() < 0.9 else 1 - y for y in labels]
    written("train", [{**row, "y": y} for row, y in zip(train, labels, strict=True)])
    written("test", test)
    print("learned from  mean probability    1,000 rows by")
    for name, model in models(train, labels):
        found = dict(predicted(model, test))
        other = [way for way, p in found.items() if (p != found["dict"]).any()]
        same = "the same bits" if not other else f"others: {', '.join(other)}"
        mean = found["dict"].mean()
        print(f"{name:12}  {mean!r:18}  {', '.join(found)}: {same}")


def table() -> None:
    """Print how many cells of the table have the same features, to the bit."""
    known = runpy.run_path(str(TABLE))
    kinds, entrances = known["KINDS"], known["ENTRANCES"]
    weights: dict[str, list[dict[str, float]]] = {}
    for name, entrance in known["TABLE"]:
        kind = kinds[name]
        row = {**known["ROW"], "f": kind.value}
        found = entrances[entrance](row, rg.Schema(**kind.schema), kind)
        weights.setdefault(name, []).append(found)
    cells = sum(map(len, weights.values()))
    same = sum(
        found == ways[-1] and set(found) == {"one", *kinds[name].features}
        for name, ways in weights.items()
        for found in ways
    )
    print(f"{len(weights)} kinds of field, {len(entrances)} entrances:", end=" ")
    print(f"{same:,} of {cells:,} cells have the same features, to the bit")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        table()
        one_model()
        os.chdir("/")
