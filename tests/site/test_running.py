"""A block that fails names its line, and nothing but names outlives a block."""

import runpy
import sys
import threading

import matplotlib as mpl
import pytest

from lesson20.site import running


@pytest.mark.parametrize(
    ("text", "line", "raised"),
    [
        ("```python\nx = 1\ny = x / 0\n```", 3, "ZeroDivisionError: division by zero"),
        ("```python\nassert 1 > 2, 'no'\n```", 2, "AssertionError: no"),
        ("```python\nif True:\n    x = 1\n    1 / 0\n```", 4, "ZeroDivisionError"),
        (
            "```python\ndef f():\n    return 1 / 0\n```\n\n```python\nx = 1\nf()\n```",
            3,
            "ZeroDivisionError",
        ),
        ("```python\nimport json\n\njson.loads('')\n```", 4, "JSONDecodeError"),
        ("> ```python\n> x = 1\n> 1 / 0\n> ```", 3, "ZeroDivisionError"),
        ("```python\nraise ValueError('two\\nlines')\n```", 2, "ValueError: two lines"),
        ("```python\nimport sys\nsys.exit(0)\n```", 3, "SystemExit: 0"),
        ("```python\nexit()\n```", 2, "SystemExit"),
        ("```python\ninput()\n```", 2, "EOFError"),
        ("```python\nimport warnings\nwarnings.warn('old')\n```", 3, "UserWarning: old"),
        ("```python\nimport numpy as np\n\nnp.log(np.zeros(1))\n```", 4, "RuntimeWarning: divide"),
        ("text\n\n5<!-- = 1 / 0 -->", 3, "ZeroDivisionError"),
        ("```python\ndef f():\n    1 / 0\n```\n\n5<!-- = f() -->", 3, "ZeroDivisionError"),
    ],
)
def test_an_exception_names_the_line_it_came_from(wrong, text, line, raised):
    assert wrong(text).startswith(f"docs/page.md:{line}: expected no exception, got {raised}")


@pytest.mark.parametrize(
    ("code", "line", "reason"),
    [
        ("x = 1\ny = (", 3, "SyntaxError: '(' was never closed"),
        ("x = 1\nreturn x", 3, "SyntaxError: 'return' outside function"),
        ("def f():\nreturn 1", 3, "IndentationError"),
        ("x = 1\n  y = 2", 3, "IndentationError"),
        ("x = 1\nawait x", 3, "SyntaxError"),
        ("x = 1\nx is 1", 3, 'SyntaxError: "is" with'),
        (r"x = '\d'", 2, "SyntaxError: "),
        ("x = 1\nfrom __future__ import annotations", 3, "SyntaxError"),
        (">>> x = 1", 2, "SyntaxError"),
    ],
)
def test_what_is_not_python_names_its_line(wrong, code, line, reason):
    assert wrong(f"```python\n{code}\n```").startswith(
        f"docs/page.md:{line}: expected Python, got {reason}"
    )


def test_an_endless_loop_is_stopped_on_its_line(wrong):
    loop = "try:\n    while True: pass\nexcept Exception:\n    print('not caught')\n"
    assert wrong(f"```python\nx = 1\n{loop}```", time_limit=0.1) == (
        "docs/page.md:4: expected no exception, got TimeLimitExceeded: still running after 0.1 s"
    )


def test_a_time_limit_that_is_kept_leaves_no_timer_behind(run):
    before = threading.active_count()
    run("```python\nx = 1\n```", time_limit=100)
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.join(1)
    assert threading.active_count() == before


def test_a_future_import_holds_for_the_rest_of_its_block(run):
    code = "from __future__ import annotations\n\ndef f(x: undefined): ...\n"
    assert run(f"```python\n{code}```")["f"].__annotations__ == {"x": "undefined"}


def test_names_live_on_from_block_to_block_and_claim(run):
    text = "```python\nx = 2\n```\n\n2<!-- = x -->\n\n```python\ny = x + 1\n```\n\n3<!-- = y -->"
    names = run(text)
    assert (names["x"], names["y"], names["__name__"]) == (2, 3, "__main__")
    assert set(names) == {"x", "y", "__name__", "__builtins__"}


CHANGES = {
    "figures": (
        "import matplotlib.pyplot as plt\nplt.plot([1, 2])",
        "assert plt.get_fignums() == []",
    ),
    "rcParams": (
        "import matplotlib.pyplot as plt\nplt.rcParams['lines.linewidth'] = 9",
        "assert plt.rcParams['lines.linewidth'] == 1.5",
    ),
    "style": (
        "import matplotlib.pyplot as plt\nplt.style.use('dark_background')",
        "assert plt.rcParams['axes.facecolor'] == 'white'",
    ),
    "working directory": (
        "import os\nhere = os.getcwd()\nos.chdir('/')",
        "assert os.getcwd() == here",
    ),
    "environment": (
        "import os\nold = os.environ.pop('PATH')\nos.environ['LESSON'] = 'x'",
        "assert os.environ['PATH'] == old\nassert 'LESSON' not in os.environ",
    ),
    "random": (
        "import random\nrandom.seed(7)\ndrawn = random.random()\nrandom.seed(7)",
        "assert random.random() != drawn",
    ),
    "numpy.random": (
        "import numpy as np\nnp.random.seed(7)\ndrawn = np.random.rand()\nnp.random.seed(7)",
        "assert np.random.rand() != drawn",
    ),
    "warnings": (
        "import warnings\nwarnings.simplefilter('ignore')\nwarnings.warn('unseen')",
        "try:\n    warnings.warn('seen')\nexcept UserWarning:\n    print('seen')\n#> seen",
    ),
    "print": (
        "import builtins\nbuiltins.print = lambda *words: None\nbuiltins.extra = 1",
        "print('heard')\n#> heard\nassert not hasattr(builtins, 'extra')",
    ),
    "numpy errors": (
        "import numpy as np\nold = np.geterr()\nnp.seterr(all='ignore')",
        "assert np.geterr() == old",
    ),
    "numpy printing": (
        "import numpy as np\nnp.set_printoptions(precision=2)",
        "print(np.array([1 / 3]))\n#> [0.33333333]",
    ),
    "sys.stdout": (
        "import sys\nsys.stdout = None",
        "print('heard')\n#> heard\nsys.stdout.write('too\\n') and None\n#> too",
    ),
    "sys.stderr": (
        "import sys\nold, sys.stderr = sys.stderr, None",
        "assert sys.stderr is old",
    ),
    "sys.stdin": (
        "import io, sys\nsys.stdin = io.StringIO('yes\\nyes\\n')\ninput()",
        "try:\n    input()\nexcept EOFError:\n    print('nobody there')\n#> nobody there",
    ),
    "sys.argv": (
        "import sys\nold, sys.argv = sys.argv, ['x']",
        "assert sys.argv is old",
    ),
}


@pytest.mark.parametrize("in_a_thread", [False, True], ids=["main thread", "other thread"])
@pytest.mark.parametrize("change", CHANGES)
def test_nothing_but_names_outlives_a_block(run, change, in_a_thread):
    first, second = CHANGES[change]
    info = ' alt="Nothing."' if change == "figures" else ""
    text = f"```python{info}\n{first}\n```\n\n```python\n{second}\n```\n"
    if in_a_thread:
        in_thread(run, text)
    else:
        run(text)


def test_what_failed_is_undone_too(wrong):
    before = sys.stdout, sys.stdin, mpl.rcParams.copy()
    wrong("```python\nimport sys\nsys.stdout = sys.stdin = None\n1 / 0\n```")
    assert (sys.stdout, sys.stdin, mpl.rcParams) == before


def test_the_time_limit_holds_in_a_thread_of_its_own(wrong):
    errors = []
    text = "```python\nwhile True:\n    pass\n```"
    thread = threading.Thread(target=lambda: errors.append(wrong(text, time_limit=0.1)))
    thread.start()
    thread.join(10)
    assert "TimeLimitExceeded" in errors[0]


def test_figures_left_open_elsewhere_do_not_count(run):
    mpl.pyplot.figure()
    run("```python\nx = 1\n```")


def test_a_matplotlibrc_of_ones_own_changes_nothing():
    with mpl.rc_context({"lines.linewidth": 9}):
        runpy.run_path(running.__file__)
        assert mpl.rcParams["lines.linewidth"] == 1.5


def in_thread(run, text):
    errors = []

    def work():
        try:
            run(text)
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    for error in errors:
        raise error
