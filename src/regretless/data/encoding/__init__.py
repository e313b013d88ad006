"""Encoding: a user's names and labels to the numbers that kernels take, and back."""

from .encoder import Encoder, checked
from .event_weights import weight_of
from .labels import AmountLabels, Labels, ManyClassLabels, TwoClassLabels, label_codec

__all__ = [
    "AmountLabels",
    "Encoder",
    "Labels",
    "ManyClassLabels",
    "TwoClassLabels",
    "checked",
    "label_codec",
    "weight_of",
]
