"""Machine code without a place to keep it: compiled in memory, said once, and right."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core import caching, config

from regretless.kernels import kept
from regretless.kernels.compiled import kernel

MARK = "0123456789abcdef"


def twice(x: float) -> float:
    return 2.0 * x


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_told", [False])


def machine(name: str) -> Any:
    """The same loop under a name that nobody has kept."""
    loop: Any = type(twice)(twice.__code__, globals(), name)
    loop.__qualname__ = name
    return kernel(MARK)(loop)


def told(call: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return [str(one.message) for one in caught]


def test_no_folder_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept._AnyPlace, "_locator_classes", ())

    def both() -> None:
        assert machine("nowhere")(1.5) == 3.0
        assert machine("nowhere_else")(2.0) == 4.0

    (line,) = told(both)
    assert line.startswith("machine code cannot be kept on disk: there is no folder")
    assert "NUMBA_CACHE_DIR" in line


def test_a_disk_that_fills_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(caching.IndexDataCacheFile, "save", full)
    found: list[float] = []
    (line,) = told(lambda: found.append(machine("full")(np.float64(3.0))))
    assert "no space left on device" in line
    assert found == [6.0]


def test_half_a_file_is_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    assert machine("halved")(1.0) == 2.0
    index, data = sorted(tmp_path.rglob("*.nb?"), key=lambda path: path.suffix[::-1])
    assert {index.suffix, data.suffix} == {".nbi", ".nbc"}
    for file in (index, data):
        whole = file.read_bytes()
        file.write_bytes(whole[: len(whole) // 2])
        again = machine("halved")
        assert again(1.0) == 2.0
        assert not again.stats.cache_hits
        once_more = machine("halved")
        assert once_more(1.0) == 2.0
        assert once_more.stats.cache_hits, "it was kept anew"


def test_what_lies_beside_the_source_is_used_even_where_it_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert machine("image")(1.0) == 2.0  # the image is built
    files = list((Path(__file__).parent / "__pycache__").glob("*image*.nb?"))
    try:
        monkeypatch.setattr(
            kept._AnyPlace, "_locator_classes", (kept._BesideTheSource,)
        )
        used = machine("image")
        assert told(lambda: used(1.0)) == []
        assert used.stats.cache_hits
    finally:
        for file in files:
            os.unlink(file)  # noqa: PTH108
