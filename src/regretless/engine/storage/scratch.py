"""A temporary folder that is gone afterwards, even where its process was killed.

A user holds a lock on it, which ends with the process. The next process that
makes one removes all that are not held.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path


@contextlib.contextmanager
def scratch_folder(name: str) -> Generator[Path]:
    """A new folder for temporary files; those of killed processes are removed."""
    prefix = f"regretless-{name}-"
    for left in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        with contextlib.suppress(OSError), _locked(left):
            shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=prefix) as folder, _locked(Path(folder)):
        yield Path(folder)


@contextlib.contextmanager
def _locked(folder: Path) -> Generator[None]:
    """Hold a folder of our own; OSError where another process does.

    On Windows nothing is held, and nothing of others removed.
    """
    if sys.platform == "win32":
        if not any(folder.iterdir()):
            yield
            return
        raise OSError(f"{folder}: whose it is cannot be told")
    import fcntl

    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if os.fstat(opened).st_uid != os.getuid():
            raise PermissionError(f"{folder}: it belongs to another user")
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(opened)
