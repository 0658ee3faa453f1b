"""The toy cell of the lesson: which word decides the verb?

One LSTM cell with fixed gates reads seven words. Each word carries a number cue: positive for
plural, negative for singular. The cell shows the idea of a number unit (Lakretz et al., 2019),
not the mechanism: a trained network computes its gates from the word and the state.

Every function raises ValueError for a wrong shape or a number out of range, NaN and infinity
included, and TypeError for what is not a number at all; the message names the argument.
"""

import math

import numpy as np

from lesson20.checks import Array, number

SENTENCE = ("the", "flowers", "that", "she", "bought", "at", "market")
CUES = (0, 1.2, 0.3, -0.5, 0.2, -0.1, -0.9)  # illustrative: "flowers" plural, "market" singular
SUBJECT = 2  # "flowers" is word 2, counted from 1 as t is


def cell(f: float, i: float, o: float) -> float:
    """Let the toy cell read the sentence: c_t = f c_{t−1} + i_t tanh(v_t), h = o tanh(c_7).

    Gates lie strictly between 0 and 1; the ends themselves are limits, and are let in.

    Args:
        f: Forget gate, 0 to 1: the share of the belt that is kept at each step.
        i: Input gate, 0 to 1, at every word but "flowers", where it is 1.
        o: Output gate, 0 to 1.

    Returns:
        The state h after the last word; positive means plural.

    Examples:
        >>> round(cell(0.6, 0.8, 1.0), 3), round(cell(1.0, 0.1, 1.0), 3)
        (-0.5, 0.638)
    """
    f, i, o = _gate("f", f), _gate("i", i), _gate("o", o)
    c = 0.0
    for t, v in enumerate(CUES, start=1):
        gate_in = 1.0 if t == SUBJECT else i  # "flowers" opens the input gate
        c = f * c + gate_in * math.tanh(v)  # the belt: forget a little, write a little
    return o * math.tanh(c)  # what is read at the end (positive = plural)


def belt(f: float, i: float) -> Array:
    """Return what lies on the belt of the same cell after each word: c_0, …, c_7, shape (8,).

    Args:
        f: Forget gate, 0 to 1.
        i: Input gate, 0 to 1, at every word but "flowers".
    """
    f, i = _gate("f", f), _gate("i", i)
    c = np.zeros(len(CUES) + 1)
    for t, v in enumerate(CUES, start=1):
        c[t] = f * c[t - 1] + (1.0 if t == SUBJECT else i) * np.tanh(v)
    return c


def verdict(h: float) -> str:
    """Return the number of the verb that the state h asks for: "plural" if positive.

    Examples:
        >>> verdict(cell(1.0, 0.1, 1.0))
        'plural'
    """
    return "plural" if number("h", h) > 0 else "singular"


def _gate(name: str, value: float) -> float:
    return number(name, value, at_least=0, at_most=1)
