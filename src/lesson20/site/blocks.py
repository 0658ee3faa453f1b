"""What a block is: its options, and how its printed output is compared.

A block is a fence of a page that opens with ```` ```python ````. Its options follow on the
same line, each as `name="text"`: see `Options`. What a statement prints stands under it as
comments that begin with `#> `, and must be exactly what it prints.
"""

import ast
import difflib
import io
import re
import tokenize
import warnings
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from lesson20.site import running
from lesson20.site.claims import Claim, find_claims
from lesson20.site.errors import PageError

_OPTION = re.compile(r'[ \t]+(?P<name>[\w-]+)="(?P<text>[^"]*)"')


@dataclass(frozen=True)
class Options:
    """The options of a block's info string. All are text and all may be left out.

    Attributes:
        title: A heading above the code, such as a file name.
        alt: What the block's figure shows, for those who do not see it. A figure needs one.
        caption: A line under the figure.
        fold: Hides the code behind this line until it is asked for; the figure stays visible.
        skip: Why the block is not run. The page shows the reason.
        scene: The scene that the figure becomes where JavaScript runs: `belt` is scenes/belt.js.
    """

    title: str = ""
    alt: str = ""
    caption: str = ""
    fold: str = ""
    skip: str = ""
    scene: str = ""

    @classmethod
    def parse(cls, info: str, page: str, line: int) -> "Options":
        """Read what follows ```` ```python ```` on the fence's line.

        Raises:
            PageError: If an option is unknown, empty, given twice or not written `name="text"`.
        """
        known = [field.name for field in fields(cls)]
        found: dict[str, str] = {}
        rest = info.rstrip(" \t")
        while rest:
            option = _OPTION.match(rest)
            if option is None:
                raise PageError(page, line, 'options written name="text"', repr(rest.strip()))
            name, text = option["name"], option["text"].strip()
            if name not in known:
                near = difflib.get_close_matches(name, known, 1) or known
                raise PageError(page, line, f"the option {' or '.join(near)}", f"{name!r}")
            if name in found or not text:
                raise PageError(page, line, f"one text for the option {name}", repr(rest.strip()))
            if "$" in text:
                raise PageError(page, line, f"{name} as plain text", f"a formula in {text!r}")
            found[name] = text
            rest = rest[option.end() :]
        return cls(**found)


@dataclass(frozen=True)
class Output:
    """What one top-level statement should print.

    Attributes:
        lines: Each line of it, with the line of the page that says so.
        end: The statement's last line on the page.
    """

    lines: list[tuple[int, str]]
    end: int


@dataclass(frozen=True)
class Block:
    """One Python fence of a page.

    Attributes:
        page: The page, as `docs/blame.md`.
        line: The line of the opening fence; the code begins on the next one.
        start: Where the fence starts in the page's text, in characters.
        end: Where it ends.
        prefix: The indentation or the quote marks before each of its lines.
        opening: The line of the opening fence as it stands.
        source: The code, without the prefix.
        options: Its options.
    """

    page: str
    line: int
    start: int
    end: int
    prefix: str
    opening: str
    source: str
    options: Options

    def check(self, namespace: dict[str, Any], time_limit: float = running.TIME_LIMIT) -> str:
        """Run the block, compare what it prints with its `#> ` comments, return its figure.

        Returns:
            The figure as Matplotlib's SVG; empty if the block draws none.

        Raises:
            PageError: If anything about the block is not as the page says.
        """
        printed, figures = self.run(namespace, time_limit)
        for output, lines in printed:
            self._compare(output, lines)
        for claim in self.claims():
            claim.check(namespace, time_limit)
        if figures and not self.options.alt:
            raise PageError(self.page, self.line, 'alt="what the figure shows"', "no alt text")
        if len(figures) != bool(self.options.alt or self.options.caption or self.options.scene):
            raise PageError(self.page, self.line, "one figure", f"{len(figures)} figures")
        if self.options.scene:
            self._find_scene(self.options.scene)
        return "".join(figures)

    def run(
        self, namespace: dict[str, Any], time_limit: float = running.TIME_LIMIT
    ) -> tuple[list[tuple[Output, list[str]]], list[str]]:
        """Run the block, unless it says why not.

        Returns:
            What each statement should print with the lines that it prints, and the figures.

        Raises:
            PageError: If the block is no Python, raises, or prints what no comment can show.
        """
        if self.options.skip:
            return [], []
        outputs = self.outputs()
        printed, figures = running.run(self.tree.body, self.page, namespace, time_limit)
        lines = [self._lines(*pair) for pair in zip(outputs, printed, strict=True)]
        return list(zip(outputs, lines, strict=True)), figures

    def claims(self) -> list[Claim]:
        """The claims in the block's options."""
        return list(find_claims(self.opening, self.page, self.line, self.start))

    @cached_property
    def tree(self) -> ast.Module:
        """The parsed code, its line numbers those of the page.

        Raises:
            PageError: If the code is not Python.
        """
        try:
            with warnings.catch_warnings(action="error"):
                # compile() finds what the parser alone lets pass, such as a stray `return`
                compile(self.source, self.page, "exec", dont_inherit=True)
            return ast.increment_lineno(ast.parse(self.source, self.page), self.line)
        except (SyntaxError, ValueError) as error:
            line = self.line + (getattr(error, "lineno", None) or 0)
            reason = f"{type(error).__name__}: {getattr(error, 'msg', error)}"
            raise PageError(self.page, line, "Python", reason) from error

    def outputs(self) -> list[Output]:
        """What each statement should print: the `#> ` comments between it and the next one.

        Raises:
            PageError: If the code is not Python, or an output stands above all statements.
        """
        starts = [statement.lineno for statement in self.tree.body]
        comments = self._output_comments()
        if comments and (not starts or comments[0][0] < starts[0]):
            line, text = comments[0]
            raise PageError(self.page, line, "a statement above its output", f"output {text!r}")
        nexts = [*starts, float("inf")][1:]
        return [
            Output([(line, text) for line, text in comments if start <= line < after],
                   statement.end_lineno or start)
            for statement, start, after in zip(self.tree.body, starts, nexts, strict=True)
        ]  # fmt: skip

    def _output_comments(self) -> list[tuple[int, str]]:
        tokens = tokenize.generate_tokens(io.StringIO(self.source).readline)
        comments = [
            token
            for token in tokens
            if token.type == tokenize.COMMENT and token.string.startswith("#>")
        ]
        for token in comments:
            if not token.line.lstrip().startswith("#>"):
                line, actual = self.line + token.start[0], repr(token.line.strip())
                raise PageError(self.page, line, "an output on a line of its own", actual)
        return [
            (self.line + token.start[0], token.string.removeprefix("#>").removeprefix(" "))
            for token in comments
        ]

    def _find_scene(self, name: str) -> None:
        folders = [folder / "scenes" for folder in Path(self.page).parents]
        if not any((folder / f"{name}.js").is_file() for folder in folders):
            raise PageError(self.page, self.line, f"the scene scenes/{name}.js", "no such file")

    def _lines(self, output: Output, printed: str) -> list[str]:
        *lines, unended = printed.split("\n")
        if unended:
            raise PageError(self.page, output.end, "output that ends its line", repr(unended))
        if "\r" in printed:
            raise PageError(self.page, output.end, "output without carriage returns", repr(printed))
        return lines

    def _compare(self, output: Output, lines: list[str]) -> None:
        for (line, expected), actual in zip(output.lines, lines, strict=False):
            if expected != actual:
                raise PageError(self.page, line, f"output {expected!r}", repr(actual))
        missing, surplus = output.lines[len(lines) :], lines[len(output.lines) :]
        if missing:
            raise PageError(self.page, missing[0][0], f"output {missing[0][1]!r}", "nothing")
        if surplus:
            line = output.lines[-1][0] if output.lines else output.end
            actual = f"{surplus[0]!r}, which no '#> ' below it declares"
            raise PageError(self.page, line, "no further output", actual)
