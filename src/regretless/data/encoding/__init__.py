"""Encoding: a user's names and labels to the numbers that kernels take, and back."""

from .class_labels import ClassLabels
from .encoder import Encoder, checked
from .event_weights import weight_of
from .labels import Labels

__all__ = ["ClassLabels", "Encoder", "Labels", "checked", "weight_of"]
