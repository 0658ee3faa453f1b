"""The second road of the tests: derivatives by trying, and what counts as agreement."""

import numpy as np


def differences(f, x, step=1e-5):
    """Central differences of f at x, in the shape of f(x) followed by the shape of x."""
    x = np.array(x, dtype=float)
    columns = []
    for index in np.ndindex(x.shape):
        ahead, behind = x.copy(), x.copy()
        ahead[index] += step
        behind[index] -= step
        columns.append((np.asarray(f(ahead)) - np.asarray(f(behind))) / (2 * step))
    return np.moveaxis(np.array(columns), 0, -1).reshape(*np.shape(columns[0]), *x.shape)


def assert_agrees(actual, wanted, tolerance=1e-6):
    """Largest difference, relative to the largest entry; and there must be something to compare."""
    actual, wanted = np.asarray(actual), np.asarray(wanted)
    assert actual.shape == wanted.shape
    size = np.abs(wanted).max()
    assert size > 0
    assert np.abs(actual - wanted).max() <= tolerance * size
