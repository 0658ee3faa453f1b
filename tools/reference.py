"""What PyTorch makes of the lesson's equations: a second road for the tests.

Writes tests/reference.json: for a few small nets the numbers that go in, and PyTorch's outputs,
loss and gradients, and what a short training makes of two of them. That file is data. The tests
only read it, and need no PyTorch.

It also runs the blocks of docs/in-code.md that need PyTorch, writes under each statement what it
prints, and keeps a copy of them in tests/reference_blocks.txt, with which the tests compare the
page. So who changes such a block runs this, or is told to by a test.

This needs PyTorch 2.13.0 and numpy, under any Python that has them, and never imports lesson20:

    pip install torch==2.13.0 numpy       into an environment of its own
    python tools/reference.py             writes the files, and the outputs on the page
    python tools/reference.py --check     exits 1 if one of them says anything else

All numbers of the JSON file stand in the lesson's layout. They are turned into PyTorch's under
autograd, so that the gradients come back in the lesson's layout by themselves. What differs:

- PyTorch stacks the gates i, f, g, o; the lesson f, i, o, c, where c is PyTorch's g.
- PyTorch has a matrix for x and another for h; the lesson's LSTM has one for [h; x], h first.
- PyTorch adds two biases. The lesson's one is split between them in unequal parts, so that a bias
  that is used twice or left out changes the numbers.
"""

import argparse
import ast
import contextlib
import difflib
import io
import json
import re
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.func import functional_call
from torch.nn.functional import cross_entropy

ROOT = Path(__file__).parents[1]
FILE = ROOT / "tests" / "reference.json"
TOLERANCE = 1e-12  # another machine may round the last digits otherwise
PAGE = ROOT / "docs" / "in-code.md"
SECTION = re.compile(r"^## The same in PyTorch$.*?(?=^## )", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"(?<=^```python)(?P<info>.*\n)(?P<code>(?:.*\n)*?)(?=```$)", re.MULTILINE)
BLOCKS = ROOT / "tests" / "reference_blocks.txt"
V = 5  # words that the output layer chooses from


def rnn(x: Tensor, layers: list[dict[str, Tensor]]) -> dict[str, Tensor]:
    """Run nn.RNN, whose activation is tanh."""
    H, D = layers[0]["W_x"].shape
    weights = [(layer["W_x"], layer["W_h"], layer["b"]) for layer in layers]
    net = nn.RNN(D, H, len(layers), dtype=x.dtype)
    h, h_T = functional_call(net, named(weights), (x, stacked(layers, "h")))
    return {"h": h, "h_T": h_T}


def lstm(x: Tensor, layers: list[dict[str, Tensor]]) -> dict[str, Tensor]:
    """Run nn.LSTM."""
    H, D = layers[0]["h"].shape[-1], x.shape[-1]
    weights = []
    for layer in layers:
        # f, i and o, c change places within their pairs, which makes i, f, g, o
        W, b = (layer[name].unflatten(0, (2, 2, H)).flip(1).flatten(0, 2) for name in ("W", "b"))
        weights.append((W[:, H:], W[:, :H], b))
    net = nn.LSTM(D, H, len(layers), dtype=x.dtype)
    states = stacked(layers, "h"), stacked(layers, "c")
    h, (h_T, c_T) = functional_call(net, named(weights), (x, states))
    return {"h": h, "h_T": h_T, "c_T": c_T}


def named(weights: list[tuple[Tensor, Tensor, Tensor]]) -> dict[str, Tensor]:
    """W_x, W_h and b of each layer under PyTorch's names, with b in two parts."""
    names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    return {
        f"{name}_l{n}": tensor
        for n, (W_x, W_h, b) in enumerate(weights)
        for name, tensor in zip(names, (W_x, W_h, 3 * b, -2 * b), strict=True)
    }


def stacked(layers: list[dict[str, Tensor]], state: str) -> Tensor:
    """The initial state of all layers in one tensor."""
    return torch.stack([layer[state] for layer in layers])


LAYERS = {  # what a layer needs, for a given H, D and batch; h and c are its initial states
    rnn: lambda H, D, batch: {"W_x": (H, D), "W_h": (H, H), "b": (H,), "h": (*batch, H)},
    lstm: lambda H, D, batch: {
        "W": (4 * H, H + D),
        "b": (4 * H,),
        "h": (*batch, H),
        "c": (*batch, H),
    },
}
SIZES = {
    "one unit, one word": {"H": 1, "D": 1, "T": 1},
    "one sentence": {"H": 4, "D": 3, "T": 5},
    "a batch": {"H": 3, "D": 5, "T": 4, "batch": (2,)},
    "a long sentence": {"H": 2, "D": 1, "T": 25, "batch": (1,)},
    "two layers from rest": {"H": 4, "D": 3, "T": 4, "depth": 2, "rest": True},
    "two layers, a batch": {"H": 3, "D": 2, "T": 5, "batch": (3,), "depth": 2},
}
CASES = {f"{net.__name__}, {size}": (net, SIZES[size]) for net in LAYERS for size in SIZES}
SHORT = {"H": 3, "D": 2, "T": 6, "batch": (4,), "rest": True}
TRAINED = {"trained rnn": (rnn, 0.4), "trained lstm": (lstm, 0.07)}  # and where to clip
STEPS, LEARNING_RATE = 30, 0.05


def case(name: str) -> dict[str, dict[str, np.ndarray]]:
    """What goes into a case and what PyTorch finds."""
    rng = np.random.default_rng([*CASES, *TRAINED].index(name))
    if name in CASES:
        net, sizes = CASES[name]
        given = drawn(rng, net, **sizes)
        return {"given": given, "found": found(net, given)}
    net, threshold = TRAINED[name]
    given = drawn(rng, net, **SHORT)
    del given["weight"]
    given |= {"learning rate": np.array(LEARNING_RATE), "threshold": np.array(threshold)}
    return {"given": given, "found": trained(net, given)}


def drawn(rng, net, *, H, D, T, batch=(), depth=1, rest=False) -> dict[str, np.ndarray]:
    """Draw the numbers; those of a layer bear its number, as in "W 1". At rest, states are 0."""
    shapes = {"x": (T, *batch, D), "weight": (T, *batch, H), "W_y": (V, H)}
    for n in range(1, depth + 1):
        layer = LAYERS[net](H, D if n == 1 else H, batch)
        shapes |= {f"{name} {n}": shape for name, shape in layer.items()}
    given = {
        name: np.zeros(shape) if rest and name[:2] in ("h ", "c ") else rng.normal(size=shape)
        for name, shape in shapes.items()
    }
    return given | {"y": rng.integers(V, size=(T, *batch))}


def found(net, given: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Run the net and take the gradient of the loss with respect to all that it used.

    The loss is a weighted sum of the top layer's h, plus the mean cross-entropy of an output layer
    that reads the same h and should name the words y.
    """
    constant = {name: torch.tensor(given[name]) for name in ("weight", "y")}
    leaves = {
        name: torch.tensor(array, requires_grad=True)
        for name, array in given.items()
        if name not in constant
    }
    layers: dict[str, dict[str, Tensor]] = {}
    for name, leaf in leaves.items():
        kind, space, n = name.partition(" ")
        if space:
            layers.setdefault(n, {})[kind] = leaf

    out = net(leaves["x"], list(layers.values()))
    scores = out["h"] @ leaves["W_y"].T
    out["p"] = scores.softmax(-1)
    out["loss"] = (constant["weight"] * out["h"]).sum()
    out["loss"] += cross_entropy(scores.reshape(-1, V), constant["y"].reshape(-1))
    out["loss"].backward()
    out |= {f"dL/d {name}": leaf.grad for name, leaf in leaves.items()}
    return {name: tensor.detach().numpy() for name, tensor in out.items()}


def trained(net, given: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Train the net with Adam and clipping to name the words y; its initial state stays at rest."""
    x, y, threshold = torch.tensor(given["x"]), torch.tensor(given["y"]), given["threshold"].item()
    p = {
        name: torch.tensor(array, requires_grad=name[:2] not in ("h ", "c "))
        for name, array in given.items()
        if name.endswith(" 1") or name == "W_y"
    }
    learnt = {name: tensor for name, tensor in p.items() if tensor.requires_grad}
    adam, losses, norms = torch.optim.Adam(learnt.values(), LEARNING_RATE), [], []
    for _ in range(STEPS):
        adam.zero_grad()
        layer = {name[:-2]: tensor for name, tensor in p.items() if name.endswith(" 1")}
        scores = net(x, [layer])["h"] @ p["W_y"].T
        loss = cross_entropy(scores.reshape(-1, V), y.reshape(-1))
        loss.backward()
        losses.append(loss)
        norms.append(nn.utils.clip_grad_norm_(learnt.values(), threshold))
        adam.step()
    assert min(norms) < threshold < max(norms), "clip at some steps, and not at others"
    out = {"losses": torch.stack(losses), "norms": torch.stack(norms)} | learnt
    return {name: tensor.detach().numpy() for name, tensor in out.items()}


def text(tree) -> str:
    """JSON with one array in a line, every float with all its digits."""
    if not isinstance(tree, dict):
        return json.dumps(tree.tolist())
    lines = (f"{json.dumps(name)}: {text(branch)}" for name, branch in tree.items())
    return "{\n" + ",\n".join(lines) + "\n}"


def flat(cases) -> dict[str, np.ndarray]:
    """All arrays under the name of their case and their own."""
    return {
        f"{case}: {name}": np.array(array)
        for case, roles in cases.items()
        for role in roles.values()
        for name, array in role.items()
    }


def difference(a: np.ndarray | None, b: np.ndarray | None) -> float:
    """The largest difference of two arrays; infinite if one is missing or their shapes differ."""
    alike = a is not None and b is not None and a.shape == b.shape
    return float(np.abs(a - b).max()) if alike else np.inf


def check(cases) -> list[str]:
    """A line about every array of the file that is not as computed."""
    wanted, there = flat(cases), flat(json.loads(FILE.read_text(encoding="utf-8")))
    largest = {name: difference(wanted.get(name), there.get(name)) for name in wanted | there}
    too_large = {name: x for name, x in largest.items() if not x <= TOLERANCE}
    return [f"{name}: largest difference {x:.2g}" for name, x in too_large.items()]


def ran(page: str) -> tuple[str, list[str]]:
    """The page with the outputs of PyTorch's section as they come out now, and the blocks that ran.

    All blocks of the section run but those with our own code, which need a newer Python.
    """
    namespace: dict[str, object] = {}
    blocks: list[str] = []

    def run(block: re.Match[str]) -> str:
        if "lesson20" in block["code"]:
            return block[0]
        blocks.append(with_outputs(block["code"], namespace))
        return block["info"] + blocks[-1]

    version = torch.__version__.partition("+")[0]
    assert f"PyTorch {version}" in page, f"{PAGE.name} names another version than {version}"
    page = SECTION.sub(lambda section: BLOCK.sub(run, section[0]), page)
    assert any("import torch" in block for block in blocks), (
        f"no block of {PAGE.name} needs PyTorch"
    )
    return page, blocks


def with_outputs(code: str, namespace: dict[str, object]) -> str:
    """Run a block, and write under each statement what it prints."""
    code = re.sub(r"^#>.*\n", "", code, flags=re.MULTILINE)
    lines, done, written = code.splitlines(), 0, []
    for statement in ast.parse(code).body:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(ast.Module([statement], []), PAGE.name, "exec"), namespace)
        written += lines[done : statement.end_lineno]
        written += [f"#> {line}".rstrip() for line in printed.getvalue().splitlines()]
        done = statement.end_lineno
    return "".join(f"{line}\n" for line in [*written, *lines[done:]])


def main() -> None:
    """Write the files, or check them."""
    parser = argparse.ArgumentParser(description="PyTorch's numbers for the tests and the page.")
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    cases = {name: case(name) for name in (*CASES, *TRAINED)}
    before = PAGE.read_text(encoding="utf-8")
    page, blocks = ran(before)
    record = "\n".join(blocks)
    if not parser.parse_args().check:
        FILE.write_text(text(cases) + "\n", encoding="utf-8")
        PAGE.write_text(page, encoding="utf-8")
        BLOCKS.write_text(record, encoding="utf-8")
        return
    wrong = check(cases)
    if page != before:
        wrong += difflib.unified_diff(before.split("\n"), page.split("\n"), lineterm="", n=0)
    if record != BLOCKS.read_text(encoding="utf-8"):
        wrong.append(f"{BLOCKS.name} is not what the blocks of {PAGE.name} are now")
    if wrong:
        raise SystemExit("\n".join(wrong))


if __name__ == "__main__":
    main()
