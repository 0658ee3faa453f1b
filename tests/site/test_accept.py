"""Accept mode touches what is stale, and nothing else."""

import os

import pytest

from lesson20.site.accept import accept
from lesson20.site.errors import PageError

STALE = """\
---
title: A page
---
# A page \x20

```python alt="It rises to 3<!-- = x -->."
x = 7
print(x)
#> 3
import matplotlib.pyplot as plt
plt.plot([0, x])
plt.show()
```

It is 3<!-- = x -->, that is 0.30 × 10¹<!-- = x -->,
or 300 %<!-- = x -->, and 8,004<!-- = 1000 * x -->.

1.  In a list:

    !!! note

        ```python
        for n in range(3):
            print(n)
            #> 0
        #> 9
        if x:
            print("\\nyes")
        print()
        print("one", "two", sep="\\n")
        #> one
        #> two
        #> three
        ```

> ```python
> print(x)
>
> y = x
> ```
"""

FRESH = """\
---
title: A page
---
# A page \x20

```python alt="It rises to 7<!-- = x -->."
x = 7
print(x)
#> 7
import matplotlib.pyplot as plt
plt.plot([0, x])
plt.show()
```

It is 7<!-- = x -->, that is 7.00 × 10⁰<!-- = x -->,
or 700 %<!-- = x -->, and 7,000<!-- = 1000 * x -->.

1.  In a list:

    !!! note

        ```python
        for n in range(3):
            print(n)
            #> 0
        #> 1
        #> 2
        if x:
            print("\\nyes")
        #>
        #> yes
        print()
        #>
        print("one", "two", sep="\\n")
        #> one
        #> two
        ```

> ```python
> print(x)
> #> 7
>
> y = x
> ```
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_only_stale_outputs_and_claims_change(page, end):
    path = page(STALE.replace("\n", end))
    diff = accept(path, "docs/page.md")
    assert path.read_bytes().decode() == FRESH.replace("\n", end)
    assert "-#> 3" in diff
    assert "+#> 7" in diff


def test_a_second_run_changes_nothing(page):
    path = page(FRESH)
    before = path.stat()
    assert accept(path, "docs/page.md") == ""
    assert path.stat() == before  # not even written


def test_a_page_whose_lines_end_in_both_ways_keeps_them(page):
    path = page("```python\r\nprint(2)\r\n#> 1\r\n```\r\n\nIt is 1<!-- = 2 -->.\n")
    accept(path, "docs/page.md")
    assert path.read_bytes() == b"```python\r\nprint(2)\r\n#> 2\r\n```\r\n\nIt is 2<!-- = 2 -->.\n"


@pytest.mark.parametrize(
    ("slip", "line"),
    [
        ("```python\n1 / 0\n```", 6),
        ("```python\nprint(1, end='')\n```", 6),
        ("It is 1<!-- = float('nan') -->.", 5),
        ("It is 1<!-- = no_such_name -->.", 5),
        ('```python titel="x"\n```', 5),
    ],
)
def test_a_page_that_raises_is_left_alone(page, slip, line):
    text = f"```python\nprint(2)\n#> 1\n```\n{slip}\n"
    path = page(text)
    with pytest.raises(PageError, match=rf"docs/page\.md:{line}: "):
        accept(path, "docs/page.md")
    assert path.read_text() == text


def test_an_output_that_would_break_the_page_is_refused(page):
    text = "```python\nprint('x\\r```')\n#> 1\n```\n"
    path = page(text)
    with pytest.raises(PageError):
        accept(path, "docs/page.md")
    assert path.read_text() == text


def test_an_interrupted_run_leaves_the_old_file_whole(page, monkeypatch):
    path = page(STALE)

    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)  # after writing, before the file is replaced
    with pytest.raises(KeyboardInterrupt):
        accept(path, "docs/page.md")
    assert path.read_text() == STALE
    assert [child.name for child in path.parent.iterdir() if child.is_file()] == ["page.md"]


def test_the_rights_of_the_file_stay(page):
    path = page(STALE)
    path.chmod(0o640)
    accept(path, "docs/page.md")
    assert path.stat().st_mode & 0o777 == 0o640
