"""Every link and image of a page leads somewhere: to a file of the repository, to a heading."""

import difflib
import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from markdown import Markdown

from lesson20.site.errors import PageError
from lesson20.site.fences import INLINE_CODE, blanked, find_fences

LINK = re.compile(
    INLINE_CODE  # which only shows a link
    + r"""
    | (?P<image>!)? \[ (?P<label>[^\[\]]*) \] \( (?P<target>[^()\s]+) (?: \s+ "[^"]*" )? \)
    | ^[ ]{0,3} \[ (?!\^) [^\[\]]+ \] : [ \t]+ (?P<definition>\S+)
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
ELSEWHERE = re.compile(r"(?:https?|mailto):")


@dataclass(frozen=True)
class Link:
    """A link or an image.

    Attributes:
        page: The page, as `docs/blame.md`.
        line: Its line.
        start: Where its target starts in the page's text, in characters.
        end: Where it ends.
        target: Where it leads, seen from the page.
    """

    page: str
    line: int
    start: int
    end: int
    target: str

    def check(self, namespace: dict[str, Any], time_limit: float = 0) -> None:
        """Look for the file and the heading. Other sites are not asked.

        Raises:
            PageError: If either is not there.
        """
        if ELSEWHERE.match(self.target):
            return
        name, anchor = urlsplit(self.target).path, urlsplit(self.target).fragment
        path = Path(self.page).parent / name if name else Path(self.page)
        if name.startswith("/") or not path.is_file():
            self._fail("a file", name, [child.name for child in path.parent.glob("*")])
        known = anchors(path, path.stat().st_mtime_ns) if anchor else []
        if anchor and known is not None and anchor not in known:
            self._fail(f"a heading of {path.name}", f"#{anchor}", [f"#{a}" for a in known])

    def _fail(self, wanted: str, actual: str, known: list[str]) -> None:
        near = difflib.get_close_matches(actual.rpartition("/")[2], known, 1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise PageError(self.page, self.line, wanted, f"{actual!r}, which is not there{hint}")


@functools.lru_cache(maxsize=64)
def anchors(path: Path, changed: int) -> list[str] | None:
    """The anchors of a page's headings; None where others come from docstrings (`:::`).

    Args:
        path: The page.
        changed: When it was last changed, so that an old answer is not used for a new text.
    """
    text = path.read_text(encoding="utf-8-sig")
    text = blanked(text, list(find_fences(text)))
    if re.search(r"^::: ", text, re.MULTILINE):
        return None
    md = Markdown(extensions=["toc", "attr_list"])
    return re.findall(r'<h[1-6][^>]* id="([^"]+)"', md.convert(text))


def find_links(text: str, page: str) -> Iterator[Link]:
    """Find the links and images of some prose.

    Raises:
        PageError: If an image has no alt text.
    """
    for match in LINK.finditer(text):
        kind = "target" if match["target"] else "definition"
        if match["ticks"] or not match[kind]:
            continue
        line = text.count("\n", 0, match.start(kind)) + 1
        if match["image"] and not match["label"].strip():
            raise PageError(page, line, "![what the image shows](…)", "no alt text")
        yield Link(page, line, match.start(kind), match.end(kind), match[kind])
