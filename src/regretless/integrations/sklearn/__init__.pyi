"""scikit-learn estimators, one for every learner of rows.

They are what their learners are: one pass over the rows, which ``fit`` shuffles, a
ledger, and for classifiers a certificate. Only this package imports scikit-learn, the
extra ``regretless[sklearn]``; and it holds no learning of its own. Estimators are made
of learners (``generation.py``) when they are asked for.
"""
# Made by `make stubs`.

from typing import Any, Literal

from ...data import Schema
from ...parts.part_types import Domain, Loss, Part
from .classifier import OnlineClassifier as OnlineClassifier
from .regressor import OnlineRegressor as OnlineRegressor
from .transformer import SchemaTransformer as SchemaTransformer

class AROWClassifier(OnlineClassifier):
    """Adaptive regularization of weight vectors: confident about what it has met often."""

    def __init__(self, *, r: float = 1.0, matrix: Literal['auto', 'full', 'diagonal'] = 'auto', bias: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None, class_weight: dict[Any, float] | str | None = None) -> None: ...

class AdaGradClassifier(OnlineClassifier):
    """Diagonal AdaGrad with any loss, free or in a box, explicit or implicit."""

    def __init__(self, *, loss: Loss | str = 'hinge', eta: float | None = None, radius: float | None = None, domain: Domain | str | None = None, implicit: bool = False, scale: str | None = None, bias: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last-half', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None, class_weight: dict[Any, float] | str | None = None) -> None: ...

class AdaGradRegressor(OnlineRegressor):
    """Diagonal AdaGrad with any loss, free or in a box, explicit or implicit."""

    def __init__(self, *, loss: Loss | str = 'squared', eta: float | None = None, radius: float | None = None, domain: Domain | str | None = None, implicit: bool = False, scale: str | None = None, bias: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last-half', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None) -> None: ...

class BalancedWinnowClassifier(OnlineClassifier):
    """Normalized Winnow on (x, -x): every feature votes for itself and against itself."""

    def __init__(self, *, eta: float = 0.1, bias: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last-half', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None, class_weight: dict[Any, float] | str | None = None) -> None: ...

class CoinBettingClassifier(OnlineClassifier):
    """The Krichevsky-Trofimov bettor: nothing to tune, for every |u| at once."""

    def __init__(self, *, loss: Loss | str = 'hinge', eps: float = 1.0, max_norm: float = 1.0, per_coordinate: bool = False, scale: str | None = None, bias: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None, class_weight: dict[Any, float] | str | None = None) -> None: ...

class CoinBettingRegressor(OnlineRegressor):
    """The Krichevsky-Trofimov bettor: nothing to tune, for every |u| at once."""

    def __init__(self, *, loss: Loss | str = 'absolute', eps: float = 1.0, max_norm: float = 1.0, per_coordinate: bool = False, scale: str | None = None, bias: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last-half', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None) -> None: ...

class EGClassifier(OnlineClassifier):
    """Exponentiated gradient, for any loss; signed, it reaches the whole L1 ball."""

    def __init__(self, *, loss: Loss | str = 'hinge', step: Part | float | str | None = 0.5, radius: float = 1.0, signed: bool = True, max_entry: float | None = None, horizon: int | None = None, bias: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last-half', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None, class_weight: dict[Any, float] | str | None = None) -> None: ...

class EGRegressor(OnlineRegressor):
    """Exponentiated gradient, for any loss; signed, it reaches the whole L1 ball."""

    def __init__(self, *, loss: Loss | str = 'squared', step: Part | float | str | None = 0.1, radius: float = 1.0, signed: bool = True, max_entry: float | None = None, horizon: int | None = None, bias: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last-half', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None) -> None: ...

class FTRLProximalClassifier(OnlineClassifier):
    """Follow the regularized leader, proximally, a feature at a time, with L1."""

    def __init__(self, *, alpha: float = 0.1, beta: float = 1.0, l1: float = 0.0, l2: float = 0.0, loss: Loss | str = 'logistic', radius: float | None = None, scale: str | None = None, bias: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None, class_weight: dict[Any, float] | str | None = None) -> None: ...

class FTRLProximalRegressor(OnlineRegressor):
    """Follow the regularized leader, proximally, a feature at a time, with L1."""

    def __init__(self, *, alpha: float = 1.0, beta: float = 1.0, l1: float = 0.0, l2: float = 0.0, loss: Loss | str = 'squared', radius: float | None = None, scale: str | None = None, bias: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last-half', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None) -> None: ...

class FactorizationMachineClassifier(OnlineClassifier):
    """A factorization machine: each pair of features has a weight, of few numbers."""

    def __init__(self, *, rank: int = 8, loss: Loss | str = 'logistic', eta: float = 0.2, seed: int = 0, bias: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None, class_weight: dict[Any, float] | str | None = None) -> None: ...

class FactorizationMachineRegressor(OnlineRegressor):
    """A factorization machine: each pair of features has a weight, of few numbers."""

    def __init__(self, *, rank: int = 8, loss: Loss | str = 'squared', eta: float = 0.2, seed: int = 0, bias: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None) -> None: ...

class KernelPerceptronClassifier(OnlineClassifier):
    """The Perceptron in the space of a kernel: it remembers the rows it erred on."""

    def __init__(self, *, kernel: Part | str = 'rbf', budget: int | None = None, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last', delta: float = 0.05, seal: float | str | None = None, missing: str | None = None, schema: Schema | None = None, class_weight: dict[Any, float] | str | None = None) -> None: ...

class MulticlassPerceptronClassifier(OnlineClassifier):
    """The Perceptron for many classes, ultraconservative."""

    def __init__(self, *, bias: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last-half', delta: float = 0.05, seal: float | str | None = None, missing: str | None = None, schema: Schema | None = None, class_weight: dict[Any, float] | str | None = None) -> None: ...

class NormalizedWinnowClassifier(OnlineClassifier):
    """Schapire's Winnow: find the panel of experts whose weighted vote is right."""

    def __init__(self, *, eta: float = 0.1, bias: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last-half', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None, class_weight: dict[Any, float] | str | None = None) -> None: ...

class OGDClassifier(OnlineClassifier):
    """Online (sub)gradient descent with any loss and any step, free or projected."""

    def __init__(self, *, loss: Loss | str = 'hinge', step: Part | float | str | None = 0.5, radius: float | None = None, domain: Domain | str | None = None, max_norm: float | None = None, horizon: int | None = None, bias: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last-half', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None, class_weight: dict[Any, float] | str | None = None) -> None: ...

class OGDRegressor(OnlineRegressor):
    """Online (sub)gradient descent with any loss and any step, free or projected."""

    def __init__(self, *, loss: Loss | str = 'squared', step: Part | float | str | None = None, radius: float | None = None, domain: Domain | str | None = None, max_norm: float | None = None, horizon: int | None = None, bias: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last-half', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None) -> None: ...

class ONSClassifier(OnlineClassifier):
    """The online Newton step, for losses that bend: squared and logistic."""

    def __init__(self, *, loss: Loss | str = 'logistic', reach: float = 1.0, eps: float | None = None, gamma: float | None = None, matrix: Literal['auto', 'full', 'diagonal'] = 'auto', bias: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None, class_weight: dict[Any, float] | str | None = None) -> None: ...

class ONSRegressor(OnlineRegressor):
    """The online Newton step, for losses that bend: squared and logistic."""

    def __init__(self, *, loss: Loss | str = 'squared', reach: float = 1.0, eps: float | None = None, gamma: float | None = None, matrix: Literal['auto', 'full', 'diagonal'] = 'auto', bias: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last-half', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None) -> None: ...

class PNormPerceptronClassifier(OnlineClassifier):
    """Additive in the dual, with weights that are the gradient of a squared p-norm."""

    def __init__(self, *, p: float | None = None, bias: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last-half', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None, class_weight: dict[Any, float] | str | None = None) -> None: ...

class PanelClassifier(OnlineClassifier):
    """A panel of members and a stack of them, for two classes. Nothing to tune."""

    def __init__(self, *, members: int = 8, view: Literal['hat', 'linear'] = 'hat', forest: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None, class_weight: dict[Any, float] | str | None = None) -> None: ...

class PassiveAggressiveClassifier(OnlineClassifier):
    """PA, PA-I and PA-II: the closest weights that make (or nearly make) up for a loss."""

    def __init__(self, *, C: float | None = 1.0, squared: bool = False, bias: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last-half', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None, class_weight: dict[Any, float] | str | None = None) -> None: ...

class PassiveAggressiveRegressor(OnlineRegressor):
    """PA, PA-I and PA-II: the closest weights that make (or nearly make) up for a loss."""

    def __init__(self, *, C: float | None = 1.0, epsilon: float | None = 0.1, bias: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last-half', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None) -> None: ...

class PegasosClassifier(OnlineClassifier):
    """Gradient descent on hinge + (strength/2)|w|^2 with steps 1/(strength t)."""

    def __init__(self, *, strength: float = 0.001, bias: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last-half', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None, class_weight: dict[Any, float] | str | None = None) -> None: ...

class PerceptronClassifier(OnlineClassifier):
    """Rosenblatt's Perceptron: gradient descent on the hinge, masked to mistakes."""

    def __init__(self, *, bias: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last-half', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None, class_weight: dict[Any, float] | str | None = None) -> None: ...

class RegressionPanelRegressor(OnlineRegressor):
    """A panel for real numbers and the squared loss. Nothing to tune."""

    def __init__(self, *, forest: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None) -> None: ...

class SecondOrderPerceptronClassifier(OnlineClassifier):
    """The Perceptron on rows that the correlation matrix of its mistakes has whitened."""

    def __init__(self, *, a: float = 1.0, matrix: Literal['auto', 'full', 'diagonal'] = 'auto', bias: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last-half', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None, class_weight: dict[Any, float] | str | None = None) -> None: ...

class UnnormalizedEGClassifier(OnlineClassifier):
    """Exponentiated gradient whose weights are positive and may add up to anything."""

    def __init__(self, *, loss: Loss | str = 'hinge', step: Part | float | str | None = 0.1, bias: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'mean', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None, class_weight: dict[Any, float] | str | None = None) -> None: ...

class UnnormalizedEGRegressor(OnlineRegressor):
    """Exponentiated gradient whose weights are positive and may add up to anything."""

    def __init__(self, *, loss: Loss | str = 'absolute', step: Part | float | str | None = 0.05, bias: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'mean', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None) -> None: ...

class VAWRegressor(OnlineRegressor):
    """The Vovk-Azoury-Warmuth forecaster, for real numbers and the squared loss."""

    def __init__(self, *, strength: float = 1.0, scale: str | None = None, matrix: Literal['auto', 'full', 'diagonal'] = 'auto', bias: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None) -> None: ...

class WinnowClassifier(OnlineClassifier):
    """Littlestone's Winnow with a threshold, for features in [0, 1]."""

    def __init__(self, *, eta: float = 0.25, threshold: float = 0.5, bias: bool = True, passes: int = 1, shuffle: bool = True, random_state: Any | None = None, model: str = 'last-half', delta: float = 0.05, seal: float | str | None = None, level: float | str | None = None, missing: str | None = None, schema: Schema | None = None, class_weight: dict[Any, float] | str | None = None) -> None: ...

__all__ = [
    "AROWClassifier",
    "AdaGradClassifier",
    "AdaGradRegressor",
    "BalancedWinnowClassifier",
    "CoinBettingClassifier",
    "CoinBettingRegressor",
    "EGClassifier",
    "EGRegressor",
    "FTRLProximalClassifier",
    "FTRLProximalRegressor",
    "FactorizationMachineClassifier",
    "FactorizationMachineRegressor",
    "KernelPerceptronClassifier",
    "MulticlassPerceptronClassifier",
    "NormalizedWinnowClassifier",
    "OGDClassifier",
    "OGDRegressor",
    "ONSClassifier",
    "ONSRegressor",
    "OnlineClassifier",
    "OnlineRegressor",
    "PNormPerceptronClassifier",
    "PanelClassifier",
    "PassiveAggressiveClassifier",
    "PassiveAggressiveRegressor",
    "PegasosClassifier",
    "PerceptronClassifier",
    "RegressionPanelRegressor",
    "SchemaTransformer",
    "SecondOrderPerceptronClassifier",
    "UnnormalizedEGClassifier",
    "UnnormalizedEGRegressor",
    "VAWRegressor",
    "WinnowClassifier",
]
