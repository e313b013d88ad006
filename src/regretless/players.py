"""Who may sit at the table: every kind of player of rows."""

from __future__ import annotations

from .classes import ClassPlayer
from .dual_player import DualPlayer
from .panel_player import PanelPlayer
from .player import Player
from .regression_player import RegressionPlayer

__all__ = ["AnyPlayer"]

AnyPlayer = Player | PanelPlayer | RegressionPlayer | DualPlayer | ClassPlayer
