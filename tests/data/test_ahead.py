"""Reading ahead: the same results in the same order, whoever computes them."""

from __future__ import annotations

import gzip
import threading
import time

import pytest

from regretless.data import lines
from regretless.data.input_files import find_places
from regretless.data.prefetch import ahead, threads_for

THREADS = [0, 1, 2, 4]


def pieces(n, fail_at=None, log=None):
    for k in range(n):
        if k == fail_at:
            raise ValueError(f"reading {k}")
        if log is not None:
            log.append(k)
        yield k


def slow_square(k):
    time.sleep(0.0005 * (k % 3))  # so that later pieces are done first
    return k * k


@pytest.mark.parametrize("threads", THREADS)
def test_all_in_order(threads):
    found = list(ahead(pieces(50), slow_square, threads))
    assert found == [(k, k * k) for k in range(50)]


@pytest.mark.parametrize("threads", THREADS)
def test_nothing(threads):
    assert list(ahead(pieces(0), slow_square, threads)) == []


@pytest.mark.parametrize("threads", THREADS)
def test_an_error_of_reading_comes_after_what_was_read_before(threads):
    seen = []
    with pytest.raises(ValueError, match="reading 7"):
        seen.extend(
            k for k, _ in collect(ahead(pieces(20, 7), slow_square, threads), seen)
        )
    assert seen == list(range(7))


@pytest.mark.parametrize("threads", THREADS)
def test_an_error_of_parsing_comes_after_what_was_parsed_before(threads):
    def parse(k):
        if k == 5:
            raise ValueError("parsing 5")
        return slow_square(k)

    seen = []
    with pytest.raises(ValueError, match="parsing 5"):
        collect(ahead(pieces(20), parse, threads), seen)
    assert seen == list(range(5))


def collect(results, seen):
    for k, _ in results:
        seen.append(k)
    return ()


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_how_far_ahead(threads):
    log = []
    results = ahead(pieces(1000, log=log), lambda k: k, threads)
    for taken in range(1, 100):
        next(results)
        assert len(log) <= taken + 2 * threads + 1
    results.close()


@pytest.mark.parametrize("threads", THREADS)
def test_closing_stops_the_workers_and_closes_the_stream(threads):
    closed = threading.Event()

    def endless():
        try:
            while True:
                yield 0
        finally:
            closed.set()

    before = threading.active_count()
    results = ahead(endless(), lambda k: k, threads)
    next(results)
    results.close()
    assert closed.is_set()
    assert threading.active_count() == before


def test_an_interrupt_in_the_consumer_stops_the_workers():
    before = threading.active_count()
    results = ahead(pieces(1000), slow_square, 2)
    with pytest.raises(KeyboardInterrupt):
        interrupt(results)
    results.close()
    assert threading.active_count() == before


def interrupt(results):
    for _ in results:
        raise KeyboardInterrupt


def test_a_reader_that_hangs_does_not_hang_the_end(monkeypatch):
    monkeypatch.setattr("regretless.data.prefetch.PATIENCE", 0.01)
    go_on = threading.Event()

    def hanging():
        yield 0
        go_on.wait(10)

    results = ahead(hanging(), lambda k: k, 1)
    next(results)
    results.close()  # returns while the worker is still waiting
    go_on.set()


def test_no_thread_reads_ahead_of_one_block(tmp_path, monkeypatch):
    """Nor of several files of less in all; of compressed ones nobody knows."""
    plain, packed = tmp_path / "a.svm", tmp_path / "a.svm.gz"
    plain.write_text("1 1:1\n" * 50)
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert threads_for(find_places([str(plain), str(plain)])) == 0
    assert 1 <= threads_for(find_places([str(packed)])) <= 4
    monkeypatch.setattr(lines, "BLOCK", 500)
    assert threads_for(find_places([str(plain)])) == 0
    assert 1 <= threads_for(find_places([str(plain), str(plain)])) <= 4
