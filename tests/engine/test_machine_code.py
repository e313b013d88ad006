"""Machine code is never stale, never confused, and never compiled twice.

Each test runs Python processes that share one store, as a user's would.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import subprocess
import sys
import textwrap
import warnings
from enum import Enum
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
import pytest

import regretless
import regretless as rg
from paths import ROOT
from regretless.engine.kernels.compiled import kernel
from regretless.engine.machine import compiling
from regretless.engine.machine.contents import Unknown, contents
from regretless.engine.machine.level import level
from regretless.parts import generic

PACKAGE = Path(regretless.__file__).parent

LOSS = """
    from typing import NamedTuple

    import regretless as rg

    CONSTANT = {value}

    class {name}(NamedTuple):
        task = "real"

    @rg.implement(rg.value, {name})
    def _(loss, score, y):
        return CONSTANT

    @rg.implement(rg.slope, {name})
    def _(loss, score, y):
        return {slope}
"""

PLAY = """
    import regretless as rg
    from {module} import {name}

    learner = rg.OGD({name}(), rg.Constant(1.0))
    run = rg.play(learner, [[1.0], [1.0], [1.0]], [1.0, 1.0, 1.0])
    print(run.loss, run.weights[0])
"""


class Workshop:
    """A folder with modules and a store of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"

    def write(self, module: str, text: str, **names: object) -> None:
        path = self.folder / f"{module}.py"
        path.write_text(textwrap.dedent(text).format(**names))

    def python(self, code: str, **names: object) -> list[str]:
        """What a new process prints."""
        path = [str(self.folder), str(PACKAGE.parent)]
        environment = {
            **os.environ,
            "REGRETLESS_STORE": str(self.cache),
            "PYTHONPATH": os.pathsep.join(path),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(code).format(**names)],
            env=environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    def kernels(self) -> dict[str, int]:
        """The compiled kernels on disk, and when each was written."""
        return {str(p): p.stat().st_mtime_ns for p in self.cache.glob("*.o")}


@pytest.fixture
def workshop(tmp_path) -> Workshop:
    return Workshop(tmp_path)


def test_an_edited_part_runs_as_edited(workshop):
    """Machine code is kept with the contents of the functions it was made from.

    The value changes by a constant of the module, the slope in the code itself.
    """
    words = {"name": "Mine", "value": "1.0", "slope": "-1.0"}
    workshop.write("mine", LOSS, **words)
    assert workshop.python(PLAY, module="mine", name="Mine") == ["3.0", "3.0"]
    workshop.write("mine", LOSS, **words | {"value": "2.0"})
    assert workshop.python(PLAY, module="mine", name="Mine") == ["6.0", "3.0"]
    workshop.write("mine", LOSS, **words | {"slope": "-7.0"})
    assert workshop.python(PLAY, module="mine", name="Mine") == ["3.0", "21.0"]


def test_parts_of_one_shape_do_not_answer_for_each_other(workshop):
    """Implementations that are all named `_`, in modules of two processes."""
    for module, slope in (("one", "-1.0"), ("two", "-2.0")):
        workshop.write(module, LOSS, name="Mine", value="0.5", slope=slope)
    for _ in range(2):  # cold, then from the cache
        assert workshop.python(PLAY, module="one", name="Mine") == ["1.5", "3.0"]
        assert workshop.python(PLAY, module="two", name="Mine") == ["1.5", "6.0"]
    both = PLAY + textwrap.indent(
        textwrap.dedent("""
            import one, two
            for module in (two, one, two):
                learner = rg.OGD(module.Mine(), rg.Constant(1.0))
                print(rg.play(learner, [[1.0], [1.0]], [1.0, 1.0]).weights[0])
        """),
        "    ",
    )
    printed = workshop.python(both, module="one", name="Mine")
    assert printed == ["1.5", "3.0", "4.0", "2.0", "4.0"]


def test_implementations_have_names_of_their_own():
    """Machine code lists what it was made from by name."""
    names = set()
    for module in ("one", "two"):
        for kind in ("Mine", "Yours"):
            part = type(kind, (tuple,), {"__module__": module})
            for function in (regretless.value, regretless.slope):

                @regretless.implement(function, part)
                def _(loss, score, y):
                    return 0.0

                names.add((_.__name__, _.__qualname__))
    assert len(names) == len({name for name, _ in names}) == 8


@pytest.mark.slow
def test_a_part_that_is_gone_breaks_nothing(workshop):
    """What is kept of a user's part is of no use to others, and does no harm."""
    workshop.write("mine", LOSS, name="Mine", value="1.0", slope="-1.0")
    assert workshop.python(PLAY, module="mine", name="Mine") == ["3.0", "3.0"]
    workshop.write("mine", LOSS, name="Renamed", value="1.0", slope="-1.0")
    assert workshop.python(PLAY, module="mine", name="Renamed") == ["3.0", "3.0"]
    (workshop.folder / "mine.py").unlink()
    assert workshop.python(PLAY, module="regretless", name="Absolute") == ["1.0", "1.0"]


@pytest.mark.slow
def test_a_part_defined_again_in_one_session(workshop):
    """As in a notebook: the same name, another body, no file."""
    code = """
        from typing import NamedTuple
        import regretless as rg

        def define(number):
            class Mine(NamedTuple):
                task = "real"
            space = {{"rg": rg, "Mine": Mine}}
            exec(f'''
        @rg.implement(rg.value, Mine)
        def _(loss, score, y):
            return {{number}}
        @rg.implement(rg.slope, Mine)
        def _(loss, score, y):
            return -{{number}}
        ''', space)
            return Mine

        for number in ("1.0", "2.0", "1.0"):
            learner = rg.OGD(define(number)(), rg.Constant(1.0))
            print(rg.play(learner, [[1.0]], [1.0]).weights[0])
    """
    for _ in range(2):
        assert workshop.python(code) == ["1.0", "2.0", "1.0"]


def test_the_second_process_compiles_nothing(workshop):
    code = """
        import numpy as np, regretless as rg
        from scipy import sparse
        X, y = np.eye(3), [1, -1, 1]
        rg.play(rg.Pegasos(0.1), X, y, trace=True)
        rg.play(rg.Winnow(bias=True), sparse.csr_array(X), y)
        live = rg.Perceptron()
        live.learn_one({{"a": 1.0}}, 1)
        live.predict_one({{"a": 1.0}})
        print("played")
    """
    assert workshop.python(code) == ["played"]
    first = workshop.kernels()
    assert first
    assert workshop.python(code) == ["played"]
    assert workshop.kernels() == first
    changed = code.replace("Pegasos(0.1)", "Pegasos(7)").replace("1.0}}, 1)", "2}}, 1)")
    assert workshop.python(changed) == ["played"]  # numbers are not part of the code
    assert workshop.kernels() == first


def test_a_comment_or_a_docstring_compiles_nothing(workshop):
    words = {"name": "Mine", "value": "1.0", "slope": "-1.0"}
    workshop.write("mine", LOSS, **words)
    assert workshop.python(PLAY, module="mine", name="Mine") == ["3.0", "3.0"]
    first = workshop.kernels()
    told = LOSS.replace(
        "    return CONSTANT", "    'What it costs.'\n        return CONSTANT"
    )
    workshop.write("mine", "\n    # moved down, and told\n" + told, **words)
    assert workshop.python(PLAY, module="mine", name="Mine") == ["3.0", "3.0"]
    assert workshop.kernels() == first


def test_another_part_compiles_nothing_that_does_not_use_it(workshop):
    both = LOSS + LOSS.replace("CONSTANT", "OTHER").replace("{name}", "Second")
    words = {"name": "Mine", "value": "1.0", "slope": "-1.0"}
    workshop.write("mine", both, **words)
    assert workshop.python(PLAY, module="mine", name="Mine") == ["3.0", "3.0"]
    first = workshop.kernels()
    changed = both.replace("OTHER = {value}", "OTHER = 9.0")
    assert changed != both
    workshop.write("mine", changed, **words)
    assert workshop.python(PLAY, module="mine", name="Mine") == ["3.0", "3.0"]
    assert workshop.kernels() == first


@pytest.mark.slow
def test_without_the_store_everything_is_the_same():
    """numba compiles and calls every kernel: the same golden bits, the same events."""
    tests = ["tests/golden", "tests/engine/test_machine_frames.py"]
    chosen = ["-k", "golden or random_trees or returned"]
    alike = {"NUMBA_CPU_NAME": level(), "NUMBA_CPU_FEATURES": ""}  # not AVX-512
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", *chosen, *tests],
        cwd=ROOT,
        env=os.environ | {"REGRETLESS_STORE": "off"} | alike,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]


HEAVY = ["numba", "scipy", "pandas", "polars", "sklearn", "vl_convert", "rich", "ray"]


@pytest.mark.parametrize(
    ("code", "heavy"),
    [
        ("import regretless", ["numpy", *HEAVY]),
        ("import regretless as rg; rg.Perceptron(); rg.Hinge(); rg.play", HEAVY),
        ("import regretless as rg; rg.OGD(rg.Logistic(), rg.Adaptive(1.0))", HEAVY),
        (
            "import regretless as rg; rg.play(rg.Perceptron(), [[1.0]], [1])",
            HEAVY,
        ),
    ],
)
def test_nothing_heavy_is_imported(workshop, code, heavy):
    workshop.python(code)  # compiles what there is to compile
    show = f"{code}\nimport sys\nprint(*[n for n in {heavy} if n in sys.modules])"
    assert workshop.python(show.replace("{", "{{").replace("}", "}}")) == []


def made(text: str, **names: object):
    """The function f of a module with these globals."""
    space = {"__name__": "made", **names}
    exec(textwrap.dedent(text), space)
    return space["f"]


def module(**names: object):
    found = type(sys)("m")
    vars(found).update(names)
    return found


F = "def f(x):\n    'What.'\n    return x * C"


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        (F, {"C": 1.0}, {"C": 2.0}),
        (F, {"C": (1.0, 2)}, {"C": (1.0, 3)}),
        (F, {"C": np.array([1.0])}, {"C": np.array([2.0])}),
        (F, {"C": (np.array([1.0]),)}, {"C": (np.array([2.0]),)}),
        (F.replace("C", "s.D"), {"s": module(D=1.0)}, {"s": module(D=2.0)}),
        (
            F.replace("C", "s.D[0]"),
            {"s": module(D=np.array([1.0]))},
            {"s": module(D=np.array([2.0]))},
        ),
        (
            F.replace("C", "s.t.D"),
            {"s": module(t=module(D=1.0))},
            {"s": module(t=module(D=2.0))},
        ),
        (F, {"C": Enum("E", {"A": 1}).A}, {"C": Enum("E", {"A": 2}).A}),
        (
            F.replace("C", "E.A.value"),
            {"E": Enum("E", {"A": 1})},
            {"E": Enum("E", {"A": 2})},
        ),
        (F.replace("x)", "x, *, k=C)"), {"C": 1.0}, {"C": 2.0}),
        (F.replace("x)", "x, k=C)"), {"C": 1.0}, {"C": 2.0}),
    ],
)
def test_whatever_decides_machine_code_counts(text, before, after):
    first = contents(made(text, **before))
    assert contents(made(text, **before)) == first
    assert contents(made("\n\n" + text.replace("What.", "That."), **before)) == first
    assert contents(made(text, **after)) != first
    other = made(text, **before)
    other.options = {"fastmath": True}
    assert contents(other) != first


def test_what_is_not_understood_is_never_kept():
    for thing in (numba.njit(lambda x: x), object(), [1.0], {1.0}, lambda x: x):
        with pytest.raises(Unknown):
            contents(made(F, C=thing))


def test_a_name_that_two_functions_have_is_no_name():
    def make(k):
        class Mine(NamedTuple):
            task = "real"

        @rg.implement(rg.value, Mine)
        def _(loss, score, y):
            return k

        @rg.implement(rg.slope, Mine)
        def _(loss, score, y):
            return 0.0

        return Mine()

    first, second = make(1.0), make(2.0)
    for loss, wanted in ((first, 3.0), (second, 6.0), (first, 3.0)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it cannot be kept
            run = rg.play(rg.OGD(loss), [[1.0]] * 3, [1.0] * 3)
        assert run.loss == wanted


def test_a_helper_of_numba_can_still_be_called():
    """It would have been compiled with an address that nobody may call."""

    @numba.njit
    def helper(x):
        return 3.0 * x

    class Helped(NamedTuple):
        task = "real"

    @rg.implement(rg.value, Helped)
    def _(loss, score, y):
        return helper(1.0)

    @rg.implement(rg.slope, Helped)
    def _(loss, score, y):
        return 0.0

    try:
        with pytest.warns(RuntimeWarning, match="cannot be kept: it refers to"):
            run = rg.play(rg.OGD(Helped()), [[1.0]], [1.0])
        assert run.loss == helper(1.0) == 3.0
    finally:  # it would forbid all others to be kept
        for name in generic.implementations(Helped):
            generic._named.pop(name)


def test_addresses_are_never_kept(tmp_path, monkeypatch):
    table = np.arange(200_000.0)

    @kernel
    def look(k: int) -> float:
        return table[k]

    with pytest.raises(compiling.CannotKeep, match="address of this process"):
        compiling.compile_kernel(look, (1,), "look")


def test_fingerprints_are_the_same_in_every_process(workshop):
    code = """
        import regretless.engine.kernels.panel, regretless.engine.kernels.linear
        import regretless.engine.kernels.vw
        import regretless.engine.kernels.experts, regretless.engine.kernels.libsvm
        from regretless.parts import generic
        from regretless.engine.machine.contents import contents
        for name, function in sorted(generic._named.items()):
            print(name, contents(function))
    """
    first = workshop.python(code)
    assert len(first) > 200
    assert workshop.python(code) == first


def test_a_file_that_is_moved_compiles_nothing():
    """Keys know of this package's files, not of folders; and no two names are one."""
    for found in pkgutil.walk_packages(regretless.__path__, "regretless."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
    things: dict[str, set[object]] = {}
    modules = [m for name, m in sys.modules.items() if name.startswith("regretless.")]
    for module in modules:
        for thing in vars(module).values():
            known = hasattr(thing, "options") or hasattr(thing, "_fields")
            if known and hasattr(thing, "__qualname__") and generic.is_ours(thing):
                things.setdefault(generic.place_of(thing), set()).add(thing)
    assert [name for name, alike in things.items() if len(alike) > 1] == []
    assert generic.place_of(rg.Hinge) == "regretless.losses.Hinge"
    assert not any("regretless.parts" in name for name in generic._named)
