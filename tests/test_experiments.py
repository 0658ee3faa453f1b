import time
from collections import Counter
from dataclasses import FrozenInstanceError, fields
from functools import cache, partial

import numpy as np
import pytest

from lesson20 import experiments, influence, words
from lesson20.agreement import cell
from lesson20.blame import influence_threshold
from lesson20.rnn import unroll
from second_road import differences

EVERY = [
    experiments.reading,
    experiments.blame_by_word,
    experiments.blame_by_distance,
    experiments.slopes,
    experiments.erratic_blame,
    experiments.influence_map,
    experiments.zero_radius,
    experiments.two_by_two,
    experiments.belt,
    experiments.belt_square,
    experiments.half_lives,
    experiments.direct_and_total,
]


default = cache(lambda experiment: experiment())


def arrays(record):
    return {f.name: np.asarray(getattr(record, f.name)) for f in fields(record)}


@pytest.mark.parametrize("experiment", EVERY)
def test_an_experiment_without_arguments_is_quick_and_always_the_same(experiment):
    first, started = default(experiment), time.perf_counter()
    again = experiment()
    assert time.perf_counter() - started < 5  # a tenth of that on two quiet cores
    for (name, one), (_, two) in zip(arrays(first).items(), arrays(again).items(), strict=True):
        assert np.array_equal(one, two), name
    with pytest.raises(FrozenInstanceError):
        setattr(first, fields(first)[0].name, None)


@pytest.mark.parametrize("experiment", EVERY)
def test_all_numbers_are_finite_and_every_field_is_described(experiment):
    record = default(experiment)
    for name, array in arrays(record).items():
        assert f"{name}: " in type(record).__doc__
        if array.dtype.kind == "f":
            assert np.isfinite(array).all(), name


@pytest.mark.parametrize("experiment", [experiments.reading, experiments.blame_by_distance])
def test_another_seed_is_another_net(experiment):
    one, other = arrays(experiment(seed=1)), arrays(experiment(seed=2))
    assert any(not np.array_equal(one[name], other[name]) for name in one)


@pytest.mark.parametrize("seed", range(5))
def test_the_same_words_in_another_order_leave_another_state(seed):
    record = experiments.reading(seed)
    assert Counter(record.first) == Counter(record.second)
    assert record.first != record.second
    assert record.parameter_count == 60
    assert record.h_first.shape == record.h_second.shape == (8, 6)
    assert np.array_equal(record.h_first[1], record.h_second[1])  # both begin with "the"
    assert np.linalg.norm(record.h_first[-1] - record.h_second[-1]) > 0.1
    assert np.abs(record.h_first).max() < 1


@pytest.mark.parametrize("sentence", words.SENTENCES)
@pytest.mark.parametrize("activation", ["tanh", "sigmoid"])
@pytest.mark.parametrize("sigma_1", [0, 0.5, 6])
def test_blame_by_word_is_what_nudging_each_word_finds(sentence, activation, sigma_1):
    record = experiments.blame_by_word(sentence, sigma_1=sigma_1, activation=activation)
    net, x, T = words.net(words.SEEDS[0], sigma_1, activation), words.read(sentence), len(sentence)
    h = unroll(net, x)
    for k in range(1, T + 1):
        read = partial(unroll, net, x[k:])
        jacobian = differences(lambda state, read=read: read(state)[-1], h[k])
        gain = np.linalg.norm(jacobian) / np.sqrt(6)
        assert record.gain[k - 1] == pytest.approx(gain, rel=1e-4, abs=1e-7)
    assert (record.gain <= record.bound * (1 + 1e-12)).all()


def test_the_same_dial_gives_huge_blame_in_one_sentence_and_nearly_none_in_another():
    gains = [experiments.blame_by_word(s, sigma_1=6).gain[0] for s in words.SENTENCES]
    assert max(gains) > 50
    assert min(gains) < 0.01
    small = [experiments.blame_by_word(s, sigma_1=0.8).gain[0] for s in words.SENTENCES]
    assert max(small) < 0.8**9


@pytest.mark.parametrize("W_h", [[[8, 8], [-8, -8]], [[0.9, 3], [0, 0.9]], [[1, -2], [2, 1]]])
def test_two_by_two_against_powers_and_eigenvalues(W_h):
    record = experiments.two_by_two(W_h, 10)
    J = np.diag([1, 0.75]) @ W_h
    powers = [np.linalg.norm(np.linalg.matrix_power(J, n), 2) for n in range(11)]
    np.testing.assert_allclose(record.norm, powers, rtol=1e-12)
    rho = np.abs(np.linalg.eigvals(W_h)).max()
    np.testing.assert_allclose(record.radius, rho ** np.arange(11), rtol=1e-6, atol=1e-6)
    assert (record.norm <= record.bound * (1 + 1e-12)).all()


def test_the_state_is_held_by_the_words_of_the_counterexample():
    assert np.allclose(
        experiments.two_by_two(N=30).norm[1:], experiments.zero_radius().point, rtol=1e-4
    )


def test_the_belt_is_that_of_the_toy_cell():
    record = experiments.belt(0.97, 0.1, 0.5)
    assert record.h == cell(0.97, 0.1, 0.5)
    assert record.h == pytest.approx(0.5 * np.tanh(record.c[-1]))


@pytest.mark.parametrize("activation", ["tanh", "sigmoid"])
def test_blame_stays_under_its_bound_at_every_distance(activation):
    record = experiments.blame_by_distance(activation=activation)
    assert (record.gain <= record.bound * (1 + 1e-12)).all()
    assert (record.gain[:, 0] == 1).all()
    assert record.gain.shape == (4, 21)
    assert np.array_equal(record.distance, np.arange(21))


def test_small_weights_must_lose_and_large_ones_need_not():
    record = experiments.blame_by_distance((0.5, 0.9, 3.0))
    assert (np.diff(record.gain[:2]) < 0).all()
    assert record.gain[0, -1] < 1e-6
    assert record.gain[2, -1] > record.gain[1, -1]
    assert record.bound[2, -1] > 1e9  # and yet
    assert record.gain[2, -1] < 1


def test_the_sigmoid_loses_more_than_tanh():
    tanh, sigmoid = (experiments.blame_by_distance(activation=a) for a in ("tanh", "sigmoid"))
    np.testing.assert_allclose(sigmoid.bound[:, 20], tanh.bound[:, 20] / 4.0**20, rtol=1e-12)
    assert (sigmoid.gain[:2, 20] < tanh.gain[:2, 20]).all()


def test_the_slopes_touch_their_ceilings_at_zero_alone():
    record = experiments.slopes()
    for slope, ceiling in (
        (record.tanh, record.tanh_ceiling),
        (record.sigmoid, record.sigmoid_ceiling),
    ):
        assert np.flatnonzero(slope == ceiling).tolist() == [100]
        assert slope.max() == ceiling
    assert record.z[100] == 0
    np.testing.assert_allclose(record.tanh, 1 / np.cosh(record.z) ** 2, rtol=1e-9)


@pytest.mark.parametrize("seed", range(2))
def test_large_weights_make_the_blame_erratic(seed):
    record = experiments.erratic_blame(seed=seed, runs=100)
    assert record.median[0] < 0.02
    assert (record.median[1:] > 10 * record.median[0]).all()
    assert (record.median < 2).all()  # even at the largest size no typical sentence explodes
    assert record.largest[0] < 3
    assert record.largest[2] > 30  # huge in some sentences
    assert record.gain[2].min() < 1e-4  # nearly zero in others
    spread = record.ninetieth / record.median
    assert (spread > 4).all()
    assert (record.gain <= (record.sigma_1[:, None]) ** 10).all()


def test_the_quantiles_are_those_of_the_runs():
    record = experiments.erratic_blame(runs=20)
    assert record.gain.shape == (3, 20)
    assert np.array_equal(record.median, np.median(record.gain, axis=1))
    assert np.array_equal(record.largest, record.gain.max(axis=1))
    assert ((record.gain <= record.ninetieth[:, None]).sum(axis=1) == 18).all()


def test_the_map_is_the_author_s_function_and_shows_a_threshold():
    record = default(experiments.influence_map)
    assert record.gain.shape == (1000, 136)
    assert record.g_c == influence_threshold()
    for n, column in ((1, 0), (20, 60), (5, 135)):
        assert record.gain[n - 1, column] == pytest.approx(influence(record.g[column], n), rel=1e-9)
    last = record.gain[-1]
    assert (last[record.g < record.g_c - 0.03] < 1e-6).all()
    band = (record.g > record.g_c + 0.03) & (record.g < 2.3)
    assert ((last[band] > 0.1) & (last[band] < 10)).mean() > 0.9


def test_a_zero_spectral_radius_does_not_stop_an_explosion():
    record = default(experiments.zero_radius)
    np.testing.assert_allclose(record.point, record.point_exact, rtol=1e-5)
    np.testing.assert_allclose(record.point_exact[[0, 4, 9]], [14.142, 226.27, 7240.8], rtol=5e-5)
    for W in ([[8, 8], [-8, -8]], [[1.2, -1.2], [1.2, -1.2]]):
        np.testing.assert_allclose(np.array(W) @ W, 0, atol=1e-15)  # so both eigenvalues are 0


def test_the_same_weights_explode_or_die_by_what_they_read():
    record = default(experiments.zero_radius)
    assert record.steps[27] == 28
    assert record.driven[27] == pytest.approx(158.98, abs=0.01)
    assert record.driven[27] < 1.2**28
    assert record.constant[27] == pytest.approx(3.8e-6, abs=0.1e-6)


def test_a_linear_net_may_rise_before_it_falls():
    record = default(experiments.zero_radius)
    assert record.linear_steps[record.linear.argmax()] == 9
    assert record.linear.max() == pytest.approx(11.6, abs=0.05)
    assert record.linear[-1] < 0.01
    # second road: Wⁿ = [[a, 3 n a/0.9], [0, a]] with a = 0.9ⁿ
    n = record.linear_steps
    frobenius = 0.9**n * np.sqrt(2 + (n * 3 / 0.9) ** 2)
    determinant = 0.9 ** (2 * n)
    largest = np.sqrt((frobenius**2 + np.sqrt(frobenius**4 - 4 * determinant**2)) / 2)
    np.testing.assert_allclose(record.linear, largest, rtol=1e-9)


def test_the_square_holds_one_gate_still_while_the_other_moves():
    record = experiments.belt_square()
    np.testing.assert_allclose(
        record.h, [[-0.012, -0.5], [0.563, 0.083], [0.638, 0.199]], atol=5e-4
    )
    np.testing.assert_allclose(np.tanh(record.c[..., -1]), record.h, rtol=1e-12)
    assert (np.diff(record.h, axis=0) > 0).all()  # keeping more helps the subject
    assert (np.diff(record.h, axis=1) < 0).all()  # writing less does too
    assert experiments.belt_square(o=0.5).h[0, 0] == cell(0.6, 0.1, 0.5)


def test_the_half_life_doubles_the_belt_once():
    record = experiments.half_lives()
    np.testing.assert_allclose(record.f**record.half_life, 0.5, rtol=1e-12)
    at = {b: record.half_life[np.abs(record.b_f - b).argmin()] for b in (1, 3)}
    assert at[1] == pytest.approx(2.2, abs=0.05)
    assert at[3] == pytest.approx(14.3, abs=0.05)


@pytest.mark.parametrize("seed", range(2))
def test_the_paths_through_h_carry_more_than_the_belt_alone(seed):
    record = experiments.direct_and_total(seed=seed, runs=5)
    assert (record.direct[:, 0] == 1).all()
    assert (record.total[:, 0] == 1).all()
    far = record.total[:, 39] / record.direct[:, 39]
    assert (far > 4).all()
    assert record.total[2, 39] > 2  # b_f = 5: above 1, where the belt alone keeps less than 1
    assert record.total[0, 39] < 0.1
    kept = (1 / (1 + np.exp(-record.b_f))) ** 39
    np.testing.assert_allclose(record.direct[1:, 39], kept[1:], rtol=0.2)
    assert kept[0] / 2 < record.direct[0, 39] < kept[0] * 2


def test_a_belt_that_is_cut_has_gain_zero_and_no_warning():
    record = experiments.direct_and_total((-600.0,), runs=1, T=5)
    assert record.direct[0, -1] == 0
