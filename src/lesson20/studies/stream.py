"""Why a forget gate: on a stream without marks the belt of 1997 grows (Gers et al., 2000)."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from lesson20 import grammar
from lesson20.checks import Array, rng_of
from lesson20.studies.study import Conclusion, Pieces, Results, Study, listed
from lesson20.training import Adam, Batch, Model, Parameters, clip

CELLS = ("lstm", "lstm 1997")
EVERY = 10  # the belt is written down after each tenth word


@dataclass(frozen=True)
class ForgetGateSettings:
    """Settings of the study "forget-gate".

    Attributes:
        seeds: One net of each kind per seed.
        H: Size of the state.
        D: Size of a word vector.
        B: Streams that are read side by side.
        chunk: Words in a step; the state is carried over, the blame is not.
        steps: Of training.
        learning_rate: Of Adam.
        threshold: θ of the clipping.
        words: Length of the stream on which the trained net is tried.
    """

    seeds: tuple[int, ...] = (0, 1, 2, 3, 4)
    H: int = 16
    D: int = 8
    B: int = 16
    chunk: int = 32
    steps: int = 600
    learning_rate: float = 0.01
    threshold: float = 1.0
    words: int = 1000


@dataclass(frozen=True, eq=False)
class ForgetGateRecord:
    """The belt on a long stream, with a forget gate and without.

    Attributes:
        cell: "lstm" and "lstm 1997", which has no forget gate.
        word: After how many words the belt is looked at, (N,).
        belt: The largest |c| of any unit there, (2, seeds, N).
        largest: The largest |c| anywhere on the stream, (2, seeds).
        accuracy: Of the verbs on the stream, 0 to 1, (2, seeds).
        f_at_stop: For each unit the mean of f at the full stops, (seeds, H), with forget gate.
        f_elsewhere: The same at all other words, (seeds, H).
    """

    cell: tuple[str, ...]
    word: Array
    belt: Array
    largest: Array
    accuracy: Array
    f_at_stop: Array
    f_elsewhere: Array


def _learn(settings: ForgetGateSettings, cell: str, seed: int) -> Parameters:
    rng, V, C = rng_of(seed), len(grammar.WORDS), settings.chunk
    model = Model.random(rng, cell, H=settings.H, D=settings.D, K=V, V=V)
    words = grammar.stream(rng, settings.B, C * settings.steps + 1).words
    optimiser, mask, run = Adam(settings.learning_rate), np.ones((C, settings.B)), None
    for n in range(settings.steps):
        now = words[n * C : (n + 1) * C + 1]
        _, gradients, run = model.learn(Batch(now[:-1], now[1:], mask), run)
        optimiser.step(model.parameters, clip(gradients, settings.threshold)[0])

    trial = grammar.stream(rng, 8, settings.words)
    run = model.run(trial.words)
    assert run.trace is not None
    belt, stop = np.abs(run.trace.c[1:]), trial.words == grammar.STOP
    return {
        "belt": belt.max(axis=(1, 2))[EVERY - 1 :: EVERY],
        "largest": belt.max(),
        "accuracy": np.array(grammar.stream_accuracy(run.outputs, trial)),
        "f_at_stop": run.trace.f[stop].mean(axis=0),
        "f_elsewhere": run.trace.f[~stop].mean(axis=0),
    }


def _pieces(settings: ForgetGateSettings) -> Pieces:
    return {
        f"{cell} {seed}": partial(_learn, settings, cell, seed)
        for seed in settings.seeds
        for cell in CELLS
    }


def _assemble(settings: ForgetGateSettings, results: Results) -> ForgetGateRecord:
    def of(name: str, cells: tuple[str, ...] = CELLS) -> Array:
        return np.array([[results[f"{c} {s}"][name] for s in settings.seeds] for c in cells])

    return ForgetGateRecord(
        cell=CELLS,
        word=np.arange(EVERY, settings.words + 1.0, EVERY),
        belt=of("belt"),
        largest=of("largest"),
        accuracy=of("accuracy"),
        f_at_stop=of("f_at_stop", CELLS[:1])[0],
        f_elsewhere=of("f_elsewhere", CELLS[:1])[0],
    )


def _conclusions(record: ForgetGateRecord) -> list[Conclusion]:
    (modern, old), (right, less) = record.largest, record.accuracy
    lowest = record.f_at_stop.min(axis=1)
    return [
        Conclusion(
            "Without a forget gate the belt grows beyond 200 on the stream in every net; with one "
            "it stays below 100.",
            bool((old > 200).all() and (modern < 100).all()),
            f"{listed(old, 0)} against {listed(modern, 0)}",
        ),
        Conclusion(
            "With a forget gate more verbs are right, on average.",
            bool(right.mean() > less.mean()),
            f"{right.mean():.2f} against {less.mean():.2f}",
        ),
        Conclusion(
            "In every net some unit forgets at the full stop (its mean f is below 0.4 there).",
            bool((lowest < 0.4).all()),
            listed(lowest),
        ),
    ]


FORGET_GATE = Study(
    name="forget-gate",
    question="What is a forget gate for?",
    settings=ForgetGateSettings(),
    record=ForgetGateRecord,
    pieces=_pieces,
    assemble=_assemble,
    conclusions=_conclusions,
)
