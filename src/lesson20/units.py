"""One unit of a trained LSTM: what it does along a sentence, and which of its gates it needs.

Every function raises ValueError for a wrong shape or a number out of range, NaN and infinity
included, and TypeError for what is not a number at all; the message names the argument.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lesson20.checks import Array, choice, instance, integer, number
from lesson20.grammar import INDEX
from lesson20.training import Model

GATES = ("f", "i", "o")


@dataclass(frozen=True, eq=False)
class UnitRun:
    """What one unit does while sentences of the same length are read.

    Attributes:
        sentences: Their words, S tuples of T words.
        f: The forget gate at each word, (T, S).
        i: The input gate, (T, S).
        written: What the step puts on the belt, i c̃, (T, S).
        c: The belt after each word, (T, S).
    """

    sentences: tuple[tuple[str, ...], ...]
    f: Array
    i: Array
    written: Array
    c: Array


def follow(model: Model, unit: int, sentences: Sequence[str]) -> UnitRun:
    """Read sentences and keep what one unit does.

    Args:
        model: An LSTM that reads the words of `grammar.WORDS`.
        unit: Index of the unit, 0 to H−1.
        sentences: Words with spaces between them; all sentences have as many.
    """
    instance("model", model, Model)
    unit = integer("unit", unit, at_least=0, at_most=model.net.H - 1)
    split = tuple(tuple(instance("sentences", text, str).split()) for text in sentences)
    if len({len(words) for words in split}) != 1:
        raise ValueError("sentences: expected at least one, all with as many words")
    unknown = sorted({word for words in split for word in words} - INDEX.keys())
    if unknown:
        raise ValueError(f"sentences: expected words of the grammar, got {unknown[0]!r}")
    trace = model.run(np.array([[INDEX[word] for word in words] for words in split]).T).trace
    if trace is None:
        raise ValueError(f"model: expected an LSTM, got {model.cell!r}")
    f, i, c_tilde, c = (a[..., unit] for a in (trace.f, trace.i, trace.c_tilde, trace.c[1:]))
    return UnitRun(split, f, i, i * c_tilde, c)


def fixed(model: Model, unit: int, gate: str, z: float) -> Model:
    """Return the model with one gate of one unit fixed at σ(z), whatever it reads.

    Args:
        model: An LSTM with a forget gate.
        unit: Index of the unit, 0 to H−1.
        gate: "f", "i" or "o".
        z: Far below 0 shuts the gate, far above 0 opens it.
    """
    if instance("model", model, Model).cell != "lstm":
        raise ValueError(f"model: expected an LSTM, got {model.cell!r}")
    H = model.net.H
    unit = integer("unit", unit, at_least=0, at_most=H - 1)
    row = GATES.index(choice("gate", gate, GATES)) * H + unit
    p = {name: array.copy() for name, array in model.parameters.items()}
    p["W"][row], p["b"][row] = 0, number("z", z)
    return Model(p, model.cell, model.loss)
