"""The scenes compute in the browser what the package computes with numpy."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

from lesson20 import agreement, blame, grammar, records, rnn, words

SCENES = Path(__file__).parents[2] / "docs" / "scenes"
DATA, TRAINED = (
    json.loads((SCENES / f"{name}.json").read_text("utf-8")) for name in ("data", "trained")
)
SIZES = (0, 0.3, 0.8, 1, 1.5, 2.3, 3, 4.5, 6)
SQUASHING = ("tanh", "sigmoid")
OWN = ("blooms", "naïve", "学", "🌷", "<b>x</b>", "toString", "")


@pytest.fixture(scope="module")
def compute(open_tab):
    """Run JavaScript for a list of settings; `model` is the scenes' mathematics."""
    page = open_tab().page
    page.goto("scenes/data.json")

    def compute(script, settings):
        run = f"""async ([settings, data]) => {{
            const model = await import("/scenes/model.js");
            return settings.map((given) => ({script})(given, model, data));
        }}"""
        return page.evaluate(run, [settings, DATA])

    return compute


def assert_same(actual, wanted, rtol=1e-12):
    """Relative; below 1e-300 absolute, where floats lose their digits."""
    np.testing.assert_allclose(np.array(actual, float), wanted, rtol=rtol, atol=1e-300)


def test_word_vectors(compute):
    every = [*words.vectors(), *OWN, *(f"word{n}" for n in range(300))]
    found = compute("(word, model, data) => model.vector(word, data)", every)
    assert np.array_equal(found, [words.vector(word) for word in every])


@pytest.mark.parametrize("activation", SQUASHING)
def test_states_and_blame_of_every_net_in_every_sentence(compute, activation):
    sentences = [*words.SENTENCES, OWN, *(order for pair in words.ORDERS for order in pair)]
    grid = list(itertools.product(range(len(words.SEEDS)), SIZES, sentences))
    script = """([n, size, words, activation], model, data) => {
        const net = model.net(data.nets[n], size, activation);
        const sentence = words.map((word) => model.vector(word, data));
        return {
            h: model.unroll(net, sentence),
            gain: model.blame(net, sentence),
            bound: model.bounds(net.gamma, size, words.length),
        };
    }"""
    found = compute(script, [[*setting, activation] for setting in grid])
    for (n, size, sentence), ours in zip(grid, found, strict=True):
        net = words.net(words.SEEDS[n], size, activation)
        h = rnn.unroll(net, words.read(sentence))
        distance = np.arange(len(sentence) - 1.0, -1, -1)
        np.testing.assert_allclose(ours["h"], h, rtol=1e-12, atol=1e-12)
        assert_same(ours["gain"], blame.rms_gain(blame.products(blame.jacobians(net, h)))[1:])
        assert_same(ours["bound"], blame.gain_bound(net.gamma, size, distance))


ENTRIES = (-9.7, -3, -1.2, 0, 0.5, 2, 8)
MATRICES = np.array(list(itertools.product(ENTRIES, repeat=4))).reshape(-1, 2, 2)
N = 30


def at_rest(W):
    return np.full((N, 2), [0, np.arctanh(0.5)])


def in_turn(W):
    return np.array([[0.0, 4.0], [4.0, 0.0]] * (N // 2))


def with_the_same_word(W):
    h, z = np.zeros((len(W), 2)), []
    for _ in range(N):
        z.append((W @ h[..., None])[..., 0] + [0.5, -0.3])
        h = np.tanh(z[-1])
    return np.array(z)


def without_squashing(W):
    return np.zeros((N, 2))


DRIVES = {
    "rest": at_rest,
    "turns": in_turn,
    "same": with_the_same_word,
    "linear": without_squashing,
}


@pytest.mark.parametrize("drive", DRIVES)
def test_two_by_two_under_every_drive(compute, drive):
    z = np.broadcast_to(DRIVES[drive](MATRICES).reshape(N, -1, 2), (N, len(MATRICES), 2))
    J = (1 / np.cosh(z) ** 2)[..., None] * MATRICES
    stretches = [np.linalg.norm(blame.products(J[:n]), 2, axis=(-2, -1)) for n in range(N + 1)]
    wanted = np.array([norms[0] for norms in stretches]).T
    # Where the state is not given, its rounding errors grow as blame does, and meet the product's.
    growth = np.max([norms.max(axis=0) for norms in stretches], axis=0)
    room = 2 * growth if drive == "same" else np.ones(len(MATRICES))
    found = compute(f"(W, model) => model.twoByTwo(W, '{drive}', {N})", MATRICES.tolist())
    for ours, norms, more in zip(found, wanted, room, strict=True):
        assert_same(ours, norms, rtol=1e-12 * more)


def test_spectral_radius_and_norm(compute):
    script = "(W, model) => [model.spectralRadius(W), model.spectralNorm(W)]"
    radii, norms = np.transpose(compute(script, MATRICES.tolist()))
    assert_same(norms, np.linalg.norm(MATRICES, 2, axis=(-2, -1)))
    wanted = np.abs(np.linalg.eigvals(MATRICES)).max(axis=-1)
    np.testing.assert_allclose(radii, wanted, rtol=1e-7, atol=1e-6)  # eigvals is no better
    half = np.trace(MATRICES, axis1=1, axis2=2) / 2
    det = np.linalg.det(MATRICES)
    p = radii**2 - 2 * np.abs(half) * radii + det  # the characteristic polynomial, where it is real
    real = half**2 >= det
    assert np.abs(p[real]).max() < 1e-11
    assert_same(radii[half**2 < det * (1 - 1e-9)], np.sqrt(det[half**2 < det * (1 - 1e-9)]))


def test_belt_and_cell(compute):
    grid = list(itertools.product(np.linspace(0, 1, 11).tolist(), repeat=3))
    script = """([f, i, o], model, { agreement }) =>
        [model.belt(f, i, agreement), model.cell(f, i, o, agreement)]"""
    for (f, i, o), (c, h) in zip(grid, compute(script, grid), strict=True):
        np.testing.assert_allclose(c, agreement.belt(f, i), rtol=1e-12, atol=1e-15)
        np.testing.assert_allclose(h, agreement.cell(f, i, o), rtol=1e-12, atol=1e-15)


def test_influence(compute):
    g = np.round(np.arange(0.3, 3.001, 0.01), 2)
    found = compute("(g, model) => model.influence(g, 1000)", g.tolist())
    wanted = blame.influence_path(g, 1000)
    for ours, path in zip(found, wanted.T, strict=True):
        assert_same(ours, path, rtol=1e-12 * max(path.max(), 1))  # as in the drive “same”


@pytest.mark.parametrize("silenced", [None, 0, TRAINED["unit"]])
def test_the_trained_lstm(compute, silenced):
    model = records.stored("number-unit").record.model
    if silenced is not None:
        model = model.without(silenced)
    rng = np.random.default_rng(20)
    sentences = [
        f"the {noun} {' '.join(rng.choice(TRAINED['modifiers'], count))}".split()
        for noun in TRAINED["nouns"]
        for count in (0, 1, 2, 3, 3)
    ]
    script = """([sentence, silenced, weights], model) => {
        const precise = (array) => array.map?.(precise) ?? Math.fround(array);
        const net = Object.fromEntries(Object.keys(weights).map((n) => [n, precise(weights[n])]));
        return model.lstm(net, sentence, silenced ?? undefined);
    }"""
    read = [[grammar.INDEX[word] for word in sentence] for sentence in sentences]
    weights = TRAINED["weights"]
    for ours, x in zip(compute(script, [[x, silenced, weights] for x in read]), read, strict=True):
        run = model.run(np.array(x)[:, None])
        chances = rnn.softmax(run.outputs[-1, 0])
        np.testing.assert_allclose(ours["chances"], chances, rtol=1e-9, atol=1e-15)
        for gate in ("f", "i"):
            found = [step[gate] for step in ours["steps"]]
            np.testing.assert_allclose(found, getattr(run.trace, gate)[:, 0], rtol=1e-9, atol=1e-15)
        found = [step["c"] for step in ours["steps"]]
        np.testing.assert_allclose(found, run.trace.c[1:, 0], rtol=1e-9, atol=1e-12)
