"""Encoding: a user's names and labels to the numbers that kernels take, and back."""

from .encoder import Encoder, checked
from .event_weights import weight_of
from .labels import Amounts, Labels, ManyClasses, TwoClasses, label_codec

__all__ = [
    "Amounts",
    "Encoder",
    "Labels",
    "ManyClasses",
    "TwoClasses",
    "checked",
    "label_codec",
    "weight_of",
]
