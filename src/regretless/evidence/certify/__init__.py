"""Upper bounds on risk that hold with probability 1 - delta, and what they ask for.

The target is mubar = (mu_1 + ... + mu_n)/n, where mu_t is the expected loss of round t
given the past. On iid data mu_t is the risk of the hypothesis that played round t, so
mubar is the risk of one of them drawn at random.

======================  ==========================  ===============================
bound                   the loss may come from      and n may be
======================  ==========================  ===============================
kl_mixture              a learner that changes      any stopping time
betting                 a learner that changes      any stopping time
empirical_bernstein     a learner that changes      any stopping time
hoeffding               a learner that changes      one number, fixed in advance
clopper_pearson         ONE fixed hypothesis, iid   one number, fixed in advance
======================  ==========================  ===============================

Clopper-Pearson on the average loss of a learner that changes is not a bound: at
delta = 5% it misses 30% of the time against an adversary who stops erring once it is
too low, and whenever it may be read at any time (``python -m benchmarks batch``).
"""

from .certificate import IID, Certificate
from .fixed import clopper_pearson, hoeffding
from .mixtures import betting, empirical_bernstein, kl_mixture
from .watch import Alarm, Watch

__all__ = [
    "IID",
    "Alarm",
    "Certificate",
    "Watch",
    "betting",
    "clopper_pearson",
    "empirical_bernstein",
    "hoeffding",
    "kl_mixture",
]
