"""The recurrent cell of Elman's network: one step, and the loop that owns time.

Time runs along axis 0. h[k] is the state after k words, h[0] the initial one; x[t-1] is word t.
So x is (T, ..., D) and h is (T+1, ..., H), where "..." is an optional batch.

Every function raises ValueError for a wrong shape or a number out of range, NaN and infinity
included, and TypeError for what is not a number at all; the message names the argument.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from lesson20.checks import (
    ANY_SIZE,
    Array,
    choice,
    finite,
    floats,
    frozen,
    generator,
    instance,
    number,
    overflowing,
    size,
)


@dataclass(frozen=True)
class Activation:
    """A squashing function φ, and its slope written as a function of the output h = φ(z).

    Attributes:
        name: "tanh", "sigmoid" or "relu".
        f: φ, applied to each entry; like a function of numpy it takes an array as `out`.
        slope: φ'(z), but given h: what the forward pass has kept is all that blame needs.
        gamma: The ceiling of the slope, γ in Pascanu, Mikolov & Bengio (2013).
    """

    name: str
    f: Callable[..., Array]
    slope: Callable[[Array], Array]
    gamma: float


def _logistic(z: Array, out: Array | None = None) -> Array:
    with np.errstate(over="ignore", under="ignore"):  # beyond ±710 the answer rounds to 0 or 1
        e = np.exp(np.negative(z, out=out), out=out)
        return np.divide(1.0, np.add(1.0, e, out=out), out=out)


def _relu(z: Array, out: Array | None = None) -> Array:
    return np.maximum(z, 0.0, out=out)


TANH = Activation("tanh", np.tanh, lambda h: 1.0 - h * h, gamma=1.0)
SIGMOID = Activation("sigmoid", _logistic, lambda h: h * (1.0 - h), gamma=0.25)
RELU = Activation("relu", _relu, lambda h: (h > 0).astype(np.float64), gamma=1.0)  # 0 at the corner
ACTIVATIONS = {"tanh": TANH, "sigmoid": SIGMOID, "relu": RELU}


def sigmoid(z: ArrayLike) -> Array:
    """Return σ(z) = 1 / (1 + exp(−z)) for each entry; no z overflows.

    Args:
        z: Finite numbers of any shape.

    Examples:
        >>> float(sigmoid(0))
        0.5
    """
    return SIGMOID.f(floats("z", z, "...", largest=ANY_SIZE))


def softmax(logits: ArrayLike) -> Array:
    """Return exp(logits) / Σ exp(logits) along the last axis.

    Args:
        logits: Scores, (..., V), of any size: only their differences count.

    Returns:
        Probabilities, (..., V).
    """
    logits = floats("logits", logits, "..., V", largest=ANY_SIZE)
    with np.errstate(over="ignore", under="ignore"):  # a probability below 1e-308 is 0
        weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
        return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


@dataclass(frozen=True, eq=False)
class RNN:
    """Elman's cell, h_t = φ(W_x x_t + W_h h_{t−1} + b), with H(H+D)+H parameters.

    Elman (1990) used logistic units; tanh is the modern form. Le, Jaitly & Hinton (2015) use "relu"
    with W_h = I at the start. The arrays are copied and read-only.

    Attributes:
        W_x: From word to state, (H, D).
        W_h: From state to state, (H, H).
        b: The bias, (H,), or None.
        activation: φ, "tanh", "sigmoid" or "relu".
    """

    W_x: Array
    W_h: Array
    b: Array | None = None
    activation: str = "tanh"

    def __post_init__(self) -> None:
        choice("activation", self.activation, tuple(ACTIVATIONS))
        object.__setattr__(self, "W_x", frozen("W_x", self.W_x, "H, D"))
        object.__setattr__(self, "W_h", frozen("W_h", self.W_h, f"H={self.H}, H={self.H}"))
        if self.b is not None:
            object.__setattr__(self, "b", frozen("b", self.b, f"H={self.H}"))

    @classmethod
    def random(
        cls,
        rng: np.random.Generator,
        H: int,
        D: int,
        *,
        bias: bool = True,
        sigma_1: float | None = None,
        activation: str = "tanh",
    ) -> Self:
        """Draw an untrained net: weights normal with variance 1/(row length), bias 0.

        Args:
            rng: Where the numbers come from.
            H: Size of the state.
            D: Size of a word vector.
            bias: Whether there is a bias.
            sigma_1: If given, W_h is rescaled to this largest singular value.
            activation: "tanh", "sigmoid" or "relu".
        """
        generator("rng", rng)
        H, D = size("H", H), size("D", D)
        W_x = rng.normal(size=(H, D)) / np.sqrt(D)
        W_h = rng.normal(size=(H, H)) / np.sqrt(H)
        if sigma_1 is not None:
            W_h *= number("sigma_1", sigma_1, above=0) / np.linalg.norm(W_h, 2)
        b = np.zeros(H) if instance("bias", bias, bool) else None
        return cls(W_x, W_h, b, activation)

    @property
    def H(self) -> int:
        """Size of the state."""
        return len(self.W_x)

    @property
    def D(self) -> int:
        """Size of a word vector."""
        return int(self.W_x.shape[1])

    @property
    def phi(self) -> Activation:
        """The activation with its slope."""
        return ACTIVATIONS[self.activation]

    @property
    def gamma(self) -> float:
        """Ceiling of the activation's slope: 1 for tanh and relu, 1/4 for the sigmoid."""
        return self.phi.gamma

    @property
    def sigma_1(self) -> float:
        """Largest singular value of W_h."""
        return float(np.linalg.norm(self.W_h, 2))

    @property
    def parameter_count(self) -> int:
        """H(H+D), and H more with a bias."""
        return self.W_x.size + self.W_h.size + (0 if self.b is None else self.b.size)

    @overflowing
    def step(self, x: ArrayLike, h: ArrayLike) -> Array:
        """Read one word: h_t = φ(W_x x_t + W_h h_{t−1} + b).

        Args:
            x: The word x_t, (..., D).
            h: The state h_{t−1}, (..., H).

        Returns:
            The next state h_t, (..., H).
        """
        x = floats("x", x, f"..., D={self.D}")
        h = floats("h", h, f"..., H={self.H}", batch=x.shape[:-1])
        h = self.phi.f(self._drive(x) + h @ self.W_h.T)
        finite("x", h)  # relu has no ceiling
        return h

    def step_jacobian(self, h_next: ArrayLike) -> Array:
        """Return ∂h_t/∂h_{t−1} = diag(φ') W_h; for tanh φ' is 1 − h_t ⊙ h_t.

        Args:
            h_next: The state h_t that the step returned, (..., H).

        Returns:
            The Jacobian, (..., H, H): row i tells what unit i after the step owes to each before.
        """
        h_next = floats("h_next", h_next, f"..., H={self.H}")
        return self.phi.slope(h_next)[..., None] * self.W_h

    def _drive(self, x: Array) -> Array:
        """What the words bring, W_x x + b: needs no state, so it can be had for all t at once."""
        drive = x @ self.W_x.T
        return drive if self.b is None else drive + self.b


@dataclass(frozen=True, eq=False)
class OutputLayer:
    """The output of lesson 19, ŷ_t = softmax(W_y h_t).

    Attributes:
        W_y: From state to the scores of V words, (V, H); copied and read-only.
    """

    W_y: Array

    def __post_init__(self) -> None:
        object.__setattr__(self, "W_y", frozen("W_y", self.W_y, "V, H"))

    @classmethod
    def random(cls, rng: np.random.Generator, V: int, H: int) -> Self:
        """Draw an untrained layer for V words: weights normal with variance 1/H."""
        generator("rng", rng)
        V, H = size("V", V), size("H", H)
        return cls(rng.normal(size=(V, H)) / np.sqrt(H))

    def probabilities(self, h: ArrayLike) -> Array:
        """Return ŷ for states h (..., H): probabilities (..., V)."""
        return softmax(floats("h", h, f"..., H={self.W_y.shape[1]}") @ self.W_y.T)


@overflowing
def unroll(net: RNN, x: ArrayLike, h_0: ArrayLike | None = None) -> Array:
    """Let the net read a sentence from left to right.

    Args:
        net: The cell, the same at every step.
        x: The words, (T, ..., D).
        h_0: The initial state, (..., H); zeros if not given.

    Returns:
        All states, (T+1, ..., H), the initial one first.
    """
    instance("net", net, RNN)
    x = floats("x", x, f"T, ..., D={net.D}")
    batch = x.shape[1:-1]
    h = np.zeros((len(x) + 1, *batch, net.H))
    if h_0 is not None:
        h[0] = floats("h_0", h_0, f"..., H={net.H}", batch)
    drive = net._drive(x)
    for t in range(len(x)):
        h[t + 1] = net.phi.f(drive[t] + h[t] @ net.W_h.T)
    finite("x", h)
    return h
