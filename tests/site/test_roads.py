"""The tests and the built page see the same blocks, and no block is seen by neither."""

import copy
import re
from pathlib import Path

import pytest
from mkdocs.utils.meta import get_data
from sybil.document import Document

from lesson20.site import fence
from lesson20.site.blocks import Block
from lesson20.site.claims import Claim
from lesson20.site.examples import blocks_and_claims

ROOT = Path(__file__).parents[2]
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("docs/**/*.md"))
NASTY = '''\
---
title: Fences in every corner
---

# Fences

0.5<!-- = 1 / 2 -->

```python title="the plain one"
text = """
  trailing blanks\x20\x20\x20
\x20\x20\x20
  an odd separator: \u2028
"""
```

!!! note "In an admonition"

    ```python
    if True:

        x = 1

    print(x)
    #> 1
    ```

    === "In a tab"

        1. In a list

            ```python
            x = 2
            ```

            - In a list in a list

                ```python fold="Show"
                x = 3
                ```

    === "In another"

        > In a quote
        >
        > ```python
        > x = 4
        >
        > x = 5
        > ```
        >
        > > In a quote in a quote 5<!-- = x -->
        > >
        > > ```python skip="it is long"
        > > x = (
        > > ```

Term
:   In a definition

    ```python
    x = 6
    ```

A note.[^1]

[^1]: In a footnote

    ```python
    x = 7
    ```

<div markdown="1">

```python
x = 8
```

</div>

- With little indentation
  ```python
  x = 9
  ```

````markdown
```python
this = "text"
```
````

> ~~~~text
> ```python
> this = "text"
> ```
> ~~~~

````python
text = """
```text
```
"""
````

```python
```
```python
# right below another one
```

9<!-- = x -->
'''


def seen_by_the_tests(path):
    """Page, line and source of each block that Sybil hands to pytest."""
    document = Document.parse(str(path.resolve()), blocks_and_claims)
    items = [example.parsed for example in document]
    return [(item.page, item.line, item.source) for item in items if isinstance(item, Block)]


def seen_by_superfences(path, convert, config, monkeypatch):
    """Page, line and source of each block that SuperFences asks our formatter for."""
    seen = []

    def record(source, language, css_class, options, md, **kwargs):
        reader = md.preprocessors["lesson20"]
        seen.append((reader.page, reader.pending[0][0].line, source))
        return fence.render(source, language, css_class, options, md, **kwargs)

    recording = copy.deepcopy(config.mdx_configs)
    recording["pymdownx.superfences"]["custom_fences"][0]["format"] = record
    monkeypatch.setattr(Block, "check", lambda *args: "")  # other tests run the blocks
    monkeypatch.setattr(Claim, "check", lambda *args: None)
    convert(get_data(path.read_text(encoding="utf-8-sig"))[0], recording)
    return seen


def seen_by_a_child(path):
    """Page and line of each line that opens a block, found without any of our code."""
    longer = None
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").split("\n"), 1):
        mark = re.match(r"[> ]*(````+|~~~~+)(.*)", line)
        if longer is None and re.match(r"[> ]*```+python\b", line):
            yield path.as_posix(), number
        elif mark and longer is None and mark[2]:
            longer = mark[1]
        elif mark and mark[1] == longer:
            longer = None


def trimmed(blocks):
    """Without blanks at line ends, which Markdown drops and the built page keeps."""
    return [
        (page, line, [code.rstrip() for code in source.rstrip().split("\n")])
        for page, line, source in blocks
    ]


@pytest.mark.parametrize("name", [name for name in PAGES if "/labs/" not in name])
def test_both_roads_see_the_same_blocks_of_a_page(name, convert, config, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert_same(Path(name), convert, config, monkeypatch)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_both_roads_see_the_same_blocks_in_every_corner(
    newline, page, convert, config, monkeypatch
):
    path = page(NASTY.replace("\n", newline))
    assert len(assert_same(path, convert, config, monkeypatch)) == 13


def assert_same(path, convert, config, monkeypatch):
    tested = seen_by_the_tests(path)
    built = seen_by_superfences(path, convert, config, monkeypatch)
    assert trimmed(tested) == trimmed(built)
    assert [block[:2] for block in tested] == list(seen_by_a_child(path))
    return tested


def test_every_corner_is_right_in_the_tests_and_in_the_page(run, build):
    run(NASTY)
    assert build(NASTY).count('class="highlight"') == 15  # and two that only show a fence


def test_all_pages_are_tested_and_labs_are_pages(pytestconfig):
    assert "docs/index.md" in PAGES
    assert "docs" in pytestconfig.getini("testpaths")
    assert "README.md" in pytestconfig.getini("testpaths")


def test_the_tests_report_what_is_wrong_with_an_example(page):
    path = page("1<!-- = 2 -->\n\n```python\nprint(1)\n#> 2\n```\n\n```python\nx = 1\n```\n")
    claim, wrong, right = Document.parse(str(path.resolve()), blocks_and_claims)
    for example, error in [
        (claim, "docs/page.md:1: expected 1 = 2, got 2"),
        (wrong, "docs/page.md:5: expected output '2', got '1'"),
    ]:
        with pytest.raises(AssertionError, match=re.escape(error)):
            example.evaluate()
    right.evaluate()
    assert right.namespace["x"] == 1
    assert (claim.line, wrong.line, right.line) == (1, 3, 8)


def test_the_tests_may_start_in_another_folder(page, monkeypatch):
    path = page("```python\n1 / 0\n```\n").resolve()
    Path("elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    [example] = Document.parse(str(path), blocks_and_claims)
    with pytest.raises(AssertionError, match=r"\.\./docs/page\.md:2: expected no exception"):
        example.evaluate()
