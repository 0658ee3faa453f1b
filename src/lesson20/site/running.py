"""Runs Python for a page, and lets nothing of it but the namespace outlive the run."""

import ast
import builtins
import codeop
import contextlib
import ctypes
import io
import os
import random
import sys
import threading
import traceback
import warnings
from collections.abc import Iterator, MutableMapping, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt

from lesson20.site import data
from lesson20.site.errors import PageError
from lesson20.site.svg import draw

TIME_LIMIT = 60.0  # seconds; a block of the lesson takes well under one

mpl.use("agg")  # no block opens a window on the machine that builds the site
mpl.rcdefaults()  # nor draws in the style of a matplotlibrc that a contributor keeps


class TimeLimitExceeded(BaseException):
    """A block ran too long. Not an Exception, so that no block catches it by accident."""


def run(
    statements: Sequence[ast.stmt],
    page: str,
    namespace: dict[str, Any],
    time_limit: float = TIME_LIMIT,
) -> tuple[list[str], list[str]]:
    """Run statements in a namespace: the page, the tests and accept mode all come through here.

    Args:
        statements: Parsed Python whose line numbers are those of the page.
        page: The page's name, for error messages and tracebacks.
        namespace: Where names are looked up and bound.
        time_limit: Seconds after which to give up.

    Returns:
        What each statement printed, and the figures left open at the end, drawn as SVG with their
        data in it.

    Raises:
        PageError: If a statement raises, warns, or exceeds the time limit.
    """
    namespace.setdefault("__name__", "__main__")
    compiler = codeop.Compile()  # remembers `from __future__` from one statement to the next
    printed: list[str] = []
    statement = None
    try:
        # One stream for all statements: a block may keep hold of sys.stdout.
        with isolated(), limited(time_limit), contextlib.redirect_stdout(io.StringIO()) as out:
            for statement in statements:
                code = compiler(ast.Module([statement], []), page, "exec")  # type: ignore[arg-type]
                exec(code, namespace)
                printed.append(out.getvalue())
                out.seek(0)
                out.truncate()
            # Drawn in here, where a missing glyph or a slip in a label's TeX is the block's error.
            figures = [plt.figure(number) for number in plt.get_fignums()]
            return printed, [draw(figure, data.table(figure)) for figure in figures]
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit too: it would end the build as a success
        where = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)
                 if frame.filename == page]  # fmt: skip
        line = where[-1] if where else getattr(statement, "lineno", 1)
        if isinstance(error, data.NoDataError):
            raise PageError(page, line or 1, *error.args) from error
        raised = " ".join(f"{type(error).__name__}: {error}".split())
        raise PageError(page, line or 1, "no exception", raised) from error


@contextlib.contextmanager
def isolated() -> Iterator[None]:
    """Undo on leaving what was changed outside the namespace. Inside, warnings are errors."""
    with (
        _figures_closed(),
        _random_state_kept(),
        _restored(os.environ),
        _restored(vars(builtins)),
        _restored(vars(sys)),
        contextlib.chdir(os.curdir),
        np.errstate(),
        np.printoptions(),
        mpl.rc_context(),
        warnings.catch_warnings(action="error"),
    ):
        sys.stdin = io.StringIO()  # input() raises instead of waiting
        yield


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `TimeLimitExceeded` in this thread once the time is over.

    Unlike a signal this works in any thread, and a site engine may build in one of its own. It
    cannot end a single call that never comes back to Python.
    """
    lock = threading.Lock()
    over = False
    thread = ctypes.c_ulong(threading.get_ident())

    def interrupt() -> None:
        with lock:
            if not over:
                error = ctypes.py_object(TimeLimitExceeded)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, error)

    timer = threading.Timer(seconds, interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    except TimeLimitExceeded as error:
        error.args = (f"still running after {seconds:g} s",)
        raise
    finally:
        with lock:
            over = True
        timer.cancel()


@contextlib.contextmanager
def _figures_closed() -> Iterator[None]:
    plt.close("all")
    try:
        yield
    finally:
        plt.close("all")


@contextlib.contextmanager
def _random_state_kept() -> Iterator[None]:
    numpys, pythons = np.random.get_state(), random.getstate()  # noqa: NPY002
    try:
        yield
    finally:
        np.random.set_state(numpys)  # noqa: NPY002
        random.setstate(pythons)


@contextlib.contextmanager
def _restored(mapping: MutableMapping[str, Any]) -> Iterator[None]:
    saved = dict(mapping)
    try:
        yield
    finally:
        mapping.update(saved)
        for added in mapping.keys() - saved.keys():
            del mapping[added]
