"""Theorems about a mixture of forecasts, from those of the rule that weighs them.

Losses are means over the rows of a round. For a convex loss, what the mixture pays
above forecaster k is at most the regret of the game that was played, of losses (Jensen)
or of slopes (the slope lies below). With slopes it is linear in the comparator, so
against a convex mix u it is at most the mean of the bounds, weighed by u.

Where outcomes come late, the rule's own game is that of its weights z at the time of
learning, and its bound is about these. What the weights w that were played lost above z
is added, as it was measured: ``R_k <= bound_k + sum_t (w_t - z_t).c_t``. So is what a
capped round left unlearned. By "auto", the bound is that of the last layer against the
fast mixture, and that of the fast mixture against k.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..evidence.theorems import (
    Theorem,
    Theorems,
    Verdict,
    theorems_about,
)
from ..evidence.theorems.experts import ONE, ExpertFacts
from ..evidence.theorems.theorem import Assumption, Measured, RegretBound, Symbol
from ..parts.state import Floats
from .mixing import Mixer
from .scores import losses_of

if TYPE_CHECKING:
    from .combination import Combination


@dataclass(frozen=True)
class MixtureFacts:
    """A mixture, and whom it is compared with.

    Attributes
    ----------
    found : Combination
        The mixture.
    regret : float
        What it paid above the comparator.
    weights : ndarray
        The comparator as weights of the forecasters; for a sequence, all zero.
    facts : ExpertFacts
        The rule's own game, against one of the forecasters or the sequence.
    text : str
        The comparator in words.
    """

    found: Combination
    regret: float
    weights: Floats
    facts: ExpertFacts
    text: str

    def describe(self) -> str:
        """Whom the mixture is compared with."""
        return self.text


Facts = MixtureFacts


def theorems_of(found: Combination) -> Theorems:
    """Every bound of the rule, against the best forecaster, mix and sequence."""
    verdicts: list[Verdict] = []
    if len(found.parts) > 1:  # a game each: found.parts[key]
        return Theorems(())
    for theorem in theorems_about(found.mixture.layers[0].learner):
        sequences = theorem.name == "fixed-share"
        verdicts.append(_against_expert(theorem).judge(_expert(found)))
        verdicts.append(_judge_mix(theorem, found))
        if sequences:
            verdicts.append(_judge_sequence(theorem, found))
    paid = _in_rounds(found, np.abs(found.own_losses))
    for verdict in verdicts:
        verdict.check(found.rounds, paid)
    verdicts.sort(key=lambda verdict: not verdict.applies)
    return Theorems(tuple(verdicts))


def _convex(facts: Facts) -> Measured:
    return Measured(facts.found.score.convex, f"{facts.found.score}")


def _by_slopes(facts: Facts) -> Measured:
    return Measured(facts.found.slopes, f"slopes={facts.found.slopes}")


def _by_losses(facts: Facts) -> Measured:
    return Measured(not facts.found.slopes, f"slopes={facts.found.slopes}")


CONVEX = Assumption("the loss is convex", _convex)
SLOPES = Assumption("the rule learns from slopes", _by_slopes)
LOSSES = Assumption("the rule learns from losses", _by_losses)


def _rule_needs(theorem: Theorem[ExpertFacts]) -> tuple[Assumption[Facts], ...]:
    """What the rule's own theorem assumes, asked of its own game."""

    def lift(assumption: Assumption[ExpertFacts]) -> Assumption[Facts]:
        return Assumption(assumption.text, lambda facts: assumption.check(facts.facts))

    # That u is one expert is asked anew for each comparator, or not at all.
    return tuple(lift(each) for each in theorem.assumptions if each is not ONE)


def _lifted(symbol: Symbol[ExpertFacts]) -> Symbol[Facts]:
    """A letter of the rule's theorem; R is what the mixture itself paid above."""
    if symbol.name == "R":
        return Symbol("R", "loss of the mixture - loss of the comparator", _regret)
    value = symbol.value
    if value is None:
        return Symbol(symbol.name, symbol.meaning)
    return Symbol(symbol.name, symbol.meaning, lambda facts: value(facts.facts))


def _bound(theorem: Theorem[ExpertFacts], found: Combination, k: int) -> float:
    """The bound against forecaster `k`: of the rule, and what it leaves out."""
    layers = found.mixture.layers
    total = _layer_bound(theorem, layers[0], k)
    if len(layers) == 3:
        total += _layer_bound(theorem, layers[2], 0)
    if found.mixture.recalibrator is not None:
        total += found.mixture.recalibrator.bound
    return total


def _layer_bound(theorem: Theorem[ExpertFacts], mixer: Mixer, k: int) -> float:
    facts = ExpertFacts(mixer.learner, mixer.player.ledger(), k)
    return theorem.bound(facts) + float(mixer.apart[k])


def _regret(facts: Facts) -> float:
    return facts.regret


def _restated(
    theorem: Theorem[ExpertFacts],
    whom: str,
    extra: Sequence[Assumption[Facts]],
    bound: Callable[[Facts], float],
) -> Theorem[Facts]:
    return RegretBound(
        f"{theorem.name} / {whom}",
        f"{theorem.statement}; R against the {whom}",
        theorem.source,
        bound,
        (*extra, *_rule_needs(theorem)),
        symbols=tuple(_lifted(each) for each in theorem.symbols),
    )


def _against_expert(theorem: Theorem[ExpertFacts]) -> Theorem[Facts]:
    def bound(facts: Facts) -> float:
        return _bound(theorem, facts.found, facts.facts.expert)

    return _restated(theorem, "best forecaster", (CONVEX,), bound)


def _judge_mix(theorem: Theorem[ExpertFacts], found: Combination) -> Verdict:
    def bound(facts: Facts) -> float:
        parts = [
            u * _bound(theorem, found, k)
            for k, u in enumerate(facts.weights.tolist())
            if u > 0.0
        ]
        return sum(parts)

    restated = _restated(theorem, "best convex mix", (CONVEX, SLOPES), bound)
    if found.best_mix is None or not found.slopes:
        none = np.zeros(len(found.names))
        facts = MixtureFacts(found, 0.0, none, _expert(found).facts, "")
        verdict = restated.judge(facts)
        missing = "it needs all forecasts, and some are missing"
        return verdict if not verdict.applies else Verdict(restated, reason=missing)
    mix = found.best_mix
    text = ", ".join(
        f"{name} {u:.2f}"
        for name, u in zip(found.names, mix.u.tolist(), strict=True)
        if u >= 0.005
    )
    paid = losses_of(found.score, _mixed(found.table.values, mix.u), found.table.y)
    regret = _in_rounds(found, found.own_losses - paid[:, 0])
    return restated.judge(
        MixtureFacts(found, regret, mix.u, _expert(found).facts, text)
    )


def _judge_sequence(theorem: Theorem[ExpertFacts], found: Combination) -> Verdict:
    def bound(facts: Facts) -> float:
        return theorem.bound(facts.facts)

    restated = _restated(theorem, "best sequence", (CONVEX, LOSSES), bound)
    if found.table.missing.any() or found.slopes or found.lag > 1:
        reason = "it needs losses, all forecasts, and outcomes before the next round"
        return Verdict(restated, reason=reason)
    path = found.best_sequence
    learner = found.mixture.layers[0].learner
    lost = _in_rounds(found, found.sequence_losses)
    facts = ExpertFacts(learner, found.ledger, int(path.path[0]), path.switches, lost)
    regret = _in_rounds(found, found.own_losses) - lost
    none = np.zeros(len(found.names))
    return restated.judge(MixtureFacts(found, regret, none, facts, facts.describe()))


def _expert(found: Combination) -> MixtureFacts:
    k = found.names.index(found.best)
    weights = np.zeros(len(found.names))
    weights[k] = 1.0
    mixer = found.mixture.layers[0]
    facts = ExpertFacts(mixer.learner, mixer.player.ledger(), k)
    regret = _in_rounds(found, found.own_losses - found.expert_losses[:, k])
    return MixtureFacts(found, regret, weights, facts, found.best)


def _in_rounds(found: Combination, differences: Floats) -> float:
    """The sum over rounds of the means over their rows, nan counting as nothing."""
    return float(np.nansum(found.shares * differences))


def _mixed(values: Floats, u: Floats) -> Floats:
    """The forecasts of a fixed mix, as those of one forecaster."""
    return np.einsum("k,tk...->t...", u, values)[:, None]
