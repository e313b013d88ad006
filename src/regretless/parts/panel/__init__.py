"""The parts of a panel: views of a row, members, stack, forest; mixture of classes.

Nothing here loops over rows of data; ``kernels/panel.py`` does.
"""
