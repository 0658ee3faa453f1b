"""A tiny grammar of English, in which the number of the first noun decides the verb.

    the flowers that the girl likes at the market are red .

Between the subject and its verb stand 0 to 3 modifiers: a preposition with a noun, a relative
clause with a noun and a verb of its own, or an adverb. Their nouns are attractors: of the same
number as the subject they point to the right verb, of the other number to the wrong one.

Every function raises ValueError for a wrong shape or a number out of range, NaN and infinity
included, and TypeError for what is not a number at all; the message names the argument.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lesson20.checks import Array, floats, generator, instance, integer, size
from lesson20.training import Batch, Model, Words

# Each pair is singular, plural.
NOUNS = (
    ("flower", "flowers"),
    ("dog", "dogs"),
    ("girl", "girls"),
    ("boy", "boys"),
    ("market", "markets"),
)
VERBS = (("is", "are"), ("was", "were"), ("seems", "seem"))
INNER_VERBS = (("likes", "like"), ("sees", "see"))  # those of relative clauses
PREPOSITIONS = ("at", "near", "behind")
ADVERBS = ("now", "often")
ADJECTIVES = ("red", "old", "quiet")
STOP = 0  # the full stop, which also fills the room behind a short sentence

WORDS = (
    *(".", "the", "that"),
    *(word for pair in (*NOUNS, *VERBS, *INNER_VERBS) for word in pair),
    *PREPOSITIONS,
    *ADVERBS,
    *ADJECTIVES,
)
INDEX = {word: n for n, word in enumerate(WORDS)}
MOST_MODIFIERS = 6  # more than training ever shows, which is 3
SAME = 0.7  # how often an attractor has the number of the subject, unless it is asked for

_KINDS = ("preposition", "relative", "adverb")
_FORMS = np.array([[INDEX[pair[n]] for pair in VERBS] for n in (0, 1)])  # singular, plural


class Sentences(NamedTuple):
    """A batch of sentences, one per column.

    Attributes:
        words: Indices into WORDS, (T, B); behind a sentence's end stands STOP.
        length: How many words each has, its full stop included, (B,).
        verb: Where the verb stands that agrees with the subject, counted from 0, (B,).
        plural: Whether the subject is plural, (B,).
        attractors: How many nouns stand between the subject and its verb, (B,).
    """

    words: Words
    length: Words
    verb: Words
    plural: NDArray[np.bool_]
    attractors: Words


def sentences(
    rng: np.random.Generator,
    B: int,
    *,
    attractors: int | None = None,
    same: bool | None = None,
) -> Sentences:
    """Draw sentences.

    Args:
        rng: Where the choices come from.
        B: How many.
        attractors: If given, every sentence has that many, 0 to 6, and no adverb; otherwise it has
            0 to 3 modifiers of any kind.
        same: Whether all attractors have the number of the subject, or all have the other; if not
            given, each has the subject's with the chance SAME.
    """
    generator("rng", rng)
    B = size("B", B)
    if attractors is not None:
        attractors = integer("attractors", attractors, at_least=0, at_most=MOST_MODIFIERS)
    if same is not None:
        same = instance("same", same, bool)
    drawn = [_sentence(iter(u), attractors, same) for u in _chances(rng, B)]
    length = np.array([len(words) for words, *_ in drawn])
    words = np.full((int(length.max()), B), STOP)
    for n, (sentence, *_) in enumerate(drawn):
        words[: len(sentence), n] = sentence
    _, verb, plural, nouns = zip(*drawn, strict=True)
    return Sentences(words, length, np.array(verb), np.array(plural), np.array(nouns))


def next_word(sentences: Sentences) -> Batch:
    """Return what a language model learns from: each word is to be told from those before it."""
    words = instance("sentences", sentences, Sentences).words
    counted = np.arange(1, len(words))[:, None] < sentences.length
    return Batch(words[:-1], words[1:], counted.astype(np.float64))


def verb_accuracy(model: Model, sentences: Sentences) -> float:
    """Return in how many sentences the verbs of the right number are likelier together, 0 to 1.

    Args:
        model: A language model of WORDS.
        sentences: What it reads, up to the word before the verb.
    """
    instance("model", model, Model)
    words, _, verb, plural, _ = instance("sentences", sentences, Sentences)
    scores = model.run(words[:-1]).outputs[verb - 1, np.arange(len(verb))]
    return float(np.mean(_plural(scores) == plural))


class Stream(NamedTuple):
    """Sentences that follow each other without a mark where one text ends; one per column.

    Attributes:
        words: Indices into WORDS, (T, B).
        verb: True where a word is the verb that agrees with a subject, (T, B).
    """

    words: Words
    verb: NDArray[np.bool_]


def stream(rng: np.random.Generator, B: int, T: int) -> Stream:
    """Draw B streams of T words.

    Args:
        rng: Where the choices come from.
        B: How many streams.
        T: Length of each in words.
    """
    generator("rng", rng)
    B, T = size("B", B), integer("T", T)
    words, verb = np.empty((T, B), dtype=np.intp), np.zeros((T, B), dtype=bool)
    for n in range(B):
        at = 0
        for u in _chances(rng, T // 5 + 1):  # no sentence is shorter than 5
            sentence, v, *_ = _sentence(iter(u), None, None)
            end = min(at + len(sentence), T)
            words[at:end, n] = sentence[: end - at]
            if at + v < T:
                verb[at + v, n] = True
            at = end
            if at == T:
                break
    return Stream(words, verb)


def stream_accuracy(scores: ArrayLike, stream: Stream) -> float:
    """Return at how many verbs those of the right number are likelier together, 0 to 1.

    Args:
        scores: What a language model said after each word of the stream, (T, B, V).
        stream: The stream itself.
    """
    t, n = np.nonzero(instance("stream", stream, Stream).verb)
    scores = floats("scores", scores, f"T={len(stream.words)}, B, V={len(WORDS)}")
    plural = np.isin(stream.words[t, n], _FORMS[1])
    return float(np.mean(_plural(scores[t - 1, n]) == plural))


def text(words: Sequence[int]) -> str:
    """Return words as they are written.

    Examples:
        >>> text([1, 4, 14, 28, 0])
        'the flowers are red .'
    """
    return " ".join(WORDS[word] for word in words)


def _chances(rng: np.random.Generator, count: int) -> list[list[float]]:
    """Numbers from 0 to 1, more than enough for the choices of each sentence."""
    return [list(u) for u in rng.random((count, 4 * MOST_MODIFIERS + 6)).tolist()]


def _sentence(
    u: Iterator[float], attractors: int | None, same: bool | None
) -> tuple[list[int], int, bool, int]:
    """One sentence of numbers from 0 to 1: its words, the verb's place, plural, attractors."""

    def pick[Item](items: Sequence[Item]) -> Item:
        return items[int(next(u) * len(items))]

    plural = next(u) < 0.5
    words = [INDEX["the"], INDEX[pick(NOUNS)[plural]]]
    nouns = 0
    for _ in range(int(next(u) * 4) if attractors is None else attractors):
        kind = pick(_KINDS if attractors is None else _KINDS[:2])
        if kind == "adverb":
            words.append(INDEX[pick(ADVERBS)])
            continue
        nouns += 1
        number = plural == (next(u) < SAME if same is None else same)
        noun = INDEX[pick(NOUNS)[number]]
        if kind == "preposition":
            words += [INDEX[pick(PREPOSITIONS)], INDEX["the"], noun]
        else:
            words += [INDEX["that"], INDEX["the"], noun, INDEX[pick(INNER_VERBS)[number]]]
    verb = len(words)
    words += [INDEX[pick(VERBS)[plural]], INDEX[pick(ADJECTIVES)], STOP]
    return words, verb, plural, nouns


def _plural(scores: Array) -> NDArray[np.bool_]:
    """Whether the plural verbs together are likelier than the singular ones, for scores (N, V)."""
    singular, plural = (np.logaddexp.reduce(scores[:, forms], axis=-1) for forms in _FORMS)
    return np.asarray(plural > singular)
