from functools import partial

import numpy as np
import pytest

from lesson20 import grammar, tasks
from lesson20.grammar import INDEX, WORDS
from lesson20.training import Model


@pytest.fixture
def rng():
    return np.random.default_rng(20)


SINGULAR = {pair[0] for pair in (*grammar.NOUNS, *grammar.VERBS, *grammar.INNER_VERBS)}
PLURAL = {pair[1] for pair in (*grammar.NOUNS, *grammar.VERBS, *grammar.INNER_VERBS)}
NOUNS = {word for pair in grammar.NOUNS for word in pair}
VERBS = {word for pair in grammar.VERBS for word in pair}


def written(sentences):
    columns = zip(sentences.words.T, sentences.length, strict=True)
    return [grammar.text(words[:length]).split() for words, length in columns]


def test_the_grammar_has_31_words_each_once():
    assert len(WORDS) == len(set(WORDS)) == len(INDEX) == 31
    assert not SINGULAR & PLURAL


def test_the_verb_has_the_number_of_the_first_noun(rng):
    sentences = grammar.sentences(rng, 500)
    plurals = 0
    for n, words in enumerate(written(sentences)):
        verb = words[sentences.verb[n]]
        assert verb in VERBS
        assert [word for word in words if word in VERBS] == [verb]
        assert words[1] in NOUNS
        assert (words[1] in PLURAL) == (verb in PLURAL) == sentences.plural[n]
        between = [word for word in words[2 : sentences.verb[n]] if word in NOUNS]
        assert len(between) == sentences.attractors[n] <= 3
        assert words[-1] == "." and words.count(".") == 1  # noqa: PT018
        plurals += verb in PLURAL
    assert 200 < plurals < 300
    assert set(sentences.attractors) == {0, 1, 2, 3}


@pytest.mark.parametrize("same", [True, False])
@pytest.mark.parametrize("attractors", range(5))
def test_attractors_are_as_asked_for(rng, attractors, same):
    sentences = grammar.sentences(rng, 100, attractors=attractors, same=same)
    assert (sentences.attractors == attractors).all()
    for words in written(sentences):
        first, *between = [word in PLURAL for word in words if word in NOUNS]
        assert all((number == first) is same for number in between)


def test_attractors_agree_in_seven_sentences_of_ten(rng):
    sentences = grammar.sentences(rng, 2000, attractors=1)
    nouns = [[word in PLURAL for word in words if word in NOUNS] for words in written(sentences)]
    assert np.mean([a == b for a, b in nouns]) == pytest.approx(grammar.SAME, abs=0.04)


def test_every_word_but_the_first_is_asked_for_once(rng):
    sentences = grammar.sentences(rng, 50)
    batch = grammar.next_word(sentences)
    for n, words in enumerate(written(sentences)):
        counted = batch.mask[:, n] > 0
        assert grammar.text(batch.x[counted, n]).split() == words[:-1]
        assert grammar.text(batch.y[counted, n]).split() == words[1:]


def always(verb):
    """A model that takes one verb for the likeliest word everywhere."""
    model = Model.random(np.random.default_rng(0), "lstm", H=2, D=2, K=31, V=31)
    model.parameters["b_y"][INDEX[verb]] = 50
    return model


def test_accuracy_counts_the_right_number(rng):
    sentences = grammar.sentences(rng, 300)
    plural = sentences.plural.mean()
    assert grammar.verb_accuracy(always("are"), sentences) == plural
    assert grammar.verb_accuracy(always("is"), sentences) == 1 - plural


def test_a_stream_is_sentences_without_a_gap(rng):
    stream = grammar.stream(rng, 3, 400)
    assert stream.words.shape == stream.verb.shape == (400, 3)
    for n in range(3):
        words = grammar.text(stream.words[:, n]).split()
        sentences = " ".join(words).split(" . ")
        assert len(sentences) > 20
        assert all(sentence.split()[0] == "the" for sentence in sentences)
        assert [word in VERBS for word in words] == stream.verb[:, n].tolist()
    plural = np.mean([WORDS[w] in PLURAL for w in stream.words[stream.verb]])
    scores = always("are").run(stream.words).outputs
    assert grammar.stream_accuracy(scores, stream) == plural


def test_what_is_recalled_is_the_first_word(rng):
    x, y, mask = tasks.delayed_recall(rng, 200, 12)
    assert x.shape == (12, 200, 8)
    assert np.array_equal(x.sum(axis=-1), np.ones((12, 200)))
    assert np.array_equal(y[-1], x[0].argmax(axis=-1))
    assert not x[1:, :, : tasks.SYMBOLS].any()
    assert set(y[-1]) == {0, 1, 2, 3}
    assert np.array_equal(mask.sum(axis=1), [0] * 11 + [200])


def test_the_sum_is_that_of_one_number_in_each_half(rng):
    x, y, mask = tasks.adding(rng, 500, 20)
    assert np.array_equal(x[:10, :, 1].sum(axis=0), np.ones(500))
    assert np.array_equal(x[10:, :, 1].sum(axis=0), np.ones(500))
    np.testing.assert_allclose(y[-1, :, 0], (x[..., 0] * x[..., 1]).sum(axis=0))
    assert np.mean((y[-1] - 1) ** 2) == pytest.approx(1 / 6, rel=0.15)
    assert np.array_equal(np.flatnonzero(mask.sum(axis=1)), [19])


def test_the_order_is_that_of_the_two_marks(rng):
    x, y, mask = tasks.temporal_order(rng, 300, 20)
    words = x.argmax(axis=-1)
    for n in range(300):
        first, second = np.flatnonzero(words[:, n] < 2)
        assert 2 <= first < 4
        assert 8 <= second < 10
        assert y[-1, n] == 2 * words[first, n] + words[second, n]
    assert set(y[-1]) == {0, 1, 2, 3}
    assert np.array_equal(np.flatnonzero(mask.sum(axis=1)), [19])


def test_the_bit_is_the_sign_of_the_first_number_and_the_rest_is_noise(rng):
    x, y, mask = tasks.latching(rng, 400, 12, 0.3)
    assert x.shape == (12, 400, 1)
    assert np.array_equal(x[0, :, 0], 2 * y[-1] - 1)
    assert set(y[-1]) == {0, 1}
    assert np.mean(y[-1]) == pytest.approx(0.5, abs=0.1)
    assert x[1:].std() == pytest.approx(0.3, rel=0.05)
    assert x[1:].mean() == pytest.approx(0, abs=0.02)
    assert np.array_equal(mask.sum(axis=1), [0] * 11 + [400])
    assert not tasks.latching(rng, 4, 12, 0).x[1:].any()


def test_accuracy_reads_what_counts_alone(rng):
    batch = tasks.delayed_recall(rng, 400, 5)
    model = Model.random(rng, "rnn", H=3, D=8, K=4)
    model.parameters["b_y"][2] = 50
    assert tasks.accuracy(model, batch) == np.mean(batch.y[-1] == 2)


@pytest.mark.parametrize(
    "draw",
    [
        partial(grammar.sentences, B=3),
        partial(grammar.stream, B=3, T=30),
        partial(tasks.delayed_recall, B=3, T=20),
        partial(tasks.adding, B=3, T=20),
        partial(tasks.temporal_order, B=3, T=20),
        partial(tasks.latching, B=3, T=20),
    ],
)
def test_the_same_seed_draws_the_same_and_another_another(draw):
    one, same, other = (draw(np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert all(np.array_equal(a, b) for a, b in zip(one, same, strict=True))
    assert not all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))
    with pytest.raises(TypeError, match="rng: expected a Generator"):
        draw(1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (partial(tasks.delayed_recall, T=1, B=2), "T: expected an integer of at least 2, got 1"),
        (partial(tasks.temporal_order, T=9, B=2), "T: expected an integer of at least 10, got 9"),
        (partial(tasks.adding, T=9, B=0), "B: expected an integer of at least 1, got 0"),
        (partial(tasks.latching, T=1, B=2), "T: expected an integer of at least 2, got 1"),
        (partial(tasks.latching, T=9, B=2, noise=-1), "noise: expected"),
        (partial(tasks.latching, T=9, B=2, noise=np.nan), "noise: expected"),
        (partial(grammar.sentences, B=1, attractors=7), "attractors: expected an integer of at"),
    ],
)
def test_a_wrong_argument_is_named(rng, call, message):
    with pytest.raises(ValueError, match=message):
        call(rng)
