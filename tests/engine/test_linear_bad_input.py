"""Bad input never trains silently: the error names row and column, and what is allowed.

Arrays are refused whole, a stream stops at the row and hands back the run so far, and
a parameter is refused before anything is played.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import sparse

import regretless as rg

NAN, INF = math.nan, math.inf
X = [[1.0, 0.5], [0.0, 1.0], [0.5, 0.5], [1.0, 0.0]]
Y = [1, -1, 1, -1]


def changed(i, j, value):
    table = np.array(X, dtype=object if isinstance(value, str) else float)
    table[i, j] = value
    return table


# Arrays.


@pytest.mark.parametrize("value", [NAN, INF, -INF])
@pytest.mark.parametrize("form", [np.array, sparse.csr_array, sparse.csc_matrix])
def test_entries_must_be_finite(form, value):
    with pytest.raises(ValueError, match=rf"row 2: column 1: {value} is not a finite"):
        rg.play(rg.Perceptron(), form(changed(2, 1, value)), Y)


def test_frames_name_the_feature():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(changed(2, 1, np.inf), columns=["a", "b"])
    with pytest.raises(ValueError, match="row 2: feature 'b': inf is not a finite"):
        rg.play(rg.Perceptron(), frame, Y)


def test_squares_must_be_finite():
    with pytest.raises(ValueError, match=r"row 1: .* so large that"):
        rg.play(rg.Perceptron(), changed(1, 0, 1e200), Y)


@pytest.mark.parametrize(
    ("learner", "value", "allowed"),
    [
        (rg.Winnow(), -0.1, r"\[0, 1\], where the theorem of Winnow holds"),
        (rg.Winnow(), 1.1, r"\[0, 1\], .* domain=\"allow\""),
        (rg.NormalizedWinnow(0.1), -1.1, r"\[-1, 1\], .* of NormalizedWinnow"),
        (rg.BalancedWinnow(0.1), 1.1, r"\[-1, 1\], .* of BalancedWinnow"),
    ],
)
def test_features_outside_a_theorem(learner, value, allowed):
    message = rf"row 3: column 1: {value} is outside {allowed}"
    for form in (np.array, sparse.csr_array):
        with pytest.raises(ValueError, match=message):
            rg.play(learner, form(changed(3, 1, value)), Y)


@pytest.mark.parametrize("kind", [rg.Winnow, rg.NormalizedWinnow, rg.BalancedWinnow])
def test_domain_allow_learns_from_any_feature(kind):
    run = rg.play(kind(eta=0.1, domain="allow"), changed(3, 1, -7.0), Y)
    assert run.rounds == 4
    assert run.ledger.min_entry == -7.0
    with pytest.raises(
        ValueError, match=r'domain=\'maybe\' must be "check" or "allow"'
    ):
        kind(eta=0.1, domain="maybe")


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([1, -1, 0, 1], "row 2: label 0 is a third value after -1 and 1"),
        ([3, 5, 5, 7], "row 3: label 7 is a third value after 3 and 5"),
        (["a", "b", "b", "c"], "row 3: label 'c' is a third value after 'a' and 'b'"),
        ([1, NAN, -1, 1], "row 1: label nan is not a finite number"),
        ([1, -1, INF, 1], "row 2: label inf is not a finite number"),
        (["a", None, "a", "b"], "row 1: label None is missing"),
        (np.array([1, -1, NAN, 1], object), "row 2: label nan is missing"),
        ([4, 4, 4, 4], "one value only, 4: which class"),
        (np.array(["a", 3, 3, 3], object), "cannot be put in order"),
        ([1, -1, 1], "X has 4 rows but y has 3 labels"),
        ([[1, 1]] * 4, "y has 2 dimensions"),
        (1, "y has 0 dimensions"),
    ],
)
def test_labels_of_arrays(labels, message):
    with pytest.raises(ValueError, match=message):
        rg.play(rg.Perceptron(), X, labels)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([1.0, NAN, 2.0, 3.0], "row 1: label nan is not a finite number"),
        ([1.0, 2.0, 3.0, -INF], "row 3: label -inf is not a finite number"),
        ([1.0, "two", 3.0, 4.0], "row 1: label 'two' is not a number"),
        (np.array([1.0, "two", 3.0, 4.0], object), "row 1: label 'two' is not a num"),
        ([1.0, 2j, 3.0, 4.0], "is not a number"),
        (np.array([1, 10**400, 1, 1], object), "row 1: label 10+ is not a number"),
    ],
)
def test_real_labels_of_arrays(labels, message):
    with pytest.raises(ValueError, match=message):
        rg.play(rg.OGD(rg.Squared()), X, labels)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (np.empty((0, 2)), "no rows"),
        (np.empty((4, 0)), "no columns"),
        (sparse.csr_array((0, 2)), "no rows"),
        (sparse.csr_array((4, 0)), "no columns"),
        ([1.0, 2.0, 3.0, 4.0], "two dimensions"),
        (np.zeros((4, 2, 2)), "two dimensions, .* has 3"),
        ([[1, 2], [3], [4, 5], [6, 7]], "row 1: it has 1 columns, those above 2"),
        ([[1, 2], [3, "x"], [4, 5], [6, 7]], "row 1: feature 1: 'x' is not a number"),
        (changed(1, 1, "x"), "row 1: feature 1: 'x' is not a number"),
        ([["1", "2"]] * 4, "row 0: feature 0: '1' is not a number"),
        (np.array(X) + 1j, "row 0: feature 0: .* is not a number"),
        (np.full((4, 2), "2020-01-01", "M8[D]"), "row 0: feature 0: .* not a number"),
        (np.ma.array(X, mask=np.eye(4, 2, -1)), "row 1: column 0: nan is not a finite"),
        ([[1, None]] * 4, "row 0: column 1: nan is not a finite number"),
        ([[1, 10**400]] * 4, "row 0: feature 1 is too large for a float64"),
        (5, "X "),
    ],
)
def test_tables(table, message):
    with pytest.raises(ValueError, match=message):
        rg.play(rg.Perceptron(), table, Y)


def test_text_columns_of_frames():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": [1, 2], "color": ["red", "blue"], "y": [1, -1]})
    assert "color=red" in rg.play(rg.Perceptron(), frame, "y").named_weights()
    with pytest.raises(ValueError, match="no column 'label'; the columns are 'a',"):
        rg.play(rg.Perceptron(), frame, "label")
    dates = pd.DataFrame({"when": pd.to_datetime(["2020-01-01", "2020-01-02"])})
    weights = rg.play(rg.Perceptron(), dates, [1, -1]).named_weights()
    assert set(weights) == {"when", "when weekday", "when month", "when hour"}


def test_missing_values_of_frames():
    pd = pytest.importorskip("pandas")
    pl = pytest.importorskip("polars")
    full = rg.play(rg.Perceptron(), pd.DataFrame({"a": [1, 0]}), [1, -1])
    for gap in (
        pd.DataFrame({"a": pd.array([1, None])}),
        pl.DataFrame({"a": [1, None]}),
    ):
        assert rg.play(rg.Perceptron(), gap, [1, -1]).ledger == full.ledger
    labels = pd.Series(pd.array([1, None], "Int64"))
    with pytest.raises(ValueError, match="row 1: label"):
        rg.play(rg.Perceptron(), [[1.0], [2.0]], labels)


def test_sparse_indices_outside_the_shape():
    broken = sparse.csr_array(np.array(X))
    broken.indices = broken.indices.copy()
    broken.indices[-1] = 2
    with pytest.raises(ValueError, match="column index outside"):
        rg.play(rg.Perceptron(), broken, Y)


def test_arguments_that_make_no_sense(table):
    X, y = table
    events = [({"a": 1}, 1), ({"b": 1}, 0)]
    with pytest.raises(TypeError, match="labels are missing"):
        rg.play(rg.Perceptron(), X)
    with pytest.raises(TypeError, match="nothing to play"):
        rg.play(rg.Perceptron())
    with pytest.raises(FileNotFoundError, match=r"data\.csv: there is no such file"):
        rg.play(rg.Perceptron(), "data.csv")
    with pytest.raises(TypeError, match="cannot play int"):
        rg.play(rg.Perceptron(), 3)
    with pytest.raises(TypeError, match="not a learner"):
        rg.play(rg.Perceptron, X, y)
    with pytest.raises(ValueError, match=r"not a number|not a table"):
        rg.play(rg.Perceptron(), events, [1, 0])  # y given twice
    with pytest.raises(ValueError, match="n_features=4 was declared, but X has 5"):
        rg.play(rg.Perceptron(), X, y, n_features=4)
    with pytest.raises(ValueError, match="n_features=4 was declared, but X has 5"):
        rg.play(rg.Winnow(n_features=4), abs(X), y)


@pytest.mark.parametrize("events", [[], iter([]), ()])
def test_no_events(events):
    with pytest.raises(ValueError, match="no rows"):
        rg.play(rg.Perceptron(), events)


# Streams.

GOOD = [({"a": 1.0}, 1), ({"b": 0.5}, 0), ({"a": 0.5, "c": 1.0}, 1)]
BAD_EVENTS = {
    "nan": (({"a": NAN}, 1), "feature 'a': nan is not a finite number"),
    "inf": (({"new": INF}, 1), "feature 'new': inf is not a finite number"),
    "square": (({"new": 1e200}, 1), "so large"),
    "text": (({"a": "1"}, 1), "field 'a' is a number, not '1'"),
    "list": (({"a": [[1]]}, 1), r"feature 'a\[0\]': \[1\] is not a number"),
    "label": (({"a": 1.0}, 2), "label 2 is a third value after 0 and 1"),
    "label none": (({"a": 1.0}, None), "label None is missing"),
    "label nan": (({"a": 1.0}, NAN), "label nan is missing"),
    "label text": (({"a": 1.0}, "yes"), "label 'yes' is a third value"),
    "third label": (({"a": 1.0}, -1), "label -1 is a third value after 0 and 1"),
    "row": (([1.0, 2.0, 3.0], 1), "x is a row of numbers, but a dict came before"),
    "not a pair": (({"a": 1.0},), "an event is "),
}


@pytest.mark.parametrize("bad", BAD_EVENTS.values(), ids=BAD_EVENTS)
@pytest.mark.parametrize("once", [False, True])
def test_a_stream_stops_at_the_bad_event(bad, once):
    event, message = bad
    events = [*GOOD, event, ({"later": 1.0}, 1), *GOOD]
    source = (event for event in events) if once else events
    with pytest.raises(rg.BadRow, match=f"^row 3: .*{message}") as caught:
        rg.play(rg.Perceptron(), source, trace=True)
    assert caught.value.row == 3
    so_far = caught.value.run
    alone = rg.play(rg.Perceptron(), GOOD, trace=True)
    assert so_far.ledger == alone.ledger
    assert so_far.names == alone.names == ("a", "b", "c")
    assert so_far.named_weights() == alone.named_weights()
    assert so_far.losses.tolist() == alone.losses.tolist()
    assert so_far.weight_path.tolist() == alone.weight_path.tolist()


def test_a_stream_stops_at_a_feature_outside_the_theorem():
    events = [*GOOD, ({"c": 1.0, "d": 2.0}, 1), ({"later": 1.0}, 0)]
    with pytest.raises(rg.BadRow, match="row 3: feature 'd': 2 is outside") as caught:
        rg.play(rg.Winnow(n_features=10), iter(events), trace=True)
    alone = rg.play(rg.Winnow(n_features=10), GOOD, trace=True)
    so_far = caught.value.run
    assert so_far.ledger == alone.ledger
    assert so_far.names == ("a", "b", "c")
    assert so_far.named_weights() == alone.named_weights()
    assert np.array_equal(so_far.weight_path, alone.weight_path)


@pytest.mark.parametrize("place", [0, 1023, 1024, 2500])
def test_the_row_is_counted_across_chunks(place):
    events = [({"a": 1.0, "b": i % 3}, i % 2) for i in range(3000)]
    events[place] = ({"a": NAN}, 1)
    with pytest.raises(rg.BadRow, match=f"^row {place}: ") as caught:
        rg.play(rg.Perceptron(), events, trace=True)
    assert caught.value.run.rounds == place
    assert caught.value.run.scores.size == place
    if place:
        assert (
            caught.value.run.ledger == rg.play(rg.Perceptron(), events[:place]).ledger
        )


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (([1.0, 2.0, 3.0], 1), "it has 3 columns, but 2 were expected"),
        (([1.0, NAN], 1), "feature 1: nan is not a finite number"),
        ((["a", "b"], 1), "x is not a row of numbers"),
        (("ab", 1), "x is a text, but a row of numbers came before"),
        (({"a": 1.0}, 1), "x is a dict, but a row of numbers came before"),
        ((sparse.csr_array([[1.0, INF]]), 1), "feature 1: inf is not a finite number"),
        ((sparse.csr_array([[1.0, 2.0, 3.0]]), 1), "it has 3 columns"),
        (([1.0, 1e200], 1), "so large"),
    ],
)
def test_bad_rows_of_a_stream(event, message):
    good = [([1.0, 2.0], 1), (sparse.csr_array([[0.0, 1.0]]), -1)]
    with pytest.raises(rg.BadRow, match=f"^row 2: .*{message}") as caught:
        rg.play(rg.Perceptron(), [*good, event])
    assert caught.value.run.ledger == rg.play(rg.Perceptron(), good).ledger


def test_empty_rows_of_a_stream():
    with pytest.raises(rg.BadRow, match="row 0: x has no columns"):
        rg.play(rg.Winnow(), [([], 1)])


# The number of features.

FIXED = [
    rg.Winnow(),
    rg.NormalizedWinnow(0.1),
    rg.BalancedWinnow(0.1),
    rg.EG(),
    rg.EG(signed=True),
    rg.PNormPerceptron(),
    rg.OGD(domain=rg.Simplex()),
]


@pytest.mark.parametrize("learner", FIXED, ids=repr)
def test_a_start_that_depends_on_d_never_guesses_it(learner):
    with pytest.raises(ValueError, match=r"starts from weights .* declare n_features="):
        rg.play(learner, GOOD)
    with pytest.raises(ValueError, match="declare n_features="):
        learner.learn_one({"a": 1.0}, 1)
    with pytest.raises(rg.BadRow, match="row 0: label 7"):
        rg.play(learner, [({"a": 1.0}, 7)])
    assert rg.play(learner, [([1.0, 0.5], 1)]).weights.size == 2  # a row tells d


@pytest.mark.parametrize("learner", [*FIXED, rg.Perceptron()], ids=repr)
def test_more_features_than_declared(learner):
    run = rg.play(learner, GOOD, n_features=3)
    assert list(run.named_weights()) == ["a", "b", "c"]
    assert rg.play(learner, GOOD, n_features=7).weights.size == 7
    with pytest.raises(
        rg.BadRow, match="row 2: 'c' is feature number 3, but n_features=2"
    ) as caught:
        rg.play(learner, GOOD, n_features=2)
    assert caught.value.run.names == ("a", "b")
    assert caught.value.run.rounds == 2


@pytest.mark.parametrize("n", [0, -1, 2.5, "3", NAN, True])
def test_the_number_of_features_is_whole(n):
    with pytest.raises(ValueError, match=r"n_features=.* must be a whole number"):
        rg.Winnow(n_features=n)
    with pytest.raises(ValueError, match=r"n_features=.* must be a whole number"):
        rg.play(rg.Perceptron(), GOOD, n_features=n)


# Parameters.

POSITIVE = [0, -1.0, NAN, INF, "a", "0.5", None]


@pytest.mark.parametrize("bad", POSITIVE)
@pytest.mark.parametrize(
    "make",
    [
        lambda v: rg.Winnow(eta=v),
        lambda v: rg.Winnow(threshold=v) if v is not None else rg.Winnow(eta=v),
        rg.NormalizedWinnow,
        rg.BalancedWinnow,
        rg.Pegasos,
        lambda v: rg.OGD(step=rg.Constant(v)),
        lambda v: rg.OGD(step=rg.InverseSqrt(v)),
        lambda v: rg.OGD(step=rg.InverseTime(v)),
        lambda v: rg.OGD(step=rg.Adaptive(v)),
        lambda v: rg.OGD(domain=rg.Ball(v)),
        lambda v: rg.OGD(domain=rg.Simplex(v)),
        lambda v: rg.OGD(radius=v) if v is not None else rg.EG(radius=v),
        lambda v: rg.EG(radius=v),
        lambda v: rg.EG(radius=v, signed=True),
        lambda v: rg.OGD(loss=rg.Hinge(gain=v)),
        lambda v: rg.OGD(loss=rg.Pinball(v)),
        lambda v: rg.NormalizedWinnow.for_margin(v) if v else rg.Pegasos(v),
    ],
)
def test_parameters_must_be_positive_and_finite(make, bad):
    with pytest.raises(ValueError, match="must be"):
        make(bad)


@pytest.mark.parametrize(
    "make",
    [
        lambda: rg.PNormPerceptron(p=1.9),
        lambda: rg.PNormPerceptron(p=INF),
        lambda: rg.PNormPerceptron(p="3"),
        lambda: rg.OGD(loss=rg.Hinge(margin=-0.1)),
        lambda: rg.OGD(loss=rg.Hinge(margin=INF)),
        lambda: rg.OGD(loss=rg.SquaredHinge(margin=NAN)),
        lambda: rg.OGD(loss=rg.Pinball(1.0)),
        lambda: rg.OGD(domain=rg.Box(0.1, 1.0)),
        lambda: rg.OGD(domain=rg.Box(-1.0, NAN)),
        lambda: rg.OGD(loss=rg.Hinge),
        lambda: rg.OGD(loss=3.0),
        lambda: rg.OGD(loss=rg.Constant(1.0)),
        lambda: rg.OGD(step=-0.5),
        lambda: rg.OGD(step=True),
        lambda: rg.OGD(domain=1.0),
        lambda: rg.OGD(radius=1.0, domain=rg.Ball(1.0)),
        lambda: rg.NormalizedWinnow.for_margin(1.5),
    ],
)
def test_other_parameters(make):
    with pytest.raises(ValueError, match=r"must|not a part|not both"):
        make()
