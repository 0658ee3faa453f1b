"""A block's options, and the comparison of what it prints with what the page says."""

import pytest

from lesson20.site.blocks import Options


def block(code, info=""):
    return f"```python{info}\n{code}\n```\n"


def test_all_options_are_read():
    info = ' title="a.py" alt="A line."\tcaption="It falls."  fold="How" skip="no GPU" scene="b" '
    assert Options.parse(info, "docs/page.md", 1) == Options(
        title="a.py", alt="A line.", caption="It falls.", fold="How", skip="no GPU", scene="b"
    )


@pytest.mark.parametrize(
    ("info", "expected", "actual"),
    [
        (' titel="x"', "the option title", "'titel'"),
        (' Alt="x"', "the option alt", "'Alt'"),
        (
            ' linenums="1"',
            "the option title or alt or caption or fold or skip or scene",
            "'linenums'",
        ),
        (" title=x", 'options written name="text"', "'title=x'"),
        (" title='x'", 'options written name="text"', "\"title='x'\""),
        (' title = "x"', 'options written name="text"', "'title = \"x\"'"),
        (' title="x', 'options written name="text"', "'title=\"x'"),
        (' title="x"alt="y"', 'options written name="text"', "'alt=\"y\"'"),
        (" skip", 'options written name="text"', "'skip'"),
        (' {title="x"}', 'options written name="text"', "'{title=\"x\"}'"),
        (' title=""', "one text for the option title", "'title=\"\"'"),
        (' skip=" "', "one text for the option skip", "'skip=\" \"'"),
        (' alt="x" alt="x"', "one text for the option alt", "'alt=\"x\"'"),
        (' caption="so $x$"', "caption as plain text", "a formula in 'so $x$'"),
    ],
)
def test_a_slip_in_the_options(wrong, info, expected, actual):
    text = "# Title\n\n" + block("x = 1", info)
    assert wrong(text) == f"docs/page.md:3: expected {expected}, got {actual}"


@pytest.mark.parametrize(
    "code",
    [
        "print(1)\n#> 1",
        "for i in range(2):\n    print(i)\n#> 0\n#> 1",
        "for i in range(2):\n    print(i)\n    #> 0\n    #> 1",
        "print(1)\n#> 1\nprint(2)\n\n# then\n#> 2\nx = 3",
        "print('a', '', ' b', sep='\\n')\n#> a\n#>\n#>  b",
        "print('a\\n')\n#> a\n#>",
        "print()\n#>",
        "print('a ')\n#> a ",
        "print('''\n#> no output\n''')\n#>\n#> #> no output\n#>",
        "text = '''\n#> 1\n'''",
        "print('a\\u2028b\\x0cc') \n#> a\u2028b\x0cc",
        "class A:\n    print('made')\n#> made",
        "@staticmethod\n# decorated\ndef f():\n    print(1)\n\nf()\n#> 1",
        "import asyncio\n\nasync def f():\n    print('ran')\n\nasyncio.run(f())\n#> ran",
        "from sys import stdout\nstdout.write('kept\\n') and None\n#> kept",
        "import sys\nprint('unseen', file=sys.stderr)",
        "",
        "# only a comment",
    ],
)
def test_output_that_is_as_the_page_says(run, code):
    run(block(code))


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("print(2)\n#> 1", "3: expected output '1', got '2'"),
        ("print(1)\n#> 1\nprint(2)\n#> 3", "5: expected output '3', got '2'"),
        ("for i in range(3):\n    print(i)\n#> 0\n#> 9\n#> 2", "5: expected output '9', got '1'"),
        ("print(1)\n#> 1 ", "3: expected output '1 ', got '1'"),
        ("print('1 ')\n#> 1", "3: expected output '1', got '1 '"),
        ("print(' 1')\n#> 1", "3: expected output '1', got ' 1'"),
        (
            "print('a\\rb')\n#> a\n#> b",
            "2: expected output without carriage returns, got 'a\\rb\\n'",
        ),
        ("print(1)  #> 1", "2: expected an output on a line of its own, got 'print(1)  #> 1'"),
        ("print('a\\u2028b')\n#> a\n#> b", "3: expected output 'a', got 'a\\u2028b'"),
        # missing
        ("print(1)\n#> 1\n#> 2\n#> 3", "4: expected output '2', got nothing"),
        ("x = 1\n#> 1", "3: expected output '1', got nothing"),
        ("print(1)\n#> 1\n#>", "4: expected output '', got nothing"),
        ("def f():\n    print(1)\n    #> 1\nf()", "4: expected output '1', got nothing"),
        # surplus
        ("print(1)", "2: expected no further output, got '1', which no '#> ' below it declares"),
        ("print(\n    1\n)", "4: expected no further output, got '1'"),
        ("print(1, 2, 3, sep='\\n')\n#> 1\n#> 2\nx = 1", "4: expected no further output, got '3'"),
        ("print(1)\nprint(2)\n#> 1\n#> 2", "2: expected no further output, got '1'"),
        ("print('a\\n')\n#> a", "3: expected no further output, got ''"),
        ("class A:\n    print(1)", "3: expected no further output, got '1'"),
        ("print(1); x = 2", "2: expected no further output, got '1'"),
        ("print(1)\n# > 1", "2: expected no further output, got '1'"),
        # neither
        ("print(1, end='')\n#> 1", "2: expected output that ends its line, got '1'"),
        ("print(1, end=' ')\nprint(2)\n#> 1 2", "2: expected output that ends its line, got '1 '"),
        ("#> 1\nprint(1)", "2: expected a statement above its output, got output '1'"),
        ("# nothing\n\n#> 1", "4: expected a statement above its output, got output '1'"),
    ],
)
def test_output_that_is_not_as_the_page_says(wrong, code, error):
    assert wrong(block(code)).startswith(f"docs/page.md:{error}")


@pytest.mark.parametrize("prefix", ["    ", "        ", "> ", "> > ", "    > ", " ", ">     "])
def test_output_in_a_container_names_the_line_of_the_page(wrong, prefix):
    code = "\n".join(prefix + line for line in block("if True:\n    print(1)\n#> 2").split("\n"))
    assert wrong(f"text\n\n{code}") == "docs/page.md:6: expected output '2', got '1'"


def test_claims_in_any_option_are_checked(wrong):
    for option in ("title", "fold", "skip"):
        text = block("x = 0.5", f' {option}="half of it, 0.6<!-- = 1 / 2 -->"')
        assert wrong(text) == "docs/page.md:1: expected 0.6 = 1 / 2, got 0.5"


DRAWING = "import matplotlib.pyplot as plt\nplt.plot([1, 0.86])\n"
TWO = DRAWING + "plt.figure()\nplt.plot([1, 2])"


@pytest.mark.parametrize(
    ("code", "info", "expected"),
    [
        (DRAWING, "", 'alt="what the figure shows", got no alt text'),
        (DRAWING, ' caption="It falls."', 'alt="what the figure shows", got no alt text'),
        (TWO, ' alt="A line."', "one figure, got 2 figures"),
        ("x = 1", ' alt="A line."', "one figure, got 0 figures"),
        ("x = 1", ' caption="It falls."', "one figure, got 0 figures"),
        ("x = 1", ' alt="A line." skip="slow"', "one figure, got 0 figures"),
        ("x = 1", ' scene="belt"', "one figure, got 0 figures"),
        (DRAWING, ' scene="belt"', 'alt="what the figure shows", got no alt text'),
        (DRAWING, ' alt="A line." scene="x"', "the scene scenes/x.js, got no such file"),
        (DRAWING, ' alt="It falls to 0.87<!-- = 0.86 -->."', "0.87 = 0.86, got 0.86"),
        (DRAWING, ' alt="Falls." caption="To 0.87<!-- = 0.86 -->."', "0.87 = 0.86, got 0.86"),
    ],
)
def test_a_figure_and_its_options_belong_together(wrong, code, info, expected):
    assert wrong(block(code, info)) == f"docs/page.md:1: expected {expected}"
