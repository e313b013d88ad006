"""Encoding: a user's names and labels to the numbers that kernels take, and back."""

from .classes import ClassLabels
from .labels import Labels
from .names import Encoder, checked

__all__ = ["ClassLabels", "Encoder", "Labels", "checked"]
