"""Exceptions out of handlers of signals, in the middle of whatever a learner does.

`Timer` is the real thing: a timer that sends a signal, whose handler raises. `Point`
raises at a given one of the places where Python would run such a handler: where a
function begins, after a call, and where a loop goes round.
"""

from __future__ import annotations

import dis
import functools
import random
import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import live_games
import regretless as rg

PLACES = ("CALL", "CALL_FUNCTION_EX", "RESUME", "JUMP_BACKWARD")
SPARED = 0.1  # of the calls, to see how long they are
LIFE = 120  # events of a learner, before the next one begins


class Interrupted(BaseException):
    """What the handler raises."""


class Timer:
    """A signal after some time, within as long as such a call usually takes."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self._usual: dict[str, float] = {}
        self._armed = False  # a signal may come late, by way of another thread
        signal.signal(signal.SIGALRM, self._raise)

    def run(self, what: str, call: Callable[[], None]) -> bool:
        """Run it; whether it was broken off."""
        usual = self._usual.get(what, 0.0)
        began = time.perf_counter()
        try:
            try:
                delay = self._dice.uniform(1e-6, 1.1 * usual + 2e-6)
                watched = usual > 0.0 and self._dice.random() > SPARED
                self._armed = True
                signal.setitimer(signal.ITIMER_REAL, delay if watched else 0.0)
                call()
            finally:
                self._armed = False
                signal.setitimer(signal.ITIMER_REAL, 0.0)
        except Interrupted:
            return True
        taken = time.perf_counter() - began
        self._usual[what] = max(taken, 0.9 * usual)
        return False

    def _raise(self, number: int, frame: object) -> None:
        if self._armed:
            raise Interrupted


class Point:
    """One of the places where a handler may run, chosen among those of such a call."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self._usual: dict[str, int] = {}

    def run(self, what: str, call: Callable[[], None]) -> bool:
        """Run it; whether it was broken off."""
        usual = self._usual.get(what, 0)
        watched = usual > 0 and self._dice.random() > SPARED
        self._left = self._dice.randint(1, usual + 3) if watched else sys.maxsize
        before, self._last = self._left, dict[FrameType, int]()
        sys.settrace(self._enter)
        try:
            call()
        except Interrupted:
            return True
        finally:
            sys.settrace(None)
        self._usual[what] = max(before - self._left, 9 * usual // 10)
        return False

    def _enter(self, frame: FrameType, event: str, argument: object) -> Any:
        if "regretless" not in frame.f_code.co_filename:
            return None
        frame.f_trace_opcodes = True
        return self._look

    def _look(self, frame: FrameType, event: str, argument: object) -> Any:
        if event == "opcode":
            last = self._last.get(frame, -1)
            self._last[frame] = frame.f_lasti
            if _places(frame.f_code).get(last) in (-1, frame.f_lasti):
                self._left -= 1
                if self._left == 0:
                    raise Interrupted
        return self._look


@functools.cache
def _places(code: CodeType) -> dict[int, int]:
    """After which instructions a handler may run, and what comes next where they end.

    A call that raises ends elsewhere, and no handler runs there; -1: a jump. What is
    raised after a call is caught where the call is, so both must lie in one block.
    """
    found = list(dis.get_instructions(code))
    blocks: Any = dis.Bytecode(code).exception_entries

    def caught(offset: int) -> list[int]:
        return [one.target for one in blocks if one.start <= offset < one.end]

    return {
        one.offset: -1 if one.opname == "JUMP_BACKWARD" else other.offset
        for one, other in pairwise(found)
        if one.opname in PLACES and caught(one.offset) == caught(other.offset)
    }


def attack(
    game: live_games.LiveGame, breaker: Timer | Point, wanted: int, folder: Path
) -> None:
    """Break off so many calls of a learner, and compare it with one that never was.

    Raises ``AssertionError`` where it is not what it was after some of its events.
    """
    dice, broken, path = random.Random(wanted), 0, folder / "live.rgl"
    while broken < wanted:
        learner, twin = game.make(), game.make()
        saved = None
        path.unlink(missing_ok=True)
        i = game.before
        for each in (learner, twin):
            for k in range(i):
                game.stream(each, k)
        while i < LIFE and broken < wanted:
            what = dice.choices(("learn", "ask", "refuse", "save"), (6, 3, 1, 1))[0]
            if what == "save":
                hit = breaker.run(what, partial(learner.save, path))
                now = live_games.state(twin)
                if path.exists():
                    found = live_games.state(rg.load_learner(path))
                    assert found == now or (hit and found == saved), "another file"
                    saved = found
                else:
                    assert hit, "it was not saved"
            elif what == "ask":
                hit = breaker.run(what, partial(game.wonder, learner, i))
                assert _same(game.wonder(learner, i), game.wonder(twin, i)), "it says"
            elif what == "refuse":
                event = dice.choice(game.refused(i))
                hit = breaker.run(what, partial(refuse, learner, event))
            else:
                before = live_games.state(twin)
                hit = breaker.run(what, partial(game.stream, learner, i))
                if not hit or live_games.state(learner) != before:
                    game.stream(twin, i)
                    i += 1
            broken += hit
            if hit:
                found, now = map(live_games.state, (learner, twin))
                assert found == now, f"{what}: {differences(found, now)}"
                assert _free(learner), "its lock is held"
        assert live_games.state(learner) == live_games.state(twin)
        learner.save(path)
        left = [each for each in folder.iterdir() if each != path]
        assert not left, f"left behind: {left}"


def refuse(learner: Any, event: tuple[Any, ...]) -> None:
    """Give a learner what it has to refuse."""
    try:
        learner.learn_one(*event)
    except (ValueError, TypeError):
        return
    raise AssertionError(f"it has learned {event!r}")


def differences(one: Any, other: Any, where: str = "") -> list[str]:
    """Where two states differ."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return [
            found
            for name in one
            for found in differences(one[name], other[name], f"{where}/{name}")
        ]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return [d for k, (a, b) in pairs for d in differences(a, b, f"{where}/{k}")]
    return [] if one == other else [f"{where}: {one!r:.80} != {other!r:.80}"]


def _same(one: Any, other: Any) -> bool:
    return repr(one) == repr(other)


def _free(learner: Any) -> bool:
    """Whether another thread could take the learner's lock."""
    alone = learner.learner if hasattr(learner, "sets") else learner
    found: list[bool] = []

    def take() -> None:
        found.append(alone.live.lock.acquire(timeout=1.0))
        if found[0]:
            alone.live.lock.release()

    thread = threading.Thread(target=take)
    thread.start()
    thread.join()
    return found[0]
