"""What a symbol means stands in the notation, and is told on every page that uses it."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from lesson20.site import symbols
from lesson20.site.errors import PageError
from lesson20.site.formulas import Formula, find_formulas
from lesson20.site.pages import parse

DOCS = Path(__file__).parents[2] / "docs"
NOTATION = r"""
# Notation

| Symbol | In the code | Shape | Meaning |
| --- | --- | --- | --- |
| $h_t$ | `h[t]` | `(H,)` | state after word $t$ |
| $W_x$ | `W_x` | `(H, D)` | weights |
| $\sigma_1$ | | number | singular value |
| $\sigma(z)$ | | | sigmoid |
| $\tilde c_t$, $c_t$ | | | candidate, belt |
| $b_f,\ b_i$ | | | 2<!-- = 1 + 1 --> biases |
| $T-k$ | | | distance |
| $\partial L/\partial h_k$ | | | blame |
| $\odot$ | | | product |
| $T$ | | | words |
| $\lVert\cdot\rVert_F$ | | | norm |
| $\prod\mathrm{diag}(f_t)$ | | | path |

| Symbol | Page | Meaning |
| --- | --- | --- |
| $T$ | [here](../page.md) | temperature |

| Not a symbol | Meaning |
| --- | --- |
| $q$ | nothing |
"""


@pytest.fixture
def notation(page):
    """Write the notation."""

    def notation(text=NOTATION):
        return page(text, "docs/reference/notation.md")

    return notation


def meanings(built):
    """What each element marked on a page means, by its text."""
    entries = dict(re.findall(r'<div id="symbol-(\d+)"><dt>.*?</dt><dd>(.*?)</dd>', built))
    prose = re.sub(r"<details.*?</details>", "", built, flags=re.DOTALL)
    found = {}
    for math in re.findall(r"<math.*?</math>", prose, re.DOTALL):
        for element in ET.fromstring(math.replace("&ApplyFunction;", "")).iter():
            if number := element.get("data-symbol"):
                plain = re.sub(r"<.*?>", "", entries[number])
                found["".join(element.itertext())] = plain.partition(";")[0]
    return found


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        ("h_t+h_{t-1}", {"ht": "state after word t", "ht−1": "state after word t"}),
        ("h_0 h_{50}", {"h0": "state after word t", "h50": "state after word t"}),
        ("1-h^2", {"h": "state after word t"}),
        ("h_k^2", {"hk2": "state after word t"}),
        ("h_q", {}),
        ("W_x W_y W", {"Wx": "weights"}),
        (r"\sigma_1^n", {"σ1n": "singular value"}),
        (r"\sigma_2", {}),
        (r"\ln\sigma(b_f)", {"σ": "sigmoid", "bf": "2 biases"}),
        (r"\tilde c+\tilde c_{t-1}+c", dict.fromkeys(["c˜", "c˜t−1", "c"], "candidate, belt")),
        (r"\tilde q", {}),
        (r"\partial L/\partial h_k",
         {"∂": "blame", "L": "blame", "/": "blame", "hk": "state after word t"}),
        (r"\frac{\partial L}{\partial h_{t-1}}",
         {"∂L∂ht−1": "blame", "ht−1": "state after word t"}),
        (r"\frac{\partial L}{\partial W_x}", {"Wx": "weights"}),
        ("g^{T-k}", dict.fromkeys(["T", "−", "k", "T−k"], "distance")),
        (r"\lVert g\rVert_F", {"‖F": "norm"}),
        (r"a\odot q", {"⊙": "product"}),
        ("k=T", {"T": "temperature"}),
        ("x+q", {}),
    ],
)  # fmt: skip
def test_symbols_are_known_by_their_look(notation, build, tex, expected):
    notation()
    assert meanings(build(f"So ${tex}$.")) == expected


def test_product_has_its_meaning_whatever_its_limits(notation, build):
    notation()
    built = build(r"$$\prod_{t=k+1}^{T}\mathrm{diag}(f_t)$$")
    assert "path" in meanings(built).values()


def test_meaning_on_one_page_is_for_that_page(notation, page, convert):
    notation()
    assert meanings(convert(page("$T$\n").read_text())) == {"T": "temperature"}
    assert meanings(convert(page("$T$ too\n", "docs/other.md").read_text())) == {"T": "words"}


def test_nothing_but_attributes_is_added_to_a_formula(notation, build):
    notation()
    tex = r"h_t=\tanh(W_x x_t)+\frac{\partial L}{\partial h_k}\odot\sigma(T-k)"
    built = build(f"$${tex}$$").partition("<details")[0]
    marked = re.search(r"<math.*</math>", built)[0]
    assert marked.count("data-symbol") > 5
    plain = re.sub(r' data-symbol="\d+"', "", marked)
    expected = Formula("", 1, 0, 0, tex, display=True).mathml()
    assert plain.replace(" />", "/>") == expected.replace("></mspace>", "/>")


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("A $h_t$.\n\nB.\n\n$$h_t$$\n\n$$W_x$$\n\nC.", "W", "C."),
        ("A.\n\n- B $h_t$\n- D\n\nC.", "D</li>\n</ul>", "C."),
        ("A.\n\n> B $h_t$\n\nC.", "</blockquote>", "C."),
        ("| A |\n|---|\n| $h_t$ |\n\nC.", "</table>", "C."),
        ('A.\n\n<div markdown="1">\n\nB $h_t$.\n\nC.\n\n</div>', "B", "C."),
    ],
)
def test_fold_stands_below_the_first_formula(notation, build, text, before, after):
    notation()
    above, fold, below = build(text).partition("<details")
    assert fold
    assert before in above
    assert after in below
    assert after not in above


def test_page_without_symbols_has_no_fold(notation, build, convert):
    notation()
    assert "<details" not in build("Nothing, and $q$.\n")
    assert "symbol" not in convert("A docstring with $h_t$.\n")
    assert "data-symbol" not in convert(NOTATION)


def test_entry_tells_shape_and_name_in_the_code(notation, build):
    notation()
    built = build("$h_t$, $\\sigma_1$")
    assert "; shape <code>(H,)</code>; in the code <code>h[t]</code></dd>" in built
    assert "<dd>singular value; a number</dd>" in built


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("| $a$ | meaning | more |", "2 cells, got 3"),
        ("| $a$ |", "2 cells, got 1"),
        ("| $a$ | |", "a symbol as"),
        ("| a | meaning |", "a symbol as"),
        ("| $h_t$ | again |", "one meaning for a symbol of a page"),
        ("| $h_k$ | again |", "one meaning for a symbol of a page"),
        ("| $a | meaning |", "dollar signs in pairs"),
        (r"| $\frac{a$ | meaning |", "TeX in"),
    ],
)
def test_slip_in_the_notation_names_its_line(notation, row, expected):
    text = f"# N\n\n| Symbol | Meaning |\n| --- | --- |\n| $h_t$ | state |\n{row}\n"
    with pytest.raises(PageError, match=f"docs/reference/notation.md:6: expected {expected}"):
        symbols.read_notation(notation(text))


def test_notation_without_a_table_is_refused(notation):
    with pytest.raises(PageError, match="expected a table whose first column is Symbol"):
        symbols.read_notation(notation("# Notation\n"))


# Letters that need no entry: they stand beside what they are about.
PLAIN = {"F", "I", "z", "∂", "⊤", "tanh", "diag", "min", "ln", "softmax", "ℝ"}
# An exercise says itself what its letters mean.
PLAIN_IN = {"exercises": set("Pagrsuwηφ") | {"W", "h", "i", "j", "t", "det", "tr", "sinh", "cosh"}}


@pytest.mark.parametrize("path", sorted(DOCS.rglob("*.md")), ids=lambda path: path.stem)
def test_every_letter_of_the_lesson_is_explained(monkeypatch, path):
    monkeypatch.chdir(DOCS.parent)
    page = path.relative_to(DOCS.parent)
    known = symbols.known(
        symbols.read_notation(Path("docs/reference/notation.md")), page.as_posix()
    )
    items = parse(page.read_text("utf-8"), page.as_posix())
    left = set()
    for formula in (item for item in items if isinstance(item, Formula)):
        math = ET.fromstring(formula.mathml().replace("&ApplyFunction;", ""))
        list(symbols.mark(math, known))
        left |= {letter for letter in unexplained(math) if page.stem != "notation"}
    assert left - PLAIN - PLAIN_IN.get(page.stem, set()) == set()


def unexplained(element):
    """The letters that neither are marked nor stand within what is."""
    if element.get("data-symbol"):
        return
    if element.tag == "mi":
        yield element.text
    for child in element:
        yield from unexplained(child)


def test_formulas_of_a_cell_are_found():
    assert [f.tex for f in find_formulas("$a$, $b_1$", "docs/page.md")] == ["a", "b_1"]
