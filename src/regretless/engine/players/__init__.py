"""Players: a learner in the middle of a game, one file for each kind of hypothesis.

A player plays batches, scores rows without learning, grows with new features, gives a
ledger, and can be stored and restored. Nothing here names an algorithm.
"""
