"""How long a training step of an LSTM takes here and in PyTorch, side by side.

A step is: look up the words, read them, cross-entropy of the next word at every place, send the
blame back, clip, Adam. Both nets have the same sizes, float64, and one thread.

    python tools/step_time.py OURS          under a Python that has PyTorch and numpy

PyTorch may not be had for the Python of the lesson. So this runs where PyTorch is, and starts OURS,
the Python of .venv, for the lesson's half. The two take turns, so that a busy machine is busy for
both; the median of the rounds counts. Exits 1 if a ratio is above its limit.
"""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

LIMITS = {(16, 12, 32): 0.7, (32, 50, 64): 1.0}  # H, T, B: our time over PyTorch's
V = 31  # words
ROUNDS, STEPS = 5, 40


def ours(H: int, T: int, B: int) -> Callable[[], None]:
    """A step of the lesson's LSTM."""
    import numpy as np  # noqa: PLC0415 - only one half of this file runs in either Python

    from lesson20.training import Adam, Batch, Model, clip  # noqa: PLC0415

    rng = np.random.default_rng(0)
    model, adam = Model.random(rng, "lstm", H=H, D=H, K=V, V=V), Adam(0.001)
    batch = Batch(*rng.integers(V, size=(2, T, B)), np.ones((T, B)))

    def step() -> None:
        gradients, _ = clip(model.learn(batch).gradients, 1.0)
        adam.step(model.parameters, gradients)

    return step


def theirs(H: int, T: int, B: int) -> Callable[[], None]:
    """A step of PyTorch's."""
    import torch  # noqa: PLC0415
    from torch import nn  # noqa: PLC0415

    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)
    E, lstm, out = nn.Embedding(V, H), nn.LSTM(H, H), nn.Linear(H, V)
    parameters = [p for module in (E, lstm, out) for p in module.parameters()]
    adam = torch.optim.Adam(parameters, 0.001)
    x, y = torch.randint(V, (2, T, B))

    def step() -> None:
        adam.zero_grad()
        scores = out(lstm(E(x))[0])
        nn.functional.cross_entropy(scores.reshape(-1, V), y.reshape(-1)).backward()
        nn.utils.clip_grad_norm_(parameters, 1.0)
        adam.step()

    return step


def milliseconds(step: Callable[[], None]) -> float:
    """The median time of a step, after a few to warm up."""
    times = []
    for _ in range(STEPS):
        started = time.perf_counter()
        step()
        times.append(time.perf_counter() - started)
    return 1000 * statistics.median(times[5:])


def main() -> None:
    """Measure and print; or, started by itself, the lesson's half alone."""
    if len(sys.argv) == 5:
        _, *sizes = map(int, sys.argv[1:])
        print(milliseconds(ours(*sizes)))
        return
    if len(sys.argv) != 2:
        sys.exit("Usage: python tools/step_time.py PYTHON_OF_THE_LESSON")
    source = Path(__file__).parents[1] / "src"
    single = {"PYTHONPATH": str(source), "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    slow = False
    for sizes, limit in LIMITS.items():
        step, times = theirs(*sizes), []
        command = [sys.argv[1], __file__, "0", *map(str, sizes)]
        for _ in range(ROUNDS):
            run = subprocess.run(
                command, env=os.environ | single, capture_output=True, text=True, check=True
            )
            times.append((float(run.stdout), milliseconds(step)))
        us, them = (statistics.median(column) for column in zip(*times, strict=True))
        ratio = statistics.median(a / b for a, b in times)
        slow |= ratio > limit
        H, T, B = sizes
        print(
            f"H={H} T={T} B={B}: ours {us:.2f} ms, PyTorch {them:.2f} ms, "
            f"ratio {ratio:.2f} (at most {limit})"
        )
    sys.exit(int(slow))


if __name__ == "__main__":
    main()
