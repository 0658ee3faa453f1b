"""Accept mode: writes into a page what its blocks print now and what its claims are now.

Only the numbers and the `#> ` lines that are stale change; every other byte of the file stays
as it is, ends of lines and trailing blanks included.
"""

import difflib
import os
import shutil
from collections import defaultdict
from pathlib import Path
from typing import Any

from lesson20.site.blocks import Block, Output
from lesson20.site.claims import Claim
from lesson20.site.pages import parse


def accept(path: Path, page: str) -> str:
    """Bring one page up to date.

    Args:
        path: The file.
        page: Its name, as `docs/blame.md`.

    Returns:
        What changed, as a diff; empty if nothing did.

    Raises:
        PageError: If anything on the page raises, or would still be wrong. The file is untouched.
    """
    before = path.read_bytes().decode("utf-8")
    draft = Draft(before)
    namespace: dict[str, Any] = {}
    for item in parse(before.replace("\r\n", "\n"), page):
        if isinstance(item, Block):
            for output, lines in item.run(namespace)[0]:
                draft.correct_output(item, output, lines)
            for claim in item.claims():
                draft.correct_claim(claim, namespace)
        elif isinstance(item, Claim):
            draft.correct_claim(item, namespace)
    after = draft.text()
    parse(after.replace("\r\n", "\n"), page)  # what a block printed must not break the page
    if after != before:
        _replace(path, after)
    old, new = (text.splitlines(keepends=True) for text in (before, after))
    return "".join(difflib.unified_diff(old, new, page, page, n=0))


class Draft:
    """A page under correction, line by line. Lines are counted from 1, as everywhere."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")  # a Windows line keeps its \r at the end
        self._dropped: set[int] = set()
        self._added: defaultdict[int, list[str]] = defaultdict(list)
        self._shift: defaultdict[int, int] = defaultdict(int)

    def text(self) -> str:
        """The page as corrected so far."""
        kept = (
            [*([] if number in self._dropped else [line]), *self._added[number]]
            for number, line in enumerate(self._lines, 1)
        )
        return "\n".join(line for lines in kept for line in lines)

    def correct_claim(self, claim: Claim, namespace: dict[str, Any]) -> None:
        """Write what the claim's expression gives in place of its number."""
        line, column = self._lines[claim.line - 1], claim.column + self._shift[claim.line]
        corrected = claim.corrected(namespace)
        after = line[column + len(claim.text) :]
        self._lines[claim.line - 1] = line[:column] + corrected + after
        self._shift[claim.line] += len(corrected) - len(claim.text)

    def correct_output(self, block: Block, output: Output, lines: list[str]) -> None:
        """Write what a statement prints in place of its `#> ` lines."""
        old = [number for number, _ in output.lines]
        for (number, expected), text in zip(output.lines, lines, strict=False):
            if text != expected:
                self._lines[number - 1] = self._comment(number, text, self._indent(number))
        self._dropped.update(old[len(lines) :])
        last, indent = (old[-1], self._indent(old[-1])) if old else (output.end, block.prefix)
        self._added[last] += [self._comment(last, text, indent) for text in lines[len(old) :]]

    def _indent(self, number: int) -> str:
        return self._lines[number - 1].partition("#>")[0]

    def _comment(self, number: int, text: str, indent: str) -> str:
        end = "\r" if self._lines[number - 1].endswith("\r") else ""
        return f"{indent}#> {text}{end}" if text else f"{indent}#>{end}"


def _replace(path: Path, text: str) -> None:
    """Write the file anew in one step: interrupted, it is the old one or the new one."""
    new = path.with_name(f".{path.name}.new")
    try:
        with new.open("wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(path, new)
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
