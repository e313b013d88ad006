"""More than one machine: the same games on Ray, with receipts that still hold.

``shards`` cuts files, ``job_spec`` is what all shards agree on, ``work`` is what a
worker does with one shard, ``merging`` puts shards together in their order,
``shard_rounds`` and ``task_pool`` drive Ray, ``comparing`` and ``hindsight`` look back.
What places tasks, keeps their results and repeats those that died is Ray; nothing else
here imports it, and no mathematics lives here that a single machine needs too.
"""

from .cluster_run import ClusterRun
from .play import play
from .shard_rounds import Progress

__all__ = ["ClusterRun", "Progress", "play"]
