"""Checkers for the exercises: each takes the reader's function and says what is wrong with it.

A checker calls the function several times, compares what comes back with the lesson's own answer,
and then with slips that are often made. It prints nothing: it returns a `Report`, which shows
itself as its message and is true if the function is right.

Every checker raises TypeError for what cannot be called at all.
"""

import math
from collections.abc import Callable, Iterator

import numpy as np

from lesson20 import blame, lstm
from lesson20.attempts import Answer, Attempt, Raised, Report, Slips, Task, Try, check, name_of
from lesson20.attempts import outcome as call
from lesson20.blame import _ROTATION, _WORD
from lesson20.checks import Array, floats
from lesson20.lstm import LSTM
from lesson20.rnn import RNN, sigmoid, unroll


def check_step(step: Attempt) -> Report:
    """Check `step(net, x, h)`, which reads one word: h_t = tanh(W_x x_t + W_h h_{t−1} + b).

    Args:
        step: Takes an `rnn.RNN` with a bias, a word (D,) and a state (H,); returns a state (H,).

    Examples:
        >>> check_step(lambda net, x, h: np.tanh(net.W_x @ x + net.W_h @ h + net.b))
        Right: step(net, x, h) agrees with the lesson in all 3 tries.
    """
    slips: Slips = {
        "this is the state before the squashing. The tanh is missing.": _sum,
        "the bias b is missing.": lambda net, x, h: np.tanh(_sum(net, x, h) - net.b),
        "the bias is added after the squashing. It belongs inside the tanh.": (
            lambda net, x, h: np.tanh(_sum(net, x, h) - net.b) + net.b
        ),
        "it multiplies by the transpose of W_h. Write `W_h @ h`, or `h @ W_h.T`.": (
            lambda net, x, h: np.tanh(net.W_x @ x + h @ net.W_h + net.b)
        ),
        "x and h have changed places. W_x reads the word, W_h reads the state.": (
            lambda net, x, h: np.tanh(net.W_x @ h + net.W_h @ x + net.b)
        ),
        "the past is missing: the state h_{t−1} is not read.": (
            lambda net, x, h: np.tanh(net.W_x @ x + net.b)
        ),
        "the word is missing: x is not read.": lambda net, x, h: np.tanh(net.W_h @ h + net.b),
        "it squashes with the sigmoid. This cell squashes with tanh.": (
            lambda net, x, h: sigmoid(_sum(net, x, h))
        ),
        "it squashes each product by itself. Add first, then squash once.": (
            lambda net, x, h: np.tanh(net.W_x @ x) + np.tanh(net.W_h @ h + net.b),
            lambda net, x, h: np.tanh(net.W_x @ x + net.b) + np.tanh(net.W_h @ h),
            lambda net, x, h: np.tanh(net.W_x @ x) + np.tanh(net.W_h @ h) + net.b,
        ),
        "`*` multiplies entry by entry. A matrix meets a vector with `@`: `W_h @ h`.": (
            lambda net, x, h: np.tanh(net.W_x @ x + net.W_h * h + net.b)
        ),
        "the old state is added to the new one. This cell rewrites its state.": (
            lambda net, x, h: h + np.tanh(_sum(net, x, h))
        ),
    }
    return check(step, Task("step(net, x, h)", _words(), RNN.step, {"h": "H"}, slips))


def check_jacobian(jacobian: Attempt) -> Report:
    """Check `jacobian(net, x, h)`, the Jacobian ∂h_t/∂h_{t−1} = diag(1 − h_t ⊙ h_t) W_h of a step.

    Args:
        jacobian: Takes an `rnn.RNN` with a bias, a word (D,) and the state before it, (H,); returns
            (H, H).
    """

    def right(net: RNN, x: Array, h: Array) -> Array:
        return net.step_jacobian(net.step(x, h))

    slips: Slips = {
        "the slopes scale the columns of W_h. A slope belongs to a unit after the step, and so to "
        "a row: `(1 - h**2)[:, None] * W_h`.": (
            lambda net, x, h: (1 - net.step(x, h) ** 2) * net.W_h
        ),
        _SLOPE_BEFORE: lambda net, x, h: (1 - h**2)[:, None] * net.W_h,
        "this is W_h alone. The slope of tanh is missing.": lambda net, x, h: net.W_h,
        _SLOPE_SQUARED: lambda net, x, h: (1 - net.step(x, h))[:, None] * net.W_h,
        "it is transposed: row i tells what unit i after the step owes to each one before.": (
            lambda net, x, h: right(net, x, h).T
        ),
        "1 − h² wants the h after the squashing. Yours is taken before the tanh.": (
            lambda net, x, h: (1 - _sum(net, x, h) ** 2)[:, None] * net.W_h
        ),
        "it squashes twice. 1 − h² is the slope already, with no other tanh in it.": (
            lambda net, x, h: (1 - np.tanh(net.step(x, h)) ** 2)[:, None] * net.W_h
        ),
        "`*` keeps only the diagonal of W_h. A diagonal matrix meets W_h with `@`.": (
            lambda net, x, h: np.diag(1 - net.step(x, h) ** 2) * net.W_h
        ),
        "this is ∂h_t/∂x_t, what the state owes to the word: W_x stands in the place of W_h.": (
            lambda net, x, h: (1 - net.step(x, h) ** 2)[:, None] * net.W_x
        ),
    }
    return check(jacobian, Task("jacobian(net, x, h)", _words(), right, {"J": "H, H"}, slips))


def check_products(products: Attempt) -> Report:
    """Check `products(J)`, whose entry k is ∂h_T/∂h_k = J_T J_{T−1} ⋯ J_{k+1}.

    Args:
        products: Takes step Jacobians (T, H, H), J[t-1] for step t; returns (T+1, H, H), the
            identity last.
    """
    slips: Slips = {
        "the later Jacobian must stand on the left. Yours is J_{k+1} J_{k+2} ⋯ J_T.": (
            lambda J: _sweep(J, lambda later, J_t: J_t @ later)
        ),
        "yours is ∂h_k/∂h_0, the product from the first step on. Begin at the last step, and come "
        "back.": lambda J: _sweep(J[::-1], lambda earlier, J_t: J_t @ earlier)[::-1],
        "the entry for k = T is missing: the empty product, which is the identity.": (
            lambda J: blame.products(J)[:-1]
        ),
        "the products are right and their order is reversed: entry 0 is the longest one.": (
            lambda J: blame.products(J)[::-1]
        ),
        "`*` multiplies entry by entry. Matrices multiply with `@`.": (
            lambda J: _sweep(J, np.multiply),
            lambda J: np.cumprod([np.ones_like(J[0]), *J[::-1]], axis=0)[::-1],
        ),
        "each product lacks its last factor, J_{k+1}.": (
            lambda J: blame.products(J)[[*range(1, len(J) + 1), len(J)]]
        ),
        "these are the single Jacobians. They are to be multiplied up.": (
            lambda J: np.array([*J, np.eye(J.shape[-1])])
        ),
    }

    def tries() -> Iterator[Try]:
        for seed, (T, H) in enumerate([(1, 2), (3, 2), (4, 3)]):
            J = np.random.default_rng(seed).normal(size=(T, H, H))
            yield Try(f"T={T}, H={H}, seed {seed}", {"J": J})

    return check(products, Task("products(J)", tries(), blame.products, {"P": "T+1, H, H"}, slips))


def check_send_back(send_back: Attempt) -> Report:
    """Check `send_back(net, h, direct)`, the total blame ∂L/∂h_k of every state.

    Args:
        send_back: Takes an `rnn.RNN` with tanh, its states (T+1, H), and the direct part
            ∂L_t/∂h_t of each word's loss, (T, H), direct[t-1] for word t; returns (T+1, H).
    """

    def right(net: RNN, h: Array, direct: Array) -> Array:
        return blame.bptt(net, np.zeros((len(direct), net.D)), h, direct).h

    def padded(direct: Array) -> Array:
        return np.vstack([np.zeros(direct.shape[1]), direct])

    def back(one: Callable[[Array, Array, Array, Array], Array]) -> Attempt:
        """The sweep with another step back: of W_h, δ_t, h_t and h_{t−1}."""

        def slip(net: RNN, h: Array, direct: Array) -> Array:
            delta = padded(direct)
            for t in reversed(range(1, len(h))):
                delta[t - 1] += one(net.W_h, delta[t], h[t], h[t - 1])
            return delta

        return slip

    slips: Slips = {
        "blame goes back through the transpose: `W_h.T @ …` or `… @ W_h`. Yours goes through W_h "
        "itself.": back(lambda W_h, delta, h, before: W_h @ ((1 - h**2) * delta)),
        "the slope of tanh is missing on the way back.": (
            back(lambda W_h, delta, h, before: delta @ W_h)
        ),
        _SLOPE_BEFORE: back(lambda W_h, delta, h, before: ((1 - before**2) * delta) @ W_h),
        "the slope comes too late. Going back, blame meets the tanh first, and then W_h.": (
            back(lambda W_h, delta, h, before: (1 - h**2) * (delta @ W_h))
        ),
        _SLOPE_SQUARED: back(lambda W_h, delta, h, before: ((1 - h) * delta) @ W_h),
        "blame goes back by one step only. What a step hands on is all that it has: its own and "
        "what came from later.": (
            lambda net, h, direct: (
                padded(direct) + np.vstack([((1 - h[1:] ** 2) * direct) @ net.W_h, np.zeros(net.H)])
            )
        ),
        "only the last word's loss is sent back. Every word has one: add direct[t-1] at each.": (
            lambda net, h, direct: right(net, h, np.vstack([0 * direct[:-1], direct[-1:]]))
        ),
        "the direct part of each state's own loss is missing.": (
            lambda net, h, direct: right(net, h, direct) - padded(direct)
        ),
        "the initial state is missing. It has blame too, so there are T+1 rows.": (
            lambda net, h, direct: right(net, h, direct)[1:]
        ),
        "the rows are in reversed order: row 0 belongs to the initial state.": (
            lambda net, h, direct: right(net, h, direct)[::-1]
        ),
        "nothing is sent back. These are the direct parts.": (
            lambda net, h, direct: padded(direct)
        ),
    }

    def tries() -> Iterator[Try]:
        for seed, (T, H) in enumerate([(1, 3), (4, 3), (5, 2)]):
            rng = np.random.default_rng(seed)
            net, x, h_0 = _net(rng, H, 2), rng.normal(size=(T, 2)), rng.uniform(-0.9, 0.9, H)
            arguments = {"net": net, "h": unroll(net, x, h_0), "direct": rng.normal(size=(T, H))}
            yield Try(f"T={T}, H={H}, seed {seed}", arguments)

    task = Task("send_back(net, h, direct)", tries(), right, {"delta": "T+1, H"}, slips)
    return check(send_back, task)


def check_gradient(gradient: Attempt) -> Report:
    """Check `gradient(h, delta)`, the gradient ∂L/∂W_h of a tanh net from its states and blame.

    Args:
        gradient: Takes states (T+1, H) and their total blame, (T+1, H); returns (H, H).
    """

    def right(h: Array, delta: Array) -> Array:
        # With W_h = 0 nothing goes back: what comes in as the direct part is the total.
        net = RNN(np.zeros((h.shape[1], 1)), np.zeros((h.shape[1], h.shape[1])))
        return blame.bptt(net, np.zeros((len(h) - 1, 1)), h, delta[1:]).W_h

    slips: Slips = {
        "each step is paired with the state after it. W_h multiplied the state before, h_{t−1}.": (
            lambda h, delta: ((1 - h[1:] ** 2) * delta[1:]).T @ h[1:]
        ),
        "the slope of tanh is missing.": lambda h, delta: delta[1:].T @ h[:-1],
        "it is transposed: the blame gives the rows, the state before gives the columns.": (
            lambda h, delta: right(h, delta).T
        ),
        "it is the mean over the steps. The gradient is their sum.": (
            lambda h, delta: right(h, delta) / (len(h) - 1)
        ),
        "it is the last step alone. The weights are the same at every step: add them all.": (
            lambda h, delta: right(h[-2:], delta[-2:])
        ),
        "it is the first step alone. The weights are the same at every step: add them all.": (
            lambda h, delta: right(h[:2], delta[:2])
        ),
        _SLOPE_SQUARED: lambda h, delta: ((1 - h[1:]) * delta[1:]).T @ h[:-1],
        _SLOPE_BEFORE: lambda h, delta: ((1 - h[:-1] ** 2) * delta[1:]).T @ h[:-1],
        "the blame is that of the state before the step. Take δ_t, that of the state after.": (
            lambda h, delta: ((1 - h[1:] ** 2) * delta[:-1]).T @ h[:-1]
        ),
        "it multiplies two sums. Multiply at each step, and add up the products.": (
            lambda h, delta: np.outer(((1 - h[1:] ** 2) * delta[1:]).sum(0), h[:-1].sum(0))
        ),
    }

    def tries() -> Iterator[Try]:
        for seed, (T, H) in enumerate([(1, 3), (4, 3), (6, 2)]):
            rng = np.random.default_rng(seed)
            h, delta = rng.uniform(-0.9, 0.9, (T + 1, H)), rng.normal(size=(T + 1, H))
            yield Try(f"T={T}, H={H}, seed {seed}", {"h": h, "delta": delta})

    task = Task("gradient(h, delta)", tries(), right, {"dL_dW_h": "H, H"}, slips)
    return check(gradient, task)


def check_clip(clip: Attempt) -> Report:
    """Check `clip(gradients, threshold)`, which shortens the gradient: g ← g · min(1, θ/‖g‖).

    Args:
        clip: Takes a list of arrays and θ; returns a list of arrays in the same shapes.
    """

    def each(change: Callable[[Array, float], Array]) -> Attempt:
        return lambda gradients, threshold: tuple(change(g, threshold) for g in gradients)

    def times(factor: Callable[[float, float], float]) -> Attempt:
        """All arrays times one factor, of θ and the norm."""

        def slip(gradients: list[Array], threshold: float) -> Answer:
            norm = blame.clip_by_global_norm(gradients, threshold)[1]
            return tuple(np.multiply(factor(threshold, norm), g) for g in gradients)

        return slip

    def measured(norm: Callable[[list[Array]], float]) -> Attempt:
        """Clipped with something else for a norm."""

        def slip(gradients: list[Array], threshold: float) -> Answer:
            return tuple(min(1, threshold / (norm(gradients) or 1)) * g for g in gradients)

        return slip

    slips: Slips = {
        "each array is clipped by its own norm, which turns the direction. Clip by the global "
        "norm, taken once over all arrays.": (
            each(lambda g, threshold: blame.clip_by_global_norm([g], threshold)[0][0]),
            each(lambda g, threshold: g * np.minimum(1, threshold / np.linalg.norm(g))),
        ),
        "each entry is clipped by itself, which turns the direction. Shorten all by one factor.": (
            each(lambda g, threshold: np.clip(g, -threshold, threshold))
        ),
        "a gradient shorter than θ is made longer. Clipping only shortens: min(1, θ/‖g‖).": (
            times(lambda threshold, norm: threshold / norm if norm else 0),
            times(lambda threshold, norm: threshold / norm if norm else math.nan),
        ),
        "the norm is the root of the sum of squares. The root is missing.": (
            measured(lambda gradients: sum(float(np.sum(g**2)) for g in gradients))
        ),
        "norms do not add. ‖g‖ is the root of the sum of all squares, not the sum of norms.": (
            measured(lambda gradients: sum(float(np.linalg.norm(g)) for g in gradients))
        ),
        "it measures by the largest entry. The norm is the root of the sum of squares.": (
            measured(lambda gradients: max(float(np.abs(g).max()) for g in gradients))
        ),
        "the long gradient becomes 0. Shorten it to θ, and keep its direction.": (
            times(lambda threshold, norm: norm <= threshold)
        ),
        "the long gradient comes out longer. The factor is θ/‖g‖, not ‖g‖/θ.": (
            times(lambda threshold, norm: max(1, norm / threshold))
        ),
        "the long gradient gets the length 1, whatever θ is. The factor is θ/‖g‖.": (
            times(lambda threshold, norm: 1 if norm <= threshold else 1 / norm)
        ),
        "nothing is clipped: a gradient longer than θ comes back as it was.": each(lambda g, _: g),
    }

    def tries() -> Iterator[Try]:
        lengths = {
            "a gradient four times too long": 4.0,
            "three arrays shorter than θ, together longer": 1.5,
            "a short gradient": 0.1,
            "a gradient of zeros": 0.0,
        }
        for seed, (label, length) in enumerate(lengths.items()):
            rng, threshold = np.random.default_rng(seed), 2.5
            arrays = [rng.normal(size=shape) for shape in [(3, 2), (3, 3), (3,)]]
            scale = [length * threshold / np.sqrt(3) / np.linalg.norm(g) for g in arrays]
            gradients = [s * g for s, g in zip(scale, arrays, strict=True)]
            yield Try(label, {"gradients": gradients, "threshold": threshold})

    def right(gradients: list[Array], threshold: float) -> Answer:
        return tuple(blame.clip_by_global_norm(gradients, threshold)[0])

    parts = {f"gradients[{n}]": "" for n in range(3)}
    return check(clip, Task("clip(gradients, threshold)", tries(), right, parts, slips))


def check_lstm_step(lstm_step: Attempt) -> Report:
    """Check `lstm_step(net, x, h, c)`, which reads one word and returns h_t and c_t.

    Args:
        lstm_step: Takes an `lstm.LSTM`, a word (D,), a state (H,) and a belt (H,); returns the new
            state and the new belt, (H,) each.
    """

    def step(
        weights: str = "fioc",
        biases: str = "fioc",
        squash: str = "σσσt",
        *,
        belt: Callable[[lstm.State, Array, Array], Array] = lambda s, c, h: (
            s.f * c + s.i * s.c_tilde
        ),
        state: Callable[[lstm.State, Array, Array], Array] = lambda s, c, old: s.o * np.tanh(c),
        swap: bool = False,
    ) -> Attempt:
        """A step with something else in one place."""

        def slip(net: LSTM, x: Array, h: Array, c: Array) -> Answer:
            read = np.concatenate([x, h] if swap else [h, x])
            gates = [
                (np.tanh if phi == "t" else sigmoid)(
                    getattr(net, f"W_{W}") @ read + getattr(net, f"b_{b}")
                )
                for W, b, phi in zip(weights, biases, squash, strict=True)
            ]
            f, i, o, c_tilde = gates
            s = lstm.State(f, i, o, c_tilde, c, h)
            new = belt(s, c, h)
            return state(s, new, c), new

        return slip

    def right(net: LSTM, x: Array, h: Array, c: Array) -> Answer:
        state = net.step(x, h, c)
        return state.h, state.c

    def copied() -> Iterator[tuple[str, Attempt]]:
        """One line was copied, and not all of it was changed."""
        for gate, letter in enumerate("fioc"):
            for other in "fioc".replace(letter, ""):
                row = "fioc".replace(letter, other)
                told = f"the {names[gate]} is computed with {{}}_{other}. It has its own."
                yield told.format("b"), step(biases=row)
                yield told.format("W"), step(weights=row)
                yield told.format(f"W_{other} and b"), step(row, row)

    names = "forget gate", "input gate", "output gate", "candidate"
    slips: Slips = {
        "the two are exchanged: first the state h, then the belt c.": (
            lambda *arguments: right(*arguments)[::-1]
        ),
        "the belt is missing. Return both, `h, c`.": lambda *arguments: right(*arguments)[0],
        "the state is missing. Return both, `h, c`.": lambda *arguments: right(*arguments)[1],
        "your gates share one bias. Each has its own: b_f, b_i, b_o, and b_c for the candidate.": (
            *(step(biases=4 * b) for b in "fioc"),
            *(step(biases=3 * b + "c") for b in "fio"),
        ),
        **dict(copied()),
        "it reads [x; h]. The state comes first: [h; x].": step(swap=True),
        "the candidate is squashed with σ. It may be negative: tanh.": step(squash="σσσσ"),
        **{
            f"the {names[n]} is squashed with tanh. A gate lies between 0 and 1: σ.": step(
                squash="σσσt"[:n] + "t" + "σσσt"[n + 1 :]
            )
            for n in range(3)
        },
        "all gates are squashed with tanh. A gate lies between 0 and 1: σ.": step(squash="tttt"),
        "f and i have changed places: f keeps the belt, i writes the candidate.": (
            step(belt=lambda s, c, h: s.i * c + s.f * s.c_tilde)
        ),
        "it writes the share 1 − f. The input gate is a gate of its own.": (
            step(belt=lambda s, c, h: s.f * c + (1 - s.f) * s.c_tilde)
        ),
        "the input gate is missing: c = f ⊙ c + i ⊙ c̃.": (
            step(belt=lambda s, c, h: s.f * c + s.c_tilde)
        ),
        "the forget gate is missing, as in the cell of 1997: c = f ⊙ c + i ⊙ c̃.": (
            step(belt=lambda s, c, h: c + s.i * s.c_tilde)
        ),
        "it keeps a share of h. What is kept is the belt c.": (
            step(belt=lambda s, c, h: s.f * h + s.i * s.c_tilde)
        ),
        "the new belt is squashed. Along the belt nothing is; the tanh stands in h alone.": (
            step(belt=lambda s, c, h: np.tanh(s.f * c + s.i * s.c_tilde))
        ),
        "the tanh is missing in h = o ⊙ tanh(c).": step(state=lambda s, c, old: s.o * c),
        "the output gate stands outside the tanh: h = o ⊙ tanh(c).": (
            step(state=lambda s, c, old: np.tanh(s.o * c))
        ),
        "h is read off the old belt. Update the belt first.": (
            step(state=lambda s, c, old: s.o * np.tanh(old))
        ),
        "the output gate is missing in h = o ⊙ tanh(c).": step(state=lambda s, c, old: np.tanh(c)),
    }

    def tries() -> Iterator[Try]:
        for seed, (H, D) in enumerate([(3, 2), (2, 4), (3, 3)]):
            rng = np.random.default_rng(seed)
            net = LSTM(rng.normal(size=(4 * H, H + D)), rng.normal(size=4 * H))
            x, h, c = rng.normal(size=D), rng.uniform(-0.9, 0.9, H), rng.normal(size=H)
            yield Try(f"H={H}, D={D}, seed {seed}", {"net": net, "x": x, "h": h, "c": c})

    task = Task("lstm_step(net, x, h, c)", tries(), right, {"h": "H", "c": "H"}, slips)
    return check(lstm_step, task)


def check_forget_bias(forget_bias: Attempt) -> Report:
    """Check `forget_bias(half_life)`, the b_f with which a belt loses half in so many steps.

    Args:
        forget_bias: Takes a number of steps, 2 or more; returns the b_f for which σ(b_f) to that
            power is ½.
    """

    def logit(f: float) -> float:
        return math.log(f / (1 - f))

    slips: Slips = {
        "this is the forget gate f itself. The bias is the b for which σ(b) = f.": (
            lambda half_life: 0.5 ** (1 / half_life)
        ),
        "with this bias 1/e is left after so many steps. The half-life asks for ½.": (
            lambda half_life: logit(math.exp(-1 / half_life))
        ),
        "f = 1 − 1/n leaves about 1/e after n steps. The half-life asks for ½.": (
            lambda half_life: logit(1 - 1 / half_life)
        ),
        "it takes the same amount off at each step. Shares multiply: f to the power n is ½.": (
            lambda half_life: logit(1 - 0.5 / half_life)
        ),
        "the sign is wrong. This bias shuts the gate.": (
            lambda half_life: -logit(0.5 ** (1 / half_life))
        ),
        "it solves tanh(b) = f. A gate is squashed with σ.": (
            lambda half_life: math.atanh(0.5 ** (1 / half_life))
        ),
        "this is the half-life of a bias. The bias of a half-life is wanted.": lstm.half_life,
    }
    tries = (Try(f"half_life={n}", {"half_life": n}) for n in (2, 5, 20, 100, 1000))

    def right(half_life: float) -> float:
        return -math.log(math.expm1(math.log(2) / half_life))

    task = Task("forget_bias(half_life)", tries, right, {"b_f": ""}, slips)
    return check(forget_bias, task)


def check_log_gain(log_gain: Attempt) -> Report:
    """Check `log_gain(g, steps)`, the natural logarithm of `influence(g, steps)`.

    It must be right where the gain itself is too small for a float.

    Args:
        log_gain: Takes the size of the weights and a number of steps; returns a number.
    """

    def right(g: float, steps: int) -> float:
        P, total = np.eye(2) / np.sqrt(2), 0.0
        for J in jacobians(g, steps):
            P = J @ P
            size = float(np.linalg.norm(P))
            P, total = P / size, total + math.log(size)
        return total

    def jacobians(g: float, steps: int) -> Iterator[Array]:
        W_h, h = g * _ROTATION, np.zeros(2)
        for _ in range(steps):
            h = np.tanh(W_h @ h + _WORD)
            yield (1 - h**2)[:, None] * W_h

    def added(size: Callable[[Array], float]) -> Attempt:
        return lambda g, steps: sum(math.log(size(J)) for J in jacobians(g, steps))

    slips: Slips = {
        "the product has become 0, too small for a float. At each step take its size out of P, "
        "and add the logarithm of that size to a sum.": (
            lambda g, steps: np.log(blame.influence(g, steps)),
            lambda g, steps: math.log(blame.influence(g, steps)),
        ),
        "it is the mean over the steps. The logarithm of the product is their sum.": (
            lambda g, steps: right(g, steps) / steps
        ),
        "it is the logarithm to base 10. Take the natural one.": (
            lambda g, steps: right(g, steps) / math.log(10)
        ),
        "it is the logarithm to base 2. Take the natural one.": (
            lambda g, steps: right(g, steps) / math.log(2)
        ),
        "the norm is not divided by √H, which is √2 here.": (
            lambda g, steps: right(g, steps) + math.log(2) / 2
        ),
        "it adds up the gains of single steps. A product's gain is not the product of gains.": (
            added(lambda J: float(blame.rms_gain(J)))
        ),
        "it adds up the largest singular values of single steps. The norm of a product is at most "
        "their product, and mostly below.": added(lambda J: float(np.linalg.norm(J, 2))),
        "it is the bound, g to the power of the steps. The slopes of tanh are missing.": (
            lambda g, steps: steps * math.log(g)
        ),
    }
    settings = [(0.5, 10), (1.5, 100), (3.0, 200), (0.5, 1000)]
    tries = (Try(f"g={g}, steps={n}", {"g": g, "steps": n}) for g, n in settings)
    return check(log_gain, Task("log_gain(g, steps)", tries, right, {"ln gain": ""}, slips))


def check_number_unit(gates: Attempt) -> Report:
    """Check `gates(kind)`, which makes a number unit of the toy cell.

    The cell reads sentence after sentence, c ← f c + i tanh(cue). When the verb comes, tanh(c) must
    lie at least 0.2 from zero on the side of the subject; after the verb at most 0.2 from zero.

    Args:
        gates: Takes the kind of a word: "subject", "noun" (any other noun), "verb" or "word" (all
            the rest). Returns f and i, each strictly between 0 and 1.
    """
    name = name_of(gates, "gates")
    table: dict[str, tuple[float, float]] = {}
    for kind in ("subject", "noun", "word", "verb"):
        got = call(gates, [kind])
        why = f"{name}({kind!r}) {got.what}." if isinstance(got, Raised) else ""
        if not why:
            try:
                f, i = (float(gate) for gate in floats(f"{name}({kind!r})", got, "2"))
            except (TypeError, ValueError) as error:
                why = f"{error}. Return two numbers, f and i."
            else:
                table[kind] = f, i
                why = _no_gate(kind, f, i)
        if why:
            returned = None if isinstance(got, Raised) else got
            return Report(False, f"Not yet: {why}", {"kind": kind}, None, returned)
    pairs = 40
    for seed in range(pairs):
        rng, c = np.random.default_rng(seed), 0.0
        for _ in range(2):
            sentence = _sentence(rng)
            if wrong := _misread(table, sentence, c):
                arguments = {"sentence": sentence, "c": c}
                return Report(False, f"Not yet: {wrong}", arguments)
            c = _belt(table, sentence, c)[-1]
    return Report(True, f"Right: {name} holds the number in {pairs} pairs of sentences.")


_SLOPE_BEFORE = "the slope is taken at the state before the step. Take it at the state after."
_SLOPE_SQUARED = "the slope of tanh at the output h is 1 − h², not 1 − h."

type _Sentence = list[tuple[str, float]]
type _Gates = dict[str, tuple[float, float]]


def _sum(net: RNN, x: Array, h: Array) -> Array:
    """What a step squashes."""
    z: Array = net.W_x @ x + net.W_h @ h
    return z if net.b is None else z + net.b


def _net(rng: np.random.Generator, H: int, D: int) -> RNN:
    return RNN(rng.normal(size=(H, D)), rng.normal(size=(H, H)), rng.normal(size=H))


def _words() -> Iterator[Try]:
    """A net, a word and a state; once both have the same size, so that no mix-up raises."""
    for seed, (H, D) in enumerate([(3, 2), (2, 5), (3, 3)]):
        rng = np.random.default_rng(seed)
        arguments = {"net": _net(rng, H, D), "x": rng.normal(size=D)}
        arguments["h"] = rng.uniform(-0.9, 0.9, H)
        yield Try(f"H={H}, D={D}, seed {seed}", arguments)


def _sweep(J: Array, multiply: Callable[[Array, Array], Array]) -> Array:
    """Products from the end, multiplied in another way."""
    P = [np.eye(J.shape[-1])]
    for J_t in J[::-1]:
        P.insert(0, multiply(P[0], J_t))
    return np.array(P)


def _no_gate(kind: str, f: float, i: float) -> str:
    for letter, gate in (("f", f), ("i", i)):
        if not 0 < gate < 1:
            why = f"at a {kind} your {letter} is {gate:g}. A gate lies strictly between 0 and 1; "
            return why + "both ends are limits that σ never reaches."
    return ""


def _sentence(rng: np.random.Generator) -> _Sentence:
    """Kinds and cues: a subject, up to 20 words with up to three nouns among them, a verb."""
    number = rng.choice([-1.2, 1.2])
    between = [("noun", float(-0.75 * number))] * int(rng.integers(4))
    between += [("word", float(np.round(cue, 1))) for cue in rng.uniform(-0.5, 0.5, 17)]
    some = rng.permutation(len(between))[: rng.integers(len(between) + 1)]
    return [("word", 0.0), ("subject", float(number)), *(between[k] for k in some), ("verb", 0.0)]


def _belt(gates: _Gates, sentence: _Sentence, c: float) -> list[float]:
    """What lies on the belt after each word."""
    path = []
    for kind, cue in sentence:
        f, i = gates[kind]
        c = f * c + i * math.tanh(cue)
        path.append(c)
    return path


def _misread(gates: _Gates, sentence: _Sentence, c: float) -> str:
    """What goes wrong when the cell reads a sentence, and why; empty if nothing does."""
    at_verb, after = _belt(gates, sentence, c)[-2:]
    number, enough = math.copysign(1, sentence[1][1]), math.atanh(0.2)
    if at_verb * number < enough:
        why = _remedy(gates, sentence, c)
        where = f"At the verb tanh(c) is {math.tanh(at_verb):.2f}"
    elif abs(after) > enough:
        why = f"the verb does not empty the belt: your f is {gates['verb'][0]:g} there. The next "
        why += "sentence would inherit the number."
        where = f"After the verb tanh(c) is {math.tanh(after):.2f}"
    else:
        return ""
    text = " ".join(f"{kind} {cue:+g}" if cue else kind for kind, cue in sentence)
    return f"{why}\n{where}. The sentence and its cues: {text}."


def _remedy(gates: _Gates, sentence: _Sentence, c: float) -> str:
    """What to change in the first place: of all remedies the one that would help most."""
    number = math.copysign(1, sentence[1][1])
    between = [gates[kind][0] for kind, _ in sentence[2:-1]]
    still = {kind: (1.0, i) for kind, (_, i) in gates.items() if kind in {"noun", "word"}}
    full = {"subject": (gates["subject"][0], 1.0)}

    def at_verb(better: _Gates, unwritten: str = "", c: float = c) -> float:
        muted = [(kind, 0.0 if kind == unwritten else cue) for kind, cue in sentence]
        return number * _belt(gates | better, muted, c)[-2]

    remedies = {
        f"the subject is hardly written: your input gate i is {gates['subject'][1]:g} there.": (
            at_verb(full)
        ),
        f"of the subject only {math.prod(between):.2g} is left {len(between)} words later. Keep "
        "the forget gate open until the verb comes.": at_verb(still),
        f"the belt still holds {c:.2f} of the sentence before, and the subject cannot outweigh it. "
        "Empty the belt at the verb.": at_verb({}, c=0.0),
        "the nouns in between are written too, and outvote the subject. Shut the input gate at a "
        f"noun; your i is {gates['noun'][1]:g} there.": at_verb({}, "noun"),
        "the small words in between are written too, and spoil the number. Shut the input gate at "
        f"a word; your i is {gates['word'][1]:g} there.": at_verb({}, "word"),
    }
    return max(remedies, key=lambda why: remedies[why])
