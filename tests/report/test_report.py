"""The page of a run: its numbers, its structure, and what it refuses."""

from __future__ import annotations

import json
import re
import sys
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import regretless as rg
from regretless.cli import main
from regretless.engine.players.linear import LinearPlayer
from regretless.evidence.verdicts import regret_curves_of
from regretless.parts.reprs import number
from regretless.report import bibliography, facts
from regretless.report.answer import answer_of, tightest
from regretless.report.numbers import brief
from regretless.report.page import page_of
from regretless.report.run_charts import bound_charts, error_chart
from theorems import all_theorems

pytest.importorskip("vl_convert", reason="charts need vl-convert")

HOSTILE = "</script><script>alert(1)</script>"


def rows(n: int = 400, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    return X, np.where(X[:, 0] + 0.3 * rng.normal(size=n) > 0.0, 1, -1)


@pytest.fixture(scope="module")
def run() -> Any:
    return rg.play(rg.Perceptron(), *rows())


@pytest.fixture(scope="module")
def found(run: Any) -> Any:
    return facts(run, data="a test")


class Page(HTMLParser):
    """The elements of a page, in order, and the text of its scripts and cells."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, Any]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.append((self.tags[-1][0] if self.tags else "", data))

    def all(self, tag: str) -> list[dict[str, Any]]:
        return [attributes for name, attributes in self.tags if name == tag]

    def json(self, name: str) -> Any:
        at = [
            k
            for k, (_, attributes) in enumerate(self.tags)
            if attributes.get("id") == name
        ]
        assert len(at) == 1
        scripts = [text for tag, text in self.texts if tag == "script"]
        order = [k for k, (tag, _) in enumerate(self.tags) if tag == "script"]
        return json.loads(scripts[order.index(at[0])])


# The numbers.


def test_the_curve_does_not_depend_on_batches() -> None:
    X, y = rows(1500)
    targets = y.astype(float)
    whole, pieces = (rg.Perceptron().player(4) for _ in range(2))
    play(whole, X, targets, [0, 1500])
    play(pieces, X, targets, [0, 1, 7, 256, 257, 600, 1023, 1499, 1500])
    one, other = whole.ledger().curve, pieces.ledger().curve
    assert one.shape[0] <= 256
    assert np.array_equal(one, other)
    steps = np.diff(one[:, 0])
    assert (steps == steps[0]).all()


def play(player: LinearPlayer, X: Any, y: Any, cuts: list[int]) -> None:
    from regretless.parts.rows import Dense

    for begin, end in pairwise(cuts):
        piece = np.ascontiguousarray(X[begin:end]).reshape(-1)
        player.play(Dense(piece, X.shape[1]), y[begin:end])


@pytest.mark.parametrize(
    "learner",
    [rg.Perceptron(), rg.OGD(step=rg.InverseSqrt(1.0), radius=2.0), rg.Pegasos(0.1)],
    ids=lambda one: type(one).__name__,
)
def test_bounds_on_the_way_are_those_of_shorter_runs(learner: Any) -> None:
    X, y = rows()
    run = rg.play(learner, X, y)
    theorems = run.theorems()
    stops = [50, 133, 400]
    for course in regret_curves_of(run, theorems, stops):
        assert course.rounds.tolist() == stops
        for bound in course.bounds:
            u = theorems[bound.name].facts.comparison.u
            for k, stop in enumerate(stops):
                short = rg.play(learner, X[:stop], y[:stop]).theorems(u=u)[bound.name]
                assert bound.bound[k] == short.value
                assert bound.happened[k] == short.happened
            assert (bound.happened <= bound.bound + 1e-9).all()


def test_experts_and_numbers_on_the_way() -> None:
    rng = np.random.default_rng(1)
    losses, numbers = rng.random((300, 4)), rng.random(300)
    for learner in (rg.Hedge(), rg.Hedge(horizon=300)):
        run = rg.play(learner, losses=losses)
        theorems = run.theorems()
        (course,) = regret_curves_of(run, theorems, [40, 300])
        short = rg.play(learner, losses=losses[:40])
        assert course.regret[0] == short.regret(u=run.ledger.best).low
        assert course.regret[1] == run.regret().low
        bounds = {bound.name: bound.bound for bound in course.bounds}
        assert {name: bound[1] for name, bound in bounds.items()} == {
            verdict.theorem.name: verdict.value for verdict in theorems.applying
        }
        if learner.horizon is not None:  # it promises something about the end only
            assert np.isnan(bounds["hedge/horizon"][0])
    run = rg.play(rg.FollowTheLeader(), y=numbers)
    (course,) = regret_curves_of(run, run.theorems(), [40, 300])
    assert (
        course.regret[0] == rg.play(rg.FollowTheLeader(), y=numbers[:40]).regret().low
    )


def test_the_certificate_over_time_ends_where_the_certificate_is(found: Any) -> None:
    progress, certificate = found.progress, found.certificate
    assert progress.certified[-1] == certificate.value
    assert progress.hoeffding[-1] == certificate.hoeffding
    assert progress.rounds[-1] == found.run.rounds
    assert progress.mistakes[-1] == found.run.mistakes
    half = found.run.rounds // 2
    at = int(np.flatnonzero(progress.rounds == half)[0])
    part = rg.play(rg.Perceptron(), *(each[:half] for each in rows()))
    there = rg.certify.kl_mixture(half, part.mistakes, 0.05, 400.0)
    assert progress.certified[at] == pytest.approx(there, rel=1e-12)
    ends, means = progress.stretches()
    widths = np.diff(np.concatenate([[0.0], ends]))
    assert (means * widths).sum() == pytest.approx(found.run.mistakes)


def test_the_json_of_the_page_is_the_json_of_train(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    X, y = rows()
    lines = [
        f"{label} " + " ".join(f"{j + 1}:{x}" for j, x in enumerate(row))
        for row, label in zip(X.tolist(), y.tolist(), strict=True)
    ]
    Path("a.svm").write_text("\n".join(lines) + "\n")
    command = ["train", "a.svm", "-l", "perceptron", "-o", "a.rgl", "--json"]
    assert main([*command, "--report", "a.html"]) == 0
    told = json.loads(capsys.readouterr().out)
    page = Page(Path("a.html").read_text())
    shown = page.json("facts")
    assert told["report"] == "a.html"
    same = ("learner", "rows", "ledger", "certificate", "model", "theorems", "classes")
    for name in same:
        assert shown[name] == told[name], name
    assert theorem_rows(Path("a.html").read_text()) == {
        one["name"]: tuple(number(one[key]) for key in ("happened", "bound"))
        for one in told["theorems"]
        if one["applies"]
    }


def theorem_rows(text: str) -> dict[str, tuple[str, str]]:
    pattern = (
        r'data-theorem="([^"]+)">.*?<td class="n">([^<]*)</td><td class="n">([^<]*)<'
    )
    return {name: (left, right) for name, left, right in re.findall(pattern, text)}


# The page.


def test_captions_are_filled_in(found: Any) -> None:
    """A placeholder that nobody filled in would stand on the page in braces."""
    said = [text for tag, text in Page(page_of(found)).texts if tag == "figcaption"]
    assert any("after 400 rounds" in text for text in said)
    assert not [text for text in said if re.search(r"\{\w+\}", text)]


def test_structure(found: Any) -> None:
    page = Page(page_of(found))
    assert len(page.all("h1")) == 1
    assert page.all("html")[0]["lang"] == "en"
    figures = page.json("figures")
    places = [one for one in page.all("div") if "data-figure" in one]
    assert {one["data-figure"] for one in places} == set(figures)
    assert len(places) == len(figures) >= 6
    for place in places:
        assert place["role"] == "img"
        assert len(place["aria-label"]) > 40
        figure = figures[place["data-figure"]]
        assert figure["x"]["title"]
        assert figure["y"]["title"]
    ids = [one["id"] for _, one in page.tags if "id" in one]
    assert len(ids) == len(set(ids))
    for link in page.all("a"):
        assert link["href"].removeprefix("#") in ids
    assert not any("src" in one or "srcset" in one for _, one in page.tags)
    assert not page.all("link")
    policy = page.all("meta")[1]["content"]
    assert "default-src 'none'" in policy


def test_every_theorem_has_its_line_and_its_bound_a_curve(found: Any) -> None:
    applying = [verdict.theorem.name for verdict in found.theorems.applying]
    assert "perceptron/root" in applying
    assert set(theorem_rows(page_of(found))) == set(applying)
    (chart,) = bound_charts(found)
    marks = chart.figure.marks
    assert {mark.name for mark in marks} == {"mistakes", *applying}
    assert marks[0].data["y"][-1] == found.run.mistakes


def test_pages_of_the_same_length_whatever_the_run(found: Any) -> None:
    long = facts(rg.play(rg.Perceptron(), *rows(6000)), data="a test")
    assert len(page_of(found)) < 400_000  # all in all: nothing else is loaded
    assert len(page_of(long)) < 400_000


def test_hostile_names_are_only_names() -> None:
    X, y = rows(80)
    events = [
        ({HOSTILE: a, "<a href='http://x.invalid'>b</a>": b, "c": c}, label)
        for (a, b, c, _), label in zip(X.tolist(), y.tolist(), strict=True)
    ]
    run = rg.play(rg.Perceptron(), events, keep=True)
    text = page_of(facts(run, data=HOSTILE, hindsight=False))
    page = Page(text)
    assert len(page.all("script")) == 3  # two of data, and the page's own
    assert not page.all("b") or all(not one for one in page.all("b"))
    assert page.json("facts")["data"] == HOSTILE
    shown = page.json("figures")["bars-0"]
    names = set(page.json("facts")["weights"][0]["names"])
    assert HOSTILE in names
    assert any(name.startswith(HOSTILE[:20]) for name in shown["marks"][0]["y"])
    drawn = "".join(re.findall(r"(?s)<svg.*?</svg>", text))
    harmless = "svg g path line text rect circle defs clipPath"
    assert {*re.findall(r"<(\w+)", drawn)} <= {*harmless.split()}
    assert "&lt;script&gt;alert(1)" in text


def test_bibtex_is_of_the_theorems_that_apply(found: Any) -> None:
    keys = re.findall(r"^@\w+\{([^,]+),", found.bibtex, re.MULTILINE)
    assert keys == ["cesabianchi-lecture-16", "mansour-lecture-5"]
    assert found.bibtex.count("{") == found.bibtex.count("}")
    assert facts(rg.play(rg.Panel(), *rows(60)), hindsight=False).bibtex == ""


def test_every_source_is_known_to_the_bibliography() -> None:
    known = {entry.key for entry in bibliography.entries()}
    for theorems in all_theorems():
        for theorem in theorems:
            keys = [entry.key for entry in bibliography.cited([theorem.source])]
            assert keys
            if re.search(r"\(\d{4}\)|lecture", theorem.source):
                assert set(keys) <= known, theorem.source
    cited = bibliography.cited(["Freund, Schapire (1997)"])
    assert [entry.key for entry in cited] == ["freund1997"]
    (own,) = bibliography.cited(["Nobody (2031), 100% {sure}"])
    assert (
        str(own) == "@misc{nobody-2031-100-sure,\n  note = {Nobody (2031), 100 sure}\n}"
    )


def test_facts_in_words(found: Any) -> None:
    told = str(found)
    assert told.startswith("Perceptron on a test")
    assert f"wrong {found.run.mistakes} times" in told.replace("\n", " ")


# Every kind of run.


def test_experts_have_no_certificate_and_it_says_why() -> None:
    votes = [[0, 1, 1], [1, 1, 0], [0, 1, 1], [0, 0, 1]] * 20
    run = rg.play(rg.WeightedMajority(), votes, [1, 1, 1, 0] * 20)
    found = facts(run)
    page = Page(page_of(found))
    assert "no yes" not in found.missing["certificate"]
    assert {"bars-0", "bars-1", "mistakes", "regret-0"} <= set(page.json("figures"))
    assert "certificate" not in page.json("figures")
    assert "Expert 1" in answer_of(found).sentences[0]


def test_numbers() -> None:
    found = facts(rg.play(rg.FollowTheLeader(), y=np.linspace(0, 1, 50)))
    figures = set(Page(page_of(found)).json("figures"))
    assert figures == {"error", "loss", "regret-0"}
    assert set(found.missing) == {"certificate", "exchangeability", "weights"}
    verdict = tightest(found)
    assert verdict is not None
    assert verdict.theorem.name != "mean/identity"


def test_amounts() -> None:
    X, _ = rows(200)
    run = rg.play(
        rg.OGD(loss=rg.Squared(), step=rg.Constant(0.05), radius=3.0), X, X[:, 0]
    )
    found = facts(run)
    assert found.certificate is None
    assert "mean loss" in error_chart(found).seen
    assert "ogd/data" in theorem_rows(page_of(found))


def test_a_panel_explains_itself() -> None:
    found = facts(rg.play(rg.Panel(), *rows(150)))
    assert [bars.kind for bars in found.bars] == ["feature", "member"]
    assert len(found.courses) == 1
    assert not found.courses[0].bounds
    regret = found.run.regret().low
    assert found.courses[0].regret[-1] == pytest.approx(regret)
    assert "panel/stack" in page_of(found)


@pytest.mark.parametrize(
    ("learner", "labels", "bars"),
    [
        (rg.MulticlassPerceptron(), "class", 3),
        (rg.OneVersusRest(rg.Panel()), "class", 3),
        (rg.MulticlassPerceptron(), "row", 0),
        (rg.KernelPerceptron(rg.RBF(0.5)), "sign", 0),
        (rg.RegressionPanel(), "amount", 1),
    ],
    ids=repr,
)
def test_comparators_of_the_end_alone(learner: Any, labels: str, bars: int) -> None:
    """They have no course; the page says so, and has all the rest."""
    X, sign = rows(200)
    y = {"class": np.arange(200) % 3, "row": np.arange(200) % 13, "sign": sign}
    run = rg.play(learner, X, y.get(labels, X[:, 0]))
    found = facts(run)
    assert not found.courses
    assert "at the end only" in found.missing["regret"]
    assert len(found.bars) == bars
    page = page_of(found)
    assert run.theorems().applying[0].theorem.name in page
    assert (">3 classes: 0, 1, 2<" in page) == (labels == "class")


def test_many_runs_begin_with_all_of_them() -> None:
    learners = [rg.Perceptron(), rg.OGD(), rg.OGD(step=rg.Constant(1.0))]
    runs = rg.play(learners, *rows())
    found = rg.report.facts_of_many(runs, data="a test", hindsight=False)
    told = found.as_dict()
    assert [row["words"] for row in told["runs"]] == [
        row["words"] for row in runs.rows()
    ]
    assert told["delta_each"] == pytest.approx(0.05 / 3)
    certificate = found.best.certificate
    assert certificate.value == runs.certificate(runs.best).value


def test_a_mixture_says_whose_page_to_write(tmp_path: Path) -> None:
    runs = rg.play([rg.Perceptron(), rg.OGD()], *rows(60))
    with pytest.raises(TypeError, match=r"members\.report"):
        rg.report.write(SimpleNamespace(members=runs), tmp_path / "a.html")
    runs.report(tmp_path / "a.html", hindsight=False)
    assert "2 learners" in (tmp_path / "a.html").read_text()


def test_a_stream_that_cannot_be_read_again_says_so() -> None:
    X, y = rows(80)
    run = rg.play(rg.Perceptron(), zip(X.tolist(), y.tolist(), strict=True))
    found = facts(run)
    assert "read only once" in found.theorems["perceptron/root"].reason
    assert "read only once" in found.missing["regret"]
    assert found.tests  # what a model needs is kept, where nobody can look again
    assert "certificate" in Page(page_of(found)).json("figures")


def test_alarm_is_on_the_first_screen() -> None:
    X, y = rows(2000)
    order = np.argsort(y, kind="stable")
    kept = rg.play(rg.Perceptron(), X[order], y[order], models=["validated"])
    answer = answer_of(facts(kept, hindsight=False))
    assert "seem to have changed on the way" in answer.warning
    assert not any(figure.startswith("≤") for figure, _ in answer.figures)
    calm = rg.play(rg.Perceptron(), X, y, models=["validated"])
    answer = answer_of(facts(calm, hindsight=False))
    assert not answer.warning
    assert any(figure.startswith("≤") for figure, _ in answer.figures)


def test_notebooks(run: Any) -> None:
    figure = run.plot()
    assert type(figure).__name__ == "Figure"
    assert figure.title.startswith("Perceptron()")
    assert len(figure.marks) == 2
    assert figure.marks[1].data["y"][-1] == pytest.approx(run.mistakes / run.rounds)
    assert len(run._repr_html_()) < 2000
    both = rg.play([rg.Perceptron(), rg.OGD()], *rows(60))
    assert len(both.plot().marks) == 2


def test_a_single_row_certifies_nothing() -> None:
    found = facts(rg.play(rg.Perceptron(), [[1.0, 0.0]], [1]), hindsight=False)
    answer = answer_of(found)
    assert [figure for figure, _ in answer.figures] == ["100%"]
    assert "wrong 1 time." in answer.sentences[0]
    assert "1 rows to judge by are too few" in answer.warning
    assert "first 1 round was" in error_chart(found).seen
    page_of(found)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (391.0, "391"),
        (0.497688, "0.4977"),
        (20041.3, "20,041"),
        (1.64823e8, "164.8 million"),
        (-4.1645e10, "-41.65 billion"),
        (3e20, "3e+20"),
    ],
)
def test_brief(value: float, text: str) -> None:
    assert brief(value) == text


# What is refused.


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("a.svm").write_text("1 1:1\n-1 2:1\n" * 20)
    return tmp_path


def refusal(capsys: Any, code: int, *arguments: str) -> str:
    assert main(["train", "a.svm", *arguments]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1, captured.err
    return captured.err.strip()


def test_places_that_cannot_be_written(folder: Path, capsys: Any) -> None:
    told = refusal(capsys, 2, "-o", "a.rgl", "--report", "no/where.html")
    assert told == "--report no/where.html: there is no such folder"
    assert "that is a directory" in refusal(capsys, 2, "--report", ".")
    assert "name of a file" in refusal(capsys, 2, "--report", "-")
    told = refusal(capsys, 2, "-o", "a.html", "--report", "a.html")
    assert told == "--output a.html and --report a.html: that is one file"
    many = ("--learner", "perceptron,ogd", "--report", "no/where.html")
    assert "no such folder" in refusal(capsys, 2, *many)
    assert [path.name for path in folder.iterdir()] == ["a.svm"]


def test_a_full_disk_leaves_the_old_page(
    folder: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    Path("a.html").write_text("old")
    monkeypatch.setattr("regretless.engine.storage.atomic._write_synced", full)
    assert main(["train", "a.svm", "--report", "a.html"]) == 1
    said = capsys.readouterr()
    assert said.out.startswith("a.svm: 40 rows"), "all else was told before"
    assert "no space left" in said.err
    assert "unchanged" in said.err
    assert Path("a.html").read_text() == "old"


def test_vl_convert_is_missed_before_the_training(
    folder: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch, run: Any
) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    told = refusal(capsys, 2, "-o", "a.rgl", "--report", "a.html")
    assert "regretless[report]" in told
    assert not Path("a.rgl").exists()
    with pytest.raises(ModuleNotFoundError, match=r"regretless\[report\]"):
        run.report("a.html")
    assert not Path("a.html").exists()


def test_importing_the_package_loads_no_vl_convert() -> None:
    import subprocess

    code = (
        "import sys, regretless as rg; rg.report; sys.exit('vl_convert' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_headline_has_what_one_answer_for_all_rows_would_cost(
    tmp_path: Path,
) -> None:
    """Labels that have nothing to do with the rows: it is no better, and says so."""
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(400, 3)), np.where(rng.random(400) < 0.2, 1, -1)
    rg.play(rg.Perceptron(), X, y).report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "wrong with one answer for all rows" in page
    assert "One answer for all rows would have been no worse." in page
    assert "all rows flagged" in page
