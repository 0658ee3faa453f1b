"""Is a derivative right? Try it: nudge every number a little, and see what becomes of the result.

Every function raises ValueError for a wrong shape or a number out of range, NaN and infinity
included, and TypeError for what is not a number at all; the message names the argument.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from lesson20.checks import ANY_SIZE, Array, finite, floats, number, overflowing, shown


@overflowing
def central_differences(
    f: Callable[[Array], ArrayLike], x: ArrayLike, nudge: float = 1e-5
) -> Array:
    """Return ∂f/∂x by trying: (f(x + nudge) − f(x − nudge)) / (2 nudge), one number of x at a time.

    The error falls with nudge² until rounding takes over; 1e-5 suits numbers near 1.

    Args:
        f: The function; it gets an array in the shape of x and returns numbers of a fixed shape.
        x: Where the derivative is wanted; any shape, at least one number.
        nudge: How far to go to either side, above 0.

    Returns:
        The derivative, in the shape of f(x) followed by the shape of x.

    Examples:
        >>> central_differences(lambda x: np.sum(x**2), [1.0, 3.0]).round(6)
        array([2., 6.])
    """
    if not callable(f):
        raise TypeError(f"f: expected a function, got {shown(f)}")
    x, nudge = floats("x", x, "..."), number("nudge", nudge, above=0)
    if x.size == 0:
        raise ValueError(f"x: expected at least one number, got shape {x.shape}")
    if (x + nudge == x - nudge).any():
        raise ValueError(f"nudge: {nudge:g} vanishes beside numbers of x up to {np.abs(x).max():g}")
    columns: list[Array] = []
    for index in np.ndindex(x.shape):
        ahead, behind = x.copy(), x.copy()
        ahead[index] += nudge
        behind[index] -= nudge
        step = ahead[index] - behind[index]  # 2 nudge, but for rounding
        later, earlier = (floats("f(x)", f(at), "...", largest=ANY_SIZE) for at in (ahead, behind))
        if not later.shape == earlier.shape == (columns or [later])[0].shape:
            raise ValueError(f"f: expected one shape of results, got {later.shape} and others")
        columns.append((later - earlier) / step)
    finite("f", *columns)
    return np.moveaxis(np.array(columns), 0, -1).reshape((*columns[0].shape, *x.shape))


def relative_error(found: ArrayLike, wanted: ArrayLike) -> float:
    """Return the largest difference of two arrays, relative to the largest entry of both.

    Args:
        found: A derivative, of any shape.
        wanted: The same by another road, such as `central_differences`; not all of both is 0.

    Returns:
        About 1e-10 where both are right, 0.01 to 2 where one is wrong.

    Examples:
        >>> round(relative_error([3.0, 4.0], [3.0, 5.0]), 4)
        0.2
    """
    found = floats("found", found, "...", largest=ANY_SIZE)
    wanted = floats("wanted", wanted, "...", largest=ANY_SIZE)
    if found.shape != wanted.shape:
        raise ValueError(f"wanted: expected the shape of found, {found.shape}, got {wanted.shape}")
    largest = max(np.abs(found).max(initial=0), np.abs(wanted).max(initial=0))
    if largest == 0:
        raise ValueError("found, wanted: expected numbers other than 0 in one of them, got none")
    return float(np.abs(found / largest - wanted / largest).max())
