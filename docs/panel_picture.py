"""The picture of a row on its way through the panel, for docs/panel.md.

``python docs/panel_picture.py FILE.svg`` writes it with plain colors, to look at.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from regretless.report.charts.palette import LIGHT

WIDTH, HEIGHT = 760, 470
LABEL = (
    "A row of a table is seen in three ways by eight members and falls through twenty "
    "trees; a stack weighs the members, a second one adds what the trees know"
)
KNOTS = range(-3, 4)


def svg() -> str:
    """The whole picture."""
    parts = [*_row(), *_views(), *_members(), *_forest(), *_stacks(), *_label()]
    head = f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{LABEL}"'
    return f'<svg class="picture" {head}>{"".join(parts)}</svg>'


def _text(x: float, y: float, words: str, *, size: float = 12, **look: str) -> str:
    more = {"fill": "var(--ink)", "text-anchor": "middle", **look}
    said = " ".join(f'{name}="{value}"' for name, value in more.items())
    return f'<text x="{x}" y="{y}" font-size="{size}" {said}>{words}</text>'


def _soft(x: float, y: float, words: str, anchor: str = "middle") -> str:
    return _text(x, y, words, size=10.5, fill="var(--soft)", **{"text-anchor": anchor})


def _box(x: float, y: float, wide: float, high: float, hue: str) -> str:
    return (
        f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" rx="4" '
        f'fill="none" stroke="var(--{hue})"/>'
    )


def _line(*points: tuple[float, float], hue: str = "soft", wide: float = 1.2) -> str:
    path = " ".join(f"{x},{y}" for x, y in points)
    return (
        f'<polyline points="{path}" fill="none" stroke="var(--{hue})" '
        f'stroke-width="{wide}"/>'
    )


def _arrow(*points: tuple[float, float], hue: str = "soft") -> list[str]:
    """A line with a head at its end, which points right or down."""
    (a, _), (x, y) = points[-2:]
    right = [(x - 6, y - 3.5), (x, y), (x - 6, y + 3.5)]
    down = [(x - 3.5, y - 6), (x, y), (x + 3.5, y - 6)]
    return [_line(*points, hue=hue), _line(*(right if x > a else down), hue=hue)]


def _row() -> list[str]:
    """The row: names, numbers, and that it goes three ways."""
    cells = [("area", "81.5"), ("age", "37"), ("city", "Ghent"), ("garden", "yes")]
    parts = [_text(52, 62, "a row x", **{"font-weight": "600"})]
    for k, (name, value) in enumerate(cells):
        top = 72 + 24 * k
        parts += [_box(4, top, 96, 24, "faint")]
        parts += [_soft(10, top + 16, name, "start")]
        parts += [_text(94, top + 16, value, size=11, **{"text-anchor": "end"})]
    parts.append(_line((100, 120), (114, 120)))
    parts.append(_line((114, 42), (114, 345)))
    return parts


def _views() -> list[str]:
    """Three ways to see it."""
    parts: list[str] = []
    titles = (
        (42, "values", "x / rms, length 1"),
        (122, "curves", "z over seven hats"),
        (202, "presence", "which are not zero"),
    )
    for y, name, how in titles:
        parts += _arrow((114, y), (130, y))
        parts += [_box(132, y - 34, 132, 68, "blue")]
        parts += [_text(198, y - 19, name, **{"font-weight": "600"})]
        parts += [_soft(198, y + 28, how)]
    for k, high in enumerate((9, 22, 5, 16)):  # values: some bars around zero
        x = 164 + 18 * k
        up = -1 if k % 2 else 1
        parts.append(_line((x, 44), (x, 44 - up * high * 0.7), hue="blue", wide=6))
    parts.append(_line((150, 44), (246, 44), hue="faint"))
    for knot in KNOTS:  # hats, and a value between two of them
        x = 198 + 14 * knot
        parts.append(_line((x - 14, 138), (x, 114), (x + 14, 138), hue="faint"))
    parts += [
        _line((179, 138), (179, 123.4), hue="vermillion", wide=2),
        _line((170, 138), (184, 114), (198, 138), hue="blue", wide=1.8),
        _line((156, 138), (170, 114), (184, 138), hue="blue", wide=1.8),
    ]
    for k in range(8):  # presence: boxes, some of them full
        fill = "var(--blue)" if k in (1, 2, 5) else "none"
        parts.append(
            f'<rect x="{152 + 12 * k}" y="196" width="9" height="9" fill="{fill}" '
            'stroke="var(--blue)"/>'
        )
    return parts


def _members() -> list[str]:
    """Eight members, and their margins on the way to the stack."""
    names = (
        ("hinge 40", 14),
        ("hinge 0.3", 32),
        ("logistic 0.1", 50),
        ("logistic 1", 68),
        ("hinge 4", 104),
        ("hinge 1", 122),
        ("a coin bettor", 140),
        ("naive Bayes", 202),
    )
    parts = [_soft(344, 232, "each says a margin")]
    parts += [_line((264, y), (280, y)) for y in (42, 122, 202)]
    parts += [_line((280, 14), (280, 68)), _line((280, 104), (280, 140))]
    for name, y in names:
        parts += [_line((280, y), (292, y)), _box(292, y - 8, 104, 16, "green")]
        parts += [_text(344, y + 4, name, size=11)]
        parts.append(_line((396, y), (420, y)))
    parts.append(_line((420, 14), (420, 202)))
    return [*parts, *_arrow((420, 122), (446, 122))]


def _forest() -> list[str]:
    """Twenty trees: the row falls into one leaf of each."""
    parts = [*_arrow((114, 345), (130, 345)), _box(132, 280, 264, 130, "olive")]
    parts += [_text(264, 298, "20 trees", **{"font-weight": "600"})]
    parts += [_soft(264, 402, "one leaf of each: its weight, its share of +1")]
    for k in range(3):
        x = 176 + 88 * k
        left, right = (x - 20, 336), (x + 20, 336)
        ends = [(x - 30, 362), (x - 10, 362), (x + 10, 362), (x + 30, 362)]
        for a, b in [((x, 310), left), ((x, 310), right), (left, ends[0])]:
            parts.append(_line(a, b, hue="faint"))
        for a, b in [(left, ends[1]), (right, ends[2]), (right, ends[3])]:
            parts.append(_line(a, b, hue="faint"))
        turn, leaf = ((left, 1), (right, 2), (right, 3))[k]
        parts.append(_line((x, 310), turn, ends[leaf], hue="vermillion", wide=2))
        for j, (a, b) in enumerate(ends):
            full = "var(--vermillion)" if j == leaf else "var(--paper)"
            parts.append(
                f'<circle cx="{a}" cy="{b + 8}" r="7" fill="{full}" '
                'stroke="var(--olive)"/>'
            )
    return [*parts, *_arrow((396, 345), (526, 345))]


def _stacks() -> list[str]:
    """What they say is weighed twice."""
    return [
        _box(448, 92, 128, 60, "purple"),
        _text(512, 114, "stack 1", **{"font-weight": "600"}),
        _soft(512, 130, "Bayesian logistic"),
        _soft(512, 143, "regression on margins"),
        _line((576, 122), (640, 122)),
        _text(606, 114, "score s", size=11),
        *_arrow((592, 122), (592, 313)),
        _soft(600, 222, "s, too", "start"),
        _box(528, 315, 128, 60, "purple"),
        _text(592, 337, "stack 2", **{"font-weight": "600"}),
        _soft(592, 353, "a correction, which"),
        _soft(592, 366, "is nothing at first"),
        *_arrow((640, 122), (700, 122), (700, 330)),
        _line((656, 345), (688, 345)),
        '<circle cx="700" cy="345" r="12" fill="none" stroke="var(--ink)"/>',
        _text(700, 350, "+", size=15),
        _text(700, 386, "log-odds of +1", size=11),
        _soft(756, 402, "sigmoid: the probability", "end"),
        _soft(464, 338, "narrow tables only"),
    ]


def _label() -> list[str]:
    """Then the label comes."""
    return [
        _line((4, 432), (756, 432), hue="faint"),
        _text(
            380,
            455,
            "then the label y: the members, the leaves, the trees and both stacks "
            "learn it; the next row comes",
            size=12,
        ),
    ]


if __name__ == "__main__":
    plain = re.sub(r"var\(--(\w+)\)", lambda found: LIGHT[found[1]], svg())
    plain = plain.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    plain = plain.replace('class="picture"', 'style="background:#fff"')
    Path(sys.argv[1]).write_text(plain)
