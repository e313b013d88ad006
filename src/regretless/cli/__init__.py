"""The command line: ``regretless train``, ``predict``, ``inspect``, ``convert`` ...

One file a command. Nothing is learned, parsed or proved here: commands put together
what the rest of the package does, show it, and turn failures into one line and an exit
code: 0, 1 (the data or the run failed), 2 (the command was wrong), 130 (interrupted).
"""

from .app import main

__all__ = ["main"]
