"""The same nets in PyTorch, whose numbers tools/reference.py wrote down."""

import json
from pathlib import Path

import numpy as np
import pytest

from lesson20 import blame, lstm, rnn
from lesson20.lstm import LSTM
from lesson20.rnn import RNN, OutputLayer
from lesson20.training import Adam, Batch, Model, clip

EVERY = json.loads(Path(__file__).with_name("reference.json").read_text(encoding="utf-8"))
CASES = {name: case for name, case in EVERY.items() if not name.startswith("trained ")}
TRAINED = EVERY.keys() - CASES.keys()


@pytest.mark.parametrize("case", CASES)
def test_outputs_loss_and_gradients_are_those_of_pytorch(case):
    given = {name: np.array(value) for name, value in CASES[case]["given"].items()}
    found = {"rnn": with_rnn, "lstm": with_lstm}[case.partition(",")[0]](given)
    wanted = CASES[case]["found"]
    assert found.keys() == wanted.keys()
    for name in wanted:
        np.testing.assert_allclose(
            found[name], np.array(wanted[name]), rtol=1e-12, atol=1e-12, strict=True, err_msg=name
        )


def with_rnn(given):
    numbers = layers(given)
    nets = [RNN(given[f"W_x {n}"], given[f"W_h {n}"], given[f"b {n}"]) for n in numbers]
    words, h = [given["x"]], []  # what each layer reads, and its states
    for n, net in zip(numbers, nets, strict=True):
        h.append(rnn.unroll(net, words[-1], given[f"h {n}"]))
        words.append(h[-1][1:])
    found, dL_dh = output(given, words.pop())
    for n, net, x, states in reversed(list(zip(numbers, nets, words, h, strict=True))):
        gradients = blame.bptt(net, x, states, dL_dh)
        found |= {f"dL/d {name} {n}": g for name, g in gradients.parameters.items()}
        found |= {f"dL/d h {n}": gradients.h[0]}
        dL_dh = gradients.x
    return found | {"h_T": np.array([states[-1] for states in h]), "dL/d x": dL_dh}


def with_lstm(given):
    numbers = layers(given)
    nets = [LSTM(given[f"W {n}"], given[f"b {n}"]) for n in numbers]
    if any(given[f"h {n}"].any() or given[f"c {n}"].any() for n in numbers):
        words, traces = given["x"], []
        for n, net in zip(numbers, nets, strict=True):
            traces.append(lstm.unroll(net, words, given[f"h {n}"], given[f"c {n}"]))
            words = traces[-1].h[1:]
    else:
        traces = lstm.unroll_stack(nets, given["x"])
    found, dL_dh = output(given, traces[-1].h[1:])
    stack = lstm.bptt_stack(nets, given["x"], traces, dL_dh)
    for n, gradients in zip(numbers, stack, strict=True):
        found |= {f"dL/d {name} {n}": g for name, g in gradients.parameters.items()}
        found |= {f"dL/d h {n}": gradients.h[0], f"dL/d c {n}": gradients.c[0]}
    last = {f"{s}_T": np.array([getattr(trace, s)[-1] for trace in traces]) for s in "hc"}
    return found | last | {"dL/d x": stack[0].x}


def layers(given):
    """The numbers of the layers, from below."""
    return sorted(name.removeprefix("b ") for name in given if name.startswith("b "))


def output(given, h):
    """The loss of the file on the states h (T, ..., H), and its blame on them."""
    W_y, weight = given["W_y"], given["weight"]
    p = OutputLayer(W_y).probabilities(h)
    wanted = np.eye(len(W_y))[given["y"]]
    n = given["y"].size
    scores = (p - wanted) / n  # blame on the scores: the softmax and the logarithm in one
    found = {
        "h": h,
        "p": p,
        "loss": np.sum(weight * h) - np.sum(wanted * np.log(p)) / n,
        "dL/d W_y": scores.reshape(n, -1).T @ h.reshape(n, -1),
    }
    return found, weight + scores @ W_y


@pytest.mark.parametrize("case", CASES)
def test_no_gradient_of_the_file_is_empty(case):
    gradients = [g for name, g in CASES[case]["found"].items() if name.startswith("dL/d ")]
    assert len(gradients) >= 6
    assert all(np.abs(g).max() > 1e-3 for g in gradients)


@pytest.mark.parametrize("case", sorted(TRAINED))
def test_a_short_training_with_adam_and_clipping_is_that_of_pytorch(case):
    given = {name: np.array(value) for name, value in EVERY[case]["given"].items()}
    names = ("W_x", "W_h", "b") if case == "trained rnn" else ("W", "b")
    p = {name: given[f"{name} 1"] for name in names} | {"W_y": given["W_y"], "b_y": np.zeros(5)}
    model = Model(p, case.removeprefix("trained "))
    batch = Batch(given["x"], given["y"], np.ones(given["y"].shape))
    adam, losses, norms = Adam(given["learning rate"]), [], []
    fixed = np.zeros(5)  # PyTorch's output layer has no bias there
    for _ in range(30):
        loss, gradients, _ = model.learn(batch)
        gradients, norm = clip(gradients | {"b_y": fixed}, float(given["threshold"]))
        adam.step(model.parameters, gradients)
        losses.append(loss)
        norms.append(norm)
    found = {"losses": losses, "norms": norms, "W_y": p["W_y"]} | {f"{n} 1": p[n] for n in names}
    wanted = EVERY[case]["found"]
    assert found.keys() == wanted.keys()
    for name in wanted:
        np.testing.assert_allclose(found[name], wanted[name], rtol=1e-11, atol=1e-12, err_msg=name)


def test_both_kinds_of_net_are_trained():
    assert {"trained rnn", "trained lstm"} == TRAINED
