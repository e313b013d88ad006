"""That of a run of rows goes on with events; that of a model, or of experts, does not.

The user's own one begins anew.
"""

import copy
import pickle  # noqa: TID251 - not to load a model

import numpy as np
import pytest

import live_games
import regretless as rg

GAMES = live_games.games()
ROWS = {
    name: game
    for name, game in GAMES.items()
    if getattr(game.make(), "plays", "") == "rows"
}


def played(learner, rounds=24):
    """A run over the events of the game."""
    if learner.plays == "numbers":
        return rg.play(learner, y=[i % 2 for i in range(rounds)])
    if learner.plays == "experts":
        x = np.array([[i % 2, 0, 1] for i in range(rounds)])
        return rg.play(learner, x, [i % 2 for i in range(rounds)])
    return rg.play(learner, stream(learner, rounds))


def stream(learner, rounds=24):
    many = learner.task == "classes"
    return [
        (live_games.event(i), "xyz"[i % 3] if many else i % 2) for i in range(rounds)
    ]


def refuses(game, learner):
    """Whatever is asked of its events, it says in one line what to do."""
    for ask in (
        lambda: game.teach(learner, 0),
        lambda: game.ask(learner),
        lambda: learner.ledger,
        lambda: learner.save("never.rgl"),
    ):
        with pytest.raises(ValueError, match="is the learner of a run or a model") as e:
            ask()
        assert "\n" not in str(e.value)
        assert repr(learner) in str(e.value)
    if hasattr(learner, "_repr_html_"):
        assert repr(learner).split("(", maxsplit=1)[0] in learner._repr_html_()


@pytest.mark.parametrize("name", ROWS)
def test_that_of_a_run_goes_on_where_it_stopped(name):
    game = GAMES[name]
    learner = game.make()
    run = played(learner)
    assert run.learner == learner
    straight = game.make()
    for x, y in stream(learner):
        straight.learn_one(x, y)
    found = (run.learner, copy.copy(run.learner), copy.deepcopy(run.learner))
    for each in (*found, pickle.loads(pickle.dumps(run.learner)), straight):
        for i in range(5):
            game.teach(each, i)
    for each in found:
        assert each.ledger == straight.ledger
        assert game.ask(each) == game.ask(straight)
    assert run.rounds == 24  # receipts stay as they are
    assert played(run.learner).ledger == run.ledger  # parameters, as any
    run.learner.forget()
    game.teach(run.learner, 0)
    assert run.learner.ledger.rounds == 1
    assert learner.ledger.rounds == 0


def test_a_run_whose_features_have_no_names_has_no_events() -> None:
    run = rg.play(rg.Perceptron(), [[1.0], [2.0]], [1, -1])
    with pytest.raises(ValueError, match="it knows its features by number"):
        run.learner.learn_one({"a": 1.0}, 1)


@pytest.mark.parametrize("name", sorted(GAMES.keys() - ROWS.keys() - {"intervals"}))
def test_of_a_run_of_no_rows(name):
    game = GAMES[name]
    learner = game.make()
    run = played(learner)
    assert run.learner == learner
    assert repr(run.learner) == repr(learner)
    for found in (run.learner, copy.copy(run.learner), copy.deepcopy(run.learner)):
        refuses(game, found)
    refuses(game, pickle.loads(pickle.dumps(run.learner)))
    again = played(run.learner)  # as parameters it is as good as any
    assert again.ledger == played(learner).ledger
    for i in range(5):  # the user's own one has learned no event, and does now
        game.teach(learner, i)
    assert learner.ledger.rounds == 5
    assert played(learner).ledger == run.ledger
    refuses(game, run.learner)
    run.learner.forget()
    game.teach(run.learner, 0)
    assert run.learner.ledger.rounds == 1


@pytest.mark.parametrize("name", ROWS)
def test_of_models_and_snapshots(name, tmp_path):
    game = GAMES[name]
    learner = game.make()
    run = played(learner)
    model = run.model("last")
    refuses(game, model.learner)
    model.save(tmp_path / "model.rgl")
    refuses(game, rg.load(tmp_path / "model.rgl").learner)
    for i in range(6):
        game.teach(learner, i)
    refuses(game, learner.snapshot().learner)
    later = rg.events.run(learner).learner
    for each in (learner, later):
        game.teach(each, 6)
        assert each.ledger.rounds == 7


@pytest.mark.parametrize("name", GAMES)
def test_saved_learners_go_on(name, tmp_path):
    game = GAMES[name]
    learner = game.make()
    for i in range(4):
        game.teach(learner, i)
    learner.save(tmp_path / "live.rgl")
    record = played(game.make()).learner
    for found in (
        rg.load_learner(tmp_path / "live.rgl"),
        rg.load_learner(tmp_path / "live.rgl", record),
    ):
        game.teach(found, 4)
        assert found.ledger.rounds == 5


def test_of_lists_and_mixtures():
    learners = [rg.Perceptron(), rg.OGD(bias=True), rg.Panel()]
    data = stream(learners[0])
    runs = rg.play(learners, data)
    mixture = rg.Mixture(learners)
    mixed = rg.play(mixture, data)
    covered = rg.play(rg.intervals(rg.Panel()), data)
    for run in (*runs, *mixed.members, covered):
        GAMES["Panel()"].teach(run.learner, 0)
        assert run.learner.ledger.rounds == run.rounds + 1
    for found in mixed.learner.learners:
        refuses(GAMES["Panel()"], found)
    assert mixed.learner == mixture
    refuses(GAMES["Hedge"], mixed.votes.learner)
    for learner in (*learners, *mixture.learners):
        learner.learn_one(*data[0])
    assert [learner.ledger.rounds for learner in learners] == [2, 2, 2]
    assert rg.play(learners, data)[0].ledger == runs[0].ledger


def test_what_it_says_to_do(tmp_path):
    """From the model it goes on by play."""
    data = tmp_path / "rows.svm"
    data.write_text("1 1:1\n0 2:1\n" * 5)
    later = tmp_path / "later.svm"
    later.write_text("1 1:2\n0 2:3\n" * 5)
    model = rg.play(rg.Perceptron(), data).model("last")
    model.save(tmp_path / "model.rgl")
    on = rg.play(model.learner, later, initial_model=tmp_path / "model.rgl")
    assert on.warm
    assert on.rounds == 10
