"""Encoding: a user's names and labels to the numbers that kernels take, and back."""

from .encoder import Encoder
from .labels import AmountLabels, Labels, ManyClassLabels, TwoClassLabels, label_codec
from .plain_numbers import weight_of

__all__ = [
    "AmountLabels",
    "Encoder",
    "Labels",
    "ManyClassLabels",
    "TwoClassLabels",
    "label_codec",
    "weight_of",
]
