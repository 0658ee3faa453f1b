"""A claim is a number in a sentence that carries its proof: `0.86<!-- = 0.97 ** 5 -->`.

The expression is evaluated in the page's namespace, after the blocks above it, and rounded the
way the number is written. The comment shows neither on the built page nor on GitHub. Prose has
no other comments, so that a claim with a slip in it is not taken for one.
"""

import ast
import decimal
import re
from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Real
from typing import Any

from lesson20.site import running
from lesson20.site.errors import PageError
from lesson20.site.fences import INLINE_CODE

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_TO_SUPERSCRIPT = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_SPACES = "\u00a0\u202f\u2009"  # that may stand between thousands, around × or before a per cent

_NUMBER = rf"""
    (?<![\d.,]) (?<!\d[{_SPACES}]) (?: (?<!\w)[-+−] )?
    (?: \d{{1,3}} (?P<separator>[,{_SPACES}]) \d{{3}} (?: (?P=separator) \d{{3}} )* | \d+ )
    (?: \.(?P<decimals>\d+) )?
    (?: (?P<e>[eE])[-+−]?\d+ | (?P<times>[ {_SPACES}]?×[ {_SPACES}]?10)[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+ )?
    (?P<suffix>[ {_SPACES}]?%)?
"""
_CLAIM = re.compile(
    INLINE_CODE  # which only shows a claim
    + rf"""
    | (?P<text>{_NUMBER})? <!-- (?: [ ]* = (?P<expression>.*?) --> )?
    """,
    re.VERBOSE,
)
_EXACT = decimal.Context(prec=800)  # enough digits for any float64


@dataclass(frozen=True)
class Claim:
    """A number and the expression that it should equal.

    Attributes:
        page: The page, as `docs/blame.md`.
        line: Its line.
        column: Where the number starts in its line, in characters.
        start: Where it starts in the page's text.
        end: Where the comment after it ends.
        text: The number as written.
        expression: Python that gives the number.
    """

    page: str
    line: int
    column: int
    start: int
    end: int
    text: str
    expression: str

    def check(self, namespace: dict[str, Any], time_limit: float = running.TIME_LIMIT) -> None:
        """Evaluate the expression and compare it with the number as written.

        Raises:
            PageError: If they differ, or if the expression fails or gives no number.
        """
        value = self._value(namespace, time_limit)
        if self._rounded(value) != read_number(self.text)[0]:
            expected = f"{self.text} = {self.expression}"
            raise PageError(self.page, self.line, expected, repr(value))

    def corrected(self, namespace: dict[str, Any], time_limit: float = running.TIME_LIMIT) -> str:
        """The number as it should read, written the way it is written now.

        Raises:
            PageError: If the expression fails or gives no finite number.
        """
        value = self._value(namespace, time_limit)
        rounded = self._rounded(value)
        if rounded is None:
            raise PageError(self.page, self.line, "a finite number", repr(value))
        written, scale = read_number(self.text)
        exact = decimal.Decimal(value).scaleb(scale, _EXACT)
        return self.text if rounded == written else write_number(exact, self.text)

    def _rounded(self, value: float | int) -> decimal.Decimal | None:
        written, scale = read_number(self.text)
        try:
            # Decimal(float) is exact: the value is rounded once, to the last written digit.
            return decimal.Decimal(value).scaleb(scale, _EXACT).quantize(written, context=_EXACT)
        except decimal.InvalidOperation:
            return None  # nan, or infinite

    def _value(self, namespace: dict[str, Any], time_limit: float) -> float | int:
        try:
            expression = ast.parse(self.expression, self.page, "eval").body
        except (SyntaxError, ValueError) as error:
            reason = f"{self.expression!r}: {getattr(error, 'msg', error)}"
            raise PageError(self.page, self.line, "a Python expression", reason) from error
        statement = ast.Assign([ast.Name("__claim__", ast.Store())], expression)
        ast.fix_missing_locations(statement)
        ast.increment_lineno(statement, self.line - 1)
        printed, _ = running.run([statement], self.page, namespace, time_limit)
        value = namespace.pop("__claim__")
        value = value.item() if hasattr(value, "item") and getattr(value, "size", 1) == 1 else value
        if printed[0] or isinstance(value, bool) or not isinstance(value, Real):
            actual = repr(printed[0] or value)[:200]
            raise PageError(self.page, self.line, f"a number from {self.expression}", actual)
        return int(value) if isinstance(value, int) else float(value)


def read_number(text: str) -> tuple[decimal.Decimal, int]:
    """Read a number as prose writes it.

    Thousands separators, typographic minus signs, `4e-3`, `4 × 10⁻³` and per cent are understood.

    Returns:
        The number with the digits it was written with, and the power of ten by which a value
        is multiplied before the two are compared: 2 for per cent, else 0.
    """
    plain = re.sub(rf"[ ,{_SPACES}]", "", text).replace("−", "-").removesuffix("%")
    mantissa, times, exponent = plain.partition("×10")
    if times:
        plain = f"{mantissa}e{exponent.translate(_SUPERSCRIPTS)}"
    return decimal.Decimal(plain), 2 if text.endswith("%") else 0


def write_number(value: decimal.Decimal, like: str) -> str:
    """Write a number with the digits, separators and signs of another.

    Args:
        value: The number, already multiplied by 100 for per cent.
        like: A number as prose writes it: see `read_number`.
    """
    form = re.fullmatch(_NUMBER, like, re.VERBOSE)
    assert form is not None, f"no number: {like!r}"
    digits = len(form["decimals"] or "")
    if form["e"] or form["times"]:
        mantissa, exponent = f"{value:.{digits}e}".split("e")
        power = str(int(exponent))
        if form["times"]:
            power = power.translate(_TO_SUPERSCRIPT)
        elif "−" in like:
            power = power.replace("-", "−")
        number = f"{mantissa}{form['e'] or form['times']}{power}"
    else:
        number = f"{value:,.{digits}f}".replace(",", form["separator"] or "")
    sign, number = ("-", number[1:]) if number.startswith("-") else ("", number)
    if sign and "-" not in like:
        sign = "−"
    elif not sign and like.startswith("+"):
        sign = "+"
    return f"{sign}{number}{form['suffix'] or ''}"


def find_claims(text: str, page: str, line: int = 1, offset: int = 0) -> Iterator[Claim]:
    """Find the claims of some prose.

    Args:
        text: The prose.
        page: The page it stands on.
        line: The line of the page on which it starts.
        offset: Where it starts in the page's text, in characters.

    Raises:
        PageError: If a comment is no claim: a number, an equals sign and its end on one line.
    """
    for at, prose in enumerate(text.split("\n"), line):
        for match in _CLAIM.finditer(prose):
            if match["ticks"]:
                continue
            if not match["text"] or match["expression"] is None:
                wanted = "a claim as the only comment, like 0.86<!-- = 0.97 ** 5 -->"
                raise PageError(page, at, wanted, repr(prose[match.start() :][:60]))
            start, end = offset + match.start(), offset + match.end()
            expression = match["expression"].strip()
            yield Claim(page, at, match.start(), start, end, match["text"], expression)
        offset += len(prose) + 1


def without_claims(text: str) -> str:
    """The text as a reader sees it: each claim's number without its comment."""
    return _CLAIM.sub(lambda match: match["text"] or match[0], text)
