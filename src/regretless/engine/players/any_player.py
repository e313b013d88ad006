"""Who may sit at the table: every kind of player of rows."""

from __future__ import annotations

from .classes import ClassPlayer
from .kernel import KernelPlayer
from .linear import Player
from .panel import PanelPlayer
from .regression import RegressionPlayer

__all__ = ["AnyPlayer"]

AnyPlayer = Player | PanelPlayer | RegressionPlayer | KernelPlayer | ClassPlayer
