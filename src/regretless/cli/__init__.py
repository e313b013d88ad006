"""The command line: ``regretless train``, ``predict``, ``inspect``, ``convert`` ...

One file a command. Nothing is learned, parsed or proved here: commands put together
what the rest of the package does and show it. How they end is the same for all of them,
and written once (:mod:`regretless.cli.ending`).
"""

from .ending import main

__all__ = ["main"]
