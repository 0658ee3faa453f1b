"""Writes down what the scenes of the pages compute with: docs/scenes/data.json and trained.json.

`make scenes` does it. A scene takes nets, words and sentences from there, so that it computes with
the numbers of this package.
"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from lesson20 import agreement, blame, experiments, grammar, records, words
from lesson20.checks import Array


def data() -> dict[str, Any]:
    """Return all of it as plain lists and numbers."""
    grid = experiments.influence_map()
    return {
        "D": words.D,
        "words": {word: vector.tolist() for word, vector in words.vectors().items()},
        "orders": [[" ".join(order) for order in pair] for pair in words.ORDERS],
        "sentences": [" ".join(sentence) for sentence in words.SENTENCES],
        "nets": [_net(seed) for seed in words.SEEDS],
        "agreement": {
            "sentence": list(agreement.SENTENCE),
            "cues": list(agreement.CUES),
            "subject": agreement.SUBJECT,
        },
        "map": {
            "g": [grid.g[0], grid.g[-1]],
            "steps": [grid.steps[0], grid.steps[-1]],
            "g_c": blame.influence_threshold(),
        },
    }


def _net(seed: int) -> dict[str, Any]:
    W_x, W_h, sigma_1 = words.weights(seed)
    return {"W_x": W_x.tolist(), "W_h": W_h.tolist(), "sigma_1": sigma_1}


def trained() -> dict[str, Any]:
    """Return the trained LSTM of the lab, and what sentences are put together from."""
    record = records.stored("number-unit").record
    nouns = [noun for pair in grammar.NOUNS for noun in pair]
    return {
        "words": list(grammar.WORDS),
        "nouns": nouns,
        "plural": [noun in dict(grammar.NOUNS).values() for noun in nouns],
        "modifiers": _modifiers(),
        "verbs": [list(forms) for forms in zip(*grammar.VERBS, strict=True)],
        "unit": record.unit,
        "weights": {name: _float32(array) for name, array in record.model.parameters.items()},
    }


def _modifiers() -> list[str]:
    prepositions = [
        f"{preposition} the {noun}"
        for preposition in grammar.PREPOSITIONS
        for pair in grammar.NOUNS
        for noun in pair
    ]
    clauses = [
        f"that the {pair[number]} {verb[number]}"
        for verb in grammar.INNER_VERBS
        for pair in grammar.NOUNS
        for number in (0, 1)
    ]
    return [*prepositions, *clauses, *grammar.ADVERBS]


def _float32(array: Array) -> Any:
    """Lists of the shortest decimals from which the same float32 numbers are read again."""
    if array.ndim:
        return [_float32(row) for row in array]
    return float(str(np.float32(array)))


def text(tree: dict[str, Any]) -> str:
    """Return a file's text: one line for each entry, for a diff to be read."""
    entries = [
        f"{json.dumps(name)}: {json.dumps(entry, separators=(',', ':'))}"
        for name, entry in tree.items()
    ]
    return "{\n" + ",\n".join(entries) + "\n}\n"


def main(folder: Path) -> None:
    """Write both files."""
    for name, tree in (("data", data()), ("trained", trained())):
        (folder / f"{name}.json").write_text(text(tree), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
