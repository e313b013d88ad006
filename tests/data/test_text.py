"""Text straight in: one rule for words, whoever reads the text."""

from __future__ import annotations

import csv
import json
import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

import regretless as rg
from regretless.data.encoding import TwoClassLabels
from regretless.data.encoding.text import count_words, lower_case, words_of
from regretless.data.text_source import TextSource

TEXTS = ["Free money, FREE!", "Meeting at noon.", "free lunch?", "", "the meeting"]
LABELS = [1, 0, 1, 0, 0]


def bags(texts, **options):
    """The rows of texts by the names of their words."""
    options = rg.ReadOptions(bits=22, **options)
    source = TextSource(texts, [1] * len(texts), TwoClassLabels(), options)
    found = []
    for batch in source.batches():
        starts, columns, values = batch.rows
        for i in range(len(starts) - 1):
            row = slice(starts[i], starts[i + 1])
            names = [source.names[j] for j in columns[row].tolist()]
            found.append(dict(zip(names, values[row].tolist(), strict=True)))
    return found


def nonzero(run):
    return {name: weight for name, weight in run.named_weights().items() if weight}


@given(
    st.lists(
        st.text(
            st.characters(codec="utf-8")
            | st.sampled_from("aB_1 -\u0130\u03a3\u1e9e\u212a\u00c4\U00010400\u0939")
        ),
        min_size=1,
        max_size=4,
    ),
    st.integers(1, 3),
    st.booleans(),
)
def test_machine_code_and_python_agree_on_words(texts, ngrams, presence):
    wanted = [count_words(text, ngrams, presence=presence) for text in texts]
    assert bags(texts, ngrams=ngrams, presence=presence) == wanted


def test_the_rule():
    assert words_of("Don't PANIC: it's 1979, x_1!") == (
        ["don", "t", "panic", "it", "s", "1979", "x_1"]
    )
    assert words_of("a b c", 3) == ["a", "b", "a b", "c", "b c", "a b c"]
    assert count_words("a b a", 2) == {"a": 2.0, "b": 1.0, "a b": 1.0, "b a": 1.0}
    assert lower_case("\u0130\u03a3 \u00c4") == "i\u03c3 \u00e4"
    every = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))
    assert len(lower_case(every)) == len(every)
    plain = re.compile(r"[^\W]+")
    assert words_of(every) == plain.findall(lower_case(every))


@pytest.mark.parametrize(
    "kind",
    [list, tuple, np.array, pd.Series, pl.Series, pa.array, pa.chunked_array],
    ids=lambda kind: f"{kind.__module__}.{kind.__qualname__}",
)
def test_texts_of_every_kind(kind):
    texts = kind([TEXTS]) if kind is pa.chunked_array else kind(TEXTS)
    run = rg.play(rg.Perceptron(), texts, LABELS)
    events = rg.play(rg.Perceptron(), list(zip(TEXTS, LABELS, strict=True)))
    assert nonzero(run) == nonzero(events)
    assert run.ledger == events.ledger
    learner = rg.Perceptron()
    for text, y in zip(TEXTS, LABELS, strict=True):
        learner.learn_one(text, y)
    assert learner.ledger == run.ledger
    model = run.model("last")
    expected = [learner.score_one(text) for text in TEXTS]
    assert model.scores(texts).tolist() == expected
    assert learner.snapshot().scores(texts).tolist() == expected


def test_a_saved_model_reads_text_as_it_was_read(tmp_path):
    options = rg.ReadOptions(ngrams=2, presence=True, bits=12)
    run = rg.play(rg.Perceptron(), TEXTS, LABELS, options=options)
    model = run.model("last")
    model.save(tmp_path / "model.rgl")
    loaded = rg.load(tmp_path / "model.rgl")
    assert loaded.n_features == len(run.names)
    assert loaded.scores(TEXTS).tolist() == model.scores(TEXTS).tolist()
    weights = run.named_weights()
    assert loaded.scores(["free money free money"]).tolist() == [
        sum(weights.get(w, 0.0) for w in ("free", "money", "free money", "money free"))
    ]
    assert "free money" in weights
    assert loaded.predict(["noon", "money"]).tolist() == [0, 1]
    machine = rg.KernelPerceptron(rg.RBF(0.7))
    whole = rg.play(machine, TEXTS, LABELS, options=options).model("last")
    assert whole.scores(TEXTS).shape == (5,)


def write(folder, ending):
    path = folder / f"texts.{ending}"
    table = {"label": LABELS, "review": TEXTS, "title": TEXTS[::-1], "n": range(1, 6)}
    names, rows = list(table), list(zip(*table.values(), strict=True))
    if ending == "parquet":
        pa.parquet.write_table(pa.table({k: list(v) for k, v in table.items()}), path)
    elif ending == "jsonl":
        lines = [json.dumps(dict(zip(names, row, strict=True))) for row in rows]
        path.write_text("\n".join(lines))
    else:
        with path.open("w", newline="") as file:
            writer = csv.writer(file, delimiter="\t" if ending == "tsv" else ",")
            writer.writerows([names, *rows])
    return str(path)


@pytest.mark.parametrize("presence", [False, True])
@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "jsonl"])
def test_files_of_every_format(tmp_path, ending, presence):
    options = rg.ReadOptions(
        text=("review", "title"), ngrams=2, presence=presence, label="label"
    )
    path = write(tmp_path, ending)
    run = rg.play(rg.Perceptron(), path, options=options)
    events = []
    for text, other, y, n in zip(TEXTS, TEXTS[::-1], LABELS, range(1, 6), strict=True):
        x = {"n": float(n)}
        for name, given_text in (("review", text), ("title", other)):
            counts = count_words(given_text, 2, presence=presence)
            x |= {f"{name}={word}": count for word, count in counts.items()}
        events.append((x, y))
    assert nonzero(run) == nonzero(rg.play(rg.Perceptron(), events))
    assert run.model("last").reading["text"] == ["review", "title"]
    again = rg.ReadOptions.from_dict(run.model("last").reading)
    assert nonzero(rg.play(rg.Perceptron(), path, options=again)) == nonzero(run)


def test_text_that_cannot_be():
    with pytest.raises(ValueError, match="5 texts but y has 4 labels"):
        rg.play(rg.Perceptron(), TEXTS, LABELS[:4])
    with pytest.raises(ValueError, match="row 1: it is not a text: 7"):
        rg.play(rg.Perceptron(), ["a", 7], [0, 1])
    with pytest.raises(ValueError, match="label='y' means nothing for texts"):
        rg.play(rg.Perceptron(), TEXTS, LABELS, options=rg.ReadOptions(label="y"))
    with pytest.raises(ValueError, match="ngrams=0"):
        rg.ReadOptions(ngrams=0)
    with pytest.raises(TypeError, match="ngrams=None"):
        rg.ReadOptions(ngrams=None)
    with pytest.raises(TypeError, match="presence=1"):
        rg.ReadOptions(presence=1)
    with pytest.raises(TypeError, match="text='review': give a list"):
        rg.ReadOptions(text="review")
    run = rg.play(rg.Perceptron(), ["a b", None, "c"], [0, 1, 1])
    assert run.rounds == 3  # a missing text has no words


def test_files_that_say_no(tmp_path):
    path = write(tmp_path, "csv")
    with pytest.raises(ValueError, match="there is no column 'body'"):
        rg.play(rg.Perceptron(), path, options=rg.ReadOptions(text=("body",)))
    svm = tmp_path / "rows.svm"
    svm.write_text("1 1:1\n")
    with pytest.raises(ValueError, match="means nothing in libsvm"):
        rg.play(rg.Perceptron(), str(svm), options=rg.ReadOptions(text=("body",)))
    run = rg.play(rg.Perceptron(), path, options=rg.ReadOptions(text=("review",)))
    with pytest.raises(TypeError, match="did not learn from texts alone"):
        run.model("last").predict(["text"])
