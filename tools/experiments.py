"""Runs the long experiments of the labs and writes their records into the package.

    python tools/experiments.py                 all of them, ten to twenty minutes
    python tools/experiments.py clipping        one
    python tools/experiments.py --check         runs all anew, elsewhere, and compares conclusions

It can be interrupted at any time. Each finished piece, one net and one seed, lies under
build/experiments/ and is not made again, unless the settings, the code or numpy have changed since.
A record is replaced in one go, and only when it is complete.

`--check` fails if a conclusion of a record in the lesson does not hold, or does not hold when
everything is made anew. Numbers may differ: training is chaotic, and another machine rounds
otherwise.
"""

import argparse
import dataclasses
import hashlib
import importlib
import inspect
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from lesson20 import blame, checks, grammar, lstm, records, rnn, tasks, training, units
from lesson20.records import Stored
from lesson20.studies import STUDIES, Study
from lesson20.studies import study as studies_study

ROOT = Path(__file__).parents[1]
PIECES = ROOT / "build" / "experiments"
USED = (checks, rnn, blame, lstm, training, grammar, tasks, units, studies_study)  # by every study


def main() -> None:
    """Run what is asked for, or check it."""
    parser = argparse.ArgumentParser(description="The long experiments of the labs.")
    parser.add_argument("name", nargs="?", default="all", choices=["all", *STUDIES])
    parser.add_argument("--check", action="store_true", help="compare conclusions, write nothing")
    parser.add_argument("--records", type=Path, default=records.FOLDER, help="of the records")
    parser.add_argument("--pieces", type=Path, default=PIECES, help="of finished pieces")
    asked = parser.parse_args()
    studies = list(STUDIES.values()) if asked.name == "all" else [STUDIES[asked.name]]
    try:
        if asked.check:
            check(studies, asked.records)
        else:
            for study in studies:
                show(records.load(make(study, asked.records, asked.pieces)))
    except KeyboardInterrupt:
        sys.exit("\ninterrupted; what is finished is kept, and the same command goes on from there")


def make(study: Study, folder: Path, pieces: Path, settings: Any = None) -> Path:
    """Run the pieces that are not there yet, and write the record.

    Args:
        study: The study.
        folder: Where its record goes.
        pieces: Where its finished pieces are kept.
        settings: The usual ones if not given.

    Returns:
        The path of the record.
    """
    settings = study.settings if settings is None else settings
    mark = fingerprint(study, settings)
    todo, results, seconds = study.pieces(settings), {}, []
    for n, (name, piece) in enumerate(todo.items(), start=1):
        path = pieces / study.name / f"{name.replace(' ', '-')}.json"
        found = finished(path, mark)
        if found is None:
            left = f", about {np.mean(seconds) * (len(todo) - n + 1):.0f} s left" if seconds else ""
            print(f"{study.name} {n}/{len(todo)}: {name}{left}", flush=True)
            found = run(piece)
            records.write(path, json.dumps({"mark": mark, **found}))
        seconds.append(found["seconds"])
        results[name] = {key: np.array(value) for key, value in found["arrays"].items()}
    return records.save(folder, study, settings, study.assemble(settings, results), sum(seconds))


def run(piece: Callable[[], training.Parameters]) -> dict[str, Any]:
    """Run a piece and take its time."""
    started = time.perf_counter()
    arrays = {name: np.asarray(array).tolist() for name, array in piece().items()}
    return {"seconds": time.perf_counter() - started, "arrays": arrays}


def finished(path: Path, mark: str) -> dict[str, Any] | None:
    """A piece that was finished with the same settings and code, or None."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if found.get("mark") == mark else None


def fingerprint(study: Study, settings: Any) -> str:
    """What changes when the settings, the code that computes, or numpy change.

    The conclusions are drawn afterwards: another wording needs no new run.
    """
    parts = [np.__version__, json.dumps(dataclasses.asdict(settings))]
    for module in (*USED, importlib.import_module(study.pieces.__module__)):
        parts.append(Path(str(module.__file__)).read_text(encoding="utf-8"))
    parts[-1] = parts[-1].replace(inspect.getsource(study.conclusions), "")
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def show(stored: Stored) -> bool:
    """Print the conclusions of a record; tell whether all hold."""
    conclusions = stored.study.conclusions(stored.record)
    print(f"{stored.study.name} ({stored.seconds:.0f} s): {stored.study.question}")
    for sentence, holds, measured in conclusions:
        print(f"  {'holds' if holds else 'FAILS'}: {sentence} [{measured}]")
    return all(conclusion.holds for conclusion in conclusions)


def check(studies: list[Study], folder: Path) -> None:
    """Compare the conclusions of the lesson's records with those of a new run."""
    wrong = []
    with tempfile.TemporaryDirectory() as scratch:
        for study in studies:
            print("in the lesson:")
            there = show(records.load(folder / f"{study.name}.json"))
            new = records.load(make(study, Path(scratch), Path(scratch) / "pieces"))
            print("made anew:")
            if not (show(new) and there):
                wrong.append(study.name)
    if wrong:
        sys.exit(f"conclusions that do not hold: {', '.join(wrong)}")


if __name__ == "__main__":
    main()
