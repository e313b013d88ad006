"""Events: learn as they come, with labels that come late, and see the receipts.

``progressive`` predicts, scores and learns over a stream, as River's
``progressive_val_score`` does; ``delayed`` makes labels late; ``run`` gives the
receipts of a learner that was fed one event at a time. Nothing here learns: learners
do, and they know nothing of evaluation.
"""

from .concluding import run
from .delay import Answer, Question, delayed
from .progress import Progress
from .progressive import iter_progressive, progressive

__all__ = [
    "Answer",
    "Progress",
    "Question",
    "delayed",
    "iter_progressive",
    "progressive",
    "run",
]
