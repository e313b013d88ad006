"""Hypotheses: what predicts and never changes, one file for each kind in files.

A player makes them, snapshots and checkpoints keep them, a model holds one. Nothing
here learns.
"""
