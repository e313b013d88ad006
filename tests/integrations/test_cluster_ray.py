"""The same on Ray itself: a local cluster, started once, with workers that die."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import regretless as rg
from file_forms import FORMS
from regretless.cli import main

ray = pytest.importorskip("ray", reason="Ray is not installed")

SOME_ENDED = re.compile(r"[1-9]\d*/80 shards")


@pytest.fixture(scope="session")
def cluster():
    """Two cores of this machine, until the tests end."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    if ray.is_initialized():  # by the examples of the documentation
        yield ray
        return
    ray.init(
        address="local",
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="error",
        object_store_memory=100 * 2**20,
    )
    yield ray
    ray.shutdown()


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Some rows as JSON lines, which take a while to read."""
    rng = np.random.default_rng(7)
    X = rng.integers(-800, 801, size=(24_000, 5)) / 400
    y = np.where(X @ rng.normal(size=5) + rng.normal(size=24_000) > 0, 1, -1)
    path = tmp_path_factory.mktemp("cluster") / "rows.jsonl"
    path.write_bytes(FORMS["a.jsonl"](X, y))
    return str(path)


def played(path, **how):
    how = {"shards": 3, "synchronizations": 2, **how}
    return rg.cluster.play(rg.Perceptron(), path, **how)


def bits(run):
    return (run.weights.tobytes(), run.mean.tobytes(), run.ledger.as_dict())


def workers(root):
    """Processes below `root` that are playing a shard at this moment."""
    parents: dict[int, int] = {}
    playing: list[int] = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, IndexError):
            number = int(entry.name)
            text = (entry / "stat").read_text().rpartition(")")[2]
            parents[number] = int(text.split()[1])
            if b"ray::play_shard" in (entry / "cmdline").read_bytes():
                playing.append(number)

    def ours(number):
        while number > 1 and number != root:
            number = parents.get(number, 0)
        return number == root

    return [number for number in playing if ours(number)]


def killed(path, kills=1):
    """Play while workers are killed in the middle of shards; the run, and how many."""
    gone: list[int] = []
    over = threading.Event()

    def kill():
        while len(gone) < kills and not over.is_set():
            for number in workers(os.getpid())[:1]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(number, signal.SIGKILL)
                    gone.append(number)
            time.sleep(0.02)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        return played(path), gone
    finally:
        over.set()
        thread.join()


def test_same_bits_whatever_the_number_of_workers(cluster, path):
    first = played(path, workers=1)
    assert bits(played(path)) == bits(first)
    assert first.rounds == 24_000


def test_a_worker_that_dies_changes_nothing(cluster, path):
    expected = bits(played(path))
    run, gone = killed(path)
    assert gone
    assert bits(run) == expected


@pytest.mark.long
def test_ten_workers_that_die_change_nothing(cluster, path):
    expected = bits(played(path))
    for _ in range(10):
        run, gone = killed(path)
        assert gone
        assert bits(run) == expected


def test_looking_back_and_many_learners(cluster, path):
    run = played(path, synchronizations=1)
    u = np.ones(5)
    assert run.theorems(u=u)["perceptron/root"].applies
    assert run.hindsight(strength=1e4, tolerance=0.1).relative_gap <= 0.1
    assert run.model("validated").certificate.value < 0.5
    learners = [rg.Perceptron(), rg.OGD()]
    runs = rg.cluster.play(learners, path, models=["mean"])
    alone = rg.play(learners, path, models=["mean"])
    assert str(runs) == str(alone)
    mean = alone[0].model("mean").weights
    np.testing.assert_array_equal(runs[0].model("mean").weights, mean)


def test_a_bad_row_and_the_command(cluster, path, tmp_path, capsys):
    model = tmp_path / "m.rgl"
    arguments = ["train", path, "--cluster", "auto", "--shards", "4", "-o", str(model)]
    assert main([*arguments, "--learner", "perceptron", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["cluster"]["shards"] == 4
    assert document["rows"] == 24_000
    assert rg.load(model).certificate.value == pytest.approx(
        document["model"]["certificate"]["value"]
    )
    bad = tmp_path / "bad.jsonl"
    lines = Path(path).read_bytes().splitlines()[:2000]
    lines[1500] = b"{"
    bad.write_bytes(b"\n".join(lines))
    arguments = ["train", str(bad), "--cluster", "auto", "--shards", "3"]
    assert main([*arguments, "--learner", "perceptron"]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"{bad}:1501: ")
    assert said.count("\n") == 1


class Terminal:
    """What is written to a terminal, read while it is written."""

    def __init__(self):
        self.text = ""
        self._ours, self.theirs = os.openpty()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self):
        with contextlib.suppress(OSError):  # nobody writes any more
            while some := os.read(self._ours, 4096):
                self.text += some.decode("utf-8", "replace")

    def last(self):
        """All of it, when whoever wrote has ended."""
        os.close(self.theirs)
        self._thread.join(60)
        os.close(self._ours)
        return self.text


def playing(path, tmp_path, *more):
    """A command on a local cluster of its own, some of whose many shards have ended."""
    big = tmp_path / "big.jsonl"
    big.write_bytes(Path(path).read_bytes() * 40)
    command = [sys.executable, "-m", "regretless", "train", str(big)]
    command += ["--cluster", "local", "--workers", "1", "--shards", "80"]
    command += ["--learner", "perceptron", *more]
    terminal = Terminal()
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=terminal.theirs, text=True
    )
    while process.poll() is None and not SOME_ENDED.search(terminal.text):
        time.sleep(0.05)
    return process, terminal


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_a_signal_keeps_the_shards_that_have_ended(path, tmp_path, number, code):
    model = tmp_path / "m.rgl"
    process, terminal = playing(path, tmp_path, "-o", str(model))
    process.send_signal(signal.Signals[number])
    out, _ = process.communicate(timeout=300)
    said = terminal.last()
    assert process.returncode == code, said
    assert "shards that had ended are kept" in said
    assert "interrupted" in out
    assert rg.load(model).ledger.rounds > 0


@pytest.mark.slow
def test_a_signal_while_ray_is_starting_is_a_document(path):
    command = [sys.executable, "-m", "regretless", "train", str(path), "--json"]
    command += ["--cluster", "local", "--learner", "perceptron"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while process.poll() is None and not descendants(process.pid):
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    out, said = process.communicate(timeout=60)
    assert process.returncode == 143, said
    found = json.loads(out)
    assert found["exit_code"] == 143
    assert found["interrupted"] is True


@pytest.mark.slow
def test_a_driver_that_is_killed_leaves_no_process_behind(path, tmp_path):
    """Neither a worker nor a server of Ray; two agents of Ray take their time."""
    process, terminal = playing(path, tmp_path)
    begun = {number: name_of(number) for number in descendants(process.pid)}
    assert any("ray::" in name for name in begun.values())
    process.kill()
    process.communicate(timeout=300)
    left = {}
    for _ in range(300):
        left = {number: name for number, name in begun.items() if name_of(number)}
        if all(name.strip().endswith("Agent") for name in left.values()):
            break
        time.sleep(0.1)
    for number in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
    assert all(name.strip().endswith("Agent") for name in left.values()), left
    terminal.last()


def name_of(number):
    """What a process is called; nothing where it is gone."""
    try:
        return Path(f"/proc/{number}/cmdline").read_bytes().decode().rstrip("\0 ")
    except OSError:
        return ""


def descendants(number):
    """The processes that a process has begun, and those that these have."""
    found = []
    for line in Path(f"/proc/{number}/task").glob("*/children"):
        try:
            children = line.read_text().split()
        except OSError:
            continue
        for child in map(int, children):
            found += [child, *descendants(child)]
    return found
