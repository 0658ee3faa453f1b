"""A block in the built page: its code, its figure, and what stops the build."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from markdown import Markdown
from mkdocs.exceptions import Abort

from lesson20.site import fence
from lesson20.site.errors import PageError
from lesson20.site.fence import find_page
from lesson20.site.hooks import on_build_error
from lesson20.site.pages import parse

FIGURE = """\
```python {info}
import matplotlib.pyplot as plt
plt.plot([1, 2])
```
"""
INFO = 'alt="A line, \'up\' & <away>." caption="It rises & <stays>."'


def test_a_figure_stands_below_its_block(build):
    built = build("# Title\n\n" + FIGURE.format(info=INFO) + "\nText.\n")
    code, figure = built.index('class="highlight"'), built.index("<figure")
    assert code < figure < built.index("<p>Text.")
    [svg] = re.findall(r"<svg.*</svg>", built)
    assert ET.fromstring(svg).get("aria-label") == "A line, 'up' & <away>."
    assert ET.fromstring(svg).get("role") == "img"
    assert "<figcaption>It rises &amp; &lt;stays&gt;.</figcaption></figure>" in built


def test_a_figure_needs_no_caption(build):
    assert "figcaption" not in build(FIGURE.format(info='alt="A line."'))


def test_two_equal_figures_share_no_id(build):
    built = build(FIGURE.format(info=INFO) + "\n" + FIGURE.format(info=INFO))
    ids = re.findall(r'\bid="([^"]*)"', built)
    assert len(ids) > 2
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (FIGURE.format(info=""), 'docs/page.md:1: expected alt="what the figure shows"'),
        (FIGURE.format(info='caption="x"'), 'docs/page.md:1: expected alt="what the figure shows"'),
        ('```python alt="x"\nx = 1\n```\n', "docs/page.md:1: expected one figure, got 0"),
        ('```python caption="x"\nx = 1\n```\n', "docs/page.md:1: expected one figure, got 0"),
        (
            FIGURE.format(info=INFO).replace("plt.plot", "plt.plot([1])\nplt.figure()\nplt.plot"),
            "docs/page.md:1: expected one figure, got 2",
        ),
        # found only when the figure is drawn, after its last line ran
        (
            FIGURE.format(info=INFO).replace("[1, 2])", "[1, 2]); plt.title(r'$\\frac{$')"),
            "docs/page.md:3: expected no exception, got ValueError",
        ),
        (
            FIGURE.format(info=INFO).replace("[1, 2])", "[1, 2]); plt.title('\u6f22')"),
            "docs/page.md:3: expected no exception, got UserWarning: Glyph",
        ),
    ],
)
def test_a_figure_that_is_not_as_the_page_says(wrong, broken, text, error):
    assert wrong(text).startswith(error)
    assert broken(text).startswith(error)


def test_fold_hides_the_code_and_not_the_figure(build):
    built = build(FIGURE.format(info=INFO + ' fold="How & why"'))
    assert '<details class="lesson-fold"><summary>How &amp; why</summary><div ' in built
    assert built.index("</details>") < built.index("<figure")


def test_a_scene_is_an_element_around_the_figure(page, build):
    page("export {};", "docs/scenes/belt.js")
    built = build(FIGURE.format(info=INFO + ' fold="How" scene="belt"'))
    [scene] = re.findall(r"<scene-belt>.*</scene-belt>", built, re.DOTALL)
    assert scene.startswith('<scene-belt><figure class="lesson-figure"')
    assert scene.endswith("</figure></scene-belt>")
    assert built.index("</details>") < built.index("<scene-belt>")


def test_a_scene_that_is_not_there_stops_the_build(wrong, broken):
    text = FIGURE.format(info=INFO + ' scene="bolt"')
    error = "docs/page.md:1: expected the scene scenes/bolt.js, got no such file"
    assert wrong(text) == error
    assert broken(text) == error


def test_title_stands_above_the_code(build):
    built = build('```python title="a <b>.py"\nx = 1\n```\n')
    assert '<span class="filename">a &lt;b&gt;.py</span><pre>' in built


def test_skip_shows_its_reason_and_does_not_run(build, run):
    text = '```python skip="needs <b>"\nthis is no Python\n#> 1\n```\n\n1<!-- = 1 -->\n'
    assert '<p class="lesson-skip">Not run: needs &lt;b&gt;</p>' in build(text)
    assert run(text).keys() <= {"__name__", "__builtins__"}


def test_the_page_shows_the_very_code_that_ran(build):
    built = build(
        '!!! note\n\n    ```python\n    if True:\n\n        s = "<b> &amp; \\t"\n    ```\n'
    )
    [code] = re.findall(r"<code\b[^>]*>(.*?)</code>", built, re.DOTALL)
    text = ET.fromstring(f"<code>{code}</code>")
    assert "".join(text.itertext()) == 'if True:\n\n    s = "<b> &amp; \\t"\n'


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("text\n\n```python\n1 / 0\n```\n", "docs/page.md:4: expected no exception"),
        ("---\ntitle: x\n---\n\n```python\n1 / 0\n```\n", "docs/page.md:6: expected no exc"),
        ("```python\nprint(1)\n#> 2\n```\n", "docs/page.md:3: expected output '2', got '1'"),
        ("```python\nx = (\n```\n", "docs/page.md:2: expected Python, got SyntaxError"),
        ('```python titel="x"\n```\n', "docs/page.md:1: expected the option title, got 'titel'"),
        ("```py\nx = 1\n```\n", "docs/page.md:1: expected ```python as the whole line"),
        ("```python\nx = 1\n```\n\n2<!-- = x -->\n", "docs/page.md:5: expected 2 = x, got 1"),
        ("2<!-- = x -->\n\n```python\nx = 2\n```\n", "docs/page.md:1: expected no exception"),
        ("Text.\n<!--\n```python\nx = 1\n```\n-->\n", "docs/page.md:2: expected a claim"),
        ("```lab\nx = 1\n```\n", "docs/page.md:1: expected ```python, got ```lab"),
        ("text\n\n    x = 1\n", "docs/page.md:3: expected code in a fence, got indented 'x = 1'"),
        ("- text\n\n        x = 1\n", "docs/page.md:3: expected code in a fence"),
        ("text\n\n    ```python\n    x = 1\n    ```\n", "docs/page.md:3: expected code in a fence"),
        ("text\n\n    >>> x\n    1\n", "docs/page.md:3: expected code in a fence"),
        # SuperFences takes the first fence for text, and its end for a beginning
        (
            "```sh title=x\nls\n```\n\n```python\nx = 1\n```\n",
            "docs/page.md:5: expected a fence, got one that SuperFences does not see",
        ),
        (
            "```sh title=x\n```\n\n```python\nx = 1\n```\n\n```python\nx = 2\n```\n",
            "docs/page.md:",
        ),
    ],
)
def test_a_mistake_stops_the_build(broken, text, error):
    assert broken(text).startswith(error)


@pytest.mark.parametrize("error", [PageError("docs/page.md", 1, "a", "b"), ValueError, KeyError])
def test_superfences_cannot_swallow_an_error(broken, monkeypatch, error):
    def fail(*args):
        raise error

    monkeypatch.setattr(fence, "_code", fail)
    assert broken("```python\nx = 1\n```\n").startswith("docs/page.md:1: expected a")


def test_a_block_that_superfences_makes_up_stops_the_build(broken, monkeypatch):
    monkeypatch.setattr(fence, "parse", lambda text, page: [])
    assert broken("text\n\n```python\nx = 1\n```\n") == (
        "docs/page.md:4: expected no further block, got the block 'x = 1'"
    )


def test_blocks_in_another_order_stop_the_build(broken, monkeypatch):
    monkeypatch.setattr(fence, "parse", lambda *args: parse(*args)[::-1])
    assert broken("```python\nx = 1\n```\n\n```python\ny = 2\n```\n") == (
        "docs/page.md:2: expected 'y = 2\\n', got the block 'x = 1'"
    )


def test_two_conversions_share_no_namespace(build, page, convert):
    build("```python\nx = 1\n```\n")
    with pytest.raises(PageError, match="NameError"):
        build("```python\nx\n```\n")


def test_one_converter_may_convert_page_after_page(page, config):
    md = Markdown(extensions=config.markdown_extensions, extension_configs=config.mdx_configs)
    for number in range(2):
        text = f"```python\nassert 'x' not in globals()\nx = {number}\n```\n\n{number}<!-- = x -->"
        page(text, f"docs/page{number}.md")
        assert md.reset().convert(text).endswith(f"<p>{number}</p>")


def test_a_converter_forgets_a_page_that_failed(page, config):
    md = Markdown(extensions=config.markdown_extensions, extension_configs=config.mdx_configs)
    text = page("```sh title=x\n```\n\n```python\nx = 1\n```\n").read_text()
    with pytest.raises(PageError):
        md.convert(text)
    assert md.reset().convert("A docstring.") == "<p>A docstring.</p>"


@pytest.mark.parametrize(
    "head",
    [
        "",
        "\n\n",
        "---\ntitle: x\n---\n",
        "---\ntitle: x\n---\n\n",
        "---\ntitle: x\n---\n\n\n\n",
        "---  \ntitle: x\ndescription: 'a --- b'\n---\t\n\n",
        "\ufeff---\ntitle: x\n---\n\n",
        "\ufeff",
    ],
)
@pytest.mark.parametrize("tail", ["", "\n", "\n\n\n", "  \n"])
def test_a_page_is_found_whatever_stands_around_its_text(broken, head, tail):
    lines = head.count("\n")
    text = head + "# Title\n\n1<!-- = 2 -->" + tail
    assert broken(text) == f"docs/page.md:{lines + 3}: expected 1 = 2, got 2"


def test_a_page_keeps_the_indentation_of_its_first_line(build):
    assert "<blockquote>" in build("  > quote\n\n1<!-- = 1 -->")
    assert build("  ```python\n  x = 1\n  ```\n")


def test_a_page_may_end_as_another_one_does(page, convert):
    whole = "---\ntitle: a\n---\n\nAbove.\n\n---\n\n```python\nx = 1\n```\n"
    page(whole, "docs/a.md")
    end = page(whole.partition("Above.\n\n---\n\n")[2], "docs/b.md").read_text()
    assert find_page(end, Path("docs")) == ("docs/b.md", end, 0)
    assert convert(end)
    assert find_page("x = 1\n```\n", Path("docs")) is None
    assert find_page("Above.", Path("docs")) is None


def test_windows_line_ends_change_nothing(build, page, convert):
    text = "# Title\n\n1<!-- = 1 -->\n\n```python\nif True:\n    print(1)\n#> 1\n```\n\nEnd.\n"
    built = build(text)
    windows = text.replace("\n", "\r\n")
    assert build(windows) == built
    assert convert(windows) == built  # an engine may hand on the bytes as they are


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Returns:\n\n```python\nx = 1\n```\n", 3),
        ("It is 1<!-- = 1 -->.", 1),
    ],
)
def test_text_of_no_page_has_nothing_that_runs(page, convert, text, line):
    page("# Another page")
    with pytest.raises(PageError) as caught:
        convert(text)
    wanted = "blocks and claims on the pages in docs/ only"
    assert str(caught.value).startswith(f"\ntext of no page:{line}: expected {wanted}, got '")


def test_text_of_no_page_may_show_code(page, convert):
    assert ">x = 1\n</code>" in convert("Shapes:\n\n    x = 1\n")
    with pytest.raises(PageError, match="text of no page:1: expected ```python as the whole line"):
        convert("```py\nx = 1\n```\n")


def test_mkdocs_shows_a_mistake_without_a_traceback():
    error = PageError("docs/page.md", 3, "a", "b")
    with pytest.raises(Abort, match=r"^docs/page.md:3: expected a, got b$"):
        on_build_error(error)
    on_build_error(ValueError("a fault of our own keeps its traceback"))
