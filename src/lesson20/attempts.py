"""Calls a reader's attempt at an exercise and says in words how it differs from what is right.

`exercises` knows what is right and which slips are common; this compares. An attempt gets copies of
the arguments. Its answer may be anything at all, and it may raise.
"""

import copy
import inspect
import linecache
import math
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from lesson20.checks import ANY_SIZE, Array, floats, shown
from lesson20.lstm import LSTM
from lesson20.rnn import RNN

type Attempt = Callable[..., Any]
type Answer = Any  # an array, a number, or a tuple of arrays
type Arguments = Mapping[str, Any]
type Slips = Mapping[str, Attempt | tuple[Attempt, ...]]


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """What a checker found. It shows itself as its message, and is true if the attempt is right.

    Attributes:
        right: Whether the attempt is right.
        message: One line that says so; or what is wrong, and the call that shows it.
        arguments: The arguments of that call, by name; empty if the attempt is right.
        expected: What the call should have returned, or None.
        got: What it returned, or None.
    """

    right: bool
    message: str
    arguments: Arguments = field(default_factory=dict)
    expected: Answer = None
    got: Answer = None

    def __bool__(self) -> bool:
        return self.right

    def __repr__(self) -> str:
        return self.message


class Try(NamedTuple):
    """Arguments to call an attempt with, and what a message calls them."""

    label: str
    arguments: Arguments


class Raised(NamedTuple):
    """In place of an answer: that the call raised, and what."""

    what: str


class Task(NamedTuple):
    """What an attempt is to do.

    Attributes:
        call: How it is called, such as "step(net, x, h)".
        tries: What it is called with, the smallest first.
        right: Gives the right answer for the same arguments.
        parts: What the answer consists of, each with the names of its axes, such as {"h": "H"}.
        slips: What is wrong in words, with functions that are wrong in just that way.
    """

    call: str
    tries: Iterable[Try]
    right: Attempt
    parts: Mapping[str, str]
    slips: Slips


def check(attempt: Attempt, task: Task) -> Report:
    """Compare an attempt with what is right, and then with the slips.

    Raises:
        TypeError: If the attempt is nothing that can be called.
    """
    name, bracket, rest = task.call.partition("(")
    call = name_of(attempt, name) + bracket + rest
    labels, arguments = zip(*task.tries, strict=True)
    outcomes = []
    for label, given in zip(labels, arguments, strict=True):
        passed = _copied(given)
        outcomes.append(outcome(attempt, passed))
        for argument, before, after in zip(given, given.values(), passed, strict=True):
            if not _same(after, before):
                why = f"{call} changes its argument {argument} in place, which spoils it for the "
                why += "caller. `a = a + …` makes a new array, `a += …` does not."
                return Report(False, f"Not yet: {why}\nTried with {label}.", given)

    expected = [task.right(*given.values()) for given in arguments]
    wrong = [n for n, got in enumerate(outcomes) if not _same(got, expected[n])]
    if not wrong:
        again = outcome(attempt, _copied(arguments[0]))
        if _same(again, expected[0]):
            many = f"{len(outcomes)} tries"
            return Report(True, f"Right: {call} agrees with the lesson in all {many}.")
        why = f"called again with the same arguments, {call} returns something else. It keeps "
        why += f"something between two calls.\nTried with {labels[0]}."
        return Report(False, f"Not yet: {why}", arguments[0], expected[0], again)

    slip = _slip(outcomes, arguments, task.slips)
    # A slip is best shown where the attempt did not raise.
    shows = next((n for n in wrong if slip and not isinstance(outcomes[n], Raised)), wrong[0])
    got, wanted = outcomes[shows], expected[shows]
    trouble = _trouble(call, got, wanted, task.parts)
    if slip and trouble:
        message = f"{slip}\n{call} with {labels[shows]} {_told(got)}."
    elif trouble:
        message = f"{trouble}\nTried with {labels[shows]}."
    else:
        before = "; ".join(labels[: wrong[0]])
        why = slip or _pattern(outcomes, expected)
        why = why or (before and f"it is right with {before}, and then goes wrong.")
        why = why or "the numbers are others, by no slip that this checker knows."
        message = f"{why}\n{call} with {labels[shows]}: {_difference(got, wanted, task.parts)}."
    returned = None if isinstance(got, Raised) else got
    return Report(False, f"Not yet: {message}", arguments[shows], wanted, returned)


def name_of(attempt: Attempt, otherwise: str) -> str:
    """Return the name of a function for messages; of a nameless one the one given.

    Raises:
        TypeError: If it is nothing that can be called.
    """
    if not callable(attempt):
        wanted = "a function, by its name and without brackets"
        raise TypeError(f"{otherwise}: expected {wanted}, got {shown(attempt)}")
    name = getattr(attempt, "__name__", "")
    return name if isinstance(name, str) and name.isidentifier() else otherwise


def outcome(attempt: Attempt, arguments: list[Any]) -> Answer:
    """Return what a function returns, or that it raised, and where."""
    try:
        signature = inspect.signature(attempt)
    except (TypeError, ValueError):
        pass  # a function in C need not have one
    else:
        try:
            signature.bind(*arguments)
        except TypeError:
            count = "1 argument" if len(arguments) == 1 else f"{len(arguments)} arguments"
            return Raised(f"is to be called with {count}, and yours takes {signature}")
    try:
        with np.errstate(all="ignore"):  # what is not finite will be said in words
            return attempt(*arguments)
    except Exception as error:
        return Raised(f"raises {type(error).__name__}: {error}{_where(attempt, error)}")


def _where(attempt: Attempt, error: Exception) -> str:
    """The line of the attempt that raised, if Python has kept it."""
    code = getattr(attempt, "__code__", None)
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if code and frame.filename == code.co_filename]
    if not own or not own[-1].lineno:
        return ""
    text = linecache.getline(own[-1].filename, own[-1].lineno).strip()
    return f", in line {own[-1].lineno}" + (f": {text}" if text else "")


def _copied(arguments: Arguments) -> list[Any]:
    """The values, copied; a net is read-only as it is."""
    return [v if isinstance(v, RNN | LSTM) else copy.deepcopy(v) for v in arguments.values()]


def _same(got: Answer, wanted: Answer) -> bool:
    """Whether two answers are the same to five digits; NaN is like NaN, and raised like raised."""
    if isinstance(got, Raised) or isinstance(wanted, Raised):
        return isinstance(got, Raised) and isinstance(wanted, Raised)
    if isinstance(wanted, RNN | LSTM):
        return got is wanted
    if isinstance(wanted, tuple | list):
        alike = isinstance(got, tuple | list) and len(got) == len(wanted)
        return alike and all(map(_same, got, wanted))
    a, b = _numbers(got), np.asarray(wanted, np.float64)
    close = {"rtol": 1e-5, "atol": 1e-8}
    return a is not None and a.shape == b.shape and np.allclose(a, b, equal_nan=True, **close)


def _numbers(got: Answer) -> Array | None:
    """An answer as one array, NaN and infinity let in; None if it is none."""
    try:
        array = np.asarray(got)
    except (ValueError, TypeError):
        return None
    return array.astype(np.float64) if array.dtype.kind in "iuf" else None


def _slip(outcomes: list[Answer], arguments: Iterable[Arguments], slips: Slips) -> str:
    """The slip that gives what the attempt gave, every time; empty if there is none."""
    if all(isinstance(got, Raised) for got in outcomes):
        return ""
    for message, functions in slips.items():
        for wrong in functions if isinstance(functions, tuple) else (functions,):
            answers = (outcome(wrong, _copied(given)) for given in arguments)
            if all(map(_same, outcomes, answers)):
                return message
    return ""


def _trouble(call: str, got: Answer, wanted: Answer, parts: Mapping[str, str]) -> str:
    """What is wrong with an answer before one looks at its numbers; empty if nothing is."""
    if isinstance(got, Raised):
        return f"{call} {got.what}."
    if got is None:
        return f"{call} returns None. Does it end with `return`?"
    several = isinstance(wanted, tuple)
    if several and (not isinstance(got, tuple | list) or len(got) != len(wanted)):
        return f"{call} should return {len(wanted)} arrays, {', '.join(parts)}. It {_told(got)}."
    values, answers = (got, wanted) if several else ([got], [wanted])
    for (part, axes), value, answer in zip(parts.items(), values, answers, strict=True):
        lengths = map(str, np.shape(answer))
        pattern = map("=".join, zip(axes.split(", "), lengths, strict=True)) if axes else lengths
        try:
            floats(part, value, ", ".join(pattern), largest=ANY_SIZE)
        except (TypeError, ValueError) as error:
            return f"{call} returns no such {error}."
    return ""


def _pattern(outcomes: list[Answer], expected: list[Answer]) -> str:
    """What the numbers themselves tell where no slip fits."""
    got, right = _row(outcomes), _row(expected)
    if got.shape != right.shape or not np.isfinite(got).all():
        return ""
    factor, shift = float(got @ right / (right @ right)), float(np.mean(got - right))
    if factor and _same(got, factor * right):
        if math.isclose(factor, -1, rel_tol=1e-5):
            return "it is right but for the sign."
        return f"it is {factor:.4g} times what is right, every time."
    if _same(got, right + shift):
        return f"it is what is right and {shift:.4g} more, every time."
    return ""


def _row(answers: list[Answer]) -> Array:
    """All numbers of all answers."""
    parts = [part for a in answers for part in (a if isinstance(a, tuple | list) else [a])]
    arrays = (_numbers(part) for part in parts)
    return np.concatenate([np.zeros(0), *(a.ravel() for a in arrays if a is not None)])


def _difference(got: Answer, wanted: Answer, parts: Mapping[str, str]) -> str:
    """The entry that is furthest from what it should be, in the first part that is wrong."""
    values, answers = (got, wanted) if isinstance(wanted, tuple) else ([got], [wanted])
    triples = zip(parts, values, answers, strict=True)
    part, value, answer = next(triple for triple in triples if not _same(*triple[1:]))
    a, b = np.asarray(value, np.float64), np.asarray(answer, np.float64)
    at = np.unravel_index(int(np.abs(a - b).argmax()), b.shape)
    index = f"[{', '.join(str(int(k)) for k in at)}]" if at else ""
    return f"{part}{index} should be {b[at]:.4g}, and is {a[at]:.4g}"


def _told(got: Answer) -> str:
    if isinstance(got, Raised):
        return got.what
    if isinstance(got, tuple | list):
        return f"returns {len(got)} values"
    if np.ndim(got):
        return f"returns one array of shape {np.shape(got)}"
    return f"returns {float(got):g}" if isinstance(got, Real) else f"returns {shown(got)}"
