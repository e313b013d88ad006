"""Machine code is kept safely, or compiled in memory; both say the same."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from regretless.engine.kernels import compiled
from regretless.engine.kernels.compiled import entry, kernel
from regretless.engine.machine import compiling, notice, store


@kernel
def double_all(numbers: Any, factor: float) -> int:
    for i in range(numbers.size):
        numbers[i] *= 2.0 * factor
    return numbers.size


@pytest.fixture(autouse=True)
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of its own, and nothing in memory."""
    monkeypatch.setenv("REGRETLESS_STORE", str(tmp_path / "store"))
    monkeypatch.setattr(compiled, "_entries", {})
    monkeypatch.setattr(store, "_said", set())
    store.folder.cache_clear()
    yield tmp_path / "store"
    store.folder.cache_clear()


def run() -> float:
    numbers = np.array([1.0, 2.0])
    assert entry(double_all, (numbers, 3.0))(numbers, 3.0) == 2
    return float(numbers.sum())


def again(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is compiled by another process."""
    made: list[str] = []
    original = compiling.compile_kernel

    def count(loop: Any, *rest: Any) -> Any:
        made.append(loop.__name__)
        return original(loop, *rest)

    monkeypatch.setattr(compiled, "_entries", {})
    monkeypatch.setattr(compiling, "compile_kernel", count)
    store.folder.cache_clear()
    assert run() == 18.0
    monkeypatch.setattr(compiling, "compile_kernel", original)
    return made


def told(call: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return [str(one.message) for one in caught]


def file_of(folder: Path) -> Path:
    (found,) = [
        path
        for path in folder.glob("*.o")
        if json.loads(path.read_bytes().split(b"\n")[0])["kernel"].endswith(
            "double_all"
        )
    ]
    return found


def test_kept_and_used_again(fresh, monkeypatch):
    assert run() == 18.0
    assert again(monkeypatch) == []


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_only_the_user_can_write_whatever_the_umask_is(fresh, monkeypatch):
    """Others may read a folder that was named, such as that of an image."""
    before = os.umask(0)
    try:
        run()
        for path in (fresh, *fresh.iterdir()):
            assert path.stat().st_mode & 0o777 == (0o755 if path == fresh else 0o644)
        monkeypatch.delenv("REGRETLESS_STORE")
        monkeypatch.setenv("XDG_CACHE_HOME", str(fresh.parent / "cache"))
        again(monkeypatch)
        own = fresh.parent / "cache" / "regretless" / "machine-code"
        for path in (own, *own.iterdir()):
            assert path.stat().st_mode & 0o777 == (0o700 if path == own else 0o600)
    finally:
        os.umask(before)


@pytest.mark.parametrize("keep", [0, 20, 0.5, -1])
def test_half_a_file_is_compiled_again(fresh, monkeypatch, keep):
    run()
    path = file_of(fresh)
    whole = path.read_bytes()
    size = int(keep * len(whole)) if isinstance(keep, float) else keep
    path.write_bytes(whole[:size])
    assert again(monkeypatch) == ["double_all"]
    assert path.read_bytes() == whole, "it was kept anew"


def test_a_flipped_bit_is_compiled_again(fresh, monkeypatch):
    run()
    path = file_of(fresh)
    whole = bytearray(path.read_bytes())
    whole[-100] ^= 1
    path.write_bytes(whole)
    assert again(monkeypatch) == ["double_all"]


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_what_others_may_write_is_not_used(fresh, monkeypatch):
    run()
    path = file_of(fresh)
    path.chmod(0o666)
    (line,) = told(lambda: again(monkeypatch))
    assert "others may write to it" in line
    path.chmod(0o600)
    fresh.chmod(0o777)
    made: list[str] = []
    monkeypatch.setattr(store, "_said", set())
    (line,) = told(lambda: made.extend(again(monkeypatch)))
    assert made[0] == "double_all"
    assert line.startswith("machine code cannot be kept: ")
    assert "others may write to it" in line
    assert "REGRETLESS_STORE" in line


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_what_belongs_to_others_is_not_used(fresh, monkeypatch):
    run()
    made: list[str] = []
    monkeypatch.setattr(os, "getuid", lambda: 54321)
    if fresh.stat().st_uid != 0:
        (line,) = told(lambda: made.extend(again(monkeypatch)))
        assert made == ["double_all"]
    else:  # root may have built the image that this runs in
        assert again(monkeypatch) == []
        os.chown(file_of(fresh), 12345, -1)
        (line,) = told(lambda: made.extend(again(monkeypatch)))
        assert "belongs to another user" in line
        assert made == ["double_all"]


def test_no_folder_is_said_once(fresh, monkeypatch):
    monkeypatch.setenv("REGRETLESS_STORE", "/dev/null/none")

    def twice() -> None:
        again(monkeypatch)
        again(monkeypatch)

    (line,) = told(twice)
    assert line.startswith("machine code cannot be kept: no folder for it")


def test_a_full_disk_is_said(fresh, monkeypatch):
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    (line,) = told(run)  # one line for all kernels
    assert "No space left on device" in line
    assert list(fresh.glob("*")) == []


@pytest.mark.parametrize("change", ["returns", "functions", "key", "code", "object"])
def test_a_file_that_was_changed_is_compiled_again(fresh, monkeypatch, change):
    run()
    path = file_of(fresh)
    head, code = path.read_bytes().split(b"\n", 1)
    about = json.loads(head)
    if change == "returns":
        about["returns"] = "f"
    elif change == "functions":
        about["functions"] = {}
    elif change == "key":
        other = next(each for each in fresh.glob("*.o") if each != path)
        about = json.loads(other.read_bytes().split(b"\n", 1)[0])
    elif change == "code":
        code = code[:-8] + bytes(8)
    else:  # no object at all, with a right checksum
        code = b"nothing"
        key = path.name.partition(".")[0]
        check = store._check(key, about["returns"], about["functions"], code)
        about["check"] = check
    path.write_bytes(json.dumps(about).encode() + b"\n" + code)
    made: list[str] = []
    told(lambda: made.extend(again(monkeypatch)))
    assert made == ["double_all"]


def test_a_library_that_is_gone_is_no_reason_to_fail(fresh, monkeypatch, tmp_path):
    run()
    (key,) = [file_of(fresh).name.partition(".")[0]]
    (tmp_path / "gone.json").write_text(
        json.dumps({"sources": store.sources(), "kernels": {key: "i"}})
    )
    monkeypatch.setattr(store, "library_of", lambda level: tmp_path / "gone.so")
    store._index.cache_clear()
    try:
        (line,) = told(lambda: again(monkeypatch))
        assert "cannot be loaded" in line
    finally:
        monkeypatch.undo()
        store._index.cache_clear()


def test_numba_of_another_version_is_no_reason_to_fail(fresh, monkeypatch):
    def changed(*_: Any) -> None:
        raise TypeError("unexpected argument")

    monkeypatch.setattr(compiling, "_wrapper", changed)
    (line,) = told(run)
    assert "cannot be kept: TypeError: unexpected argument" in line


def test_many_threads_begin_at_once(fresh):
    numbers = np.array([1.0])
    found = entry(double_all, (numbers, 1.0))
    compiled._found_trampolines.clear()
    with ThreadPoolExecutor(8) as pool:
        calls = [pool.submit(found.bind, np.array([1.0]), 1.0) for _ in range(64)]
        assert [call.result()() for call in calls] == [1] * 64


def test_off(fresh, monkeypatch):
    monkeypatch.setenv("REGRETLESS_STORE", "off")
    store.folder.cache_clear()
    assert told(run) == []
    assert not fresh.exists()


def test_what_cannot_be_kept_is_left_to_numba(fresh, monkeypatch):
    def cannot(*_: Any) -> None:
        raise compiling.CannotKeep("tried")

    monkeypatch.setattr(compiling, "compile_kernel", cannot)
    (line,) = told(run)
    assert line.endswith("double_all cannot be kept: tried")
    numbers = np.array([1.0])
    found = entry(double_all, (numbers, 3.0))
    assert found.bind(numbers, 3.0)() == 1
    assert numbers[0] == 6.0
    assert not list(fresh.glob("*.o"))


def test_compiling_is_said_once_on_a_terminal(fresh, monkeypatch, capsys):
    monkeypatch.setattr(notice, "_said", set())
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    run()
    monkeypatch.setattr(compiled, "_entries", {})
    run()  # from the store
    line = "compiling the learner for this machine, once: about 4 s\n"
    assert capsys.readouterr().err == line


def test_nothing_is_said_where_nobody_looks(fresh, monkeypatch, capsys):
    monkeypatch.setattr(notice, "_said", set())
    run()
    assert capsys.readouterr().err == ""


def test_the_store_of_a_wheel_is_used_while_the_sources_are_the_same(
    fresh, monkeypatch, tmp_path
):
    """A library is linked from what was compiled, and nothing is compiled again."""
    linker = shutil.which("cc")
    if linker is None:
        pytest.skip("there is no C compiler to link with")
    run()
    kernels, objects = {}, []
    for path in fresh.glob("*.o"):
        about, code = path.read_bytes().split(b"\n", 1)
        kernels[path.name.partition(".")[0]] = json.loads(about)["returns"]
        objects.append(tmp_path / path.name)
        objects[-1].write_bytes(code)
    library = tmp_path / "shipped.so"
    shared = [linker, "-shared", "-nostdlib", "-o", str(library), *map(str, objects)]
    subprocess.run(shared, check=True)
    monkeypatch.setattr(store, "library_of", lambda level: library)
    monkeypatch.setenv("REGRETLESS_STORE", str(tmp_path / "empty"))
    for sources, made in ((store.sources(), []), ("edited", ["double_all"])):
        index = {"sources": sources, "kernels": kernels}
        library.with_suffix(".json").write_text(json.dumps(index))
        store._index.cache_clear()
        assert again(monkeypatch)[:1] == made
    monkeypatch.undo()
    store._index.cache_clear()
