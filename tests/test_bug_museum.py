"""Every exhibit of docs/bug-museum.md is seen by its check, at other seeds and sizes than there."""

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from building import DOCS
from lesson20 import blame, lstm, rnn
from lesson20.site.pages import find_runnable
from second_road import differences

PAGE = DOCS / "bug-museum.md"
BLOCKS_OF_PYTORCH = Path(__file__).with_name("reference_blocks.txt").read_text(encoding="utf-8")
SIZES = [(2, 2, 1), (5, 4, 3), (9, 3, 2)]  # T, H, D


@pytest.fixture(scope="module")
def museum():
    """All names of the page, once its blocks have run."""
    namespace = {}
    for block in find_runnable(PAGE.read_text(encoding="utf-8"), "docs/bug-museum.md"):
        block.check(namespace)
    return SimpleNamespace(**namespace)


def given(seed, T, H, D):
    """Nets, words and a loss: the sum of all states, each with a weight of its own."""
    rng = np.random.default_rng(seed)
    net = rnn.RNN.random(rng, H, D, sigma_1=1.5)
    cell = lstm.LSTM.random(rng, H, D)
    x, weight = rng.normal(size=(T, D)), rng.normal(size=(T, H))
    return SimpleNamespace(rng=rng, net=net, cell=cell, x=x, weight=weight)


def off(found, wanted):
    return np.abs(np.asarray(found) - wanted).max() / np.abs(wanted).max()


# How far from right the function of an exhibit is: 0 where it is right.


def off_gradient_of_rnn(bptt, g):
    def loss(W_h):
        return np.sum(g.weight * rnn.unroll(rnn.RNN(g.net.W_x, W_h, g.net.b), g.x)[1:])

    found = bptt(g.net.W_h, rnn.unroll(g.net, g.x), g.weight)
    return off(found, differences(loss, g.net.W_h))


def off_gradient_of_lstm(bptt, g):
    def loss(W):
        return np.sum(g.weight * lstm.unroll(lstm.LSTM(W, g.cell.b), g.x).h[1:])

    found = bptt(g.cell, g.x, lstm.unroll(g.cell, g.x), g.weight)
    return off(found, differences(loss, g.cell.W))


def off_product(product, g):
    wanted = differences(lambda h_0: rnn.unroll(g.net, g.x, h_0)[-1], np.zeros(g.net.H))
    return off(product(g.net, rnn.unroll(g.net, g.x)), wanted)


def biases_that_do_not_count(forward, g):
    slopes = differences(lambda b: forward(g.cell.W, b, g.x), g.cell.b)
    return np.mean(np.abs(slopes).max(axis=0) == 0)


def beyond_the_bound(step, g):
    cell = lstm.LSTM.random(g.rng, g.cell.H, g.cell.D, forget_bias=6.0)
    h, c, loudest = np.zeros(cell.H), np.zeros(cell.H), 0.0
    for _ in range(300):
        h, c = step(cell, 2 * g.x[0], h, c)
        loudest = max(loudest, np.abs(h).max())
    return max(0.0, loudest - 1)


def off_pytorch(loaded, g):
    """The reference has weights in the lesson's order, which have to be put in PyTorch's first."""
    cases = json.loads(Path(__file__).with_name("reference.json").read_text(encoding="utf-8"))
    name = ["one sentence", "a long sentence", "one unit, one word"][len(g.x) % 3]
    case = cases[f"lstm, {name}"]
    a = {name: np.array(value) for name, value in case["given"].items()}
    H = a["h 1"].shape[-1]
    f, i, o, c = (slice(k * H, (k + 1) * H) for k in range(4))
    W, b = (np.concatenate([a[n][rows] for rows in (i, f, c, o)]) for n in ("W 1", "b 1"))
    part = g.rng.normal(size=len(b))
    weights = {
        "weight_ih_l0": W[:, H:],
        "weight_hh_l0": W[:, :H],
        "bias_ih_l0": part,
        "bias_hh_l0": b - part,
    }
    trace = lstm.unroll(loaded(weights), a["x"], a["h 1"], a["c 1"])
    return off(trace.h[1:], np.array(case["found"]["h"]))


def off_direction(clip, g):
    h = rnn.unroll(g.net, g.x)
    gradients = blame.bptt(g.net, g.x, h, g.weight).parameters
    before, after = (
        np.concatenate([a.ravel() for a in arrays.values()])
        for arrays in (gradients, clip(gradients, 0.1))
    )
    length = np.linalg.norm(after)
    return max(length - 0.1, 0) + 1 - before @ after / (np.linalg.norm(before) * length)


def influence_of_others(last_states, g):
    batch = g.rng.normal(size=(3, len(g.x), g.net.D))
    slopes = np.abs(differences(lambda batch: last_states(g.net, batch), batch))
    sentences = slopes.max(axis=(1, 3, 4))
    return sentences[~np.eye(3, dtype=bool)].max() / sentences.max()


def answers_apart(reader, g):
    one = reader(g.net)
    return np.abs(one.read(g.x[:2]) - one.read(g.x[:2])).max()


EXHIBITS = {
    "bptt_1": off_gradient_of_rnn,
    "lstm_bptt_2": off_gradient_of_lstm,
    "product_3": off_product,
    "lstm_4": biases_that_do_not_count,
    "step_5": beyond_the_bound,
    "loaded_6": off_pytorch,
    "clipped_7": off_direction,
    "last_states_8": influence_of_others,
    "Reader9": answers_apart,
}


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", EXHIBITS)
def test_the_check_sees_the_fault_and_passes_the_mended_one(museum, name, size, seed):
    mended = name + ("Mended" if name == "Reader9" else "_mended")
    broken, right = (
        EXHIBITS[name](getattr(museum, function), given(seed, *size)) for function in (name, mended)
    )
    assert right < 1e-6
    assert broken > 1e-3


def test_every_exhibit_is_here(museum):
    text = PAGE.read_text(encoding="utf-8")
    assert text.count("\n## Exhibit ") == len(EXHIBITS)
    for label in ("tip", "failure", "success"):
        assert text.count(f"\n??? {label} ") == len(EXHIBITS)


# Where the page says that a check is blind, it is.


def test_in_a_sentence_of_one_word_the_belt_is_cut_unseen(museum):
    assert off_gradient_of_lstm(museum.lstm_bptt_2, given(1, 1, 4, 3)) < 1e-6


def test_at_a_fixed_point_the_order_of_the_jacobians_makes_no_difference(museum):
    g = given(1, 6, 4, 3)
    small = rnn.RNN(g.net.W_x, 0.5 * g.net.W_h, g.net.b)
    rest = rnn.unroll(small, np.tile(g.x[0], (200, 1)))[-6:]
    assert off(museum.product_3(small, rest), museum.product_3_mended(small, rest)) < 1e-9


def test_of_a_single_array_the_direction_is_kept(museum):
    g = np.array([3.0, 4.0])
    assert np.allclose(museum.clipped_7({"W": g}, 1)["W"], g / 5)


def test_the_loud_twin_of_the_first_fault_does_not_learn(museum):
    """`h[t]` in the outer product, of which the page tells."""

    def loud(W_h, h, direct):
        gradient, delta = np.zeros_like(W_h), np.zeros(len(W_h))
        for t in range(len(direct), 0, -1):
            delta = delta + direct[t - 1]
            dz = (1 - h[t] ** 2) * delta
            gradient += np.outer(dz, h[t])
            delta = W_h.T @ dz
        return gradient

    assert museum.descend(loud) > museum.loss(museum.net.W_h)


def test_the_number_of_exhibit_6_is_what_pytorch_printed(museum):
    assert f"#> {np.array(museum.printed_by_pytorch)}\n" in BLOCKS_OF_PYTORCH
