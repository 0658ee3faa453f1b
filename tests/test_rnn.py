import math
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from lesson20 import rnn
from lesson20.rnn import RNN, SIGMOID, TANH, OutputLayer, sigmoid, softmax, unroll
from second_road import assert_agrees, differences


@pytest.fixture
def rng():
    return np.random.default_rng(20)


def a_net(rng, H=4, D=3, **settings):
    net = RNN.random(rng, H, D, **settings)
    return net if net.b is None else replace(net, b=rng.normal(size=H))


def test_one_step_is_the_equation_written_out(rng):
    net, x, h = a_net(rng), rng.normal(size=3), rng.normal(size=4)
    for j in range(4):
        z = net.b[j]
        z += sum(net.W_x[j, n] * x[n] for n in range(3))
        z += sum(net.W_h[j, n] * h[n] for n in range(4))
        assert net.step(x, h)[j] == pytest.approx(math.tanh(z), rel=1e-14)
        logistic = replace(net, activation="sigmoid")
        assert logistic.step(x, h)[j] == pytest.approx(1 / (1 + math.exp(-z)), rel=1e-14)


def test_a_net_without_bias_is_a_net_with_bias_zero(rng):
    net, x = RNN.random(rng, 4, 3, bias=False), rng.normal(size=(5, 3))
    assert np.array_equal(unroll(net, x), unroll(replace(net, b=np.zeros(4)), x))


@pytest.mark.parametrize("activation", ["tanh", "sigmoid", "relu"])
@pytest.mark.parametrize("bias", [True, False])
def test_the_step_jacobian_agrees_with_central_differences(rng, activation, bias):
    net = a_net(rng, activation=activation, bias=bias)
    x, h = rng.normal(size=3), rng.normal(size=4)
    tried = differences(lambda h: net.step(x, h), h)
    assert_agrees(net.step_jacobian(net.step(x, h)), tried)


def test_the_step_jacobian_of_a_batch_is_that_of_each_alone(rng):
    net, h = a_net(rng), rng.uniform(-1, 1, size=(2, 3, 4))
    together = net.step_jacobian(h)
    assert together.shape == (2, 3, 4, 4)
    assert np.array_equal(together[1, 2], net.step_jacobian(h[1, 2]))


def test_unrolling_repeats_the_step(rng):
    net, x, h_0 = a_net(rng), rng.normal(size=(7, 2, 3)), rng.normal(size=(2, 4))
    h = unroll(net, x, h_0)
    assert np.array_equal(h[0], h_0)
    for t in range(1, 8):
        np.testing.assert_allclose(h[t], net.step(x[t - 1], h[t - 1]), rtol=1e-13, atol=1e-15)


def test_the_initial_state_is_zero_unless_given(rng):
    net, x = a_net(rng), rng.normal(size=(2, 3))
    assert np.array_equal(unroll(net, x), unroll(net, x, np.zeros(4)))


def test_a_sentence_in_a_batch_is_read_as_if_alone(rng):
    net, x = a_net(rng), rng.normal(size=(6, 2, 5, 3))
    h = unroll(net, x)
    assert h.shape == (7, 2, 5, 4)
    np.testing.assert_allclose(h[:, 1, 3], unroll(net, x[:, 1, 3]), rtol=1e-13, atol=1e-15)


def test_reading_on_from_a_state_is_reading_the_whole(rng):
    net, x = a_net(rng), rng.normal(size=(9, 3))
    h = unroll(net, x)
    np.testing.assert_allclose(unroll(net, x[4:], h[4]), h[4:], rtol=1e-13, atol=1e-15)


def test_an_empty_sentence_leaves_the_initial_state(rng):
    h = unroll(a_net(rng), np.zeros((0, 3)), [1, 2, 3, 4])
    assert np.array_equal(h, [[1, 2, 3, 4]])


def test_the_state_depends_on_the_order_of_the_words(rng):
    net, x = a_net(rng), rng.normal(size=(4, 3))
    assert np.abs(unroll(net, x)[-1] - unroll(net, x[::-1])[-1]).max() > 0.01


@pytest.mark.parametrize(
    ("H", "D", "bias", "count"), [(6, 4, False, 60), (6, 4, True, 66), (1000, 1000, True, 2001000)]
)
def test_the_net_of_the_lesson_has_sixty_parameters(H, D, bias, count):
    net = RNN(np.ones((H, D)), np.ones((H, H)), np.ones(H) if bias else None)
    assert net.parameter_count == count == H * (H + D) + bias * H


def test_sigma_1_is_the_largest_stretch_of_w_h(rng):
    net = RNN.random(rng, 5, 3, sigma_1=1.7)
    assert net.sigma_1 == pytest.approx(1.7, rel=1e-13)
    # second road: the eigenvalues of W_hᵀ W_h are the squares of the singular values
    assert np.linalg.eigvalsh(net.W_h.T @ net.W_h).max() == pytest.approx(1.7**2, rel=1e-12)


def test_only_the_size_of_w_h_changes_with_sigma_1():
    small, large = (RNN.random(np.random.default_rng(1), 4, 3, sigma_1=s) for s in (0.5, 3))
    np.testing.assert_allclose(large.W_h, 6 * small.W_h, rtol=1e-13)
    assert np.array_equal(large.W_x, small.W_x)


@pytest.mark.parametrize(("phi", "ceiling"), [(TANH, 1.0), (SIGMOID, 0.25)])
def test_the_slope_is_the_derivative_and_gamma_its_ceiling_reached_at_zero(phi, ceiling):
    z = np.linspace(-6, 6, 121)
    tried = (phi.f(z + 1e-5) - phi.f(z - 1e-5)) / 2e-5
    assert_agrees(phi.slope(phi.f(z)), tried, 1e-9)
    assert phi.slope(phi.f(z)).max() == phi.slope(phi.f(np.zeros(1)))[0] == ceiling == phi.gamma


def test_a_net_knows_the_ceiling_of_its_activation(rng):
    assert RNN.random(rng, 2, 2).gamma == 1
    assert RNN.random(rng, 2, 2, activation="sigmoid").gamma == 0.25


def test_the_sigmoid_survives_any_number():
    with np.errstate(all="raise"):
        z = np.array([-1e308, -1000, -710, -30, 0, 30, 710, 1000, 1e308])
        s = sigmoid(z)
    assert ((s >= 0) & (s <= 1)).all()
    assert s[4] == 0.5
    np.testing.assert_allclose(s + s[::-1], 1, rtol=1e-15)
    assert s[3] == pytest.approx(math.exp(-30), rel=1e-12)  # small, and still right to 12 digits
    assert s[1] < 1e-300


def test_the_sigmoid_is_a_tanh_in_disguise():
    z = np.linspace(-20, 20, 101)
    np.testing.assert_allclose(sigmoid(z), (1 + np.tanh(z / 2)) / 2, rtol=0, atol=1e-15)


def test_the_softmax_survives_a_thousand_and_sees_differences_only(rng):
    with np.errstate(all="raise"):
        certain = softmax([1000, -1000, 0])
    assert np.array_equal(certain, [1, 0, 0])
    logits = rng.normal(size=(3, 5))
    p = softmax(logits)
    np.testing.assert_allclose(p.sum(axis=-1), 1, rtol=1e-14)
    np.testing.assert_allclose(softmax(logits + 1000), p, rtol=1e-11)
    np.testing.assert_allclose(p[0, 1] / p[0, 2], math.exp(logits[0, 1] - logits[0, 2]), rtol=1e-13)


def test_the_output_layer_gives_one_distribution_per_state(rng):
    layer, h = OutputLayer.random(rng, 7, 4), rng.normal(size=(3, 2, 4))
    p = layer.probabilities(h)
    assert p.shape == (3, 2, 7)
    scores = np.exp([layer.W_y[v] @ h[2, 1] for v in range(7)])
    np.testing.assert_allclose(p[2, 1], scores / scores.sum(), rtol=1e-13)


def test_parameters_are_copies_that_nobody_can_change(rng):
    W_x, W_h, b = rng.normal(size=(4, 3)), rng.normal(size=(4, 4)), np.zeros(4)
    net = RNN(W_x, W_h, b)
    before = W_x.copy()
    W_x[:] = 0
    assert np.array_equal(net.W_x, before)
    for array in (net.W_x, net.W_h, net.b, OutputLayer(W_h).W_y):
        assert array.dtype == np.float64
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(FrozenInstanceError):
        net.W_x = before


def test_the_same_seed_makes_the_same_net():
    one, two, other = (RNN.random(np.random.default_rng(s), 4, 3) for s in (1, 1, 2))
    assert np.array_equal(one.W_h, two.W_h)
    assert not np.array_equal(one.W_h, other.W_h)


def test_random_weights_have_variance_one_over_the_row_length():
    net = RNN.random(np.random.default_rng(0), 300, 400)
    assert net.W_x.var() * 400 == pytest.approx(1, rel=0.03)
    assert net.W_h.var() * 300 == pytest.approx(1, rel=0.03)


def test_relu_cuts_at_zero_and_has_no_ceiling():
    net = RNN([[1.0]], [[1.0]], activation="relu")
    assert np.array_equal(unroll(net, [[2], [3], [-9], [1]])[:, 0], [0, 2, 5, 0, 1])
    assert net.gamma == 1
    with pytest.raises(ValueError, match="x: too large, the result overflows"):
        unroll(RNN([[1.0]], [[1e9]], activation="relu"), np.ones((40, 1)))


def test_lists_and_integers_are_read_as_float64():
    net = RNN([[1, 0]], [[2]], activation="sigmoid")
    assert rnn.unroll(net, [[1, 1]]).dtype == np.float64
    assert net.sigma_1 == 2
