"""Whatever comes in, out comes a right answer or an error that names the argument.

Every public function of the mathematics is called with arguments that are good, bent or plain odd.
A numpy warning is a failure too, as everywhere in the tests.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from functools import cache, partial
from numbers import Real
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from numpy import shape

from lesson20 import agreement, blame, checks, gradient_check, lstm, rnn
from lesson20.lstm import LSTM, Trace
from lesson20.rnn import RNN, OutputLayer

settings.register_profile(
    "odd arguments", derandomize=True, deadline=None, database=None, max_examples=20
)
settings.load_profile("odd arguments")

RNG = np.random.default_rng(20)
NET, LAYER = RNN.random(RNG, 3, 2), OutputLayer.random(RNG, 5, 3)
CELL, UPPER = LSTM.random(RNG, 3, 2), LSTM.random(RNG, 2, 3)
OLD = LSTM.random(RNG, 3, 2, forget_gate=False)
X, DIRECT = RNG.normal(size=(4, 2)), RNG.normal(size=(4, 3))
H, TRACE, TRACE_OLD = rnn.unroll(NET, X), lstm.unroll(CELL, X), lstm.unroll(OLD, X)
J, STACK, SIZE = blame.jacobians(NET, H), [CELL, UPPER], {"rng": RNG, "H": 3, "D": 2}
TRACES = lstm.unroll_stack(STACK, X)
GATES = {f"{kind}_{gate}": getattr(CELL, f"{kind}_{gate}") for kind in "Wb" for gate in "fioc"}

FLOAT_MAX = np.finfo(float).max
ITSELF: list = []
ITSELF.append(ITSELF)


def sized(good):
    """The same value in all sizes, a net or a list in those that it lets in."""
    match good:
        case float() | np.ndarray():
            return [
                *(good * size for size in (1, 0, 5e-324, 1e-200, 1e60, 1e99)),
                *(np.sign(good) * size for size in (checks.LARGEST, FLOAT_MAX)),
                *(np.full(shape(good), size) for size in (checks.LARGEST, FLOAT_MAX)),
            ]
        case RNN():
            sizes = zip(sized(good.W_x)[:-3], sized(good.W_h)[:-3], strict=True)
            return [RNN(W_x, W_h, good.b) for W_x, W_h in sizes]
        case LSTM():
            return [replace(good, W=W) for W in sized(good.W)[:-3]]
        case Trace():
            return [Trace(*fields) for fields in zip(*map(sized, good), strict=True)]
        case list():
            return [list(items) for items in zip(*map(sized, good), strict=True)]
        case _:
            return [good]


def bent(good):
    """Values that are almost like a good one."""
    match good:
        case np.ndarray():
            values = good.tolist()
            return [
                *(good.T, good[:-1], good[..., 1:], good[None], good[..., None], good.ravel()),
                *(good[0], good[:0], good[..., :0], np.stack([good, good], axis=-2), abs(good)),
                *(values, [*values, 1], [*values[1:], None], [True, *values[1:]]),
                *([*good[1:], good[0] > 0], np.asfortranarray(good), good[::-1]),
                *(good.astype(kind) for kind in ("f2", ">f8", "i4", "g", object, complex, str)),
                *(np.where(good == good.max(), bad, good) for bad in (np.nan, np.inf)),
            ]
        case float() | int():
            return [-good, good + 1, [good], str(good), np.float32(good), np.array(good)]
        case RNN() | LSTM():
            return [NET, replace(NET, b=None), replace(NET, activation="sigmoid"), CELL, OLD, RNN]
        case Trace():
            fields = ((name, a) for name in Trace._fields for a in bent(getattr(good, name)))
            changed = [good._replace(**{name: a}) for name, a in fields]
            return [*changed, TRACE_OLD, tuple(good), list(good)]
        case list():
            changed = [[*good[:n], a, *good[n + 1 :]] for n in (0, 1) for a in bent(good[n])]
            named = dict(zip("ab", good, strict=True))
            return [*changed, named, tuple(good), good[::-1], good[:-1], [*good, None], iter(good)]
        case _:
            return [good, str(good), [good]]


ODD = st.one_of(
    st.sampled_from(
        [
            *(None, True, "", "3", b"3", 1j, float, {}, {"a": 1.0}, {1}, (), [[]], [None], [True]),
            *([True, 1.0], [[1.0, 2.0], [3.0, True]], [1.0, "2"], [[1.0, 2.0], [3.0]], ITSELF),
            *(range(3), np.bool_(True), np.array(True), np.array(2.0), np.array(None)),
            *(np.int8(-3), np.uint8(200), np.float16(2), np.longdouble("1e4000")),
            *(0, -1, 2, 3.0, -0.0, 5e-324, FLOAT_MAX, -FLOAT_MAX, np.nan, np.inf, Decimal(1)),
            *(2**63, 2**64, 10**9, 10**400),
            *(np.datetime64("2026"), "tanh", "sigmoid", np.random.RandomState(1)),
        ]
    ),
    st.sampled_from([1, -1]).map(lambda sign: sign * 10**5000),  # too long to be printed
    st.recursive(st.floats() | st.booleans() | st.none(), st.lists, max_leaves=5),
    arrays(
        st.sampled_from([np.float64, np.float16, np.int64, np.uint8, bool, complex, "U2"]),
        array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4),
    ),
)


# What must hold of a result r; a holds the arguments that it came from


def within(r, shape, low, high):
    assert np.shape(r) == shape
    assert np.all((low <= r) & (r <= high))  # NaN lies nowhere


def finite(r, *shape):
    within(r, shape, -FLOAT_MAX, FLOAT_MAX)


def probabilities(p, *shape):
    within(p, shape, 0, 1)
    np.testing.assert_allclose(p.sum(axis=-1), 1)


def a_net(net, a):
    finite(net.W_x, net.H, net.D)
    within(net.step(np.zeros(net.D), np.zeros(net.H)), (net.H,), -1, 1)


def a_cell(net, a):
    finite(net.W, len(net.gates) * net.H, net.H + net.D)
    within(net.step(np.zeros(net.D), np.zeros(net.H), np.zeros(net.H)).h, (net.H,), -1, 1)


def states(h, a):
    T, *batch, _ = np.shape(a.x)
    finite(h, T + 1, *batch, a.net.H)
    x, net, b = np.asarray(a.x, dtype=float), a.net, 0 if a.net.b is None else a.net.b
    z = x @ net.W_x.T + h[:-1] @ net.W_h.T + b
    rounding = 1e-14 * (abs(x) @ abs(net.W_x).T + abs(h[:-1]) @ abs(net.W_h).T)
    low, high = net.phi.f(z - rounding), net.phi.f(z + rounding)
    within(h[1:], (T, *batch, net.H), low - 1e-15, high + 1e-15)


def trace_of(trace, net, x):
    T, *batch, _ = np.shape(x)
    for name in ("f", "i", "o"):
        within(getattr(trace, name), (T, *batch, net.H), 0, 1)
    within(trace.h[1:], (T, *batch, net.H), -1, 1)
    finite(trace.c, T + 1, *batch, net.H)


def gradients(r, a):
    assert all(np.isfinite(g).all() for g in r if g is not None)
    assert r.x.shape == np.shape(a.x)
    assert all(g.shape == getattr(a.net, name).shape for name, g in r.parameters.items())
    assert np.array_equal(r.h[1:][-1:], np.asarray(a.dL_dh, dtype=float)[-1:])


def clipped(r, a):
    short, norm = (r[0].values() if isinstance(r[0], dict) else r[0]), r[1]
    arrays = a.gradients.values() if isinstance(a.gradients, dict) else a.gradients
    largest = max((np.abs(g).max(initial=0) for g in arrays), default=0)
    assert largest * (1 - 1e-15) <= norm <= FLOAT_MAX
    for one, other in zip(short, arrays, strict=True):
        share = min(1, float(a.threshold) / norm) if norm else 1
        np.testing.assert_allclose(one, np.asarray(other, dtype=float) * share, atol=5e-324)


class Target(NamedTuple):
    """What is called, with which good arguments, and what must hold of what comes back."""

    call: Callable
    good: dict[str, object]
    right: Callable[[object, SimpleNamespace], None]


TARGETS = [
    Target(rnn.sigmoid, {"z": X}, lambda r, a: within(r, shape(a.z), 0, 1)),
    Target(rnn.softmax, {"logits": X}, lambda r, a: probabilities(r, *shape(a.logits))),
    Target(RNN, {"W_x": NET.W_x, "W_h": NET.W_h, "b": H[1], "activation": "tanh"}, a_net),
    Target(RNN.random, SIZE | {"bias": True, "sigma_1": 0.5, "activation": "tanh"}, a_net),
    Target(NET.step, {"x": X[0], "h": H[0]}, lambda r, a: within(r, shape(a.h), -1, 1)),
    Target(NET.step_jacobian, {"h_next": H[1]}, lambda r, a: finite(r, *shape(a.h_next), 3)),
    Target(OutputLayer, {"W_y": LAYER.W_y}, lambda r, a: finite(r.W_y, *shape(a.W_y))),
    Target(OutputLayer.random, {"rng": RNG, "V": 5, "H": 3}, lambda r, a: finite(r.W_y, a.V, a.H)),
    Target(LAYER.probabilities, {"h": H}, lambda r, a: probabilities(r, *shape(a.h)[:-1], 5)),
    Target(rnn.unroll, {"net": NET, "x": X, "h_0": H[2]}, states),
    Target(
        blame.jacobians,
        {"net": NET, "h": H},
        lambda r, a: finite(r, len(a.h) - 1, *shape(a.h)[1:], a.net.H),
    ),
    Target(blame.products, {"J": J}, lambda r, a: finite(r, len(a.J) + 1, *shape(a.J)[1:])),
    Target(blame.rms_gain, {"P": J}, lambda r, a: within(r, shape(a.P)[:-2], 0, FLOAT_MAX)),
    Target(
        blame.gain_bound,
        {"gamma": 1.0, "sigma_1": 1.5, "distance": np.arange(5.0)},
        lambda r, a: within(r, shape(a.distance), 0, np.inf),
    ),
    Target(blame.bptt, {"net": NET, "x": X, "h": H, "dL_dh": DIRECT}, gradients),
    Target(blame.clip_by_global_norm, {"gradients": [X, H], "threshold": 1.0}, clipped),
    Target(blame.influence, {"g": 1.5, "steps": 7}, lambda r, a: within(r, (), 0, FLOAT_MAX)),
    Target(
        blame.influence_path,
        {"g": np.array([0.5, 2.0]), "steps": 7},
        lambda r, a: within(r, (a.steps, *shape(a.g)), 0, FLOAT_MAX),
    ),
    Target(LSTM, {"W": CELL.W, "b": CELL.b, "forget_gate": True}, a_cell),
    Target(LSTM.random, SIZE | {"forget_bias": 1.0, "forget_gate": True}, a_cell),
    Target(LSTM.from_gates, GATES, a_cell),
    Target(
        CELL.step,
        {"x": X[0], "h": H[0], "c": H[1]},
        lambda r, a: within(r.h, shape(a.h), -1, 1),
    ),
    Target(
        lstm.unroll,
        {"net": CELL, "x": X, "h_0": H[1], "c_0": H[2]},
        lambda r, a: trace_of(r, a.net, a.x),
    ),
    Target(
        lstm.direct_path,
        {"trace": TRACE},
        lambda r, a: finite(r, len(a.trace.f) + 1, *shape(a.trace.f)[1:]),
    ),
    Target(
        lstm.total_path,
        {"net": CELL, "x": X, "trace": TRACE},
        lambda r, a: finite(r, *shape(a.trace.c), a.net.H),
    ),
    Target(lstm.bptt, {"net": CELL, "x": X, "trace": TRACE, "dL_dh": DIRECT}, gradients),
    Target(
        lstm.unroll_stack,
        {"layers": STACK, "x": X},
        lambda r, a: trace_of(r[0], a.layers[0], a.x),
    ),
    Target(
        lstm.bptt_stack,
        {"layers": STACK, "x": X, "traces": TRACES, "dL_dh": X},
        lambda r, a: finite(r[0].x, *shape(a.x)),
    ),
    Target(
        lstm.parameter_count,
        {"H": 3, "D": 2, "forget_gate": True},
        lambda r, a: within(r, (), 3 * int(a.H) * (int(a.H) + int(a.D)), np.inf),
    ),
    Target(lstm.half_life, {"b_f": X}, lambda r, a: within(r, shape(a.b_f), 0, np.inf)),
    Target(
        gradient_check.central_differences,
        {"f": np.tanh, "x": X, "nudge": 1e-5},
        lambda r, a: within(r, 2 * shape(a.x), -1e-9, 1 + 1e-9),
    ),
    Target(
        gradient_check.relative_error,
        {"found": X, "wanted": X},
        lambda r, a: within(r, (), 0, 2),
    ),
    Target(agreement.cell, {"f": 0.5, "i": 0.5, "o": 0.5}, lambda r, a: within(r, (), -1, 1)),
    Target(agreement.belt, {"f": 0.5, "i": 0.5}, lambda r, a: within(r, (8,), -7, 7)),
    Target(agreement.verdict, {"h": 0.5}, lambda r, a: within(r == "plural", (), a.h > 0, a.h > 0)),
    Target(
        partial(checks.floats, "value", pattern="T, ..., D"),
        {"value": X},
        lambda r, a: finite(r, *shape(a.value)),
    ),
    Target(
        partial(checks.frozen, "value", pattern="H, H"),
        {"value": NET.W_h},
        lambda r, a: finite(r, *shape(a.value)),
    ),
    Target(
        partial(checks.number, "value", above=0, at_most=2),
        {"value": 0.5},
        lambda r, a: within(r, (), 5e-324, 2),
    ),
    Target(partial(checks.integer, "value"), {"value": 3}, lambda r, a: within(r, (), 1, 10**6)),
    Target(partial(checks.size, "value"), {"value": 3}, lambda r, a: within(r, (), 1, 5000)),
    Target(
        partial(checks.instance, "value", kind=RNN), {"value": NET}, lambda r, a: a_net(a.value, a)
    ),
    Target(partial(checks.generator, "value"), {"value": RNG}, lambda r, a: finite(r.normal())),
    Target(checks.rng_of, {"seed": 3}, lambda r, a: finite(r.normal())),
    Target(
        partial(checks.choice, "value", choices=("tanh", "sigmoid")),
        {"value": "tanh"},
        lambda r, a: within(len(r), (), 4, 7),
    ),
]


def name_of(target):
    call = getattr(target.call, "func", target.call)
    return f"{call.__module__.removeprefix('lesson20.')}.{call.__qualname__}"


TARGETS = {name_of(target): target for target in TARGETS}
WITHOUT = {  # takes no argument, only holds what it is given, or reports on a result
    "blame.influence_threshold",
    *("rnn.Activation", "blame.Gradients", "lstm.State", "lstm.Trace", "lstm.LSTMGradients"),
    *("checks.finite", "checks.shown"),
}


def test_no_public_function_or_class_is_left_out():
    public = {
        f"{module.__name__.removeprefix('lesson20.')}.{name}"
        for module in (rnn, blame, lstm, gradient_check, agreement, checks)
        for name, it in vars(module).items()
        if callable(it) and it.__module__ == module.__name__ and not name.startswith("_")
    }
    assert public - TARGETS.keys() == WITHOUT


@pytest.mark.parametrize("name", TARGETS)
@given(data=st.data())
def test_of_odd_arguments_one_is_named_or_the_result_is_right(name, data):
    good = TARGETS[name].good
    keys = data.draw(st.lists(st.sampled_from(sorted(good)), max_size=2, unique=True))
    odd = {key: data.draw(in_place_of(name, key), label=key) for key in keys}
    if accepted(name, good | odd):
        assert all(only_numbers(odd[key]) for key in odd if isinstance(good[key], np.ndarray))
    else:
        assert odd


@pytest.mark.parametrize("name", TARGETS)
@given(data=st.data())
def test_no_size_of_the_numbers_makes_a_wrong_result(name, data):
    accepted(name, {key: data.draw(in_size(name, key)) for key in TARGETS[name].good})


def accepted(name, arguments):
    """Whether there was a result, which is then right; otherwise the error names an argument."""
    call, _, right = TARGETS[name]
    refusal = None
    try:
        result = call(**arguments)
    except (ValueError, TypeError) as error:
        refusal = str(error)
    if refusal is None:
        right(result, SimpleNamespace(**arguments))
    else:
        named = any(re.match(rf"{key.removesuffix('s')}s?\b", refusal) for key in arguments)
        assert named, refusal
    return refusal is None


@cache
def in_place_of(name, key):
    return st.sampled_from(bent(TARGETS[name].good[key])) | ODD


@cache
def in_size(name, key):
    return st.sampled_from(sized(TARGETS[name].good[key]))


def only_numbers(value):
    """Whether numbers went in: None for an optional argument, but no boolean and no text."""
    entries = np.array(value, dtype=object).flat
    return value is None or all(isinstance(v, Real) and not isinstance(v, bool) for v in entries)


def test_gates_that_read_no_word_are_refused_by_name():
    gates = {name: a[..., :3] for name, a in GATES.items()}
    assert not accepted("lstm.LSTM.from_gates", gates)
