"""Records of the studies on disk: one JSON file each, small, readable in a diff, strictly read.

A file holds the study's name, its settings (seeds among them), the versions it was made with, how
many seconds that took, and the arrays of the record. Numbers have four significant digits, unless
their field says that they are float32: those come back as the very float32 numbers.

What is wrong with a file is told by a ValueError that names the file.
"""

import dataclasses
import json
import math
import os
import platform
import types
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_origin, get_type_hints

import numpy as np

import lesson20
from lesson20 import studies
from lesson20.checks import Array, choice, instance
from lesson20.studies import STUDIES, Study

FOLDER = Path(studies.__file__).with_name("records")  # in the package: a lab runs anywhere
DIGITS = 4
LARGEST = 100_000  # bytes of a file


@dataclass(frozen=True, eq=False)
class Stored:
    """A record and where it comes from.

    Attributes:
        study: The study.
        settings: Its settings, of the class of `Study.settings`.
        record: Its record, of the class `Study.record`.
        seconds: How long it took to make.
        versions: Of python, numpy and lesson20.
    """

    study: Study
    settings: Any
    record: Any
    seconds: float
    versions: dict[str, str]


def versions() -> dict[str, str]:
    """Return the versions at work now."""
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "lesson20": lesson20.__version__,
    }


def save(folder: Path, study: Study, settings: Any, record: Any, seconds: float) -> Path:
    """Write a record; whatever happens, the file is either the old one or the new.

    Args:
        folder: Where the file goes, under the name of the study.
        study: The study.
        settings: Those it was run with.
        record: What came out.
        seconds: How long it took.

    Returns:
        The path of the file.
    """
    instance("record", record, study.record)
    tree = {
        "study": study.name,
        "settings": dataclasses.asdict(instance("settings", settings, type(study.settings))),
        "versions": versions(),
        "seconds": round(float(seconds), 1),
        "record": {
            f.name: _plain(getattr(record, f.name), f.metadata.get("digits", DIGITS))
            for f in dataclasses.fields(record)
        },
    }
    text = _text(tree) + "\n"
    if len(text.encode()) > LARGEST:
        raise ValueError(f"record: expected at most {LARGEST} bytes, got {len(text.encode())}")
    path = folder / f"{study.name}.json"
    write(path, text)
    return path


def stored(name: str) -> Stored:
    """Return the record of a study that comes with the lesson.

    Args:
        name: Of the study.
    """
    return load(FOLDER / f"{choice('name', name, tuple(STUDIES))}.json")


def load(path: Path) -> Stored:
    """Read a record, and check that it is one.

    Raises:
        ValueError: If the file is not JSON, of no known study, or lacks something, holds too much,
            or something of the wrong kind.
    """
    try:
        tree = json.loads(path.read_text(encoding="utf-8"), parse_constant=_refuse)
    except ValueError as error:
        raise ValueError(f"{path}: expected JSON, got {error}") from None
    try:
        _names("the file", tree, {"study", "settings", "versions", "seconds", "record"})
        if tree["study"] not in STUDIES or tree["study"] != path.stem:
            raise ValueError(f"study: expected {path.stem!r}, got {tree['study']!r}")
        study = STUDIES[tree["study"]]
        _names("versions", tree["versions"], set(versions()))
        for name, version in tree["versions"].items():
            _text_only(f"versions: {name}", version)
        return Stored(
            study,
            _object("settings", tree["settings"], type(study.settings)),
            _object("record", tree["record"], study.record),
            _number("seconds", tree["seconds"]),
            tree["versions"],
        )
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def write(path: Path, text: str) -> None:
    """Write a text aside and move it into place, so that no half file is ever seen."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    aside.write_text(text, encoding="utf-8")
    aside.replace(path)


def _plain(value: Any, digits: int | str) -> Any:
    """A field as JSON has it."""
    if isinstance(value, np.ndarray | tuple | list):
        return [_plain(item, digits) for item in value]
    if isinstance(value, str):
        return value
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"record: expected finite numbers, got {number}")
    short = float(str(np.float32(number))) if digits == "float32" else float(f"{number:.{digits}g}")
    return int(short) if short == int(short) and abs(short) < 1e15 else short


def _text(tree: Any, indent: str = "") -> str:
    """JSON with one row of numbers in a line."""
    deeper = indent + "  "
    if isinstance(tree, dict):
        lines = [f"{deeper}{json.dumps(k)}: {_text(v, deeper)}" for k, v in tree.items()]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    if isinstance(tree, list) and any(isinstance(item, list) for item in tree):
        return "[\n" + ",\n".join(f"{deeper}{_text(x, deeper)}" for x in tree) + f"\n{indent}]"
    return json.dumps(tree, ensure_ascii=False, separators=(",", ": "))


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant}, which is no number of JSON")


def _names(what: str, tree: Any, wanted: set[str]) -> None:
    if not isinstance(tree, dict):
        raise ValueError(f"{what}: expected an object, got {type(tree).__name__}")
    if tree.keys() != wanted:
        missing, unknown = sorted(wanted - tree.keys()), sorted(tree.keys() - wanted)
        told = [f"lacks {', '.join(missing)}"] * bool(missing)
        told += [f"does not know {', '.join(unknown)}"] * bool(unknown)
        raise ValueError(f"{what}: {' and '.join(told)}")


def _object(what: str, tree: Any, kind: type) -> Any:
    """A dataclass from its fields, each checked against its annotation."""
    hints = get_type_hints(kind)
    _names(what, tree, set(hints))
    found = {name: _field(f"{what}: {name}", tree[name], hints[name]) for name in hints}
    for f in dataclasses.fields(kind):
        if f.metadata.get("digits") == "float32":  # its shortest decimal is not quite the number
            found[f.name] = found[f.name].astype(np.float32).astype(np.float64)
    return kind(**found)


def _field(what: str, value: Any, hint: Any) -> Any:
    if hint is Array:
        return _array(what, value)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _object(what, value, hint)
    if get_origin(hint) is tuple:
        return _tuple(what, value, hint)
    if hint is str:
        return _text_only(what, value)
    number = _number(what, value)
    if hint is int and number != int(number):
        raise ValueError(f"{what}: expected an integer, got {number}")
    return int(number) if hint is int else number


def _tuple(what: str, value: Any, hint: types.GenericAlias) -> tuple[Any, ...]:
    kinds = hint.__args__
    if not isinstance(value, list):
        raise ValueError(f"{what}: expected a list, got {type(value).__name__}")
    if kinds[-1] is Ellipsis:
        kinds = kinds[:1] * len(value)
    if len(kinds) != len(value):
        raise ValueError(f"{what}: expected {len(kinds)} items, got {len(value)}")
    return tuple(_field(what, item, kind) for item, kind in zip(value, kinds, strict=True))


def _array(what: str, value: Any) -> Array:
    if not isinstance(value, list):
        raise ValueError(f"{what}: expected a list, got {type(value).__name__}")
    for item in _leaves(value):
        _number(what, item)
    try:
        return np.array(value, dtype=np.float64)
    except ValueError:
        raise ValueError(f"{what}: expected rows of the same length") from None


def _leaves(value: Any) -> Any:
    for item in value:
        if isinstance(item, list):
            yield from _leaves(item)
        else:
            yield item


def _number(what: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{what}: expected a number, got {value!r}")
    return float(value)


def _text_only(what: str, value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{what}: expected a text, got {value!r}")
    return value
