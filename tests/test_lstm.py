import math
from dataclasses import replace

import numpy as np
import pytest

from lesson20 import lstm
from lesson20.blame import rms_gain
from lesson20.lstm import (
    LSTM,
    bptt,
    bptt_stack,
    direct_path,
    half_life,
    parameter_count,
    total_path,
    unroll,
    unroll_stack,
)
from second_road import assert_agrees, differences


@pytest.fixture
def rng():
    return np.random.default_rng(20)


def a_net(rng, H=3, D=2, forget_gate=True):
    net = LSTM.random(rng, H, D, forget_gate=forget_gate)
    return replace(net, W=2 * net.W, b=rng.normal(size=net.b.shape))


def a_sentence(rng, *, T=5, H=3, D=2, batch=(), forget_gate=True):
    net = a_net(rng, H, D, forget_gate)
    x = rng.normal(size=(T, *batch, D))
    h_0, c_0 = rng.normal(size=(2, *batch, H))
    direct = rng.normal(size=(T, *batch, H))

    def loss(net=net, x=x, h_0=h_0, c_0=c_0):
        return np.sum(direct * unroll(net, x, h_0, c_0).h[1:])

    return net, x, h_0, c_0, direct, loss


kinds = pytest.mark.parametrize("forget_gate", [True, False])
batches = pytest.mark.parametrize("batch", [(), (2,), (2, 2)])


def test_one_step_is_the_equations_written_out():
    def sigma(z):
        return 1 / (1 + math.exp(-z))

    # one unit, one letter: every gate has its own numbers, so that no two can be exchanged
    net = LSTM.from_gates(
        W_f=[[0.3, -0.7]], W_i=[[-1.1, 0.4]], W_o=[[0.9, 1.3]], W_c=[[0.2, -1.6]],
        b_f=[1.0], b_i=[-0.5], b_o=[0.1], b_c=[0.6],
    )  # fmt: skip
    x, h, c = 0.8, -0.4, 1.5
    f = sigma(0.3 * h - 0.7 * x + 1.0)
    i = sigma(-1.1 * h + 0.4 * x - 0.5)
    o = sigma(0.9 * h + 1.3 * x + 0.1)
    c_tilde = math.tanh(0.2 * h - 1.6 * x + 0.6)
    c_next = f * c + i * c_tilde
    wanted = (f, i, o, c_tilde, c_next, o * math.tanh(c_next))
    state = net.step([x], [h], [c])
    assert state._fields == ("f", "i", "o", "c_tilde", "c", "h")
    np.testing.assert_allclose(np.ravel(state), wanted, rtol=1e-14)


@kinds
def test_unrolling_repeats_the_step(rng, forget_gate):
    net, x, h_0, c_0, *_ = a_sentence(rng, batch=(2,), forget_gate=forget_gate)
    trace = unroll(net, x, h_0, c_0)
    assert np.array_equal(trace.h[0], h_0)
    assert np.array_equal(trace.c[0], c_0)
    for t in range(1, 6):
        state = net.step(x[t - 1], trace.h[t - 1], trace.c[t - 1])
        for name in ("f", "i", "o", "c_tilde"):
            np.testing.assert_allclose(
                getattr(trace, name)[t - 1], getattr(state, name), rtol=1e-12
            )
        np.testing.assert_allclose(trace.c[t], state.c, rtol=1e-12)
        np.testing.assert_allclose(trace.h[t], state.h, rtol=1e-12)


def test_initial_states_are_zero_unless_given(rng):
    net, x, *_ = a_sentence(rng)
    given = unroll(net, x, np.zeros(3), np.zeros(3))
    assert np.array_equal(unroll(net, x).h, given.h)
    assert not given.c[0].any()


def test_a_sentence_in_a_batch_is_read_as_if_alone(rng):
    net, x, h_0, c_0, *_ = a_sentence(rng, batch=(2, 3))
    together, alone = unroll(net, x, h_0, c_0), unroll(net, x[:, 1, 2], h_0[1, 2], c_0[1, 2])
    for many, one in zip(together, alone, strict=True):
        np.testing.assert_allclose(many[:, 1, 2], one, rtol=1e-12)


def test_an_empty_sentence_leaves_the_initial_state(rng):
    trace = unroll(a_net(rng), np.zeros((0, 2)), [1, 2, 3], [4, 5, 6])
    assert np.array_equal(trace.h, [[1, 2, 3]])
    assert np.array_equal(trace.c, [[4, 5, 6]])
    assert trace.f.shape == (0, 3)
    assert np.array_equal(direct_path(trace), np.ones((1, 3)))


def test_the_form_of_1997_is_the_limit_of_a_forget_gate_held_open(rng):
    old = a_net(rng, forget_gate=False)
    assert old.W.shape == (9, 5)
    modern = LSTM.from_gates(
        W_f=np.zeros((3, 5)), W_i=old.W_i, W_o=old.W_o, W_c=old.W_c,
        b_f=np.full(3, 100), b_i=old.b_i, b_o=old.b_o, b_c=old.b_c,
    )  # fmt: skip
    x = rng.normal(size=(6, 2))
    for one, other in zip(unroll(old, x), unroll(modern, x), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-13)
    assert (unroll(old, x).f == 1).all()


def test_the_1997_belt_grows_without_bound_and_a_forget_gate_holds_it():
    zeros, open_ = np.zeros((1, 2)), [100.0]
    gates = {"W_i": zeros, "W_o": zeros, "W_c": zeros, "b_i": open_, "b_o": open_, "b_c": [1.0]}
    x = np.zeros((500, 1))
    assert unroll(LSTM.from_gates(**gates), x).c[-1, 0] == pytest.approx(500 * math.tanh(1))
    held = unroll(LSTM.from_gates(**gates, W_f=zeros, b_f=[1.0]), x).c[-1, 0]
    assert held == pytest.approx(math.tanh(1) / (1 - 1 / (1 + math.exp(-1))))  # a geometric series


@kinds
@batches
def test_backpropagation_agrees_with_central_differences(rng, forget_gate, batch):
    net, x, h_0, c_0, direct, loss = a_sentence(rng, batch=batch, forget_gate=forget_gate)
    found = bptt(net, x, unroll(net, x, h_0, c_0), direct)
    assert_agrees(found.parameters["W"], differences(lambda W: loss(replace(net, W=W)), net.W))
    assert_agrees(found.parameters["b"], differences(lambda b: loss(replace(net, b=b)), net.b))
    assert_agrees(found.x, differences(lambda x: loss(x=x), x))
    assert_agrees(found.h[0], differences(lambda h_0: loss(h_0=h_0), h_0))
    assert_agrees(found.c[0], differences(lambda c_0: loss(c_0=c_0), c_0))


@kinds
def test_total_blame_is_the_loss_of_the_rest_of_the_sentence(rng, forget_gate):
    net, x, h_0, c_0, direct, _ = a_sentence(rng, batch=(2,), forget_gate=forget_gate)
    trace = unroll(net, x, h_0, c_0)
    found = bptt(net, x, trace, direct)
    for k in range(1, len(x) + 1):

        def rest(h, c, k=k):
            return np.sum(direct[k - 1 :] * unroll(net, x[k:], h, c).h)

        held, o = trace.c[k], trace.o[k - 1]
        assert_agrees(found.h[k], differences(lambda h, c=held: rest(h, c), trace.h[k]))
        # a nudge to the belt moves h_k with it
        assert_agrees(found.c[k], differences(lambda c, o=o: rest(o * np.tanh(c), c), trace.c[k]))


def test_the_gradients_of_a_batch_are_the_sums_over_its_sentences(rng):
    net, x, h_0, c_0, direct, _ = a_sentence(rng, batch=(3,))
    together = bptt(net, x, unroll(net, x, h_0, c_0), direct)
    alone = [
        bptt(net, x[:, n], unroll(net, x[:, n], h_0[n], c_0[n]), direct[:, n]) for n in range(3)
    ]
    assert_agrees(together.W, sum(one.W for one in alone), 1e-13)
    assert_agrees(together.b, sum(one.b for one in alone), 1e-13)
    assert_agrees(together.c[:, 2], alone[2].c, 1e-13)


@kinds
@pytest.mark.parametrize("batch", [(), (2,)])
def test_the_total_path_is_the_derivative_of_the_last_belt(rng, forget_gate, batch):
    net, x, h_0, c_0, *_ = a_sentence(rng, batch=batch, forget_gate=forget_gate)
    trace = unroll(net, x, h_0, c_0)
    P = total_path(net, x, trace)
    assert P.shape == (6, *batch, 3, 3)
    one = (slice(None), *(0 for _ in batch))  # the first sentence of the batch
    x, h_0, trace, P = x[one], h_0[one[1:]], [a[one] for a in trace], P[one]
    o, c = trace[2], trace[4]
    assert_agrees(P[0], differences(lambda c: unroll(net, x, h_0, c).c[-1], c[0]))
    for k in range(1, 6):
        last = differences(lambda c, k=k: unroll(net, x[k:], o[k - 1] * np.tanh(c), c).c[-1], c[k])
        assert_agrees(P[k], last)


def test_blame_on_the_last_belt_comes_back_the_same_by_both_roads(rng):
    # The belt of the last word is seen through an output gate that nothing can move.
    net, x, *_ = a_sentence(rng)
    W, b = net.W.copy(), net.b.copy()
    W[6:9], b[6:9] = 0, 0  # o = σ(0) = 1/2
    net = LSTM(W, b)
    trace = unroll(net, x)
    v = rng.normal(size=3)
    direct = np.zeros((5, 3))
    direct[-1] = v / (0.5 * (1 - np.tanh(trace.c[-1]) ** 2))  # so that ∂L/∂c_T is v
    found = bptt(net, x, trace, direct)
    assert_agrees(found.c, v @ total_path(net, x, trace), 1e-12)


def test_the_direct_path_is_the_product_of_the_later_forget_gates(rng):
    net, x, h_0, c_0, *_ = a_sentence(rng, batch=(2,))
    trace = unroll(net, x, h_0, c_0)
    direct = direct_path(trace)
    for k in range(6):
        wanted = np.ones((2, 3))
        for t in range(k + 1, 6):
            wanted = wanted * trace.f[t - 1]
        np.testing.assert_allclose(direct[k], wanted, rtol=1e-13)


@kinds
def test_without_paths_through_h_the_total_is_the_direct(rng, forget_gate):
    net, x, *_ = a_sentence(rng, forget_gate=forget_gate)
    W = net.W.copy()
    W[:, :3] = 0  # no gate reads h
    net = replace(net, W=W)
    trace = unroll(net, x)
    total = total_path(net, x, trace)
    np.testing.assert_allclose(total, direct_path(trace)[..., None] * np.eye(3), atol=1e-15)


def test_with_them_it_is_not(rng):
    net, x, *_ = a_sentence(rng)
    trace = unroll(net, x)
    total = total_path(net, x, trace)
    assert np.abs(total[1] - direct_path(trace)[1] * np.eye(3)).max() > 1e-3
    assert np.array_equal(total[-1], np.eye(3))


@pytest.mark.parametrize("batch", [(), (2,)])
def test_blame_goes_down_a_stack_as_central_differences_say(rng, batch):
    layers = [a_net(rng, 3, 2), a_net(rng, 2, 3, forget_gate=False), a_net(rng, 4, 2)]
    x, direct = rng.normal(size=(3, *batch, 2)), rng.normal(size=(3, *batch, 4))

    def loss(layers=layers, x=x):
        return np.sum(direct * unroll_stack(layers, x)[-1].h[1:])

    found = bptt_stack(layers, x, unroll_stack(layers, x), direct)
    assert_agrees(found[0].x, differences(lambda x: loss(x=x), x))
    for n in range(3):
        for name in ("W", "b"):

            def changed(p, n=n, name=name):
                return loss([*layers[:n], replace(layers[n], **{name: p}), *layers[n + 1 :]])

            assert_agrees(getattr(found[n], name), differences(changed, getattr(layers[n], name)))


def test_each_layer_of_a_stack_reads_the_one_below(rng):
    layers, x = [a_net(rng, 3, 2), a_net(rng, 4, 3)], rng.normal(size=(5, 2))
    below, above = unroll_stack(layers, x)
    assert np.array_equal(below.h, unroll(layers[0], x).h)
    assert np.array_equal(above.h, unroll(layers[1], below.h[1:]).h)


def test_a_layer_of_a_thousand_has_eight_million_and_four_thousand_parameters():
    assert parameter_count(1000, 1000) == 8_004_000
    assert parameter_count(1000, 1000) == 4 * (1000 * (1000 + 1000) + 1000)  # four RNNs
    assert parameter_count(10**6, 10**6) == 8 * 10**12 + 4 * 10**6  # no array is made
    assert parameter_count(6, 4, forget_gate=False) == 3 * 66


@kinds
def test_the_count_is_the_number_of_numbers(rng, forget_gate):
    net = LSTM.random(rng, 5, 7, forget_gate=forget_gate)
    assert (net.H, net.D) == (5, 7)
    assert net.parameter_count == parameter_count(5, 7, forget_gate=forget_gate)
    assert net.parameter_count == sum(
        getattr(net, f"{kind}_{gate}").size for kind in "Wb" for gate in net.gates
    )


@kinds
def test_gates_go_in_and_come_out_by_name(rng, forget_gate):
    net = a_net(rng, forget_gate=forget_gate)
    blocks = {
        f"{kind}_{gate}": getattr(net, f"{kind}_{gate}") for kind in "Wb" for gate in net.gates
    }
    again = LSTM.from_gates(**blocks)
    assert np.array_equal(again.W, net.W)
    assert np.array_equal(again.b, net.b)
    assert again.forget_gate is forget_gate
    assert hasattr(net, "W_f") == hasattr(net, "b_f") == forget_gate


def test_the_forget_bias_goes_to_the_forget_gate_alone(rng):
    net = LSTM.random(rng, 3, 2, forget_bias=2.5)
    assert np.array_equal(net.b_f, [2.5] * 3)
    assert not np.any([net.b_i, net.b_o, net.b_c])


def test_parameters_are_copies_that_nobody_can_change(rng):
    W, b = rng.normal(size=(12, 5)), np.zeros(12)
    net = LSTM(W, b)
    before = W.copy()
    W[:] = 0
    assert np.array_equal(net.W, before)
    for array in (net.W, net.b, net.W_f, net.b_o):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_the_half_life_of_the_belt_is_two_steps_at_one_and_fourteen_at_three():
    assert half_life([1, 3]) == pytest.approx([2.2, 14.3], abs=0.05)
    f = 1 / (1 + math.exp(-2.0))
    assert f ** float(half_life(2)) == pytest.approx(0.5, rel=1e-13)
    assert half_life(0) == pytest.approx(1)


def test_the_half_life_is_right_far_out():
    assert half_life(50) == pytest.approx(math.log(2) * math.exp(50), rel=1e-12)
    assert half_life(-1000) == pytest.approx(math.log(2) / 1000, rel=1e-12)
    assert half_life(1e4) == np.inf


def test_a_bias_of_one_does_not_open_the_belt():
    f = float(lstm.SIGMOID.f(np.array(1.0)))
    assert round(f, 3) == 0.731
    assert round(f**5, 2) == 0.21
    assert round(f**20, 4) == 0.0019
    assert round(float(lstm.SIGMOID.f(np.array(3.476))), 3) == 0.970


def test_weights_of_any_size_overflow_nothing(rng):
    net = a_net(rng)
    net = replace(net, W=1e4 * net.W)
    x = 1e4 * rng.normal(size=(20, 2))
    trace = unroll(net, x)
    found = bptt(net, x, trace, np.ones((20, 3)))
    assert all(np.isfinite(a).all() for a in (*trace, *found))


def test_a_thousand_words_and_256_units_are_no_trouble(rng):
    net = LSTM.random(rng, 256, 256, forget_bias=3)
    x = rng.normal(size=(1000, 256))
    direct = np.zeros((1000, 256))
    direct[-1] = 1
    trace = unroll(net, x)
    found = bptt(net, x, trace, direct)
    assert np.isfinite(found.W).all()
    end = bptt(net, x[-5:], unroll(net, x[-5:], trace.h[-6], trace.c[-6]), direct[-5:])
    assert_agrees(found.c[-5:], end.c[-5:], 1e-12)


def test_the_total_gain_of_a_random_lstm_can_vanish_or_pass_one():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(40, 4))
    gains = []
    for forget_bias in (-2, 5):
        net = LSTM.random(rng, 16, 4, forget_bias=forget_bias)
        gains.append(float(rms_gain(total_path(net, x, unroll(net, x)))[1]))
    assert gains[0] < 1e-12
    assert gains[1] > 1
