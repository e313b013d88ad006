r"""Mathematics of the book: TeX between dollars becomes MathML while the book is built.

Browsers draw MathML by themselves, with a font that knows mathematics. Not every system
has one, so the book brings STIX Two Math (SIL Open Font License 1.1), cut down to the
letters in use and written into a style sheet: a page opened from the disk may load no
font of another folder.
"""

from __future__ import annotations

import base64
import html
import io
import re
import xml.etree.ElementTree as ET
from importlib.util import find_spec
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from latex2mathml.converter import convert

STYLE = "assets/mathematics.css"
INLINE = re.compile(r"\$(\S|\S[^$\n]*\S)\$")
MARKED = re.compile(
    r'<(span|div) class="arithmatex">(?:\\[(\[])(.*?)(?:\\[)\]])</\1>', re.DOTALL
)
# What is shown as it is: code, formulas, scripts; and the insides of tags.
VERBATIM = re.compile(r"<(pre|code|math|script|style|svg)\b.*?</\1>|<[^>]*>", re.DOTALL)
INDEX = re.compile(
    r"((?<!\w)(?:[A-Za-z]|eta|mu|pi|max|min|sum|Delta)|\|)_(\w|inf|\{[\w,+-]+\})(?!\w)"
)
POWER = re.compile(r"(?<=[\w|)>])\^(-?\w+|\([^()]*\)|\[\w+\])")
# What a browser draws though no formula holds it: single letters slanted, and roots.
DRAWN = {0x210E, 0x221A, *range(0x1D400, 0x1D468), *range(0x1D6A8, 0x1D71C)}
ROWS = ("math", "mrow", "mstyle", "msqrt")  # others count their children
OPENING = ("(", "[", ",", "=", "<", ">", "≤", "≥", "←", "·", "/")
NAMESPACE = "http://www.w3.org/1998/Math/MathML"

ET.register_namespace("", NAMESPACE)


def typeset(tex: str, display: str = "inline") -> str:
    """One formula as MathML."""
    if "&" in tex:
        raise ValueError(f"no alignment in formulas: {tex}")
    tree = ET.fromstring(convert(tex.strip(), display=display))
    for row in [part for part in tree.iter() if _tag(part) in ROWS]:
        _space(row)
    shown = ET.tostring(tree, encoding="unicode")
    return shown.replace('mathcolor="red"', 'class="meant"')


def in_text(text: str) -> str:
    """Plain text as HTML, the formulas between dollars typeset."""
    pieces = INLINE.split(text)
    shown = [html.escape(piece) for piece in pieces]
    shown[1::2] = [typeset(tex) for tex in pieces[1::2]]
    return "".join(shown)


def in_page(page: str) -> str:
    """A page as arithmatex left it, with its formulas typeset.

    Plain text gets its indices, its powers and its signs: ``w_0``, ``2^18``, ``<=``.
    Docstrings are full of them, since they are read in terminals too.
    """
    page, shown, end = MARKED.sub(_marked, page), "", 0
    for kept in VERBATIM.finditer(page):
        shown += _plain(page[end : kept.start()]) + kept[0]
        end = kept.end()
    return shown + _plain(page[end:])


def style(pages: list[str]) -> str:
    """The style sheet that brings the font, with the letters that the pages use."""
    formulas = re.findall(r"<math.*?</math>", "".join(pages), re.DOTALL)
    letters = set(html.unescape(re.sub(r"<[^>]*>", "", "".join(formulas))))
    options = subset.Options(layout_features=["ssty"], name_IDs=["*"], hinting=False)
    font = TTFont(_font())
    cut = subset.Subsetter(options)
    cut.populate(unicodes=DRAWN | {ord(letter) for letter in letters})
    cut.subset(font)
    font.flavor = "woff"
    written = io.BytesIO()
    font.save(written)
    data = base64.b64encode(written.getvalue()).decode()
    return (
        "/* STIX Two Math, cut to the letters in use.\n"
        "   Copyright 2001-2020 The STIX Fonts Project Authors.\n"
        "   SIL Open Font License 1.1: https://openfontlicense.org */\n"
        '@font-face { font-family: "Book Math";\n'
        f'  src: url("data:font/woff;base64,{data}") format("woff"); }}\n'
    )


def _font() -> Path:
    """STIX Two Math, which ziamath brings along."""
    package = find_spec("ziamath")
    if package is None or package.origin is None:
        raise ModuleNotFoundError(
            "ziamath, which brings the font: make docs installs it"
        )
    return Path(package.origin).parent / "fonts" / "STIXTwoMath-Regular.ttf"


def _plain(text: str) -> str:
    text = text.replace("&lt;=", "≤").replace("&gt;=", "≥")
    return POWER.sub(_power, INDEX.sub(_index, text))


def _index(found: re.Match[str]) -> str:
    return f"{found[1]}<sub>{found[2].strip('{}')}</sub>"


def _power(found: re.Match[str]) -> str:
    return f"<sup>{found[1].strip('()')}</sup>"


def _marked(found: re.Match[str]) -> str:
    display = "block" if found[1] == "div" else "inline"
    return typeset(html.unescape(found[2]), display)


# Room around signs, where the converter leaves it to the browser, which guesses.


def _space(row: ET.Element) -> None:
    """Bars, slashes and signs of numbers without room, functions with a little."""
    children = list(row)
    for at, child in reversed(list(enumerate(children))):
        before = children[at - 1].text if at else "("
        sign = child[0] if _tag(child).startswith("msu") else child  # of |u|^2
        if sign.text in ("|", "‖", "/", "…"):
            _squeeze(sign, "0.05em" if sign.text == "/" else "0")
            sign.attrib.setdefault("stretchy", "false")
        if child.text in ("−", "+") and before in OPENING:
            _squeeze(child, "0")
        if not _is_function(child):
            continue
        _squeeze(child, "0")
        if at + 1 < len(children) and children[at + 1].text not in ("(", "[", ")", ","):
            row.insert(at + 1, _thin())
        if at and (_tag(children[at - 1]) != "mo" or before in (")", "]")):
            row.insert(at, _thin())


def _tag(element: ET.Element) -> str:
    return element.tag.removeprefix(f"{{{NAMESPACE}}}")


def _is_function(element: ET.Element) -> bool:
    """``ln``, or ``log`` with its base, or ``max`` with what it runs over."""
    base = element[0] if _tag(element) in ("msub", "munder") else element
    word = base.text or ""
    return _tag(base) in ("mi", "mo") and word.isalpha() and len(word) > 1


def _squeeze(element: ET.Element, room: str) -> None:
    sign = element[0] if len(element) else element
    sign.set("lspace", room)
    sign.set("rspace", room)


def _thin() -> ET.Element:
    return ET.Element(f"{{{NAMESPACE}}}mspace", {"width": "0.167em"})
