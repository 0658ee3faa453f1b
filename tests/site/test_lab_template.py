"""A lab's cells become what a lesson's blocks become; its kernel ran them already."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from jinja2 import DictLoader, Environment

from lesson20.site.errors import PageError

TEMPLATE = Path(__file__).parents[2] / "docs/labs/lab.html.j2"
BASE = """\
{% block header %}A style sheet.{% endblock %}
{% block body_header %}{% endblock %}
{% for cell in cells %}
{% if cell.cell_type == "code" %}{% block codecell scoped %}{% endblock %}
{% else %}{% block markdowncell scoped %}{% endblock %}{% endif %}
{% endfor %}
{% block body_footer %}{% endblock %}
"""
SVG = '<svg class="figure" aria-label=""></svg>'
FIGURE = "import matplotlib.pyplot as plt\n\nplt.plot([1, 2])\nplt.show()"


@pytest.fixture
def build_lab(page, convert):
    """Turn a lab of some prose and one cell into HTML, as mkdocs-jupyter does."""
    loader = DictLoader({"mkdocs_html/notebook.html.j2": BASE, "lab": TEMPLATE.read_text()})
    template = Environment(loader=loader).get_template("lab")

    def build_lab(prose="Prose.", code=FIGURE, **options):
        info = "".join(f' {name}="{text}"' for name, text in options.items())
        page("# Another page", "docs/labs/another.md")
        page(
            f"---\njupyter: x\n---\n\n{prose}\n\n```python{info}\n{code}\n```\n", "docs/labs/lab.md"
        )
        outputs = [{"data": {"text/html": SVG}}] if "plt" in code else []
        cells = [
            SimpleNamespace(cell_type="markdown", source=prose),
            SimpleNamespace(cell_type="code", source=code, metadata=options, outputs=outputs),
        ]
        return convert(template.render(cells=cells))

    return build_lab


def test_a_cell_is_rendered_like_a_block(build_lab, build):
    code = "if 1 < 2 and 'a' != \"&lt;\":\n\n    print('<b>')\n    #> <b>"
    block = build(f'```python title="a.py" fold="How & why"\n{code}\n```\n')
    lab = build_lab(code=code, title="a.py", fold="How & why")
    assert re.findall(r"<details.*</details>", lab, re.DOTALL) == [block]


def test_a_figure_gets_its_texts_without_the_comments_of_their_claims(build_lab):
    lab = build_lab(
        alt="'A' < 0.5<!-- = 1 / 2 --> & <b>",
        caption="To 0.5<!-- = 1 / 2 -->, <b>.",
        title="0.5<!-- = 1 / 2 -->",
    )
    assert 'aria-label="&#39;A&#39; &lt; 0.5 &amp; &lt;b&gt;"' in lab
    assert "<figcaption>To 0.5, &lt;b&gt;.</figcaption></figure>" in lab
    assert '<span class="filename">0.5</span>' in lab
    assert "1 / 2" not in lab


def test_a_scene_is_an_element_around_the_figure(page, build_lab):
    page("export {};", "docs/scenes/trained.js")
    lab = build_lab(alt="A line.", caption="It rises.", scene="trained")
    [scene] = re.findall(r"<scene-trained>.*</scene-trained>", lab, re.DOTALL)
    assert re.match(r'<scene-trained>\s*<figure class="lesson-figure"', scene)
    assert re.search(r"It rises.</figcaption></figure>\s*</scene-trained>$", scene)
    assert "<p><scene" not in lab


def test_a_scene_that_is_not_there_stops_the_build(build_lab):
    with pytest.raises(PageError, match=r"docs/labs/lab.md:7: expected the scene scenes/bolt.js"):
        build_lab(alt="A line.", scene="bolt")


def test_an_ampersand_of_the_prose_may_come_escaped(page, convert):
    page("---\njupyter: x\n---\n\nPascanu & Bengio, [a](lab.md?b=1&c=2).\n", "docs/labs/lab.md")
    prose = "Pascanu &amp; Bengio, [a](lab.md?b=1&amp;c=2)."  # as mkdocs-jupyter hands it on
    text = f'<div class="lesson-lab" markdown="1">\n<div markdown="1">\n\n{prose}\n\n</div>\n</div>'
    built = convert(text)
    assert "Pascanu &amp; Bengio" in built
    assert 'href="lab.md?b=1&amp;c=2"' in built


def test_prose_is_that_of_a_page(build_lab):
    lab = build_lab("An RNN has $h_t$ and 0.5<!-- = 1 / 2 -->.\n\n!!! note\n\n    Here.", alt="A.")
    assert "<abbr" in lab
    assert "<math>" in lab
    assert "and 0.5.</p>" in lab
    assert '<div class="admonition note">' in lab
    assert "style sheet" not in lab


PRINT = "print(1)\n#> 2"


@pytest.mark.parametrize(
    ("cell", "line", "error"),
    [
        ({}, 7, 'expected alt="what the figure shows", got no alt text'),
        ({"alt": "A.", "caption": "To 3<!-- = 1 + 1 -->."}, 7, "expected 3 = 1 + 1, got 2"),
        ({"code": PRINT}, 9, "expected output '2', got '1'"),
        ({"code": "x = 1", "skip": "slow"}, 8, "expected no skip in a lab, got a cell that ran"),
        ({"code": "x = 1", "titel": "x"}, 7, "expected the option title"),
        ({"alt": "A.", "prose": "So 3<!-- = 2 -->."}, 5, "expected 3 = 2, got 2"),
        ({"alt": "A.", "prose": "A\n\n    x = 1"}, 7, "expected code in a fence, got indented"),
        ({"alt": "A.", "prose": "> ```python\n> x = 1\n> ```"}, 6, "expected a block as a cell"),
        ({"alt": "A.", "prose": "A\n\n```py\nx = 1\n```"}, 7, "expected ```python as the whole"),
        ({"alt": "A.", "prose": "A.<!-- a remark -->"}, 5, "expected a claim as the only comment"),
        ({"alt": "A.", "prose": "So $a^{$."}, 5, "expected TeX in 'a^{', got"),
    ],
)
def test_a_mistake_in_a_lab_stops_the_build(build_lab, cell, line, error):
    with pytest.raises(PageError) as caught:
        build_lab(**cell)
    assert str(caught.value).startswith(f"\ndocs/labs/lab.md:{line}: {error}")


def test_text_in_the_lab_template_that_is_no_lab_stops_the_build(page, convert):
    page("# A page")
    text = '<div class="lesson-lab" markdown="1">\n<div markdown="1">\n\nNone.\n\n</div>\n</div>'
    with pytest.raises(PageError, match="expected a lab in docs/"):
        convert(text)
