"""Losses and kernels by name, steps by number: what a grid of parameters can hold.

scikit-learn wants defaults that are plain values. ``"squared_hinge"`` stands for
``rg.SquaredHinge()``, ``"rbf"`` for ``rg.RBF()`` and ``0.5``, as a step, for
``rg.Constant(0.5)``; parts themselves are taken as they are.
"""

from __future__ import annotations

from ...algorithms.learners.row_learner import RowLearner
from ...parts.documents import Document
from ...parts.spelled import known_parts, small, spelled
from ...parts.steps import Adaptive, Constant

SPELLED = ("loss", "kernel", "step")


def make_learner(kind: type[RowLearner], given: Document, task: str) -> RowLearner:
    """The learner of this class with these parameters; ``ValueError`` if it is none.

    Examples
    --------
    >>> import regretless as rg
    >>> make_learner(rg.OGD, {"loss": "squared_hinge", "step": 0.25}, "binary")
    OGD(loss=SquaredHinge(margin=1.0), step=Constant(eta=0.25))
    """
    made = dict(given)
    for name in made.keys() & set(SPELLED):
        made[name] = spelled(name, made[name])
    if "loss" in made:
        check_loss(made["loss"], task)
    if "step" in made and made["step"] is None:
        made["step"] = Adaptive(1.0)
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


def check_loss(loss: object, task: str) -> None:
    """Raise ValueError unless it is a loss of this task: "binary" or "real"."""
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


def losses_of(task: str) -> list[str]:
    """The names of all convex losses of the package of this task."""
    known = known_parts("loss").items()
    return [name for name, part in known if part.task == task and part.convex]
