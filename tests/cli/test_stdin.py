"""Standard input, interrupts, late imports: each in a process of its own."""

from __future__ import annotations

import gzip
import signal
import subprocess
import sys
import time

import pytest

READ = """
import sys
from regretless.data.file_source import FileSource
from regretless.data.read_options import ReadOptions
source = FileSource("-", ReadOptions(), binary=True)
labels = source.first_labels()
rows = sum(batch.targets.size for batch in source.batches())
print(labels.size > 0, rows, source.rereadable, source.progress())
"""


def run(code, given):
    done = subprocess.run(
        [sys.executable, "-c", code], input=given, capture_output=True, check=True
    )
    return done.stdout.decode()


@pytest.mark.parametrize("packed", [False, True])
def test_standard_input(packed):
    text = b"1 1:1 2:0.5\n-1 3:1\n" * 60_000
    given = gzip.compress(text, 1) if packed else text
    assert run(READ, given) == f"True 120000 False ({len(given)}, None)\n"


HANG = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # also in the background
import sys
from regretless.data.file_source import FileSource
print("ready", flush=True)
source = FileSource("-", None, binary=True)
try:
    print("waiting", flush=True)
    list(source.batches())
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_an_interrupt_while_waiting_for_input():
    process = subprocess.Popen(
        [sys.executable, "-c", HANG],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout.readline() == b"ready\n"
    process.stdin.write(b"1 1:1\n" * 20_000)  # more than is looked at to tell formats
    process.stdin.flush()
    assert process.stdout.readline() == b"waiting\n"
    time.sleep(1.0)  # the threads have begun to read by now
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert out == b"interrupted\n", err
    assert process.returncode == 0, err


def test_pyarrow_is_imported_late():
    code = (
        "import sys, regretless, regretless.data, regretless.data.file_source; "
        "print('pyarrow' in sys.modules)"
    )
    assert run(code, b"") == "False\n"
