"""Formulas are MathML in the page; a formula with a slip stops the build and names its line."""

import re
from xml.etree import ElementTree as ET

import pytest

INLINE = r"$h_t = \tanh(W_x x_t)$"


def formulas(built):
    built = built.replace("&ApplyFunction;", "")  # XML does not know it by name
    return [ET.fromstring(maths) for maths in re.findall(r"<math.*?</math>", built, re.DOTALL)]


def plain(maths):
    return "".join(maths.itertext())


def test_inline_and_display_formulas_are_mathml(build):
    built = build(f"So {INLINE} and\n\n$$\n\\frac{{a}}{{b}}\n\\le 1\n$$\n")
    inline, display = formulas(built)
    assert plain(inline) == "ht=tanh(Wxxt)"
    assert inline.get("display") is None
    assert display.get("display") == "block"
    assert display.find(".//mfrac") is not None
    assert "script" not in built
    assert "$" not in built
    assert "\\" not in built


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (f"# A heading with {INLINE}\n", 1),
        (f"- {INLINE}\n- {INLINE}\n", 2),
        (f"| a | b |\n|---|---|\n| {INLINE} | {INLINE} |\n", 2),
        (f"!!! note\n\n    {INLINE}\n\n    $$\n    a\n    $$\n", 2),
        (f'=== "Tab"\n\n    {INLINE}\n', 1),
        (f"> {INLINE}\n>\n> $$a$$\n", 2),
        (f"Text.[^1]\n\n[^1]: {INLINE}\n", 1),
        (f"Term\n:   {INLINE}\n", 1),
        (f"**bold {INLINE}** and [link {INLINE}](https://example.org)\n", 2),
        (f"{INLINE}, {INLINE}\nand {INLINE}\n", 3),
        (r"\(a\) and" + "\n\n" + r"\[b\]" + "\n", 2),
        (f"```python\nx = 1\n```\n\n{INLINE} and `$x$`\n", 1),
    ],
)
def test_a_formula_may_stand_anywhere(build, text, count):
    built = build(text)
    assert len(formulas(built)) == count
    assert "<script" not in built


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        ("a<b", "a<b"),
        ("a>b", "a>b"),
        (r"\begin{matrix}a&lt b\end{matrix}", "altb"),
        (r"a \& b", "a&b"),
        ("x_1*x_2*x_3", "x1*x2*x3"),
        ("a_b", "ab"),
        (r"\{a\}", "{a}"),
        (r"\text{RNN}", "RNN"),
    ],
)
def test_the_tex_is_taken_as_it_is_written(build, tex, shown):
    for text in (f"So ${tex}$.", f"$$\n{tex}\n$$"):
        [maths] = formulas(build(text))
        assert plain(maths).replace("∗", "*") == shown


@pytest.mark.parametrize(
    "text",
    [
        "It costs \\$5, or \\$6.",
        "The code `cost = $5` and `$x`.",
        "``$` ``",
        "```sh\necho $HOME\n```",
        "- ```` $ ````",
        "| a |\n|---|\n| `$x` |\n",
        '```python\nx = "$"\n```',
        "~~~text\n$x$\n~~~",
    ],
)
def test_dollars_in_code_and_escaped_ones_are_no_formulas(build, text):
    built = build(text)
    assert formulas(built) == []
    assert "$" in built


def test_dollars_in_the_code_of_a_docstring_are_no_formulas(page, convert):
    assert "cost = $5" in convert("It costs:\n\n    cost = $5\n")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("# Title\n\nSo $\\frac{a}{b$.", 3),
        ("---\ntitle: x\n---\n\nSo\n$\\frac{a}{b$.", 6),
        ("Good $\\frac{a}{b}$.\n\nBad $\\frac{a}{b$.", 3),
        ("Good $\\frac{a}{b}$ and `\\frac{a}{b`.\n\nBad $\\frac{a}{b$.", 3),
        ("Good $a$.\n\nUnknown $\\nosuchcommand$.", 3),
        ("Good.\n\n$$\n\\left( a\n$$\n", 4),
        ("!!! note\n\n    Text.\n\n    $$\n    a\n    + \\frac{b\n    $$\n", 6),
        ("> Text.\n>\n> $$\n> a\n> + \\frac{b\n> $$\n", 4),
        ("| a | b |\n|---|---|\n| $a$ | $a^{$ |\n", 3),
        ("Text.[^1]\n\n[^1]: So $a^{$.\n\nEnd.", 3),
        ("- a\n- b\n\n    - $a^{$\n", 4),
        ("1<!-- = 1 --> is\n\n$a^{1<!-- = 1 -->$", 3),
        ("\\(a^{\\)", 1),
    ],
)
def test_a_slip_in_the_tex_names_its_line(broken, text, line):
    assert broken(text).startswith(f"docs/page.md:{line}: expected TeX in ")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("# Title\n\nIt costs $5.", 3),
        ("So $a$.\n\nAnd $b.", 3),
        ("So $a$ and\nb$.", 2),
        ("Text $$a$$ text.", 1),
        ("Text\n$$\na\n$$\n", 2),
        ("Good `$` one.\n\n- A **bold** one $.\n", 3),
        ("Escaped \\*, a lone $ and \\_.\n", 1),
        ("Good.\n\nEscaped \\$5, and then $6.\n", 3),
        ("| a |\n|---|\n| $|x|$ |\n", 3),
        ("# A heading with $\n", 1),
        ("Text.[^1]\n\n[^1]: So $a.\n", 3),
        ("[link $](https://example.org)\n", 1),
        ("$ a $\n", 1),
    ],
)
def test_a_lone_dollar_names_its_line(broken, text, line):
    assert broken(text).startswith(f"docs/page.md:{line}: expected dollar signs in pairs, got ")
