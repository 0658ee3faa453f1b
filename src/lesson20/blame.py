"""Blame through time: how far back a loss can reach in a recurrent net.

"Blame" is ∂L/∂h, what a state owes to the loss. It flows back along ∂h_T/∂h_k, a product of T−k
step Jacobians in which the later steps stand on the left:

    ∂h_T/∂h_k = J_T J_{T−1} ⋯ J_{k+1},    J_t = ∂h_t/∂h_{t−1}.

Bounds and clipping follow Pascanu, Mikolov & Bengio (2013), with the largest singular value of
W_h, as in the published text.

Every function raises ValueError for a wrong shape or a number out of range, NaN and infinity
included, and TypeError for what is not a number at all; the message names the argument.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike

from lesson20.checks import (
    ANY_SIZE,
    Array,
    finite,
    floats,
    instance,
    integer,
    number,
    overflowing,
)
from lesson20.rnn import RNN


def jacobians(net: RNN, h: ArrayLike) -> Array:
    """Return the step Jacobians along a sentence.

    Args:
        net: The cell.
        h: The states that `rnn.unroll` returned, (T+1, ..., H).

    Returns:
        J, (T, ..., H, H), where J[t-1] is ∂h_t/∂h_{t−1}.
    """
    instance("net", net, RNN)
    return net.step_jacobian(floats("h", h, f"T+1, ..., H={net.H}")[1:])


@overflowing
def products(J: ArrayLike) -> Array:
    """Multiply the step Jacobians up, in one sweep from the end.

    Args:
        J: The step Jacobians, (T, ..., H, H).

    Returns:
        P, (T+1, ..., H, H), where P[k] is ∂h_T/∂h_k. P[T] is the identity: the empty product.
    """
    J = floats("J", J, "T, ..., H, H", largest=ANY_SIZE)
    P = np.empty((len(J) + 1, *J.shape[1:]))
    P[-1] = np.eye(J.shape[-1])
    for k in reversed(range(len(J))):
        P[k] = P[k + 1] @ J[k]  # J[k] is the earlier step, so it stands on the right
    finite("J", P)
    return P


@overflowing
def rms_gain(P: ArrayLike) -> Array:
    """Return ‖P‖_F / √H: the root-mean-square gain of P over nudges in all directions.

    Args:
        P: Matrices, (..., H, H).

    Returns:
        The gains, (...): 1 means that nothing is lost.

    Examples:
        >>> float(rms_gain(2 * np.eye(3)))
        2.0
    """
    P = floats("P", P, "..., H, H", largest=ANY_SIZE)
    gain = np.asarray(_norm(P, (-2, -1)) / np.sqrt(P.shape[-1]))
    finite("P", gain)
    return gain


def gain_bound(gamma: float, sigma_1: float, distance: ArrayLike) -> Array:
    """Return (γ σ_1)^distance, above which no gain over that distance can lie.

    Below γ σ_1 = 1 blame must vanish. Above it may explode, and need not.

    Args:
        gamma: Ceiling of the activation's slope.
        sigma_1: Largest singular value of W_h.
        distance: T−k, in steps; any shape.

    Returns:
        The bound, in the shape of distance.
    """
    base = number("gamma", gamma, at_least=0) * number("sigma_1", sigma_1, at_least=0)
    distance = floats("distance", distance, "...")
    if (distance < 0).any():
        raise ValueError(f"distance: expected no negative steps, got {distance.min():g}")
    with np.errstate(over="ignore"):  # infinity is a true bound
        return np.asarray(base**distance)


class Gradients(NamedTuple):
    """The gradient of the loss with respect to everything that a recurrent net used.

    Attributes:
        W_x: (H, D), summed over the batch, as are the next two.
        W_h: (H, H).
        b: (H,), or None for a net without bias.
        x: ∂L/∂x for each word, (T, ..., D).
        h: Total blame ∂L/∂h_k for k = 0, …, T, (T+1, ..., H).
    """

    W_x: Array
    W_h: Array
    b: Array | None
    x: Array
    h: Array

    @property
    def parameters(self) -> dict[str, Array]:
        """The gradients of the parameters alone, by name."""
        named = {"W_x": self.W_x, "W_h": self.W_h}
        return named if self.b is None else named | {"b": self.b}


@overflowing
def bptt(net: RNN, x: ArrayLike, h: ArrayLike, dL_dh: ArrayLike) -> Gradients:
    """Send blame back through time (backpropagation through time).

    The total blame obeys δ_{t−1} = ∂L_{t−1}/∂h_{t−1} + W_hᵀ (φ' ⊙ δ_t): each step back adds what
    the loss says directly to what comes from later.

    Args:
        net: The cell.
        x: The words, (T, ..., D).
        h: The states that `rnn.unroll` returned, (T+1, ..., H).
        dL_dh: The direct part ∂L_t/∂h_t, (T, ..., H), for t = 1, …, T.

    Returns:
        All gradients; `Gradients.h` is the total blame.
    """
    instance("net", net, RNN)
    x = floats("x", x, f"T, ..., D={net.D}")
    T, batch = len(x), x.shape[1:-1]
    h = floats("h", h, f"T+1={T + 1}, ..., H={net.H}", batch)
    direct = floats("dL_dh", dL_dh, f"T={T}, ..., H={net.H}", batch)

    slope = net.phi.slope(h[1:])
    delta = np.concatenate([np.zeros((1, *batch, net.H)), direct])
    dz = np.empty_like(slope)  # blame before the squashing, kept for one matrix product at the end
    for t in reversed(range(T)):
        dz[t] = slope[t] * delta[t + 1]
        delta[t] += dz[t] @ net.W_h

    every = tuple(range(x.ndim - 1))  # time and batch
    gradients = Gradients(
        W_x=np.tensordot(dz, x, (every, every)),
        W_h=np.tensordot(dz, h[:-1], (every, every)),
        b=None if net.b is None else dz.sum(axis=every),
        x=dz @ net.W_x,
        h=delta,
    )
    finite("dL_dh", *gradients)
    return gradients


@overload
def clip_by_global_norm(
    gradients: Mapping[str, Array], threshold: float
) -> tuple[dict[str, Array], float]: ...
@overload
def clip_by_global_norm(
    gradients: Sequence[Array], threshold: float
) -> tuple[list[Array], float]: ...
@overflowing
def clip_by_global_norm(
    gradients: Mapping[str, Array] | Sequence[Array], threshold: float
) -> tuple[dict[str, Array] | list[Array], float]:
    """Shorten the gradient to the threshold if it is longer: g ← g · min(1, θ/‖g‖).

    One norm is taken over all arrays together, so the direction of the step stays.

    Args:
        gradients: Arrays of any shapes, by name or in a row.
        threshold: θ, above 0.

    Returns:
        The clipped arrays, by name or in a list, and the norm before clipping.

    Examples:
        >>> clip_by_global_norm([np.array([3.0]), np.array([4.0])], 1.0)
        ([array([0.6]), array([0.8])], 5.0)
    """
    threshold = number("threshold", threshold, above=0)
    named: dict[object, ArrayLike]
    if isinstance(gradients, Mapping):
        named = dict(gradients.items())
    elif isinstance(gradients, list | tuple):
        named = dict(enumerate(gradients))
    else:
        came = type(gradients).__name__
        raise TypeError(f"gradients: expected a dict or a list of arrays, got {came}")
    arrays = [floats(f"gradients[{key!r}]", g, "...", largest=ANY_SIZE) for key, g in named.items()]
    norm = float(_norm(np.concatenate([np.zeros(1), *(g.ravel() for g in arrays)]), (0,)))
    finite("gradients", norm)
    scale = 1.0 if norm <= threshold else threshold / norm
    clipped = [scale * g for g in arrays]
    if isinstance(gradients, Mapping):
        return dict(zip(gradients, clipped, strict=True)), norm
    return clipped, norm


def _norm(a: Array, axis: tuple[int, ...]) -> Array:
    # Squares overflow at 1e154 and vanish at 1e-162, within the reach of blame: scale them out.
    size = np.abs(a).max(axis=axis, keepdims=True)
    size[size == 0] = 1.0
    return np.asarray(size.squeeze(axis) * np.sqrt(np.sum((a / size) ** 2, axis=axis)))


def influence(g: float, steps: int) -> float:
    """How much of a nudge to the initial state survives after `steps` steps (2-unit RNN with tanh).

    W_h is a rotation by 0.8 rad, scaled by g: both its singular values are g.

    Args:
        g: The size of the weights.
        steps: T, at least 0.

    Returns:
        The root-mean-square gain of ∂h_T/∂h_0.

    Examples:
        >>> [round(influence(1.5, n), 4) for n in (1, 5, 10, 20)]
        [1.2798, 0.8562, 1.218, 1.154]
    """
    g, steps = number("g", g), integer("steps", steps, at_least=0)
    c, s = np.cos(0.8), np.sin(0.8)
    Wh = g * np.array([[c, -s], [s, c]])  # a 0.8 rad rotation, scaled by g
    x = np.array([0.5, -0.3])  # the "word" that arrives at every step
    h, P = np.zeros(2), np.eye(2)
    for _ in range(steps):
        h = np.tanh(Wh @ h + x)
        P = ((1 - h**2)[:, None] * Wh) @ P  # P = J_t · P, with J_t = diag(1 − h²) · Wh
    return float(np.linalg.norm(P) / np.sqrt(2))


def influence_path(g: ArrayLike, steps: int) -> Array:
    """Return `influence` after 1, 2, …, steps steps in one pass.

    Args:
        g: The sizes of the weights, of any shape; all are run side by side.
        steps: The last T, at least 1.

    Returns:
        The gains, (steps, ...), with the shape of g behind the time axis.
    """
    g, steps = floats("g", g, "..."), integer("steps", steps)
    W_h = g[..., None, None] * _ROTATION
    h, P = np.zeros((*g.shape, 2)), np.eye(2)
    gains = np.empty((steps, *g.shape))
    for n in range(steps):
        h = np.tanh((W_h @ h[..., None])[..., 0] + _WORD)
        P = ((1 - h**2)[..., None] * W_h) @ P
        gains[n] = _norm(P, (-2, -1)) / np.sqrt(2)
    return gains


def influence_threshold() -> float:
    """Return g_c, the g at which the fixed point of the net in `influence` loses its stability.

    Below it every nudge dies out exponentially. Above it the state goes round for ever, and tanh
    holds the gain near 1 in a broad band of g. Found by bisection on the spectral radius of the
    Jacobian at the fixed point.

    Examples:
        >>> round(influence_threshold(), 5)
        1.25276
    """
    stable, unstable = 1.0, 1.5
    while unstable - stable > 1e-12:
        g = (stable + unstable) / 2
        if _radius_at_rest(g) < 1:
            stable = g
        else:
            unstable = g
    return (stable + unstable) / 2


_ROTATION = np.array([[np.cos(0.8), -np.sin(0.8)], [np.sin(0.8), np.cos(0.8)]])
_WORD = np.array([0.5, -0.3])


def _radius_at_rest(g: float) -> float:
    """Spectral radius of J at the h that solves h = tanh(W_h h + x), found by Newton's method."""
    W_h, h = g * _ROTATION, np.zeros(2)
    for _ in range(20):  # iterating the net itself would not settle above g_c
        after = np.tanh(W_h @ h + _WORD)
        J = (1 - after**2)[:, None] * W_h
        h = h - np.linalg.solve(np.eye(2) - J, h - after)
    return float(np.abs(np.linalg.eigvals(J)).max())
