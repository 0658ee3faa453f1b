"""Whatever stands on a page, the machinery says so in its own words or runs it."""

import contextlib
import re

from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from lesson20.site.accept import accept
from lesson20.site.errors import PageError
from lesson20.site.pages import parse, without_comments

PIECES = [
    "```python\nx = 1\n```", "```python\nprint(2)\n#> 2\n```", '```python title="a" fold="b"\n```',
    "```py\nx\n```", "~~~\ntext\n~~~", "````markdown\n```python\n1 / 0\n```\n````", "```", "~~~~",
    "1<!-- = 1 -->", "0.5<!-- = x / 2 -->", "<!-- = -->", "<!--", "-->", "$a^2$",
    "$$\n\\frac{a}{b}\n$$", "$", "[a](b.md#c)", "![](x)", "> ", "- ", "1. ", "    ", "\t",
    "!!! note\n", '=== "Tab"\n', "\\", "`", "``", "*", "#> 3", "\n", "\n\n", "\r\n", "\x00",
    "\x0b", "\u2028", "\ufeff", "---\n",
]  # fmt: skip
QUIET = settings(
    derandomize=True,
    deadline=None,
    max_examples=150,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
pages = st.lists(st.sampled_from(PIECES) | st.text(max_size=8), max_size=12).map("".join)


@contextlib.contextmanager
def its_own_words():
    """Let pass what the machinery says of a page, and nothing else."""
    try:
        yield
    except PageError as error:
        said = str(error)
        if not re.fullmatch(r"\n\S.*:\d+: expected .+, got .+", said, re.DOTALL):
            raise


@QUIET
@given(pages)
def test_parsing_and_running_end_well_or_in_the_named_error(text):
    namespace = {}
    with its_own_words():
        for item in parse(text, "docs/page.md"):
            item.check(namespace, 1.0)


@QUIET
@given(st.binary(max_size=60))
def test_random_bytes_are_a_page_like_any_other(data):
    text = data.decode("latin-1")
    with its_own_words():
        items = parse(text, "docs/page.md")
        assert without_comments(text, items) == text or "<!--" in text


@QUIET
@given(pages)
def test_what_is_built_holds_no_comment_of_a_claim(page, convert, text):
    page(text)
    with its_own_words():
        assert "<!-- =" not in convert(text)


@QUIET
@given(pages)
def test_accepting_twice_is_accepting_once(page, text):
    path = page(text)
    with its_own_words():
        accept(path, "docs/page.md")
        once = path.read_bytes()
        assert accept(path, "docs/page.md") == ""
        assert path.read_bytes() == once


@QUIET
@given(pages)
def test_a_page_that_is_not_accepted_is_left_alone(page, text):
    path = page(text)
    try:
        accept(path, "docs/page.md")
    except PageError:
        event("refused")
        assert path.read_bytes() == text.encode()
