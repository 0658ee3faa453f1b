"""What a study is: settings, independent pieces, a record, and what follows from it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lesson20.checks import Array, instance
from lesson20.training import Adam, Batch, Model, Parameters, Step, train

type Pieces = Mapping[str, Callable[[], Parameters]]
type Results = Mapping[str, Parameters]


class Conclusion(NamedTuple):
    """One thing that a record shows, or does not.

    Attributes:
        sentence: What is claimed.
        holds: Whether the record bears it out.
        measured: What was measured, to be read beside the sentence.
    """

    sentence: str
    holds: bool
    measured: str


@dataclass(frozen=True)
class Study:
    """A long experiment.

    Attributes:
        name: Also that of its file.
        question: What it asks.
        settings: The usual ones, a frozen dataclass of numbers and tuples.
        record: The class of its record, a frozen dataclass of arrays and tuples of words.
        pieces: Settings in, the pieces by name out; each gives arrays by name.
        assemble: Settings and the results of all pieces in, the record out.
        conclusions: The record in, what follows out.
    """

    name: str
    question: str
    settings: Any
    record: type
    pieces: Callable[[Any], Pieces]
    assemble: Callable[[Any, Results], Any]
    conclusions: Callable[[Any], list[Conclusion]]

    def run(self, settings: Any = None, progress: Callable[[int, int], None] | None = None) -> Any:
        """Run all pieces and put them together.

        Args:
            settings: The usual ones if not given.
            progress: Is given the number of pieces done and of all.
        """
        settings = self.settings if settings is None else settings
        instance("settings", settings, type(self.settings))
        pieces, results = self.pieces(settings), {}
        for n, (name, piece) in enumerate(pieces.items(), start=1):
            results[name] = piece()
            if progress is not None:
                progress(n, len(pieces))
        return self.assemble(settings, results)


def named_model(
    rng: np.random.Generator,
    net: str,
    *,
    H: int,
    D: int,
    K: int,
    scale: float | None = None,
    loss: str = "cross-entropy",
) -> Model:
    """A net by its name, such as "rnn" or "lstm 5"; scale is for the LSTM alone."""
    cell, _, bias = net.partition(" ")
    if not bias:
        return Model.random(rng, cell, H=H, D=D, K=K, loss=loss)
    b_f = float(bias)
    return Model.random(rng, cell, H=H, D=D, K=K, forget_bias=b_f, scale=scale, loss=loss)


def train_until(
    model: Model,
    draw: Callable[..., Batch],
    *,
    B: int,
    learning_rate: float,
    steps: int,
    threshold: float,
    score: Callable[[Model, Batch], float],
    solved: Callable[[float], bool],
) -> tuple[float, int]:
    """Train until a trial is solved; return its last score and the steps that were made."""
    trial = draw(B=300)
    scores = [score(model, trial)]

    def look(step: Step) -> bool:
        if step.number % 25 and step.number != steps:
            return False
        scores.append(score(model, trial))
        return solved(scores[-1])

    losses = train(
        model,
        lambda: draw(B=B),
        Adam(learning_rate),
        steps,
        threshold=threshold,
        callback=look,
    )
    return scores[-1], len(losses)


def geometric_mean(a: Array, axis: int | tuple[int, ...]) -> Array:
    """The geometric mean of gains along an axis; 0 if one of them is 0."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.exp(np.log(a).mean(axis=axis)))


def count(flags: NDArray[np.bool_]) -> str:
    """How many of all, as "4/5"."""
    return f"{int(np.sum(flags))}/{np.size(flags)}"


def listed(a: ArrayLike, digits: int = 2) -> str:
    """A few numbers in a row."""
    return ", ".join(f"{x:.{digits}f}" for x in np.ravel(a))
