"""What a block needs from the blocks before it: all of that, and nothing else."""

import pytest

from lesson20.site.alone import alone
from lesson20.site.blocks import Block
from lesson20.site.pages import parse

# Each case: the blocks of a page, and what must stand above the last one.
CASES = {
    "nothing": (["x = 1", "y = 2"], ""),
    "a value": (["x = 1\ny = 2", "print(y)"], "y = 2"),
    "a value of a value": (["x = 1\ny = x", "print(y)"], "x = 1\ny = x"),
    "the last value alone": (["x = 1\nx = 2", "print(x)"], "x = 2"),
    "not what the block binds itself": (["x = 1", "x = 3\nprint(x)"], ""),
    "but what it adds to": (["x = 1", "x += 1"], "x = 1"),
    "the part of an import": (
        ["from math import pi, tau, e", "print(tau)"],
        "from math import tau",
    ),
    "an import by its new name": (["import os as o, re as r", "r.escape('')"], "import re as r"),
    "an import by its first name": (["import os.path", "os.path.join()"], "import os.path"),
    "a function with what it reads": (
        ["k = 2\nm = 3\n\n\ndef f(x):\n    return k * x", "print(f(1))"],
        "k = 2\n\n\ndef f(x):\n    return k * x",
    ),
    "what a function reads when it is called": (
        ["k = 1\n\n\ndef f():\n    return k", "k = 2", "print(f())"],
        "def f():\n    return k\n\n\nk = 2",
    ),
    "also where it has no name": (
        ["k = 1\nf = lambda: k\nk = 2", "print(f())"],
        "k = 1\nf = lambda: k\nk = 2",
    ),
    "what a default reads at once": (
        ["k = 1\n\n\ndef f(x=k):\n    return x", "print(f())"],
        "k = 1\n\n\ndef f(x=k):\n    return x",
    ),
    "a function of a function": (
        ["def f():\n    return 1", "def g():\n    return f()", "print(g())"],
        "def f():\n    return 1\n\n\ndef g():\n    return f()",
    ),
    "a decorated class": (
        ["import d\n\n\n@d.mark\nclass A:\n    pass", "A()"],
        "import d\n\n\n@d.mark\nclass A:\n    pass",
    ),
    "not a function's own names": (["x = 1", "def f(x):\n    return x"], ""),
    "not a comprehension's variable": (["x = 1", "print([x for x in range(3)])"], ""),
    "nor one of a loop": (["x = 1", "for x in range(3):\n    print(x)"], ""),
    "but what the loop goes over": (["x = [1]", "for x in x:\n    print(x)"], "x = [1]"),
    "what a loop adds to": (["s = 0", "for x in range(3):\n    s = s + x"], "s = 0"),
    "what a loop may leave as it was": (
        ["s = 0\nfor x in []:\n    s = 1", "print(s)"],
        "s = 0\nfor x in []:\n    s = 1",
    ),
    "what one branch leaves as it was": (
        ["s = 0\nif s:\n    s = 1", "print(s)"],
        "s = 0\nif s:\n    s = 1",
    ),
    "what both branches replace": (
        ["s = 0\nif True:\n    s = 1\nelse:\n    s = 2", "print(s)"],
        "if True:\n    s = 1\nelse:\n    s = 2",
    ),
    "what a context binds": (["f = 1\nx = 2", "with open(x) as f:\n    print(f)"], "x = 2"),
    "a changed entry": (["x = [1]\nx[0] = 2\nx[0]", "print(x)"], "x = [1]\nx[0] = 2"),
    "a changed attribute": (["a = A()\na.b.c = 2", "print(a)"], "a = A()\na.b.c = 2"),
    "a method called for its effect": (["x = []\nx.append(1)", "print(x)"], "x = []\nx.append(1)"),
    "not a module's function": (["import m\nm.show()", "m.show()"], "import m"),
    "all that a generator gave": (
        ["rng = default_rng(1)\na = rng.normal()\nb = 2", "print(rng.normal())"],
        "rng = default_rng(1)\na = rng.normal()",
    ),
    "also through a function": (
        ["r = np.default_rng(1)\n\n\ndef f():\n    return r.normal()\n\n\nf()", "print(r)"],
        "r = np.default_rng(1)\n\n\ndef f():\n    return r.normal()\n\n\nf()",
    ),
    "what it prints": (
        ["for y in [1]:\n    print(y)\n#> 1", "print(y)"],
        "for y in [1]:\n    print(y)\n#> 1",
    ),
    "nothing of a block that is not run": (["x = 1", "!x = 2", "print(x)"], "x = 1"),
    "a comment on the line": (["x = 1  # one", "print(x)"], "x = 1  # one"),
}


def blocks(codes):
    fences = [
        f"```python{' skip="no"' * code.startswith('!')}\n{code.lstrip('!')}\n```\n"
        for code in codes
    ]
    return [item for item in parse("\n".join(fences), "docs/page.md") if isinstance(item, Block)]


@pytest.mark.parametrize("name", CASES)
def test_a_block_comes_with(name):
    codes, above = CASES[name]
    *earlier, last = blocks(codes)
    assert alone(last, earlier).removesuffix(last.source).rstrip("\n") == above


def test_a_block_that_is_not_run_needs_others_like_it_too():
    *earlier, last = blocks(["x = 1", "!import torch", "!torch.ones(x)"])
    assert alone(last, earlier) == "x = 1\n\nimport torch\n\ntorch.ones(x)\n"


def test_a_block_that_is_no_python_comes_as_it_stands():
    *earlier, last = blocks(["x = 1", "!for in x"])
    assert alone(last, earlier) == "for in x\n"


def test_blank_lines_are_where_python_has_them():
    *earlier, last = blocks(["import a\n\nx = a\n\n\ndef f():\n    return x", "print(f())"])
    expected = "import a\n\nx = a\n\n\ndef f():\n    return x\n\n\nprint(f())\n"
    assert alone(last, earlier) == expected
