"""Tasks that only a memory can solve: recall after a delay, adding, two marks, a bit in noise.

Each function draws one batch. The answer is asked for after the last word alone, and the mask
says so.

Every function raises ValueError for a wrong shape or a number out of range, NaN and infinity
included, and TypeError for what is not a number at all; the message names the argument.
"""

import numpy as np

from lesson20.checks import Array, generator, integer, number, size
from lesson20.training import Batch, Model

SYMBOLS = 4  # what delayed recall may have to be recalled
FILLERS = 4  # what stands between, in delayed recall and in temporal order


def delayed_recall(rng: np.random.Generator, B: int, T: int) -> Batch:
    """The first of T words is one of four symbols; after T−1 fillers it is to be named.

    Args:
        rng: Where the words come from.
        B: How many sequences.
        T: Length of each, at least 2: the blame has T−1 steps to go.

    Returns:
        x is one-hot, (T, B, 8): four symbols, then four fillers. Guessing is right in a quarter.
    """
    generator("rng", rng)
    B, T = size("B", B), integer("T", T, at_least=2)
    words = SYMBOLS + rng.integers(FILLERS, size=(T, B))
    words[0] = rng.integers(SYMBOLS, size=B)
    y = np.broadcast_to(words[0], (T, B))
    return Batch(np.eye(SYMBOLS + FILLERS)[words], y, _last(T, B))


def adding(rng: np.random.Generator, B: int, T: int) -> Batch:
    """Two of T numbers are marked, one in each half; their sum is to be told at the end.

    After Hochreiter & Schmidhuber (1997), in the form of Le, Jaitly & Hinton (2015).

    Args:
        rng: Where the numbers come from.
        B: How many sequences.
        T: Length of each, at least 2.

    Returns:
        x is the number, from 0 to 1, and its mark, 0 or 1, (T, B, 2). Always to say 1 has a mean
        squared error of 1/6.
    """
    generator("rng", rng)
    B, T = size("B", B), integer("T", T, at_least=2)
    x = np.stack([rng.random((T, B)), np.zeros((T, B))], axis=-1)
    every = np.arange(B)
    marked = rng.integers(T // 2, size=B), rng.integers(T // 2, T, size=B)
    for t in marked:
        x[t, every, 1] = 1
    total = sum(x[t, every, 0] for t in marked)
    return Batch(x, np.broadcast_to(total, (T, B))[..., None], _last(T, B))


def temporal_order(rng: np.random.Generator, B: int, T: int) -> Batch:
    """Two of T words are A or B, the others fillers; the four orders are to be told apart.

    After Hochreiter & Schmidhuber (1997) and Pascanu, Mikolov & Bengio (2013): the first stands
    between T/10 and 2T/10, the second between 4T/10 and 5T/10.

    Args:
        rng: Where the words come from.
        B: How many sequences.
        T: Length of each, at least 10.

    Returns:
        x is one-hot, (T, B, 6): A, B, then four fillers; y is 0, 1, 2, 3 for AA, AB, BA, BB.
    """
    generator("rng", rng)
    B, T = size("B", B), integer("T", T, at_least=10)
    words = 2 + rng.integers(FILLERS, size=(T, B))
    first, second = rng.integers(2, size=(2, B))
    every = np.arange(B)
    words[rng.integers(T // 10, 2 * T // 10, size=B), every] = first
    words[rng.integers(4 * T // 10, 5 * T // 10, size=B), every] = second
    return Batch(
        np.eye(2 + FILLERS)[words], np.broadcast_to(2 * first + second, (T, B)), _last(T, B)
    )


def latching(rng: np.random.Generator, B: int, T: int, noise: float = 0.5) -> Batch:
    """The first of T numbers is +1 or −1; after T−1 numbers of noise its sign is to be told.

    After Bengio, Simard & Frasconi (1994), whose sequences tell the bit in several steps.

    Args:
        rng: Where the numbers come from.
        B: How many sequences.
        T: Length of each, at least 2: the blame has T−1 steps to go.
        noise: Standard deviation of what follows the bit, 0 or more.

    Returns:
        x is one number a step, (T, B, 1); y is 1 for +1 and 0 for −1. Guessing is right in a half.
    """
    generator("rng", rng)
    B, T = size("B", B), integer("T", T, at_least=2)
    bit = rng.integers(2, size=B)
    x = number("noise", noise, at_least=0) * rng.normal(size=(T, B, 1))
    x[0, :, 0] = 2 * bit - 1
    return Batch(x, np.broadcast_to(bit, (T, B)), _last(T, B))


def accuracy(model: Model, batch: Batch) -> float:
    """Return the share of right answers, 0 to 1, among those that count."""
    counted = batch.mask > 0
    answers = model.run(batch.x).outputs.argmax(axis=-1)
    return float(np.mean(answers[counted] == batch.y[counted]))


def _last(T: int, B: int) -> Array:
    mask = np.zeros((T, B))
    mask[-1] = 1
    return mask
