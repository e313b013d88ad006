"""Losses and kernels by name, steps by number: what a grid of parameters can hold.

scikit-learn wants defaults that are plain values. ``"squared_hinge"`` stands for
``rg.SquaredHinge()``, ``"rbf"`` for ``rg.RBF()`` and ``0.5``, as a step, for
``rg.Constant(0.5)``; parts themselves are taken as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...algorithms.learners.row_learner import RowLearner
from ...errors import did_you_mean
from ...parts import losses, similarities
from ...parts.documents import Document
from ...parts.spelled import small, spelled
from ...parts.steps import Adaptive, Constant

KERNELS = {
    "rbf": similarities.RBF,
    "polynomial": similarities.Polynomial,
    "linear": similarities.LinearKernel,
}


def make_learner(kind: type[RowLearner], given: Document, task: str) -> RowLearner:
    """The learner of this class with these parameters; ``ValueError`` if it is none."""
    made = dict(given)
    if "loss" in made:
        made["loss"] = loss_named(made["loss"], task)
    if "kernel" in made:
        made["kernel"] = kernel_named(made["kernel"])
    if "step" in made:
        made["step"] = step_of(made["step"])
    return kind(**made)


def plain(value: object) -> object:
    """The plain value that stands for a part; any other value as it is.

    Examples
    --------
    >>> import regretless as rg
    >>> plain(rg.SquaredHinge()), plain(rg.Constant(0.5)), plain(None)
    ('squared_hinge', 0.5, None)
    """
    if isinstance(value, Constant):
        return value.eta
    return small(type(value).__name__) if hasattr(value, "_fields") else value


def loss_named(loss: object, task: str) -> object:
    """The loss that a name stands for, of task "binary" or "real".

    Raises ``ValueError`` where there is none of that name, or it is of the other task.

    Examples
    --------
    >>> loss_named("squared_hinge", "binary")
    SquaredHinge(margin=1.0)
    """
    known = losses_of(task)
    if isinstance(loss, str):
        return _named("loss", "losses", loss, known)
    found = getattr(loss, "task", None)
    if found is None or isinstance(loss, type):
        hint = "; did you forget the ()?" if isinstance(loss, type) else ""
        raise ValueError(f"loss={loss!r:.60} is not a loss{hint}")
    if found != task:
        wanted = "classes" if task == "binary" else "numbers"
        other = "regressor" if task == "binary" else "classifier"
        raise ValueError(
            f"loss={loss!r} is not for labels that are {wanted}: take the {other}"
        )
    return loss


def kernel_named(kernel: object) -> object:
    """The kernel of rows that a name stands for; ``ValueError`` where there is none.

    Examples
    --------
    >>> kernel_named("polynomial")
    Polynomial(degree=2, c=1.0)
    """
    if isinstance(kernel, str):
        return _named("kernel", "kernels", kernel, KERNELS)
    return kernel


def step_of(step: object) -> object:
    """A number as the constant step, None as an adaptive one; a step as it is.

    Names are those of the command line: "adaptive", "inverse_sqrt(0.5)".
    """
    return Adaptive(1.0) if step is None else spelled("step", step)


def _named(
    one: str, many: str, name: str, known: Mapping[str, Callable[[], object]]
) -> object:
    """The part of that name; `one` and `many` are what such parts are called."""
    if name in known:
        return known[name]()
    hint = did_you_mean(name, known, cutoff=0.4)
    raise ValueError(
        f"there is no {one} {name!r}{hint}: choose among "
        f"{', '.join(map(repr, known))}, or give one of regretless's {many}"
    )


def losses_of(task: str) -> Mapping[str, Callable[[], object]]:
    """Every convex loss of the package of this task, by its name in small letters."""
    found = {name: getattr(losses, name) for name in losses.__all__}
    return {
        small(name): kind
        for name, kind in found.items()
        if getattr(kind, "task", None) == task and kind.convex
    }
