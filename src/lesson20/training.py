"""Training: losses, optimisers, a model that knows its gradients, and the loop.

Parameters are a dict of arrays by name. An optimiser changes them in place; a gradient bears the
name of its parameter. Time runs along axis 0, the batch along axis 1.

Clipping, Adam and the losses do to the last digits what PyTorch 2.13 does.

Every function raises ValueError for a wrong shape or a number out of range, NaN and infinity
included, and TypeError for what is not a number at all; the message names the argument.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lesson20 import blame, lstm, rnn
from lesson20.checks import (
    ANY_SIZE,
    Array,
    choice,
    finite,
    floats,
    generator,
    instance,
    integer,
    number,
    overflowing,
    shown,
    size,
)
from lesson20.lstm import LSTM, Trace, _bptt
from lesson20.rnn import RNN

# glibc hands the memory of a step back to the system and asks for it again at the next, which takes
# a quarter of the time. Once it has seen 16 MB freed in one piece, it keeps up to 32.
np.empty(2**21)

type Words = NDArray[np.integer]
type Parameters = dict[str, Array]


def cross_entropy(
    logits: ArrayLike, y: ArrayLike, mask: ArrayLike | None = None
) -> tuple[float, Array]:
    """Return the mean of −log softmax(logits)[y] over the words that count, and its gradient.

    Args:
        logits: Scores, (..., V).
        y: The right words, (...), integers from 0 to V−1; where the mask is 0 they are not read.
        mask: Which words count, (...), 0 or 1; all if not given.

    Returns:
        The loss in nats, and ∂L/∂logits, (..., V).

    Examples:
        >>> loss, gradient = cross_entropy([[0.0, 0.0]], [1])
        >>> round(loss, 4), gradient.tolist()
        (0.6931, [[0.5, -0.5]])
    """
    logits = floats("logits", logits, "..., V", largest=ANY_SIZE)
    counted = _mask(mask, logits.shape[:-1])
    words = np.where(counted > 0, _indices("y", y, logits.shape[-1], counted), 0)[..., None]
    with np.errstate(over="ignore", under="ignore"):
        below = logits - logits.max(axis=-1, keepdims=True)
        weights = np.exp(below)
        total = weights.sum(axis=-1, keepdims=True)
        right = np.take_along_axis(below, words, axis=-1)
        share = counted[..., None] / counted.sum()
        loss = float(np.sum(share * (np.log(total) - right)))
        gradient = np.multiply(weights, share / total, out=weights)
    finite("logits", loss)
    at = np.take_along_axis(gradient, words, axis=-1)
    np.put_along_axis(gradient, words, at - share, axis=-1)
    return loss, gradient


@overflowing
def mean_squared_error(
    y_hat: ArrayLike, y: ArrayLike, mask: ArrayLike | None = None
) -> tuple[float, Array]:
    """Return the mean of (ŷ − y)² over the vectors that count, and its gradient.

    Args:
        y_hat: What the net says, (..., K).
        y: What is right, (..., K).
        mask: Which vectors count, (...), 0 or 1; all if not given.

    Returns:
        The loss, and ∂L/∂ŷ, (..., K).

    Examples:
        >>> loss, gradient = mean_squared_error([[1.0], [5.0]], [[0.0], [3.0]])
        >>> loss, gradient.tolist()
        (2.5, [[1.0], [2.0]])
    """
    y_hat = floats("y_hat", y_hat, "..., K", largest=ANY_SIZE)
    counted = _mask(mask, y_hat.shape[:-1])
    error = y_hat - floats("y", y, f"..., K={y_hat.shape[-1]}", y_hat.shape[:-1])
    share = counted[..., None] / (counted.sum() * y_hat.shape[-1])
    loss = float(np.sum(share * error**2))
    finite("y_hat", loss)
    return loss, 2 * share * error


LOSSES = {"cross-entropy": cross_entropy, "squared": mean_squared_error}


class Optimiser(Protocol):
    """What `train` asks of an optimiser."""

    def step(self, parameters: Parameters, gradients: Mapping[str, Array]) -> None:
        """Change the parameters in place."""


class SGD:
    """Plain gradient descent, p ← p − η g.

    Attributes:
        learning_rate: η.
    """

    def __init__(self, learning_rate: float) -> None:
        self.learning_rate = number("learning_rate", learning_rate, above=0)

    def step(self, parameters: Parameters, gradients: Mapping[str, Array]) -> None:
        """Change the parameters in place; each gradient has the shape of its parameter."""
        _descend(parameters, self.learning_rate * _flat(parameters, gradients))


class Adam:
    """Adam (Kingma & Ba, 2015), with ε where PyTorch has it: beside the corrected √v̂.

        m ← β₁m + (1−β₁)g,  v ← β₂v + (1−β₂)g²,  p ← p − η m̂ / (√v̂ + ε)

    where m̂ = m/(1−β₁ᵗ) and v̂ = v/(1−β₂ᵗ) undo the start from 0.

    Attributes:
        learning_rate: η.
        beta_1: β₁, 0 ≤ β₁ < 1.
        beta_2: β₂, 0 ≤ β₂ < 1.
        epsilon: ε.
        steps: t, how many steps were made.
    """

    def __init__(
        self,
        learning_rate: float = 0.001,
        *,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-8,
    ) -> None:
        self.learning_rate = number("learning_rate", learning_rate, above=0)
        almost = float(np.nextafter(1, 0))
        self.beta_1 = number("beta_1", beta_1, at_least=0, at_most=almost)
        self.beta_2 = number("beta_2", beta_2, at_least=0, at_most=almost)
        self.epsilon = number("epsilon", epsilon, above=0)
        self.steps = 0
        self._m = self._v = np.zeros(0)

    def step(self, parameters: Parameters, gradients: Mapping[str, Array]) -> None:
        """Change the parameters in place; each gradient has the shape of its parameter."""
        g = _flat(parameters, gradients)
        if self.steps == 0:
            self._m, self._v = np.zeros((2, len(g)))
        if len(g) != len(self._m):
            raise ValueError(f"gradients: expected {len(self._m)} numbers as before, got {len(g)}")
        self.steps += 1
        m, v, t = self._m, self._v, self.steps
        m += (1 - self.beta_1) * (g - m)
        v *= self.beta_2
        v += (1 - self.beta_2) * g * g
        change = np.sqrt(v)
        change /= np.sqrt(1 - self.beta_2**t)
        change += self.epsilon
        np.divide(m, change, out=change)
        change *= self.learning_rate / (1 - self.beta_1**t)
        _descend(parameters, change)


def clip(gradients: Mapping[str, Array], threshold: float) -> tuple[Parameters, float]:
    """Shorten the gradient as PyTorch's clip_grad_norm_: g ← g · min(1, θ/(‖g‖ + 10⁻⁶)).

    `blame.clip_by_global_norm` is the equation of the paper, without the 10⁻⁶. PyTorch adds it to
    be safe from a division by 0, so its gradient comes out a hair shorter than θ.

    Args:
        gradients: Arrays by name.
        threshold: θ, above 0.

    Returns:
        The clipped arrays, and the norm before clipping.

    Examples:
        >>> clip({"b": np.array([3.0, 4.0])}, 2.5)[1]
        5.0
    """
    _, norm = blame.clip_by_global_norm(gradients, threshold)
    scale = min(1.0, threshold / (norm + 1e-6))
    return {name: scale * g for name, g in gradients.items()}, norm


@overflowing
def regulariser(net: RNN, h: ArrayLike, delta: ArrayLike) -> tuple[float, Array]:
    """Return Ω of Pascanu, Mikolov & Bengio (2013), which asks that no step shrinks the blame.

        Ω = Σ_t (‖δ_t J_t‖ / ‖δ_t‖ − 1)²,    J_t = diag(φ'_t) W_h

    Summed over time, averaged over the batch. As in the paper its gradient is the "immediate" one:
    W_h counts where it stands in J_t, while δ_t and h_t are held still. Where δ_t is 0 there is no
    direction to keep, and the term is left out.

    Args:
        net: The cell.
        h: The states that `rnn.unroll` returned, (T+1, ..., H).
        delta: Total blame as in `blame.Gradients.h`, (T+1, ..., H).

    Returns:
        Ω, and its immediate gradient ∂⁺Ω/∂W_h, (H, H).
    """
    instance("net", net, RNN)
    h = floats("h", h, f"T+1, ..., H={net.H}")
    delta = floats("delta", delta, f"T+1={len(h)}, ..., H={net.H}", h.shape[1:-1])
    with np.errstate(under="ignore"):
        dz = (net.phi.slope(h[1:]) * delta[1:]).reshape(-1, net.H)
        before = np.linalg.norm(delta[1:].reshape(-1, net.H), axis=-1)
        kept = before > np.sqrt(np.finfo(np.float64).tiny)  # a square below that is 0
        dz, before = dz[kept] / before[kept, None], before[kept]
        v = dz @ net.W_h
        ratio = np.linalg.norm(v, axis=-1)
        sentences = max(1, delta[0].size // net.H)
        pull = np.divide(2 * (ratio - 1), ratio, out=np.zeros_like(ratio), where=ratio > 0)
    omega = float(np.sum((ratio - 1) ** 2)) / sentences
    gradient = dz.T @ (pull[:, None] * v) / sentences
    finite("net", omega, gradient)
    return omega, gradient


class Batch(NamedTuple):
    """What a model learns from in one step.

    Attributes:
        x: Words, (T, B) integers for a model with an embedding, else vectors (T, B, D).
        y: What is right: words (T, B) for cross-entropy, vectors (T, B, K) for the squared error.
        mask: Which outputs count, (T, B), 0 or 1.
    """

    x: NDArray[np.generic]
    y: NDArray[np.generic]
    mask: Array


class Run(NamedTuple):
    """What a model makes of a batch.

    Attributes:
        x: The word vectors, (T, B, D).
        h: The states, (T+1, B, H).
        trace: All that an LSTM computed, or None.
        outputs: Scores or predictions, (T, B, K).
    """

    x: Array
    h: Array
    trace: Trace | None
    outputs: Array


class Learnt(NamedTuple):
    """What a model learns from a batch.

    Attributes:
        loss: Mean over the outputs that count.
        gradients: By the name of the parameter.
        run: What came out on the way.
    """

    loss: float
    gradients: Parameters
    run: Run


RECURRENT = ("rnn", "orthogonal", "irnn")
CELLS = (*RECURRENT, "lstm", "lstm 1997")


@dataclass(frozen=True, eq=False)
class Model:
    """A recurrent cell between an embedding and an output layer, ŷ_t = W_y h_t + b_y.

    Attributes:
        parameters: "W_x", "W_h", "b" of an RNN or "W", "b" of an LSTM; "W_y" (K, H), "b_y" (K,);
            "E" (V, D) if words come as numbers. An optimiser changes these arrays in place.
        cell: "rnn" (tanh), "orthogonal" (a tanh RNN that starts with an orthogonal W_h), "irnn"
            (relu, starts with W_h = I: Le, Jaitly & Hinton, 2015), "lstm", or "lstm 1997", which
            has no forget gate.
        loss: "cross-entropy" or "squared".
    """

    parameters: Parameters
    cell: str = "lstm"
    loss: str = "cross-entropy"

    def __post_init__(self) -> None:
        choice("cell", self.cell, CELLS)
        choice("loss", self.loss, tuple(LOSSES))
        instance("parameters", self.parameters, dict)
        wanted = {"W_x", "W_h", "b"} if self.cell in RECURRENT else {"W", "b"}
        names = set(self.parameters) - {"E"}
        if names != wanted | {"W_y", "b_y"}:
            listed = ", ".join(sorted(wanted | {"W_y", "b_y"}))
            raise ValueError(f"parameters: expected {listed}, got {shown(sorted(self.parameters))}")
        net = self.net
        W_y = floats("parameters['W_y']", self.parameters["W_y"], f"K, H={net.H}")
        floats("parameters['b_y']", self.parameters["b_y"], f"K={len(W_y)}")
        if "E" in self.parameters:
            floats("parameters['E']", self.parameters["E"], f"V, D={net.D}")

    @classmethod
    def random(
        cls,
        rng: np.random.Generator,
        cell: str,
        *,
        H: int,
        D: int,
        K: int,
        V: int | None = None,
        forget_bias: float = 1.0,
        scale: float | None = None,
        loss: str = "cross-entropy",
    ) -> Self:
        """Draw an untrained model.

        Weights are uniform between ±1/√H, PyTorch's default; biases are 0, but for b_f.

        Args:
            rng: Where the numbers come from.
            cell: As in the class.
            H: Size of the state.
            D: Size of a word vector.
            K: How many outputs.
            V: How many words there are, if they come as numbers.
            forget_bias: b_f of an LSTM.
            scale: If given, the weights are normal with this standard deviation instead.
            loss: As in the class.
        """
        generator("rng", rng)
        H, D, K = size("H", H), size("D", D), size("K", K)
        limit = 1 / np.sqrt(H) if scale is None else number("scale", scale, above=0)

        def weights(*shape: int) -> Array:
            draw = rng.uniform(-1, 1, shape) if scale is None else rng.normal(size=shape)
            return np.asarray(limit * draw)

        parameters = {} if V is None else {"E": rng.normal(size=(size("V", V), D))}
        if choice("cell", cell, CELLS) in RECURRENT:
            W_h = weights(H, H)
            if cell == "orthogonal":
                Q, R = np.linalg.qr(rng.normal(size=(H, H)))
                W_h = Q * np.sign(np.diag(R))  # without the signs not every Q is equally likely
            elif cell == "irnn":
                W_h = np.eye(H)
            parameters |= {"W_x": weights(H, D), "W_h": W_h, "b": np.zeros(H)}
        else:
            gates = 4 if cell == "lstm" else 3
            b = np.zeros(gates * H)
            if cell == "lstm":
                b[:H] = number("forget_bias", forget_bias)
            parameters |= {"W": weights(gates * H, H + D), "b": b}
        return cls(parameters | {"W_y": weights(K, H), "b_y": np.zeros(K)}, cell, loss)

    @property
    def net(self) -> RNN | LSTM:
        """The cell with the parameters of this moment; it does not change with them."""
        p = self.parameters
        if self.cell in RECURRENT:
            return RNN(p["W_x"], p["W_h"], p["b"], "relu" if self.cell == "irnn" else "tanh")
        return LSTM(p["W"], p["b"], self.cell == "lstm")

    def run(self, x: ArrayLike, start: Run | None = None) -> Run:
        """Read a batch.

        Args:
            x: As in `Batch`.
            start: If given, reading goes on where this run ended.
        """
        return self._run(self.net, x, start)

    def learn(self, batch: Batch, start: Run | None = None, *, alpha: float = 0.0) -> Learnt:
        """Read a batch and send the blame back.

        Args:
            batch: What to read, and what is right.
            start: If given, reading goes on where this run ended; blame does not go back into it.
            alpha: Weight of `regulariser`, whose gradient is added to that of W_h; for RNNs only.
        """
        net, p = self.net, self.parameters
        run = self._run(net, batch.x, start)
        loss, error = LOSSES[self.loss](run.outputs, batch.y, batch.mask)
        H, K = p["W_y"].shape[1], len(p["b_y"])
        flat = error.reshape(-1, K)
        gradients = {"W_y": flat.T @ run.h[1:].reshape(-1, H), "b_y": flat.sum(axis=0)}
        dL_dh = error @ p["W_y"]
        found: blame.Gradients | lstm.LSTMGradients
        if isinstance(net, RNN):
            found = blame.bptt(net, run.x, run.h, dL_dh)
        else:
            assert run.trace is not None
            found = _bptt(net, run.x, run.trace, dL_dh)
        gradients |= found.parameters
        if number("alpha", alpha, at_least=0):
            if not isinstance(net, RNN):
                raise ValueError(f"alpha: expected 0 for an LSTM, got {alpha:g}")
            gradients["W_h"] = gradients["W_h"] + alpha * regulariser(net, run.h, found.h)[1]
        if "E" in p:
            V, D = p["E"].shape
            one_hot = (np.reshape(batch.x, (1, -1)) == np.arange(V)[:, None]).astype(np.float64)
            gradients["E"] = one_hot @ found.x.reshape(-1, D)
        return Learnt(loss, gradients, run)

    def without(self, unit: int) -> Self:
        """Return the model with one unit silenced: its h is 0 for all who read it.

        Args:
            unit: Index of the unit, 0 to H−1.
        """
        unit = integer("unit", unit, at_least=0, at_most=self.net.H - 1)
        recurrent = "W_h" if self.cell in RECURRENT else "W"
        p = {name: array.copy() for name, array in self.parameters.items()}
        p["W_y"][:, unit] = p[recurrent][:, unit] = 0
        return type(self)(p, self.cell, self.loss)

    def _run(self, net: RNN | LSTM, x: ArrayLike, start: Run | None) -> Run:
        p = self.parameters
        if "E" in p:
            words = np.asarray(x)
            vectors = p["E"][_indices("x", words, len(p["E"]), np.ones(words.shape))]
        else:
            vectors = floats("x", x, f"T, B, D={net.D}")
        trace, h_0 = None, None if start is None else start.h[-1]
        if isinstance(net, RNN):
            h = rnn.unroll(net, vectors, h_0)
        else:
            c_0 = None if start is None or start.trace is None else start.trace.c[-1]
            trace = lstm.unroll(net, vectors, h_0, c_0)
            h = trace.h
        return Run(vectors, h, trace, h[1:] @ p["W_y"].T + p["b_y"])


class Step(NamedTuple):
    """What `train` tells its callback after a step.

    Attributes:
        number: 1, 2, ….
        loss: On this step's batch, before the step.
        norm: Of the whole gradient, before clipping; NaN if it is not clipped.
    """

    number: int
    loss: float
    norm: float


def train(
    model: Model,
    draw: Callable[[], Batch],
    optimiser: Optimiser,
    steps: int,
    *,
    threshold: float | None = None,
    alpha: float = 0.0,
    callback: Callable[[Step], bool | None] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Array:
    """Train a model, whose parameters change in place.

    Args:
        model: What learns.
        draw: Gives the next batch.
        optimiser: What makes a step of a gradient.
        steps: How many at most.
        threshold: θ of `clip`; without it nothing is clipped.
        alpha: Weight of `regulariser`.
        callback: Hears of every step; if it returns True, that was the last.
        progress: Is given the number of steps made and of all; a progress bar, for example.

    Returns:
        The loss of each step, (steps made,).
    """
    instance("model", model, Model)
    steps = integer("steps", steps)
    losses = []
    for n in range(1, steps + 1):
        loss, gradients, _ = model.learn(draw(), alpha=alpha)
        norm = np.nan
        if threshold is not None:
            gradients, norm = clip(gradients, threshold)
        optimiser.step(model.parameters, gradients)
        losses.append(loss)
        if progress is not None:
            progress(n, steps)
        if callback is not None and callback(Step(n, loss, norm)):
            break
    return np.array(losses)


def _mask(mask: ArrayLike | None, shape: tuple[int, ...]) -> Array:
    if mask is None:
        return np.ones(shape)
    counted = floats("mask", mask, "...", shape)
    if not ((counted == 0) | (counted == 1)).all():
        raise ValueError("mask: expected zeros and ones only")
    if not counted.any():
        raise ValueError("mask: expected at least one word that counts")
    return counted


def _indices(name: str, words: ArrayLike, V: int, counted: Array) -> Words:
    array = np.asarray(words)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name}: expected integers, got {shown(words)}")
    if array.shape != counted.shape:
        raise ValueError(f"{name}: expected shape {counted.shape}, got {array.shape}")
    wrong = (counted > 0) & ((array < 0) | (array >= V))
    if wrong.any():
        raise ValueError(f"{name}: expected words from 0 to {V - 1}, got {array[wrong][0]}")
    return array


def _flat(parameters: Parameters, gradients: Mapping[str, Array]) -> Array:
    """All gradients in one row, in the order of the parameters: one row is quicker than many."""
    if parameters.keys() != gradients.keys():
        wanted, came = sorted(parameters), sorted(gradients)
        raise ValueError(f"gradients: expected {shown(wanted)}, got {shown(came)}")
    for name, p in parameters.items():
        if np.shape(gradients[name]) != p.shape:
            shape = np.shape(gradients[name])
            raise ValueError(f"gradients[{name!r}]: expected shape {p.shape}, got {shape}")
    flat = np.concatenate([np.ravel(gradients[name]) for name in parameters])
    return floats("gradients", flat, "N", largest=ANY_SIZE)


def _descend(parameters: Parameters, change: Array) -> None:
    at = 0
    for p in parameters.values():
        np.subtract(p, change[at : at + p.size].reshape(p.shape), out=p)
        at += p.size
