"""Argument checks shared by all public functions.

A shape is asked for by a pattern, and the pattern is what the error message shows:

- a bare name (`T`, `H`) is an axis of any length; the same name twice means the same length;
- `D=4` is an axis of length 4;
- `...` is an optional batch: any number of axes.

Only the time axis `T` may be empty: an empty sentence leaves the state as it was.
"""

import sys
from collections.abc import Sequence
from numbers import Integral
from reprlib import repr
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

type Array = NDArray[np.float64]
type Shape = tuple[int, ...]

LARGEST = 1e100  # of such numbers a sum of products of three does not overflow
ANY_SIZE = sys.float_info.max

# For functions whose result may overflow all the same: numpy keeps silent, and `finite` tells.
overflowing = np.errstate(over="ignore", invalid="ignore")


def floats(
    name: str,
    value: ArrayLike,
    pattern: str,
    batch: Shape | None = None,
    *,
    largest: float = LARGEST,
) -> Array:
    """Return value as a float64 array, if it holds finite real numbers in the wanted shape.

    Args:
        name: What the argument is called; every message begins with it.
        value: What came.
        pattern: The wanted shape, such as "T, ..., D=4"; "" for a single number.
        batch: If given, the `...` of the pattern must be exactly this.
        largest: The size that no number may exceed.

    Raises:
        TypeError: If value holds anything but integers or floats (booleans are not numbers here).
        ValueError: If it is ragged, has another shape, or holds NaN, infinity or numbers too large.

    Examples:
        >>> floats("x", [[1, 2, 3]], "T, ..., D=4")
        Traceback (most recent call last):
        ValueError: x: expected shape (T, ..., D=4), got (1, 3)
    """
    axes = [axis for axis in pattern.split(", ") if axis]
    if batch is not None:
        at = axes.index("...")
        axes[at : at + 1] = [str(length) for length in batch]
    try:
        array = np.asarray(value)
    except ValueError:
        raise ValueError(f"{name}: expected {_wanted(axes)}, got ragged lists") from None
    if array.dtype.kind not in "iuf" or _holds_bool(value):
        raise TypeError(f"{name}: expected real numbers, got {shown(value)}")
    if not _fits(array.shape, axes):
        raise ValueError(f"{name}: expected {_wanted(axes)}, got {array.shape}")
    if array.dtype != np.float64:
        with np.errstate(over="ignore"):  # a long double may be too large, and is infinite then
            array = array.astype(np.float64)
    # With NaN no comparison is true.
    if not (-largest <= array.min(initial=0) and array.max(initial=0) <= largest):
        where = tuple(int(k) for k in np.argwhere(~(np.abs(array) <= largest))[0])
        place = f" at {where}" if where else ""
        limit = "finite numbers"
        if np.isfinite(array[where]):
            limit = f"numbers up to {largest:g} in size"
        raise ValueError(f"{name}: expected {limit}, got {array[where]}{place}")
    return array


def frozen(name: str, value: ArrayLike, pattern: str) -> Array:
    """Return a read-only copy of value, checked as by `floats`: nobody can change it later."""
    array = floats(name, value, pattern).copy()
    array.setflags(write=False)
    return array


def number(
    name: str,
    value: ArrayLike,
    *,
    above: float = -np.inf,
    at_least: float = -np.inf,
    at_most: float = np.inf,
) -> float:
    """Return value as a float, if it is one finite number within the limits.

    Raises:
        TypeError: If it is not a number.
        ValueError: If it is more than one number, not finite, or outside the limits.
    """
    result = float(floats(name, value, ""))
    if not (result > above and at_least <= result <= at_most):
        limits = {"above": above, "at least": at_least, "at most": at_most}
        wanted = " and ".join(f"{word} {x:g}" for word, x in limits.items() if np.isfinite(x))
        raise ValueError(f"{name}: expected a number {wanted}, got {result:g}")
    return result


def integer(name: str, value: object, *, at_least: int = 1, at_most: float = 1_000_000) -> int:
    """Return value as an int, if it is an integer (Python's or numpy's) within the limits.

    The upper limit is there because a slip of the finger can fill the memory or never end.

    Raises:
        TypeError: If it is not an integer; a boolean or 3.0 is none.
        ValueError: If it is too small or too large.
    """
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{name}: expected an integer, got {shown(value)}")
    result = int(value)
    if not at_least <= result <= at_most:
        limit = f"at least {at_least}" if result < at_least else f"at most {at_most}"
        raise ValueError(f"{name}: expected an integer of {limit}, got {shown(result)}")
    return result


def size(name: str, value: object) -> int:
    """Return value as an int, if an array can have an axis of that size."""
    return integer(name, value, at_most=5000)


def finite(name: str, *results: Array | float | None) -> None:
    """Raise ValueError if a result has overflowed; the argument was too large."""
    if not all(np.isfinite(result).all() for result in results if result is not None):
        raise ValueError(f"{name}: too large, the result overflows")


def instance[Kind](name: str, value: object, kind: type[Kind]) -> Kind:
    """Return value, if it is of that kind; otherwise raise TypeError."""
    if not isinstance(value, kind):
        raise TypeError(f"{name}: expected {kind.__name__}, got {shown(value)}")
    return value


def generator(name: str, value: object) -> np.random.Generator:
    """Return value, if it is a numpy Generator; otherwise raise TypeError."""
    if not isinstance(value, np.random.Generator):
        wanted = "a Generator, as numpy.random.default_rng(seed) makes it"
        raise TypeError(f"{name}: expected {wanted}, got {shown(value)}")
    return value


def rng_of(seed: int) -> np.random.Generator:
    """Return the generator of a seed, 0 or more."""
    return np.random.default_rng(integer("seed", seed, at_least=0, at_most=np.inf))


def choice(name: str, value: Any, choices: Sequence[str]) -> str:
    """Return value, if it is one of the choices; otherwise raise ValueError."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name}: expected one of {', '.join(choices)}, got {shown(value)}")
    return value


def shown(value: object) -> str:
    """Return value as a short text for a message."""
    try:
        return repr(value)
    except ValueError:  # Python writes no integer of more than 4300 digits
        return f"{type(value).__name__} with too many digits to show"


def _holds_bool(value: object) -> bool:
    """Whether a boolean hides in a list, where numpy would turn it into a number."""
    if isinstance(value, Sequence):
        return any(_holds_bool(item) for item in value)
    return isinstance(value, bool | np.bool_) or getattr(value, "dtype", None) == np.bool_


def _fits(shape: Shape, axes: list[str]) -> bool:
    if "..." in axes:
        at = axes.index("...")
        after = len(axes) - at - 1
        if len(shape) < at + after:
            return False
        shape = shape[:at] + shape[len(shape) - after :]
        axes = axes[:at] + axes[at + 1 :]
    if len(shape) != len(axes):
        return False
    lengths: dict[str, int] = {}
    for length, axis in zip(shape, axes, strict=True):
        pinned = axis.rpartition("=")[2]
        if pinned.isdigit():
            if length != int(pinned):
                return False
        elif length != lengths.setdefault(axis, length) or (length == 0 and axis != "T"):
            return False
    return True


def _wanted(axes: list[str]) -> str:
    if not axes:
        return "a single number"
    return f"shape ({axes[0]},)" if len(axes) == 1 else f"shape ({', '.join(axes)})"
