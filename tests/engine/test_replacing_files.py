"""Files are replaced whole or not at all, and killed writers leave nothing for long."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from regretless.engine.storage import atomic, scratch
from regretless.engine.storage.atomic import Draft, writing

HOLD = """
import sys
from regretless.engine.storage.atomic import Draft
from regretless.engine.storage.scratch import scratch_folder
draft = Draft("a.txt")
draft.stream.write(b"half")
draft.stream.flush()
with scratch_folder("test") as folder:
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(atomic, "_swept", set())
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != "a.txt")


def test_the_new_one_keeps_the_permissions_and_the_link(folder: Path) -> None:
    Path("a.txt").write_text("old")
    Path("a.txt").chmod(0o640)
    Path("link").symlink_to("a.txt")
    with writing("link") as stream:
        stream.write(b"new")
    assert Path("link").is_symlink()
    assert Path("a.txt").read_text() == "new"
    assert stat.S_IMODE(Path("a.txt").stat().st_mode) == 0o640
    assert left(folder) == ["link"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, OSError])
def test_what_fails_changes_nothing(folder: Path, error: type[BaseException]) -> None:
    Path("a.txt").write_text("old")
    with pytest.raises(error), writing("a.txt") as stream:  # noqa: PT012
        stream.write(b"half")
        raise error("no")
    assert Path("a.txt").read_text() == "old"
    assert left(folder) == []


def test_a_full_disk_is_one_line_with_the_name_as_it_is_written(folder: Path) -> None:
    for name, kept in (("A.txt", "; the file that was there is unchanged"), ("B", "")):
        if kept:
            Path(name).write_text("old")
        with pytest.raises(OSError, match="not saved") as caught, Draft(name):
            raise OSError(28, "Detail: [errno 28] anything")
        text = f"{name}: not saved: No space left on device{kept}"
        assert (caught.value.errno, caught.value.strerror) == (28, text)
    assert not Path("B").exists()


def test_devices_are_written_directly_and_never_replaced(folder: Path) -> None:
    with writing(os.devnull) as stream:
        stream.write(b"gone")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)
    with pytest.raises(OSError, match="something that is not a file"):
        Draft(os.devnull)
    with pytest.raises(OSError, match="not a file"):
        Draft(folder)


def test_what_a_killed_process_has_left_is_removed_and_nothing_else(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        theirs = Path(process.stdout.readline().decode().strip()).name
        Path(".regretless-notes.tmp").write_text("not ours")
        before = left(folder)
        assert len(before) == 3
        with writing("a.txt"), scratch.scratch_folder("test"):
            pass
        assert left(folder) == before, "its owner lives"
        process.send_signal(signal.SIGKILL)
    monkeypatch.setattr(atomic, "_swept", set())
    assert theirs in left(folder)
    with writing("a.txt") as stream, scratch.scratch_folder("test"):
        stream.write(b"new")
    assert left(folder) == [".regretless-notes.tmp"]
    assert Path("a.txt").read_text() == "new"


RACE = """
import sys
from regretless.engine.storage import atomic
for k in range(40):
    atomic._swept.clear()
    text = b"%s %d" % (sys.argv[1].encode(), k)
    with atomic.writing("a.txt") as stream:
        stream.write(text)
"""


def test_many_writers_at_once_never_remove_what_another_writes(folder: Path) -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", RACE, str(number)])
        for number in range(4)
    ]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0, 0, 0]
    assert left(folder) == []
    assert Path("a.txt").read_text().endswith(" 39")
