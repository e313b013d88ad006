"""The parts of a panel: its state, its two views of a row, its members, its stack.

Nothing here loops over rows of data; ``kernels/panel.py`` does.
"""
