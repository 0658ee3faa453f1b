import numpy as np
import pytest

from lesson20 import records, units
from lesson20.grammar import INDEX, WORDS
from lesson20.training import Model

SENTENCES = ("the flowers are red", "the flower is red")


@pytest.fixture(scope="module")
def record():
    return records.stored("number-unit").record


@pytest.fixture(scope="module")
def unit(record):
    return int(record.drop.max(axis=0).argmax())


def test_follow_agrees_with_the_record(record, unit):
    words = " ".join(record.words)
    run = units.follow(record.model, unit, [words, words.replace("flowers", "flower")])
    net = int(record.drop.max(axis=1).argmax())
    for mine, kept in (
        (run.f[2:, 0], record.f),
        (run.i[2:, 0], record.i),
        (run.c[:, 0], record.c_plural),
        (run.c[:, 1], record.c_singular),
    ):
        np.testing.assert_allclose(mine, kept[net], rtol=1e-3, atol=1e-4)
    assert run.sentences[0] == record.words


def test_what_is_kept_and_what_is_written_make_the_belt(record, unit):
    run = units.follow(record.model, unit, SENTENCES)
    np.testing.assert_allclose(run.c[1:], run.f[1:] * run.c[:-1] + run.written[1:], atol=1e-12)
    assert run.f.shape == run.i.shape == run.written.shape == run.c.shape == (4, 2)


@pytest.mark.parametrize("gate", units.GATES)
def test_a_fixed_gate_is_fixed_whatever_it_reads_and_no_other(record, unit, gate):
    x = np.array([[INDEX[word] for word in text.split()] for text in SENTENCES]).T
    before = record.model.run(x).trace
    after = units.fixed(record.model, unit, gate, -2.0).run(x).trace
    np.testing.assert_allclose(getattr(after, gate)[..., unit], 1 / (1 + np.exp(2)))
    others = np.arange(before.c.shape[-1]) != unit
    np.testing.assert_array_equal(
        getattr(after, gate)[0][:, others], getattr(before, gate)[0][:, others]
    )


def test_fixed_leaves_the_model_alone(record, unit):
    model = record.model
    kept = {name: array.copy() for name, array in model.parameters.items()}
    units.fixed(model, unit, "i", 5)
    for name, array in model.parameters.items():
        np.testing.assert_array_equal(array, kept[name])


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"model": "lstm"}, TypeError, "^model: expected Model, got 'lstm'"),
        ({"unit": 32}, ValueError, "^unit: "),
        ({"sentences": ["the flowers", "the"]}, ValueError, "^sentences: expected at least one"),
        ({"sentences": []}, ValueError, "^sentences: expected at least one"),
        ({"sentences": ["the tulips"]}, ValueError, "^sentences: expected words .* 'tulips'"),
        ({"sentences": [3]}, TypeError, "^sentences: expected str, got 3"),
    ],
)
def test_follow_names_what_is_wrong(record, change, error, message):
    arguments = {"model": record.model, "unit": 0, "sentences": SENTENCES} | change
    with pytest.raises(error, match=message):
        units.follow(**arguments)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"model": 3}, TypeError, "^model: expected Model, got 3"),
        ({"unit": -1}, ValueError, "^unit: "),
        ({"gate": "c"}, ValueError, "^gate: expected one of f, i, o, got 'c'"),
        ({"z": np.nan}, ValueError, "^z: "),
    ],
)
def test_fixed_names_what_is_wrong(record, change, error, message):
    arguments = {"model": record.model, "unit": 0, "gate": "i", "z": 0.0} | change
    with pytest.raises(error, match=message):
        units.fixed(**arguments)


def test_a_net_without_gates_is_refused():
    V = len(WORDS)
    rnn = Model.random(np.random.default_rng(0), "rnn", H=4, D=3, K=V, V=V)
    with pytest.raises(ValueError, match=r"^model: expected an LSTM"):
        units.follow(rnn, 0, SENTENCES)
    with pytest.raises(ValueError, match=r"^model: expected an LSTM, got 'rnn'"):
        units.fixed(rnn, 0, "i", 0.0)
