"""A link leads somewhere, and a dead one is named with its line."""

import re

import pytest

TARGET = """\
# Target

## What it says, and *what* not

```python
# ## No heading
```

## Named { #by-hand }
"""


@pytest.fixture
def linked(page, run):
    """Run a page of one line, beside others that it may link to."""
    page(TARGET, "docs/target.md")
    page("x", "docs/assets/picture.svg")
    page("# API\n\n::: lesson20.rnn\n", "docs/reference/api.md")
    return run


@pytest.mark.parametrize(
    "link",
    [
        "[a](target.md)",
        "[a\nb](target.md)",
        "[a](target.md#what-it-says-and-what-not)",
        "[a](target.md#by-hand)",
        "[a](target.md?belt-f=0.6&belt-i=0.8#by-hand)",
        "[a](reference/api.md#lesson20.rnn)",  # MkDocs checks these: docstrings have them
        "[a](https://example.org/x) and <https://example.org>",
        "![a picture](assets/picture.svg)",
        '[a](target.md "A title")',
        "[a][b]\n\n[b]: target.md",
        "`[a](nowhere.md)`",
        "```text\n[a](nowhere.md)\n```",
        "A word[^1].\n\n[^1]: A footnote.",
        "Prose with (brackets) and [more].",
    ],
)
def test_a_link_that_leads_somewhere(linked, link):
    linked(f"# Page\n\n{link}\n")


@pytest.mark.parametrize(
    ("link", "error"),
    [
        ("[a](nowhere.md)", "3: expected a file, got 'nowhere.md', which is not there"),
        ("[a](targe.md)", "3: expected a file, got 'targe.md', .*did you mean 'target.md'"),
        ("x\n\n[a](target.md#nothing)", "5: expected a heading of target.md, got '#nothing'"),
        ("[a](target.md#by-hant)", r"3: .*did you mean '#by-hand'"),
        ("[a](target.md#no-heading)", "3: expected a heading"),
        ("[a](#nothing)", "3: expected a heading of page.md"),
        ("[a](/target.md)", "3: expected a file"),
        ("[a](assets)", "3: expected a file"),
        ("![a](assets/no.svg)", "3: expected a file, got 'assets/no.svg'"),
        ("![](assets/picture.svg)", "3: expected .*what the image shows.*, got no alt text"),
        ("[a][b]\n\n[b]: nowhere.md", "5: expected a file"),
        ("[a](nowhere.md?belt-f=1#by-hand)", "3: expected a file, got 'nowhere.md'"),
        ("[a](target.md?belt-f=1#no-heading)", "3: expected a heading"),
        ("- > [a](nowhere.md)", "3: expected a file"),
    ],
)
def test_a_dead_link_is_named(linked, wrong, page, link, error):
    text = f"# Page\n\n{link}\n"
    page(text)
    assert re.match(rf"docs/page\.md:{error}", wrong(text))
