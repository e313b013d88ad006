"""What mkdocs does not do by itself: globs in the nav, figures from runs, the API.

- A nav entry with a star stands for the pages that match and are not listed.
- ``<!-- include: CHANGELOG.md -->`` is that file of the repository, its links followed.
- ``![caption](figure:lectures.hinge)`` calls ``figures.lectures.hinge()``, which plays
  and returns a figure, and puts the chart there with its source beside it.
- TeX between dollars is typeset, and the font for it is written into a style sheet.
- A lecture is also a notebook, made of the same page (docs/notebooks.py).
- A Python session is shown as one, so that its prompts and its output look different.
- ``<!-- layers -->`` is a picture of the layers, drawn from the import contract.
- ``<!-- names: algorithms.learners -->`` is the reference of every public name of
  ``regretless.algorithms.learners``; a star stands for the homes that no other page
  asks for.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from pathlib import Path
from typing import Any

import figures
import layers
import mathematics
import panel_picture
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File
from mkdocs.utils import get_relative_url
from notebooks import notebook

import regretless
from regretless.report.charts.page import (
    embedded,
    figure_data,
    figure_html,
    style_sheet,
)

FIGURE = re.compile(r"^!\[(.*)\]\(figure:(\w+)\.(\w+)\)$", re.MULTILINE)
INCLUDE = re.compile(r"^<!-- include: (.+) -->$", re.MULTILINE)
NAMES = re.compile(r"^<!-- names: (.+) -->$", re.MULTILINE)
SESSION = re.compile(r"^```python\n(>>> .*?)\n*^```$", re.MULTILINE | re.DOTALL)
MODULES = re.compile(r"^<!-- modules -->$", re.MULTILINE)
LAYERS = re.compile(r"^<!-- layers -->$", re.MULTILINE)
PANEL = re.compile(r"^<!-- panel -->$", re.MULTILINE)
LECTURE = re.compile(r"lectures/(\d)\.md")
SCRIPT = "assets/figures.js"  # that of reports: it shows values below the pointer
STYLE = "assets/figures.css"
PACKAGE = Path(regretless.__file__).parent
WIDTH = 720  # pixels of a column of the book


def on_config(config: Any) -> Any:
    """Expand the stars of the nav."""
    root = Path(config.docs_dir)
    listed = set(_pages(config.nav))
    config.nav = _expanded(config.nav, root, listed)
    return config


def on_files(files: Any, *, config: Any) -> Any:
    """Add the script of figures, once, and a notebook for each lecture."""
    script = PACKAGE / "report" / "page.js"
    files.append(File.generated(config, SCRIPT, content=script.read_text()))
    style = style_sheet(":root", '[data-md-color-scheme="slate"]')
    files.append(File.generated(config, STYLE, content=style))
    lectures = [file for file in files if LECTURE.fullmatch(file.src_uri)]
    names = {Path(file.src_uri).stem for file in lectures}
    for file in lectures:
        made = notebook(file.content_string, names)
        path = str(Path(file.src_uri).with_suffix(".ipynb"))
        files.append(File.generated(config, path, content=made))
    return files


def on_page_markdown(markdown: str, *, page: Any, config: Any, files: Any) -> str:
    """Put figures and references where the page asks for them."""
    markdown = INCLUDE.sub(lambda found: _included(found[1], config), markdown)
    markdown = SESSION.sub(_session, markdown)
    markdown = NAMES.sub(lambda found: _names(found, config), markdown)
    markdown = MODULES.sub(lambda _: _modules(), markdown)
    markdown = LAYERS.sub(lambda _: layers.svg(), markdown)
    markdown = PANEL.sub(lambda _: panel_picture.svg(), markdown)
    if LECTURE.fullmatch(page.file.src_uri):
        markdown = _with_notebook(markdown, Path(page.file.src_uri).stem)
    if not FIGURE.search(markdown):
        return markdown
    script = get_relative_url(SCRIPT, page.url)
    asked = [found.groups() for found in FIGURE.finditer(markdown)]
    shown = {f"{m}-{n}": figure_data(figures.drawn(m, n)) for _, m, n in asked}
    drawn = FIGURE.sub(lambda found: _figure(*found.groups()), markdown)
    if "](figure:" in drawn:
        raise PluginError(f"{page.file.src_uri}: a figure must have a line of its own")
    data = embedded("figures", shown)
    return f'{drawn}\n\n{data}\n<script src="{script}" defer></script>\n'


def on_page_content(html: str, **_: Any) -> str:
    """Typeset the formulas."""
    return mathematics.in_page(html)


def on_post_build(*, config: Any) -> None:
    """Write the style sheet that brings the font of the formulas."""
    site = Path(config.site_dir)
    pages = [page.read_text() for page in sorted(site.rglob("*.html"))]
    (site / mathematics.STYLE).write_text(mathematics.style(pages))


# The nav.


def _pages(nav: Any) -> list[str]:
    """Every page that the nav lists."""
    if isinstance(nav, str):
        return [nav]
    inner = nav.values() if isinstance(nav, dict) else nav
    return [page for item in inner for page in _pages(item)]


def _expanded(nav: Any, root: Path, listed: set[str]) -> Any:
    if isinstance(nav, dict):
        return {title: _expanded(item, root, listed) for title, item in nav.items()}
    if isinstance(nav, str):
        return nav
    entries: list[Any] = []
    for item in nav:
        if isinstance(item, str) and "*" in item:
            found = (path.relative_to(root).as_posix() for path in root.glob(item))
            entries += sorted(page for page in found if page not in listed)
        else:
            entries.append(_expanded(item, root, listed))
    return entries


# Files of the repository.


def _included(name: str, config: Any) -> str:
    root = Path(config.config_file_path).parent
    return (root / name).read_text().replace("](docs/", "](")


# Sessions.


def _session(found: re.Match[str]) -> str:
    """A session as a reader wants it: prompts told from output, blank lines blank."""
    shown = re.sub(r"(?m)^<BLANKLINE>$", "", found[1])
    return f"```pycon\n{shown}\n```"


# Notebooks.


def _with_notebook(markdown: str, name: str) -> str:
    """The page with a link to its notebook, in front of the first section."""
    head, line, rest = markdown.partition("\n## ")
    link = f"[This page as a notebook]({name}.ipynb){{ download }}"
    return f"{head}\n{link}\n{line}{rest}"


# Figures.


def _figure(caption: str, module: str, name: str) -> str:
    source = textwrap.indent(inspect.getsource(figures.function(module, name)), "    ")
    label = re.sub(r"[$\\\\]", "", caption)
    drawn = figure_html(figures.drawn(module, name), f"{module}-{name}", label, WIDTH)
    return (
        f'<figure class="figure">{drawn}'
        f"<figcaption>{mathematics.in_text(caption)}</figcaption></figure>\n\n"
        f'??? quote "How it is drawn: docs/figures/{module}.py"\n\n'
        f"    ```python\n{source}\n    ```\n"
    )


# The API.


def _names(found: re.Match[str], config: Any) -> str:
    homes = found[1].split()
    if homes == ["*"]:
        asked = _asked(Path(config.docs_dir))
        names = [n for n, home in _homes().items() if not _within(home, asked)]
    else:
        names = [n for n, home in _homes().items() if _within(home, homes)]
    names.sort(key=str.casefold)
    return "\n\n".join(f"::: regretless.{name}" for name in names)


def _homes() -> dict[str, str]:
    """Every public name that is no module, and where it lives."""
    homes = regretless._homes()
    return {name: homes[name] for name in regretless.__all__ if name in homes}


def _asked(root: Path) -> list[str]:
    """The homes that pages ask for by name."""
    asked = [
        home
        for page in sorted(root.rglob("*.md"))
        for found in NAMES.findall(page.read_text())
        for home in found.split()
    ]
    return [home for home in asked if home != "*"]


def _within(home: str, homes: list[str]) -> bool:
    return any(home == one or home.startswith(one + ".") for one in homes)


def _modules() -> str:
    parts: list[str] = []
    for module in sorted(regretless._MODULES):
        parts += [f"## rg.{module} {{#regretless.{module}}}", _docstring(module)]
        home = _home(module)
        parts += [f"::: regretless.{home}.{name}" for name in _exports(home)]
    return "\n\n".join(parts)


def _home(module: str) -> str:
    """Where the names of a public module live."""
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
            return str(node.module)
    return module


def _tree(module: str) -> ast.Module:
    """The source of a module of the package, which may need extras to be imported."""
    path = PACKAGE.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    made = file.with_suffix(".pyi")  # of names that are there at run time only
    return ast.parse((made if made.exists() else file).read_text())


def _docstring(module: str) -> str:
    from docstrings import markdown

    return markdown(ast.get_docstring(_tree(_home(module))) or "")


def _exports(module: str) -> list[str]:
    for node in _tree(module).body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if any(isinstance(one, ast.Name) and one.id == "__all__" for one in targets):
            return list(ast.literal_eval(node.value))
    return []
