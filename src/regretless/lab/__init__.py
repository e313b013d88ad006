"""The lab: adversaries and friends (``games``), the arena, and experiments."""
