"""Writes down what the scenes of the pages compute with, as docs/scenes/data.json.

`make scenes` does it. A scene takes nets, words and sentences from that file, so that it computes
with the numbers of this package.
"""

import json
import sys
from pathlib import Path
from typing import Any

from lesson20 import agreement, blame, experiments, words


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


def text() -> str:
    """Return the file's text: one line for each entry, for a diff to be read."""
    entries = [
        f"{json.dumps(name)}: {json.dumps(entry, separators=(',', ':'))}"
        for name, entry in data().items()
    ]
    return "{\n" + ",\n".join(entries) + "\n}\n"


def main(file: Path) -> None:
    """Write the file."""
    file.write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
