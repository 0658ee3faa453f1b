"""What the lesson's untrained nets read, and the nets: words, sentences, and sixty weights.

The figures and the scenes of the pages share them. All numbers are rounded to thousandths, so
that a page can carry them; what they are does not matter, for nothing here was trained.

Every function raises ValueError for a number out of range, NaN and infinity included, and
TypeError for what is not a number, or no word, at all; the message names the argument.
"""

import functools

import numpy as np

from lesson20.checks import Array, choice, instance, number, rng_of
from lesson20.rnn import ACTIVATIONS, RNN

H, D = 6, 4
SEEDS = tuple(range(28, 40))  # one untrained net each

# Each pair has the same words in two orders.
ORDERS = tuple(
    (tuple(first.split()), tuple(second.split()))
    for first, second in [
        ("the young dog bites the old man", "the old man bites the young dog"),
        ("only she said that he was late", "she said that only he was late"),
        ("the cat that the dog saw ran", "the dog that the cat saw ran"),
    ]
)

# Ten words each, so that blame has the same way to go; the last is a word said ten times.
SENTENCES = tuple(
    tuple(sentence.split())
    for sentence in [
        "flowers that she bought at the market yesterday are fresh",
        "keys to the cabinet by the old door are lost",
        "she never told us why he left the small town",
        "rain fell on the roof all night and nobody slept",
        "we walked along the river until the sun went down",
        "dogs that the man in the red coat feeds bark",
        "never never never never never never never never never never",
    ]
)


@functools.cache
def vectors() -> dict[str, Array]:
    """Return the vector, (D,), of each word of the sentences, in order of first appearance."""
    rng = np.random.default_rng(20)
    sentences = [words for pair in ORDERS for words in pair] + list(SENTENCES)
    vocabulary = dict.fromkeys(word for words in sentences for word in words)
    return {word: np.round(rng.normal(size=D), 3) for word in vocabulary}


def vector(word: str) -> Array:
    """Return the vector of any word, (D,): of an unknown one, a vector made from its letters.

    The letters are hashed (FNV-1a, then MurmurHash3's last step for each entry), so that the same
    word is the same vector in Python and on a page. Entries spread evenly from −1.732 to 1.732,
    which makes their variance 1.

    Args:
        word: Any text.

    Examples:
        >>> vector("flowers").shape, vector("blooms").tolist() == vector("blooms").tolist()
        ((4,), True)
    """
    if instance("word", word, str) in vectors():
        return vectors()[word]
    letters = 0x811C9DC5
    for byte in word.encode():
        letters = (letters ^ byte) * 0x01000193 & 0xFFFFFFFF
    return np.array([(_mixed(letters + entry) % 3465 - 1732) / 1000 for entry in range(D)])


def read(words: tuple[str, ...]) -> Array:
    """Return the vectors of a sentence, (T, D)."""
    return np.array([vector(word) for word in words]).reshape(-1, D)


def net(seed: int, sigma_1: float, activation: str = "tanh") -> RNN:
    """Return an untrained net without bias: H = 6, D = 4, sixty weights.

    Args:
        seed: Which net.
        sigma_1: Largest singular value of W_h; 0 switches the past off.
        activation: "tanh" or "sigmoid".
    """
    W_x, W_h, size = weights(seed)
    scale = number("sigma_1", sigma_1, at_least=0) / size
    return RNN(W_x, W_h * scale, activation=choice("activation", activation, tuple(ACTIVATIONS)))


def weights(seed: int) -> tuple[Array, Array, float]:
    """Return the W_x, (H, D), and W_h, (H, H), of a net before it is scaled, and the σ_1 of W_h."""
    rng = rng_of(seed)
    W_x = np.round(rng.normal(size=(H, D)) / np.sqrt(D), 3)
    W_h = np.round(rng.normal(size=(H, H)) / np.sqrt(H), 3)
    return W_x, W_h, float(np.linalg.norm(W_h, 2))


def _mixed(bits: int) -> int:
    """Spread 32 bits so that neighbours lie far apart."""
    bits &= 0xFFFFFFFF
    bits = (bits ^ bits >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    bits = (bits ^ bits >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return bits ^ bits >> 16
