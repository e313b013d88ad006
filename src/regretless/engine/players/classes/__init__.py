"""Games of many classes in progress: who plays a class, and who predicts them all.

Targets are numbers of classes, in the order in which they first came. A class may be
predicted from its first row on, which is therefore always a mistake; but its learner is
that of "this class or not" over all rows, those before it came too. So there is one
member more than there are classes, for which every row is one of the rest; a new class
begins as a copy of that one. What is learned depends on the rows alone, and not on who
knew the classes when.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....lazy import lazily

if TYPE_CHECKING:
    from .class_player import ClassPlayer, plays_classes
    from .one_versus_rest import OneVersusRestPlayer
    from .perceptron import ClassPerceptronPlayer

__all__ = [
    "ClassPerceptronPlayer",
    "ClassPlayer",
    "OneVersusRestPlayer",
    "plays_classes",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "class_player": "ClassPlayer plays_classes",
        "one_versus_rest": "OneVersusRestPlayer",
        "perceptron": "ClassPerceptronPlayer",
    },
)
