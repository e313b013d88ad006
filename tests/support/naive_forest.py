"""The online forest as its page says it, slow and obvious: objects and lists."""

from __future__ import annotations

import math

import numpy as np

TREES, NODES, DEPTH, TRIALS = 20, 1024, 14, 20
LEAST, EVERY, EVIDENCE, PRIOR = 24, 4, 8.0, 2.0
RATE = 3.0
WIDEST = 200
MASK = 2**64 - 1


def bits(counter: int, seed: int = 1) -> int:
    """SplitMix64 of a counter."""
    return mixed((seed + counter * 0x9E3779B97F4A7C15) & MASK)


def mixed(z: int) -> int:
    """All bits depend on all bits."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


class Trial:
    """A split that is tried: the targets of the rows on either side."""

    def __init__(self, feature, cut: float, code: int = 0) -> None:
        self.feature, self.cut, self.code = feature, cut, code
        self.sides: tuple[list[float], list[float]] = ([], [])

    def evidence(self, spread: float | None = None) -> float:
        left, right = map(len, self.sides)
        if left < 2 or right < 2:
            return 0.0
        n, total = left + right, sum(self.sides[0]) + sum(self.sides[1])
        if spread is None:  # targets are 0 and 1: the chi-square of a table
            if total in {0, n}:
                return 0.0
            gap = sum(self.sides[0]) * n - left * total
            return gap * gap * n / (left * right * (total * (n - total)))
        if not spread > 0.0:
            return 0.0
        gap = sum(self.sides[0]) - left * total / n
        return gap * gap * n / (left * right * spread)


class Node:
    """A leaf, until it has a split and children."""

    def __init__(self, depth: int, rows: int, lanes: int) -> None:
        self.depth, self.rows = depth, rows
        self.split = None
        self.children: list[Node] = []
        self.trials: list[Trial] = []
        self.last: list[tuple] = []
        self.last_label: float = 0.0
        self.w = np.zeros(lanes)
        self.G = np.zeros(lanes)
        self.seen = 0.0  # labels behind the mean
        self.total = np.zeros(lanes)
        self.prior = np.full(lanes, 0.5)

    def mean(self) -> np.ndarray:
        return (self.total + PRIOR * self.prior) / (self.seen + PRIOR)


class Forest:
    """Trees for two classes; other kinds of labels change what is marked so."""

    lanes = 1
    every, evidence = EVERY, EVIDENCE

    def __init__(self) -> None:
        self.roots = [Node(0, 0, self.lanes) for _ in range(TREES)]
        self.sizes = [1] * TREES
        self.known: list = []
        self.rounds = 0
        self.live = True

    def leaves(self, x: dict) -> list[Node]:
        found = []
        for root in self.roots:
            node = root
            while node.split is not None:
                feature, cut = node.split
                node = node.children[x.get(feature, 0.0) > cut]
            found.append(node)
        return found

    def margins(self, x: dict) -> tuple[np.ndarray, np.ndarray]:
        """Of each lane: the margin; the mean over the trees."""
        leaves = self.leaves(x)
        w = sum(leaf.w for leaf in leaves) / math.sqrt(TREES)
        return w, sum(leaf.mean() for leaf in leaves) / TREES

    def move(self, x: dict, lane: int, slope: float, u_of) -> None:
        """AdaGrad: G grows by slope^2, then a step of the size that u_of(pull) says."""
        leaves = self.leaves(x)
        for leaf in leaves:
            leaf.G[lane] += slope * slope / TREES
        pull = sum(1.0 / math.sqrt(leaf.G[lane]) for leaf in leaves) / TREES
        u = u_of(pull)
        for leaf in leaves:
            leaf.w[lane] += u / math.sqrt(TREES * leaf.G[lane])

    def grow(self, x: dict, y: float) -> None:
        """Learn a label."""
        self.rounds += 1
        for j in x:
            if j not in self.known:
                self.known.append(j)
        if len(self.known) > WIDEST:
            self.live = False
            return
        for t, leaf in enumerate(self.leaves(x)):
            leaf.rows += 1
            self.remember(leaf, y)
            if self.sizes[t] + 2 > NODES or leaf.depth >= DEPTH:
                continue
            for trial in leaf.trials:
                right = x.get(trial.feature, 0.0) > trial.cut
                trial.sides[right].append(self.target(trial, y))
            if len(leaf.trials) < TRIALS:
                self.begin_trial(leaf, x, y, 2 * (self.rounds * TREES + t))
                self.keep(leaf, x, y, 2 * (self.rounds * TREES + t) + 1)
            if leaf.rows >= LEAST and leaf.rows % self.every == 0:
                self.judge(t, leaf)

    def begin_trial(self, leaf: Node, x: dict, y: float, counter: int) -> None:
        if not self.differ(y, leaf.last_label):
            return
        for j, was in leaf.last:
            value = x.get(j, 0.0)
            if value != was:
                low, high = sorted([value, was])
                random = bits(counter)
                cut = low + (random >> 11) * 2.0**-53 * (high - low)
                code = self.code(random, y, leaf.last_label)
                trial = Trial(j, cut if cut < high else low, code)
                leaf.trials.append(trial)
                return

    def keep(self, leaf: Node, x: dict, y: float, counter: int) -> None:
        random, n = bits(counter), len(self.known)
        picked = [((random >> 16 * i) & 0xFFFF) * n >> 16 for i in range(4)]
        leaf.last = [(self.known[i], x.get(self.known[i], 0.0)) for i in picked if n]
        leaf.last_label = y

    def judge(self, t: int, leaf: Node) -> None:
        found = [trial.evidence(self.spread(leaf)) for trial in leaf.trials]
        if found and max(found) >= self.evidence:
            self.sizes[t] += 2
            self.split(leaf, leaf.trials[found.index(max(found))])
        elif len(found) == TRIALS and math.log2(leaf.rows).is_integer():
            worst = found.index(min(found))
            leaf.trials[worst] = leaf.trials[-1]
            leaf.trials.pop()

    def split(self, leaf: Node, trial: Trial) -> None:
        leaf.split = (trial.feature, trial.cut)
        for side in range(2):
            child = Node(leaf.depth + 1, len(trial.sides[side]), self.lanes)
            child.w, child.G = leaf.w.copy(), 0.5 * leaf.G
            child.prior = leaf.mean()
            self.inherit(leaf, child, trial, side)
            leaf.children.append(child)

    # What follows is of two classes.

    def target(self, trial: Trial, y: float) -> float:
        return float(y > 0)

    def differ(self, y: float, before: float) -> bool:
        return y != before

    def code(self, random: int, y: float, before: float) -> int:
        return 0

    def spread(self, leaf: Node) -> float | None:
        return None

    def remember(self, leaf: Node, y: float) -> None:
        leaf.seen += 1
        leaf.total[0] += y > 0

    def inherit(self, leaf: Node, child: Node, trial: Trial, side: int) -> None:
        child.seen, child.total[0] = len(trial.sides[side]), sum(trial.sides[side])


class ClassForest(Forest):
    """Trees for many classes: labels are numbers, every class has a lane."""

    def __init__(self, lanes: int) -> None:
        self.lanes = lanes
        self.come: list[int] = []  # classes in the order in which they came
        super().__init__()

    def target(self, trial: Trial, y: float) -> float:
        return float(trial.code >> self.come.index(int(y)) & 1)

    def code(self, random: int, y: float, before: float) -> int:
        this, other = self.come.index(int(y)), self.come.index(int(before))
        return (mixed(random) | 1 << this) & ~(1 << other)

    def remember(self, leaf: Node, y: float) -> None:
        if int(y) not in self.come:
            self.come.append(int(y))
        leaf.seen += 1
        leaf.total[int(y)] += 1

    def inherit(self, leaf: Node, child: Node, trial: Trial, side: int) -> None:
        """Bayes' rule, from how often either half of the classes went here.

        Two classes are the two halves.
        """
        here, rows = trial.sides[side], [*trial.sides[0], *trial.sides[1]]
        for lane in self.come:
            bit = self.target(trial, lane)
            if len(self.come) == 2:
                child.seen, child.total[lane] = len(here), here.count(bit)
                continue
            share = here.count(bit) / rows.count(bit)
            found = child.prior[lane] * share * len(rows) / len(here)
            child.prior[lane] = min(1.0, found)
