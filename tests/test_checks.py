import numpy as np
import pytest

from lesson20 import agreement, blame, cell, experiments, influence, lstm, rnn
from lesson20.checks import floats, frozen, integer, number
from lesson20.lstm import LSTM
from lesson20.rnn import RNN, OutputLayer

RNG = np.random.default_rng(20)
NET, CELL = RNN.random(RNG, 6, 4), LSTM.random(RNG, 3, 2)
X, X2 = RNG.normal(size=(10, 4)), RNG.normal(size=(5, 2))
H, TRACE = rnn.unroll(NET, X), lstm.unroll(CELL, X2)
NAN = np.where(np.arange(40).reshape(10, 4) == 13, np.nan, 0)

VALUE_ERRORS = {
    "x: expected shape (T, ..., D=4), got (10, 3)": lambda: rnn.unroll(NET, np.ones((10, 3))),
    "x: expected shape (T, ..., D=4), got (4,)": lambda: rnn.unroll(NET, [1, 2, 3, 4]),
    "x: expected shape (T, ..., D=4), got (0,)": lambda: rnn.unroll(NET, []),
    "h_0: expected shape (H=6,), got (5,)": lambda: rnn.unroll(NET, X, np.ones(5)),
    "h_0: expected shape (2, H=6), got (6,)": lambda: rnn.unroll(
        NET, np.ones((10, 2, 4)), np.ones(6)
    ),
    "x: expected shape (..., D=4), got (3,)": lambda: NET.step(np.ones(3), np.ones(6)),
    "h: expected shape (H=6,), got (2, 6)": lambda: NET.step(np.ones(4), np.ones((2, 6))),
    "h_next: expected shape (..., H=6), got ()": lambda: NET.step_jacobian(1.0),
    "W_h: expected shape (H=6, H=6), got (6, 5)": lambda: RNN(np.ones((6, 4)), np.ones((6, 5))),
    "W_x: expected shape (H, D), got (4,)": lambda: RNN(np.ones(4), np.eye(4)),
    "W_x: expected shape (H, D), got (0, 4)": lambda: RNN(np.ones((0, 4)), np.ones((0, 0))),
    "b: expected shape (H=2,), got (3,)": lambda: RNN(np.ones((2, 2)), np.eye(2), np.ones(3)),
    "W_y: expected shape (V, H), got (3,)": lambda: OutputLayer(np.ones(3)),
    "h: expected shape (..., H=3), got (4,)": lambda: OutputLayer(np.ones((5, 3))).probabilities(
        np.ones(4)
    ),
    "logits: expected shape (..., V), got ()": lambda: rnn.softmax(1.0),
    "h: expected shape (T+1, ..., H=6), got (3, 5)": lambda: blame.jacobians(NET, np.ones((3, 5))),
    "J: expected shape (T, ..., H, H), got (3, 2, 4)": lambda: blame.products(np.ones((3, 2, 4))),
    "P: expected shape (..., H, H), got (1,)": lambda: blame.rms_gain([1.0]),
    "h: expected shape (T+1=11, H=6), got (10, 6)": lambda: blame.bptt(NET, X, H[1:], H[1:]),
    "dL_dh: expected shape (T=10, H=6), got (11, 6)": lambda: blame.bptt(NET, X, H, H),
    "b: expected shape (4H,), got (11,)": lambda: LSTM(np.ones((12, 5)), np.ones(11)),
    "W: expected shape (4H=12, H+D), got (11, 5)": lambda: LSTM(np.ones((11, 5)), np.ones(12)),
    "W: expected more than H=3 columns, got (12, 3)": lambda: LSTM(np.ones((12, 3)), np.ones(12)),
    "b: expected shape (3H,), got (8,)": lambda: LSTM(
        np.ones((8, 5)), np.ones(8), forget_gate=False
    ),
    "W_o: expected shape (H=1, H+D=2), got (1, 3)": lambda: LSTM.from_gates(
        W_i=np.ones((1, 2)), W_o=np.ones((1, 3)), W_c=np.ones((1, 2)), b_i=[0], b_o=[0], b_c=[0]
    ),
    "W_f, b_f: expected both or neither, got b_f alone": lambda: LSTM.from_gates(
        W_i=np.ones((1, 2)),
        W_o=np.ones((1, 2)),
        W_c=np.ones((1, 2)),
        b_i=[0],
        b_o=[0],
        b_c=[0],
        b_f=[1],
    ),
    "c: expected shape (H=3,), got (4,)": lambda: CELL.step(np.ones(2), np.ones(3), np.ones(4)),
    "x: expected shape (T, ..., D=2), got (5, 3)": lambda: lstm.unroll(CELL, np.ones((5, 3))),
    "c_0: expected shape (H=3,), got (2,)": lambda: lstm.unroll(CELL, X2, c_0=np.ones(2)),
    "trace.f: expected shape (T=4, H=3), got (5, 3)": lambda: lstm.bptt(
        CELL, X2[1:], TRACE, np.ones((4, 3))
    ),
    "trace.c: expected shape (T+1=6, H=3), got (5, 3)": lambda: lstm.bptt(
        CELL, X2, TRACE._replace(c=TRACE.f), np.ones((5, 3))
    ),
    "dL_dh: expected shape (T=5, H=3), got (3,)": lambda: lstm.bptt(CELL, X2, TRACE, np.ones(3)),
    "layers[1]: expected D=3, got D=2": lambda: lstm.unroll_stack([CELL, CELL], X2),
    "traces: expected a list of 1, one per layer, got a list of 0": lambda: lstm.bptt_stack(
        [CELL], X2, [], np.ones((5, 3))
    ),
    "x: expected finite numbers, got nan at (3, 1)": lambda: rnn.unroll(NET, NAN),
    "W_x: expected finite numbers, got inf at (0, 0)": lambda: RNN([[np.inf]], [[1]]),
    "z: expected finite numbers, got nan": lambda: rnn.sigmoid(np.nan),
    "g: expected finite numbers, got inf": lambda: influence(np.inf, 3),
    "x: expected shape (T, ..., D=4), got ragged lists": lambda: rnn.unroll(
        NET, [[1, 2, 3, 4], [1, 2]]
    ),
    "g: expected a single number, got (2,)": lambda: influence([1.5, 2.0], 3),
    "f: expected a number at least 0 and at most 1, got 1.5": lambda: cell(1.5, 0.5, 1.0),
    "i: expected a number at least 0 and at most 1, got -0.1": lambda: agreement.belt(0.5, -0.1),
    "sigma_1: expected a number above 0, got 0": lambda: RNN.random(RNG, 6, 4, sigma_1=0),
    "sigma_1: expected a number at least 0, got -1": lambda: blame.gain_bound(1, -1, 3),
    "distance: expected no negative steps, got -2": lambda: blame.gain_bound(1, 1, [1, -2]),
    "threshold: expected a number above 0, got 0": lambda: blame.clip_by_global_norm([X], 0),
    "H: expected an integer of at least 1, got 0": lambda: RNN.random(RNG, 0, 4),
    "D: expected an integer of at least 1, got -4": lambda: RNN.random(RNG, 6, -4),
    "D: expected an integer of at least 1, got 0": lambda: lstm.parameter_count(1, 0),
    "steps: expected an integer of at least 0, got -1": lambda: influence(1.5, -1),
    "steps: expected an integer of at least 1, got 0": lambda: blame.influence_path(1.5, 0),
    "runs: expected an integer of at least 1, got 0": lambda: experiments.erratic_blame(runs=0),
    "seed: expected an integer of at least 0, got -1": lambda: experiments.reading(-1),
    "f: expected shape (F,), got ()": lambda: experiments.belt_square(f=0.5),
    "limit: expected a number above 0, got -1": lambda: experiments.slopes(-1),
    "activation: expected one of tanh, sigmoid, relu, got 'softplus'": lambda: RNN.random(
        RNG, 6, 4, activation="softplus"
    ),
    "activation: expected one of tanh, sigmoid, relu, got None": lambda: RNN(
        [[1]], [[1]], activation=None
    ),
    "gradients['b']: expected finite numbers, got nan at (0,)": lambda: blame.clip_by_global_norm(
        {"b": [np.nan]}, 1
    ),
}

TYPE_ERRORS = {
    "x: expected real numbers, got array(": lambda: rnn.unroll(NET, X > 0),
    "x: expected real numbers, got 'the flowers'": lambda: rnn.unroll(NET, "the flowers"),
    "z: expected real numbers, got 1j": lambda: rnn.sigmoid(1j),
    "z: expected real numbers, got None": lambda: rnn.sigmoid(None),
    "f: expected real numbers, got True": lambda: cell(True, 0.5, 1.0),
    "f: expected real numbers, got '0.6'": lambda: cell("0.6", 0.5, 1.0),
    "H: expected an integer, got 6.0": lambda: RNN.random(RNG, 6.0, 4),
    "H: expected an integer, got True": lambda: LSTM.random(RNG, True, 4),
    "V: expected an integer, got '5'": lambda: OutputLayer.random(RNG, "5", 3),
    "steps: expected an integer, got 2.5": lambda: influence(1.5, 2.5),
    "points: expected an integer, got 1.5": lambda: experiments.half_lives(points=1.5),
    "rng: expected a Generator, as numpy.random.default_rng(seed) makes it, got 20": lambda: (
        RNN.random(20, 6, 4)
    ),
    "rng: expected a Generator": lambda: LSTM.random(np.random.RandomState(1), 6, 4),
    "rng: expected a Generator, as numpy.random.default_rng(seed) makes it, got None": lambda: (
        OutputLayer.random(None, 6, 4)
    ),
    "trace: expected Trace, got 0": lambda: lstm.bptt_stack([CELL], X2, [0], np.ones((5, 3))),
    "bias: expected bool, got 1": lambda: RNN.random(RNG, 6, 4, bias=1),
    "forget_gate: expected bool, got 'no'": lambda: LSTM(
        np.ones((12, 5)), np.ones(12), forget_gate="no"
    ),
    "forget_gate: expected bool, got 0": lambda: lstm.parameter_count(1, 1, forget_gate=0),
    "net: expected RNN, got LSTM(": lambda: rnn.unroll(CELL, X),
    "net: expected LSTM, got RNN(": lambda: lstm.unroll(NET, X),
    "net: expected RNN, got None": lambda: blame.bptt(None, X, H, H),
    "trace: expected Trace, got array(": lambda: lstm.direct_path(H),
    "layers: expected a list of at least one LSTM, got []": lambda: lstm.unroll_stack([], X2),
    "layers: expected a list of at least one LSTM, got LSTM(": lambda: lstm.unroll_stack(CELL, X2),
    "gradients: expected a dict or a list of arrays, got ndarray": lambda: (
        blame.clip_by_global_norm(X, 1)
    ),
    "h: expected real numbers, got 'plural'": lambda: agreement.verdict("plural"),
}


MISUSES = [
    pytest.param(misuse, error, message, id=message)
    for error, table in ((ValueError, VALUE_ERRORS), (TypeError, TYPE_ERRORS))
    for message, misuse in table.items()
]


@pytest.mark.parametrize(("misuse", "error", "message"), MISUSES)
def test_a_misuse_is_told_by_name_with_what_came_and_what_is_wanted(misuse, error, message):
    with pytest.raises(error) as caught:
        misuse()
    assert str(caught.value).startswith(message)


def test_numpy_integers_and_whole_arrays_of_them_are_welcome():
    net = RNN.random(RNG, np.int64(6), np.uint8(4))
    assert net.W_x.shape == (6, 4)
    assert influence(np.float32(1.5), np.int32(3)) == influence(1.5, 3)
    assert rnn.unroll(net, np.ones((2, 4), dtype=np.int16)).dtype == np.float64


def test_a_repeated_name_means_the_same_length():
    assert floats("P", np.ones((5, 3, 3)), "..., H, H").shape == (5, 3, 3)
    with pytest.raises(ValueError, match="P: expected shape"):
        floats("P", np.ones((5, 3, 2)), "..., H, H")


def test_a_batch_may_have_any_number_of_axes_or_exactly_those_given():
    for shape in ((7, 4), (7, 2, 4), (7, 2, 3, 4)):
        assert floats("x", np.ones(shape), "T, ..., D=4").shape == shape
    assert floats("h", np.ones((7, 2, 4)), "T, ..., D=4", batch=(2,)).shape == (7, 2, 4)
    with pytest.raises(ValueError, match=r"h: expected shape \(T, 3, D=4\), got \(7, 2, 4\)"):
        floats("h", np.ones((7, 2, 4)), "T, ..., D=4", batch=(3,))


def test_only_time_may_be_empty():
    assert floats("x", np.ones((0, 4)), "T, D").shape == (0, 4)
    with pytest.raises(ValueError, match="x: expected shape"):
        floats("x", np.ones((4, 0)), "T, D")


def test_the_pattern_shown_is_the_pattern_asked_for():
    with pytest.raises(ValueError, match=r"^v: expected shape \(H=3,\), got \(2,\)$"):
        floats("v", [1, 2], "H=3")


def test_a_frozen_array_is_a_copy():
    mine = np.ones(3)
    theirs = frozen("v", mine, "H")
    mine[0] = 5
    assert theirs[0] == 1
    assert not theirs.flags.writeable
    assert mine.flags.writeable


def test_a_checked_array_of_floats_is_not_copied():
    mine = np.ones(3)
    assert floats("v", mine, "H") is mine


def test_one_number_is_one_number():
    assert number("g", np.array(2)) == 2.0
    assert integer("n", np.int8(3)) == 3
    assert type(integer("n", np.int8(3))) is int
