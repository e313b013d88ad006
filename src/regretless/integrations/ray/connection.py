"""Connect to Ray: the cluster that is there, the one at an address, or one of our own.

Ray is an extra, and has no types that hold: this is the one place that imports it.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import ModuleType

from ...parts.documents import Document

PATIENCE = 5.0  # seconds to wait for an answer from an address
EXTRA = (
    "this needs Ray, which is not installed: pip install 'regretless[cluster]' "
    "(on every machine)"
)
TRIES = "4"  # times, a second apart, that Ray asks an address
QUIET: Document = {
    "include_dashboard": False,
    "log_to_driver": False,
    "logging_level": "error",
}


def import_ray(address: str = "") -> ModuleType:
    """The module; ``ModuleNotFoundError`` with the name of the extra without it."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if ":" in address:
        os.environ.setdefault("RAY_NUM_REDIS_GET_RETRIES", TRIES)
    try:
        import ray
    except ModuleNotFoundError as error:
        if error.name != "ray":
            raise
        raise ModuleNotFoundError(EXTRA, name="ray") from None
    return ray


@contextmanager
def connected(address: str, workers: int | None) -> Generator[ModuleType]:
    """Ray, connected; what was connected here is let go of at the end.

    Parameters
    ----------
    address : str
        "auto": the cluster of this machine (or of RAY_ADDRESS), or a local one where
        there is none; "local": always a local one; else host:port.
    workers : int or None
        The number of cores of a local one; None: all.
    """
    ray = import_ray(address)
    if ray.is_initialized():
        yield ray
        return
    with _signals_kept():
        _connect(ray, address, workers)
    try:
        yield ray
    finally:
        ray.shutdown()


@contextmanager
def _signals_kept() -> Generator[None]:
    """Let Ray not decide what SIGTERM means to this process."""
    if threading.current_thread() is not threading.main_thread():
        yield  # it cannot be changed here
        return
    before = signal.getsignal(signal.SIGTERM)
    stopped = False
    try:
        yield
    except SystemExit:  # Ray's own answer to it
        stopped = True
    finally:
        signal.signal(signal.SIGTERM, before)
    if stopped:
        signal.raise_signal(signal.SIGTERM)
        raise KeyboardInterrupt("stopped while connecting to Ray")


def _connect(ray: ModuleType, address: str, workers: int | None) -> None:
    if address == "auto":
        address = os.environ.get("RAY_ADDRESS", "auto")
    if address == "auto":
        try:
            ray.init(address="auto", log_to_driver=False, logging_level="error")
            return
        except ConnectionError:
            address = "local"
    if address == "local":
        ray.init(address="local", num_cpus=workers, **QUIET)
        return
    _probe(address)
    try:
        with _hushed():
            ray.init(address=address, log_to_driver=False, logging_level="error")
    except (ConnectionError, ValueError, RuntimeError) as error:
        said = str(error).splitlines()[0]
        raise ConnectionError(f"{address}: no Ray cluster: {said}") from None


@contextmanager
def _hushed() -> Generator[None]:
    """Without what Ray's own machinery writes while there is no answer."""
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _probe(address: str) -> None:
    """Whether anybody listens there: Ray itself would try for minutes."""
    bare = address.partition("://")[2] or address
    host, colon, port = bare.rpartition(":")
    if not colon or not host or not port.isdigit() or int(port) > 65535:
        raise ValueError(f"--cluster {address}: auto, local, or an address host:port")
    try:
        socket.create_connection((host, int(port)), PATIENCE).close()
    except OSError as error:
        why = (error.strerror or str(error) or "no answer").lower()
        raise ConnectionError(
            f"{address}: no Ray cluster answers there: {why}"
        ) from None
