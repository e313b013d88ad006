"""The version of this package, which files and reports are marked with."""

__version__ = "0.3.0"
