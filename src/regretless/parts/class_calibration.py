"""What is known of the scores of many classes: the columns of a calibration's state.

    logit_k = rise ln(1 + e^s) - fall ln(1 + e^-s),  s = score_k / unit;  p = softmax

rise is the slope of a large score, fall that of a small one. Of log-odds, rise = 0 and
fall = 1 are sigma(score) over the sum of all, rise = fall = 1 is the softmax.
"""

from __future__ import annotations

RISE = 0
FALL = 1
CURVES = 2  # the curvature of the log loss: rise rise, rise fall, fall fall
SQUARES = 5  # of all scores; their mean is unit^2, unless scores are log-odds
ENTRIES = 6  # how many scores; 0 for ever where they are log-odds
SCALED = 7  # 1 unless scores are log-odds
CALIBRATION = 8

LEAST = 0.01  # fall is at least this, so that the order of scores is kept
