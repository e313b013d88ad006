"""Theorems about a mixture of forecasts, from those of the rule that weighs them.

For a convex loss, what the mixture pays above forecaster k is at most the regret of the
game that the rule played, of losses (Jensen) or of slopes (the slope lies below). With
slopes it is linear in the comparator, so against a convex mix u it is at most the
mean of the bounds, weighed by u.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..parts.state import Floats
from ..theory import Theorem, Theorems, TheoremViolated, Verdict, theorems_about
from ..theory.experts import ONE, ExpertFacts
from ..theory.theorem import Assumption, Measured, Symbol

__all__ = ["theorems_of"]

ROUNDING = 1e-9


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

    found: Any
    regret: float
    weights: Floats
    facts: ExpertFacts
    text: str

    def describe(self) -> str:
        """Whom the mixture is compared with."""
        return self.text


Facts = MixtureFacts


def theorems_of(found: Any) -> Theorems:
    """Every bound of the rule, against the best forecaster, mix and sequence."""
    verdicts: list[Verdict] = []
    for theorem in theorems_about(found.by):
        sequences = theorem.name == "fixed-share"
        verdicts.append(_against_expert(theorem).judge(_expert(found)))
        verdicts.append(_judge_mix(theorem, found))
        if sequences:
            verdicts.append(_judge_sequence(theorem, found))
    for verdict in verdicts:
        _refuse_violation(verdict, found)
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


def _rule_needs(theorem: Theorem[Any]) -> tuple[Assumption[Facts], ...]:
    """What the rule's own theorem assumes, asked of its own game."""

    def lift(assumption: Assumption[Any]) -> Assumption[Facts]:
        return Assumption(assumption.text, lambda facts: assumption.check(facts.facts))

    # That u is one expert is asked anew for each comparator, or not at all.
    return tuple(lift(each) for each in theorem.assumptions if each is not ONE)


def _lifted(symbol: Symbol[Any]) -> Symbol[Facts]:
    """A letter of the rule's theorem; R is what the mixture itself paid above."""
    if symbol.name == "R":
        return Symbol("R", "loss of the mixture - loss of the comparator", _regret)
    value = symbol.value
    if value is None:
        return Symbol(symbol.name, symbol.meaning)
    return Symbol(symbol.name, symbol.meaning, lambda facts: value(facts.facts))


def _regret(facts: Facts) -> float:
    return facts.regret


def _restated(
    theorem: Theorem[Any], whom: str, extra: Sequence[Any], bound: Any
) -> Any:
    return dataclasses.replace(
        theorem,
        name=f"{theorem.name} / {whom}",
        statement=f"{theorem.statement}; R against the {whom}",
        happened=_regret,
        bound=bound,
        assumptions=(*extra, *_rule_needs(theorem)),
        symbols=tuple(_lifted(each) for each in theorem.symbols),
    )


def _against_expert(theorem: Theorem[Any]) -> Theorem[Facts]:
    def bound(facts: Facts) -> float:
        return theorem.bound(facts.facts)

    return _restated(theorem, "best forecaster", (CONVEX,), bound)


def _judge_mix(theorem: Theorem[Any], found: Any) -> Verdict:
    def bound(facts: Facts) -> float:
        parts = [
            u * theorem.bound(ExpertFacts(found.by, found.ledger, k))
            for k, u in enumerate(facts.weights.tolist())
            if u > 0.0
        ]
        return sum(parts)

    restated = _restated(theorem, "best convex mix", (CONVEX, SLOPES), bound)
    if found.best_mix is None or not found.slopes:
        facts = MixtureFacts(found, 0.0, found.weights, _expert(found).facts, "")
        verdict = restated.judge(facts)
        missing = "it needs all forecasts, and some are missing"
        return verdict if not verdict.applies else Verdict(restated, reason=missing)
    mix = found.best_mix
    text = ", ".join(
        f"{name} {u:.2f}"
        for name, u in zip(found.names, mix.u.tolist(), strict=True)
        if u >= 0.005
    )
    regret = found.loss - mix.loss
    return restated.judge(
        MixtureFacts(found, regret, mix.u, _expert(found).facts, text)
    )


def _judge_sequence(theorem: Theorem[Any], found: Any) -> Verdict:
    def bound(facts: Facts) -> float:
        return theorem.bound(facts.facts)

    restated = _restated(theorem, "best sequence", (CONVEX, LOSSES), bound)
    if found.panel.missing.any() or found.slopes:
        reason = "it needs losses, and all forecasts"
        return Verdict(restated, reason=reason)
    path = found.best_sequence
    facts = ExpertFacts(
        found.by, found.ledger, int(path.path[0]), path.switches, path.loss
    )
    regret = found.loss - path.loss
    nobody = np.zeros(len(found.names))
    return restated.judge(MixtureFacts(found, regret, nobody, facts, facts.describe()))


def _expert(found: Any) -> MixtureFacts:
    k = found.names.index(found.best)
    weights = np.zeros(len(found.names))
    weights[k] = 1.0
    facts = ExpertFacts(found.by, found.ledger, k)
    return MixtureFacts(found, found.regret, weights, facts, found.best)


def _refuse_violation(verdict: Verdict, found: Any) -> None:
    if verdict.value is None or verdict.happened is None:
        return
    scale = max(1.0, abs(verdict.value), abs(found.loss))
    if verdict.violated(ROUNDING * scale):
        theorem = verdict.theorem
        raise TheoremViolated(
            theorem.name,
            theorem.statement,
            verdict.happened,
            verdict.value,
            found.rounds,
        )
