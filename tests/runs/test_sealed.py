"""Sealed rows: nobody sees them, and they certify the last model itself."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

import regretless as rg
from regretless import certify
from regretless.cli import main
from regretless.data.file_source import FileSource
from regretless.data.row_content import event_key, table_keys
from regretless.data.sealed_rows import Seal, SealedSample, SealFilter

SHARE = 0.1
SEED = 5
SEAL = ("--seal", "10%", "--seal-seed", str(SEED))
N = 600


def problem(n: int = N, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, 4)), 3)
    noisy = X @ [1.0, -1.0, 0.5, 0.25] + 0.4 * rng.normal(size=n)
    return X, np.where(noisy > 0, "yes", "no")


def sealed(X: Any = None, label: Any = None) -> Any:
    """The rows that are sealed, by what they say."""
    return Seal(SHARE, SEED).reserved(
        table_keys(problem()[0] if X is None else X, label)
    )


def test_coins_belong_to_what_rows_say() -> None:
    X = np.random.default_rng(0).integers(0, 9, size=(100_000, 8)).astype(float)
    keys = table_keys(X)
    whole = Seal("10%", 0).reserved(keys)
    assert abs(whole.mean() - 0.1) < 0.005
    order = np.random.default_rng(1).permutation(100_000)
    assert np.array_equal(Seal(0.1, 0).reserved(table_keys(X[order])), whole[order])
    assert np.array_equal(table_keys(csr_array(X)), keys)
    assert not np.array_equal(Seal(0.1, seed=1).reserved(keys), whole)
    assert np.abs(np.corrcoef(whole[:-1], whole[1:])[0, 1]) < 0.02
    for bad in (0, 1, "x", "500%", -0.1):
        with pytest.raises(ValueError, match="the share of the rows to seal"):
            Seal(bad, 0)


def test_the_seed_is_drawn_printed_and_kept(tmp_path: Path) -> None:
    X, y = problem()
    found = [rg.play(rg.Perceptron(), X, y, seal=0.3).model() for _ in range(2)]
    seeds = [re.search(r"seed (\d+)", one.certificate.scope)[1] for one in found]
    assert seeds[0] != seeds[1]
    found[0].save(tmp_path / "a.rgl")
    assert seeds[0] in str(rg.load(tmp_path / "a.rgl").certificate)
    again = rg.play(rg.Perceptron(), X, y, seal=0.3, seal_seed=int(seeds[0]))
    assert again.model().certificate == found[0].certificate


def as_array(X: Any, y: Any) -> tuple[Any, ...]:
    return X, y


def as_sparse(X: Any, y: Any) -> tuple[Any, ...]:
    return csr_array(X), y.tolist()


def as_frame(X: Any, y: Any) -> tuple[Any, ...]:
    return pd.DataFrame(X, columns=list("abcd")).assign(y=y), "y"


def as_dicts(X: Any, y: Any) -> tuple[Any, ...]:
    numbers = [{"yes": 1, "no": 0}.get(label, label) for label in y.tolist()]
    return [dict(zip("abcd", x, strict=True)) for x in X.tolist()], numbers


def as_pairs(X: Any, y: Any) -> tuple[Any, ...]:
    return (list(zip(*as_dicts(X, y), strict=True)),)


def as_stream(X: Any, y: Any) -> tuple[Any, ...]:
    return (iter(as_pairs(X, y)[0]),)


WAYS = [as_array, as_sparse, as_frame, as_dicts, as_pairs, as_stream]


def apart_of(way: Any) -> Any:
    """The rows that are sealed, where they come in this way."""
    X, y = problem()
    if way in (as_pairs, as_stream):
        way = as_dicts
    return sealed(way(X, y)[0], "y")


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_sealed_rows_are_as_if_they_were_not_there(way: Any) -> None:
    X, y = problem()
    apart = apart_of(way)
    spoiled = y.copy()
    spoiled[apart] = "a third label"
    run = rg.play(rg.Perceptron(), *way(X, spoiled), seal=SHARE, seal_seed=SEED)
    plain = rg.play(rg.Perceptron(), *way(X[~apart], y[~apart]))
    assert run.rounds == (~apart).sum()
    assert run.classes == plain.classes
    assert np.array_equal(run.weights, plain.weights)
    assert np.array_equal(run.model().weights, plain.model().weights)
    found = run.model().certificate
    assert (found.n, found.total) == (apart.sum(), apart.sum())  # labels unheard of


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("learner", [rg.Perceptron(), rg.Panel()], ids=repr)
def test_the_last_model_is_certified_at_full_delta(way: Any, learner: Any) -> None:
    X, y = problem()
    apart = apart_of(way)
    run = rg.play(learner, *way(X, y), seal=SHARE, seal_seed=SEED)
    model = run.model(delta=0.1)
    found = model.certificate
    table = pd.DataFrame(X[apart], columns=list("abcd"))
    scores = model.scores(X[apart] if model.names is None else table)
    wrong = int((np.where(y[apart] == "yes", 1, -1) * scores <= 0).sum())
    assert (found.n, found.total, found.delta) == (apart.sum(), wrong, 0.1)
    assert found.value == certify.clopper_pearson(found.n, wrong, 0.1)
    assert not found.refit
    assert found.about == "this model"
    assert "sealed rows, never seen" in str(found)
    assert run.model(delta=0.1).certificate == found  # the same look again


def test_a_second_model_pays_for_its_look() -> None:
    run = rg.play(rg.Perceptron(), *problem(), seal=SHARE)
    run.model()
    other = "last" if run.model().kind == "last-half" else "last-half"
    found = run.model(other).certificate
    assert found.spent == 0.05 / 6
    assert found.value == certify.clopper_pearson(found.n, found.total, 0.05 / 6)


def test_many_classes_and_what_cannot_be_sealed() -> None:
    X, _ = problem()
    y = np.array(["a", "b", "c"])[np.digitize(X[:, 0], [-0.5, 0.5])]
    run = rg.play(rg.Panel(), X, y, seal=SHARE, seal_seed=SEED)
    assert run.model().certificate.n == sealed().sum()
    with pytest.raises(TypeError, match="does not take seal="):
        rg.play(rg.Hedge(), losses=X, seal=SHARE)
    for given in ({"seal": SHARE}, {"group": y}):
        with pytest.raises(TypeError, match="goes with one learner, not with several"):
            rg.play([rg.Perceptron(), rg.AdaGrad()], X, y == "a", **given)
    with pytest.raises(TypeError, match="group= goes with seal="):
        rg.play(rg.Perceptron(), X, y == "a", group=y)


def test_a_full_reservoir_lets_go_of_rows_that_are_learned_then() -> None:
    events = [({"a": k % 700}, k) for k in range(1000)]
    seal = Seal(0.5, SEED)
    stream = SealedSample(iter(events), seal, most=50)
    learned = list(stream)
    assert 45 <= len(stream.held) <= 50
    assert sorted(y for _, y in [*learned, *stream.held]) == list(range(1000))
    keys = np.array([event_key(x) for x, _ in events])
    reserved = set(np.flatnonzero(seal.reserved(keys)).tolist())
    held = {y for _, y in stream.held}
    assert held <= reserved
    # Copies of a row are on one side.
    assert {y % 700 for y in held}.isdisjoint(y % 700 for _, y in learned)
    assert list(SealedSample(iter(events), seal, most=50)) == learned
    # Every reserved row is as likely to stay.
    counts = np.zeros(1000)
    for seed in range(300):
        one = SealedSample(iter(events), Seal(0.5, seed), most=50)
        list(one)
        counts[[y for _, y in one.held]] += 1
    assert abs(counts[:350].sum() / counts[:700].sum() - 0.5) < 0.02


def test_groups_are_sealed_whole() -> None:
    X, y = problem(2000)
    users = np.arange(2000) // 10
    seal = Seal(0.2, SEED)
    apart = seal.reserved_groups(users)
    run = rg.play(rg.Perceptron(), X, y, seal=0.2, seal_seed=SEED, group=users)
    assert run.rounds == (~apart).sum()
    model = run.model()
    scores = model.scores(X[apart])
    wrong = np.where(y[apart] == "yes", 1, -1) * scores <= 0
    rates = wrong.reshape(-1, 10).mean(axis=1)
    found = model.certificate
    assert found.n == rates.size
    assert found.value == pytest.approx(certify.betting(rates, 0.05, rates.size))
    assert "groups are independent" in found.assumptions[0]
    frame = pd.DataFrame(X, columns=list("abcd")).assign(y=y, user=users)
    named = rg.play(rg.Perceptron(), frame, "y", seal=0.2, seal_seed=SEED, group="user")
    assert named.names == tuple("abcd")
    assert named.model().certificate.value == found.value


# Files.


def write(folder: Path, kind: str, X: Any, y: Any, users: Any) -> str:
    names = ["amount", "age", "hour", "rank"]
    if kind == "svm":
        rows = [" ".join(f"{j + 1}:{v}" for j, v in enumerate(x)) for x in X]
        text = [
            f"{1 if t == 'yes' else -1} {row}" for t, row in zip(y, rows, strict=True)
        ]
    elif kind == "csv":
        text = [",".join(["label", "user", *names])]
        rows = [",".join(map(str, x)) for x in X]
        text += [f"{t},u{u},{row}" for t, u, row in zip(y, users, rows, strict=True)]
    else:
        text = []
        for x, t, u in zip(X.tolist(), y.tolist(), users, strict=True):
            event = dict(zip(names, x, strict=True)) | {f"word{int(99 * x[0])}": 1}
            text.append(json.dumps({"label": t, "user": f"u{u}", **event}))
    path = folder / f"rows{len(list(folder.iterdir()))}.{kind}"
    path.write_text("\n".join(text) + "\n")
    return path.name


def document(capsys: Any, *arguments: str) -> dict[str, Any]:
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def sealed_lines(X: Any, y: Any) -> Any:
    """The lines of JSON that are sealed: each alone in a file is learned, or is not."""
    folder = Path("lines")
    folder.mkdir()
    name = write(folder, "jsonl", X, y, np.arange(len(y)) // 5)
    seal = Seal(SHARE, SEED)
    options = rg.ReadOptions(ignore=("user",))
    found = []
    for line in (folder / name).read_text().splitlines():
        (folder / "one.jsonl").write_text(f"{line}\n")
        side = SealFilter(seal, reserved=True)
        source = FileSource(folder / "one.jsonl", options, binary=True, side=side)
        found.append(sum(chunk.lines.size for _, _, chunk in source.chunks()) == 1)
    assert SHARE / 2 < np.mean(found) < 2 * SHARE
    return np.array(found)


@pytest.mark.parametrize("kind", ["svm", "csv", "jsonl"])
def test_sealed_rows_of_files(
    kind: str, tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    X, y = problem()
    users = np.arange(N) // 5
    apart = sealed() if kind != "jsonl" else sealed_lines(X, y)
    ignore = [] if kind == "svm" else ["--ignore", "user"]
    rest = write(tmp_path, kind, X[~apart], y[~apart], users[~apart])
    options = ["-l", "perceptron", *ignore]
    plain = document(capsys, "train", rest, *options, "-o", "plain.rgl")
    whole = write(tmp_path, kind, X, y, users)
    found = document(capsys, "train", whole, *options, "-o", "a.rgl", *SEAL)
    assert found["rows"] == plain["rows"] == (~apart).sum()
    assert found["ledger"] == plain["ledger"]
    model, same = rg.load("a.rgl"), rg.load("plain.rgl")
    assert model.names == same.names
    assert np.array_equal(model.weights, same.weights)
    certificate = found["model"]["certificate"]
    assert certificate["n"] == apart.sum()
    assert certificate["value"] == certify.clopper_pearson(
        certificate["n"], certificate["total"], 0.05
    )
    assert not certificate["refit"]
    run = rg.play(
        rg.Perceptron(),
        whole,
        seal=0.1,
        seal_seed=SEED,
        options=rg.ReadOptions(ignore=("user",)) if ignore else None,
    )
    assert run.model().certificate.total == certificate["total"]
    # Later passes, and a resume, leave the same rows alone.
    monkeypatch.setattr("regretless.data.lines.BLOCK", 2000)
    thrice = [*options, "-o", "b.rgl", *SEAL]
    again = document(capsys, "train", whole, *thrice, "--passes", "3")
    assert again["model"]["certificate"]["n"] == apart.sum()
    assert {each["rows"] for each in again["later_passes"]} == {int((~apart).sum())}
    kept = ["--checkpoint", "c.ckpt", "--every", "1rows"]
    document(capsys, "train", whole, *options, *SEAL, *kept, "-o", "k.rgl")
    on = document(capsys, "train", "--resume", "c.ckpt", "-o", "r.rgl")
    assert on["model"]["certificate"] == certificate
    assert np.array_equal(rg.load("r.rgl").weights, model.weights)


def test_files_are_sealed_by_group(
    tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    X, y = problem()
    users = np.arange(N) // 5
    apart = Seal(0.2, SEED).reserved_groups([f"u{user}" for user in users])
    for kind in ("csv", "jsonl"):
        whole = write(tmp_path, kind, X, y, users)
        options = [
            "-l",
            "perceptron",
            "-o",
            "a.rgl",
            "--seal",
            "20%",
            "--seal-seed",
            str(SEED),
            "--group",
            "user",
        ]
        found = document(capsys, "train", whole, *options)
        assert found["rows"] == (~apart).sum()
        assert found["model"]["certificate"]["n"] == len(set(users[apart]))
        assert "user" not in str(rg.load("a.rgl").names)
        assert main(["predict", "a.rgl", whole]) == 0
        capsys.readouterr()


def test_sealed_rows_that_the_initial_model_has_learned(
    tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    """They are compared with its rows alone, each of them, and certify nothing."""
    monkeypatch.chdir(tmp_path)
    users = np.zeros(N)
    X, y = problem(seed=1)
    learned = write(tmp_path, "svm", X, y, users)
    options = ["-l", "perceptron", "-o"]
    document(capsys, "train", learned, *options, "a.rgl")
    more = ["b.rgl", "-i", "a.rgl", *SEAL]
    fresh = write(tmp_path, "svm", *problem(seed=2), users)
    found = document(capsys, "train", fresh, *options, *more)
    Z, z = problem(seed=2)
    assert found["model"]["certificate"]["n"] == sealed(Z).sum()
    rest, known = ~sealed(Z), sealed(X)
    rows, labels = np.r_[Z[rest], X[known]], np.r_[z[rest], y[known]]
    spoiled = write(tmp_path, "svm", rows, labels, np.zeros(len(rows)))
    found = document(capsys, "train", spoiled, *options, *more)
    assert found["model"]["certificate"] is None
    told = f"rows came again from about round {rest.sum() + 1} on"
    assert told in rg.load("b.rgl").why_not


@pytest.mark.parametrize("learner", ["perceptron", "panel"])
def test_a_file_that_the_initial_model_has_learned_certifies_nothing(
    learner: str, tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    """Whole or shuffled, and whether or not its first run sealed rows as well."""
    monkeypatch.chdir(tmp_path)
    X, y = problem(seed=1)
    order = np.random.default_rng(3).permutation(N)
    names = [
        write(tmp_path, "svm", X, y, np.zeros(N)),
        write(tmp_path, "svm", X[order], y[order], np.zeros(N)),
    ]
    for first in ([], SEAL):
        options = ["-l", learner, "-o"]
        document(capsys, "train", names[0], *options, "a.rgl", *first)
        for name in names:
            more = ["b.rgl", "-i", "a.rgl", *SEAL, "--again"]
            found = document(capsys, "train", name, *options, *more)
            assert found["certificate"] is None
            assert found["model"]["certificate"] is None
            assert found["held_out"] is None
            assert "rows seen before certify nothing" in found["why_not"]
            assert rg.load("b.rgl").certificate is None
            assert rg.load("b.rgl").why_not == found["why_not"]
            assert main(["train", name, *options, *more]) == 0
            said = capsys.readouterr()
            assert "rows seen before certify nothing" in " ".join(said.out.split())
            assert "on fresh data" not in said.out
        assert main(["inspect", "b.rgl"]) == 0
        assert "certify nothing" in " ".join(capsys.readouterr().out.split())


def test_what_the_command_line_refuses(
    tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    name = write(tmp_path, "csv", *problem(50), np.arange(50))
    for arguments, words in (
        (["--seal", "7"], "the share of the rows to seal"),
        (["--seal", "5%", "--holdout", "5"], "both set rows aside"),
        (["--group", "user"], "--group goes with --seal"),
        (
            ["--seal", "5%", "--model", "validated", "-o", "m"],
            "certifies the last model",
        ),
    ):
        assert main(["train", name, *arguments]) == 2
        assert words in capsys.readouterr().err
