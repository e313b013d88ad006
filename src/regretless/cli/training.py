"""One training from beginning to end: open, play, conclude, save, report."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack, nullcontext, redirect_stdout
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..parts.waiting import silently, waiting
from .cautions import numbers_like_ids
from .console import print_json, say
from .interrupt import Interrupt
from .request import Plan, Request, make_plan
from .thresholds import LatestScores
from .usage import checking_usage
from .watchers import Checkpointer, Predictions, Watcher, parse_every

if TYPE_CHECKING:
    from .predicted_part import PredictionTable

__all__ = ["Training"]


class Training:
    """What ``train`` does.

    Parameters
    ----------
    request : Request
        What was asked for.
    """

    def __init__(self, request: Request) -> None:
        self.request = request
        self.began = time.perf_counter()
        self.ids: tuple[str, ...] = ()  # columns that look like ids
        self.checkpoint: Any = None
        if request.resume is not None:
            from ..runs.checkpoints import read_checkpoint

            self.checkpoint = read_checkpoint(request.resume)
            request.recall(self.checkpoint.facts["request"])
            _tell_level(request.resume, self.checkpoint.level)
        with checking_usage():
            self.every = parse_every(request.every)
        self.plan: Plan = make_plan(request)
        self.balanced: Any = None
        self.source: Any = self._open()
        self.predictions: Predictions | PredictionTable | None = None
        self.latest = LatestScores()

    def run(self) -> int:
        """Train; return the exit code."""
        with silently() if self.request.quiet else nullcontext():
            return self._run()

    def _run(self) -> int:
        game = self._game()
        code = self._play(game)
        interrupted = code != 0
        if game.rounds == 0 and not interrupted:
            raise ValueError(
                f"{', '.join(self.request.data)}: no row has a label to learn from"
            )
        run = game.run()
        conclusion = self._conclude(game, run, interrupted)
        if not interrupted:
            self._save(conclusion, game)
        self._report(conclusion)
        return code

    # Open.

    def _open(self) -> Any:
        from ..data.class_weights import weighted_source
        from ..data.holdout import HeldOut

        request, plan = self.request, self.plan
        source = self.files = plan.files
        if request.holdout is not None:
            source = HeldOut(source, request.holdout, test=False)
        if request.class_weights:
            many = plan.task == "multiclass"
            source = weighted_source(source, request.class_weights, many=many)
            self.balanced = source if isinstance(request.class_weights, str) else None
        return source

    def _game(self) -> Any:
        """The learner at its start, or where the checkpoint left it."""
        from ..runs.session import Session

        earlier = self.checkpoint or self.plan.state
        if earlier is not None:
            learner = earlier.as_begun(self.plan.learner)
            self.plan = replace(self.plan, learner=learner)
        plan = self.plan
        game = Session(
            plan.learner,
            self.source,
            models=plan.kinds,
            skip=plan.options.on_bad_rows == "skip",
            initial=plan.initial,
            measure=True,
            sets=plan.sets,
        )
        if self.checkpoint is not None:
            from ..engine.storage import unpack_names

            facts = self.checkpoint.facts
            self.files.seek(facts["mark"], unpack_names(facts["names"]))
            player, recorder = self.checkpoint.restore(plan.learner)
            game.resume(player, recorder, facts["pass"])
            self._count_on(facts)
        elif plan.state is not None:
            self._continue(game)
        game.continued = plan.state is not None
        return game

    def _continue(self, game: Any) -> None:
        """Let the learner stand where the state of -i left it."""
        path, state = self.request.initial_model, self.plan.state
        _tell_level(path or "", state.level)
        facts = state.facts["pass"]
        if (facts.get("sets") is None) != (self.plan.sets is None):
            raise ValueError(f"{path}: give --interval in every training, or in none")
        player, recorder = state.restore(self.plan.learner)
        kept: set[str] = set() if recorder is None else set(recorder.kinds)
        missing = set(self.plan.kinds) - kept
        if missing:
            raise ValueError(
                f"{path}: nothing was kept for {', '.join(sorted(missing))}: ask for "
                "the same model in every training"
            )
        game.resume(player, recorder, facts)
        self._count_on(state.facts)

    def _count_on(self, facts: dict[str, Any]) -> None:
        """Let balanced classes go on with the counts of a state."""
        if self.balanced is not None:
            self.balanced.go_on(facts["counts"])

    # Play.

    def _play(self, game: Any) -> int:
        """Play the stream to its end (0), or to the first signal: its exit code."""
        request = self.request
        scored = request.predictions is not None or request.threshold is not None
        with ExitStack() as stack:
            watchers = self._watchers(stack)
            stop = stack.enter_context(Interrupt())
            batches = self.source.batches()
            stack.callback(batches.close)
            mark: Any = None
            for batch in stop.until_asked(batches):
                scores = game.blank_scores(batch) if scored else None
                game.take(batch, scores)
                if mark is None:
                    self.ids = numbers_like_ids(batch, self.files)
                mark = batch.mark
                for watcher in watchers:
                    watcher.after(batch, scores, game)
            for watcher in watchers:
                watcher.last(game)
            if stop.asked and request.checkpoint is not None and mark is not None:
                self._write_checkpoint(game, mark)
            if not stop.asked and self.predictions is not None:
                self.predictions.commit(self.source.classes)
        game.ended = not stop.asked
        return stop.code

    def _watchers(self, stack: ExitStack) -> list[Watcher]:
        request = self.request
        found: list[Watcher] = []
        if request.predictions is not None:
            at = 0
            if self.checkpoint is not None:
                at = int(self.checkpoint.facts["predicted"])
            self.predictions = self._prediction_file(request.predictions, at)
            stack.callback(self.predictions.close)
            found.append(self.predictions)
        if request.threshold is not None:
            found.append(self.latest)
        if request.checkpoint is not None:
            found.append(Checkpointer(self._write_checkpoint, *self.every))
        if sys.stderr.isatty() and not request.quiet:
            from .progress import Progress

            progress = Progress(self.files, request.delta)
            found.append(stack.enter_context(progress))
        return found

    def _prediction_file(self, path: str, at: int) -> Predictions | PredictionTable:
        """What writes predictions, of which `at` bytes are written already."""
        request = self.request
        if request.plain:
            return Predictions(path, at, request.proba)
        from .predicted_part import PredictionTable

        return PredictionTable(path, at)

    def _write_checkpoint(self, game: Any, mark: Any) -> None:
        """Everything needed to go on after the batch with this mark."""
        from ..runs.checkpoints import write_checkpoint

        assert self.request.checkpoint is not None
        predicted = 0 if self.predictions is None else self.predictions.position
        write_checkpoint(
            self.request.checkpoint,
            learner=self.plan.learner,
            player=game.player,
            recorder=game.recorder,
            facts=self._facts(game, mark, predicted),
        )

    def _facts(self, game: Any, mark: Any, predicted: int = 0) -> dict[str, Any]:
        """What a state keeps beside the player and the recorder."""
        from ..engine.storage import pack_names

        return {
            "request": self.request.remembered(),
            "mark": mark,
            "predicted": predicted,
            "pass": game.facts(),
            "names": pack_names(self.files.named),
            "counts": None if self.balanced is None else self.balanced.counts,
        }

    # Conclude.

    def _conclude(self, game: Any, run: Any, interrupted: bool) -> Any:
        from .conclusion import conclude

        return conclude(self, game, run, interrupted=interrupted)

    def _save(self, conclusion: Any, game: Any) -> None:
        if self.request.output is not None:
            conclusion.model.save(self.request.output, state=self._state(game))
        if self.request.report is not None:
            with waiting("writing the report"):
                conclusion.write_report(self.request.report)

    def _state(self, game: Any) -> dict[str, Any] | None:
        """What goes into the model's file for -i to go on with, if it was asked for."""
        if not self.request.resumable:
            return None
        from ..runs.checkpoints import state_of

        facts = self._facts(game, self.files.mark)
        return state_of(self.plan.learner, game.player, game.recorder, facts)

    def _report(self, conclusion: Any) -> None:
        seconds = time.perf_counter() - self.began
        conclusion = replace(conclusion, seconds=seconds)
        if self.request.json:
            print_json(conclusion.document())
        elif not self.request.quiet:
            # Standard output may be taken by predictions.
            screen = self.request.predictions == "-"
            with redirect_stdout(sys.stderr) if screen else nullcontext():
                _print(conclusion)
        if conclusion.interrupted and not self.request.json:
            say(conclusion.farewell())


def _print(conclusion: Any) -> None:
    """What it came to, for people: all of it, or a screen."""
    if conclusion.request.in_full:
        from .receipts import print_receipts

        print_receipts(conclusion)
    else:
        from .first_screen import print_first_screen

        print_first_screen(conclusion)


def _tell_level(path: str, before: str) -> None:
    """Say so, if a checkpoint comes from a machine that rounds sums otherwise."""
    from ..engine.machine.level import level

    if before not in ("", level()):
        say(
            f"{path}: made for {before} processors, and this machine code is for "
            f"{level()}: the last bits may differ"
        )
