"""How the house is built: ``python -m benchmarks.house`` counts what a reader meets.

Code is lines without docstrings, comments and blanks. Kernels are the compiled loops
and the functions written for parts: numba finds their types.
"""

from __future__ import annotations

import ast
import io
import tokenize
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

__all__ = ["anys", "class_names", "code_lines", "folders", "layers", "long_files"]

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "regretless"
LONG = 400
SKIPPED = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
DISPATCHED = {"kernel", "generic", "implement", "compiled", "overload", "intrinsic"}


def files() -> list[Path]:
    """Every module of the package."""
    return sorted(PACKAGE.rglob("*.py"))


def code_lines() -> tuple[int, int]:
    """Lines of code, and lines of docstrings."""
    code = documented = 0
    for path in files():
        text = path.read_text()
        strings = set(_docstrings(ast.parse(text)))
        lines: set[int] = set()
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type not in SKIPPED:
                lines |= set(range(token.start[0], token.end[0] + 1))
        code += len(lines - strings)
        documented += len(strings)
    return code, documented


def _docstrings(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
                yield from range(child.lineno, (child.end_lineno or child.lineno) + 1)


def folders() -> list[str]:
    """The folders of the package."""
    return sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))


def layers() -> list[str]:
    """The layers of the import contract that are folders, from the outside in."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts = project["tool"]["importlinter"]["contracts"]
    found = next(one["layers"] for one in contracts if one["type"] == "layers")
    known = set(folders())
    return [layer for layer in found if known & set(layer.replace("|", " ").split())]


def anys() -> dict[str, int]:
    """Uses of ``Any`` in annotations outside kernels, by folder."""
    found: dict[str, int] = defaultdict(int)
    for path in files():
        place = path.relative_to(PACKAGE).as_posix()
        if place.startswith("engine/kernels/"):
            continue
        tree = ast.parse(path.read_text())
        inside = {
            id(node)
            for function in ast.walk(tree)
            if isinstance(function, ast.FunctionDef) and _dispatched(function)
            for node in ast.walk(function)
        }
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Name)
                and node.id == "Any"
                and id(node) not in inside
            ):
                found[place.partition("/")[0]] += 1
    return dict(found)


def _dispatched(function: ast.FunctionDef) -> bool:
    names = {
        node.id
        for decorator in function.decorator_list
        for node in ast.walk(decorator)
        if isinstance(node, ast.Name)
    }
    return bool(names & DISPATCHED)


def class_names() -> dict[str, list[str]]:
    """The files that define each class, by its name."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in files():
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef):
                found[node.name].append(path.relative_to(PACKAGE).as_posix())
    return dict(found)


def long_files() -> dict[str, int]:
    """Files of more than 400 lines."""
    sizes = {path: len(path.read_text().splitlines()) for path in files()}
    return {
        path.relative_to(PACKAGE).as_posix(): size
        for path, size in sizes.items()
        if size > LONG
    }


def main() -> None:
    """Print all of it."""
    code, documented = code_lines()
    print(f"code lines       {code:,} ({documented:,} of docstrings)")
    print(f"files            {len(files())}")
    print(f"folders, layers  {len(folders())}, {len(layers())}")
    counts = anys()
    by = ", ".join(f"{name} {n}" for name, n in sorted(counts.items()))
    print(f"Any              {sum(counts.values()):,} outside kernels: {by}")
    twice = {name: at for name, at in class_names().items() if len(at) > 1}
    print(f"names twice      {len(twice)}: {', '.join(sorted(twice)) or 'none'}")
    longest = ", ".join(f"{name} {size}" for name, size in long_files().items())
    print(f"over {LONG} lines   {longest or 'none'}")


if __name__ == "__main__":
    main()
