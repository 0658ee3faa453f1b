import math
from dataclasses import replace

import numpy as np
import pytest

from lesson20 import influence
from lesson20.blame import (
    bptt,
    clip_by_global_norm,
    gain_bound,
    influence_path,
    influence_threshold,
    jacobians,
    products,
    rms_gain,
)
from lesson20.rnn import RNN, unroll
from second_road import assert_agrees, differences


@pytest.fixture
def rng():
    return np.random.default_rng(20)


def a_sentence(rng, *, T=6, H=4, D=3, batch=(), **settings):
    """A net, words, an initial state, the direct blame, and the loss that has it."""
    net = RNN.random(rng, H, D, **settings)
    if net.b is not None:
        net = replace(net, b=rng.normal(size=H))
    x, h_0 = rng.normal(size=(T, *batch, D)), rng.normal(size=(*batch, H))
    direct = rng.normal(size=(T, *batch, H))

    def loss(net=net, x=x, h_0=h_0):
        return np.sum(direct * unroll(net, x, h_0)[1:])

    return net, x, h_0, direct, loss


kinds = pytest.mark.parametrize(
    ("activation", "bias", "batch"),
    [
        ("tanh", True, ()),
        ("tanh", False, ()),
        ("tanh", True, (2,)),
        ("tanh", False, (2, 2)),
        ("sigmoid", True, ()),
        ("sigmoid", False, (2,)),
        ("relu", True, (2,)),
    ],
)


@kinds
def test_backpropagation_agrees_with_central_differences(rng, activation, bias, batch):
    net, x, h_0, direct, loss = a_sentence(rng, activation=activation, bias=bias, batch=batch)
    found = bptt(net, x, unroll(net, x, h_0), direct)
    for name, gradient in found.parameters.items():
        tried = differences(
            lambda p, name=name: loss(replace(net, **{name: p})), getattr(net, name)
        )
        assert_agrees(gradient, tried)
    assert_agrees(found.x, differences(lambda x: loss(x=x), x))
    assert_agrees(found.h[0], differences(lambda h_0: loss(h_0=h_0), h_0))
    assert ("b" in found.parameters) == bias == (found.b is not None)


@kinds
def test_total_blame_is_the_loss_of_the_rest_of_the_sentence(rng, activation, bias, batch):
    net, x, h_0, direct, _ = a_sentence(rng, activation=activation, bias=bias, batch=batch)
    h = unroll(net, x, h_0)
    found = bptt(net, x, h, direct)
    for k in range(1, len(x) + 1):
        # h_k is nudged; what counts is what it says itself and what follows from it
        tried = differences(
            lambda h_k, k=k: np.sum(direct[k - 1 :] * unroll(net, x[k:], h_k)), h[k]
        )
        assert_agrees(found.h[k], tried)


@kinds
def test_total_blame_is_the_sum_of_direct_blame_sent_through_the_products(
    rng, activation, bias, batch
):
    net, x, h_0, direct, _ = a_sentence(rng, activation=activation, bias=bias, batch=batch)
    h = unroll(net, x, h_0)
    J = jacobians(net, h)
    summed = np.zeros_like(h)
    for t in range(1, len(x) + 1):
        P = products(J[:t])  # P[k] = ∂h_t/∂h_k
        summed[: t + 1] += np.einsum("...i,k...ij->k...j", direct[t - 1], P)
    assert_agrees(bptt(net, x, h, direct).h, summed, 1e-12)


def test_the_gradient_of_w_h_is_the_sum_of_the_equation(rng):
    net, x, h_0, direct, _ = a_sentence(rng)
    h = unroll(net, x, h_0)
    found = bptt(net, x, h, direct)
    summed = sum(np.outer((1 - h[t] ** 2) * found.h[t], h[t - 1]) for t in range(1, 7))
    assert_agrees(found.W_h, summed, 1e-13)


def test_the_gradients_of_a_batch_are_the_sums_over_its_sentences(rng):
    net, x, h_0, direct, _ = a_sentence(rng, batch=(3,))
    h = unroll(net, x, h_0)
    together = bptt(net, x, h, direct)
    alone = [bptt(net, x[:, n], h[:, n], direct[:, n]) for n in range(3)]
    for name, gradient in together.parameters.items():
        assert_agrees(gradient, sum(getattr(one, name) for one in alone), 1e-13)
    assert_agrees(together.h[:, 1], alone[1].h, 1e-13)


def test_without_direct_blame_there_is_no_gradient(rng):
    net, x, h_0, direct, _ = a_sentence(rng)
    found = bptt(net, x, unroll(net, x, h_0), 0 * direct)
    assert not any(np.any(gradient) for gradient in found)


def test_the_initial_state_carries_no_direct_blame(rng):
    net, x, h_0, direct, _ = a_sentence(rng, T=1)
    h = unroll(net, x, h_0)
    assert_agrees(bptt(net, x, h, direct).h[0], direct[0] @ net.step_jacobian(h[1]), 1e-13)


def test_the_parameters_know_which_words_were_read(rng):
    net, x, h_0, direct, _ = a_sentence(rng)
    h = unroll(net, x, h_0)
    assert not np.allclose(bptt(net, x, h, direct).W_x, bptt(net, x[::-1], h, direct).W_x)


def test_each_jacobian_is_that_of_its_step(rng):
    net, x, h_0, *_ = a_sentence(rng)
    h = unroll(net, x, h_0)
    J = jacobians(net, h)
    assert J.shape == (6, 4, 4)
    for t in range(1, 7):
        assert_agrees(J[t - 1], differences(lambda h, t=t: net.step(x[t - 1], h), h[t - 1]))


@pytest.mark.parametrize("activation", ["tanh", "sigmoid"])  # relu cuts all paths here
def test_the_products_are_the_derivatives_of_the_last_state(rng, activation):
    net, x, h_0, *_ = a_sentence(rng, activation=activation)
    h = unroll(net, x, h_0)
    P = products(jacobians(net, h))
    for k in range(7):
        assert_agrees(P[k], differences(lambda h_k, k=k: unroll(net, x[k:], h_k)[-1], h[k]))


def test_later_steps_stand_on_the_left(rng):
    J = rng.normal(size=(4, 3, 3))
    P = products(J)
    np.testing.assert_allclose(P[0], J[3] @ J[2] @ J[1] @ J[0], rtol=1e-12)
    np.testing.assert_allclose(P[2], J[3] @ J[2], rtol=1e-12)
    assert not np.allclose(P[0], J[0] @ J[1] @ J[2] @ J[3])


def test_the_empty_product_is_the_identity(rng):
    assert np.array_equal(products(np.zeros((0, 3, 3))), [np.eye(3)])
    assert np.array_equal(products(rng.normal(size=(4, 2, 3, 3)))[4, 1], np.eye(3))


def test_the_gain_is_the_root_mean_square_over_all_directions(rng):
    P = rng.normal(size=(5, 5))
    nudges = rng.normal(size=(200_000, 5))
    nudges /= np.linalg.norm(nudges, axis=1, keepdims=True)
    stretched = np.linalg.norm(nudges @ P.T, axis=1)
    assert math.sqrt(np.mean(stretched**2)) == pytest.approx(float(rms_gain(P)), rel=0.01)
    assert np.mean(stretched) < rms_gain(P) < stretched.max()


def test_the_gain_of_a_scaled_rotation_is_the_scale():
    c, s = math.cos(0.8), math.sin(0.8)
    R = np.array([[c, -s], [s, c]])
    assert rms_gain(0.3 * R) == pytest.approx(0.3)
    assert np.array_equal(rms_gain([np.eye(2), np.zeros((2, 2))]), [1, 0])


def test_the_gain_reaches_as_far_as_a_float_does():
    np.testing.assert_allclose(rms_gain([1e-300 * np.eye(3), 1e300 * np.eye(3)]), [1e-300, 1e300])


@pytest.mark.parametrize("activation", ["tanh", "sigmoid", "relu"])
@pytest.mark.parametrize("sigma_1", [0.5, 1.0, 4.0, 8.0])
def test_no_gain_passes_the_bound(activation, sigma_1):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        net = RNN.random(rng, 5, 3, sigma_1=sigma_1, activation=activation)
        P = products(jacobians(net, unroll(net, rng.normal(size=(12, 3)))))
        bound = gain_bound(net.gamma, net.sigma_1, np.arange(12, -1, -1))
        assert (np.linalg.norm(P, 2, axis=(-2, -1)) <= bound * (1 + 1e-12)).all()
        assert (rms_gain(P) <= bound * (1 + 1e-12)).all()


def test_the_bound_is_reached_where_nothing_saturates():
    c, s = math.cos(0.8), math.sin(0.8)
    net = RNN(np.eye(2), 1.3 * np.array([[c, -s], [s, c]]))
    h = unroll(net, np.zeros((10, 2)))  # the state stays at 0, where the slope is 1
    gains = rms_gain(products(jacobians(net, h)))
    np.testing.assert_allclose(gains, gain_bound(1, 1.3, np.arange(10, -1, -1)), rtol=1e-13)


def test_the_bound_is_a_power_and_may_be_infinite():
    assert gain_bound(0.25, 2, 3) == 0.125
    assert gain_bound(1, 0, 0) == 1
    assert gain_bound(1, 10, 400) == np.inf


@pytest.mark.parametrize(
    ("g", "row"),
    [
        (0.5, [0.4266, 0.0083, 0.0001, 0.0]),
        (0.9, [0.7679, 0.0989, 0.0152, 0.0004]),
        (1.5, [1.2798, 0.8562, 1.218, 1.154]),
        (2.0, [1.7064, 2.2703, 2.4696, 1.3574]),
    ],
)
def test_the_rows_that_the_author_printed_come_out(g, row):
    assert [round(influence(g, n), 4) for n in (1, 5, 10, 20)] == row


def test_influence_is_the_gain_of_that_net():
    c, s = math.cos(0.8), math.sin(0.8)
    net = RNN(np.eye(2), 1.5 * np.array([[c, -s], [s, c]]))
    h = unroll(net, np.tile([0.5, -0.3], (30, 1)))
    assert rms_gain(products(jacobians(net, h)))[0] == pytest.approx(influence(1.5, 30), rel=1e-11)
    assert influence(1.5, 0) == 1


def test_one_pass_gives_the_same_as_starting_over():
    g = np.array([[0.5, 1.25], [1.5, 3.0]])
    path = influence_path(g, 25)
    assert path.shape == (25, 2, 2)
    for n in (1, 2, 10, 25):
        wanted = [[influence(value, n) for value in row] for row in g]
        np.testing.assert_allclose(path[n - 1], wanted, rtol=1e-9)
    assert influence_path(1.5, 3).shape == (3,)


def test_the_threshold_is_near_five_quarters():
    assert influence_threshold() == pytest.approx(1.25276, abs=5e-6)


def test_below_the_threshold_blame_dies_and_above_it_saturation_holds_it():
    g_c = influence_threshold()
    path = influence_path([g_c - 0.05, 1.25, g_c + 0.05, 1.5, 2.0, 2.5, 3.0], 2000)
    assert path[-1, 0] < 1e-30
    assert path[-1, 1] == pytest.approx(4e-4, rel=0.1)
    low, high = path[100:].min(axis=0), path[100:].max(axis=0)
    assert low[2] > 0.1
    assert low[3] == pytest.approx(0.7, abs=0.05)
    assert high[3] == pytest.approx(2.0, abs=0.05)
    assert low[4] == pytest.approx(1.2, abs=0.05)
    assert high[4] == pytest.approx(5.7, abs=0.05)
    assert low[5] == pytest.approx(0.9, abs=0.05)
    assert high[5] == pytest.approx(6.9, abs=0.05)
    assert path[999, 6] == pytest.approx(7.7e-17, rel=0.01)


def test_the_death_below_the_threshold_has_the_rate_of_the_spectral_radius():
    g = 1.0
    c, s = math.cos(0.8), math.sin(0.8)
    net = RNN(np.eye(2), g * np.array([[c, -s], [s, c]]))
    rest = unroll(net, np.tile([0.5, -0.3], (500, 1)))[-1]
    radius = np.abs(np.linalg.eigvals(net.step_jacobian(rest))).max()
    path = influence_path(g, 300)
    assert (path[299] / path[199]) ** 0.01 == pytest.approx(radius, rel=1e-3)


def test_clipping_shortens_the_step_and_keeps_its_direction(rng):
    gradients = {"W": rng.normal(size=(3, 4)), "b": rng.normal(size=3)}
    flat = np.concatenate([gradients["W"].ravel(), gradients["b"]])
    clipped, norm = clip_by_global_norm(gradients, 0.5)
    assert norm == pytest.approx(math.sqrt(sum(v * v for v in flat)), rel=1e-14)
    short = np.concatenate([clipped["W"].ravel(), clipped["b"]])
    assert np.linalg.norm(short) == pytest.approx(0.5, rel=1e-14)
    np.testing.assert_allclose(short / 0.5, flat / norm, rtol=1e-13)


def test_a_short_gradient_is_left_alone(rng):
    gradients = [rng.normal(size=(2, 2)), np.zeros(3)]
    clipped, norm = clip_by_global_norm(gradients, 1e3)
    assert isinstance(clipped, list)
    assert all(np.array_equal(a, b) for a, b in zip(clipped, gradients, strict=True))
    assert norm < 1e3
    assert clip_by_global_norm([np.zeros(2)], 1)[1] == 0


def test_clipping_does_not_touch_what_it_was_given():
    gradient = np.array([3.0, 4.0])
    clipped, _ = clip_by_global_norm([gradient], 1)
    clipped[0][:] = 0
    assert np.array_equal(gradient, [3, 4])


def test_clipping_tames_an_explosion_that_squares_could_not_hold():
    clipped, norm = clip_by_global_norm([np.array([3e200, 4e200])], 1)
    assert norm == pytest.approx(5e200)
    np.testing.assert_allclose(clipped[0], [0.6, 0.8])


def test_a_thousand_words_and_256_units_are_no_trouble(rng):
    net = RNN.random(rng, 256, 256, sigma_1=0.9)
    x, direct = rng.normal(size=(1000, 256)), np.zeros((1000, 256))
    direct[-1] = 1
    found = bptt(net, x, unroll(net, x), direct)
    size = np.linalg.norm(found.h, axis=-1)
    assert size[-1] == 16
    assert (size <= 16 * gain_bound(1, 0.9, np.arange(1000, -1, -1)) * (1 + 1e-12)).all()
    assert np.isfinite(found.W_h).all()
