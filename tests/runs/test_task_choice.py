"""Who plays where nobody is named, and what is said of it."""

from __future__ import annotations

import numpy as np
import pytest

import regretless as rg
from regretless.runs.task_choice import CROWD, SLOW, choose_learner


@pytest.mark.parametrize(("classes", "told"), [(CROWD, False), (CROWD + 1, True)])
def test_whoever_waits_for_panels_of_many_classes_is_told_why(classes, told):
    labels = np.array([f"kind {k}" for k in range(classes)] * 2)
    choice = choose_learner(None, labels)
    assert choice.learner == rg.OneVersusRest(rg.Panel())
    assert (SLOW in choice.why) == told
    asked = choose_learner(rg.Panel(), labels)
    assert SLOW not in asked.why
