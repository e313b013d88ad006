"""Learners in the hands of asyncio and of joblib: nothing is lost, no bit changes."""

from __future__ import annotations

import asyncio
import pickle  # noqa: TID251 - learners may be sent to other processes

import joblib  # noqa: TID251 - the same
import numpy as np
import pytest

import regretless as rg
from live_games import games, state

GAMES = games()
FEW = ("Perceptron()", "Panel()", "RegressionPanel()", "Hedge")
SLOW = pytest.mark.slow
EVERY = [
    pytest.param(name, id=name, marks=() if name in FEW else SLOW) for name in GAMES
]
EVENTS = 120


def taught(learner, game, events=EVENTS):
    for i in range(events):
        game.teach(learner, i)
    return learner


@pytest.mark.parametrize("name", EVERY)
def test_tasks_of_a_loop_learn_what_one_does(name):
    """Events come by a queue; questions are asked by other tasks between them."""
    game = GAMES[name]
    learner = game.make()

    async def learn(queue):
        while (i := await queue.get()) is not None:
            game.teach(learner, i)

    async def ask():
        for _ in range(EVENTS):
            game.ask(learner)
            await asyncio.sleep(0)

    async def main():
        queue = asyncio.Queue(maxsize=3)
        tasks = [asyncio.create_task(learn(queue)), asyncio.create_task(ask())]
        for i in [*range(EVENTS), None]:
            await queue.put(i)
        await asyncio.gather(*tasks)

    asyncio.run(main())
    assert learner.ledger.rounds == EVENTS
    assert game.ask(learner) == game.ask(taught(game.make(), game))


@pytest.mark.parametrize("name", EVERY)
def test_tasks_on_threads_lose_no_event(name):
    """Calls of ``asyncio.to_thread`` all at once, some of them given up."""
    game = GAMES[name]
    learner = game.make()
    game.teach(learner, 0)

    async def main():
        calls = [asyncio.to_thread(game.teach, learner, i) for i in range(1, EVENTS)]
        calls += [asyncio.to_thread(game.ask, learner) for _ in range(EVENTS)]
        tasks = [asyncio.create_task(call) for call in calls]
        await asyncio.gather(*tasks)

    asyncio.run(main())
    assert learner.ledger.rounds == EVENTS


@pytest.mark.parametrize("backend", ["threading", pytest.param("loky", marks=SLOW)])
def test_joblib_fits_what_a_loop_fits(backend):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(300, 4))
    y = np.where(X @ [1.0, -1.0, 0.5, 0.0] > 0, 1, -1)
    learners = [rg.Perceptron(), rg.Panel(), rg.AdaGrad(rg.Logistic()), rg.Pegasos(0.1)]

    def weights(learner):
        return rg.play(learner, X, y).weights

    parallel = joblib.Parallel(n_jobs=2, backend=backend)
    found = parallel(joblib.delayed(weights)(learner) for learner in learners)
    for learner, one in zip(learners, found, strict=True):
        np.testing.assert_array_equal(one, weights(learner))


@pytest.mark.parametrize("name", EVERY)
def test_a_learner_sent_as_memory_that_is_read_only_goes_on(name):
    """As joblib sends arrays of a megabyte and more; here of any size."""
    game = GAMES[name]
    learner = taught(game.make(), game)
    buffers = []
    stream = pickle.dumps(learner, protocol=5, buffer_callback=buffers.append)
    frozen = [bytes(buffer) for buffer in buffers]
    sent = pickle.loads(stream, buffers=frozen)
    assert state(sent) == state(learner)
    assert state(taught(sent, game)) == state(taught(learner, game))
    assert frozen == [bytes(buffer) for buffer in buffers]  # nothing was written there
