"""Every output of every command, and what can go wrong while it is written.

Each run is one of three: "complete" (exit code 0, and all of it is there), "refused"
(another code, one line, and a file that was there is as it was), or what was LOST. The
faults are such that the output cannot be complete. A few here, in the tests; all by
``python -m benchmarks.outputs``.

Run as a script it is what runs commands: a process of its own for each, forked from one
that has imported all.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

STREAMS = {
    "train": "train a.svm -l perceptron",
    "train --json": "train a.svm -l perceptron --json",
    "train, many": "train a.svm -l perceptron,ogd",
    "train -p -": "train a.svm -l perceptron -p -",
    "predict": "predict m.rgl a.svm --quiet",
    "predict --jsonl": "predict m.rgl a.svm --quiet --jsonl",
    "predict --json": "predict m.rgl a.svm --json",
    "inspect": "inspect m.rgl",
    "inspect --json": "inspect m.rgl --json",
    "convert --json": "convert a.svm b.svm --json",
    "compare": "compare f.csv --truth rain",
    "combine --json": "combine f.csv --truth rain --json",
    "calibration": "calibration f.csv --truth rain",
    "game": "game halving --rounds 20",
    "game, list": "game",
    "--help": "train --help",
    "--version": "--version",
}
"""What goes to standard output."""
FILES = {
    "train -o": "train a.svm -l perceptron --quiet -o {}",
    "train, many -o": "train a.svm -l perceptron,ogd --quiet -o {}",
    "train -p": "train a.svm -l perceptron --quiet -p {}",
    "train -p .gz": "train a.svm -l perceptron --quiet -p {}.csv.gz",
    "train -p .parquet": "train a.svm -l perceptron --quiet -p {}.parquet",
    "train --checkpoint": "train a.svm -l ogd --quiet --checkpoint {} --every 1rows",
    "train --report": "train a.svm -l perceptron --quiet --report {}",
    "predict -o": "predict m.rgl a.svm --quiet -o {}",
    "predict -o .jsonl.gz": "predict m.rgl a.svm --quiet -o {}.jsonl.gz",
    "predict -o .parquet": "predict m.rgl a.svm --quiet -o {}.parquet",
    "convert .arrow": "convert a.svm {}.arrow --quiet",
    "convert .svm": "convert a.svm {}.svm --quiet",
    "convert .svm.gz": "convert a.svm {}.svm.gz --quiet",
    "convert .svm.zst": "convert a.svm {}.svm.zst --quiet",
    "compare --report": "compare f.csv --truth rain --report {}.html",
    "combine -o": "combine f.csv --truth rain -o {}",
    "combine --save": "combine f.csv --truth rain --save {}",
    "calibration --report": "calibration f.csv --truth rain --report {}.svg",
    "game --report": "game halving --rounds 20 --report {}.png",
}
"""What is written as a file."""
STREAM_FAULTS = ("full", "limit", "closed", "disk")
FILE_FAULTS = ("limit", "killed", "disk")


class Job(NamedTuple):
    """A command, and where it writes under which fault."""

    name: str
    fault: str
    arguments: list[str]
    stdout: str = os.devnull
    target: str | None = None
    limit: int = 0

    @property
    def killed(self) -> bool:
        """Whether the system ends the process at its limit."""
        return self.fault == "killed"

    @property
    def old(self) -> bytes:
        """What is in the file before: nothing where there is no room for a byte."""
        return b"" if self.fault == "disk" else b"what was there"


def outcomes(
    folder: Path,
    names: Iterable[str],
    *,
    unbuffered: bool = False,
    disk: Path | None = None,
    only: tuple[str, ...] = (),
) -> Iterator[tuple[str, str, str]]:
    """Of each output and fault: its name, the fault, and what happened.

    Parameters
    ----------
    folder : Path
        Where a.svm, f.csv and m.rgl are.
    names : iterable of str
        Of outputs.
    unbuffered : bool
        Whether Python is.
    disk : Path or None
        A folder on a disk that is full but for the names of files.
    only : tuple of str
        The faults; empty: all.
    """
    names = list(names)
    wholes = [_job(folder, name, "", folder, 0) for name in names]
    for job, (code, said) in zip(wholes, _run(folder, wholes, unbuffered), strict=True):
        assert code == 0, (job, said)
    sizes = [os.stat(job.target or job.stdout).st_size for job in wholes]  # noqa: PTH116
    jobs = [
        _job(folder, name, fault, (disk or folder) if fault == "disk" else folder, size)
        for name, size in zip(names, sizes, strict=True)
        for fault in (STREAM_FAULTS if name in STREAMS else FILE_FAULTS)
        if (fault != "disk" or disk is not None) and (not only or fault in only)
    ]
    for job, (code, said) in zip(jobs, _run(folder, jobs, unbuffered), strict=True):
        yield job.name, job.fault, _judged(job, code, said)


def _job(folder: Path, name: str, fault: str, where: Path, size: int) -> Job:
    limit = size // 2 if fault in ("limit", "killed") else 0
    out = str(where / f"out-{abs(hash((name, fault)))}")
    if name in STREAMS:
        places = {"full": "/dev/full", "closed": "closed"}
        stdout = places.get(fault, out)
        return Job(name, fault, STREAMS[name].split(), stdout, None, limit)
    arguments = FILES[name].format(out).split()
    (target,) = (word for word in arguments if word.startswith(out))
    return Job(name, fault, arguments, os.devnull, target, limit)


def _judged(job: Job, code: int, said: str) -> str:
    told = [line for line in said.splitlines() if "machine code" not in line]
    if code == 0:
        return "LOST: exit code 0"
    if "Traceback" in said or "Exception ignored" in said or len(told) > 1:
        return f"LOST: {len(told)} lines: {' / '.join(told)[-200:]}"
    if job.killed and code != -25:  # SIGXFSZ
        return f"LOST: it was not killed, but ended with {code}"
    if job.target is not None and Path(job.target).read_bytes() != job.old:
        return "LOST: the file that was there"
    return "refused"


def _run(folder: Path, jobs: list[Job], unbuffered: bool) -> list[tuple[int, str]]:
    """The exit code of each, and what it said on standard error."""
    for job in jobs:
        if job.target is not None and job.fault:
            Path(job.target).write_bytes(job.old)
    flags = ["-u"] if unbuffered else []
    done = subprocess.run(
        [sys.executable, *flags, __file__],
        input=json.dumps([[*job, job.killed] for job in jobs]),
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
        env={**os.environ, "SHELL": "/bin/bash", "PYTHONWARNINGS": "default"},
    )
    return json.loads(done.stdout)


@contextmanager
def full_disk(folder: Path) -> Iterator[Path | None]:
    """A disk without room for a byte; None where this process may not mount one."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        yield None
        return
    try:
        with (folder / "filler").open("wb", buffering=0) as filler:
            try:
                while True:
                    filler.write(bytes(4096))
            except OSError:
                pass
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def _serve() -> None:
    """Run the commands that standard input lists; print how they ended."""
    import tempfile

    import regretless.cli.train
    import regretless.forecasts
    import regretless.lab.arena
    import regretless.report  # noqa: F401 - what children need not import

    ended: list[tuple[int, str]] = []
    for _, _, arguments, stdout, _, limit, killed in json.load(sys.stdin):
        with tempfile.TemporaryFile() as told:
            child = os.fork()
            if child == 0:
                _be(arguments, stdout, limit, killed, told)
            _, status = os.waitpid(child, 0)
            told.seek(0)
            said = told.read().decode(errors="replace")
            ended.append((os.waitstatus_to_exitcode(status), said))
    print(json.dumps(ended))


def _be(arguments: list[str], out: str, limit: int, killed: bool, told: Any) -> None:
    """Be a process that runs a command, and end as Python ends."""
    import resource
    import signal

    from regretless.cli import main

    if out == "closed":
        reading, writing = os.pipe()
        os.close(reading)
    else:
        writing = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(writing, 1)
    os.dup2(told.fileno(), 2)
    if limit:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if killed:
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    code = 1
    try:
        code = main(arguments)
        sys.stdout.flush()
    except OSError:
        code = 120
    finally:
        os._exit(code)


if __name__ == "__main__":
    _serve()
