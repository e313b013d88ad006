"""BibTeX for exactly what a page uses: a theorem names its source, this knows the rest.

A source is read by what it cites ("Gentile (2003)", "Mansour, lecture 5"), wherever in
the text that stands. One that cites nothing known here becomes an entry of its own
words, so that no theorem goes without.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

__all__ = ["Entry", "cited"]


class Entry(NamedTuple):
    """One BibTeX entry, and how sources cite it."""

    key: str
    cite: str  # a regular expression
    kind: str
    fields: dict[str, str]

    def __str__(self) -> str:
        """The entry as BibTeX."""
        inside = ",\n".join(f"  {name} = {{{text}}}" for name, text in self._filled())
        return f"@{self.kind}{{{self.key},\n{inside}\n}}"

    def _filled(self) -> list[tuple[str, str]]:
        return [(name, text) for name, text in self.fields.items() if text]


def cited(sources: Iterable[str]) -> list[Entry]:
    """The entries that these sources cite, in the order in which they are met."""
    found: dict[str, Entry] = {}
    for source in sources:
        known = [entry for entry in _ENTRIES if re.search(entry.cite, source)]
        for entry in known or [_unknown(source)]:
            found.setdefault(entry.key, entry)
    return list(found.values())


def _unknown(source: str) -> Entry:
    """A source that only its own words describe."""
    key = re.sub(r"[^a-z0-9]+", "-", source.lower()).strip("-")[:40]
    plain = re.sub(r"([{}\\%&#$_])", "", source)
    return Entry(key or "unknown", "", "misc", {"note": plain})


def _article(key: str, cite: str, **fields: str) -> Entry:
    return Entry(key, cite, "article", fields)


def _in(key: str, cite: str, **fields: str) -> Entry:
    return Entry(key, cite, "inproceedings", fields)


def _misc(key: str, cite: str, **fields: str) -> Entry:
    return Entry(key, cite, "misc", fields)


ML = "Machine Learning"
JMLR = "Journal of Machine Learning Research"

_ENTRIES = (
    _misc(
        "mansour-lecture-5",
        r"Mansour, lecture 5",
        author="Yishay Mansour",
        title="Lecture 5: {Perceptron} and {Winnow} regret bounds",
        howpublished="Lecture notes, scribes Yaniv Benny, Yuval Varkel and Or Perel",
    ),
    _misc(
        "cesabianchi-lecture-16",
        r"Cesa-Bianchi, lecture 16",
        author="Nicol{\\`o} Cesa-Bianchi",
        title="Lecture 16: the {Perceptron} in the non-separable case, "
        "strong convexity",
        howpublished="Lecture notes",
        year="2020",
    ),
    _misc(
        "freund-introduction",
        r"Freund(?!, Schapire)",
        author="Yoav Freund",
        title="Introduction to Online Learning Algorithms",
        howpublished="Lecture slides",
        year="2025",
    ),
    _misc(
        "schapire-lecture-15",
        r"Schapire, lecture 15",
        author="Robert E. Schapire",
        title="{COS} 511: Theoretical Machine Learning, lecture 15",
        howpublished="Lecture notes, scribe Zhen Xiang",
        year="2008",
    ),
    _misc(
        "dekel-lecture-18",
        r"Dekel, lecture 18",
        author="Ofer Dekel",
        title="{CSE} 522: Learning Theory, lecture 18, online to batch conversion",
        howpublished="Lecture notes",
        year="2011",
    ),
    _in(
        "gibbs2021",
        r"Gibbs, Candes",
        author="Isaac Gibbs and Emmanuel J. Cand{\\`e}s",
        title="Adaptive conformal inference under distribution shift",
        booktitle="Advances in Neural Information Processing Systems",
        volume="34",
        year="2021",
    ),
    _in(
        "novikoff1962",
        r"Novikoff",
        author="Albert B. J. Novikoff",
        title="On convergence proofs on perceptrons",
        booktitle="Symposium on the Mathematical Theory of Automata",
        volume="12",
        pages="615--622",
        year="1962",
    ),
    _article(
        "grove2001",
        r"Grove, Littlestone, Schuurmans",
        author="Adam J. Grove and Nick Littlestone and Dale Schuurmans",
        title="General convergence results for linear discriminant updates",
        journal=ML,
        volume="43",
        pages="173--210",
        year="2001",
    ),
    _article(
        "gentile2003",
        r"Gentile \(2003\)",
        author="Claudio Gentile",
        title="The robustness of the p-norm algorithms",
        journal=ML,
        volume="53",
        pages="265--299",
        year="2003",
    ),
    _article(
        "duchi2011",
        r"Duchi, Hazan, Singer",
        author="John Duchi and Elad Hazan and Yoram Singer",
        title="Adaptive subgradient methods for online learning and stochastic "
        "optimization",
        journal=JMLR,
        volume="12",
        pages="2121--2159",
        year="2011",
    ),
    _misc(
        "orabona2019",
        r"Orabona \(2019\)|the adaptive step",
        author="Francesco Orabona",
        title="A modern introduction to online learning",
        howpublished="arXiv:1912.13213",
        year="2019",
    ),
    _article(
        "mcmahan2017",
        r"McMahan \(2017\)",
        author="H. Brendan McMahan",
        title="A survey of algorithms and analysis for adaptive online learning",
        journal=JMLR,
        volume="18",
        number="90",
        pages="1--50",
        year="2017",
    ),
    _in(
        "mcmahan2010",
        r"McMahan, Streeter \(2010\)",
        author="H. Brendan McMahan and Matthew Streeter",
        title="Adaptive bound optimization for online convex optimization",
        booktitle="Conference on Learning Theory",
        pages="244--256",
        year="2010",
    ),
    _in(
        "orabona2016",
        r"Orabona, Pal \(2016\)",
        author="Francesco Orabona and D{\\'a}vid P{\\'a}l",
        title="Coin betting and parameter-free online learning",
        booktitle="Advances in Neural Information Processing Systems",
        volume="29",
        year="2016",
    ),
    _article(
        "crammer2006",
        r"Crammer, Dekel, Keshet",
        author="Koby Crammer and Ofer Dekel and Joseph Keshet and Shai "
        "Shalev-Shwartz and Yoram Singer",
        title="Online passive-aggressive algorithms",
        journal=JMLR,
        volume="7",
        pages="551--585",
        year="2006",
    ),
    _in(
        "kulis2010",
        r"Kulis, Bartlett",
        author="Brian Kulis and Peter L. Bartlett",
        title="Implicit online learning",
        booktitle="International Conference on Machine Learning",
        pages="575--582",
        year="2010",
    ),
    _in(
        "kakade2004",
        r"Kakade(,| and) Ng",
        author="Sham M. Kakade and Andrew Y. Ng",
        title="Online bounds for {Bayesian} algorithms",
        booktitle="Advances in Neural Information Processing Systems",
        volume="17",
        year="2004",
    ),
    _article(
        "littlestone1994",
        r"Littlestone, Warmuth \(1994\)",
        author="Nick Littlestone and Manfred K. Warmuth",
        title="The weighted majority algorithm",
        journal="Information and Computation",
        volume="108",
        pages="212--261",
        year="1994",
    ),
    _article(
        "freund1997",
        r"Freund, Schapire \(1997\)",
        author="Yoav Freund and Robert E. Schapire",
        title="A decision-theoretic generalization of on-line learning and an "
        "application to boosting",
        journal="Journal of Computer and System Sciences",
        volume="55",
        pages="119--139",
        year="1997",
    ),
    Entry(
        "cesabianchi2006",
        r"Cesa-Bianchi, Lugosi \(2006\)",
        "book",
        {
            "author": "Nicol{\\`o} Cesa-Bianchi and G{\\'a}bor Lugosi",
            "title": "Prediction, Learning, and Games",
            "publisher": "Cambridge University Press",
            "year": "2006",
        },
    ),
    _article(
        "derooij2014",
        r"de Rooij, van Erven",
        author='Steven de Rooij and Tim van Erven and Peter D. Gr{\\"u}nwald and '
        "Wouter M. Koolen",
        title="Follow the leader if you can, hedge if you must",
        journal=JMLR,
        volume="15",
        pages="1281--1316",
        year="2014",
    ),
    _article(
        "herbster1998",
        r"Herbster, Warmuth",
        author="Mark Herbster and Manfred K. Warmuth",
        title="Tracking the best expert",
        journal=ML,
        volume="32",
        pages="151--178",
        year="1998",
    ),
    _in(
        "koolen2015",
        r"Koolen, van Erven \(2015\)",
        author="Wouter M. Koolen and Tim van Erven",
        title="Second-order quantile methods for experts and combinatorial games",
        booktitle="Conference on Learning Theory",
        pages="1155--1175",
        year="2015",
    ),
    _article(
        "wintenberger2017",
        r"Wintenberger",
        author="Olivier Wintenberger",
        title="Optimal learning with {Bernstein} online aggregation",
        journal=ML,
        volume="106",
        pages="119--141",
        year="2017",
    ),
    _in(
        "gaillard2014",
        r"Gaillard, Stoltz, van Erven",
        author="Pierre Gaillard and Gilles Stoltz and Tim van Erven",
        title="A second-order bound with excess losses",
        booktitle="Conference on Learning Theory",
        pages="176--196",
        year="2014",
    ),
    _article(
        "crammer2003",
        r"Crammer(,| and) Singer \(2003\)",
        author="Koby Crammer and Yoram Singer",
        title="Ultraconservative online algorithms for multiclass problems",
        journal=JMLR,
        volume="3",
        pages="951--991",
        year="2003",
    ),
    _article(
        "cesabianchi2005",
        r"Cesa-Bianchi, Conconi, Gentile \(2005\)",
        author="Nicol{\\`o} Cesa-Bianchi and Alex Conconi and Claudio Gentile",
        title="A second-order {Perceptron} algorithm",
        journal="SIAM Journal on Computing",
        volume="34",
        pages="640--668",
        year="2005",
    ),
    _in(
        "crammer2009",
        r"Crammer, Kulesza, Dredze",
        author="Koby Crammer and Alex Kulesza and Mark Dredze",
        title="Adaptive regularization of weight vectors",
        booktitle="Advances in Neural Information Processing Systems",
        volume="22",
        year="2009",
    ),
    _article(
        "vovk2001",
        r"Vovk \(2001\)",
        author="Volodya Vovk",
        title="Competitive on-line statistics",
        journal="International Statistical Review",
        volume="69",
        pages="213--248",
        year="2001",
    ),
    _article(
        "azoury2001",
        r"Azoury, Warmuth",
        author="Katy S. Azoury and Manfred K. Warmuth",
        title="Relative loss bounds for on-line density estimation with the "
        "exponential family of distributions",
        journal=ML,
        volume="43",
        pages="211--246",
        year="2001",
    ),
    _article(
        "hazan2007",
        r"Hazan, Agarwal, Kale",
        author="Elad Hazan and Amit Agarwal and Satyen Kale",
        title="Logarithmic regret algorithms for online convex optimization",
        journal=ML,
        volume="69",
        pages="169--192",
        year="2007",
    ),
    _in(
        "luo2016",
        r"Luo, Agarwal, Cesa-Bianchi, Langford",
        author="Haipeng Luo and Alekh Agarwal and Nicol{\\`o} Cesa-Bianchi and John "
        "Langford",
        title="Efficient second order online learning by sketching",
        booktitle="Advances in Neural Information Processing Systems",
        volume="29",
        year="2016",
    ),
)
