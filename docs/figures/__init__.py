"""The figures of the book: one small function a figure, each drawn from a run.

A function takes nothing, plays something, and returns a plotly figure. Colors are
numbers (``color=1``), not names: the page chooses them, by day and by night.
"""
