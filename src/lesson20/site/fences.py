"""Finds the fences of a page, of whatever language, as SuperFences sees them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

# A verbose pattern for code within a line; an escaped backtick begins none.
INLINE_CODE = r"(?<![\\`]) (?P<ticks>`+) (?!`) .+? (?<!`)(?P=ticks)(?!`)"

_FENCE = re.compile(r"(?P<prefix>[> \t]*)(?P<marks>`{3,}|~{3,})(?P<info>[^`]*)")


@dataclass(frozen=True)
class Fence:
    """A fence of any language, with the lines it spans and the characters."""

    line: int
    last: int
    start: int
    end: int
    prefix: str
    marks: str
    info: str
    body: list[str]


def find_fences(text: str) -> Iterator[Fence]:
    """The fences of a page as SuperFences sees them.

    A fence within a fence is text. A fence that is left before it is closed is none.
    """
    opening: re.Match[str] | None = None
    body: list[str] = []
    line = start = offset = 0
    for number, content in enumerate(text.split("\n"), 1):  # splitlines() knows other ends of lines
        if opening is None:
            if opening := _FENCE.fullmatch(content):
                body, line, start = [], number, offset
        else:
            inside = _without_prefix(content, opening["prefix"])
            if inside is None:
                opening = None
            elif inside.rstrip(" \t") == opening["marks"]:
                end = offset + len(content)
                yield Fence(line, number, start, end, **opening.groupdict(), body=body)
                opening = None
            else:
                body.append(inside)
        offset += len(content) + 1


def _without_prefix(content: str, prefix: str) -> str | None:
    if content.startswith(prefix):
        return content[len(prefix) :]
    return "" if content.strip() == prefix.strip() else None


def blanked(text: str, fences: list[Fence]) -> str:
    """The text with every fence turned into blanks, so that only prose is left in its place."""
    for fence in fences:
        inside = re.sub(r"[^\n]", " ", text[fence.start : fence.end])
        text = text[: fence.start] + inside + text[fence.end :]
    return text
