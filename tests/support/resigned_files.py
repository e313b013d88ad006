"""Our own files, changed and signed again, and what becomes of those who use one.

A checksum shows that a file was damaged, not who wrote it. Here a file is taken apart,
some of its values, shapes or types are changed, and it is put together with right
checksums. It must then be refused in one line, or be used without harm: no signal, no
hang, no exception that is not one of ours, no memory that the file cannot ask for. A
few here, in the tests; many by ``python -m benchmarks.mutated``.
"""

from __future__ import annotations

import copy
import math
import random
import re
import traceback
import warnings
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import kinds_of_models
import live_games
import regretless as rg
from golden.make import data
from regretless.cli import main
from regretless.data import lines
from regretless.engine.storage.container import encoded, read_file, write_file
from regretless.engine.storage.trees import Arrays, to_plain

SORTS = ("model", "state", "checkpoint", "learner", "mixture")
PACKAGE = str(Path(rg.__file__).parent)
ROOM = 20  # times the size of a file that using it may take, beside what is usual
ANY = 32 << 20  # bytes that a use may take more than another: what Python keeps
TRAINING = 64 << 20  # bytes of one on 2**18 columns, as it has unless told otherwise
BLOCK = 4000  # bytes read at a time, so that a small file has several batches
INTEGERS = (0, 1, -1, 2, 3, 7, 63, 64, 127, 128, 200, 1024, 10**6, -(10**6), 2**31 - 1)
INTEGERS += (-(2**31), 2**31, 2**40, 2**53, 2**62, -(2**63), 2**63 - 1)
FLOATS = (0.0, -0.0, 1.0, -1.0, 0.5, 1e6, -1e6, 1e18, -1e18, 1e308, -1e308, 5e-324)
FLOATS += (math.nan, math.inf, -math.inf, 3.0, 64.0, 2.0**53)
LEAVES = (None, True, False, "", "x", "perceptron", [], {}, [1], {"a": 1}, (), (1, 2))


class RefusedError(Exception):
    """A command ended with an exit code that is not 0, and said this."""


class Kind(NamedTuple):
    """A file as it was written, how one like it is used, and the memory that takes."""

    name: str
    what: str
    content: Any
    use: Callable[[Path], None]
    usual: int = 0
    size: int = 0  # how much of it there is to change


# How files are made and used.


def made(sort: str, folder: Path, names: Sequence[str] | None = None) -> list[Kind]:
    """The kinds of one sort of file that have these names, or all."""
    make, known = {
        "model": (_model, kinds_of_models.MODELS),
        "state": (_state, TRAININGS),
        "checkpoint": (_checkpoint, TRAININGS),
        "learner": (_learner, _games()),
        "mixture": (_mixture, ("brier", "pinball")),
    }[sort]
    return [_measured(make(folder, name), folder) for name in names or known]


def _measured(kind: Kind, folder: Path) -> Kind:
    """With the memory that it takes as it is; it must be used without an error."""
    path = folder / "a.rgl"
    write_file(path, kind.what, kind.content)
    kind.use(path)  # machine code is loaded once
    before = begin_measuring()
    kind.use(path)
    trains = kind.what == "checkpoint" or "state" in kind.content
    usual = measured(before) + TRAINING * trains
    return kind._replace(usual=usual, size=len(_leaves(kind.content)))


def _model(folder: Path, name: str) -> Kind:
    rows, model = kinds_of_models.MODELS[name]()
    path = folder / "made.rgl"
    model.save(path)
    return Kind(name, "model", read_file(path, "model")[0], partial(_predict, rows))


def _predict(rows: Any, path: Path) -> None:
    model = rg.load(path)
    _ = str(model), repr(model), model.provenance, str(model.certificate)
    _ = str(model.ledger), model.hypothesis.describe(), model.hypothesis.notes()
    model.predict(rows[:20])
    model.predict_one(rows[0])
    model.scores(rows[:20])
    model.explain(rows[:2])
    model.save(path.with_suffix(".again"))


TRAININGS: dict[str, tuple[str, str, list[str]]] = {
    "panel": ("panel", "two.svm", []),
    "panel on words": ("panel", "two.csv", ["-b", "8", "--seal", "10%"]),
    "mean": ("ogd loss=logistic", "two.svm", ["--model", "mean", "--sets", "90%"]),
    "vote": ("perceptron", "two.svm", ["--model", "vote"]),
    "last half": ("adagrad scale=rms", "two.csv", ["--model", "last-half", "-b", "8"]),
    "matrix": ("arow", "two.svm", ["--model", "random"]),
    "kernel": ("kernel-perceptron", "two.svm", []),
    "amounts": ("regression-panel", "amounts.csv", ["-b", "8", "--sets", "80%"]),
    "linear amounts": ("vaw", "amounts.csv", []),
    "classes": ("panel", "three.csv", ["--sets", "90%", "-b", "8"]),
    "linear classes": ("adagrad scale=rms", "three.csv", ["--holdout", "7"]),
    "perceptron of classes": ("multiclass-perceptron", "three.csv", ["-b", "8"]),
}


def _trained(folder: Path, name: str, *more: str) -> tuple[str, Path]:
    """A file of rows, and the model that a training on them has saved."""
    if not (folder / "two.svm").exists():
        data(folder)
    learner, file, options = TRAININGS[name]
    rows, out = str(folder / file), folder / "made.rgl"
    _run("train", rows, "-l", learner, "-o", str(out), *options, *more)
    return rows, out


def _run(*command: str) -> None:
    """A command in this process, in small batches; its error as an exception."""
    block, lines.BLOCK = lines.BLOCK, BLOCK
    try:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()) as problem:
            code = main(list(command))
    finally:
        lines.BLOCK = block
    if code != 0:
        raise RefusedError(problem.getvalue())


def _state(folder: Path, name: str) -> Kind:
    rows, path = _trained(folder, name, "--resumable")
    options = TRAININGS[name][2]

    def use(path: Path) -> None:
        _run("inspect", str(path))
        again = str(path.with_suffix(".again"))
        _run("train", rows, "-i", str(path), "--again", "-o", again, *options)

    return Kind(name, "model", read_file(path, "model")[0], use)


def _checkpoint(folder: Path, name: str) -> Kind:
    kept = folder / "made.ck"
    rows, _ = _trained(folder, name, "--checkpoint", str(kept), "--every", "60rows")

    def use(path: Path) -> None:
        again = str(path.with_suffix(".again"))
        _run("train", rows, "--resume", str(path), "-o", again)

    return Kind(name, "checkpoint", read_file(kept, "checkpoint")[0], use)


def _games() -> dict[str, live_games.LiveGame]:
    covered = {
        "intervals": rg.intervals(rg.RegressionPanel(), level=0.9),
        "sets": rg.intervals(rg.OneVersusRest(rg.Panel()), level=0.9),
    }
    return live_games.games() | {
        name: live_games.of_rows(learner.learner)._replace(
            make=partial(copy.deepcopy, learner)
        )
        for name, learner in covered.items()
    }


def _learner(folder: Path, name: str) -> Kind:
    game, path = _games()[name], folder / "made.learner"
    learner = game.make()
    for i in range(60):
        game.teach(learner, i)
    learner.save(path)

    def use(path: Path) -> None:
        learner = rg.load_learner(path)
        game.ask(learner)
        for i in range(12):
            game.teach(learner, i)
        game.ask(learner)
        _ = str(learner.ledger), getattr(learner, "weights", None)
        learner.save(path.with_suffix(".again"))

    return Kind(name, "learner", read_file(path, "learner")[0], use)


def _mixture(folder: Path, loss: str) -> Kind:
    rng, path = np.random.default_rng(5), folder / "made.mixture"
    y = (rng.random(60) < 0.5).astype(float)
    F = np.clip(y[:, None] * 0.5 + rng.random((60, 3)) * [0.2, 0.4, 0.5], 0.0, 1.0)
    more: dict[str, Any] = {"recalibrate": True}
    if loss == "pinball":
        F, more = F[:, :, None] + [-0.1, 0.0, 0.1], {"levels": [0.1, 0.5, 0.9]}
    rg.forecasts.combine(F, y, loss=loss, **more).save(path)

    def use(path: Path) -> None:
        mixture = rg.forecasts.load_mixture(path)
        _ = repr(mixture), mixture.weights
        mixture.predict(F[:3])
        for i in range(5):
            mixture.learn(F[i], float(y[i]))
        mixture.save(path.with_suffix(".again"))

    return Kind(loss, "mixture", read_file(path, "mixture")[0], use)


# How they are changed.


def drawn(kinds: Sequence[Kind], number: int) -> tuple[Kind, bytes]:
    """The file of this number: larger kinds come more often."""
    dice = random.Random(number)
    (kind,) = dice.choices(kinds, [kind.size for kind in kinds])
    return kind, changed(kind, dice)


def changed(kind: Kind, dice: random.Random) -> bytes:
    """The file with a few changes, and right checksums."""
    content = copy.deepcopy(kind.content)
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        _change(content, dice)
    tensors = Arrays()
    try:
        plain = to_plain(content, tensors)
        if dice.random() < 0.1:
            _change({"plain": plain}, dice)
        if tensors and dice.random() < 0.1:
            name = dice.choice(sorted(tensors))
            tensors[name] = _array(tensors[name], dice)
        return b"".join(encoded(kind.what, plain, tensors))
    except ValueError:  # a change that no file can say
        return changed(kind, dice)


def _change(tree: Any, dice: random.Random) -> None:
    """Change one leaf of a tree, arrays more often than others."""
    leaves = _leaves(tree)
    arrays = [at for at in leaves if isinstance(at[0][at[1]], np.ndarray)]
    plain = [at for at in leaves if not isinstance(at[0][at[1]], np.ndarray)]
    some = arrays if arrays and (not plain or dice.random() < 0.7) else plain
    if not some:
        return
    inside, key = dice.choice(some)
    value = inside[key]
    if isinstance(value, np.ndarray):
        inside[key] = _array(value, dice)
        return
    what = dice.randrange(8)
    if what == 0:
        del inside[key]
    elif what == 1:
        other, there = dice.choice(some)
        inside[key] = copy.deepcopy(other[there])
    elif what == 2:
        inside[key] = copy.deepcopy(dice.choice(LEAVES))
    elif what == 3 and isinstance(inside, list):
        inside.append(copy.deepcopy(value))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        numbers = (*INTEGERS, *FLOATS, value + 1, value - 1, -value)
        inside[key] = dice.choice(numbers)
    else:
        inside[key] = dice.choice((True, False, None, f"{value}x", "", 1, 0.5))


def _leaves(tree: Any) -> list[tuple[Any, Any]]:
    """Where something stands in a tree: what holds it, and its key there."""
    found: list[tuple[Any, Any]] = []
    branches = tree.items() if isinstance(tree, dict) else enumerate(tree)
    for key, value in branches:
        if isinstance(value, dict | list) and value:
            found += _leaves(value)
            if isinstance(value, list):
                found.append((tree, key))
        elif key != "passes":  # of a training: there may be more than patience
            found.append((tree, key))
    return found


def _array(array: Any, dice: random.Random) -> Any:
    """An array with other values, of another shape or of another type."""
    array = array.copy()
    what = dice.randrange(12)
    if what == 0 and array.ndim:
        return array[: len(array) // 2]
    if what == 1 and array.ndim:
        return np.concatenate([array, array[-1:]])
    if what == 2:
        kinds = (np.float64, np.float32, np.int64, np.int32, np.bool_, np.uint8)
        with np.errstate(all="ignore"):
            return array.astype(dice.choice(kinds))
    if what == 3:
        return dice.choice((array[None], array.reshape(-1), array[..., None], array.T))
    if array.size == 0:
        return np.zeros(dice.choice((1, 2, 64)), array.dtype)
    flat = array.reshape(-1)
    numbers = FLOATS if array.dtype.kind == "f" else INTEGERS
    value = dice.choice(numbers)
    if array.dtype.kind in "iu":
        info = np.iinfo(array.dtype)
        value = min(max(value, int(info.min)), int(info.max))
    with np.errstate(all="ignore"):
        if what == 4:
            flat[:] = value
        elif what == 5:
            np.random.default_rng(dice.randrange(2**32)).shuffle(flat)
        elif what == 6 and array.dtype.kind != "b":
            first = dice.randrange(flat.size)
            flat[first:] += array.dtype.type(dice.choice((1, 2, 7)))
        elif what == 7:
            i, j = dice.randrange(flat.size), dice.randrange(flat.size)
            flat[[i, j]] = flat[[j, i]]
        else:
            for _ in range(dice.choice((1, 1, 4))):
                flat[dice.randrange(flat.size)] = value
    return array


# What becomes of them.


def check(kind: Kind, data: bytes, path: Path) -> str:
    """Use a file: "used" or "refused"; AssertionError where there was any harm."""
    path.write_bytes(data)
    most = kind.usual + ANY + ROOM * len(data)
    found, taken = _tried(kind, path)
    if taken > most:  # machine code may have been compiled, once
        found, taken = _tried(kind, path)
    problem = f"{kind.name}: {taken >> 20} MB for a file of {len(data):,} bytes"
    assert taken <= most, problem
    return found


def _tried(kind: Kind, path: Path) -> tuple[str, int]:
    """What became of a file, and the memory that it took."""
    before = begin_measuring()
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            kind.use(path)
        found = "used"
    except RefusedError as error:
        problem = str(error).strip() or "refused without a word, Traceback"
        assert "Traceback" not in problem, f"{kind.name}: {problem}"
        found = "refused"
    except (ValueError, OSError) as error:
        if not is_ours(error) or "\n" in str(error):
            raise AssertionError(f"{kind.name}: {_told(error)}") from error
        found = "refused"
    except Exception as error:
        raise AssertionError(f"{kind.name}: {_told(error)}") from error
    return found, measured(before)


def begin_measuring() -> int:
    """From now on, note the most memory that this process has held; what it holds."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    return _memory("VmRSS")


def measured(before: int) -> int:
    """How many bytes more were held at once since then; 0 where no system says it."""
    return max(0, _memory("VmHWM") - before)


def _memory(line: str) -> int:
    status = Path("/proc/self/status")
    found = status.read_text() if status.exists() else ""
    kilobytes = re.search(rf"{line}:\s+(\d+)", found)
    return 1024 * int(kilobytes[1]) if kilobytes else 0


def is_ours(error: BaseException) -> bool:
    """Whether the package itself raised it: the last line is a `raise` of it."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return last.filename.startswith(PACKAGE) and (last.line or "").startswith("raise")


def _told(error: BaseException) -> str:
    """What and where, in one line."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if frame.filename.startswith(PACKAGE)]
    at = f"{Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else "?"
    return f"{type(error).__name__} at {at}: {error!s:.100}"
