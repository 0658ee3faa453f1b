"""What the untrained nets read, and the nets."""

from collections import Counter

import numpy as np
import pytest

from lesson20 import rnn, words


def test_each_pair_has_the_same_words_in_two_orders():
    for first, second in words.ORDERS:
        assert Counter(first) == Counter(second)
        assert first != second


def test_blame_has_the_same_way_to_go_in_every_sentence():
    assert {len(sentence) for sentence in words.SENTENCES} == {10}


def test_words_of_the_sentences_have_vectors_of_their_own():
    used = {word for pair in words.ORDERS for order in pair for word in order}
    used |= {word for sentence in words.SENTENCES for word in sentence}
    assert set(words.vectors()) == used
    assert len({tuple(vector) for vector in words.vectors().values()}) == len(used)


def test_any_other_word_has_a_vector_made_from_its_letters():
    made = np.array([words.vector(f"word{n}") for n in range(5000)])
    assert made.shape == (5000, words.D)
    assert np.abs(made).max() <= 1.732
    assert np.abs(made.mean(axis=0)).max() < 0.06
    assert np.abs(made.var(axis=0) - 1).max() < 0.06
    correlations = np.corrcoef(made.T) - np.eye(words.D)
    assert np.abs(correlations).max() < 0.06
    assert len(np.unique(made, axis=0)) == 5000
    for word in ["", "naïve", "学", "🌷"]:
        assert np.array_equal(words.vector(word), words.vector(word))


def test_letters_are_hashed_as_fnv_says():
    """Against its published value for “foobar”, mixed as MurmurHash3's fmix32 is written."""
    letters = 0xBF9CF968
    for entry, value in enumerate(words.vector("foobar")):
        bits = np.uint32(letters + entry)
        with np.errstate(over="ignore"):
            bits = (bits ^ (bits >> np.uint32(16))) * np.uint32(0x85EBCA6B)
            bits = (bits ^ (bits >> np.uint32(13))) * np.uint32(0xC2B2AE35)
            bits ^= bits >> np.uint32(16)
        assert value == (int(bits) % 3465 - 1732) / 1000


@pytest.mark.parametrize("seed", words.SEEDS)
@pytest.mark.parametrize("activation", ["tanh", "sigmoid"])
def test_a_net_has_sixty_weights_and_the_size_asked_for(seed, activation):
    net = words.net(seed, 2.5, activation)
    assert net.parameter_count == 60
    assert net.sigma_1 == pytest.approx(2.5)
    assert net.activation == activation


def test_size_zero_switches_the_past_off():
    net = words.net(words.SEEDS[0], 0)
    x = words.read(words.SENTENCES[0])
    assert np.allclose(rnn.unroll(net, x)[-1], net.step(x[-1], np.zeros(6)), rtol=1e-12)


def test_no_words_are_an_empty_sentence():
    assert words.read(()).shape == (0, words.D)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: words.vector(3), "word: expected str, got 3"),
        (lambda: words.net(28, -1), "sigma_1: expected a number at least 0, got -1"),
        (lambda: words.net(-1, 1), "seed: expected an integer of at least 0, got -1"),
        (lambda: words.net(28, 1, "cosine"), "activation: "),
    ],
)
def test_what_is_wrong_is_named(call, message):
    with pytest.raises((TypeError, ValueError)) as error:
        call()
    assert str(error.value).startswith(message)
