"""The dilemma of Bengio, Simard & Frasconi (1994): what holds a bit shrinks the blame."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from lesson20.checks import Array
from lesson20.studies.study import Conclusion, Pieces, Results, Study, listed, rng_of
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
    """

    seed: int = 20
    w: tuple[float, ...] = (1.25, 1.5, 2.0, 3.0)
    noise: tuple[float, ...] = (0.2, 0.5)
    i: tuple[float, ...] = (1.0, 0.1, 0.02)
    steps: int = 200
    runs: int = 2000


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
    """

    w: Array
    slope: Array
    gain: Array
    noise: Array
    kept: Array
    i: Array
    belt_kept: Array


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


def _pieces(settings: DilemmaSettings) -> Pieces:
    return {"all": partial(_latch, settings)}


def _assemble(settings: DilemmaSettings, results: Results) -> DilemmaRecord:
    found = results["all"]
    return DilemmaRecord(
        w=np.array(settings.w),
        gain=found["slope"] ** 50,
        noise=np.array(settings.noise),
        i=np.array(settings.i),
        **found,
    )


def _conclusions(record: DilemmaRecord) -> list[Conclusion]:
    loud, safe = record.kept[:, record.noise.argmax()], record.kept.min(axis=1) >= 0.95
    return [
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


DILEMMA = Study(
    name="dilemma",
    question="Can one unit hold a bit against noise and still let blame through?",
    settings=DilemmaSettings(),
    record=DilemmaRecord,
    pieces=_pieces,
    assemble=_assemble,
    conclusions=_conclusions,
)
