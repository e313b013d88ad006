"""The book holds together: drawn, typeset, whole, searchable, and it asks nobody."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import regretless as rg
from drawings import drawable
from pages import blocks, examples
from paths import DOCS, ROOT

LECTURES = sorted((DOCS / "lectures").glob("[1-5].md"))
ASKED = re.compile(r"^!\[.+\]\(figure:(\w+\.\w+)\)$", re.MULTILINE)
FOREIGN = re.compile(r"""<(?:script|link|img|iframe)\b[^>]*(?:src|href)=["']?https?:""")
FORMULA = re.compile(r"\$\$(.+?)\$\$|\$(\S[^$\n]*)\$", re.DOTALL)
WORD = re.compile(r"\\(?:operatorname|text|textcolor)\{\w+\}|\\([A-Za-z]+)|([A-Za-z])")
GREEK = "alpha beta gamma delta varepsilon eta lambda mu sigma varphi Phi Pi ell nabla"
# Marks of Markdown, of TeX and of plain formulas that a reader should never see.
STRAY = re.compile(
    r"\$|\\[()\[\]A-Za-z]|\*\*|`|\]\(|:::|<!--|[<>]="
    r"|[\w|)]\^|\b(?:[A-Za-z]|eta|mu|sum|max|min)_(?:\w|inf|\{[^}]*\})(?!\w)|[Σ√²]"
)


def test_the_picture_of_the_panel_has_its_members(monkeypatch) -> None:
    monkeypatch.syspath_prepend(str(DOCS))
    import panel_picture

    drawn = ElementTree.fromstring(panel_picture.svg())
    words = {"".join(part.itertext()) for part in drawn.iter() if part.tag == "text"}
    model = rg.play(rg.Panel(), [[1.0], [2.0]] * 20, [0, 1] * 20).model("last")
    names = [name.partition(" on ")[0] for name, *_ in model.explain().members]
    assert {*names[:8]} - {"coin"} <= words
    assert {"a coin bettor", "20 trees", "stack 1", "stack 2"} <= words
    assert "<!-- panel -->" in (DOCS / "panel.md").read_text()


def test_every_figure_is_shown_once() -> None:
    asked = Counter(
        name for page in DOCS.rglob("*.md") for name in ASKED.findall(page.read_text())
    )
    assert set(asked) == drawable()
    assert set(asked.values()) == {1}


# Letters.


def letters(text: str) -> set[str]:
    """The letters of all formulas of a text, Greek ones by name; no powers of e."""
    found: set[str] = set()
    for formula in FORMULA.finditer(re.sub(r"(?ms)^```.*?^```$|`[^`]*`", "", text)):
        tex = (formula[1] or formula[2]).replace("e^", "")
        for named, letter in WORD.findall(tex):
            found |= {letter} if letter else {named} & {*GREEK.split()}
    return found


@pytest.mark.parametrize("page", LECTURES, ids=lambda page: page.stem)
def test_every_letter_is_defined_on_its_page(page: Path) -> None:
    text, _, table = page.read_text().partition("\n## Letters\n")
    rows = re.findall(r"^\| (.+?) \| (.+) \|$", table, re.MULTILINE)[1:]
    defined = letters(" ".join(row[0] for row in rows))
    assert letters(text) - defined == set()
    assert defined - letters(text) == set(), "defined, and not used"


# The site.


class Text(HTMLParser):
    """What a reader sees, without code and formulas."""

    HIDDEN = frozenset(("code", "pre", "script", "style", "math", "svg", "head"))

    def __init__(self, page: str) -> None:
        super().__init__()
        self.inside: list[str] = []
        self.lines = [""]
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag in self.HIDDEN:
            self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.HIDDEN:
            self.inside.pop()
        if tag in ("p", "li", "td", "th", "figcaption", "h1", "h2", "h3"):
            self.lines.append("")

    def handle_data(self, data: str) -> None:
        if not self.inside:
            self.lines[-1] += data


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("mkdocs", reason="make docs installs what builds the book")
    folder = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(folder)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow
def test_the_site_is_whole_and_asks_nobody(site: Path) -> None:
    pages = {page: page.read_text() for page in site.rglob("*.html")}
    assert not [page for page, text in pages.items() if FOREIGN.search(text)]
    assert sum(text.count('class="chart') for text in pages.values()) == len(drawable())
    drawn = [text for text in pages.values() if 'class="chart' in text]
    assert max(map(len, drawn)) < 1_500_000
    told = "".join(text for page, text in pages.items() if page.parent.name == "api")
    assert not [name for name in rg.__all__ if f'id="regretless.{name}"' not in told]


@pytest.mark.slow
def test_no_stray_marks_are_left(site: Path) -> None:
    stray = {
        (page.relative_to(site).as_posix(), line.strip())
        for page in site.rglob("*.html")
        for line in Text(page.read_text()).lines
        if STRAY.search(line)
    }
    assert not stray


@pytest.mark.slow
@pytest.mark.parametrize("page", LECTURES, ids=lambda page: page.stem)
def test_every_formula_is_typeset(site: Path, page: Path) -> None:
    written = re.sub(r"(?ms)^```.*?^```$", "", page.read_text())
    shown = (site / "lectures" / f"{page.stem}.html").read_text()
    assert shown.count("<math") == len(FORMULA.findall(written)) > 50
    assert shown.count('display="block"') == written.count("$$") // 2


# Notebooks.


def session(text: str) -> str:
    """All that a page runs."""
    return "".join(step.source for block in blocks(text) for step in examples(block))


@pytest.mark.slow
@pytest.mark.parametrize("page", LECTURES, ids=lambda page: page.stem)
def test_the_notebook_runs_and_shows_what_the_page_shows(
    site: Path, page: Path
) -> None:
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    written = nbformat.read(site / "lectures" / f"{page.stem}.ipynb", as_version=4)
    nbformat.validate(written)
    played = nbformat.from_dict(json.loads(json.dumps(written)))
    client.NotebookClient(played, timeout=600, kernel_name="python3").execute()
    code = [cell for cell in written.cells if cell.cell_type == "code"]
    run = [cell for cell in played.cells if cell.cell_type == "code"]
    for told, came in zip(code, run, strict=True):
        assert shown(came) == shown(told), told.source
    source = "\n".join(cell.source for cell in code if "draw" not in cell.source)
    assert squeezed(session(page.read_text())) == squeezed(source)
    figures = sum("\n\ndraw_" in cell.source for cell in code)
    assert figures == len(ASKED.findall(page.read_text()))


def shown(cell: Any) -> list[Any]:
    """What a cell shows; printed text in one piece, an error by its words."""
    found: list[Any] = []
    printed = "".join(output.get("text", "") for output in cell.outputs)
    for output in cell.outputs:
        if output.output_type == "error":
            found.append((output.ename, squeezed(output.evalue)))
        elif "text/plain" in output.get("data", {}):
            found.append(squeezed(output.data["text/plain"]))
            found.append(output.data.get("image/svg+xml"))
    return [squeezed(printed), *found]


def squeezed(text: str) -> str:
    return "".join(text.split())


# In a browser, from the disk.


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    webdriver = pytest.importorskip("selenium.webdriver")
    from selenium.webdriver.chrome.service import Service

    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("there is no browser: make browser")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--window-size=1280,1000",
    ):
        options.add_argument(argument)
    opened = webdriver.Chrome(options=options, service=Service(driver))
    yield opened
    opened.quit()


@pytest.mark.slow
def test_the_book_is_searched_from_the_disk(site: Path, browser: Any) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    browser.get((site / "lectures" / "1.html").as_uri())
    find = browser.find_elements
    box = find("css selector", "input.md-search__input")[0]
    browser.execute_script("arguments[0].focus()", box)
    box.send_keys("halving")
    links = "a.md-search-result__link"
    WebDriverWait(browser, 20).until(lambda _: find("css selector", links))
    found = {link.get_attribute("href") for link in find("css selector", links)}
    wanted = (site / "lectures" / "3.html").as_uri()
    assert any(link.startswith(wanted) for link in found), found


@pytest.mark.slow
@pytest.mark.parametrize("page", ["lectures/1", "lectures/5", "regression", "panel"])
def test_formulas_are_drawn_and_nothing_is_clipped(
    site: Path, browser: Any, page: str
) -> None:
    browser.get((site / f"{page}.html").as_uri())
    fonts = "return document.fonts.load('16px \"Book Math\"').then((all) => all.length)"
    assert browser.execute_script(fonts) == 1
    roots = """
        return Array.from(document.querySelectorAll("msqrt")).filter((root) =>
            root.getBoundingClientRect().width <
            root.lastElementChild.getBoundingClientRect().right -
            root.firstElementChild.getBoundingClientRect().left + 3).length;
    """
    assert browser.execute_script(roots) == 0
    clipped = """
        const boxes = "pre > code, .md-typeset__scrollwrap";
        return Array.from(document.querySelectorAll(boxes))
            .filter((code) => code.scrollWidth > code.clientWidth + 1)
            .map((code) => code.textContent.slice(0, 200));
    """
    assert browser.execute_script(clipped) == []
    wide = "return document.documentElement.scrollWidth - window.innerWidth"
    assert browser.execute_script(wide) <= 0
