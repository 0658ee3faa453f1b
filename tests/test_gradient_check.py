"""Derivatives by trying, beside derivatives that are known."""

import numpy as np
import pytest

from lesson20.gradient_check import central_differences, relative_error


@pytest.fixture
def rng():
    return np.random.default_rng(20)


def test_of_a_linear_map_it_is_the_matrix(rng):
    A, x = rng.normal(size=(4, 3)), rng.normal(size=3)
    np.testing.assert_allclose(central_differences(lambda x: A @ x, x), A, rtol=1e-9)


def test_of_a_parabola_it_is_exact_at_any_nudge(rng):
    x = rng.normal(size=(2, 3))
    for nudge in (1e-3, 1.0):
        found = central_differences(lambda x: np.sum(x**2), x, nudge)
        np.testing.assert_allclose(found, 2 * x, rtol=1e-9)


def test_its_shape_is_that_of_the_result_and_then_of_the_argument(rng):
    x = rng.normal(size=(2, 3))
    assert central_differences(lambda x: x[..., None] * np.ones(4), x).shape == (2, 3, 4, 2, 3)
    assert central_differences(np.sin, 0.3).shape == ()
    assert np.isclose(central_differences(np.sin, 0.3), np.cos(0.3), atol=1e-9)


def test_the_error_falls_with_the_square_of_the_nudge():
    coarse, fine = (central_differences(np.exp, 0.0, nudge) - 1 for nudge in (1e-2, 1e-3))
    assert np.isclose(coarse / fine, 100, rtol=1e-3)


def test_what_rounding_leaves_of_a_nudge_is_what_counts():
    found = central_differences(lambda x: x, np.array([1e6]), nudge=1e-9)
    assert found == 1  # the nudge that was made is not the one that was asked for


def test_neither_the_argument_nor_what_it_is_given_is_changed(rng):
    x = rng.normal(size=3)
    before = x.copy()

    def spoils(given):
        total = np.sum(given)
        given[:] = 0
        return total

    np.testing.assert_allclose(central_differences(spoils, x), np.ones(3), rtol=1e-9)
    assert np.array_equal(x, before)


@pytest.mark.parametrize(
    ("f", "x", "nudge", "message"),
    [
        ("sum", [1.0], 1e-5, "f: expected a function, got 'sum'"),
        (np.sum, [], 1e-5, r"x: expected at least one number, got shape \(0,\)"),
        (np.sum, [1.0], 0, "nudge: expected a number above 0, got 0"),
        (np.sum, [1.0, 1e20], 1e-5, "nudge: 1e-05 vanishes beside numbers of x up to 1e[+]20"),
        (lambda x: x[x > 1], [1.0], 1e-5, "f: expected one shape of results, got"),
        (lambda x: np.inf, [1.0], 1e-5, r"f\(x\): expected finite numbers, got inf"),
        (lambda x: "no", [1.0], 1e-5, r"f\(x\): expected real numbers, got 'no'"),
    ],
)
def test_what_cannot_be_tried_is_refused(f, x, nudge, message):
    with pytest.raises((ValueError, TypeError), match=f"^{message}"):
        central_differences(f, x, nudge)


def test_the_relative_error_is_that_of_the_worst_entry_over_the_largest():
    assert relative_error([[1.0, -4.0]], [[2.0, -4.0]]) == 0.25
    assert relative_error([2.0, -4.0], [1.0, -4.0]) == 0.25  # either way round
    assert relative_error(1.0, -1.0) == 2  # and this is the most
    assert relative_error([1e300, 1.0], [-1e300, 1.0]) == 2
    assert relative_error([0.0], [1e-300]) == 1  # what is missing altogether is seen


@pytest.mark.parametrize(
    ("found", "wanted", "message"),
    [
        ([1.0], [[1.0]], r"wanted: expected the shape of found, \(1,\), got \(1, 1\)"),
        ([0.0], [0.0], "found, wanted: expected numbers other than 0"),
        ([np.nan], [1.0], "found: expected finite numbers, got nan"),
    ],
)
def test_what_cannot_be_compared_is_refused(found, wanted, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        relative_error(found, wanted)
