"""Engine: games in progress, the compiled loops that play them, and what they paid.

``kernels`` are the loops, ``machine`` makes and keeps their machine code, ``players``
hold a learner in the middle of a game, the ledgers say what was paid, ``storage`` keeps
trees of numbers and arrays in files. Nothing here reads data or names an algorithm.
"""
