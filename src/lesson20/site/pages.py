"""Finds all that is checked on a page: blocks, claims, links and formulas, in page order."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from lesson20.site.blocks import Block, Options
from lesson20.site.claims import Claim, find_claims
from lesson20.site.errors import PageError
from lesson20.site.fences import Fence, blanked, find_fences
from lesson20.site.formulas import Formula, find_formulas
from lesson20.site.links import Link, find_links
from lesson20.site.running import TIME_LIMIT

FRONT_MATTER = re.compile(r"\A\s*---[ \t]*\n(?:(?!---).*\n)*---[ \t]*\n")

_INFO = re.compile(r"python(?=[ \t]|$)(?P<options>.*)")

# Deliberately dumb: it knows nothing of Markdown but what a fence of Python code may look like,
# whatever stands before it.
_LOOKS_LIKE_PYTHON = re.compile(
    r"[^`]*?(?P<marks>`{3,}|~{3,})(?:\s*\{.*)?[\s.#!]*\w*py", re.IGNORECASE
)


type Item = Block | Claim | Link | Formula


def parse(text: str, page: str) -> list[Item]:
    """The blocks, claims, links and formulas of a page, in page order.

    Args:
        text: The whole page.
        page: Its name, as `docs/blame.md`.

    Raises:
        PageError: If one of them is malformed, or a fence looks like Python and is no block.
    """
    prose = blanked(text, list(find_fences(text)))
    items = [*find_runnable(text, page), *find_links(prose, page), *find_formulas(prose, page)]
    items.sort(key=lambda item: item.start)
    return items


def run(items: Sequence[Item], time_limit: float = TIME_LIMIT) -> Iterator[tuple[Item, str]]:
    """Check the items of one page, in one namespace of their own.

    Yields:
        Each item, and the SVG of its figure if it is a block that draws one.

    Raises:
        PageError: At the first item that is not as the page says.
    """
    namespace: dict[str, Any] = {}
    for item in items:
        yield item, item.check(namespace, time_limit) or ""


def find_runnable(text: str, page: str) -> list[Block | Claim]:
    """The blocks and claims alone, in page order."""
    fences = list(find_fences(text))
    blocks = [block for fence in fences if (block := _block(fence, page))]
    _account_for_every_fence(text, page, fences, {block.line for block in blocks})
    items: list[Block | Claim] = [*blocks, *find_claims(blanked(text, fences), page)]
    items.sort(key=lambda item: item.start)
    above = FRONT_MATTER.match(text)
    if above and items and items[0].start < above.end():
        raise PageError(page, items[0].line, "no block or claim in the front matter", "one")
    return items


def without_comments(text: str, items: Sequence[Item]) -> str:
    """The page's text as a reader sees it: without the comments of the claims found in it."""
    for item in reversed(items):
        if isinstance(item, Claim):
            number = item.text.replace(" ", "\u00a0")  # no line ends within a number
            text = text[: item.start] + number + text[item.end :]
    return text


def _block(fence: Fence, page: str) -> Block | None:
    info = _INFO.fullmatch(fence.info)
    if info is None or fence.marks[0] != "`":
        return None
    for number, code in enumerate(fence.body, fence.line + 1):
        if "\t" in code:  # Markdown turns it into spaces: the page would show other code than ran
            raise PageError(page, number, "spaces in a block", "a tab")
    source = "".join(f"{code}\n" for code in fence.body)
    options = Options.parse(info["options"], page, fence.line)
    opening = f"{fence.prefix}{fence.marks}{fence.info}"
    return Block(page, fence.line, fence.start, fence.end, fence.prefix, opening, source, options)


def _account_for_every_fence(text: str, page: str, fences: list[Fence], blocks: set[int]) -> None:
    """Nothing may be skipped in silence.

    What looks like a Python fence is a block, or stands as text within a longer fence. (Within
    one of the same length it is rather the next block after a fence that nobody closed.)
    """
    for number, line in enumerate(text.split("\n"), 1):
        found = _LOOKS_LIKE_PYTHON.match(line)
        if not found or number in blocks:
            continue
        outer = [fence.marks for fence in fences if fence.line < number < fence.last]
        if not outer or len(outer[0]) <= len(found["marks"]):
            wanted = "```python as the whole line but for options, closed at the same indentation"
            raise PageError(page, number, wanted, f"{line.strip()!r}, which would not run")
    for fence in fences:
        if not fence.info.strip():
            raise PageError(page, fence.line, "a fence's language, like ```text", "none")
