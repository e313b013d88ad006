"""Whatever a file is that is no model, loading it is one clear line and no more."""

from __future__ import annotations

import hashlib
import json
import os
import struct
from copy import deepcopy

import numpy as np
import pytest

import regretless as rg
from regretless.engine.hypotheses.linear import LinearHypothesis
from regretless.engine.storage import container, read_file, write_file
from regretless.models import Model


def some_model():
    return Model(
        LinearHypothesis(np.arange(1.0, 4.0)), "last", "a model", why_not="nobody asked"
    )


def trained(kind):
    """A model with names, labels, a certificate and where it comes from."""
    X = np.random.default_rng(0).normal(size=(400, 3))
    rows = [dict(zip(("cheap", "now", "ü"), x, strict=True)) for x in X.tolist()]
    learner = rg.OGD(rg.Logistic(), rg.InverseSqrt(0.5), radius=2.0, bias=True)
    return rg.play(learner, rows, np.where(X[:, 0] > 0.0, "spam", "ham")).model(kind)


def content_of(kind, path):
    """What the file of such a model holds."""
    trained(kind).save(path)
    return read_file(path, "model")[0]


def why(path, data=None):
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(ValueError, match=f"{path.name}: ") as caught:
        rg.load(path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500
    return str(caught.value)


def raw(header, data=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def test_foreign_files(tmp_path):
    path = tmp_path / "foreign"
    cut = "not a regretless model: cut short, or not safetensors"
    one = {"dtype": "F64", "shape": [1], "data_offsets": [0, 8]}
    huge = {"dtype": "F64", "shape": [2**40], "data_offsets": [0, 2**43]}
    assert cut in why(path, b"")
    other = "not a regretless model: it holds something else, such as data; train -o"
    assert other in why(path, b"1 3:4.5\n" * 100)
    assert other in why(path, bytes(range(256)) * 10)
    assert other in why(path, b"\x80\x04\x95pickle")
    assert cut in why(path, struct.pack("<Q", 2**62) + b"{}")
    assert cut in why(path, raw({"a": huge}, b"12345678"))
    assert cut in why(path, raw(b"[" * 100_000))
    other = "a safetensors file of something else"
    assert other in why(path, raw({}))
    assert other in why(path, raw({"a": one}, b"12345678"))
    assert other in why(path, raw({"__metadata__": {"format": "pt"}}))


def stamped(document):
    """A file with this document and a right digest."""
    text = document if isinstance(document, str) else json.dumps(document)
    digest = hashlib.sha256(text.encode()).hexdigest()
    return raw({"__metadata__": {"regretless": text, "sha256": digest}})


def test_headers_of_all_sorts(tmp_path):
    path = tmp_path / "odd.rgl"
    newer = {"what": "model", "format": 3, "version": "9", "tensors": {}, "content": {}}
    assert why(path, stamped(newer)) == (
        f"{path}: written by a newer version (format 3; this one reads 2)"
    )
    for document in (
        "",
        "nonsense",
        "[" * 100_000,
        "9" * 10_000,
        "null",
        [],
        {},
        {"what": "model"},
        {"what": 3},
        {"what": ["model"]},
        {"what": "model", "format": "new"},
        {"what": "model", "format": 2, "tensors": []},
        {**newer, "format": 2, "content": []},
        {**newer, "format": 2, "tensors": {"a": {}}},
        {**newer, "format": 2, "content": {"$tensor": "a"}},
        {**newer, "format": 2, "content": {"$tensor": []}},
        {**newer, "format": 2, "content": {"$import": "os"}},
        {**newer, "format": 2, "content": {"$tuple": 3}},
        {**newer, "format": 2, "content": {"$float": "1e9"}},
    ):
        assert "not a regretless model: " in why(path, stamped(document))


def test_a_wrong_digest(tmp_path):
    path = tmp_path / "model.rgl"
    some_model().save(path)
    data = path.read_bytes().replace(b"nobody asked", b"anybody else")
    assert "damaged: its header is not what was written" in why(path, data)


def test_tensors_that_changed(tmp_path):
    path = tmp_path / "model.rgl"
    some_model().save(path)
    good = path.read_bytes()
    flipped = good[:-1] + bytes([good[-1] ^ 1])
    assert "damaged: the bytes of 'arrays/weights' have changed" in why(path, flipped)
    size = struct.unpack("<Q", good[:8])[0]
    header = json.loads(good[8 : 8 + size])
    for change in ({"dtype": "I64"}, {"shape": [3, 1]}):
        other = {**header, "arrays/weights": {**header["arrays/weights"], **change}}
        text = "damaged: 'arrays/weights' has changed its shape"
        assert text in why(path, raw(other, good[8 + size :]))
    renamed = {"b" if key == "arrays/weights" else key: header[key] for key in header}
    text = "damaged: its tensors are not those"
    assert text in why(path, raw(renamed, good[8 + size :]))


HOSTILE = [
    ("type", "nothing"),
    ("type", ["linear"]),
    ("arrays", {}),
    ("arrays", {"bias": 0.0, "threshold": 0.0, "weights": np.zeros((2, 2))}),
    ("arrays", {"bias": 0.0, "threshold": 0.0, "weights": np.zeros(2, np.int64)}),
    ("arrays", {"bias": 0.0, "threshold": 0.0, "weights": [1.0]}),
    ("facts", {}),
    ("arrays", {"bias": "much", "threshold": 0.0, "weights": np.zeros(2)}),
    ("names", {"coding": "rot13", "bytes": np.zeros(0, np.uint8), "ends": np.zeros(0)}),
    (
        "names",
        {"coding": "text", "bytes": np.zeros(3, np.uint8), "ends": np.array([9])},
    ),
    (
        "names",
        {"coding": "text", "bytes": np.zeros(3, np.uint8), "ends": np.array([2])},
    ),
    (
        "names",
        {
            "coding": "text",
            "bytes": np.zeros(3, np.uint8),
            "ends": np.array([2, -1, 3]),
        },
    ),
    (
        "names",
        {"coding": "text", "bytes": np.full(1, 255, np.uint8), "ends": np.ones(1)},
    ),
    (
        "names",
        {"coding": "text", "bytes": np.full(1, 255, np.uint8), "ends": np.array([1])},
    ),
    (
        "names",
        {
            "coding": "json",
            "bytes": np.frombuffer(b"[1]", np.uint8),
            "ends": np.array([3]),
        },
    ),
    ("names", {"coding": "integers", "numbers": np.arange(99)}),
    ("names", "a"),
    ("classes", [1, 2, 3]),
    ("classes", 5),
    ("certificate", {"value": "low"}),
    ("certificate", {}),
    ("certificate", 3),
    ("provenance", {}),
    ("provenance", []),
]


@pytest.mark.parametrize(("key", "value"), HOSTILE, ids=lambda v: repr(v)[:30])
def test_made_up_content_with_right_checksums(key, value, tmp_path):
    path = tmp_path / "model.rgl"
    some_model().save(path)
    content, _ = read_file(path, "model")
    write_file(path, "model", {**content, key: value})
    assert "not a regretless model: " in why(path)
    del content[key]
    write_file(path, "model", content)
    assert f"it has no '{key}'" in why(path)


@pytest.mark.parametrize(
    ("field", "value"),
    [("total", 2e9), ("total", -1.0), ("spent", 0.0), ("delta", 1.0), ("n", 0)],
)
def test_made_up_certificates(field, value, tmp_path):
    path = tmp_path / "model.rgl"
    content = content_of("validated", path)
    content["certificate"][field] = value
    write_file(path, "model", content)
    assert "not a regretless model: " in why(path)


def branches(tree):
    """Every place in a tree, as the branch it is on and its key there."""
    if isinstance(tree, dict | list):
        for key in list(tree) if isinstance(tree, dict) else range(len(tree)):
            yield tree, key
            yield from branches(tree[key])


@pytest.mark.parametrize("kind", ["validated", "vote"])
def test_any_change_is_refused_or_harmless(kind, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)  # the disk may be slow
    path, rng = tmp_path / "model.rgl", np.random.default_rng(3)
    odd = [None, True, -1, 2**70, -0.5, np.inf, "", "5", [], {}, (1,), np.zeros((2, 1))]
    loaded, whole = 0, content_of(kind, path)
    for _ in range(200):
        content = deepcopy(whole)
        places = list(branches(content))
        branch, key = places[rng.integers(len(places))]
        branch[key] = odd[rng.integers(len(odd))]
        write_file(path, "model", content)
        try:
            model = rg.load(path)
        except ValueError:
            continue
        loaded += 1
        assert str(model)
        assert model.scores(np.zeros((2, model.n_features))).shape == (2,)
    assert 0 < loaded < 100


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("learner", {"learner": "Popen", "parameters": {"args": "true"}}),
        ("learner", {"learner": "OGD", "parameters": {"radius": -1.0}}),
        ("ledger", {}),
        ("ledger", {"rounds": "many"}),
        ("curve", np.zeros((3, 2))),
        ("curve", None),
        ("rounds", "many"),
        ("date", 5),
        ("reading", []),
    ],
)
def test_made_up_provenance(field, value, tmp_path):
    path = tmp_path / "model.rgl"
    content = content_of("validated", path)
    content["provenance"][field] = value
    write_file(path, "model", content)
    assert "not a regretless model: " in why(path)


@pytest.mark.parametrize(
    ("shape", "places"),
    [
        ([2**62], [0]),
        ([2**40], [0]),
        ([2**31, 2**31], [0]),
        ([-1], [0]),
        ([3.0], [0]),
        ("a", [0]),
        ([100], [100]),
        ([100], [-1]),
        ([100], [5, 5]),
        ([100], [5, 4]),
    ],
)
def test_sparse_weights_that_lie_take_no_memory(shape, places, tmp_path, monkeypatch):
    path = tmp_path / "model.rgl"
    some_model().save(path)
    content, _ = read_file(path, "model")
    true = container.to_plain

    def lying(tree, tensors):
        plain = true(tree, tensors)
        at = "arrays/weights"
        del tensors[at]
        tensors[f"{at}.indices"] = np.array(places)
        tensors[f"{at}.values"] = np.ones(len(places))
        lie = {"$sparse": at, "dtype": "F64", "shape": shape}
        plain["arrays"]["weights"] = lie
        return plain

    monkeypatch.setattr(container, "to_plain", lying)
    write_file(path, "model", content)
    told = "bytes of zeros, too many" if shape[0] in (2**62, 2**40, 2**31) else ""
    assert "not a regretless model: " in why(path)
    assert told in why(path)


def test_many_sparse_arrays_that_lie_together(tmp_path):
    path = tmp_path / "model.rgl"
    lie = {"$sparse": "a", "dtype": "F64", "shape": [2**30]}
    arrays = {"a.indices": np.zeros(0, np.int32), "a.values": np.zeros(0)}
    table = {name: container._described(each) for name, each in arrays.items()}
    document = {"what": "model", "format": 2, "version": "1", "tensors": table}
    text = json.dumps({**document, "content": {"arrays": [lie, lie, lie]}})
    head = container._head(text, arrays)
    path.write_bytes(struct.pack("<Q", len(head)) + head)
    assert "bytes of zeros, too many" in why(path)


def test_a_missing_file_is_said_in_the_usual_words(tmp_path):
    with pytest.raises(FileNotFoundError, match="No such file"):
        rg.load(tmp_path / "none")
    with pytest.raises(IsADirectoryError):
        rg.load(tmp_path)
