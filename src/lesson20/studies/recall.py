"""How the forget bias decides what an LSTM can learn, and how far its blame reaches."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from lesson20 import lstm, tasks
from lesson20.blame import jacobians, products, rms_gain
from lesson20.checks import Array, rng_of
from lesson20.lstm import direct_path, total_path
from lesson20.rnn import RNN, sigmoid, unroll
from lesson20.studies.study import (
    Conclusion,
    Pieces,
    Results,
    Study,
    count,
    geometric_mean,
    listed,
    named_model,
    train_until,
)
from lesson20.training import Batch, Model, Parameters, mean_squared_error

D = tasks.SYMBOLS + tasks.FILLERS  # of a word in delayed recall


@dataclass(frozen=True)
class ForgetBiasSettings:
    """Settings of the study "forget-bias": delayed recall, and the adding problem.

    A net is named by its cell and, for an LSTM, its forget bias, as in "lstm 5".

    Attributes:
        seeds: One net per seed for each length and kind of delayed recall.
        recall: Pairs of a length and a net.
        recall_steps: At most.
        recall_learning_rate: Of Adam.
        solved: The accuracy that ends the training.
        adding_seeds: One net per seed for each kind in the adding problem.
        adding: Nets.
        T_adding: Length of a sequence there.
        adding_steps: At most.
        adding_learning_rate: Of Adam.
        adding_solved: The mean squared error that ends the training.
        H: Size of the state.
        B: Sequences in a step.
        scale: Standard deviation of an LSTM's weights at the start. With PyTorch's default, which
            is 0.14 here, the learning takes longer than the steps allow.
        threshold: θ of the clipping.
    """

    seeds: tuple[int, ...] = (0, 1, 2, 3, 4)
    recall: tuple[tuple[int, str], ...] = (
        (40, "rnn"),
        (40, "orthogonal"),
        (40, "lstm 0"),
        (40, "lstm 1"),
        (40, "lstm 3"),
        (40, "lstm 5"),
        (80, "orthogonal"),
        (80, "lstm 1"),
        (80, "lstm 5"),
    )
    recall_steps: int = 600
    recall_learning_rate: float = 0.005
    solved: float = 0.95
    adding_seeds: tuple[int, ...] = (0, 1, 2)
    adding: tuple[str, ...] = ("rnn", "irnn", "lstm 1", "lstm 5")
    T_adding: int = 60
    adding_steps: int = 1000
    adding_learning_rate: float = 0.005
    adding_solved: float = 0.01
    H: int = 16
    B: int = 32
    scale: float = 0.35
    threshold: float = 1.0


@dataclass(frozen=True, eq=False)
class ForgetBiasRecord:
    """Which nets learn which task.

    Attributes:
        recall_net: Nets of delayed recall, (R,).
        T_recall: Their lengths in words, (R,).
        accuracy: At the end, 0 to 1, (R, seeds); guessing gives 0.25.
        recall_step: After how many steps the training ended, (R, seeds).
        solved: The accuracy that counts as solved.
        adding_net: Nets of the adding problem, (A,).
        error: Mean squared error at the end, (A, adding_seeds); always saying 1 gives 0.167.
        adding_step: After how many steps the training ended, (A, adding_seeds).
        adding_solved: The error that counts as solved.
    """

    recall_net: tuple[str, ...]
    T_recall: Array
    accuracy: Array
    recall_step: Array
    solved: float
    adding_net: tuple[str, ...]
    error: Array
    adding_step: Array
    adding_solved: float


def _recall(settings: ForgetBiasSettings, T: int, net: str, seed: int) -> Parameters:
    rng = rng_of(seed)
    model = named_model(rng, net, H=settings.H, D=D, K=tasks.SYMBOLS, scale=settings.scale)
    draw = partial(tasks.delayed_recall, rng, T=T)
    accuracy, step = train_until(
        model,
        draw,
        B=settings.B,
        threshold=settings.threshold,
        learning_rate=settings.recall_learning_rate,
        steps=settings.recall_steps,
        score=tasks.accuracy,
        solved=lambda accuracy: accuracy >= settings.solved,
    )
    return {"score": np.array(accuracy), "step": np.array(step)} | model.parameters


def _adding(settings: ForgetBiasSettings, net: str, seed: int) -> Parameters:
    rng = rng_of(seed)
    model = named_model(rng, net, H=settings.H, D=2, K=1, scale=settings.scale, loss="squared")
    draw = partial(tasks.adding, rng, T=settings.T_adding)
    error, step = train_until(
        model,
        draw,
        B=settings.B,
        threshold=settings.threshold,
        learning_rate=settings.adding_learning_rate,
        steps=settings.adding_steps,
        score=lambda model, batch: mean_squared_error(model.run(batch.x).outputs, *batch[1:])[0],
        solved=lambda error: error < settings.adding_solved,
    )
    return {"score": np.array(error), "step": np.array(step)}


def _forget_bias_pieces(settings: ForgetBiasSettings) -> Pieces:
    recall = {
        f"recall {T} {net} {seed}": partial(_recall, settings, T, net, seed)
        for T, net in settings.recall
        for seed in settings.seeds
    }
    adding = {
        f"adding {net} {seed}": partial(_adding, settings, net, seed)
        for net in settings.adding
        for seed in settings.adding_seeds
    }
    return recall | adding


def _forget_bias(settings: ForgetBiasSettings, results: Results) -> ForgetBiasRecord:
    def recall(name: str) -> Array:
        return np.array(
            [
                [results[f"recall {T} {net} {s}"][name] for s in settings.seeds]
                for T, net in settings.recall
            ]
        )

    def adding(name: str) -> Array:
        return np.array(
            [
                [results[f"adding {net} {s}"][name] for s in settings.adding_seeds]
                for net in settings.adding
            ]
        )

    return ForgetBiasRecord(
        recall_net=tuple(net for _, net in settings.recall),
        T_recall=np.array([T for T, _ in settings.recall], dtype=float),
        accuracy=recall("score"),
        recall_step=recall("step"),
        solved=settings.solved,
        adding_net=settings.adding,
        error=adding("score"),
        adding_step=adding("step"),
        adding_solved=settings.adding_solved,
    )


def _forget_bias_conclusions(record: ForgetBiasRecord) -> list[Conclusion]:
    conditions = zip(record.T_recall, record.recall_net, record.accuracy, strict=True)
    recall = {(int(T), net): row >= record.solved for T, net, row in conditions}
    adding = {
        net: row < record.adding_solved
        for net, row in zip(record.adding_net, record.error, strict=True)
    }
    wanted = [
        ("T = 40: with b_f = 0 at most one seed in five learns to recall.", 40, "lstm 0", "≤", 0.2),
        ("T = 40: with b_f = 5 at least four in five do.", 40, "lstm 5", "≥", 0.8),
        ("T = 40: an orthogonal RNN does in more than half.", 40, "orthogonal", "≥", 0.51),
        ("T = 80: with b_f = 1 at most two in five do.", 80, "lstm 1", "≤", 0.4),
        ("T = 80: with b_f = 5 at least four in five do.", 80, "lstm 5", "≥", 0.8),
    ]
    found = []
    for sentence, T, net, sign, limit in wanted:
        share = float(recall[T, net].mean())
        holds = share >= limit if sign == "≥" else share <= limit
        found.append(Conclusion(sentence, holds, count(recall[T, net])))
    one, five = adding["lstm 1"], adding["lstm 5"]
    found.append(
        Conclusion(
            "The adding problem is learnt more often with b_f = 1 than with b_f = 5: more is not "
            "always better.",
            bool(one.sum() > five.sum()),
            "; ".join(f"{net} {count(row)}" for net, row in adding.items()),
        )
    )
    return found


FORGET_BIAS = Study(
    name="forget-bias",
    question="How should the forget bias start?",
    settings=ForgetBiasSettings(),
    record=ForgetBiasRecord,
    pieces=_forget_bias_pieces,
    assemble=_forget_bias,
    conclusions=_forget_bias_conclusions,
)


@dataclass(frozen=True)
class BlameByDistanceSettings:
    """Settings of the study "blame-by-distance".

    Attributes:
        training: How nets are drawn and trained; its seeds are used, its tasks are not.
        T: Length of a sequence of delayed recall.
        b_f: Forget biases of untrained LSTMs.
        trained: Forget biases of those that are trained.
        sequences: How many are read by each net.
    """

    training: ForgetBiasSettings = ForgetBiasSettings(seeds=(0, 1, 2), recall=(), adding=())
    T: int = 40
    b_f: tuple[int, ...] = (0, 1, 3, 5)
    trained: tuple[int, ...] = (1, 5)
    sequences: int = 16


@dataclass(frozen=True, eq=False)
class BlameByDistanceRecord:
    """Gains over a distance, geometric means over seeds and sequences; 1 means nothing is lost.

    Attributes:
        distance: T−k in steps, (T,): 0, 1, …, T−1.
        rnn: Of ∂h_T/∂h_k in an untrained tanh RNN, (T,).
        orthogonal: The same for one that starts orthogonal, (T,).
        b_f: Forget biases of untrained LSTMs, (F,).
        total: Of ∂c_T/∂c_k by all paths, (F, T).
        direct: Of ∏ f along the belt alone, (F, T).
        trained_b_f: Forget biases at the start of the trained ones, (G,).
        trained_total: By all paths after training, (G, T).
        trained_direct: Along the belt alone, (G, T).
        trained_accuracy: At the end of the training, 0 to 1, (G, seeds).
    """

    distance: Array
    rnn: Array
    orthogonal: Array
    b_f: Array
    total: Array
    direct: Array
    trained_b_f: Array
    trained_total: Array
    trained_direct: Array
    trained_accuracy: Array


def _untrained(settings: BlameByDistanceSettings, net: str, seed: int) -> Parameters:
    rng, drawn = rng_of(seed), settings.training
    model = named_model(rng, net, H=drawn.H, D=D, K=tasks.SYMBOLS, scale=drawn.scale)
    return _gains(model, tasks.delayed_recall(rng, settings.sequences, settings.T))


def _trained(settings: BlameByDistanceSettings, b_f: int, seed: int) -> Parameters:
    found = _recall(settings.training, settings.T, f"lstm {b_f}", seed)
    score = found.pop("score")
    del found["step"]
    batch = tasks.delayed_recall(rng_of(1000 + seed), settings.sequences, settings.T)
    return _gains(Model(found), batch) | {"accuracy": score}


def _gains(model: Model, batch: Batch) -> Parameters:
    """Gains at the distances 0 to T−1, geometric means over the batch; no path from k = 0."""
    net = model.net
    if isinstance(net, RNN):
        P = products(jacobians(net, unroll(net, batch.x)))
        return {"total": geometric_mean(rms_gain(P)[:0:-1], axis=1)}
    trace = lstm.unroll(net, batch.x)
    belt = np.sqrt(np.mean(direct_path(trace) ** 2, axis=-1))
    total = rms_gain(total_path(net, batch.x, trace))
    return {
        "total": geometric_mean(total[:0:-1], axis=1),
        "direct": geometric_mean(belt[:0:-1], axis=1),
    }


def _blame_pieces(settings: BlameByDistanceSettings) -> Pieces:
    seeds = settings.training.seeds
    nets = ("rnn", "orthogonal", *(f"lstm {b}" for b in settings.b_f))
    untrained = {f"{net} {s}": partial(_untrained, settings, net, s) for net in nets for s in seeds}
    trained = {
        f"trained {b} {s}": partial(_trained, settings, b, s)
        for b in settings.trained
        for s in seeds
    }
    return untrained | trained


def _blame(settings: BlameByDistanceSettings, results: Results) -> BlameByDistanceRecord:
    def mean(name: str, net: str) -> Array:
        curves = [results[f"{net} {seed}"][name] for seed in settings.training.seeds]
        return geometric_mean(np.array(curves), axis=0)

    return BlameByDistanceRecord(
        distance=np.arange(float(settings.T)),
        rnn=mean("total", "rnn"),
        orthogonal=mean("total", "orthogonal"),
        b_f=np.array(settings.b_f, dtype=float),
        total=np.array([mean("total", f"lstm {b}") for b in settings.b_f]),
        direct=np.array([mean("direct", f"lstm {b}") for b in settings.b_f]),
        trained_b_f=np.array(settings.trained, dtype=float),
        trained_total=np.array([mean("total", f"trained {b}") for b in settings.trained]),
        trained_direct=np.array([mean("direct", f"trained {b}") for b in settings.trained]),
        trained_accuracy=np.array(
            [
                [results[f"trained {b} {s}"]["accuracy"] for s in settings.training.seeds]
                for b in settings.trained
            ]
        ),
    )


def _blame_conclusions(record: BlameByDistanceRecord) -> list[Conclusion]:
    at = {int(b): n for n, b in enumerate(record.b_f)}
    far = int(record.distance[-1])
    ratio = record.direct[:, -1] / sigmoid(record.b_f) ** far
    one = list(record.trained_b_f).index(1)
    gain = float(record.trained_total[one, -1] / record.trained_direct[one, -1])
    return [
        Conclusion(
            f"Over {far} steps an untrained tanh RNN keeps less than 1e-6 of the blame.",
            bool(record.rnn[-1] < 1e-6),
            f"{record.rnn[-1]:.0e}; orthogonal {record.orthogonal[-1]:.2g}",
        ),
        Conclusion(
            "Of blame on the belt, an untrained LSTM with b_f = 5 keeps all (a gain above 1), with "
            "b_f = 0 less than 1e-3.",
            bool(record.total[at[5], -1] > 1 and record.total[at[0], -1] < 1e-3),
            ", ".join(
                f"b_f = {b:g}: {g:.2g}"
                for b, g in zip(record.b_f, record.total[:, -1], strict=True)
            ),
        ),
        Conclusion(
            f"With b_f = 5 the direct path is within 20 % of what b_f alone gives, σ(5)^{far}.",
            bool(abs(ratio[at[5]] - 1) < 0.2),
            ", ".join(
                f"b_f = {b:g}: {r:.2f} times" for b, r in zip(record.b_f, ratio, strict=True)
            ),
        ),
        Conclusion(
            "After training with b_f = 1, more than half of the blame comes by paths that leave "
            "the belt (the total is more than twice the direct path).",
            bool(gain > 2),
            f"{gain:.1f} times; accuracies {listed(record.trained_accuracy[one])}",
        ),
    ]


BLAME_BY_DISTANCE = Study(
    name="blame-by-distance",
    question="How much blame arrives from a word that lies far back?",
    settings=BlameByDistanceSettings(),
    record=BlameByDistanceRecord,
    pieces=_blame_pieces,
    assemble=_blame,
    conclusions=_blame_conclusions,
)
