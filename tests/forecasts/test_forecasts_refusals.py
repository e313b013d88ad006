"""One check of forecasts and outcomes, whichever way they come."""

import csv

import numpy as np
import pandas as pd
import pytest

from regretless.errors import BadRow
from regretless.forecasts import (
    Mixture,
    calibration,
    calibrations,
    combine,
    compare,
    load_mixture,
    read_forecasts,
)
from regretless.forecasts.scores import as_score

NAMES = ("A", "B")
ROW = 2  # the one that is spoiled
ROUNDS = 4


def written(F, y, path, outcomes=""):
    """A file of the forecasts, read again."""
    ends = [f"_{each}" for each in outcomes] if outcomes else [""]
    path = path / "forecasts.csv"
    with path.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow([*(f"{name}{end}" for name in NAMES for end in ends), "truth"])
        for i, told in enumerate(y):
            cells = [cell for name in NAMES for cell in np.ravel(F[name][i]).tolist()]
            out.writerow([*cells, told])
    return read_forecasts(path, outcomes=list(outcomes) or None)


def by_file(F, y, loss, path):
    outcomes = "HDX" if np.ndim(F["A"][0]) else ""
    combine(written(F, y, path, outcomes), loss=loss)


def by_dict(F, y, loss, path):
    combine(F, y, loss=loss)


def by_array(F, y, loss, path):
    columns = [np.array(F[name], object) for name in NAMES]
    combine(np.stack(columns, axis=1).tolist(), y, loss=loss)


def by_frame(F, y, loss, path):
    if np.ndim(F["A"][0]):
        pytest.skip("a frame has no cells of several numbers")
    frame = pd.DataFrame({**F, "truth": [str(told) for told in y]})
    combine(frame, "truth", loss=loss)


def by_pair(F, y, loss, path):
    compare(F["A"], F["B"], y, loss=loss, low=-100, high=100)


def by_tournament(F, y, loss, path):
    compare(F, y=y, loss=loss, low=-100, high=100)


def by_calibration(F, y, loss, path):
    calibration(F["A"], y)


def by_calibrations(F, y, loss, path):
    calibrations(F, y)


def mixture(F, loss, by="auto", recalibrate=False):
    width = len(F["A"][0]) if np.ndim(F["A"][0]) else 0
    return Mixture(NAMES, as_score(loss), by, outcomes=width, recalibrate=recalibrate)


def state(mix, path):
    mix.save(path / "mixture.rgl")
    return (path / "mixture.rgl").read_bytes()


def live(mix, rounds, path):
    """Learn round after round; one that is refused leaves nothing behind."""
    for i, (row, y) in enumerate(rounds):
        before = state(mix, path)
        try:
            mix.learn(row, y)
        except BadRow as error:
            assert state(mix, path) == before
            assert state(load_mixture(path / "mixture.rgl"), path) == before
            raise BadRow(i, error.problem) from None


def by_live_dicts(F, y, loss, path):
    rounds = [({k: F[k][i] for k in NAMES}, y[i]) for i in range(ROUNDS)]
    live(mixture(F, loss), rounds, path)


def by_live_rows(F, y, loss, path):
    rounds = [([F[k][i] for k in NAMES], y[i]) for i in range(ROUNDS)]
    live(mixture(F, loss, "ml-poly"), rounds, path)


def by_live_rounds(F, y, loss, path):
    rows = [[F[k][i] for k in NAMES] for i in range(ROUNDS)]
    before = state(mix := mixture(F, loss), path)
    try:
        mix.learn(rows, y)
    finally:
        assert (state(mix, path) == before) == _refused(F, y, loss)


def by_combination(F, y, loss, path):
    """The mixture that combine made goes on."""
    good = combine(*right(np.ndim(F["A"][0]) > 0), loss=loss)
    rounds = [({k: F[k][i] for k in NAMES}, y[i]) for i in range(ROUNDS)]
    live(good.mixture, rounds, path)


def _refused(F, y, loss):
    try:
        combine(F, y, loss=loss)
    except BadRow:
        return True
    return False


EVERY = [
    *(by_file, by_dict, by_array, by_frame, by_pair, by_tournament),
    *(by_live_dicts, by_live_rows, by_live_rounds, by_combination),
]
PROBABLE = ["brier", "log", "spherical"]
AMOUNTS = ["absolute", "squared", "pinball"]


def right(classes=False):
    if classes:
        F = {"A": [[0.2, 0.3, 0.5]] * ROUNDS, "B": [[0.5, 0.25, 0.25]] * ROUNDS}
        return F, [0, 2, 1, 2]
    return {"A": [0.2, 0.7, 0.4, 0.9], "B": [0.6, 0.5, 0.1, 0.3]}, [0, 1, 1, 0]


def refusal(entrance, F, y, loss, path):
    """What is said, without where; "" where nothing is refused."""
    found = None
    try:
        entrance(F, y, loss, path)
    except BadRow as error:
        found = error
    assert found is None or (found.row == ROW and "\n" not in str(found))
    return found.problem if found else ""


EVENTS = {7: "7 is not 0 or 1", -1: "-1 is not 0 or 1", 0.5: "0.5 is not 0 or 1"}
WORDS = {"x": "'x' is not a number", np.inf: "inf is not finite", np.nan: "", "yes": ""}


@pytest.mark.parametrize("entrance", [*EVERY, by_calibration, by_calibrations])
@pytest.mark.parametrize("loss", PROBABLE)
@pytest.mark.parametrize("bad", [*EVENTS, *WORDS, True], ids=str)
def test_outcomes_of_events(entrance, loss, bad, tmp_path):
    F, y = right()
    y[ROW] = bad
    told = {**EVENTS, **WORDS}.get(bad, "") if bad is not True else ""
    expected = told and f"the outcome {told}"
    assert refusal(entrance, F, y, loss, tmp_path) == expected


@pytest.mark.parametrize("entrance", EVERY)
@pytest.mark.parametrize("loss", AMOUNTS)
@pytest.mark.parametrize("bad", [*EVENTS, *WORDS], ids=str)
def test_outcomes_that_are_amounts(entrance, loss, bad, tmp_path):
    F, y = right()
    y[ROW] = bad
    told = WORDS.get(bad, "")
    assert refusal(entrance, F, y, loss, tmp_path) == (told and f"the outcome {told}")


@pytest.mark.parametrize("entrance", EVERY)
@pytest.mark.parametrize("loss", PROBABLE)
@pytest.mark.parametrize("bad", [7, -1, 0.5, "x", np.nan], ids=str)
def test_outcomes_of_several(entrance, loss, bad, tmp_path):
    F, y = right(classes=True)
    y[ROW] = bad
    told = {"x": "'x' is not a number", np.nan: ""}.get(
        bad, f"{bad} is not 0, 1, ... 2"
    )
    assert refusal(entrance, F, y, loss, tmp_path) == (told and f"the outcome {told}")


@pytest.mark.parametrize("entrance", [*EVERY, by_calibration, by_calibrations])
@pytest.mark.parametrize("loss", PROBABLE)
@pytest.mark.parametrize("bad", [7, -1, "x", np.inf, np.nan, 1], ids=str)
def test_probabilities(entrance, loss, bad, tmp_path):
    F, y = right()
    F["A"][ROW] = bad
    told = refusal(entrance, F, y, loss, tmp_path)
    assert told == refusal(by_dict, F, y, loss, tmp_path)
    good = bad == 1 or bad != bad  # noqa: PLR0124 - nan
    assert told.startswith("" if good else "column 'A': ")
    assert bool(told) != good


@pytest.mark.parametrize("entrance", EVERY)
@pytest.mark.parametrize("loss", AMOUNTS)
@pytest.mark.parametrize("bad", [7, -1, "x", np.inf, np.nan], ids=str)
def test_amounts(entrance, loss, bad, tmp_path):
    F, y = right()
    F["B"][ROW] = bad
    told = {"x": "'x' is not a number", np.inf: "inf is not finite"}.get(bad, "")
    assert refusal(entrance, F, y, loss, tmp_path) == (told and f"column 'B': {told}")


@pytest.mark.parametrize("entrance", EVERY)
@pytest.mark.parametrize("loss", PROBABLE)
@pytest.mark.parametrize("bad", [[0.5, 0.5, 0.5], [2, -1, 0], [0.5, "x", 0.5]], ids=str)
def test_several_probabilities(entrance, loss, bad, tmp_path):
    F, y = right(classes=True)
    F["A"] = [*F["A"]]
    F["A"][ROW] = bad
    told = refusal(entrance, F, y, loss, tmp_path)
    assert told.startswith("column 'A")
    if "x" not in bad:
        assert told == refusal(by_dict, F, y, loss, tmp_path)


@pytest.mark.parametrize("bad", ["x", np.inf, -1, np.nan], ids=str)
def test_quantiles(bad, tmp_path):
    levels = [0.25, 0.5, 0.75]
    found = combine(np.ones((9, 2, 3)), np.ones(9), levels=levels, names=NAMES)
    told = {"x": "'x' is not a number", np.inf: "inf is not finite"}.get(bad, "")
    for row, y, said in (
        ([[1, 2, 3], [1, bad, 3]], 2, told and f"column 'B': {told}"),
        ([[1, 2, 3], [1, 2, 3]], bad, told and f"the outcome {told}"),
    ):
        for entrance in (
            lambda row=row, y=y: live(found.mixture, [(row, y)], tmp_path),
            lambda row=row, y=y: combine([row], [y], levels=levels, names=NAMES),
            lambda row=row, y=y: compare(
                [row] * 2, y=[y, 2], levels=levels, names=NAMES
            ),
        ):
            try:
                entrance()
                problem = ""
            except BadRow as error:
                problem = error.problem
            except ValueError as error:  # there is nothing else to compare
                assert bad != bad, error  # noqa: PLR0124, PT017 - nan
                problem = ""
            assert problem == said


@pytest.mark.parametrize("recalibrate", [False, True])
@pytest.mark.parametrize("loss", ["brier", "squared"])
def test_a_round_that_only_some_layers_refuse_teaches_none(
    loss, recalibrate, tmp_path, monkeypatch
):
    if recalibrate and loss == "squared":
        pytest.skip("recalibration is for probabilities")
    F, y = right()
    mix = mixture(F, loss, recalibrate=recalibrate)
    rounds = [({k: F[k][i] for k in NAMES}, y[i]) for i in range(ROUNDS)]
    live(mix, rounds, tmp_path)
    before = state(mix, tmp_path)

    def refuse(*_):
        raise BadRow(0, "a loss is not a finite number")

    last = mix.layers[-1] if mix.recalibrator is None else mix.recalibrator.mixer
    monkeypatch.setattr(last, "play", refuse)
    with pytest.raises(BadRow, match="finite"):
        mix.learn(rounds[0][0], 1)
    assert state(mix, tmp_path) == before
