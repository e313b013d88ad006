"""Algorithms: named compositions of parts, one small file each.

``learners`` learn from rows, ``experts`` listen to experts; ``recipes`` turns them into
plain data and back. Nothing here loops over rounds.
"""
