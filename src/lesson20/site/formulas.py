"""Finds the formulas of a page and turns their TeX into MathML.

Arithmatex decides in the built page what a formula is; this knows the same two spellings, so
that a formula can be checked, line by line, without building the page.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from math_core import LatexError, LatexToMathML

from lesson20.site.errors import PageError
from lesson20.site.fences import INLINE_CODE

_FORMULA = re.compile(
    INLINE_CODE
    + r"""
    | \\.
    | \$\$ (?P<display> (?: \\. | [^\\$] )+? ) \$\$
    | \$ (?!\s) (?P<inline> (?: \\. | [^\\$] )+? ) (?<!\s) \$
    | (?P<lone> \$ )
    """,
    re.VERBOSE | re.DOTALL,
)
_CONVERTER = LatexToMathML(fancy_error=False)


@dataclass(frozen=True)
class Formula:
    """A formula.

    Attributes:
        page: The page, as `docs/blame.md`.
        line: Its line.
        start: Where it starts in the page's text, in characters.
        end: Where it ends.
        tex: Its TeX.
        display: Whether it stands by itself.
    """

    page: str
    line: int
    start: int
    end: int
    tex: str
    display: bool

    def check(self, namespace: dict[str, Any], time_limit: float = 0) -> None:
        """Set the formula.

        Raises:
            PageError: If it is no TeX.
        """
        self.mathml()

    def mathml(self) -> str:
        """The formula as MathML.

        Raises:
            PageError: If it is no TeX.
        """
        try:
            return _CONVERTER.convert_with_local_state(self.tex, displaystyle=self.display)
        except LatexError as error:
            raise PageError(self.page, self.line, f"TeX in {self.tex!r}", str(error)) from error


def find_formulas(text: str, page: str) -> Iterator[Formula]:
    """Find the formulas of some prose.

    Raises:
        PageError: If a dollar sign has no partner. In prose it is written with a backslash.
    """
    for match in _FORMULA.finditer(text):
        kind = match.lastgroup or ""
        if kind not in {"inline", "display", "lone"}:
            continue
        begin = match.start(kind) + len(match[kind]) - len(match[kind].lstrip(" \n\t>"))
        line = text.count("\n", 0, begin) + 1
        if kind == "lone":
            rest = text[begin:].partition("\n")[0]
            raise PageError(page, line, "dollar signs in pairs", repr(rest[:60]))
        tex = re.sub(r"\n[ \t>]*", "\n", match[kind]).strip()  # of a quote, say
        yield Formula(page, line, match.start(), match.end(), tex, kind == "display")
