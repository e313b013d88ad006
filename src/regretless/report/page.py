"""One run as one page: everything in it, nothing to be fetched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from ..evidence.claims import power_of
from ..evidence.theorems import LEGEND
from ..parts.documents import Document
from ..parts.notebook_html import as_pairs
from ..version import __version__
from . import markup as m
from . import run_charts as c
from .answer import PageAnswer, answer_of
from .charts.page import document, embedded, figure_data
from .page_facts import PageFacts
from .receipts import label_lines, reading_lines

Drawn: TypeAlias = Callable[..., str]
OFFLINE = "This page needs no network; its data are inside it, as JSON."


def page_of(facts: PageFacts) -> str:
    """The whole page as text."""
    sections, shown = parts_of(facts)
    return document_of(answer_of(facts), sections, shown, facts.as_dict())


def document_of(
    answer: PageAnswer,
    sections: Sequence[tuple[str, str, str]],
    shown: Sequence[c.Chart],
    data: Document,
) -> str:
    """A page out of its first screen, its sections, its charts and its data."""
    links = "".join(
        f'<a href="#{name}">{m.text(short)}</a>' for name, short, _ in sections
    )
    inside = "\n".join(inside for *_, inside in sections)
    made = f"regretless {__version__}"
    figures = {one.name: figure_data(one.figure) for one in shown}
    body = "\n".join(
        [
            f"<header>{_first_screen(answer)}",
            f'<nav aria-label="On this page">{links}</nav></header>',
            f"<main>\n{inside}</main>",
            f"<footer>{m.paragraph(f'Made by {made}. {OFFLINE}')}</footer>",
            embedded("facts", data),
            embedded("figures", figures),
        ]
    )
    generator = f'<meta name="generator" content="{m.text(made)}">\n'
    return document(answer.title, body, generator)


def parts_of(facts: PageFacts) -> tuple[list[tuple[str, str, str]], list[c.Chart]]:
    """The sections of a run, each with a short name, and the charts in them."""
    shown: list[c.Chart] = []

    def drawn(*made: c.Chart) -> str:
        shown.extend(made)
        return "\n".join(m.chart(one) for one in made)

    sections = [
        ("quality", "Quality", _quality(facts, drawn)),
        ("learning", "Learning", _learning(facts, drawn)),
        ("certificate", "Certificate", _certificate(facts, drawn)),
        ("coverage", "Coverage", _coverage(facts, drawn)),
        ("regret", "Regret", _regret(facts, drawn)),
        ("theorems", "Theorems", _theorems(facts)),
        ("exchangeability", "Exchangeability", _exchangeability(facts, drawn)),
        ("weights", _goes_by(facts), _weights(facts, drawn)),
        ("run", "Run", _run(facts)),
        ("left-out", "Left out", _left_out(facts)),
        ("references", "References", _references(facts)),
    ]
    return [one for one in sections if one[2]], shown


def _first_screen(answer: PageAnswer) -> str:
    tiles = "".join(
        f"<li{_bounding(figure)}><b>{m.text(figure)}</b><span>{m.text(what)}</span>"
        "</li>"
        for figure, what in answer.figures
    )
    warning = ""
    if answer.warning:
        inside = m.paragraph(answer.warning)
        warning = f'<div class="warning" role="note">{inside}</div>'
    words = "".join(m.paragraph(sentence) for sentence in answer.sentences)
    return (
        '<p class="brand">regretless · receipts of a run</p>'
        f"<h1>{m.text(answer.title)}</h1>"
        f'<ul class="numbers">{tiles}</ul>'
        f'<div class="answer">{words}</div>{warning}'
    )


def _bounding(figure: str) -> str:
    return ' class="bound"' if figure.startswith("≤") else ""


def _quality(facts: PageFacts, drawn: Drawn) -> str:
    """How good it was, where predictions were compared with labels."""
    if facts.metrics is None:
        return ""
    from ..evidence.metrics import TwoClassMetrics
    from .quality import quality_charts, quality_lines

    said = "Each row was predicted before it was learned."
    classes = facts.run.classes
    if isinstance(facts.metrics, TwoClassMetrics) and classes is not None:
        said += f" Positive rows are those with the label {classes[1]}."
    table = as_pairs(quality_lines(facts.metrics), label="How good it was")
    charts = drawn(*quality_charts(facts.metrics))
    return m.section("quality", "How good it was", m.paragraph(said), table, charts)


def _learning(facts: PageFacts, drawn: Drawn) -> str:
    made = [c.error_chart(facts), *c.bound_charts(facts), c.loss_chart(facts)]
    return m.section("learning", "Over time", drawn(*made))


def _certificate(facts: PageFacts, drawn: Drawn) -> str:
    if facts.certificate is None:
        why = m.paragraph(facts.missing["certificate"]) if facts.alarm else ""
        return m.section("certificate", "Certificate", why) if why else ""
    parts = [drawn(c.certificate_chart(facts))]
    model = facts.model
    if model is not None:
        title = "The model saved" if facts.saved else "The validated model"
        about = str(model.certificate) if model.certificate else model.why_not
        where = f"{facts.saved}: {model.about}." if facts.saved else f"{model.about}."
        parts += [f"<h3>{title}</h3>", m.paragraph(where), m.paragraph(about)]
    parts += ["<h3>The run itself</h3>", m.paragraph(str(facts.certificate))]
    if model is not None and model.certificate is not None:
        parts.append(m.paragraph("Each holds at its own delta, not both jointly."))
    if facts.held_out is not None:
        parts += ["<h3>Rows held out</h3>", m.paragraph(str(facts.held_out))]
    return m.section("certificate", "Certificate", *parts)


def _coverage(facts: PageFacts, drawn: Drawn) -> str:
    """What came of prediction sets, where there are any."""
    found = facts.run.coverage
    if found is None:
        return ""
    from .coverage import coverage_charts

    return m.section("coverage", "Coverage", drawn(*coverage_charts(found)))


def _regret(facts: PageFacts, drawn: Drawn) -> str:
    said = (
        "Regret is what the learner paid less what the best fixed comparator would "
        "have paid on the same rounds, chosen with all of them in hand."
    )
    if not facts.courses:
        return ""
    return m.section(
        "regret", "Regret", m.paragraph(said), drawn(*c.regret_charts(facts))
    )


def _theorems(facts: PageFacts) -> str:
    if facts.theorems is None:
        return ""
    said = "No theorem about this learner applies to this run."
    if facts.theorems.applying:
        said = (
            "Each holds whatever made the data, if its assumptions do, and these were "
            f"measured. The bound is evaluated on this very run ({LEGEND})."
        )
    inside = facts.theorems.as_html()
    return m.section("theorems", "Theorems", m.paragraph(said), inside)


def _exchangeability(facts: PageFacts, drawn: Drawn) -> str:
    said = (
        "A certificate is about rows to come only if they are like those that came. "
        "These tests bet against that; what they win is the evidence."
    )
    if not facts.tests:
        return ""
    said += f" {power_of(facts.run.rounds, getattr(facts.metrics, 'rate', None))}"
    made = drawn(c.tests_chart(facts))
    return m.section("exchangeability", "Exchangeability", m.paragraph(said), made)


def _weights(facts: PageFacts, drawn: Drawn) -> str:
    made = [c.bars_chart(bars, f"bars-{k}") for k, bars in enumerate(facts.bars)]
    if not made:
        return ""
    title = "Experts" if facts.kind == "experts" else "What it goes by"
    return m.section("weights", title, drawn(*made))


def _goes_by(facts: PageFacts) -> str:
    return "Experts" if facts.kind == "experts" else "Weights"


def _run(facts: PageFacts) -> str:
    run = facts.run
    lines = [("learner", repr(run.learner))]
    if facts.data:
        lines.append(("data", facts.data))
    many = getattr(run.learner, "task", "") == "classes"
    lines += label_lines(run.classes, many=many)
    lines += [*run.lines(), *facts.remarks]
    lines += reading_lines(run.reading) if run.reading else []
    return m.section("run", "Run", as_pairs(lines, label="Facts of the run"))


def _references(facts: PageFacts) -> str:
    if not facts.bibtex:
        return ""
    return m.section(
        "references",
        "References",
        m.paragraph("BibTeX for exactly the theorems that apply above."),
        '<button type="button" data-copies="bibtex">Copy</button>',
        f'<pre id="bibtex">{m.text(facts.bibtex)}</pre>',
    )


def _left_out(facts: PageFacts) -> str:
    """What a page might have had, and why this one has not."""
    if not facts.missing:
        return ""
    why = as_pairs(facts.missing.items(), label="What is left out")
    return m.section("left-out", "What is not on this page", why)
