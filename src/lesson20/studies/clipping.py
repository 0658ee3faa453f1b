"""Clipping against explosion, a regulariser against vanishing: Pascanu, Mikolov & Bengio (2013)."""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from lesson20 import tasks
from lesson20.checks import Array, overflowing, rng_of
from lesson20.rnn import SIGMOID
from lesson20.studies.study import Conclusion, Pieces, Results, Study, count, listed
from lesson20.training import SGD, Model, Parameters, Step, clip, train

METHODS = ("sgd", "clipped", "clipped and regularised")


@dataclass(frozen=True)
class ClippingSettings:
    """Settings of the study "clipping": the temporal order task, and the cliff.

    Attributes:
        seeds: For the short sequences, one net of each method per seed.
        long_seeds: For the long ones. Plain SGD is left out there: the clipping never acts.
        T: Length of a short sequence.
        T_long: Length of a long one.
        steps: At most, for the short ones.
        long_steps: At most, for the long ones.
        H: Size of the state.
        B: Sequences in a step.
        scale: Standard deviation of the weights at the start.
        learning_rate: Of plain gradient descent.
        threshold: θ of the clipping.
        alpha: Weight of the regulariser.
        solved: The accuracy that ends the training.
        cliff_start: w and b of the unit on the cliff.
        cliff_learning_rate: Of its descent.
        cliff_threshold: Of its clipping.
        cliff_steps: How many it makes.
    """

    seeds: tuple[int, ...] = (0, 1, 2, 3, 4)
    long_seeds: tuple[int, ...] = (0, 1, 2)
    T: int = 20
    T_long: int = 50
    steps: int = 1500
    long_steps: int = 3000
    H: int = 50
    B: int = 20
    scale: float = 0.1
    learning_rate: float = 0.1
    threshold: float = 1.0
    alpha: float = 2.0
    solved: float = 0.95
    cliff_start: tuple[float, float] = (5.5, -2.6)
    cliff_learning_rate: float = 0.5
    cliff_threshold: float = 0.1
    cliff_steps: int = 3000


@dataclass(frozen=True, eq=False)
class ClippingRecord:
    """Who solves the temporal order task, and two ways down the cliff.

    Attributes:
        method: "sgd", "clipped", "clipped and regularised".
        accuracy: On short sequences at the end, 0 to 1, (3, seeds); guessing gives 0.25.
        norm: The largest norm of a gradient on the way, (3, seeds).
        long_accuracy: On long sequences, (2, long_seeds): the last two methods.
        long_norm: The largest norm there, (2, long_seeds).
        solved: The accuracy that counts as solved.
        threshold: θ of the clipping.
        cliff_step: After how many steps the unit is looked at, (N,).
        cliff_w: Its w without and with clipping, (2, N).
        cliff_b: Its b, (2, N).
        cliff_loss: E = (σ(x₅₀) − 0.7)², (2, N).
        cliff_norm: The largest norm of its gradient on the way, (2,).
    """

    method: tuple[str, ...]
    accuracy: Array
    norm: Array
    long_accuracy: Array
    long_norm: Array
    solved: float
    threshold: float
    cliff_step: Array
    cliff_w: Array
    cliff_b: Array
    cliff_loss: Array
    cliff_norm: Array


def _learn(settings: ClippingSettings, method: str, seed: int, T: int, steps: int) -> Parameters:
    rng = rng_of(seed)
    model = Model.random(rng, "rnn", H=settings.H, D=2 + tasks.FILLERS, K=4, scale=settings.scale)
    trial = tasks.temporal_order(rng, 500, T)
    accuracy, norms = [0.0], [0.0]

    def look(step: Step) -> bool:
        norms.append(step.norm)
        if step.number % 100 == 0 or step.number == steps:
            accuracy.append(tasks.accuracy(model, trial))
        return accuracy[-1] >= settings.solved

    train(
        model,
        lambda: tasks.temporal_order(rng, settings.B, T),
        SGD(settings.learning_rate),
        steps,
        threshold=1e99 if method == "sgd" else settings.threshold,  # 1e99 measures and never clips
        alpha=settings.alpha if method == METHODS[2] else 0.0,
        callback=look,
    )
    return {"accuracy": np.array(accuracy[-1]), "norm": np.array(max(norms))}


def cliff(w: float, b: float, steps: int = 50) -> tuple[float, float, float]:
    """The loss of the one-unit net of the paper, and its slope.

    The net is x_t = w σ(x_{t−1}) + b from x_0 = 0.5, the loss E = (σ(x_T) − 0.7)².

    Args:
        w: Its weight.
        b: Its bias.
        steps: T.

    Returns:
        E, ∂E/∂w and ∂E/∂b.
    """
    s = np.empty(steps + 1)
    s[0] = SIGMOID.f(np.array(0.5))
    for t in range(steps):
        s[t + 1] = SIGMOID.f(np.array(w * s[t] + b))
    error = s[-1] - 0.7
    dx, dw, db = 2 * error * s[-1] * (1 - s[-1]), 0.0, 0.0
    for t in reversed(range(steps)):
        dw += dx * s[t]
        db += dx
        dx *= w * s[t] * (1 - s[t])
    return float(error**2), float(dw), float(db)


def cliff_surface(w: ArrayLike, b: ArrayLike, steps: int = 50) -> Array:
    """The loss of `cliff` for many weights and biases at once, of shapes that fit together.

    Args:
        w: The weights.
        b: The biases.
        steps: T.

    Returns:
        E of each pair.
    """
    s = SIGMOID.f(np.array(0.5))
    for _ in range(steps):
        s = SIGMOID.f(np.multiply(w, s) + b)
    return np.asarray((s - 0.7) ** 2)


@overflowing
def _descend(settings: ClippingSettings, threshold: float) -> Parameters:
    p, path, norms = np.array(settings.cliff_start), [], []
    for step in range(settings.cliff_steps + 1):
        loss, *slope = cliff(*p)
        if step % 50 == 0:
            path.append([*p, loss])
        clipped, norm = clip({"p": np.array(slope)}, threshold)
        norms.append(norm)
        p = p - settings.cliff_learning_rate * clipped["p"]
    return {"path": np.array(path).T, "norm": np.array(max(norms))}


def _pieces(settings: ClippingSettings) -> Pieces:
    short = {
        f"{method} {seed}": partial(_learn, settings, method, seed, settings.T, settings.steps)
        for method in METHODS
        for seed in settings.seeds
    }
    long = {
        f"long {method} {seed}": partial(
            _learn, settings, method, seed, settings.T_long, settings.long_steps
        )
        for method in METHODS[1:]
        for seed in settings.long_seeds
    }
    cliffs = {
        "cliff": partial(_descend, settings, 1e99),
        "cliff clipped": partial(_descend, settings, settings.cliff_threshold),
    }
    return short | long | cliffs


def _assemble(settings: ClippingSettings, results: Results) -> ClippingRecord:
    def of(name: str, prefix: str, methods: tuple[str, ...], seeds: tuple[int, ...]) -> Array:
        return np.array([[results[f"{prefix}{m} {s}"][name] for s in seeds] for m in methods])

    paths = np.stack([results[name]["path"] for name in ("cliff", "cliff clipped")], axis=1)
    return ClippingRecord(
        method=METHODS,
        accuracy=of("accuracy", "", METHODS, settings.seeds),
        norm=of("norm", "", METHODS, settings.seeds),
        long_accuracy=of("accuracy", "long ", METHODS[1:], settings.long_seeds),
        long_norm=of("norm", "long ", METHODS[1:], settings.long_seeds),
        solved=settings.solved,
        threshold=settings.threshold,
        cliff_step=np.arange(0.0, settings.cliff_steps + 1, 50),
        cliff_w=paths[0],
        cliff_b=paths[1],
        cliff_loss=paths[2],
        cliff_norm=np.array([results[name]["norm"] for name in ("cliff", "cliff clipped")]),
    )


def _conclusions(record: ClippingRecord) -> list[Conclusion]:
    sgd, clipped, _ = record.accuracy >= record.solved
    far, regularised = record.long_accuracy >= record.solved
    plain, safe = record.cliff_loss[:, -1]
    return [
        Conclusion(
            "On the cliff, descent without clipping ends far away (E > 0.05) and with it in the "
            "valley (E < 1e-5).",
            bool(plain > 0.05 and safe < 1e-5),
            f"{plain:.2g} and {safe:.1g}",
        ),
        Conclusion(
            "Short sequences: plain SGD solves the task in at most 2 of 10 seeds.",
            bool(sgd.mean() <= 0.2),
            count(sgd),
        ),
        Conclusion(
            "Short sequences: with clipping it solves the task in more than half of the seeds.",
            bool(clipped.mean() > 0.5),
            count(clipped),
        ),
        Conclusion(
            "Long sequences: with clipping alone it does not solve the task in more than 1 of 3, "
            "and the norm stays below the threshold: nothing is clipped.",
            bool(far.mean() <= 0.34 and (record.long_norm[0] < record.threshold).all()),
            f"{count(far)}; largest norms {listed(record.long_norm[0])}",
        ),
        Conclusion(
            "Long sequences: with the regulariser it solves the task in more than half of the "
            "seeds.",
            bool(regularised.mean() > 0.5),
            count(regularised),
        ),
    ]


CLIPPING = Study(
    name="clipping",
    question="What does clipping cure, and what does it not?",
    settings=ClippingSettings(),
    record=ClippingRecord,
    pieces=_pieces,
    assemble=_assemble,
    conclusions=_conclusions,
)
