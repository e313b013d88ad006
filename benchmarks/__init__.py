"""Speed, measured against other libraries: ``python -m benchmarks``.

One file an idea. A suite (``engine``) is a list of figures; a figure is what is
measured, how, against whom, and the bar it has to clear.
"""
