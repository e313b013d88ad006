"""Measured numbers in README and docs come from a command that is named beside them.

A number with a unit of time, memory or speed counts as measured, and so do percentages
and ratios. Its section must name the command that prints it, or be one of those listed
here, with the reason. What is typed (`--seal 5%`) is no measurement.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from paths import ROOT

PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")], key=str)
MEASURED = re.compile(
    r"(?<![\w.$-])\d[\d,.]*\s?"
    r"(?:ns|us|µs|ms|s|seconds?|minutes?|hours?|[kMG]B|rows/s|rows a second"
    r"|%|x|times (?:as|faster|less|more|slower|the))"
    r"(?![\w/-])"
)
COMMAND = re.compile(r"python -m benchmarks|make bench|python -m pytest")
TYPED = re.compile(r"`[^`\n]+`|\$[^$\n]+\$")  # or mathematics
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)

ONCE = "a decision: what was measured when it was made"
SETTING = "a size that the code sets"
EXAMPLE = "somebody says so, for the sake of an example"
EXCEPTIONS = {
    ("docs/certificates.md", "From a run to a certified model"): SETTING,
    ("docs/command-line.md", "Interrupted"): SETTING,
    ("docs/forecasts.md", "Calibration"): EXAMPLE,
    ("docs/lectures/4.md", "Alice or Bob?"): EXAMPLE,
    ("docs/recipes/teaching.md", "Exercises that check themselves"): EXAMPLE,
    ("docs/regression.md", "Ridge regression online: VAW"): SETTING,
    (
        "docs/decisions/0012-compare-by-ranges-known-in-advance.md",
        (
            "12. Forecasters are compared by ranges known in advance; mixtures have a "
            "loop of their own"
        ),
    ): ONCE,
    ("docs/cluster.md", "Shards"): SETTING,
    (
        "docs/decisions/0003-kernels-count-no-references.md",
        "3. Kernels allocate nothing and count no references",
    ): ONCE,
    (
        "docs/decisions/0006-hindsight-by-duality.md",
        (
            "6. Comparators are solved by duality, and a stream is never visited in "
            "the same order twice"
        ),
    ): SETTING,
    ("docs/decisions/0009-files-are-read-ahead-in-order.md", "Decision"): SETTING,
    ("docs/decisions/0016-a-kernel-reads-dicts.md", "16. A kernel reads dicts"): ONCE,
    (
        "docs/decisions/0019-shards-are-no-workers.md",
        "19. Shards depend on files, not on workers",
    ): SETTING,
}
"""Sections (page, heading) whose numbers come from no command, and why."""


def sections(text: str) -> list[tuple[str, str]]:
    """Headings, each with what is below it. Lines in blocks of code are no headings."""
    blank = FENCE.sub(lambda block: re.sub(r"(?m)^#", " ", block.group()), text)
    parts = re.split(r"(?m)^(#+ .*)$", blank)
    return [("", parts[0]), *zip(parts[1::2], parts[2::2], strict=True)]


def unexplained(page: Path) -> dict[tuple[str, str], list[str]]:
    """The measured numbers of a page's prose, by section, where no command is named."""
    found: dict[tuple[str, str], list[str]] = {}
    name = str(page.relative_to(ROOT))
    for heading, body in sections(page.read_text()):
        prose = FENCE.sub("", body)  # blocks are run, or show the command itself
        prose = TYPED.sub("", prose)
        numbers = [match.group() for match in MEASURED.finditer(prose)]
        if numbers and not COMMAND.search(heading + body):
            found[name, heading.lstrip("# ")] = numbers
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_measured_numbers_name_their_command(page):
    found = unexplained(page)
    assert {place: found[place] for place in found if place not in EXCEPTIONS} == {}


def test_exceptions_are_still_needed():
    found = {place for page in PAGES for place in unexplained(page)}
    assert set(EXCEPTIONS) <= found


def test_a_number_without_a_command_is_found(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    page.write_text("# Speed\n\nIt takes 31 ns a nonzero.\n\n## Other\n\n3 rows, 2:1\n")
    assert unexplained(page) == {("page.md", "Speed"): ["31 ns"]}
    page.write_text("# Speed\n\n`python -m benchmarks panel`: 31 ns a nonzero.\n")
    assert unexplained(page) == {}
    page.write_text("# Error\n\n`--seal 5%`: 11% less, 2.5x, 3 times as much.\n")
    assert unexplained(page) == {("page.md", "Error"): ["11%", "2.5x", "3 times as"]}
    page.write_text("# Error\n\n`regretless train`: 11% less.\n")
    assert unexplained(page) == {("page.md", "Error"): ["11%"]}
