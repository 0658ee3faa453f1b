"""A page to take away: what stands in its notebook and in its script."""

import json

import pytest

from lesson20.site.download import WHEEL, notebook, offer, write

PAGE = """\
---
title: A page
---

# A page

About 0.5<!-- = 1 / 2 -->, [the LSTM](lstm.md#gates) and [a setting](lstm.md?belt-f=1#gates).

```python fold="How" alt="None: 1<!-- = 1 -->."
x = 1
print(x)
#> 1
```

??? example "In class"

    - [One](blame.md)

    Two.

After.

```python skip="no GPU"
import torch
```

[Elsewhere](https://example.org/a.md) and `[code](x.md)`.
"""


def cells(address="", page="docs/page.md", text=PAGE):
    made = notebook(text, page, address)
    return [(cell["cell_type"], cell["source"]) for cell in made["cells"]]


def test_prose_and_blocks_are_cells_in_their_order():
    found = cells()
    assert [kind for kind, _ in found] == ["markdown", "code", "markdown", "markdown", "markdown"]
    assert found[0][1].startswith("# A page\n\nAbout 0.5, the LSTM and")
    assert found[1][1] == "x = 1\nprint(x)\n#> 1"
    assert found[3][1].endswith("Not run: no GPU")
    assert "<!--" not in json.dumps(found)
    assert "title: A page" not in json.dumps(found)


def test_an_admonition_is_a_quote():
    text = '# T\n\n!!! note "In class"\n\n    - [One](a.md)\n\n    Two.\n\nAfter.\n'
    assert cells(text=text)[0][1] == "# T\n\n> **In class**\n>\n> - One\n>\n> Two.\n\nAfter."


def test_a_fold_stays_folded():
    fold = "<details><summary>In class</summary>\n\n- One\n\nTwo.\n\n</details>"
    assert cells()[2][1] == f"{fold}\n\nAfter."


@pytest.mark.parametrize("mark", ["???", "!!!"])
def test_an_admonition_goes_on_behind_a_block(mark):
    block = "    ```python\n    x = {}\n    ```\n\n"
    text = f'# T\n\n{mark} tip "At once"\n\n{block.format(0)}After.\n\n'
    text += f"{mark} tip\n\n    A.\n\n{block.format(1)}    B.\n\n{block.format(2)}"
    text += f"    C,\n    D.\n\nAfter.\n\n{block.format(3)}E.\n"
    found = cells(text=text)
    if mark == "???":
        opened, closed = "<details><summary>More</summary>\n\n", "\n\n</details>"
        quoted = "C,\nD."
    else:
        opened, closed, quoted = "> ", "", "C,\n> D."
    assert found == [
        ("markdown", "# T\n\n**At once**"),
        ("code", "x = 0"),
        ("markdown", f"After.\n\n{opened}A.{closed}"),
        ("code", "x = 1"),
        ("markdown", f"{opened}B.{closed}"),
        ("code", "x = 2"),
        ("markdown", f"{opened}{quoted}{closed}\n\nAfter."),
        ("code", "x = 3"),
        ("markdown", "E."),
    ]
    hidden = [bool(cell["metadata"]) for cell in notebook(text, "docs/page.md")["cells"]]
    assert [n for n, it in enumerate(hidden) if it] == ([1, 3, 5] if mark == "???" else [])


def test_both_front_matters_of_a_lab_are_left_out():
    [(kind, text), *_] = cells(text="---\njupyter: x\n---\n\n---\ntitle: y\n---\n\n# Z\n")
    assert (kind, text) == ("markdown", "# Z")


@pytest.mark.parametrize(
    ("page", "address", "link", "url"),
    [
        ("docs/page.md", "https://l.example/page/", "lstm.md#a", "https://l.example/lstm/#a"),
        ("docs/page.md", "https://l.example/page/", "lstm.md?b=1#a", "https://l.example/lstm/?b=1#a"),
        ("docs/page.md", "https://l.example/page/", "index.md", "https://l.example/"),
        ("docs/page.md", "https://l.example/page/", "reference/api.md", "https://l.example/reference/api/"),
        ("docs/index.md", "https://l.example/s/", "lstm.md", "https://l.example/s/lstm/"),
        ("docs/labs/a.md", "https://l.example/labs/a/", "../blame.md#x", "https://l.example/blame/#x"),
        ("docs/labs/index.md", "https://l.example/labs/", "a.md", "https://l.example/labs/a/"),
        ("docs/page.md", "https://l.example/page/", "https://b.example/c.md", "https://b.example/c.md"),
        ("docs/page.md", "", "https://b.example/c.md", "https://b.example/c.md"),
    ],
)  # fmt: skip
def test_links_lead_to_the_site(page, address, link, url):
    assert cells(address, page, f"# T\n\n[a]({link})\n") == [("markdown", f"# T\n\n[a]({url})")]


def test_without_an_address_links_are_text():
    assert "the LSTM and a setting" in cells()[0][1]
    assert "[Elsewhere](https://example.org/a.md) and `[code](x.md)`." in cells()[-1][1]


def test_the_same_page_gives_the_same_bytes():
    for kind in ("ipynb", "py"):
        assert write(notebook(PAGE, "docs/page.md"), kind) == write(
            notebook(PAGE, "docs/page.md"), kind
        )


def test_the_script_has_prose_as_comments_and_runs():
    text = write(notebook(PAGE, "docs/page.md"), "py")
    assert "# %% [markdown]\n# # A page\n" in text
    assert "\n# <details><summary>In class</summary>\n" in text
    namespace = {}
    exec(compile(text, "page.py", "exec"), namespace)
    assert namespace["x"] == 1


@pytest.mark.parametrize(
    ("site", "wanted"),
    [
        ("https://example.org/20/", f"lesson20[figures] @ https://example.org/20/{WHEEL}"),
        ("", f"./{WHEEL}[figures]"),
    ],
)
def test_the_command_installs_the_package_from_the_site_or_after_a_download(site, wanted):
    html = offer({"blame.py": "Python script"}, "../package.whl", site)
    assert f"<code>pip install &quot;{wanted}&quot;</code>" in html
    assert '<a href="../package.whl" download>' in html
