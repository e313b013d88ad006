"""The protocol, see x, predict, see y, pay, update, for each kind of game.

One file a kind: rows for linear learners, loss vectors for experts, numbers for the
mean.
"""
