"""Several threads may predict with one model: each says what one alone would say."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from kinds_of_models import MODELS


@pytest.mark.parametrize("name", MODELS)
def test_threads_that_predict_at_once_do_not_meet(name):
    X, model = MODELS[name]()
    X = np.tile(X, (5, 1))
    alone = model.scores(X)
    ready, same = threading.Barrier(4), []

    def predict():
        ready.wait()
        same.extend(np.array_equal(model.scores(X), alone) for _ in range(10))

    threads = [threading.Thread(target=predict) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert same == [True] * 40
