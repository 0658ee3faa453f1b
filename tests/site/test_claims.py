"""Numbers in prose are what their expressions give, rounded the way they are written."""

import decimal

import numpy as np
import pytest

from lesson20.site.claims import find_claims, read_number, without_claims

SETUP = """\
```python
import numpy as np
from fractions import Fraction
from math import inf, nan
```

"""


@pytest.mark.parametrize(
    ("number", "expression"),
    [
        ("1", "0.97 ** 5"),
        ("0.9", "0.97 ** 5"),
        ("0.86", "0.97 ** 5"),
        ("0.859", "0.97 ** 5"),
        ("0.8587340257", "0.97 ** 5"),
        ("0.50", "1 / 2"),
        ("+5", "5"),
        # thousands
        ("8,004,000", "8_004_000"),
        ("8\u202f004\u202f000", "8_004_000"),
        ("8\u2009004\u2009000", "8_004_000"),
        ("8\u00a0004\u00a0000", "8_004_000"),
        ("8004000", "8_004_000"),
        ("12,345.7", "12345.67"),
        # minus signs
        ("-0.5", "-1 / 2"),
        ("−0.5", "-1 / 2"),
        # exponents
        ("4e-3", "0.00432"),
        ("4.3e-3", "0.00432"),
        ("4.32E−3", "0.00432"),
        ("1.2e+4", "12345"),
        ("4 × 10⁻³", "0.00432"),
        ("4.3×10⁻³", "0.00432"),
        ("−4.3 × 10⁻³", "-0.00432"),
        ("1.2\u00a0×\u00a010⁴", "12345"),
        ("1.2 × 10⁺⁴", "12345"),
        ("2 × 10⁻⁴⁵", "2.3e-45"),
        # per cent
        ("86 %", "0.97 ** 5"),
        ("86%", "0.97 ** 5"),
        ("86\u202f%", "0.97 ** 5"),
        ("85.9 %", "0.97 ** 5"),
        ("85.87 %", "0.97 ** 5"),
        ("−5 %", "-0.05"),
        # zero has no sign
        ("0", "-0.0"),
        ("0.00", "-0.004"),
        ("-0.0", "0.0"),
        # halves go to the even neighbour, as in Python's own formatting
        ("2", "2.5"),
        ("4", "3.5"),
        ("0.12", "0.125"),
        ("0.3", "0.25 + 1e-12"),
        ("2.67", "2.675"),  # the float lies below the half
        # what counts as a number
        ("2", "np.int64(2)"),
        ("0.1", "np.float32(0.1)"),
        ("0.5", "np.array([0.5])"),
        ("0.5", "np.array([[0.5]])"),
        ("0.5", "np.longdouble(0.5)"),
        ("0.3", "Fraction(1, 3)"),
        ("3", "len('abc')"),
        ("1" + "0" * 400, "10 ** 400"),
    ],
)
def test_a_true_claim(run, number, expression):
    run(f"{SETUP}It is {number}<!-- = {expression} -->, or ({number}<!--={expression}-->).")


@pytest.mark.parametrize(
    ("number", "expression", "actual"),
    [
        ("0.87", "0.97 ** 5", "0.8587340256999999"),
        ("0.8588", "0.97 ** 5", "0.8587340256999999"),
        ("0.860", "0.97 ** 5", "0.8587340256999999"),
        ("-0.86", "0.97 ** 5", "0.8587340256999999"),
        ("3", "2.5", "2.5"),
        ("8,004,001", "8_004_000", "8004000"),
        ("1,000", "1000.6", "1000.6"),
        ("5 %", "5", "5"),
        ("4 × 10³", "0.00432", "0.00432"),
        ("0", "nan", "nan"),
        ("0", "inf", "inf"),
        ("9", "-inf", "-inf"),
        ("1", "10 ** 400", repr(10**400)),
        ("0.01", "10 ** 1000", repr(10**1000)),
    ],
)
def test_a_false_claim(wrong, number, expression, actual):
    error = wrong(f"{SETUP}It is {number}<!-- = {expression} -->.")
    assert error == f"docs/page.md:7: expected {number} = {expression}, got {actual}"


@pytest.mark.parametrize(
    ("expression", "actual"),
    [
        ("True", "True"),
        ("np.bool_(True)", "True"),
        ("'1'", "'1'"),
        ("None", "None"),
        ("1j", "1j"),
        ("np.array([1, 1])", "array([1, 1])"),
        ("[1]", "[1]"),
        ("print('hello') or 1", "'hello\\n'"),
    ],
)
def test_a_claim_that_gives_no_number(wrong, expression, actual):
    error = wrong(f"{SETUP}It is 1<!-- = {expression} -->.")
    assert error == f"docs/page.md:7: expected a number from {expression}, got {actual}"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("unknown", "no exception, got NameError: name 'unknown' is not defined"),
        ("1 / 0", "no exception, got ZeroDivisionError: division by zero"),
        ("np.log(0)", "no exception, got RuntimeWarning: divide by zero"),
        ("", "a Python expression, got '': "),
        ("= 1", "a Python expression, got '= 1': invalid syntax"),
        ("x = 1", "a Python expression, got 'x = 1': "),
        ("1; 2", "a Python expression, got '1; 2': "),
        ("(1", "a Python expression, got '(1': '(' was never closed"),
    ],
)
def test_a_claim_that_fails(wrong, expression, expected):
    error = wrong(f"{SETUP}It is 1<!-- = {expression} -->.")
    assert error.startswith(f"docs/page.md:7: expected {expected}")
    assert "line 1" not in error  # Python's own idea of where an expression stands


@pytest.mark.parametrize(
    "prose",
    [
        "0.86 <!-- = 1 -->",  # a space in between
        "**0.86**<!-- = 1 -->",  # markup in between
        "many<!-- = 1 -->",
        "<!-- = 1 -->",
        ".5<!-- = 0.5 -->",
        "0,86<!-- = 0.86 -->",  # a decimal comma
        "1.2.3<!-- = 3 -->",
        "1234,567<!-- = 567 -->",
        "1234\u2009567<!-- = 567 -->",
        "1½<!-- = 1.5 -->",
        "10⁻³<!-- = 0.001 -->",
        "3 × 10⁻<!-- = 1 -->",
        "0.86<!-- 0.97 ** 5 -->",  # no equals sign
        "0.86<!--\t= 0.97 ** 5 -->",
        "0.86<!-- = 0.97",  # no end on its line
        "0.86<!-- = 0.97\n** 5 -->",
        "A remark.<!-- to be mended -->",
        "A remark.\n<!--\nof several lines\n-->",
        "It is 1<!-- = 1 -->, then 2 <!-- = 2 -->.",
        "`code` 1 <!-- = 1 --> `code`",
        "\\`1 <!-- = 1 -->\\`",
        "``1 <!-- = 1 -->`",
    ],
)
def test_a_comment_that_is_no_claim(wrong, prose):
    line = next(n for n, part in enumerate(prose.split("\n"), 1) if "<!--" in part)
    error = wrong(prose)
    assert error.startswith(f"docs/page.md:{line}: expected a claim as the only comment, like")


def test_several_claims_on_a_line_are_all_checked(wrong):
    text = "1<!-- = 1 -->, 2<!-- = 2 -->\n\n3<!-- = 3 --> and 5<!-- = 4 --> and 6<!-- = 6 -->"
    assert wrong(text) == "docs/page.md:3: expected 5 = 4, got 4"


@pytest.mark.parametrize(
    "prose",
    [
        "A claim is written `1<!-- = 2 -->`.",
        "A claim is written ``1<!-- = 2 --> ` ``.",
        "```text\n1<!-- = 2 -->\n```",
        "~~~text\n1<!-- = 2 -->\n~~~",
        "````markdown\n```python\nx = 1<!-- = 2 -->\n```\n````",
        "> ```text\n> 1<!-- = 2 -->\n> ```",
        "```python\ntext = '1<!-- = 2 -->'\n```",
    ],
)
def test_a_claim_that_is_only_shown_is_not_checked(run, prose):
    run(f"{prose}\n")


@pytest.mark.parametrize(
    "prose",
    [
        "# One is 1{}\n",
        "- one\n\n    - is 1{}\n",
        "| a | b |\n|---|---|\n| 1{} | 2 |\n",
        "!!! note\n\n    It is 1{}.\n",
        "> It is 1{}.\n",
        "So $g = 1{}$ holds.\n",
        "Text.[^1]\n\n[^1]: It is 1{}.\n",
        "*1{}* and **1{}**\n",
        "[1{}](https://example.org)\n",
        "<b>1{}</b>\n",
        "\\`1{}\\`\n",
        "`code` 1{} `code`\n",
    ],
)
def test_a_claim_leaves_no_trace_in_the_page(build, broken, prose):
    built = build(prose.replace("{}", "<!-- = 1 -->"))
    assert built == build(prose.replace("{}", ""))
    assert "1" in built
    assert "expected 1 = 2, got 2" in broken(prose.replace("{}", "<!-- = 2 -->"))


def test_claims_in_a_figures_texts_leave_no_trace(build):
    code = "import matplotlib.pyplot as plt\nplt.plot([1, 2])"
    info = (
        'alt="A line to 2<!-- = 1 + 1 -->." caption="To 2<!-- = 1 + 1 -->." title="2<!-- = 2 -->"'
    )
    built = build(f"```python {info}\n{code}\n```\n")
    assert 'aria-label="A line to 2."' in built
    assert "<figcaption>To 2.</figcaption>" in built
    assert "--" not in built.replace("var(--c", "")


def test_a_claim_that_was_overlooked_stops_the_build(broken):
    # Markdown pairs the backticks over the end of the line, and so the claim is prose
    assert broken("a ` b\n` 1<!-- = 2 --> `") == (
        "docs/page.md:2: expected a claim in prose, got '<!-- = 2 -->'"
    )


def test_claims_know_where_they_stand():
    text = "a 1<!-- = x -->\n\nb −2 %<!-- = y --> c"
    first, second = find_claims(text, "docs/page.md", line=7, offset=100)
    assert (first.line, first.text, first.expression) == (7, "1", "x")
    assert (second.line, second.text, second.expression) == (9, "−2 %", "y")
    assert text[first.start - 100 : first.end - 100] == "1<!-- = x -->"
    assert text[second.start - 100 : second.end - 100] == "−2 %<!-- = y -->"
    assert without_claims(text) == "a 1\n\nb −2 % c"
    assert without_claims("`1<!-- = x -->`") == "`1<!-- = x -->`"


def test_read_number_keeps_the_digits_as_written():
    assert read_number("8,004,000") == (decimal.Decimal("8004000"), 0)
    assert read_number("−1.20 × 10⁻⁷")[0].as_tuple() == decimal.Decimal("-1.20e-7").as_tuple()
    assert read_number("86 %") == (decimal.Decimal(86), 2)


def test_rounding_is_that_of_python(run):
    rng = np.random.default_rng(0)
    values = rng.normal(size=40) * 10.0 ** rng.integers(-4, 5, size=40)
    lines = [f"{value:.{n % 5}f}<!-- = {value!r} -->" for n, value in enumerate(values.tolist())]
    lines += [f"{value:.2e}<!-- = {value!r} -->" for value in values.tolist()]
    lines += [f"{value:,.1f}<!-- = {value!r} -->" for value in values.tolist()]
    for claim in find_claims("\n".join(lines), "docs/page.md"):
        claim.check({})
