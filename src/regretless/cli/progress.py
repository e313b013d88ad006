"""Progress on a terminal: a live line, and the table at doubling row counts."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Protocol

from ..data import Batch
from ..parts.state import Floats
from ..parts.text_tables import WIDE, TextTable
from .status import StatusLine

if TYPE_CHECKING:
    from ..data import FileSource
    from ..engine.players.player import Player
    from ..evidence.row_record import RowRecord


COLUMNS = {"rows": 12, "mistakes": 10, "error": 7, "since": 7, "certified": 9}
REAL_COLUMNS = {"rows": 12, "loss a row": 13, "since": 13}
REFRESH = 0.1  # seconds
MEGA = 1e6


class InProgress(Protocol):
    """What is shown of a session, or of many learners."""

    @property
    def record(self) -> RowRecord:
        """What is remembered of the rows."""
        ...

    @property
    def rounds(self) -> int:
        """Rounds played so far."""
        ...

    @property
    def player(self) -> Player | None:
        """Who plays."""
        ...

    @property
    def length(self) -> int | None:
        """The number of rounds, where it is known or declared."""
        ...


class ProgressLine:
    """A watcher that shows how far the learning is.

    "since" is the error since the line above; "certified" bounds the error of the
    randomized hypothesis on fresh data, and may be read at any time.
    """

    scored = False

    def __init__(self, source: FileSource, delta: float) -> None:
        self._source = source
        self._delta = delta
        self._status = StatusLine()
        self._began = time.monotonic()
        self._shown = 0.0
        self._next = 1
        self._before = (0, 0.0)
        self._headed = False

    def __enter__(self) -> ProgressLine:
        self._status.__enter__()
        return self

    def __exit__(self, *problem: object) -> None:
        self._status.__exit__(*problem)

    def after(self, batch: Batch, scores: Floats | None, session: InProgress) -> None:
        """Draw, ten times a second at most."""
        if session.rounds >= self._next:
            self._row(session)
        now = time.monotonic()
        if now - self._shown >= REFRESH:
            self._shown = now
            self._status.draw(self._line(session))

    def last(self, session: InProgress) -> None:
        """The last line of the table, where the stream ended."""
        if session.rounds > self._before[0]:
            self._row(session)

    def _row(self, game: InProgress) -> None:
        assert game.player is not None
        rounds, ledger = game.rounds, game.player.ledger()
        self._next = 1 << max(10, rounds.bit_length())
        columns = REAL_COLUMNS if ledger.mistakes is None else COLUMNS
        if not self._headed:
            self._status.above(_aligned(columns, list(columns)), "bold")
            self._headed = True
        paid = ledger.loss if ledger.mistakes is None else float(ledger.mistakes)
        new = (paid - self._before[1]) / (rounds - self._before[0])
        self._before = (rounds, paid)
        cells = [f"{rounds:,}", f"{paid / rounds:.6g}", f"{new:.6g}"]
        if ledger.mistakes is not None:
            cells = [f"{rounds:,}", f"{ledger.mistakes:,}", f"{paid / rounds:.2%}"]
            cells += [f"{new:.2%}", self._certified(game, rounds, ledger.mistakes)]
        self._status.above(_aligned(columns, cells))

    def _certified(self, game: InProgress, rounds: int, mistakes: int) -> str:
        from ..evidence.certify import kl_mixture
        from ..evidence.claims.randomized import GUESS

        if game.record.seen.replay is not None:
            return "-"  # rows came again: nothing is certified
        n_opt = float(game.length if game.length is not None else GUESS)
        found = kl_mixture(rounds, mistakes, self._delta, n_opt)
        return f"<= {found:.2%}"

    def _line(self, game: InProgress) -> str:
        assert game.player is not None
        passed = max(time.monotonic() - self._began, 1e-9)
        done, total = self._source.progress()
        parts = [f"{game.rounds:,} rows", f"{amount(game.rounds / passed)} rows/s"]
        if done:
            parts.append(f"{done / passed / MEGA:,.0f} MB/s")
        if done and total:
            left = passed * (total - done) / done
            parts.append(f"{done / total:.0%}, {clock(left)} left")
        else:
            parts.append(clock(passed))
        ledger = game.player.ledger()
        if ledger.mistakes is not None and ledger.rounds:
            parts.append(f"{ledger.mistakes:,} mistakes")
            bound = self._certified(game, ledger.rounds, ledger.mistakes)
            parts.append(f"error {bound}")
        return "  ".join(parts)


def amount(number: float) -> str:
    """A count in three figures: 1.23M."""
    for limit, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= limit:
            return f"{number / limit:.3g}{unit}"
    return f"{number:.3g}"


def clock(seconds: float) -> str:
    """A time for people: 7 s, 2 min 05 s, 1 h 20 min.

    Examples
    --------
    >>> from regretless.cli.progress import clock
    >>> clock(7.2), clock(125), clock(4800)
    ('7 s', '2 min 05 s', '1 h 20 min')
    """
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def clock_fine(seconds: float) -> str:
    """Seconds with two figures while they are few."""
    return f"{seconds:.2g} s" if seconds < 10 else clock(seconds)


def _aligned(columns: dict[str, int], cells: list[str]) -> str:
    """One line of the table, whose rows come one by one."""
    least = list(columns.values())
    (line,) = TextTable((), [cells], range(len(cells)), least=least).lines(WIDE, False)
    return line
