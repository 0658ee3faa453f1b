"""Every Python fence of a page is a block, or an error."""

import pytest

from lesson20.site.blocks import Block
from lesson20.site.claims import Claim
from lesson20.site.errors import PageError
from lesson20.site.fences import find_fences
from lesson20.site.pages import parse, without_comments


def blocks(text):
    return [item for item in parse(text, "docs/page.md") if isinstance(item, Block)]


@pytest.mark.parametrize(
    "fence",
    [
        "```py",
        "```python3",
        "```Python",
        "```PYTHON",
        "```ipython",
        "```pycon",
        "```numpy",
        "```.python",
        "```#!python",
        "```{.python}",
        "``` {.python}",
        "```{ .python }",
        "```{#name .python}",
        "```{python}",
        "``` python",
        "```\tpython",
        "```python,",
        "```python:file.py",
        "```python{1}",
        "```python\u00a0title='x'",
        "~~~python",
        "~~~~ py",
        "- ```python",
        "* ```python",
        "1. ```python",
        "12) ```python",
        "- 1. ```python",
        "[^1]: ```python",
        ":   ```python",
        "\ufeff```python",
        "\u2028```python",
        "Text ```python",
        "- [ ] ```python",
        "<div>```python",
    ],
)
@pytest.mark.parametrize("prefix", ["", "    ", "> ", "    > ", "            "])
def test_a_python_fence_that_would_not_run(prefix, fence):
    end = "~" * fence.count("~") or "```"
    text = f"# Title\n\n{prefix}{fence}\n{prefix}x = 1\n{prefix}{end}\n"
    with pytest.raises(PageError) as caught:
        parse(text, "docs/page.md")
    wanted = "```python as the whole line but for options, closed at the same indentation"
    came = f"{(prefix + fence).strip()!r}, which would not run"
    assert str(caught.value) == f"\ndocs/page.md:3: expected {wanted}, got {came}"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("```python\nx = 1\n", 1),
        ("```python\nx = 1", 1),
        ("```python", 1),
        ("```python\nx = 1\n ```\n", 1),
        ("  ```python\n  x = 1\n```\n", 1),
        ("```python\nx = 1\n````\n", 1),
        ("````python\nx = 1\n```\n", 1),
        ("```python\nx = 1\n~~~\n", 1),
        ("```python\nx = 1\n``` text\n", 1),
        ("```python\nx = 1\n```\u00a0\n", 1),
        ("> ```python\n> x = 1\n\n> ```\n", 1),
        ("> ```python\nx = 1\n> ```\n", 1),
        ("> ```python\n>x = 1\n> ```\n", 1),
        ("> > ```python\n> > x = 1\n> ```\n", 1),
        ("    ```python\nx = 1\n    ```\n", 1),
        ("    ```python\n\tx = 1\n    ```\n", 1),
        ("```text\nnobody closes this\n\n```python\nx = 1\n```\n", 4),
        ("````text\nnobody closes this\n\n```python\nx = 1\n```\n", 4),
        ("~~~text\nnobody closes this\n\n```python\nx = 1\n```\n\n~~~text\n~~~\n", 4),
        ("```python\nx = 1\n\n```python\ny = 1\n```\n", 4),
        ('```sh title="a `b`"\nls\n```\n\n```python\nx = 1\n```\n', 5),
    ],
)
def test_a_python_fence_that_is_not_closed(text, line):
    with pytest.raises(PageError, match=rf"docs/page.md:{line}: expected ```python as the whole"):
        parse(text, "docs/page.md")


@pytest.mark.parametrize("fence", ["```", "~~~", "    ```", "> ````", "``` "])
def test_a_fence_without_a_language(fence):
    text = f"text\n\n{fence}\n{fence}\n"
    with pytest.raises(PageError, match=r"page.md:3: expected a fence's language"):
        parse(text, "docs/page.md")


@pytest.mark.parametrize(
    "text",
    [
        "````markdown\n```python\nx = 1\n```\n````\n",
        "````markdown\n```py\nx = 1\n```\n````\n",
        "`````markdown\n````python\nx = 1\n````\n\n```python\n`````\n",
        "~~~~markdown\n```python\nx = 1\n```\n~~~~\n",
        "> ````markdown\n> ```python\n> x = 1\n> ```\n> ````\n",
        "```text\nx = 1\n```\n",
        "Write ```` ```python ```` above it.\n",
        "Write `` `python` `` or ~~python~~.\n",
        "Python, ``python`` and `py`.\n",
    ],
)
def test_a_fence_that_is_only_shown_is_no_block(text):
    assert parse(text, "docs/page.md") == []


@pytest.mark.parametrize(
    "prefix", ["", "    ", " ", "> ", ">", "> > ", "    > ", ">     ", "\t", "> \t"]
)
def test_a_block_is_found_in_any_container(prefix):
    code = "if True:\n\n    x = 'ü'\n\n\ny = 1\n"
    lines = ["```python", *code.split("\n")[:-1], "```"]
    text = "text\n\n" + "\n".join((prefix + line).rstrip() for line in lines) + "\n\ntext"
    [block] = blocks(text)
    assert (block.line, block.source, block.prefix) == (3, code, prefix)
    assert text[block.start : block.end].split("\n") == text.split("\n")[2:-2]


def test_a_tab_within_a_block_is_refused():
    with pytest.raises(PageError, match=r"docs/page.md:4: expected spaces in a block, got a tab"):
        parse("text\n\n```python\nx =\t1\n```\n", "docs/page.md")


def test_a_longer_fence_may_hold_a_shorter_one_as_text():
    [block] = blocks('````python\ntext = """\n```text\n```\n"""\n````\n')
    assert block.source == 'text = """\n```text\n```\n"""\n'
    with pytest.raises(PageError, match=r"docs/page.md:3"):
        parse('```python\ntext = """\n  ```python\n"""\n```\n', "docs/page.md")


def test_only_a_newline_ends_a_line():
    [block] = blocks("a\u2028b\x0cc\x85d\n```python\nx = 'a\u2028b'\n```\n")
    assert (block.line, block.source) == (2, "x = 'a\u2028b'\n")


def test_blocks_and_claims_come_in_page_order():
    text = "1<!-- = 1 -->\n\n```python\nx = 1\n```\n\n2<!-- = 2 -->\n\n```python\n```\n"
    items = parse(text, "docs/page.md")
    assert [type(item) for item in items] == [Claim, Block, Claim, Block]
    assert [item.line for item in items] == [1, 3, 7, 9]
    assert all(text[item.start :].startswith(("1<!", "2<!", "```python")) for item in items)
    assert without_comments(text, items) == text.replace("<!-- = 1 -->", "").replace(
        "<!-- = 2 -->", ""
    )


@pytest.mark.parametrize("inside", ["title: 1<!-- = 1 -->", "a: |\n\n  ```python\n  ```"])
def test_front_matter_holds_neither_blocks_nor_claims(inside):
    with pytest.raises(PageError, match="expected no block or claim in the front matter"):
        parse(f"---\n{inside}\n---\n\n2<!-- = 2 -->\n", "docs/page.md")
    assert parse("---\ntitle: 1\n---\n\n2<!-- = 2 -->\n", "docs/page.md")
    assert parse("# Title\n\n---\n\n2<!-- = 2 -->\n\n---\n", "docs/page.md")


def test_fences_know_what_they_span():
    text = "a\n\n> ```text x\n> b\n>\n> ```\n\n~~~sh\n~~~ \n```left"
    first, second = find_fences(text)
    assert (first.line, first.last, first.marks, first.info) == (3, 6, "```", "text x")
    assert (first.body, first.prefix) == (["b", ""], "> ")
    assert (second.line, second.last, second.marks, second.body) == (8, 9, "~~~", [])
    assert text[second.start : second.end] == "~~~sh\n~~~ "
