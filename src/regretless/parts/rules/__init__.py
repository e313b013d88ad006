"""Rules: how experts are weighed, and what of a round changes their weights.

Exponential weights (fixed and anytime), AdaHedge's adaptive rate, fixed share, Squint,
Bernstein aggregation (as published, and with a bound), ML-Poly, and two majorities.
Most weights are a function of what each expert has lost, which the loop itself records;
a rule keeps only what that does not tell. ``has_extra`` says how many numbers an expert
that is, ``votes`` whether experts must say 0 or 1.
"""

from .bernstein import BernsteinWeights
from .conservative import ConservativeMajority
from .doubling import DoublingWeights
from .exponential import AdaptiveRate, ExponentialWeights
from .interface import decide, learn, prime, prove, spent, tune, weigh
from .majority import Majority, RandomMajority
from .polynomial import PolynomialWeights
from .sharing import Sharing
from .squint import SquintGrid

__all__ = [
    "AdaptiveRate",
    "BernsteinWeights",
    "ConservativeMajority",
    "DoublingWeights",
    "ExponentialWeights",
    "Majority",
    "PolynomialWeights",
    "RandomMajority",
    "Sharing",
    "SquintGrid",
    "decide",
    "learn",
    "prime",
    "prove",
    "spent",
    "tune",
    "weigh",
]
