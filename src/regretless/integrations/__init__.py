"""Integrations: the same games driven by others.

``sklearn`` are estimators, ``ray`` plays shards on a cluster, ``events`` evaluates
streams one event at a time. No mathematics lives here.
"""
