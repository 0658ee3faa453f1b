"""The dilemma of Bengio, Simard & Frasconi (1994): what holds a bit shrinks the blame."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from lesson20 import tasks
from lesson20.checks import Array, rng_of
from lesson20.studies.study import (
    Conclusion,
    Pieces,
    Results,
    Study,
    count,
    listed,
    named_model,
    train_until,
)
from lesson20.training import Parameters


@dataclass(frozen=True)
class DilemmaSettings:
    """Settings of the study "dilemma".

    Attributes:
        seed: Of the noise.
        w: Self-weights of one tanh unit, above 1.
        noise: Standard deviations of what disturbs it at each step.
        i: Input gates of the belt, each of which lets in that share of the largest noise.
        steps: For how long the bit is to be held.
        runs: How many times each is tried.
        nets: Nets that are trained to hold a bit, a tanh RNN first: a cell and, for an LSTM, its
            forget bias, as in "lstm 5".
        T: For how many steps they are to hold it; none is trained if there is none.
        seeds: One net per seed for each length and kind.
        learnt_noise: Standard deviation of what follows the bit.
        H: Size of the state.
        B: Sequences in a step.
        learning_rate: Of Adam.
        learning_steps: At most.
        threshold: θ of the clipping.
        solved: The accuracy that ends the training.
    """

    seed: int = 20
    w: tuple[float, ...] = (1.25, 1.5, 2.0, 3.0)
    noise: tuple[float, ...] = (0.2, 0.5)
    i: tuple[float, ...] = (1.0, 0.1, 0.02)
    steps: int = 200
    runs: int = 2000
    nets: tuple[str, ...] = ("rnn", "lstm 5")
    T: tuple[int, ...] = (5, 10, 20, 40, 80)
    seeds: tuple[int, ...] = (0, 1, 2, 3, 4)
    learnt_noise: float = 0.3
    H: int = 8
    B: int = 32
    learning_rate: float = 0.005
    learning_steps: int = 800
    threshold: float = 1.0
    solved: float = 0.95


@dataclass(frozen=True, eq=False)
class DilemmaRecord:
    """Which units hold their sign under noise, and what blame they let through.

    Attributes:
        w: Self-weights, (W,).
        slope: Gain of one step at the point where the unit rests, w (1 − h²), (W,).
        gain: The same over 50 steps, (W,).
        noise: Standard deviations of the noise, (N,).
        kept: Share of runs whose sign is right at the end, 0 to 1, (W, N).
        i: Input gates of the belt with f = 1, whose gain is 1, (I,).
        belt_kept: Share of runs in which the belt keeps its sign under the largest noise, (I,).
        nets: Nets that were trained to hold a bit, (M,).
        T: For how many steps, (L,).
        accuracy: At the end of the training, 0 to 1, (M, L, seeds); guessing gives 0.5.
        step: After how many steps the training ended, (M, L, seeds).
        most_steps: After how many it ended in any case.
        solved: The accuracy that counts as solved.
    """

    w: Array
    slope: Array
    gain: Array
    noise: Array
    kept: Array
    i: Array
    belt_kept: Array
    nets: tuple[str, ...]
    T: Array
    accuracy: Array
    step: Array
    most_steps: int
    solved: float


def _latch(settings: DilemmaSettings) -> Parameters:
    w = np.array(settings.w)
    rest = np.ones_like(w)
    for _ in range(1000):
        rest = np.tanh(w * rest)
    slope = w * (1 - rest**2)
    rng = rng_of(settings.seed)
    kept = np.empty((len(w), len(settings.noise)))
    for n, sigma in enumerate(settings.noise):
        h = np.tile(rest, (settings.runs, 1))
        for _ in range(settings.steps):
            h = np.tanh(w * h + sigma * rng.normal(size=(settings.runs, 1)))
        kept[:, n] = (h > 0).mean(axis=0)
    i = np.array(settings.i)
    c = np.ones((settings.runs, len(i)))
    for _ in range(settings.steps):
        c += i * max(settings.noise) * rng.normal(size=(settings.runs, 1))
    return {"slope": slope, "kept": kept, "belt_kept": (c > 0).mean(axis=0)}


def _learn(settings: DilemmaSettings, net: str, T: int, seed: int) -> Parameters:
    rng = rng_of(seed)
    accuracy, step = train_until(
        named_model(rng, net, H=settings.H, D=1, K=2),
        partial(tasks.latching, rng, T=T, noise=settings.learnt_noise),
        B=settings.B,
        learning_rate=settings.learning_rate,
        steps=settings.learning_steps,
        threshold=settings.threshold,
        score=tasks.accuracy,
        solved=lambda accuracy: accuracy >= settings.solved,
    )
    return {"accuracy": np.array(accuracy), "step": np.array(step)}


def _pieces(settings: DilemmaSettings) -> Pieces:
    learnt = {
        f"{net} {T} {seed}": partial(_learn, settings, net, T, seed)
        for net in settings.nets
        for T in settings.T
        for seed in settings.seeds
    }
    return {"all": partial(_latch, settings)} | learnt


def _assemble(settings: DilemmaSettings, results: Results) -> DilemmaRecord:
    found = results["all"]

    def learnt(name: str) -> Array:
        nets, lengths, seeds = settings.nets, settings.T, settings.seeds
        every = [results[f"{net} {T} {s}"][name] for net in nets for T in lengths for s in seeds]
        return np.array(every, dtype=float).reshape(len(nets), len(lengths), len(seeds))

    return DilemmaRecord(
        w=np.array(settings.w),
        gain=found["slope"] ** 50,
        noise=np.array(settings.noise),
        i=np.array(settings.i),
        nets=settings.nets,
        T=np.array(settings.T, dtype=float),
        accuracy=learnt("accuracy"),
        step=learnt("step"),
        most_steps=settings.learning_steps,
        solved=settings.solved,
        **found,
    )


def _conclusions(record: DilemmaRecord) -> list[Conclusion]:
    loud, safe = record.kept[:, record.noise.argmax()], record.kept.min(axis=1) >= 0.95
    found = [
        Conclusion(
            "The larger the self-weight, the more often the bit is held.",
            bool((np.diff(loud) > -0.02).all() and loud[-1] > loud[0] + 0.3),
            listed(loud),
        ),
        Conclusion(
            "Every unit that holds its bit in 95 % of the runs lets less than 1e-9 of the blame "
            "through 50 steps.",
            bool(safe.any() and (record.gain[safe] < 1e-9).all()),
            ", ".join(f"{g:.0e}" for g in record.gain[safe]),
        ),
        Conclusion(
            "The belt, whose gain is 1, loses the bit if its input gate is open and keeps it if "
            "the gate is almost shut.",
            bool(record.belt_kept[record.i.argmax()] < 0.65 and record.belt_kept.max() > 0.99),
            listed(record.belt_kept),
        ),
    ]
    if not record.T.size:
        return found
    rnn, lstm = (
        record.accuracy[record.nets.index(net)] >= record.solved for net in ("rnn", "lstm 5")
    )
    short, long = record.T.argmin(), record.T.argmax()
    least, most = record.T[short], record.T[long]
    needed = np.median(record.step[record.nets.index("rnn")], axis=-1)[record.T.argsort()]
    return [
        *found,
        Conclusion(
            f"At least four tanh nets in five learn to hold a bit over {least:g} steps, and at "
            f"most one in five over {most:g}.",
            bool(rnn[short].mean() >= 0.8 and rnn[long].mean() <= 0.2),
            f"{count(rnn[short])} and {count(rnn[long])}",
        ),
        Conclusion(
            "The longer it is to be held, the more steps of training half of the tanh nets need.",
            bool((np.diff(needed) >= 0).all() and needed[-1] >= 4 * needed[0]),
            listed(needed, 0),
        ),
        Conclusion(
            f"At least three LSTMs in five with b_f = 5 learn to hold it over {most:g} steps.",
            bool(lstm[long].mean() >= 0.6),
            count(lstm[long]),
        ),
    ]


DILEMMA = Study(
    name="dilemma",
    question="Can one unit hold a bit against noise and still let blame through?",
    settings=DilemmaSettings(),
    record=DilemmaRecord,
    pieces=_pieces,
    assemble=_assemble,
    conclusions=_conclusions,
)
