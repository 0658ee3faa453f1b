"""The LSTM: gates, one step, the loop over time, and blame along the belt.

Time runs along axis 0, as in `rnn`. The belt is the cell state c. It is updated by addition,

    c_t = f_t ⊙ c_{t−1} + i_t ⊙ c̃_t,    h_t = o_t ⊙ tanh(c_t),

so on the direct path ∂c_t/∂c_{t−1} is diag(f_t). Each gate also reads h_{t−1}; the total
derivative includes those paths.

Hochreiter & Schmidhuber (1997) had no forget gate: c_{t−1} was carried over whole, f ≡ 1. The
forget gate came with Gers, Schmidhuber & Cummins (1999, 2000).

Every function raises ValueError for a wrong shape or a number out of range, NaN and infinity
included, and TypeError for what is not a number at all; the message names the argument.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from lesson20.checks import (
    Array,
    finite,
    floats,
    frozen,
    generator,
    instance,
    integer,
    number,
    overflowing,
    shown,
    size,
)
from lesson20.rnn import SIGMOID, TANH


class State(NamedTuple):
    """What one step computes; each (..., H).

    Attributes:
        f: Forget gate.
        i: Input gate.
        o: Output gate.
        c_tilde: Candidate c̃, what may be written.
        c: The belt.
        h: What the rest of the net sees.
    """

    f: Array
    i: Array
    o: Array
    c_tilde: Array
    c: Array
    h: Array


class Trace(NamedTuple):
    """What a sentence leaves behind: f, i, o, c_tilde are (T, ..., H); c and h are (T+1, ..., H).

    f[t-1] belongs to word t; c[k] and h[k] are the states after k words.
    """

    f: Array
    i: Array
    o: Array
    c_tilde: Array
    c: Array
    h: Array


@dataclass(frozen=True, eq=False)
class LSTM:
    """The LSTM cell, with 4H(H+D)+4H parameters: four times those of the RNN.

    Every gate reads [h_{t−1}; x_t]. The four blocks of rows are stacked in the order f, i, o, c;
    without a forget gate (the 1997 form, f ≡ 1) three are left: i, o, c. The arrays are copied and
    read-only.

    Attributes:
        W: All weights, (4H, H+D), columns for h first.
        b: All biases, (4H,).
        forget_gate: False for the 1997 form; W is then (3H, H+D) and b (3H,).
    """

    W: Array
    b: Array
    forget_gate: bool = True

    def __post_init__(self) -> None:
        instance("forget_gate", self.forget_gate, bool)
        rows = f"{len(self.gates)}H"
        object.__setattr__(self, "b", frozen("b", self.b, rows))
        if len(self.b) % len(self.gates):
            raise ValueError(f"b: expected shape ({rows},), got {self.b.shape}")
        object.__setattr__(self, "W", frozen("W", self.W, f"{rows}={len(self.b)}, H+D"))
        if self.D < 1:
            raise ValueError(f"W: expected more than H={self.H} columns, got {self.W.shape}")

    @classmethod
    def random(
        cls,
        rng: np.random.Generator,
        H: int,
        D: int,
        *,
        forget_bias: float = 1.0,
        forget_gate: bool = True,
    ) -> Self:
        """Draw an untrained cell: weights normal with variance 1/(H+D), all biases but b_f 0.

        Args:
            rng: Where the numbers come from.
            H: Size of the state.
            D: Size of a word vector.
            forget_bias: b_f. Jozefowicz et al. (2015) recommend "a large value such as 1 or 2".
            forget_gate: False for the 1997 form, where forget_bias has nothing to act on.
        """
        generator("rng", rng)
        H, D = size("H", H), size("D", D)
        forget_bias = number("forget_bias", forget_bias)
        b = np.zeros((4 if instance("forget_gate", forget_gate, bool) else 3) * H)
        if forget_gate:
            b[:H] = forget_bias
        W = rng.normal(size=(len(b), H + D)) / np.sqrt(H + D)
        return cls(W, b, forget_gate)

    @classmethod
    def from_gates(
        cls,
        *,
        W_i: ArrayLike,
        W_o: ArrayLike,
        W_c: ArrayLike,
        b_i: ArrayLike,
        b_o: ArrayLike,
        b_c: ArrayLike,
        W_f: ArrayLike | None = None,
        b_f: ArrayLike | None = None,
    ) -> Self:
        """Stack the gates of the equations, each W (H, H+D) and each b (H,), into one cell.

        Leave out W_f and b_f for the 1997 form.
        """
        if (W_f is None) != (b_f is None):
            raise ValueError(
                f"W_f, b_f: expected both or neither, got {'b_f' if W_f is None else 'W_f'} alone"
            )
        b = {"b_i": b_i, "b_o": b_o, "b_c": b_c}
        W = {"W_i": W_i, "W_o": W_o, "W_c": W_c}
        if W_f is not None and b_f is not None:
            b, W = {"b_f": b_f, **b}, {"W_f": W_f, **W}
        H = len(floats("b_i", b_i, "H"))
        columns = floats("W_i", W_i, f"H={H}, H+D").shape[1]
        if columns <= H:
            raise ValueError(f"W_i: expected more than H={H} columns, got {columns}")
        return cls(
            np.vstack([floats(name, w, f"H={H}, H+D={columns}") for name, w in W.items()]),
            np.concatenate([floats(name, v, f"H={H}") for name, v in b.items()]),
            forget_gate=W_f is not None,
        )

    @property
    def gates(self) -> str:
        """The blocks of rows in their order: "fioc", or "ioc" for the 1997 form."""
        return "fioc" if self.forget_gate else "ioc"

    @property
    def H(self) -> int:
        """Size of the state."""
        return len(self.b) // len(self.gates)

    @property
    def D(self) -> int:
        """Size of a word vector."""
        return int(self.W.shape[1]) - self.H

    @property
    def parameter_count(self) -> int:
        """4H(H+D)+4H; 3H(H+D)+3H for the 1997 form."""
        return self.W.size + self.b.size

    @property
    def W_f(self) -> Array:
        """Weights of the forget gate, (H, H+D); AttributeError for the 1997 form."""
        return self.W[self._rows("f")]

    @property
    def W_i(self) -> Array:
        """Weights of the input gate, (H, H+D)."""
        return self.W[self._rows("i")]

    @property
    def W_o(self) -> Array:
        """Weights of the output gate, (H, H+D)."""
        return self.W[self._rows("o")]

    @property
    def W_c(self) -> Array:
        """Weights of the candidate, (H, H+D)."""
        return self.W[self._rows("c")]

    @property
    def b_f(self) -> Array:
        """Bias of the forget gate, (H,); AttributeError for the 1997 form."""
        return self.b[self._rows("f")]

    @property
    def b_i(self) -> Array:
        """Bias of the input gate, (H,)."""
        return self.b[self._rows("i")]

    @property
    def b_o(self) -> Array:
        """Bias of the output gate, (H,)."""
        return self.b[self._rows("o")]

    @property
    def b_c(self) -> Array:
        """Bias of the candidate, (H,)."""
        return self.b[self._rows("c")]

    def step(self, x: ArrayLike, h: ArrayLike, c: ArrayLike) -> State:
        """Read one word.

        Args:
            x: The word x_t, (..., D).
            h: The state h_{t−1}, (..., H).
            c: The belt c_{t−1}, (..., H).

        Returns:
            The gates, the candidate, c_t and h_t.
        """
        x = floats("x", x, f"..., D={self.D}")
        h = floats("h", h, f"..., H={self.H}", x.shape[:-1])
        c = floats("c", c, f"..., H={self.H}", x.shape[:-1])
        z = np.concatenate([h, x], axis=-1) @ self.W.T + self.b
        return self._advance(np.stack(np.split(z, len(self.gates), axis=-1)), c)

    def _advance(self, z: Array, c: Array) -> State:
        """The step once z = W [h; x] + b is known, (gates, ..., H); the gates take its place."""
        for phi, block in ((SIGMOID, z[:-1]), (TANH, z[-1])):
            phi.f(block, out=block)
        f, i, o, c_tilde = z if self.forget_gate else (np.ones_like(c), *z)
        c = f * c + i * c_tilde
        return State(f, i, o, c_tilde, c, o * np.tanh(c))

    def _rows(self, gate: str) -> slice:
        at = self.gates.find(gate)
        if at < 0:
            raise AttributeError("the 1997 form has no forget gate: f is 1")
        return slice(at * self.H, (at + 1) * self.H)


def unroll(
    net: LSTM, x: ArrayLike, h_0: ArrayLike | None = None, c_0: ArrayLike | None = None
) -> Trace:
    """Let the cell read a sentence from left to right.

    Args:
        net: The cell, the same at every step.
        x: The words, (T, ..., D).
        h_0: The initial state, (..., H); zeros if not given.
        c_0: The initial belt, (..., H); zeros if not given.

    Returns:
        All gates and states.
    """
    instance("net", net, LSTM)
    x = floats("x", x, f"T, ..., D={net.D}")
    T, batch, H, D = len(x), x.shape[1:-1], net.H, net.D
    N = math.prod(batch)  # the batch is one axis here, and the last: so a gate is one piece
    # All six fields in one array: to get memory in many pieces takes longer than to fill it.
    record = np.zeros((T + 1, 6, H, N))
    record[:, 0] = 1.0  # f, for the form that has no gate to say otherwise
    z, c, h = record[1:, 4 - len(net.gates) : 4], record[:, 4], record[:, 5]
    if h_0 is not None:
        h[0] = floats("h_0", h_0, f"..., H={H}", batch).reshape(N, H).T
    if c_0 is not None:
        c[0] = floats("c_0", c_0, f"..., H={H}", batch).reshape(N, H).T
    W_h, W_x = net.W[:, :H].copy(), net.W[:, H:].copy()
    # What the words bring needs no state: all t at once.
    rows = z.reshape(T, len(net.b), N)
    np.matmul(W_x, x.reshape(T, N, D).swapaxes(1, 2), out=rows)
    rows += net.b[:, None]
    for t in range(T):
        rows[t] += W_h @ h[t]
        *_, c[t + 1], h[t + 1] = net._advance(z[t], c[t])
    fields = np.moveaxis(record, 2, -1).swapaxes(0, 1).reshape(6, T + 1, *batch, H)
    return Trace(*fields[:4, 1:], *fields[4:])


@overflowing
def direct_path(trace: Trace) -> Array:
    """Return the direct part of ∂c_T/∂c_k, along the belt alone: the diagonal of ∏ diag(f_t).

    Args:
        trace: What `unroll` returned.

    Returns:
        ∏_{t=k+1}^{T} f_t for k = 0, …, T, (T+1, ..., H); all ones at k = T.
    """
    f = floats("trace.f", instance("trace", trace, Trace).f, "T, ..., H")
    products = np.ones((len(f) + 1, *f.shape[1:]))
    products[:-1] = np.cumprod(f[::-1], axis=0)[::-1]
    finite("trace", products)
    return products


@overflowing
def total_path(net: LSTM, x: ArrayLike, trace: Trace) -> Array:
    """Return the total ∂c_T/∂c_k: the belt, and every path that leaves it through h and comes back.

    Args:
        net: The cell.
        x: The words, (T, ..., D).
        trace: What `unroll` returned for them.

    Returns:
        P, (T+1, ..., H, H). A nudge to c_k moves h_k too, but at k = 0, where h_0 is given and not
        computed from c_0, h_0 stays as it is.
    """
    x, trace = _checked(net, x, trace)
    T, batch, H = len(x), x.shape[1:-1], net.H
    N = math.prod(batch)
    trace = Trace(*(_batch_last(field, N)[..., None] for field in trace))
    P = np.empty((T + 1, H, N, H))  # last come the units of c_T, a row of the Jacobian for each
    dh, dc = np.zeros((H, N, H)), np.eye(H)[:, None]
    for t in reversed(range(T)):
        P[t + 1], dh, dc = _back(net, trace, t, dh, dc)[:3]
    P[0] = dc
    finite("trace", P)
    return np.moveaxis(P, 1, -1).reshape(T + 1, *batch, H, H)


class LSTMGradients(NamedTuple):
    """The gradient of the loss with respect to everything that an LSTM used.

    Attributes:
        W: In the shape of `LSTM.W`, summed over the batch.
        b: In the shape of `LSTM.b`, summed over the batch.
        x: ∂L/∂x for each word, (T, ..., D).
        h: Total blame ∂L/∂h_k for k = 0, …, T, (T+1, ..., H), the belt c_k held still.
        c: Total blame ∂L/∂c_k, (T+1, ..., H), including what goes through h_k; at k = 0, where h_0
            is given and not computed from c_0, h_0 is held still.
    """

    W: Array
    b: Array
    x: Array
    h: Array
    c: Array

    @property
    def parameters(self) -> dict[str, Array]:
        """The gradients of the parameters alone, by name."""
        return {"W": self.W, "b": self.b}


@overflowing
def bptt(net: LSTM, x: ArrayLike, trace: Trace, dL_dh: ArrayLike) -> LSTMGradients:
    """Send blame back through time, along the belt and through h.

    Args:
        net: The cell.
        x: The words, (T, ..., D).
        trace: What `unroll` returned for them.
        dL_dh: The direct part ∂L_t/∂h_t, (T, ..., H), for t = 1, …, T.

    Returns:
        All gradients.
    """
    x, trace = _checked(net, x, trace)
    return _bptt(
        net, x, trace, floats("dL_dh", dL_dh, f"T={len(x)}, ..., H={net.H}", x.shape[1:-1])
    )


def _bptt(net: LSTM, x: Array, trace: Trace, direct: Array) -> LSTMGradients:
    """`bptt` of arrays that this module made itself."""
    T, batch, H = len(x), x.shape[1:-1], net.H
    N = math.prod(batch)
    last = Trace(*(_batch_last(field, N) for field in trace))
    dh, dc = np.zeros((2, T + 1, H, N))
    dh[1:] = _batch_last(direct, N)
    dW, db, dx = np.zeros_like(net.W), np.zeros_like(net.b), np.empty((T, net.D, N))
    for t in reversed(range(T)):
        dc[t + 1], from_gates, dc[t], dz = _back(net, last, t, dh[t + 1], dc[t + 1])
        dh[t] += from_gates
        # Summed step by step: to keep dz for one product at the end takes longer than the product.
        dW[:, :H] += dz @ last.h[t].T
        dW[:, H:] += dz @ x[t].reshape(N, net.D)
        db += dz.sum(axis=1)
        dx[t] = net.W[:, H:].T @ dz
    gradients = LSTMGradients(dW, db, *(_batch_as(batch, a) for a in (dx, dh, dc)))
    finite("dL_dh", *gradients)
    return gradients


def _back(
    net: LSTM, trace: Trace, t: int, dh: Array, dc: Array
) -> tuple[Array, Array, Array, Array]:
    """Send blame on h_{t+1} and c_{t+1}, (H, ...), one step back; t is 0 for the first word.

    Args:
        net: The cell.
        trace: What `unroll` returned, each field with H as axis 1.
        t: Index of the step.
        dh: Total blame on h_{t+1}.
        dc: Blame on c_{t+1} that does not pass through h_{t+1}.

    Returns:
        Total blame on c_{t+1}, dh and dc for the step before, and the blame on the rows of
        W [h; x] + b, (4H, the rest).
    """
    f, i, o, c_tilde = trace.f[t], trace.i[t], trace.o[t], trace.c_tilde[t]
    # tanh(c) is h/o; another tanh would take longer than all the rest
    seen = np.divide(trace.h[t + 1], o, out=np.zeros(o.shape), where=o > 0)
    dc = dc + o * TANH.slope(seen) * dh
    blocks = [
        trace.c[t] * SIGMOID.slope(f) * dc,
        c_tilde * SIGMOID.slope(i) * dc,
        seen * SIGMOID.slope(o) * dh,
        i * TANH.slope(c_tilde) * dc,
    ]
    dz = np.concatenate(blocks[-len(net.gates) :]).reshape(len(net.b), -1)
    return dc, (net.W[:, : net.H].T @ dz).reshape(dh.shape), f * dc, dz


def unroll_stack(layers: Sequence[LSTM], x: ArrayLike) -> list[Trace]:
    """Let a stack of cells read a sentence: each layer reads the h of the one below.

    Args:
        layers: The cells, the lowest first; each D is the H of the one below.
        x: The words, (T, ..., D) with the D of the lowest.

    Returns:
        One trace per layer.
    """
    traces = []
    for net in _stack(layers):
        traces.append(unroll(net, x))
        x = traces[-1].h[1:]
    return traces


def bptt_stack(
    layers: Sequence[LSTM], x: ArrayLike, traces: Sequence[Trace], dL_dh: ArrayLike
) -> list[LSTMGradients]:
    """Send blame back through time and down the stack.

    Args:
        layers: The cells, the lowest first.
        x: The words, (T, ..., D).
        traces: What `unroll_stack` returned.
        dL_dh: The direct part on the h of the top layer, (T, ..., H).

    Returns:
        One set of gradients per layer; the x of the lowest is ∂L/∂x of the words.
    """
    layers = _stack(layers)
    if not isinstance(traces, list | tuple) or len(traces) != len(layers):
        came = f"a list of {len(traces)}" if isinstance(traces, list | tuple) else shown(traces)
        raise ValueError(f"traces: expected a list of {len(layers)}, one per layer, got {came}")
    gradients: list[LSTMGradients] = []
    for n in reversed(range(len(layers))):
        below = x if n == 0 else instance(f"traces[{n - 1}]", traces[n - 1], Trace).h[1:]
        gradients.insert(0, bptt(layers[n], below, traces[n], dL_dh))
        dL_dh = gradients[0].x
    return gradients


def parameter_count(H: int, D: int, *, forget_gate: bool = True) -> int:
    """Return 4H(H+D)+4H, without making the arrays; 3H(H+D)+3H without a forget gate.

    Examples:
        >>> parameter_count(1000, 1000)
        8004000
    """
    H, D = (integer(name, n, at_most=np.inf) for name, n in (("H", H), ("D", D)))
    return (4 if instance("forget_gate", forget_gate, bool) else 3) * H * (H + D + 1)


def half_life(b_f: ArrayLike) -> Array:
    """Return after how many steps half of what lay on the belt is left: ln ½ / ln σ(b_f).

    Args:
        b_f: Bias of a forget gate that sees nothing else, f = σ(b_f); any shape.

    Returns:
        Steps, in the shape of b_f; infinite where f rounds to 1 beyond all digits.
    """
    b_f = floats("b_f", b_f, "...")
    with np.errstate(divide="ignore", over="ignore", under="ignore"):
        return np.asarray(np.log(2) / np.logaddexp(0, -b_f))  # −ln σ(b), exact for large b too


def _checked(net: LSTM, x: ArrayLike, trace: Trace) -> tuple[Array, Trace]:
    instance("net", net, LSTM)
    x = floats("x", x, f"T, ..., D={net.D}")
    T, batch = len(x), x.shape[1:-1]
    axes: dict[str, str] = {"c": f"T+1={T + 1}", "h": f"T+1={T + 1}"}
    fields = instance("trace", trace, Trace)._asdict().items()
    checked = (
        floats(f"trace.{name}", a, f"{axes.get(name, f'T={T}')}, ..., H={net.H}", batch)
        for name, a in fields
    )
    return x, Trace(*checked)


def _batch_last(a: Array, N: int) -> Array:
    """Turn (T, ..., H) into (T, H, N), the batch as one axis."""
    return a.reshape(len(a), N, a.shape[-1]).swapaxes(1, 2)


def _batch_as(batch: tuple[int, ...], a: Array) -> Array:
    """Turn (T, H, N) into (T, ..., H)."""
    return a.swapaxes(1, 2).reshape(len(a), *batch, a.shape[1])


def _stack(layers: Sequence[LSTM]) -> Sequence[LSTM]:
    if not isinstance(layers, list | tuple) or not layers:
        raise TypeError(f"layers: expected a list of at least one LSTM, got {shown(layers)}")
    for n, net in enumerate(layers):
        instance(f"layers[{n}]", net, LSTM)
        if n and net.D != layers[n - 1].H:
            raise ValueError(f"layers[{n}]: expected D={layers[n - 1].H}, got D={net.D}")
    return layers
