"""How a language model learns that the subject decides the verb, and where it keeps the number."""

from dataclasses import dataclass, field
from functools import partial
from itertools import product

import numpy as np

from lesson20 import grammar, units
from lesson20.checks import Array, rng_of
from lesson20.studies.study import Conclusion, Pieces, Results, Study, count, listed
from lesson20.training import Adam, Batch, Model, Parameters, Step, train

CELLS = ("lstm", "rnn")
FOLLOWED = tuple(f"the {noun} that the girl likes at the market" for noun in ("flower", "flowers"))
KEPT = ("E", "W", "b", "W_y", "b_y")  # parameters


@dataclass(frozen=True)
class AgreementSettings:
    """Settings of the study "agreement".

    Attributes:
        seeds: One net of each kind per seed.
        H: Size of the state.
        D: Size of a word vector.
        B: Sentences in a step.
        learning_rate: Of Adam.
        threshold: θ of the clipping.
        at: Steps after which the nets are tried; the last ends the training.
        attractors: How many nouns stand between subject and verb in a trial.
        sentences: How many sentences a trial has.
    """

    seeds: tuple[int, ...] = (0, 1, 2, 3, 4)
    H: int = 16
    D: int = 8
    B: int = 64
    learning_rate: float = 0.01
    threshold: float = 1.0
    at: tuple[int, ...] = (50, 100, 150, 200, 300, 400, 600)
    attractors: tuple[int, ...] = (1, 2, 3, 4)
    sentences: int = 300


@dataclass(frozen=True, eq=False)
class AgreementRecord:
    """How often the verb has the right number, on the way.

    Attributes:
        cell: Kinds of net, (C,).
        step: Steps of training done, (S,).
        attractors: Nouns between subject and verb, (A,).
        other: Accuracy if all of them have the other number, 0 to 1, (C, seeds, S, A).
        same: Accuracy if all have the subject's number, (C, seeds, S, A).
    """

    cell: tuple[str, ...]
    step: Array
    attractors: Array
    other: Array
    same: Array


def _learn(settings: AgreementSettings, cell: str, seed: int) -> Parameters:
    rng = rng_of(seed)
    model = _model(rng, cell, settings.H, settings.D)
    trials = {
        same: [
            grammar.sentences(rng, settings.sentences, attractors=n, same=same == "same")
            for n in settings.attractors
        ]
        for same in ("other", "same")
    }
    found: dict[str, list[list[float]]] = {"other": [], "same": []}

    def look(step: Step) -> None:
        if step.number in settings.at:
            for same, tried in trials.items():
                found[same].append([grammar.verb_accuracy(model, s) for s in tried])

    draw = partial(_batch, rng, settings.B)
    optimiser = Adam(settings.learning_rate)
    train(model, draw, optimiser, max(settings.at), threshold=settings.threshold, callback=look)
    return {same: np.array(rows) for same, rows in found.items()}


def _agreement_pieces(settings: AgreementSettings) -> Pieces:
    return {
        f"{cell} {seed}": partial(_learn, settings, cell, seed)
        for seed, cell in product(settings.seeds, CELLS)
    }


def _agreement(settings: AgreementSettings, results: Results) -> AgreementRecord:
    other, same = (
        np.array([[results[f"{c} {s}"][kind] for s in settings.seeds] for c in CELLS])
        for kind in ("other", "same")
    )
    at = np.array(sorted(settings.at), dtype=float)
    return AgreementRecord(CELLS, at, np.array(settings.attractors, dtype=float), other, same)


def _agreement_conclusions(record: AgreementRecord) -> list[Conclusion]:
    rnn = record.cell.index("rnn")
    early = int(np.argmin(np.abs(record.step - 150)))
    far = record.attractors >= 2
    same, other = record.same[rnn, :, early].mean(), record.other[rnn, :, early][:, far].mean()
    last = record.other[:, :, -1][..., record.attractors <= 3].mean(axis=(1, 2))  # as in training
    return [
        Conclusion(
            "In the end both nets find the verb across one to three attractors of the other number "
            "(0.95 or better on average).",
            bool((last >= 0.95).all()),
            "; ".join(f"{c} {a:.2f}" for c, a in zip(record.cell, last, strict=True)),
        ),
        Conclusion(
            "After 150 steps the RNN is right if the attractors have the subject's number (0.9 or "
            "better).",
            bool(same >= 0.9),
            f"{same:.2f}",
        ),
        Conclusion(
            "After 150 steps it follows two and more attractors of the other number (right in 0.3 "
            "or less).",
            bool(other <= 0.3),
            f"{other:.2f}",
        ),
    ]


AGREEMENT = Study(
    name="agreement",
    question="On the way to the right verb, which nouns lead a net astray?",
    settings=AgreementSettings(),
    record=AgreementRecord,
    pieces=_agreement_pieces,
    assemble=_agreement,
    conclusions=_agreement_conclusions,
)


@dataclass(frozen=True)
class NumberUnitSettings:
    """Settings of the study "number-unit".

    Attributes:
        seeds: One LSTM per seed.
        rnn_seeds: One RNN per seed, for comparison.
        H: Size of the state.
        D: Size of a word vector.
        B: Sentences in a step.
        learning_rate: Of Adam.
        threshold: θ of the clipping.
        steps: Of training.
        attractors: Of the other number, between subject and verb, when units are silenced.
        sentences: How many sentences a trial has.
    """

    seeds: tuple[int, ...] = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
    rnn_seeds: tuple[int, ...] = (0, 1, 2, 3, 4)
    H: int = 32
    D: int = 8
    B: int = 64
    learning_rate: float = 0.01
    threshold: float = 1.0
    steps: int = 700
    attractors: int = 3
    sentences: int = 300


@dataclass(frozen=True, eq=False)
class NumberUnitRecord:
    """What it costs to silence a unit, and what the most costly one does.

    The "number unit" of a net is the one that costs most.

    Attributes:
        accuracy: Of the whole LSTMs across attractors of the other number, 0 to 1, (seeds,).
        drop: What silencing each unit costs there, (seeds, H).
        rnn_accuracy: Of the whole RNNs, (rnn_seeds,).
        rnn_drop: What silencing each of their units costs, (rnn_seeds, H).
        plain: Accuracy without the number unit on sentences without attractors, (seeds,).
        words: Read to look at the unit: "the flowers that the girl likes at the market".
        f: The unit's forget gate at the seven words after "flowers", (seeds, 7).
        i: Its input gate there, (seeds, 7).
        c_singular: Its belt after each word if the subject is "flower", (seeds, 9).
        c_plural: Its belt after each word if the subject is "flowers", (seeds, 9).
        kept: The seed of the LSTM whose parameters follow: its number unit costs most.
        E: Word vectors of `grammar.WORDS`, (31, D), float32 like the next four.
        W: (4H, H+D), rows f, i, o, c, columns h, x.
        b: (4H,).
        W_y: (31, H).
        b_y: (31,).
    """

    accuracy: Array
    drop: Array
    rnn_accuracy: Array
    rnn_drop: Array
    plain: Array
    words: tuple[str, ...]
    f: Array
    i: Array
    c_singular: Array
    c_plural: Array
    kept: int
    E: Array = field(metadata={"digits": "float32"})
    W: Array = field(metadata={"digits": "float32"})
    b: Array = field(metadata={"digits": "float32"})
    W_y: Array = field(metadata={"digits": "float32"})
    b_y: Array = field(metadata={"digits": "float32"})

    @property
    def model(self) -> Model:
        """The LSTM that was kept."""
        return Model({name: np.array(getattr(self, name)) for name in KEPT}, "lstm")

    @property
    def unit(self) -> int:
        """Its number unit."""
        return int(np.unravel_index(self.drop.argmax(), self.drop.shape)[1])


def _silence(settings: NumberUnitSettings, cell: str, seed: int) -> Parameters:
    rng = rng_of(seed)
    model = _model(rng, cell, settings.H, settings.D)
    train(
        model,
        partial(_batch, rng, settings.B),
        Adam(settings.learning_rate),
        settings.steps,
        threshold=settings.threshold,
    )
    for p in model.parameters.values():  # what is kept is what is tried
        p[...] = p.astype(np.float32)
    hard = grammar.sentences(rng, settings.sentences, attractors=settings.attractors, same=False)
    accuracy = grammar.verb_accuracy(model, hard)
    silenced = [grammar.verb_accuracy(model.without(u), hard) for u in range(settings.H)]
    found = {"accuracy": np.array(accuracy), "drop": accuracy - np.array(silenced)}
    if cell == "rnn":
        return found
    unit = int(found["drop"].argmax())
    easy = grammar.sentences(rng, settings.sentences, attractors=0)
    found["plain"] = np.array(grammar.verb_accuracy(model.without(unit), easy))
    run = units.follow(model, unit, FOLLOWED)
    found["c_singular"], found["c_plural"] = run.c.T
    return found | {"f": run.f[2:, 1], "i": run.i[2:, 1]} | model.parameters


def _number_unit_pieces(settings: NumberUnitSettings) -> Pieces:
    lstms = {f"lstm {s}": partial(_silence, settings, "lstm", s) for s in settings.seeds}
    return lstms | {f"rnn {s}": partial(_silence, settings, "rnn", s) for s in settings.rnn_seeds}


def _number_unit(settings: NumberUnitSettings, results: Results) -> NumberUnitRecord:
    lstms = [results[f"lstm {s}"] for s in settings.seeds]
    rnns = [results[f"rnn {s}"] for s in settings.rnn_seeds]
    names = ("accuracy", "drop", "plain", "f", "i", "c_singular", "c_plural")
    best = int(np.argmax([piece["drop"].max() for piece in lstms]))
    return NumberUnitRecord(
        rnn_accuracy=np.array([piece["accuracy"] for piece in rnns]),
        rnn_drop=np.array([piece["drop"] for piece in rnns]),
        words=tuple(FOLLOWED[1].split()),
        kept=settings.seeds[best],
        **{name: np.array([piece[name] for piece in lstms]) for name in names},
        **{name: lstms[best][name] for name in KEPT},
    )


def _number_unit_conclusions(record: NumberUnitRecord) -> list[Conclusion]:
    top, many = record.drop.max(axis=1), (record.drop >= 0.1).sum(axis=1)
    opposite = record.c_singular[:, -1] * record.c_plural[:, -1] < 0
    f = record.f.mean(axis=1)
    return [
        Conclusion(
            "Both nets find the verb across attractors of the other number (0.95 or better on "
            "average).",
            bool(record.accuracy.mean() >= 0.95 and record.rnn_accuracy.mean() >= 0.95),
            f"lstm {record.accuracy.mean():.2f}; rnn {record.rnn_accuracy.mean():.2f}",
        ),
        Conclusion(
            "In most LSTMs one unit alone costs 0.4 or more when it is silenced (7 in 10).",
            bool(np.mean(top >= 0.4) >= 0.7),
            f"{count(top >= 0.4)}: {listed(top)}",
        ),
        Conclusion(
            "In most LSTMs no more than 5 units cost 0.1 or more (8 in 10).",
            bool(np.mean(many <= 5) >= 0.8),
            f"{count(many <= 5)}: {listed(many, 0)}",
        ),
        Conclusion(
            "Without that unit, sentences without attractors keep their verb (0.95 or better in 8 "
            "of 10).",
            bool(np.mean(record.plain >= 0.95) >= 0.8),
            listed(record.plain),
        ),
        Conclusion(
            "At the end of the sentence its belt has opposite signs for singular and plural (8 in "
            "10).",
            bool(np.mean(opposite) >= 0.8),
            count(opposite),
        ),
        Conclusion(
            "Its forget gate is open on the way (0.8 or more on average, in 8 of 10).",
            bool(np.mean(f >= 0.8) >= 0.8),
            f"{count(f >= 0.8)}: {listed(f)}",
        ),
    ]


NUMBER_UNIT = Study(
    name="number-unit",
    question="Does one unit of a trained LSTM keep the number of the subject?",
    settings=NumberUnitSettings(),
    record=NumberUnitRecord,
    pieces=_number_unit_pieces,
    assemble=_number_unit,
    conclusions=_number_unit_conclusions,
)


def _model(rng: np.random.Generator, cell: str, H: int, D: int) -> Model:
    V = len(grammar.WORDS)
    return Model.random(rng, cell, H=H, D=D, K=V, V=V)


def _batch(rng: np.random.Generator, B: int) -> Batch:
    return grammar.next_word(grammar.sentences(rng, B))
