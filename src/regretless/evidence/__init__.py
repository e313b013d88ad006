"""Evidence: what can be said about a run, and why it is true.

``certify`` are bounds on risk, ``theorems`` bounds as objects, ``hindsight`` solves for
comparators, ``verdicts`` evaluates theorems on the data of a run, ``snapshots`` keeps
hypotheses on the way, ``claims`` certifies them, ``exchangeability`` and
``fingerprints`` test what certificates assume. ``metrics`` says how good predictions
were, and ``summary`` all of it in a few lines. Nothing here learns.
"""
