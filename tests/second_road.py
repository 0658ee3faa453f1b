"""The second road of the tests: derivatives by trying, and what counts as agreement."""

import numpy as np

from lesson20.gradient_check import central_differences as differences

__all__ = ["assert_agrees", "differences"]


def assert_agrees(actual, wanted, tolerance=1e-6):
    """Largest difference, relative to the largest entry; and there must be something to compare."""
    actual, wanted = np.asarray(actual), np.asarray(wanted)
    assert actual.shape == wanted.shape
    size = np.abs(wanted).max()
    assert size > 0
    assert np.abs(actual - wanted).max() <= tolerance * size
